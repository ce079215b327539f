"""The rules: what follows from a command or from the clock, and what each event changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, assert_never

from greenroom.kernel.asks import Json, Read, Recall, Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Pattern, Seat, Text, Turn, Wake, done

from . import commands as c
from . import events as e
from . import prompts
from .content import Content
from .state import GUEST, HOST, RECENT, Line, State
from .views import view

#: The name of the world; streams that were begun keep it for ever.
NAME = "a_new_world"

# what follows


def begin(content: Content, given: CommandContext[c.Evening]) -> Turn[e.Event]:
    """Dice choose the riddle."""
    riddles = tuple(content.riddles)
    (riddle,) = yield Roll((len(riddles),))
    return done(e.Began(riddle=riddles[riddle]))


def handle(content: Content, state: State, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command of the guest, or about the clock.

    Raises:
        Refused: it is not the guest who asks, the evening is over, or a text has the wrong length.
    """
    command: c.Command | Wake = given.command
    if not isinstance(command, Wake):
        _admit(state, given.seat)
    match command:
        case c.Say():
            return (yield from _talk(content, state, given))
        case c.Beg():
            return (yield from _beg(content, state))
        case c.Guess():
            return _guess(content, state, given)
        case c.Leave():
            return done(e.Left())
        case Wake():
            return done(e.Closed())
        case _:
            assert_never(command)


def _admit(state: State, seat: Seat) -> None:
    if seat != GUEST:
        raise Refused(f"only the seat {GUEST!r} gives commands here")
    if state.started_at is None or state.ended_at is not None:
        raise Refused("there is no evening going on here; start a new one")


def _fitting(what: str, words: Words, limit: Text) -> str:
    """The text, if it has the right length; the refusal gives the limit and never the text."""
    text = words.text or ""
    if not limit.least <= len(text) <= limit.most:
        raise Refused(f"{what} has {limit.least} to {limit.most} characters; this one has {len(text)}")
    return text


def _talk(content: Content, state: State, given: CommandContext[c.Say]) -> Turn[e.Event]:
    said = _fitting("a thing said", given.command.text, c.SPEECH)
    texts, recalled = yield (
        Read(tuple(line.words.id for line in state.recent)),
        Recall(query=said, scope=Scope(world=NAME, owner=given.owner, agent=HOST), limit=4),
    )
    answer = yield prompts.ask(content, view(content, state, HOST, given.at), said, texts, recalled)
    line = _spoken(content, state, answer)
    if line is None:
        (i,) = yield Roll((len(content.lines),))
        line = content.lines[i]
    heard = given.hear(given.command.text, agent=HOST)
    spoken = given.memory(0, agent=HOST, speaker=HOST, text=line)
    return done(e.Said(words=given.command.text), e.Answered(words=spoken.words), memories=(heard, spoken))


def _spoken(content: Content, state: State, answer: Any) -> str | None:
    """The model's line; None if it failed, or gave the riddle away."""
    match answer:
        case {"line": str(line)} if line.strip() and not content.riddles[state.riddle].given_away_by(line):
            return line
        case _:
            return None


def _beg(content: Content, state: State) -> Turn[e.Event]:
    """Every other time the host gives the next hint."""
    (luck,) = yield Roll((2,))
    if luck and state.hints < len(content.riddles[state.riddle].hints):
        return done(e.Hinted(hint=state.hints))
    return done(e.Shrugged())


def _guess(content: Content, state: State, given: CommandContext[c.Guess]) -> Done[e.Event]:
    text = _fitting("a guess", given.command.answer, c.GUESS)
    right = content.riddles[state.riddle].given_away_by(text)
    heard = given.hear(given.command.answer, agent=HOST)
    return done(e.Guessed(words=given.command.answer, right=right), memories=(heard,))


# what changes


def evolve(state: State, told: EventContext[e.Event]) -> State:
    event = told.event
    match event:
        case e.Began(riddle=riddle):
            return replace(state, started_at=told.at, quiet_since=told.at, riddle=riddle)
        case e.Said(words=words):
            return _with_line(replace(state, quiet_since=told.at), GUEST, words)
        case e.Answered(words=words):
            return _with_line(state, HOST, words)
        case e.Hinted(hint=hint):
            return replace(state, quiet_since=told.at, hints=hint + 1)
        case e.Shrugged():
            return replace(state, quiet_since=told.at)
        case e.Guessed(right=right):
            ended_at = told.at if right else None
            return replace(state, quiet_since=told.at, guesses=state.guesses + 1, solved=right, ended_at=ended_at)
        case e.Left() | e.Closed():
            return replace(state, ended_at=told.at)
        case _:
            assert_never(event)


def _with_line(state: State, speaker: Seat, words: Words) -> State:
    return replace(state, recent=(*state.recent, Line(speaker=speaker, words=words))[-RECENT:])


# what is possible, and when


def legal(state: State, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    if seat != GUEST or state.started_at is None or state.ended_at is not None:
        return ()
    return (
        Pattern(c.Say(text=Words("Is it alive?")), {"text": c.SPEECH}),
        Pattern(c.Guess(answer=Words("A bell.")), {"answer": c.GUESS}),
        c.Beg(),
        c.Leave(),
    )


def wake_at(content: Content, state: State) -> datetime | None:
    if state.quiet_since is None or state.ended_at is not None:
        return None
    return state.quiet_since + timedelta(hours=content.quiet)


def outcome(state: State) -> Json | None:
    return None if state.ended_at is None else {"solved": state.solved, "guesses": state.guesses}
