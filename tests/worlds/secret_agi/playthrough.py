"""Whole games as plain text, compared line by line: the shortest documentation of the game there is.

``python -m tests.worlds.secret_agi.playthrough`` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from greenroom.journal.sums import fold_sum
from greenroom.kernel.codec import canonical
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import paper_id
from greenroom.worlds.secret_agi.rules.state import Game
from tests.worlds.secret_agi.stage import WORLD, game_of, seats

FOLDER = Path(__file__).parent / "playthroughs"

CASES: dict[str, tuple[c.GameConfig, int]] = {
    "5_heuristic_talking": (
        c.GameConfig(seats=seats(*["heuristic"] * 5), seed=11, discussion=c.Discussion(on=True, K=1)),
        11,
    ),
    "7_mixed": (c.GameConfig(player_count=7, seats=seats(*["random", "heuristic"] * 3, "random"), seed=19), 19),
    "10_random": (c.GameConfig(player_count=10, seats=seats(*["random"] * 10), seed=6), 6),
}


def text(config: c.GameConfig, seed: int) -> str:
    return "\n".join(lines(config, seed)) + "\n"


def lines(config: c.GameConfig, seed: int) -> Iterator[str]:
    game = WORLD.blank
    for turn, (after, events) in enumerate(game_of(config, seed=seed)):
        for event in events:
            yield from told(turn, event)
        if not turn or _board(after) != _board(game):
            yield f"     {_board(after)}"
        yield f"     sum {fold_sum(WORLD.shape, canonical(after)).hex()[:12]}"
        game = after


def _board(game: Game) -> str:
    flags = [name for name, on in (("emergency", game.emergency), ("veto " + game.veto, bool(game.veto))) if on]
    return (
        f"[round {game.round}, {game.phase}, C {game.capability}, S {game.safety}, Director "
        f"{game.players[game.director].id}, failed {game.failed}, deck {len(game.deck) - game.taken}"
        f"{''.join(', ' + flag for flag in flags)}]"
    )


def told(turn: int, event: e.Event) -> Iterator[str]:
    match event:
        case e.GameStarted():
            yield f"{turn:4} game_started"
            for player in event.players:
                yield f"     {player.id}: {player.role}, {player.agent}"
            yield "     deck " + " ".join(f"{paper_id(i)}={p[0]}/{p[1]}" for i, p in enumerate(event.deck))
        case e.Attempted():
            parts = (event.target, event.paper, event.power, _yes(event.yes), event.error)
            yield f"{turn:4} {event.seat} {event.action} {' '.join(filter(None, parts))}".rstrip()
        case _:
            yield f"     {e.KINDS[type(event)]} {_body(event)}".rstrip()


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _body(event: Any) -> str:
    fields = ((name, getattr(event, name)) for name in event.__struct_fields__)
    return ", ".join(f"{name}={_plain(value)}" for name, value in fields)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{seat}:{_yes(cast)}" for seat, cast in value.items())
    return getattr(value, "id", str(value))


def main() -> None:
    for name, (config, seed) in CASES.items():
        (FOLDER / f"{name}.txt").write_text(text(config, seed))


if __name__ == "__main__":
    main()
