"""Session ids: UUIDs that lead to the guest's stream and tell nothing that would open another session.

The first half is that of the guest's anonymous id, so that a request finds its stream without a search. The second
is a digest of the whole anonymous id and the session's number, with the number at its end.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

_HALF: Final = 18
_MOST: Final = 0xFFFF
_FORM: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def is_uuid(text: str) -> bool:
    return _FORM.fullmatch(text) is not None


def stream_of(id: str) -> str:
    """The stream that a session id, or an anonymous id, belongs to."""
    return f"bar-{id[:_HALF]}"


def session_id(anonymous_id: str, number: int) -> str:
    tag = blake2b(f"{anonymous_id}/{number}".encode(), digest_size=6).hexdigest()
    variant = "89ab"[int(tag[0], 16) % 4]
    return f"{anonymous_id[:_HALF]}-{variant}{tag[1:4]}-{tag[4:12]}{number & _MOST:04x}"


def number_of(session: str, anonymous_id: str, sessions: int) -> int | None:
    """Which session of this guest an id names; None if it is none of theirs."""
    if not is_uuid(session):
        return None
    low = int(session[-4:], 16)
    number = sessions - ((sessions - low) & _MOST)
    return number if number >= 1 and session == session_id(anonymous_id, number) else None
