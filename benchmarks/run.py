"""A whole run of the bench: everything that is compared is measured in turns, in the same minutes."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from benchmarks import peers as others
from benchmarks import raw
from benchmarks.loads import Load, load_any
from benchmarks.loop import Measure, Sample, centile
from benchmarks.machine import Machine, machine, strangers_seconds
from benchmarks.processes import PROCESSES, Processes
from benchmarks.report import Limit, Rate, Ratio, Report
from benchmarks.stage import Stage, talk_in
from benchmarks.storage import Stored, weigh

#: Told before each measurement: its number, how many there are, and what it is.
Progress: TypeAlias = Callable[[int, int, str], None]

SIZES = (1, 16, 64, 256)
CROWD = 64
SPREAD = 100

GREENROOM = "greenroom"
RAW = f"raw sqlite3, {raw.TURNS_A_TRANSACTION} turns a transaction"
MODES = {False: "no ask", True: "one ask"}
#: Commits that a turn waits for: all at once, or first what was said, before a model is asked, then what came of it.
COMMITS = {MODES[False]: 1, MODES[True]: 2}
PEERS = others.APPENDS


class Key(NamedTuple):
    """What was measured, and with how many at once."""

    who: str
    what: str
    streams: int
    processes: int = 1


@dataclass(slots=True)
class Bench:
    """One run in progress."""

    stage: Stage
    sizes: tuple[int, ...]
    seconds: float
    repeats: int
    turns: int
    #: None when peers were not wanted.
    peers: dict[str, Measure] | None
    processes: Processes
    samples: dict[Key, list[Sample]] = field(default_factory=dict)
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    stored: list[Stored] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)

    @property
    def warm(self) -> float:
        return min(0.5, self.seconds / 2)

    @property
    def crowd(self) -> int:
        """The size that is compared with the others."""
        return CROWD if CROWD in self.sizes else max(self.sizes)

    @property
    def compared(self) -> tuple[int, ...]:
        return tuple(sorted({min(self.sizes), self.crowd}))

    def plan(self) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
        """Everything to be measured, in order."""
        steps: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        for repeat in range(self.repeats):
            for size in self.sizes:
                if repeat == 0 or size in self.compared:
                    steps += [(f"{_streams(size)}, {MODES[ask]}", self._talk(size, ask=ask)) for ask in MODES]
                if size in self.compared:
                    steps += [(f"{who}, {_streams(size)}", self._peer(who, size)) for who in self.peers or {}]
            if self.crowd >= PROCESSES:
                steps += self._in_processes()
        for what, streams in (("talk", 1), ("talk", SPREAD), ("asking", SPREAD), ("dice", 1), ("dice", SPREAD)):
            steps.append((f"storage, {self.turns} turns of {what} in {streams}", self._weigh(what, streams)))
        return [*steps, ("load of any version", self._load)]

    def _talk(self, size: int, *, ask: bool) -> Callable[[], Awaitable[None]]:
        async def step() -> None:
            path = self.stage.fresh("talk")
            sample = await talk_in(path, size, self.warm, self.seconds, ask=ask)
            self._note(Key(GREENROOM, MODES[ask], size), sample)
            if size == self.crowd:
                self._raw(path, ask=ask)
            self.stage.strike(path)

        return step

    def _raw(self, path: Path, *, ask: bool) -> None:
        """Right after the run whose rows it writes."""
        score = raw.dump(path)
        self.rows[MODES[ask]] = {table: rows for table, rows in score.tables.items() if rows}
        gc.collect()
        sample = raw.replay(score, lambda: self.stage.fresh("raw"), seconds=self.seconds)
        self._note(Key(RAW, MODES[ask], self.crowd), sample)

    def _peer(self, who: str, size: int) -> Callable[[], Awaitable[None]]:
        async def step() -> None:
            assert self.peers is not None
            path = self.stage.folder / "peer.sqlite"
            self._note(Key(who, PEERS[who], size), await self.peers[who](path, size, self.warm, self.seconds))
            self.stage.strike(path)

        return step

    def _in_processes(self) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
        """The crowd once more, shared among processes: ours in both modes, and whoever it is compared with."""
        who: list[tuple[Key, Measure]] = [
            (Key(GREENROOM, mode, self.crowd, PROCESSES), partial(talk_in, ask=ask)) for ask, mode in MODES.items()
        ]
        who += [(Key(peer, PEERS[peer], self.crowd, PROCESSES), how) for peer, how in (self.peers or {}).items()]
        return [(f"{key.who}, {_streams(key.streams, key.processes)}", self._share(key, how)) for key, how in who]

    def _share(self, key: Key, how: Measure) -> Callable[[], Awaitable[None]]:
        async def step() -> None:
            path = self.stage.fresh("talk")
            if key.who != GREENROOM:
                path = self.stage.folder / "peer.sqlite"
                await how(path, 1, 0, 0.01)  # by one alone: two that make the same tables at once lock each other out
            self._note(key, await self.processes.measure(how, path, key.streams, self.warm, self.seconds))
            self.stage.strike(path)

        return step

    def _weigh(self, what: str, streams: int) -> Callable[[], Awaitable[None]]:
        async def step() -> None:
            path = self.stage.fresh(f"{what}-{streams}")
            self.stored.append(await weigh(self.stage, path, what, streams=streams, turns=self.turns))

        return step

    async def _load(self) -> None:
        self.loads.extend(await load_any(self.stage.folder / "talk-1.db", seconds=self.seconds))

    def _note(self, key: Key, sample: Sample) -> None:
        self.samples.setdefault(key, []).append(sample)
        gc.collect()

    # what came of it

    def report(self, on: Machine, took: float, others_cores: float | None) -> Report:
        return Report(
            machine=on,
            seconds=self.seconds,
            took=took,
            others_cores=others_cores,
            repeats=self.repeats,
            rates=tuple(self._rates()),
            ratios=tuple(self._ratios()),
            loads=tuple(self.loads),
            stored=tuple(self.stored),
            limits=tuple(self._limits(on)),
            rows=self.rows,
            peers=others.versions() if self.peers else {},
        )

    def _rates(self) -> list[Rate]:
        found = [_rate(key, samples) for key, samples in self.samples.items()]
        missing = [] if self.peers is None else [who for who in PEERS if who not in self.peers]
        found += [Rate(who=who, what=PEERS[who], streams=s, per_second=None) for who in missing for s in self.compared]
        order = {who: i for i, who in enumerate((GREENROOM, RAW, *PEERS))}
        return sorted(found, key=lambda rate: (order[rate.who], rate.what, rate.processes, rate.streams))

    def _ratios(self) -> list[Ratio]:
        crowds = [(self.crowd, 1), (self.crowd, PROCESSES)]
        pairs = [
            (Key(GREENROOM, mode, *size), Key(RAW, mode, self.crowd)) for size in crowds for mode in MODES.values()
        ]
        sizes = [*((size, 1) for size in self.compared), (self.crowd, PROCESSES)]
        for who, what in PEERS.items():
            pairs += [(Key(GREENROOM, mode, *size), Key(who, what, *size)) for size in sizes for mode in MODES.values()]
        return [ratio for over, under in pairs if (ratio := self._ratio(over, under)) is not None]

    def _ratio(self, over: Key, under: Key) -> Ratio | None:
        pairs = zip(self.samples.get(over, ()), self.samples.get(under, ()), strict=False)
        runs = tuple(a.per_second / b.per_second for a, b in pairs if b.per_second)
        if not runs:
            return None
        name = f"{_streams(over.streams, over.processes)}, {over.what} / {under.who}"
        return Ratio(name=name, value=statistics.median(runs), runs=runs)

    def _better(self, who: str, what: str, size: int) -> Key:
        """So many streams in one process or shared by several, whichever is faster: as their owner would choose."""
        ways = [key for n in (1, PROCESSES) if (key := Key(who, what, size, n)) in self.samples]
        return max(ways, key=lambda key: _middle(self.samples[key]), default=Key(who, what, size))

    def _limits(self, on: Machine) -> list[Limit]:
        limits = []
        one, crowd = min(self.sizes), self.crowd
        for mode in MODES.values():
            limits.append(self._turns(mode, crowd, 12))
            ours = self._better(GREENROOM, mode, crowd)
            raw_ratio = self._ratio(ours, Key(RAW, mode, crowd))
            limits.append(_least(f"{_streams(crowd, ours.processes)}, {mode} / {RAW}", raw_ratio, 0.20))
        limits.append(self._turns(MODES[False], one, 3))
        errors = sum(s.errors for key, samples in self.samples.items() if key.who == GREENROOM for s in samples)
        short, long = self.loads
        big = [s.per_byte for s in self.stored if s.turns_of == "talk"]
        small = [s.over_per_turn for s in self.stored if s.turns_of == "dice"]
        return [
            *limits,
            _most("turns of greenroom that failed", errors, 0),
            _most(f"load p50, {long.events:,} events / {short.events:,}", long.p50_ms / short.p50_ms, 2),
            _most("stored / payload, turns of 500 B and more", max(big), 3),
            _most("bytes over payload a turn, small turns", max(small), 350),
            _least("measured on a real disk", float(on.real_disk), 1),
        ]

    def _turns(self, mode: str, size: int, least: float) -> Limit:
        """Turns against as many appends as they wait for commits; the ratios above are to single appends."""
        ours, theirs = self._better(GREENROOM, mode, size), self._better(others.ADK, PEERS[others.ADK], size)
        plain, count = self._ratio(ours, theirs), COMMITS[mode]
        appends = f"{count} append{'s' * (count > 1)} a turn"
        name = f"{_streams(size, ours.processes)}, {mode} / {_shared(others.ADK, theirs)}, {appends}"
        return _least(name, plain and plain.value * count, least)


def _streams(size: int, processes: int = 1) -> str:
    streams = "1 stream" if size == 1 else f"{size} streams"
    return streams if processes == 1 else f"{streams} in {processes} processes"


def _shared(who: str, key: Key) -> str:
    return who if key.processes == 1 else f"{who} in {key.processes}"


def _middle(samples: Sequence[Sample]) -> float:
    return statistics.median(sample.per_second for sample in samples)


def _rate(key: Key, samples: Sequence[Sample]) -> Rate:
    runs = tuple(sample.per_second for sample in samples)
    timed = [sample.took for sample in samples if sample.took]
    return Rate(
        who=key.who,
        what=key.what,
        streams=key.streams,
        processes=key.processes,
        per_second=_middle(samples),
        runs=runs,
        errors=sum(sample.errors for sample in samples),
        error=next((sample.error for sample in samples if sample.error), ""),
        p50_ms=statistics.median(centile(took, 0.5) for took in timed) if timed else None,
        p99_ms=statistics.median(centile(took, 0.99) for took in timed) if timed else None,
    )


def _least(name: str, measured: Ratio | float | None, limit: float) -> Limit:
    value = measured.value if isinstance(measured, Ratio) else measured
    return Limit(name=name, measured=value, limit=limit, kind="at least")


def _most(name: str, measured: float, limit: float) -> Limit:
    return Limit(name=name, measured=measured, limit=limit, kind="at most")


def run(
    sizes: Sequence[int] = SIZES,
    seconds: float = 1.5,
    *,
    peers: bool = True,
    progress: Progress | None = None,
    folder: Path | None = None,
    repeats: int = 5,
    turns: int = 10_000,
) -> Report:
    """Measure everything and say what came of it. Takes some minutes; leaves nothing behind.

    Args:
        sizes: numbers of streams at once; the smallest and 64 (or the largest) are compared with others.
        seconds: of each measurement, after its warm-up.
        peers: whether other runtimes are measured too; those not installed are shown as such.
        folder: where the files are written for the time of the run, the current folder if none is given. It
            must be on a real disk, or the numbers mean nothing and the report says so.
        repeats: how often what goes into ratios is measured.
        turns: length of the histories that are weighed and loaded; at least 100.
    """
    begun, strangers = time.perf_counter(), strangers_seconds()
    with tempfile.TemporaryDirectory(prefix=".greenroom-bench-", dir=folder or Path.cwd()) as place:
        stage = Stage(Path(place))
        on = machine(stage.folder)
        with closing(Processes(load_peers=peers)) as processes:
            found = others.load() if peers else None
            bench = Bench(stage, tuple(sizes), seconds, repeats, turns, found, processes)
            asyncio.run(_measure(bench, progress))
    took, later = time.perf_counter() - begun, strangers_seconds()
    theirs = None if strangers is None or later is None else later - strangers - processes.seconds
    others_cores = None if theirs is None else max(theirs, 0.0) / took
    return bench.report(on, took, others_cores)


async def _measure(bench: Bench, progress: Progress | None) -> None:
    await bench.stage.prepare()
    # Peers bring a million objects that a house without them would not walk through at every collection.
    gc.collect()
    gc.freeze()
    try:
        plan = bench.plan()
        for i, (what, step) in enumerate(plan):
            if progress is not None:
                progress(i + 1, len(plan), what)
            await step()
    finally:
        gc.unfreeze()


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m benchmarks``: the same run without the rest of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    report = run(
        chosen.sizes,
        chosen.seconds,
        peers=not chosen.no_peers,
        progress=lambda i, n, what: print(f"bench: {i}/{n} {what}", file=sys.stderr),
        folder=chosen.folder,
        repeats=chosen.repeats,
        turns=chosen.turns,
    )
    print(json.dumps(report.as_json(), indent=1, ensure_ascii=False) if chosen.json else report.table())
    return 0 if report.ok else 1
