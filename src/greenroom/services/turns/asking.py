"""Performs what a turn asks, all of a tuple at once, and stores what was paid for before anything else is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from greenroom.journal.records import Birth, Claim, Entry, Lease, Recording
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
from greenroom.kernel.codec import parse
from greenroom.kernel.errors import Malformed, TryLater
from greenroom.ports import Asked, Backend, Clock, Models, Noticing, Speaking, Tools
from greenroom.services.aloud import Aloud, Saying, sentences_in
from greenroom.services.knowing import Knowing, KnownAsk
from greenroom.services.requests import opening
from greenroom.services.states import Codecs, codec_of
from greenroom.services.turns.passage import Passage
from greenroom.services.turns.phases import Phase


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

    async def perform(self, passage: Passage) -> None:
        """Answer every pending ask; store what was paid for before anything else is asked.

        Afterwards the passage is asking and nothing is pending, or it was left: parked until a child stream ends, or
        recorded for whoever claims it.
        """
        for n, ask in list(passage.script.pending.items()):
            if isinstance(ask, FREE):
                passage.script.answer(n, await self._free(passage, n, ask))
        if not passage.script.pending:
            return
        if passage.claim.draft is not None and not await self._record(passage, passage.claim.draft):
            return
        if passage.phase is not Phase.ASKING:
            passage.enter(Phase.ASKING)
        await self._save_paid(passage)
        if len(passage.script.pending) == 1:
            ((n, ask),) = passage.script.pending.items()
            self._collect(passage, n, *await self._ask(passage, n, ask))
        else:
            await self._ask_at_once(passage)
        if passage.children:
            await self._save(passage)
            await self._backend.attempts.release(passage.claim, children=tuple(passage.children))
            passage.enter(Phase.PARKED)

    async def _ask_at_once(self, passage: Passage) -> None:
        tasks = {asyncio.create_task(self._ask(passage, n, ask)): n for n, ask in passage.script.pending.items()}
        try:
            await self._gather(passage, tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _gather(self, passage: Passage, tasks: Mapping[asyncio.Task[tuple[Any, Sequence[Entry]]], int]) -> None:
        """Take each answer as it comes; one that must wait lets the others finish first."""
        waiting = set(tasks)
        later: TryLater | None = None
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=tasks.__getitem__):  # in the order they were asked, whoever came first
                try:
                    self._collect(passage, tasks[task], *task.result())
                except TryLater as not_yet:
                    later = not_yet
            if waiting or later:
                await self._save_paid(passage)
        if later is not None:
            raise later

    def _collect(self, passage: Passage, n: int, value: Any, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.raw:
                passage.raw.append((entry.n, entry.model, entry.status, entry.raw))
            passage.ledger.append(replace(entry, raw="") if entry.raw else entry)
        if value is _PENDING:
            passage.children.append(child_name(passage.claim, n))
        else:
            passage.unsaved.append(passage.script.answer(n, value))

    async def _save_paid(self, passage: Passage) -> None:
        """Save, unless all there is to save the house can find out again, and did not die over it before."""
        if passage.claim.attempt.tries > 1 or not all(isinstance(fresh.ask, UNPAID) for fresh in passage.unsaved):
            await self._save(passage)

    async def _save(self, passage: Passage) -> None:
        if passage.unsaved:
            answers = tuple([fresh.stored() for fresh in passage.unsaved])
            await self._backend.attempts.answer(passage.claim, answers, tuple(passage.ledger))
            passage.answered = True
            passage.unsaved.clear()
            passage.ledger.clear()

    async def _record(self, passage: Passage, draft: Recording) -> bool:
        """Record a draft whose turn turned out to ask; whether it stands where it was drafted and is ours."""
        planned = passage.claim
        receipt = await self._backend.attempts.record(draft, self._lease())
        passage.enter(Phase.RECORDED)
        claim = receipt.claim
        fits = (
            claim is not None
            and claim.attempt.n == planned.attempt.n == receipt.attempt.n  # and not of somebody who was faster
            and claim.stream.version == planned.stream.version
            and claim.attempt.at == planned.attempt.at
        )
        if claim is None or not fits:
            passage.following = claim
            return False
        passage.claim = claim
        passage.enter(Phase.CLAIMED)
        self._hold(claim)
        return True

    async def _free(self, passage: Passage, n: int, ask: Roll | Read) -> Any:
        if isinstance(ask, Roll):
            return roll(passage.claim.stream.seed, passage.claim.stream.version, n, ask.sides)
        return await self._backend.bank.get(ask.ids)

    async def _ask(self, passage: Passage, n: int, ask: Ask) -> tuple[Any, Sequence[Entry]]:
        claim = passage.claim
        match ask:
            case AskModel():
                return await self._ask_model(passage, n, ask)
            case UseTool():
                return await self._outside.tools.use(ask, f"{claim.stream.name}/{claim.attempt.n}.{n}"), ()
            case Play():
                return await self._play(claim, n, ask), ()
            case Recall() | Latest() | Facts() | Notice() | Alike():
                return await self._known(claim, ask), ()
            case _:
                raise Malformed(f"nobody answers {type(ask).__name__}")

    async def _ask_model(self, passage: Passage, n: int, ask: AskModel) -> tuple[Any, Sequence[Entry]]:
        value, entries = await self._model_answers(passage, ask, self._asked(passage, n))
        return (_with_usage(value, entries) if ask.usage else value), entries

    async def _model_answers(self, passage: Passage, ask: AskModel, asked: Asked) -> tuple[Any, Sequence[Entry]]:
        models, aloud = self._outside.models, self._outside.aloud
        name, state, field = passage.claim.stream.name, passage.base.state, ask.shows
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
    def _asked(passage: Passage, n: int) -> Asked:
        claim = passage.claim
        stream = claim.stream
        return Asked(
            stream=stream.name,
            world=stream.world,
            owner=stream.owner,
            n=claim.attempt.n,
            i=n,
            at=claim.attempt.at,
            cap=passage.codec.world.cap(passage.base.state),
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
