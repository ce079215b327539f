"""What the keeper is asked, drawn from her own view and no further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from greenroom.kernel.asks import AskModel, Failed, Recalled, Section
from greenroom.kernel.words import REMOVED
from greenroom.worlds.lighthouse.rules.content import Content
from greenroom.worlds.lighthouse.rules.state import KEEPER, VISITOR, Line, Mood
from greenroom.worlds.lighthouse.rules.views import View

#: The role that speaks for the keeper; settings say who plays it.
ROLE = "quality"
SCHEMA = {
    "type": "object",
    "properties": {
        "line": {"type": "string", "minLength": 1, "maxLength": 600},
        "mood": {"type": "string", "enum": list(get_args(Mood))},
    },
    "required": ["line", "mood"],
    "additionalProperties": False,
}


def ask(
    content: Content,
    seen: View,
    said: str,
    texts: Mapping[str, str],
    recalled: Sequence[Recalled] | Failed,
) -> AskModel:
    """Ask the keeper for her next line; the stable sections come first, so that a provider can cache them."""
    return AskModel(
        role=ROLE,
        seat=KEEPER,
        schema=SCHEMA,
        max_tokens=250,
        sections=(
            Section(name="keeper", texts=(content.keeper.persona,), floor=300, stable=True),
            _secret(seen),
            Section(name="said", texts=(said,), floor=600),
            Section(name="watch", texts=(_watch(content, seen),), floor=100),
            Section(name="recent", texts=_exchanges(seen.recent, texts), cap=1200),
            _remembered(seen, recalled),
        ),
    )


def _secret(seen: View) -> Section:
    kept = "Known to you alone; hint at it, and never say it before you trust the visitor wholly:"
    shared = "You have told the visitor, and need not hide it any more:"
    text = f"What happened to the supply boat Marigold. {shared if seen.told else kept} {seen.secret}"
    return Section(name="shared" if seen.told else "secret", texts=(text,), floor=200, stable=True)


def _watch(content: Content, seen: View) -> str:
    doing = "You were asleep and have got up to answer." if seen.abed else "You are at the kitchen table."
    return (
        f"It is {seen.at:%H:%M} UTC; the lamp is {seen.lamp}. {seen.weather} {doing} "
        f"You trust the visitor {seen.trust} out of {content.trust.most}; your last mood was {seen.mood}. "
        f"The visitor noticed last: {seen.sight or 'nothing yet.'}"
    )


def _remembered(seen: View, recalled: Sequence[Recalled] | Failed) -> Section:
    """What came to her mind, the best last: where room is short, the texts that stand first are dropped."""
    at_hand = {line.words.id for line in seen.recent}
    found = () if isinstance(recalled, Failed) else tuple(one for one in recalled if one.id not in at_hand)[::-1]
    return Section(
        name="remembered",
        texts=tuple(f"{one.speaker}: {one.text}" for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=400,
    )


def _exchanges(lines: Sequence[Line], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Exchanges, each begun by the visitor: what belongs together is kept or dropped together."""
    found: list[str] = []
    for line in lines:
        text = f"{line.speaker}: {texts.get(line.words.id, REMOVED)}"
        if found and line.speaker != VISITOR:
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return tuple(found)
