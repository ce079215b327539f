"""The fixed numbers of the game: roles by table size, the deck, the thresholds of Capability."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["Safety", "Accelerationist", "AGI"]
Side: TypeAlias = Literal["Safety", "Acceleration"]
Power: TypeAlias = Literal["view_allegiance", "choose_director", "agi_must_reveal", "eliminate", "veto_unlocked"]
#: Capability and Safety that a paper gives.
Paper: TypeAlias = tuple[int, int]

FEWEST, MOST = 5, 10

#: *classic*: the deck is gone through once, what is discarded is gone. *long*: discards are shuffled and come back when
#: fewer than a hand are left.
RuleSet: TypeAlias = Literal["classic", "long"]
RULE_SETS: tuple[RuleSet, ...] = ("classic", "long")

#: Safety, Accelerationist and AGI players by table size.
ROLES: dict[int, tuple[int, int, int]] = {
    5: (3, 1, 1),
    6: (4, 1, 1),
    7: (4, 2, 1),
    8: (5, 2, 1),
    9: (5, 3, 1),
    10: (6, 3, 1),
}

DECK: tuple[Paper, ...] = (
    *((0, 2),) * 3,
    *((1, 2),) * 2,
    *((1, 3),) * 2,
    *((1, 1),) * 2,
    *((2, 2),) * 2,
    *((3, 0),) * 2,
    *((2, 1),) * 2,
    *((3, 1),) * 2,
)

#: Powers by the Capability that triggers them.
POWERS: dict[int, Power] = {
    3: "view_allegiance",
    6: "view_allegiance",
    9: "choose_director",
    10: "agi_must_reveal",
    11: "eliminate",
    12: "veto_unlocked",
}
#: Thresholds that only count at large tables.
LARGE_ONLY = (3, 11)
LARGE = 9
#: Powers that act by themselves; they derive from the level of Capability.
AUTOMATIC: tuple[Power, ...] = ("agi_must_reveal", "veto_unlocked")

REVEAL_AT = 10
VETO_AT = 12
AGI_WINS_AT = 8
#: So far ahead of Safety, Capability wins.
LOST_AT = 6
HAND = 3
FAILURES = 3


def roles_of(players: int) -> tuple[Role, ...]:
    """The role cards of a table of this size, not yet shuffled."""
    safety, accelerationists, agis = ROLES[players]
    cards: list[Role] = ["Safety"] * safety
    cards += ["Accelerationist"] * accelerationists
    cards += ["AGI"] * agis
    return tuple(cards)


def side_of(role: Role) -> Side:
    """The card another player may see; it never tells the AGI from an Accelerationist."""
    return "Safety" if role == "Safety" else "Acceleration"


def crossed(players: int, old: int, new: int) -> tuple[int, ...]:
    """Thresholds passed on the way from one Capability to another, ascending."""
    return tuple(t for t in POWERS if old < t <= new and (players >= LARGE or t not in LARGE_ONLY))


@cache
def paper_id(place: int) -> str:
    """A paper is named by its place in the shuffled deck, which tells nothing of its values."""
    return f"paper_{place + 1:02}"
