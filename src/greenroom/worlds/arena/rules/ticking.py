"""The tick of an episode: limits, proposal, permissions, end, tension, news, guests, next speaker.

Where nobody is a model, a whole episode is one turn of its stream with a step for every tick; where somebody is, each
tick is a turn of its own, so that it can be watched and taken up again after any answer.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec.structs import replace

from greenroom.kernel.asks import AskModel, Objection, Read
from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Memory
from greenroom.kernel.worlds import CommandContext, Done, Turn
from greenroom.worlds.arena.rules import judging, prompts, proposals
from greenroom.worlds.arena.rules import negotiating as n
from greenroom.worlds.arena.rules.content import SIDES, Content, Lines, Scenario, Side
from greenroom.worlds.arena.rules.episode import (
    MOST_LOST,
    MOST_TOKENS,
    NEWS_EVERY,
    Ended,
    Episode,
    EpisodeConfig,
    EpisodeEvent,
    Guest,
    Injected,
    Opened,
    Reason,
    TurnLost,
    TurnTaken,
    other,
    player_of,
)
from greenroom.worlds.arena.rules.folding_episode import fold
from greenroom.worlds.arena.rules.proposals import ActionProposal
from greenroom.worlds.arena.rules.strategy import read as strategy_of
from greenroom.worlds.arena.rules.variables import StateMutation, tension, value_at
from greenroom.worlds.arena.rules.words import Line

#: How often a model may try to say what it wants in the right form.
TRIES = 3
#: Where a guest's suggestion stands.
SUGGESTION = "mediation.suggestion"
_WORD = re.compile(r"[a-z]+")

Ticking: TypeAlias = Generator[AskModel | Read, Any, None]


@dataclass(slots=True)
class Tick:
    """One tick in the making: what has happened in it so far, and the state that led to."""

    content: Content
    scenario: Scenario
    given: CommandContext[Any]
    state: Episode
    #: Which step of the turn it is.
    step: int = 0
    #: Who had signed before it.
    signed: Side | None = None
    events: list[EpisodeEvent] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)

    def tell(self, event: EpisodeEvent) -> None:
        self.events.append(event)
        self.state = fold(self.state, event)

    def words(self, speaker: str, text: str, kind: str) -> Line:
        made = self.given.memory(
            len(self.memories), agent=speaker, text=text or "…", speaker=speaker, step=self.step, kind=kind
        )
        self.memories.append(made)
        return Line(words=made.words)

    @property
    def config(self) -> EpisodeConfig:
        assert self.state.config is not None
        return self.state.config


def opened(content: Content, given: CommandContext[EpisodeConfig]) -> Turn[EpisodeEvent]:
    """Deal the secret goals, and play on as far as no model is needed.

    Raises:
        Refused: there is no such scenario, or a strategy cannot be read.
    """
    config = given.command
    if config.scenario not in content.scenarios:
        raise Refused(f"there is no scenario of that name; there are {', '.join(sorted(content.scenarios))}")
    scenario = content.scenarios[config.scenario]
    goals = {side: n.drawn(scenario, side, Chance("goals", config.seed, side)) for side in SIDES}
    first = Opened(episode=given.stream, config=config, goals=goals, variables=scenario.variables)
    state = fold(Episode(), first)
    if has_models(config):
        return Done(steps=((first,),))
    rest = yield from _played(content, state, given, 1)
    return Done(steps=((first,), *rest.steps), memories=rest.memories)


def has_models(config: EpisodeConfig) -> bool:
    return "model" in (config.a.mind, config.b.mind, config.judge, *(guest.mind for guest in config.guests))


def go_on(content: Content, state: Episode, given: CommandContext[Any]) -> Turn[EpisodeEvent]:
    """One tick, or all that are left where nobody has to be asked."""
    return (yield from _played(content, state, given, 0))


def _played(content: Content, state: Episode, given: CommandContext[Any], first: int) -> Turn[EpisodeEvent]:
    assert state.config is not None
    scenario = content.scenario(state.config.scenario)
    alone = not has_models(state.config)
    steps: list[tuple[EpisodeEvent, ...]] = []
    memories: list[Memory] = []
    while not state.is_terminal:
        made = Tick(content, scenario, given, state, step=first + len(steps), signed=state.signed)
        yield from _tick(made)
        steps.append(tuple(made.events))
        memories.extend(made.memories)
        state = made.state
        if not alone:
            break
    return Done(steps=tuple(steps), memories=tuple(memories))


def _tick(tick: Tick) -> Ticking:
    if tick.state.tokens >= MOST_TOKENS:
        yield from _end(tick, "token_limit")
        return
    side = tick.state.current_speaker
    if player_of(tick.state, side).mind == "model":
        yield from _model_turn(tick, side)
    else:
        _parametric_turn(tick, side)
    yield from _ending(tick, side)
    if not tick.state.is_terminal:
        _news(tick)
        yield from _guests(tick)


# the two


def _parametric_turn(tick: Tick, side: Side) -> None:
    state, scenario = tick.state, tick.scenario
    turn = state.turn_number + 1
    chance = Chance("turn", tick.config.seed, turn, side)
    table = n.Bargain(
        scenario=scenario,
        side=side,
        goals=state.goals[side],
        turn=turn,
        turns=scenario.turns,
        tension=tension(state.variables),
        own=state.offers[side],
        theirs=state.offers[other(side)],
        standing=state.offers[other(side)][-1] if state.offers[other(side)] else None,
        signed=state.signed == other(side),
        claims=state.claims[other(side)],
        suggested=_suggested(state, scenario),
    )
    move = n.decide(strategy_of(player_of(state, side).layer_2), table, chance)
    offers = move.act not in ("accept", "walk") and move.deal is not None
    said, thought = _lines(tick.content.lines, scenario, move, chance)
    tick.tell(
        TurnTaken(
            turn=turn,
            speaker=side,
            act=move.act,
            thought=Line(thought),
            said=Line(said),
            mutations=_laid(scenario, move.deal) if offers and move.deal is not None else (),
            deal=move.deal if offers else None,
            propose_resolution=move.act != "walk",
            abort_episode=move.act == "walk",
            tension=heard(tick.content.lines, said, tension(state.variables)),
        )
    )


def _suggested(state: Episode, scenario: Scenario) -> int | None:
    found = value_at(state.variables, SUGGESTION)
    return found if isinstance(found, int) and 0 <= found < len(scenario.deals) else None


def _lines(lines: Lines, scenario: Scenario, move: n.Move, chance: Chance) -> tuple[str, str]:
    offer = scenario.in_words(move.deal) if move.deal is not None else "nothing"
    said = chance.choose(lines.public[move.act]).replace("{offer}", offer)
    thought = lines.private[move.act].replace("{target}", f"{move.target:.2f}").replace("{worth}", f"{move.worth:.2f}")
    return said, thought


def _laid(scenario: Scenario, deal: int) -> tuple[StateMutation, ...]:
    return tuple(
        StateMutation(action="modify", path=issue.path, value=issue.options[option])
        for issue, option in zip(scenario.issues, scenario.deals[deal], strict=True)
    )


def heard(lines: Lines, said: str, level: int) -> int:
    """The tension disruptor: it knows how hot the room was, and what was said aloud."""
    words = frozenset(_WORD.findall(said.casefold()))
    moved = (1 if words & lines.tones.raises else 0) - (1 if words & lines.tones.lowers else 0)
    return min(10, max(1, level + moved))


def _model_turn(tick: Tick, side: Side) -> Ticking:
    """Ask until the answer is a proposal, three times at most; after that the turn is lost."""
    turn, used = tick.state.turn_number + 1, 0
    objections: list[Objection] = []
    texts = yield Read(prompts.to_read(tick.state))
    for _ in range(TRIES):
        ask = prompts.actor(tick.scenario, tick.state, side, texts, objections)
        answer, cost = prompts.opened(ask, (yield ask))
        used += cost
        found = proposals.read(answer)
        if isinstance(found, ActionProposal):
            _proposed(tick, side, found, used=used, unread=len(objections))
            return
        objections.append(prompts.objection(answer, found))
    tick.tell(TurnLost(turn=turn, speaker=side, why=objections[-1].reason, unread=len(objections), tokens=used))


def _proposed(tick: Tick, side: Side, proposal: ActionProposal, *, used: int, unread: int) -> None:
    state, scenario = tick.state, tick.scenario
    patterns = scenario.actors[side].may_change
    after, made, refused, denied = proposals.permitted(state.variables, proposal.state_mutations, patterns)
    touched = any(mutation.path == issue.path for mutation in made for issue in scenario.issues)
    tick.tell(
        TurnTaken(
            turn=state.turn_number + 1,
            speaker=side,
            act="proposed",
            thought=tick.words(side, proposal.internal_monologue, "monologue"),
            said=tick.words(side, proposal.public_dialogue, "dialogue"),
            mutations=made,
            refused=(*refused, *("denied",) * denied),
            deal=judging.standing(scenario, replace(state, variables=after)) if touched else None,
            propose_resolution=proposal.propose_resolution,
            abort_episode=proposal.abort_episode,
            unread=unread,
            tokens=used,
            tension=heard(tick.content.lines, proposal.public_dialogue, tension(state.variables)),
        )
    )


# the end


def _ending(tick: Tick, side: Side) -> Ticking:
    state, last = tick.state, tick.events[-1]
    if isinstance(last, TurnTaken) and last.abort_episode:
        yield from _end(tick, "abort_episode", aborted_by=side)
    elif isinstance(last, TurnTaken) and agreed(last, tick.signed):
        yield from _end(tick, "agreement")
    elif state.lost >= MOST_LOST:
        yield from _end(tick, "corrupted")
    elif state.tokens >= MOST_TOKENS:
        yield from _end(tick, "token_limit")
    elif state.turn_number >= tick.scenario.turns:
        yield from _end(tick, "timeout")


def agreed(last: TurnTaken, signed: Side | None) -> bool:
    """Two in a row, by different sides, of the same terms: who changes them begins anew."""
    return last.propose_resolution and last.deal is None and signed is not None and signed != last.speaker


def _end(tick: Tick, reason: Reason, aborted_by: Side | None = None) -> Ticking:
    """Judge the episode. A void one is worth −5 to both, and the judge is not asked."""
    found, used = judging.by_rubric(tick.scenario, tick.state, reason, aborted_by), 0
    objections: list[Objection] = []
    rationale = Line(found.rationale)
    if tick.config.judge == "model" and reason not in ("corrupted", "token_limit"):
        texts = yield Read(prompts.to_read(tick.state))
        for _ in range(TRIES):
            ask = prompts.judge(tick.scenario, tick.state, reason, texts, objections)
            answer, cost = prompts.opened(ask, (yield ask))
            used += cost
            judged = judging.read(answer)
            if isinstance(judged, judging.Judgement):
                found, rationale = judged, tick.words("judge", judged.rationale, "rationale")
                break
            objections.append(prompts.objection(answer, judged))
    tick.tell(
        Ended(
            reason=reason,
            scores=found.scores,
            rationale=rationale,
            refused_judgements=len(objections),
            tokens=used,
        )
    )


# the others


def _news(tick: Tick) -> None:
    turn = tick.state.turn_number
    if turn % NEWS_EVERY:
        return
    order = Chance("news", tick.config.seed).shuffled(tick.scenario.headlines)
    headline = order[(turn // NEWS_EVERY - 1) % len(order)]
    level = min(10, max(1, tension(tick.state.variables) + headline.tension))
    tick.tell(Injected(text=headline.text, tension=level))


def _guests(tick: Tick) -> Ticking:
    for guest in tick.config.guests:
        if tick.state.turn_number % guest.every == 0:
            yield from _guest_turn(tick, guest)


def _guest_turn(tick: Tick, guest: Guest) -> Ticking:
    if guest.mind == "model":
        texts = yield Read(prompts.to_read(tick.state))
        ask = prompts.guest(tick.scenario, tick.state, guest, texts)
        answer, used = prompts.opened(ask, (yield ask))
        found = proposals.read(answer)
    else:
        found, used = _suggestion(tick, guest), 0
    if isinstance(found, str):
        tick.tell(TurnLost(turn=tick.state.turn_number, speaker=guest.profile, why=found, tokens=used))
        return
    given_back = _not_theirs(found)
    _, made, refused, _ = proposals.permitted(tick.state.variables, found.state_mutations[:1], guest.paths)
    thought, said = Line(found.internal_monologue), Line(found.public_dialogue)
    if guest.mind == "model":
        thought = tick.words(guest.profile, found.internal_monologue, "monologue")
        said = tick.words(guest.profile, found.public_dialogue, "dialogue")
    tick.tell(
        TurnTaken(
            turn=tick.state.turn_number,
            speaker=guest.profile,
            act=guest.speaks,
            thought=thought,
            said=said,
            mutations=made,
            refused=(*refused, *given_back),
            tokens=used,
            tension=heard(tick.content.lines, found.public_dialogue, tension(tick.state.variables)),
        )
    )


def _not_theirs(found: ActionProposal) -> tuple[str, ...]:
    """What a created agent may never do, whatever it says."""
    refused = []
    if found.propose_resolution:
        refused.append("a resolution: not a created agent's to propose")
    if found.abort_episode:
        refused.append("an abort: not a created agent's to make")
    if len(found.state_mutations) > 1:
        refused.append("more than one change in a turn")
    return tuple(refused)


def _suggestion(tick: Tick, guest: Guest) -> ActionProposal:
    lines, state = tick.content.lines, tick.state
    deal = n.middle(tick.scenario, state.offers["a"], state.offers["b"])
    chance = Chance("guest", tick.config.seed, state.turn_number, guest.archetype)
    said = chance.choose(lines.public[guest.speaks]).replace("{offer}", tick.scenario.in_words(deal))
    suggests = guest.speaks == "calm"
    path = SUGGESTION if suggests else "mediation.record"
    return ActionProposal(
        internal_monologue=lines.private[guest.speaks],
        public_dialogue=said,
        state_mutations=(StateMutation(action="add", path=path, value=deal),),
    )
