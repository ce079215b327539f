"""A game whose two models were played by hand (see ``tests.desk``), among three strong players."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.times import micros
from greenroom.kernel.worlds import OPERATOR
from greenroom.worlds.secret_agi.rules import commands as c
from tests import desk as desks
from tests.desk import Desk
from tests.worlds.secret_agi.stage import NOON, named

FOLDER = Path(__file__).parent / "desk_games"
NAME = "desk"
#: Each model has a role of its own, so that their answers are kept apart.
ROLES, LABELS = ("one", "two"), ("you", "table")


@dataclass(slots=True)
class Played:
    """What came of the game."""

    game: Any = None
    statuses: list[str] = field(default_factory=list)


def config(script: dict[str, Any]) -> c.GameConfig:
    models = dict(zip(script["models"], ROLES, strict=True))
    sat = tuple(
        c.SeatConfig(
            player_id=named(i),
            agent_type="LLMPlayer" if i in models else "StrongPlayer",
            agent_config={"role": models[i]} if i in models else {},
        )
        for i in range(5)
    )
    return c.GameConfig(
        player_count=5, seats=sat, seed=script["seed"], rules=script["rules"], discussion=c.Discussion(on=True, K=1)
    )


async def play(desk: Desk, script: dict[str, Any], where: str | Path = ":memory:") -> Played:
    """Play the game to its end; where nobody at the desk answered, the understudy's stand-in does."""
    clock = VirtualClock(micros(NOON))
    played = Played()
    models = desks.models(desk, clock, ROLES, Understudy())
    async with open_house(where, clock=clock, models=models, recall="words") as house:
        await house.start("secret_agi", config(script), owner="ada", name=NAME, seat=OPERATOR, seed=script["seed"])
        for _ in range(400):
            head = await house.head(NAME)
            if head.state.outcome is not None or desk.unanswered:
                break
            await house.advance(NOON)
        played.game = (await house.head(NAME)).state
        played.statuses = [entry.status for _, entry in await house.ledger(NAME) if entry.role in ROLES]
    return played


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read() -> tuple[dict[str, Any], Desk]:
    (script,), desk = desks.read(files(), LABELS)
    return script, desk


def main() -> None:
    script, desk = read()
    played = asyncio.run(play(desk, script))
    desks.tell(desk, files())
    print(played.game.outcome or played.game.round)


if __name__ == "__main__":
    main()
