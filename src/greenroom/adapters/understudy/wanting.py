"""What a message wants of whoever hears it: read off its words by a table that was learned from labelled messages.

A word, two or three in a row, at the beginning or at the end, speak for and against each; the rest is a sum. The table
is made by ``python -m tools.wanting`` from the messages beside it, and says there how often it is right about others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, get_args

import msgspec

from greenroom.text.runs import runs

#: Something the speaker told of themself; something of the hearer's; counsel; something of the world; to go on with what
#: was just said; something done, given or allowed; or nothing of these: it tells, greets, thanks, jokes.
Want = Literal["told", "hearer", "counsel", "world", "on", "favour", "nothing"]
WANTS: Final[tuple[Want, ...]] = get_args(Want)


class _Table(msgspec.Struct, frozen=True):
    """How much each thing wanted has from the outset, and from each run of words, in hundredths."""

    always: list[int]
    #: Of each run what speaks for which, as pairs of an index and a weight.
    runs: dict[str, list[int]]


@lru_cache(4096)
def wants(text: str) -> Mapping[Want, float]:
    """How likely a message wants each; together they make one."""
    table = _table()
    known = [pairs for run in runs(text) if (pairs := table.runs.get(run))]
    total = list(table.always)
    for pairs in known:
        for i, weight in _pairs(pairs):
            total[i] += weight
    high = max(total)
    raised = [math.exp((one - high) / 100) for one in total]
    return {want: one / sum(raised) for want, one in zip(WANTS, raised, strict=True)}


def _pairs(flat: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(flat[::2], flat[1::2], strict=True)


@cache
def _table() -> _Table:
    return msgspec.json.decode((files(__package__) / "wanting.json").read_bytes(), type=_Table)


__all__ = ["WANTS", "Want", "runs", "wants"]
