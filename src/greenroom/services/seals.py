"""Seals: links in letters that let whoever follows one do one thing to one stream, without showing a ticket."""

from __future__ import annotations

import hmac

#: Characters of a seal: 128 bits in hexadecimal.
LENGTH = 32


def seal(secret: bytes, purpose: str, stream: str) -> str:
    """The seal for one purpose, such as ``stop``, on one stream; the same every time."""
    return hmac.digest(secret, f"seal/{purpose}/{stream}".encode(), "sha256").hex()[:LENGTH]


def is_sealed(secret: bytes, purpose: str, stream: str, given: str) -> bool:
    """Whether this is that seal; takes as long for a wrong one as for the right one."""
    return hmac.compare_digest(seal(secret, purpose, stream).encode(), given.encode(errors="replace"))


__all__ = ["is_sealed", "seal"]
