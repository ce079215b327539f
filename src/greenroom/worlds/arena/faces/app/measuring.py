"""The yardstick: evolve against public agents, then meet the ones that were held out; seeds side by side."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from greenroom.kernel.codec import parse
from greenroom.kernel.errors import BackendError
from greenroom.services.house import House
from greenroom.worlds.arena.faces.app.runs import OWNER, Progress
from greenroom.worlds.arena.rules.statistics import interval
from greenroom.worlds.arena.rules.yardstick import NAME, Game, YardstickConfig

#: What to reach on held-out opponents.
GOALS = {"negmas": 0.88, "axelrod": 2.90}


async def measure(house: House, game: Game, *, generations: int, seed: int, progress: Progress) -> dict[str, Any]:
    """One seed to its end; the same again is the one that is there.

    Raises:
        BackendError: the public agents are not installed here.
    """
    name = f"yardstick-{game}-{generations}g-{seed}"
    config = YardstickConfig(game=game, generations=generations, seed=seed)
    await house.start(NAME, config, name=name, seed=seed, owner=OWNER)
    rung = -1
    while (stream := await house.stream(name)).outcome is None:
        await house.quiet()
        progress((await house.head(name)).state.number, generations)
        if (await house.stream(name)).outcome is None:
            rung = await house.changed(0.5, rung)
    found: dict[str, Any] = parse(stream.outcome)
    if "failed" in found:
        raise BackendError(found["failed"])
    return {"run": name, "seed": seed, **found}


def summary(game: Game, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Training and held-out means over seeds, beside the public agents; whether the goal was reached."""
    lines: dict[str, Any] = {}
    for pool in ("training", "held_out"):
        names = list(found[0][pool])
        lines[pool] = {name: fmean(one[pool][name]["mean"] for one in found) for name in names}
    held = interval([one["held_out"]["evolved"]["mean"] for one in found])
    gap = lines["training"]["evolved"] - lines["held_out"]["evolved"]
    return {
        "game": game,
        "seeds": len(found),
        **lines,
        "held_out_low": held.low,
        "held_out_high": held.high,
        "gap": gap,
        "goal": GOALS[game],
        "reached": held.mean >= GOALS[game],
    }


def told(total: dict[str, Any]) -> str:
    """The same for people."""
    rows = [f"  {'':24}training  held out"]
    for name in total["held_out"]:
        rows.append(f"  {name:24}{total['training'][name]:8.3f}  {total['held_out'][name]:8.3f}")
    verdict = "reached" if total["reached"] else "not reached"
    return "\n".join(
        (
            f"{total['game']}, {total['seeds']} seeds: held out {total['held_out']['evolved']:.3f} "
            f"(95 %: {total['held_out_low']:.3f} to {total['held_out_high']:.3f}), goal {total['goal']:.2f} {verdict}; "
            f"training less held out {total['gap']:+.3f}",
            *rows,
        )
    )
