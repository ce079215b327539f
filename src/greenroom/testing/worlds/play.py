"""Random legal play of one world, with time passing, and everything checked after every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import Pattern, Seat
from greenroom.ports import Backend
from greenroom.services.house import Reply
from greenroom.testing.worlds.branches import try_branches
from greenroom.testing.worlds.checks import STRANGER, Observer, refuse_leaks
from greenroom.testing.worlds.sampling import NONSENSE, filled_in, out_of_bounds, weighted
from greenroom.testing.worlds.stage import Stage
from greenroom.testing.worlds.transcript import Transcript, written
from greenroom.testing.worlds.trial import Trial

Option = tuple[Seat, Any]


async def play(trial: Trial, backend: Backend, *, seed: int, commands: int) -> Transcript:
    """Play one stream with at most so many commands; the back-end must know the tables of ``trial.worlds``.

    Raises:
        AssertionError: the world, or the runtime under it, broke a promise.
    """
    player = Player(Stage(trial, backend, seed))
    await player.open()
    for _ in range(commands):
        await player.pass_time()
        await player.try_illegal()
        if not await player.act():
            break
    await player.after_the_end()
    await player.observer.every_version()
    transcript = await written(backend, trial.world, player.stage.name)
    await try_branches(player.stage, player.observer)
    return transcript


@dataclass(slots=True)
class Player:
    """Gives commands as ``legal`` allows them."""

    stage: Stage
    observer: Observer = field(init=False)
    given: list[Option] = field(default_factory=list)
    keys: int = 0

    def __post_init__(self) -> None:
        self.observer = Observer(self.stage, self.stage.name)

    @property
    def world(self) -> Any:
        return self.stage.trial.world

    async def open(self) -> None:
        stage, trial = self.stage, self.stage.trial
        config = trial.config(stage.chance)
        try:
            await stage.house.start(trial.world.name, config, owner=trial.owner, name=stage.name, seed=stage.seed)
        except Refused as refusal:
            raise AssertionError(f"{stage.name}: a stream with a config of the trial was not opened") from refusal
        await stage.worker.quiet()
        await self.observer.look()

    # time

    async def pass_time(self) -> None:
        """Let some time go by; the worker is at hand at every moment, or comes late, which must not matter."""
        stage = self.stage
        longest = int(stage.trial.pause.total_seconds())
        seconds = stage.chance.choose((0, 1, 60, stage.chance.below(longest + 1), stage.chance.below(longest + 1)))
        moment = stage.clock.now() + seconds * 1_000_000 + stage.chance.below(1000)
        if stage.chance.below(4):
            await stage.worker.advance(stage.clock, moment)
        else:
            stage.clock.move(moment)
            await stage.worker.quiet()
        await self.observer.look()

    # legal commands

    def options(self) -> list[Option]:
        state = self.observer.state
        return [(seat, option) for seat in self.world.seats(state) for option in self.world.legal(state, seat)]

    async def act(self) -> bool:
        """Give one legal command; False when there is nothing left to be done."""
        options = self.options()
        if not options:
            return self.world.outcome(self.observer.state) is None
        weights = [self.stage.trial.weight(_example(option)) for _, option in options]
        seat, option = weighted(options, weights, self.stage.chance)
        command = filled_in(option, self.stage.chance)
        await self._give(seat, command)
        self.given.append((seat, command))
        return True

    async def _give(self, seat: Seat, command: Any) -> None:
        where = f"{self.stage.name}: {type(command).__name__} of {seat}"
        key = self._key()
        try:
            reply = await self.stage.house.send(self.stage.name, command, seat=seat, key=key)
        except Refused as refusal:
            unique = {one.refusal for table in self.world.tables for one in table.unique}
            if str(refusal) not in unique:
                raise AssertionError(f"{where} is legal and was refused: {refusal}") from refusal
            return
        await self.stage.worker.quiet()
        await self.observer.look()
        refuse_leaks(reply.body, self.observer.hidden(seat, self.observer.state), f"{where}: the reply")
        if not self.stage.chance.below(4):
            again = await self.stage.house.send(self.stage.name, command, seat=seat, key=key)
            assert _twice(reply) == _twice(again), f"{where}: the same key gets another answer"
            assert not again.new, f"{where}: the same key was carried out twice"

    def _key(self) -> str:
        self.keys += 1
        return f"play {self.keys}"

    # illegal commands

    async def try_illegal(self) -> None:
        """Something close to a legal command that the rules must refuse."""
        state, chance = self.observer.state, self.stage.chance
        options = self.options()
        if not options:
            return
        seat, option = chance.choose(options)
        kind = type(_example(option))
        others = [other for other in (*self.world.seats(state), STRANGER) if not self._may(other, kind)]
        if others:
            await self._refused(chance.choose(others), filled_in(option, chance))
        wrong = out_of_bounds(option, chance)
        if wrong is not None:
            await self._refused(seat, wrong)

    def _may(self, seat: Seat, kind: type) -> bool:
        return any(type(_example(option)) is kind for option in self.world.legal(self.observer.state, seat))

    async def after_the_end(self) -> None:
        """When nobody may do anything any more, nothing that was legal once is done."""
        if self.world.outcome(self.observer.state) is not None and not self.options():
            for seat, command in self.given[-3:]:
                await self._refused(seat, command)

    async def _refused(self, seat: Seat, command: Any) -> None:
        stage, where = self.stage, f"{self.stage.name}: an illegal {type(command).__name__} of {seat}"
        before = await written(stage.backend, self.world, stage.name)
        try:
            await stage.house.send(stage.name, command, seat=seat, key=self._key())
        except Refused:
            pass
        else:
            raise AssertionError(f"{where} was not refused")
        after = await written(stage.backend, self.world, stage.name)
        assert after.steps == before.steps, f"{where} changed the story"
        assert after.rows == before.rows, f"{where} changed a table"
        assert after.letters == before.letters, f"{where} changed a letter"
        (attempt,) = after.attempts[len(before.attempts) :]
        assert attempt.status == "refused", f"{where} was {attempt.status}: {attempt.error}"
        assert attempt.error, f"{where} was refused without a reason"
        self._quotes_nothing(command, attempt.error, where)
        refuse_leaks(attempt.error, self.observer.hidden(seat, self.observer.state), f"{where}: the reason")
        await self.observer.look()

    def _quotes_nothing(self, command: Any, reason: str, where: str) -> None:
        for words in self.stage.codec.words_of(command):
            whole = words.text if words.text and len(words.text) > 12 else None
            quoted = [text for text in (whole, *NONSENSE) if text is not None and text in reason]
            assert not quoted, f"{where}: the reason quotes the words"


def _example(option: Any) -> Any:
    return option.example if isinstance(option, Pattern) else option


def _twice(reply: Reply) -> Sequence[Any]:
    return reply.n, reply.version, reply.at, reply.body
