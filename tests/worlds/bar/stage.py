"""The bar on a virtual clock: a guest's stream driven by hand, a house, and the house behind its routes."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import httpx

from greenroom.adapters.facts import PatternNoticing
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.kernel.asks import Ask, AskModel, Fact, Facts, Failed, Latest, Notice, Read, Recall, Recalled, UseTool
from greenroom.kernel.facts import STRUCK
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House
from greenroom.settings import read_settings
from greenroom.worlds.bar.outside import content as read_bar
from greenroom.worlds.bar.outside import understudies as bar_understudies
from greenroom.worlds.bar.outside.understudy import Understudies
from greenroom.worlds.bar.rules import Content, bar
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.crisis.check import Finding
from greenroom.worlds.bar.rules.events import Event
from greenroom.worlds.bar.rules.state import GUEST, Bar
from tests.worlds.by_hand import ByHand

#: A Tuesday evening.
EVENING = datetime(2031, 3, 4, 19, 0, tzinfo=UTC)
ADA = "3f2a9c1e-77aa-4b1c-9d3e-5b0a4c7d1e2f"
BEN = "7c41d0b2-15ee-4a90-8f6b-0d9e8c7b6a5f"
RAIN = {"kind": "rain", "celsius": 4, "source": "seasonal generator"}
MINUTE = timedelta(minutes=1)


@cache
def shipped() -> Content:
    return read_bar()


def examine(text: str) -> Finding:
    """What the local check sees in a message."""
    return shipped().check.examine(text)


def in_crisis(text: str) -> bool:
    return shipped().check.in_crisis(text)


@cache
def cast() -> Understudies:
    return bar_understudies()


class Stage(ByHand[Bar, Event]):
    """One guest's stream. Asks are answered by ``says`` by seat, in order; then by the understudy."""

    def __init__(self, content: Content | None = None, *, at: datetime = EVENING, guest: str = ADA) -> None:
        self.content = content or shipped()
        super().__init__(bar(self.content), self._answered, at=at)
        self.weather: Any = RAIN
        #: What the embedded model makes of every message: nothing, where there is none.
        self.meaning: Any = None
        self.says: dict[str, deque[Any]] = {}
        #: Whether facts are taken from what the guest says, and what comes to Bart's mind.
        self.notices = False
        self.recalls: list[Recalled] = []
        self.begin(c.Guest(anonymous_id=guest))

    # doing

    def will(self, seat: str, *answers: Any) -> None:
        """What the model of this seat answers next."""
        self.says.setdefault(seat, deque()).extend(answers)

    def enter(self, *, after: timedelta = timedelta()) -> Any:
        self.advance(after)
        return self.send(c.Enter())

    def say(self, text: str, selected: str | None = None, *, session: str | None = None) -> Any:
        return self.send(c.Say(session_id=session or self.session, text=Words(text), selected_agent=selected))

    def leave(self) -> Any:
        return self.send(c.Leave(session_id=self.session))

    def mute(self, agent: str, *, muted: bool = True) -> Any:
        return self.send(c.Mute(session_id=self.session, agent=agent, muted=muted))

    def send(self, command: Any, *, seat: Seat = GUEST) -> Any:
        return self.give(command, seat)

    def advance(self, time: timedelta) -> list[Event]:
        """Let time pass; every wake comes at its own moment."""
        until, happened = self.at + time, list[Event]()
        while (due := self.world.wake_at(self.state)) is not None and due <= until:
            happened += self.wake()
        self.at = until
        return happened

    # looking

    @property
    def session(self) -> str:
        assert self.state.session is not None
        return self.state.session.id

    def view(self, seat: Seat = GUEST, *, at: datetime | None = None) -> Any:
        return super().view(seat, at=at)

    def latest(self, table: str) -> dict[str, Mapping[str, Any]]:
        """The rows of a table as they were last put, by id."""
        return {row["id"]: row for row in self.rows(table)}

    def _answered(self, n: int, ask: Ask) -> Any:
        match ask:
            case Read(ids):
                return {id: self.texts[id] for id in ids if id in self.texts}
            case UseTool(name="meaning"):
                return self.meaning
            case UseTool():
                return self.weather
            case AskModel():
                waiting = self.says.get(ask.seat)
                return waiting.popleft() if waiting else cast().answer(ask)
            case _:
                return self._known(ask)

    def _known(self, ask: Ask) -> Any:
        match ask:
            case Facts():
                return self.facts()
            case Notice(text=text):
                return [] if not self.notices else at_once(PatternNoticing().notice(text, self.facts()))
            case Recall():
                return self.recalls
            case Latest(speaker=speaker, since=since, limit=limit):
                said = [one for one in reversed(self.memories) if one.speaker == speaker and one.kind == "message"]
                recent = [one for one in said if one.at is not None and one.at >= since and one.text]
                return [recalled(one) for one in recent[:limit]]
            case _:
                raise AssertionError(f"the bar does not ask {ask}")

    def facts(self) -> list[Fact]:
        """What is known of the guest, newest first."""
        kept = [memory for memory in self.memories if memory.kind == "fact"]
        replaced = {memory.supersedes for memory in kept}
        return [
            Fact(
                id=memory.id,
                subject=str(memory.meta["subject"]),
                relation=str(memory.meta["relation"]),
                value=str(memory.meta["value"]),
                text=memory.text or self.texts.get(memory.id, ""),
                at=memory.at or self.at,
            )
            for memory in reversed(kept)
            if memory.id not in replaced and memory.meta["relation"] != STRUCK
        ]


def recalled(memory: Memory) -> Recalled:
    text = memory.text or ""
    return Recalled(id=memory.id, text=text, speaker=memory.speaker, kind=memory.kind, score=0.0, at=memory.at)


def at_once(reading: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns that waits for nothing."""
    try:
        reading.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")


def section(ask: AskModel, name: str) -> Sequence[str]:
    return next((part.texts for part in ask.sections if part.name == name), ())


def failing(seats: Mapping[str, Any]) -> ScriptedModels:
    """Models that answer these seats as told and all others as the understudy does."""

    def speak(ask: AskModel, asked: Any) -> Any:
        given = seats.get(ask.seat)
        if given is None:
            return cast().answer(ask)
        return given(ask) if callable(given) else given

    return ScriptedModels(speak)


@asynccontextmanager
async def opened(
    where: Any = ":memory:", *, at: datetime = EVENING, models: Any = None, tools: Any = None
) -> AsyncIterator[House]:
    async with open_house(where, clock=at, models=models, tools=tools) as house:
        yield house


@asynccontextmanager
async def served(
    where: Any = ":memory:", *, at: datetime = EVENING, models: Any = None
) -> AsyncIterator[tuple[House, Callable[[], httpx.AsyncClient]]]:
    """A house behind its application, and a maker of callers, each with cookies of its own."""
    settings = read_settings(rate_address=1_000_000, rate_ticket=1_000_000, rate_strangers=1_000_000)
    clients: list[httpx.AsyncClient] = []
    async with opened(where, at=at, models=models) as house:
        app = create(house, settings)

        def caller() -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app, client=("127.0.0.1", 4711))
            clients.append(httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=30))
            return clients[-1]

        async with app.router.lifespan_context(app):
            try:
                yield house, caller
            finally:
                for client in clients:
                    await client.aclose()


FAILURES: Sequence[Any] = (Failed("no answer within 6 seconds"), Failed("429"), Failed("500"), "junk {", "", {}, None)
