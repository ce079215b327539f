"""A house tells its followers: every step, in order, in whatever back-end, and never at the cost of a turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house, tables_of
from greenroom.entrypoints.cli.following import rebuilt
from greenroom.kernel.asks import AskModel
from greenroom.kernel.errors import BackendError, TryLater, Unknown
from greenroom.kernel.words import Words
from greenroom.ports import Asked
from greenroom.services.house import House
from tests.conftest import NewDatabase, NewFile
from tests.crash.world import WORLDS, Dice, Inn, Rolled, Said, Say
from tests.followers.copies import Copy

#: Opens the same house again and again, with these followers.
Open: TypeAlias = Callable[..., AbstractAsyncContextManager[House]]


async def _speak(ask: AskModel, asked: Asked) -> str:
    return f"<{ask.role}>"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest, new_file: NewFile) -> Path | str | Shelf:
    if request.param == "memory":
        return Shelf()
    tables = tables_of(WORLDS)
    if request.param == "sqlite":
        return new_file(tables)
    database: NewDatabase = request.getfixturevalue("new_database")
    return database(tables)


@pytest.fixture
def opened(place: Path | str | Shelf) -> Open:
    @asynccontextmanager
    async def open_(*followers: Copy, work: bool = True) -> AsyncIterator[House]:
        models = ScriptedModels(_speak)
        async with open_house(place, worlds=WORLDS, plugins=(), models=models, followers=followers, work=work) as house:
            yield house

    return open_


async def play(house: House, name: str, turns: int) -> None:
    """A stream of one step more than there are turns."""
    await house.start("inn", name=name, owner=f"owner of {name}")
    for _ in range(turns):
        await house.send(name, Dice(sides=6), seat="guest")


async def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        await asyncio.sleep(0.02)


async def cursor(house: House, name: str = "copy") -> Any:
    (found,) = [one for one in await house.following.list() if one.name == name]
    return found


async def test_a_follower_is_told_every_step_with_its_events_its_state_and_its_words(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy) as house:
        await play(house, "one", 3)
        version = (await house.send("one", Say(text=Words("good evening")), seat="guest")).version
        await until(lambda: copy.told.get("one", [0])[-1] == version)
    # In order and without a gap; on a machine that stood still, from the beginning again.
    assert list(dict.fromkeys(copy.told["one"])) == list(range(1, version + 1))
    assert isinstance(copy.events["one", 2][0], Rolled)
    assert any(isinstance(event, Said) for events in copy.events.values() for event in events)
    assert isinstance(copy.states["one"], Inn)
    assert "good evening" in copy.words.values()


async def test_only_the_worlds_it_follows_are_told(opened: Open) -> None:
    copy, other = Copy("inn"), Copy("elsewhere", name="other")
    async with opened(copy, other) as house:
        await play(house, "one", 1)
        await until(lambda: bool(copy.told))
    assert other.told == {}


async def test_a_branch_is_never_told(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy) as house:
        await play(house, "one", 2)
        await house.branch("one", 1, name="sandbox")
        await house.send("sandbox", Dice(sides=6), seat="guest")
        await house.following.catch_up()
        await until(lambda: copy.told.get("one", [0])[-1] == 3)
    assert set(copy.told) == {"one"}


async def test_a_follower_goes_on_where_it_was_when_the_house_is_opened_again(opened: Open) -> None:
    first, second = Copy("inn"), Copy("inn")
    async with opened(first, work=False) as house:
        await play(house, "one", 2)
        await house.following.catch_up()
        await house.send("one", Dice(sides=6), seat="guest")
    async with opened(second, work=False) as house:
        await house.following.catch_up()
    assert (first.told, second.told) == ({"one": [1, 2, 3]}, {"one": [4]})


async def test_a_follower_that_comes_late_is_told_everything(opened: Open) -> None:
    async with opened(work=False) as house:
        await play(house, "one", 2)
        await play(house, "two", 1)
    copy = Copy("inn")
    async with opened(copy):
        await until(lambda: copy.told == {"one": [1, 2, 3], "two": [1, 2]})


async def test_steps_of_a_process_that_did_not_know_of_it_are_told(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 1)
        await house.following.catch_up()
    async with opened(work=False) as house:
        await house.send("one", Dice(sides=6), seat="guest")
    async with opened(copy, work=False) as house:
        await house.following.catch_up()
    assert copy.told == {"one": [1, 2, 3]}


@pytest.mark.parametrize("trouble", [BackendError("the disk is full"), TryLater("soon", seconds=0.1), KeyError("x")])
async def test_a_follower_that_fails_is_told_the_same_again(opened: Open, trouble: Exception) -> None:
    copy = Copy("inn")
    copy.troubles = [trouble]
    async with opened(copy) as house:
        await play(house, "one", 1)
        await until(lambda: copy.told.get("one") == [1, 2])
        await house.following.catch_up()
        assert (await cursor(house)).behind == 0


async def test_what_a_follower_failed_of_is_listed_and_never_quotes_a_stranger(opened: Open) -> None:
    copy = Copy("inn")
    copy.troubles = [ValueError("the guest said a secret")]
    async with opened(copy, work=False) as house:
        await play(house, "one", 1)
        await house.following.catch_up()
        found = await cursor(house)
    assert (found.tries, found.error, found.steps) == (1, "ValueError in follower copy", 2)


async def test_a_slow_follower_holds_up_neither_turns_nor_other_followers(opened: Open) -> None:
    slow, quick = Copy("inn", name="slow"), Copy("inn", name="quick")
    async with opened(slow, quick) as house:
        async with slow.door:
            async with asyncio.timeout(20):
                await play(house, "one", 20)
                await until(lambda: quick.told.get("one", [0])[-1] == 21)
            assert slow.told == {}
        await until(lambda: slow.told.get("one", [0])[-1] == 21)


async def test_many_steps_come_in_batches_and_in_order(opened: Open) -> None:
    async with opened(work=False) as house:
        for name in ("one", "two", "three"):
            await play(house, name, 50)
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await house.following.catch_up()
    assert copy.told == {name: list(range(1, 52)) for name in ("one", "two", "three")}


# removing


async def test_the_copy_of_a_forgotten_person_goes_too(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 1)
        await play(house, "two", 1)
        await house.following.catch_up()
        forgot = await house.forget("owner of one")
        assert (copy.gone, forgot.copies) == (["one"], ())
    assert set(copy.told) == {"two"}


async def test_a_copy_that_could_not_be_removed_yet_is_named_and_removed_later(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 1)
        await house.following.catch_up()
        copy.troubles = [TryLater("the index is away", seconds=0.2)]
        forgot = await house.forget("owner of one")
        assert (copy.gone, forgot.copies) == ([], ("copy",))
        await asyncio.sleep(0.3)
        await house.following.catch_up()
        assert (copy.gone, (await cursor(house)).gone) == (["one"], 0)


# rebuilding


async def test_a_rebuild_throws_the_copy_away_and_tells_everything_again(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 2)
        await house.following.catch_up()
        copy.told["stray"] = [9]
        await rebuilt(house, "copy")
        assert (copy.resets, copy.told) == (1, {"one": [1, 2, 3]})


async def test_a_rebuild_beside_a_worker_that_tells_it_ends_whole(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy) as house:
        await play(house, "one", 20)
        await rebuilt(house, "copy")
        assert copy.resets == 1
        assert copy.told["one"] == list(range(1, 22))


async def test_a_rebuild_tells_a_pruned_stream_from_its_mark_on(opened: Open) -> None:
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 70)
        await house.following.catch_up()
        far = house.now() + 1_000_000
        await house.backend.upkeep.prune("one", far, shape=house.codecs["inn"].world.shape, now=far, dry=False)
        mark = (await house.backend.streams.get("one")).mark
        assert mark > 1
        state = copy.states["one"]
        await rebuilt(house, "copy")
    assert copy.told["one"] == list(range(mark, 72))
    assert copy.states["one"] == state


async def test_a_follower_that_fails_again_and_again_is_not_waited_for(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("greenroom.services.following.LONGEST_SECONDS", 0.05)
    copy = Copy("inn")
    async with opened(copy, work=False) as house:
        await play(house, "one", 1)
        copy.troubles = [BackendError("the disk is full")] * 9
        with pytest.raises(BackendError, match="the disk is full"):
            await rebuilt(house, "copy")


async def test_a_follower_that_nobody_brings_cannot_be_rebuilt_but_dropped(opened: Open) -> None:
    async with opened(Copy("inn"), work=False):
        pass
    async with opened(work=False) as house:
        with pytest.raises(Unknown, match="no plug-in"):
            await house.following.rebuild("copy")
        await house.following.drop("copy")
        with pytest.raises(Unknown):
            await house.following.drop("copy")
        assert list(await house.following.list()) == []
