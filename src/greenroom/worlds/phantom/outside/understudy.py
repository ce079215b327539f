"""The cast with no model behind it: messages are read by rules, letters answer what was written part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from greenroom.adapters.understudy import ByWords, Encoder, Meaning
from greenroom.adapters.understudy.acting import Act, examples
from greenroom.adapters.understudy.reacting import checked
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.errors import BackendError
from greenroom.ports import Asked, Embedder
from greenroom.worlds.phantom.outside.answering import Answering, Topics
from greenroom.worlds.phantom.outside.moment import Moment, best
from greenroom.worlds.phantom.rules import classify, prompts, readings
from greenroom.worlds.phantom.rules.content import Content, SpareLine, plain

#: Characters of a last paragraph that only closes a letter.
_CLOSING = 40
#: Paragraphs of an answer that stand in a first letter.
_FIRST = 2


class CastPart:
    """Answers for everybody in the story; with an encoder where the house has one."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._topics = {name: Topics(content, agent) for name, agent in content.agents.items()}
        for agent in content.agents.values():
            checked(agent.reactions, besides=get_args(Act))

    def __call__(self, ask: AskModel, asked: Asked) -> Json | Failed:
        return self.answer(ask, ByWords())

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same cast by meaning: a coroutine function."""
        texts = (text for topics in self._topics.values() for text in topics.texts)
        encoder = Encoder(embedder, (*texts, *examples()))

        async def answer(ask: AskModel, asked: Asked) -> Json | Failed:
            if ask.role != prompts.QUALITY:
                return self.answer(ask, ByWords())
            try:
                meaning = await encoder.of(self._answering(Moment(self._content, ask), ByWords()).texts())
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
            return readings.as_answer(classify.by_rules(self._content, ask.seat, " ".join(message)))
        if "draft" in names:
            return {"claims": []}  # the rules find by themselves what the content knows
        return self._letter(self._answering(Moment(self._content, ask), meaning))

    def _answering(self, moment: Moment, meaning: Meaning) -> Answering:
        return Answering(moment, meaning, self._topics[moment.ask.seat])

    def _letter(self, answering: Answering) -> str:
        moment = answering.moment
        if moment.situation != "reply":
            texts = [self._occasion(answering)]
        elif moment.conditions["tone"] != ["normal"]:
            texts = [answering.short()]
        else:
            texts = answering.letter()
        if prompts.BESIDES in moment.order and "surface" in moment.agent.lines:
            texts.append(answering.one_of(*self._surfacing(moment)))
        signed = f" {moment.agent.sender}"
        return "\n\n".join((*(text.removesuffix(signed) for text in texts[:-1]), texts[-1]))

    def _occasion(self, answering: Answering) -> str:
        """A letter on an occasion of its own; a first one answers what was written to it before it came."""
        moment = answering.moment
        lines = moment.agent.lines[moment.situation]
        text = answering.one_of(best(lines, moment.conditions), [line for line in lines if plain(line)])
        if not moment.said or moment.situation != "first_contact":
            return text
        return _inside(text, "\n\n".join(answering.letter()[:_FIRST]))

    def _surfacing(self, moment: Moment) -> Sequence[Sequence[SpareLine]]:
        """Lines that let show what another agent passed on: of just that first, then of anything."""
        items = {name for name, item in self._content.story.items.items() if item.says in moment.order}
        lines = moment.agent.lines["surface"]
        return [line for line in lines if items & set(line.heard)], [line for line in lines if plain(line)]


def _inside(letter: str, answer: str) -> str:
    """A letter with an answer in it, before whatever closes it."""
    body, _, closing = letter.rpartition("\n\n")
    if not body or len(closing) > _CLOSING:
        body, closing = letter, ""
    return "\n\n".join(part for part in (body, answer, closing) if part)
