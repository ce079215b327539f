"""Letting go: what a world's retention says is old, and what a person wants gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from greenroom.journal.records import Removed, Stream
from greenroom.kernel.errors import Forgotten, Malformed, Unknown
from greenroom.ports import Backend
from greenroom.services.states import Codecs
from greenroom.services.tables import every_stream

#: Streams removed in one transaction, give or take a family: others want to write too.
_TOGETHER = 200
_MICRO = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What a round of retention removed, or would."""

    dry: bool
    #: Streams that went whole, and streams that lost a prefix.
    removed: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgot:
    """What forgetting a person removed; whoever keeps states of these streams at hand must drop them."""

    streams: tuple[str, ...]
    counts: Mapping[str, int]
    #: Backups that still hold the person.
    backups: tuple[str, ...]
    #: Followers that have not yet taken out of their copies what was removed.
    copies: tuple[str, ...] = ()


async def prune(backend: Backend, codecs: Codecs, *, now: int, dry: bool) -> Pruned:
    """Apply the declared retention of every world of this house.

    A dry run tells what the real one would remove and changes nothing.
    """
    # Decided on the house as it is before anything goes; otherwise a dry run could not foresee it.
    batches = [batch async for batch in _ended(backend, codecs, now)]
    going = {name for batch in batches for name in (await backend.upkeep.remove(batch, now=now, dry=True)).streams}
    shortened: list[Removed] = []
    for codec in codecs.values():
        keep = codec.world.retention.steps
        if keep is None:
            continue
        async for stream in every_stream(backend, codec.world.name):
            if stream.name not in going:
                before, shape = now - keep // _MICRO, codec.world.shape
                cut = await backend.upkeep.prune(stream.name, before, shape=shape, now=now, dry=dry)
                shortened.extend([cut] if cut.streams else [])
    removed = [await backend.upkeep.remove(batch, now=now, dry=dry) for batch in batches]
    counts: Counter[str] = Counter()
    for part in (*removed, *shortened):
        counts.update(part.counts)
    return Pruned(dry=dry, removed=_names(removed), shortened=_names(shortened), counts=dict(counts))


def _names(parts: Sequence[Removed]) -> tuple[str, ...]:
    return tuple(sorted(name for part in parts for name in part.streams))


async def _ended(backend: Backend, codecs: Codecs, now: int) -> AsyncIterator[Sequence[str]]:
    """Streams that ended long enough ago, whole families together: what keeps one of them keeps no stranger."""
    families: dict[str, list[str]] = {}
    for codec in codecs.values():
        keep = codec.world.retention.ended
        if keep is None:
            continue
        async for stream in every_stream(backend, codec.world.name):
            if stream.outcome is not None and stream.last_at < now - keep // _MICRO:
                families.setdefault(await _eldest(backend, stream), []).append(stream.name)
    batch: list[str] = []
    for family in families.values():
        batch.extend(family)
        if len(batch) >= _TOGETHER:
            yield tuple(batch)
            batch.clear()
    if batch:
        yield tuple(batch)


async def _eldest(backend: Backend, stream: Stream) -> str:
    """The stream that this one, through branches and plays, comes from."""
    while (elder := stream.parent or stream.player) is not None:
        try:
            stream = await backend.streams.get(elder)
        except (Unknown, Forgotten):
            break  # its player may have gone before it
    return stream.name


async def forget(backend: Backend, owner: str, *, now: int) -> Forgot:
    """Remove a person for good; see :meth:`Upkeep.forget`.

    Raises:
        Malformed: no person was named.
        Locked: removed, but another program still reads the old bytes; forget again.
    """
    if not owner.strip():
        raise Malformed("whom? give the id of a person")
    removed = await backend.upkeep.forget(owner, now=now)
    backups = await backend.upkeep.backups_with(owner)
    return Forgot(streams=removed.streams, counts=removed.counts, backups=tuple(backups))
