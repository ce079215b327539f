"""A simulated evening: many guests on a virtual clock, each with habits of their own, and what came of it."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final
from uuid import UUID

from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Refused
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.state import AGENTS
from greenroom.worlds.bar.rules.tables import MESSAGES

#: Six in the evening in the bar, on a Friday.
OPENING: Final = datetime(2031, 3, 7, 17, 0, tzinfo=UTC)
#: Guests come within the first hours and nobody begins anything after the last.
HOURS: Final = 8

SMALL_TALK: Final = (
    "Good evening.", "What would you drink on a night like this?", "I walked all the way from the ferry.",
    "My boss wants the report by Monday and I have not begun.", "I think I am in love with my neighbour.",
    "Should I move to Lisbon or stay here?", "It will not stop raining.", "I sold my boat today.",
    "My sister has not called since the summer.", "I cannot sleep lately.", "Tell me something cheerful.",
    "Bernie, how was your day?", "JB, is it fewer or less?", "I just wanted to say thanks, really.",
    "What is the meaning of all this?", "Bart, what would you do?", "I passed my exam!",
    "I am afraid of the operation.",
    "My grandfather died last week. He was ninety-one.", "I could murder a sandwich.", "This week nearly killed me.",
    "One more of the same.", "I bought a guitar and cannot play it.", "Do you ever close?",
    "I want to write a novel about a lighthouse.", "My ex is getting married.", "Is the piano in tune?",
    "I have to decide by Friday.", "Everything is always my fault, apparently.", "I got the job.",
    "I miss the sea when I am in the city.", "Mute JB", "unmute JB", "Bukowski, what have we got so far?",
    "I never know what to do with my hands.", "Basically I am fine.", "The fog came up to my knees.",
    "What do people talk about at this hour?", "My daughter said her first word today.", "It was banana.",
    "I owe my brother money and an apology.", "Should I apologise first?", "Maybe I should quit.",
    "I have been here before, you know.", "You have a good memory.", "Good night, then. Or not yet.",
)  # fmt: skip
LOUD: Final = ("WHERE IS MY BEER", "you are a useless idiot", "I SAID WHISKY NOT WATER")
DARK: Final = ("I don't want to be here anymore. I want to die.", "They would all be better off without me.")


@dataclass(order=True)
class Act:
    """Something a guest does at a moment."""

    at: datetime
    who: int
    session: str = field(default="", compare=False)


@dataclass(slots=True)
class Report:
    """What came of an evening."""

    seed: int
    guests: int
    counts: Counter[str] = field(default_factory=Counter)
    speakers: Counter[str] = field(default_factory=Counter)
    lines: dict[int, list[str]] = field(default_factory=dict)
    scenes: list[str] = field(default_factory=list)

    def told(self, **more: Any) -> dict[str, Any]:
        repeated = sum(len(said) - len(set(said)) for said in self.lines.values())
        return {
            "seed": self.seed,
            "guests": self.guests,
            **{name: self.counts[name] for name in _COUNTED},
            "spoke": {agent: self.speakers[agent] for agent in AGENTS},
            "repeated_lines": repeated,
            **more,
        }


_COUNTED: Final = (
    "sessions", "messages", "refused", "warning", "kick", "last_call", "closing", "farewell", "moderation", "crisis",
    "check_in",
)  # fmt: skip


class Evening:
    """Plays the guests; the house does the rest."""

    def __init__(self, house: House, *, guests: int, seed: int, keep: int = 0) -> None:
        self._house = house
        self._chance = Chance("evening", seed)
        self._waiting = [self._arrival(i) for i in range(guests)]
        heapq.heapify(self._waiting)
        self._keep = keep
        self._keys = (f"evening/{n}" for n in count())
        self.report = Report(seed, guests)

    def _arrival(self, who: int) -> Act:
        return Act(OPENING + timedelta(seconds=self._chance.below(3 * 3600)), who)

    async def play(self) -> Report:
        """Let the evening pass, every act at its own moment; and an hour more, so that everybody is out."""
        while self._waiting:
            act = heapq.heappop(self._waiting)
            await self._house.advance(act.at)
            await (self._talk(act) if act.session else self._knock(act))
        await self._house.advance(moment(self._house.now()) + timedelta(hours=1))
        await self._look_back()
        return self.report

    async def _knock(self, act: Act) -> None:
        try:
            reply = await visits.enter(self._house, guest_id(act.who), None, key=next(self._keys))
        except Refused:
            self.report.counts["refused"] += 1
            return
        self.report.counts["sessions"] += 1
        self._told(act.who, "", visits.told(self._house, reply))
        self._next(act, reply.body["session_id"])

    async def _talk(self, act: Act) -> None:
        if not self._chance.below(25):
            await self._leave(act)
            return
        text = self._line()
        selected = self._chance.choose((None, None, None, *AGENTS))
        try:
            reply = await visits.say(self._house, act.session, text, selected, key=next(self._keys))
        except Refused:  # thrown out meanwhile
            self._come_back(act)
            return
        self.report.counts["messages"] += 1
        told = visits.told(self._house, reply)
        self._told(act.who, text, told)
        if told["session_status"] == "ended":
            self._come_back(act)
        else:
            self._next(act, act.session)

    async def _leave(self, act: Act) -> None:
        try:
            reply = await visits.leave(self._house, act.session, key=next(self._keys))
            self._told(act.who, "", visits.told(self._house, reply))
        except Refused:
            pass
        self._come_back(act)

    def _line(self) -> str:
        sort = self._chance.below(60)
        return self._chance.choose(DARK if sort == 0 else LOUD if sort <= 2 else SMALL_TALK)

    def _next(self, act: Act, session: str) -> None:
        """Mostly within a minute; now and then somebody stares into a glass for longer than the house allows."""
        pause = self._chance.below(24 * 60) if not self._chance.below(12) else 5 + self._chance.below(60)
        heapq.heappush(self._waiting, Act(act.at + timedelta(seconds=pause), act.who, session))

    def _come_back(self, act: Act) -> None:
        again = act.at + timedelta(seconds=self._chance.below(2 * 3600))
        if self._chance.below(3) and again < OPENING + timedelta(hours=HOURS):
            heapq.heappush(self._waiting, Act(again, act.who))

    def _told(self, who: int, said: str, told: dict[str, Any]) -> None:
        if who < self._keep:
            self.report.scenes += [f"guest {who}: {said}"] if said else []
            self.report.scenes += [f"{line['agent']}: {line['message']}" for line in told["messages"]]

    async def _look_back(self) -> None:
        """Count from what is stored, not from what was answered: the clock's own lines are there too."""
        for who in range(self.report.guests):
            rows = await self._house.rows(stream_of(guest_id(who)), MESSAGES)
            spoken = [row for row in rows if not row["is_user_message"]]
            self.report.counts.update(row["kind"] for row in spoken)
            self.report.speakers.update(row["agent"] for row in spoken)
            texts = await self._house.texts([row["content"] for row in spoken])
            self.report.lines[who] = [texts[row["content"]] for row in spoken]


def guest_id(who: int) -> str:
    """The anonymous id of a simulated guest."""
    return str(UUID(int=(0x5EED << 112) | (who << 80) | (4 << 76) | (8 << 60) | who))
