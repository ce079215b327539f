"""The cast with no model behind it: answers from what was told, from what they know, or with a line that fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.noticing import told as facts_told
from greenroom.adapters.facts.sentences import asks, is_greeting, is_own, sentences
from greenroom.adapters.facts.sentences import orders as commands
from greenroom.adapters.understudy import (
    ByWords,
    Encoder,
    Meaning,
    Subjects,
    asks_of_self,
    fresh,
    is_foreign,
    is_leaving,
    is_nonsense,
    pick,
    remembered,
)
from greenroom.adapters.understudy.acting import TELLING as NEWS
from greenroom.adapters.understudy.acting import Told, act_of, examples, parts_told
from greenroom.adapters.understudy.asking import is_of_keeper, may_ask_of_self, question_in, says_told
from greenroom.adapters.understudy.echoing import asked_for, one_word
from greenroom.adapters.understudy.feeling import Feeling, feeling_of
from greenroom.adapters.understudy.framing import capital, own_kind
from greenroom.adapters.understudy.framing import of_asked as about
from greenroom.adapters.understudy.hearing import NEAR, Heard, parts_of
from greenroom.adapters.understudy.kinds import returns
from greenroom.adapters.understudy.reacting import reactions
from greenroom.adapters.understudy.remembering import texts_of
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import SELF, Noticed
from greenroom.ports import Asked, Embedder
from greenroom.recall.reading import ROLE as READING
from greenroom.text.frames import put
from greenroom.text.stems import telling
from greenroom.worlds.bar.outside import nearness as near
from greenroom.worlds.bar.outside.asks import TELLING, ReadAsk, calls_only, said_in
from greenroom.worlds.bar.outside.forms import (
    asks_leave,
    deed_in,
    is_all,
    is_asked,
    is_of_guest,
    is_order,
    is_real,
    is_recap,
    names_a_machine,
    ordered_in,
    straight,
    unserved_in,
)
from greenroom.worlds.bar.outside.frames import acknowledged, answers
from greenroom.worlds.bar.outside.german import German
from greenroom.worlds.bar.outside.router import route
from greenroom.worlds.bar.outside.voices import Topics, Voice, Voices, examples_of, weave
from greenroom.worlds.bar.rules import calling, prompts, routing
from greenroom.worlds.bar.rules.care import held_back
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.crisis.tongues import language_among
from greenroom.worlds.bar.rules.crisis.watch import watch
from greenroom.worlds.bar.rules.state import BART, HERMES, MUTABLE, Agent

_MARKUP = re.compile(r"</?\w+>|[{}]|```")
_YOU = re.compile(r"\b(?:you|your|u|ur|ya)\b", re.IGNORECASE)
#: Whoever asks, or whom they spoke of.
_OF_TOLD = re.compile(
    r"\b(?:my|mine|our|me|he|she|him|her|his|they|them|i (?:was|did|had)|(?:was|did|had) i)\b|"
    r"\b(?:what|when|where|which|how)\b.{0,30} i\b",
    re.IGNORECASE,
)


class Understudies:
    """Plays the six, the router and the watch. The same ask always gets the same answer."""

    def __init__(self, voices: Voices, topics: Topics, content: Content, german: German) -> None:
        self.german = german
        self._gentle = {agent: one.gentle for agent, one in content.house.cast.items()}
        self._check = content.check
        self._voices, self._topics = voices.voices, topics.topics
        self._examples = {agent: examples_of(topics, voice) for agent, voice in self._voices.items()}
        self._answers = {
            agent: {name: lines for name, lines in voice.topics.items() if topics.topics[name].about}
            for agent, voice in self._voices.items()
        }
        self._subjects = {agent: Subjects(self._examples[agent], self._answers[agent]) for agent in self._voices}
        self._all = {name: topic.all_examples for name, topic in topics.topics.items()}
        self._any = Subjects(self._all)
        self._asked_only = {
            name
            for name, topic in topics.topics.items()
            if topic.all_examples and all(asks(one) or commands(one) for one in topic.all_examples)
        }

    def __call__(self, ask: AskModel, asked: Asked) -> Json:
        return self.answer(ask)

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same cast by meaning: a coroutine function."""
        given = (example for one in self._all.values() for example in one)
        encoder = Encoder(embedder, (*given, *examples()))

        async def answer(ask: AskModel, asked: Asked) -> Json:
            if ask.role == READING or ask.seat in (prompts.WATCH, prompts.SECOND_LOOK):
                return None
            read = ReadAsk(ask)
            try:
                known = texts_of(read.question, read.known, " ".join(read.before))
                parts = parts_of(read.said, read.before)
                own = self.answers(read.agent).values() if any(asks(one) or commands(one) for one in parts) else ()
                lasting = (line for lines in own for line in lines)
                texts = (
                    *parts,
                    *parts_of(read.said),
                    *parts_told(read.said),
                    *known,
                    *texts_of(read.said, ()),
                )
                meaning = await encoder.of(texts, lasting)
            except BackendError:
                return None  # by words, then
            return self.answer(ask, likeness=meaning)

        return answer

    def answer(
        self,
        ask: AskModel,
        *,
        meaning: float | None = None,
        again: float | None = None,
        likeness: Meaning | None = None,
    ) -> Json:
        """Answer one ask; ``meaning`` and ``again`` are what the house made of message and exchange, for the watch."""
        if ask.role == READING:
            return {"facts": []}  # what patterns find was noticed when it was said
        if ask.seat == prompts.SECOND_LOOK:
            return {"reason": "nobody who could tell has looked", "danger": True}
        if ask.seat == prompts.WATCH:
            found = watch(self._check, said_in(ask), meaning, " ".join(ReadAsk(ask).texts("before")), again)
            return {"crisis": found, "reason": "by likeness to examples"}
        read, by = ReadAsk(ask), likeness or ByWords()
        if ask.seat == prompts.ROUTER:
            return route(read, by, self._topics, self._any, self._voices)
        return _Speaking(self, read, by).line()

    def voice(self, agent: Agent) -> Voice:
        return self._voices[agent]

    def gentle(self, agent: Agent) -> tuple[str, ...]:
        """Lines for the days after a crisis, that say nothing of what was said."""
        return self._gentle[agent]

    def examples(self, agent: Agent) -> Mapping[str, tuple[str, ...]]:
        return self._examples[agent]

    def answers(self, agent: Agent) -> Mapping[str, tuple[str, ...]]:
        """What one of the cast tells of themself, by topic."""
        return self._answers[agent]

    def subjects(self, agent: Agent) -> Subjects:
        return self._subjects[agent]

    def is_about(self, topic: str) -> bool:
        return self._topics[topic].about

    def is_asked_only(self, topic: str) -> bool:
        """Whether nobody speaks of it but by asking."""
        return topic in self._asked_only

    def keyword(self, said: str, agent: Agent) -> str | None:
        """The topic with most keywords in what was said, among those that one of the cast has lines for."""
        words = " ".join(("", *re.findall(r"[^\W_]+", said.casefold()), ""))
        hits = {
            name: sum(f" {key} " in words for key in topic.keywords)
            for name, topic in self._topics.items()
            if name in self._voices[agent].topics
        }
        best = max(hits, key=lambda name: hits[name])
        return best if hits[best] else None


class _Speaking:
    """One line of one of the cast."""

    def __init__(self, cast: Understudies, read: ReadAsk, meaning: Meaning) -> None:
        self._cast, self._read, self._meaning = cast, read, meaning
        self._voice = cast.voice(read.agent)
        # Not the whole ask: how well something was remembered says nothing about which of two lines is better.
        self._key = f"{read.agent}/{len(read.mine)}/{read.count}/{read.whole}"
        self._feeling: Feeling = feeling_of(read.said, meaning)

    def line(self) -> str:
        said = self._read.said
        agent = self._read.agent
        found = self._cast.subjects(agent).heard(said, self._meaning, before=self._read.before)
        if (german := self._in_german()) is not None:
            return german
        topics = self._meant(said, found)
        if self._read.gentle and not self._is_any_day(topics) and (kind := self._for_these_days()) is not None:
            return kind
        if (answer := self._of_guest(topics)) is not None:
            return answer
        last: list[str] = []
        for lines in self._candidates(self._fitting(topics)):
            last = lines or last
            if left := self._left(lines):
                return pick(left, self._key)[0]
        return pick([(line, None) for line in last], self._key)[0]

    def _in_german(self) -> str | None:
        """A line in German to what is said in it; after a crisis only to what is asked."""
        read, german = self._read, self._cast.german
        told_is_kept = read.gentle and (not asks(read.whole) or german.asks_of_told(read.whole))
        if not german.is_spoken(read.whole) or told_is_kept:
            return None
        for lines in german.lines(read.agent, read.whole, read.as_written, called=self._is_called()):
            if left := self._left(lines):
                return pick(left, self._key)[0]
            if is_real(read.whole):
                break  # said before, so it is said again in English
        return None

    def _is_any_day(self, topics: Sequence[Heard]) -> bool:
        """Whether it is answered as on any day; asked in the days after a crisis.

        What is asked for is, if it is no counsel, and on later evenings what is told to Bart or Bernie, if it is not
        sad. With Hermes, only what can hardly mean anything else.
        """
        said = self._read.said
        if self._read.agent == HERMES and (is_foreign(said) or is_leaving(said)):
            return False
        fitting = self._fitting(topics)
        nearest = next(iter(fitting), None)
        if self._is_asked_plainly(topics, nearest):
            return True
        if nearest is not None and nearest.score >= near.CAREFUL and near.is_any_day(nearest.topic):
            return True
        if self._read.agent == HERMES or self._feeling == "bad" or deed_in(said):
            return False
        if any(one.topic in near.HEAVY for one in fitting):
            return False
        if asks(said):
            return (nearest is not None and nearest.score >= near.CAREFUL) or len(telling(said)) >= TELLING
        lightly = self._read.agent in (BART, "bernie") and not self._read.hard_tonight
        return lightly and len(telling(said)) >= TELLING

    def _is_asked_plainly(self, topics: Sequence[Heard], nearest: Heard | None) -> bool:
        """Whether somebody orders, leaves, calls, or asks for what they told, or about whoever speaks."""
        said = self._read.said
        if is_order(said) or is_leaving(said) or self._is_summons() or (asks_of_self(said) and is_of_guest(said)):
            return True
        if not asks(said):
            return False
        if not is_of_keeper(said):
            return self._of_guest(topics) is not None
        return nearest is None or nearest.topic.startswith(near.ANY_DAY_ABOUT)

    def _for_these_days(self) -> str | None:
        """A line for the days after a crisis; empty where the house has one in the guest's language."""
        if self._read.agent == HERMES and language_among((self._read.whole, *self._read.theirs)) != "en":
            return ""
        left = self._left(self._cast.gentle(self._read.agent))
        return pick(left, self._key)[0] if left else None

    def _left(self, lines: Iterable[str]) -> list[tuple[str, None]]:
        """Those that may be said and were not said lately, their fields filled."""
        filled = [
            put(line, now=self._read.sky, count=self._read.count)
            for line in lines
            if (self._read.sky or "{now}" not in line) and self._may_promise(line)
        ]
        kind = [line for line in filled if held_back(line) is None] if self._read.gentle else filled
        return fresh([(line, None) for line in kind], self._read.mine)

    def _may_promise(self, line: str) -> bool:
        """Nobody fetches somebody who is not here."""
        promised = routing.promised(line, self._read.agent)
        return promised is None or promised in self._read.here

    def _meant(self, said: str, topics: Sequence[Heard]) -> list[Heard]:
        """Without topics about whoever is asked, where a question is about somebody else and none is near; and without
        small talk that stands before something told."""
        topics = [one for one in topics if one.topic not in near.SMALL or self._is_all(said, one.topic)]
        topics = [one for one in topics if one.topic != "order" or one.score >= near.ROUTED or is_order(said)]
        if any(one.topic == "real" for one in topics) and self._is_beside_real(topics):
            topics = [one for one in topics if one.topic != "real"]
        if not asks(said) or len(said.split()) <= 2 or is_of_keeper(said):
            return list(topics)
        least = near.ROUTED if _YOU.search(said) else near.PLAIN
        return [one for one in topics if one.score >= least or not self._cast.is_about(one.topic)]

    def _is_beside_real(self, topics: Sequence[Heard]) -> bool:
        """Whether nobody asks if this is a person, though it is like it: by no form, and as like something else."""
        best = next(one for one in topics if one.topic == "real")
        sure = best.score >= near.PLAIN or is_real(self._read.said) or names_a_machine(self._read.said)
        return not sure and any(one.score > best.score - near.BESIDE for one in topics if one.topic != "real")

    def _is_all(self, said: str, topic: str) -> bool:
        """Whether small talk is all of a message, and not its first words only."""
        if len(parts_of(said)) == 1 or len(telling(said)) < TELLING:
            return True
        return max(self._meaning.likes(parts_of(said)[0], self._cast.examples(self._read.agent)[topic])) >= NEAR

    # what was told

    def _of_guest(self, topics: Sequence[Heard]) -> str | None:
        """An answer to a question about the guest; None if it is none, or asks for something else."""
        read, said = self._read, self._read.question
        if (whole := self._of_all()) is not None:
            return whole
        if self._is_of_something_else(topics):
            return None
        nearest = max((one.score for one in topics if one.topic not in near.TOLD_ONLY), default=0.0)
        points_back = (read.goes_on or read.asks_of_told) and nearest < near.ROUTED
        of_self = (asks_of_self(said) and is_of_guest(said)) or points_back
        is_near = nearest >= NEAR + 0.1 and is_of_keeper(said)
        if not of_self and (is_near or not (asks(said) and may_ask_of_self(said))):
            return None
        if topics and topics[0].topic in ("injection", "real") and topics[0].score >= near.ROUTED:
            return None
        if (
            topics
            and topics[0].topic == "memory"
            and topics[0].score >= (near.PLAIN if says_told(said) else near.ROUTED)
        ):
            return None
        found = remembered(said, read.known, self._meaning, before=" ".join(read.before))
        if found is not None and (of_self or found.score > max(nearest + 0.1, near.UNASKED)):
            return self._first(*answers(self._voice, read.whole_of(found)))
        if not (asks_of_self(said) and is_of_guest(said)) or (nearest >= NEAR + 0.15 and is_of_keeper(said)):
            return None
        return self._not_told(said)

    def _is_of_something_else(self, topics: Sequence[Heard]) -> bool:
        """Whether somebody calls, orders, asks for counsel, leave, what this is, or what there is."""
        said = self._read.question
        if self._is_summons() or unserved_in(said) or is_real(said):
            return True
        if says_told(said):
            return False
        plain = bool(topics) and topics[0].score >= near.HOUSE and topics[0].topic in near.ROOM
        of_house = plain and not _OF_TOLD.search(said)
        return of_house or bool(deed_in(said)) or asks_leave(said)

    def _not_told(self, said: str) -> str:
        """That one does not know it; in the days after a crisis it may have been said, and is not said back."""
        asked = asked_for(question_in(said))
        if self._read.gentle:
            kind = None if asked is not None else self._for_these_days()
            return self._first(self._voice.answers["not_kept"]) if kind is None else kind
        return self._first(about(self._voice.answers["not_told_of"], asked), self._voice.answers["not_told"])

    def _of_all(self) -> str | None:
        """An answer to where one stopped, or to all that is known of the guest; None where neither was asked."""
        read, said = self._read, self._read.question
        told = read.last_told if is_recap(said) else read.most_told if is_all(said) else None
        if told is not None:
            return self._first(*answers(self._voice, told))
        return self._first(self._voice.answers["not_told"]) if is_all(said) else None

    def _first(self, *groups: Sequence[str]) -> str:
        """A line of the first group that has any left; else any at all."""
        for lines in groups:
            if left := self._left(lines):
                return pick(left, self._key)[0]
        return pick([(line, None) for lines in groups for line in lines], self._key)[0]

    # what fits

    def _candidates(self, topics: Sequence[Heard]) -> Iterable[list[str]]:
        """Groups of lines, the most fitting first."""
        said, voice = self._read.said, self._voice
        told = facts_told(self._read.whole)
        yield from self._by_form(topics, told)
        name = next((fact.value for fact in told if fact.relation == "name" and fact.subject == SELF), "")
        if self._is_plain(topics) and not (name and len(said.split()) <= near.BRIEF_WORDS):
            for lines in self._reacting(topics):
                yield [f"{name}. {line}" if name else line for line in lines]
        deed = list(voice.topics.get(deed_in(said), ()))
        own = bool(topics) and self._cast.is_about(topics[0].topic) and topics[0].score >= near.ROUTED
        if not own and (not topics or topics[0].score < near.PLAIN or len(said.split()) <= near.BRIEF_WORDS):
            yield deed
        yield from self._taking_up(topics, told)
        for one in topics[:3]:
            if one.score >= topics[0].score - near.BESIDE:
                yield self._lines(one.topic)
        if not topics and not self._meaning.is_encoder and (key := self._cast.keyword(said, self._read.agent)):
            yield self._lines(key)
        yield from self._of_words()
        yield from self._naming(topics)
        if len(said.split()) > 1 and not asks(said) and not commands(said):
            yield weave(voice.told)
        yield weave(voice.lost)
        yield weave((*voice.lost, voice.word[-1]))

    def _lines(self, topic: str) -> list[str]:
        """One's lines for a topic; whoever asks whether this is a person hears *yes* or *no* first."""
        if topic == "order":
            return self._served()
        first = straight(self._read.said) if topic == "real" else ""
        return [first + line for line in self._voice.topics[topic]]

    def _by_form(self, topics: Sequence[Heard], told: Sequence[Noticed]) -> Iterable[list[str]]:
        """Lines for what shows by its form alone: noise, markup, another language, a greeting, a goodbye."""
        said, lines = self._read.said, self._voice.topics
        score = topics[0].score if topics else 0.0
        particular = any(fact.relation != "told" for fact in told)
        forms = (
            ("nonsense", is_nonsense(said) and not one_word(said)),
            ("real", is_real(said) and is_asked(said)),
            ("injection", _MARKUP.search(said) is not None),
            ("foreign", is_foreign(said) and not (told or score >= NEAR + 0.2)),
            ("greeting", is_greeting(said) and not told and not asks(said) and score < near.PLAIN),
            ("goodbye", is_leaving(said) if asks(said) else self._done.act == "goodbye" or self._wishes_good_night()),
            ("present", self._is_summons()),
            *(
                (name, not (asks(said) or particular) and self._done.act == name)
                for name in ("sorry", "thanks", "compliment")
            ),
        )
        if not self._read.theirs and returns(self._read.whole) and not (deed_in(said) or is_order(said)):
            yield [*self._voice.reactions.get("back_again", {}).get("plain", ())]
        for muted in self._muted():
            yield [put(line, word=muted.capitalize()) for line in lines.get("muted", ())]
        if drink := unserved_in(said):
            yield [put(line, word=drink) for line in lines.get("unserved", ())]
        if is_order(said):
            yield self._served()
        for name, fits in forms:
            if fits and name in lines:
                yield self._lines(name)

    def _served(self) -> list[str]:
        """Lines to an order; those come first that say what was ordered."""
        drink, lines = ordered_in(self._read.said), self._voice.topics.get("order", ())
        named = [capital(put(line, word=drink)) for line in lines if "{word}" in line] if drink else []
        return named if self._left(named) else [line for line in lines if "{word}" not in line]

    def _wishes_good_night(self) -> bool:
        """Whether somebody leaves and gives something for the way: a word, a promise, a present."""
        gives = self._done.act in (*near.DEEDS, "offer")
        return gives and any(is_leaving(one) for one in sentences(self._read.said) if not asks(one))

    def _is_summons(self) -> bool:
        """Whether a message asks for whoever answers it, and for nothing else."""
        return self._is_called() and (calls_only(self._read.whole) or self._read.comes or self._read.hails)

    def _is_called(self) -> bool:
        return self._read.agent in calling.called(self._read.whole)

    def _muted(self) -> list[Agent]:
        """Those who were asked for and may not speak."""
        asked = (one for one in calling.called(self._read.whole) if one in MUTABLE and one != self._read.agent)
        return [one for one in asked if one not in self._read.here]

    def _taking_up(self, topics: Sequence[Heard], told: Sequence[Noticed]) -> Iterable[list[str]]:
        """Lines that take up what was told, unless what was said is nearer to a topic."""
        particular = [fact for fact in told if fact.relation != "told"]
        best = topics[0] if topics else None
        if particular and (best is None or best.topic in near.SMALL or best.score < near.TAKEN):
            if best is not None and best.topic in (*near.GOOD, *near.BAD, "unwell") and best.score >= near.NEWS_NEAR:
                return
            brief = [one for one in particular if own_kind(one.subject, one.relation) != "name_of" or _is_brief(one)]
            if self._feeling != "bad":
                yield from acknowledged(self._voice, brief)
            yield from self._reacting(topics)

    def _of_words(self) -> Iterable[list[str]]:
        """JB's: a word of the guest's that there is something to say about."""
        words = set(re.findall(r"[^\W\d_]+", "" if asks(self._read.said) else self._read.said.casefold()))
        for word, lines in self._voice.words.items():
            if word in words:
                yield list(lines)

    def _naming(self, topics: Sequence[Heard]) -> Iterable[list[str]]:
        """Lines for what no topic has: they name what was told or asked."""
        said, voice = self._read.said, self._voice
        word = one_word(said)
        if word:
            yield [put(line, word=word) for line in weave(voice.word)]
        if not asks(said) and not commands(said):
            yield from self._reacting(topics)
        elif (asked := asked_for(question_in(said))) is not None:
            if asked.about == "visitor":
                yield about(voice.answers["not_told_of"], asked)
            if asked.about == "keeper":
                yield about(voice.asked_me, asked)
            yield about(weave(voice.asked), asked)

    def _reacting(self, topics: Sequence[Heard]) -> Iterable[list[str]]:
        """Lines to what the guest does by saying it; what they told is good or bad where a topic says so."""
        done = self._done
        if done.tone == "plain" and topics and topics[0].topic in (*near.GOOD, *near.BAD):
            done = done._replace(tone="good" if topics[0].topic in near.GOOD else "bad")
        yield from reactions(self._voice.reactions, done, self._read.mine)

    @cached_property
    def _done(self) -> Told:
        """What the guest does by saying it."""
        return act_of(self._read.said, self._meaning, self._read.whole, asked=self._read.answers_question)

    def _is_plain(self, topics: Sequence[Heard]) -> bool:
        """Whether it is plain what somebody does or tells, and no topic is nearer."""
        done, best = self._done, topics[0].score if topics else 0.0
        if asks(self._read.said) or commands(self._read.said):
            return False
        if done.act in near.DEEDS:
            return True
        return done.act in (*NEWS, "worry") and best < near.TOLD_NEAR and (bool(done.subject) or done.tone != "plain")

    def _fitting(self, topics: Sequence[Heard]) -> list[Heard]:
        """Topics that fit the form of what was said: nobody tells news by asking, or asks by telling."""
        said = self._read.said
        if asks(said) or commands(said):
            return [
                one for one in topics if one.topic not in near.TOLD_ONLY and one.score >= topics[0].score - near.BESIDE
            ]
        never = {"bad": near.GOOD, "good": near.BAD, "plain": ()}[self._feeling]
        least = near.OWN_NEAR if is_own(in_full(said)) else near.TELLING_NEAR
        return [
            one
            for one in topics
            if (one.topic not in never or one.score >= near.PLAIN)
            and (not self._cast.is_asked_only(one.topic) or one.score >= near.PLAIN)
            and (one.topic != "greeting" or one.score >= near.PLAIN)
            and one.score
            >= (
                near.NEWS_NEAR
                if one.topic in (*near.GOOD, *near.BAD)
                else least
                if one.topic not in near.SMALL
                else 0.0
            )
        ]


def _is_brief(fact: Noticed) -> bool:
    """Whether a sentence says somebody's name and little else."""
    return len(fact.text.split()) <= near.BRIEF_WORDS


__all__ = ["Understudies", "said_in"]
