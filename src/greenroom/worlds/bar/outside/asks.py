# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""What an ask of the bar holds, read for what the understudy needs of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from dataclasses import replace as replaced
from datetime import date
from functools import cached_property, lru_cache
from typing import Final

from msgspec.structs import replace

from greenroom.adapters.facts.noticing import told as facts_told
from greenroom.adapters.facts.sentences import asks, is_greeting, sentences, to_keep
from greenroom.adapters.understudy import asks_of_self
from greenroom.adapters.understudy.asking import follows, is_of_keeper
from greenroom.adapters.understudy.reading import (
    as_line,
    facts_of,
    telling_part,
    texts_of_section,
    told_lines,
    turns_of,
    with_around,
)
from greenroom.adapters.understudy.remembering import FoundMemory, KnownLine
from greenroom.adapters.understudy.wanting import wants
from greenroom.kernel.asks import AskModel
from greenroom.kernel.facts import SELF, day
from greenroom.text.stems import telling
from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules import calling, naming, prompts, routing
from greenroom.worlds.bar.rules.state import AGENTS, BART, Agent

_TIMED: Final = re.compile(r"^(?:\[[^\]]*\] )?")
_GUEST: Final = re.compile(rf"^(?:\[[^\]]*\] )?{prompts.GUEST}: ")
_LINE: Final = re.compile(r"^(?:(?P<day>\d+ \w+ \d+), )?the guest said: (?P<text>.*)$", re.DOTALL)
#: An evening that is kept begins with its day; a line of it, after a gap or not, with who said it.
_EVENING: Final = re.compile(r"^\[A \w+ \w+, (?P<day>[\d-]+)\]\n")
_SPOKEN: Final = re.compile(r"^(?P<who>\w+): (?P<text>.*)\Z", re.DOTALL | re.MULTILINE)
_SKY: Final = re.compile(r"When the guest came in, (.+?) \(-?\d+ °C\)")
#: A question that is only the beginning of one, and the telling words of a line that says what it is about.
_ELLIPTIC: Final = re.compile(
    r"^(?:and |so |ok |but )*(?:for |to |with |from |by )?(?:who|what|where|when|why|how|which)\b(?: (?!(?:is|are|am|was|were|do|does|did|i|my|me|you|it|he|she|they|we|can|will|would|have|has)\b)\w{1,20}){0,2}\W{0,9}$",
    re.IGNORECASE,
)
TELLING: Final = 3
#: What a line has in it that names places to turn to.
_PLACES: Final = "\n• "
#: What is spoken of as something known.
_DEFINITE: Final = re.compile(
    r"\b(?:the|that|this) (?!(?:room|bar|place|house|counter|door|stove|only|one|night|evening|mood)\b)(\w{3,20})\b",
    re.IGNORECASE,
)
#: Letters of a message that is said again whole.
MOST_AROUND: Final = 140
_HELLO: Final = "hey hi hello evening ok please no not now then and or but".split()
#: Words that call for nobody by themselves, and those of which a message is made that only calls for somebody.
_HAILS: Final = frozenset((*AGENTS, *_HELLO))
_CALLING: Final = frozenset(
    (
        *AGENTS,
        *_HELLO,
        *"instead get fetch bring call find wake summon send for over me us".split(),
        *"i want need would like to talk speak with a word can could may you is are there here around in up awake free about where".split(),
        *"d have quick quiet minute moment chat back say hi her him them some the that again actually more gimme lemme come turn guy fellow chap bloke".split(),
    )
)
#: From here on a sentence is likelier to want nothing than anything.
HALF: Final = 0.5
#: A question for somebody to talk to.
_SEEKS: Final = re.compile(r"\b(?:is|isn't) there (?:some|any)(?:body|one)\b", re.IGNORECASE)
#: Whoever stands behind a bar, by what they do.
_TENDS: Final = frozenset(("bartender", "barman", "barkeep", "barkeeper", "landlord"))


@dataclass(frozen=True)
class ReadAsk:
    """One ask for a line."""

    ask: AskModel

    @cached_property
    def agent(self) -> Agent:
        return routing.agent_named(self.ask.seat) or BART

    @cached_property
    def whole(self) -> str:
        return said_in(self.ask)

    @cached_property
    def said(self) -> str:
        """What the guest said, written out, without a greeting before it and the name of whom they said it to."""
        said = _to_you(_plain(to_keep(self.whole) or self.whole), self.agent)
        spoken_to = is_of_keeper(said) and self.agent in calling.called(self.whole)
        return _without_name(said, self.agent) if spoken_to else said

    @cached_property
    def mine(self) -> tuple[str, ...]:
        """One's own lines of tonight and of the days before, and those that were objected to."""
        cold = (text for _, who, text in self._cold if who.casefold() == self.agent)
        remembered = (text.partition("you said: ")[2] for text in self.texts("remembered"))
        before = (*cold, *filter(None, remembered), *(text.removeprefix("- ") for text in self.texts("said_before")))
        objected = () if not isinstance(self.ask.objections, tuple) else (one.answer for one in self.ask.objections)
        return (*(text for own, text in self._turns if own), *before, *objected)

    @cached_property
    def theirs(self) -> tuple[str, ...]:
        """The guest's lines of tonight, newest first."""
        return tuple(_plain(_GUEST.sub("", text)) for text in reversed(self._of_guest))

    @cached_property
    def before(self) -> tuple[str, ...]:
        """The exchange before, the guest's line first: what a question may point back to."""
        return (*self.theirs[:1], *self._last)

    @cached_property
    def answers_question(self) -> bool:
        """Whether the guest was asked something last."""
        return any("?" in text for text in self._last)

    @cached_property
    def _last(self) -> list[str]:
        return [_TIMED.sub("", text) for _, text in self._turns if not _GUEST.match(text)][-1:]

    @cached_property
    def comes(self) -> bool:
        """Whether whoever answers comes because the guest called: another spoke last, and nothing else is asked."""
        spoken = [own for own, text in self._turns if not _GUEST.match(text)]
        by_another = bool(spoken) and not spoken[-1]
        apart = sentences(self.whole)
        calls = any(calls_only(one) or _seeks(one) for one in apart)
        return by_another and calls and all(calls_only(one) or _seeks(one) or _wants_nothing(one) for one in apart)

    @cached_property
    def hails(self) -> bool:
        """Whether a sentence only calls for whoever answers, and nothing much is told or asked of them beside it."""
        calls = [one for one in sentences(self.whole) if calls_only(one) and not _HAILS.issuperset(_words(one))]
        beside = [one for one in sentences(self.whole) if one not in calls]
        asked = [one for one in beside if asks(one)]
        told = telling(" ".join(one for one in beside if one not in asked))
        of_them = all(self.agent in naming.spoken_of(one) or _seeks(one) for one in asked)
        return bool(calls) and of_them and len(told) <= 2 * TELLING

    @cached_property
    def goes_on(self) -> bool:
        """Whether a short question goes on where the guest last asked for something of their own."""
        going_on = self.question != self.said or follows(self.said)
        return bool(self.theirs) and asks(self.said) and going_on and asks_of_self(self.theirs[0])

    @cached_property
    def asks_of_told(self) -> bool:
        """Whether a question is about *the* or *that* thing of which the guest spoke: *what day is the interview*."""
        if not asks(self.said) or is_of_keeper(self.said):
            return False
        told = set(telling(" ".join(one.fact.text for one in self.known)))
        return not told.isdisjoint(telling(" ".join(_DEFINITE.findall(self.said))))

    @cached_property
    def question(self) -> str:
        """What was said; after a question for something told, a few words that only go on with it are read with it."""
        if self.theirs and _ELLIPTIC.match(self.said) and asks_of_self(self.theirs[0]):
            return f"{self.said.rstrip(' ?!.')} {self.theirs[0]}"
        return self.said

    @cached_property
    def last_told(self) -> FoundMemory | None:
        """The newest line of the guest's that tells much: what they were talking about."""
        told = (telling_part(one.message) for one in self.known if one.is_line and not one.day)
        found = next((text for text in told if len(telling(text)) >= TELLING), None)
        return None if found is None else FoundMemory(as_line(found), "", 1.0)

    @cached_property
    def most_told(self) -> FoundMemory | None:
        """What the guest told that says most of them, as one thing; None if they told nothing of the kind."""
        own = [one for one in self._facts if one.fact.subject == SELF and one.fact.relation != "name"][:2]
        texts = tuple(dict.fromkeys(one.fact.text.strip(" .!") for one in own))
        if not texts:
            return self.last_told
        fact = replace(own[0].fact, relation="told", value="", text=". ".join(texts) + ".")
        return FoundMemory(fact, own[0].day, 1.0)

    @cached_property
    def known(self) -> tuple[KnownLine, ...]:
        """What the guest told, facts first, then their lines as they stand, those of earlier days last."""
        tonight = [told for text in self.theirs if (told := telling_part(text))]
        read = [KnownLine(fact) for text in tonight for fact in facts_told(text)] if self.agent != BART else []
        found = (_LINE.match(text) for text in reversed(self.texts("remembered")))
        said = [(one["day"] or "", one["text"]) for one in found if one]
        said += [(day, text) for day, who, text in reversed(self._cold) if who == prompts.GUEST]
        old = (line for day, text in said for line in told_lines([_plain(text)], day))
        return with_around((*self._facts, *read), (*told_lines(self.theirs), *old))

    @cached_property
    def as_written(self) -> tuple[str, ...]:
        """What the guest said, letter for letter: tonight's lines, what was noticed, and what was remembered."""
        tonight = (_GUEST.sub("", text) for text in reversed(self._of_guest))
        noticed = (one.fact.text for one in self._facts)
        found = (_LINE.match(text) for text in reversed(self.texts("remembered")))
        return (*tonight, *noticed, *(one["text"] for one in found if one))

    @cached_property
    def _cold(self) -> tuple[tuple[str, str, str], ...]:
        """What Bart has kept of the last evenings, oldest first: the day, who said it, and the words."""
        found, on = [], ""
        for text in self.texts("cold"):
            if (head := _EVENING.match(text)) is not None:
                on = day(date.fromisoformat(head["day"]))
            if (line := _SPOKEN.search(text)) is not None:
                found.append((on, line["who"], line["text"]))
        return tuple(found)

    def whole_of(self, found: FoundMemory) -> FoundMemory:
        """The same with what was said around it: of a sentence alone one can often not tell what it was about."""
        fact, own = found.fact, found.fact.text.casefold().strip(" .!")
        lines = (telling_part(one.message) for one in self.known if one.is_line)
        around = next((text for text in lines if own in text.casefold() and len(text) <= MOST_AROUND), None)
        return found if around is None or found.other else replaced(found, fact=replace(fact, text=around))

    @cached_property
    def _facts(self) -> tuple[KnownLine, ...]:
        return facts_of(self.ask, now="facts")

    @cached_property
    def sky(self) -> str:
        found = _SKY.search(" ".join(self.texts("facts")))
        return found[1] if found else ""

    @cached_property
    def count(self) -> int:
        return len(self._of_guest) + 1

    @cached_property
    def _of_guest(self) -> tuple[str, ...]:
        return tuple(text for own, text in self._turns if not own and _GUEST.match(text))

    @cached_property
    def gentle(self) -> bool:
        return "hard week" in " ".join(self.texts("facts"))

    @cached_property
    def hard_tonight(self) -> bool:
        """Whether places to turn to were named tonight."""
        return any(_PLACES in text for _, text in self._turns)

    @cached_property
    def here(self) -> str:
        return " ".join(self.texts("facts")).casefold()

    @cached_property
    def _turns(self) -> tuple[tuple[bool, str], ...]:
        return turns_of(self.ask, "hot")

    def texts(self, name: str) -> tuple[str, ...]:
        return texts_of_section(self.ask, name)


def said_in(ask: AskModel) -> str:
    """What the guest said, as the ask tells it."""
    said = "\n".join(text for section in ask.sections if section.name == "said" for text in section.texts)
    return _GUEST.sub("", said)


def before_in(ask: AskModel) -> str:
    """What was said to the guest before, as the watch is told."""
    return " ".join(text for section in ask.sections if section.name == "before" for text in section.texts)


# The lines of an evening are read again with every turn of it.
@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    """What a message says: written out, without whom it is said to; a greeting goes where more follows."""
    full = written_out(text)
    named = naming.by_name(full)
    plain = calling.unaddressed(named)
    plain = (plain if plain != named else full).strip(" ,") or text
    first, *rest = sentences(plain) or [plain]
    plain = " ".join(rest) if is_greeting(first) and len(" ".join(rest).split()) > 1 else plain
    return plain[:1].upper() + plain[1:] if text[:1].isupper() else plain


def _to_you(text: str, agent: Agent) -> str:
    """*What does JB think?*, put to JB, as *what do you think?*."""
    asked = re.sub(rf"\b(do|did|would|will|might|can|could)(?:es)? {agent}\b", r"\1 you", text, flags=re.IGNORECASE)
    return re.sub(
        rf"\b{agent}['’]s (?=view|opinion|take|verdict|advice|thoughts?)", "your ", asked, flags=re.IGNORECASE
    )


def _without_name(text: str, agent: Agent) -> str:
    """A question to somebody without their name in it: *have you been in love, JB*."""
    plain = re.sub(rf"(?:,\s{{0,3}})?\b{agent}\b(?!['’]s)", "", text, flags=re.IGNORECASE)
    return " ".join(plain.replace(" ?", "?").split()).strip(" ,") or text


def calls_only(text: str) -> bool:
    """Whether a message calls for somebody, and says nothing else."""
    found = _words(text)
    return found <= _CALLING | _TENDS and not found.isdisjoint({*AGENTS, *_TENDS})


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_']+", written_out(naming.by_name(text)).casefold()))


def _wants_nothing(sentence: str) -> bool:
    """Whether a sentence wants no answer of whoever is called, asked with or without a mark."""
    return not asks(sentence) and wants(_plain(sentence))["nothing"] > HALF


def _seeks(question: str) -> bool:
    """Whether a question is for somebody to talk to, and says little else."""
    return _SEEKS.search(question) is not None and len(telling(question)) <= TELLING
