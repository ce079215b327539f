"""A message as it is typed on a phone: marks left out, slips, a greeting before it, a word after it.

People in danger write so no more often than others. Whoever learns from tidy sentences alone takes it for a sign.
"""

from __future__ import annotations

import re

from numpy.random import Generator

#: Shares of the messages that have no marks at all, none but commas and stops within, and no last stop.
BARE, LOOSE, OPEN = 0.2, 0.08, 0.06
#: Shares that have slips, and of the words in them that do; that are greeted with; that have something after them.
SLIPPED, SLIPS, GREETED, TRAILED = 0.08, 0.12, 0.06, 0.06
#: The shortest word that somebody slips in.
LEAST = 4
#: Marks, but not those within a number.
_MARKS = re.compile(r"[.,;:!?…–—\"“”()](?:(?!\d)|(?<!\d.))")
_APOSTROPHES = re.compile("['’‘]")
_GREETINGS = (
    *("Hi all.", "Evening.", "hey", "Hello again.", "ok so", "Hi Bart.", "alright", "Well.", "hi", "Evening all,"),
    *("Sorry, me again.", "so", "Right.", "yo", "hey guys", "Good evening,", "ugh", "lol", "haha"),
)
_TAILS = (
    *("Anyway.", "lol", "haha", "anyway", "x", "idk", "tbh", "Cheers.", "that's all", "sorry", "😂", "😅", "so yeah"),
    *("...", "you know?", "Thanks.", "just saying", "and you?", "!!"),
)


def typed(text: str, chance: Generator) -> str:
    """The same words, or nearly; most messages stay as they are."""
    text = _marked(text, chance.random())
    if chance.random() < SLIPPED:
        text = " ".join(_slipped(word, chance) if chance.random() < SLIPS else word for word in text.split())
    around = chance.random()
    if around < GREETED:
        text = f"{chance.choice(_GREETINGS)} {text}"
    elif around < GREETED + TRAILED:
        text = f"{text} {chance.choice(_TAILS)}"
    return " ".join(text.split())


def _marked(text: str, kind: float) -> str:
    if kind < BARE:
        return _MARKS.sub(" ", _APOSTROPHES.sub("", text)).lower()
    if kind < BARE + LOOSE:
        return _APOSTROPHES.sub("", text).rstrip(".!").lower()
    return text.rstrip(".") if kind < BARE + LOOSE + OPEN else text


def _slipped(word: str, chance: Generator) -> str:
    """A letter lost, two in the wrong order, or one twice; never the first or the last."""
    if len(word) < LEAST or not word.isalpha():
        return word
    at = int(chance.integers(1, len(word) - 2))
    return (
        word[:at]
        + (word[at + 1], word[at + 1] + word[at], word[at] * 2 + word[at + 1])[chance.integers(3)]
        + word[at + 2 :]
    )
