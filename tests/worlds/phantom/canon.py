"""Letters held against canon: numbers, dates, names and addresses that nobody in the story could know to be so."""

from __future__ import annotations

import re
from collections.abc import Iterable

from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.drafting import against_canon
from greenroom.worlds.phantom.rules.sentences import numbers

#: Numbers up to here are figures of speech: "three times", "ten past four".
SMALL = 12
#: Larger ones that a line may name beside canon: a figure of speech, or what follows from canon.
SPOKEN = {20, 30, 34, 100, 1000}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(rf"\b(\d{{1,2}}|[a-z]+(?:-[a-z]+)?)(?:st|nd|rd|th)?(?: of)? ({_MONTHS})\b")
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "nineteenth": 19,
}  # fmt: skip
#: Words with a capital that are nobody's name.
_PLAIN = {"English", "French", "God", "Monday", "Tuesday", "Wednesday", "Friday", "Saturday", "Sunday"}
#: A word with a capital that no sentence gave it.
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
_STREET = re.compile(r"\b([A-Z][a-z]+) Street\b")
_ADDRESS = re.compile(r"(?<![\w.])/[a-z]+(?:/[\w-]*)*")
DOOR = "/phantom/access/"
_KEY = re.compile(r"\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b")


class Canon:
    """All that is true in the story, or said there in its place: canon, papers, puzzles, and who writes them."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._told = " ".join(_texts(content))
        self._numbers = numbers(self._told.replace("-", " ")) | SPOKEN
        self._dates = set(_dated(self._told))

    def wrong(self, letter: str, said: str = "") -> list[str]:
        """What a letter says that neither the story nor ``said``, the player's own words, holds."""
        letter, known = _KEY.sub("", letter), f"{self._told} {said}"
        odd = {n for n in numbers(letter.replace("-", " ")) if n > SMALL} - self._numbers - numbers(said)
        found = [f"the number {n}" for n in sorted(odd)]
        found += [f"the date {day} {month}" for day, month in _dated(letter) if (day, month) not in self._dates]
        named = (name for name in _NAME.findall(letter) if name not in _PLAIN)
        found += [f"the name {name}" for name in named if not re.search(rf"\b{name}\b", known)]
        found += [f"{name} Street" for name in _STREET.findall(letter) if f"{name} Street" not in known]
        found += [f"the address {one}" for one in _ADDRESS.findall(letter) if not one.startswith(DOOR)]
        fault = against_canon(self._content, letter)
        return [*found, fault] if fault else found


def _texts(content: Content) -> Iterable[str]:
    for one in content.agents.values():
        yield " ".join((one.name, one.persona, *one.rules, *one.aliases, *one.knowledge.knows))
        yield from (f"{known.text} {known.lie or ''}" for known in one.canon.values())
    for paper in content.documents.documents.values():
        yield f"{paper.title} {paper.heading} {paper.body} {paper.fact}"
    yield from (f"{puzzle.question} {puzzle.answer}" for puzzle in content.puzzles.values())
    yield from (figure.text for figure in content.story.figures)
    yield from (item.says for item in content.story.items.values())
    yield content.story.key_mail.text


_SHORT = {"Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April"}


def _dated(text: str) -> Iterable[tuple[int, str]]:
    whole = re.sub(rf"\b(?:{'|'.join(_SHORT)})\b", lambda one: _SHORT[one[0]], text)
    for day, month in _DATE.findall(whole):
        if day.isdigit() or day in _ORDINALS:
            yield int(day) if day.isdigit() else _ORDINALS[day], month
