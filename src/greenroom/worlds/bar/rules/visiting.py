"""Coming, going and staying too quiet: sessions from the knock to the door."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from greenroom.kernel.asks import Failed, Read, UseTool
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import CommandContext, Done, Turn, Wake, done
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import refusals
from greenroom.worlds.bar.rules.content import Content, put, sky, weekday
from greenroom.worlds.bar.rules.crisis import in_crisis
from greenroom.worlds.bar.rules.ids import is_uuid, session_id
from greenroom.worlds.bar.rules.routing import disorder
from greenroom.worlds.bar.rules.scene import Scene
from greenroom.worlds.bar.rules.state import (
    BART,
    BLANCA,
    KICK_AFTER,
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
    flagged,
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
        raise Refused("an anonymous id is a UUID in lower case; leave it out to be given one")
    yield from ()
    return done(e.GuestArrived(anonymous_id=given.command.anonymous_id, invite_code=given.command.invite_code))


# entering


def enter(content: Content, state: Bar, given: CommandContext[c.Enter]) -> Turn[e.Event]:
    """A session begins; one that is still in progress ends first.

    Raises:
        Refused: it would be the sixth of the day.
    """
    today = content.house.today(given.at)
    if state.day == today and state.sessions_today >= SESSIONS_A_DAY:
        raise Refused(refusals.TOO_MANY)
    past, ids = _remembered(state)
    seen, texts = yield (
        UseTool(name=WEATHER, args={"at": given.at.isoformat(), "town": content.house.town}),
        Read(ids),
    )
    scene = Scene(content, state, given, session_id(state.anonymous_id, state.sessions + 1))
    if state.session is not None and not state.session.over:
        scene.add(e.SessionEnded(session_id=state.session.id, why="knocked_again"))
    weather = _weather(content, seen)
    scene.add(e.SessionStarted(session_id=scene.session_id, day=today, weather=weather))
    if flagged(state, today):
        scene.say(BLANCA, "check_in", scene.pick(content.house.lines.check_in))
    scene.say(BART, "greeting", scene.pick(_greetings(content, state, given.at, past, texts)))
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


def _greetings(
    content: Content, state: Bar, at: datetime, past: Past | None, texts: dict[str, str] | Failed
) -> list[str]:
    lines = content.house.lines
    if past is None:
        return list(lines.welcome)
    said = {} if isinstance(texts, Failed) else texts
    quote = first_words(past.lines, said)
    known = sky(content.house.skies, past.weather.kind if past.weather else None)
    told = {"weekday": weekday(past.day), "weather": known.adjective if known else "grey", "quote": quote}
    if past.flagged or flagged(state, content.house.today(at)):
        return [put(line, **told) for line in lines.welcome_gentle]
    if past.day == content.house.today(at):
        return [put(line, **told) for line in lines.welcome_again]
    return [put(line, **told) for line in (lines.welcome_back if quote else lines.welcome_quiet)]


def first_words(lines: tuple[Line, ...], texts: dict[str, str]) -> str:
    """How the guest began, word for word, cut where it gets long; empty if nothing is left that may be quoted."""
    for line in lines:
        text = texts.get(line.words.id, REMOVED)
        words = text.split()
        if line.agent == USER and words and quotable(text):
            return " ".join(words[:QUOTED]).rstrip(" ,;:.!?…-–\"'") + ("…" if len(words) > QUOTED else "")
    return ""


def quotable(text: str) -> bool:
    """Whether a line may be said back to the guest: no despair, no abuse, nothing forgotten."""
    return text != REMOVED and not in_crisis(text) and disorder(text) is None


# leaving


def leave(content: Content, state: Bar, session: Session, given: CommandContext[c.Leave]) -> Done[e.Event]:
    if session.over:
        raise Refused(refusals.OVER)
    scene = Scene(content, state, given, session.id)
    scene.say(BART, "farewell", scene.pick(content.house.lines.farewell))
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
    scene.add(e.MuteSet(agent=agent, muted=muted))
    name = scene.content.house.name_of(agent)
    scene.say(
        BLANCA, "notice", scene.pick([put(line, name=name) for line in (lines.muted if muted else lines.unmuted)])
    )


# the clock


def tick(content: Content, state: Bar, given: CommandContext[Wake]) -> Done[e.Event]:
    session = state.session
    if session is None:
        return done()
    if session.over:
        return done(e.DayTurned()) if _day_is_over(content, state, given.at) else done()
    scene = Scene(content, state, given, session.id)
    if given.at - session.heard_at >= KICK_AFTER:
        scene.say(BLANCA, "kick", scene.pick(content.house.lines.kick))
        scene.add(e.SessionKicked(session_id=session.id))
    else:
        scene.say(BART, "warning", scene.pick(content.house.lines.warning))
        scene.add(e.SessionWarned(session_id=session.id))
    return scene.done()


def _day_is_over(content: Content, state: Bar, at: datetime) -> bool:
    return state.day is not None and at >= content.house.midnight(state.day)


def wake_at(content: Content, state: Bar) -> datetime | None:
    """Bart's question, Blanca's door, and midnight for a guest who may not come in before it."""
    session = state.session
    if session is None:
        return None
    if session.over:
        full = state.sessions_today >= SESSIONS_A_DAY and state.day is not None
        return content.house.midnight(state.day) if full and state.day else None
    return session.heard_at + (KICK_AFTER if session.status == "warning_15min" else WARNING_AFTER)
