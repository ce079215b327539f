"""The public games behind tools: installed in an environment of their own, and an answer says so where they are not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from greenroom.adapters.tools import Tool
from greenroom.kernel.asks import Failed, Json, UseTool

Play = Callable[[Sequence[str], str, int, int, bool], Mapping[str, Any]]


def pool_of(name: str) -> str:
    """In which pool an opponent is, by a sum of its name: half of them held out, a quarter of the others validate."""
    digest = sha256(name.encode()).digest()
    if digest[0] < 128:
        return "held_out"
    return "validation" if digest[1] < 64 else "training"


def in_pool(names: Sequence[str], pool: str) -> list[str]:
    return [name for name in sorted(names) if pool_of(name) == pool]


def tools(_: Any) -> Mapping[str, Tool]:
    return {"arena_axelrod": _tool(_axelrod), "arena_negmas": _tool(_negmas)}


def _tool(play: Play) -> Tool:
    async def use(ask: UseTool, key: str) -> Json | Failed:
        """Scores of each genome against each opponent of a pool; some of these look at the clock."""
        args = ask.args
        asked = (args["genomes"], args["pool"], args["seed"], args["series"], bool(args.get("references")))
        try:
            return await asyncio.to_thread(play, *asked)
        except ImportError:
            return Failed("the yardstick needs NegMAS and Axelrod; run it with 'make yardstick'")

    return use


def _axelrod(genomes: Sequence[str], pool: str, seed: int, series: int, references: bool) -> Mapping[str, Any]:  # noqa: FBT001
    from greenroom.worlds.arena.outside.yardstick.axelrods import scores  # noqa: PLC0415

    return scores(genomes, pool, references=references)


def _negmas(genomes: Sequence[str], pool: str, seed: int, series: int, references: bool) -> Mapping[str, Any]:  # noqa: FBT001
    from greenroom.worlds.arena.outside.yardstick.negmases import scores  # noqa: PLC0415

    return scores(genomes, pool, seed=seed, series=series, references=references)
