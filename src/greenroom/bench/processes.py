"""The same measurement by two processes at once on one file: what a machine has with more than one core."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from greenroom.bench import loop, peers
from greenroom.bench.loop import Measure, Sample

PROCESSES = 2


class Processes:
    """Processes at rest until there is something to measure; then each does its share, and they begin together."""

    def __init__(self, *, load_peers: bool) -> None:
        context = multiprocessing.get_context("forkserver")
        enter = partial(
            _enter, context.Barrier(PROCESSES), sys.getswitchinterval(), gc.get_threshold(), load_peers=load_peers
        )
        self._pool = ProcessPoolExecutor(PROCESSES, mp_context=context, initializer=enter)

    async def measure(self, what: Measure, path: Path, streams: int, warm: float, seconds: float) -> Sample:
        """So many streams in all, as many in each process."""
        here, each = asyncio.get_running_loop(), streams // PROCESSES
        shares = [here.run_in_executor(self._pool, _share, what, path, each, warm, seconds) for _ in range(PROCESSES)]
        return _together(await asyncio.gather(*shares))

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


def _share(what: Measure, path: Path, streams: int, warm: float, seconds: float) -> Sample:
    return asyncio.run(what(path, streams, warm, seconds))


def _together(samples: Sequence[Sample]) -> Sample:
    return Sample(
        count=sum(sample.count for sample in samples),
        seconds=max(sample.seconds for sample in samples),
        errors=sum(sample.errors for sample in samples),
        error=next((sample.error for sample in samples if sample.error), ""),
        took=sorted(took for sample in samples for took in sample.took),
    )
