"""The cast with no model behind it: messages are read by rules, letters are lines that answer what was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from greenroom.adapters.facts.sentences import asks
from greenroom.adapters.understudy import (
    ByWords,
    Encoder,
    Meaning,
    asks_of_self,
    fresh,
    heard,
    is_foreign,
    is_nonsense,
    pick,
    remembered,
)
from greenroom.adapters.understudy.hearing import parts_of
from greenroom.adapters.understudy.remembering import KnownLine, texts_of
from greenroom.kernel.asks import AskModel, Failed, Json, Section
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import read_line
from greenroom.ports import Asked, Embedder
from greenroom.worlds.phantom.rules import classify, prompts, readings
from greenroom.worlds.phantom.rules.behaviours import DOUBTED
from greenroom.worlds.phantom.rules.content import Agent, Content, SpareLine, plain
from greenroom.worlds.phantom.rules.readings import Reading

#: What is answered before anything else that was spoken of.
_DEEDS = frozenset(
    ("key_deleted_claim", "key_use_claim", "key_use_denied", "threatens", "breaks_fiction", "shares_agent_secret")
)
#: What somebody does in nearly every message: a line that answers it alone answers nothing in particular.
_FAINT = frozenset(("questions_agent", "mentions_key", "mentioned_agent_to_other"))
_STAMP = re.compile(r"^\[[^\]]*\] ")


@dataclass(frozen=True)
class Moment:
    """What an ask for a letter holds, read for what the understudy needs of it."""

    content: Content
    ask: AskModel

    @cached_property
    def agent(self) -> Agent:
        return self.content.agents[self.ask.seat]

    @cached_property
    def said(self) -> str:
        return " ".join(self.texts("message"))

    @cached_property
    def reading(self) -> Reading:
        return classify.by_rules(self.content, self.ask.seat, self.said)

    @cached_property
    def order(self) -> str:
        return " ".join(self.texts("moment"))

    @cached_property
    def situation(self) -> str:
        """The occasion, by what the letter is told to do."""
        told = {prompts.direction(self.content, self.agent, name): name for name in (*self.agent.lines, "reply")}
        found = [one for one in told if self.order.startswith(one)]
        return told[max(found, key=len)] if found else "reply"

    @cached_property
    def mine(self) -> tuple[str, ...]:
        """The agent's own letters, of this conversation and of the days before."""
        turns = self._section("conversation")
        own = turns.own if turns is not None and isinstance(turns.own, tuple) else ()
        spoken = (text for text, mine in zip(turns.texts if turns else (), own, strict=False) if mine)
        return (*spoken, *(text.removeprefix("- ") for text in self.texts("said_before")))

    @cached_property
    def known(self) -> tuple[KnownLine, ...]:
        """What the player told this agent of themselves, the newest first."""
        facts = (read_line(text.removeprefix("- ")) for text in reversed(self.texts("person")))
        return tuple(KnownLine(fact) for fact in facts if fact is not None)

    @cached_property
    def conditions(self) -> Mapping[str, Sequence[str]]:
        """What the lines' own conditions are held against."""
        now = " ".join((*self.texts("now"), *self.texts("trust")))
        seen = " ".join(self.texts("immersion"))
        used = ["yes"] if prompts.KEY_USED[True] in seen else ["no"] if prompts.KEY_USED[False] in seen else [""]
        return {
            "player": self.reading.behaviours,
            "tone": [name for name, told in prompts.TONES.items() if told and told in now] or ["normal"],
            "trust": [name for name, told in prompts.BANDS.items() if told in now] or ["middle"],
            "phase": [name for name, told in prompts.PHASES.items() if told and told in now],
            "key_used": used,
        }

    def texts(self, name: str) -> tuple[str, ...]:
        section = self._section(name)
        return section.texts if section is not None else ()

    def _section(self, name: str) -> Section | None:
        return next((section for section in self.ask.sections if section.name == name), None)


class CastPart:
    """Answers for everybody in the story; with an encoder where the house has one."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def __call__(self, ask: AskModel, asked: Asked) -> Json | Failed:
        return self.answer(ask, ByWords())

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same cast by meaning: a coroutine function."""
        encoder = Encoder(embedder, (example for given in self._content.story.examples.values() for example in given))

        async def answer(ask: AskModel, asked: Asked) -> Json | Failed:
            if ask.role != prompts.QUALITY:
                return self.answer(ask, ByWords())
            moment = Moment(self._content, ask)
            try:
                meaning = await encoder.of((*parts_of(moment.said), *texts_of(moment.said, moment.known, "")))
            except BackendError:
                return None  # by words, then
            return self.answer(ask, meaning)

        return answer

    def answer(self, ask: AskModel, meaning: Meaning) -> Json | Failed:
        """What the understudy says to any ask of this world; the same ask always gets the same."""
        if ask.seat not in self._content.agents:
            return Failed("nobody of that name is in this story")
        names = {section.name for section in ask.sections}
        if "task" in names:
            message = next(section.texts for section in ask.sections if section.name == "message")
            return _classified(classify.by_rules(self._content, ask.seat, " ".join(message)))
        if "draft" in names:
            return {"claims": []}  # the rules find by themselves what the content knows
        return self._letter(Moment(self._content, ask), meaning)

    # letters

    def _letter(self, moment: Moment, meaning: Meaning) -> str:
        text = self._body(moment, meaning)
        if prompts.BESIDES in moment.order and "surface" in moment.agent.lines:
            text = f"{text}\n\n{self._fresh(moment, [moment.agent.lines['surface']])}"
        return text

    def _body(self, moment: Moment, meaning: Meaning) -> str:
        lines = moment.agent.lines
        if moment.situation != "reply":
            return self._fresh(moment, [_best(lines[moment.situation], moment, ())])
        return self._fresh(moment, self._replies(moment, meaning))

    def _replies(self, moment: Moment, meaning: Meaning) -> Iterable[Sequence[SpareLine]]:
        """Groups of lines that answer a message, the most fitting first."""
        lines = moment.agent.lines
        yield from self._ordered(moment)
        yield from self._by_form(moment, meaning)
        topics = self._topics(moment, meaning)
        fitting = _best(lines["reply"], moment, topics)
        if moment.conditions["tone"] != ["normal"] or not all(map(_vague, fitting)):
            yield fitting
        if asks(moment.said) or not topics:
            yield lines.get("unknown", ())
        yield [line for line in lines["reply"] if plain(line)]

    def _ordered(self, moment: Moment) -> Iterable[Sequence[SpareLine]]:
        """What the letter was told to do: own that a puzzle is solved, ask back, or say that they come near."""
        agent, puzzles = moment.agent, self._content.puzzles.items()
        for name, puzzle in puzzles:
            if f"{prompts.SOLVED} ({puzzle.question}" in moment.order:
                yield agent.lines.get(f"solved_{name}", ())
        for doubt, told in DOUBTED.items():
            if f"{prompts.ASK_BACK} {told}" in moment.order:
                yield agent.asks_back.get(doubt, ())
        for name, puzzle in puzzles:
            if f"{prompts.NEAR} ({puzzle.question}" in moment.order:
                yield agent.lines.get(f"near_{name}", ())

    def _by_form(self, moment: Moment, meaning: Meaning) -> Iterable[Sequence[SpareLine]]:
        """What is not about the story: another language, noise, an insult, a question about the player."""
        lines, did = moment.agent.lines, set(moment.reading.behaviours) - _FAINT
        if (is_foreign(moment.said) and not did) or is_nonsense(moment.said):
            yield lines.get("foreign" if is_foreign(moment.said) else "unknown", ())
        if moment.reading.sentiment == "hostile" and not did & _DEEDS:
            yield lines.get("insulted", ())
        if asks_of_self(moment.said):
            found = remembered(moment.said, moment.known, meaning)
            if found is not None:
                told = (line.text.format(value=found.fact.value) for line in lines.get("recalls", ()))
                yield [SpareLine(text=text[:1].upper() + text[1:]) for text in told]
            elif not did and not self._topics(moment, meaning):
                yield lines.get("not_told", ())

    def _topics(self, moment: Moment, meaning: Meaning) -> Sequence[str]:
        """What is spoken of, the nearest first: by meaning where there is an encoder, then by words."""
        near = heard(moment.said, self._content.story.examples, meaning) if meaning.is_encoder else []
        return tuple(dict.fromkeys((*(one.topic for one in near[:2]), *(() if near else moment.reading.topics))))

    def _fresh(self, moment: Moment, groups: Iterable[Sequence[SpareLine]]) -> str:
        """A line that was not written lately, of the first group that has any; else any at all."""
        every: list[tuple[str, None]] = []
        key = fingerprint(moment.ask).hex()
        for group in groups:
            lines = [(line.text, None) for line in group]
            every += lines
            if left := fresh(lines, moment.mine):
                return pick(left, key)[0]
        spare = [(line.text, None) for line in moment.agent.lines["reply"] if plain(line)]
        return pick(fresh(spare, moment.mine) or every or spare, key)[0]


def answer(content: Content, ask: AskModel) -> Json | Failed:
    """What the cast says by words alone."""
    return CastPart(content).answer(ask, ByWords())


def _classified(reading: readings.Reading) -> Mapping[str, Any]:
    return {
        "intent": reading.intent,
        "sentiment": reading.sentiment,
        "topics": list(reading.topics)[:8],
        "significance": reading.significance,
        "behaviors": dict.fromkeys(reading.behaviours, True),
        "new_knowledge": [fact for fact, _ in reading.facts][: readings.MOST_FACTS],
        "trust_delta": reading.delta,
        "reason": reading.reason,
        "is_key_moment": reading.moment is not None,
        "key_moment_type": reading.moment,
        "key_moment_summary": reading.summary,
        "unsure": list(reading.doubts),
    }


def _vague(line: SpareLine) -> bool:
    """Whether a line answers nothing in particular."""
    return plain(line) or (not (line.about or line.tone or line.phase) and set(line.to) <= _FAINT)


def _best(lines: Sequence[SpareLine], moment: Moment, topics: Sequence[str]) -> Sequence[SpareLine]:
    """The lines that fit the moment most closely and were not written lately; plain ones where none does."""
    new = {text for text, _ in fresh([(line.text, None) for line in lines], moment.mine)}
    scored = [(line, _score(line, moment.conditions, topics)) for line in lines if line.text in new]
    most = max((score for _, score in scored if score is not None), default=None)
    if most is None:
        return [line for line in lines if plain(line)] or lines
    return [line for line, score in scored if score == most]


def _score(line: SpareLine, conditions: Mapping[str, Sequence[str]], topics: Sequence[str]) -> float | None:
    """How many conditions of a line hold, a deed counting twice; None if one does not."""
    held = float(not _DEEDS.isdisjoint(line.to))
    if line.about:
        if not set(line.about) & set(topics):
            return None
        held += 1.5 if topics and topics[0] in line.about else 1.0
    for wanted, found in (
        (line.to, conditions["player"]),
        (line.phase, conditions["phase"]),
        ((line.tone,) if line.tone else (), conditions["tone"]),
        ((line.trust,) if line.trust else (), conditions["trust"]),
        (() if line.key_used is None else ("yes" if line.key_used else "no",), conditions["key_used"]),
    ):
        if wanted and not set(wanted) & set(found):
            return None
        held += bool(wanted) * (0.5 if set(wanted) <= _FAINT else 1.0)
    return held
