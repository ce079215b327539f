"""A world and its models under watch: every event is held against the invariants, every prompt against its limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import json

from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.worlds import CommandContext, EventContext, Turn, World
from greenroom.ports import Asked, Models
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.prompts import BUDGET
from greenroom.worlds.phantom.rules.sentences import runs
from greenroom.worlds.phantom.rules.state import (
    CLAIMS,
    FACTS,
    LINES,
    MOMENTS,
    NOTES,
    TOPICS,
    UNREAD,
    UNSURFACED,
    Phantom,
)

ORDER = ("engaged", "cooling", "silent", "gone")
MOST_A_DAY = 6
#: Letters that may be waiting to be sent: those of the house, and on a branch those of two days.
MOST_WAITING = 24
#: A letter is written so long before it is sent.
LEAD = timedelta(minutes=2)
#: Readings that cannot be undone.
IRREVERSIBLE = ("key_deleted_claim", "shares_agent_secret", "threatens")


def broken(before: Phantom, told: EventContext[Any], after: Phantom) -> list[str]:
    """Sentences about what an event broke; empty when all is well."""
    found = [*_clamps(after), *_bounds(after), *_one_way(before, after), *_letters(before, told, after)]
    found += [*_punctual(before, told), *_in_order(before, told), *_certain(told)]
    kind = type(told.event)
    return [*found, f"{kind.__name__} happened a second time"] if _ONCE.get(kind, _never)(before, told.event) else found


def _clamps(state: Phantom) -> Iterable[str]:
    if not 0 <= state.exposure <= 100:
        yield f"exposure is {state.exposure}"
    if not 0 <= state.visits_exposure <= 15:
        yield f"visits added {state.visits_exposure} to exposure"
    for name, character in state.cast.items():
        if not -100 <= character.trust <= 100:
            yield f"trust of {name} is {character.trust}"
        if character.ignored > 2:
            yield f"{name} counted {character.ignored} letters as ignored"
    if state.key is not None and state.key.used > state.key.limit:
        yield f"the key was used {state.key.used} times of {state.key.limit}"


def _bounds(state: Phantom) -> Iterable[str]:
    """Every collection of the state is bounded."""
    for name, one in state.cast.items():
        sizes = {
            "notes": (one.notes, NOTES),
            "facts": (one.facts, FACTS),
            "lines": (one.recent, LINES),
            "claims": (one.claims, CLAIMS),
            "unsurfaced": (one.unsurfaced, UNSURFACED),
            "topics": (one.session.topics if one.session else (), TOPICS),
            "moments": (one.session.moments if one.session else (), MOMENTS),
            "unanswered": (one.unanswered, 2),
        }
        yield from (f"{name} holds {len(held)} {what}" for what, (held, most) in sizes.items() if len(held) > most)
    if len(state.waiting) > MOST_WAITING:
        yield f"{len(state.waiting)} letters are waiting"
    if len(state.unread) > UNREAD:
        yield f"{len(state.unread)} letters count as unread"


def _one_way(before: Phantom, after: Phantom) -> Iterable[str]:
    for name, character in before.cast.items():
        was, now = ORDER.index(character.level), ORDER.index(after.cast[name].level)
        if now < was:
            yield f"{name} went back from {character.level} to {after.cast[name].level}"
    if set(before.milestones) - set(after.milestones):
        yield "a milestone was lost"
    if set(before.conditions) - set(after.conditions):
        yield "a spawn condition was lost"


def _letters(before: Phantom, told: EventContext[Any], after: Phantom) -> Iterable[str]:
    for day, count in after.days.items():
        if count > MOST_A_DAY:
            yield f"{count} letters of agents on {day}"
    event = told.event
    if not isinstance(event, e.LetterWritten) or event.agent is None:
        return
    here = event.due_at.astimezone(ZoneInfo(after.timezone))
    wrote = after.presence.last_player_at
    awake = wrote is not None and timedelta(0) <= event.due_at - wrote <= timedelta(hours=1)
    if (here.hour >= 22 or here.hour < 8) and not awake:
        yield f"a letter of {event.agent} is due at {here:%H:%M} local time"
    if event.due_at < event.wanted_at:
        yield f"a letter of {event.agent} was moved forward"
    if after.opted_out or before.presence.level == "churned":
        yield f"{event.agent} wrote to a player who gets no letters"
    if before.cast[event.agent].level == "gone":
        yield f"{event.agent} wrote after having gone"


def _punctual(before: Phantom, told: EventContext[Any]) -> Iterable[str]:
    """What an agent means to send at a moment is written two minutes before, and no answer is put off by a burst."""
    if isinstance(told.event, e.PlanDone):
        (plan,) = (plan for plan in before.plans if plan.n == told.event.n)
        if not plan.due_at - LEAD <= told.at <= plan.due_at:
            yield f"{plan.agent} wrote {plan.situation} {told.at - plan.due_at} late"
    if isinstance(told.event, e.Planned) and told.event.owed is not None:
        old = next((plan for plan in before.plans if plan.n == told.event.n), None)
        if old is not None and told.event.due_at > old.due_at:
            yield f"an answer of {old.agent} was put off by a burst"


def _in_order(before: Phantom, told: EventContext[Any]) -> Iterable[str]:
    """Letters of one agent arrive in the order in which they were written, and what is not sent was not said."""
    event = told.event
    if isinstance(event, e.LetterSent) and event.agent is not None:
        own = [one for one in before.waiting if one.agent == event.agent]
        if own and own[0].key != event.key and event.key in [one.key for one in own]:
            yield f"{event.key} overtook {own[0].key}"
    if isinstance(event, e.LetterWritten) and event.agent is not None:
        over = before.deadline_at is not None and event.due_at >= before.deadline_at
        if over and event.situation == "thursday_morning":
            yield f"{event.agent} writes of a Thursday that is over"
        late = [one.key for one in before.waiting if one.agent == event.agent and one.due_at > event.due_at]
        if late:
            yield f"{event.key} would overtake {late[0]}"


def _certain(told: EventContext[Any]) -> Iterable[str]:
    """Nothing that cannot be undone follows from a reading that is not certain of it."""
    event = told.event
    if isinstance(event, e.Classified):
        did, unsure = event.classification["behaviors"], event.classification["unsure"]
        yield from (f"{name} counts and is not certain" for name in IRREVERSIBLE if did[name] and name in unsure)


def _never(state: Phantom, event: Any) -> bool:
    return False


#: What happens once, and how a state shows that it has.
_ONCE: Mapping[type[Any], Callable[[Phantom, Any], bool]] = {
    e.Started: lambda state, event: state.started_at is not None,
    e.DeadlinePassed: lambda state, event: state.thursday_passed,
    e.MilestoneReached: lambda state, event: event.milestone in state.milestones,
    e.KeyDeleted: lambda state, event: state.key is not None and state.key.deleted_at is not None,
    e.CharacterEntered: lambda state, event: event.agent in state.cast,
    e.Hushed: lambda state, event: state.presence.hushed,
    e.OptedOut: lambda state, event: state.opted_out,
}


#: Sections of a prompt that hold what was said; the others are content and state.
SPOKEN = ("message", "conversation", "memories", "context", "person", "said_before")

Run = tuple[str, ...]


@dataclass(slots=True)
class Watch:
    """Collects what is wrong, and what was seen."""

    troubles: list[str] = field(default_factory=list)
    events: int = 0
    prompts: int = 0
    largest_prompt: int = 0
    #: Runs of five words by stream, and the agent they were said to, or by.
    said: dict[str, dict[str, set[Run]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    #: Messages by stream and name that are neither answered nor silent for a reason yet.
    open: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    #: Whose past an agent may read, by stream.
    heirs: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))

    def world(self, world: World[Any, Any, Any]) -> World[Any, Any, Any]:
        """The same world; every event that is folded is checked, and everything said is heard."""

        def opening(given: CommandContext[Any]) -> Turn[Any]:
            return (yield from self._listened(given, world.open(given)))

        def handle(state: Phantom, given: CommandContext[Any]) -> Turn[Any]:
            return (yield from self._listened(given, world.handle(state, given)))

        def evolve(state: Phantom, told: EventContext[Any]) -> Phantom:
            after: Phantom = world.evolve(state, told)
            self.events += 1
            self.troubles += [f"{told.stream}, version {told.version}: {one}" for one in broken(state, told, after)]
            self._inherit(told.stream, after)
            self._follow(told.stream, told.event)
            return after

        return replace(world, open=opening, handle=handle, evolve=evolve)

    def _listened(self, given: CommandContext[Any], turn: Turn[Any]) -> Turn[Any]:
        """The turn itself; messages that it gives to an agent's memory have been said to that agent.

        Summaries are no messages: an heir with partial inheritance may read them.
        """
        done = yield from turn
        said = getattr(given.command, "text", None)
        for memory in (one for one in done.memories if one.kind == "message"):
            text = said.text if memory.text is None and said is not None else memory.text
            self.heard(given.stream, memory.agent, text or "")
        return done

    def _inherit(self, stream: str, state: Phantom) -> None:
        for channel in state.channels.values():
            if channel.inheritance == "full_history":
                self.heirs[stream] |= {(channel.owner, was) for was in channel.previous}

    def _follow(self, stream: str, event: Any) -> None:
        """A message is open until a letter answers it, or its trace says why none does."""
        match event:
            case e.MessageReceived(ref=ref, agent=str()):
                self.open[stream][ref] = "no trace of it"
            case e.Processed(message=ref, steps=steps):
                if _ended(dict(steps)):
                    self.open[stream].pop(ref, None)
                elif ref in self.open[stream]:
                    self.open[stream][ref] = dict(steps).get("schedule", "no schedule")
            case e.OptedOut():
                self.open[stream].clear()
            case _:
                return

    def unanswered(self, owed: Mapping[str, set[str]]) -> list[str]:
        """Messages that came to no end, but for those that an answer is still owed to."""
        return [
            f"{stream}: {ref} came to no end ({why})"
            for stream, refs in self.open.items()
            for ref, why in refs.items()
            if ref not in owed.get(stream, ())
        ]

    def heard(self, stream: str, agent: str, text: str) -> None:
        """Something was said to an agent, or by it."""
        self.said[stream][agent] |= runs(text)

    # prompts

    def prompt(self, ask: AskModel, asked: Asked) -> None:
        """A model is about to be asked."""
        self.prompts += 1
        if leaked := self._leaked(ask, asked.stream):
            self.troubles.append(f"{_prompt(ask, asked)} holds what only {leaked} was told")

    def spent(self, ask: AskModel, asked: Asked, entry: Entry) -> None:
        """A model was asked, and this is the account of it: the same that *Why* shows."""
        account = json.decode(entry.account)
        if "used" not in account:
            self.troubles.append(f"{_prompt(ask, asked)} did not fit into its budget")
            return
        tokens = account["used"] + account["reserve"] - account["max_tokens"]
        self.largest_prompt = max(self.largest_prompt, tokens)
        if tokens > BUDGET:
            self.troubles.append(f"{_prompt(ask, asked)} has {tokens} tokens")

    def _leaked(self, ask: AskModel, stream: str) -> str | None:
        """The other agent whose conversation shows in a prompt, if any."""
        texts = (text for section in ask.sections if section.name in SPOKEN for text in section.texts)
        spoken = (_unlabelled(line) for text in texts for line in text.splitlines())
        found = set[Run]().union(*map(runs, spoken)) - self.said[stream][ask.seat]
        for agent, said in self.said[stream].items():
            mine = agent == ask.seat or (ask.seat, agent) in self.heirs[stream]
            if not mine and not found.isdisjoint(said):
                return agent
        return None


class WatchedModels:
    """Models whose every prompt is looked at."""

    def __init__(self, models: Models, watch: Watch) -> None:
        self._models = models
        self._watch = watch

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        message = next((section.texts for section in ask.sections if section.name == "message"), ())
        self._watch.heard(asked.stream, ask.seat, " ".join(message))
        self._watch.prompt(ask, asked)
        answer, entries = await self._models.ask(ask, asked)
        for entry in entries:
            self._watch.spent(ask, asked, entry)
        return answer, entries


def _unlabelled(line: str) -> str:
    """A line of a conversation without the name of whoever said it."""
    name, colon, said = line.partition(": ")
    return said if colon and " " not in name else line


def _ended(steps: Mapping[str, str]) -> bool:
    """Whether a trace tells of a letter, or of the reason why there will be none."""
    silent = "not answer" in steps.get("check_lifecycle", "") or "no answer" in steps.get("check_lifecycle", "")
    delivered = steps.get("deliver", "skipped") not in ("skipped", "when the answer is due")
    return delivered or silent or "too much is planned" in steps.get("schedule", "")


def _prompt(ask: AskModel, asked: Asked) -> str:
    return f"{asked.stream}, attempt {asked.n}: the prompt of {ask.seat}"


def troubles(found: Iterable[str], most: int = 5) -> Mapping[str, Any]:
    listed = list(found)
    return {"count": len(listed), "first": listed[:most]}
