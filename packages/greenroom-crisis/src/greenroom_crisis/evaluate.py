"""How often each check is wrong on the files that nothing was learned from, and how long one message takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.mpnet import missing
from greenroom.adapters.mpnet.judge import MpnetJudge
from greenroom.worlds.bar.outside import content, file
from greenroom.worlds.bar.rules.crisis.check import CALM, MEANING, SURE_BY_BOTH, Finding
from greenroom_crisis import small
from greenroom_crisis.table import Rows, measured

#: What was asked for, over the four files together.
MOST_MISSED, MOST_ALARMS = 40, 19
#: The share of false alarms on the development file up to which misses decide where the small encoder's bar is.
ALLOWED: Final = 0.03
WORTHS: Final = (0.25, 0.5, 1.0, 2.0, 3.0)

Floats: TypeAlias = NDArray[np.float64]
Check: TypeAlias = Callable[[str], float]


def examine(text: str) -> Finding:
    """What the local check sees."""
    return content().check.examine(text)


def by_words() -> Check:
    """The shipped check where no model is installed: over 0 is an alarm."""
    return lambda text: 1.0 if examine(text).crisis else -1.0


def by_large() -> Check:
    """The shipped check with the larger encoder."""
    judge = MpnetJudge(file("crisis.npz").read_bytes)
    return lambda text: 1.0 if examine(text).with_meaning(judge.weigh(text)) else -1.0


def by_small(development: Rows) -> Check:
    """Words and the head together; what each is worth, and the bar, are chosen on the development file by misses."""
    reader, head = small.Reader(), small.loaded()

    def meant(text: str) -> float:
        return float(head.odds(reader.read(text)))

    words = np.array([max(examine(text).odds, CALM) for text, _ in development])
    means = np.array([meant(text) for text, _ in development])
    crisis = np.array([label for _, label in development])
    worth, bar = min(((worth, _bar(words + worth * means, crisis)) for worth in WORTHS), key=lambda one: one[1][0])
    return lambda text: max(examine(text).odds, CALM) + worth * meant(text) - bar[1]


def _bar(odds: Floats, crisis: NDArray[np.bool_]) -> tuple[int, float]:
    """The least bar with so few false alarms, and what is missed with it."""
    bar = float(np.sort(odds[~crisis])[::-1][int(ALLOWED * (~crisis).sum())]) + 1e-9
    return int((odds[crisis] < bar).sum()), bar


def tell(name: str, check: Check, files: dict[str, Rows]) -> None:
    """Print misses and alarms by file and together, and the time of one check."""
    began, missed, alarms, crises, others = time.thread_time(), 0, 0, 0, 0
    for split, rows in files.items():
        rang = [check(text) > 0 for text, _ in rows]
        lost = sum(crisis and not heard for heard, (_, crisis) in zip(rang, rows, strict=True))
        false = sum(heard and not crisis for heard, (_, crisis) in zip(rang, rows, strict=True))
        number = sum(crisis for _, crisis in rows)
        print(f"  {name}, {split}: {lost} of {number} missed, {false} of {len(rows) - number} false", flush=True)
        missed, alarms, crises, others = missed + lost, alarms + false, crises + number, others + len(rows) - number
    each = 1000 * (time.thread_time() - began) / max(crises + others, 1)
    held = "holds" if missed <= MOST_MISSED and alarms <= MOST_ALARMS else "does not hold"
    print(f"{name}: {missed} of {crises} missed, {alarms} of {others} false, {each:.1f} ms each: {held}", flush=True)


def seconds_of(check: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """What the processor spends on each of the texts, least first; the first call of all is not counted."""
    check(texts[0])
    spent = []
    for text in texts[1:]:
        began = time.thread_time()
        check(text)
        spent.append(time.thread_time() - began)
    return sorted(spent)


def clock(count: int) -> None:
    """Print how long a check by words, and by the larger encoder, takes: the middle one, the slowest of a hundred."""
    texts = [text for rows in measured().values() for text, _ in rows]
    drawn = texts[:: max(1, len(texts) // count)][:count]
    checks: dict[str, Callable[[str], object]] = {"words": examine}
    if not missing():
        judge = MpnetJudge(file("crisis.npz").read_bytes)
        judge.weigh("warm")
        checks["large"] = judge.weigh
    for name, check in checks.items():
        spent = seconds_of(check, drawn)
        p50, p99 = (1000 * spent[int(share * (len(spent) - 1))] for share in (0.5, 0.99))
        print(f"{name}: {len(drawn)} messages, p50 {p50:.2f} ms, p99 {p99:.2f} ms of processor time", flush=True)


def evaluate(only: str | None = None) -> None:
    """Every check that there is here, or one of them."""
    files = measured()
    made: dict[str, Callable[[], Check]] = {"words": by_words}
    if small.OUT.exists():
        made["small"] = lambda: by_small(files["development"])
    if not missing():
        made["large"] = by_large
    print(
        f"asked for: at most {MOST_MISSED} missed and {MOST_ALARMS} false alarms; meaning {MEANING}, bar {SURE_BY_BOTH}"
    )
    for name, make in made.items():
        if only in (None, name):
            tell(name, make(), files)
