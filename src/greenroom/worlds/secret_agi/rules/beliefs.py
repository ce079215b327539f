"""Who is who: a posterior over the sets of insiders, from papers, claims, votes, nominations, cards and answers.

All evidence is kept as what it says of one player and of two together, in logarithms. What a hand tells of its Director
and its Engineer is exact in that form; votes and words are weighed by how honest players and insiders behave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp, log
from typing import NamedTuple, TypeAlias

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import same
from greenroom.worlds.secret_agi.rules.odds import FULL, Left, insiders, passings, published, publishing, rank, without
from greenroom.worlds.secret_agi.rules.papers import Paper
from greenroom.worlds.secret_agi.rules.sight import Shown, Sight
from greenroom.worlds.secret_agi.rules.state import NOBODY, YES, Claimed, Poll

#: Likelihoods of something seen: by whether the first and whether the second of two players is an insider.
Square: TypeAlias = tuple[tuple[float, float], tuple[float, float]]

LEAST = 1e-6
#: What nobody honest does.
NEVER = 2e-3

#: How often each votes yes: an honest player, then an insider by whether the Engineer is one of theirs.
_YES_HONEST, _YES_APART, _YES_TOGETHER = 0.55, 0.42, 0.72
#: A vote says less than that, since everybody sees the same papers.
_VOTE_WEIGHT = 0.7
_EMERGENCY_NO, _EMERGENCY_YES = 1.6, -0.35
#: An insider nominates insiders; whoever nominates themself is looked at twice.
_TOGETHER, _ALONE = 0.25, 0.2
#: How likely an insider calls a card evil: of somebody honest, of one of theirs.
_CARD_EVIL_SAID = (0.6, 0.06)
#: How much a suspicion and a word of trust say of their target, and of the two together.
_SAID, _SAID_TOGETHER = 0.12, 0.35


class Evidence:
    """What was seen, as weights for being an insider: of each player, and of each two together."""

    __slots__ = ("both", "single")

    def __init__(self, players: int) -> None:
        self.single = [0.0] * players
        self.both: dict[tuple[int, int], float] = {}

    def copy(self) -> Evidence:
        made = Evidence(len(self.single))
        made.single = list(self.single)
        made.both = dict(self.both)
        return made

    def one(self, i: int, weight: float) -> None:
        self.single[i] += weight

    def two(self, i: int, k: int, weight: float) -> None:
        pair = (i, k) if i < k else (k, i)
        self.both[pair] = self.both.get(pair, 0.0) + weight

    def square(self, i: int, k: int, seen: Square) -> None:
        """Take in something that depends on whether two players are insiders."""
        if i == k:
            self.one(i, _log(seen[1][1]) - _log(seen[0][0]))
            return
        honest = _log(seen[0][0])
        first, second, together = _log(seen[1][0]) - honest, _log(seen[0][1]) - honest, _log(seen[1][1]) - honest
        self.one(i, first)
        self.one(k, second)
        self.two(i, k, together - first - second)


def _log(p: float) -> float:
    return log(max(p, LEAST))


# papers and what was claimed of them


class HandClaims(NamedTuple):
    """What Director and Engineer said they had; nothing where they have not said."""

    drawn: tuple[Paper, ...] = ()
    passed: tuple[Paper, ...] = ()
    received: tuple[Paper, ...] = ()


@lru_cache(maxsize=8192)
def hand_square(left: Left, paper: Paper, said: HandClaims) -> Square:
    """How likely a published paper and the claims about its hand are, by who of the two is an insider."""
    table = published(left)
    plain: Square = (
        (table[0][0].get(paper, 0.0), table[0][1].get(paper, 0.0)),
        (table[1][0].get(paper, 0.0), table[1][1].get(paper, 0.0)),
    )
    first, second = _pair(said.passed), _pair(said.received)
    if first is None and second is None:
        return plain
    if first is not None and second is not None and first != second:
        return _conflict(left, paper, first, second, plain)
    pair = first or second
    assert pair is not None
    return _agreed(left, paper, pair, plain, (first is not None, second is not None))


def _pair(papers: Sequence[Paper]) -> tuple[Paper, Paper] | None:
    if len(papers) != 2:
        return None
    low, high = sorted(papers, key=rank)
    return low, high


def _agreed(left: Left, paper: Paper, pair: tuple[Paper, Paper], plain: Square, said: tuple[bool, bool]) -> Square:
    """One pair is claimed, by one or by both: true if an honest player says so, else made up to look well."""
    passed, out = passings(left).get(pair, (LEAST, LEAST)), publishing(pair, paper)
    made_up = passed[0] * out[0] / max(plain[0][0], LEAST) if paper in pair else NEVER
    if paper not in pair:
        return (NEVER * plain[0][0], plain[0][1] * NEVER), (plain[1][0] * NEVER, plain[1][1] * NEVER)
    true = ((passed[0] * out[0], passed[0] * out[1]), (passed[1] * out[0], passed[1] * out[1]))
    by_director, by_engineer = said
    return (
        (true[0][0], true[0][1] if by_director else plain[0][1] * made_up),
        (true[1][0] if by_engineer else plain[1][0] * made_up, plain[1][1] * made_up),
    )


def _conflict(
    left: Left, paper: Paper, first: tuple[Paper, Paper], second: tuple[Paper, Paper], plain: Square
) -> Square:
    """Two stories that cannot both be true: at least one of the two lies, and partners seldom fall out."""
    odd = _LIES[0] * (passings(left).get(second, (0.0, LEAST))[1] * publishing(second, paper)[0])
    other = _LIES[1] * (passings(left).get(first, (LEAST, 0.0))[0] * publishing(first, paper)[1])
    odd = odd if paper in second else LEAST
    other = other if paper in first else LEAST
    return (NEVER * max(odd, other), other), (odd, 0.04 * plain[1][1])


#: How often a lying Director and a lying Engineer contradict their partner.
_LIES = (0.35, 0.8)


@lru_cache(maxsize=256)
def claims_of_hands(claims: tuple[Claimed, ...], shown: tuple[Shown, ...]) -> Mapping[int, HandClaims]:
    """What was last said of each hand by those who held it."""
    teams = {one.round: (one.director, one.engineer) for one in shown if one.engineer != NOBODY}
    found: dict[int, HandClaims] = {}
    for made in claims:
        claim = made.claim
        director, engineer = teams.get(claim.round, (NOBODY, NOBODY))
        before = found.get(claim.round, HandClaims())
        if claim.kind == "drew" and made.speaker == director:
            found[claim.round] = before._replace(drawn=claim.papers, passed=claim.passed)
        elif claim.kind == "received" and made.speaker == engineer:
            found[claim.round] = before._replace(received=claim.papers)
    return found


# the whole of it


class Attention(NamedTuple):
    """What a player takes into account."""

    claims: bool = True
    votes: bool = True
    own: bool = True


def public_evidence(seen: Sight, heeds: Attention) -> Evidence:
    """What everybody could conclude."""
    return _public(
        seen.names, seen.shown, seen.polls, seen.claims if heeds.claims else (), seen.viewed, heeds.votes
    ).copy()


@lru_cache(maxsize=256)
def _public(  # noqa: PLR0917  one argument for each kind of thing seen
    names: tuple[Seat, ...],
    shown: tuple[Shown, ...],
    polls: tuple[Poll, ...],
    claims: tuple[Claimed, ...],
    viewed: tuple[tuple[int, int], ...],
    votes: bool,  # noqa: FBT001
) -> Evidence:
    found = Evidence(len(names))
    said, left = claims_of_hands(claims, shown), FULL
    for one in shown:
        if one.paper is None:
            continue
        if one.engineer != NOBODY:
            found.square(one.director, one.engineer, hand_square(left, one.paper, said.get(one.round, HandClaims())))
        left = without(left, one.paper)
    for poll in polls if votes else ():
        _weigh_poll(found, poll)
    for made in claims:
        _weigh_words(found, made, viewed, names)
    return found


def _weigh_poll(found: Evidence, poll: Poll) -> None:
    if poll.vote == "emergency":
        for i, ballot in enumerate(poll.ballots):
            if ballot in "yn":
                found.one(i, _EMERGENCY_YES if ballot == YES else _EMERGENCY_NO)
        return
    d, e = poll.director, poll.nominee
    if d == e:
        found.one(d, _ALONE)
    else:
        found.two(d, e, _TOGETHER)
    for i, ballot in enumerate(poll.ballots):
        if ballot not in "yn" or i in (d, e):
            continue
        yes = ballot == YES
        apart, together = _vote_weights(yes)
        found.one(i, apart)
        found.two(i, e, together)


@lru_cache(maxsize=2)
def _vote_weights(yes: bool) -> tuple[float, float]:  # noqa: FBT001
    honest, apart, together = (p if yes else 1 - p for p in (_YES_HONEST, _YES_APART, _YES_TOGETHER))
    return _VOTE_WEIGHT * log(apart / honest), _VOTE_WEIGHT * log(together / apart)


def _weigh_words(found: Evidence, made: Claimed, viewed: Sequence[tuple[int, int]], names: Sequence[Seat]) -> None:
    claim = made.claim
    if claim.target not in names or claim.side is None:
        return
    target = names.index(claim.target)
    if target == made.speaker or (claim.kind == "card" and (made.speaker, target) not in viewed):
        return
    evil = claim.side == "Acceleration"
    if claim.kind == "card":
        said = tuple(p if evil else 1 - p for p in _CARD_EVIL_SAID)
        true = (NEVER, 1.0) if evil else (1.0, NEVER)
        found.square(made.speaker, target, (true, (said[0], said[1])))
    elif claim.kind == "believe":
        found.one(target, _SAID if evil else -_SAID)
        found.two(made.speaker, target, -_SAID_TOGETHER if evil else _SAID_TOGETHER)


def private_evidence(seen: Sight, heeds: Attention) -> Evidence:
    """What one player can conclude, who may have held papers and seen cards."""
    found = public_evidence(seen, heeds)
    if not heeds.own:
        return found
    said, left = claims_of_hands(seen.claims if heeds.claims else (), seen.shown), FULL
    for one in seen.shown:
        if one.paper is None:
            continue
        if one.round in seen.held and one.engineer != NOBODY:
            _take_back(found, one, left, said.get(one.round, HandClaims()))
            _own_hand(found, seen, one, left, said.get(one.round, HandClaims()))
        left = without(left, one.paper)
    return found


def _take_back(found: Evidence, one: Shown, left: Left, said: HandClaims) -> None:
    """What everybody concludes of a hand is no evidence to whoever held it."""
    undone = Evidence(len(found.single))
    assert one.paper is not None
    undone.square(one.director, one.engineer, hand_square(left, one.paper, said))
    for i in {one.director, one.engineer}:
        found.one(i, -undone.single[i])
    for (i, k), weight in undone.both.items():
        found.two(i, k, -weight)


def _own_hand(found: Evidence, seen: Sight, one: Shown, left: Left, said: HandClaims) -> None:
    """A Director knows what the Engineer chose from; an Engineer knows what was passed on; both know who lies."""
    if one.director == one.engineer:
        return
    _, passed = seen.held[one.round]
    pair = _pair(passed)
    if pair is None or one.paper is None:
        return
    if seen.me == one.director:
        honest, insider = publishing(pair, one.paper)
        lies = bool(said.received) and not same(said.received, passed)
        found.one(one.engineer, _log(insider) - _log(honest) + (6.0 if lies else 0.0))
    else:
        honest, insider = passings(left).get(pair, (LEAST, LEAST))
        lies = bool(said.passed) and not same(said.passed, passed)
        found.one(one.director, _log(insider) - _log(honest) + (6.0 if lies else 0.0))


# the posterior


class Belief:
    """How likely each set of insiders is."""

    __slots__ = ("agi", "evil", "sets")

    def __init__(self, sets: Sequence[tuple[tuple[int, ...], float]], players: int, cleared: frozenset[int]) -> None:
        self.sets = sets
        #: How likely each player is an insider, and the AGI.
        self.evil = [0.0] * players
        self.agi = [0.0] * players
        for members, weight in sets:
            able = [i for i in members if i not in cleared]
            for i in members:
                self.evil[i] += weight
            for i in able:
                self.agi[i] += weight / len(able)

    def team(self, d: int, e: int) -> Square:
        """How likely Director and Engineer are both honest, one of them an insider, or both."""
        both = sum(weight for members, weight in self.sets if d in members and e in members)
        first, second = self.evil[d], self.evil[e]
        none = max(0.0, 1 - first - second + both)
        return (none, max(0.0, second - both)), (max(0.0, first - both), both)


@lru_cache(maxsize=1024)
def _sets(
    players: int, fixed: tuple[int, ...], open_: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], ...]:
    """Every set of insiders with these in it, and the pairs in each."""
    wanted = max(0, min(insiders(players) - len(fixed), len(open_)))
    sets = [tuple(sorted((*fixed, *chosen))) for chosen in combinations(open_, wanted)]
    return tuple((members, tuple(combinations(members, 2))) for members in sets)


def believe(evidence: Evidence, known: Mapping[int, bool], cleared: frozenset[int]) -> Belief:
    """The posterior, given who is known to be an insider or not, and who cannot be the AGI."""
    players = len(evidence.single)
    fixed = tuple(sorted(i for i, evil in known.items() if evil))
    single, both = evidence.single, evidence.both
    found = [
        (members, sum([single[i] for i in members]) + sum([both[pair] for pair in pairs if pair in both]))
        for members, pairs in _sets(players, fixed, tuple([i for i in range(players) if i not in known]))
    ]
    top = max(weight for _, weight in found)
    likely = [(members, exp(max(weight - top, -40.0))) for members, weight in found]
    total = sum(weight for _, weight in likely)
    return Belief([(members, weight / total) for members, weight in likely], players, cleared)
