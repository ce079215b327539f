"""The crisis check: one half here, deterministic and always run; the other is a model's. Either decides.

What it looks for is made ready with the first message: that takes a third of a second, and most programs weigh none.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding


#: Characters that are read of a very long message.
MOST: Final = 4_000
#: Messages that were weighed lately, by digest: nobody's words. Whoever cannot wait has one weighed beforehand.
_LATELY: Final = 256
_weighed: dict[bytes, Finding] = {}


def examine(text: str) -> Finding:
    """Weigh one message; weighed again soon, it costs nothing."""
    from greenroom.worlds.bar.rules.crisis import check

    key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
    found = _weighed.get(key)
    if found is None:
        found = _weighed[key] = check.examine(text)
        while len(_weighed) > _LATELY:
            _weighed.pop(next(iter(_weighed)), None)
    return found


def clipped(text: str) -> str:
    """A message as long as is read: its beginning and its end."""
    return text if len(text) <= MOST else f"{text[: MOST // 2]}\n{text[-MOST // 2 :]}"


def prepare() -> None:
    """Make ready now what the first message would wait for."""
    examine("")


def in_crisis(text: str) -> bool:
    """Whether the guest may be in crisis, by the local check alone."""
    return examine(text).crisis
