"""The provisioner: designs an agent when nothing else helps, and lets it stay only if it does."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from statistics import fmean
from typing import Any, get_args

from greenroom.kernel.asks import Failed
from greenroom.kernel.worlds import CommandContext
from greenroom.worlds.arena.rules import bouts, prompts_run
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content, Design, Scenario, allowed
from greenroom.worlds.arena.rules.episode import Guest
from greenroom.worlds.arena.rules.statistics import wilcoxon_greater

#: Pairs with and without an agent, and below which p-value it stays.
PAIRS, LEVEL = 12, 0.05
MOST_PROMPT = 2000

Asking = Generator[Any, Any, tuple[r.Event, ...]]


def provisioned(content: Content, state: r.Run, given: CommandContext[Any]) -> Asking:
    """An agent, where it is time for one."""
    if not is_due(state):
        return ()
    config = state.config
    assert config is not None
    number = len(state.agents) + 1
    scenario = content.scenario(config.scenario)
    key = len(state.profiles)
    profile_id = r.profile_id(given.stream, key)
    if config.mutator == "model":
        answer = yield prompts_run.provisioner(content, state)
        designed = read(answer, scenario, profile_id)
        if isinstance(designed, str):
            return (r.DesignRefused(why=designed),)
        guest, rationale = designed
    else:
        guest, rationale = _from_content(content, state, profile_id)
    agent = r.CreatedAgent(
        number=number, generation=state.number, guest=guest, rationale=rationale, approved=config.auto_approve
    )
    profile = r.Profile(
        number=key,
        generation=state.number,
        archetype="created_agent",
        layer_2=guest.prompt,
        parents=(),
        made_by="human",
    )
    return (r.Designed(agent=agent, profile=profile),)


def is_due(state: r.Run) -> bool:
    """Five generations without progress, three since the last design, and a place free."""
    active = sum(agent.status == "active" for agent in state.agents)
    waiting = sum(agent.status == "pending_approval" for agent in state.agents)
    cooled = not state.designed_at or state.number - state.designed_at > r.COOL_DOWN
    return state.stale >= r.STALE and cooled and active + waiting < r.MOST_GUESTS


def _from_content(content: Content, state: r.Run, profile: str) -> tuple[Guest, str]:
    kinds: tuple[Design, ...] = get_args(Design)
    kind = kinds[len(state.agents) % len(kinds)]
    plan = content.lines.designs[kind]
    guest = Guest(
        profile=profile, archetype=kind, prompt=plan.prompt, every=plan.every, paths=plan.paths, speaks=plan.speaks
    )
    return guest, plan.rationale


def read(answer: Any, scenario: Scenario, profile: str) -> tuple[Guest, str] | str:
    """A design from a model, or a sentence that says why it is refused."""
    match answer:
        case Failed():
            return "nobody answered"
        case {
            "archetype": str(kind),
            "every": int(every),
            "prompt": str(prompt),
            "paths": list(paths),
            "rationale": str(why),
        } if not isinstance(every, bool):
            if not (kind.strip() and prompt.strip() and len(prompt) <= MOST_PROMPT and 1 <= every <= 20):
                return "a design has a name, a prompt, and speaks after every 1 to 20 turns"
            if not all(isinstance(path, str) and path.startswith("mediation.") for path in paths):
                return "a created agent may change paths under mediation, and no other"
            if any(allowed(issue.path, tuple(paths)) for issue in scenario.issues):
                return "a created agent may not change what is negotiated"
            guest = Guest(profile=profile, archetype=kind, prompt=prompt, every=every, paths=tuple(paths), mind="model")
            return guest, why
        case _:
            return "a design has an archetype, when it speaks, a prompt, paths and a rationale"


def tried_agents(content: Content, state: r.Run, given: CommandContext[Any]) -> Asking:
    """Try the agents that were approved: the champion's score with one of them less its score without."""
    config = state.config
    assert config is not None
    events: list[r.Event] = []
    for agent in state.agents:
        if agent.status != "pending_approval" or not agent.approved:
            continue
        champion = state.profiles[state.generations[-1].champion]
        pool, key = tuple(content.cast.training), f"{state.number}/{agent.number}"
        bare = bouts.drawn(config, pool, champion, "guest", numbers=range(PAIRS), key=key)
        present = tuple(one.guest for one in state.agents if one.status == "active")
        without = [replace(bout, guests=present) for bout in bare]
        with_it = [replace(bout, guests=(*present, agent.guest)) for bout in bare]
        found = yield from bouts.played(content, state, given, state.number, [*without, *with_it])
        differences = [x.score - y.score for x, y in zip(found[PAIRS:], found[:PAIRS], strict=True)]
        p, delta = wilcoxon_greater(differences), fmean(differences)
        stays = p < LEVEL and delta > 0 and sum(one.status == "active" for one in state.agents) < r.MOST_GUESTS
        events.append(
            r.AgentTried(
                agent=agent.number,
                played=found,
                delta=round(delta, 4),
                p=round(p, 6),
                status="active" if stays else "terminated",
            )
        )
    return tuple(events)
