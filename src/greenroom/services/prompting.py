"""The prompts of a turn, put together again from what is kept: state, command, words by id, answers that were kept.

Nothing is stored for it but the fingerprint of each ask. The rules run once more as far as the kept answers reach, and
what they ask now is compared with what they asked then: where it differs, content, rules or memory changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from greenroom.journal.records import Attempt, Entry, Stored, Stream
from greenroom.kernel.asks import Alike, Ask, AskModel, Facts, Latest, Notice, Read, Recall, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.codec import fingerprint, parse
from greenroom.kernel.errors import GreenroomError, Malformed, OutOfRange, Unknown
from greenroom.kernel.script import Script
from greenroom.kernel.words import RAW
from greenroom.ports import Backend, Noticing
from greenroom.services.knowing import Knowing
from greenroom.services.requests import reread
from greenroom.services.states import StateCache
from greenroom.services.turns.engine import script_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPassage:
    """One section of a prompt, with its words."""

    name: str
    #: ``system``, ``turns``, ``notes``, ``newest`` or ``moment``: where in the prompt it stands.
    where: str
    texts: tuple[str, ...]
    #: Of turns: which are the character's own.
    own: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompted:
    """What one ask of a turn was given."""

    #: Number of the ask in its turn.
    ask: int
    role: str
    passages: tuple[PromptPassage, ...]
    #: Whether it is, byte for byte, what was asked then; None where nobody wrote down what that was.
    exact: bool | None
    #: What the world's checks objected to before it was asked again, with the answers they rejected.
    objections: tuple[tuple[str, str], ...] = ()
    #: What was said to it and kept: answers that could not be used, and all of them where the settings say so.
    raw: tuple[str, ...] = ()


@dataclass(slots=True)
class _Rerun:
    """One turn run again without being written."""

    backend: Backend
    knowing: Knowing
    seed: int
    #: Answers of models that were kept: by the number of their ask, and those of which only the order is known.
    kept: dict[int, Any]
    loose: list[Any]

    async def asks(self, script: Script[Any]) -> Mapping[int, AskModel]:
        """The asks of models that can be put together again."""
        found: dict[int, AskModel] = {}
        while script.run() is None:
            for n, ask in list(script.pending.items()):
                if isinstance(ask, AskModel):
                    found[n] = ask
                value = await self._answer(n, ask)
                if value is _GONE:
                    return found
                script.answer(n, value)
        return found

    async def _answer(self, n: int, ask: Ask) -> Any:
        match ask:
            case Roll():
                return roll(self.seed, self.knowing.version, n, ask.sides)
            case Read():
                return await self.backend.bank.get(ask.ids)
            case Recall() | Latest() | Facts() | Notice() | Alike():
                return await self.knowing.answer(ask)
            case AskModel() if n in self.kept:
                return self.kept[n]
            case AskModel() if self.loose:
                return self.loose.pop(0)
            case _:
                return _GONE


class _Gone:
    """Stands for an answer that nobody kept."""


_GONE = _Gone()


async def prompts(
    backend: Backend,
    states: StateCache,
    noticing: Noticing | None,
    *,
    stream: Stream,
    n: int,
    ledger: Sequence[Entry],
) -> tuple[Prompted, ...]:
    """The prompts of one attempt, as far as they can be put together again; nothing where its words are gone.

    Args:
        stream: the stream whose turn it was.
        n: the attempt.
        ledger: what was written down about its asks.
    """
    try:
        attempt = await backend.attempts.find(stream.name, n)
    except Unknown:
        return ()
    if attempt.base is None or attempt.version is None:
        return ()
    try:
        base = await states.at(stream.name, attempt.base)
        script = script_of(base, attempt, await reread(backend, base.codec, attempt))
    except (OutOfRange, Malformed):
        return ()
    raw = await _raw(backend, stream.name, attempt)
    knowing = Knowing(backend=backend, noticing=noticing, stream=stream.name, version=attempt.base, at=attempt.at)
    rerun = _Rerun(backend, knowing, stream.seed, _by_ask(raw), _loose(raw))
    try:
        asks = await rerun.asks(script)
    except GreenroomError:
        asks = {}
    finally:
        script.close()
    return tuple(_prompted(n_, ask, ledger, raw) for n_, ask in asks.items())


async def _raw(backend: Backend, stream: str, attempt: Attempt) -> list[Stored]:
    """What was kept of the models' own words in this turn, in order."""
    first, last = (attempt.base or 0) + 1, attempt.version or 0
    kept = [one for one in await backend.bank.of_stream(stream) if one.memory.kind == RAW]
    return sorted((one for one in kept if first <= (one.version or 0) <= last), key=lambda one: one.memory.id)


def _by_ask(raw: Sequence[Stored]) -> dict[int, Any]:
    """Answers that were used, by the number of their ask; those that were not were never sent to the turn."""
    return {
        int(str(one.memory.meta["ask"])): _value(one.memory.text)
        for one in raw
        if "ask" in one.memory.meta and one.memory.meta.get("status") not in ("invalid",)
    }


def _loose(raw: Sequence[Stored]) -> list[Any]:
    """Answers that a check of the world rejected, in their order."""
    return [_value(one.memory.text) for one in raw if "objected" in one.memory.meta and "ask" not in one.memory.meta]


def _value(text: str | None) -> Any:
    try:
        return parse(text or "")
    except Malformed:
        return text


def _prompted(n: int, ask: AskModel, ledger: Sequence[Entry], raw: Sequence[Stored]) -> Prompted:
    then = next(
        (told.get("ask") for entry in ledger if entry.n == n and (told := parse(entry.account)).get("ask")), None
    )
    objections = ask.objections if isinstance(ask.objections, tuple) else ()
    return Prompted(
        ask=n,
        role=ask.role,
        passages=tuple(
            PromptPassage(
                name=section.name,
                where="system" if section.stable else section.form if isinstance(section.form, str) else "notes",
                texts=section.texts,
                own=section.own if isinstance(section.own, tuple) else (),
            )
            for section in ask.sections
        ),
        exact=None if then is None else then == fingerprint(ask).hex(),
        objections=tuple((one.answer, one.reason) for one in objections),
        raw=tuple(one.memory.text or "" for one in raw if one.memory.meta.get("ask") == n),
    )


__all__ = ["PromptPassage", "Prompted", "prompts"]
