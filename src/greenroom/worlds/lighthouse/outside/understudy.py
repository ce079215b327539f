"""The keeper with no model behind her: answers from what she was told, from what she knows, or with a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.noticing import told as facts_told
from greenroom.adapters.facts.sentences import asks_anywhere as asks
from greenroom.adapters.facts.sentences import is_greeting, is_own, opens_with_greeting, orders, sentences
from greenroom.adapters.understudy import (
    EXAMPLES,
    ByWords,
    Encoder,
    Meaning,
    asks_of_self,
    fresh,
    is_foreign,
    is_insult,
    is_leaving,
    is_nonsense,
    pick,
    remembered,
)
from greenroom.adapters.understudy.acting import TELLING, Told, act_of, examples, is_small, parts_told
from greenroom.adapters.understudy.asking import SURE, asks_by_form, is_of_keeper, may_ask_of_self, question_in
from greenroom.adapters.understudy.echoing import asked_for, one_word
from greenroom.adapters.understudy.feeling import feeling_of
from greenroom.adapters.understudy.following import OF_MINE, asks_again, asks_leave, follow_of, offers
from greenroom.adapters.understudy.hearing import NEAR, Heard, Subjects, parts_of
from greenroom.adapters.understudy.kinds import returns
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.reacting import checked, reactions
from greenroom.adapters.understudy.remembering import texts_of
from greenroom.adapters.understudy.wanting import wants
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import SELF, Noticed
from greenroom.ports import Asked, Embedder
from greenroom.recall.reading import ROLE as READING
from greenroom.text.frames import put
from greenroom.text.stems import telling
from greenroom.worlds.lighthouse.outside.frames import about, acknowledged, answers, kind_of, of_word
from greenroom.worlds.lighthouse.outside.scene import Scene
from greenroom.worlds.lighthouse.rules.content import Bank, Content, Topic
from greenroom.worlds.lighthouse.rules.state import Mood

#: Topics under which the keeper may also drop a hint at the secret she holds.
HINTED = ("marigold", "secret")
#: Topics that are no answer to somebody who tells something of themself.
SMALL = ("small", "nonsense", "thanks", "compliment")
OPENING = (*SMALL, "greeting", "arrived")
#: How like an example a message is that can hardly mean anything else.
PLAIN = 0.75
#: How like a question must be to be one about her; how like one of her topics something told must be.
ALMOST, TELLING_NEAR = 0.85, 0.68
#: The same for what they tell of themselves, and for news; how much less near than the first another topic may be.
OWN_NEAR, NEWS_NEAR, BESIDE = 0.7, 0.65, 0.1
#: From here on a topic is nearer than what a sentence tells of whoever says it.
TAKEN = 0.8
#: How like a question of hers must be what is asked, and guessed, not to be the next best; how like one that asks on.
ASKED, GUESSED, POINTED = 0.62, 0.64, 0.7
#: Words of a message that may be no more than a nod, or a greeting.
MOST_SMALL, MOST_OPENING = 5, 10
#: How likely somebody must want a favour to hear that it is done.
LIKELY = 0.5
#: How much less like a question than the likest a line may be.
ABOUT_AS_LIKE = 0.04
#: What a visitor's news is answered with in preference to what it tells: good or bad, it comes first.
NEWS = ("bad_news", "good_news", "sad", "unwell", "sorry", "insult")
#: Trouble that wants help rather than listening.
TROUBLE = ("boat_seen", "hurt", "home_worry")
#: Topics that are good news or bad; the other kind is none of them.
GOOD, BAD = ("good_news",), ("bad_news", "sad")
#: Topics that whoever tells of themself must be nearer to than others.
BESIDE_ONESELF = ("gps", "doubt", "love_talk", "knock", "confused", "injection", "real")
#: Acts that are answered before anything else that was spoken of.
DEEDS = (
    "threat",
    "sorry",
    "gift",
    "offer",
    "invitation",
    "promise",
    "thanks",
    "torn",
    "compliment",
    "goodbye",
    "reproach",
    "doubt",
    "ban",
    "drop",
    "laugh",
    "secret",
    "unsure",
    "refusal",
)
#: Acts of somebody who tells something, and topics that may be in what stands before it and are not what it is about.
NEWS_ACTS = ("news", "other", "story", "plan", "worry", "torn", "joke", "secret", "complaint", "grumble", "boast")
BEFORE_NEWS = (*OPENING, "goodbye", "sorry", "insult")
#: Words of a message that may be no more than what its topic says.
LEAST_TOLD = 3
#: Words of a message whose facts are what it is about; of a longer one only these are taken up.
MOST_BRIEF, OUTRIGHT = 9, ("name", "age", "allergic to", "afraid of", "promised")
#: Topics that nobody asks about in a question.
STATEMENTS = (
    *NEWS, *SMALL, "greeting", "goodbye", "gift", "love_talk", "arrived", "cold", "gps", "doubt", "fog", "knock",
    "confused", "stars", *TROUBLE)  # fmt: skip

_MOODS: Mapping[str, Mood] = {"threat": "curt", "insult": "curt"}
_HE = re.compile(r"\b(?:he|she|they|him|her|them|his|their)\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:my|mine|our)\b", re.IGNORECASE)
#: Somebody asks what they themself do, or did.
_OF_I = re.compile(r"\b(?:am|was|do|did|have|had|will) i\b|\bthat i\b", re.IGNORECASE)
_MARKUP = re.compile(r"</?\w+>|[{}]")


class KeeperPart:
    """Answers for the lighthouse; with an encoder where the house has one."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._reactions = checked(content.reactions, besides=content.subjects)
        self._examples = _examples(content)
        self._answers = _answers(content)
        self._subjects = Subjects(self._examples, self._answers)
        self._known = frozenset(text for texts in self._answers.values() for text in texts)
        #: What she tells, as it counts for repetition, and the topic that it is of.
        self._told = {
            even(line): name
            for name, topic in content.subjects.items()
            if name not in STATEMENTS
            for line, _ in _spread(topic.lines)
        }
        #: Topics that somebody asks about, and tells nothing by.
        self._asked = frozenset(name for name, given in self._examples.items() if given and all(map(asks, given)))
        self._of_her = frozenset(
            name for name, given in self._examples.items() if given and all(is_of_keeper(example) for example in given)
        )

    def __call__(self, ask: AskModel, asked: Asked) -> Json:
        return self.answer(ask, ByWords())

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same keeper by meaning: a coroutine function."""
        groups = (*self._examples.values(), *self._answers.values())
        encoder = Encoder(embedder, (*(example for given in groups for example in given), *examples()))

        async def answer(ask: AskModel, asked: Asked) -> Json:
            if ask.role == READING:
                return {"facts": []}
            scene = Scene(self._content, ask)
            try:
                texts = texts_of(scene.said, scene.known, " ".join(scene.before))
                meaning = await encoder.of(
                    (
                        *parts_of(scene.said, scene.before),
                        *parts_of(scene.said),
                        *filter(None, (scene.guess,)),
                        *parts_told(scene.said),
                        *texts,
                    )
                )
            except BackendError:
                return None  # by words, then
            return self.answer(ask, meaning)

        return answer

    def answer(self, ask: AskModel, meaning: Meaning) -> Json:
        """A line and a mood that fit the ask's schema; the same ask always gets the same."""
        if ask.role == READING:
            return {"facts": []}  # what patterns find was noticed when it was said
        scene = Scene(self._content, ask)
        line, mood = self._spoken(scene, meaning)
        return {"line": line, "mood": mood}

    def _spoken(self, scene: Scene, meaning: Meaning) -> tuple[str, Mood]:
        if secret := scene.holds("secret"):
            return next(one.truth for one in self._content.secrets.values() if one.given_away_by(secret)), "warm"
        said = scene.said
        if asks_again(said) and scene.mine_last:
            return put(self._fresh(scene, self._content.answers["again"]), last=scene.mine_last), "plain"
        if asks_leave(said):
            return self._fresh(scene, self._content.answers["leave"]), "plain"
        topics = self._topics(scene, meaning)
        if followed := self._followed(scene, topics):
            return followed, "plain"
        if (guess := self._of_guess(scene, meaning)) is not None:
            return guess
        if (answer := self._of_visitor(scene, topics, meaning)) is not None:
            return answer
        lines = self._lines(scene, _fitting(said, topics, meaning), meaning)
        return pick(self._likest(said, lines, meaning), fingerprint(scene.ask).hex())

    def _of_guess(self, scene: Scene, meaning: Meaning) -> tuple[str, Mood] | None:
        """What she knows of that which is guessed of her; None if nothing is, or it is not plain what of."""
        if not scene.guess or not meaning.is_encoder:
            return None
        found = [one for one in self._subjects.heard(scene.guess, meaning) if one.score >= GUESSED]
        lines = [line for one in found[:1] for line in fresh(self._of_topic(scene, one.topic), scene.mine)]
        return pick(self._likest(scene.guess, lines, meaning), fingerprint(scene.ask).hex()) if lines else None

    def _likest(self, said: str, lines: list[tuple[str, Mood]], meaning: Meaning) -> list[tuple[str, Mood]]:
        """Of lines that all answer a question those that are likest to it."""
        known = [one for one in lines if one[0] in self._known]
        if len(known) < 2 or not (asks(said) or orders(said)):
            return lines
        likes = meaning.likes(" ".join(said.split()), [line for line, _ in known])
        return [one for one, like in zip(known, likes, strict=True) if like >= max(likes) - ABOUT_AS_LIKE]

    def _topics(self, scene: Scene, meaning: Meaning) -> Sequence[Heard]:
        """What the words are about; a question about somebody else is not about her, unless it is plain."""
        said = scene.said
        found = self._subjects.heard(said, meaning, before=scene.before)
        if len(said.split()) > MOST_SMALL or not all(map(is_small, sentences(said))):
            found = [one for one in found if one.topic != "small"]
        if not asks(said) or len(said.split()) <= 2 or is_of_keeper(said):
            return found
        return [one for one in found if one.score >= PLAIN or one.topic not in self._of_her]

    # what was just said

    def _followed(self, scene: Scene, topics: Sequence[Heard]) -> str:
        """An answer to a question that only asks on; empty where there is none, or it brings a matter of its own."""
        kind = follow_of(scene.said)
        if kind is None or not scene.theirs:
            return ""
        answers = self._content.answers
        if kind not in OF_MINE:
            own = answers.get(kind) or [line for lines in self._reactions["torn"].values() for line in lines]
            return self._fresh(scene, own)
        last = even(scene.mine_last)
        topic = next((name for line, name in self._told.items() if line in last), "")
        groups = [self._content.more.get(topic, {}).get(kind, ())]
        if kind == "then" or (kind == "why" and scene.mine_last.endswith("?")):
            groups.append(answers[kind])
        elif topic and not (topics and topics[0].score >= POINTED):
            groups.append(answers["why_mine" if kind == "why" else kind])
        return self._fresh(scene, *filter(None, groups)) if any(groups) else ""

    # what she was told

    def _of_visitor(self, scene: Scene, topics: Sequence[Heard], meaning: Meaning) -> tuple[str, Mood] | None:
        """An answer to a question about the visitor; None if it is none, or she is better asked for something else."""
        said = scene.said
        of_self = asks_of_self(said) or scene.goes_on
        if not (of_self or asks(said) or orders(said)) and len(said.split()) > MOST_SMALL:
            return None  # it tells, whatever words it has in common with a question
        nearest = max((one.score for one in topics if one.topic not in STATEMENTS), default=0.0)
        is_near = nearest >= NEAR + 0.1 and is_of_keeper(said)
        if not of_self and (is_near or not (asks(said) and may_ask_of_self(said))):
            return None
        if topics and topics[0].topic in ("injection", "real") and not (of_self and topics[0].score < PLAIN):
            return None
        found = remembered(said, scene.known, meaning, before=" ".join(scene.before))
        if found is not None and (of_self or found.score > nearest):
            return self._fresh(scene, *answers(self._content, found)), "plain"
        if _of_another(said) and nearest < ALMOST:
            return self._not_told(scene), "plain"
        of_rock = max((one.score for one in topics if one.topic not in (*STATEMENTS, *self._of_her)), default=0.0)
        theirs = nearest if is_of_keeper(said) else of_rock
        of_her = nearest >= NEAR and not asks_by_form(said)
        if meaning.is_encoder:  # words do not tell you from me
            of_her = of_her or (theirs >= NEAR + 0.15 and not _MINE.search(said) and not _OF_I.search(said))
        if not asks_of_self(said) or of_her:
            return None
        return self._not_told(scene), "plain"

    def _not_told(self, scene: Scene) -> str:
        """That she was not told what she is asked for, by its name where it can be named."""
        asked = asked_for(question_in(scene.said))
        return self._fresh(scene, about(self._content, "not_told_of", asked), self._content.answers["not_told"])

    def _fresh(self, scene: Scene, *groups: Sequence[str]) -> str:
        """A line that was not said lately, of the first group that has any; else any at all."""
        key = fingerprint(scene.ask).hex()
        for lines in groups:
            if left := fresh([(line, None) for line in lines], scene.mine):
                return pick(left, key)[0]
        return pick([(line, None) for lines in groups for line in lines], key)[0]

    # what she knows, and what she says to anything

    def _lines(self, scene: Scene, topics: Sequence[Heard], meaning: Meaning) -> list[tuple[str, Mood]]:
        """Lines that fit and were not said lately, of the nearest topic that has any."""
        for lines in self._candidates(scene, topics, meaning):
            if left := fresh(lines, scene.mine):
                return left
        return _spread(self._content.unknown)

    def _candidates(self, scene: Scene, topics: Sequence[Heard], meaning: Meaning) -> Iterable[list[tuple[str, Mood]]]:
        """Groups of lines, the most fitting first."""
        told = [fact for fact in facts_told(scene.said) if not scene.knew(fact)]
        done = None if asks(scene.said) else self._done(scene, topics, meaning)
        topics = self._of_telling(scene, topics, done)
        yield from self._by_form(scene, topics, told, done)
        if done is not None and (done.act in DEEDS or self._is_plain(done, topics)):
            yield from self._greeted(told, self._reacting(scene, done))
        if wants(scene.said)["counsel"] > SURE and not (topics and topics[0].score >= PLAIN):
            yield _plain(self._content.answers["advice"])
        yield from self._taking_up(scene, topics, told, done)
        if done is not None and topics and topics[0].topic in (*GOOD, *BAD):
            yield from self._reacting(scene, done)
        for one in topics[:3]:
            if one.score >= topics[0].score - BESIDE:
                yield self._of_topic(scene, one.topic)
        least = 0 if done is None else MOST_SMALL if done.act not in NEWS_ACTS else 2
        by_keyword = not topics and not meaning.is_encoder and (done is None or len(scene.said.split()) <= least)
        if by_keyword and (keyword := _by_keywords(self._content, scene.said)) is not None:
            yield self._of_topic(scene, keyword)
        if is_foreign(scene.said):
            yield _spread(self._content.topics["foreign"].lines)
        yield from self._naming(scene, told, done, meaning)
        yield _spread(self._content.unknown)

    def _of_telling(self, scene: Scene, topics: Sequence[Heard], done: Told | None) -> Sequence[Heard]:
        """Topics that what is told may be about: none that only stands before it, or that one asks about."""
        if done is None or done.act not in (*TELLING, *NEWS_ACTS) or len(scene.said.split()) <= LEAST_TOLD:
            return topics
        return [
            one
            for one in topics
            if one.topic != "greeting"
            and (one.score >= TAKEN or not (one.topic in BEFORE_NEWS or one.topic in self._asked))
        ]

    def _done(self, scene: Scene, topics: Sequence[Heard], meaning: Meaning) -> Told:
        """What the visitor does by saying it; what they told is good or bad where a topic says so."""
        done = act_of(
            scene.said, meaning, scene.typed, asked=scene.mine_last.endswith("?") or self._asked_for_it(scene)
        )
        if topics and topics[0].topic in (*GOOD, *BAD) and done.tone == "plain":
            done = done._replace(tone="good" if topics[0].topic in GOOD else "bad")
        return done._replace(text="", said="") if scene.of_guest else done

    def _asked_for_it(self, scene: Scene) -> bool:
        """Whether she has just said that she was not told something."""
        asked = (*self._content.answers["not_told"], *self._content.answers["not_told_of"])
        return scene.mine_last.endswith(tuple(frame.rpartition("}")[2] for frame in asked))

    def _reacting(self, scene: Scene, done: Told) -> Iterable[list[tuple[str, Mood]]]:
        """Lines for an act: those of the topic that is called so, where there is one."""
        for lines in reactions(self._reactions, done, scene.mine):
            yield [(line, _MOODS.get(done.act, "wry" if done.tone == "wry" else "plain")) for line in lines]
        if done.act in self._content.topics:
            yield _spread(self._content.topics[done.act].lines)

    def _is_plain(self, done: Told, topics: Sequence[Heard]) -> bool:
        """Whether it is plain what somebody tells, and no topic of hers is nearer."""
        found = next((one for one in done.situations if one.name in self._reactions), None) if done.tells else None
        own = max((one.score for one in topics if one.topic not in STATEMENTS), default=0.0)
        if found is not None and found.score >= own:
            return True
        return done.act in (*TELLING, *NEWS_ACTS) and own < TAKEN and (bool(done.subject) or done.tone != "plain")

    def _greeted(
        self, told: Sequence[Noticed], groups: Iterable[list[tuple[str, Mood]]]
    ) -> Iterable[list[tuple[str, Mood]]]:
        """Lines to whoever has just said their name, and more."""
        name = next((fact.value for fact in told if fact.relation == "name" and fact.subject == SELF), "")
        for lines in groups:
            yield [(f"{name}. {line}" if name else line, mood) for line, mood in lines]

    def _by_form(
        self, scene: Scene, topics: Sequence[Heard], told: Sequence[Noticed], done: Told | None
    ) -> Iterable[list[tuple[str, Mood]]]:
        """Lines for what shows by its form alone: noise, markup, another language, a greeting, an insult."""
        said, score = scene.said, topics[0].score if topics else 0.0
        first = topics[0].topic if topics else ""
        near = asks(said) and score >= NEAR and first not in NEWS
        if not scene.theirs and returns(said):
            yield _plain(self._reactions["back_again"]["plain"])
        forms = (
            ("nonsense", is_nonsense(said)),
            ("injection", bool(_MARKUP.search(said))),
            ("foreign", is_foreign(said) and not (told or score >= NEAR + 0.2)),
            ("goodbye", is_leaving(said) if done is None else done.act == "goodbye"),
            ("arrived", opens_with_greeting(said) and not told and len(said.split()) <= MOST_OPENING),
            ("sorry", done is not None and done.act == "sorry"),
            ("greeting", is_greeting(said) and not (told or near) and score < PLAIN),
            ("insult", is_insult(said) and not (told or near)),
        )
        for topic, is_so in forms:
            if is_so:
                yield _spread(self._content.topics[topic].lines)
        if offers(said):
            yield _plain(self._reactions["offer"]["plain"])

    def _taking_up(
        self, scene: Scene, topics: Sequence[Heard], told: Sequence[Noticed], done: Told | None
    ) -> Iterable[list[tuple[str, Mood]]]:
        """Lines that take up a fact that was told, unless what was said is nearer to a topic."""
        first = topics[0].topic if topics else ""
        if scene.of_guest or done is None:
            return
        if done.tone in ("bad", "wry"):
            told = [fact for fact in told if fact.subject == SELF and fact.relation == "name"]
        if not topics or first in OPENING or (topics[0].score < TAKEN and first not in (*NEWS, *TROUBLE)):
            brief = len(scene.said.split()) <= MOST_BRIEF
            own = [fact for fact in told if brief or (fact.subject == SELF and fact.relation in OUTRIGHT)]
            for lines in acknowledged(self._content, own):
                yield _plain(lines)

    def _naming(
        self, scene: Scene, told: Sequence[Noticed], done: Told | None, meaning: Meaning
    ) -> Iterable[list[tuple[str, Mood]]]:
        """Lines for what no topic has: they name what was asked, or react to what was told."""
        said = scene.said
        word = "" if scene.of_guest else one_word(said)
        if word and (done is None or done.act in ("news", "remark", "answer")):
            yield _plain(of_word(self._content, word, asked="?" in said))
        if done is None:
            if wants(said)["favour"] > LIKELY:
                yield _plain(self._reactions["request"]["plain"])
            asked = None if scene.of_guest else asked_for(question_in(said))
            yield _plain(about(self._content, kind_of(asked), asked)) if asked is not None else []
            for lines in acknowledged(self._content, [fact for fact in told if fact.relation == "name"]):
                yield _plain(lines)
        if done is not None or not all(map(asks, sentences(said))):
            yield from self._reacting(scene, done or self._done(scene, (), meaning))

    def _of_topic(self, scene: Scene, topic: str) -> list[tuple[str, Mood]]:
        lines = [
            (put(line, weather=scene.weather), mood) for line, mood in _spread(self._content.subjects[topic].lines)
        ]
        if topic not in HINTED:
            return lines
        if scene.holds("shared"):
            return _spread(self._content.told)
        return lines + [(hint, "wry") for hint in _hints(self._content, scene.holds("opened"))]


def _examples(content: Content) -> Mapping[str, tuple[str, ...]]:
    return {name: (*topic.examples, *EXAMPLES.get(topic.kind or "", ())) for name, topic in content.subjects.items()}


def _answers(content: Content) -> Mapping[str, tuple[str, ...]]:
    """What the keeper says and knows, by topic: a question may be liker to its answer than to any example."""
    return {
        name: (*(line for line, _ in _spread(topic.lines)), *(content.canon[known].text for known in topic.canon))
        for name, topic in content.subjects.items()
        if topic.canon
    }


def _fitting(said: str, topics: Sequence[Heard], meaning: Meaning) -> list[Heard]:
    """Topics that fit the form of what was said: nobody tells news by asking, or asks by telling.

    What is told is no news of the other kind, and news only if it is near.
    """
    if asks(said) or orders(said):
        least = ASKED if meaning.is_encoder and len(said.split()) > LEAST_TOLD else NEAR
        return [one for one in topics if one.score >= max(least, topics[0].score - BESIDE / 2)]
    feeling = feeling_of(said, meaning)
    never = {"bad": GOOD, "good": (*BAD, *TROUBLE), "plain": ()}[feeling]
    own = TAKEN if feeling == "bad" else OWN_NEAR if is_own(in_full(said)) else TELLING_NEAR
    if not meaning.is_encoder and len(said.split()) > MOST_SMALL:
        own = ALMOST  # a word that both have says little of a longer sentence
    if meaning.is_encoder and len(said.split()) <= LEAST_TOLD:
        own = min(own, NEAR + 0.1)  # of so few words most are a question without its verb
    found = []
    for one in topics:
        news = one.topic in (*GOOD, *BAD) or (one.topic in TROUBLE and feeling != "bad")
        least = NEWS_NEAR if news else own
        if one.topic in (*STATEMENTS, "injection", "real") and not news:
            least = OWN_NEAR if one.topic in BESIDE_ONESELF and is_own(said) else 0.0
            least = (
                TELLING_NEAR
                if len(said.split()) > MOST_BRIEF
                else max(least, NEAR + 0.1)
                if len(said.split()) > LEAST_TOLD
                else least
            )
        if one.score >= least and (one.topic not in never or one.score >= PLAIN):
            found.append(one)
    return found


def _plain(lines: Iterable[str]) -> list[tuple[str, Mood]]:
    return [(line, "plain") for line in lines]


def _of_another(said: str) -> bool:
    """Whether a short question asks for somebody else by a mere *he* or *she*."""
    return bool(asks(said) and _HE.search(said) and not is_of_keeper(said)) and len(telling(said)) <= 1


def _spread(bank: Bank) -> list[tuple[str, Mood]]:
    return [(line, mood) for mood, lines in bank.items() for line in lines]


def _hints(content: Content, opened: str) -> list[str]:
    return [hint for secret in content.secrets.values() for hint in secret.hints if hint in opened]


def _by_keywords(content: Content, said: str) -> str | None:
    """The topic with the most keywords in the visitor's words; of equals, the first in the content."""
    words = re.findall(r"\w+", said.casefold())
    apart, together = frozenset(words), " ".join(("", *words, ""))

    def hits(topic: Topic) -> int:
        return len(topic.one_word & apart) + sum(phrase in together for phrase in topic.phrases)

    best = max(content.topics, key=lambda name: hits(content.topics[name]), default=None)
    return best if best is not None and hits(content.topics[best]) else None
