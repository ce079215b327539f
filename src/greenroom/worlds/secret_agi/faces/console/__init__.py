"""Secret AGI: a round table of people, rules and models. Watch it, play in it, wind it back, ask what if."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console.stage import Scene, WorldPage
from greenroom.kit.numbered import newest
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app.telling import person_of
from greenroom.worlds.secret_agi.faces.console.drawing import TABLE_CARD
from greenroom.worlds.secret_agi.faces.console.lobby import begin, lobby
from greenroom.worlds.secret_agi.faces.console.sitting import Sitting
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.state import Game

WORLD = NAME
#: Everything that a game can have told.
WHOLE = 100_000


async def play(scene: Scene) -> None:
    """The page of one game, as one seat sees it: a person's own by default, everything where nobody plays."""
    game: Game = (await scene.house.head(scene.stream)).state
    scene.seat = scene.seat or person_of(game) or OPERATOR
    sitting = Sitting(scene, [player.id for player in game.players], game.rules)
    await scene.follow(tell=sitting.tell, see=sitting.see, latest=WHOLE)


async def find(house: House) -> str:
    """The newest game that a person began here if it is not over; otherwise a new one."""
    last = await newest(house, WORLD)
    return last.name if last is not None and last.outcome is None else await begin(house, players=5)


PAGE = WorldPage(
    world=WORLD,
    title="Secret AGI",
    sentence="Publish papers and trust somebody. A few at this table want the machine to win, and one of them is it.",
    picture=TABLE_CARD,
    seat="",
    find=find,
    play=play,
    lobby=lobby,
    branches_awake=True,
    static=Path(str(files("greenroom.worlds.secret_agi"))) / "faces" / "static",
)
