"""Answers what a turn asks: a model, a tool, another stream, the bank, the dice."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from greenroom.journal.records import Birth, Claim, Entry
from greenroom.kernel.asks import (
    Alike,
    Ask,
    AskModel,
    Facts,
    Failed,
    Latest,
    Notice,
    Play,
    Recall,
    Usage,
    UseTool,
    WithUsage,
)
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import parse
from greenroom.kernel.errors import Malformed
from greenroom.ports import Asked, Backend, Clock, Models, Noticing, Speaking, Tools
from greenroom.services.aloud import Aloud, Saying, sentences_in
from greenroom.services.knowing import Knowing
from greenroom.services.requests import opening
from greenroom.services.states import Codecs, codec_of
from greenroom.services.turns.passage import Passage


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


PENDING = _Pending()


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


class Paid(NamedTuple):
    """What a model answered, and what all calls for it used."""

    answer: Any
    entries: Sequence[Entry]


def _asked(passage: Passage, n: int) -> Asked:
    stream, attempt = passage.claim.stream, passage.claim.attempt
    return Asked(
        stream=stream.name,
        world=stream.world,
        owner=stream.owner,
        n=attempt.n,
        i=n,
        at=attempt.at,
        fingerprint=passage.script.fingerprint(n),
        cap=passage.base.codec.world.cap(passage.base.state),
    )


class Asking:
    """Answers the asks of turns."""

    def __init__(self, backend: Backend, codecs: Codecs, outside: Outside) -> None:
        self._backend = backend
        self._codecs = codecs
        self._outside = outside

    def answer(self, passage: Passage, n: int, ask: Ask) -> Coroutine[Any, Any, Any]:
        """Whoever answers, to be awaited: a ``Paid`` answer, a free one, or ``PENDING`` if a child has still to end.

        Raises:
            Malformed: nobody answers it.
        """
        claim = passage.claim
        match ask:
            case AskModel():
                return self._ask_model(passage, n, ask)
            case UseTool():
                return self._outside.tools.use(ask, f"{claim.stream.name}/{claim.attempt.n}.{n}")
            case Play():
                return self._play(claim, n, ask)
            case Recall() | Latest() | Facts() | Notice() | Alike():
                return Knowing(
                    backend=self._backend,
                    noticing=self._outside.noticing,
                    stream=claim.stream.name,
                    version=claim.stream.version,
                    at=claim.attempt.at,
                ).answer(ask)
            case _:
                raise Malformed(f"nobody answers {type(ask).__name__}")

    async def _ask_model(self, passage: Passage, n: int, ask: AskModel) -> Paid:
        value, entries = await self._model_answers(passage, ask, _asked(passage, n))
        return Paid(_with_usage(value, entries) if ask.usage else value, entries)

    async def _model_answers(self, passage: Passage, ask: AskModel, asked: Asked) -> tuple[Any, Sequence[Entry]]:
        models, aloud = self._outside.models, self._outside.aloud
        name, state, field = passage.claim.stream.name, passage.base.state, ask.shows
        if aloud is None or not isinstance(field, str) or not isinstance(models, Speaking) or not aloud.is_heard(name):
            return await models.ask(ask, asked)

        def heard(answer: str) -> None:
            sentences = sentences_in(answer, field, schema=ask.schema is not None)
            aloud.say(name, Saying(attempt=asked.n, sentences=sentences, state=state))

        return await models.ask_aloud(ask, asked, heard)

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
        return PENDING if child.outcome is None else parse(child.outcome)
