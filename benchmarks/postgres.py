"""The bench on PostgreSQL: Greenroom, raw multi-row INSERTs and other runtimes on one server, in the same minutes."""

from __future__ import annotations

import asyncio
import gc
import io
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import asyncpg
from rich.console import Console
from rich.table import Table

from benchmarks import rivals
from benchmarks.loop import Sample, centile
from benchmarks.machine import Machine, machine, strangers_seconds
from benchmarks.report import Limit, Rate, Ratio
from benchmarks.run import MODES, Progress
from benchmarks.stage import open_bench, talk_in
from tests.postgres.local import LocalServer

GREENROOM = "greenroom"
RAW = "raw multi-row INSERT, 64 turns a transaction"
SIZES = (1, 64)
#: What is asked of the crowd: many times a bare append of the one, and a turn against a turn of the other.
LEAST = {rivals.ADK: 10.0, rivals.LANGGRAPH_TURN: 5.0}

Key: TypeAlias = tuple[str, str, int]
Step: TypeAlias = Callable[[], Awaitable[None]]


_VERDICTS = {True: "ok", False: "BROKEN", None: "not measured"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run on PostgreSQL found."""

    machine: Machine
    #: As the server itself says: version, fsync, synchronous_commit.
    server: dict[str, str]
    seconds: float
    repeats: int
    took: float
    others_cores: float | None
    rates: tuple[Rate, ...]
    ratios: tuple[Ratio, ...]
    limits: tuple[Limit, ...]
    #: Rows a turn writes by table, as the raw runs wrote them.
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return all(limit.ok is not False for limit in self.limits)

    def as_json(self) -> dict[str, Any]:
        limits = [{**asdict(limit), "ok": limit.ok} for limit in self.limits]
        return {**asdict(self), "limits": limits, "ok": self.ok}

    def table(self) -> str:
        console = Console(file=io.StringIO(), width=120, color_system=None)
        m, told = self.machine, ", ".join(f"{name} {value}" for name, value in self.server.items())
        console.print(
            f"{m.cores} cores ({m.processor}, load {m.load:.1f}), Python {m.python}, {told}; {m.filesystem}, fsync "
            f"{m.fsync_ms:.2f} ms; {self.took:.0f} s in all; others kept {self.others_cores or 0:.2f} cores busy",
            highlight=False,
        )
        console.print(_grid("Durable turns and appends", ("who", "streams", "per second", "p50 ms", "errors"), [
            (f"{r.who}: {r.what}", r.streams, _number(r.per_second), _number(r.p50_ms, ".2f"), r.errors)
            for r in self.rates
        ]))  # fmt: skip
        console.print(_grid("Ratios", ("of", "median", "runs"), [
            (r.name, f"{r.value:.3g}", " ".join(f"{run:.3g}" for run in r.runs)) for r in self.ratios
        ]))  # fmt: skip
        console.print(_grid("Limits", ("limit", "measured", "bound", ""), [
            (x.name, _number(x.measured, ".3g"), f"{x.kind} {x.limit:g}", _VERDICTS[x.ok]) for x in self.limits
        ]))  # fmt: skip
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()


def _grid(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    grid = Table(title=title, title_justify="left")
    for i, head in enumerate(heads):
        grid.add_column(head, justify="left" if i == 0 else "right")
    for row in rows:
        grid.add_row(*map(str, row))
    return grid


def _number(value: float | None, form: str = ",.0f") -> str:
    return "–" if value is None else format(value, form)


@dataclass(slots=True)
class Bench:
    """One run in progress."""

    server: LocalServer
    sizes: tuple[int, ...]
    seconds: float
    repeats: int
    rivals: dict[str, rivals.Rival]
    samples: dict[Key, list[Sample]] = field(default_factory=dict)
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def warm(self) -> float:
        return min(1.0, self.seconds / 2)

    async def prepare(self) -> None:
        connection = await asyncpg.connect(self.server.url())
        for name in ("server_version", "fsync", "synchronous_commit"):
            self.facts[name] = str(await connection.fetchval(f"SHOW {name}"))
        await connection.close()
        async with open_bench(await self._database("house", "template0")):
            pass

    async def _database(self, name: str, template: str) -> str:
        connection = await asyncpg.connect(self.server.url())
        try:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
            await connection.execute("CHECKPOINT")  # or the next one falls into somebody's measurement
        finally:
            await connection.close()
        return self.server.url(name)

    async def _fresh(self) -> str:
        return await self._database("raw", "house")

    def plan(self) -> list[tuple[str, Step]]:
        steps: list[tuple[str, Step]] = []
        for _ in range(self.repeats):
            for size in self.sizes:
                steps += [(f"{size} streams, {MODES[ask]}", self._talk(size, ask=ask)) for ask in MODES]
                steps += [(f"{who}, {size} streams", self._rival(who, size)) for who in self.rivals]
        return steps

    def _talk(self, size: int, *, ask: bool) -> Step:
        async def step() -> None:
            url = await self._database("talk", "house")
            self._note((GREENROOM, MODES[ask], size), await talk_in(url, size, self.warm, self.seconds, ask=ask))
            if size == max(self.sizes):
                sample, self.rows[MODES[ask]] = await rivals.floor(url, self._fresh, self.seconds)
                self._note((RAW, MODES[ask], size), sample)

        return step

    def _rival(self, who: str, size: int) -> Step:
        async def step() -> None:
            url = await self._database("rival", "template0")
            self._note((who, rivals.APPENDS[who], size), await self.rivals[who](url, size, self.warm, self.seconds))

        return step

    def _note(self, key: Key, sample: Sample) -> None:
        self.samples.setdefault(key, []).append(sample)
        gc.collect()

    # what came of it

    def rates(self) -> tuple[Rate, ...]:
        missing = [who for who in rivals.APPENDS if who not in self.rivals]
        found = [_rate(key, samples) for key, samples in self.samples.items()]
        found += [
            Rate(who=who, what=rivals.APPENDS[who], streams=n, per_second=None) for who in missing for n in self.sizes
        ]
        order = {who: i for i, who in enumerate((GREENROOM, RAW, *rivals.APPENDS))}
        return tuple(sorted(found, key=lambda rate: (order[rate.who], rate.what, rate.streams)))

    def ratios(self) -> tuple[Ratio, ...]:
        crowd, found = max(self.sizes), []
        for mode in MODES.values():
            found.append(self._ratio((GREENROOM, mode, crowd), (RAW, mode, crowd)))
            for who, what in rivals.APPENDS.items():
                found += [self._ratio((GREENROOM, mode, size), (who, what, size)) for size in self.sizes]
        return tuple(ratio for ratio in found if ratio is not None)

    def _ratio(self, over: Key, under: Key) -> Ratio | None:
        pairs = zip(self.samples.get(over, ()), self.samples.get(under, ()), strict=False)
        runs = tuple(a.per_second / b.per_second for a, b in pairs if b.per_second)
        if not runs:
            return None
        return Ratio(name=f"{over[2]} streams, {over[1]} / {under[0]}", value=statistics.median(runs), runs=runs)

    def limits(self) -> tuple[Limit, ...]:
        crowd, mode = max(self.sizes), MODES[False]
        found = [
            self._limit((GREENROOM, mode, crowd), (who, rivals.APPENDS[who], crowd), least)
            for who, least in LEAST.items()
        ]
        errors = sum(s.errors for (who, *_), samples in self.samples.items() if who == GREENROOM for s in samples)
        synced = self.facts.get("fsync") == self.facts.get("synchronous_commit") == "on"
        found.append(Limit(name="turns of greenroom that failed", measured=errors, limit=0, kind="at most"))
        return (*found, Limit(name="fsync and synchronous_commit on", measured=float(synced), limit=1, kind="at least"))

    def _limit(self, over: Key, under: Key, least: float) -> Limit:
        ratio = self._ratio(over, under)
        name = f"{over[2]} streams, {over[1]} / {under[0]}"
        return Limit(name=name, measured=None if ratio is None else ratio.value, limit=least, kind="at least")


def _rate(key: Key, samples: Sequence[Sample]) -> Rate:
    who, what, streams = key
    timed = [sample.took for sample in samples if sample.took]
    return Rate(
        who=who,
        what=what,
        streams=streams,
        per_second=statistics.median(sample.per_second for sample in samples),
        runs=tuple(sample.per_second for sample in samples),
        errors=sum(sample.errors for sample in samples),
        error=next((sample.error for sample in samples if sample.error), ""),
        p50_ms=statistics.median(centile(took, 0.5) for took in timed) if timed else None,
        p99_ms=statistics.median(centile(took, 0.99) for took in timed) if timed else None,
    )


def run(
    sizes: Sequence[int] = SIZES,
    seconds: float = 3.0,
    *,
    peers: bool = True,
    progress: Progress | None = None,
    repeats: int = 3,
) -> Report:
    """Measure everything on a server of its own, with every commit on the disk; leaves nothing behind.

    Raises:
        BackendError: there is no PostgreSQL here (a package of the group dev).
    """
    begun, strangers = time.perf_counter(), strangers_seconds()
    server = LocalServer({"shared_buffers": "256MB", "max_wal_size": "4GB"})
    try:
        on = machine(server.folder)
        bench = Bench(server, tuple(sizes), seconds, repeats, rivals.load() if peers else {})
        asyncio.run(_measure(bench, progress))
    finally:
        server.close()
    took, later = time.perf_counter() - begun, strangers_seconds()
    return Report(
        machine=on,
        server=bench.facts,
        seconds=seconds,
        repeats=repeats,
        took=took,
        # The server is a stranger to this process; its share is part of the number.
        others_cores=None if strangers is None or later is None else max(later - strangers, 0.0) / took,
        rates=bench.rates(),
        ratios=bench.ratios(),
        limits=bench.limits(),
        rows=bench.rows,
        peers=rivals.versions() if peers else {},
    )


async def _measure(bench: Bench, progress: Progress | None) -> None:
    await bench.prepare()
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
