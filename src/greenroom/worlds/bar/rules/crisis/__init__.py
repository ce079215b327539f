"""The crisis check: one half here, deterministic and always run; the other is a model's. Either decides.

What it looks for is made ready with the first message: that takes a third of a second, and most programs weigh none.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding
    from greenroom.worlds.bar.rules.crisis.likeness import Learned

#: Characters that are read of a very long message.
MOST: Final = 4_000
#: Messages that were weighed lately.
_LATELY: Final = 256


class Check:
    """The local check with what was learned for it. Weighed again soon, a message costs nothing."""

    def __init__(self, learned: Learned) -> None:
        self._learned = learned
        #: By digest: nobody's words. Whoever cannot wait has one weighed beforehand.
        self._weighed: dict[bytes, Finding] = {}

    def examine(self, text: str) -> Finding:
        """Weigh one message."""
        from greenroom.worlds.bar.rules.crisis import check

        key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        found = self._weighed.get(key)
        if found is None:
            found = self._weighed[key] = check.examine(text, self._learned)
            while len(self._weighed) > _LATELY:
                self._weighed.pop(next(iter(self._weighed)), None)
        return found

    def in_crisis(self, text: str) -> bool:
        """Whether the guest may be in crisis, by the local check alone."""
        return self.examine(text).crisis


def clipped(text: str) -> str:
    """A message as long as is read: its beginning and its end."""
    return text if len(text) <= MOST else f"{text[: MOST // 2]}\n{text[-MOST // 2 :]}"
