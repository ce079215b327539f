"""What stands behind the story board: rows through branches, curves, and time that passes on a branch alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from greenroom.kernel.times import moment
from greenroom.services.verify import check_house
from greenroom.worlds.phantom.faces.console.board import read, rows
from greenroom.worlds.phantom.faces.console.curves import Plane, curves, summed
from greenroom.worlds.phantom.faces.console.desk import fast_forward
from greenroom.worlds.phantom.rules import tables as t
from tests.entrypoints.phantom.stage import Stage, stage, started

NOON = datetime(2031, 3, 3, 12, tzinfo=UTC)


@pytest.fixture
async def on() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


async def test_a_week_passes_on_a_branch_and_the_story_itself_stays_where_it_was(on: Stage) -> None:
    player = await started(on)
    await player.write("email", "Who are you?")
    before = await on.house.backend.streams.get(player.stream)
    waiting = [(one.key, one.status) for one in await on.house.backend.outbox.list(stream=player.stream)]
    branch = await fast_forward(on.house, player.stream, timedelta(days=7))
    sheets = await read(on.house, branch)
    assert "deadline_passed" in sheets.board["milestones"]
    assert {"ember_first_contact", "miro_first_contact"} <= set(sheets.board["milestones"])
    assert sheets.at - moment(before.last_at) == timedelta(days=7)
    assert await on.house.backend.streams.get(player.stream) == before
    assert [(one.key, one.status) for one in await on.house.backend.outbox.list(stream=player.stream)] == waiting
    assert (await check_house(on.house.backend, on.house.codecs)).problems == ()


async def test_letters_arrive_on_the_branch_and_are_handed_to_no_channel(on: Stage) -> None:
    player = await started(on)
    branch = await fast_forward(on.house, player.stream, timedelta(days=3))
    letters = await on.house.backend.outbox.list(stream=branch)
    assert letters
    assert {one.status for one in letters} == {"held"}
    found = (await on.house.view(branch, seat="player")).body["threads"]
    assert {thread["channel"] for thread in found} >= {"email", "sms"}
    board = (await on.house.view(branch, seat="operator")).body
    assert len(board["waiting"]) <= 1


async def test_going_on_goes_on_with_the_same_branch(on: Stage) -> None:
    player = await started(on)
    branch = await fast_forward(on.house, player.stream, timedelta(days=1))
    middle = (await read(on.house, branch)).at
    assert await fast_forward(on.house, branch, timedelta(days=2)) == branch
    assert (await read(on.house, branch)).at == middle + timedelta(days=2)


async def test_two_weeks_in_one_go_end_like_fourteen_days_one_after_the_other(on: Stage) -> None:
    player = await started(on)
    once = await fast_forward(on.house, player.stream, timedelta(days=14))
    row = await on.house.backend.streams.get(once)
    again = (await on.house.branch(player.stream, row.forked_at, name="again", awake=True)).name
    for _ in range(14):
        await fast_forward(on.house, again, timedelta(days=1))
    boards = [(await read(on.house, name)).board for name in (once, again)]
    assert boards[0]["engagement"] == boards[1]["engagement"]
    assert set(boards[0]["milestones"]) == set(boards[1]["milestones"])


async def test_a_branch_shows_the_rows_it_shares_and_its_own_instead_of_older_ones(on: Stage) -> None:
    player = await started(on)
    await on.pass_time(hours=6)
    await player.write("email", "You are right, I understand.")
    shared = await rows(on.house, player.stream, t.TRUST_EVENTS)
    assert shared
    branch = await fast_forward(on.house, player.stream, timedelta(days=4))
    everything = await rows(on.house, branch, t.TRUST_EVENTS)
    assert {row["id"] for row in shared} < {row["id"] for row in everything}
    scores = await rows(on.house, branch, t.TRUST)
    assert len({row["agent_id"] for row in scores}) == len(scores)
    by_agent = {row["agent_id"]: row["trust_score"] for row in scores}
    cast = (await read(on.house, branch)).board["cast"]
    assert by_agent["ember"] == cast["ember"]["trust"]


async def test_the_curve_ends_where_trust_stands(on: Stage) -> None:
    player = await started(on)
    for hours in (4, 8, 12):
        await on.pass_time(hours=hours)
        await player.write("email", "You are right, I understand. I trust you.")
    sheets = await read(on.house, player.stream)
    changes = [(row["created_at"], row["delta"]) for row in sheets.of(t.TRUST_EVENTS) if row["agent_id"] == "ember"]
    assert summed(changes, -100, 100)[-1][1] == sheets.board["cast"]["ember"]["trust"]


def test_a_curve_is_kept_within_its_bounds_and_names_are_escaped() -> None:
    changes = [(NOON + timedelta(hours=i), 60) for i in range(3)]
    assert [value for _, value in summed(changes, -100, 100)] == [60, 100, 100]
    plane = Plane(begin=NOON, end=NOON + timedelta(days=2), least=-100, most=100)
    drawn = curves(plane, {'<"x">': summed(changes, -100, 100)}, label="a & b")
    assert '<"x">' not in drawn
    assert 'aria-label="a &amp; b"' in drawn
    assert drawn.count("day ") == 2
    assert curves(Plane(begin=NOON, end=NOON, least=0, most=100), {"empty": []}, label="none").startswith("<svg")
