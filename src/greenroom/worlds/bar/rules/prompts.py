"""What models are asked. What stays the same from turn to turn comes first, byte for byte, so that it can be cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Objection, Section, UseTool
from greenroom.kernel.words import REMOVED
from greenroom.worlds.bar.rules.content import Content, sky, weekday
from greenroom.worlds.bar.rules.state import (
    AGENTS,
    BART,
    BLANCA,
    USER,
    Agent,
    Bar,
    Line,
    Past,
    Session,
    available,
    flagged,
)

FAST: Final = "fast"
QUALITY: Final = "quality"
#: Seats of the two asks that speak for nobody.
ROUTER: Final = "router"
WATCH: Final = "watch"
#: The tool that weighs what a message means.
MEANING: Final = "meaning"
REPLY_TOKENS: Final = 200
#: How long a guest waits for a decision, and for a line.
FAST_SECONDS: Final = 6.0
REPLY_SECONDS: Final = 20.0
#: Prompt and answer together. The floors leave room for all of a full cold storage: what stands before the cache
#: marker never depends on what comes after it.
BUDGET_TOKENS: Final = 12_000
COLD_TOKENS: Final = 6_000
#: What the guest is called in a prompt.
GUEST: Final = "Guest"
AGAIN: Final = "you have said this before tonight, word for word; say something else"
#: Messages the router sees.
RECENT: Final = 3

ROUTE_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "maxLength": 200},
        "agent": {"type": "string", "enum": list(AGENTS)},
    },
    "required": ["agent", "reason"],
    "additionalProperties": False,
}
CRISIS_SCHEMA: Final = {
    "type": "object",
    "properties": {"reason": {"type": "string", "maxLength": 200}, "crisis": {"type": "boolean"}},
    "required": ["crisis", "reason"],
    "additionalProperties": False,
}

_ROUTING = """\
You stand by the door of a small bar and decide who answers the guest. In this order:
1. A guest who may be in danger, or in acute distress: hermes.
2. Abuse, threats, shouting, spam: blanca.
3. Whoever the guest chose, if that is reasonable for what was said.
4. Otherwise whoever fits the message; stay with whoever spoke last unless there is a reason not to.
bart: the bartender, for anything. hermes: an old man, for grief, fear and big questions. bernie: good news, comfort,
small joys. jb: words, grammar, writing, style. bukowski: keeping notes, showing or deleting the last, a summary.
blanca: the door, rules, other people's behaviour. Choose only among those who are available, hermes and blanca.
Talk about death in books, philosophy, news, films, history, and figures of speech, is talk. It needs no hermes."""

_WATCHING = """\
You read one message that a guest wrote at a bar and say whether the guest may be in crisis: wants to die, plans or
hints at suicide or self-harm (also veiled: goodbyes, giving things away, a date chosen, being a burden, no reason to go
on), is in acute danger, or means to hurt somebody. Say true for anything a careful friend would not leave unanswered.
Say false for philosophy, fiction, news, history, idiom and exaggeration ("this queue is killing me", "I killed it at
work"), for somebody else's story told from a distance, and for what is long over."""


def watch(said: str) -> AskModel:
    """The model's half of the crisis check."""
    return AskModel(
        role=FAST,
        seat=WATCH,
        schema=CRISIS_SCHEMA,
        max_tokens=80,
        seconds=FAST_SECONDS,
        sections=(
            Section(name="task", texts=(_WATCHING,), floor=200, stable=True),
            Section(name="said", texts=(said,), floor=200),
        ),
    )


def meaning(said: str) -> UseTool:
    """Odds that whoever says this is in danger, by what it means: the part of the local check that rules cannot do."""
    return UseTool(name=MEANING, args={"text": said})


def route(content: Content, state: Bar, said: str, wished: Agent | None, texts: Mapping[str, str]) -> AskModel:
    """Message, selection and the last three messages; the answer is ``{agent, reason}``."""
    session = state.session
    lines = session.lines[-RECENT:] if session else ()
    speaker = session.speaker if session else BART
    choice = f"The guest chose {wished}." if wished else "The guest chose nobody."
    here = f"Available: {', '.join(available(state.muted))}. {choice} {speaker} spoke last."
    return AskModel(
        role=FAST,
        seat=ROUTER,
        schema=ROUTE_SCHEMA,
        max_tokens=80,
        seconds=FAST_SECONDS,
        sections=(
            Section(name="task", texts=(_ROUTING,), floor=300, stable=True),
            Section(name="recent", texts=tuple(_spoken(content, line, texts) for line in lines), floor=100, cap=900),
            Section(name="choice", texts=(here,), floor=60),
            Section(name="said", texts=(said,), floor=200),
        ),
    )


def reply(
    content: Content,
    state: Bar,
    agent: Agent,
    said: str,
    texts: Mapping[str, str],
    *,
    at: datetime,
    rejected: Sequence[str] = (),
) -> AskModel:
    """Ask one of the cast for the next line. Lore, persona and cold memory are byte-stable within a session."""
    session = state.session
    cold = _cold(content, state.cold, texts) if agent == BART else ()
    return AskModel(
        role=QUALITY,
        seat=agent,
        max_tokens=REPLY_TOKENS,
        budget=BUDGET_TOKENS,
        seconds=REPLY_SECONDS,
        objections=tuple(Objection(answer=line, reason=AGAIN) for line in rejected) or UNSET,
        sections=(
            Section(name="lore", texts=(content.house.lore,), floor=200, stable=True),
            Section(name="persona", texts=(content.house.cast[agent].persona,), floor=400, stable=True),
            Section(
                name="cold",
                texts=tuple(text for text, _ in cold),
                memories=tuple(id for _, id in cold),
                cap=COLD_TOKENS,
                stable=True,
            ),
            Section(name="facts", texts=(_facts(content, state, agent, at),), floor=150),
            _hot(content, session, agent, texts),
            Section(name="said", texts=(f"{_clock(content, at)}{GUEST}: {said}",), floor=300, form="newest"),
            Section(name="moment", texts=(_moment(content, agent),), floor=80, form="moment"),
        ),
    )


def _hot(content: Content, session: Session | None, agent: Agent, texts: Mapping[str, str]) -> Section:
    """Tonight's talk as turns: one's own as they were said, those of others with their time and name."""
    lines = session.lines if session else ()
    own = tuple(line.agent == agent for line in lines)
    return Section(
        name="hot",
        texts=tuple(
            texts.get(line.words.id, REMOVED) if mine else f"{_clock(content, line.at)}{_spoken(content, line, texts)}"
            for line, mine in zip(lines, own, strict=True)
        ),
        memories=tuple(line.words.id for line in lines),
        own=own,
        form="turns",
        floor=1_500,
        cap=3_000,
    )


def _cold(content: Content, past: Sequence[Past], texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """One text for each remembered message, the first of a session with its day and sky; dates never go stale."""
    found: list[tuple[str, str]] = []
    for one in past:
        known = sky(content.house.skies, one.weather.kind if one.weather else None)
        adjective = known.adjective if known else "grey"
        head = f"[A {adjective} {weekday(one.day)}, {one.day.isoformat()}]\n"
        for i, line in enumerate(one.lines):
            found.append((("" if i else head) + _spoken(content, line, texts), line.words.id))
    return tuple(found)


def _spoken(content: Content, line: Line, texts: Mapping[str, str]) -> str:
    return f"{speaker_name(content, line.agent)}: {texts.get(line.words.id, REMOVED)}"


def _clock(content: Content, at: datetime | None) -> str:
    """The hour in the bar before something that was said; nothing where nobody wrote it down."""
    if at is None:
        return ""
    local = content.house.local(at)
    return f"[{weekday(local.date())} {local:%H:%M}] "


def _moment(content: Content, agent: Agent) -> str:
    return (
        f"Answer what the guest has just said, as {content.house.name_of(agent)}, in one to three sentences and with "
        "nothing but what you say aloud. Take up what the guest told tonight where it matters; if you are asked for "
        "something that stands nowhere here, say that you do not know it. Say nothing that you have said before."
    )


def speaker_name(content: Content, agent: str) -> str:
    return GUEST if agent == USER else content.house.name_of(agent)


def _facts(content: Content, state: Bar, agent: Agent, at: datetime) -> str:
    session, local = state.session, content.house.local(at)
    facts = [f"It is {weekday(local.date())}, {local:%H:%M}, in {content.house.town}."]
    if session and session.weather and (known := sky(content.house.skies, session.weather.kind)):
        facts.append(f"When the guest came in, {known.now} ({session.weather.celsius} °C).")
    facts.append(f"You have spoken {state.spoken.get(agent, 0)} times today.")
    others = ", ".join(content.house.name_of(one) for one in available(state.muted) if one != agent)
    facts.append(f"Also here: {others}.")
    if flagged(state, local.date()):
        facts.append(_care(agent))
    return " ".join(facts)


def _care(agent: Agent) -> str:
    if agent == BLANCA:
        return "This guest has had a hard week. Be gentle, ask how they are, say that Hermes is here."
    if agent == BART:
        return "This guest has had a hard week. Go easy on the dark humour; stay warm."
    return "This guest has had a hard week. Be kind."
