"""Writes a computation as onnxruntime reads it: an ONNX model, put together in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

#: Versions of the format and of its operations.
FORMAT: Final = 9
OPERATIONS: Final = 20
#: Where operations come from that are onnxruntime's own.
MICROSOFT: Final = "com.microsoft"
#: Kinds of numbers, as the format has them.
KINDS: Final = {"float32": 1, "uint8": 2, "int64": 7}
_FLOAT, _INT, _INTS = 1, 2, 7


class Graph:
    """Operations in the order in which they were added; each is known by the name of what it gives."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def tensor(self, array: NDArray[Any]) -> str:
        """Numbers that the model comes with."""
        name = f"given{len(self._tensors)}"
        shape = b"".join(_number(1, size) for size in array.shape)
        self._tensors.append(
            _part(5, shape, _number(2, KINDS[array.dtype.name]), _part(8, name.encode()), _part(9, array.tobytes()))
        )
        return name

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: float | list[int]) -> str:
        """One operation that gives one thing."""
        (name,) = self.nodes(1, operation, *inputs, domain=domain, **attributes)
        return name

    def nodes(
        self, gives: int, operation: str, *inputs: str, domain: str = "", **attributes: float | list[int]
    ) -> list[str]:
        """One operation that gives several."""
        names = [f"found{len(self._nodes)}.{i}" for i in range(gives)]
        self._nodes.append(
            _part(
                1,
                *(_part(1, name.encode()) for name in inputs),
                *(_part(2, name.encode()) for name in names),
                _part(4, operation.encode()),
                _part(7, domain.encode()),
                *(_attribute(name, value) for name, value in attributes.items()),
            )
        )
        return names

    def model(self, inputs: Mapping[str, Iterable[int | str]], output: str, shape: Iterable[int | str]) -> bytes:
        """The whole model. A size is a number, or a name where it differs from run to run."""
        given = [_part(11, _described(name, sizes)) for name, sizes in inputs.items()]
        found = _part(12, _described(output, shape))
        graph = _part(7, *self._nodes, _part(2, b"network"), *self._tensors, *given, found)
        own = _part(8, _number(2, OPERATIONS))
        return b"".join((_number(1, FORMAT), graph, own, _part(8, _part(1, MICROSOFT.encode()), _number(2, 1))))


def _attribute(name: str, value: float | list[int]) -> bytes:
    if isinstance(value, list):
        return _part(5, _part(1, name.encode()), *(_number(8, one) for one in value), _number(20, _INTS))
    if isinstance(value, int):
        return _part(5, _part(1, name.encode()), _number(3, value), _number(20, _INT))
    number = b"\x15" + np.float32(value).tobytes()  # field 2, four bytes
    return _part(5, _part(1, name.encode()), number, _number(20, _FLOAT))


def _described(name: str, sizes: Iterable[int | str]) -> bytes:
    shape = b"".join(_part(1, _part(2, size.encode()) if isinstance(size, str) else _number(1, size)) for size in sizes)
    return _part(1, name.encode()) + _part(2, _part(1, _number(1, KINDS["float32"]), _part(2, shape)))


# protocol buffers


def _part(field: int, *data: bytes) -> bytes:
    """A field with other fields, text or bytes in it."""
    return b"".join((_bits(field << 3 | 2), _bits(sum(map(len, data))), *data))


def _number(field: int, value: int) -> bytes:
    return _bits(field << 3) + _bits(value & (1 << 64) - 1)


def _bits(value: int) -> bytes:
    """A whole number, seven bits in each byte, the lowest first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
