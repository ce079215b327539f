"""What a run's rule is worth: how often it accepts nothing for something, and how often it sees a true gain.

Noise is not assumed: differences that were recorded in paired episodes are drawn again, with their mean taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from greenroom.kernel.chance import Chance
from greenroom.worlds.arena.rules import acceptance
from greenroom.worlds.arena.rules.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    times: int
    #: Share of families of three mutations, none of which changes anything, of which one was accepted.
    false_accepts: float
    #: Share of families with one mutation that gains so much, of which that one was accepted.
    power: float
    gain: float
    pairs: int


def noise(state: Run) -> list[float]:
    """Recorded differences of variants that went through a trial of some length, each less its variant's mean."""
    found: list[float] = []
    for generation in state.generations:
        for one in generation.tried:
            if len(one.differences) >= 12:
                found.extend(difference - one.mean for difference in one.differences)
    return found


def measured(
    rule: acceptance.Rule, recorded: Sequence[float], *, gain: float = 1.0, times: int = 400, seed: int = 0
) -> Measured:
    """Simulate the whole of a generation's decision, the last word included."""
    false = sum(_accepted(rule, recorded, (0.0, 0.0, 0.0), Chance("null", seed, i)) is not None for i in range(times))
    true = sum(_accepted(rule, recorded, (gain, 0.0, 0.0), Chance("gain", seed, i)) == 0 for i in range(times))
    return Measured(times=times, false_accepts=false / times, power=true / times, gain=gain, pairs=rule.most_pairs)


def _accepted(rule: acceptance.Rule, recorded: Sequence[float], gains: Sequence[float], chance: Chance) -> int | None:
    def drawn(gain: float, count: int) -> list[int]:
        """Whole numbers whose mean is right: what is between two of them falls to either by its distance."""
        return [_whole(gain + chance.choose(recorded), chance) for _ in range(count)]

    pairs = {i: drawn(gain, rule.looks[-1]) for i, gain in enumerate(gains)}
    left = acceptance.culled({i: found[: rule.short] for i, found in pairs.items()})
    for number, upto in enumerate(rule.looks, 1):
        if not left:
            return None
        seen = acceptance.look(rule, number, {i: pairs[i][:upto] for i in left})
        if seen.taken is not None:
            return seen.taken if acceptance.confirmed(rule, drawn(gains[seen.taken], rule.last_word)) else None
        left = seen.left
    return None


def _whole(value: float, chance: Chance) -> int:
    low = int(value // 1)
    return low + (chance.below(10_000) < 10_000 * (value - low))


def scores(state: Run) -> list[int]:
    """Scores of champions in the epochs that the run still knows: the noise of the seed's rule, which has no pairs."""
    return [one.score for one in state.ledger if one.purpose == "epoch"]


def seed_rule_measured(recorded: Sequence[int], *, gain: float = 1.0, times: int = 400, seed: int = 0) -> Measured:
    """The same for the seed's own rule: ten episodes each, one variant of three gaining so much, or none."""
    rule = acceptance.SEED_RULE

    def accepted(gains: Sequence[float], chance: Chance) -> list[bool]:
        baseline = [chance.choose(recorded) for _ in range(rule.episodes)]
        found = []
        for one in gains:
            drawn = [_whole(chance.choose(recorded) + one, chance) for _ in range(rule.episodes)]
            found.append(acceptance.seed_rule(rule, [min(5, max(-5, score)) for score in drawn], baseline))
        return found

    false = sum(any(accepted((0.0, 0.0, 0.0), Chance("seed null", seed, i))) for i in range(times))
    true = sum(accepted((gain, 0.0, 0.0), Chance("seed gain", seed, i))[0] for i in range(times))
    return Measured(times=times, false_accepts=false / times, power=true / times, gain=gain, pairs=rule.episodes)
