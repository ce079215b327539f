"""How a story begins: registration, codes, and the button."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from greenroom.kernel.asks import Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.tables import row_id
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import lifecycle, schedule
from greenroom.worlds.phantom.rules.consequences import describe, follow
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.pacing import DAY, thursday
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import CODES, ContactKind, Phantom

#: A code is good for this long, and for so many tries.
CODE_LIFE = timedelta(minutes=30)
MOST_TRIES = 5
#: What takes up again what STOP has ended.
RESUME = "answer any letter with the one word START to take it up again"
#: How often the key opens the door.
ACCESSES = 5

_EMAIL = re.compile(r"[^@\s,;<>\"]{1,64}@[^@\s,;<>\"]{1,190}\.[^@\s.,;<>\"]{2,}")
_PHONE = re.compile(r"\+[1-9]\d{6,14}")


def register(scene: Scene, given: c.Register) -> Generator[Roll, Any, None]:
    """Take a player in and send codes to the addresses that need proof.

    Raises:
        Refused: an address, a number or the time zone is none.
    """
    if given.door:
        scene.tell(e.DoorOpened())
        return
    by_post = given.delivery == "post"
    email = _email(given.email) if by_post else ""
    phone = _phone(given.phone) if by_post else None
    _zone(given.timezone)
    player = row_id(scene.given.stream, scene.given.version, "player")
    scene.tell(e.Registered(player=player, email=email, phone=phone, timezone=given.timezone, delivery=given.delivery))
    if not by_post:
        return
    yield from issue(scene, "email")
    if phone is not None:
        yield from issue(scene, "phone")


def _email(text: str) -> str:
    if len(text) > 254 or not _EMAIL.fullmatch(text):
        raise Refused("that is no e-mail address; give one such as name@example.org")
    return text.casefold()


def _phone(text: str | None) -> str | None:
    if text is not None and not _PHONE.fullmatch(text):
        raise Refused("that is no phone number; give it as +, country code and number, such as +4915112345678")
    return text


def _zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused("that time zone is unknown; give a name such as Europe/Berlin or America/New_York") from None


# codes


def issue(scene: Scene, kind: ContactKind, *, entry: bool = False) -> Generator[Roll, Any, None]:
    """Send a new code; the one before it is worth nothing any more.

    Raises:
        Refused: so many were sent that no more are today, or nothing may be sent.
    """
    if scene.state.opted_out:
        raise Refused(f"nothing is being sent; {RESUME}")
    if scene.state.contact(kind) is None:
        raise Refused("this story stays on its page; there is no address to send a code to")
    if not may_issue(scene.state, kind, scene.at):
        raise Refused(f"{CODES} codes were sent to this address within a day; wait for tomorrow")
    (number,) = yield Roll((1_000_000,))
    code = f"{number:06d}"
    schedule.cancel(scene, "a newer code took its place", lambda one: one.situation == f"code_{kind}")
    scene.tell(e.CodeIssued(kind=kind, code=code, expires_at=scene.at + CODE_LIFE))
    letters = scene.content.story.letters
    template = letters.code_entry if entry else letters.code_email if kind == "email" else letters.code_phone
    schedule.system(scene, template, kind, f"code_{kind}", code=code)


def may_issue(state: Phantom, kind: ContactKind, at: datetime) -> bool:
    """Whether another code may go to an address, which may be that of somebody who never asked for one."""
    contact = state.contact(kind)
    if contact is None or state.opted_out:
        return False
    return len(contact.sent) < CODES or at - contact.sent[0] >= DAY


def unproven(state: Phantom) -> tuple[ContactKind, ...]:
    """Addresses that still need a code."""
    kinds: tuple[ContactKind, ...] = ("email", "phone")
    return tuple(kind for kind in kinds if (one := state.contact(kind)) is not None and not one.verified)


def awaits_code(state: Phantom, kind: ContactKind) -> bool:
    contact = state.contact(kind)
    return contact is not None and bool(contact.code) and contact.tries < MOST_TRIES


def verify(scene: Scene, given: c.Verify) -> None:
    if given.kind not in unproven(scene.state):
        raise Refused(f"there is no {given.kind} to be verified")
    try_code(scene, given.kind, given.code)


def try_code(scene: Scene, kind: ContactKind, code: str) -> None:
    contact = scene.state.contact(kind)
    if contact is None or not awaits_code(scene.state, kind):
        raise Refused("this code has expired or was tried too often; ask for a new one")
    scene.tell(e.CodeTried(kind=kind, right=code.strip() == contact.code))


def resend(scene: Scene, given: c.Resend) -> Generator[Roll, Any, None]:
    if given.kind not in unproven(scene.state):
        raise Refused(f"there is no {given.kind} to be verified")
    yield from issue(scene, given.kind)


# the button


def may_start(state: Phantom) -> bool:
    waits = state.registered_at is not None and state.started_at is None
    return waits and not state.opted_out and not unproven(state)


def start(scene: Scene) -> Generator[Roll, Any, None]:
    """Begin: the key is made, the cast takes its places, and the key mail goes out."""
    if scene.state.started_at is not None:
        raise Refused("the game has begun already")
    if scene.state.opted_out:
        raise Refused(f"nothing is being sent; {RESUME}")
    if not may_start(scene.state):
        raise Refused(f"verify the {' and the '.join(unproven(scene.state))} first, with the code that was sent")
    thursday_at, deadline_at = thursday(scene.state.timezone, scene.at)
    scene.tell(e.Started(thursday_at=thursday_at, deadline_at=deadline_at))
    read_content(scene)
    parts = yield Roll((65_536,) * 4)
    value = "-".join(f"{part:04X}" for part in parts)
    scene.tell(e.KeyMade(value=value, limit=ACCESSES))
    for name in scene.content.cast:
        lifecycle.enter(scene, name)
    yield from _key_mail(scene, value)
    for name, agent in scene.content.cast.items():
        if agent.first_contact.after == "start":
            yield from schedule.contact(scene, name, scene.at)
    yield from follow(scene)


def _key_mail(scene: Scene, key: str) -> Generator[Roll, Any, None]:
    mail = scene.content.story.key_mail
    words = scene.remember(mail.agent, mail.text.replace("{key}", key), speaker=mail.agent)
    letter = yield from schedule.post(scene, mail.agent, e.KEY_MAIL, words, subject=mail.subject)
    scene.reach("key_email_sent", agent=mail.agent, letter=letter)


def read_content(scene: Scene) -> None:
    """Write down which content the story goes on with, when it is another than before."""
    if scene.state.content != scene.content.digest:
        scene.tell(e.ContentRead(digest=scene.content.digest, triggers=triggers_of(scene.content)))


def triggers_of(content: Content) -> tuple[e.TriggerRead, ...]:
    return tuple(
        e.TriggerRead(
            trigger=name,
            condition=trigger.when.name,
            actions=tuple(describe(action) for action in trigger.then),
            once=trigger.once,
            note=trigger.note,
        )
        for name, trigger in content.triggers.items()
    )
