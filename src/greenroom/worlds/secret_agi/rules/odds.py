"""What a hand of papers tells, and what a position is worth: exact counting over the papers that may be left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import comb
from typing import TypeAlias

from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, DECK, HAND, LARGE, ROLES, Paper, RuleSet

#: The eight kinds of paper, the most harmful last; how many of each a deck holds.
KINDS: tuple[Paper, ...] = tuple(sorted(set(DECK), key=lambda paper: (paper[0] - paper[1], paper[0])))
FULL: tuple[int, ...] = tuple(DECK.count(kind) for kind in KINDS)
_RANK: dict[Paper, int] = {kind: k for k, kind in enumerate(KINDS)}

#: How many papers of each kind may be left.
Left: TypeAlias = tuple[int, ...]
#: Probabilities of each kind to be published: by an honest or dishonest Director, then Engineer.
PaperOdds: TypeAlias = tuple[
    tuple[dict[Paper, float], dict[Paper, float]], tuple[dict[Paper, float], dict[Paper, float]]
]

#: How often an insider does the harm that a hand allows, and how often an honest Director tries the Engineer with
#: the best paper and the worst.
BOLD, TRIES = 0.75, 0.4


def rank(paper: Paper) -> int:
    """How harmful a paper is, from 0 to 7."""
    return _RANK[paper]


def without(left: Left, *papers: Paper) -> Left:
    """What is left once these are gone; never below none."""
    counts = list(left)
    for paper in papers:
        k = _RANK[paper]
        counts[k] = max(0, counts[k] - 1)
    return tuple(counts)


@lru_cache(maxsize=2048)
def hands(left: Left) -> tuple[tuple[tuple[Paper, ...], float], ...]:
    """Every hand of three that may be drawn, the most harmful paper last, with its probability."""
    total = comb(sum(left), HAND)
    if not total:
        return ()
    return tuple((hand, ways / total) for hand, ways in _hands(left))


def _hands(left: Left) -> Iterator[tuple[tuple[Paper, ...], int]]:
    count = len(KINDS)
    for a in range(count):
        for b in range(a, count):
            for c in range(b, count):
                ways = _ways(left, a, b, c)
                if ways:
                    yield (KINDS[a], KINDS[b], KINDS[c]), ways


def _ways(left: Left, a: int, b: int, c: int) -> int:
    if a == b == c:
        return comb(left[a], 3)
    if a == b:
        return comb(left[a], 2) * left[c]
    if b == c:
        return left[a] * comb(left[b], 2)
    return left[a] * left[b] * left[c]


@lru_cache(maxsize=2048)
def passings(left: Left) -> dict[tuple[Paper, Paper], tuple[float, float]]:
    """How likely each pair is passed on by an honest Director and by an insider."""
    found: dict[tuple[Paper, Paper], list[float]] = {}
    for (low, middle, high), chance in hands(left):
        for pair, honest in (((low, middle), 1 - TRIES), ((low, high), TRIES)):
            both = found.setdefault(pair, [0.0, 0.0])
            both[0] += honest * chance
            both[1] += honest * (1 - BOLD) * chance
        found.setdefault((middle, high), [0.0, 0.0])[1] += BOLD * chance
    return {pair: (honest, insider) for pair, (honest, insider) in found.items()}


def publishing(pair: tuple[Paper, ...], paper: Paper) -> tuple[float, float]:
    """How likely an honest Engineer and an insider publish this paper of the two."""
    low, high = sorted(pair, key=rank)
    if low == high:
        return 1.0, 1.0
    return (1.0, 1 - BOLD) if paper == low else (0.02, BOLD)


@lru_cache(maxsize=2048)
def published(left: Left) -> PaperOdds:
    """How likely each paper comes out of a team of honest players and insiders."""
    found: PaperOdds = (({}, {}), ({}, {}))
    for pair, chances in passings(left).items():
        for paper in dict.fromkeys(pair):
            out = publishing(pair, paper)
            for d in (0, 1):
                for e in (0, 1):
                    table = found[d][e]
                    table[paper] = table.get(paper, 0.0) + chances[d] * out[e]
    return found


# what a position is worth

#: How often a team is honest, has an insider for Director, for Engineer, or is wholly theirs; what is voted for.
_TEAMS = ((0.50, 0.18), (0.20, 0.12))
#: How often a paper publishes itself instead, how often an AGI is elected once that wins, and how often it is
#: eliminated at a large table.
_ITSELF, _ELECTED, _ELIMINATED = 0.08, 0.15, 0.3


def ending(capability: int, safety: int) -> float | None:
    """1 if Safety has won by the meters, 0 if Acceleration has, None if nobody has."""
    if capability - safety >= 6 or (capability >= 15 and safety < 10):
        return 0.0
    return 1.0 if safety >= 15 or (capability == 10 and safety >= 10) else None


@cache
def _mixture() -> tuple[tuple[Paper, float], ...]:
    """How likely each paper is the next to be published, whoever the team may be."""
    table = published(FULL)
    total = sum(FULL)
    found = []
    for paper, copies in zip(KINDS, FULL, strict=True):
        by_team = sum(_TEAMS[d][e] * table[d][e].get(paper, 0.0) for d in (0, 1) for e in (0, 1))
        found.append((paper, (1 - _ITSELF) * by_team + _ITSELF * copies / total))
    return tuple(found)


@cache
def worth(rules: RuleSet, players: int, capability: int, safety: int, left: int) -> float:
    """How likely Safety wins from here, before a team is proposed and with so many papers to come."""
    ended = ending(capability, safety)
    if ended is not None:
        return ended
    if left < HAND:
        return 1.0 if safety >= capability else 0.0
    after = left - (HAND if rules == "classic" else 1)
    value = sum(chance * reached(rules, players, (capability, safety), paper, after) for paper, chance in _mixture())
    return value * (1 - _ELECTED) if capability >= AGI_WINS_AT else value


def reached(rules: RuleSet, players: int, meters: tuple[int, int], paper: Paper, left: int) -> float:
    """What it is worth to Safety that this paper is published."""
    capability, safety = meters[0] + paper[0], meters[1] + paper[1]
    value = worth(rules, players, capability, safety, left)
    if players >= LARGE and meters[0] < 11 <= capability and 0.0 < value < 1.0:
        value += _ELIMINATED * (1 - value) * 0.6
    return value


def insiders(players: int) -> int:
    """How many at a table of this size are Accelerationists or the AGI."""
    _, accelerationists, agis = ROLES[players]
    return accelerationists + agis
