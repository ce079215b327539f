"""Models that are run here, by their digests: what is loaded is what was measured, or nothing.

The digests of MPNet are those that public projects which pin the files record; that of the int8 weights of MiniLM is
the one in the record of the package that brings them.
"""

from __future__ import annotations

import hashlib
from typing import Final

from greenroom.kernel.errors import BackendError

DIGESTS: Final = {
    "minilm-l6-int8/model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "all-mpnet-base-v2/tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    "all-mpnet-base-v2/model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
}


def checked(name: str, data: bytes) -> bytes:
    """The bytes of a file of this name, if they are the ones that are written down.

    Raises:
        BackendError: they are not.
    """
    check_digest(name, hashlib.sha256(data).hexdigest())
    return data


def check_digest(name: str, found: str) -> None:
    """The same for whoever read it piece by piece."""
    if found != DIGESTS[name]:
        raise BackendError(
            f"{name}: its digest is {found[:16]}…, not {DIGESTS[name][:16]}…; install the package that brings it anew"
        )


__all__ = ["DIGESTS", "check_digest", "checked"]
