"""Signed links: whoever follows one from a letter may do one thing to one stream, without showing a ticket."""

from __future__ import annotations

import hmac

#: Characters of a signature: 128 bits in hexadecimal.
LENGTH = 32


def sign(secret: bytes, purpose: str, stream: str) -> str:
    """The signature for one purpose, such as ``stop``, on one stream; the same every time."""
    return hmac.digest(secret, f"seal/{purpose}/{stream}".encode(), "sha256").hex()[:LENGTH]


def is_signed(secret: bytes, purpose: str, stream: str, given: str) -> bool:
    """Whether this is that signature; takes as long for a wrong one as for the right one."""
    return hmac.compare_digest(sign(secret, purpose, stream).encode(), given.encode(errors="replace"))


__all__ = ["is_signed", "sign"]
