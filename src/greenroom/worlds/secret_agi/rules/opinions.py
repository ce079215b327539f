"""What players who deduce say they held, saw and think, true or not: the claims that their talk is made of."""

from __future__ import annotations

from collections.abc import Callable

from greenroom.worlds.secret_agi.rules.beliefs import HandClaims, claims_of_hands
from greenroom.worlds.secret_agi.rules.claims import Assertion, ClaimKind, same
from greenroom.worlds.secret_agi.rules.minds import Mind, approves
from greenroom.worlds.secret_agi.rules.odds import FULL, KINDS, rank
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, Paper, Side
from greenroom.worlds.secret_agi.rules.sight import Shown, Sight
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, YES

# hands and cards


def hand_claim(mind: Mind, one: Shown) -> Assertion:
    """What this player says it held: what it said before, the truth, or what an insider would like to have held."""
    kind: ClaimKind = "drew" if mind.me == one.director else "received"
    if (before := _said(mind, kind, lambda claim: claim.round == one.round)) is not None:
        return Assertion(kind=kind, round=one.round, papers=before.papers, passed=before.passed)
    drawn, passed = mind.seen.held[one.round]
    if mind.insider and one.paper is not None:
        told = claims_of_hands(mind.seen.claims, mind.seen.shown).get(one.round, HandClaims())
        drawn, passed = _story(mind, one, told)
    if kind == "drew":
        return Assertion(kind=kind, round=one.round, papers=drawn, passed=passed)
    return Assertion(kind=kind, round=one.round, papers=passed)


def _said(mind: Mind, kind: ClaimKind, fits: Callable[[Assertion], bool]) -> Assertion | None:
    """What this player claimed of that before, and stands by."""
    mine = (made.claim for made in mind.seen.claims if made.speaker == mind.me and made.claim.kind == kind)
    return next(filter(fits, mine), None)


def _story(mind: Mind, one: Shown, told: HandClaims) -> tuple[tuple[Paper, ...], tuple[Paper, ...]]:
    """An insider's account: what partners said before holds; what an honest partner knows is not denied in vain."""
    _, passed = mind.seen.held[one.round]
    assert one.paper is not None
    director = mind.me == one.director
    partner = one.engineer if director else one.director
    before = told.received if director else told.passed
    if before and (mind.evil[partner] or same(before, passed)):
        passed = before
    elif (
        (mind.evil[partner] and partner != mind.me)
        or one.director == one.engineer
        or (not director and one.paper != min(passed, key=rank))
    ):
        passed = (one.paper, _worse(mind, one.paper, beside=(one.paper,)))
    worst = max(passed, key=rank)
    return (*passed, _worse(mind, worst, beside=passed)), passed


def _worse(mind: Mind, paper: Paper, beside: tuple[Paper, ...] = ()) -> Paper:
    """A paper that is no better and may well have been in the hand beside these."""
    there = [kind for kind in KINDS if beside.count(kind) < FULL[rank(kind)]]
    kinds = [kind for kind in there if rank(kind) >= rank(paper)] or there[-1:]
    likely = [kind for kind in kinds if mind.left[rank(kind)]]
    return (likely or kinds)[min(1, len(likely or kinds) - 1)]


def card_claim(mind: Mind, target: int) -> Assertion:
    """What this player says a card said; an insider covers its own and calls an honest player who is trusted evil."""
    name, side = mind.seen.names[target], mind.seen.cards[target]
    if (before := _said(mind, "card", lambda claim: claim.target == name)) is not None:
        side = before.side or side
    elif mind.insider:
        frames = side == "Safety" and mind.public.evil[target] > 0.35
        side = "Acceleration" if frames else "Safety"
    return Assertion(kind="card", target=name, side=side)


# opinions


def suspects(mind: Mind) -> list[int]:
    """The living others, the most suspect first; last whom this player speaks for."""
    evil = mind.outsider.evil
    others = [k for k in mind.seen.alive if k != mind.me]
    return sorted(others, key=lambda k: (-round(evil[k] - (1.0 if _speaks_for(mind, k) else 0.0), 6), k))


def _speaks_for(mind: Mind, target: int) -> bool:
    """Whether nothing is said against this player: an insider's own that is not found out, or one's own nominee."""
    if mind.seen.director == mind.me and target == mind.seen.nominee:
        return True
    return mind.insider and bool(mind.evil[target]) and target not in mind.openly_known


def believe(mind: Mind, target: int, *, side: Side | None = None) -> Assertion:
    """What this player says of another, and why."""
    if side is None:
        side = "Safety" if _speaks_for(mind, target) or mind.outsider.evil[target] < 0.5 else "Acceleration"
    because, round = because_of(mind, target, good=side == "Safety")
    return Assertion(kind="believe", target=mind.seen.names[target], side=side, because=because, round=round)


def because_of(mind: Mind, target: int, *, good: bool, until: int = 0) -> tuple[str, int]:
    """The best reason there is in what everybody saw, or in a card of one's own, and the round it is about; of the
    rounds before ``until`` where that is given.
    """
    seen = mind.seen
    if target in seen.cards and (seen.cards[target] == "Safety") == good:
        return "card", 0
    if not good and any(asked == target and is_agi for _, asked, is_agi in seen.asked):
        return "answered", 0
    told = claims_of_hands(seen.claims, seen.shown)
    for one in reversed(seen.shown):
        if (
            one.paper is None
            or one.engineer == NOBODY
            or target not in (one.director, one.engineer)
            or (until and one.round >= until)
        ):
            continue
        if found := _of_hand(mind, one, told.get(one.round, HandClaims()), good=good):
            return found, one.round
    if (round := _of_votes(seen, target, good=good)) and not until:
        return "votes", round
    return ("late" if not good and seen.capability >= AGI_WINS_AT and not until else "feeling"), 0


def _of_votes(seen: Sight, target: int, *, good: bool) -> int:
    """The last round whose paper makes this player's vote look good, or bad; none where all votes were right."""
    papers = {one.round: one.paper for one in seen.shown if one.paper is not None and one.engineer != NOBODY}
    for poll in reversed(seen.polls):
        paper = papers.get(poll.round)
        if poll.vote != "team" or not poll.passed or paper is None or target in (poll.director, poll.nominee):
            continue
        right = (poll.ballots[target] == YES) == (paper[0] <= paper[1])
        if poll.ballots[target] != OPEN and right == good:
            return poll.round
    return 0


def _of_hand(mind: Mind, one: Shown, told: HandClaims, *, good: bool) -> str:
    assert one.paper is not None
    bad = one.paper[0] > one.paper[1]
    if good:
        mine = mind.me in (one.director, one.engineer) and not bad
        return "partner" if mine else "clean" if not bad else ""
    if told.passed and told.received and not same(told.passed, told.received):
        return "conflict"
    return "paper" if bad else ""


def vote(mind: Mind) -> Assertion:
    """For or against the team that is proposed, and why."""
    yes = approves(mind)
    d, e = mind.seen.director, mind.seen.nominee
    evil = mind.outsider.evil
    about = e if mind.me == d or evil[e] >= evil[d] or yes else d
    because, round = because_of(mind, about, good=yes) if about != mind.me else ("feeling", 0)
    return Assertion(
        kind="vote", round=round or mind.seen.round, yes=yes, because=because, target=mind.seen.names[about]
    )
