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

log = logging.getLogger("greenroom")

#: Texts whose odds are kept: more than one check looks at every message.
KEPT = 4096


class MpnetJudge:
    """``numbers`` reads an ``.npz`` file: what is different from the model as it comes, and ``weight`` and ``bias``,
    which make odds of the mean and the first of a text's states. File, libraries and model are loaded when they are
    first needed, which takes some seconds; it works in a thread of its own.
    """

    def __init__(self, numbers: Callable[[], bytes]) -> None:
        self._numbers = numbers
        self._thread = Turnstile("greenroom meaning")
        self._loaded: MpnetNetwork | None = None
        self._failed = False
        #: By digest: what a guest said is kept in the bank and nowhere else.
        self._known: dict[bytes, float] = {}

    async def odds(self, text: str) -> float | None:
        """Logarithm of the odds; None if the model cannot be read or run, and from then on: it never stops a turn."""
        if self._failed:
            return None
        try:
            return await self._thread.run(partial(self.weigh, text))
        except Exception as error:  # noqa: BLE001  damaged parts, no memory, another onnxruntime: the check goes by words
            self._failed = True
            log.warning("the model that hears what messages mean cannot be used: %s", error)
            return None

    def close(self) -> None:
        self._thread.close()

    def weigh(self, text: str) -> float:
        """The same, here and now."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[key] = self._weigh(text)
        return found

    def _weigh(self, text: str) -> float:
        import numpy as np  # noqa: PLC0415  not before something is to be weighed

        network = self._loaded = self._loaded or self._load()
        states = network.states(text)
        return float(np.concatenate([states.mean(0), states[0]]) @ self._weight + self._bias)

    def _load(self) -> MpnetNetwork:
        import numpy as np  # noqa: PLC0415  the same

        from greenroom.adapters.mpnet.network import MpnetNetwork  # noqa: PLC0415  the same

        with np.load(BytesIO(self._numbers())) as found:
            given = {name: found[name].astype(np.float32) for name in found.files}
        self._weight, self._bias = given.pop("weight"), given.pop("bias")
        return MpnetNetwork(given)
