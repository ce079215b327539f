"""What is stored is checked against what can be worked out again."""

from __future__ import annotations

import time

import pytest

from greenroom.kernel.errors import Unknown
from greenroom.kernel.words import Words
from greenroom.services.verify import check_house, verify
from tests.counts import count
from tests.upkeep.conftest import Damage, Open, Place
from tests.upkeep.world import Say, tale


async def problems(place: Place, stream: str = "tale-1") -> tuple[str, ...]:
    alone = await verify(place.backend, place.codecs, stream)
    house = await check_house(place.backend, place.codecs)
    assert set(alone.problems) <= set(house.problems)
    return alone.problems


async def test_a_sound_stream_and_a_sound_house_have_no_problems(place: Place) -> None:
    await place.play("tale-1")
    branch = await place.house.branch("tale-1", 9, name="branch")
    await place.say("branch", 20, tag="elsewhere")
    seen: list[tuple[int, int]] = []
    version = (await place.backend.streams.get("tale-1")).version
    verdict = await verify(place.backend, place.codecs, "tale-1", progress=lambda *at: seen.append(at))
    assert (verdict.problems, verdict.versions, seen[-1]) == ((), version, (version, version))
    assert (await verify(place.backend, place.codecs, branch.name)).versions == 29
    house = await check_house(place.backend, place.codecs)
    assert (house.problems, house.streams, house.versions) == ((), 2, version + 20)


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("events", "stream tale-1, version 7: the stored events do not match their history sum"),
        ("fold", "stream tale-1, version 7: the events lead to another state than when they were written"),
        ("history", "stream tale-1, versions 7 to 8: the stored events do not match their history sum"),
    ],
)
async def test_one_flipped_bit_of_a_step_is_found(place: Place, damage: Damage, column: str, sentence: str) -> None:
    await place.play("tale-1")
    damage.step("tale-1", 7, column)
    assert sentence in await problems(place)


async def test_one_flipped_bit_of_a_snapshot_is_found(place: Place, damage: Damage) -> None:
    await place.play("tale-1")
    version = (await place.backend.upkeep.snapshots("tale-1"))[0]
    damage.snapshot("tale-1", version)
    sentence = f"stream tale-1, version {version}: the stored snapshot is not the state that the events lead to"
    assert await problems(place) == (sentence,)


async def test_a_changed_row_is_found(place: Place, damage: Damage) -> None:
    await place.play("tale-1")
    damage.guest("tale-1", note="line notf")
    (sentence,) = await problems(place)
    assert sentence.startswith("stream tale-1, table tale_guests: row 1 of version")
    assert sentence.endswith("differs from the journal in note")


async def test_a_lost_row_is_found(place: Place, damage: Damage) -> None:
    await place.play("tale-1")
    damage.line_lost("tale-1", 5)
    assert await problems(place) == ("stream tale-1, table tale_lines: row 5/0 of version 5 is missing",)


@pytest.mark.parametrize(
    ("column", "value", "part"),
    [
        ("open", 1, "it counts 1 open attempts, but 0 are stored"),
        ("recorded", 3, "it counts 3 attempts"),
        ("head_at", 17, "its next attempt should be of None, but the stream says 17"),
        ("ready_at", 17, "it is ready at 17, but its attempts and wake say None"),
        ("version", 30, "versions 30 to 30 are missing"),
        ("last_at", 17, "its last step was at"),
    ],
)
async def test_a_wrong_counter_is_found(place: Place, damage: Damage, column: str, value: int, part: str) -> None:
    await place.play("tale-1", lines=18)
    assert (await place.backend.streams.get("tale-1")).version < 30
    if column == "version":
        value = (await place.backend.streams.get("tale-1")).version + 1
        part = f"versions {value} to {value} are missing"
    damage.counter("tale-1", column, value)
    assert any(part in sentence for sentence in await problems(place))


async def test_damage_in_the_past_that_a_branch_shares_is_told_of_the_branch_too(place: Place, damage: Damage) -> None:
    await place.play("tale-1")
    await place.house.branch("tale-1", 9, name="branch")
    await place.say("branch", 3, tag="elsewhere")
    damage.step("tale-1", 4, "events")
    found = (await verify(place.backend, place.codecs, "branch")).problems
    assert "stream branch, version 4: the stored events do not match their history sum" in found


async def test_forgotten_words_are_no_damage(place: Place) -> None:
    await place.play("tale-1")
    await place.house.send("tale-1", Say(Words("by a visitor")), seat="guest", person="eve")
    await place.backend.upkeep.forget("eve", now=place.clock.now())
    assert await problems(place) == ()


async def test_a_stream_of_a_world_that_is_not_here_is_checked_by_its_sums_alone(place: Place, damage: Damage) -> None:
    await place.play("tale-1", lines=5)
    damage.step("tale-1", 3, "events")
    verdict = await verify(place.backend, {}, "tale-1")
    assert verdict.missing is not None
    assert "'tale'" in verdict.missing
    assert verdict.problems == ("stream tale-1, version 3: the stored events do not match their history sum",)


async def test_steps_of_an_older_shape_are_folded_but_not_compared(open_place: Open, kind: str) -> None:
    place = await open_place()
    await place.play("tale-1")
    newer = {**place.codecs, "tale": type(place.codecs["tale"])(tale(shape=2))}
    assert (await verify(place.backend, newer, "tale-1")).problems == ()


async def test_an_unknown_stream_is_an_error_and_no_verdict(place: Place) -> None:
    with pytest.raises(Unknown, match="there is no stream nobody"):
        await verify(place.backend, place.codecs, "nobody")


async def test_a_long_stream_is_checked_quickly(place: Place) -> None:
    await place.house.start("tale", owner="ada", name="long")
    await place.say("long", count(600, soak=1_500))
    begun = time.perf_counter()
    assert (await verify(place.backend, place.codecs, "long")).problems == ()
    assert time.perf_counter() - begun < count(2, soak=5)
