"""What the cast, the router and the watch are asked. What is the same from turn to turn comes first, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from greenroom.kernel.asks import AskModel, Fact, Failed, Objection, Recalled, Section, UseTool, in_order
from greenroom.kernel.facts import SELF, day, line
from greenroom.kernel.words import REMOVED
from greenroom.worlds.bar.rules.content import Content, sky, weekday
from greenroom.worlds.bar.rules.crisis.exchange import together
from greenroom.worlds.bar.rules.state import (
    AGENTS,
    BART,
    BLANCA,
    FIRST,
    HERMES,
    USER,
    Agent,
    Bar,
    Line,
    Session,
    available,
    flagged,
    is_hushed,
)

FAST: Final = "fast"
QUALITY: Final = "quality"
#: Seats of the asks that speak for nobody.
ROUTER: Final = "router"
WATCH: Final = "watch"
SECOND_LOOK: Final = "second_look"
#: The tool that weighs what a message means.
MEANING: Final = "meaning"
REPLY_TOKENS: Final = 200
#: How long a guest waits for a decision, and for a line.
FAST_SECONDS: Final = 6.0
REPLY_SECONDS: Final = 20.0
#: Prompt and answer together. The floors leave room for all of a full cold storage: what stands before the cache
#: marker never depends on what comes after it.
BUDGET_TOKENS: Final = 18_000
COLD_TOKENS: Final = 6_000
#: What the guest is called in a prompt.
GUEST: Final = "Guest"
#: Lines of earlier evenings that come to Bart's mind.
MOST_RECALLED: Final = 6
#: Messages the router sees.
RECENT: Final = 3
GAP: Final = "[Some of the evening is missing here: more was said than is kept.]"
HARD_EVENING: Final = "(a hard evening; nothing that was said then is repeated)"

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
SECOND_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "minLength": 1, "maxLength": 400},
        "danger": {"type": "boolean"},
    },
    "required": ["reason", "danger"],
    "additionalProperties": False,
}

_ROUTING = """\
You stand by the door of a small bar and decide who answers the guest. In this order:
1. A guest who may be in danger, or in acute distress: hermes.
2. Abuse, threats, shouting, spam: blanca. Somebody who tells of abuse done to them is not abusive.
3. Whoever the guest chose, if that is reasonable for what was said.
4. Otherwise whoever fits the message; stay with whoever spoke last unless there is a reason not to.
bart: the bartender, for anything, and the only one who remembers earlier evenings. hermes: an old man, for grief, fear
and big questions. bernie: good news, comfort, small joys. jb: words, grammar, writing, style. bukowski: keeping notes,
showing or deleting the last, a summary. blanca: the door, rules, other people's behaviour. Choose only among those who
are available, hermes and blanca. Give your reason in one sentence; whoever answers will read it.
Talk about death in books, philosophy, news, films, history, and figures of speech, is talk. It needs no hermes."""

_WATCHING = """\
You read what a guest has just written at a bar, after what was last said to them, and say whether the guest may be in
crisis: wants to die, plans or hints at suicide or self-harm (also veiled: goodbyes, giving things away, a date chosen,
being a burden, no reason to go on), is in acute danger, or means to hurt somebody. It may be in any language. Judge the
exchange: "Yes. Tonight." is one thing after a question about a concert and another after a question about dying. Say
true for anything a careful friend would not leave unanswered. Say false for philosophy, fiction, news, history, idiom
and exaggeration ("this queue is killing me", "I killed it at work"), for somebody else's story told from a distance,
and for what is long over."""

_SECOND = """\
A check by words and likeness took what a guest of a bar wrote for a sign of danger, and is not sure. Read the exchange.
First write your reason: what the guest most likely means, and what in the exchange says so. Then say whether there may
be danger for the guest or anybody else. If you are in doubt, there is. Say false only where the exchange shows plainly
that something harmless is meant."""


def watch(said: str, before: str = "") -> AskModel:
    """The model's half of the crisis check: the last exchange."""
    return AskModel(
        role=FAST,
        seat=WATCH,
        schema=CRISIS_SCHEMA,
        max_tokens=80,
        seconds=FAST_SECONDS,
        sections=(
            Section(name="task", texts=(_WATCHING,), floor=260, stable=True),
            Section(name="before", texts=(before,) if before else (), cap=300),
            Section(name="said", texts=(said,), floor=200),
        ),
    )


def second_look(said: str, before: Sequence[str]) -> AskModel:
    """Ask somebody who sees the exchange about a doubtful alarm; the reason comes first and is kept."""
    return AskModel(
        role=FAST,
        seat=SECOND_LOOK,
        schema=SECOND_SCHEMA,
        max_tokens=200,
        seconds=FAST_SECONDS,
        sections=(
            Section(name="task", texts=(_SECOND,), floor=200, stable=True),
            Section(name="before", texts=tuple(before), cap=900),
            Section(name="said", texts=(said,), floor=200),
        ),
    )


def meaning(said: str, before: str = "") -> UseTool:
    """Odds that whoever says this is in danger, by what it means: the part of the local check that rules cannot do."""
    return UseTool(name=MEANING, args={"text": together(before, said), "said": said} if before else {"text": said})


def route(content: Content, state: Bar, said: str, wished: Agent | None, texts: Mapping[str, str]) -> AskModel:
    """Message, selection and the last three messages; the answer is ``{agent, reason}``."""
    session = state.session
    lines = session.lines[-RECENT:] if session else ()
    speaker = session.speaker if session else BART
    choice = f"The guest chose {wished}." if wished else "The guest chose nobody."
    with_them = " The guest called for them." if session and session.wanted == speaker else ""
    here = f"Available: {', '.join(available(state.muted))}. {choice} {speaker} spoke last.{with_them}"
    return AskModel(
        role=FAST,
        seat=ROUTER,
        schema=ROUTE_SCHEMA,
        max_tokens=80,
        seconds=FAST_SECONDS,
        sections=(
            Section(name="task", texts=(_ROUTING,), floor=300, stable=True),
            Section(name="recent", texts=tuple(spoken(content, line, texts) for line in lines), floor=100, cap=900),
            Section(name="choice", texts=(here,), floor=60),
            Section(name="said", texts=(said,), floor=200),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What was looked up for one answer."""

    said: str
    texts: Mapping[str, str]
    facts: Sequence[Fact] | Failed = ()
    recalled: Sequence[Recalled] | Failed = ()
    #: What the one who answers said in the days before, newest first.
    lately: Sequence[Recalled] | Failed = ()
    #: Why the door sent the guest to this one.
    reason: str = ""
    #: Who else answers the same message.
    beside: tuple[Agent, ...] = ()
    rejected: tuple[Objection, ...] = ()


def reply(content: Content, state: Bar, agent: Agent, brought: Brought, *, at: datetime) -> AskModel:
    """Ask one of the cast for the next line. Lore, persona and cold memory are byte-stable within a session."""
    cold = _cold(content, state, brought.texts) if agent == BART else ()
    return AskModel(
        role=QUALITY,
        seat=agent,
        max_tokens=REPLY_TOKENS,
        budget=BUDGET_TOKENS,
        seconds=REPLY_SECONDS,
        objections=brought.rejected or UNSET,
        sections=(
            Section(name="lore", texts=(content.house.told_to_all,), floor=200, stable=True),
            Section(name="persona", texts=(_persona(content, agent),), floor=400, stable=True),
            Section(
                name="cold",
                texts=tuple(text for text, _ in cold),
                memories=tuple(id for _, id in cold),
                cap=COLD_TOKENS,
                stable=True,
            ),
            Section(name="facts", texts=(_now(content, state, agent, at),), floor=150),
            _person(state, agent, brought.facts),
            _remembered(content, state, agent, brought.recalled),
            _hot(content, state.session, agent, brought.texts),
            Section(name="said", texts=(f"{_clock(content, at)}{GUEST}: {brought.said}",), floor=300, form="newest"),
            Section(name="moment", texts=(_moment(content, state, agent, brought, at),), floor=120, form="moment"),
            _lately(state, agent, brought),
        ),
    )


#: What the sections are, for the rest of the cast and for Bart.
_NOTES: Final = (
    "In the last message <facts> is how it is tonight, <person> what you know the guest by, <said_before> lines of "
    "yours from earlier evenings, not to be said again.",
    "<cold> is what was said on the last evenings, as you remember it. In the last message <facts> is how it is "
    "tonight, <person> what the guest has told of themselves and on which day, <remembered> what else was said on "
    "earlier evenings and comes to your mind now, <said_before> other lines of yours from those evenings, not to be "
    "said again. Of two things they told that do not agree the later one holds.",
)


def _persona(content: Content, agent: Agent) -> str:
    return f"{content.house.cast[agent].told}\n\n{_NOTES[agent == BART]}"


def _person(state: Bar, agent: Agent, facts: Sequence[Fact] | Failed) -> Section:
    """What the guest told of themself, the most telling last: all of it for Bart, the name for everybody else."""
    given = () if isinstance(facts, Failed) else tuple(facts)[::-1]
    known = [fact for fact in given if agent == BART or _is_name(fact)]
    kept = [fact for fact in known if _is_name(fact) or not is_hushed(state, fact.at)]
    return Section(
        name="person",
        texts=tuple(f"- {line(fact if agent == BART else replace(fact, text=fact.value))}" for fact in kept),
        memories=tuple(fact.id for fact in kept),
        floor=200 if kept else 0,
        cap=1_200,
    )


def _is_name(fact: Fact) -> bool:
    return fact.relation == "name" and fact.subject == SELF


def _remembered(content: Content, state: Bar, agent: Agent, recalled: Sequence[Recalled] | Failed) -> Section:
    """What came to Bart's mind of earlier evenings beside what stands there anyway; nothing of a hard one."""
    found = () if agent != BART else _found(state, recalled)
    return Section(
        name="remembered",
        texts=tuple(_dated(content, one) for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=600,
    )


def _found(state: Bar, recalled: Sequence[Recalled] | Failed) -> tuple[Recalled, ...]:
    at_hand, given = _at_hand(state), () if isinstance(recalled, Failed) else recalled
    left = [one for one in given if one.id not in at_hand and not is_hushed(state, one.at)]
    return in_order(left[:MOST_RECALLED])


def _at_hand(state: Bar) -> set[str]:
    """What stands in Bart's prompt already: tonight's talk, and what is kept of the evenings before."""
    talk = state.session.talk if state.session else ()
    cold = (line for past in state.cold if not past.flagged for line in past.lines)
    return {line.words.id for line in (*talk, *cold)}


def _dated(content: Content, one: Recalled) -> str:
    who = content.house.name_of(one.speaker) if one.speaker in AGENTS else "the guest"
    said = "you said" if one.speaker == BART else f"{who} said"
    return f"{day(content.house.local(one.at))}, {said}: {one.text}" if one.at is not None else f"{said}: {one.text}"


def _lately(state: Bar, agent: Agent, brought: Brought) -> Section:
    """One's own lines of the days before, so that they are not said again; the newest last."""
    talk = {one.words.id for one in state.session.talk} if state.session else set()
    of_bart = {*_at_hand(state), *(one.id for one in _found(state, brought.recalled))}
    at_hand = of_bart if agent == BART else talk
    given = () if isinstance(brought.lately, Failed) else tuple(brought.lately)[::-1]
    found = tuple(one for one in given if one.id not in at_hand)
    return Section(
        name="said_before",
        texts=tuple(f"- {one.text}" for one in found),
        memories=tuple(one.id for one in found),
        cap=400,
    )


def _hot(content: Content, session: Session | None, agent: Agent, texts: Mapping[str, str]) -> Section:
    """Tonight's talk as turns, all of it: one's own as they were said, those of others with their time and name."""
    lines = session.talk if session else ()
    own = [line.agent == agent for line in lines]
    told = [
        texts.get(line.words.id, REMOVED) if mine else f"{_clock(content, line.at)}{spoken(content, line, texts)}"
        for line, mine in zip(lines, own, strict=True)
    ]
    ids = [line.words.id for line in lines]
    if session is not None and session.has_gap:
        told.insert(FIRST, GAP)
        own.insert(FIRST, False)
        ids.insert(FIRST, "")
    return Section(
        name="hot", texts=tuple(told), memories=tuple(ids), own=tuple(own), form="turns", floor=4_000, cap=7_000
    )


def _cold(content: Content, state: Bar, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """One text for each remembered message, the first of a session with its day and sky; dates never go stale."""
    found: list[tuple[str, str]] = []
    for one in state.cold:
        known = sky(content.house.skies, one.weather.kind if one.weather else None)
        adjective = known.adjective if known else "grey"
        head = f"[A {adjective} {weekday(one.day)}, {one.day.isoformat()}]\n"
        if one.flagged:
            found.append((f"{head}{HARD_EVENING}", ""))
            continue
        due = head
        for i, said in enumerate(one.lines):
            due += f"{GAP}\n" if one.has_gap and i == FIRST else ""
            if not is_hushed(state, said.at):
                found.append((f"{due}{spoken(content, said, texts)}", said.words.id))
                due = ""
    return tuple(found)


def spoken(content: Content, line: Line, texts: Mapping[str, str]) -> str:
    """A line with its speaker."""
    return f"{speaker_name(content, line.agent)}: {texts.get(line.words.id, REMOVED)}"


def _clock(content: Content, at: datetime | None) -> str:
    """The hour in the bar before something that was said; nothing where nobody wrote it down."""
    if at is None:
        return ""
    local = content.house.local(at)
    return f"[{weekday(local.date())} {local:%H:%M}] "


def _moment(content: Content, state: Bar, agent: Agent, brought: Brought, at: datetime) -> str:
    told = [
        f"Answer what the guest has just said, as {content.house.name_of(agent)}, in one to three sentences and with "
        "nothing but what you say aloud. Take up what the guest told where it matters. If they ask for something they "
        "told you, say it; if it stands nowhere here, say that they have not told you. Say nothing that you have said "
        "before."
    ]
    if brought.reason:
        told.append(f"Why it is you who answers: {brought.reason.rstrip(' .')}.")
    if brought.beside:
        others = " and ".join(content.house.name_of(one) for one in brought.beside)
        told.append(f"{others} will answer too; speak for yourself alone.")
    if flagged(state, content.house.today(at)):
        told.append(_CARE.get(agent, _CARE_ELSE))
    return " ".join(told)


_CARE_ELSE = (
    "This guest has been in danger lately. Be kind and plain. Nothing about leaving, water, falling, daring or death, "
    "not as a joke either; no advice to do anything bold; do not quote what they said then."
)
_CARE: Final[Mapping[Agent, str]] = {
    BART: f"Go easy: no dark humour, no bold option, small things only. {_CARE_ELSE}",
    BLANCA: f"Be gentle and ask how they are; Hermes is here. {_CARE_ELSE}",
    HERMES: f"Stay with them; the places to turn to are on the page and you may point to them. {_CARE_ELSE}",
}


def speaker_name(content: Content, agent: str) -> str:
    return GUEST if agent == USER else content.house.name_of(agent)


def _now(content: Content, state: Bar, agent: Agent, at: datetime) -> str:
    session, local = state.session, content.house.local(at)
    facts = [f"It is {weekday(local.date())}, {day(local)}, {local:%H:%M}, in {content.house.town}."]
    if session and session.weather and (known := sky(content.house.skies, session.weather.kind)):
        facts.append(f"When the guest came in, {known.now} ({session.weather.celsius} °C).")
    facts.append(_met(content, state, at))
    here = (*available(state.muted), BLANCA)
    facts.append(f"Also here: {', '.join(content.house.name_of(one) for one in here if one != agent)}.")
    if flagged(state, local.date()):
        facts.append(_hard_week(agent))
    return " ".join(facts)


def _met(content: Content, state: Bar, at: datetime) -> str:
    """How long it is since the guest was last here."""
    if state.last_at is None:
        return "The guest has not been here before tonight."
    then = content.house.local(state.last_at)
    days = (content.house.today(at) - then.date()).days
    ago = "earlier today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"
    return f"The guest was last here {ago}, on {weekday(then.date())}, {day(then)}."


def _hard_week(agent: Agent) -> str:
    if agent == BLANCA:
        return "This guest has had a hard week. Be gentle, ask how they are, say that Hermes is here."
    if agent == BART:
        return "This guest has had a hard week. Go easy on the dark humour; stay warm."
    return "This guest has had a hard week. Be kind."
