"""One story told by the rules alone: no house, no database, an outside made of plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Failed, Latest, Read, Recall, Recalled, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.codec import Codec
from greenroom.kernel.letters import Cancel, LetterSettled, Post
from greenroom.kernel.tables import Patch, Put, plain_row
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import HOUSE, CommandContext, EventContext, Wake
from greenroom.recall.filters import fits
from greenroom.worlds.phantom.outside import answer as spoken
from greenroom.worlds.phantom.rules import Content, phantom
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.schedule import LEAD
from greenroom.worlds.phantom.rules.sentences import tokens
from greenroom.worlds.phantom.rules.state import PLAYER, Phantom
from tests.worlds.phantom.trial import CONTENT

#: Eight o'clock on a Monday morning in Berlin, which keeps winter time then.
START = datetime(2031, 3, 3, 7, 0, tzinfo=UTC)
ZONE = "Europe/Berlin"

Answer = Callable[[AskModel], Any]


@dataclass(slots=True)
class Tale:
    """One player's story. Time passes by ``until`` or ``after``; letters that fall due are sent on the way."""

    content: Content = CONTENT
    zone: str = ZONE
    seed: int = 1
    at: datetime = START
    state: Phantom = field(default_factory=Phantom)
    version: int = 0
    attempts: int = 0
    told: list[EventContext[Any]] = field(default_factory=list)
    memories: dict[str, Memory] = field(default_factory=dict)
    rows: dict[str, dict[tuple[Any, ...], dict[str, Any]]] = field(default_factory=dict)
    letters: dict[str, Post] = field(default_factory=dict)
    sent: list[tuple[datetime, str]] = field(default_factory=list)
    asked: list[AskModel] = field(default_factory=list)
    #: Answers models; None leaves an ask to the understudy.
    models: Callable[[AskModel], Any] = lambda ask: None
    #: Dice that fall as wanted, by sides, before chance takes over.
    dice: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.world = phantom(self.content)
        self.codec: Codec[Any, Any, Any] = Codec(self.world)

    world: Any = field(init=False)
    codec: Any = field(init=False)

    # doing

    def register(self, *, delivery: Any = "page", phone: str | None = "+4915112345678", door: bool = False) -> Tale:
        config = c.Register(
            email="ada@example.org", phone=phone, timezone=self.zone, delivery=delivery, door=door
        )  # fmt: skip
        self._turn(config, HOUSE, self.world.open)
        return self

    def start(self) -> Tale:
        self.register()
        self.do(c.Start())
        return self

    def say(self, text: str, channel: str = "email", provider_id: str = "") -> list[Any]:
        return self.do(c.Receive(channel=channel, text=Words(text), provider_id=provider_id))

    def reply(self, text: str, channel: str = "email", provider_id: str = "") -> Tale:
        """Say something, and let time pass until the answer has been written."""
        self.say(text, channel, provider_id)
        return self.answered()

    def answered(self) -> Tale:
        """Let time pass until every answer that is owed has been written; it is not sent yet."""
        while owed := [plan.due_at for plan in self.state.plans if plan.owed is not None]:
            self.until(max(self.at, min(owed) - LEAD))
        return self

    def due_of(self, agent: str) -> datetime:
        """When the answer that an agent owes will be sent."""
        return next(plan.due_at for plan in self.state.plans if plan.agent == agent and plan.owed is not None)

    def do(self, command: Any, seat: str = PLAYER) -> list[Any]:
        """Give a command now; what is due by now comes first."""
        self.until(self.at)
        return self._turn(command, seat, lambda given: self.world.handle(self.state, given))

    def after(self, **span: float) -> Tale:
        return self.until(self.at + timedelta(**span))

    def until(self, at: datetime) -> Tale:
        """Let time pass: every wake and every letter at its own moment."""
        while (moment := self._next()) is not None and moment <= at:
            self.step()
        self.at = max(self.at, at)
        return self

    def step(self) -> None:
        """The next thing that is due: the clock, or a letter. As in a house, the clock comes first."""
        moment = self._next()
        assert moment is not None, "nothing will happen any more"
        self.at = max(self.at, moment)
        wake = self.world.wake_at(self.state)
        if wake is not None and wake <= self.at:
            self._turn(Wake(), HOUSE, lambda given: self.world.handle(self.state, given))
        else:
            self.send(next(key for key, post in self.letters.items() if post.due_at <= self.at))

    def send(self, key: str) -> None:
        """The postman takes a letter."""
        self.letters.pop(key)
        self.sent.append((self.at, key))
        news = LetterSettled(key=key, status="sent")
        self._turn(news, HOUSE, lambda given: self.world.handle(self.state, given))

    def _next(self) -> datetime | None:
        wake = self.world.wake_at(self.state)
        moments = [post.due_at for post in self.letters.values()] + ([wake] if wake else [])
        return min(moments, default=None)

    # one turn

    def _turn(self, command: Any, seat: str, make: Callable[[CommandContext[Any]], Any]) -> list[Any]:
        self.attempts += 1
        spoken_words = [
            Words(word.text, id=f"tale/a{self.attempts}.{i}") for i, word in enumerate(self.codec.words_of(command))
        ]
        command = self.codec.with_words(command, spoken_words)
        given = CommandContext(
            stream="tale",
            n=self.attempts,
            version=self.version + 1,
            at=self.at,
            seat=seat,
            owner="ada",
            command=command,
        )
        turn, answers, n = make(given), None, 0
        while True:
            try:
                asks = turn.send(answers)
            except StopIteration as stop:
                return self._settled(stop.value, spoken_words)
            many = asks if isinstance(asks, tuple) else (asks,)
            found = [self._answered(ask, n + i) for i, ask in enumerate(many)]
            n += len(many)
            answers = tuple(found) if isinstance(asks, tuple) else found[0]

    def _settled(self, done: Any, words: Sequence[Words]) -> list[Any]:
        before = len(self.told)
        texts = {word.id: word.text for word in words}
        for memory in done.memories:
            text = texts[memory.id] if memory.text is None else memory.text
            self.memories[memory.id] = Memory(**{**_fields(memory), "text": text})
        for step in done.steps:
            self.version += 1
            for i, event in enumerate(self.codec.read_events(self.codec.events(step))):
                told = EventContext(stream="tale", version=self.version, ordinal=i, at=self.at, event=event)
                self.state = self.world.evolve(self.state, told)
                self.told.append(told)
                self._projected(told)
        self.state = self.codec.read_state(self.codec.state(self.state), self.world.shape, "")
        return [one.event for one in self.told[before:]]

    def _projected(self, told: EventContext[Any]) -> None:
        tables = {table.name: table for table in self.world.tables}
        for change in self.world.rows(self.state, told):
            table = tables[change.table]
            values = plain_row(change.values) if isinstance(change, (Put, Patch)) else {}
            key = tuple((values if isinstance(change, Put) else plain_row(change.key))[name] for name in table.key)
            kept = self.rows.setdefault(change.table, {})
            blank = {column.name: None for column in table.columns}
            kept[key] = {**(blank if isinstance(change, Put) else kept[key]), **values}
        for letter in self.world.letters(self.state, told):
            if isinstance(letter, Cancel):
                self.letters.pop(letter.key)
            else:
                self.letters[letter.key] = letter

    # the outside

    def _answered(self, ask: Ask, n: int) -> Any:
        match ask:
            case Roll(sides=sides):
                chance = roll(self.seed, self.version, n, sides)
                return tuple(self._die(side, fallen) for side, fallen in zip(sides, chance, strict=True))
            case Read(ids=ids):
                return {id: self.memories[id].text for id in ids if id in self.memories}
            case Recall():
                return self._recalled(ask)
            case Latest():
                own = [
                    one for one in self.memories.values() if (one.agent, one.speaker) == (ask.scope.agent, ask.speaker)
                ]
                return [self._as_recalled(one) for one in reversed(own) if one.kind == "message"][: ask.limit]
            case AskModel():
                self.asked.append(ask)
                answer = self.models(ask)
                return spoken(self.content, ask) if answer is None else answer
            case _:
                return Failed("nobody answers that here")

    def _die(self, sides: int, fallen: int) -> int:
        wanted = self.dice.get(sides)
        return wanted.pop(0) if wanted else fallen

    def _recalled(self, ask: Recall) -> list[Recalled]:
        """The memories of one agent that share the most words with the question."""
        words = set(tokens(ask.query))
        replaced = {one.supersedes for one in self.memories.values()}
        mine = [
            one
            for one in self.memories.values()
            if one.agent == ask.scope.agent and one.id not in replaced and fits(one.kind, one.meta, ask.where)
        ]
        scored = sorted(mine, key=lambda one: -len(words & set(tokens(one.text or ""))))
        return [self._as_recalled(one) for one in scored[: ask.limit]]

    def _as_recalled(self, one: Memory) -> Recalled:
        return Recalled(id=one.id, text=one.text or "", speaker=one.speaker, kind=one.kind, score=1.0)

    # looking

    def events(self, kind: type[Any]) -> list[Any]:
        return [told.event for told in self.told if isinstance(told.event, kind)]

    def table(self, name: str) -> list[dict[str, Any]]:
        return list(self.rows.get(f"phantom_{name}", {}).values())

    def trust(self, agent: str) -> int:
        return self.state.cast[agent].trust

    def level(self, agent: str) -> str:
        return self.state.cast[agent].level

    def talks(self, agent: str) -> bool:
        return self.state.cast[agent].session is not None

    def engagement(self) -> str:
        return self.state.presence.level

    def stopped(self) -> bool:
        return self.state.opted_out

    def thursday_passed(self) -> bool:
        return self.state.thursday_passed

    def texts(self) -> Iterator[str]:
        """Everything that was said, by anybody."""
        return (one.text or "" for one in self.memories.values() if one.kind == "message")

    def letter_of(self, agent: str) -> Post:
        """The letter of an agent that is waiting."""
        return next(post for key, post in self.letters.items() if key.startswith(f"{agent}."))


def _fields(memory: Memory) -> Mapping[str, Any]:
    return {name: getattr(memory, name) for name in memory.__struct_fields__}


def reading(**changed: Any) -> dict[str, Any]:
    """A classification as a model gives it: nothing happened, unless told otherwise."""
    behaviours = dict.fromkeys(changed.pop("did", ()), True)
    plain = {
        "intent": "statement",
        "sentiment": "neutral",
        "topics": [],
        "significance": "low",
        "behaviors": behaviours,
        "new_knowledge": [],
        "trust_delta": 0,
        "reason": "The player said something.",
        "is_key_moment": False,
        "key_moment_type": None,
        "key_moment_summary": "",
    }
    return {**plain, **changed}


def classifies(**changed: Any) -> Callable[[AskModel], Any]:
    """A model that reads every message like this, and leaves the rest to the understudy."""
    answer = reading(**changed)
    return lambda ask: answer if any(section.name == "task" for section in ask.sections) else None


def writes(*drafts: str) -> Callable[[AskModel], Any]:
    """A model that writes these letters one after the other, then leaves it to the understudy."""
    waiting = list(drafts)
    return lambda ask: waiting.pop(0) if ask.role == "quality" and waiting else None


# stories that many tests begin with


def met(**more: Any) -> Tale:
    """A story in which Ember and Miro have both written, and nobody has answered."""
    return Tale(**more).start().after(hours=9)


def both(tale: Tale) -> Tale:
    """The player has spoken with both."""
    tale.say("Good morning.", "email")
    tale.say("Good morning.", "sms")
    return tale


def gone(tale: Tale, agent: str, channel: str) -> Tale:
    """An agent has left."""
    tale.models = classifies(trust_delta=-20)
    while tale.state.cast[agent].trust > -81:
        tale.dice = {1000: [999]}
        tale.say("Something.", channel)
    tale.models = lambda ask: None
    return tale.after(days=8)


def prompt_of(tale: Tale, role: str = "quality") -> AskModel:
    return next(ask for ask in reversed(tale.asked) if ask.role == role)


def words_in(ask: AskModel) -> str:
    reasons = [one.reason for one in ask.objections] if isinstance(ask.objections, tuple) else []
    return "\n".join((*(text for section in ask.sections for text in section.texts), *reasons))
