"""The end of a run: which island's champion it was, and whether it beats the baseline on opponents it never met."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from greenroom.kernel.worlds import CommandContext, Turn, done
from greenroom.worlds.arena.rules import bouts
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.statistics import bootstrap

#: Episodes on the validation pool by which the best of the islands is chosen.
CHOOSING = 36


def proved(content: Content, state: r.Run, given: CommandContext[Any]) -> Turn[r.Event]:
    """Choose by the validation pool; then, and only then, look at the held-out pool."""
    config = state.config
    assert config is not None
    champions = [state.profiles[number] for number in dict.fromkeys(state.champions)]
    pool = tuple(content.cast.validation)
    choosing = [
        bouts.drawn(config, pool, one, "last_word", numbers=range(CHOOSING), key="choosing") for one in champions
    ]
    found = yield from bouts.played(content, state, given, state.number, [bout for row in choosing for bout in row])
    means = [fmean(one.score for one in found[i * CHOOSING : (i + 1) * CHOOSING]) for i in range(len(champions))]
    best = champions[max(range(len(champions)), key=lambda i: (means[i], -champions[i].number))]
    outside, numbers = tuple(content.cast.held_out), range(config.proof)
    both = [
        bouts.drawn(config, outside, one, "proof", numbers=numbers, key="proof") for one in (state.profiles[0], best)
    ]
    proof = yield from bouts.played(content, state, given, state.number, [*both[0], *both[1]])
    baseline, evolved = proof[: config.proof], proof[config.proof :]
    differences = [x.score - y.score for x, y in zip(evolved, baseline, strict=True)]
    margin = bootstrap(differences, seed=config.seed)
    told = r.Proof(
        champion=best.number,
        evolved=round(fmean(one.score for one in evolved), 4),
        baseline=round(fmean(one.score for one in baseline), 4),
        margin=round(margin.mean, 4),
        low=round(margin.low, 4),
        high=round(margin.high, 4),
        pairs=config.proof,
    )
    return done(r.RunClosed(played=(*found, *proof), proof=told))
