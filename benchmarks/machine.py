"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

_NO_DISK = ("tmpfs", "ramfs", "devtmpfs")
_SYNCS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    cores: int
    processor: str
    system: str
    python: str
    sqlite: str
    folder: str
    filesystem: str
    #: Whether a sync there reaches a disk.
    real_disk: bool
    #: Median of writing 4 KB and waiting for it.
    fsync_ms: float
    #: Of the last minute, when the run began: other work makes numbers smaller.
    load: float


def machine(folder: Path) -> Machine:
    filesystem = _filesystem(folder)
    return Machine(
        cores=os.cpu_count() or 1,
        processor=platform.machine(),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        folder=str(folder),
        filesystem=filesystem,
        real_disk=filesystem not in _NO_DISK,
        fsync_ms=_fsync_ms(folder),
        load=os.getloadavg()[0],
    )


def strangers_seconds() -> float | None:
    """Processor time that other programs have used since the machine started; None where it is not told."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return None
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, stat.read_text().split(maxsplit=9)[1:9])
    own = os.times()
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return busy - own.user - own.system


def _filesystem(folder: Path) -> str:
    """The type of the file system, by its longest mount point; unknown where the system does not say."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    best = ("", "unknown")
    for line in mounts.read_text().splitlines():
        _, point, kind, *_ = line.split()
        if len(point) >= len(best[0]) and folder.resolve().is_relative_to(point):
            best = (point, kind)
    return best[1]


def _fsync_ms(folder: Path) -> float:
    took = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_SYNCS):
            file.write(b"\x00" * 4096)
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took)
