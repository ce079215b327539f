"""Why a version came out as it did: the accounts of its turn's asks of models, read from the ledger as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from greenroom.journal.lineage import check_kept
from greenroom.journal.records import Entry, Step, Stream
from greenroom.kernel.codec import kinds_of, parse
from greenroom.kernel.errors import OutOfRange, Unknown
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import Seat
from greenroom.ports import Backend


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A memory that recall brought to an ask."""

    id: str
    #: None where nothing was scored.
    score: float | None
    #: False when there was no room for it in the prompt.
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart:
    """One section of a prompt."""

    name: str
    tokens: int
    #: Texts that went in, and older ones that had no room.
    kept: int
    dropped: int
    memories: tuple[Weighed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One line of the ledger: one call for an ask, or the understudy's answer to it."""

    #: Number of the ask in its turn; several lines may belong to one ask.
    ask: int
    role: str
    model: str
    #: ok, retried, repaired, invalid, fallback, failed, refused:…, or what a provider's failure was.
    status: str
    at: datetime
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    micro_dollars: int
    milliseconds: int
    #: None where the ask did not fit, or whoever answered keeps no account.
    sections: tuple[PromptPart, ...] | None
    #: Everything else that was noted: budget, reserve, used, digest, calls, …
    noted: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    stream: str
    version: int
    #: The stream whose turn made it: an ancestor, where a branch shares it.
    of: str
    attempt: int
    at: datetime
    #: Who gave the command; None where that is no longer known.
    by: Seat | None
    #: Kinds of the events that the version brought.
    events: tuple[str, ...]
    asks: tuple[Account, ...]

    @property
    def stood_in(self) -> Account | None:
        """The understudy's answer in the place of a model that failed, if there is one."""
        return next((ask for ask in self.asks if ask.status == "fallback"), None)


async def why(backend: Backend, stream: str, version: int) -> Why:
    """Tell what the models of the turn that made a version were given, and what they cost; nothing is recomputed.

    Raises:
        Unknown: no such stream.
        OutOfRange: the stream does not hold that version.
    """
    lineage = await backend.streams.lineage(stream)
    owner = _owner(lineage, version)
    step = await _step(backend, owner, version)
    ledger = await backend.streams.ledger(owner.name)
    return Why(
        stream=stream,
        version=version,
        of=owner.name,
        attempt=step.n,
        at=moment(step.at),
        by=await _giver(backend, owner.name, step.n),
        events=kinds_of(step.events),
        asks=tuple(_account(entry) for n, entry in ledger if n == step.n),
    )


async def stood_in(backend: Backend, stream: str) -> Account | None:
    """The understudy's answer in the place of a model, in the last turn of a stream that asked one; None if all spoke.

    Raises:
        Unknown: no such stream.
    """
    ledger = await backend.streams.ledger(stream)
    last = ledger[-1][0] if ledger else 0
    return next((_account(entry) for n, entry in ledger if n == last and entry.status == "fallback"), None)


def _owner(lineage: Sequence[Stream], version: int) -> Stream:
    newest = lineage[0].version
    if not 1 <= version <= newest:
        raise OutOfRange(f"stream {lineage[0].name} holds versions 1 to {newest}; {version} is not among them")
    return next(stream for stream in lineage if stream.parent is None or version > stream.forked_at)


async def _step(backend: Backend, owner: Stream, version: int) -> Step:
    check_kept(owner, version)
    async for step in backend.history.steps(owner.name, version - 1, version):
        return step
    raise OutOfRange(f"stream {owner.name} was pruned up to version {owner.mark}; the step of {version} is gone")


async def _giver(backend: Backend, stream: str, n: int) -> Seat | None:
    try:
        return (await backend.attempts.find(stream, n)).seat
    except Unknown:  # imported without it
        return None


def _account(entry: Entry) -> Account:
    noted = dict(parse(entry.account))
    sections = noted.pop("sections", None)
    return Account(
        ask=entry.n,
        role=entry.role,
        model=entry.model,
        status=entry.status,
        at=moment(entry.at),
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cached_tokens=entry.cached_tokens,
        micro_dollars=entry.cost,
        milliseconds=entry.milliseconds,
        sections=None if sections is None else tuple(map(_part, sections)),
        noted={name: value for name, value in noted.items() if name not in ("role", "model", "cost", "ms")},
    )


def _part(section: Mapping[str, Any]) -> PromptPart:
    kept = [Weighed(id=id, score=score, kept=True) for id, score in section.get("memories", ())]
    dropped = [Weighed(id=id, score=score, kept=False) for id, score in section.get("memories_dropped", ())]
    return PromptPart(
        name=section["name"],
        tokens=section["tokens"],
        kept=section["kept"],
        dropped=section["dropped"],
        memories=(*dropped, *kept),
    )


__all__ = ["Account", "PromptPart", "Weighed", "Why", "stood_in", "why"]
