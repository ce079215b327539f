"""Streams whose world is not installed: shown, carried and proven all the same, and never claimed."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import greenroom
from greenroom.kernel.errors import NotInstalled
from greenroom.services.house import WORLD_NOTE, House
from greenroom.services.operations import overlook
from tests.crash.world import WORLDS

BEGAN = datetime(2031, 3, 3, 9, tzinfo=UTC)


async def played(file: Path) -> str:
    """A house in which a lighthouse's lamp and a letter are due later; gives the stream's name."""
    async with greenroom.open(file, clock=BEGAN, work=False) as house:
        reply = await house.start("lighthouse", name="evening", seat="visitor")
        for kind, fields in (("say", {"text": "Good evening."}), ("write", {"to": "harbour", "text": "I am dry."})):
            await house.send(reply.stream, house.codec("lighthouse").command_from(kind, fields), seat="visitor")
        await house.backend.upkeep.note(f"{WORLD_NOTE}lighthouse", "keepers 1.2.0")
        return reply.stream


def without(file: Path) -> AbstractAsyncContextManager[House]:
    return greenroom.open(file, plugins=(), worlds=WORLDS, clock=BEGAN, work=False)


async def test_what_is_stored_is_listed_shown_and_carried_without_the_world(tmp_path: Path) -> None:
    name = await played(tmp_path / "house.db")
    async with without(tmp_path / "house.db") as house:
        assert [stream.name for stream in await house.streams()] == [name]
        steps = [step async for step in house.raw(name)]
        assert [kind for step in steps for kind, _ in step.events] == ["arrived", "said", "answered", "letter_taken"]
        lines = [line async for line in house.export(name)]
        assert house.missing("lighthouse") is not None
    async with greenroom.open(":memory:", clock=BEGAN) as other:
        assert (await other.import_(lines)).version == steps[-1].version
        assert (await other.verify(name)).problems == ()


async def test_what_needs_the_rules_says_which_package_is_missing(tmp_path: Path) -> None:
    name = await played(tmp_path / "house.db")
    async with without(tmp_path / "house.db") as house:
        for asked in (house.view(name, seat="visitor"), house.branch(name), house.legal(name, "visitor")):
            with pytest.raises(
                NotInstalled, match=r"comes with the package keepers 1\.2\.0, which is not installed here"
            ):
                await asked


async def test_a_missing_package_is_told_apart_from_damage(tmp_path: Path) -> None:
    name = await played(tmp_path / "house.db")
    async with without(tmp_path / "house.db") as house:
        verdict, whole = await house.verify(name), await house.check()
        assert (verdict.problems, whole.problems) == ((), ())
        assert verdict.missing is not None
        assert whole.missing == (verdict.missing,)


async def test_a_worker_claims_neither_streams_nor_letters_of_a_world_it_lacks(tmp_path: Path) -> None:
    name = await played(tmp_path / "house.db")
    days = BEGAN + timedelta(days=3)
    async with without(tmp_path / "house.db") as house:
        before = await house.stream(name)
        await house.advance(days)
        assert await house.stream(name) == before
        assert (await overlook(house)).counts["due"] == 1
    async with greenroom.open(tmp_path / "house.db", clock=days, work=False) as house:
        await house.quiet()
        assert await _handled_in_order(house, name)


async def _handled_in_order(house: House, name: str) -> bool:
    """Whether everything that was due meanwhile happened at its own moment."""
    steps = [step async for step in house.raw(name, after=3)]
    return [step.at for step in steps] == sorted(step.at for step in steps) and len(steps) > 4
