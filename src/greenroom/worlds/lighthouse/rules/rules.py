"""The rules: what follows from a command or from the clock, and what each event changes."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias, assert_never

from greenroom.kernel.asks import Json, Read, Recall, Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import Done, Given, Pattern, Seat, Text, Told, Turn, Wake, done
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules import prompts
from greenroom.worlds.lighthouse.rules.content import Content, named
from greenroom.worlds.lighthouse.rules.state import KEEPER, RECENT, VISITOR, Lighthouse, Line, Mood
from greenroom.worlds.lighthouse.rules.views import view

NAME = "lighthouse"

Chore: TypeAlias = Literal["lamp", "bed"]

# what follows


def arrive(content: Content, given: Given[c.Visit]) -> Turn[e.Event]:
    """The visitor comes ashore; dice choose the weather and what the keeper has to hide."""
    secrets, weathers = tuple(content.secrets), tuple(content.weather)
    secret, weather = yield Roll((len(secrets), len(weathers)))
    lamp, trust = content.hours.lamp(given.at), content.trust.start
    return done(e.Arrived(secret=secrets[secret], weather=weathers[weather], lamp=lamp, trust=trust))


def handle(content: Content, state: Lighthouse, given: Given[Any]) -> Turn[e.Event]:
    """Decide about one command of the visitor, or about the clock.

    Raises:
        Refused: it is not the visitor who asks, the visit is over, or a text has the wrong length.
    """
    command: c.Command | Wake = given.command
    if not isinstance(command, Wake):
        _admit(state, given.seat)
    match command:
        case c.Say():
            return (yield from _talk(content, state, given))
        case c.Climb():
            return (yield from _climb(content))
        case c.Write():
            return _take_letter(content, given)
        case c.Leave():
            return done(e.Left())
        case Wake():
            return (yield from _keep_watch(content, state, given))
        case _:
            assert_never(command)


def _admit(state: Lighthouse, seat: Seat) -> None:
    if seat != VISITOR:
        raise Refused(f"only the seat {VISITOR!r} gives commands here; the keeper acts by herself")
    if state.started_at is None:
        raise Refused("the visit has not begun")
    if state.ended_at is not None:
        raise Refused("the visit is over: the visitor has left the rock; start a new one")


def _fitting(what: str, text: str | None, limit: Text) -> str:
    """The text, if it has the right length; the refusal gives the limit and never the text."""
    text = text or ""
    if not limit.least <= len(text) <= limit.most:
        raise Refused(f"{what} has {limit.least} to {limit.most} characters; this one has {len(text)}")
    return text


def _talk(content: Content, state: Lighthouse, given: Given[c.Say]) -> Turn[e.Event]:
    said = _fitting("a thing said", given.command.text.text, c.SPEECH)
    texts, recalled = yield (
        Read(tuple(line.words.id for line in state.recent)),
        Recall(query=said, scope=Scope(world=NAME, owner=given.owner, agent=KEEPER), limit=4),
    )
    seen = view(content, state, KEEPER, given.at)
    answer = yield prompts.ask(content, seen, said, texts, recalled)
    line, mood = _spoken(content, state, answer) or (yield from _small_talk(content))
    return _conversation(content, state, given, line, mood)


def _spoken(content: Content, state: Lighthouse, answer: Any) -> tuple[str, Mood] | None:
    """The model's line and mood; None if it failed, or let slip what the visitor is not to know yet."""
    match answer:
        case {"line": str(line), "mood": ("curt" | "plain" | "wry" | "warm") as mood} if line.strip():
            secret = named(content.secrets, state.secret)
            return None if secret.given_away_by(line) and not _tells(content, state, mood) else (line, mood)
        case _:
            return None


def _small_talk(content: Content) -> Generator[Roll, Any, tuple[str, Mood]]:
    (i,) = yield Roll((len(content.fallbacks),))
    return content.fallbacks[i], "plain"


def _tells(content: Content, state: Lighthouse, mood: Mood) -> bool:
    """Whether the visitor knows the secret, or hears it along with a line said in this mood."""
    return state.told or content.trust.moved(state.trust, mood) >= content.trust.tells_at


def _conversation(content: Content, state: Lighthouse, given: Given[c.Say], line: str, mood: Mood) -> Done[e.Event]:
    heard = given.hear(given.command.text, agent=KEEPER)
    spoken = given.memory(0, agent=KEEPER, speaker=KEEPER, text=line)
    trust = content.trust.moved(state.trust, mood)
    told = (e.SecretTold(secret=state.secret),) if _tells(content, state, mood) and not state.told else ()
    return done(
        e.Said(words=given.command.text),
        e.Answered(words=spoken.words, mood=mood, trust=trust),
        *told,
        memories=(heard, spoken),
    )


def _climb(content: Content) -> Turn[e.Event]:
    """One time in three the stairs win."""
    sights, hindrances = tuple(content.sights), tuple(content.hindrances)
    luck, sight, hindrance = yield Roll((3, len(sights), len(hindrances)))
    return done(e.Climbed(sight=sights[sight]) if luck else e.HeldUp(by=hindrances[hindrance]))


def _take_letter(content: Content, given: Given[c.Write]) -> Done[e.Event]:
    """The keeper carries letters unread: only the visitor's own seat may recall the words."""
    to = _fitting("an address", given.command.to, c.ADDRESS)
    _fitting("a letter", given.command.text.text, c.LETTER)
    kept = given.hear(given.command.text, agent=VISITOR, kind="letter")
    due_at = content.hours.mail_boat(given.at)
    return done(e.LetterTaken(to=to, words=given.command.text, due_at=due_at), memories=(kept,))


def _keep_watch(content: Content, state: Lighthouse, given: Given[Wake]) -> Turn[e.Event]:
    due = {chore for chore, at in chores(content, state).items() if at <= given.at}
    happened: list[e.Event] = []
    if "lamp" in due:
        happened.append(e.LampOut() if state.lamp == "lit" else e.LampLit())
    if "bed" not in due:
        return done(*happened)
    (i,) = yield Roll((len(content.goodnights),))
    goodnight = given.memory(0, agent=KEEPER, speaker=KEEPER, text=content.goodnights[i])
    return done(*happened, e.WentToBed(words=goodnight.words), memories=(goodnight,))


# what changes


def evolve(state: Lighthouse, told: Told[e.Event]) -> Lighthouse:
    if isinstance(told.event, e.Deed):
        awake = replace(state, quiet_since=told.at, turns=state.turns + 1)
        return _done_by_visitor(awake, told.event, told.at)
    return _done_by_keeper(state, told.event, told.at)


def _done_by_visitor(state: Lighthouse, event: e.Deed, at: datetime) -> Lighthouse:
    match event:
        case e.Arrived(secret=secret, weather=weather, lamp=lamp, trust=trust):
            begun = replace(state, started_at=at, turns=0, lamp=lamp, lamp_at=at)
            return replace(begun, secret=secret, weather=weather, trust=trust)
        case e.Said(words=words):
            return _with_line(state, VISITOR, words)
        case e.Climbed(sight=sight):
            return replace(state, sight=sight)
        case e.HeldUp() | e.LetterTaken():
            return state
        case e.Left():
            return replace(state, ended_at=at)
        case _:
            assert_never(event)


def _done_by_keeper(state: Lighthouse, event: e.Duty, at: datetime) -> Lighthouse:
    match event:
        case e.Answered(words=words, mood=mood, trust=trust):
            return _with_line(state, KEEPER, words, mood=mood, trust=trust)
        case e.SecretTold():
            return replace(state, told=True)
        case e.LampLit():
            return replace(state, lamp="lit", lamp_at=at)
        case e.LampOut():
            return replace(state, lamp="out", lamp_at=at)
        case e.WentToBed(words=words):
            return _with_line(state, KEEPER, words, quiet_since=None)
        case _:
            assert_never(event)


def _with_line(state: Lighthouse, speaker: Seat, words: Words, **changes: Any) -> Lighthouse:
    recent = (*state.recent, Line(speaker=speaker, words=words))[-RECENT:]
    return replace(state, recent=recent, lines=state.lines + 1, **changes)


# what is possible, and when


def legal(state: Lighthouse, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    if seat != VISITOR or state.started_at is None or state.ended_at is not None:
        return ()
    return (
        Pattern(c.Say(text=Words("Good evening.")), {"text": c.SPEECH}),
        Pattern(c.Write(to="the harbour", text=Words("I am dry.")), {"to": c.ADDRESS, "text": c.LETTER}),
        c.Climb(),
        c.Leave(),
    )


def chores(content: Content, state: Lighthouse) -> Mapping[Chore, datetime]:
    """What the clock will ask of the keeper next, and when."""
    due: dict[Chore, datetime] = {}
    if state.ended_at is None and state.lamp_at is not None:
        due["lamp"] = content.hours.lamp_change(state.lamp_at, state.lamp)
    if state.ended_at is None and state.quiet_since is not None:
        due["bed"] = state.quiet_since + timedelta(hours=content.hours.quiet)
    return due


def wake_at(content: Content, state: Lighthouse) -> datetime | None:
    return min(chores(content, state).values(), default=None)


def outcome(state: Lighthouse) -> Json | None:
    if state.ended_at is None:
        return None
    return {"ended": state.ended_at.isoformat(), "turns": state.turns}
