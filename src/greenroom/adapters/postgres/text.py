"""Text as PostgreSQL can keep it: it has no NUL, and no half characters."""

from __future__ import annotations

from collections.abc import Sequence
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
