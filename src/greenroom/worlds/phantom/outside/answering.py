"""What answers each part of a message: what the player told, the state of the story, canon, or that it is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from greenroom.adapters.facts.noticing import told as facts_told
from greenroom.adapters.facts.sentences import asks, orders
from greenroom.adapters.understudy import (
    Meaning,
    Subjects,
    asks_of_self,
    is_foreign,
    is_nonsense,
    pick,
    remembered,
)
from greenroom.adapters.understudy.acting import act_of, parts_told
from greenroom.adapters.understudy.asking import is_of_keeper, question_in, says_told
from greenroom.adapters.understudy.echoing import asked_for
from greenroom.adapters.understudy.framing import capital, from_memory, of_asked
from greenroom.adapters.understudy.hearing import form_of, parts_of
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.persons import to_you
from greenroom.adapters.understudy.reacting import reactions
from greenroom.adapters.understudy.remembering import FoundMemory, texts_of
from greenroom.adapters.understudy.subjects import GRAVE
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.facts import SELF
from greenroom.text.frames import put
from greenroom.text.stems import telling
from greenroom.worlds.phantom.outside.moment import (
    DEEDS,
    FAINT,
    QUESTION_WORD,
    MailPart,
    Moment,
    asking,
    best,
    kept_at,
)
from greenroom.worlds.phantom.rules import classify, prompts
from greenroom.worlds.phantom.rules.content import Agent, Content, SpareLine, plain
from greenroom.worlds.phantom.rules.grammar import denies
from greenroom.worlds.phantom.rules.readings import DOUBTED, Reading
from greenroom.worlds.phantom.rules.sentences import tokens

#: How near an example must be; one of what is not asked of the agent; one that has a word of what is told; one that is
#: meant whatever else was done; and one that can hardly mean anything else.
NEAR, LIKELY, SHARED, MEANT, PLAIN = 0.5, 0.55, 0.6, 0.65, 0.75
#: How sure what answers a question, and what takes up something told, must be beside an answer that is plain.
ASKED_BESIDE, TOLD_BESIDE = 0.6, 0.7
#: What asks for a topic by its meaning alone, with no word that the topic has, is below this in doubt.
DOUBTFUL = 0.62
#: How much surer beside what was told before and is asked for: who asks that tries them, and means little else.
TRIED = 0.1
#: How near something that was told must be where nothing says that it was; where the agent is asked; and by how much
#: nearer than a topic.
UNTOLD, OF_AGENT, NEARER = 0.9, 1.5, 0.3
#: What an answer to a question weighs, and one that says again what was told.
ASKED, RECALLED = 3.0, 3.5
#: Letters that lie between two that say what the agent wants most.
REST = 4
#: What likeness loses where one tells of oneself and the other does not, again where that one tells of the reader, and
#: where one denies it.
OTHERWISE = 0.15
#: Words of a sentence that may do no more than agree, or doubt.
BRIEF = 8
#: Parts of a message that one letter answers, by channel.
MOST = {"email": 4, "sms": 3}
#: What one asks to hear more of what was just written, and what one asks to be told what to do.
MORE, NEXT = "more", "next_step"
#: What one tells of where the key is kept, and asks to be told again.
KEPT, WHERE = "put_mail", "where_put"
_WHERE = re.compile(
    r"^(?=.*\b(?:it|it's|key|code|mail|letter|secret|thing|yours)\b)"
    r".*\b(?:where|(?:which|what) (?!did|do|is|was|kind|sort)\w+)\b",
    re.IGNORECASE,
)
#: Topics of what is only said beside something else, where there is anything else.
_SMALL = frozenset(("small", "maybe", "greeting"))
#: What is heard of everybody, whoever has lines for it.
_ALWAYS = (MORE, NEXT, WHERE, "door")
_OWN_NAME = re.compile(r"\b(?:i'?m|i am|name(?:'s| is)?\b|call(?:ed)?|this is|it's|here)\b(?! of)", re.IGNORECASE)
#: A question for a fact that whoever asks has told or not; none for what may be, or must be done.
_OF_FACT = re.compile(
    r"(?:^|[,:] )(?:and |so )?(?:(?:at|in|on|by|for) )?"
    r"(?:what(?:'?s)?|who|where|when|which|whose|how (?:old|many|much|long))"
    r"\b(?!.*\b(?:would|should|can|could|will|if|get|need|have to|do (?:with|about|now|next|then))\b)"
    r".*\b(?:my|our|(?:am|do|did|was|were|have|had) i)\b",
    re.IGNORECASE,
)
#: A question for what whoever is asked did, and no fact of the player's; one for whose answer a name is needed.
_OF_THEIRS = re.compile(
    r"(?:how|why|when|where|what|who) you\b(?! (?:still )?(?:know|remember|recall|call))", re.IGNORECASE
)
_NAME = re.compile(r"(?<=[\w,] )(?!I\b)[A-Z]\w+")
_FOR_NAME = re.compile(r"\b(?P<sur>sur|last |family )?names?\b|\bcalled\b", re.IGNORECASE)
#: A fear that is none.
_FEARLESS = re.compile(
    r"(?:\bnot|n't|\bnever)\b(?: \w+){0,3} (?:scared|afraid|frightened|fear\w*|worried|sad|hurt|sick)\b", re.IGNORECASE
)
_I, _YOU = re.compile(r"\b(?:i|i'm|im|my|me|we|our)\b", re.IGNORECASE), re.compile(r"\b(?:you|your|u)\b", re.IGNORECASE)


class Topics:
    """What one of the cast can be asked and told of: topics that they have lines for, with what people say to each."""

    def __init__(self, content: Content, agent: Agent) -> None:
        answers: dict[str, list[str]] = {}
        for line in agent.lines["reply"]:
            for topic in line.about:
                answers.setdefault(topic, []).append(line.text)
        given = {name: tuple(own) for name, own in content.story.examples.items() if name in answers or name in _ALWAYS}
        asked = {name: tuple(filter(asking, texts)) for name, texts in given.items()}
        self._subjects = Subjects({name: texts for name, texts in given.items() if asked[name]}, answers)
        self._told = [(name, text) for name, texts in given.items() for text in texts if not asking(text)]
        self._words = {name: frozenset(telling(" ".join(texts))) for name, texts in given.items()}
        #: Topics that are asked of the writer alone, and of the player alone.
        self._of_agent = frozenset(name for name, texts in asked.items() if texts and all(map(is_of_keeper, texts)))
        self._of_player = frozenset(name for name, texts in asked.items() if any(map(_of_self_alone, texts)))
        self.texts = tuple(text for group in (*given.values(), *answers.values()) for text in group)

    def nearest(self, part: MailPart, meaning: Meaning) -> tuple[str, float]:
        """The topic that a part is nearest to, if it is near enough; of equals the first."""
        return self._asked_of(part.text, meaning) if part.asks else self._told_of(part.text, meaning)

    def _asked_of(self, text: str, meaning: Meaning) -> tuple[str, float]:
        """What a question is about: of the writer if it speaks to them, and of the player if it asks for themself."""
        own, to_agent = _of_self_alone(text) and _asks_fact(text), is_of_keeper(text)
        for one in self._subjects.heard(text, meaning):
            if meaning.is_encoder and not to_agent and one.score < LIKELY:
                break
            fits = one.score >= PLAIN or to_agent or one.topic not in self._of_agent
            fits = fits and (one.score >= DOUBTFUL or not self._words[one.topic].isdisjoint(telling(text)))
            fits = fits and (one.topic != WHERE or _WHERE.search(text) is not None)
            if fits and (not own or one.topic in self._of_player):
                return one.topic, one.score
        return "", 0.0

    def _told_of(self, said: str, meaning: Meaning) -> tuple[str, float]:
        """What a sentence tells of, heard as a whole and clause by clause."""
        alone, shared = (PLAIN, SHARED) if meaning.is_encoder else (NEAR, NEAR)
        found = "", 0.0
        for text in parts_told(said) if meaning.is_encoder else (said,):
            own, words = _side(text), frozenset(telling(text))
            examples = meaning.likes(text, tuple(other for _, other in self._told))
            for like, (name, other) in zip(examples, self._told, strict=True):
                score = round(like - OTHERWISE * _apart(own, _side(other)), 2)
                least = shared if words.intersection(telling(other)) else alone
                if score >= least and score > found[1]:
                    found = name, score
        return found


def _asks_fact(text: str) -> bool:
    """Whether a question is for something that whoever asks has told or not."""
    return says_told(text) or _OF_FACT.search(text) is not None


@lru_cache(4096)
def _of_self_alone(text: str) -> bool:
    return asks_of_self(text) and not is_of_keeper(text)


@lru_cache(4096)
def _side(text: str) -> tuple[bool, bool, bool]:
    """Whether somebody tells of themself alone, of the reader alone, and whether they deny it."""
    of_me, of_you = bool(_I.search(text)), bool(_YOU.search(text))
    return of_me and not of_you, of_you and not of_me, denies(" ".join(tokens(text)))


def _apart(one: tuple[bool, bool, bool], other: tuple[bool, bool, bool]) -> int:
    """In how much two statements differ, whatever they are about."""
    crossed = (one[0] and other[1]) or (one[1] and other[0])
    return (one[0] != other[0]) + crossed + (one[2] != other[2])


def _names(found: FoundMemory | None, *, whole: bool) -> bool:
    """Whether what was told is a name by itself, or holds one; the whole of it where a surname is asked for."""
    if found is None:
        return False
    if whole:
        return found.fact.relation == "name" and " " in found.fact.value
    return bool(found.is_meant or found.value)


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What answers one part: groups of lines, the most fitting first, how much the part matters, and how sure it is."""

    groups: tuple[Sequence[SpareLine], ...]
    weight: float
    topic: str = ""
    score: float = 1.0
    #: How sure it must be beside an answer that is plain.
    beside: float = TOLD_BESIDE


@dataclass(frozen=True)
class Answering:
    """One message that is being answered."""

    moment: Moment
    meaning: Meaning
    topics: Topics

    def letter(self) -> list[str]:
        """The paragraphs of an answer: each part of the message in its order, then what the story wants to say."""
        written: list[str] = []
        for groups in self._ordered():
            self._add(written, groups)
        is_for_another = self.moment.is_for_another and not written
        if is_for_another:
            self._add(written, (self._lines("misdirected"),), spare=False)
        parts = [part for part in self.moment.parts if part.asks or not written]  # what was told is answered by then
        answers = [] if self._by_form else self._chosen(parts, limit=MOST[self.moment.agent.channel] - len(written))
        if is_for_another and written:
            answers = [one for one in answers if one.score >= PLAIN]
        for answer in answers:
            self._add(written, answer.groups)
        if not written:
            self._add(written, self._by_form or (self._lines("unknown"),))
        wishes, topics = self._lines("wish"), tuple(one.topic for one in answers)
        of_it = {topic for line in wishes for topic in line.about}
        if answers and of_it.issuperset(topics) and len(written) < MOST["sms"] and self._may_wish(written):
            self._add(written, (best(wishes, self.moment.conditions, topics),), spare=False)
        return written

    def short(self) -> str:
        """The one line of somebody who has cooled."""
        topics = [topic for part in self.moment.parts if (topic := self._topic(part)[0])] or [""]
        lines = self._new(self._lines("reply"))
        told = [group for groups in self._ordered() for group in groups]
        return self.one_of(*told, *self._by_form, best(lines, self.moment.conditions, topics))

    def one_of(self, *groups: Sequence[SpareLine]) -> str:
        """A line of the first group that has one which is new."""
        written: list[str] = []
        self._add(written, groups)
        return written[0]

    # which parts

    def _chosen(self, parts: Sequence[MailPart], limit: int) -> list[PartAnswer]:
        """The answers that matter most, in the order of the parts: no topic twice, none in doubt beside a sure one."""
        answers: list[PartAnswer] = []
        left: list[str] = []
        at = 0
        for part in parts:
            found = [self._asked(part)] if self._is_question(part) else list(self._told(part))
            if not found:
                at = at if left else len(answers)  # one paragraph takes up all that is told
                left.append(part.text)
            for answer in found:
                if answer.groups and not (answer.topic and answer.topic in (one.topic for one in answers)):
                    answers.append(answer)
        if left:
            answers.insert(at, self._taken_up(left))
        most = max((one.weight for one in answers), default=0.0)
        weighty = [one for one in answers if one.weight >= min(most, 2.0)]
        if any(one.score >= PLAIN and one.weight >= ASKED for one in weighty):
            tried = TRIED * (most >= RECALLED)
            weighty = [one for one in weighty if one.score >= one.beside + tried]
        heavy = sorted(weighty, key=lambda one: -one.weight)[: max(1, limit)]
        return [one for one in weighty if one in heavy]

    def _is_question(self, part: MailPart) -> bool:
        """Whether a part asks; what only tells somebody to do something does if it is plain what."""
        orders_only = orders(part.text) and not (asks(part.text) or QUESTION_WORD.search(part.text))
        return part.asks and (not orders_only or self._topic(part)[1] >= MEANT)

    # what the letter was told to do, and what shows by its form

    def _ordered(self) -> Iterator[Sequence[Sequence[SpareLine]]]:
        """What the letter was told to do: own that a puzzle is solved, ask back, or say that they come near."""
        moment, agent = self.moment, self.moment.agent
        puzzles = moment.content.puzzles.items()
        for name, puzzle in puzzles:
            if f"{prompts.SOLVED} ({puzzle.question}" in moment.order:
                yield (agent.lines.get(f"solved_{name}", ()),)
        for doubt, told in DOUBTED.items():
            if f"{prompts.ASK_BACK} {told}" in moment.order:
                yield (agent.asks_back.get(doubt, ()),)
        for name, puzzle in puzzles:
            if f"{prompts.NEAR} ({puzzle.question}" in moment.order:
                yield (agent.lines.get(f"near_{name}", ()),)

    @cached_property
    def _by_form(self) -> tuple[Sequence[SpareLine], ...]:
        """Another language, or noise."""
        lines, said = self.moment.agent.lines, self.moment.said
        did = set(self.moment.reading.behaviours) - FAINT
        if is_nonsense(said) or (is_foreign(said) and not did):
            return (lines.get("foreign" if is_foreign(said) else "unknown", ()),)
        return ()

    # one part

    def _asked(self, part: MailPart) -> PartAnswer:
        """What answers a question or a request."""
        topic, score = self._topic(part)
        of_self = asks_of_self(part.text) and not _OF_THEIRS.match(part.text)
        of_fact = _asks_fact(part.text)
        if topic == WHERE and (place := self._kept()) is not None:
            return self._recalled(place)
        if (found := self._remembered(part, 0.0 if of_self and of_fact else score, of_self=of_self)) is not None:
            return self._recalled(found)
        if of_self and of_fact and (says_told(part.text) or score < PLAIN):
            named = self._framed(of_asked(self._frames("not_told_of"), asked_for(question_in(part.text))))
            return PartAnswer((named, self._lines("not_told")), RECALLED)
        if topic == MORE:
            return PartAnswer((*self._more(), self._lines("more")), 3.0, topic)
        groups = [*(self._hints() if topic == NEXT else ()), *self._about(topic)]
        if groups:
            return PartAnswer(tuple(groups), ASKED, topic, score, ASKED_BESIDE)
        asked = asked_for(question_in(part.text))
        if asked is None:
            return PartAnswer((self._lines("unknown"),), 1.0, "", 0.0, ASKED_BESIDE)
        kept = asked.about not in ("other", "visitor") and self._frames("asked_you")
        named = self._framed(of_asked(self._frames("asked_you" if kept else "asked"), asked))
        return PartAnswer((named, self._lines("unknown")), ASKED, "unknown", ASKED_BESIDE, ASKED_BESIDE)

    def _told(self, part: MailPart) -> Iterator[PartAnswer]:
        """What fits a statement: whom it names, what it does, what it is about; the rest is taken up together."""
        lines, reading = self._lines("reply"), self._reading(part)
        did = set(reading.behaviours) - FAINT
        topic, score = self._topic(part)
        if reading.sentiment == "hostile" and not did & DEEDS:
            yield PartAnswer((self._lines("insulted"),), 4.0, "insulted")
            return
        if met := self._met(part):
            yield PartAnswer((met,), 2.5, "met")
        if place := kept_at(part.text):
            frames = (put(one, Place=capital(to_you(place))) for one in self._frames("kept_at"))
            yield PartAnswer((self._new(self._framed(frames)),), 3.0, KEPT)
            return
        brief = len(part.text.split()) <= BRIEF
        if did & DEEDS or (did and brief and score < MEANT and _YOU.search(part.text)):
            done = best([one for one in lines if did & set(one.to)], self.moment.conditions, (topic,))
            if new := self._new(done):
                yield PartAnswer((new,), 4.0 if did & DEEDS else 1.5, f"did {sorted(did)[0]}")
                return
        if topic in (KEPT, "plan_keep") and any(kept_at(one.text) for one in self.moment.parts):
            return  # another part says where
        about = self._about(topic)
        if about and about[0] and not self._tells(part, score):
            yield PartAnswer((about[0],), 0.4 if topic in _SMALL else 2.0 + score, topic, score)

    def _tells(self, part: MailPart, score: float) -> bool:
        """Whether it is plainer what somebody tells of their own life than that they speak of a topic."""
        done, banks = act_of(part.text, self.meaning), self.moment.agent.reactions
        return done.tells and any(one.score >= score for one in done.situations if one.name in banks)

    def _taken_up(self, texts: Sequence[str]) -> PartAnswer:
        """What takes up that which no topic has: what happened, how it is told, how it feels."""
        done = act_of("\n".join(texts), self.meaning)
        if done.tone == "bad" and _FEARLESS.search(done.text):
            done = done._replace(tone="plain")
        banks = self.moment.agent.reactions
        groups = [*self._about(done.act)[:1], *map(self._framed, reactions(banks, done, self.moment.mine))]
        own = any(map(_I.search, texts))
        of_agent = done.act == "of_you" or all(_YOU.search(one) and not _I.search(one) for one in texts)
        feels = done.tone in ("good", "bad")
        said_so = self._lines(f"said_{'of_you' if of_agent else done.tone if feels else 'plain' if own else 'of_it'}")
        hurts = "hurt" if done.tone == "bad" else ""
        near = max((one.score for one in done.situations if done.tells and one.name in banks), default=0.0)
        weight = 0.5 if not any(map(self._new, groups)) else 2.0 if near or hurts else 1.5
        sure = 1.0 if hurts and done.subject in GRAVE else near
        return PartAnswer((*groups, said_so), weight, hurts, sure, PLAIN)

    def _topic(self, part: MailPart) -> tuple[str, float]:
        topic, score = self.topics.nearest(part, self.meaning)
        if topic or self.meaning.is_encoder:
            return topic, score
        worded = [one for one in self._reading(part).topics if part.asks and self._about(one)]
        return (worded[0], NEAR) if worded else ("", 0.0)

    def _about(self, topic: str) -> list[Sequence[SpareLine]]:
        """Lines on a topic, those that were not written lately first; that it was told already where none is left."""
        if not topic:
            return []
        lines = [line for line in self.moment.agent.lines["reply"] if topic in line.about]
        if topic == "door" and self._is_shown:
            lines = list(self.moment.agent.lines.get("reveal_dashboard", ()))
        fitting = best(lines, self.moment.conditions, (topic,))
        if not fitting:
            return []
        new = best(self._new(lines), self.moment.conditions, (topic,))
        return [new, self._lines("again"), fitting] if new else [(), self._lines("again"), fitting]

    @property
    def _is_shown(self) -> bool:
        """Whether the agent has said where the key fits, or may say it by now."""
        known = self.moment.content.story.situations.get("reveal_dashboard")
        texts = (*self.moment.mine, *self.moment.texts("opened"))
        return known is not None and any(all(one in text for one in known.says) for text in texts)

    def _hints(self) -> Iterator[Sequence[SpareLine]]:
        """Help with what the agent has asked and was not told yet."""
        for name in self.moment.asked_puzzles:
            yield self._new((*self._lines(f"hint_{name}"), *self._lines(f"ask_{name}")))

    def _more(self) -> Iterator[Sequence[SpareLine]]:
        """Other lines on what the last letter was about."""
        lines = (line for line in self._lines("reply") if even(line.text) in even(self.moment.last))
        for topic in dict.fromkeys(topic for line in lines for topic in line.about):
            if groups := self._about(topic):
                yield groups[0]

    def _remembered(self, part: MailPart, score: float, *, of_self: bool) -> FoundMemory | None:
        """What the player told of themselves, where that is what is asked for, and not the agent."""
        is_told = of_self or bool(part.before) or says_told(part.text)
        if form_of(part.text) == "why" and not says_told(part.text):
            return None
        if score >= (MEANT if is_told else PLAIN):
            return None
        of_agent = is_of_keeper(part.text) and not _asks_fact(part.text)
        untold = NEAR if not self.meaning.is_encoder else OF_AGENT if of_agent else UNTOLD
        least = score if is_told else max(score + NEARER, untold)
        known = self.moment.known
        before = part.before or self.moment.before
        found = remembered(part.text, known, self.meaning, before=before)
        if (name := _FOR_NAME.search(part.text)) and not _names(found, whole=bool(name["sur"])):
            known = tuple(one for one in known if _NAME.search(one.fact.text))
            found = remembered(part.text, known, self.meaning, before=before)
            found = found if _names(found, whole=bool(name["sur"])) else None
        return found if found is not None and found.score > least else None

    def _kept(self) -> FoundMemory | None:
        """Where the player said last that the key is."""
        told = [one for one in self.moment.known if kept_at(one.fact.text)]
        told.sort(key=lambda one: not one.is_line or one.fact.text not in "\n".join(self.moment.theirs))
        return FoundMemory(told[0].fact, told[0].day, 1.0) if told else None

    def _recalled(self, found: FoundMemory) -> PartAnswer:
        if found.other:
            return PartAnswer((self._framed(from_memory(self._frames("recalls_either"), found)),), RECALLED)
        alone = found.is_meant and found.fact.relation in ("name", "age", "lives", "from", "allergic to")
        groups = [self._framed(from_memory(self._frames("recalls" if alone else "recalls_told"), found))]
        return PartAnswer((*groups, self._framed(from_memory(self._frames("recalls_told"), found))), RECALLED)

    def _met(self, part: MailPart) -> list[SpareLine]:
        """Each way to take up the name that the player says they have."""
        told = [one.value for one in facts_told(part.text) if (one.subject, one.relation) == (SELF, "name")]
        names = [value[:1].upper() + value[1:] for value in told[-1:] if _OWN_NAME.search(part.text)]
        return self._framed(put(frame, value=name) for name in names for frame in self._frames("met"))

    def _reading(self, part: MailPart) -> Reading:
        return classify.by_rules(self.moment.content, self.moment.ask.seat, part.text)

    # lines

    def _may_wish(self, written: Sequence[str]) -> bool:
        """Whether the last letters left out what the agent wants most, and this one does too."""
        wishes = [even(line.text) for line in self._lines("wish")]
        lately = [one for one in self.moment.mine[-REST:] if any(wish in one for wish in wishes)]
        return not lately and "delete" not in " ".join(written)

    def _lines(self, name: str) -> Sequence[SpareLine]:
        return self.moment.agent.lines.get(name, ())

    def _frames(self, name: str) -> tuple[str, ...]:
        return tuple(line.text for line in self._lines(name))

    @staticmethod
    def _framed(texts: Iterable[str]) -> list[SpareLine]:
        return [SpareLine(text=text) for text in texts]

    def _new(self, lines: Sequence[SpareLine]) -> list[SpareLine]:
        """Those that were not written lately."""
        return [line for line in lines if not self._is_written(line.text)]

    def _is_written(self, text: str) -> bool:
        return any(even(text) in one for one in self.moment.mine)

    def _add(self, written: list[str], groups: Iterable[Sequence[SpareLine]], *, spare: bool = True) -> None:
        """Put a line to a letter: of the first group that has one which is new."""
        every: list[SpareLine] = []
        for group in groups:
            every += group
            if left := [one for one in self._new(group) if one.text not in written]:
                written.append(self._pick(left))
                return
        if spare and not written:
            left = [line for line in self._lines("reply") if plain(line)]
            written.append(self._pick(self._new(left) or every or left))

    def _pick(self, lines: Sequence[SpareLine]) -> str:
        return pick([(line.text, None) for line in lines], fingerprint(self.moment.ask).hex())[0]

    def texts(self) -> list[str]:
        """All that is compared, for whoever has to make vectors of it first."""
        moment = self.moment
        befores = [(part.text, part.before or moment.before) for part in moment.parts]
        asked = [one for text, before in befores for one in texts_of(text, moment.known, before)]
        told = (text for part in moment.parts for text in (*parts_of(part.text), *parts_told(part.text)))
        return [*told, *asked]
