"""What can be asked of a player's story, and how much may stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Text
from greenroom.worlds.phantom.rules.state import ContactKind, Delivery

#: The same limits serve ``legal`` and ``handle``, so that they cannot disagree.
MESSAGE = Text(1, 8_000)
CODE = Text(1, 12)
KEY = Text(1, 40)
ORIGIN = Text(0, 300)
#: A Message-ID can be as long as a line of a mail.
PROVIDER_ID = Text(0, 1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The config of a stream: one player; or, with ``door``, the log of keys that belong to nobody.

    ``delivery="page"`` sends nothing to the outside: letters go to the inbox and the phone on the page. Addresses are
    not needed then, and not kept: nobody has proved that they are the player's.
    """

    email: str = ""
    phone: str | None = None
    timezone: str = "UTC"
    delivery: Delivery = "post"
    door: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    kind: ContactKind
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend:
    """Ask for a new code."""

    kind: ContactKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEntry:
    """Somebody who says that this story is theirs has no ticket any more: a code goes to the e-mail address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Give the code that was asked for; whoever knows it reads the mail of that address."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Press the button; the key mail goes out at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receive:
    """A message of the player's. Give it with the key ``in/<provider id>``: then twice is once."""

    #: ``email``, ``sms``, or an agent's own address such as ``email:cipher``.
    channel: str
    text: Words
    provider_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseKey:
    """Open the door with a key; whoever comes too often is let in no more, and logged."""

    key: str
    ip_address: str = ""
    user_agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLetter:
    """The inbox page has shown a letter."""

    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptOut:
    """Stop all sending, at once; the same as writing STOP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """Somebody came with a key that belongs to nobody. For the door's own stream."""

    ip_address: str = ""
    user_agent: str = ""


Command: TypeAlias = (
    Verify | Resend | AskEntry | Enter | Start | Receive | UseKey | ReadDocument | ShowLetter | OptOut | Knock
)


def by_name(kinds: Iterable[type[Any]]) -> Mapping[str, type[Any]]:
    """Commands or events by the names that they are stored under: those of their classes, in small letters."""
    return {re.sub(r"(?<=.)([A-Z])", r"_\1", kind.__name__).lower(): kind for kind in kinds}


COMMANDS = by_name(get_args(Command))
