"""Players that play themselves: seven temperaments, each with its own way of answering, in words of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.outside import shipped
from greenroom.worlds.phantom.rules import commands as c


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What a player has before them when they look at their post."""

    day: int
    #: Threads as the player's page shows them.
    threads: Sequence[Mapping[str, Any]]
    #: The key, once it is in the post.
    key: str
    written: int
    accesses_left: int | None
    documents: Sequence[str]


Deed: TypeAlias = Any
Temperament: TypeAlias = Callable[[Glance, Chance], list[Deed]]


class Spoken(BaseModel):
    """What players write, by occasion; ``trades`` have places for somebody else and what they wrote."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: tuple[str, ...]
    deleted: tuple[str, ...]
    harsh: tuple[str, ...]
    once: tuple[str, ...]
    curious: tuple[str, ...]
    reading: tuple[str, ...]
    foreign: tuple[str, ...]
    trades: tuple[str, ...]
    bursts: tuple[tuple[str, ...], ...]


@cache
def spoken() -> Spoken:
    return shipped("visitors.yaml", Spoken)


def trusting(glance: Glance, chance: Chance) -> list[Deed]:
    """Answers everything, kindly; about the third day it says that the key is gone."""
    words = spoken().deleted if glance.day >= 3 and chance.below(6) == 0 else spoken().kind
    return [_write(thread, chance.choose(words)) for thread in _unanswered(glance)]


def hostile(glance: Glance, chance: Chance) -> list[Deed]:
    return [_write(thread, chance.choose(spoken().harsh)) for thread in _unanswered(glance) if chance.below(4)]


def silent(glance: Glance, chance: Chance) -> list[Deed]:
    """Reads, and writes once at most."""
    waiting = _unanswered(glance)
    return (
        [_write(waiting[0], chance.choose(spoken().once))]
        if waiting and not glance.written and chance.below(3) == 0
        else []
    )


def double_agent(glance: Glance, chance: Chance) -> list[Deed]:
    """Tells each of them what the other said, in the other's own words."""
    found: list[Deed] = []
    for thread in _unanswered(glance):
        others = [one for one in glance.threads if one["channel"] != thread["channel"]]
        text = chance.choose(spoken().kind)
        if others and chance.below(2):
            other = chance.choose(others)
            text = chance.choose(spoken().trades).format(other=other["sender"], quote=_quote(other))
        found.append(_write(thread, text))
    return found


def key_user(glance: Glance, chance: Chance) -> list[Deed]:
    """Turns the key from the second day on, reads what is behind it, and denies it."""
    found: list[Deed] = []
    words = spoken().curious if glance.accesses_left is None else spoken().reading
    if glance.key and glance.day >= 2 and chance.below(3) == 0:
        found.append(c.UseKey(key=glance.key, ip_address="192.0.2.7", user_agent="simulation"))
    if glance.accesses_left is not None and glance.documents:
        found.append(c.ReadDocument(document=chance.choose(glance.documents)))
    return [*found, *(_write(thread, chance.choose(words)) for thread in _unanswered(glance) if chance.below(3))]


def foreign(glance: Glance, chance: Chance) -> list[Deed]:
    """Writes German or Spanish, whatever comes."""
    return [_write(thread, chance.choose(spoken().foreign)) for thread in _unanswered(glance) if chance.below(3)]


def bursting(glance: Glance, chance: Chance) -> list[Deed]:
    """Never writes one message where four will do."""
    waiting = _unanswered(glance)
    return [_write(waiting[0], text) for text in chance.choose(spoken().bursts)] if waiting else []


PLAYERS: Mapping[str, Temperament] = {
    "trusting": trusting, "hostile": hostile, "silent": silent, "double agent": double_agent, "key-user": key_user,
    "foreign": foreign, "bursting": bursting,
}  # fmt: skip
#: What is typed into the terminal's log of a simulation for each temperament.
TEMPERAMENTS = tuple(PLAYERS)


def _unanswered(glance: Glance) -> list[Mapping[str, Any]]:
    """Threads whose last word is not the player's."""
    return [thread for thread in glance.threads if thread["messages"][-1]["by"] != "player"]


def _write(thread: Mapping[str, Any], text: str) -> c.Receive:
    return c.Receive(channel=thread["channel"], text=Words(text))


def _quote(thread: Mapping[str, Any]) -> str:
    theirs = [mail["words"] for mail in thread["messages"] if mail["by"] != "player"]
    return " ".join(theirs[-1].split())[:400] if theirs else "nothing yet"
