"""Words, memories and scopes: what was said lives in the memory bank, everything else holds ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec

from greenroom.kernel.errors import Malformed

#: What a reader sees where words have been forgotten.
REMOVED = "[removed]"

#: Kept for whoever looks into the house, never recalled, embedded or quoted: what a model said and a check rejected.
RAW = "raw"


class Words:
    """Something said: an id, and its text while somebody is handling it.

    Stored bytes and sums know the id only. In a new command the text is there and the id is not;
    recording the command gives it one. A forgotten text is None.
    """

    __slots__ = ("id", "text")

    def __init__(self, text: str | None = None, *, id: str = "") -> None:
        self.text = text
        self.id = id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and (self.id, self.text) == (other.id, other.text)

    def __hash__(self) -> int:
        return hash((self.id, self.text))

    def __repr__(self) -> str:  # never the text: reprs end up in logs and error messages
        return f"Words(id={self.id!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memories, told to whom. There is no scope for everybody."""

    #: Name of the world.
    world: str
    #: A person, or a named group such as ``realm:7``.
    owner: str
    #: The agent that may recall it; None means every agent of this owner (operators only).
    agent: str | None = None

    def __post_init__(self) -> None:
        for name in ("world", "owner"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise Malformed(f"a scope needs a {name}; give the id of a person or a named group")
        if self.agent is not None and not self.agent.strip():
            raise Malformed("a scope's agent is a name, or None for every agent of this owner")


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """One thing said or learned, at one place of one stream."""

    #: Derives from the place in the stream, so that an event can name it before it is stored.
    id: str
    #: Whose memory it is: forgetting this person removes it.
    owner: str
    #: Who may recall it.
    agent: str
    #: None keeps the text that is stored already (the words of the command).
    text: str | None
    #: message, summary, fact, claim, insight, ...
    kind: str = "message"
    #: Who spoke.
    speaker: str = ""
    #: When it was said; the driver fills in the time of the turn.
    at: datetime | None = None
    #: Small facts to filter by.
    meta: Mapping[str, str | int | float | bool | list[str]] = msgspec.field(default_factory=dict)
    #: The id of the memory that this one replaces from here on.
    supersedes: str | None = None

    @property
    def words(self) -> Words:
        return Words(self.text, id=self.id)


def check_text(value: str, what: str) -> None:
    """Refuse what no database can keep.

    Raises:
        Malformed: half a character (a lone surrogate) stands in it.
    """
    if value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed(f"{what} must be whole text; half a character (a lone surrogate) stands in it") from None
