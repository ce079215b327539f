"""The cast with no model behind it: messages are read by rules, letters are lines that answer what was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from greenroom.adapters.facts.asserting import is_addressed
from greenroom.adapters.facts.noticing import told as facts_told
from greenroom.adapters.facts.sentences import asks, is_greeting, is_own, orders, sentences
from greenroom.adapters.understudy import (
    EXAMPLES,
    ByWords,
    Encoder,
    Meaning,
    asks_of_self,
    fresh,
    is_foreign,
    is_nonsense,
    pick,
    remembered,
)
from greenroom.adapters.understudy.echoing import asked_for, told_back
from greenroom.adapters.understudy.feeling import FELT, feeling_of
from greenroom.adapters.understudy.framing import echoed, from_memory, of_asked
from greenroom.adapters.understudy.hearing import Heard, Subjects, parts_of
from greenroom.adapters.understudy.remembering import is_of_keeper, question_in, says_told, texts_of
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import SELF
from greenroom.ports import Asked, Embedder
from greenroom.text.frames import put
from greenroom.worlds.phantom.outside.moment import Moment
from greenroom.worlds.phantom.rules import classify, prompts, readings
from greenroom.worlds.phantom.rules.content import Content, Situation, SpareLine, plain
from greenroom.worlds.phantom.rules.readings import DOUBTED

#: What is answered before anything else that was spoken of.
_DEEDS = frozenset(
    ("key_deleted_claim", "key_use_claim", "key_use_denied", "threatens", "breaks_fiction", "shares_agent_secret")
)
#: What somebody does in nearly every message: a line that answers it alone answers nothing in particular.
_FAINT = frozenset(("questions_agent", "mentions_key", "mentioned_agent_to_other"))
#: Topics that take in what anybody may say to anybody under another name.
_KINDS: Mapping[str, tuple[str, ...]] = {"game": ("real", "injection")}
#: Topics that only something told belongs to.
_SMALL = ("goodbye", "thanks", "compliment", "sorry", "small", "greeting")
_HURTS = ("bad_news", "unwell")
_NEWS = ("good_news", *_HURTS, *_SMALL)
#: How near a topic must be to be meant by somebody who asks of themself, or tells; to be meant at all; and to be
#: meant where a word speaks for it.
TOLD, NEAR, FAR = 0.6, 0.5, 0.35
#: Characters of a last paragraph that only closes a letter.
_CLOSING = 40
_MINE = re.compile(r"\b(?:my|mine|our|i)\b", re.IGNORECASE)


class CastPart:
    """Answers for everybody in the story; with an encoder where the house has one."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._examples = {
            name: (*given, *(example for kind in _KINDS.get(name, (name,)) for example in EXAMPLES.get(kind, ())))
            for name, given in content.story.examples.items()
        }
        self._subjects = Subjects(self._examples)
        #: Topics of whoever is written to: no question about anybody else belongs to them, and to those that mostly are
        #: no question about whoever asks.
        of_them = {name: [is_of_keeper(one) for one in given] for name, given in content.story.examples.items()}
        self._own = {name for name, given in of_them.items() if all(given)}
        self._mostly_own = {name for name, given in of_them.items() if 2 * sum(given) > len(given)}

    def __call__(self, ask: AskModel, asked: Asked) -> Json | Failed:
        return self.answer(ask, ByWords())

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same cast by meaning: a coroutine function."""
        groups = (*self._examples.values(), *FELT.values())
        encoder = Encoder(embedder, (example for given in groups for example in given))

        async def answer(ask: AskModel, asked: Asked) -> Json | Failed:
            if ask.role != prompts.QUALITY:
                return self.answer(ask, ByWords())
            moment = Moment(self._content, ask)
            try:
                texts = texts_of(moment.said, moment.known, moment.before)
                meaning = await encoder.of((*parts_of(moment.said), *texts))
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
        return self._letter(Moment(self._content, ask), meaning)

    # letters

    def _letter(self, moment: Moment, meaning: Meaning) -> str:
        texts = [self._body(moment, meaning)]
        if moment.situation == "reply":
            texts += self._besides(moment, meaning, texts[0])
        if prompts.BESIDES in moment.order and "surface" in moment.agent.lines:
            texts.append(self._fresh(moment, self._surfacing(moment)))
        signed = f" {moment.agent.sender}"
        return "\n\n".join((*(text.removesuffix(signed) for text in texts[:-1]), texts[-1]))

    def _besides(self, moment: Moment, meaning: Meaning, text: str) -> list[str]:
        """What a letter answers beside what it is about: a name, bad news, or another question that leaves no doubt."""
        apart, lines = sentences(moment.said), moment.agent.lines["reply"]
        if len(apart) < 2 or not meaning.is_encoder or any((*self._ordered(moment), *self._by_form(moment))):
            return []
        if met := _met(moment):
            name, line = met[0]
            return [] if name in text else [line]
        answered = {topic for line in lines if line.text == text for topic in line.about}
        for one in apart:
            near = self._near(one, meaning)
            meant = bool(near) and near[0].score >= TOLD and near[0].topic not in answered
            if meant and (near[0].topic in _HURTS if not asks(one) else near[0].topic not in _NEWS):
                fitting = _best(lines, moment, (near[0].topic,))
                if best := [(line.text, None) for line in fitting if near[0].topic in line.about]:
                    return [pick(best, fingerprint(moment.ask).hex())[0]]
        return []

    def _surfacing(self, moment: Moment) -> Iterable[Sequence[SpareLine]]:
        """Lines that let show what another agent passed on: of just that first, then of anything."""
        items = {name for name, item in self._content.story.items.items() if item.says in moment.order}
        lines = moment.agent.lines["surface"]
        yield [line for line in lines if items & set(line.heard)]
        yield [line for line in lines if plain(line)]

    def _body(self, moment: Moment, meaning: Meaning) -> str:
        lines = moment.agent.lines
        if moment.situation == "reply":
            return self._fresh(moment, self._replies(moment, meaning))
        text = self._fresh(moment, [_best(lines[moment.situation], moment, ())])
        if not moment.said or moment.situation != "first_contact":
            return text
        answer = next(iter(self._answers(moment, meaning)), None)
        return text if answer is None else _inside(text, self._fresh(moment, [answer]))

    def _answers(self, moment: Moment, meaning: Meaning) -> Iterable[Sequence[SpareLine]]:
        """Groups of lines that answer just what was written, the most fitting first; none where nothing does."""
        near = self._spoken_of(moment, meaning)
        yield from self._ordered(moment)
        yield from self._by_form(moment)
        yield from _told_before(moment, meaning, near)
        topics = self._topics(moment, meaning, near)
        if topics[:1] == ("door",) and self._is_shown(moment):
            yield moment.agent.lines.get("reveal_dashboard", ())
        fitting = _best(moment.agent.lines["reply"], moment, topics)
        if moment.conditions["tone"] != ["normal"] or not all(map(_vague, fitting)):
            yield fitting

    def _is_shown(self, moment: Moment) -> bool:
        """Whether the agent has said where the key fits, or may say it by now."""
        known = self._content.story.situations.get("reveal_dashboard", Situation()).says
        texts = (*moment.mine, *moment.texts("opened"))
        return bool(known) and any(all(one in text for one in known) for text in texts)

    def _topics(self, moment: Moment, meaning: Meaning, near: Sequence[Heard]) -> tuple[str, ...]:
        return tuple(one.topic for one in near[:2]) or self._worded(moment, meaning)

    def _replies(self, moment: Moment, meaning: Meaning) -> Iterable[Sequence[SpareLine]]:
        """Groups of lines that answer a message, the most fitting first."""
        lines = moment.agent.lines
        yield from self._answers(moment, meaning)
        yield from _naming(moment, meaning)
        topics = self._topics(moment, meaning, self._spoken_of(moment, meaning))
        if not moment.asks and not (orders(moment.said) and not topics):
            yield _best(lines["reply"], moment, topics)
        if moment.asks or not topics:
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

    def _by_form(self, moment: Moment) -> Iterable[Sequence[SpareLine]]:
        """What shows by its form alone: another language, noise, an insult."""
        lines, did = moment.agent.lines, set(moment.reading.behaviours) - _FAINT
        if (is_foreign(moment.said) and not did) or is_nonsense(moment.said):
            yield lines.get("foreign" if is_foreign(moment.said) else "unknown", ())
        if moment.reading.sentiment == "hostile" and not did & _DEEDS:
            yield lines.get("insulted", ())

    def _spoken_of(self, moment: Moment, meaning: Meaning) -> Sequence[Heard]:
        """What the message is about; not what a letter is about that it passes on."""
        return () if moment.reading.did("forwarded_agent_message") else self._near(moment.said, meaning)

    def _near(self, said: str, meaning: Meaning) -> Sequence[Heard]:
        """What is spoken of, the nearest first: news only where something is told, the rest only if it is near."""
        greetings = [is_greeting(one.rstrip("?")) for one in sentences(said)]
        if greetings and all(greetings):
            return [Heard("greeting", 1.0)]
        if any(map(asks, sentences(said))):
            others = self._mostly_own if asks_of_self(said) else self._own
            never = {*_NEWS, *(others if len(said.split()) > 2 and not is_of_keeper(said) else ())}
            return [one for one in self._subjects.heard(said, meaning) if one.topic not in never]
        found = self._subjects.heard(said, meaning)
        longest = max(sentences(said), key=len, default=said)
        small = {one.topic for one in self._subjects.heard(longest, meaning)}
        never = {*_SMALL} - small | {"greeting", *(("goodbye",) if any(greetings) else ())}
        own = is_own(said) and not is_addressed(said)
        return [
            one for one in found if one.topic not in never and (one.score >= TOLD or one.topic in _SMALL or not own)
        ]

    def _worded(self, moment: Moment, meaning: Meaning) -> tuple[str, ...]:
        """What is spoken of by the lexicon's words; with an encoder, in questions that it hears something of.

        Whoever tells of themselves speaks of nothing else: a word of theirs that the story has too is no question.
        """
        topics = moment.reading.topics
        if not moment.asks:
            news = tuple(one for one in topics if one in (*_HURTS, "good_news", "worry"))
            own = is_own(moment.said) and not is_addressed(moment.said)
            return () if meaning.is_encoder else news or (() if own else topics)
        if not meaning.is_encoder:
            return topics
        asked = [one for one in topics if one not in _NEWS]
        likes = (max(meaning.likes(moment.said, self._examples[one]), default=0.0) for one in asked)
        return tuple(one for one, like in zip(asked, likes, strict=True) if like >= FAR)

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


def _told_before(moment: Moment, meaning: Meaning, near: Sequence[Heard]) -> Iterable[Sequence[SpareLine]]:
    """What answers a question about the player: what they told, or that they never did."""
    lines, of_self = moment.agent.lines, asks_of_self(moment.said)
    nearest = near[0].score if near else 0.0
    if not moment.asks and not of_self:
        return
    if set(moment.reading.behaviours) - _FAINT or (is_of_keeper(moment.said) and not of_self and nearest >= NEAR):
        return
    found = remembered(moment.said, moment.known, meaning, before=moment.before)
    if found is not None and (of_self or found.score > nearest):
        alone = found.is_meant and found.fact.relation in ("name", "age", "lives", "from", "allergic to")
        yield _framed(from_memory(_frames(lines, "recalls" if alone else "recalls_told"), found))
        yield _framed(from_memory(_frames(lines, "recalls_told"), found))
    elif of_self and (says_told(moment.said) or nearest < TOLD) and _MINE.search(question_in(moment.said)):
        yield _framed(of_asked(_frames(lines, "not_told_of"), asked_for(question_in(moment.said))))
        yield lines.get("not_told", ())


def _naming(moment: Moment, meaning: Meaning) -> Iterable[Sequence[SpareLine]]:
    """Lines for what no topic has: they name what was asked or told."""
    lines, said = moment.agent.lines, moment.said
    if moment.asks:
        yield _framed(of_asked(_frames(lines, "asked"), asked_for(question_in(said))))
    elif not orders(said):
        yield _framed(line for _, line in _met(moment))
        yield _framed(echoed(_frames(lines, f"echo_{feeling_of(said, meaning)}"), told_back(said)))


def _met(moment: Moment) -> list[tuple[str, str]]:
    """The name that the player says they have, the last if there are several, with each way to take it up."""
    told = [one.value for one in facts_told(moment.said) if (one.subject, one.relation) == (SELF, "name")]
    names = (value[:1].upper() + value[1:] for value in told[-1:])
    return [(name, put(frame, value=name)) for name in names for frame in _frames(moment.agent.lines, "met")]


def _frames(lines: Mapping[str, Sequence[SpareLine]], name: str) -> tuple[str, ...]:
    return tuple(line.text for line in lines.get(name, ()))


def _framed(texts: Iterable[str]) -> list[SpareLine]:
    return [SpareLine(text=text) for text in texts]


def _vague(line: SpareLine) -> bool:
    """Whether a line answers nothing in particular."""
    return plain(line) or (not (line.about or line.tone) and set(line.to) <= _FAINT)


def _inside(letter: str, answer: str) -> str:
    """A letter with an answer in it, before whatever closes it."""
    body, _, closing = letter.rpartition("\n\n")
    if not body or len(closing) > _CLOSING:
        body, closing = letter, ""
    return "\n\n".join(part for part in (body, answer, closing) if part)


def _best(lines: Sequence[SpareLine], moment: Moment, topics: Sequence[str]) -> Sequence[SpareLine]:
    """The lines that fit the moment most closely and were not written lately; plain ones where none does."""
    new = {text for text, _ in fresh([(line.text, None) for line in lines], moment.mine)}
    scored = [(line, _score(line, moment.conditions, topics)) for line in lines if line.text in new]
    most = max((score for _, score in scored if score is not None), default=None)
    if most is None:
        return [line for line in lines if plain(line)] or lines
    return [line for line, score in scored if score == most]


def _score(line: SpareLine, conditions: Mapping[str, Sequence[str]], topics: Sequence[str]) -> float | None:
    """How well a line fits: what was done counts before what was spoken of, that before the moment; None if not."""
    held = 5.0 * (not _DEEDS.isdisjoint(line.to))
    if line.about:
        if not set(line.about) & set(topics):
            return None
        held += 4.0 * (topics[0] in line.about) + 1.0 * bool(set(topics[1:]) & set(line.about))
    for wanted, found, weight in (
        (line.to, conditions["player"], 1.0 if set(line.to) <= _FAINT else 2.0),
        (line.phase, conditions["phase"], 0.5),
        ((line.tone,) if line.tone else (), conditions["tone"], 4.5),
        ((line.trust,) if line.trust else (), conditions["trust"], 0.5),
        (() if line.key_used is None else ("yes" if line.key_used else "no",), conditions["key_used"], 0.5),
    ):
        if wanted and not set(wanted) & set(found):
            return None
        held += bool(wanted) * weight
    return held
