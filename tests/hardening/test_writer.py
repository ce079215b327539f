"""A writer in trouble: it tells everybody who waits, hangs nobody, and goes on when the trouble is over."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.adapters.sqlite import connection, filling, writer
from greenroom.adapters.sqlite.backup import back_up
from greenroom.adapters.sqlite.file import file_lock
from greenroom.kernel.errors import BackendError, CorruptHistory, DiskFull, GreenroomError, Locked, ReadOnly
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.services.turns import engine
from greenroom.services.worker import Worker
from tests.hardening.conftest import Heard, assert_sound, dump, furnish, opened
from tests.hardening.world import Add, Ask, Say
from tests.houses import writer_of

STREAMS = 16


@asynccontextmanager
async def dens(path: Path, **more: Any) -> AsyncIterator[House]:
    async with opened(path, **more) as house:
        await asyncio.gather(*(house.start("den", {}, name=f"den-{i}", owner="ada", seed=i) for i in range(STREAMS)))
        yield house


async def everybody_adds(house: House, key: str, by: int = 1) -> list[Any]:
    """One command for each den at once; replies, or what went wrong."""
    sends = (house.send(f"den-{i}", Add(by), seat="guest", key=key) for i in range(STREAMS))
    async with asyncio.timeout(15):
        return await asyncio.gather(*sends, return_exceptions=True)


def totals(told: list[Any]) -> set[int]:
    assert not [error for error in told if isinstance(error, BaseException)]
    return {reply.body["total"] for reply in told}


# a database that another program holds


@contextmanager
def held(path: Path, *, how: str = "EXCLUSIVE") -> Iterator[None]:
    """Another program, which knows nothing of our lock file, is in the middle of writing."""
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute(f"BEGIN {how}")
        yield
    finally:
        other.close()


async def test_a_database_that_another_program_holds_is_locked_and_then_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MILLISECONDS", 200)
    async with dens(path) as house:
        before = dump(path)
        with held(path):
            told = await everybody_adds(house, "k")
            assert {type(error) for error in told} == {Locked}
            assert str(told[0]) == f"{path}: another program holds the database; close it or wait, then try again"
            assert told[0].exit_code == 5
            assert (await house.view("den-1", seat="guest")).version == 1, "readers are not in the way of a writer"
        assert dump(path) == before
        assert totals(await everybody_adds(house, "k")) == {1}
        await assert_sound(house)


async def test_who_waits_a_moment_for_another_program_never_hears_of_it_and_the_loop_is_free_meanwhile(
    path: Path,
) -> None:
    async with dens(path) as house:
        with held(path):
            sending = asyncio.create_task(everybody_adds(house, "k"))
            gaps, last = [], time.perf_counter()
            for _ in range(30):
                await asyncio.sleep(0.01)
                gaps.append(time.perf_counter() - last)
                last = time.perf_counter()
            assert not sending.done()
        assert max(gaps) < 1, "nobody else is held up while the writer waits"
        assert totals(await sending) == {1}


async def test_two_houses_that_wait_for_another_program_do_not_wait_for_each_other(path: Path) -> None:
    async with dens(path) as first, opened(path) as second, asyncio.timeout(10):
        with held(path):
            sending = [asyncio.create_task(everybody_adds(house, "k")) for house in (first, second, first, second)]
            await asyncio.sleep(0.3)
        for told in await asyncio.gather(*sending):
            assert totals(told) == {1}
        await assert_sound(second)


async def test_whoever_waits_for_another_program_lets_the_next_process_have_the_lock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process joins the queue just when the writer finds the database held by a stranger."""
    async with dens(path) as house, opened(path) as second, asyncio.timeout(10):
        other, came = writer_of(second), threading.Event()

        def comes() -> None:
            came.set()
            other._take_lock(wait=True)
            other._release_lock()

        thread = threading.Thread(target=comes, daemon=True)

        def finds_it_held(_: Any) -> bool:
            thread.start()
            came.wait()
            time.sleep(0.05)
            return False

        with monkeypatch.context() as patch:
            patch.setattr(writer.SqliteWriter, "_begin", finds_it_held)
            reply = await house.send("den-1", Add(1), seat="guest")
        assert reply.body["total"] == 1
        await asyncio.to_thread(thread.join, 5)
        assert not thread.is_alive()


async def test_a_house_is_not_opened_while_another_program_holds_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(path) as house:
        await furnish(house)
    monkeypatch.setattr(connection, "BUSY_MILLISECONDS", 100)
    alone = sqlite3.connect(path, isolation_level=None)
    alone.execute("PRAGMA locking_mode = EXCLUSIVE")
    alone.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Locked, match=f"^{path}: another program holds the database"):
        async with opened(path):
            pass
    alone.close()
    async with opened(path) as house:
        assert (await house.send("den", Add(4), seat="guest")).body["total"] == 10
        await assert_sound(house)


# full and read-only, as the connection sees them


async def test_a_full_file_refuses_the_turns_that_do_not_fit_and_goes_on_when_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LEASE_SECONDS", 0.5)
    async with dens(path) as house:
        pen = writer_of(house)._connection
        (pages,) = pen.execute("PRAGMA page_count").fetchone()
        pen.execute(f"PRAGMA max_page_count = {pages + 12}")
        said: dict[tuple[int, int], Any] = {}
        for round_ in range(4):
            texts = [f"{round_} {i} " + "x" * 3000 for i in range(STREAMS)]
            sends = (
                house.send(f"den-{i}", (Say, Ask)[i % 2](Words(text)), seat="guest", key=f"k{round_}")
                for i, text in enumerate(texts)
            )
            async with asyncio.timeout(15):
                for i, told in enumerate(await asyncio.gather(*sends, return_exceptions=True)):
                    said[round_, i] = told
        refused = {at: told for at, told in said.items() if isinstance(told, BaseException)}
        assert {type(error) for error in refused.values()} == {DiskFull}
        sentence = f"{path}: the disk is full; free some space and try again – nothing acknowledged was lost"
        assert {str(error) for error in refused.values()} == {sentence}
        await _acknowledged_is_there(house, said)
        pen.execute("PRAGMA max_page_count = 1000000")
        async with asyncio.timeout(10):
            for round_, i in refused:
                text = f"{round_} {i} " + "x" * 3000
                command = (Say, Ask)[i % 2](Words(text))
                said[round_, i] = await house.send(f"den-{i}", command, seat="guest", key=f"k{round_}")
        await _acknowledged_is_there(house, said)
        assert (await house.backend.streams.get("den-0")).version == 5
        await assert_sound(house)


async def _acknowledged_is_there(house: House, said: dict[tuple[int, int], Any]) -> None:
    for (round_, i), told in said.items():
        if isinstance(told, BaseException):
            continue
        stored = {a.key: a for a in await house.backend.streams.attempts(f"den-{i}")}
        assert stored[f"k{round_}"].status == "settled"
        assert told.body["said"][0].startswith(f"{round_} {i} ")


async def test_a_file_that_became_read_only_refuses_to_write_and_can_be_read(path: Path) -> None:
    async with dens(path) as house:
        before = dump(path)
        writer_of(house)._connection.execute("PRAGMA query_only = ON")
        told = await everybody_adds(house, "k")
        assert {type(error) for error in told} == {ReadOnly}
        assert str(told[0]) == (
            f"{path}: the database may not be written; check the permissions of the file and its folder"
        )
        assert (await house.view("den-1", seat="guest")).version == 1
        assert dump(path) == before
        writer_of(house)._connection.execute("PRAGMA query_only = OFF")
        assert totals(await everybody_adds(house, "k")) == {1}
        await assert_sound(house)


# a writer whose own code dies


class Death(Exception):
    """Something nobody thought of; its text may hold anything."""


def _dies(*_: Any, **__: Any) -> Any:
    raise Death("the words of somebody")


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (filling.Filler, "fill"),
        (filling.Filler, "_write_round"),
        (writer.SqliteWriter, "_commit"),
        (writer.SqliteWriter, "_begin_batch"),
        (writer.SqliteWriter, "_rest"),
    ],
)
async def test_a_writer_that_dies_tells_all_who_wait_and_works_again_afterwards(
    path: Path, monkeypatch: pytest.MonkeyPatch, where: type, name: str
) -> None:
    async with dens(path) as house:
        before = dump(path)
        with monkeypatch.context() as patch:
            patch.setattr(where, name, _dies)
            if name == "_rest":  # the way for whoever has to wait for the write lock
                patch.setattr(writer.SqliteWriter, "_take_lock", _only_waiting)
            told = await everybody_adds(house, "k")
        assert {type(error) for error in told} == {BackendError}
        assert {str(error) for error in told} == {f"{path}: the writer failed (Death)"}
        assert isinstance(told[0].__cause__, Death)
        assert dump(path) == before
        assert totals(await everybody_adds(house, "k")) == {1}
        await assert_sound(house)


_take_lock = writer.SqliteWriter._take_lock


def _only_waiting(self: writer.SqliteWriter, *, wait: bool) -> bool:
    return wait and _take_lock(self, wait=True)


class Faulty:
    """A connection some of whose statements fail."""

    def __init__(self, real: sqlite3.Connection, fails: Callable[[str], bool]) -> None:
        self._real = real
        self._fails = fails

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, statement: str, *values: Any) -> Any:
        if self._fails(statement):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return self._real.execute(statement, *values)


async def test_a_connection_that_cannot_even_roll_back_is_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with dens(path) as house:
        pen, before = writer_of(house), dump(path)
        pen._connection = Faulty(pen._connection, lambda statement: statement in ("COMMIT", "ROLLBACK"))

        def unreachable(*_: Any, **__: Any) -> Any:
            raise ReadOnly(f"{path}: gone")

        with monkeypatch.context() as patch:
            patch.setattr(writer, "connect", unreachable)
            told = [type(error) for error in await everybody_adds(house, "k")]
            assert told[0] is DiskFull  # and those of a later batch find no connection to write on
            assert set(told) <= {DiskFull, ReadOnly}
            assert {type(error) for error in await everybody_adds(house, "k")} == {ReadOnly}
        assert dump(path) == before
        assert totals(await everybody_adds(house, "k")) == {1}
        await assert_sound(house)


async def test_a_backup_and_another_process_are_not_kept_waiting_by_a_writer_that_died(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dens(path) as house:
        with monkeypatch.context() as patch:
            patch.setattr(filling.Filler, "fill", _dies)
            await everybody_adds(house, "k")
        made = threading.Event()

        def elsewhere() -> None:
            back_up(path, tmp_path / "copies")
            with file_lock(path):
                made.set()

        thread = threading.Thread(target=elsewhere, daemon=True)
        thread.start()
        assert await asyncio.to_thread(made.wait, 5)


# a worker behind a writer in trouble


@pytest.mark.parametrize("error", [Locked("held"), CorruptHistory("a page is damaged")], ids=["outside", "damage"])
@pytest.mark.parametrize("where", ["round", "_next_at"])
async def test_a_worker_outlives_whatever_the_database_says(
    path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch, where: str, error: GreenroomError
) -> None:
    failing, over = 2, asyncio.Event()
    real = getattr(Worker, where)

    async def fails(self: Worker, *args: Any) -> Any:
        nonlocal failing
        if failing:
            failing -= 1
            raise error
        over.set()
        return await real(self, *args)

    monkeypatch.setattr(Worker, where, fails)
    async with opened(path, work=True) as house:
        await furnish(house)
        async with asyncio.timeout(5):
            await over.wait()
            await house.record("den", Add(4), seat="guest", key="k")
            await _worked_off(house)
        assert not any(task.done() for task in house.keeping)
        assert heard.sentences[0] == f"{error}; trying again in 0.1 seconds"
        await assert_sound(house)


async def _worked_off(house: House) -> None:
    for _ in range(250):
        if not (await house.backend.streams.get("den")).open:
            return
        await asyncio.sleep(0.02)


async def test_leases_are_kept_on_after_a_moment_of_trouble(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_MILLISECONDS", 20)
    monkeypatch.setattr(engine, "LEASE_SECONDS", 1.8)
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*_: Any) -> str:
        asked.set()
        await go_on.wait()
        return "at last"

    async with opened(path, models=ScriptedModels(slowly)) as house, asyncio.timeout(20):
        await furnish(house)
        sending = asyncio.create_task(house.send("den", Ask(Words("well?")), seat="guest"))
        await asked.wait()
        with held(path):
            await asyncio.sleep(0.7)  # one renewal is refused
        await asyncio.sleep(1.4)  # longer than the lease was good for
        async with opened(path, work=True):
            await asyncio.sleep(0.3)
            go_on.set()
            assert (await sending).body["said"] == ["well?", "at last"]
        (stored,) = [a for a in await house.backend.streams.attempts("den") if a.status == "settled" and a.n == 6]
        assert stored.tries == 1
