"""The numbers in an ONNX file, where they stand: whoever changes one changes the model, and nothing else in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

#: Numbers of the fields that are read, as the format has them: of a model, of a graph, of a tensor.
GRAPH: Final = 7
TENSOR: Final = 5
SHAPE, KIND, NAME, NUMBERS = 1, 2, 8, 9
#: Kinds of numbers, as the format has them.
KINDS: Final = {1: np.float32, 3: np.int8, 7: np.int64}


def tensors(model: bytearray) -> dict[str, NDArray[Any]]:
    """What a model was given, by name: parts of it, not copies."""
    found = {}
    for field, graph in _fields(memoryview(model)):
        if field == GRAPH:
            for inner, tensor in _fields(graph):
                if inner == TENSOR:
                    name, numbers = _tensor(tensor)
                    found[name] = numbers
    return found


def _tensor(data: memoryview) -> tuple[str, NDArray[Any]]:
    shape, kind, name, numbers = [], 0, "", memoryview(b"")
    for field, value in _fields(data):
        if field == SHAPE:
            shape.append(value)
        elif field == KIND:
            kind = value
        elif field == NAME:
            name = bytes(value).decode()
        elif field == NUMBERS:
            numbers = value
    known = KINDS.get(kind, np.uint8)
    return name, np.frombuffer(numbers, known).reshape(shape if kind in KINDS else -1)


def _fields(data: memoryview) -> Iterator[tuple[int, Any]]:
    """The fields of a record in protocol buffers: numbers, and parts that hold what they hold."""
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        if key & 7 == 0:
            value, at = _number(data, at)
            yield key >> 3, value
            continue
        size, at = _number(data, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
        yield key >> 3, data[at : at + size]
        at += size


def _number(data: memoryview, at: int) -> tuple[int, int]:
    """A whole number, seven bits in each byte, the lowest first; and where what follows it begins."""
    found = shift = 0
    while True:
        found |= (data[at] & 127) << shift
        if data[at] < 128:
            return found, at + 1
        at, shift = at + 1, shift + 7
