"""Players who deduce: what each makes of the table, in three strengths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules.beliefs import (
    Attention,
    Belief,
    Square,
    believe,
    private_evidence,
    public_evidence,
)
from greenroom.worlds.secret_agi.rules.odds import FULL, KINDS, Left, published, reached, without, worth
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, FAILURES, HAND, Paper, RuleSet
from greenroom.worlds.secret_agi.rules.sight import Sight
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, YES

#: Beyond this, an insider plays for the win and not for looks.
_DECISIVE = 0.3
#: How much more the AGI minds what it looks like.
_CLEAN = 6.0
#: How many times the honest ballots against teams count where looks are weighed, and for how many hands ahead.
_REFUSALS, _HANDS_AHEAD = 2.5, 3
#: What speaks against whoever wants to be Engineer as well; once an elected AGI wins, nobody else has reason to.
_ALONE, _ALONE_LATE = 0.02, 0.4
#: Where looks matter less than this, teams pass whatever an insider votes: a refusal would only stand out.
_WITH_THE_TABLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How well somebody plays."""

    heeds: Attention
    #: How far apart two choices may be and still be mistaken for each other.
    slip: float
    #: How much less sure than the best an honest player is about teams.
    doubt: float
    #: How strongly somebody likes or dislikes others for no reason.
    gut: float
    #: What an insider gives up to look honest.
    cover: float
    #: How far an insider takes it for the custom to name oneself before anybody has shown it; whoever does stands out.
    custom: float = 0.5
    #: Whether moves are looked at by what they lead to, and not by the papers alone.
    searches: bool = True
    #: How readily a Director lets an Engineer choose between the best and the worst, to see what they are. It costs
    #: more papers than it is worth, so the best do not.
    tests: float = 0.0


#: How hard teams are to judge even for the best, by rules and table size; found by play, so that games are even.
EVEN: dict[RuleSet, dict[int, float]] = {
    "classic": {5: 0.3, 6: 0.35, 7: 0.21, 8: 0.22, 9: 0.16, 10: 0.24},
    "long": {5: 0.46, 6: 0.5, 7: 0.27, 8: 0.28, 9: 0.24, 10: 0.29},
}
STRENGTHS: dict[str, Strength] = {
    "WeakPlayer": Strength(
        heeds=Attention(False, False, False), slip=0.16, doubt=0.8, gut=1.4, cover=0.07, searches=False
    ),
    "MiddlePlayer": Strength(heeds=Attention(False, True, True), slip=0.06, doubt=0.05, gut=0.9, cover=0.05, tests=0.5),
    "StrongPlayer": Strength(heeds=Attention(True, True, True), slip=0.01, doubt=0.0, gut=0.5, cover=0.03, custom=0.35),
}


class Mind:
    """One player's thoughts at one moment; each is had when it is needed."""

    def __init__(self, seen: Sight, strength: Strength, chance: Chance, salt: int) -> None:
        self.seen = seen
        self.strength = strength
        self.chance = chance
        self.salt = salt

    @property
    def me(self) -> int:
        return self.seen.me

    @property
    def insider(self) -> bool:
        return self.seen.insider

    @property
    def players(self) -> int:
        return len(self.seen.names)

    @cached_property
    def gut(self) -> tuple[float, ...]:
        """What somebody feels about each of the others, for the whole game and for no reason."""
        dice = Chance("gut", self.salt, self.me)
        return tuple(self.strength.gut * (sum(dice.below(1000) for _ in range(3)) / 1500 - 1) for _ in self.seen.names)

    @cached_property
    def cleared(self) -> frozenset[int]:
        """Who cannot be the AGI, as everybody knows."""
        seen = self.seen
        out = {target for _, target, is_agi in seen.asked if is_agi}
        if out:
            return frozenset(range(self.players)) - out
        dead = {k for k, role in seen.known.items() if k not in seen.alive and role != "AGI"}
        return frozenset(dead | {target for _, target, is_agi in seen.asked if not is_agi})

    @cached_property
    def openly_known(self) -> dict[int, bool]:
        """Who is known to everybody: the dead, and an AGI that had to reveal itself."""
        seen = self.seen
        out = {target for _, target, is_agi in seen.asked if is_agi}
        return {k: role != "Safety" for k, role in seen.known.items() if k not in seen.alive or k in out}

    @cached_property
    def public(self) -> Belief:
        """What a player who knows nothing in particular would believe."""
        return believe(public_evidence(self.seen, self.strength.heeds), self.openly_known, self.cleared)

    @cached_property
    def outsider(self) -> Belief:
        """What this player would believe if it were honest: an insider has to look as if it believed that."""
        evidence = private_evidence(self.seen, self.strength.heeds)
        for i, feeling in enumerate(self.gut):
            evidence.one(i, feeling)
        cards = {k: side != "Safety" for k, side in self.seen.cards.items()}
        return believe(evidence, {**cards, **self.openly_known, self.me: False}, self.cleared | {self.me})

    @cached_property
    def evil(self) -> list[float]:
        """How likely each is an insider: certain to insiders."""
        if self.insider:
            return [float(self.seen.known[k] != "Safety") for k in range(self.players)]
        return self.outsider.evil

    @cached_property
    def agi(self) -> list[float]:
        if self.insider:
            return [float(self.seen.known[k] == "AGI") for k in range(self.players)]
        return self.outsider.agi

    # what positions are worth

    @cached_property
    def left(self) -> Left:
        """Papers that may still be there, as far as this player knows."""
        found = without(FULL, *(one.paper for one in self.seen.shown if one.paper is not None))
        if self.seen.rules == "classic":
            for round, (drawn, passed) in self.seen.held.items():
                out = next((one.paper for one in self.seen.shown if one.round == round), None)
                gone = list(drawn or passed)
                if out in gone:
                    gone.remove(out)
                found = without(found, *gone)
        return found

    def _worth(self, capability: int, safety: int, left: int) -> float:
        if self.strength.searches:
            return worth(self.seen.rules, self.players, capability, safety, left)
        return 1 / (1 + exp((capability - safety) / 2))

    @cached_property
    def here(self) -> float:
        """What it is worth to Safety as it stands."""
        return self._worth(self.seen.capability, self.seen.safety, self.seen.left)

    def after(self, paper: Paper, *, taken: int = HAND) -> float:
        """What it is worth to Safety that this paper is published; ``taken`` papers have left the deck for it."""
        seen = self.seen
        less = 1 if seen.emergency and paper[0] else 0
        if not self.strength.searches:
            return self._worth(seen.capability + paper[0] - less, seen.safety + paper[1], 0)
        left = max(seen.left - (taken if seen.rules == "classic" else 1), 0)
        return reached(seen.rules, self.players, (seen.capability - less, seen.safety), paper, left)

    @cached_property
    def _by_team(self) -> Square:
        """What research is worth to Safety, by who of Director and Engineer is an insider."""
        table = published(self.left)
        found = [
            [sum(chance * self.after(paper) for paper, chance in one.items()) / (sum(one.values()) or 1) for one in row]
            for row in table
        ]
        return (found[0][0], found[0][1]), (found[1][0], found[1][1])

    @property
    def ends(self) -> bool:
        """Whether a team that passes ends the game, because there is nothing left to draw."""
        return self.strength.searches and self.seen.left < HAND

    def elected(self, team: Square, agi: float) -> float:
        """What it is worth to Safety that such a team does research; ``agi`` is how likely its Engineer is the AGI."""
        by = self._by_team
        if self.ends:
            level = float(self.seen.safety >= self.seen.capability)
            by = (level, level), (level, level)
        value = sum(team[a][b] * by[a][b] for a in (0, 1) for b in (0, 1))
        return value * (1 - agi) if self.seen.capability >= AGI_WINS_AT else value

    @cached_property
    def itself(self) -> float:
        """What it is worth to Safety that the top paper publishes itself."""
        total = sum(self.left)
        values = [n * self.after(kind, taken=1) for kind, n in zip(KINDS, self.left, strict=True)]
        return sum(values) / total if total else self.here

    def refused(self, belief: Belief | None = None) -> float:
        """What it is worth to Safety that the proposal fails: another is made, or the top paper comes out."""
        if self.seen.failed >= FAILURES - 1:
            return self.itself
        risk = 0.05 if not self.seen.failed else 0.25
        return (1 - risk) * self._next(belief) + risk * self.itself

    def _next(self, belief: Belief | None) -> float:
        """What the next Director's proposal will be worth: between what anybody and what the best choice would be."""
        alive, now = self.seen.alive, self.seen.director
        d = next((k for k in alive if k > now), alive[0])
        values = [self.value(d, e, belief) for e in alive if e != d]
        return 0.5 * sum(values) / len(values) + 0.5 * max(values)

    def value(self, d: int, e: int, belief: Belief | None = None) -> float:
        """What a team is worth to Safety as this player sees it, or as somebody with such beliefs would."""
        if belief is None and self.insider:
            return self.elected(self._surely(d, e), self.agi[e])
        believed = self.outsider if belief is None else belief
        return self.elected(believed.team(d, e), believed.agi[e])

    def _surely(self, d: int, e: int) -> Square:
        first, second = self.evil[d], self.evil[e]
        return ((1 - first) * (1 - second), (1 - first) * second), (first * (1 - second), first * second)

    @cached_property
    def cover(self) -> float:
        """What this insider gives up to look honest; the AGI most of all, which has to be elected in the end."""
        return self.strength.cover * (_CLEAN if self.seen.role == "AGI" else 1.0) * self.heeded * self._later

    @cached_property
    def heeded(self) -> float:
        """How much looks matter at this table: nothing where the honest approve of every team anyway."""
        cast = [
            poll.ballots[k] == YES
            for poll in self.seen.polls
            if poll.vote == "team"
            for k in range(self.players)
            if poll.ballots[k] != OPEN and not self.evil[k]
        ]
        return min(1.0, _REFUSALS * (1 + cast.count(False)) / (3 + len(cast)))

    @property
    def _later(self) -> float:
        """How much of the game is left to be believed in: in the last hand nobody has to look honest."""
        if self.seen.rules == "long":
            return 1.0
        return min(1.0, max(0, self.seen.left // HAND) / _HANDS_AHEAD)

    def slip(self) -> float:
        """A small mistake in judging, as large as this player's strength allows."""
        return self.strength.slip * self._die()

    def doubt(self) -> float:
        """The same about a team; there is none about what ends the game."""
        if self.ends:
            return 0.0
        own = self.strength.doubt + EVEN[self.seen.rules][self.players]
        return (self.strength.slip if self.insider else own) * self._die()

    def _die(self) -> float:
        return sum(self.chance.below(1000) for _ in range(3)) / 750 - 2

    @property
    def agi_place(self) -> int:
        """The AGI, to those who know it."""
        return next((k for k, role in self.seen.known.items() if role == "AGI"), NOBODY)


def approves(mind: Mind) -> bool:
    """Whether this player votes for the team that is proposed; where it is all one, so that a won game ends."""
    return _inclined(mind) >= 0


def _inclined(mind: Mind) -> float:
    """How far this player is for the team that is proposed; against it below zero."""
    d, e = mind.seen.director, mind.seen.nominee
    lean = mind.value(d, e, mind.outsider) - mind.refused(mind.outsider) + mind.doubt()
    if d == e and mind.me != d:
        lean -= _ALONE_LATE if mind.seen.capability >= AGI_WINS_AT else _ALONE
    if not mind.insider:
        return lean
    gain = mind.refused() - mind.value(d, e)
    if mind.seen.capability >= AGI_WINS_AT and e == mind.agi_place:
        return 1.0
    if mind.heeded < _WITH_THE_TABLE:
        return 1.0
    if abs(gain) > _DECISIVE:
        return gain
    return gain + 8.0 * mind.cover * lean + mind.slip()
