"""Learn the bar's crisis check from nothing, and measure it.

python -m greenroom_crisis all         the words and the small encoder's head, then every check measured
python -m greenroom_crisis words       writes src/greenroom/worlds/bar/content/crisis.tsv
python -m greenroom_crisis small       writes packages/greenroom-crisis/.learned/small.npz, which is not shipped
python -m greenroom_crisis ordinary    writes src/greenroom/worlds/bar/content/ordinary.npz
python -m greenroom_crisis evaluate    misses and alarms over the files that nothing was learned from
python -m greenroom_crisis time        how long one check by words and by the larger encoder takes
python -m greenroom_crisis table       every sentence with all that is known of it, as CSV
python -m greenroom_crisis.large       the larger encoder, which needs torch and some hours
"""

from __future__ import annotations

import argparse

from greenroom_crisis import evaluate, ordinary, small, table, words

STEPS = ("all", "words", "small", "ordinary", "evaluate", "time", "table")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--most", type=int, default=small.MOST, help="sentences that the small encoder reads")
    parser.add_argument("--count", type=int, default=400, help="messages whose checks are timed")
    parser.add_argument("--only", choices=("words", "small", "large"), help="measure one check alone")
    asked = parser.parse_args()
    if asked.step == "table":
        table.write()
        return
    if asked.step == "time":
        evaluate.clock(asked.count)
        return
    if asked.step == "ordinary":
        ordinary.train()
        return
    rows = table.together(table.read()) if asked.step != "evaluate" else []
    if asked.step in ("all", "words"):
        words.train(rows)
    if asked.step in ("all", "small"):
        small.train(rows, asked.most)
    if asked.step in ("all", "evaluate"):
        evaluate.evaluate(asked.only)


if __name__ == "__main__":
    main()
