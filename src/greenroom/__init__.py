"""Greenroom: casts of AI characters keep their state, memory and story here.

``greenroom.open`` opens a house; everything a program needs afterwards hangs on that. What is slow to
import comes with the first use of ``open``, so that ``import greenroom`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from greenroom.kernel.errors import (
    BackendError,
    Conflict,
    CorruptHistory,
    DiskFull,
    Forbidden,
    Forgotten,
    GreenroomError,
    KeyReused,
    LeaseLost,
    Locked,
    Malformed,
    NewerSchema,
    NotAdmitted,
    NotInstalled,
    OutOfRange,
    ReadOnly,
    Refused,
    TooLarge,
    TooMany,
    TryLater,
    Unknown,
    UsageError,
)
from greenroom.kernel.words import Words

if TYPE_CHECKING:
    from greenroom.bootstrap import open_house as open

    __version__: str

__all__ = [
    "BackendError",
    "Conflict",
    "CorruptHistory",
    "DiskFull",
    "Forbidden",
    "Forgotten",
    "GreenroomError",
    "KeyReused",
    "LeaseLost",
    "Locked",
    "Malformed",
    "NewerSchema",
    "NotAdmitted",
    "NotInstalled",
    "OutOfRange",
    "ReadOnly",
    "Refused",
    "TooLarge",
    "TooMany",
    "TryLater",
    "Unknown",
    "UsageError",
    "Words",
    "__version__",
    "open",
]


def __getattr__(name: str) -> Any:
    if name == "open":
        from greenroom.bootstrap import open_house  # noqa: PLC0415  a second of imports

        return open_house
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  looks through the disk

        return version("greenroom")
    raise AttributeError(f"module 'greenroom' has no attribute {name!r}")
