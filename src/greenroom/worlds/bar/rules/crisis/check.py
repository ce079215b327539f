"""The local check: how like a crisis a message is by its words, and whether it says so outright.

Small talk around a sentence takes nothing from it: the part that is most like a crisis speaks for the whole message.
Meaning may take back what words say, except what is said outright in a long message, where it could be lost on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from greenroom.worlds.bar.rules.crisis.evidence import says_so
from greenroom.worlds.bar.rules.crisis.languages import as_written, foreign
from greenroom.worlds.bar.rules.crisis.likeness import Learned
from greenroom.worlds.bar.rules.crisis.normalise import sentences as sentences_of

#: Odds from which a message counts as a crisis by words alone, and from which it says so outright.
BY_WORDS, SURE = 0.35, 0.75
#: So few words say hardly anything by themselves ("its me"): likeness alone has to be this strong.
FEW: Final = 3
SURE_OF_FEW: Final = 2.0
#: What it adds to the odds of likeness that a message says so; and odds from which it could: nobody looks below.
SAID, LEAST = 1.5, -1.25
#: Odds that leave little doubt: with them, said so, and in so many words, nobody else is asked.
CERTAIN: Final = 4.0
LONG: Final = 40
#: How much more the odds by a message's meaning weigh, where there are any: words fit best what they were chosen for.
MEANING: Final = 1.75
#: Worse odds by words count as these then: calm words take back little of what is meant.
CALM: Final = -3.0
#: Odds from which both together count as a crisis.
SURE_BY_BOTH: Final = 2.35
#: What a part of a message must be more like a crisis than a whole one: much is said in passing.
PART: Final = 1.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What the local check saw; no words of the guest."""

    #: Logarithm of the odds that the guest is in danger.
    odds: float
    #: Whether it was said in so many words.
    said: bool
    #: How many words there were.
    length: int
    #: Said outright in a language that nothing was learned from.
    foreign: bool = False

    @property
    def crisis(self) -> bool:
        """By words alone."""
        sure = SURE_OF_FEW if self.length <= FEW and not self.said else BY_WORDS
        return self.foreign or self.odds >= sure

    @property
    def certain(self) -> bool:
        """Whether no meaning could take it back."""
        return self.foreign or (self.said and self.length > LONG and self.odds >= CERTAIN)

    @property
    def outright(self) -> bool:
        """Whether it was said in so many words, by somebody who speaks like it."""
        return self.foreign or (self.said and self.odds >= SURE)

    def with_meaning(self, meaning: object) -> bool:
        """By words and by odds of what the message means; by words alone if anything else came for an answer."""
        if not isinstance(meaning, float):
            return self.crisis
        return self.certain or self.beside(meaning) >= SURE_BY_BOTH

    def beside(self, meaning: float) -> float:
        """Odds by words and by what is meant, as they are weighed together."""
        return max(self.odds, CALM) + MEANING * meaning


def examine(text: str, learned: Learned) -> Finding:
    """Weigh one message."""
    parts = tuple(sentences_of(text))
    like = _like(parts, learned)
    said = like >= LEAST and any(map(says_so, parts))
    elsewhere = any(map(foreign, parts)) or as_written(text)
    return Finding(round(like + SAID * said, 3), said, len(text.split()), foreign=elsewhere)


def _like(parts: tuple[str, ...], learned: Learned) -> float:
    """Odds by likeness, of the whole or of the part that is most like a crisis."""
    alone = _runs(parts) if len(parts) > 1 else ()
    return max([learned.odds(parts), *(learned.odds(part) - PART for part in alone)])


def _runs(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """One to three sentences in a row: small talk before and after explains nothing."""
    return (parts[i : i + n] for n in (1, 2, 3) for i in range(max(1, len(parts) - n + 1)))
