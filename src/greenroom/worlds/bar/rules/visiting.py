"""Coming, going and staying too quiet: sessions from the knock to the door."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from greenroom.kernel.asks import Fact, Facts, Failed, Read, UseTool
from greenroom.kernel.errors import Refused
from greenroom.kernel.facts import SELF
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import CommandContext, Done, Turn, Wake, done
from greenroom.text.frames import put
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import knowing, refusals
from greenroom.worlds.bar.rules.care import held_back
from greenroom.worlds.bar.rules.content import Content, sky, weekday
from greenroom.worlds.bar.rules.crisis import Check
from greenroom.worlds.bar.rules.ids import is_uuid, session_id
from greenroom.worlds.bar.rules.routing import disorder
from greenroom.worlds.bar.rules.scene import Scene, scope
from greenroom.worlds.bar.rules.state import (
    BART,
    BLANCA,
    HERMES,
    MUTABLE,
    SESSIONS_A_DAY,
    USER,
    WARNING_AFTER,
    Agent,
    Bar,
    Line,
    Past,
    Session,
    Weather,
    ends_after,
    flagged,
    is_gentle,
    is_hushed,
    past_of,
)

#: The tool that looks out of the window.
WEATHER = "weather"
#: Words of a guest that Bart quotes back.
QUOTED = 9


def arrive(given: CommandContext[c.Guest]) -> Turn[e.Event]:
    """Somebody new at the door.

    Raises:
        Refused: the anonymous id is no UUID.
    """
    if not is_uuid(given.command.anonymous_id):
        raise Refused(refusals.NO_GUEST)
    yield from ()
    return done(e.GuestArrived(anonymous_id=given.command.anonymous_id, invite_code=given.command.invite_code))


# entering


def enter(content: Content, state: Bar, given: CommandContext[c.Enter]) -> Turn[e.Event]:
    """A session begins; one that is still in progress ends first.

    Raises:
        Refused: it would be the sixth of the day.
    """
    today = content.house.today(given.at)
    if state.day == today and state.sessions_today >= SESSIONS_A_DAY and not flagged(state, today):
        raise Refused(refusals.TOO_MANY)
    past, ids = _remembered(state)
    seen, texts, facts = yield (
        UseTool(name=WEATHER, args={"at": given.at.isoformat(), "town": content.house.town}),
        Read(ids),
        Facts(scope=scope(given)),
    )
    scene = Scene(content, state, given, session_id(state.anonymous_id, state.sessions + 1))
    if state.session is not None and not state.session.over:
        scene.add(e.SessionEnded(session_id=state.session.id, why="knocked_again"))
    weather = _weather(content, seen)
    scene.add(e.SessionStarted(session_id=scene.session_id, day=today, weather=weather))
    if flagged(state, today):
        scene.say(BLANCA, "check_in", scene.pick(content.house.lines.check_in))
    scene.say(BART, "greeting", _greeting(scene, past, texts, facts))
    return scene.done()


def _weather(content: Content, seen: Any) -> Weather | None:
    match seen:
        case {"kind": str(kind), "celsius": int(celsius), "source": str(source)} if kind in content.house.skies:
            return Weather(kind=kind, celsius=celsius, source=source)
        case _:
            return None


def _remembered(state: Bar) -> tuple[Past | None, tuple[str, ...]]:
    """The last session that is over, or about to be, and the ids of what the guest said in it."""
    session = state.session
    if session is not None and not session.over:
        past: Past | None = past_of(session)
    else:
        past = state.cold[-1] if state.cold else None
    return past, () if past is None else tuple(line.words.id for line in past.lines if line.agent == USER)


def _greeting(scene: Scene, past: Past | None, texts: dict[str, str] | Failed, facts: Sequence[Fact] | Failed) -> str:
    """How Bart greets: a guest he knows by what they told him, and by how long it is."""
    lines, today = scene.content.house.lines, scene.content.house.today(scene.given.at)
    if past is None:
        return scene.pick(lines.welcome)
    known = sky(scene.content.house.skies, past.weather.kind if past.weather else None)
    told = {"weekday": weekday(past.day), "weather": known.adjective if known else "grey"}
    if past.flagged or flagged(scene.state, today):
        return scene.pick([put(line, **told) for line in lines.welcome_gentle])
    if past.day == today:
        return scene.pick(lines.welcome_again)
    told["when"] = _when((today - past.day).days, told["weekday"])
    found = greetings_of(scene, () if isinstance(facts, Failed) else facts, told)
    unsaid = [line for line in found if not scene.used(line)]
    if unsaid:
        return scene.pick(unsaid)
    quote = first_words(scene.content.check, past.lines, {} if isinstance(texts, Failed) else texts)
    return scene.pick(
        [put(line, **told, quote=quote) for line in (lines.welcome_back if quote else lines.welcome_quiet)]
    )


def greetings_of(scene: Scene, facts: Sequence[Fact], told: Mapping[str, str]) -> list[str]:
    """Greetings from the fact that is most worth asking after, newest first; none where there is none."""
    forms = scene.content.house.lines.welcome_known
    mine = [
        fact
        for fact in facts
        if fact.quotable and not is_hushed(scene.state, fact.at) and quotable(scene.content.check, fact.text)
    ]
    name = next((fact.value for fact in mine if fact.relation == "name" and fact.subject == SELF), "")
    for relation in forms:
        of = [fact for fact in mine if fact.relation == relation and (fact.subject == SELF) == (relation != "does")]
        of = [fact for fact in of if _is_worth_asking(fact)]
        newest = max(of, key=lambda fact: fact.at, default=None)
        if newest is not None and relation != "name":
            since = scene.content.house.today(newest.at)
            when = _when((scene.content.house.today(scene.given.at) - since).days, weekday(since))
            is_last = (when, weekday(since)) == (told["when"], told["weekday"])
            value = to_you(newest.value)
            fields = {
                **told,
                "weekday": weekday(since),
                "when": when,
                "value": _PURPOSE.sub("", bare_place(value)) if relation == "going" else value,
                "subject": newest.subject,
            }
            is_later = relation == "going" and _LATER.search(newest.text) is not None
            lines = forms.get(LATER, forms[relation]) if is_later else forms[relation]
            fitting = [line for line in lines if is_last or not ("{weather}" in line or "{weekday}" in line)]
            return [_capital(_named(put(line, **fields), name)) for line in fitting or lines]
    return [put(line, **told, value=name) for line in forms["name"]] if name else []


#: Words of a fact that Bart asks after; a longer one is no greeting.
MOST_ASKED = 9
#: Whom nobody wants to be asked after, what was done to somebody, and what somebody wanted of the evening only.
_NOT_ASKED = re.compile(
    r"^(?:ex\b|ex-|boss|dealer|landlord|manager|consultant|neighbou?r|stalker)|\b(?:hit|hits|beat|beats|threw|throws|threat\w*|hurts?|attack\w*|"
    r"stabbed|kicked|raped?|abus\w*|stole|cheat\w*|dead|scum|hates?)\b|"
    r"^to (?:hear|try|talk|speak|know|ask|say|tell|thank|sit|order|drink|eat|be left)\b|"
    r"^(?:something|a (?:drink|beer|coffee|tea|word|story))\b",
    re.IGNORECASE,
)


#: The greetings of whoever goes somewhere, but not yet.
LATER = "going_later"
#: What somebody goes to a place for; and a time so far off that nobody asks whether they have been.
_PURPOSE = re.compile(r"(?<=\w) (?:to|because|so that|with|and|where)\b.*")
_LATER = re.compile(
    r"\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|"
    r"autumn|winter)|"
    r"next (?:month|year|spring|summer|autumn|winter)|one day|some ?day)\b",
    re.IGNORECASE,
)


def _is_worth_asking(fact: Fact) -> bool:
    """Whether one greets somebody with it."""
    hurts = _NOT_ASKED.search(fact.value) is not None
    if fact.subject != SELF:
        hurts = hurts or _NOT_ASKED.search(fact.subject) is not None or held_back(fact.value) is not None
    whole = fact.relation != "promised" or fact.value.startswith("to ")  # "him the smallest one" is no sentence's end
    return not hurts and whole and len(fact.value.split()) <= MOST_ASKED


def _capital(line: str) -> str:
    return re.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda found: found[0].upper(), line)


_MINE = {
    "i": "you",
    "i'm": "you're",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "myself": "yourself",
    "am": "are",
    "our": "your",
}


def to_you(value: str) -> str:
    """Something told, as its hearer says it: my becomes your."""
    return re.sub(r"[A-Za-z']+", lambda word: _MINE.get(word[0].casefold(), word[0]), value)


def bare_place(value: str) -> str:
    """Where somebody goes, without the *to*."""
    return re.sub(r"^(?:to|for|in|at|off to|over to)\s+", "", value)


def _named(line: str, name: str) -> str:
    """With the guest's name where the line has room for it, and without that room where there is none."""
    return (
        put(line, name=name) if name else line.replace(", {name}", "").replace("{name}, ", "").replace("{name}. ", "")
    )


def _when(days: int, weekday_: str) -> str:
    """How long ago, as one says it across a bar."""
    if days == 1:
        return "yesterday"
    if days < 7:
        return f"on {weekday_}"
    return "last week" if days < 14 else f"{days // 7} weeks ago" if days < 60 else "a good while ago"


def first_words(check: Check, lines: tuple[Line, ...], texts: dict[str, str]) -> str:
    """How the guest began, word for word, cut where it gets long; empty if nothing is left that may be quoted."""
    for line in lines:
        text = texts.get(line.words.id, REMOVED)
        words = text.split()
        if line.agent == USER and words and quotable(check, text):
            return " ".join(words[:QUOTED]).rstrip(" ,;:.!?…-–\"'") + ("…" if len(words) > QUOTED else "")
    return ""


def quotable(check: Check, text: str) -> bool:
    """Whether a line may be said back to the guest: no despair, no abuse, nothing forgotten."""
    return text != REMOVED and not check.in_crisis(text) and disorder(text) is None


# leaving


def leave(content: Content, state: Bar, session: Session, given: CommandContext[c.Leave]) -> Done[e.Event]:
    if session.over:
        raise Refused(refusals.OVER)
    scene = Scene(content, state, given, session.id)
    lines = content.house.lines
    scene.say(BART, "farewell", scene.pick(lines.gentle.farewell if scene.gentle else lines.farewell))
    scene.add(e.SessionEnded(session_id=session.id, why="left"))
    return scene.done()


# muting


def mute(content: Content, state: Bar, session: Session, given: CommandContext[c.Mute]) -> Done[e.Event]:
    """Silence one of the cast, or not; it holds for every later session too.

    Raises:
        Refused: nobody of that name can be muted, or the session is over.
    """
    if given.command.agent not in MUTABLE:
        raise Refused(refusals.NOT_MUTABLE)
    if session.over:
        raise Refused(refusals.OVER)
    scene = Scene(content, state, given, session.id)
    set_mute(scene, given.command.agent, muted=given.command.muted)
    return scene.done()


def set_mute(scene: Scene, agent: Agent, *, muted: bool) -> None:
    lines = scene.content.house.lines
    name = scene.content.house.name_of(agent)
    gentle, plain = (
        [put(line, name=name) for line in (said.muted if muted else said.unmuted)] for said in (lines.gentle, lines)
    )
    scene.add(e.MuteSet(agent=agent, muted=muted))
    kind = [line for line in plain if held_back(line) is None]
    scene.say(BLANCA, "notice", scene.pick(gentle, kind) if scene.gentle else scene.pick(plain))


# taking back


def take_back(content: Content, state: Bar, given: CommandContext[c.TakeBack]) -> Done[e.Event]:
    """The guest says that an alarm was none: Hermes does not lead, nobody is gentle; places to turn to stay in view.

    Raises:
        Refused: there is nothing to take back.
    """
    if state.crisis_flag_date is None:
        raise Refused(refusals.NOTHING_TO_TAKE_BACK)
    scene = Scene(content, state, given, given.command.session_id)
    scene.add(e.CrisisTakenBack(session_id=scene.session_id))
    scene.say(HERMES, "notice", scene.pick(content.house.lines.gentle.taken_back))
    return scene.done()


# the clock


def tick(content: Content, state: Bar, given: CommandContext[Wake]) -> Turn[e.Event]:
    """What the clock wants: Bart's question, the end, midnight, and what was said read once for facts."""
    session = state.session
    if session is None:
        return done()
    scene = Scene(content, state, given, session.id)
    lines = content.house.lines
    yield from knowing.take_notes(scene)
    if session.over:
        return _after(scene)
    gentle = is_gentle(state)
    if given.at - session.heard_at < ends_after(state):
        scene.say(BART, "warning", scene.pick(lines.gentle.warning if gentle else lines.warning))
        scene.add(e.SessionWarned(session_id=session.id))
    elif gentle:
        scene.say(BART, "closing", scene.pick(lines.gentle.quiet))
        scene.add(e.SessionEnded(session_id=session.id, why="quiet"))
    else:
        scene.say(BLANCA, "kick", scene.pick(lines.kick))
        scene.add(e.SessionKicked(session_id=session.id))
    return scene.done()


def _after(scene: Scene) -> Done[e.Event]:
    """In a session that is over: its lines were read, or it is midnight."""
    if scene.state.unread:
        scene.add(e.NotesTaken(lines=len(scene.state.unread)))
    if _day_is_over(scene.content, scene.state, scene.given.at):
        scene.add(e.DayTurned())
    return scene.done()


def _day_is_over(content: Content, state: Bar, at: datetime) -> bool:
    full = state.sessions_today >= SESSIONS_A_DAY
    return full and state.day is not None and at >= content.house.midnight(state.day)


def wake_at(content: Content, state: Bar) -> datetime | None:
    """Bart's question, the end, what is to be read, and midnight for a guest who may not come in before it."""
    session = state.session
    if session is None:
        return None
    if session.over:
        if state.unread:
            return session.ended_at
        full = state.sessions_today >= SESSIONS_A_DAY and state.day is not None
        return content.house.midnight(state.day) if full and state.day else None
    return session.heard_at + (ends_after(state) if session.status == "warning_15min" else WARNING_AFTER)
