"""What the routes share: players' stories as correspondence, addresses that people type, and the pages as files."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import available_timezones

from fastapi import Response

from greenroom.kernel.errors import Malformed
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House
from greenroom.worlds.phantom.rules.commands import Register
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.rules import DOOR
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.state import PLAYER, SYSTEM, medium

#: The stream in which keys are written down that belong to nobody.
DOOR_STREAM = "phantom-door"
#: For ``responses=`` of a route that answers with a page.
PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
}


async def sign_up(house: House, config: Register) -> str:
    """Open a player's story, owned by nobody but that player; returns its stream, which is named after the owner.

    Whether somebody plays under an address already is not told here, where strangers ask, but once it was proved.

    Raises:
        Refused: an address is none.
    """
    name = secrets.token_hex(8)
    return (await house.start(NAME, config, owner=f"player:{name}", name=f"story-{name}", seat=PLAYER)).stream


def content_of(house: House) -> Content:
    """The content that this house plays the world with: its rules were made with it.

    Raises:
        Unknown: the house does not have this world.
    """
    return house.content(NAME, Content)


async def door_stream(house: House) -> str:
    """The door's own stream, opened when it is first needed."""
    reply = await house.start(NAME, Register(door=True), owner="phantom:door", name=DOOR_STREAM, seat=DOOR)
    return reply.stream


# correspondence


async def correspondence(house: House, stream: str) -> list[dict[str, Any]]:
    """What has been delivered to the player and what the player wrote, by channel; nothing that is still on its way."""
    content = content_of(house)
    found: dict[str, dict[str, Any]] = {}
    written: dict[str, Mapping[str, Any]] = {}
    unread = await _unread(house, stream)
    async for event in house.events(stream, seat=OPERATOR):
        body: Any = event.body
        match event.kind:
            case "letter_written":
                written[body["key"]] = body
            case "letter_sent" if body["key"] in written:
                letter = written.pop(body["key"])
                by = content.agents[letter["agent"]].sender if letter["agent"] else content.story.title
                mail = {"letter": letter["key"], "by": by, "at": event.at, "subject": letter["subject"]}
                told = {**mail, "text": letter["words"], "read": letter["key"] not in unread}
                _on(found, content, letter["channel"], letter["carrier"]).append(told)
            case "message_received":
                mine = {"letter": "", "by": "you", "at": event.at, "subject": "", "text": body["words"], "read": True}
                _on(found, content, body["channel"], body["channel"]).append(mine)
            case _:
                pass
    await _owners(house, stream, content, found.values())
    return list(found.values())


async def _unread(house: House, stream: str) -> set[str]:
    """Letters that no page has shown yet, as far back as the story counts them."""
    seen: Any = (await house.view(stream, seat=PLAYER)).body
    return {mail["ref"] for thread in seen["threads"] for mail in thread["messages"] if mail["unread"]}


def _on(found: dict[str, dict[str, Any]], content: Content, channel: str, carrier: str) -> list[dict[str, Any]]:
    """The messages on a channel; letters of the house itself come by mail or by phone."""
    kind = medium(channel)
    if channel == SYSTEM:
        kind = "sms" if carrier in ("phone", "system:sms") else "email"
        channel = f"{SYSTEM}:{kind}"
    place = {"channel": channel, "medium": kind, "with": content.story.title, "open": False}
    messages: list[dict[str, Any]] = found.setdefault(channel, {**place, "messages": []})["messages"]
    return messages


async def _owners(house: House, stream: str, content: Content, found: Iterable[dict[str, Any]]) -> None:
    """Who answers on each channel now, and whether anybody does."""
    board: Any = (await house.view(stream, seat=OPERATOR)).body
    for conversation in found:
        owner = board["channels"].get(conversation["channel"])
        if owner is not None:
            conversation |= {"with": content.agents[owner["owner"]].sender, "open": True}


# addresses that people type: checked offline and written in one form, with the extra ``letters``


def email(given: str) -> str:
    """An e-mail address in its normal form, the domain in small letters.

    Raises:
        Malformed: it is none.
    """
    from email_validator import EmailNotValidError, validate_email

    try:
        return validate_email(given, check_deliverability=False).normalized
    except EmailNotValidError as error:
        raise Malformed(f"that is no e-mail address: {_sentence(str(error))}") from None


def phone(given: str) -> str:
    """A phone number as E.164: ``+491701234567``.

    Raises:
        Malformed: it is none, or lacks the country.
    """
    import phonenumbers

    try:
        number = phonenumbers.parse(given, None)
    except phonenumbers.NumberParseException:
        raise Malformed("that is no phone number; write it with its country: +49 170 1234567") from None
    if not phonenumbers.is_valid_number(number):
        raise Malformed("there is no such phone number in that country; write it with its country: +49 170 1234567")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def timezone(given: str) -> str:
    """A time zone by its IANA name.

    Raises:
        Malformed: there is none of that name.
    """
    if given not in available_timezones():
        raise Malformed("there is no such time zone; write it like Europe/Berlin, America/New_York or UTC")
    return given


def _sentence(said: str) -> str:
    return (said[:1].lower() + said[1:]).rstrip(".")


# the pages that players see, as files; put together once


@cache
def page(name: str) -> str:
    """A page with the house's style and script put in."""
    text = _file(f"{name}.html")
    return text.replace("/*house*/", _file("house.css")).replace("/*script*/", _file("house.js"))


def shown(name: str, status: int = 200, **parts: str) -> Response:
    """A page as an answer; a part takes the place of the comment of its name and is HTML already."""
    text = page(name)
    for part, html in parts.items():
        text = text.replace(f"<!--{part}-->", html)
    return Response(text, status, media_type="text/html")


def _file(name: str) -> str:
    return files("greenroom.worlds.phantom.faces.http").joinpath("pages", name).read_text("utf-8")
