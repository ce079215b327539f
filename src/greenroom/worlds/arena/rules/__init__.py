"""The arena: negotiators that improve from generation to generation, and the proof that they did."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR, CommandContext, Seat, Turn, Wake, World
from greenroom.worlds.arena.rules import episode as ep
from greenroom.worlds.arena.rules import evolving, folding_episode, folding_run, tables, ticking, views
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content

NAME = r.NAME
EPISODE = ep.NAME

#: A moment before all others: due at once.
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


def arena(content: Content) -> World[r.Run, r.Command, r.Event]:
    """Runs of evolution with this content."""
    return World(
        name=NAME,
        shape=1,
        state=r.Run,
        config=r.RunConfig,
        commands=r.COMMANDS,
        events=r.EVENTS,
        blank=r.Run(),
        open=partial(evolving.begun, content),
        handle=partial(evolving.handle, content),
        evolve=folding_run.evolve,
        legal=_decisions,
        wake_at=_next_turn,
        outcome=_result,
        seats=views.run_seats,
        view=partial(views.run_view, content),
        shows=partial(views.run_shows, content),
        reply=partial(views.run_reply, content),
        tables=tables.TABLES,
        rows=partial(tables.rows, content),
        content=content,
    )


def episode(content: Content) -> World[ep.Episode, Any, ep.EpisodeEvent]:
    """Single episodes with this content; a run plays them, and so does anybody else."""
    return World(
        name=EPISODE,
        shape=1,
        state=ep.Episode,
        config=ep.EpisodeConfig,
        commands={},
        events=ep.EVENTS,
        blank=ep.Episode(),
        open=partial(ticking.opened, content),
        handle=partial(_tick, content),
        evolve=folding_episode.evolve,
        legal=lambda state, seat: (),
        wake_at=_next_tick,
        outcome=ep.outcome,
        seats=views.episode_seats,
        view=partial(views.episode_view, content),
        shows=partial(views.episode_shows, content),
        reply=partial(views.episode_reply, content),
        tables=tables.EPISODE_TABLES,
        rows=tables.episode_rows,
        content=content,
    )


def _tick(content: Content, state: ep.Episode, given: CommandContext[Any]) -> Turn[ep.EpisodeEvent]:
    if not isinstance(given.command, Wake):
        raise Refused("an episode plays by itself")
    return ticking.go_on(content, state, given)


def _next_tick(state: ep.Episode) -> datetime | None:
    return None if state.config is None or state.is_terminal else _AT_ONCE


def _next_turn(state: r.Run) -> datetime | None:
    return None if state.config is None or state.phase == "over" else _AT_ONCE


def _result(state: r.Run) -> Json | None:
    proof = state.proof
    if proof is None:
        return None
    return {"lineage": state.lineage, "champion": proof.champion, "margin": proof.margin, "episodes": state.episodes}


def _decisions(state: r.Run, seat: Seat) -> Sequence[r.Command]:
    if seat != OPERATOR:
        return ()
    waiting = [one.number for one in state.agents if one.status == "pending_approval" and not one.approved]
    return tuple(kind(agent=number) for number in waiting for kind in (r.Approve, r.Reject))


__all__ = ["EPISODE", "NAME", "Content", "arena", "episode"]
