"""The same measurement by two processes at once on one file: what a machine has with more than one core."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks import loop, peers
from benchmarks.loop import Measure, Sample

PROCESSES = 2


class _Share(NamedTuple):
    """What one process measured, and the processor time that it has used since it began."""

    sample: Sample
    process: int
    used: float


class Processes:
    """Processes at rest until there is something to measure; then each does its share, and they begin together."""

    def __init__(self, *, load_peers: bool) -> None:
        context = multiprocessing.get_context("forkserver")
        enter = partial(
            _enter, context.Barrier(PROCESSES), sys.getswitchinterval(), gc.get_threshold(), load_peers=load_peers
        )
        self._pool = ProcessPoolExecutor(PROCESSES, mp_context=context, initializer=enter)
        self._used: dict[int, float] = {}

    @property
    def seconds(self) -> float:
        """Processor time that they have used."""
        return sum(self._used.values())

    async def measure(self, what: Measure, path: Path, streams: int, warm: float, seconds: float) -> Sample:
        """So many streams in all, as many in each process."""
        here, each = asyncio.get_running_loop(), streams // PROCESSES
        shares = [here.run_in_executor(self._pool, _share, what, path, each, warm, seconds) for _ in range(PROCESSES)]
        done = await asyncio.gather(*shares)
        self._used.update({share.process: share.used for share in done})
        return _together([share.sample for share in done])

    def close(self) -> None:
        self._pool.shutdown()


def _enter(gate: threading.Barrier, handover: float, cycles: tuple[int, int, int], *, load_peers: bool) -> None:
    """Wait at this gate; and be as the program is that measures."""
    loop.gate = gate
    sys.setswitchinterval(handover)
    gc.set_threshold(*cycles)
    if load_peers:
        peers.load()
    gc.collect()
    gc.freeze()


def _share(what: Measure, path: Path, streams: int, warm: float, seconds: float) -> _Share:
    sample = asyncio.run(what(path, streams, warm, seconds))
    return _Share(sample, os.getpid(), time.process_time())


def _together(samples: Sequence[Sample]) -> Sample:
    return Sample(
        count=sum(sample.count for sample in samples),
        seconds=max(sample.seconds for sample in samples),
        errors=sum(sample.errors for sample in samples),
        error=next((sample.error for sample in samples if sample.error), ""),
        took=sorted(took for sample in samples for took in sample.took),
    )
