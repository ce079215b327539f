"""``make arena-proof``: does evolution help against opponents that nobody trained on, everywhere and for ten seeds?"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean

from greenroom.worlds.arena.faces.app import runs
from greenroom.worlds.arena.faces.app.power import measured, noise, scores, seed_rule_measured
from greenroom.worlds.arena.outside import shipped
from greenroom.worlds.arena.rules.run import Proof, Run, RunConfig
from greenroom.worlds.arena.rules.statistics import interval

#: Families of three mutations that the rules are tried on.
FAMILIES = 1_000


async def prove(place: Path, scenario: str, seed: int, generations: int, workers: int) -> tuple[Run, float]:
    """One run in a house of its own: how it ended, and the seconds it took. One that is there already goes on."""
    import greenroom

    began = time.perf_counter()
    async with greenroom.open(place, work=False):
        pass
    config = RunConfig(scenario=scenario, generations=generations, seed=seed)
    driven = await runs.evolve(place, config, workers=workers, progress=lambda *_: None)
    async with greenroom.open(place, work=False) as house:
        state = await runs.state_of(house, driven.name)
    return state, time.perf_counter() - began


def main() -> int:
    """Print a line a run and one a scenario; the exit code says whether every scenario's interval is above zero."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seeds", type=int, default=10)
    asked.add_argument("--generations", type=int, default=30)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--scenario", action="append")
    asked.add_argument("--home", type=Path, help="keep the houses here, so that an interrupted proof goes on")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return _proven(given, given.home or Path(folder))


def _proven(given: argparse.Namespace, home: Path) -> int:
    home.mkdir(parents=True, exist_ok=True)
    began, proven = time.perf_counter(), True
    for scenario in given.scenario or sorted(shipped().scenarios):
        proofs: list[Proof] = []
        recorded: list[float] = []
        scored: list[int] = []
        for seed in range(7, 7 + given.seeds):
            state, seconds = asyncio.run(
                prove(home / f"{scenario}-{seed}.db", scenario, seed, given.generations, given.workers)
            )
            assert state.proof is not None
            proofs.append(state.proof)
            recorded.extend(noise(state))
            scored.extend(scores(state))
            _tell(scenario, seed, state, seconds)
        found = interval([one.margin for one in proofs])
        proven = proven and found.low > 0
        above = sum(one.low > 0 for one in proofs)
        evolved, baseline = (fmean(getattr(one, name) for one in proofs) for name in ("evolved", "baseline"))
        print(
            f"{scenario}: margin {found.mean:+.2f} over {len(proofs)} seeds (95 %: {found.low:+.2f} to "
            f"{found.high:+.2f}), {above} of {len(proofs)} intervals above zero; evolved {evolved:+.2f}, "
            f"baseline {baseline:+.2f}"
        )
        power = measured(RunConfig(scenario=scenario).rule, recorded, times=FAMILIES)
        original = seed_rule_measured(scored, times=FAMILIES)
        print(
            f"{scenario}: of {power.times} families {power.false_accepts:.1%} accepted without a gain, "
            f"{power.power:.1%} with a gain of one point, within {power.pairs} pairs a variant; the original rule sees "
            f"{original.power:.1%} of such gains"
        )
    print(f"arena-proof: {time.perf_counter() - began:.0f} s")
    return 0 if proven else 1


def _tell(scenario: str, seed: int, state: Run, seconds: float) -> None:
    proof = state.proof
    assert proof is not None
    accepted = sum(one.accepted is not None for one in state.generations)
    print(
        f"{scenario} seed {seed}: margin {proof.margin:+.2f} (95 %: {proof.low:+.2f} to {proof.high:+.2f}, "
        f"{proof.pairs} pairs), {accepted} accepted, {state.episodes} episodes, lineage {state.lineage[:12]}, "
        f"{seconds:.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
