"""Sentences with places in them."""

from __future__ import annotations

import re

_FIELD = re.compile(r"\{(\w+)\}")


def put(frame: str, **fields: object) -> str:
    """Fill a frame's fields; one that is not given stays, and braces in what is filled in mean nothing."""
    return _FIELD.sub(lambda field: str(fields.get(field[1], field[0])), frame)


__all__ = ["put"]
