"""Games that were interrupted: found, understood, taken up again, and a row kept of it."""

from __future__ import annotations

from typing import Any

from greenroom.journal.records import Stream
from greenroom.kernel.errors import CorruptHistory
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games, history
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.commands import RecordRecovery
from greenroom.worlds.secret_agi.rules.waiting import wake_at


async def find_interrupted(house: House) -> list[str]:
    """Games in which something is begun and nobody works on it: an attempt is open, or an agent was to act already."""
    streams = [stream async for stream in house.every_stream(NAME)]
    return [stream.name for stream in streams if interrupted(house, stream) or await stalled(house, stream)]


async def open_games(house: House) -> list[str]:
    """Games that have begun and are not over."""
    return [s.name async for s in house.every_stream(NAME) if s.version and s.outcome is None]


def interrupted(house: House, stream: Stream) -> bool:
    """Whether a game has something to do and no living worker holds it."""
    held = house.drives(stream)
    if stream.outcome is not None or held:
        return False
    now = house.now() if stream.clock_at is None else stream.clock_at
    due = stream.wake_at is not None and stream.awake and stream.wake_at <= now
    return stream.open > 0 or due


async def stalled(house: House, stream: Stream) -> bool:
    """Whether agents are to act and nothing will wake them: their wake was given up after too many tries."""
    if stream.outcome is not None or stream.open or stream.ready_at is not None or not stream.version:
        return False
    head = await house.head(stream)
    due = wake_at(head.state)
    return due is not None and stream.wake_at is None and stream.awake


async def analyze(house: House, game: str) -> dict[str, Any]:
    """What kind of interruption it is, where the game stands, and which actions wait.

    ``transaction_failure``: the last sum does not verify. ``incomplete_action``: a command is recorded and not
    settled. ``agent_timeout``: agents were to act and nobody drove them. None: nothing is wrong.
    """
    stream = await games.game_stream(house, game)
    waiting = await history.pending(house, game)
    kind: str | None = None
    try:
        await games.load_game_state(house, game)
    except CorruptHistory:
        kind = "transaction_failure"
    if kind is None and waiting:
        kind = "incomplete_action"
    if kind is None and (interrupted(house, stream) or await stalled(house, stream)):
        kind = "agent_timeout"
    return {"type": kind, "last_valid_turn": stream.version - 1, "incomplete_actions": waiting}


async def recover(house: House, game: str) -> dict[str, Any]:
    """Note that a game was interrupted, so that it is taken up again; once for each turn it was interrupted after.

    What was recorded is resumed, not failed: whoever drives the game next goes on at the first missing answer.

    Raises:
        CorruptHistory: its sums do not verify; nothing is taken up until a person has looked.
    """
    found = await analyze(house, game)
    cause, turn = found["type"], found["last_valid_turn"]
    if cause == "transaction_failure":
        raise CorruptHistory(f"game {game}: its last sum does not verify; run 'greenroom db check'")
    if cause is not None:
        waiting = tuple(int(row["id"].rpartition("/")[2]) for row in found["incomplete_actions"])
        stuck = await stalled(house, await games.game_stream(house, game))
        note = RecordRecovery(cause=cause, turn=turn, waiting=waiting, stalled=stuck)
        key = f"recovered/{turn}/{'stalled' if stuck else cause}/{'.'.join(map(str, waiting))}"
        await house.record(game, note, seat=OPERATOR, key=key)
    return found
