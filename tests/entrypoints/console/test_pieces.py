"""The pieces behind the pages, without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import greenroom
from greenroom.entrypoints.console.listing import recent
from greenroom.entrypoints.console.spending import DAY, options
from greenroom.entrypoints.console.timeline import AROUND, Moment, stretch
from greenroom.kit.console import branches, wording
from greenroom.kit.console.live import LivePage
from greenroom.kit.console.outline import changes, event_words, inline
from greenroom.kit.numbered import go_on_or_begin
from greenroom.ports import DaySpent, Notifier
from greenroom.services.house import House
from greenroom.text.counting import amounts, plural
from greenroom.worlds.lighthouse.rules.commands import Climb, Leave, Say
from tests.counts import count

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
WATCHERS = count(20, soak=500)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with greenroom.open(":memory:", clock=NOON) as opened:
        yield opened


async def begin(house: House, name: str, *said: str) -> str:
    await house.start("lighthouse", owner="ada", name=name, seed=3, seat="visitor")
    for words in said:
        await house.send(name, Say(text=greenroom.Words(words)), seat="visitor")
    return name


# lists


async def test_what_is_done_today_stands_above_a_story_whose_time_was_moved_ahead(tmp_path: Path) -> None:
    found: list[str] = []
    days = (("ahead", NOON), ("ahead", NOON + timedelta(days=30)), ("today", NOON + timedelta(hours=1)))
    for name, at in days:
        async with greenroom.open(tmp_path / "house.db", clock=at) as house:
            if name not in [row.name for row in await house.streams()]:
                await begin(house, name)
            await house.send(name, Climb(), seat="visitor")
            found = [row.name for row in await recent(house, limit=8)]
    assert found == ["today", "ahead"]


# live


class CountingNotifier:
    """Passes on to another notifier and counts who listens at once."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self.now = self.most = 0

    async def wait(self, seconds: float, since: int) -> int:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            return await self._notifier.wait(seconds, since)
        finally:
            self.now -= 1


async def test_however_many_watch_the_notifier_has_one_listener_and_all_are_told(house: House) -> None:
    notifier = CountingNotifier(house.backend.notifier)
    listening = replace_notifier(house, notifier)
    live, told = LivePage(listening), [0] * WATCHERS
    live.start()
    await begin(house, "one")

    async def look(i: int) -> None:
        told[i] += 1

    for i in range(WATCHERS):
        live.watch("one", lambda i=i: look(i))  # type: ignore[misc]
    await settled(lambda: all(told))
    before = list(told)
    await house.send("one", Climb(), seat="visitor")
    await settled(lambda: all(now > then for now, then in zip(told, before, strict=True)))
    assert notifier.most == 1
    await live.close()


def replace_notifier(house: House, notifier: Notifier) -> House:
    return House(replace(house.backend, notifier=notifier), house.codecs, house.outside, house.engine)


async def settled(done: Callable[[], bool], *, seconds: float = 2.0) -> None:
    async with asyncio.timeout(seconds):
        while not done():  # noqa: ASYNC110  what is waited for has no event
            await asyncio.sleep(0.01)


async def test_who_watches_one_stream_is_not_told_of_another(house: House) -> None:
    live, told = LivePage(house), {"one": 0, "two": 0, "": 0}
    live.start()
    await begin(house, "one")
    await begin(house, "two")

    async def look(name: str) -> None:
        told[name] += 1

    for name in told:
        live.watch(name or None, lambda name=name: look(name))  # type: ignore[misc]
    await settled(lambda: all(told.values()))
    await asyncio.sleep(0.2)
    before = dict(told)
    await house.send("two", Climb(), seat="visitor")
    await settled(lambda: told["two"] > before["two"] and told[""] > before[""])
    assert told["one"] == before["one"]
    await live.close()


async def test_who_has_left_is_told_no_more(house: House) -> None:
    live, told = LivePage(house), []
    live.start()
    await begin(house, "one")

    async def look() -> None:
        told.append(1)

    watch = live.watch("one", look)
    await settled(lambda: bool(told))
    live.leave(watch)
    assert live.watched == 0
    await asyncio.sleep(0.1)
    before = len(told)
    await house.send("one", Climb(), seat="visitor")
    await asyncio.sleep(0.2)
    assert len(told) == before
    await live.close()


async def test_a_page_that_fails_to_look_once_looks_again(house: House) -> None:
    live, looks = LivePage(house), []
    live.start()
    await begin(house, "one")

    async def look() -> None:
        looks.append(1)
        if len(looks) == 1:
            raise greenroom.BackendError("the disk was slow")

    live.watch("one", look)
    await settled(lambda: bool(looks))
    await house.send("one", Climb(), seat="visitor")
    await settled(lambda: len(looks) > 1)
    await live.close()


# history


async def test_a_stretch_holds_versions_and_the_attempts_between_that_made_none(house: House) -> None:
    await begin(house, "one", "First.")
    with pytest.raises(greenroom.Refused):
        await house.send("one", Climb(), seat="keeper")
    await house.send("one", Say(text=greenroom.Words("Second.")), seat="visitor")
    found = await stretch(house, "one", seat="operator", around=2)
    assert [(one.version, one.by, one.status) for one in found] == [
        (1, "house", "settled"),
        (2, "visitor", "settled"),
        (None, "keeper", "refused"),
        (3, "visitor", "settled"),
    ]
    assert found[2].error


async def test_a_stretch_of_a_branch_goes_through_its_parent_and_says_where(house: House) -> None:
    await begin(house, "one", "First.", "Second.")
    await house.branch("one", at=2, name="other")
    await house.send("other", Leave(), seat="visitor")
    found = await stretch(house, "other", seat="visitor", around=3)
    assert [(one.version, one.of, one.n) for one in found] == [(1, "one", 1), (2, "one", 2), (3, "other", 4)]
    assert [event.kind for event in found[-1].events] == ["left"]


async def test_a_branch_that_has_not_been_played_shows_the_past_it_shares(house: House) -> None:
    await begin(house, "one", "First.")
    await house.branch("one", at=2, name="other")
    assert [one.version for one in await stretch(house, "other", seat="visitor", around=2)] == [1, 2]


async def test_a_stretch_of_a_long_stream_is_short(house: House) -> None:
    await begin(house, "one", *(f"Number {i}." for i in range(4 * AROUND)))
    found = await stretch(house, "one", seat="operator", around=2 * AROUND)
    assert [one.version for one in found] == list(range(AROUND, 3 * AROUND + 1))


async def test_a_seat_is_shown_only_its_own_events_in_a_stretch(house: House) -> None:
    await begin(house, "one", "First.")
    found = await stretch(house, "one", seat="a ship at sea", around=2)
    assert [one.events for one in found] == [(), ()]
    assert isinstance(found[0], Moment)


async def test_branches_are_named_for_where_they_come_from(house: House) -> None:
    await begin(house, "one", "First.")
    for expected in ("one~2", "one~2-2", "one~2-3"):
        name = await branches.free_name(house, "one", 2)
        assert name == expected
        await house.branch("one", at=2, name=name)
    twig = await branches.tree(house, "one~2-2")
    assert (twig.row.name, [branch.row.name for branch in twig.branches]) == ("one", ["one~2", "one~2-2", "one~2-3"])


async def test_play_goes_on_with_what_has_not_ended_and_begins_anew_after(house: House) -> None:
    first = await go_on_or_begin(house, "lighthouse", seat="visitor")
    assert first == await go_on_or_begin(house, "lighthouse", seat="visitor") == "lighthouse-1"
    await house.send(first, Leave(), seat="visitor")
    await begin(house, "lighthouse-x")
    assert await go_on_or_begin(house, "lighthouse", seat="visitor") == "lighthouse-2"


# words


def test_changes_name_the_deepest_place_that_differs() -> None:
    before = {"a": 1, "b": {"c": 1, "d": 2}, "e": [1, 2, 3]}
    after = {"a": 1, "b": {"c": 5, "d": 2}, "e": [2, 3, 4], "f": None}
    assert changes(before, after) == {"/b/c": 1, "/e/2": None}
    assert changes(before, before) == {}
    assert changes({"a": 1}, {"a": [1]}) == {"/a": 1}


def test_values_are_told_in_one_line() -> None:
    assert inline({"lamp": "lit", "told": False, "sight": None}) == "lamp: lit · told: no · sight: –"
    assert event_words({"said": "Hello."}) == "Hello."
    assert event_words({}) == ""
    assert inline({"at": "2031-03-01T12:00:07Z"}) == "at: 2031-03-01 12:00:07 UTC"


def test_the_text_of_an_error_is_told_as_a_sentence() -> None:
    assert wording.sentence("there is no stream x") == "There is no stream x."
    assert wording.sentence("lighthouse_1 is gone.") == "lighthouse_1 is gone."


def test_moments_and_money_are_told_as_people_say_them() -> None:
    assert wording.ago(NOON - timedelta(minutes=3), NOON) == "3 minutes ago"
    assert wording.ago(NOON + timedelta(days=1, hours=2), NOON) == "in 1 day"
    assert wording.ago(NOON, NOON) == "just now"
    assert wording.day_and_clock(NOON) == "Saturday 1 Mar, 12:00 UTC"
    assert wording.dollars(0) == "$0"
    assert wording.dollars(1_234_567) == "$1.23"
    assert wording.dollars(42) == "$0.000042"
    assert plural(1, "memory", "memories") == "1 memory"
    assert amounts({"streams": 1200, "letters": 0, "memories": 1, "rows": 1}) == "1,200 streams, 1 memory, 1 row"


def test_the_plot_has_a_bar_for_every_day_and_a_colour_for_every_world() -> None:
    day = 20_000 * DAY

    def spent(days: int, world: str, cost: int) -> DaySpent:
        return DaySpent(
            day=day + days * DAY, world=world, model="m", asks=1, input_tokens=2, output_tokens=3, cost=cost
        )

    drawn = options([spent(0, "bar", 2_000_000), spent(0, "bar", 1_000_000), spent(2, "arena", 500_000)], "cost")
    assert len(drawn["xAxis"]["data"]) == 3
    assert {series["name"]: series["data"] for series in drawn["series"]} == {"arena": [0, 0, 0.5], "bar": [3, 0, 0]}
