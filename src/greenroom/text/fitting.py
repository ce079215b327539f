"""Fits the sections of a prompt into a budget of tokens; says what was kept, what was dropped, where a cache ends.

The budget is for prompt and answer together. Room for the answer is set aside first. Then every section with a floor
gets its newest texts up to that floor, and always the newest one; what is left goes to the sections in their order,
each up to its cap. A text is one exchange: kept whole or not at all. The kept ones of a section are always its newest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from greenroom.kernel.asks import Section
from greenroom.kernel.errors import Malformed

#: Tokens of one text.
Count: TypeAlias = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is left of one section."""

    name: str
    #: Oldest first.
    texts: tuple[str, ...]
    tokens: int
    #: How many older texts had no room.
    dropped: int
    #: Memory ids with scores (None where the section gave none). They are told apart where the section has one per
    #: text; where it has not, all count as kept.
    memories: tuple[tuple[str, float | None], ...] = ()
    memories_dropped: tuple[tuple[str, float | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A prompt that fits. ``used_tokens`` and ``reserve_tokens`` together are never more than ``budget_tokens``."""

    #: Every section in the order given, also those of which nothing is left.
    sections: tuple[Kept, ...]
    used_tokens: int
    reserve_tokens: int
    budget_tokens: int
    #: A provider's cache marker may stand after so many sections, which hold so many tokens; 0 for nowhere.
    marker: int
    marker_tokens: int

    @property
    def dropped(self) -> int:
        return sum(kept.dropped for kept in self.sections)


@dataclass(slots=True)
class _Filling:
    """One section being filled, newest text first. A text is counted when its turn comes, and once."""

    section: Section
    count: Count
    taken: int = 0
    tokens: int = 0
    _next: int | None = field(default=None, repr=False)

    def next_tokens(self) -> int | None:
        """What the next older text needs; None when all are taken."""
        if self.taken == len(self.section.texts):
            return None
        if self._next is None:
            self._next = self.count(self.section.texts[-1 - self.taken])
        return self._next

    def fill(self, limit: int) -> int:
        """Take texts while the section stays within a limit; returns what that used."""
        before = self.tokens
        while (needed := self.next_tokens()) is not None and self.tokens + needed <= limit:
            self._take(needed)
        return self.tokens - before

    def guarantee(self) -> int:
        """Take what the floor promises: the newest text in any case, then as much as fits the floor."""
        needed = self.next_tokens()
        if not self.section.floor or needed is None:
            return 0
        cap = self.section.cap
        if cap is not None and needed > cap:
            raise Malformed(
                f"section {self.section.name!r} must keep its newest text, which has {needed} tokens; its cap is {cap}"
            )
        self._take(needed)
        return needed + self.fill(self.section.floor)

    def kept(self) -> Kept:
        section, split = self.section, len(self.section.texts) - self.taken
        scored = tuple(zip(section.memories, section.scores or (None,) * len(section.memories), strict=False))
        apart = split if len(scored) == len(section.texts) else 0
        return Kept(
            name=section.name,
            texts=section.texts[split:],
            tokens=self.tokens,
            dropped=split,
            memories=scored[apart:],
            memories_dropped=scored[:apart],
        )

    def _take(self, needed: int) -> None:
        self.taken += 1
        self.tokens += needed
        self._next = None


def assemble(
    sections: Sequence[Section], *, budget: int, count: Count, reserve: int = 0, stable: Count | None = None
) -> Assembled:
    """Choose what of each section goes into the prompt.

    Args:
        budget: tokens of prompt and answer together.
        count: tokens of one text, with whatever separates it from the next.
        reserve: tokens set aside: the answer, and what stands around the sections.
        stable: the same as ``count`` for texts of stable sections, which may be remembered; without it, ``count``.

    Raises:
        Malformed: floors and reserve do not fit into the budget, or a section with a floor has a newest text that
            does not; the sentence gives the numbers and never the text.
    """
    _check(sections, budget, reserve)
    fillings = [_Filling(section, (stable or count) if section.stable else count) for section in sections]
    left = budget - reserve - sum(filling.guarantee() for filling in fillings)
    if left < 0:
        raise Malformed(_too_long(fillings, budget, reserve))
    for filling in fillings:
        cap = filling.section.cap
        most = filling.tokens + left
        left -= filling.fill(most if cap is None else min(cap, most))
    kept = tuple(filling.kept() for filling in fillings)
    marker = _marker(sections, kept)
    return Assembled(
        sections=kept,
        used_tokens=budget - reserve - left,
        reserve_tokens=reserve,
        budget_tokens=budget,
        marker=marker,
        marker_tokens=sum(part.tokens for part in kept[:marker]),
    )


def _check(sections: Sequence[Section], budget: int, reserve: int) -> None:
    if budget < 0 or reserve < 0:
        raise Malformed(f"a budget ({budget}) and a reserve ({reserve}) of tokens are never negative")
    for section in sections:
        if section.floor < 0 or (section.cap is not None and section.cap < section.floor):
            raise Malformed(
                f"section {section.name!r}: its floor ({section.floor}) is not negative and not above its cap "
                f"({section.cap})"
            )
    floors = sum(section.floor for section in sections)
    if floors + reserve > budget:
        named = ", ".join(f"{section.name} {section.floor}" for section in sections if section.floor)
        raise Malformed(
            f"the floors ({named or 'none'}) and the reserve ({reserve}) need {floors + reserve} tokens; "
            f"the budget is {budget}"
        )


def _too_long(fillings: Sequence[_Filling], budget: int, reserve: int) -> str:
    over = (filling for filling in fillings if filling.section.floor and filling.tokens > filling.section.floor)
    named = ", ".join(f"{filling.section.name} {filling.tokens}" for filling in over)
    needed = reserve + sum(filling.tokens for filling in fillings)
    return (
        f"the newest texts of sections with a floor are kept whole and too long ({named}): "
        f"with the reserve ({reserve}) they need {needed} tokens; the budget is {budget}"
    )


def _marker(sections: Sequence[Section], kept: Sequence[Kept]) -> int:
    """Length of the longest prefix of stable sections; 0 if nothing stands in it."""
    marker = next((i for i, section in enumerate(sections) if not section.stable), len(sections))
    return marker if any(part.texts for part in kept[:marker]) else 0
