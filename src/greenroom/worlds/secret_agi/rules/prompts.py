"""What a model is asked: rules, its own view and what it may do, drawn from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Objection, Section
from greenroom.kernel.words import REMOVED, Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.telling import record, rules_of, stands
from greenroom.worlds.secret_agi.rules.views import UNKNOWN, View

ROLE = "quality"
NOTES = 2_000
THOUGHT = 4_000
#: Tokens of an answer: thinking, choice, words and notes.
ANSWER = 2_500

KEEP = "Keep your role to yourself. Say what serves your side; only the rules bind you, and a lie may be found out."

MOMENT = (
    "Think first: who is who, by what was done and said, and what serves your side. Then choose exactly one of the "
    "actions you may take, as it stands there."
)
YOURS = "Your own private notes, which nobody else has read:"
#: What the moment is about, by the kind of action.
ASKED: dict[type[Any], str] = {
    c.Nominate: "You are Director: nominate an Engineer.",
    c.VoteTeam: "Vote on the proposed team.",
    c.VoteEmergency: "Vote on the emergency.",
    c.DiscardPaper: "You are Director and drew these papers: discard one; the Engineer gets the other two.",
    c.PublishPaper: "You are Engineer: publish one of the papers you were passed.",
    c.DeclareVeto: "You are Engineer: publish one of the papers you were passed, or ask for a veto.",
    c.RespondVeto: "The Engineer asks for a veto: agree or refuse.",
    c.UsePower: "You have to use the power of the Director.",
    c.SendChatMessage: "It is your turn to speak. Answer what you were asked, tell or hide what you held, ask others.",
    c.CallEmergencySafety: "You may call an emergency, or let it pass.",
}


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
            "description": "private notes to yourself; nobody else reads them, and they replace your last ones",
        },
    }
    if speaks:
        properties["text"] = {"type": "string", "minLength": c.MESSAGE.least, "maxLength": c.MESSAGE.most}
    return {"type": "object", "properties": properties, "required": ["action"], "additionalProperties": False}


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
        Section(name="rules", texts=(rules_of(len(seen.players), seen.rules), KEEP), floor=1200, stable=True),
        Section(name="you", texts=(_you(seen),), floor=200, stable=True),
        Section(name="table", texts=(stands(seen),), floor=400),
        Section(name="actions", texts=(_choices(able, labels),), floor=200),
        Section(name="moment", texts=(_moment(able),), floor=120, form="moment"),
        Section(name="notes", texts=() if note is None else (f"{YOURS}\n{texts.get(note.id, REMOVED)}",), cap=700),
        Section(name="record", texts=tuple(record(seen)), cap=3000),
        _talk(seen, texts),
    ]
    return AskModel(
        role=role,
        seat=seen.seat,
        sections=tuple(sections),
        schema=schema(labels, speaks=speaks),
        max_tokens=ANSWER,
        seconds=seconds or None,
        objections=tuple(rejected) or UNSET,
    )


def _choices(able: Sequence[c.Action], labels: Sequence[str]) -> str:
    """What may be done, as it has to be written, and what the words do not say by themselves."""
    told = f"You may: {'; '.join(labels)}."
    if any(isinstance(action, c.SendChatMessage) for action in able):
        told += " Your message is the text of your answer, for everybody to hear; to observe is to say nothing."
    elif any(isinstance(action, c.Observe) for action in able):
        told += " To observe is to let it pass."
    return told


def _moment(able: Sequence[c.Action]) -> str:
    return f"{next((ASKED[type(action)] for action in reversed(able) if type(action) in ASKED), '')} {MOMENT}".strip()


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
    return "\n".join((rules_of(len(seen.players), seen.rules), KEEP, _you(seen), stands(seen), note))


def _you(seen: View) -> str:
    known = [f"{p.id} is {p.role}" for p in seen.players if p.role != UNKNOWN and p.id != seen.seat]
    cards = [
        f"the card of {p.id} says {p.allegiance}" for p in seen.players if p.role == UNKNOWN and p.allegiance != UNKNOWN
    ]
    told = "; ".join((*known, *cards)) or "you know nobody's role"
    return f"You are {seen.seat}. Your role is {seen.role}. What you know: {told}."
