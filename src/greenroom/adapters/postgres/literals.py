"""Values as PostgreSQL takes them: text without NUL and half characters, and columns of rows as one literal each.

The driver's own arrays cost a microsecond a value, because it looks whether each one is an array again; these literals
cost a few hundred nanoseconds, and a turn has a hundred values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from types import NoneType
from typing import Any

from greenroom.adapters.sql.rows import storable

#: This sign and a digit stand for a NUL, and for the sign itself.
_SIGN = "\uf8fe"


def sought(value: Any) -> Any:
    """A parameter of what is looked for: a text that cannot be stored is found nowhere."""
    if type(value) is str:
        return _written(value) if storable(value) else _SIGN
    if type(value) is list:
        return list(map(sought, value))
    return value


def written(value: Any) -> Any:
    """A parameter as it is sent: texts, and lists of them, without NUL."""
    if type(value) is str:
        return _written(value)
    if type(value) is list or type(value) is tuple:
        return texts(value)
    return value


def texts(values: Sequence[Any]) -> Sequence[Any]:
    """A column of texts as it is sent; most need no change."""
    if any(type(value) is str and ("\x00" in value or _SIGN in value) for value in values):
        return [_written(value) if type(value) is str else value for value in values]
    return values


def _written(text: str) -> str:
    if "\x00" in text or _SIGN in text:
        return text.replace(_SIGN, f"{_SIGN}1").replace("\x00", f"{_SIGN}0")
    return text


def read(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row as it was before it was written."""
    return tuple([_read(value) if type(value) is str and _SIGN in value else value for value in row])


def _read(text: str) -> str:
    return text.replace(f"{_SIGN}0", "\x00").replace(f"{_SIGN}1", _SIGN)


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
