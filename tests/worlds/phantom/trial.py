"""What the suite of all worlds needs to try this one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.phantom.outside import answer as spoken
from greenroom.worlds.phantom.outside import read_content as read_phantom
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import phantom
from greenroom.worlds.phantom.rules.state import PLAYER, Phantom

CONTENT = read_phantom()


def trial() -> Trial:
    return Trial(
        world=phantom(CONTENT),
        configs=config,
        answer=answer,
        secrets=secrets,
        weight=weight,
        pause=timedelta(hours=20),
    )


def config(chance: Chance) -> c.Register:
    """Mostly players on the page, who can start at once; now and then one who must prove an address, or the door."""
    kind = chance.below(8)
    if kind == 0:
        return c.Register(door=True)
    return c.Register(
        email=f"player{chance.below(10**6)}@example.org",
        phone=chance.choose((None, f"+49151{chance.below(10**7):07d}")),
        timezone=chance.choose(("UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland")),
        delivery="post" if kind == 1 else "page",
    )


def answer(ask: Ask) -> Json | Failed:
    """The understudy's own answers; now and then what cannot be used."""
    assert isinstance(ask, AskModel)
    chance = Chance(repr(ask.sections))
    if chance.below(9) == 0:
        return {"claims": "many"} if ask.schema is not None else "As an AI, I must not play this part."
    return spoken(CONTENT, ask)


def secrets(state: Phantom) -> Iterable[Secret]:
    """What only one agent was told, the key, and codes that nobody may read."""
    for contact in (state.email, state.phone):
        if contact is not None and contact.code:
            yield Secret(text=contact.code, known_to=())
    facts = {note.fact for character in state.cast.values() for note in character.facts}
    for fact in sorted(facts):
        holders = [name for name, one in state.cast.items() if any(note.fact == fact for note in one.facts)]
        yield Secret(text=fact, known_to=holders)
    if state.key is not None:
        heirs = [one.owner for one in state.channels.values() if one.inheritance == "full_history"]
        yield Secret(text=state.key.value, known_to=(PLAYER, CONTENT.story.key_mail.agent, *heirs))


def weight(command: Any) -> int:
    match command:
        case c.OptOut() | c.ReadDocument():
            return 1
        case c.Start():
            return 40
        case c.Receive():
            return 12
        case _:
            return 3
