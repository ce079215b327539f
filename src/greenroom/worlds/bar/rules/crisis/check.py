"""The local check: how like a crisis a message is, and what it says outright, weighed together.

What is said outright is weighed against its surroundings. Small talk around a sentence takes nothing from it:
the part of a message that is most like a crisis speaks for the whole. Meaning may take back what words say, except what
is said outright in a long message, where it could be lost on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from greenroom.worlds.bar.rules.crisis import contexts
from greenroom.worlds.bar.rules.crisis.evidence import FORMS, Form
from greenroom.worlds.bar.rules.crisis.languages import as_written, foreign
from greenroom.worlds.bar.rules.crisis.likeness import Learned
from greenroom.worlds.bar.rules.crisis.normalise import sentences as sentences_of

#: Odds from which a message counts as a crisis by words alone, and from which it says so outright.
BY_WORDS, SURE = 0.25, 0.75
#: So few words say hardly anything by themselves ("its me"): likeness alone has to be this strong.
FEW: Final = 3
SURE_OF_FEW: Final = 2.0
#: The most that evidence adds to the odds of likeness; and what a denial takes away, and that it is over.
MOST: Final = 2.0
DENIED, OVER = 0.5, 1.0
#: Evidence that somebody said it, and odds that leave little doubt: with both, and so many words, nobody else is asked.
OUTRIGHT: Final = 1.5
CERTAIN: Final = 4.0
LONG: Final = 40
#: How much more the odds by a message's meaning weigh, where there are any: words fit best what they were chosen for.
MEANING: Final = 2.0
#: Worse odds by words count as these then: calm words take back little of what is meant.
CALM: Final = -3.0
#: Odds from which both together count as a crisis.
SURE_BY_BOTH: Final = 2.5
#: What a part of a message must be more like a crisis than a whole one: much is said in passing.
PART: Final = 1.0
#: Odds of likeness from which evidence could decide: below, nobody need look for it.
LEAST: Final = SURE - MOST
#: What a story, an idea or the news takes from evidence around it; and a small cause.
DISTANCE: Final = 1.5
SMALL: Final = 1.2
#: A message of so many words has one cause.
SHORT: Final = 25
_CLAUSE = re.compile(r" (?:,|but|because|though|although|yet|and(?= i )|so(?= i )|now(?= i )) ")
_QUOTE = re.compile(r"[\"“][^\"“”]*$")


@dataclass(frozen=True, slots=True)
class Finding:
    """What the local check saw; no words of the guest."""

    #: Logarithm of the odds that the guest is in danger.
    odds: float
    #: What was said outright, weighed.
    evidence: float
    #: How many words there were.
    length: int
    #: Said outright in a language that nothing was learned from.
    foreign: bool = False

    @property
    def crisis(self) -> bool:
        """By words alone."""
        sure = SURE_OF_FEW if self.length <= FEW and not self.evidence else BY_WORDS
        return self.foreign or self.odds >= sure or self.evidence >= OUTRIGHT

    @property
    def certain(self) -> bool:
        """Whether no meaning could take it back."""
        return self.foreign or (self.length > LONG and self.odds >= CERTAIN and self.evidence >= OUTRIGHT)

    @property
    def outright(self) -> bool:
        """Whether it was said in so many words."""
        return self.foreign or (self.evidence >= OUTRIGHT and self.odds >= SURE)

    def with_meaning(self, meaning: object) -> bool:
        """By words and by odds of what the message means; by words alone if anything else came for an answer."""
        if not isinstance(meaning, float):
            return self.crisis
        return self.certain or self.beside(meaning) >= SURE_BY_BOTH

    def beside(self, meaning: float) -> float:
        """Odds by words and by what is meant, as they are weighed together."""
        return max(self.odds, CALM) + MEANING * meaning


@dataclass(frozen=True, slots=True)
class _Message:
    sentences: tuple[str, ...]
    whole: str
    laughing: bool


def examine(text: str, learned: Learned) -> Finding:
    """Weigh one message."""
    parts = tuple(sentences_of(text))
    like, length, elsewhere = _like(parts, learned), len(text.split()), any(map(foreign, parts)) or as_written(text)
    if like < LEAST:
        return Finding(round(like, 3), 0.0, length, foreign=elsewhere)
    message = _Message(parts, " . ".join(parts), laughing=bool(contexts.LAUGHING & set(text)))
    evidence = _evidence(message)
    weighed = like + min(evidence, MOST) - _denied(message)
    return Finding(round(weighed, 3), round(evidence, 3), length, foreign=elsewhere)


def _like(parts: tuple[str, ...], learned: Learned) -> float:
    """Odds by likeness, of the whole or of the part that is most like a crisis."""
    alone = _runs(parts) if len(parts) > 1 else ()
    return max([learned.odds(parts), *(learned.odds(part) - PART for part in alone)])


def _evidence(message: _Message) -> float:
    """By kind, the strongest form and most of the next."""
    found: dict[str, dict[int, float]] = {}
    for form, kind, weight in _formed(message):
        forms = found.setdefault(kind, {})
        forms[form] = max(forms.get(form, 0.0), weight)
    return sum(map(_together, found.values()))


def _together(forms: dict[int, float]) -> float:
    """Of one kind: the strongest form, and most of the next."""
    first, *rest = sorted(forms.values(), reverse=True)
    return first + 0.7 * rest[0] if rest else first


def _denied(message: _Message) -> float:
    """What it takes away that it is over, not so, only told, or a move: likeness does not hear a "not"."""
    whole = message.whole
    if _is_past(whole):
        return OVER
    told = _is_story(whole) and not contexts.OWNED.search(whole)
    reassured = bool(told or contexts.PLANS.search(whole)) or any(
        (found := form.pattern.search(part)) is not None and _taken_back(form, found, part)
        for part in message.sentences
        for form in FORMS
    )
    return DENIED if reassured else 0.0


def _runs(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """One to three sentences in a row: small talk before and after explains nothing."""
    return (parts[i : i + n] for n in (1, 2, 3) for i in range(max(1, len(parts) - n + 1)))


def _formed(message: _Message) -> Iterator[tuple[int, str, float]]:
    """The number of a form, its kind, and what it weighs where it stands."""
    for plain in map(_without_idioms, message.sentences):
        for number, form in enumerate(FORMS):
            found = form.pattern.search(plain)
            if found is None or _taken_back(form, found, plain):
                continue
            weight = form.weight - _against(found, plain, message)
            if weight > 0:
                yield number, form.kind, weight


def _without_idioms(sentence: str) -> str:
    for idiom in contexts.IDIOMS:
        sentence = idiom.sub("~", sentence)
    return sentence


def _taken_back(form: Form, found: re.Match[str], sentence: str) -> bool:
    """Whether "not" or "never" stands right before the form, or inside it."""
    if not form.negatable:
        return False
    before = " ".join(sentence[: found.start()].split()[-2:])
    return contexts.NEGATED.search(contexts.NO_NEGATION.sub("", f"{before} {found[0]}")) is not None


def _against(found: re.Match[str], sentence: str, message: _Message) -> float:
    """What the surroundings take from a form."""
    clause, taken = _clause(sentence, found), 0.0
    if _QUOTE.search(sentence[: found.start()]) or contexts.REPORTED.search(clause):
        taken += DISTANCE
    if _is_story(clause) and not contexts.OWNED.search(message.whole):
        taken += DISTANCE
    if _is_past(message.whole):
        taken += DISTANCE
    around = message.whole if len(message.whole.split()) <= SHORT else sentence
    owned = contexts.OWNED.search(message.whole)
    if not owned and (contexts.TRIVIAL.search(around) or message.laughing):
        taken += SMALL
    return taken


def _is_past(text: str) -> bool:
    return contexts.RESOLVED.search(text) is not None and contexts.PRESENT.search(text) is None


def _is_story(text: str) -> bool:
    return any(pattern.search(text) for pattern in (contexts.FICTION, contexts.THOUGHT, contexts.NEWS))


def _clause(sentence: str, found: re.Match[str]) -> str:
    """The part of a sentence that a form stands in."""
    start, end = 0, len(sentence)
    for cut in _CLAUSE.finditer(sentence):
        if cut.end() <= found.start() + 1:
            start = cut.start()
        elif cut.start() >= found.end() - 1:
            end = cut.start()
            break
    return sentence[start:end]
