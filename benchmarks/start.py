"""How long ``greenroom up`` takes until it serves, and how much memory it has when nothing goes on.

Each run is a process of its own on a house of its own. A new house is made by the first; the others find it. Time of
the processor is measured beside time of the clock: on a machine that others use too, only the first says much.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

#: Seconds after which nothing is made ready any more.
IDLE_SECONDS = 5.0
#: What it should keep to.
MOST_SECONDS = 3.0
MOST_MEGABYTES = 400.0
#: What version 0.1.0 took on two cores, when everything was loaded at the start: seconds from the best to the worst
#: start, and memory at rest.
BEFORE_SECONDS = (6.5, 9.4)
BEFORE_MEGABYTES = 1170.0


@dataclass(frozen=True, slots=True)
class Start:
    """One start of the program."""

    house: str
    #: Until something is printed, and until it serves.
    printed_seconds: float
    ready_seconds: float
    #: Time of the processor until it serves.
    cpu_seconds: float
    #: The first page after that.
    page_seconds: float
    #: Memory of its own when it has been idle for a while.
    idle_megabytes: float


@dataclass(frozen=True, slots=True)
class Report:
    """All starts, the one that made the house first."""

    starts: tuple[Start, ...]

    @property
    def ok(self) -> bool:
        """Whether the best start of each kind, and every process at rest, keep to their bounds."""
        best = [min(s.ready_seconds for s in self.starts if s.house == kind) for kind in {s.house for s in self.starts}]
        return max(best) <= MOST_SECONDS and max(s.idle_megabytes for s in self.starts) <= MOST_MEGABYTES

    def as_json(self) -> dict[str, Any]:
        bounds = {"ready_seconds": MOST_SECONDS, "idle_megabytes": MOST_MEGABYTES}
        starts = [asdict(start) for start in self.starts]
        before = {"ready_seconds": BEFORE_SECONDS, "idle_megabytes": BEFORE_MEGABYTES}
        return {"starts": starts, "before": before, "bounds": bounds, "ok": self.ok}

    def table(self) -> Table:
        """For people."""
        table = Table("house", "printed s", "ready s", "processor s", "first page s", "idle MB", title="greenroom up")
        for one in self.starts:
            numbers = (one.printed_seconds, one.ready_seconds, one.cpu_seconds, one.page_seconds)
            table.add_row(one.house, *(f"{number:.2f}" for number in numbers), f"{one.idle_megabytes:.0f}")
        table.add_row("in 0.1.0", "", "–".join(map(str, BEFORE_SECONDS)), "", "", f"{BEFORE_MEGABYTES:.0f}")
        return table


def run(*, repeats: int, idle: float = IDLE_SECONDS) -> Report:
    """Start the program once on a new house and so many times on the same again."""
    with tempfile.TemporaryDirectory(prefix="greenroom-start-") as folder:
        return Report(tuple(_start(Path(folder), "new" if i == 0 else "found", idle) for i in range(1 + repeats)))


def _start(folder: Path, kind: str, idle: float) -> Start:
    args = [sys.executable, "-m", "greenroom.entrypoints.cli", "up", "--port", "0", "--home", str(folder / "house")]
    began = time.perf_counter()
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as house:
        try:
            assert house.stdout is not None
            house.stdout.readline()
            printed = time.perf_counter() - began
            address = house.stdout.readline().rpartition(" ")[2].strip()
            ready = time.perf_counter() - began
            cpu = _cpu(house.pid)
            asked = time.perf_counter()
            with urllib.request.urlopen(f"{address}/", timeout=30) as page:
                page.read()
            first = time.perf_counter() - asked
            time.sleep(idle)
            return Start(kind, printed, ready, cpu, first, _megabytes(house.pid))
        finally:
            house.terminate()
            house.wait(30)


def _cpu(pid: int) -> float:
    told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    (own,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(own.split()[1]) / 1000
