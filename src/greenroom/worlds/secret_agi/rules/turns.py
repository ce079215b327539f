"""The turns: a person's command, the operator's, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR, CommandContext, Done, Pattern, Seat, Turn, Wake, done
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.content import Content
from greenroom.worlds.secret_agi.rules.opening import expect, player_of
from greenroom.worlds.secret_agi.rules.playing import played
from greenroom.worlds.secret_agi.rules.reading import understood
from greenroom.worlds.secret_agi.rules.rules import OBSERVE, Scene, act, check, options, stop_if_long
from greenroom.worlds.secret_agi.rules.state import NOBODY, Game, place_of, speaker
from greenroom.worlds.secret_agi.rules.waiting import undecided


def handle(content: Content, game: Game, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command, or let the agents play.

    Raises:
        Refused: the rules forbid it; the reason tells nothing that its giver may not know.
    """
    command: c.Command | Wake = given.command
    match command:
        case Wake():
            return (yield from played(content, game, given))
        case c.Pause() | c.Resume() | c.Reseat() | c.RecordRecovery():
            return _operated(game, given)
        case c.Misread(action=action):
            raise Refused(_misread(action))
        case c.SendChatMessage():
            return (yield from _said(content, game, given))
        case _:
            return _acted(game, given)


def legal(game: Game, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    """What a person in this seat may send; agents' seats take no commands."""
    i = place_of(game, seat)
    if i == NOBODY or game.outcome is not None or game.players[i].agent != "HumanPlayer":
        return ()
    return (*options(game, i), OBSERVE)


def _misread(action: str) -> str:
    if action not in c.ACTIONS:
        return f"that is no action; choose one of: {', '.join(c.ACTIONS)}"
    takes = ", ".join(c.ACTIONS[action].__dataclass_fields__) or "nothing"
    return f"{action} could not be read; it takes {takes}"


def _acted(game: Game, given: CommandContext[Any]) -> Done[e.Event]:
    action: c.Action = given.command
    i = _admitted(game, given.seat)
    scene = Scene(game, given.at, given.version - 1)
    if isinstance(action, c.Observe):
        if i == speaker(game) or i in undecided(game):
            act(scene, i, action)
        return done(*scene.events)
    check(game, i, action)
    act(scene, i, action)
    stop_if_long(scene)
    return done(*scene.events)


def _said(content: Content, game: Game, given: CommandContext[Any]) -> Turn[e.Event]:
    """A person's message; unless they say what it means, it is read for that."""
    action: c.SendChatMessage = given.command
    i = _admitted(game, given.seat)
    check(game, i, action)
    claim, also = action.claim, action.also
    if claim is None:
        claim, also = yield from understood(content.senses, game, i, action.text.text or "")
    scene = Scene(game, given.at, given.version - 1)
    act(scene, i, c.SendChatMessage(text=action.text, claim=claim, also=also))
    stop_if_long(scene)
    return done(*scene.events, memories=(given.hear(action.text, agent="table"),))


def _admitted(game: Game, seat: Seat) -> int:
    i = place_of(game, seat)
    if i == NOBODY:
        raise Refused("whoever has no seat at this table only watches")
    if game.outcome is not None:
        raise Refused("the game is over")
    if game.players[i].agent != "HumanPlayer":
        raise Refused(f"{seat} is played by an agent; only people send commands")
    return i


def _operated(game: Game, given: CommandContext[Any]) -> Done[e.Event]:
    if given.seat != OPERATOR:
        raise Refused("only the operator pauses, resumes, reseats and recovers a game")
    if isinstance(given.command, c.RecordRecovery):
        return done(e.GameResumed()) if given.command.stalled and game.status == "active" else Done()
    if game.outcome is not None:
        raise Refused("the game is over")
    match given.command:
        case c.Pause():
            expect(game.status == "active", "the game is paused already")
            return done(e.GamePaused())
        case c.Resume():
            expect(game.status == "paused", "the game is not paused")
            return done(e.GameResumed())
        case command:
            return _reseated(game, command)


def _reseated(game: Game, command: c.Reseat) -> Done[e.Event]:
    found: list[e.Event] = []
    for seat in command.seats:
        i = place_of(game, seat.player_id)
        expect(i != NOBODY, "a seat of that name is not at this table")
        player = player_of(seat, game.players[i].role)
        seed = game.seed if command.seed is None else command.seed
        found.append(e.Reseated(seat=player.id, agent=player.agent, config=player.config, seed=seed))
    expect(bool(found), "name at least one seat")
    return done(*found)
