"""The face of a running house: start a stream, send a command, look, branch, recall, forget."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import takewhile
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from greenroom.journal.records import Attempt, Birth, Fork, Receipt, Recording, Removed, Stream
from greenroom.kernel.asks import AskModel, Failed, Json, UseTool
from greenroom.kernel.errors import Forgotten, Malformed, Refused, Unknown
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import Seat
from greenroom.plugins import Installed
from greenroom.ports import Asked, Backend, Cast, MovableClock, Recast
from greenroom.services import links, prompting, retention, transfer
from greenroom.services.access import Access
from greenroom.services.budgets import Budgets
from greenroom.services.following import Following
from greenroom.services.prompting import Prompted
from greenroom.services.queries import Look, Queries, Remembered, ShownEvent
from greenroom.services.requests import check_name, new_key, opening, recorded, reread
from greenroom.services.retention import Forgot, Pruned
from greenroom.services.states import Codecs, HouseCodecs
from greenroom.services.turns import Outside, Turned, TurnEngine

T = TypeVar("T")

#: What the house remembers of the package that brought a world.
WORLD_NOTE = "world/"
#: Seeds are kept as 64-bit numbers with a sign.
MOST_SEED = 1 << 63


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the giver of a command is told."""

    stream: str
    #: Ordinal of the attempt.
    n: int
    version: int
    at: datetime
    #: The world's own reply, words filled in.
    body: Json
    #: False when the key was used before and this is the earlier answer.
    new: bool = True


class Works(Protocol):
    """Whoever drives what is due."""

    async def quiet(self) -> None:
        """Work until nothing is due and nothing is in progress."""

    async def advance(self, clock: MovableClock, until: int) -> None:
        """Let virtual time pass."""


class House(Queries):
    """One running Greenroom: everything that can be asked of it, and everything that can be done in it.

    Make one with ``greenroom.open``. Whoever serves people or programs uses this class and the other services,
    never the parts that it is made of.
    """

    __slots__ = (
        "access",
        "agents",
        "budgets",
        "engine",
        "following",
        "installed",
        "keeping",
        "outside",
        "stop",
        "worker",
    )

    def __init__(
        self,
        backend: Backend,
        codecs: Codecs,
        outside: Outside,
        engine: TurnEngine,
        *,
        installed: Installed | None = None,
        following: Following | None = None,
        budgets: Budgets | None = None,
    ) -> None:
        super().__init__(backend, codecs, engine.states, outside.clock)
        self.outside = outside
        self.engine = engine
        #: The plug-ins that brought its worlds.
        self.installed = installed or Installed()
        #: What a day may take.
        self.budgets = budgets or Budgets()
        #: What agents of other frameworks keep here.
        self.agents = backend.agents
        #: Who may come in.
        self.access = Access(backend)
        #: Whoever keeps copies of what is settled.
        self.following = following or Following(backend, codecs, engine.states, (), engine.lease)
        #: Background work that lives as long as the house.
        self.keeping: list[asyncio.Task[None]] = []
        self.stop = asyncio.Event()
        self.worker: Works | None = None

    # starting and sending

    async def start(
        self,
        world: str,
        config: Any = None,
        *,
        owner: str = "local",
        name: str | None = None,
        seed: int | None = None,
        seat: Seat | None = None,
    ) -> Reply:
        """Open a stream. The same name with the same config and owner gives the stream that is there.

        Raises:
            Unknown: no such world.
            Malformed: the config does not fit it, or the name or owner is not usable.
            Refused: the world's rules say no.
            KeyReused: a stream of that name was opened otherwise.
        """
        recording = self._opening(world, config, owner=owner, name=new_name() if name is None else name, seed=seed)
        await self._note_package(world)
        return await self._recorded(recording, seat or owner)

    async def record_start(
        self, world: str, config: Any = None, *, owner: str = "local", name: str, seed: int | None = None
    ) -> Receipt:
        """Store that a stream is to be opened and leave it to a worker; raises what :meth:`start` does, but Refused."""
        recording = self._opening(world, config, owner=owner, name=name, seed=seed)
        await self._note_package(world)
        return await self.backend.attempts.record(recording)

    def _opening(self, world: str, config: Any, *, owner: str, name: str, seed: int | None) -> Recording:
        codec = self.codec(world)
        value = config if isinstance(config, codec.world.config) else codec.config_from(config)
        check_name(owner, "owner")
        check_name(name, "stream name")
        if seed is not None and not -MOST_SEED <= seed < MOST_SEED:
            raise Malformed(f"a seed is a whole number of at most 63 bits; {seed} is not")
        birth = Birth(world=world, owner=owner, seed=secrets.randbits(62) if seed is None else seed)
        return opening(codec, value, name, birth, now=self.now(), secret=self.backend.secret)

    async def remember_packages(self) -> None:
        """Read from which packages the worlds of this house came, also those that are not installed any more."""
        if isinstance(self.codecs, HouseCodecs):
            self.codecs.packages.update(await self.backend.upkeep.notes(WORLD_NOTE))

    async def _note_package(self, world: str) -> None:
        """Keep which package brings a world, before its first stream: whoever lacks it later is told."""
        plugin = next((name for name, worlds in self.installed.worlds.items() if world in {w.name for w in worlds}), "")
        brought = next((f"{one.package} {one.version}" for one in self.installed.used if one.name == plugin), None)
        shipped = any(one.shipped for one in self.installed.used if one.name == plugin)
        if brought is None or shipped or not isinstance(self.codecs, HouseCodecs):
            return
        if self.codecs.packages.get(world) != brought:
            await self.backend.upkeep.note(f"{WORLD_NOTE}{world}", brought)
            self.codecs.packages[world] = brought

    async def send(
        self, stream: str, command: Any, *, seat: Seat, key: str | None = None, person: str | None = None
    ) -> Reply:
        """Give a command and wait until it is settled. It is recorded before anything is done about it.

        Raises:
            Unknown: no such stream.
            Refused: the rules forbid it; the attempt stands recorded as refused.
            KeyReused: this key was used for another command.
        """
        state = self.states.cached(stream) or await self.states.now(stream)
        recording = recorded(
            state.codec,
            command,
            stream=stream,
            key=new_key() if key is None else key,
            seat=seat,
            now=self.clock.now(),
            secret=self.backend.secret,
            person=person,
            fresh=key is None,
        )
        if state.stream.open == 0 and not self.engine.drives(stream):
            turned = (await self.engine.draft(state, recording, command)).turned
            if turned is not None:
                return await self._reply(turned.settled.attempt, turned, seat)
            self.states.drop(stream)
        # It may be recorded by now, and is again whenever nobody drives it: from here on its key is looked up.
        return await self._recorded(replace(recording, fresh=False), seat)

    async def record(self, stream: str, command: Any, *, seat: Seat, key: str, person: str | None = None) -> Receipt:
        """Store a command and leave it to a worker."""
        row = await self.backend.streams.get(stream)
        codec = self.codec(row.world)
        recording = recorded(
            codec,
            command,
            stream=stream,
            key=key,
            seat=seat,
            now=self.now(),
            secret=self.backend.secret,
            person=person,
        )
        return await self.backend.attempts.record(recording)

    async def _recorded(self, recording: Recording, seat: Seat) -> Reply:
        """Record the command, if it is not yet, and wait until it is settled."""
        receipt = await self.engine.record(recording)
        attempt = receipt.attempt
        if attempt.status is not None:
            return await self._reply(attempt, None, seat, new=False)
        turned = await self.engine.settled(recording, attempt)
        if turned is not None:
            return await self._reply(turned.settled.attempt, turned, seat, new=receipt.new)
        return await self._reply(await self.backend.attempts.find(attempt.stream, attempt.n), None, seat)

    # replies

    async def _reply(self, attempt: Attempt, turned: Turned | None, seat: Seat, *, new: bool = True) -> Reply:
        if attempt.status == "refused":
            raise Refused(attempt.error or "refused")
        if attempt.status != "settled" or attempt.version is None:
            raise Refused(f"attempt {attempt.n} of stream {attempt.stream} was not carried out: {attempt.error}")
        if turned is None:
            head, events = await self.as_it_was(attempt)
            texts: Mapping[str, str] = {}
        else:
            head, events, texts = turned.state, turned.told, turned.texts
        body = head.codec.world.reply(head.state, events, seat)
        return Reply(
            stream=attempt.stream,
            n=attempt.n,
            version=attempt.version,
            at=moment(attempt.at),
            body=await self.speak(body, texts, gone=not new),
            new=new,
        )

    async def replied(self, stream: str, n: int, *, seat: Seat | None = None) -> Reply | None:
        """What the giver of an attempt was told; None while it is not settled.

        Raises:
            Unknown: no such stream or attempt.
            Refused: the attempt was refused, or given up.
            Forgotten: the words of the reply have been removed.
        """
        attempt = await self.backend.attempts.find(stream, n)
        if attempt.status is None:
            return None
        return await self._reply(attempt, None, seat or attempt.seat, new=False)

    def settings(self, plugin: str, kind: type[T]) -> T:
        """The settings of a plug-in.

        Raises:
            Unknown: this house does not have it.
        """
        found = self.installed.settings.get(plugin)
        if not isinstance(found, kind):
            raise Unknown(f"this house does not have the plug-in {plugin}")
        return found

    # outside

    def plays(self, role: str) -> str | None:
        """Who plays a role in this house: ``provider:model``, ``understudy``, …; None if whoever does will not say."""
        models = self.outside.models
        return models.plays(role) if isinstance(models, Cast) else None

    def cast(self) -> Mapping[str, str]:
        """Who else can be asked in this house, by role; nobody where whoever answers cannot be exchanged."""
        models = self.outside.models
        return models.cast() if isinstance(models, Recast) else {}

    async def ask_model(self, ask: AskModel, asked: Asked) -> Json | Failed:
        """Ask whoever plays a role, outside of any turn: nothing is stored, nothing is charged to a stream."""
        answer, _ = await self.outside.models.ask(ask, asked)
        return answer

    async def use_tool(self, ask: UseTool, key: str) -> Json | Failed:
        """Use a tool outside of any turn; nothing is stored."""
        return await self.outside.tools.use(ask, key)

    async def prompts(self, stream: str, version: int) -> tuple[Prompted, ...]:
        """What the models of the turn that made a version were given, in words, put together again from what is kept.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold that version.
        """
        told = await self.why(stream, version)
        row = await self.backend.streams.get(told.of)
        ledger = [entry for n, entry in await self.backend.streams.ledger(told.of) if n == told.attempt]
        noticing = self.outside.noticing
        return await prompting.prompts(self.backend, self.states, noticing, stream=row, n=told.attempt, ledger=ledger)

    # what is being said

    def saying(self, stream: str, seat: Seat) -> str | None:
        """What a seat may hear of a line that is still being said in this process; None while nobody speaks."""
        saying = self.outside.aloud.of(stream) if self.outside.aloud is not None else None
        head = self.states.cached(stream)
        if saying is None or head is None:
            return None
        overhears = head.codec.world.overhears
        heard = takewhile(lambda sentence: overhears(saying.state, seat, sentence), saying.sentences)
        return " ".join(heard) or None

    def listen(self, stream: str, ear: Callable[[], None]) -> Callable[[], None]:
        """Have ``ear`` called whenever somebody says a sentence in a stream; returns how to stop that."""
        aloud = self.outside.aloud
        if aloud is None:
            return lambda: None
        aloud.listen(stream, ear)
        return lambda: aloud.leave(stream, ear)

    # links that do one thing

    def sign(self, purpose: str, stream: str) -> str:
        """The end of a link that lets whoever follows it do one thing to one stream."""
        return links.sign(self.backend.secret, purpose, stream)

    def is_signed(self, purpose: str, stream: str, given: str) -> bool:
        """Whether a link ends as :meth:`sign` says."""
        return links.is_signed(self.backend.secret, purpose, stream, given)

    def digest(self, text: str, size: int = 16) -> bytes:
        """Bytes that follow from a text and from this house, and from nothing that anybody outside knows."""
        return blake2b(text.encode(), key=self.backend.secret[:64], digest_size=size).digest()

    # branching and cancelling

    async def branch(
        self, stream: str, at: int | None = None, *, name: str | None = None, awake: bool = False
    ) -> Stream:
        """Continue a stream elsewhere from the end of any step; nothing is copied, the parent never changes.

        The branch is a sandbox: mute, on a standing clock of its own, and asleep unless ``awake``.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold that version.
        """
        if name is not None:
            check_name(name, "stream name")
        row = await self.backend.streams.get(stream)
        version = row.version if at is None else at
        head = await self.states.at(stream, version)
        wake_at = head.codec.world.wake_at(head.state) if version else None
        fork = Fork(
            parent=stream,
            at=version,
            name=new_name() if name is None else name,
            seed=secrets.randbits(62),
            now=self.now(),
            awake=awake,
            wake_at=None if wake_at is None else micros(wake_at),
        )
        return await self.backend.history.fork(fork)

    async def again(
        self, stream: str, *, name: str | None = None, at: int | None = None, by: str | None = None
    ) -> tuple[Stream, Reply]:
        """Say that again: a branch before the last command's turn, on which the same command is given.

        Args:
            at: the version that the turn made; the last command's by default.
            by: the role whose model answers on the branch, in place of whoever plays there.

        Raises:
            Refused: there is no settled command to repeat.
            Unknown: nobody plays that role.
        """
        branch, command, seat = await self.before_last(stream, name=name, at=at)
        if by is not None:
            if not isinstance(self.outside.models, Recast):
                raise Unknown("whoever answers in this house cannot be exchanged")
            self.outside.models.recast(branch.name, by)
        return branch, await self.send(branch.name, command, seat=seat)

    async def before_last(
        self, stream: str, *, name: str | None = None, at: int | None = None
    ) -> tuple[Stream, Any, Seat]:
        """A branch before a command's turn, that command, and who gave it; raises what :meth:`again` does."""
        attempt = await self._last_command(stream, at)
        row = await self.backend.streams.get(stream)
        codec = self.codec(row.world)
        command = await reread(self.backend, codec, attempt)
        words = [Words(word.text) for word in codec.words_of(command)]
        if any(word.text is None for word in words):
            raise Forgotten("the words of that command have been removed")
        command = codec.with_words(command, words)
        return await self.branch(stream, attempt.base, name=name), command, attempt.seat

    async def _last_command(self, stream: str, at: int | None = None) -> Attempt:
        row = await self.backend.streams.get(stream)
        found = await self.backend.streams.attempts(stream, after=0 if at else max(0, row.recorded - 200))
        for attempt in reversed(found):
            made = at is None or (attempt.base is not None and attempt.base < at <= (attempt.version or 0))
            if made and attempt.status == "settled" and attempt.rank and attempt.base and attempt.command:
                return attempt
        raise Refused(f"stream {stream} has no command of its own to repeat")

    async def cancel(self, stream: str, n: int) -> Attempt:
        """Take back an attempt that is not settled yet; a settled one stays as it is."""
        attempt = await self.backend.attempts.cancel(stream, n)
        self.engine.cancelled(attempt)
        return attempt

    # carrying, forgetting

    async def import_(self, lines: AsyncIterable[bytes] | Iterable[bytes]) -> Stream:
        """Take in a stream that was exported, here or elsewhere; every sum is checked first."""
        return await transfer.import_(self.backend, self.codecs, lines)

    async def forget(self, owner: str) -> Forgot:
        """Remove a person for good: their words everywhere, what agents keep of them, every stream they own whole."""
        forgot = await retention.forget(self.backend, owner, now=self.now())
        for stream in forgot.streams:
            self.states.drop(stream)
        await self.following.catch_up()
        copies = tuple(cursor.name for cursor in await self.following.list() if cursor.gone)
        return dataclasses.replace(forgot, copies=copies)

    async def prune(self, *, dry: bool = False) -> Pruned:
        """Remove what the worlds' retention rules no longer keep; a dry run only tells."""
        pruned = await retention.prune(self.backend, self.codecs, now=self.now(), dry=dry)
        for stream in () if dry else pruned.removed:
            self.states.drop(stream)
        return pruned

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        """What would go if a turn of the stream released these streams: how much of each kind. A dry run.

        Raises:
            Unknown: no such stream.
            Malformed: the turn would be a fault: it did not play one of them, or that one has not ended.
        """
        return await self.backend.upkeep.releasable(stream, names)

    async def prune_memories(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        """Remove what a scope holds of these kinds beyond ``cap``, the least important first; how many went."""
        return await self.backend.bank.prune(scope, cap, kinds=kinds)

    # time

    async def advance(self, until: datetime, *, stream: str | None = None) -> None:
        """Let time pass: on a house with a virtual clock, or on one branch.

        Everything that comes due on the way is handled at its own moment.

        Raises:
            Refused: the house lives in real time, or the stream does.
        """
        if stream is not None:
            await self.wake(stream, until)
            await self.quiet()
        elif isinstance(self.outside.clock, MovableClock):
            await self._worker().advance(self.outside.clock, micros(until))
        else:
            raise Refused("this house lives in real time; open it with a virtual clock to move it")

    async def writable(self) -> None:
        """Return when something could be written just now.

        Raises:
            Locked: somebody else holds the write lock, and does not let go of it.
        """
        await self.backend.upkeep.touch()

    async def quiet(self) -> None:
        """Work until nothing is due and nothing is in progress.

        Raises:
            Refused: nobody works in this house.
        """
        await self._worker().quiet()

    async def wake(self, stream: str, until: datetime) -> None:
        """Move the standing clock of a branch forward and let it be driven; nobody waits for that here.

        Raises:
            Refused: the stream is on the house clock.
        """
        await self.backend.streams.advance(stream, micros(until))

    def drives(self, stream: Stream) -> bool:
        """Whether somebody drives a stream, here or in another process."""
        return stream.busy_until > self.engine.lease().wall or self.engine.drives(stream.name)

    def _worker(self) -> Works:
        if self.worker is None:
            raise Refused("nobody works in this house; open it with work=True")
        return self.worker

    # ending

    async def close(self) -> None:
        """Hand back what is being driven and close the back-end."""
        self.stop.set()
        self.engine.leave()
        await asyncio.gather(*self.keeping, return_exceptions=True)
        await self.engine.close()
        await self.backend.close()


def new_name() -> str:
    """A stream name that nobody has: 80 random bits."""
    alphabet = "abcdefghijkmnpqrstuvwxyz23456789"
    return "".join(alphabet[byte & 31] for byte in secrets.token_bytes(16))


__all__ = ["House", "Look", "Remembered", "Reply", "ShownEvent", "Unknown", "new_name"]
