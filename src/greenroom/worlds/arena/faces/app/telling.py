"""Runs and episodes in words and tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from greenroom.services.house import ShownEvent
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.acceptance import Rule
from greenroom.worlds.arena.rules.strategy import NAMES, read


def summary(name: str, state: r.Run) -> dict[str, Any]:
    """A run as plain data."""
    config, proof = state.config, state.proof
    assert config is not None
    return {
        "run": name,
        "scenario": config.scenario,
        "seed": config.seed,
        "rule": config.rule.kind,
        "generation": state.number,
        "generations": config.generations,
        "phase": state.phase,
        "episodes": state.episodes,
        "turns": state.turns,
        "accepted": [one.accepted for one in state.generations if one.accepted is not None],
        "champions": list(state.champions),
        "refusals": state.refusals,
        "waiting": [one.number for one in state.agents if one.status == "pending_approval" and not one.approved],
        "lineage": state.lineage,
        "proof": None if proof is None else {name: getattr(proof, name) for name in r.Proof.__dataclass_fields__},
    }


def told(name: str, state: r.Run) -> list[str]:
    """A run in a few lines."""
    found = summary(name, state)
    lines = [
        f"{name}: {found['scenario']}, generation {state.number} of {found['generations']}, "
        f"{state.episodes} episodes, {state.turns} turns",
        f"  accepted {len(found['accepted'])} of {3 * state.number} mutations; lineage {state.lineage[:16]}",
    ]
    if state.proof is not None:
        lines.append(f"  {proof_line(state.proof)}")
    if found["waiting"]:
        waiting = ", ".join(map(str, found["waiting"]))
        lines.append(f"  agents waiting for approval: {waiting} ('greenroom arena approve {name} NUMBER')")
    lines.append(f"  {rule_line(state.config.rule) if state.config else ''}")
    return lines


def proof_line(proof: r.Proof) -> str:
    return (
        f"on opponents it never met: evolved {proof.evolved:+.2f}, baseline {proof.baseline:+.2f}, "
        f"margin {proof.margin:+.2f} (95 %: {proof.low:+.2f} to {proof.high:+.2f}, {proof.pairs} pairs)"
    )


def rule_line(rule: Rule) -> str:
    """How the run accepts, and what that rule was measured to be worth."""
    if rule.kind == "seed":
        return "accepts by the seed's rule, which rejects most true gains of a point; 'paired' is the default"
    return (
        f"accepts by paired trials, at most {rule.most_pairs} pairs a variant, looked at after "
        f"{', '.join(map(str, rule.looks))}, 5 % among three"
    )


def lineage(state: r.Run) -> list[str]:
    """The tree of accepted profiles, each with what decided about it."""
    children: dict[int, list[r.Profile]] = {}
    accepted = {one.accepted: one for one in state.generations if one.accepted is not None}
    for profile in state.profiles:
        if profile.number in accepted:
            children.setdefault(profile.parents[0], []).append(profile)

    def branch(number: int, depth: int) -> Iterable[str]:
        for child in children.get(number, ()):
            generation = accepted[child.number]
            verdict = next(one for one in generation.tried if one.profile == child.number)
            also = f" with {child.parents[1]}" if len(child.parents) > 1 else ""
            yield (
                f"{'  ' * depth}{child.number}  generation {generation.number}, {child.stance}, {child.made_by}{also}: "
                f"{verdict.tactic.replace('_', ' ')}, {verdict.mean:+.2f} in {len(verdict.differences)} pairs, "
                f"p {verdict.p:.2g}"
            )
            yield from branch(child.number, depth + 1)

    return ["0  the baseline", *branch(0, 1), f"sum {state.lineage}"]


def family(state: r.Run) -> list[dict[str, Any]]:
    """Every profile with its parents."""
    return [
        {"profile": one.number, "parents": list(one.parents), "generation": one.generation, "made_by": one.made_by}
        for one in state.profiles
    ]


def profile_rows(state: r.Run) -> list[dict[str, Any]]:
    """Every profile with its numbers and what became of it."""
    verdicts = {one.profile: one for generation in state.generations for one in generation.tried}
    rows = []
    for profile in state.profiles:
        verdict = verdicts.get(profile.number)
        guest = profile.archetype == "created_agent"
        numbers = {} if guest else {name: getattr(read(profile.layer_2), name) for name in NAMES}
        rows.append(
            {
                "profile": profile.number,
                "generation": profile.generation,
                "archetype": profile.archetype,
                "made_by": profile.made_by,
                "stance": profile.stance,
                "parents": list(profile.parents),
                "verdict": verdict.verdict if verdict else None,
                "mean_difference": verdict.mean if verdict else None,
                "pairs": len(verdict.differences) if verdict else None,
                "p": verdict.p if verdict else None,
                "corrected_p": verdict.corrected if verdict else None,
                **numbers,
            }
        )
    return rows


def table(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    """Rows under their names, in columns."""
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max(len(name), *(len(line[i]) for line in cells)) if cells else len(name) for i, name in enumerate(names)]
    lines = [[*names], *cells]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def event_line(event: ShownEvent) -> str:
    """One event of a run or an episode."""
    body: Any = event.body
    match event.kind:
        case "turn_taken":
            thought = f"\n      ({body['thought']})" if body.get("thought") else ""
            marks = "".join((" [signs]" if body["signs"] else "", " [leaves]" if body["leaves"] else ""))
            refused = f"\n      refused: {'; '.join(body['refused'])}" if body.get("refused") else ""
            return f"{body['turn']:3} {body['name']}: {body['said']}{marks}{thought}{refused}"
        case "turn_lost":
            return f"{body['turn']:3} {body['name']} could not be understood: {body['lost']}"
        case "injected":
            return f"    * {body['headline']}"
        case "ended":
            scores = ", ".join(f"{side} {score:+d}" for side, score in body["scores"].items())
            return f"    {body['reason'].replace('_', ' ')}: {scores}. {body.get('rationale', '')}".rstrip()
        case "opened":
            return f"    {body['scenario']}. {body['opening']}"
        case _:
            return _run_line(event.kind, body)


def _run_line(kind: str, body: Any) -> str:
    match kind:
        case "epoch_played":
            return f"generation {body['generation']}: training mean {body['training']:+.2f}"
        case "trial_played":
            tried = "; ".join(map(_tried, body["tried"]))
            return f"  trial of {body['episodes']} episodes: {tried}"
        case "variants_made":
            made = ", ".join(f"{one['profile']} {one['stance']} ({one['by']})" for one in body["variants"])
            barred = f"; never again: {', '.join(body['constraints'])}" if body["constraints"] else ""
            refused = f"; refused: {'; '.join(body['refused'])}" if body["refused"] else ""
            return f"  variants {made}{barred}{refused}"
        case "run_closed":
            proof = body["proof"]
            return f"over: margin {proof['margin']:+.2f} ({proof['low']:+.2f} to {proof['high']:+.2f})"
        case _:
            return f"  {kind.replace('_', ' ')}: {', '.join(f'{name} {value}' for name, value in body.items())}"


def _tried(one: Any) -> str:
    tactic = one["tactic"].replace("_", " ")
    return f"{one['profile']} {tactic} {one['mean']:+.2f}, p {one['p']:.2g}, {one['verdict']}"
