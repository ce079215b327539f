"""Players that need no model: one that plays at random, one that bluffs and deduces by rules.

Both decide from their own seat's view and the actions open to them, and from nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.content import Voices
from greenroom.worlds.secret_agi.rules.views import UNKNOWN, Held, Published, View, Voted

#: One random player in so many calls an emergency when it could.
CALLS_ONE_IN = 4

Actions = Sequence[c.Action]


def random_action(voices: Voices, able: Actions, chance: Chance) -> c.Action:
    """Any action with equal chance; where it could speak, one of a few phrases."""
    action = able[0] if len(able) == 1 else chance.choose(able)
    if isinstance(action, c.SendChatMessage):
        return c.SendChatMessage(text=Words(chance.choose(voices.small_talk)))
    return action


def fallback_action(able: Actions, chance: Chance) -> c.Action:
    """For a seat that did not decide: never burns the emergency call or a veto, and says nothing."""
    spared = [action for action in able if not isinstance(action, c.CallEmergencySafety | c.DeclareVeto)]
    if not spared or any(isinstance(action, c.SendChatMessage) for action in spared):
        return c.Observe()
    return chance.choose(spared)


def random_call(chance: Chance) -> bool:
    return chance.below(CALLS_ONE_IN) == 0


# the heuristic player


@dataclass(frozen=True, slots=True)
class Hunch:
    """What a player makes of what it sees."""

    seen: View
    #: Players of its own side as far as it knows; for Safety only itself and cleared ones.
    friends: frozenset[Seat]
    foes: frozenset[Seat]
    #: How much each living player looks like Acceleration.
    suspicion: dict[Seat, float]
    chance: Chance

    @property
    def me(self) -> Seat:
        return self.seen.seat

    @property
    def safe(self) -> bool:
        return self.seen.role == "Safety"

    @property
    def gap(self) -> int:
        return self.seen.capability - self.seen.safety

    def least(self, among: Sequence[Seat]) -> Seat:
        return min(among, key=lambda seat: (self.suspicion.get(seat, 0.0), self.chance.below(1 << 16)))

    def most(self, among: Sequence[Seat]) -> Seat:
        return max(among, key=lambda seat: (self.suspicion.get(seat, 0.0), self.chance.below(1 << 16)))


def think(seen: View, chance: Chance) -> Hunch:
    """Put together what this seat knows and what it may guess."""
    insider = seen.role != "Safety"
    foe_side = "Safety" if insider else "Acceleration"
    friends = frozenset(p.id for p in seen.players if p.allegiance not in (foe_side, UNKNOWN))
    foes = frozenset(p.id for p in seen.players if p.allegiance == foe_side)
    return Hunch(seen, friends, foes, _suspicion(seen), chance)


def _suspicion(seen: View) -> dict[Seat, float]:
    """Worse papers, worse choices and votes for bad teams make a player suspect; a card settles it."""
    found: defaultdict[Seat, float] = defaultdict(float)
    cards = {"Safety": -20.0, "Acceleration": 20.0}
    for blame in (
        *(_blame(seen, record) for record in seen.published),
        *(_blame_voters(seen, poll) for poll in seen.votes),
        {player.id: cards.get(player.allegiance, 0.0) for player in seen.players},
    ):
        for seat, weight in blame.items():
            found[seat] += weight
    found[seen.seat] = -30.0
    return {player.id: found[player.id] for player in seen.players if player.alive}


def _blame_voters(seen: View, poll: Voted) -> dict[Seat, float]:
    if poll.vote == "emergency":
        return {seat: 0.7 for seat, yes in poll.ballots.items() if not yes}
    harm = _harm_of(seen, poll.round) if poll.passed else 0
    return {seat: 0.15 * harm for seat, yes in poll.ballots.items() if yes}


def _harm_of(seen: View, round: int) -> int:
    return next((_harm(r.paper) for r in seen.published if r.round == round and r.engineer and r.paper), 0)


def _harm(paper: Held) -> int:
    return paper.capability - paper.safety


def _blame(seen: View, record: Published) -> dict[Seat, float]:
    if record.engineer is None or record.paper is None:
        return {}
    harm = _harm(record.paper)
    if len(record.passed) == 2 and record.director == seen.seat:
        other = next(paper for paper in record.passed if paper.id != record.paper.id)
        return {record.engineer: 2.5 * (harm - _harm(other))}
    if len(record.passed) == 2:
        best = min(map(_harm, record.passed))
        return {record.director: 0.8 * best}
    return {record.engineer: 0.8 * harm, record.director: 0.5 * harm}


# decisions


def heuristic_action(voices: Voices, seen: View, able: Actions, chance: Chance) -> c.Action:
    """What a sensible player would do here."""
    mind = think(seen, chance)
    return _speak(voices, mind) if isinstance(able[-1], c.SendChatMessage) else _DECISIONS[type(able[-1])](mind, able)


def heuristic_call(seen: View, chance: Chance) -> bool:
    """Safety calls; Acceleration would rather not, and never at once."""
    return seen.role == "Safety"


def _nominate(mind: Hunch, able: Actions) -> c.Action:
    names = [action.target_id for action in able if isinstance(action, c.Nominate)]
    if mind.safe:
        return c.Nominate(target_id=mind.least(names))
    return c.Nominate(target_id=_partner(mind, names))


def _partner(mind: Hunch, names: Sequence[Seat]) -> Seat:
    """The AGI once that wins; before, a partner who is not too plain, else whom Safety would take."""
    agi = next(p.id for p in mind.seen.players if p.role == "AGI")
    if mind.seen.capability >= 8 and agi in names:
        return agi
    friends = [name for name in names if name in mind.friends]
    return mind.least(friends or list(names))


def _vote_team(mind: Hunch, able: Actions) -> c.Action:
    return c.VoteTeam(vote=_approves(mind))


def _approves(mind: Hunch) -> bool:
    seen = mind.seen
    director, nominee = str(seen.director), str(seen.nominee)
    if not mind.safe:
        return _conspires(mind, director, nominee)
    if nominee == mind.me:
        return True
    doubt = mind.suspicion.get(nominee, 0.0) + 0.6 * max(mind.suspicion.get(director, 0.0), -2.0)
    patience = 1.6 if seen.failed_proposals < 2 else 3.0
    if seen.capability >= 8:
        patience -= 1.5
    return doubt <= patience


def _conspires(mind: Hunch, director: Seat, nominee: Seat) -> bool:
    if mind.seen.capability >= 8 and any(p.id == nominee and p.role == "AGI" for p in mind.seen.players):
        return True
    if nominee in mind.friends:
        return True
    if director in mind.friends:
        return mind.gap >= 0
    # Two strangers to the plot: go with the table, so that a refusal does not stand out.
    return mind.seen.failed_proposals < 2 and mind.seen.capability < 5


def _worth(mind: Hunch, paper: Held) -> float:
    """What publishing a paper is worth to this player's side."""
    gained = max(0, paper.capability - mind.seen.emergency_safety_active)
    reached, safety = mind.seen.capability + gained, mind.seen.safety + paper.safety
    if (reached >= 15 and safety < 10) or reached - safety >= 6:
        value = -100.0
    elif (reached == 10 and safety >= 10) or safety >= 15:
        value = 100.0
    else:
        value = float(paper.safety - gained) - (0.6 * gained if reached >= 8 else 0.0)
    return value if mind.safe else -value


def _discard(mind: Hunch, able: Actions) -> c.Action:
    """Keep what helps; an insider with a stranger for an Engineer leaves them no good choice."""
    worst = min(mind.seen.hand, key=lambda paper: _worth(mind, paper))
    return c.DiscardPaper(paper_id=worst.id)


def _publish(mind: Hunch, able: Actions) -> c.Action:
    worth = {paper.id: _worth(mind, paper) for paper in mind.seen.hand}
    best = max(worth, key=lambda id: worth[id])
    if c.DeclareVeto() in able and worth[best] <= -100.0:
        return c.DeclareVeto()
    return c.PublishPaper(paper_id=_disguised(mind, worth) or best)


def _disguised(mind: Hunch, worth: dict[str, float]) -> str | None:
    """Early, an insider gives up a little to look honest: the Director who is no friend has seen both papers."""
    honest, other = sorted(worth, key=lambda id: worth[id])
    watched = mind.seen.director not in mind.friends
    early = mind.seen.capability < 4 and mind.gap < 3
    if mind.safe or not watched or not early or worth[other] - worth[honest] > 2:
        return None
    return honest if mind.chance.below(2) else None


def _respond(mind: Hunch, able: Actions) -> c.Action:
    """Agree if the three papers would be worse than none."""
    kept = mind.seen.hand
    hopeless = all(_worth(mind, paper) <= -100.0 for paper in kept) if kept else mind.safe == (mind.gap >= 3)
    return c.RespondVeto(agree=hopeless)


def _use_power(mind: Hunch, able: Actions) -> c.Action:
    uses = [action for action in able if isinstance(action, c.UsePower)]
    names, kind = [action.target_id for action in uses], uses[0].power_type
    target = mind.me
    match kind:
        case "view_allegiance":
            unknown = [name for name in names if name not in mind.friends | mind.foes]
            target = mind.most(unknown or names)
        case "choose_director":
            friends = [name for name in names if name in mind.friends]
            if not mind.safe:
                target = mind.least([name for name in friends if name != mind.me] or names)
        case "eliminate":
            others = [name for name in names if name not in mind.friends]
            target = mind.most(others or names) if mind.safe else mind.least(others or names)
    return c.UsePower(target_id=target, power_type=kind)


def _emergency(mind: Hunch, able: Actions) -> c.Action:
    """Acceleration refuses, unless the vote is watched early and costs little."""
    return c.VoteEmergency(vote=mind.safe or (mind.gap == 4 and mind.chance.below(4) == 0))


def _speak(voices: Voices, mind: Hunch) -> c.Action:
    """Say whom one would trust; an insider names an honest player as the suspect."""
    others = [p.id for p in mind.seen.players if p.alive and p.id != mind.me]
    honest = [name for name in others if name not in mind.friends]
    suspect = mind.most(others) if mind.safe else mind.least(honest or others)
    trusted = mind.least(others) if mind.safe else mind.least([n for n in others if n in mind.friends] or others)
    return c.SendChatMessage(text=Words(_opinion(voices, mind, trusted, suspect)))


def _opinion(voices: Voices, mind: Hunch, trusted: Seat, suspect: Seat) -> str:
    """A line about the last paper, or about how late it is, naming whom the speaker would."""
    seen = mind.seen
    last = seen.published[-1] if seen.published else None
    return mind.chance.choose(voices.remarks[_after(seen, last)]).format(
        trusted=trusted,
        suspect=suspect,
        engineer=(last.engineer if last is not None else None) or trusted,
        director=last.director if last is not None else suspect,
        capability=seen.capability,
        safety=seen.safety,
    )


def _after(seen: View, last: Published | None) -> str:
    """What is talked about: how late it is, or what the last paper was."""
    if last is None:
        return "early"
    if seen.capability >= 8 or seen.capability - seen.safety >= 4:
        return "late"
    if last.engineer is None:
        return "itself"
    return "bad" if last.capability_gained > last.safety_gained else "good"


_DECISIONS: dict[type[Any], Callable[[Hunch, Actions], c.Action]] = {
    c.Nominate: _nominate,
    c.VoteTeam: _vote_team,
    c.VoteEmergency: _emergency,
    c.DiscardPaper: _discard,
    c.PublishPaper: _publish,
    c.DeclareVeto: _publish,
    c.RespondVeto: _respond,
    c.UsePower: _use_power,
}
