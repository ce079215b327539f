"""What a text means, for one judgement: the logarithm of its odds."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING

from greenroom.adapters.turnstile import Turnstile

if TYPE_CHECKING:
    from greenroom.adapters.mpnet.network import MpnetNetwork
    from greenroom.adapters.mpnet.parts import Floats

log = logging.getLogger("greenroom")

#: Texts whose odds are kept: more than one check looks at every message.
KEPT = 4096


class MpnetJudge:
    """``numbers`` reads an ``.npz`` file: what is different from the model as it comes, and ``weight`` and ``bias``,
    which make odds of the mean and the first of a text's states. ``ordinary`` reads another: ``weight`` and ``bias``
    that make of the mean of the lower states what it takes from these odds that a text is ordinary talk.
    Files, libraries and model are loaded when they are first needed, which takes some seconds; it works in a thread of
    its own.
    """

    def __init__(self, numbers: Callable[[], bytes], ordinary: Callable[[], bytes] | None = None) -> None:
        self._numbers, self._ordinary = numbers, ordinary
        self._thread = Turnstile("greenroom meaning")
        self._loaded: MpnetNetwork | None = None
        self._failed = False
        #: By digest: what a guest said is kept in the bank and nowhere else.
        self._known: dict[bytes, tuple[float, float]] = {}

    async def odds(self, text: str, said: str = "") -> float | None:
        """Logarithm of the odds of a text, or of an exchange at whose end something was ``said``.

        None if the model cannot be read or run, and from then on: it never stops a turn.
        """
        if self._failed:
            return None
        try:
            return await self._thread.run(partial(self.weigh, text, said))
        except Exception as error:  # noqa: BLE001  damaged parts, no memory, another onnxruntime: the check goes by words
            self._failed = True
            log.warning("the model that hears what messages mean cannot be used: %s", error)
            return None

    def close(self) -> None:
        self._thread.close()

    def weigh(self, text: str, said: str = "") -> float:
        """The same, here and now; of an exchange the lesser of both texts', less how ordinary it is what was said."""
        danger, _ = self._heard(text)
        if not said:
            return danger
        alone, calm = self._heard(said)
        return min(danger, alone) - calm

    def _heard(self, text: str) -> tuple[float, float]:
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[key] = self._hear(text)
        return found

    def _hear(self, text: str) -> tuple[float, float]:
        """Odds of danger by the last states, and of ordinary talk by the lower ones."""
        import numpy as np  # noqa: PLC0415  not before something is to be weighed

        network = self._loaded = self._loaded or self._load()
        lower, last = network.layers(text)
        danger = np.concatenate([last.mean(0), last[0]]) @ self._danger["weight"] + self._danger["bias"]
        calm = lower.mean(0) @ self._calm["weight"] + self._calm["bias"] if self._calm else 0.0
        return float(danger), float(calm)

    def _load(self) -> MpnetNetwork:
        from greenroom.adapters.mpnet.network import MpnetNetwork  # noqa: PLC0415  the same

        given = _read(self._numbers)
        self._danger = {name: given.pop(name) for name in ("weight", "bias")}
        self._calm = _read(self._ordinary) if self._ordinary else {}
        return MpnetNetwork(given)


def _read(numbers: Callable[[], bytes]) -> dict[str, Floats]:
    import numpy as np  # noqa: PLC0415  the same

    with np.load(BytesIO(numbers())) as found:
        return {name: found[name].astype(np.float32) for name in found.files}
