"""MPNet as its packages carry it: a zip archive cut into parts. Nothing is fetched or unpacked to the disk."""

from __future__ import annotations

import io
import json
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import distribution
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, Final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.mpnet import PARTS
from greenroom.adapters.weights import check_digest, checked

Floats = NDArray[np.float32]

_FOLDER: Final = "all-mpnet-base-v2"


def vocabulary() -> str:
    """How the tokenizer makes pieces of a text, as its library reads it."""
    with _archive() as archive:
        name = f"{_FOLDER}/tokenizer.json"
        return checked(name, archive.read(name)).decode()


def weights() -> Iterator[tuple[str, Floats]]:
    """Every array of the model with its name, one after the other: together they take 400 MB.

    Raises:
        BackendError: after the last: they are not those that are written down.
    """
    name = f"{_FOLDER}/model.safetensors"
    with _archive() as archive, archive.open(name) as opened:
        file = _Summed(opened)
        heads = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        for array, head in sorted(_arrays(heads), key=lambda one: int(one[1]["data_offsets"][0])):
            start, end = head["data_offsets"]
            data = file.read(end - start)
            if head["dtype"] == "F32":
                yield array, np.frombuffer(data, "<f4").reshape(head["shape"])
        file.check(name)


def _arrays(heads: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((name, head) for name, head in heads.items() if name != "__metadata__")


@contextmanager
def _archive() -> Iterator[ZipFile]:
    with _Joined(_files()) as joined, ZipFile(io.BufferedReader(joined, 1 << 20)) as archive:
        yield archive


def _files() -> list[Path]:
    return [
        Path(str(distribution(name).locate_file(f"{_FOLDER}-pypi-part_{number:03}/input/{_FOLDER}.zip.{number:03}")))
        for number, name in enumerate(PARTS, start=1)
    ]


class _Summed:
    """A file that is read from its beginning to its end, summed on the way."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._sum = sha256()

    def read(self, count: int) -> bytes:
        data = self._file.read(count)
        self._sum.update(data)
        return data

    def check(self, name: str) -> None:
        while self.read(1 << 20):
            pass
        check_digest(name, self._sum.hexdigest())


class _Joined(io.RawIOBase):
    """Files one after the other, read as one."""

    def __init__(self, paths: list[Path]) -> None:
        self._files: list[IO[bytes]] = [path.open("rb", buffering=0) for path in paths]
        self._ends = list(accumulate(path.stat().st_size for path in paths))
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        """As much as the part has in which we are."""
        number = bisect_right(self._ends, self._at)
        if number == len(self._files):
            return 0
        file = self._files[number]
        file.seek(self._at - (self._ends[number - 1] if number else 0))
        data = file.read(len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()
