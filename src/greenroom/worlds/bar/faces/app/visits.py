"""Visits to the bar: find the guest, open the door, talk, look. HTTP, page and terminal are thin on it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil
from typing import Any
from uuid import uuid4

from greenroom.journal.records import Stream
from greenroom.kernel.asks import Json
from greenroom.kernel.errors import Forgotten, Refused, Unknown
from greenroom.kernel.times import moment
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House, Look, Reply
from greenroom.worlds.bar.faces.app import referrals
from greenroom.worlds.bar.rules import NAME, Content, door, prompts, refusals
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.crisis import clipped
from greenroom.worlds.bar.rules.ids import is_uuid, number_of, stream_of
from greenroom.worlds.bar.rules.state import GUEST
from greenroom.worlds.bar.rules.tables import MESSAGES, SESSIONS, user_id

#: Letters of an invite code: none that look alike.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 10
_MOST_KEY = 180
#: What gets ready in the background; a task that nobody holds may vanish.
_WAKING: set[asyncio.Future[Any]] = set()


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody who has been here before."""

    stream: str
    anonymous_id: str
    invite_code: str | None
    look: Look


def content_of(house: House) -> Content:
    """The content that this house plays the world with: its rules were made with it.

    Raises:
        Unknown: the house does not have this world.
    """
    return house.content(NAME, Content)


def new_guest() -> str:
    """An anonymous id that nobody can guess."""
    return str(uuid4())


def _key(verb: str, key: str) -> str:
    """A caller's key as the journal keeps it: one for each verb, and never too long."""
    return f"{verb}/{key}" if len(key) <= _MOST_KEY else f"{verb}/{blake2b(key.encode(), digest_size=16).hexdigest()}"


async def guest(house: House, anonymous_id: str) -> Regular | None:
    """The guest of this id, if there is one."""
    found = await _look(house, anonymous_id)
    if found is None or found.body["anonymous_id"] != anonymous_id:
        return None
    return Regular(found.stream, anonymous_id, found.body["invite_code"], found)


async def guest_of(house: House, session_id: str) -> Regular:
    """The guest whose session this is.

    Raises:
        Unknown: nobody's.
    """
    found = await _look(house, session_id)
    if found is not None:
        anonymous_id = found.body["anonymous_id"]
        if number_of(session_id, anonymous_id, found.body["sessions"]) is not None:
            return Regular(found.stream, anonymous_id, found.body["invite_code"], found)
    raise Unknown(refusals.NO_SESSION)


async def _look(house: House, id: str) -> Look | None:
    if not is_uuid(id):
        return None
    try:
        return await house.view(stream_of(id), seat=GUEST)
    except (Unknown, Forgotten):
        return None


# coming in


def _prick_up_ears(house: House) -> None:
    """Whoever comes in will say something: whatever hears what it means gets ready meanwhile, once in a process."""
    waking = asyncio.ensure_future(house.use_tool(prompts.meaning(""), "ears"))
    _WAKING.add(waking)
    waking.add_done_callback(_WAKING.discard)


async def enter(house: House, anonymous_id: str, invite_code: str | None, *, key: str) -> Reply:
    """Begin a session; a guest who is new is made known first.

    Raises:
        Refused: the code does not open the door, or it is the sixth session of the day.
    """
    if not is_uuid(anonymous_id):  # before the code: nobody shall use one up for a guest who cannot be
        raise Refused(refusals.NO_GUEST)
    _prick_up_ears(house)
    known = await guest(house, anonymous_id)
    code = await _opening(house, known.invite_code if known else None, invite_code)
    if code is not None:
        knock = door.Knock(guest=user_id(anonymous_id))
        await house.send(door.door_stream(code), knock, seat=door.PORTER, key=_key("knock", key))
    if known is None:
        config = c.Guest(anonymous_id=anonymous_id, invite_code=code)
        await house.start(NAME, config, owner=anonymous_id, name=stream_of(anonymous_id), seat=GUEST)
    return await house.send(stream_of(anonymous_id), c.Enter(), seat=GUEST, key=_key("enter", key))


async def _opening(house: House, kept: str | None, given: str | None) -> str | None:
    """The code that has to open the door; None where the bar is open to all.

    Raises:
        Refused: there are codes, and none of them was shown.
    """
    code = kept or given
    if code is None and not await any_codes(house):
        return None
    if code is None:
        raise Refused(refusals.CODE_NEEDED)
    try:
        await house.stream(door.door_stream(code))
    except (Unknown, Forgotten):
        if await any_codes(house):
            raise Refused(refusals.WRONG_CODE) from None
        return None
    return code


# codes


async def any_codes(house: House) -> bool:
    return bool(await house.streams(world=door.NAME, limit=1))


async def invite(house: House, count: int) -> list[str]:
    """Make new codes."""
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH)) for _ in range(count)]
    for code in codes:
        await house.start(door.NAME, door.Invite(code=code), owner=door.OWNER, name=door.door_stream(code))
    return codes


async def set_disabled(house: House, code: str, *, disabled: bool) -> None:
    """Disable a code, or enable it again.

    Raises:
        Unknown: there is no such code.
    """
    try:
        await house.send(door.door_stream(code), door.Disable(disabled=disabled), seat=OPERATOR)
    except (Unknown, Forgotten):
        raise Unknown(f"there is no invite code {code}; 'greenroom bar invite' lists them") from None


async def codes(house: House) -> list[Mapping[str, Any]]:
    """Every code with its guest and visits."""
    return [(await house.view(stream.name, seat=OPERATOR)).body async for stream in house.every_stream(door.NAME)]


# talking


async def say(house: House, session_id: str, text: str, selected: str | None, *, key: str) -> Reply:
    # Whoever is in danger is answered however much they write; what the check does not read is not kept.
    text = clipped(text)
    # Weighed beside the loop, however long it takes; the rules find it weighed.
    await asyncio.to_thread(content_of(house).check.examine, text)
    command = c.Say(session_id=session_id, text=Words(text), selected_agent=selected)
    reply = await house.send(stream_of(session_id), command, seat=GUEST, key=_key("say", key))
    await referrals.count_said(house, reply)
    return reply


async def leave(house: House, session_id: str, *, key: str) -> Reply:
    return await house.send(stream_of(session_id), c.Leave(session_id=session_id), seat=GUEST, key=_key("leave", key))


async def mute(house: House, session_id: str, agent: str, *, muted: bool, key: str) -> Reply:
    command = c.Mute(session_id=session_id, agent=agent.casefold(), muted=muted)
    return await house.send(stream_of(session_id), command, seat=GUEST, key=_key("mute", key))


async def take_back(house: House, session_id: str, *, key: str) -> Reply:
    """Say that an alarm was none."""
    command = c.TakeBack(session_id=session_id)
    reply = await house.send(stream_of(session_id), command, seat=GUEST, key=_key("take_back", key))
    await referrals.count_taken_back(house, reply)
    return reply


def until_midnight(house: House) -> int:
    """Seconds until the bar's day is over."""
    content, now = content_of(house), moment(house.now())
    return max(1, ceil((content.house.midnight(content.house.today(now)) - now).total_seconds()))


def told(house: House, reply: Reply) -> dict[str, Any]:
    """The seed's answer: its own fields exactly, every line that was said apart, and who speaks."""
    body = dict(reply.body)
    said = body["messages"]
    body["message"] = "\n\n".join(
        line["message"] if i == 0 or line["agent"] == said[0]["agent"] else f"{_name(line['agent'])}: {line['message']}"
        for i, line in enumerate(said)
    )
    body["model"] = house.plays("quality")
    return body


def _name(agent: str) -> str:
    return agent.upper() if agent == "jb" else agent.title()


# looking


async def status(house: House, session_id: str) -> dict[str, Any]:
    """How a session stands by the clock, whoever has or has not worked since.

    Raises:
        Unknown: there is no such session.
    """
    found = await guest_of(house, session_id)
    newest = found.look.body["session"]
    if newest["session_id"] == session_id:
        return {name: newest[name] for name in newest if name not in ("lines", "since")}
    return _former(newest, await _row(house, found.stream, session_id))


def _former(newest: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: newest[name] for name in ("agents_available", "agents_muted", "message_limit")}
    return told | {
        "session_id": row["id"],
        "session_status": row["status"],
        "started_at": row["started_at"],
        "ended_at": row["ended_at"],
        "message_count": row["message_count"],
        "last_call": False,
        "weather": row["weather"],
        "help": newest["help"],
        "may_take_back": newest["may_take_back"],
    }


async def _row(house: House, stream: str, session_id: str) -> Mapping[str, Any]:
    rows = await house.rows(stream, SESSIONS)
    return next(row for row in rows if row["id"] == session_id)


async def messages(house: House, session_id: str) -> list[dict[str, Any]]:
    """Every message of a session in order, words and all.

    Raises:
        Unknown: there is no such session.
    """
    found = await guest_of(house, session_id)
    rows = [row for row in await house.rows(found.stream, MESSAGES) if row["session_id"] == session_id]
    texts = await house.texts([row["content"] for row in rows])
    return [_message(row, texts) for row in sorted(rows, key=lambda row: row["position"])]


def _message(row: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    names = ("id", "agent", "timestamp", "is_user_message", "kind")
    return {name: row[name] for name in names} | {"content": texts.get(row["content"], "[removed]")}


async def guests(house: House) -> list[Json]:
    """Everybody who ever came, for the operator."""
    found = []
    async for stream in house.every_stream(NAME):
        if stream.parent is None:
            found.append(_summary(stream, (await house.view(stream.name, seat=OPERATOR)).body))
    return found


def _summary(stream: Stream, seen: Mapping[str, Any]) -> Json:
    session = seen["session"]
    return {
        "stream": stream.name,
        "anonymous_id": seen["anonymous_id"],
        "invite_code": seen["invite_code"],
        "sessions": seen["sessions"],
        "session_status": session["session_status"] if session else None,
        "message_count": session["message_count"] if session else 0,
        "crisis_flag_date": seen["crisis_flag_date"],
    }
