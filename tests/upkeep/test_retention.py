"""What is old goes by the declared rule; what something still needs stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from greenroom.kernel.codec import codecs
from greenroom.kernel.errors import Forgotten, OutOfRange, Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Retention
from greenroom.services.requests import recorded
from greenroom.services.retention import Pruned, prune
from greenroom.services.verify import check_house, verify
from tests.upkeep.conftest import DAY, Damage, Place
from tests.upkeep.world import LINES, Finish, Say, tale


def keeping(**rule: int) -> Any:
    return codecs([tale(retention=Retention(**{name: timedelta(days=days) for name, days in rule.items()}))])


async def both_ways(place: Place, **rule: int) -> Pruned:
    """The real run, after a dry one that must foresee it and change nothing."""
    before = [await place.backend.streams.get(s.name) for s in await place.backend.streams.list()]
    dry = await prune(place.backend, keeping(**rule), now=place.clock.now(), dry=True)
    assert [await place.backend.streams.get(s.name) for s in await place.backend.streams.list()] == before
    real = await prune(place.backend, keeping(**rule), now=place.clock.now(), dry=False)
    assert (dry.removed, dry.shortened, dry.counts) == (real.removed, real.shortened, real.counts)
    assert (await check_house(place.backend, place.codecs)).problems == ()
    return real


async def finish(place: Place, *names: str) -> None:
    for name in names:
        await place.house.send(name, Finish(), seat="guest")


async def test_without_a_rule_everything_stays(place: Place) -> None:
    await place.play("tale-1")
    await finish(place, "tale-1")
    place.pass_time(10_000)
    assert await both_ways(place) == Pruned(dry=False)


async def test_a_stream_goes_whole_when_it_ended_long_enough_ago(place: Place) -> None:
    await place.play("old", lines=3, tag="old")
    await place.play("running", lines=3, tag="running")
    await finish(place, "old")
    place.pass_time(20)
    await place.play("fresh", lines=3, tag="fresh")
    await finish(place, "fresh")
    assert (await both_ways(place, ended=10)).removed == ("old",)
    with pytest.raises(Forgotten):
        await place.backend.streams.get("old")
    assert [s.name for s in await place.backend.streams.list()] == ["fresh", "running"]


async def test_what_was_sent_to_a_stream_just_as_it_went_is_refused_and_leaves_nothing(place: Place) -> None:
    await place.play("old", lines=2)
    await finish(place, "old")
    late = recorded(
        place.codecs["tale"], Say(Words("wait")), stream="old", key="late", seat="guest", now=1, secret=b"k"
    )
    place.pass_time(20)
    await prune(place.backend, keeping(ended=10), now=place.clock.now(), dry=False)
    with pytest.raises(Forgotten):
        await place.backend.attempts.record(late)
    assert await place.backend.streams.list() == []


async def test_an_ended_stream_stays_while_a_branch_continues_it(place: Place) -> None:
    await place.play("tale-1", lines=5)
    branch = await place.house.branch("tale-1", 4, name="branch")
    await finish(place, "tale-1")
    place.pass_time(20)
    assert (await both_ways(place, ended=10)).removed == ()
    await finish(place, branch.name)
    assert (await both_ways(place, ended=10)).removed == ("branch", "tale-1")


async def test_a_stream_with_open_attempts_stays(place: Place) -> None:
    await place.play("tale-1", lines=2)
    await finish(place, "tale-1")
    await place.house.record("tale-1", Say(Words("wait")), seat="guest", key="late")
    place.pass_time(20)
    assert (await both_ways(place, ended=10)).removed == ()


async def test_old_steps_go_up_to_a_snapshot_with_their_log_rows_and_words(place: Place) -> None:
    await place.play("tale-1", lines=30)
    place.pass_time(10)
    await place.say("tale-1", 4, tag="new")
    view = await place.house.view("tale-1", seat="guest")
    real = await both_ways(place, steps=5)
    row = await place.backend.streams.get("tale-1")
    snapshots = await place.backend.upkeep.snapshots("tale-1")
    assert real.shortened == ("tale-1",)
    assert row.mark == snapshots[0] > 8
    assert real.counts["steps"] == row.mark - 1
    versions = [step.version async for step in place.backend.history.steps("tale-1", 0, row.version)]
    assert versions == list(range(row.mark, row.version + 1))
    assert min(line["version"] for line in await place.backend.tables.rows("tale-1", LINES)) >= row.mark
    assert all(s.version is None or s.version >= row.mark for s in await place.backend.bank.of_stream("tale-1"))
    assert (await place.house.view("tale-1", seat="guest")).body == view.body
    assert (await both_ways(place, steps=5)).shortened == ()
    await place.say("tale-1", 4, tag="newer")
    assert (await verify(place.backend, place.codecs, "tale-1")).problems == ()
    with pytest.raises(OutOfRange, match="pruned"):
        await place.house.view("tale-1", seat="guest", version=row.mark - 1)


async def test_a_key_from_before_the_mark_is_known_but_no_longer_answered(place: Place) -> None:
    await place.play("tale-1", lines=30)
    place.pass_time(10)
    await both_ways(place, steps=5)
    attempts = await place.backend.streams.attempts("tale-1")
    assert [a.key for a in attempts][:3] == ["open", "register", "line0"]
    assert [a.command for a in attempts][:3] == [b"", b"", b""]
    before = (await place.backend.streams.get("tale-1")).version
    with pytest.raises(OutOfRange, match="no longer kept"):
        await place.house.send("tale-1", Say(Words("line says 1")), seat="guest", key="line1")
    assert (await place.backend.streams.get("tale-1")).version == before


async def test_words_of_refused_commands_go_with_the_prefix(place: Place) -> None:
    await place.house.start("tale", owner="ada", name="tale-1")
    with pytest.raises(Refused):
        await place.house.send("tale-1", Say(Words("an early shout")), seat="guest")
    await place.say("tale-1", 30)
    with pytest.raises(Refused):
        await place.house.send("tale-1", Say(Words("a late shout")), seat="guest")
    before = [stored.memory.text for stored in await place.backend.bank.of_stream("tale-1")]
    place.pass_time(10)
    real = await both_ways(place, steps=5)
    after = [stored.memory.text for stored in await place.backend.bank.of_stream("tale-1")]
    assert len(after) == len(before) - real.counts["memories"]
    assert [text for text in before if text and "shout" in text] == ["an early shout", "a late shout"]
    assert [text for text in after if text and "shout" in text] == ["a late shout"]


async def test_a_branch_keeps_what_it_needs(place: Place) -> None:
    await place.play("tale-1", lines=60)
    branch = await place.house.branch("tale-1", 20, name="branch")
    await place.say(branch.name, 5, tag="elsewhere")
    seen = [(await place.house.view("branch", seat="guest", version=v)).body["luck"] for v in range(20, 26)]
    place.pass_time(10)
    await both_ways(place, steps=5)
    assert 1 < (await place.backend.streams.get("tale-1")).mark <= 20
    now = [(await place.house.view("branch", seat="guest", version=v)).body["luck"] for v in range(20, 26)]
    assert now == seen
    assert (await verify(place.backend, place.codecs, "branch")).problems == ()


async def test_a_pruned_branch_stands_by_itself(place: Place) -> None:
    await place.play("tale-1", lines=9)
    branch = await place.house.branch("tale-1", 8, name="branch")
    await place.say(branch.name, 40, tag="elsewhere")
    place.pass_time(10)
    await both_ways(place, steps=5)
    assert (await place.backend.streams.get("branch")).mark > 8
    assert (await verify(place.backend, place.codecs, "branch")).problems == ()
    assert (await place.house.view("branch", seat="guest", version=8)).version == 8


async def test_a_damaged_snapshot_never_becomes_the_mark(place: Place, damage: Damage) -> None:
    await place.play("tale-1", lines=40)
    newest = (await place.backend.upkeep.snapshots("tale-1"))[-1]
    damage.snapshot("tale-1", newest)
    place.pass_time(10)
    await prune(place.backend, keeping(steps=5), now=place.clock.now(), dry=False)
    assert 1 < (await place.backend.streams.get("tale-1")).mark < newest


async def test_a_snapshot_of_another_shape_never_becomes_the_mark(place: Place) -> None:
    await place.play("tale-1", lines=40)
    later = place.clock.now() + 10 * DAY
    cut = await place.backend.upkeep.prune("tale-1", later, shape=2, now=later, dry=False)
    assert (cut.streams, set(cut.counts.values())) == ((), {0})


async def test_damage_after_a_prune_is_found_from_the_mark_on(place: Place, damage: Damage) -> None:
    await place.play("tale-1", lines=40)
    place.pass_time(10)
    await both_ways(place, steps=5)
    row = await place.backend.streams.get("tale-1")
    damage.step("tale-1", row.version, "events")
    damage.guest("tale-1", visits=99)
    found = (await verify(place.backend, place.codecs, "tale-1")).problems
    assert f"stream tale-1, version {row.version}: the stored events do not match their history sum" in found
