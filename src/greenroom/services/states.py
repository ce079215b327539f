"""Where a stream stands: its state, worked out from a snapshot and the steps after it, and kept at hand."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from greenroom.journal.records import Loaded, Snapshot, Step, Stream
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import CorruptHistory, NotInstalled, Unknown
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import EventContext
from greenroom.ports import Backend
from greenroom.text.spelling import did_you_mean

log = logging.getLogger("greenroom")

Codecs = Mapping[str, Codec[Any, Any, Any]]


class HouseCodecs(dict[str, Codec[Any, Any, Any]]):
    """The codecs of a house, with the package that each world came with, also of worlds that are not here any more."""

    def __init__(self, codecs: Codecs) -> None:
        super().__init__(codecs)
        self.packages: dict[str, str] = {}


class StreamState(msgspec.Struct, frozen=True):
    """A stream at one version."""

    stream: Stream
    codec: Codec[Any, Any, Any]
    version: int
    state: Any
    history: bytes
    #: Steps and bytes since the last snapshot, and what that snapshot weighed.
    tail_steps: int = 0
    tail_bytes: int = 0
    snapshot_bytes: int = 0

    def at(self, stream: Stream) -> StreamState:
        """The same state with the stream's row as just read."""
        return replace(self, stream=stream)


def codec_of(codecs: Codecs, world: str) -> Codec[Any, Any, Any]:
    """What reads and writes the values of a world.

    Raises:
        NotInstalled: the package that brought it is not here any more; names it.
        Unknown: nobody ever brought it here.
    """
    try:
        return codecs[world]
    except KeyError:
        kind = NotInstalled if world in getattr(codecs, "packages", ()) else Unknown
        raise kind(missing(codecs, world)) from None


def missing(codecs: Codecs, world: str) -> str:
    """One sentence: which world is not here, and what would bring it, as far as the house remembers."""
    package = getattr(codecs, "packages", {}).get(world)
    if package is None:
        return f"there is no world {world!r}; {did_you_mean(world, codecs)}"
    return f"the world {world!r} comes with the package {package}, which is not installed here; install it to go on"


def told(codec: Codec[Any, Any, Any], stream: str, step: Step) -> tuple[EventContext[Any], ...]:
    """The events of a stored step in their places."""
    events = codec.read_events(step.events, f"stream {stream}, version {step.version}")
    at = moment(step.at)
    return tuple(
        EventContext(stream=stream, version=step.version, ordinal=i, at=at, event=event)
        for i, event in enumerate(events)
    )


def check_history(stream: str, previous: bytes, step: Step) -> None:
    """Refuse a step whose stored bytes are not what was written.

    Raises:
        CorruptHistory: names the stream and the version.
    """
    expected = history_sum(previous, version=step.version, at=step.at, n=step.n, events=step.events)
    if expected != step.history:
        raise CorruptHistory(
            f"stream {stream}, version {step.version}: the stored events do not match their history sum; "
            "restore a backup or branch from an earlier version"
        )


def check_fold(stream: str, codec: Codec[Any, Any, Any], state: Any, step: Step) -> int:
    """Refuse a state that is not the one the step led to when it was written; returns its weight."""
    data = codec.state(state)
    if step.shape == codec.world.shape and fold_sum(step.shape, data) != step.fold:
        raise CorruptHistory(
            f"stream {stream}, version {step.version}: the rules of {codec.world.name} now lead to another state; "
            "if they changed on purpose, raise the world's shape"
        )
    return len(data)


def folded(codec: Codec[Any, Any, Any], state: Any, stream: str, step: Step) -> Any:
    events = told(codec, stream, step)
    try:
        for event in events:
            state = codec.world.evolve(state, event)
    except Exception as error:  # whatever it is: its text might quote words
        raise CorruptHistory(
            f"stream {stream}, version {step.version}: the rules of {codec.world.name} cannot fold its events "
            f"({type(error).__name__})"
        ) from error
    return state


def unfold(codec: Codec[Any, Any, Any], loaded: Loaded) -> StreamState:
    """The state at a version.

    Raises:
        CorruptHistory: a sum does not agree.
    """
    name = loaded.stream.name
    state, weight = _start(codec, loaded)
    history, tail = loaded.stood.history if loaded.stood else GENESIS, 0
    for step in loaded.steps:
        check_history(name, history, step)
        state = folded(codec, state, name, step)
        history, tail = step.history, tail + len(step.events)
    if loaded.steps:
        check_fold(name, codec, state, loaded.steps[-1])
    return StreamState(loaded.stream, codec, loaded.version, state, history, len(loaded.steps), tail, weight)


def _start(codec: Codec[Any, Any, Any], loaded: Loaded) -> tuple[Any, int]:
    snapshot = loaded.snapshot
    if snapshot is None:
        return codec.world.blank, 0
    where = f"stream {loaded.stream.name}, snapshot at version {snapshot.version}"
    stood = loaded.stood
    if stood and stood.shape == snapshot.shape and fold_sum(snapshot.shape, snapshot.state) != stood.fold:
        raise DamagedSnapshot(f"{where}: the stored state does not match its fold sum")
    try:
        return codec.read_state(snapshot.state, snapshot.shape, where), len(snapshot.state)
    except CorruptHistory as error:
        raise DamagedSnapshot(str(error)) from error


class DamagedSnapshot(CorruptHistory):
    """A snapshot cannot be used; the events still can."""


class StateCache:
    """Heads of streams, the recently used ones at hand."""

    def __init__(self, backend: Backend, codecs: Codecs, *, most: int = 4096) -> None:
        self._backend = backend
        self._codecs = codecs
        self._most = most
        self._kept: OrderedDict[str, StreamState] = OrderedDict()

    def cached(self, stream: str) -> StreamState | None:
        return self._kept.get(stream)

    def keep(self, head: StreamState) -> None:
        self._kept[head.stream.name] = head
        self._kept.move_to_end(head.stream.name)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def drop(self, stream: str) -> None:
        self._kept.pop(stream, None)

    def fitting(self, stream: Stream) -> StreamState | None:
        """The head of a stream as just read, if it is at hand and nothing was written since."""
        kept = self._kept.get(stream.name)
        if kept is None or kept.version != stream.version:
            return None
        return kept if kept.stream is stream else kept.at(stream)

    async def of(self, stream: Stream) -> StreamState:
        """The head of a stream as just read: from the cache if nothing was written since."""
        head = self.fitting(stream)
        if head is not None:
            return head
        head = (await self.at(stream.name, stream.version)).at(stream)
        self.keep(head)
        return head

    async def now(self, stream: str) -> StreamState:
        """The head of a stream as it stands in the back-end."""
        return await self.of(await self._backend.streams.get(stream))

    async def at(self, stream: str, version: int | None = None) -> StreamState:
        """The stream at any version. A damaged snapshot is rebuilt from events, and said."""
        loaded = await self._backend.history.load(stream, version)
        codec = codec_of(self._codecs, loaded.stream.world)
        old_shape = loaded.snapshot is not None and loaded.snapshot.shape != codec.world.shape
        try:
            if old_shape and not self._pruned_at(loaded):
                raise DamagedSnapshot("a snapshot of another shape")
            return unfold(codec, loaded)
        except DamagedSnapshot as damage:
            return await self._rebuilt(stream, loaded, codec, None if old_shape else str(damage))

    @staticmethod
    def _pruned_at(loaded: Loaded) -> bool:
        return loaded.snapshot is not None and loaded.snapshot.version == loaded.stream.mark

    async def _rebuilt(
        self, stream: str, damaged: Loaded, codec: Codec[Any, Any, Any], damage: str | None
    ) -> StreamState:
        assert damaged.snapshot is not None
        if self._pruned_at(damaged):
            raise CorruptHistory(f"{damage}; the events before it were pruned: restore a backup")
        head = unfold(codec, await self._backend.history.load(stream, damaged.version, snapshots=False))
        whole = unfold(codec, await self._backend.history.load(stream, damaged.snapshot.version, snapshots=False))
        rebuilt = Snapshot(version=whole.version, shape=codec.world.shape, state=codec.state(whole.state))
        await self._backend.upkeep.replace_snapshot(stream, rebuilt)
        if damage is not None:
            log.warning("%s; it was rebuilt from the events", damage)
        return replace(head, tail_steps=head.version - rebuilt.version, snapshot_bytes=len(rebuilt.state))
