"""Performs what a turn asks, all of a tuple at once, and stores what was paid for before anything else is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from greenroom.journal.records import Birth, Claim, Entry, Lease
from greenroom.kernel.asks import (
    FREE,
    UNPAID,
    Alike,
    Ask,
    AskModel,
    Facts,
    Failed,
    Latest,
    Notice,
    Play,
    Read,
    Recall,
    Roll,
    Usage,
    UseTool,
    WithUsage,
)
from greenroom.kernel.chance import Chance, roll
from greenroom.kernel.codec import Codec, parse
from greenroom.kernel.errors import Conflict, Malformed, TryLater
from greenroom.kernel.script import Fresh, Script
from greenroom.ports import Asked, Backend, Clock, Models, Noticing, Speaking, Tools
from greenroom.services.aloud import Aloud, Saying, sentences_in
from greenroom.services.knowing import Knowing, KnownAsk
from greenroom.services.requests import opening
from greenroom.services.states import Codecs, StreamState, codec_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Everything a turn may ask that is not in the journal."""

    models: Models
    tools: Tools
    clock: Clock
    #: Who takes facts from what people say; without anybody nothing is noticed.
    noticing: Noticing | None = None
    #: Where lines are heard while they are being said; without it they are heard when they are settled.
    aloud: Aloud | None = None


class Parked(Exception):
    """The turn was given back with its attempt open."""


class Ride(msgspec.Struct):
    """One attempt being driven."""

    claim: Claim
    codec: Codec[Any, Any, Any]
    head: StreamState
    command: Any
    script: Script[Any]
    #: Answers and ledger entries not yet stored.
    unsaved: list[Fresh] = []
    ledger: list[Entry] = []
    children: list[str] = []
    #: What models said that could not be used, or was to be kept: ask, model, status, text.
    raw: list[tuple[int, str, str, str]] = []
    #: Whether any answer of this attempt is stored.
    answered: bool = False


class Drafted(Conflict):
    """A draft was recorded, but elsewhere than planned; the claim, if any, must be driven from the start."""

    def __init__(self, claim: Claim | None) -> None:
        super().__init__("the stream moved on while the command was drafted")
        self.claim = claim


class _Pending:
    """Stands for the outcome of a child that still plays."""


_PENDING = _Pending()


def child_name(claim: Claim, n: int) -> str:
    return f"{claim.stream.name}.{claim.attempt.n}.{n}"  # as CommandContext.child says


def _with_usage(value: Any, entries: Sequence[Entry]) -> WithUsage | Failed:
    """The answer together with what all calls for it used."""
    usage = Usage(
        model=entries[-1].model if entries else "",
        input_tokens=sum(entry.input_tokens for entry in entries),
        output_tokens=sum(entry.output_tokens for entry in entries),
        cached_tokens=sum(entry.cached_tokens for entry in entries),
        cost=sum(entry.cost for entry in entries),
    )
    return Failed(value.reason, usage) if isinstance(value, Failed) else WithUsage(value, usage)


class Asking:
    """Answers the asks of turns for one worker."""

    def __init__(
        self,
        backend: Backend,
        codecs: Codecs,
        outside: Outside,
        *,
        lease: Callable[[], Lease],
        hold: Callable[[Claim], None],
    ) -> None:
        self._backend = backend
        self._codecs = codecs
        self._outside = outside
        self._lease = lease
        self._hold = hold

    async def perform(self, ride: Ride) -> None:
        """Answer every pending ask; store what was paid for before anything else is asked."""
        for n, ask in list(ride.script.pending.items()):
            if isinstance(ask, FREE):
                ride.script.answer(n, await self._free(ride, n, ask))
        if not ride.script.pending:
            return
        await self._make_real(ride)
        await self._save_paid(ride)
        if len(ride.script.pending) == 1:
            ((n, ask),) = ride.script.pending.items()
            self._collect(ride, n, *await self._ask(ride, n, ask))
        else:
            await self._ask_at_once(ride)
        if ride.children:
            await self._save(ride)
            await self._backend.attempts.release(ride.claim, children=tuple(ride.children))
            raise Parked

    async def _ask_at_once(self, ride: Ride) -> None:
        tasks = {asyncio.create_task(self._ask(ride, n, ask)): n for n, ask in ride.script.pending.items()}
        try:
            await self._gather(ride, tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _gather(self, ride: Ride, tasks: Mapping[asyncio.Task[tuple[Any, Sequence[Entry]]], int]) -> None:
        """Take each answer as it comes; one that must wait lets the others finish first."""
        waiting = set(tasks)
        later: TryLater | None = None
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=tasks.__getitem__):  # in the order they were asked, whoever came first
                try:
                    self._collect(ride, tasks[task], *task.result())
                except TryLater as not_yet:
                    later = not_yet
            if waiting or later:
                await self._save_paid(ride)
        if later is not None:
            raise later

    def _collect(self, ride: Ride, n: int, value: Any, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.raw:
                ride.raw.append((entry.n, entry.model, entry.status, entry.raw))
            ride.ledger.append(replace(entry, raw="") if entry.raw else entry)
        if value is _PENDING:
            ride.children.append(child_name(ride.claim, n))
        else:
            ride.unsaved.append(ride.script.answer(n, value))

    async def _save_paid(self, ride: Ride) -> None:
        """Save, unless all there is to save the house can find out again, and did not die over it before."""
        if ride.claim.attempt.tries > 1 or not all(isinstance(fresh.ask, UNPAID) for fresh in ride.unsaved):
            await self._save(ride)

    async def _save(self, ride: Ride) -> None:
        if ride.unsaved:
            answers = tuple([fresh.stored() for fresh in ride.unsaved])
            await self._backend.attempts.answer(ride.claim, answers, tuple(ride.ledger))
            ride.answered = True
            ride.unsaved.clear()
            ride.ledger.clear()

    async def _make_real(self, ride: Ride) -> None:
        """Record a draft whose turn turned out to ask; go on only if it stands where it was drafted."""
        draft = ride.claim.draft
        if draft is None:
            return
        receipt = await self._backend.attempts.record(draft, self._lease())
        claim, planned = receipt.claim, ride.claim
        if claim is None or claim.attempt.n != planned.attempt.n or claim.stream.version != planned.stream.version:
            raise Drafted(claim)
        if receipt.attempt.n != planned.attempt.n:  # the claim is for the command of somebody who was faster
            raise Drafted(claim)
        if claim.attempt.at != planned.attempt.at:
            raise Drafted(claim)
        ride.claim = claim
        self._hold(claim)

    async def _free(self, ride: Ride, n: int, ask: Roll | Read) -> Any:
        if isinstance(ask, Roll):
            return roll(ride.claim.stream.seed, ride.claim.stream.version, n, ask.sides)
        return await self._backend.bank.get(ask.ids)

    async def _ask(self, ride: Ride, n: int, ask: Ask) -> tuple[Any, Sequence[Entry]]:
        claim = ride.claim
        match ask:
            case AskModel():
                return await self._ask_model(ride, n, ask)
            case UseTool():
                return await self._outside.tools.use(ask, f"{claim.stream.name}/{claim.attempt.n}.{n}"), ()
            case Play():
                return await self._play(claim, n, ask), ()
            case Recall() | Latest() | Facts() | Notice() | Alike():
                return await self._known(claim, ask), ()
            case _:
                raise Malformed(f"nobody answers {type(ask).__name__}")

    async def _ask_model(self, ride: Ride, n: int, ask: AskModel) -> tuple[Any, Sequence[Entry]]:
        value, entries = await self._model_answers(ride, ask, self._asked(ride, n))
        return (_with_usage(value, entries) if ask.usage else value), entries

    async def _model_answers(self, ride: Ride, ask: AskModel, asked: Asked) -> tuple[Any, Sequence[Entry]]:
        models, aloud = self._outside.models, self._outside.aloud
        name, state, field = ride.claim.stream.name, ride.head.state, ask.shows
        if aloud is None or not isinstance(field, str) or not isinstance(models, Speaking) or not aloud.is_heard(name):
            return await models.ask(ask, asked)

        def heard(answer: str) -> None:
            sentences = sentences_in(answer, field, schema=ask.schema is not None)
            aloud.say(name, Saying(attempt=asked.n, sentences=sentences, state=state))

        return await models.ask_aloud(ask, asked, heard)

    async def _known(self, claim: Claim, ask: KnownAsk) -> Any:
        stream = claim.stream
        place = Knowing(
            backend=self._backend,
            noticing=self._outside.noticing,
            stream=stream.name,
            version=stream.version,
            at=claim.attempt.at,
        )
        return await place.answer(ask)

    @staticmethod
    def _asked(ride: Ride, n: int) -> Asked:
        claim = ride.claim
        stream = claim.stream
        return Asked(
            stream=stream.name,
            world=stream.world,
            owner=stream.owner,
            n=claim.attempt.n,
            i=n,
            at=claim.attempt.at,
            cap=ride.codec.world.cap(ride.head.state),
        )

    async def _play(self, claim: Claim, n: int, ask: Play) -> Any:
        name = child_name(claim, n)
        codec = codec_of(self._codecs, ask.world)
        config = codec.config_from(ask.config)
        birth = Birth(
            world=ask.world,
            owner=ask.owner or claim.stream.owner,
            seed=Chance(claim.stream.seed, claim.stream.version, n).below(1 << 62),
            player=claim.stream.name,
            mute=claim.stream.mute,
            clock_at=claim.stream.clock_at,
        )
        recording = opening(codec, config, name, birth, now=claim.attempt.at, secret=self._backend.secret)
        await self._backend.attempts.record(recording)
        child = await self._backend.streams.get(name)
        return _PENDING if child.outcome is None else parse(child.outcome)
