"""What a run of the bench found: numbers, ratios, and the limits they are held to."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

from benchmarks.loads import Load
from benchmarks.machine import Machine
from benchmarks.storage import Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Durable turns, or a peer's appends, per second: the median of its runs."""

    who: str
    #: no ask, one ask, or what a peer does.
    what: str
    streams: int
    #: That share the streams, on one file.
    processes: int = 1
    #: None when it is not installed.
    per_second: float | None
    runs: tuple[float, ...] = ()
    errors: int = 0
    #: The first error, so that a number beside it explains itself.
    error: str = ""
    p50_ms: float | None = None
    p99_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """One rate over another of the same minute: the median of its runs."""

    name: str
    value: float
    runs: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    name: str
    #: None when what it is held against was not measured.
    measured: float | None
    limit: float
    kind: Literal["at least", "at most"]

    @property
    def ok(self) -> bool | None:
        if self.measured is None:
            return None
        return self.measured >= self.limit if self.kind == "at least" else self.measured <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    machine: Machine
    #: Seconds of each measurement, of the whole run, and how often the ratios were measured.
    seconds: float
    took: float
    repeats: int
    #: Cores that other programs kept busy meanwhile: much above 0, and the numbers are not to be trusted.
    others_cores: float | None
    rates: tuple[Rate, ...]
    ratios: tuple[Ratio, ...]
    loads: tuple[Load, ...]
    stored: tuple[Stored, ...]
    limits: tuple[Limit, ...]
    #: Rows a turn writes by table, as the raw runs wrote them.
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    #: Versions of the peers that were measured.
    peers: dict[str, str] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """Turns of greenroom that failed."""
        return sum(rate.errors for rate in self.rates if rate.who == "greenroom")

    @property
    def ok(self) -> bool:
        """Whether no limit that could be measured is broken."""
        return all(limit.ok is not False for limit in self.limits)

    def as_json(self) -> dict[str, Any]:
        """Every number, as plain data."""
        plain: dict[str, Any] = asdict(self)
        plain["stored"] = [{**asdict(s), "per_byte": s.per_byte, "over_per_turn": s.over_per_turn} for s in self.stored]
        plain["limits"] = [{**asdict(limit), "ok": limit.ok} for limit in self.limits]
        return {**plain, "errors": self.errors, "ok": self.ok}

    def table(self) -> str:
        """The same for people."""
        console = Console(file=io.StringIO(), width=120, color_system=None)
        console.print(_facts(self), highlight=False)
        for part in (_rates(self), _ratios(self), _loads(self), _stored(self), _limits(self)):
            console.print(part)
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()


def _facts(report: Report) -> str:
    m = report.machine
    warning = "" if m.real_disk else "  NO REAL DISK: a sync costs nothing here"
    return (
        f"{m.cores} cores ({m.processor}, load {m.load:.1f}), Python {m.python}, SQLite {m.sqlite}, {m.filesystem} "
        f"at {m.folder}, fsync {m.fsync_ms:.2f} ms{warning}\n"
        f"{report.seconds:g} s a measurement, ratios {report.repeats} times; {report.took:.0f} s in all; "
        f"other programs kept {_number(report.others_cores, '.2f')} cores busy"
    )


def _grid(title: str, *columns: str, rows: Iterable[tuple[str, ...]]) -> Table:
    grid = Table(title=title, title_justify="left")
    for i, column in enumerate(columns):
        grid.add_column(column, justify="left" if i == 0 else "right")
    for row in rows:
        grid.add_row(*row)
    return grid


def _number(value: float | None, form: str = ",.0f") -> str:
    return "–" if value is None else format(value, form)


def _rates(report: Report) -> Table:
    def row(rate: Rate) -> tuple[str, ...]:
        shown = "not installed" if rate.per_second is None else _number(rate.per_second)
        spread = f"{min(rate.runs):,.0f}–{max(rate.runs):,.0f}" if len(rate.runs) > 1 else ""
        times = _number(rate.p50_ms, ".2f"), _number(rate.p99_ms, ".2f")
        streams = str(rate.streams) if rate.processes == 1 else f"{rate.processes} × {rate.streams // rate.processes}"
        return f"{rate.who}: {rate.what}", streams, shown, spread, *times, str(rate.errors)

    heads = ("streams", "per second", "runs", "p50 ms", "p99 ms", "errors")
    return _grid("Durable turns and appends", "who", *heads, rows=map(row, report.rates))


def _ratios(report: Report) -> Table:
    def row(ratio: Ratio) -> tuple[str, ...]:
        return ratio.name, f"{ratio.value:.3g}", " ".join(f"{run:.3g}" for run in ratio.runs)

    return _grid("Ratios", "of", "median", "runs", rows=map(row, report.ratios))


def _loads(report: Report) -> Table:
    def row(load: Load) -> tuple[str, ...]:
        return f"{load.events:,} events", f"{load.loads:,}", f"{load.p50_ms:.3f}", f"{load.p99_ms:.3f}"

    return _grid("Load of any version", "stream of", "loads", "p50 ms", "p99 ms", rows=map(row, report.loads))


def _stored(report: Report) -> Table:
    def row(stored: Stored) -> tuple[str, ...]:
        payload = stored.payload_bytes / stored.turns
        return (
            f"{stored.turns:,} turns of {stored.turns_of} in {stored.streams}",
            f"{payload:.0f}",
            f"{stored.stored_bytes / stored.turns:.0f}",
            f"{stored.per_byte:.2f}",
            f"{stored.over_per_turn:.0f}",
        )

    heads = ("payload B/turn", "stored B/turn", "stored/payload", "over B/turn")
    return _grid("Storage", "what", *heads, rows=map(row, report.stored))


def _limits(report: Report) -> Table:
    signs = {"at least": "≥", "at most": "≤"}
    verdicts = {True: "ok", False: "BROKEN", None: "not measured"}

    def row(limit: Limit) -> tuple[str, ...]:
        bound = f"{signs[limit.kind]} {limit.limit:g}"
        return limit.name, _number(limit.measured, ".3g"), bound, verdicts[limit.ok]

    return _grid("Limits", "limit", "measured", "bound", "", rows=map(row, report.limits))
