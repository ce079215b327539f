"""The contract of ``Tables``: the rows that events wrote."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from greenroom.kernel.errors import Conflict
from greenroom.kernel.tables import Change, Column, Drop, Patch, Put
from greenroom.kernel.words import Words
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import GUESTS, LOG, TABLES, VISIT, Scribe, guest

Row = dict[str, Any]


async def guests(backend: Backend, stream: str = "s") -> list[Row]:
    """The rows of one stream, empty columns left out."""
    return [{k: v for k, v in row.items() if v is not None} for row in await backend.tables.rows(stream, GUESTS)]


class TablesContract(Contract):
    """All of ``Tables``."""

    async def test_rows_come_in_key_order_with_the_version_that_last_wrote_them(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born(changes=tuple((1, guest(i)) for i in (10, 9, 2)))
        await scribe.turn(changes=((2, guest(9, email="a@b.c")),))
        expected = [{"seat": 2, "version": 1}, {"seat": 9, "email": "a@b.c", "version": 2}, {"seat": 10, "version": 1}]
        assert await guests(backend) == expected
        assert await guests(await reopen()) == expected

    async def test_rows_are_those_of_one_stream(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1)),))
        await scribe.born("t", changes=((1, guest(1)), (1, guest(2))))
        assert len(await guests(backend, "s")) == 1
        assert len(await guests(backend, "t")) == 2

    async def test_every_kind_of_value_comes_back_as_it_was(self, backend: Backend, scribe: Scribe) -> None:
        noon = datetime(2031, 3, 1, 14, 0, 0, 5, tzinfo=timezone(timedelta(hours=2)))
        facts = {"b": [1, 2.5, None], "a": {"x": True}}
        row = {"id": "é%_'\"", "at": noon, "day": date(2031, 3, 1), "share": 1, "good": True, "facts": facts}
        await scribe.born(changes=((1, Put(LOG.name, {**row, "words": Words("hidden", id="s/1.0")})),))
        (stored,) = await backend.tables.rows("s", LOG)
        assert dict(stored) == {
            "id": "é%_'\"",
            "at": noon.astimezone(UTC).isoformat(timespec="microseconds"),
            "day": "2031-03-01",
            "share": 1.0,
            "good": True,
            "facts": facts,
            "words": "s/1.0",
            "version": 1,
        }
        assert isinstance(stored["share"], float)
        assert isinstance(stored["good"], bool)

    async def test_putting_writes_the_whole_row_and_columns_not_named_are_empty(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(changes=((1, guest(1, email="a@b.c", floor=1)),))
        await scribe.turn(changes=((2, guest(1, floor=2)),))
        assert await guests(backend) == [{"seat": 1, "floor": 2, "version": 2}]
        (row,) = await backend.tables.rows("s", GUESTS)
        assert set(row) == {"seat", "email", "floor", "room", "mood", "version"}

    async def test_patching_changes_some_columns_of_one_row(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1, email="a@b.c", floor=1)), (1, guest(2, floor=1))))
        await scribe.turn(changes=((2, Patch(GUESTS.name, {"seat": 1}, {"floor": 2, "email": None})),))
        assert await guests(backend) == [
            {"seat": 1, "floor": 2, "version": 2},
            {"seat": 2, "floor": 1, "version": 1},
        ]

    async def test_dropping_removes_one_row(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1)), (1, guest(2))))
        await scribe.turn(changes=((2, Drop(GUESTS.name, {"seat": 1})),))
        assert await guests(backend) == [{"seat": 2, "version": 1}]

    async def test_patching_or_dropping_what_is_not_there_changes_nothing(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s")
        await scribe.born("t", changes=((1, guest(1)),))
        changes = ((2, Patch(GUESTS.name, {"seat": 1}, {"floor": 2})), (2, Drop(GUESTS.name, {"seat": 1})))
        await scribe.turn("s", changes=changes)
        assert await guests(backend, "s") == []
        assert await guests(backend, "t") == [{"seat": 1, "version": 1}]

    async def test_changes_of_one_settlement_are_made_in_their_order(self, backend: Backend, scribe: Scribe) -> None:
        one = {"seat": 1}
        changes: tuple[Change, ...] = (
            guest(1, floor=1),
            Patch(GUESTS.name, one, {"room": 5}),
            Drop(GUESTS.name, one),
            guest(1, floor=2),
            Patch(GUESTS.name, one, {"room": 6}),
            guest(2, floor=9),
        )
        await scribe.born(changes=tuple((1, change) for change in changes))
        assert await guests(backend) == [
            {"seat": 1, "floor": 2, "room": 6, "version": 1},
            {"seat": 2, "floor": 9, "version": 1},
        ]

    async def test_a_table_may_hold_one_row_per_stream(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(changes=((1, Put(VISIT.name, {"lines": 1})), (1, Patch(VISIT.name, {}, {"lines": 2}))))
        assert [dict(row) for row in await backend.tables.rows("s", VISIT)] == [{"lines": 2, "version": 1}]
        await scribe.turn(changes=((2, Drop(VISIT.name, {})),))
        assert list(await backend.tables.rows("s", VISIT)) == []

    async def test_the_holder_of_a_unique_value_is_found_and_branches_are_passed_over(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")), (1, guest(2, email="é@b.c"))))
        await scribe.born("t", changes=((1, guest(1, email="t@b.c")),))
        await scribe.branch("b", "t")
        await scribe.turn("b", changes=((2, guest(1, email="b@b.c")),))
        found = [
            await backend.tables.holder(GUESTS, "email", value)
            for value in ("a@b.c", "é@b.c", "t@b.c", "b@b.c", "A@b.c", "", "\ud800", "a@b.c' OR 1=1 --")
        ]
        assert found == ["s", "s", "t", None, None, None, None, None]

    # branches

    async def test_a_branch_begins_without_rows_and_does_not_reach_its_parents(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(changes=((1, guest(1, floor=1)), (1, guest(2, floor=1))))
        await scribe.branch("b")
        assert await guests(backend, "b") == []
        changes = ((2, Patch(GUESTS.name, {"seat": 1}, {"floor": 7})), (2, Drop(GUESTS.name, {"seat": 2})))
        await scribe.turn("b", changes=(*changes, (2, guest(3))))
        assert await guests(backend, "b") == [{"seat": 3, "version": 2}]
        assert [row["seat"] for row in await guests(backend)] == [1, 2]

    # rebuilding

    async def test_rebuilding_replaces_everything_by_what_the_changes_give(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", changes=((1, guest(1)), (1, Put(LOG.name, {"id": "wrong"}))))
        await scribe.born("t", changes=((1, guest(1)),))
        changes = ((1, guest(5)), (2, Patch(GUESTS.name, {"seat": 5}, {"floor": 1})))
        await backend.tables.rebuild("s", changes, since=0, upto=1)
        assert await guests(backend) == [{"seat": 5, "floor": 1, "version": 2}]
        assert list(await backend.tables.rows("s", LOG)) == []
        assert await guests(backend, "t") == [{"seat": 1, "version": 1}]

    async def test_rebuilding_leaves_the_rows_up_to_a_version_alone(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1)),))
        await scribe.turn(changes=((2, guest(2)),))
        await backend.tables.rebuild("s", ((2, guest(3)),), since=1, upto=2)
        assert await guests(backend) == [{"seat": 1, "version": 1}, {"seat": 3, "version": 2}]

    async def test_rebuilding_twice_equals_once(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1, email="a@b.c")),))
        before = await scribe.whole()
        for _ in range(2):
            await backend.tables.rebuild("s", ((1, guest(1, email="a@b.c")),), since=0, upto=1)
        assert await scribe.whole() == before

    async def test_changes_worked_out_for_another_version_are_a_conflict(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(changes=((1, guest(1)),))
        await scribe.turn(changes=((2, guest(2)),))
        before = await scribe.whole()
        with pytest.raises(Conflict):
            await backend.tables.rebuild("s", ((1, guest(1)),), since=0, upto=1)
        assert await scribe.whole() == before

    async def test_a_table_declared_anew_is_empty_and_stale_until_it_is_rebuilt(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born(changes=((1, guest(1)), (1, Put(VISIT.name, {"lines": 1}))))
        assert GUESTS.name not in backend.tables.stale
        wider = replace(GUESTS, columns=(*GUESTS.columns, Column(name="hat", optional=True)))
        tables = (wider, *TABLES[1:])
        back = await reopen(tables)
        if GUESTS.name in back.tables.stale:  # a back-end may also keep the rows and never be stale
            assert list(await back.tables.rows("s", wider)) == []
            back = await reopen(tables)
            assert GUESTS.name in back.tables.stale
        await back.tables.rebuild("s", ((1, Put(GUESTS.name, {"seat": 1, "hat": "tall"})),), since=0, upto=1)
        await back.tables.rebuilt(GUESTS.name)
        assert GUESTS.name not in back.tables.stale
        back = await reopen(tables)
        assert list(back.tables.stale) == []
        assert [row["hat"] for row in await back.tables.rows("s", wider)] == ["tall"]
