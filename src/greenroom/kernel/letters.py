"""Letters: outgoing messages due at a time. They hold a memory id, never text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

LetterStatus: TypeAlias = Literal["due", "held", "sent", "cancelled", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Schedule a letter. The key is the world's own name for it within the stream."""

    key: str
    due_at: datetime
    channel: str
    to: str
    #: The memory whose text is sent, read at the moment of sending.
    words: str
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Take back a letter that has not been sent."""

    key: str


LetterChange: TypeAlias = Post | Cancel


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A stored letter."""

    stream: str
    key: str
    due_at: datetime
    channel: str
    to: str
    words: str
    subject: str
    status: LetterStatus
    tries: int = 0
    #: Fencing token of the current lease.
    token: int = 0
    error: str | None = None
    #: The version that posted it, and the one the stream was at when it was sent, given up or cancelled.
    version: int = 0
    closed: int | None = None

    def pending_at(self, version: int) -> bool:
        """Whether it was waiting to be sent when the stream was at this version."""
        return self.version <= version and (self.closed is None or self.closed > version)

    @property
    def id(self) -> str:
        """Unique in the house and the same at every try: a channel that honours keys drops doubles."""
        return f"{self.stream}/{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterSettled:
    """A command of the runtime's own: tells a world that declares it what became of a letter."""

    key: str
    status: Literal["sent", "failed"]
    reason: str = ""
