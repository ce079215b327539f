"""The turns of a run. A generation is two: an epoch with fixed profiles, and the trial of what the mutator made of it.

What an epoch taught is settled before the turn that recalls it. Nothing here depends on who plays the episodes, or on
how many of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from statistics import fmean
from typing import Any, TypeAlias, assert_never

from greenroom.kernel.asks import Recall, Recalled
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Memory
from greenroom.kernel.worlds import OPERATOR, CommandContext, Done, Turn, Wake, done
from greenroom.worlds.arena.rules import acceptance, bouts, lessons, proving, retention, trying, varying
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.folding_run import fold
from greenroom.worlds.arena.rules.mutating import leaning
from greenroom.worlds.arena.rules.provisioning import provisioned, tried_agents
from greenroom.worlds.arena.rules.scouting import scouted
from greenroom.worlds.arena.rules.statistics import standard_error
from greenroom.worlds.arena.rules.strategy import read, written

Events: TypeAlias = tuple[r.Event, ...]

MOST_GENERATIONS = 1000


def begun(content: Content, given: CommandContext[r.RunConfig]) -> Turn[r.Event]:
    """Begin with the baseline on every island.

    Raises:
        Refused: there is no such scenario, or a number is out of bounds.
    """
    config = given.command
    if config.scenario not in content.scenarios:
        raise Refused(f"there is no scenario of that name; there are {', '.join(sorted(content.scenarios))}")
    if not (1 <= config.generations <= MOST_GENERATIONS and 1 <= config.islands <= 8 and 2 <= config.epoch <= 100):
        raise Refused(f"a run has 1 to {MOST_GENERATIONS} generations, 1 to 8 islands, and epochs of 2 to 100 episodes")
    looks = config.rule.looks
    if config.rule.kind == "paired" and (len(looks) != acceptance.LOOKS or list(looks) != sorted(set(looks))):
        raise Refused(f"a paired rule looks {acceptance.LOOKS} times, each time after more pairs")
    first = r.Profile(
        number=0,
        generation=0,
        archetype="primary_actor",
        layer_2=written(content.cast.first, content.cast.baseline.about),
    )
    yield from ()  # a turn is a generator, also where it asks nothing
    return done(r.Begun(config=config, baseline=first, opponents=bouts.opponents(content)))


def handle(content: Content, state: r.Run, given: CommandContext[Any]) -> Turn[r.Event]:
    """Go on with the run, or decide about an agent.

    Raises:
        Refused: it is not the operator who decides, or there is no such agent waiting.
    """
    command: r.Command | Wake = given.command
    match command:
        case Wake():
            return (yield from _go_on(content, state, given))
        case r.Approve(agent=agent):
            _waiting(state, given, agent)
            return done(r.Approved(agent=agent))
        case r.Reject(agent=agent):
            _waiting(state, given, agent)
            return done(r.Rejected(agent=agent))
        case _:
            assert_never(command)


def _waiting(state: r.Run, given: CommandContext[Any], agent: int) -> None:
    if given.seat != OPERATOR:
        raise Refused("only the operator decides about created agents")
    if not any(one.number == agent and one.status == "pending_approval" and not one.approved for one in state.agents):
        waiting = [str(one.number) for one in state.agents if one.status == "pending_approval" and not one.approved]
        raise Refused(f"no agent {agent} waits for approval; waiting: {', '.join(waiting) or 'none'}")


def _go_on(content: Content, state: r.Run, given: CommandContext[Any]) -> Turn[r.Event]:
    match state.phase:
        case "epoch":
            return (yield from _epoch(content, state, given))
        case "trial":
            return (yield from _trial(content, state, given))
        case "proof":
            return (yield from proving.proved(content, state, given))
        case "over":
            return Done()
        case _:
            assert_never(state.phase)


# an epoch


def _epoch(content: Content, state: r.Run, given: CommandContext[Any]) -> Turn[r.Event]:
    config = _config(state)
    number = state.number + 1
    island = (number - 1) % config.islands
    champion = state.profiles[state.champions[island]]
    guests = active_guests(state)
    epoch = bouts.drawn(
        config, tuple(content.cast.training), champion, "epoch", numbers=range(config.epoch), key=str(number)
    )
    held = bouts.drawn(
        config, tuple(content.cast.held_out), champion, "held_out", numbers=range(config.held_out), key="always"
    )
    known = _held_out_of(state, champion.number)
    wanted = [replace(bout, guests=guests) for bout in epoch] + ([] if known else list(held))
    found = yield from bouts.played(content, state, given, number, wanted)
    scores = [one.score for one in found if one.purpose == "epoch"]
    outside = [one.score for one in found if one.purpose == "held_out"]
    generation = r.Generation(
        number=number,
        island=island,
        parent=_parent(state, island),
        champion=champion.number,
        training=round(fmean(scores), 4),
        training_error=round(standard_error(scores), 4),
        held_out=known.held_out if known else round(fmean(outside), 4),
        held_out_error=known.held_out_error if known else round(standard_error(outside), 4),
    )
    played = r.EpochPlayed(generation=generation, played=found)
    outcomes = [_outcome(state, given, i, one, champion) for i, one in enumerate(found) if one.purpose == "epoch"]
    learned = _learned(state, outcomes)
    return done(played, *learned, memories=_memories(given, learned))


def _config(state: r.Run) -> r.RunConfig:
    assert state.config is not None
    return state.config


def active_guests(state: r.Run) -> tuple[Any, ...]:
    return tuple(agent.guest for agent in state.agents if agent.status == "active")


def _held_out_of(state: r.Run, champion: int) -> r.Generation | None:
    """The same champion was measured already; the same episodes would give the same."""
    return next((one for one in reversed(state.generations) if one.champion == champion), None)


def _parent(state: r.Run, island: int) -> int | None:
    return next((one.number for one in reversed(state.generations) if one.island == island), None)


def _outcome(state: r.Run, given: CommandContext[Any], i: int, one: r.Played, champion: r.Profile) -> lessons.Lesson:
    """How an episode of the epoch ended, in words that recall can find."""
    tactic, scenario = leaning(read(champion.layer_2)), _config(state).scenario
    kind = "Failure" if one.score < 0 else "Outcome"
    return lessons.Lesson(
        place=f"{given.version}.{i}",
        generation=one.generation,
        generation_id=r.generation_id(given.stream, one.generation),
        episode=r.episode_id(one.stream) if one.stream else "",
        tactic=tactic,
        score=one.score,
        reason=one.reason,
        present=_present(state),
        told=f"{kind} in {scenario}: {tactic.replace('_', ' ')} ended in {one.reason.replace('_', ' ')} with "
        f"{one.score:+d} after {one.turns} turns.",
    )


def _present(state: r.Run) -> tuple[str, ...]:
    return tuple(guest.archetype for guest in active_guests(state))


def _learned(state: r.Run, found: Sequence[lessons.Lesson]) -> tuple[r.Learned, ...]:
    """What is kept of new lessons; nothing where there are none."""
    _, kept = lessons.shelved(state.shelf, found)
    return (r.Learned(lessons=kept),) if kept else ()


def _memories(given: CommandContext[Any], learned: Sequence[r.Learned]) -> tuple[Memory, ...]:
    return tuple(memory for one in learned for memory in lessons.memories(given, one.lessons))


# a trial


def _trial(content: Content, state: r.Run, given: CommandContext[Any]) -> Turn[r.Event]:
    """Mutate, try, decide; then whatever is due at the end of a generation."""
    constraints = yield from _constraints(state, given)
    made = yield from varying.variants(content, state, given, constraints)
    events: list[r.Event] = [made]
    state = fold(state, made)
    trial = yield from trying.tried(content, state, given, made.profiles)
    events.append(trial)
    state = fold(state, trial)
    for event in (yield from tried_agents(content, state, given)):
        events.append(event)
        state = fold(state, event)
    for event in (yield from provisioned(content, state, given)):
        events.append(event)
        state = fold(state, event)
    kept = _retained(state)
    for event in (*scouted(state), *kept):
        events.append(event)
        state = fold(state, event)
    learned = _learned(state, _failed(state, given, trial, events))
    events += [*learned, r.GenerationClosed(lineage=varying.lineage(state))]
    released = tuple(name for one in kept for name in one.released)
    return done(*events, memories=_memories(given, learned), releases=released)


def _constraints(state: r.Run, given: CommandContext[Any]) -> Any:
    """What memory shows to fail again and again becomes a constraint."""
    worst = _worst(state)
    found = list(state.constraints)
    scope = lessons.scope(r.NAME, given.owner, given.stream)
    for tactic in dict.fromkeys((*_lately(state), *worst)):
        similar: Sequence[Recalled] = yield Recall(
            query=f"{tactic.replace('_', ' ')} in {_config(state).scenario}",
            scope=scope,
            limit=r.RECURRING,
            where=lessons.similar(given.stream, tactic),
        )
        if isinstance(similar, list) and len(similar) >= r.RECURRING and tactic not in found:
            found.append(tactic)
    return tuple(found[-r.MOST_CONSTRAINTS :])


def _worst(state: r.Run) -> tuple[str, ...]:
    """What the champion leans on, if the worst fifth of its epoch was lost."""
    epoch = sorted(one.score for one in state.ledger if one.generation == state.number and one.purpose == "epoch")
    worst = epoch[: ceil(len(epoch) * r.WORST)]
    champion = state.profiles[state.generations[-1].champion]
    return (leaning(read(champion.layer_2)),) if worst and worst[0] < 0 else ()


def _lately(state: r.Run) -> tuple[str, ...]:
    """Tactics that were tried and rejected in the last generations."""
    return tuple(
        one.tactic for generation in state.generations[-4:] for one in generation.tried if one.verdict != "accepted"
    )


def _failed(
    state: r.Run, given: CommandContext[Any], trial: r.TrialPlayed, events: Sequence[r.Event]
) -> list[lessons.Lesson]:
    """What was tried and made things worse, for those who come later."""
    scenario = _config(state).scenario
    worse = [
        (
            f"Failed tactic in {scenario}: {one.tactic.replace('_', ' ')} lost {one.mean:+.2f} a pair.",
            one.tactic,
            one.mean,
        )
        for one in trial.tried
        if one.verdict != "accepted" and one.mean < 0
    ]
    worse += [
        (f"Failed design in {scenario}: agent {e.agent} moved the score by {e.delta:+.2f}.", "created_agent", e.delta)
        for e in events
        if isinstance(e, r.AgentTried) and e.status == "terminated"
    ]
    return [
        lessons.Lesson(
            place=f"{given.version}.{i}",
            generation=state.number,
            generation_id=r.generation_id(given.stream, state.number),
            tactic=tactic,
            score=round(min(-1.0, mean)),
            reason="shadow_trial",
            present=_present(state),
            told=told,
        )
        for i, (told, tactic, mean) in enumerate(worse)
    ]


def _retained(state: r.Run) -> tuple[r.Retained, ...]:
    """What the rule lets go now. The streams go in the transaction that says so."""
    found = retention.verdict(
        state.ledger, state.number, archived_upto=state.archived_upto, released_upto=state.released_upto
    )
    if not (found.archived or found.released):
        return ()
    gone = frozenset(found.archived)
    return (
        r.Retained(
            moved=tuple(one for one in state.ledger if one.stream in gone),
            released=found.released,
            archived_upto=found.archived_upto,
            released_upto=found.released_upto,
        ),
    )
