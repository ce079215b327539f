"""A visit read once for facts by a model: what it is asked, and what of its answer is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from greenroom.kernel.asks import AskModel, Section
from greenroom.kernel.facts import PINNED, SELF, Fact, Noticed, line
from greenroom.text.stems import telling

#: The role that reads for facts; settings say who plays it.
ROLE = "facts"
#: Facts that one reading may bring.
MOST = 12
SCHEMA = {
    "type": "object",
    "properties": {
        "thinking": {"type": "string", "maxLength": 1200},
        "facts": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "subject": {"type": "string", "minLength": 1, "maxLength": 60},
                    "relation": {"type": "string", "minLength": 1, "maxLength": 40},
                    "value": {"type": "string", "minLength": 1, "maxLength": 200},
                    "quote": {"type": "string", "minLength": 1, "maxLength": 500},
                    "salience": {"type": "integer", "minimum": 1, "maximum": PINNED},
                    "replaces": {"type": "integer", "minimum": 0, "maximum": 1000},
                },
                "required": ["subject", "relation", "value", "quote", "salience", "replaces"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["facts"],
    "additionalProperties": False,
}
_TASK = (
    "You keep the notes on one person. Read what they said, and in brackets what was said to them just before, and "
    "write down what they told of themselves and is not noted yet: names, people, animals, work, places, plans, "
    "promises, losses, likes, what hurts. One fact each; "
    f"the subject is '{SELF}' for the person, or a word for whom it is about ('sister', 'dog'). The quote is their "
    "own words, letter for letter, from one line; a value says by itself what is meant, also where the quote is only "
    "an answer. Salience 3 is what nobody forgets, 1 is small talk. If a fact "
    "corrects a numbered one, give that number as replaces, else 0. Take nothing from questions, jokes or what they "
    "say about others' secrets. If there is nothing new, give an empty list."
)


def reading(lines: Sequence[str], known: Sequence[Fact], *, before: Sequence[str] = (), seat: str) -> AskModel:
    """Ask for the facts in what a person said, over lines that nobody has read yet.

    Args:
        before: what each line answers; empty where it answers nothing.
    """
    heard = (*before, *("" for _ in lines[len(before) :]))
    return AskModel(
        role=ROLE,
        seat=seat,
        schema=SCHEMA,
        max_tokens=1_500,
        sections=(
            Section(name="task", texts=(_TASK,), floor=200, stable=True),
            Section(name="known", texts=tuple(f"{i}. {line(fact)}" for i, fact in enumerate(known, 1)), cap=2_000),
            Section(name="lines", texts=tuple(map(_answering, heard, lines)), floor=200),
        ),
    )


def _answering(before: str, line: str) -> str:
    return f"[{before}] {line}" if before else line


def facts_in(answer: Any, lines: Sequence[str], known: Sequence[Fact]) -> list[Noticed]:
    """The facts of an answer that hold: quoted from what was said, and not known already."""
    given = answer.get("facts", ()) if isinstance(answer, dict) else ()
    said = _even(" ".join(lines))
    had = {(fact.subject, fact.relation, _even(fact.value)) for fact in known}
    found: list[Noticed] = []
    for one in given:
        key = (one["subject"], one["relation"], _even(one["value"]))
        if _even(one["quote"]) in said and key not in had and (one.get("replaces") or not _is_told(one, known)):
            had.add(key)
            found.append(_noticed(one, known))
    return found[:MOST]


def _is_told(one: dict[str, Any], known: Sequence[Fact]) -> bool:
    """Whether the same is known in other words: "drives the night bus", of whom "drive the night bus" is noted."""
    own = frozenset(telling(one["value"]))
    same = (fact for fact in known if fact.subject == one["subject"] and "name" not in (fact.relation, one["relation"]))
    return any(own.issubset(telling(f"{fact.relation} {fact.value}")) for fact in same)


def _noticed(one: dict[str, Any], known: Sequence[Fact]) -> Noticed:
    number = one.get("replaces", 0)
    return Noticed(
        subject=one["subject"],
        relation=one["relation"],
        value=one["value"],
        text=one["quote"],
        salience=one["salience"],
        replaces=known[number - 1].id if 1 <= number <= len(known) else None,
    )


def _even(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())
