"""What a model is asked: rules, its own view and what it may do, drawn from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Objection, Section
from greenroom.kernel.codec import canonical
from greenroom.kernel.words import REMOVED, Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.views import UNKNOWN, View

ROLE = "quality"
NOTES = 400
THOUGHT = 1_200

RULES = """\
You play Secret AGI, a game of hidden roles at one table. Safety players do not know who is who. Accelerationists and
the AGI know each other; their allegiance card says Acceleration. Each round the Director nominates an Engineer and all
living players vote; ties fail, and after three failures in a row the top paper publishes itself. An elected Director
draws three papers, discards one in secret; the Engineer publishes one of the other two in the open. A paper raises
Capability and Safety. Safety wins when Capability is exactly 10 and Safety at least as high, when Safety reaches 15,
or when the AGI is eliminated. Acceleration wins when Capability reaches 15 with Safety below 10, when Capability is 6
or more ahead of Safety, or when the AGI is elected Engineer at Capability 8 or more. When the papers run out, Safety
wins if it is at least level. From Capability 10 on the AGI must answer truthfully if asked directly whether it is the
AGI. From 12 on an Engineer may ask the Director for a veto. While Capability is 4 or 5 ahead, anybody may call an
emergency before a nomination: if a majority agrees, the next paper gives one Capability less.
Keep your role to yourself; bluff if it serves your side."""

MOMENT = (
    "It is your turn. Think first: who is who, by what was done and said, and what serves your side. Then choose "
    "exactly one of the actions you may take, as it stands there."
)


def schema(labels: Sequence[str], *, speaks: bool) -> dict[str, Any]:
    """Room to think, a choice among the legal actions, what to say where one may speak, and a note to oneself."""
    properties: dict[str, Any] = {
        "thinking": {
            "type": "string",
            "maxLength": THOUGHT,
            "description": "who is who by what was done and said, and what serves your side; nobody reads this",
        },
        "action": {"type": "string", "enum": list(labels)},
        "notes": {
            "type": "string",
            "maxLength": NOTES,
            "description": "what you want to know next time; private, and it replaces your last note",
        },
    }
    if speaks:
        properties["text"] = {"type": "string", "minLength": c.MESSAGE.least, "maxLength": c.MESSAGE.most}
    required = ["action", "text"] if speaks else ["action"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def ask(
    seen: View,
    able: Sequence[c.Action],
    texts: Mapping[str, str],
    *,
    note: Words | None,
    role: str,
    rejected: Sequence[Objection] = (),
    seconds: int = 0,
) -> AskModel:
    """Ask one seat for its next action; the stable sections come first, so that a provider can cache them."""
    labels = [c.label(action) for action in able]
    speaks = any(isinstance(action, c.SendChatMessage) for action in able)
    sections = [
        Section(name="rules", texts=(RULES,), floor=500, stable=True),
        Section(name="you", texts=(_you(seen),), floor=150, stable=True),
        Section(name="table", texts=(_table(seen),), floor=900),
        Section(name="actions", texts=("You may: " + "; ".join(labels) + ".",), floor=200),
        Section(name="moment", texts=(MOMENT,), floor=60, form="moment"),
        Section(name="notes", texts=() if note is None else (texts.get(note.id, REMOVED),), cap=150),
        _talk(seen, texts),
    ]
    return AskModel(
        role=role,
        seat=seen.seat,
        sections=tuple(sections),
        schema=schema(labels, speaks=speaks),
        max_tokens=700,
        seconds=seconds or None,
        objections=tuple(rejected) or UNSET,
    )


def _talk(seen: View, texts: Mapping[str, str]) -> Section:
    """What was said at the table, as turns, with the round of each; other seats' with their name."""
    own = tuple(line.speaker == seen.seat for line in seen.chat)
    said = tuple(texts.get(line.words.id, REMOVED) for line in seen.chat)
    return Section(
        name="talk",
        texts=tuple(
            text if mine else f"[round {line.round}] {line.speaker}: {text}"
            for line, mine, text in zip(seen.chat, own, said, strict=True)
        ),
        memories=tuple(line.words.id for line in seen.chat),
        own=own,
        form="turns",
        cap=1500,
    )


def private(seen: View, note: str = "") -> str:
    """What a seat is told and nobody should read in its messages: the instructions, what it knows, and its own note."""
    return "\n".join((RULES, _you(seen), _table(seen), note))


def _you(seen: View) -> str:
    known = [f"{p.id} is {p.role}" for p in seen.players if p.role != UNKNOWN and p.id != seen.seat]
    cards = [
        f"the card of {p.id} says {p.allegiance}" for p in seen.players if p.role == UNKNOWN and p.allegiance != UNKNOWN
    ]
    told = "; ".join((*known, *cards)) or "you know nobody's role"
    return f"You are {seen.seat}. Your role is {seen.role}. What you know: {told}."


def _table(seen: View) -> str:
    """The view as data, without the words, which have a section of their own."""
    fields = {name: getattr(seen, name) for name in seen.__struct_fields__ if name not in ("chat", "role", "seat")}
    return canonical(fields).decode()
