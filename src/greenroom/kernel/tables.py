"""Tables as data: a world declares them, events change their rows, a back-end stores them.

Every stored row also carries its stream and the version that last wrote it; that is what lets a
table be rebuilt from nothing, pruned, forgotten, and checked against the journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from hashlib import sha1
from typing import Any, Literal, TypeAlias
from uuid import UUID

import msgspec

from greenroom.kernel.words import Words

ColumnKind: TypeAlias = Literal["text", "integer", "real", "boolean", "moment", "date", "json", "words"]

#: Types that are kept as they are; looked up first, since nearly every value is one of them.
PLAIN = frozenset({str, int, float, bool, type(None)})
_NAMES = frozenset({str})

_ROWS = UUID("6f1d6f0e-5a55-4c0b-9a53-6a1d3c7a9b10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    name: str
    kind: ColumnKind = "text"
    optional: bool = False
    #: The values a text column may hold.
    among: tuple[str, ...] = ()
    #: The least and the greatest value of a number.
    between: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unique:
    """These columns hold a value once in the whole house; branches are exempt."""

    columns: tuple[str, ...]
    #: The sentence a caller is refused with.
    refusal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of a world. A ``words`` column holds a memory id; a ``json`` column takes plain data, or
    ``msgspec.Raw`` with canonical bytes that were made already.

    For people and their SQL there is a view ``<name>_view`` with the stream's name and the words joined.
    """

    name: str
    columns: tuple[Column, ...]
    #: Names of the key columns; together with the stream they name one row.
    key: tuple[str, ...]
    #: Rows that are only ever added: pruning a stream's prefix removes them with their events.
    log: bool = False
    unique: tuple[Unique, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()


class Put(msgspec.Struct, frozen=True, gc=False):
    """Write one whole row, new or in place of the old one; columns not named are empty."""

    table: str
    values: Mapping[str, Any]


class Patch(msgspec.Struct, frozen=True, gc=False):
    """Change some columns of one row. On a branch it does not reach a row of the shared past."""

    table: str
    key: Mapping[str, Any]
    values: Mapping[str, Any]


class Drop(msgspec.Struct, frozen=True, gc=False):
    """Remove one row."""

    table: str
    key: Mapping[str, Any]


Change: TypeAlias = Put | Patch | Drop


def plain(value: Any) -> Any:
    """A column's value as every back-end keeps and gives it: moments and dates as text, words as ids."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Words or kind is datetime:  # the two that most rows have
        return _plain_one(value)
    if kind is dict and PLAIN.issuperset(map(type, value.values())) and _NAMES.issuperset(map(type, value)):
        return dict(value)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return _plain_one(value)


def _plain_one(value: Any) -> Any:
    if isinstance(value, Words):
        return value.id
    if isinstance(value, msgspec.Raw):
        return msgspec.json.decode(value)
    if isinstance(value, datetime):
        return _text_of(value if value.tzinfo is UTC else value.astimezone(UTC))
    return value.isoformat() if isinstance(value, date) else value


@lru_cache(maxsize=256)  # all rows of a turn have one moment
def _text_of(moment: datetime) -> str:
    if not moment.microsecond:
        return moment.isoformat(timespec="microseconds")
    text: str = msgspec.to_builtins(moment)  # the same in a fifth of the time, but for the zone, which it writes as Z
    return f"{text[:-1]}+00:00"


def plain_row(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: plain(value) for name, value in values.items()}


def row_id(stream: str, version: int, row: str) -> str:
    """A key that a rebuild gives again: uuid5 of the place and a name of your choice."""
    # Written out, since every row has one: objects of type UUID take more than twice as long to make and to print.
    h = sha1(_ROWS.bytes + f"{stream}/{version}/{row}".encode(), usedforsecurity=False).hexdigest()
    return f"{h[:8]}-{h[8:12]}-5{h[13:16]}-{'89ab'[int(h[16], 16) % 4]}{h[17:20]}-{h[20:32]}"
