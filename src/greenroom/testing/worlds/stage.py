"""A house built for one trial, out of services alone, and the stream that is played in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import Codec, codecs
from greenroom.kernel.times import micros
from greenroom.ports import Backend
from greenroom.services.house import House
from greenroom.services.outbox import OutboxRelay
from greenroom.services.turns import Outside, TurnEngine
from greenroom.services.worker import Worker
from greenroom.testing.worlds.outside import EveryChannel, FunctionModels, FunctionTools, HandClock, KeepingChannel
from greenroom.testing.worlds.trial import Trial
from greenroom.testing.worlds.watch import Watch


@dataclass(slots=True)
class Stage:
    """Everything that one play is made of."""

    trial: Trial
    backend: Backend
    seed: int
    chance: Chance = field(init=False)
    clock: HandClock = field(init=False)
    watch: Watch = field(init=False)
    models: FunctionModels = field(init=False)
    channel: KeepingChannel = field(default_factory=KeepingChannel)
    house: House = field(init=False)
    worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        trial = self.trial
        self.chance = Chance("play", trial.world.name, self.seed)
        self.clock = HandClock(micros(trial.starts_at))
        self.watch = Watch(trial.world)
        self.models = FunctionModels(trial.answer, trial.failing, self.seed)
        known = codecs((self.watch.watched(), *trial.others))
        outside = Outside(models=self.models, tools=FunctionTools(trial.answer), clock=self.clock)
        engine = TurnEngine(backend=self.backend, codecs=known, outside=outside, worker="trial")
        self.house = House(self.backend, known, outside, engine)
        relay = OutboxRelay(
            backend=self.backend,
            codecs=known,
            channels=EveryChannel(self.channel),
            clock=self.clock,
            lease=engine.lease,
        )
        self.worker = Worker(self.house, relay)

    @property
    def name(self) -> str:
        return f"{self.trial.world.name}-{self.seed}"

    @property
    def codec(self) -> Codec[Any, Any, Any]:
        return self.watch.codec
