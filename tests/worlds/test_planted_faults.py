"""The suite for worlds finds what it is there to find: each fault, planted in the lighthouse or under it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.journal.records import Fork, Loaded, Settled, Settlement, Step, Stream
from greenroom.kernel.asks import AskModel, Roll, Section
from greenroom.kernel.errors import CorruptHistory, Refused
from greenroom.kernel.tables import Put
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Turn, World
from greenroom.ports import Backend, History
from greenroom.testing.records import changed
from greenroom.testing.worlds import Trial, play
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules.state import VISITOR, Lighthouse
from tests.worlds.lighthouse.stage import shipped
from tests.worlds.trials import in_memory, lighthouse

AnyWorld = World[Any, Any, Any]
Under = Callable[[Backend, Shelf], Backend]


def untouched(backend: Backend, _: Shelf) -> Backend:
    return backend


async def caught(trial: Trial, under: Under = untouched) -> str:
    """What the suite says of a fault, within a few plays."""
    for seed in range(8):
        async with in_memory(trial) as (backend, shelf):
            try:
                await play(trial, under(backend, shelf), seed=seed, commands=25)
            except (AssertionError, CorruptHistory) as found:
                return str(found)
    return pytest.fail("nothing was found")


def faulty(**functions: Any) -> Trial:
    trial = lighthouse()
    return replace(trial, world=replace(trial.world, **functions))


def truth(state: Lighthouse) -> str:
    return shipped().secrets[state.secret].truth if state.secret else ""


def sound() -> AnyWorld:
    return lighthouse().world


# leaks


async def test_a_leak_in_a_view_is_found() -> None:
    view = sound().view
    trial = faulty(view=lambda state, seat, now: [view(state, seat, now), {"aside": [truth(state).upper()]}])
    assert "the view of visitor gives away" in await caught(trial)


async def test_a_leak_in_a_view_of_a_stranger_is_found() -> None:
    view = sound().view
    trial = faulty(view=lambda state, seat, now: view(state, seat if seat == VISITOR else "keeper", now))
    assert "the view of a stranger" in await caught(trial)


async def test_a_leak_in_a_shown_event_is_found() -> None:
    shows = sound().shows
    trial = faulty(shows=lambda state, told, seat: {"shown": shows(state, told, seat), "why": truth(state)})
    assert "an event shown to visitor gives away" in await caught(trial)


def slipped(ask: AskModel, state: Lighthouse, seat: str) -> AskModel:
    """The same ask of another seat, with the secret in it."""
    slip = Section(name="slip", texts=(truth(state),))
    return changed(ask, seat=seat, sections=(*ask.sections, slip))


async def test_a_leak_in_a_prompt_is_found() -> None:
    handle = sound().handle

    def leaky(state: Lighthouse, given: CommandContext[Any]) -> Turn[Any]:
        turn, answer = handle(state, given), None
        while True:
            try:
                ask = turn.send(answer)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            answer = yield slipped(ask, state, VISITOR) if isinstance(ask, AskModel) else ask

    assert "the prompt of visitor gives away" in await caught(faulty(handle=leaky))


async def test_a_prompt_that_names_no_seat_is_held_to_what_nobody_knows() -> None:
    handle = sound().handle

    def leaky(state: Lighthouse, given: CommandContext[Any]) -> Turn[Any]:
        yield AskModel(role="fast", sections=(), max_tokens=1)
        turn, answer = handle(state, given), None
        while True:
            try:
                ask = turn.send(answer)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            answer = yield slipped(ask, state, "") if isinstance(ask, AskModel) else ask

    trial = replace(faulty(handle=leaky), failing=0, answer=lambda _: {"line": "Sit.", "mood": "plain"})
    assert "the prompt of nobody gives away" in await caught(trial)


async def test_a_leak_in_a_reply_is_found() -> None:
    reply = sound().reply
    trial = faulty(reply=lambda state, told, seat: {**reply(state, told, seat), "psst": truth(state)})
    assert "the reply gives away" in await caught(trial)


async def test_a_leak_in_a_reason_is_found() -> None:
    handle = sound().handle

    def leaky(state: Lighthouse, given: CommandContext[Any]) -> Turn[Any]:
        try:
            return (yield from handle(state, given))
        except Refused:
            raise Refused(f"not allowed: {truth(state)}") from None

    assert "the reason gives away" in await caught(faulty(handle=leaky))


async def test_a_reason_that_quotes_the_words_is_found() -> None:
    handle = sound().handle

    def loud(state: Lighthouse, given: CommandContext[Any]) -> Turn[Any]:
        try:
            return (yield from handle(state, given))
        except Refused:
            raise Refused(f"you may not say {getattr(given.command, 'text', Words()).text}") from None

    assert "quotes the words" in await caught(faulty(handle=loud))


# rules


@pytest.mark.parametrize("what", ["asks", "end", "refusal"])
async def test_a_rule_with_a_hidden_counter_is_found(what: str) -> None:
    handle, calls = sound().handle, count()

    def impure(state: Lighthouse, given: CommandContext[Any]) -> Turn[Any]:
        number = next(calls)
        if what == "asks":
            yield Roll((number + 1,))
        if what == "refusal" and given.seat not in (VISITOR, "house"):
            raise Refused(f"refused for the {number}th time")
        done = yield from handle(state, given)
        if what == "end":
            said = tuple(changed(m, text=f"{m.text} {number}") if m.text else m for m in done.memories)
            done = changed(done, memories=said)
        return done

    assert "when it is run again" in await caught(faulty(handle=impure))


async def test_an_evolve_with_a_hidden_counter_is_found() -> None:
    evolve, calls = sound().evolve, count()
    trial = faulty(evolve=lambda state, told: replace(evolve(state, told), turns=next(calls)))
    found = await caught(trial)
    assert "evolve is not pure" in found or "another state" in found


IMPURE: dict[str, Callable[[Any, int], Any]] = {
    "view": lambda seen, number: [seen, number],
    "shows": lambda shown, number: [shown, number],
    "reply": lambda reply, number: [reply, number],
    "legal": lambda options, number: [*options, *[c.Climb()] * (number % 2)],
    "rows": lambda rows, number: [Put(row.table, {**row.values, "lines": number}) for row in list(rows)[:1]],
    "letters": lambda letters, number: [replace(letter, subject=str(number)) for letter in letters],
}


@pytest.mark.parametrize("name", sorted(IMPURE))
async def test_whatever_else_is_not_pure_is_found(name: str) -> None:
    pure, calls = getattr(sound(), name), count()
    trial = faulty(**{name: lambda *given: IMPURE[name](pure(*given), next(calls))})
    assert f"{name} " in await caught(trial)


async def test_an_illegal_command_that_is_carried_out_is_found() -> None:
    handle = sound().handle
    trial = faulty(handle=lambda state, given: handle(state, changed(given, seat=VISITOR)))
    assert "was not refused" in await caught(trial)


async def test_a_command_after_the_end_that_is_carried_out_is_found() -> None:
    handle = sound().handle
    trial = faulty(handle=lambda state, given: handle(replace(state, ended_at=None), given))
    trial = replace(trial, weight=lambda command: 1)
    assert "was not refused" in await caught(trial)


async def test_a_legal_command_that_is_refused_is_found() -> None:
    legal = sound().legal
    trial = faulty(legal=lambda state, seat: legal(replace(state, ended_at=None), seat))
    assert "is legal and was refused" in await caught(replace(trial, weight=lambda command: 1))


# what lies under the world


@dataclass(slots=True)
class Altered:
    """A history that differs from what was written; each test overrides one verb."""

    true: History
    shelf: Shelf

    async def settle(self, settlement: Settlement) -> Settled:
        return await self.true.settle(settlement)

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        return await self.true.load(stream, upto, snapshots=snapshots)

    def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        return self.true.steps(stream, after, upto)

    async def fork(self, fork: Fork) -> Stream:
        return await self.true.fork(fork)


def under(kind: type[Altered]) -> Under:
    return lambda backend, shelf: replace(backend, history=kind(backend.history, shelf))


class SkipsAVersion(Altered):
    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        async for step in self.true.steps(stream, after, upto):
            if step.version != 3:
                yield step


class TampersWithEvents(Altered):
    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        async for step in self.true.steps(stream, after, upto):
            yield changed(step, events=step.events.replace(b'"wry"', b'"warm"').replace(b'"lamp_lit"', b'"lamp_out"'))


class TampersWithMoments(Altered):
    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        async for step in self.true.steps(stream, after, upto):
            yield changed(step, at=step.at + (step.version == 3))


class WritesAnotherFold(Altered):
    async def settle(self, settlement: Settlement) -> Settled:
        return await self.true.settle(
            changed(settlement, steps=tuple(changed(step, fold=bytes(32)) for step in settlement.steps))
        )


class DamagesSnapshots(Altered):
    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        loaded = await self.true.load(stream, upto, snapshots=snapshots)
        if loaded.version == 4 < loaded.stream.version and snapshots:
            return changed(loaded, version=3, steps=loaded.steps[:-1])
        return loaded


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        (SkipsAVersion, "its steps end at 2"),
        (TampersWithEvents, "the stored events were altered"),
        (TampersWithMoments, "the stored events were altered"),
        (WritesAnotherFold, "another state"),
        (DamagesSnapshots, "do not match their history sum"),
    ],
)
async def test_a_history_that_is_not_what_was_played_is_found(kind: type[Altered], found: str) -> None:
    assert found in await caught(lighthouse(), under(kind))


class BranchWritesParent(Altered):
    async def settle(self, settlement: Settlement) -> Settled:
        settled = await self.true.settle(settlement)
        if settled.stream.parent is not None:
            self.meddle(settled.stream.parent)
        return settled

    def meddle(self, parent: str) -> None:
        self.shelf.rows["lighthouse_log"].pop(next(k for k in self.shelf.rows["lighthouse_log"] if k[0] == parent))


class BranchMovesParent(BranchWritesParent):
    def meddle(self, parent: str) -> None:
        row = self.shelf.stream(parent)
        self.shelf.keep(changed(row, wake_at=(row.wake_at or 0) + 1))


class BranchForgetsForParent(BranchWritesParent):
    def meddle(self, parent: str) -> None:
        for id in [id for id, stored in self.shelf.memories.items() if stored.stream == parent][:1]:
            del self.shelf.memories[id]


@pytest.mark.parametrize("kind", [BranchWritesParent, BranchMovesParent, BranchForgetsForParent])
async def test_a_branch_that_writes_its_parent_is_found(kind: type[Altered]) -> None:
    assert "changed its parent" in await caught(lighthouse(), under(kind))


class LoudBranches(Altered):
    async def fork(self, fork: Fork) -> Stream:
        branch = await self.true.fork(fork)
        self.shelf.keep(changed(self.shelf.stream(branch.name), mute=False))
        return branch


class LetterCopyingBranches(Altered):
    async def fork(self, fork: Fork) -> Stream:
        branch = await self.true.fork(fork)
        for place, letter in list(self.shelf.letters.items()):
            if letter.stream == branch.name:
                self.shelf.letters[place] = changed(letter, status="due")
        return branch


@pytest.mark.parametrize("kind", [LoudBranches, LetterCopyingBranches])
async def test_a_branch_that_sends_letters_is_found(kind: type[Altered]) -> None:
    assert "a branch is mute" in await caught(lighthouse(), under(kind))


class SleeplessBranches(Altered):
    async def fork(self, fork: Fork) -> Stream:
        branch = await self.true.fork(fork)
        row = changed(self.shelf.stream(branch.name), awake=True, clock_at=None, ready_at=fork.wake_at)
        self.shelf.keep(row)
        return row


async def test_a_branch_that_wakes_by_itself_is_found() -> None:
    found = await caught(lighthouse(), under(SleeplessBranches))
    assert "asleep" in found or "by itself" in found or "clock of its own" in found


async def test_nothing_is_found_where_nothing_was_planted() -> None:
    async with in_memory(lighthouse()) as (backend, shelf):
        await play(lighthouse(), under(Altered)(backend, shelf), seed=1, commands=10)
