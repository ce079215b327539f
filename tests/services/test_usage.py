"""What an ask of a model used reaches the rules, and is the same when the turn is driven again."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import open_house
from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json, Section, Usage, WithUsage
from greenroom.kernel.codec import canonical, fingerprint
from greenroom.kernel.script import Script, answer_bytes, answer_value
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Turn, World, done
from greenroom.ports import Asked

ASK = AskModel(role="fast", sections=(Section(name="said", texts=("hello",)),), max_tokens=50)
TELLING = msgspec.structs.replace(ASK, usage=True)
USED = Usage(model="m", input_tokens=7, output_tokens=3, cached_tokens=2, cost=11)


def test_an_ask_that_does_not_want_to_know_has_the_fingerprint_it_always_had() -> None:
    fields = {name: getattr(ASK, name) for name in ("role", "sections", "max_tokens", "schema", "budget", "seat")}
    before = sha256(b"AskModel" + canonical(fields | {"seconds": None})).digest()[:8]
    assert fingerprint(ASK) == before
    assert fingerprint(TELLING) != before


@pytest.mark.parametrize("body", [b'{"ok":"yes"}', b'{"failed":"no"}'])
def test_an_answer_that_was_stored_before_is_read_as_it_was(body: bytes) -> None:
    assert answer_value(ASK, body) in ("yes", Failed("no"))
    assert answer_bytes(answer_value(ASK, body)) == body


@pytest.mark.parametrize("value", [WithUsage({"a": 1}, USED), WithUsage("yes", USED), Failed("no", USED)])
def test_an_answer_comes_back_with_what_it_used(value: Any) -> None:
    assert answer_value(TELLING, answer_bytes(value)) == value


def test_a_turn_that_is_driven_again_is_told_the_same_numbers() -> None:
    def turn() -> Turn[Any]:
        heard.append((yield TELLING))
        return Done()

    heard: list[Any] = []
    first: Script[Any] = Script(turn())
    first.run()
    stored = first.answer(0, WithUsage("yes", USED)).stored()
    first.run()
    Script(turn(), (stored,)).run()
    assert heard == [WithUsage("yes", USED)] * 2


# in a house


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    cap: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    usage: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    cap: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    said: str
    tokens: int
    cost: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    cap: int | None = None
    heard: tuple[Heard, ...] = ()


def _open(given: CommandContext[Config]) -> Turn[Any]:
    yield from ()
    return done(Opened(cap=given.command.cap))


def _handle(state: State, given: CommandContext[Any]) -> Turn[Any]:
    answer = yield TELLING if given.command.usage else ASK
    match answer:
        case WithUsage(value, usage):
            return done(Heard(said=value, tokens=usage.output_tokens, cost=usage.cost, model=usage.model))
        case Failed(reason, usage):
            return done(Heard(said=reason, tokens=-1, cost=usage.cost if usage else -1, model=""))
        case _:
            return done(Heard(said=answer, tokens=-1, cost=-1, model=""))


def _evolve(state: State, told: EventContext[Any]) -> State:
    if isinstance(told.event, Opened):
        return State(cap=told.event.cap)
    return State(cap=state.cap, heard=(*state.heard, told.event))


DESK: World[State, Ask, Any] = World(
    name="desk",
    shape=1,
    state=State,
    config=Config,
    commands={"ask": Ask},
    events={"opened": Opened, "heard": Heard},
    blank=State(),
    open=_open,
    handle=_handle,
    evolve=_evolve,
    legal=lambda state, seat: (),
    seats=lambda state: ("guest",),
    view=lambda state, seat, now: state,
    shows=lambda state, told, seat: told.event,
    reply=lambda state, events, seat: state.heard[-1] if state.heard else None,
    cap=lambda state: state.cap,
)


class Teller:
    """A model that says what it used, and remembers what it was told of the stream's cap."""

    def __init__(self) -> None:
        self.caps: list[int | None] = []

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, tuple[Entry, ...]]:
        self.caps.append(asked.cap)
        common: dict[str, Any] = {"n": asked.i, "role": ask.role, "at": asked.at}
        wrong = Entry(model="first", output_tokens=2, cost=5, status="invalid", **common)
        right = Entry(model="second", output_tokens=3, cost=6, **common)
        return "yes", (wrong, right)


async def test_the_rules_are_told_what_all_calls_for_an_ask_used_together() -> None:
    async with open_house(Shelf(), worlds=[DESK], plugins=(), models=Teller()) as house:
        await house.start("desk", name="d")
        told = await house.send("d", Ask(usage=True), seat="guest")
        plain = await house.send("d", Ask(usage=False), seat="guest")
    assert told.body == {"said": "yes", "tokens": 5, "cost": 11, "model": "second"}
    assert plain.body == {"said": "yes", "tokens": -1, "cost": -1, "model": ""}


async def test_whoever_answers_is_told_the_cap_that_the_config_of_a_stream_sets() -> None:
    teller = Teller()
    async with open_house(Shelf(), worlds=[DESK], plugins=(), models=teller) as house:
        for name, cap in (("a", None), ("b", 500)):
            await house.start("desk", {"cap": cap}, name=name)
            await house.send(name, Ask(usage=False), seat="guest")
    assert teller.caps == [None, 500]


async def test_the_understudy_counts_what_it_read_and_said_for_who_wants_to_know() -> None:
    async with open_house(
        Shelf(), worlds=[DESK], plugins=(), parts={"desk": lambda ask, asked: "a few words"}
    ) as house:
        await house.start("desk", name="d")
        told = await house.send("d", Ask(usage=True), seat="guest")
        await house.send("d", Ask(usage=False), seat="guest")
        entries = [entry for _, entry in await house.backend.streams.ledger("d")]
    assert told.body["tokens"] > 0
    assert told.body["model"] == "understudy"
    assert [entry.input_tokens > 0 for entry in entries] == [True, False]
