"""Episodes as a run asks for them: which profile against whom, from which side, with which dice."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from greenroom.kernel.asks import Failed, Play
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.worlds import CommandContext
from greenroom.worlds.arena.rules import episode as ep
from greenroom.worlds.arena.rules.content import Content, Side
from greenroom.worlds.arena.rules.episode import EpisodeConfig, Guest, Player
from greenroom.worlds.arena.rules.run import Played, Profile, Purpose, Run, RunConfig, profile_id
from greenroom.worlds.arena.rules.strategy import written

Pool: TypeAlias = Sequence[str]
Bouts: TypeAlias = Generator[tuple[Play, ...], Any, tuple[Played, ...]]

#: What stands in the layer 2 of a frozen opponent before its numbers.
FROZEN = "You are who you are."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """One episode to be played."""

    profile: Profile
    opponent: str
    side: Side
    seed: int
    purpose: Purpose
    guests: tuple[Guest, ...] = ()


def opponents(content: Content) -> dict[str, str]:
    """The layer 2 of every frozen opponent by name."""
    cast = content.cast
    names = (*cast.training, *cast.validation, *cast.held_out)
    return {name: written(cast.strategy(name), FROZEN) for name in names}


def drawn(
    config: RunConfig, pool: Pool, profile: Profile, purpose: Purpose, *, numbers: Sequence[int], key: str
) -> tuple[Bout, ...]:
    """Bouts number so and so of a series: opponents in turn from a shuffled pool, both sides alike.

    Whoever plays the same series meets the same opponents with the same dice: pairs differ by the profile alone.
    """
    order = Chance("pool", config.seed, purpose, key).shuffled(pool)
    return tuple(
        Bout(
            profile=profile,
            opponent=order[(i // 2) % len(order)],
            side="a" if i % 2 == 0 else "b",
            seed=Chance("bout", config.seed, purpose, key, i).below(1 << 53),
            purpose=purpose,
        )
        for i in numbers
    )


def played(content: Content, state: Run, given: CommandContext[Any], generation: int, bouts: Sequence[Bout]) -> Bouts:
    """Play these bouts, all at once, and say how they ended."""
    if not bouts:
        return ()
    asks = tuple(Play(world=ep.NAME, config=_config(content, state, given.stream, bout), owner="") for bout in bouts)
    answers = yield asks
    return tuple(_told(bout, answer, generation, given.at) for bout, answer in zip(bouts, answers, strict=True))


def _config(content: Content, state: Run, run: str, bout: Bout) -> Any:
    config = state.config
    assert config is not None
    mine = Player(
        profile=profile_id(run, bout.profile.number),
        layer_2=bout.profile.layer_2,
        mind=config.actors,
        hyperparameters=bout.profile.hyperparameters,
    )
    theirs = Player(
        profile=profile_id(run, bout.opponent), layer_2=written(content.cast.strategy(bout.opponent), FROZEN)
    )
    first, second = (mine, theirs) if bout.side == "a" else (theirs, mine)
    made = EpisodeConfig(
        scenario=config.scenario,
        seed=bout.seed,
        a=first,
        b=second,
        guests=bout.guests,
        hypotheses=tuple(one.text for one in state.hypotheses if one.held is None),
        judge=config.judge,
    )
    return parse(canonical(made))


def _told(bout: Bout, answer: Any, generation: int, at: datetime) -> Played:
    """How a bout ended; one that could not be played is void."""
    number = str(bout.profile.number)
    first, second = (number, bout.opponent) if bout.side == "a" else (bout.opponent, number)
    void: dict[str, Any] = {
        "episode": "",
        "scores": {"a": -5, "b": -5},
        "turns": 0,
        "reason": "corrupted",
        "tokens": 0,
        "state": None,
    }
    told: dict[str, Any] = void if isinstance(answer, Failed) else answer
    return Played(
        stream=told["episode"],
        generation=generation,
        purpose=bout.purpose,
        a=first,
        b=second,
        side=bout.side,
        scores=told["scores"],
        turns=told["turns"],
        reason=told["reason"],
        tokens=told["tokens"],
        refusals=told.get("refusals", {}),
        state=told["state"],
        at=at,
    )
