"""A week of each temperament as plain text, compared line by line: the shortest account of the story there is.

``python -m tests.worlds.phantom.playthrough`` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any
from zoneinfo import ZoneInfo

from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import filled
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.faces.app.temperaments import PLAYERS, TEMPERAMENTS, Glance
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.state import PLAYER
from tests.worlds.phantom.stage import START, Tale

FOLDER = Path(__file__).parent / "playthroughs"
DAYS = 8
#: Hours after the start of a day at which the player looks at the post.
LOOKS = (3, 7, 11)


def text(temperament: str) -> str:
    return "\n".join(lines(temperament)) + "\n"


def lines(temperament: str) -> Iterator[str]:
    tale = played(temperament)
    yield f"# {temperament}: {DAYS} days"
    for told in tale.told:
        line = _line(tale, told)
        if line:
            yield f"{_when(tale, told.at)}  {line}"
    yield ""
    yield f"exposure {tale.state.exposure}, {tale.state.presence.level}"
    for name, one in tale.state.cast.items():
        yield f"{name}: trust {one.trust}, {one.level}, {len(one.claims)} claims at hand, heard of {_names(one)}"


@cache
def played(temperament: str) -> Tale:
    """The story as this player makes it; only to be looked at afterwards."""
    tale = Tale(seed=TEMPERAMENTS.index(temperament) + 1).start()
    written = 0
    for day in range(DAYS):
        for hour in LOOKS:
            tale.until(START + timedelta(days=day, hours=hour))
            chance = Chance("playthrough", temperament, day, hour)
            for command in PLAYERS[temperament](_glance(tale, written), chance):
                written += isinstance(command, c.Receive)
                tale.do(command)
    return tale.until(START + timedelta(days=DAYS))


def _glance(tale: Tale, written: int) -> Glance:
    body: Mapping[str, Any] = filled(
        tale.world.view(tale.state, PLAYER, tale.at), lambda id: tale.memories[id].text or ""
    )
    return Glance(
        day=1 + (tale.at - START).days,
        threads=body["threads"],
        key=tale.state.key.value if tale.state.key else "",
        written=written,
        accesses_left=body["accesses_left"],
        documents=tuple(tale.content.documents.documents),
    )


def _when(tale: Tale, at: datetime) -> str:
    return f"{at.astimezone(ZoneInfo(tale.zone)):%a %H:%M}"


def _names(character: Any) -> str:
    return ", ".join(sorted({*character.learned, *character.heard_of})) or "nobody"


def _line(tale: Tale, told: EventContext[Any]) -> str:
    match told.event:
        case e.MessageReceived(channel=channel, agent=agent, words=words):
            return f"player to {agent} ({channel}):\n{_words(tale, words.id)}"
        case e.LetterSent(key=key):
            letter = next(one for one in tale.events(e.LetterWritten) if one.key == key)
            return f"{letter.agent} ({letter.channel}, {letter.situation}):\n{_words(tale, letter.words.id)}"
        case _:
            return _change(told.event)


def _words(tale: Tale, id: str) -> str:
    body = tale.memories[id].text or ""
    return "\n".join(
        fill(part, 110, initial_indent="    ", subsequent_indent="    ") for part in body.split("\n") if part
    )


def _change(event: Any) -> str:
    match event:
        case e.TrustChanged(agent=agent, delta=delta, trust=trust, reason=reason):
            return f"  trust of {agent} {delta:+d} = {trust}: {reason}"
        case e.ExposureChanged(delta=delta, level=level, reason=reason):
            return f"  exposure {delta:+d} = {level}: {reason}"
        case e.LifecycleMoved(agent=agent, was=was, now=now, reason=reason):
            return f"  {agent}: {was} to {now} ({reason})"
        case e.MilestoneReached(milestone=milestone):
            return f"  milestone {milestone}"
        case e.TriggerFired(trigger=trigger, because=because):
            return f"  trigger {trigger}: {because}"
        case e.ClaimMade(claim=claim, is_true=is_true):
            return f"  claim: {claim} ({ {True: 'true', False: 'a lie', None: 'open'}[is_true] })"
        case _:
            return _rarer(event)


def _rarer(event: Any) -> str:
    match event:
        case e.Exchanged(giver=giver, receiver=receiver, shared=shared, alliance=alliance):
            return f"  {giver} tells {receiver}: {', '.join(shared) or 'nothing'} ({alliance})"
        case e.ChannelInherited(channel=channel, agent=agent, was=was):
            return f"  {agent} takes over {channel} from {was}"
        case e.EngagementMoved(now=now):
            return f"  the player is {now}"
        case e.KeyUsed():
            return "  the key turns"
        case e.KeyRefused():
            return "  the key does not turn"
        case e.DocumentRead(document=document):
            return f"  the player reads {document}"
        case _:
            return ""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in TEMPERAMENTS:
        (FOLDER / f"{name.replace(' ', '_')}.txt").write_text(text(name))
        print(f"{name}: written")
