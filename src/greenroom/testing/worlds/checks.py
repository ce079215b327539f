"""What must hold of a stream after every step, worked out anew beside the house."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from greenroom.journal.records import Step
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.journal.transitions import OPEN_KEY
from greenroom.kernel.codec import canonical
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import HOUSE, OPERATOR, EventContext, Seat
from greenroom.testing.worlds.stage import Stage
from greenroom.text.echo import holds

#: A seat that no world gives away.
STRANGER: Seat = "a stranger nobody invited"


@dataclass(slots=True)
class Observer:
    """Folds a stream by itself and compares."""

    stage: Stage
    stream: str
    state: Any = None
    version: int = 0
    history: bytes = GENESIS
    last_at: int = 0
    attempts: int = 0
    #: Bytes of the state at every version.
    states: list[bytes] = field(default_factory=list)
    told: list[EventContext[Any]] = field(default_factory=list)
    #: Prompts looked at so far, and the secrets hidden before the newest turn.
    prompts: int = 0

    def __post_init__(self) -> None:
        self.state = self.stage.trial.world.blank
        self.states.append(self.stage.codec.state(self.state))

    async def look(self) -> None:
        """Check everything that is new."""
        assert not self.stage.watch.troubles, "; ".join(self.stage.watch.troubles)
        before, known = self.version, self.state
        await self._steps()
        await self._attempts()
        self._pure()
        await self._head()
        await self._secrets(before, known)

    # replay equals live

    async def _steps(self) -> None:
        row = await self.stage.backend.streams.get(self.stream)
        async for step in self.stage.backend.history.steps(self.stream, self.version, row.version):
            self._step(step)
        assert self.version == row.version, (
            f"{self.stream} says it is at version {row.version}, its steps end at {self.version}"
        )

    def _step(self, step: Step) -> None:
        where = f"{self.stream}, version {step.version}"
        codec, world = self.stage.codec, self.stage.trial.world
        assert step.version == self.version + 1, f"{where}: a step {self.version + 1} is missing"
        assert step.at >= self.last_at, f"{where}: time runs backwards"
        expected = history_sum(self.history, version=step.version, at=step.at, n=step.n, events=step.events)
        assert step.history == expected, f"{where}: the stored events were altered"
        events = codec.read_events(step.events, where)
        assert codec.events(events) == step.events, f"{where}: events do not come back from their bytes as they were"
        for i, event in enumerate(events):
            told = EventContext(stream=self.stream, version=step.version, ordinal=i, at=moment(step.at), event=event)
            self.state = self._evolved(told, where)
            self.told.append(told)
        data = codec.state(self.state)
        assert step.fold == fold_sum(world.shape, data), f"{where}: replay leads to another state than live play did"
        again = codec.state(codec.read_state(data, world.shape, where))
        assert again == data, f"{where}: the state does not come back from its bytes as it was"
        self.version, self.history, self.last_at = step.version, step.history, step.at
        self.states.append(data)

    def _evolved(self, told: EventContext[Any], where: str) -> Any:
        codec, world = self.stage.codec, self.stage.trial.world
        before = codec.state(self.state)
        state = world.evolve(self.state, told)
        assert codec.state(self.state) == before, f"{where}: evolve changed the state it was given"
        assert codec.state(world.evolve(self.state, told)) == codec.state(state), f"{where}: evolve is not pure"
        for name in ("rows", "letters"):
            made = [canonical(list(getattr(world, name)(state, told))) for _ in range(2)]
            assert made[0] == made[1], f"{where}: {name} is not pure"
        return state

    async def _head(self) -> None:
        head = await self.stage.house.states.now(self.stream)
        assert self.stage.codec.state(head.state) == self.states[-1], (
            f"{self.stream}, version {self.version}: the state the house goes on with is not what its events lead to"
        )

    async def every_version(self) -> None:
        """Load each version, with and without snapshots."""
        history, codec, world = self.stage.backend.history, self.stage.codec, self.stage.trial.world
        for version, expected in enumerate(self.states):
            head = await self.stage.house.states.at(self.stream, version)
            assert codec.state(head.state) == expected, f"{self.stream}, version {version}: loads as another state"
            loaded = await history.load(self.stream, version)
            if loaded.snapshot is not None and loaded.snapshot.shape == world.shape:
                stored = self.states[loaded.snapshot.version]
                assert loaded.snapshot.state == stored, f"{self.stream}: the snapshot at {version} is another state"
            plain = await history.load(self.stream, version, snapshots=False)
            assert [step.version for step in plain.steps] == list(range(1, version + 1)), (
                f"{self.stream}, version {version}: its steps have gaps"
            )

    # codec

    async def _attempts(self) -> None:
        codec = self.stage.codec
        for attempt in await self.stage.backend.streams.attempts(self.stream, after=self.attempts):
            value = codec.read_command(attempt.command)
            opens = attempt.key == OPEN_KEY and attempt.n == 1
            data = codec.config(value) if opens else codec.command(value)
            assert data == attempt.command, (
                f"{self.stream}, attempt {attempt.n}: the command does not come back from its bytes as it was"
            )
            assert attempt.status is not None, f"{self.stream}, attempt {attempt.n} was left open"
            assert attempt.status != "failed", f"{self.stream}, attempt {attempt.n} failed: {attempt.error}"
            self.attempts = attempt.n

    # purity of everything that is only asked

    def _pure(self) -> None:
        world, state, at = self.stage.trial.world, self.state, moment(self.last_at)
        before = self.stage.codec.state(state)
        for seat in (*world.seats(state), STRANGER):
            for name, ask in (
                ("legal", lambda seat=seat: list(world.legal(state, seat))),
                ("view", lambda seat=seat: world.view(state, seat, at)),
                ("reply", lambda seat=seat: world.reply(state, self.told[-3:], seat)),
                ("shows", lambda seat=seat: [world.shows(state, told, seat) for told in self.told[-3:]]),
                ("wake_at", lambda: world.wake_at(state)),
                ("outcome", lambda: world.outcome(state)),
            ):
                assert canonical(ask()) == canonical(ask()), f"{self.stream}: {name} of {seat} is not pure"
        assert self.stage.codec.state(state) == before, f"{self.stream}: looking at the state changed it"

    # secrets

    def hidden(self, seat: Seat, state: Any) -> list[str]:
        """What this seat must not see in this state."""
        if seat in (HOUSE, OPERATOR):
            return []
        return [secret.text for secret in self.stage.trial.secrets(state) if seat not in secret.known_to]

    async def _secrets(self, before: int, known: Any) -> None:
        house = self.stage.house
        for seat in (*self.stage.trial.world.seats(self.state), STRANGER):
            hidden = self.hidden(seat, self.state)
            if not hidden:
                continue
            look = await house.view(self.stream, seat=seat)
            refuse_leaks(look.body, hidden, f"{self.stream}, version {self.version}: the view of {seat}")
            async for shown in house.events(self.stream, seat=seat, after=before):
                refuse_leaks(shown.body, hidden, f"{self.stream}, version {shown.version}: an event shown to {seat}")
        self._prompts(known)

    def _prompts(self, known: Any) -> None:
        """A prompt may hold what its seat knew before the turn or came to know in it."""
        for asked, ask in self.stage.models.asked[self.prompts :]:
            if asked.stream == self.stream:
                now = set(self.hidden(ask.seat, self.state))
                learnt = {secret.text for secret in self.stage.trial.secrets(self.state)} - now
                hidden = now | (set(self.hidden(ask.seat, known)) - learnt)
                where = f"{self.stream}, attempt {asked.n}: the prompt of {ask.seat or 'nobody'}"
                refuse_leaks([section.texts for section in ask.sections], sorted(hidden), where)
        self.prompts = len(self.stage.models.asked)


def refuse_leaks(body: Any, hidden: Iterable[str], where: str) -> None:
    said = plain_text(body)
    for secret in hidden:
        assert _even(secret) not in said, f"{where} gives away what it must not know"
        assert not holds(said, secret), f"{where} gives away in disguise what it must not know"


def plain_text(body: Any) -> str:
    """All text anywhere in plain data, evened out so that case and line breaks hide nothing."""
    return _even("\n".join(_strings(body)))


def _even(text: str) -> str:
    return " ".join(text.casefold().split())


def _strings(body: Any) -> Sequence[str]:
    match body:
        case str():
            return (body,)
        case dict():
            return [text for pair in body.items() for part in pair for text in _strings(part)]
        case list() | tuple():
            return [text for part in body for text in _strings(part)]
        case _:
            return (str(body),)
