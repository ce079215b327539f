"""The archive: the best strategy of every way of behaving, so that what is different is kept beside what is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from greenroom.kernel.chance import Chance
from greenroom.worlds.arena.rules.strategy import Strategy

#: Steps of each of the three: opening, patience, bluff.
STEPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Elite:
    profile: int
    mean: float


def cell(strategy: Strategy) -> str:
    """Where a strategy belongs: how high it opens, how long it waits, how much it bluffs."""
    return "".join(
        str(min(STEPS - 1, int(value * STEPS))) for value in (strategy.opening, strategy.patience, strategy.bluff)
    )


def kept(archive: Mapping[str, Elite], strategy: Strategy, profile: int, mean: float) -> dict[str, Elite]:
    """The archive with a profile in it, if its cell is empty or holds a worse one."""
    place = cell(strategy)
    held = archive.get(place)
    if held is not None and held.mean >= mean:
        return dict(archive)
    return {**archive, place: Elite(profile=profile, mean=round(mean, 4))}


def partner(archive: Mapping[str, Elite], champion: int, chance: Chance) -> int | None:
    """Another profile to mix with: one of the better half, from a cell of its own."""
    others = sorted({elite.profile: elite.mean for elite in archive.values() if elite.profile != champion}.items())
    if not others:
        return None
    best = sorted(others, key=lambda one: (-one[1], one[0]))[: max(1, (len(others) + 1) // 2)]
    return chance.choose(best)[0]
