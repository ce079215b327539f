"""What the host is asked, drawn from the host's own view and no further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.kernel.asks import AskModel, Failed, Recalled, Section
from greenroom.kernel.words import REMOVED

from .content import Content
from .state import GUEST, HOST, Line
from .views import View

#: The role that speaks for the host; settings say who plays it.
ROLE = "quality"
SCHEMA = {
    "type": "object",
    "properties": {"line": {"type": "string", "minLength": 1, "maxLength": 400}},
    "required": ["line"],
    "additionalProperties": False,
}


def ask(
    content: Content, seen: View, said: str, texts: Mapping[str, str], recalled: Sequence[Recalled] | Failed
) -> AskModel:
    """Ask the host for a line; the stable sections come first, so that a provider can cache them."""
    riddle = f"Your riddle: {seen.question} Its answer, which you never say: {seen.answer}."
    return AskModel(
        role=ROLE,
        seat=HOST,
        schema=SCHEMA,
        max_tokens=200,
        sections=(
            Section(name="host", texts=(content.host.persona,), floor=150, stable=True),
            Section(name="riddle", texts=(riddle,), floor=80, stable=True),
            Section(name="said", texts=(said,), floor=600),
            Section(name="recent", texts=_exchanges(seen.recent, texts), cap=800),
            _remembered(seen, recalled),
        ),
    )


def _remembered(seen: View, recalled: Sequence[Recalled] | Failed) -> Section:
    """What came to mind, the best last: where room is short, the texts that stand first are dropped."""
    at_hand = {line.words.id for line in seen.recent}
    found = () if isinstance(recalled, Failed) else tuple(one for one in recalled if one.id not in at_hand)[::-1]
    return Section(
        name="remembered",
        texts=tuple(f"{one.speaker}: {one.text}" for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=300,
    )


def _exchanges(lines: Sequence[Line], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Exchanges, each begun by the guest: what belongs together is kept or dropped together."""
    found: list[str] = []
    for line in lines:
        text = f"{line.speaker}: {texts.get(line.words.id, REMOVED)}"
        if found and line.speaker != GUEST:
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return tuple(found)
