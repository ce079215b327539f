"""Who speaks where no model is configured: the negotiators of the content, reading the same prompt a model would."""

from __future__ import annotations

import re
from typing import Any

from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.errors import Malformed
from greenroom.worlds.arena.rules import mutating, prompts, prompts_run
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.strategy import Strategy, read, written

_WEIGHT = re.compile(r"([\w.]+) (\d\.\d\d)")


def in_an_episode(content: Content, ask: AskModel) -> Json | Failed:
    """An actor, a judge or a guest; the same ask always gets the same answer."""
    chance = Chance(fingerprint(ask).hex())
    match ask.role:
        case prompts.ACTOR:
            return _actor(content, ask, chance)
        case prompts.JUDGE:
            agreed = _section(ask, "end").startswith("agreement")
            return {"a": 1 if agreed else -3, "b": 1 if agreed else -3, "rationale": "Judged by how it ended."}
        case prompts.GUEST:
            said = chance.choose(content.lines.public["calm"]).replace("{offer}", "the middle")
            return _proposal("They are not far apart.", said)
        case _:
            return Failed("nobody plays that role here")


def about_a_run(content: Content, ask: AskModel) -> Json | Failed:
    """A mutator or a provisioner."""
    chance = Chance(fingerprint(ask).hex())
    if ask.role == prompts_run.MUTATOR:
        named = [one for one in mutating.STANCES if f"Be {one}" in _section(ask, "moment")]
        stance = named[0] if named else mutating.STANCES[0]
        turned = mutating.turned(_strategy(_section(ask, "strategy")), stance, (), chance)
        return {
            "layer_2": written(turned, content.lines.stances[stance]),
            "hyperparameters": {"temperature": round(0.3 + chance.below(8) / 10, 1)},
            "rationale": content.lines.stances[stance],
        }
    if ask.role == prompts_run.PROVISIONER:
        plan = content.lines.designs["intermediary_broker"]
        return {
            "archetype": "intermediary_broker",
            "every": plan.every,
            "prompt": plan.prompt,
            "paths": list(plan.paths),
            "rationale": plan.rationale,
        }
    return Failed("nobody plays that role here")


def _strategy(layer_2: str) -> Strategy:
    try:
        return read(layer_2)
    except Malformed:
        return Strategy()


def _actor(content: Content, ask: AskModel, chance: Chance) -> Json:
    """Signs what is good enough by now, and else asks for what matters most to it."""
    strategy, state = _strategy(_section(ask, "layer_2")), _section(ask, "state")
    turn = re.match(r"Turn (\d+) of (\d+)", state)
    late = int(turn[1]) / int(turn[2]) if turn else 1.0
    if "has signed what stands" in state and late > 0.3 + 0.5 * strategy.patience:
        return _proposal("It will do.", chance.choose(content.lines.public["accept"]), signs=True)
    options = dict(line.split(": ", 1) for line in _section(ask, "options").splitlines() if ": " in line)
    wanted = []
    for path, weight in _WEIGHT.findall(_section(ask, "secret")):
        if path not in options:
            continue
        choices = options[path].split(", ")
        greedy = float(weight) >= 1 / max(1, len(options))
        wanted.append((path, choices[-1 if (ask.seat == "a") == greedy else 0]))
    said = chance.choose(content.lines.public["open"]).replace("{offer}", ", ".join(f"{p} {v}" for p, v in wanted))
    changes = [{"action": "modify", "path": path, "value": _value(value)} for path, value in wanted]
    return _proposal("Ask first, give later.", said, changes, signs=True)


def _value(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


def _proposal(thought: str, said: str, changes: list[Any] | None = None, *, signs: bool = False) -> dict[str, Any]:
    return {
        "internal_monologue": thought,
        "public_dialogue": said,
        "state_mutations": changes or [],
        "propose_resolution": signs,
        "abort_episode": False,
    }


def _section(ask: AskModel, name: str) -> str:
    return "\n".join(text for section in ask.sections if section.name == name for text in section.texts)
