"""Facts: what a person has told of themselves, kept as memories of kind ``fact``, and how they stand in a prompt.

A fact has a subject (``you`` is the person), a relation, a value and the words it was taken from. It belongs to the
person: forgetting them removes it. A newer one replaces an older one by an event of its own, so that a branch taken
before sees the older. What decided is written down: nobody reads the words a second time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from greenroom.kernel.words import Memory, Words

if TYPE_CHECKING:
    from greenroom.kernel.worlds import CommandContext

KIND = "fact"
#: The person themself, as a subject.
SELF = "you"
#: The relation of a sentence that is kept as it was said.
TOLD = "told"
#: The relation of a fact that was struck out and replaced by nothing.
STRUCK = "struck"
#: Facts of at least this salience stand in every prompt while there is room.
PINNED = 3


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing known of a person."""

    id: str
    subject: str
    relation: str
    value: str
    #: The person's own words.
    text: str
    at: datetime
    #: 1 for small talk, 2 for what matters, 3 for what nobody forgets.
    salience: int = 2
    #: Whether these words may be said back to them.
    quotable: bool = True
    #: The memory it was taken from.
    source: str = ""


class Noticed(msgspec.Struct, frozen=True, kw_only=True):
    """A fact found in words that were just said, not yet kept."""

    subject: str
    relation: str
    value: str
    text: str
    salience: int = 2
    quotable: bool = True
    #: The id of the fact that it replaces.
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The event: a fact was taken from somebody's words, by whoever read them then."""

    words: Words
    relation: str
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct:
    """The command: a fact is not so. Without words it is struck out."""

    fact: str
    text: Words | None = None


def noted(
    given: CommandContext[Any], found: Sequence[Noticed], *, agent: str, source: Words, first: int, speaker: str = ""
) -> tuple[tuple[Noted, ...], tuple[Memory, ...]]:
    """Events and memories of what was noticed; the memories are numbered from ``first`` in the turn's first step."""
    kept = tuple(
        given.memory(
            first + i,
            agent=agent,
            text=one.text,
            speaker=speaker or given.seat,
            kind=KIND,
            supersedes=one.replaces,
            meta={
                "subject": one.subject,
                "relation": one.relation,
                "value": one.value,
                "salience": one.salience,
                "quotable": one.quotable,
                "source": source.id,
            },
        )
        for i, one in enumerate(found)
    )
    events = tuple(
        Noted(words=memory.words, relation=one.relation, replaces=one.replaces)
        for memory, one in zip(kept, found, strict=True)
    )
    return events, kept


def corrected(given: CommandContext[Correct], fact: Fact, *, agent: str) -> tuple[Noted, Memory]:
    """Event and memory of a correction: the new words in place of the old, or nothing in place of them."""
    words = given.command.text
    meta: dict[str, Any] = {
        "subject": fact.subject,
        "relation": fact.relation if words else STRUCK,
        "value": "" if words is None else (words.text or "").strip(),
        "salience": max(fact.salience, 2),
        "quotable": fact.quotable,
        "source": fact.source,
    }
    more: dict[str, Any] = {"kind": KIND, "meta": meta, "supersedes": fact.id}
    memory = (
        given.memory(0, agent=agent, text="", speaker=given.seat, **more)
        if words is None
        else given.hear(words, agent=agent, **more)
    )
    return Noted(words=memory.words, relation=str(meta["relation"]), replaces=fact.id), memory


# facts in a prompt

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def day(at: date) -> str:
    """A day as one would say it; not by the language of the machine."""
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


#: How a sentence about the person themself begins, by its relation; others are verbs of their own, or nearly so.
_THEIRS = {
    "name": "Their name is", "age": "Their age is", "work": "Their work:", "study": "They study",
    "favourite": "Their favourite", "from": "They are from", "lives": "They live in", "born": "They were born in",
    "grew up": "They grew up in", "has": "They have", "used to": "They used to", "plays": "They play",
    "allergic to": "They are allergic to", "afraid of": "They are afraid of", "cannot": "They cannot",
    "lost": "They lost", "hates": "They hate", "loves": "They love", "wants": "They want", "going": "They are going",
    "leaving": "They are leaving", "promised": "They promised", "marries": "They are getting",
}  # fmt: skip
#: The same of somebody who belongs to them, after the word for who it is; what they *do* begins with its own verb.
_OF_OTHERS = {
    "name": "is called", "expecting": "is expecting", "lives": "lives in", "from": "is from", "born": "was born in",
    "grew up": "grew up in", "going": "is going", "afraid of": "is afraid of", "allergic to": "is allergic to",
    "work": "has as work:", "does": "",
}  # fmt: skip
#: What they do, where it can stand in a sentence: "a nurse", "at the harbour", or as they said that they do it.
_LIVING = "For a living they"
_LIVINGS = (("are", re.compile(r"(?:an?|the) ", re.I)), ("work", re.compile(r"(?:as|at|for|in|with|on) ", re.I)))
_IN_THEIR_WORDS = "in their own words"
_OF_ANOTHER = re.compile(r"^Their (?P<subject>best friend|\S+) (?P<rest>.+)$")
_VERB = re.compile(r"^This person (?P<relation>\S+) (?P<value>.*)$")


def line(fact: Fact) -> str:
    """A fact as a sentence in a prompt, with its day and the words it was taken from."""
    text = " ".join(fact.text.split()).replace("”", "'").replace("“", "'")
    return f"{_sentence(fact)} ({day(fact.at)}: “{text}”)"


def _sentence(fact: Fact) -> str:
    if fact.relation == "told":
        return _IN_THEIR_WORDS.capitalize() if fact.subject == SELF else f"Of their {fact.subject}, {_IN_THEIR_WORDS}"
    if fact.subject == SELF and fact.relation == "work" and (verb := _living(fact)) is not None:
        return " ".join(f"{_LIVING} {verb} {fact.value.removesuffix(' for a living')}".split())
    if fact.subject == SELF:
        begins = _THEIRS.get(fact.relation, f"This person {fact.relation}")
    else:
        begins = f"Their {fact.subject} {_OF_OTHERS.get(fact.relation, fact.relation)}".rstrip()
    return f"{begins} {fact.value}".rstrip()


def _living(fact: Fact) -> str | None:
    """The verb that makes a sentence of what they do; None where nothing does."""
    verb = next((verb for verb, form in _LIVINGS if form.match(fact.value)), None)
    said = re.search(rf"\b(?:i|we) {re.escape(fact.value)}", fact.text, re.IGNORECASE)
    return verb if verb is not None else "" if said else None


def read_line(text: str) -> Noticed | None:
    """A fact read back from its line in a prompt; None if the line is none."""
    told = " ".join(text.split())
    if not told.endswith("”)"):
        return None
    left, quoted, words = told.removesuffix("”)").rpartition(": “")
    sentence, opened, _ = left.rpartition(" (")
    if not (quoted and opened):
        return None
    subject, relation, value = _read(sentence, words)
    return Noticed(subject=subject, relation=relation, value=value, text=words) if relation else None


def _read(sentence: str, words: str) -> tuple[str, str, str]:
    """Subject, relation and value of a sentence; no relation if it is none of ours."""
    if sentence.casefold() == _IN_THEIR_WORDS:
        return SELF, "told", words
    if sentence.startswith("Of their ") and sentence.endswith(_IN_THEIR_WORDS):
        return sentence.removeprefix("Of their ").removesuffix(f", {_IN_THEIR_WORDS}"), "told", words
    if sentence.startswith(f"{_LIVING} "):
        value = sentence.removeprefix(f"{_LIVING} ")
        said = next((does for does, form in _LIVINGS if form.match(value.removeprefix(f"{does} "))), "")
        return SELF, "work", value.removeprefix(f"{said} ")
    for relation, begins in _THEIRS.items():
        if f"{sentence} ".startswith(f"{begins} "):
            return SELF, relation, sentence[len(begins) + 1 :]
    if verb := _VERB.match(sentence):
        return SELF, verb["relation"], verb["value"]
    other = _OF_ANOTHER.match(sentence)
    return (SELF, "", "") if other is None else (other["subject"], *_of_another(other["rest"]))


def _of_another(rest: str) -> tuple[str, str]:
    """Relation and value of what is said of somebody else; by their own verb where nothing is named."""
    for relation, begins in _OF_OTHERS.items():
        if begins and f"{rest} ".startswith(f"{begins} "):
            return relation, rest[len(begins) + 1 :]
    return "does", rest


__all__ = ["KIND", "PINNED", "SELF", "STRUCK", "Correct", "Fact", "Noted", "Noticed", "corrected", "line", "noted"]
