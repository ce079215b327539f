"""Streams leave as files and come in from them, unaltered or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from greenroom.journal.records import Step
from greenroom.kernel.errors import Conflict, Forgotten, KeyReused, Malformed, Refused, Unknown
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Retention
from greenroom.services.retention import prune
from greenroom.services.transfer import export, export_person, import_
from greenroom.services.verify import check_house, verify
from tests.upkeep.conftest import Open, Place
from tests.upkeep.world import GUESTS, LINES, Register, Say, tale


async def exported(place: Place, stream: str) -> list[bytes]:
    return [line async for line in export(place.backend, place.codecs, stream)]


async def steps(place: Place, stream: str) -> list[Step]:
    version = (await place.backend.streams.get(stream)).version
    return [step async for step in place.backend.history.steps(stream, 0, version)]


async def told(place: Place, stream: str) -> list[Any]:
    """Everything a guest can see of a stream: each version and every event, words filled in."""
    last = (await place.backend.streams.get(stream)).version
    views = [(await place.house.view(stream, seat="guest", version=v)).body for v in range(1, last + 1)]
    return [views, [event async for event in place.house.events(stream, seat="guest")]]


async def test_a_stream_comes_in_as_it_left(place: Place, open_place: Open) -> None:
    await place.play("tale-1")
    other = await open_place("other.db")
    came = await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    left = await place.backend.streams.get("tale-1")
    for name in (
        "world",
        "owner",
        "seed",
        "born_at",
        "version",
        "recorded",
        "last_at",
        "wake_at",
        "outcome",
        "ready_at",
    ):
        assert getattr(came, name) == getattr(left, name)
    assert await steps(other, "tale-1") == await steps(place, "tale-1")
    assert await told(other, "tale-1") == await told(place, "tale-1")
    for table in (GUESTS, LINES):
        assert await other.backend.tables.rows("tale-1", table) == await place.backend.tables.rows("tale-1", table)
    assert (await check_house(other.backend, other.codecs)).problems == ()


async def test_exporting_what_was_imported_gives_the_same_bytes(place: Place, open_place: Open) -> None:
    await place.play("tale-1")
    lines = await exported(place, "tale-1")
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, lines)
    assert [json.loads(line) for line in await exported(other, "tale-1")][1:-1] == [
        {**json.loads(line), "status": "held"} if b'"kind":"letter"' in line else json.loads(line) for line in lines
    ][1:-1]


async def test_an_imported_stream_plays_on_and_knows_its_keys(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=4)
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    again = await other.house.send("tale-1", Say(Words("line says 1")), seat="guest", key="line1")
    assert (again.new, again.body["lines"]) == (False, 3)
    with pytest.raises(KeyReused):
        await other.house.send("tale-1", Say(Words("something else")), seat="guest", key="line1")
    await other.say("tale-1", 12, first=4)
    assert (await verify(other.backend, other.codecs, "tale-1")).problems == ()


async def test_unsent_letters_come_in_held(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=1)
    assert {letter.status for letter in await place.backend.outbox.list(stream="tale-1")} == {"due"}
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    letters = await other.backend.outbox.list(stream="tale-1")
    assert [(letter.key, letter.status, letter.to) for letter in letters] == [
        ("first", "held", "line-to@example.org"),
        ("last", "held", "line-to@example.org"),
    ]


async def test_a_branch_leaves_with_the_past_it_shares_as_a_root_stream(place: Place, open_place: Open) -> None:
    await place.play("tale-1")
    await place.house.branch("tale-1", 9, name="branch")
    await place.say("branch", 12, tag="elsewhere", ask=True)
    await place.house.branch("branch", 14, name="twig")
    await place.say("twig", 3, tag="further")
    await place.say("tale-1", 3, tag="later")
    other = await open_place("other.db")
    came = await import_(other.backend, other.codecs, await exported(place, "twig"))
    assert (came.parent, came.forked_at, came.mute) == (None, 0, True)
    assert await steps(other, "twig") == await steps(place, "twig")
    assert await told(other, "twig") == await told(place, "twig")
    assert (await check_house(other.backend, other.codecs)).problems == ()
    assert not any(b"later says" in line for line in await exported(other, "twig"))
    again = await other.house.send("twig", Say(Words("further says 0")), seat="guest", key="further0")
    assert not again.new


async def test_a_branch_that_was_never_played_leaves_too(place: Place, open_place: Open) -> None:
    await place.play("tale-1")
    await place.house.branch("tale-1", 9, name="branch")
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, await exported(place, "branch"))
    assert await told(other, "branch") == await told(place, "branch")
    await other.say("branch", 3, tag="elsewhere")
    assert (await check_house(other.backend, other.codecs)).problems == ()


async def test_a_pruned_stream_travels_with_the_snapshot_at_its_mark_and_its_rows(
    place: Place, open_place: Open
) -> None:
    await place.play("tale-1", lines=30)
    place.pass_time(10)
    await place.say("tale-1", 5, tag="new")
    keep = type(place.codecs["tale"])(tale(retention=Retention(steps=timedelta(days=5))))
    await prune(place.backend, {"tale": keep}, now=place.clock.now(), dry=False)
    assert (await place.backend.streams.get("tale-1")).mark > 1
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    for table in (GUESTS, LINES):
        assert await other.backend.tables.rows("tale-1", table) == await place.backend.tables.rows("tale-1", table)
    assert (await check_house(other.backend, other.codecs)).problems == ()
    await other.say("tale-1", 2, tag="newer")
    assert (await verify(other.backend, other.codecs, "tale-1")).problems == ()


async def test_a_stream_with_open_attempts_does_not_leave(place: Place) -> None:
    await place.play("tale-1", lines=1)
    await place.house.record("tale-1", Say(Words("not yet")), seat="guest", key="later")
    with pytest.raises(Refused, match="stream tale-1 has 1 open attempts"):
        await exported(place, "tale-1")


async def test_a_name_that_is_taken_is_a_conflict_and_twice_is_not_once_more(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=2)
    lines = await exported(place, "tale-1")
    with pytest.raises(Conflict, match="there is a stream tale-1 already"):
        await import_(place.backend, place.codecs, lines)
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, lines)
    with pytest.raises(Conflict, match="there is a stream tale-1 already"):
        await import_(other.backend, other.codecs, lines)
    assert (await check_house(other.backend, other.codecs)).problems == ()


async def test_a_forgotten_stream_does_not_come_back(place: Place) -> None:
    await place.play("tale-1", lines=2)
    lines = await exported(place, "tale-1")
    await place.backend.upkeep.forget("ada", now=place.clock.now())
    with pytest.raises(Forgotten):
        await import_(place.backend, place.codecs, lines)


async def test_a_stream_that_shares_memories_with_one_that_is_here_is_a_conflict(
    place: Place, open_place: Open
) -> None:
    await place.play("tale-1", lines=8)
    await place.house.branch("tale-1", 6, name="branch")
    other = await open_place("other.db")
    await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    with pytest.raises(Conflict, match="shares its past"):
        await import_(other.backend, other.codecs, await exported(place, "branch"))


async def test_a_unique_value_that_is_taken_refuses_the_whole_stream(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=2)
    other = await open_place("other.db")
    await other.house.start("tale", owner="bob", name="mine")
    await other.house.send("mine", Register("line@example.org"), seat="guest")
    with pytest.raises(Refused, match="this e-mail is already registered"):
        await import_(other.backend, other.codecs, await exported(place, "tale-1"))
    with pytest.raises(Unknown):
        await other.backend.streams.get("tale-1")


async def test_a_world_that_is_not_here_is_unknown(place: Place) -> None:
    await place.play("tale-1", lines=2)
    lines = [line.replace(b'"world":"tale"', b'"world":"tall"') for line in await exported(place, "tale-1")]
    with pytest.raises(Unknown, match="there is no world 'tall'"):
        await import_(place.backend, place.codecs, summed(lines))


def summed(lines: list[bytes]) -> list[bytes]:
    """The same lines with a footer that fits them: whoever alters a file can do that too."""
    footer = json.loads(lines[-1])
    footer["sha256"] = sha256(b"".join(lines[:-1])).hexdigest()
    kinds = [json.loads(line).get("kind") for line in lines[1:-1]]
    footer["counts"] = {kind: kinds.count(kind) for kind in set(kinds)}
    return [*lines[:-1], json.dumps(footer).encode() + b"\n"]


def altered(kind: str, nth: int, **fields: Any) -> Callable[[list[bytes]], list[bytes]]:
    def alter(lines: list[bytes]) -> list[bytes]:
        found = [i for i, line in enumerate(lines) if json.loads(line)["kind"] == kind]
        changed = {**json.loads(lines[found[nth]]), **fields}
        lines[found[nth]] = json.dumps(changed).encode() + b"\n"
        return summed(lines)

    return alter


def without(kind: str, nth: int) -> Callable[[list[bytes]], list[bytes]]:
    def alter(lines: list[bytes]) -> list[bytes]:
        del lines[[i for i, line in enumerate(lines) if json.loads(line)["kind"] == kind][nth]]
        return summed(lines)

    return alter


@pytest.mark.parametrize(
    ("alter", "sentence"),
    [
        (lambda lines: lines[:-1], "the file was cut off"),
        (lambda lines: [], "line 1: the file was cut off"),
        (lambda lines: [*lines, lines[2]], "the file goes on after its last record"),
        (lambda lines: [lines[0], *lines[2:]], "lines are missing or doubled"),
        (lambda lines: [lines[0].replace(b"ada", b"eve"), *lines[1:]], "the file was altered"),
        (lambda lines: [lines[0], b"{not json\n", *lines[1:]], "line 2: this is no record of an export"),
        (lambda lines: [lines[0], b"\n", *lines[1:]], "line 2: this is no record of an export"),
        (lambda lines: [lines[0], b"\xff\xfe\n", *lines[1:]], "line 2: this is no record of an export"),
        (lambda lines: lines[1:], "line 1: this is no export of a stream"),
        (lambda lines: [lines[0], *lines], "line 2: a record 'stream' does not belong here"),
        (altered("stream", 0, format_version=2), "line 1: the file has format version 2"),
        (altered("stream", 0, format="something"), "line 1: this is no export of a stream"),
        (altered("stream", 0, name=" "), "line 1: a name has 1 to 200 characters"),
        (altered("stream", 0, version=900), "line 1: the stream is said to end with version 900"),
        (altered("stream", 0, colour="red"), "line 1: this is no record of an export"),
        (altered("step", 3, at=1), "version 4 does not follow"),
        (altered("step", 3, n=2), "the events of version 4 do not match their history sum"),
        (altered("step", 3, events='[["said",{}]]'), "the events of version 4 do not match their history sum"),
        (altered("step", 3, fold="00"), "the rules of tale lead to another state at version 4"),
        (altered("step", 3, history="zz"), "a sum is not written in hexadecimal digits"),
        (altered("step", 3, version=True), "this is no record of an export"),
        (without("step", 2), "version 4 does not follow; 3 is next"),
        (without("step", -1), "but the steps end with"),
        (without("attempt", 2), "belongs to attempt 3, which is not in the file"),
        (altered("attempt", 2, n=1), "attempt 1 does not follow"),
        (altered("attempt", 2, status=None), "attempt 3 is open"),
        (altered("attempt", 2, key="register"), "key 'register' stands in the file twice"),
        (altered("attempt", 2, command="[]"), "the command of attempt 3 cannot be read"),
        (altered("letter", 1, key="first"), "letter 'first' stands in the file twice"),
    ],
)
async def test_a_file_that_is_not_as_it_left_is_told_by_line_and_changes_nothing(
    place: Place, open_place: Open, alter: Callable[[list[bytes]], list[bytes]], sentence: str
) -> None:
    await place.play("tale-1", lines=5)
    lines = alter(await exported(place, "tale-1"))
    other = await open_place("other.db")
    with pytest.raises(Malformed, match=r"^line \d+: .*") as told_of:
        await import_(other.backend, other.codecs, lines)
    assert sentence in str(told_of.value)
    assert list(await other.backend.streams.list()) == []


async def test_what_forgetting_would_delete_can_be_read_before(place: Place) -> None:
    await place.play("tale-1", owner="ada", lines=5, tag="adas")
    await place.play("tale-2", owner="bob", lines=5, tag="bobs")
    await place.house.branch("tale-1", 4, name="branch")
    await place.house.send("tale-2", Say(Words("ada visits bob")), seat="guest", person="ada")
    found = [json.loads(line) async for line in export_person(place.backend, place.codecs, "ada")]
    removed = await place.backend.upkeep.belongings("ada")
    kinds = [record["kind"] for record in found]
    assert found[0]["streams"] == ["branch", "tale-1"] == list(removed.streams)
    for kind, plural in {
        "attempt": "attempts",
        "step": "steps",
        "memory": "memories",
        "row": "rows",
        "letter": "letters",
    }.items():
        assert kinds.count(kind) == removed.counts[plural] == found[-1]["counts"].get(kind, 0)
    assert "ada visits bob" in [record.get("text") for record in found]
    assert "bobs" not in json.dumps(found)


async def test_nobody_has_no_belongings_to_export(place: Place) -> None:
    with pytest.raises(Malformed, match="give the id of a person"):
        _ = [line async for line in export_person(place.backend, place.codecs, " ")]
