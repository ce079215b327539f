"""Single episodes, played by themselves."""

from __future__ import annotations

from typing import Any, Literal

from greenroom.kernel.errors import Unknown
from greenroom.services.house import House
from greenroom.worlds.arena.faces.app.runs import OWNER, content_of
from greenroom.worlds.arena.rules import EPISODE
from greenroom.worlds.arena.rules.bouts import FROZEN, opponents
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.episode import EpisodeConfig, Player
from greenroom.worlds.arena.rules.strategy import written


def player(content: Content, name: str, mind: Any = "parametric") -> Player:
    """Somebody of the cast.

    Raises:
        Unknown: there is nobody of that name.
    """
    known = {"baseline": written(content.cast.first, FROZEN), **opponents(content)}
    if name not in known:
        raise Unknown(f"there is nobody called {name}; there are {', '.join(sorted(known))}")
    return Player(profile=name, layer_2=known[name], mind=mind)


async def play(house: House, *, scenario: str, a: str, b: str, seed: int, models: bool = False) -> str:
    """Play one episode to its end and return its name; the same one again is the one that is there."""
    content = content_of(house)
    content.scenario(scenario)
    mind: Literal["parametric", "model"] = "model" if models else "parametric"
    config = EpisodeConfig(
        scenario=scenario, seed=seed, a=player(content, a, mind), b=player(content, b, mind), judge=mind
    )
    name = f"episode-{scenario}-{a}-{b}-{seed}{'-models' if models else ''}"
    await house.start(EPISODE, config, name=name, seed=seed, owner=OWNER)
    rung = -1
    while (await house.stream(name)).outcome is None:
        await house.quiet()
        if (await house.stream(name)).outcome is None:
            rung = await house.changed(0.5, rung)
    return name
