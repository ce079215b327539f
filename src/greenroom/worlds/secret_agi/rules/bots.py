"""What players who deduce do: nominate, vote, pass on, publish, and use their powers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.minds import EVEN, STRENGTHS, Mind, approves
from greenroom.worlds.secret_agi.rules.odds import FULL, passings, rank, without
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, HAND, Paper
from greenroom.worlds.secret_agi.rules.sight import Sight
from greenroom.worlds.secret_agi.rules.talking import speech

Actions = Sequence[c.Action]

#: How near a team must be to what else could be had for its vote to be uncertain.
_CLOSE = 0.03
#: What somebody who wants to be Engineer as well loses of the others' votes, and what it costs to try; the more so from
#: this doubt about teams on, since one's own name comes up by mistake more often then.
_ALONE_VOTES, _ALONE_COST, _IN_DOUBT = 0.45, 0.07, 0.3
#: What it is worth to an insider not to be seen in a team with a partner, where naming oneself is the custom.
_SPARED = 0.25
#: What it costs an insider to be contradicted by an honest Director, beside looking like it.
_CAUGHT = 0.02


def thinks(agent: str) -> bool:
    """Whether players of this kind deduce."""
    return agent in STRENGTHS


def mind_of(seen: Sight, agent: str, chance: Chance, salt: int) -> Mind:
    return Mind(seen, STRENGTHS[agent], chance, salt)


def decide(mind: Mind, able: Actions) -> c.Action:
    """The best of these actions, as far as this player can see."""
    return _DECISIONS[type(able[-1])](mind, able)


def calls(mind: Mind) -> bool:
    """Whether this player calls an emergency."""
    return not mind.insider or (mind.cover > 0 and mind.chance.below(12) == 0)


def _call(mind: Mind, able: Actions) -> c.Action:
    return c.CallEmergencySafety() if calls(mind) else c.Observe()


def _best(mind: Mind, scores: dict[Any, float]) -> Any:
    """The choice with the highest score; near ones may be mistaken for each other."""
    return max(scores, key=lambda one: round(scores[one] + mind.slip(), 6))


def _sign(mind: Mind) -> float:
    return -1.0 if mind.insider else 1.0


# teams


def _nominate(mind: Mind, able: Actions) -> c.Action:
    names = {mind.seen.names.index(a.target_id): a for a in able if isinstance(a, c.Nominate)}
    scores = {e: _proposal(mind, e) for e in names}
    chosen = max(scores, key=lambda e: round(scores[e] + 0.5 * mind.doubt(), 6))
    return names[chosen]


def _proposal(mind: Mind, e: int) -> float:
    """What it is worth to this player's side to propose this Engineer."""
    passes, fails = chance_to_pass(mind, e), mind.refused()
    value = _sign(mind) * (passes * mind.value(mind.me, e) + (1 - passes) * fails)
    if mind.insider:
        out = mind.outsider
        looks = passes * mind.value(mind.me, e, out) + (1 - passes) * mind.refused(out)
        value += _looks(mind, e) * looks
    return value - (_alone(mind) if e == mind.me else 0.0)


def _alone(mind: Mind) -> float:
    """What it costs to want to be Engineer as well; where the honest do so and pass, it spares an insider's partner."""
    if not mind.insider:
        return _ALONE_COST * max(1.0, EVEN[mind.seen.rules][mind.players] / _IN_DOUBT)
    polls = [poll for poll in mind.seen.polls if poll.vote == "team"]
    honest = [poll.passed and poll.director == poll.nominee for poll in polls if not mind.evil[poll.director]]
    return _ALONE_COST - _SPARED * (mind.strength.custom + sum(honest)) / (1 + len(honest))


def _looks(mind: Mind, e: int) -> float:
    """How much an insider minds what a choice of Engineer looks like."""
    if mind.seen.capability >= AGI_WINS_AT and e == mind.agi_place:
        return 0.3
    return 6.0 * mind.cover


def chance_to_pass(mind: Mind, e: int) -> float:
    """How likely the others vote for a team, as somebody would who knows nothing in particular."""
    ahead = mind.value(mind.seen.director, e, mind.public) - mind.refused(mind.public)
    chance = 1 / (1 + exp(max(-30.0, min(30.0, -ahead / _CLOSE))))
    alone = e == mind.seen.director
    if alone:
        chance *= _ALONE_VOTES
    passed = [
        poll.passed for poll in mind.seen.polls if poll.vote == "team" and (poll.director == poll.nominee) == alone
    ]
    return (2 * chance + sum(passed)) / (2 + len(passed))


def _vote_team(mind: Mind, able: Actions) -> c.Action:
    return c.VoteTeam(vote=approves(mind))


def _emergency(mind: Mind, able: Actions) -> c.Action:
    """Acceleration refuses, unless it is to look well and nothing is lost yet."""
    gap = mind.seen.capability - mind.seen.safety
    covered = mind.cover > 0 and gap == 4 and mind.chance.below(10) < 4
    return c.VoteEmergency(vote=not mind.insider or covered)


# papers


def _papers(mind: Mind, able: Actions, kind: type[Any]) -> list[tuple[c.Action, Paper]]:
    acts = [action for action in able if isinstance(action, kind)]
    return list(zip(acts, mind.seen.hand, strict=True))


def _discard(mind: Mind, able: Actions) -> c.Action:
    options = _papers(mind, able, c.DiscardPaper)
    if _tests(mind):
        return sorted(options, key=lambda option: rank(option[1]))[1][0]
    scores = {}
    for k in range(HAND):
        pair = [paper for n, (_, paper) in enumerate(options) if n != k]
        scores[k] = _sign(mind) * _passing(mind, pair) - _looks_of(mind, pair)
    chosen: int = _best(mind, scores)
    return options[chosen][0]


def _tests(mind: Mind) -> bool:
    """Whether an honest Director tries the Engineer: early, in doubt, and the more readily the better things stand."""
    doubt = mind.evil[mind.seen.engineer]
    if mind.insider or not 0.15 < doubt < 0.75 or mind.seen.capability - mind.seen.safety > 1:
        return False
    return mind.chance.below(1000) < 1000 * mind.strength.tests * mind.here


def _passing(mind: Mind, pair: Sequence[Paper]) -> float:
    """What it is worth to Safety to pass these two on to this Engineer."""
    values = [mind.after(paper) for paper in pair]
    doubt = mind.evil[mind.seen.engineer]
    return (1 - doubt) * max(values) + doubt * (0.75 * min(values) + 0.25 * max(values))


def _looks_of(mind: Mind, pair: Sequence[Paper]) -> float:
    """What it costs an insider that this pair looks passed on by one."""
    if not mind.insider:
        return 0.0
    low, high = sorted(pair, key=rank)
    honest, insider = passings(_seen_by_all(mind)).get((low, high), (1e-4, 1e-2))
    return mind.cover * 0.35 * max(0.0, min(4.0, log((insider + 1e-6) / (honest + 1e-6))))


def _seen_by_all(mind: Mind) -> tuple[int, ...]:
    return without(FULL, *(one.paper for one in mind.seen.shown if one.paper is not None))


def _publish(mind: Mind, able: Actions) -> c.Action:
    options = _papers(mind, able, c.PublishPaper)
    values = [mind.after(paper) for _, paper in options]
    if c.DeclareVeto() in able and _vetoes(mind, values):
        return c.DeclareVeto()
    scores = {k: _sign(mind) * value - _exposed(mind, k, values) for k, value in enumerate(values)}
    chosen: int = _best(mind, scores)
    return options[chosen][0]


def _exposed(mind: Mind, k: int, values: Sequence[float]) -> float:
    """What it costs an insider to publish the worse of two before a Director who is none."""
    if not mind.insider or values[k] == max(values) or values[k] <= 0.0:
        return 0.0
    watched = mind.seen.director != mind.me and not mind.evil[mind.seen.director]
    return mind.cover + (_CAUGHT if watched else -0.04) if mind.cover else 0.0


def _vetoes(mind: Mind, values: Sequence[float]) -> bool:
    """Whether no paper at all is better for this player's side than either of these."""
    sign = _sign(mind)
    return max(sign * value for value in values) < sign * mind.refused() - 0.04


def _respond(mind: Mind, able: Actions) -> c.Action:
    _, pair = mind.seen.held[mind.seen.round]
    values = [mind.after(paper) for paper in pair]
    doubt = mind.evil[mind.seen.engineer]
    if mind.insider:
        out = min(values) if doubt else max(values)
        return c.RespondVeto(agree=mind.refused() < out)
    out = doubt * min(values) + (1 - doubt) * max(values)
    return c.RespondVeto(agree=mind.refused() > out)


# powers


def _use_power(mind: Mind, able: Actions) -> c.Action:
    uses = {mind.seen.names.index(a.target_id): a for a in able if isinstance(a, c.UsePower)}
    scores = {k: _target(mind, k) for k in uses}
    chosen: int = _best(mind, scores)
    return uses[chosen]


def _target(mind: Mind, k: int) -> float:
    """How much this player wants to use its power on somebody."""
    match mind.seen.power:
        case "view_allegiance":
            if mind.insider:
                return 1 - mind.evil[k] + 0.3 * mind.public.evil[k]
            known = k in mind.seen.cards or k in mind.openly_known
            return -1.0 if known else 1 - abs(mind.evil[k] - 0.55)
        case "choose_director":
            if mind.insider:
                return mind.evil[k] - mind.public.evil[k] - (0.3 if k == mind.me else 0.0)
            return 0.9 - _ALONE_COST if k == mind.me else 1 - mind.evil[k]
        case _:
            if mind.insider:
                return (1 - mind.evil[k]) * 2 - mind.public.evil[k]
            return mind.agi[k] + 0.3 * mind.evil[k]


def _speak(mind: Mind, able: Actions) -> c.Action:
    return speech(mind, able)


_DECISIONS: dict[type[Any], Callable[[Mind, Actions], c.Action]] = {
    c.Nominate: _nominate,
    c.VoteTeam: _vote_team,
    c.CallEmergencySafety: _call,
    c.VoteEmergency: _emergency,
    c.DiscardPaper: _discard,
    c.PublishPaper: _publish,
    c.DeclareVeto: _publish,
    c.RespondVeto: _respond,
    c.UsePower: _use_power,
    c.SendChatMessage: _speak,
}
