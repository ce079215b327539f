"""Columns of rows as array literals: one text for each column.

The driver's own arrays cost a microsecond a value, because it looks whether each one is an array again; these cost a
few hundred nanoseconds, and a turn has a hundred values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from types import NoneType
from typing import Any

from greenroom.adapters.postgres.text import texts

_INTS = frozenset({int})
_WHOLE = frozenset({int, bool, NoneType})
_TEXTS = frozenset({str})
_FLAGS: Mapping[Any, str] = {True: "t", False: "f", None: "NULL"}


def literal(column: Sequence[Any], type_: str) -> str:
    """One column as PostgreSQL reads an array.

    Raises:
        TypeError: a value is of another kind than the column.
    """
    return "{" + _WRITERS[type_](column) + "}"


def _ints(column: Sequence[Any]) -> str:
    kinds = set(map(type, column))
    if kinds == _INTS:
        return ",".join(map(str, column))
    if not kinds <= _WHOLE:
        raise TypeError("a whole number is wanted")
    return ",".join(["NULL" if value is None else str(int(value)) for value in column])


def _texts(column: Sequence[Any]) -> str:
    kinds = set(map(type, column))
    if kinds == _TEXTS:
        return _quoted("\x00".join(texts(column)))
    if any(not isinstance(value, str | None) for value in column):
        raise TypeError("text is wanted")
    return ",".join(["NULL" if value is None else _quoted(value) for value in texts(column)])


def _quoted(joined: str) -> str:
    """Texts with NUL between them, which none of them holds, each in quotation marks."""
    if "\\" in joined:
        joined = joined.replace("\\", "\\\\")
    if '"' in joined:
        joined = joined.replace('"', '\\"')
    return f'"{joined}"'.replace("\x00", '","')


def _bytes(column: Sequence[Any]) -> str:
    return ",".join(["NULL" if value is None else f'"\\\\x{value.hex()}"' for value in map(_as_bytes, column)])


def _as_bytes(value: Any) -> bytes | None:
    if value is None or type(value) is bytes:
        return value
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    raise TypeError("bytes are wanted")


def _flags(column: Sequence[Any]) -> str:
    return ",".join(map(_FLAGS.__getitem__, column))


def _reals(column: Sequence[Any]) -> str:
    return ",".join(["NULL" if value is None else repr(float(value)) for value in column])


_WRITERS: Mapping[str, Callable[[Sequence[Any]], str]] = {
    **dict(zip(("bigint", "integer", "smallint", "xid"), repeat(_ints))),
    "text": _texts,
    "bytea": _bytes,
    "boolean": _flags,
    "float8": _reals,
}
