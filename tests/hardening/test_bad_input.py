"""What a caller may not ask for: one sentence, the right class, nothing changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from greenroom.adapters.clocks import VirtualClock
from greenroom.kernel.asks import Recall
from greenroom.kernel.errors import KeyReused, Malformed, OutOfRange, Refused, Unknown, UsageError
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import Retention, Wake
from greenroom.services import retention
from greenroom.services.house import House
from greenroom.worlds.lighthouse.rules.commands import Climb
from tests.hardening.conftest import assert_sound, dump, furnish, opened
from tests.hardening.world import Add, Added, Ask, Say, Trip, den

Mistake = Callable[[House], Awaitable[Any]]


async def _listed(house: House, stream: str = "den", **range_: Any) -> list[Any]:
    return [event async for event in house.events(stream, seat="guest", **range_)]


async def _exported(house: House, stream: str) -> list[bytes]:
    return [line async for line in house.export(stream)]


def _send(command: Any, **more: Any) -> Mistake:
    return lambda house: house.send("den", command, **({"seat": "guest"} | more))


def _start(**more: Any) -> Mistake:
    return lambda house: house.start("den", **more)


NO_STREAM = "there is no stream nobody"
UNKNOWN: dict[str, tuple[Mistake, str]] = {
    "view": (lambda h: h.view("nobody", seat="guest"), NO_STREAM),
    "view at a version": (lambda h: h.view("nobody", seat="guest", version=1), NO_STREAM),
    "events": (lambda h: _listed(h, "nobody"), NO_STREAM),
    "legal": (lambda h: h.legal("nobody", "guest"), NO_STREAM),
    "send": (lambda h: h.send("nobody", Add(1), seat="guest"), NO_STREAM),
    "record": (lambda h: h.record("nobody", Add(1), seat="guest", key="k"), NO_STREAM),
    "branch": (lambda h: h.branch("nobody"), NO_STREAM),
    "again": (lambda h: h.again("nobody"), NO_STREAM),
    "cancel": (lambda h: h.cancel("nobody", 1), NO_STREAM),
    "cancel what is not there": (lambda h: h.cancel("den", 99), "stream den has no attempt 99"),
    "verify": (lambda h: h.verify("nobody"), NO_STREAM),
    "export": (lambda h: _exported(h, "nobody"), NO_STREAM),
    "advance": (lambda h: h.advance(datetime(2040, 1, 1, tzinfo=UTC), stream="nobody"), NO_STREAM),
    "world": (lambda h: h.start("nowhere"), "there is no world 'nowhere'; there is "),
    "an empty name": (lambda h: h.view("", seat="guest"), "there is no stream"),
    "a name with NUL": (lambda h: h.view("den\0", seat="guest"), "there is no stream"),
    "a name that is half a character": (lambda h: h.view("\ud800", seat="guest"), "there is no stream"),
    "send to half a character": (lambda h: h.send("\ud800", Add(1), seat="guest"), "there is no stream"),
    "branch of half a character": (lambda h: h.branch("\ud800"), "there is no stream"),
}

HOLDS = "stream den holds versions"
OUT_OF_RANGE: dict[str, tuple[Mistake, str]] = {
    "view too high": (lambda h: h.view("den", seat="guest", version=6), f"{HOLDS} 0 to 5; 6 is not among them"),
    "view negative": (lambda h: h.view("den", seat="guest", version=-1), f"{HOLDS} 0 to 5; -1 is not among them"),
    "branch too high": (lambda h: h.branch("den", 6), HOLDS),
    "branch negative": (lambda h: h.branch("den", -1), HOLDS),
    "branch at nothing": (lambda h: h.branch("den", 0), f"{HOLDS} 1 to 5; 0 is not among them"),
    "events after the end": (lambda h: _listed(h, after=6), HOLDS),
    "events after less than nothing": (lambda h: _listed(h, after=-1), HOLDS),
    "events up to what is not there": (lambda h: _listed(h, upto=6), HOLDS),
    "a version no number can be": (lambda h: h.view("den", seat="guest", version=10**30), HOLDS),
}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    restless: bool = False


HALF = "half a character"
BLANK = "1 to 200 characters"
MALFORMED: dict[str, tuple[Mistake, str]] = {
    # commands
    "another world's command": (_send(Climb()), "Climb is no command of den; it knows add, ask, say, trip, use"),
    "an event": (_send(Added(1)), "Added is no command of den"),
    "the house's own wake": (_send(Wake()), "Wake is no command of den"),
    "the house's own letter": (_send(LetterSettled(key="k", status="sent")), "LetterSettled is no command of den"),
    "a config": (_send(den().config()), "Config is no command of den"),
    "plain data": (_send({"by": 1}), "dict is no command of den"),
    "nothing": (_send(None), "NoneType is no command of den"),
    "another world's command, recorded": (
        lambda h: h.record("den", Climb(), seat="guest", key="k"),
        "Climb is no command of den",
    ),
    "a field of another kind": (_send(Add("three")), "den command 'add'"),  # type: ignore[arg-type]
    "a field of nothing": (_send(Add(None)), "den command 'add'"),  # type: ignore[arg-type]
    "a field that JSON has no form for": (_send(Add(object())), "den command 'add'"),  # type: ignore[arg-type]
    "a number that is none": (_send(Add(float("nan"))), "den command 'add'"),  # type: ignore[arg-type]
    "words without text": (_send(Say(Words(None))), "have no text"),
    "words that are missing": (_send(Say(None)), "den command 'say'"),  # type: ignore[arg-type]
    "text in place of words": (_send(Say("hello")), "den command 'say'"),  # type: ignore[arg-type]
    "words of bytes": (_send(Say(Words(b"hello"))), "text"),  # type: ignore[arg-type]
    "words with half a character": (_send(Say(Words("a\ud800b"))), HALF),
    "words with half a character, recorded": (
        lambda h: h.record("den", Say(Words("\udfff")), seat="guest", key="k"),
        HALF,
    ),
    # keys
    "an empty key": (_send(Add(1), key=""), "a key has 1 to 200 characters; this one has 0"),
    "a key too long": (_send(Add(1), key="k" * 201), "this one has 201"),
    "an empty key, recorded": (lambda h: h.record("den", Add(1), seat="guest", key=""), "this one has 0"),
    "a key with half a character": (_send(Add(1), key="\ud800"), HALF),
    "a key of the house": (_send(Add(1), key="wake/7"), "the house's own"),
    # seats and persons
    "a seat with half a character": (_send(Add(1), seat="\ud800"), HALF),
    "an empty seat": (_send(Add(1), seat=""), BLANK),
    "a seat with a line break": (_send(Add(1), seat="guest\n"), BLANK),
    "a person with half a character": (_send(Say(Words("x")), person="\ud800"), HALF),
    "a person without a name": (_send(Say(Words("x")), person=" "), BLANK),
    # names
    "a blank name": (_start(name=" "), BLANK),
    "an empty name": (_start(name=""), BLANK),
    "a name too long": (_start(name="n" * 201), BLANK),
    "a name with NUL": (_start(name="a\0b"), BLANK),
    "a name with a line break": (_start(name="a\nb"), BLANK),
    "a name with a delete": (_start(name="a\x7fb"), BLANK),
    "a name with a terminal's command": (_start(name="a\x9b31mb"), BLANK),
    "a name with a line separator": (_start(name="a\u2028b"), BLANK),
    "a name with half a character": (_start(name="\ud800"), HALF),
    "no owner": (_start(owner=""), BLANK),
    "an owner with an escape": (_start(owner="\x1b[2J"), BLANK),
    "an owner with half a character": (_start(owner="\udc00"), HALF),
    "a branch's blank name": (lambda h: h.branch("den", 1, name=" "), BLANK),
    "a branch's name with a bell": (lambda h: h.branch("den", 1, name="a\x07"), BLANK),
    # configs
    "an unknown field": (_start(config={"restles": True}), "den config: unknown field 'restles'; it has restless"),
    "a config's field of another kind": (_start(config={"restless": "yes"}), "den config"),
    "a config that is a list": (_start(config=[1]), "den config"),
    "another world's config": (_start(config=Elsewhere()), "den config"),
    "a seed too large": (_start(seed=1 << 63), "63 bits"),
    # scopes
    "nobody's memories": (lambda h: h.backend.bank.count(Scope(world="den", owner="")), "a scope needs a owner"),
}

TABLES = ((Unknown, UNKNOWN), (OutOfRange, OUT_OF_RANGE), (Malformed, MALFORMED))
MISTAKES = [
    pytest.param(kind, mistake, sentence, id=f"{kind.__name__}: {name}")
    for kind, table in TABLES
    for name, (mistake, sentence) in table.items()
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def mistaken(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[House, Path]]:
    """A house that all these mistakes are made in, one after the other."""
    path = tmp_path_factory.mktemp("mistaken") / "house.db"
    async with opened(path) as house:
        await furnish(house)
        yield house, path


async def told_of(house: House, path: Path, mistake: Mistake) -> UsageError:
    """What the caller hears; everything stored is as it was."""
    before = dump(path)
    try:
        await mistake(house)
    except UsageError as error:
        assert dump(path) == before
        return error
    raise AssertionError("nobody complained")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("kind", "mistake", "sentence"), MISTAKES)
async def test_a_callers_mistake_is_told_in_one_sentence_and_changes_nothing(
    mistaken: tuple[House, Path], kind: type[UsageError], mistake: Mistake, sentence: str
) -> None:
    error = await told_of(*mistaken, mistake)
    assert (type(error), error.exit_code) == (kind, 2)
    assert sentence in str(error)
    assert "\n" not in str(error)


async def test_after_all_these_mistakes_the_stream_plays_on(house: House) -> None:
    for table in (UNKNOWN, OUT_OF_RANGE, MALFORMED):
        for mistake, _ in table.values():
            with pytest.raises(UsageError):
                await mistake(house)
    assert (await house.send("den", Add(4), seat="guest")).body["total"] == 10
    await assert_sound(house)


async def test_a_pruned_version_is_named_with_the_mark(path: Path) -> None:
    clock = VirtualClock(1_700_000_000_000_000)
    keeps = den(retention=Retention(steps=datetime.resolution))
    async with opened(path, world=keeps, clock=clock) as house:
        await furnish(house, adds=30)
        clock.move(clock.now() + 10_000_000)
        await retention.prune(house.backend, house.codecs, now=clock.now(), dry=False)
        mark = (await house.backend.streams.get("den")).mark
        assert mark > 8
        house.states.drop("den")
        lost = f"stream den was pruned up to version {mark}; {mark - 1} is no longer kept"
        for mistake in (
            lambda h: h.view("den", seat="guest", version=mark - 1),
            lambda h: h.branch("den", mark - 1),
            lambda h: _listed(h, after=mark - 1),
        ):
            error = await told_of(house, path, mistake)
            assert (type(error), str(error)) == (OutOfRange, lost)
        assert (await house.view("den", seat="guest", version=mark)).version == mark
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 466
        await assert_sound(house)


async def test_a_refusal_is_recorded_once_and_told_again_under_its_key(house: House, path: Path) -> None:
    for _ in range(2):
        with pytest.raises(Refused, match=r"^nothing is added$"):
            await house.send("den", Add(0), seat="guest", key="k")
    stored = [a for a in await house.backend.streams.attempts("den") if a.key == "k"]
    assert [(a.status, a.error, a.base, a.version) for a in stored] == [("refused", "nothing is added", 5, 5)]
    with pytest.raises(KeyReused, match="key 'k' was used in stream den for another command; choose a new key"):
        await house.send("den", Add(1), seat="guest", key="k")


TEXTS = {
    "NUL": "before\0after",
    "only NUL": "\0",
    "empty": "",
    "control characters": "".join(map(chr, range(32))) + "\x7f\x85\u2028\u2029",
    "emoji": "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🫠",
    "right to left": "\u202e\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627\u202c",
    "combining": "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "not a character": "\uffff\ufffe\U0010ffff",
    "SQL": "'); DROP TABLE steps; --",
    "JSON": '{"a": ["\\u0000"]}',
    "a megabyte": "ß€🙂" * 120_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
async def test_any_whole_text_is_kept_as_it_was_said(path: Path, text: str) -> None:
    async with opened(path) as house:
        await furnish(house)
        reply = await house.send("den", Ask(Words(text)), seat="guest", key="k")
        assert reply.body["said"] == [text, "mm"]
        await house.send("den", Say(Words(text)), seat="guest", key="l")
    async with opened(path) as house:
        assert (await house.view("den", seat="guest")).body["last"] == text
        assert (await house.send("den", Ask(Words(text)), seat="guest", key="k")).body["said"] == [text, "mm"]
        scope = Scope(world="den", owner="ada", agent="host")
        ask = Recall(query=text[:200] or "hello", scope=scope, limit=5)
        await house.backend.bank.search(ask, stream="den", version=7, at=house.now())
        await assert_sound(house)


NAMES = (
    "👩‍👩‍👧‍👦 🫠",
    "\u05e9\u05dc\u05d5\u05dd",
    "\u0645\u0631\u062d\u0628\u0627",
    "a'b\"c;--",
    "../../etc/passwd",
    "%s{}",
    "naïve.1/2",
    "n" * 200,
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
async def test_any_printable_name_is_a_name(path: Path, name: str) -> None:
    async with opened(path) as house:
        await house.start("den", {}, owner=name, name=name)
        await house.send(name, Say(Words("hello")), seat=name, key=name, person=name)
        branch = await house.branch(name, 1)
        await house.send(branch.name, Add(1), seat=name)
        assert (await house.backend.streams.list(owner=name))[0].owner == name
        await assert_sound(house)
        await house.forget(name)
        assert await house.backend.streams.list() == []


async def test_a_number_too_large_for_the_database_fails_alone_and_the_stream_goes_on(house: House) -> None:
    """The state may count as far as it likes; a table's column may not."""
    with pytest.raises(Refused, match="was not carried out: a table refused the change: a value cannot be stored"):
        await house.send("den", Add(2**63), seat="guest", key="large")
    assert (await house.send("den", Add(1), seat="guest")).body["total"] == 7
    await assert_sound(house)


async def test_an_optional_field_may_be_empty(house: House) -> None:
    assert (await house.send("den", Trip(None), seat="guest")).body["total"] == 7
