"""Two weeks of many players in one sitting, on a virtual clock."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import greenroom
from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Refused
from greenroom.services import operations
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.app.temperaments import PLAYERS, TEMPERAMENTS, Glance
from greenroom.worlds.phantom.faces.app.watching import Watch, WatchedModels
from greenroom.worlds.phantom.outside import read_content, stand_in
from greenroom.worlds.phantom.rules import Content, phantom
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.pacing import local
from greenroom.worlds.phantom.rules.state import PLAYER, Delivery, Phantom

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC", "Australia/Sydney", "America/Sao_Paulo")
#: Players look at their post on the half hour, so that many look at once.
GRID = timedelta(minutes=30)
START = datetime(2031, 3, 3, 9, 0, tzinfo=UTC)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPlan:
    """What is to be simulated. The same plan is the same stories."""

    players: int = 100
    days: int = 14
    seed: int = 3

    def temperament(self, i: int) -> str:
        return TEMPERAMENTS[i % len(TEMPERAMENTS)]

    def name(self, i: int) -> str:
        return f"phantom-{self.seed}-{i + 1:04}"

    def owner(self, i: int) -> str:
        return f"player:{self.seed}:{i + 1}"

    def chance(self, i: int, *more: int) -> Chance:
        return Chance("phantom simulation", self.seed, i, *more)


class Sample(NamedTuple):
    """One player at the end of one day."""

    day: int
    temperament: str
    exposure: int
    trust: Mapping[str, int]
    levels: Mapping[str, str]


@dataclass(slots=True)
class Result:
    plan: SimulationPlan
    seconds: float = 0.0
    turns: int = 0
    samples: list[Sample] = field(default_factory=list)
    #: Letters that were sent, by day of the story and agent.
    letters: Counter[tuple[int, str]] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    #: What the players wrote.
    bodies: list[str] = field(default_factory=list)
    watch: Watch = field(default_factory=Watch)
    problems: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


async def simulate(
    plan: SimulationPlan, where: Any, *, progress: Progress = lambda done, whole: None, content: Content | None = None
) -> Result:
    """Play all the stories of a plan into a new house, anywhere that ``greenroom.open`` takes.

    Raises:
        Malformed: the content is wrong.
    """
    result, began = Result(plan), time.perf_counter()
    told, watch = content or read_content(), result.watch
    async with greenroom.open(
        where,
        plugins=(),  # one world, watched, on a clock that only we move
        worlds=(watch.world(phantom(told)),),
        models=WatchedModels(stand_in(told), watch),
        clock=START,
        recall="words",
        work=False,
    ) as house:
        crowd = Crowd(house, plan, result)
        await crowd.register()
        await crowd.live(progress)
        await crowd.count()
    result.seconds = time.perf_counter() - began
    return result


class Crowd:
    """All the players of one simulation."""

    def __init__(self, house: House, plan: SimulationPlan, result: Result) -> None:
        self._house = house
        self._plan = plan
        self._result = result
        self._looks: list[tuple[datetime, int, int]] = []
        self._written: Counter[int] = Counter()
        self._started: dict[int, datetime] = {}
        self._keys: dict[int, int] = defaultdict(int)

    async def register(self) -> None:
        """Everybody signs up, and has a first look planned within the first hours."""
        await asyncio.gather(*(self._sign_up(i) for i in range(self._plan.players)))

    async def _sign_up(self, i: int) -> None:
        chance = self._plan.chance(i)
        zone = chance.choose(ZONES)
        delivery: Delivery = "page" if chance.below(2) else "post"
        phone = f"+4915{i:08d}" if chance.below(4) else None
        config = c.Register(email=f"player{i}@example.org", phone=phone, timezone=zone, delivery=delivery)
        name, seed = self._plan.name(i), self._plan.seed * 100_003 + i
        await self._house.start("phantom", config, owner=self._plan.owner(i), name=name, seed=seed)
        heapq.heappush(self._looks, (START + GRID * (1 + chance.below(20)), i, 0))

    async def live(self, progress: Progress) -> None:
        """Look by look until the last day is over, with a sample of everybody each day."""
        whole = self._plan.days
        for day in range(1, whole + 1):
            until = START + timedelta(days=day)
            while self._looks and self._looks[0][0] < until:
                await self._together(self._looks[0][0])
            await self._house.advance(until)
            await self._sample(day)
            progress(day, whole)

    async def _together(self, at: datetime) -> None:
        """Everybody who looks at this moment; their turns share commits."""
        await self._house.advance(at)
        looking = []
        while self._looks and self._looks[0][0] == at:
            _, i, n = heapq.heappop(self._looks)
            looking.append(self._look(i, n, at))
            heapq.heappush(self._looks, (self._next(i, n, at), i, n + 1))
        await asyncio.gather(*looking)

    def _next(self, i: int, n: int, at: datetime) -> datetime:
        """Four to fifteen hours later, and never at night."""
        later = at + timedelta(hours=4) + GRID * self._plan.chance(i, n).below(22)
        zone = self._plan.chance(i).choose(ZONES)
        hour = local(zone, later).hour
        return later + timedelta(hours=8 - hour) if hour < 8 else later

    # one look

    async def _look(self, i: int, n: int, at: datetime) -> None:
        state = await self._state(i)
        if state.started_at is None:
            await self._begin(i, state)
            self._started[i] = at
            return
        body = (await self._house.view(self._plan.name(i), seat=PLAYER)).body
        for thread in body["threads"]:
            for mail in thread["messages"]:
                if mail["unread"]:
                    await self._send(i, c.ShowLetter(letter=mail["ref"]))
        glance = Glance(
            day=1 + (at - self._started[i]).days,
            threads=body["threads"],
            key=state.key.value if state.key else "",
            written=self._written[i],
            accesses_left=body["accesses_left"],
            documents=DOCUMENTS,
        )
        for command in PLAYERS[self._plan.temperament(i)](glance, self._plan.chance(i, n, 1)):
            await self._send(i, command)

    async def _begin(self, i: int, state: Phantom) -> None:
        """Ask for new codes, since the first ones are old by now, type them in, and press the button."""
        for kind in ("email", "phone"):
            contact = getattr(state, kind)
            if contact is not None and not contact.verified:
                await self._send(i, c.Resend(kind=kind))
                code = getattr(await self._state(i), kind).code
                await self._send(i, c.Verify(kind=kind, code=code))
        await self._send(i, c.Start())

    async def _send(self, i: int, command: Any) -> None:
        name, self._keys[i] = type(command).__name__, self._keys[i] + 1
        if isinstance(command, c.Receive):
            self._written[i] += 1
            self._result.bodies.append(command.text.text or "")
        try:
            await self._house.send(self._plan.name(i), command, seat=PLAYER, key=f"sim/{self._keys[i]}")
            self._result.commands[name] += 1
        except Refused as refusal:
            self._result.refusals[f"{name}: {refusal}"] += 1

    async def _state(self, i: int) -> Phantom:
        state: Phantom = (await self._house.head(self._plan.name(i))).state
        return state

    # measuring

    async def _sample(self, day: int) -> None:
        for i in range(self._plan.players):
            state = await self._state(i)
            trust = {name: one.trust for name, one in state.cast.items() if one.contacted}
            levels = {name: one.level for name, one in state.cast.items()}
            self._result.samples.append(Sample(day, self._plan.temperament(i), state.exposure, trust, levels))

    async def count(self) -> None:
        """Letters by day, attempts that failed, streams that do not verify, and messages that came to no end."""
        states = {self._plan.name(i): await self._state(i) for i in range(self._plan.players)}
        owed = {
            name: {ref for plan in state.plans if plan.owed is not None for ref in plan.owed.refs}
            for name, state in states.items()
        }
        self._result.watch.troubles += self._result.watch.unanswered(owed)
        for i in range(self._plan.players):
            name = self._plan.name(i)
            started = self._started.get(i, START)
            for letter in await operations.letters(self._house, stream=name, limit=10_000):
                if letter.status == "sent":
                    day = 1 + max(timedelta(0), letter.due_at - started).days
                    self._result.letters[day, letter.key.partition(".")[0]] += 1
            for attempt in await self._house.attempts(name):
                self._result.turns += 1
                if attempt.status not in ("settled", "refused"):
                    self._result.failed.append(f"{name}, attempt {attempt.n}: {attempt.status}: {attempt.error}")
            verdict = await self._house.verify(name)
            self._result.problems += [f"{name}: {problem}" for problem in verdict.problems]


DOCUMENTS = tuple(read_content().documents.documents)
