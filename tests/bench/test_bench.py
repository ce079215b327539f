"""The bench works from end to end; what it measures is for machines that do nothing else."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers as others
from benchmarks import raw
from benchmarks.loads import Load
from benchmarks.loop import Sample, centile, closed_loop
from benchmarks.machine import machine
from benchmarks.processes import PROCESSES, Processes
from benchmarks.report import Limit, Report
from benchmarks.run import COMMITS, GREENROOM, MODES, RAW, Bench, Key, run
from benchmarks.stage import Stage, open_bench, talk_in
from benchmarks.storage import Stored
from benchmarks.world import GUEST, TALK, Say, Talked, answer, words
from greenroom.kernel.codec import Codec
from greenroom.kernel.words import Words
from tests.houses import writer_of


@pytest.fixture(scope="module")
def told() -> list[tuple[int, int, str]]:
    return []


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, told: list[tuple[int, int, str]]) -> Report:
    folder = tmp_path_factory.mktemp("bench")
    made = run((1, 4), 0.2, peers=False, folder=folder, repeats=1, turns=200, progress=lambda *what: told.append(what))
    assert not list(folder.iterdir()), "a run leaves nothing behind"
    return made


def test_a_tiny_run_fails_no_turn(report: Report) -> None:
    assert report.errors == 0
    assert all(rate.per_second for rate in report.rates)


def test_every_size_and_mode_is_measured(report: Report) -> None:
    ours = {(rate.what, rate.streams, rate.processes) for rate in report.rates if rate.who == "greenroom"}
    assert ours == {(mode, *size) for mode in ("no ask", "one ask") for size in ((1, 1), (4, 1), (4, 2))}
    assert [rate.what for rate in report.rates if rate.who.startswith("raw")] == ["no ask", "one ask"]


def test_one_stream_is_not_shared_by_two_processes(tmp_path: Path) -> None:
    alone = run((1,), 0.05, peers=False, folder=tmp_path, repeats=1, turns=100)
    assert {(rate.streams, rate.processes) for rate in alone.rates} == {(1, 1)}


def test_the_json_is_complete_and_plain(report: Report) -> None:
    plain = json.loads(json.dumps(report.as_json()))
    assert {"machine", "rates", "ratios", "loads", "stored", "limits", "rows", "errors", "ok"} <= plain.keys()
    assert {"cores", "python", "sqlite", "fsync_ms", "real_disk"} <= plain["machine"].keys()
    assert len(plain["stored"]) == 5
    assert [load["events"] for load in plain["loads"]] == [100, 201]
    assert all({"name", "measured", "limit", "kind", "ok"} <= limit.keys() for limit in plain["limits"])


def test_limits_against_absent_peers_are_not_judged(report: Report) -> None:
    unjudged = [limit for limit in report.limits if limit.ok is None]
    assert len(unjudged) == 3
    assert all("google-adk" in limit.name for limit in unjudged)


def test_the_table_shows_every_limit_and_the_errors_of_every_rate(report: Report) -> None:
    shown = report.table()
    assert all(limit.name in shown for limit in report.limits)
    assert "errors" in shown


def test_progress_counts_to_the_end(report: Report, told: list[tuple[int, int, str]]) -> None:
    assert [step for step, _, _ in told] == list(range(1, told[-1][1] + 1))


async def test_raw_writes_the_same_rows_as_the_run_it_replays(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.prepare()
    path, again = stage.fresh("talk"), stage.fresh("raw")
    await talk_in(path, 3, 0.05, 0.1, ask=True)
    score = raw.dump(path)
    raw.replay(score, lambda: again, seconds=1e-9)
    assert score.turns > 3
    assert score.tables["ledger"] == score.tables["steps"] == 1
    assert _rows(again) == _rows(path)


def _rows(path: Path) -> dict[str, Any]:
    """All rows of streams, without the numbers SQLite gives."""
    connection = sqlite3.connect(path)
    try:
        return {
            table.name: sorted(connection.execute(f"SELECT {table.named} FROM {table.name}"), key=repr)
            for table in raw._tables(connection)
        }
    finally:
        connection.close()


async def test_a_turn_has_the_size_that_the_limits_speak_of(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.prepare()
    path = stage.fresh("talk")
    await talk_in(path, 1, 0.1, 0.2, ask=False)
    connection = sqlite3.connect(path)
    (snapshot,) = connection.execute("SELECT avg(length(state)) FROM snapshots").fetchone()
    connection.close()
    event = Codec(TALK).events([Talked("guest", Words(id="s" * 22), "keeper", Words(id="s" * 22), "m" * 165, 100)])
    assert 180 <= len((words(100).text or "").encode()) <= 220
    assert 180 <= len(answer(100).encode()) <= 220
    assert 270 <= len(event) <= 330
    assert 1800 <= snapshot <= 2200


@pytest.mark.parametrize("ask", MODES)
async def test_a_turn_waits_for_as_many_commits_as_the_limits_count(tmp_path: Path, *, ask: bool) -> None:
    async with open_bench(tmp_path / "house.db", work=False) as house:
        stream = (await house.start(TALK.name)).stream
        before = writer_of(house).commits
        for i in range(3):
            await house.send(stream, Say(words(i), ask), seat=GUEST)
        assert writer_of(house).commits - before == 3 * COMMITS[MODES[ask]]


@pytest.mark.parametrize(("ours", "theirs"), [((900, 1500), (100, 80)), ((1500, 900), (80, 100))])
def test_each_side_is_judged_as_it_is_faster(
    tmp_path: Path, ours: tuple[float, float], theirs: tuple[float, float]
) -> None:
    ways = list(zip((1, PROCESSES), ours, theirs, strict=True))
    rates = {Key(GREENROOM, mode, 64, n): rate for mode in COMMITS for n, rate, _ in ways}
    rates |= {Key(others.ADK, others.APPENDS[others.ADK], 64, n): rate for n, _, rate in ways}
    rates |= {Key(RAW, mode, 64): 6000 for mode in COMMITS}
    limits = {limit.name: limit.measured for limit in _bench(tmp_path, rates).report(machine(tmp_path), 1, None).limits}
    name = "64 streams in 2 processes" if ours[1] > ours[0] else "64 streams"
    peer = "google-adk in 2" if theirs[1] > theirs[0] else "google-adk"
    for mode, commits in COMMITS.items():
        appends = "1 append" if commits == 1 else f"{commits} appends"
        assert limits[f"{name}, {mode} / {peer}, {appends} a turn"] == commits * 15
        assert limits[f"{name}, {mode} / {RAW}"] == 0.25


def _bench(folder: Path, rates: dict[Key, float]) -> Bench:
    """A bench that has measured so much; what it weighed is of no matter."""
    with closing(Processes(load_peers=False)) as processes:
        bench = Bench(Stage(folder), (64,), 1, 1, 100, None, processes)
    bench.samples = {key: [Sample(count=int(rate), seconds=1)] for key, rate in rates.items()}
    bench.loads = [Load(events=events, loads=1, p50_ms=1, p99_ms=1) for events in (100, 10_000)]
    bench.stored = [
        Stored(turns_of=of, streams=1, turns=100, payload_bytes=100, stored_bytes=100) for of in ("talk", "dice")
    ]
    return bench


async def test_a_failing_client_is_counted_and_goes_on() -> None:
    async def client(i: int) -> None:
        if i % 2:
            raise ValueError("no")

    sample = await closed_loop([client], warm=0, seconds=0.02)
    assert sample.errors > 0
    assert sample.count > 0
    assert sample.error == "ValueError: no"


def test_centiles_and_rates_of_nothing_are_nothing() -> None:
    assert centile([], 0.5) == 0
    assert centile([1.0, 2.0, 3.0], 0.5) == 2
    assert Sample().per_second == 0


@pytest.mark.parametrize(("measured", "ok"), [(3.0, True), (2.9, False), (None, None)])
def test_a_limit_judges_what_was_measured(measured: float | None, ok: bool | None) -> None:
    assert Limit(name="", measured=measured, limit=3, kind="at least").ok is ok
