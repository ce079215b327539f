"""What whoever runs a house wants to know and do: what waits, who works, what failed, what it cost, what is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Stream
from greenroom.kernel.errors import Forgotten, Refused
from greenroom.kernel.letters import Letter, LetterStatus
from greenroom.kernel.times import micros, moment
from greenroom.ports import DaySpent
from greenroom.services.house import House, Reply
from greenroom.services.states import codec_of
from greenroom.services.turns.engine import wall

#: What an operator may decide about a letter that has not gone out, and what it becomes.
Decision: TypeAlias = Literal["hold", "approve", "cancel"]
_BECOMES: Mapping[Decision, LetterStatus] = {"hold": "held", "approve": "due", "cancel": "cancelled"}

#: A day of the house clock.
DAY = timedelta(days=1)
#: Keys of commands that an operator gave again.
RETRY = "retry/"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldStream:
    """A stream that somebody drives."""

    stream: str
    world: str
    #: The worker that holds it, and until when on the machine's clock.
    worker: str
    until: datetime
    #: Attempts that wait behind its turn, itself among them.
    open: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlook:
    """How the house stands."""

    at: datetime
    #: Streams, attempts open and failed, letters due and held.
    counts: Mapping[str, int]
    #: Streams with open attempts, the longest waiting first.
    queue: tuple[Stream, ...]
    #: Streams that will have something to do, the earliest first.
    due: tuple[Stream, ...]
    #: Leases of every worker, in this process or another.
    held: tuple[HeldStream, ...]


async def overlook(house: House, *, limit: int = 50) -> Overlook:
    """How the house stands now: at most so many of each."""
    overview = house.backend.overview
    queue = await overview.queue(limit=limit)
    due = await overview.due(limit=limit)
    now = wall()
    return Overlook(
        at=moment(house.now()),
        counts=await overview.counts(),
        queue=tuple(queue),
        due=tuple(stream for stream in due if not stream.open),
        held=tuple(_held(stream) for stream in queue if stream.holder is not None and stream.busy_until > now),
    )


def _held(stream: Stream) -> HeldStream:
    return HeldStream(
        stream=stream.name,
        world=stream.world,
        worker=stream.holder or "",
        until=moment(stream.busy_until),
        open=stream.open,
    )


async def counts(house: House) -> Mapping[str, int]:
    """How many there are: streams, attempts open and failed, letters due and held."""
    return await house.backend.overview.counts()


async def queue(house: House, *, limit: int = 50) -> Sequence[Stream]:
    """Streams with open attempts, the longest waiting first."""
    return await house.backend.overview.queue(limit=limit)


async def failed(house: House, *, limit: int = 50) -> Sequence[Attempt]:
    """Attempts that were given up, the newest first."""
    return await house.backend.overview.failed(limit=limit)


async def retry(house: House, stream: str, n: int) -> Reply:
    """Give a failed command again, from the same seat. Asking for it twice does it once.

    Raises:
        Unknown: no such stream or attempt.
        Refused: it did not fail, or was no command; or the rules say no this time.
        Forgotten: the words of the command have been removed.
    """
    attempt = await house.backend.attempts.find(stream, n)
    if attempt.status != "failed":
        raise Refused(f"attempt {n} of stream {stream} is {attempt.status or 'open'}; only a failed one is tried again")
    if attempt.rank == 0 or attempt.key == transitions.OPEN_KEY or not attempt.command:
        raise Refused(f"attempt {n} of stream {stream} was no command of a seat; it cannot be given again")
    row = await house.backend.streams.get(stream)
    codec = codec_of(house.codecs, row.world)
    command = codec.read_command(attempt.command)
    words = codec.words_of(command)
    ids = [transitions.command_memory(stream, n, i) for i in range(len(words))]
    texts = await house.backend.bank.get(ids)
    if len(texts) < len(ids):
        raise Forgotten("the words of that command have been removed")
    spoken = [type(word)(texts[id]) for word, id in zip(words, ids, strict=True)]
    return await house.send(stream, codec.with_words(command, spoken), seat=attempt.seat, key=f"{RETRY}{n}")


async def letters(
    house: House, *, status: LetterStatus | None = None, stream: str | None = None, limit: int = 100
) -> Sequence[Letter]:
    """Letters, the earliest due first."""
    return (await house.backend.outbox.list(stream=stream, status=status))[:limit]


async def decide(house: House, stream: str, key: str, decision: Decision) -> Letter:
    """Hold an unsent letter, let it go, or cancel it.

    Raises:
        Unknown: no such letter.
        Refused: it was sent already.
    """
    return await house.backend.outbox.mark(stream, key, _BECOMES[decision])


async def spent(house: House, *, days: int = 30) -> Sequence[DaySpent]:
    """What models cost on each of the last days of the house clock, by world and model; today is among them."""
    today = moment(house.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    return await house.backend.overview.spent(micros(today - DAY * (days - 1)), micros(today + DAY))
