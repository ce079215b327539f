"""The cast with no model behind it: agents take lines from their files, messages are classified by rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint
from greenroom.worlds.phantom.rules import classify, readings
from greenroom.worlds.phantom.rules.content import Agent, Content, SpareLine, plain
from greenroom.worlds.phantom.rules.prompts import clipped, occasion_in

#: What is answered before anything else that was spoken of.
_DEEDS = frozenset(
    ("key_deleted_claim", "key_use_claim", "key_use_denied", "threatens", "breaks_fiction", "shares_agent_secret")
)


def answer(content: Content, ask: AskModel) -> Json | Failed:
    """What the understudy says to any ask of this world; the same ask always gets the same."""
    if ask.seat not in content.agents:
        return Failed("nobody of that name is in this story")
    sections = {section.name: section.texts for section in ask.sections}
    if "task" in sections:
        reading = classify.by_rules(content, ask.seat, " ".join(sections["message"]))
        return _classified(reading)
    if "draft" in sections:
        return {"claims": []}  # the rules find by themselves what the content knows
    rejected = isinstance(ask.objections, tuple) and bool(ask.objections)
    return _line(content.agents[ask.seat], sections, Chance(fingerprint(ask).hex()), rejected=rejected)


def _classified(reading: readings.Reading) -> Mapping[str, Any]:
    return {
        "intent": reading.intent,
        "sentiment": reading.sentiment,
        "topics": list(reading.topics),
        "significance": reading.significance,
        "behaviors": dict.fromkeys(reading.behaviours, True),
        "new_knowledge": [fact for fact, _ in reading.facts][: readings.MOST_FACTS],
        "trust_delta": reading.delta,
        "reason": reading.reason,
        "is_key_moment": reading.moment is not None,
        "key_moment_type": reading.moment,
        "key_moment_summary": reading.summary,
    }


def _line(agent: Agent, sections: Mapping[str, Sequence[str]], chance: Chance, *, rejected: bool) -> str:
    """A line for the moment; letter by letter those that fit take turns, so that few come twice."""
    moment = occasion_in(sections["now"][-1])
    lines = agent.lines.get(moment.get("situation", ""), agent.lines["reply"])
    said = "\n".join((*sections.get("conversation", ()), *sections.get("memories", ())))
    fresh = [line for line in lines if clipped(line.text) not in said]
    fitting = _best(fresh or lines, moment)
    if rejected or "letter" not in moment:
        return chance.choose(fitting).text
    return Chance("lines", agent.name).shuffled(fitting)[int(moment["letter"]) % len(fitting)].text


def _best(lines: Sequence[SpareLine], moment: Mapping[str, str]) -> Sequence[SpareLine]:
    """The lines that fit the moment most closely; plain ones where none does."""
    scored = [(line, _score(line, moment)) for line in lines]
    most = max((score for _, score in scored if score is not None), default=None)
    if most is None:
        return [line for line in lines if plain(line)] or lines
    return [line for line, score in scored if score == most]


def _score(line: SpareLine, moment: Mapping[str, str]) -> int | None:
    """How many conditions of a line hold, a deed counting twice; None if one does not."""
    held = int(not _DEEDS.isdisjoint(line.to))
    for wanted, found in (
        (line.about, moment.get("topics", "").split(",")),
        (line.to, moment.get("player", "").split(",")),
        (line.phase, [moment.get("phase", "")]),
        ((line.tone,) if line.tone else (), [moment.get("tone", "")]),
        ((line.trust,) if line.trust else (), [moment.get("trust", "")]),
        (() if line.key_used is None else ("yes" if line.key_used else "no",), [moment.get("key_used", "")]),
    ):
        if wanted and not set(wanted) & set(found):
            return None
        held += bool(wanted)
    return held
