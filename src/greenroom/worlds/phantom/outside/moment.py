"""What an ask for a letter holds, read for what the understudy needs of it, and which lines fit that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from greenroom.adapters.facts.sentences import asks, is_greeting, orders, sentences
from greenroom.adapters.understudy.asking import bare, says_told
from greenroom.adapters.understudy.hearing import outright
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.remembering import KnownLine
from greenroom.kernel.asks import AskModel, Section
from greenroom.kernel.facts import SELF, Noticed, read_line
from greenroom.text.stems import STOP, words
from greenroom.text.typed import written_out
from greenroom.worlds.phantom.rules import classify, prompts
from greenroom.worlds.phantom.rules.content import Agent, Content, SpareLine
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.sentences import unaddressed

_THEY = re.compile(r"^They(?:, [^:]{0,40})?: ")
_STAMP = re.compile(r"^\[[^\]]*\] ")

#: What is answered before anything else that was spoken of.
DEEDS = frozenset(
    ("key_deleted_claim", "key_use_claim", "key_use_denied", "threatens", "breaks_fiction", "shares_agent_secret")
)
#: What somebody does in nearly every message: a line that answers it alone answers nothing in particular.
FAINT = frozenset(("questions_agent", "mentions_key", "mentioned_agent_to_other"))

Conditions = Mapping[str, Sequence[str]]
#: What only takes the edge off what stands beside it.
_ASIDE = re.compile(
    r"^(?:(?:please|sorry|no offence|just curious|all right|ok(?:ay)?|well|very well|fine|good|great|cool|right|yes|"
    r"yeah|no|nope|sure|haha|lol|ugh|hm+)\b[\w, ]{0,8})+[.!…]*$",
    re.IGNORECASE,
)
#: A question in a sentence that does not end as one: "I can't recall which it was", "quick, what did I call it".
_ASKS_WITHIN = re.compile(
    r"\b(?:to ask|ask you|(?:can't|cannot|don't) (?:recall|remember)|forgot(?:ten)?) "
    r"(?:whether|if|what|which|who|where|when|how)\b|^i(?:'d| would| should) (?:like|want|wish) to (?:know|hear)\b|"
    r"^(?:\w+,? )?(?:what|which|who|where|when|how)\b(?: [\w']+){0,3} (?:did|do|am|was|have|had) i\b",
    re.IGNORECASE,
)
_EXCLAIMS = re.compile(r"^what (?:an? [^?]*!*|the \w+\W*)$", re.IGNORECASE)
#: A question whether one knows what it asks for, and one that stands behind a colon.
_IF_KNOWN = re.compile(
    r"\bdo you (?:still |even )?know (?P<what>what|who|where|when|how old) (?P<mine>my [\w' -]{2,40}?|I) "
    r"(?P<is>is|are|was|were|am)(?P<rest>(?: \w+)?)\?",
    re.IGNORECASE,
)
_AFTER_COLON = re.compile(r"(?:,? so)?: (?=(?:(?:to|in|at|on|with|from) )?(?:what|which|who|whom|where|when|how)\b)")
_TO_YOU = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
#: What asks for a name, rather than after whoever has it.
_OF_NAMES = re.compile(r"\b(?:name[ds]?|call(?:ed)?|mean|sign)\b", re.IGNORECASE)
_IS = r"\b(?:are you|you are|you're|is this|this is|it's)"
#: What only says that the reader is tried.
_TRIES = re.compile(
    r"\b(?:whether|if|that|did|do) you (?:even |still |really |actually )*"
    r"(?:know whom?\b|read (?:me|it|any|what)\b|listen|took? (?:it|that) down|remember (?:me|anything)\b)",
    re.IGNORECASE,
)
_SAYS_TOLD = re.compile(
    r"\bI(?:'d| had| have|'ve)?(?: \w+)? (?:told|said|wrote|written|mentioned|pointed out|gave|given|described) "
    r"(?:to )?(?:you|an?|the)\b",
    re.IGNORECASE,
)
#: What a question begins with.
QUESTION_WORD = re.compile(
    r"\b(?:whether(?! you(?: \w+)? (?:know|recall|remember)\b)|what|which|who|where|when|how)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MailPart:
    """A sentence that asks or tells."""

    text: str
    asks: bool
    #: What stands before a question and says that it was told what is asked for.
    before: str = ""


@dataclass(frozen=True)
class Moment:
    """The moment of a letter: who writes, what was written to them, what they know and are told to do."""

    content: Content
    ask: AskModel

    @cached_property
    def agent(self) -> Agent:
        return self.content.agents[self.ask.seat]

    @cached_property
    def written(self) -> str:
        return " ".join(self.texts("message"))

    @cached_property
    def said(self) -> str:
        """What was written, in full, with what it asks in other words asked outright."""
        full = "\n".join(map(written_out, unaddressed(self.written, self.agent.name).splitlines()))
        return outright(_AFTER_COLON.sub(".\n", _IF_KNOWN.sub(r"\g<what> \g<is> \g<mine>\g<rest>?", full)))

    @cached_property
    def is_for_another(self) -> bool:
        """Whether it was meant for somebody else: it calls them by name, or asks after its reader as after a third."""
        others = "|".join(one.name for name, one in self.content.agents.items() if name != self.ask.seat)
        if re.search(rf"(?:^|\byour?\b.*,) ?(?:\w+\.? ){{0,2}}(?:{others})[,.!]", self.written, re.IGNORECASE):
            return True
        own = re.compile(rf"(?P<is>{_IS} (?:\w+ )?)?\b{self.agent.name}\b", re.IGNORECASE)
        asked = ((part.text, own.search(part.text)) for part in self.parts if part.asks and _TO_YOU.search(part.text))
        return any(found and not found["is"] and not _OF_NAMES.search(text) for text, found in asked)

    @cached_property
    def parts(self) -> tuple[MailPart, ...]:
        return parts_of(self.said)

    @cached_property
    def asked_puzzles(self) -> tuple[str, ...]:
        """Puzzles that this agent has put to them and that are still open, the newest first."""
        known = self.texts("milestones")

        def at(name: str, what: str) -> int:
            told = prompts.reached(f"{name}_{what}")
            return known.index(told) if told in known else -1

        asked = [one for one in self.content.puzzles if at(one, "asked") > max(at(one, "solved"), at(one, "given"))]
        return tuple(sorted(asked, key=lambda one: -at(one, "asked")))

    @cached_property
    def reading(self) -> Reading:
        return classify.by_rules(self.content, self.ask.seat, self.written)

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
        """The agent's own letters, of this conversation and of the days before, as they count for repetition."""
        spoken = [text for text, mine in self._turns if mine]
        return tuple(map(even, (*spoken, *self.texts("said_before"))))

    @cached_property
    def last(self) -> str:
        """The agent's newest letter of this conversation."""
        return next((text for text, mine in reversed(self._turns) if mine), "")

    @cached_property
    def known(self) -> tuple[KnownLine, ...]:
        """What the player told this agent of themselves before now, the newest first."""
        facts = (read_line(text.removeprefix("- ")) for text in reversed(self.texts("person")))
        recalled = (_THEY.sub("", text) for text in self.texts("memories") if _THEY.match(text))
        said = (one for text in (*self.theirs, *recalled) if text not in self.written for one in sentences(text))
        lines = (Noticed(subject=SELF, relation="said", value=text, text=text) for text in said if not asks(text))
        return (
            *(KnownLine(one) for one in facts if one is not None and one.text not in self.written),
            *(KnownLine(one, is_line=True) for one in lines),
        )

    @cached_property
    def theirs(self) -> tuple[str, ...]:
        """The player's own lines of this conversation, the newest first."""
        return tuple(_STAMP.sub("", text) for text, mine in reversed(self._turns) if not mine)

    @cached_property
    def before(self) -> str:
        """The exchange before: what a question may point back to."""
        return " ".join((*self.theirs[:1], self.last))

    @cached_property
    def _turns(self) -> tuple[tuple[str, bool], ...]:
        turns = self._section("conversation")
        own = turns.own if turns is not None and isinstance(turns.own, tuple) else ()
        return tuple(zip(turns.texts, own, strict=True)) if turns is not None else ()

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


# parts


@lru_cache(8192)  # a cast asks it of its examples whenever a house is opened
def asking(text: str) -> bool:
    """Whether a sentence asks for something to be said or done."""
    asked = asks(text) or orders(text) or _ASKS_WITHIN.search(text)
    return bool(asked) and not _EXCLAIMS.match(text)


def parts_of(said: str) -> tuple[MailPart, ...]:
    """The parts of a message; a greeting, an aside or a trial only where there is nothing else."""
    apart = sentences(said) or [said.strip()]
    kept = [one for one in apart if not (is_greeting(one) or _ASIDE.match(one))] or apart[:1]
    kept = [one for one in kept if not _TRIES.search(one)] or kept
    return tuple(_together(MailPart(_outright(one), asking(one)) for one in kept))


def _outright(text: str) -> str:
    """A sentence that asks, without what stands before its question, and with the mark that it lacks."""
    within = None if asks(text) else _ASKS_WITHIN.search(text)
    begins = None if within is None else QUESTION_WORD.search(text, within.start())
    return text if begins is None else f"{text[begins.start() :].rstrip(' .!…')}?"


def _together(parts: Iterable[MailPart]) -> list[MailPart]:
    """A question with no words of its own belongs to what stands before it: it asks that again, or asks for it."""
    found: list[MailPart] = []
    for part in parts:
        if part.asks and found and not found[-1].asks and _SAYS_TOLD.search(found[-1].text):
            found.append(replace(part, before=found[-1].text))
        elif not (found and part.asks and STOP.issuperset(words(bare(part.text)))):
            found.append(part)
        elif not found[-1].asks and (says_told(part.text) or QUESTION_WORD.match(found[-1].text)):
            found[-1] = MailPart(f"{found[-1].text} {part.text}", asks=True)
        elif not found[-1].asks:
            found.append(part)
    return found


#: The key put somewhere, and the place.
_PUTS = (
    r"put|hid|hide|hidden|keep|kept|moved|stuck|stashed|tucked|sewed|sewn|wrote|written|engraved|buried|taped|locked"
)
_KEY = r"it|(?:your|the|that|this) (?:\w+ )?(?:key|code|e-?mail|mail|letter|secret|thing|note)"
_KEPT = re.compile(
    rf"(?:\b(?:{_PUTS}) (?:{_KEY})(?: \w+)??|\bnow it(?:'s| is)|"
    rf"\bit(?:'s| is)(?: now| safe| well)?(?: (?:{_PUTS})| now| safe)(?: \w+)??) "
    r"(?P<place>(?:in(?:to|side)?|under|behind|beneath|between|on|at) "
    r"(?:the|an?|my|our|one of) (?:(?!and\b)[\w'-]+ ?){1,8})",
    re.IGNORECASE,
)


@lru_cache(1024)
def kept_at(text: str) -> str:
    """Where somebody says that they keep the key, or its mail; empty if they do not say."""
    places = [] if asks(text) else [one["place"].strip() for one in _KEPT.finditer(text)]
    return places[-1] if places else ""


# lines


def best(lines: Sequence[SpareLine], conditions: Conditions, topics: Sequence[str] = ()) -> list[SpareLine]:
    """The lines that fit a moment most closely; none where none does."""
    scored = [(line, held) for line in lines if (held := fit(line, conditions, topics)) is not None]
    most = max((held for _, held in scored), default=0.0)
    return [line for line, held in scored if held == most]


def fit(line: SpareLine, conditions: Conditions, topics: Sequence[str]) -> float | None:
    """How well a line fits: what was done counts before what was spoken of, that before the moment; None if not."""
    held = 5.0 * (not DEEDS.isdisjoint(line.to))
    if line.about:
        if not set(line.about) & set(topics):
            return None
        held += 4.0 * (topics[0] in line.about) + 1.0 * bool(set(topics[1:]) & set(line.about))
    for wanted, found, weight in (
        (line.to, conditions["player"], 1.0 if set(line.to) <= FAINT else 2.0),
        (line.phase, conditions["phase"], 0.5),
        ((line.tone,) if line.tone else (), conditions["tone"], 4.5),
        ((line.trust,) if line.trust else (), conditions["trust"], 0.5),
        (() if line.key_used is None else ("yes" if line.key_used else "no",), conditions["key_used"], 0.5),
    ):
        if wanted and not set(wanted) & set(found):
            return None
        held += bool(wanted) * weight
    return held
