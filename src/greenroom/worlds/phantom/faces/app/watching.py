"""A world and its models under watch: every event is held against the invariants, every prompt against its limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import json

from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.worlds import CommandContext, EventContext, Turn, World
from greenroom.ports import Asked, Models
from greenroom.worlds.phantom.faces.app.invariants import broken
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.prompts import BUDGET
from greenroom.worlds.phantom.rules.sentences import runs
from greenroom.worlds.phantom.rules.state import Phantom

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
