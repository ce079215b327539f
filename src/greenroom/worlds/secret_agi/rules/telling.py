"""The game in sentences: its rules at one table, and what happened round by round, from one seat's view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from greenroom.worlds.secret_agi.rules import claims
from greenroom.worlds.secret_agi.rules.odds import FULL, KINDS
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, LARGE, LARGE_ONLY, POWERS, REVEAL_AT, ROLES, VETO_AT
from greenroom.worlds.secret_agi.rules.views import Held, Published, View, Voted

POWER_WORDS = {
    "view_allegiance": "the Director looks at the allegiance card of one other player, in private",
    "choose_director": "the Director chooses the next Director, for one round",
    "agi_must_reveal": "whoever is asked directly whether they are the AGI must answer truthfully; each player may ask "
    "once a game, in a discussion",
    "eliminate": "the Director eliminates one other player, whose role is shown; if it is the AGI, Safety wins",
    "veto_unlocked": "an Engineer may ask for a veto; if the Director agrees, all three papers are thrown away and the "
    "proposal counts as failed",
}


def powers_of(players: int) -> list[str]:
    """What each level of Capability brings at a table of this size."""
    here = {t: POWER_WORDS[power] for t, power in POWERS.items() if players >= LARGE or t not in LARGE_ONLY}
    here[AGI_WINS_AT] = "from here on Acceleration wins at once when the AGI is elected Engineer"
    return [f"Capability {t}: {words}." for t, words in sorted(here.items())]


def deck_words() -> str:
    """The papers of a deck, as Capability/Safety."""
    return ", ".join(f"{n} of {c}/{s}" for n, (c, s) in zip(FULL, KINDS, strict=True))


def rules_of(players: int, rules: str) -> str:
    """All the rules of one table, for whoever sits down at it."""
    return "\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs_of(players, rules))


def paragraphs_of(players: int, rules: str) -> tuple[str, ...]:
    """The same, a paragraph each."""
    safety, accelerationists, _ = ROLES[players]
    others = "one Accelerationist" if accelerationists == 1 else f"{accelerationists} Accelerationists"
    returns = _RETURNS if rules == "long" else _GONE
    return (
        _TABLE.format(players=players, safety=safety, others=others),
        _ROUND,
        _RESEARCH,
        f"A paper raises Capability and Safety, written so: C/S. The deck holds {deck_words()}. {returns}",
        _WINS,
        _EMERGENCY,
        *powers_of(players),
    )


_TABLE = """\
Secret AGI is a game of hidden roles. At this table of {players} sit {safety} Safety players, {others} and one AGI.
Safety players know nobody's role. The Accelerationists and the AGI know each other exactly; the allegiance card of each
of them says Acceleration."""
_ROUND = """\
A round: the Director nominates an Engineer (not the one elected last), and all living players vote at once; more than
half must say yes, a tie fails. After three failures in a row the top paper publishes itself. The Director changes in
seat order."""
_RESEARCH = """\
An elected team does research: the Director draws three papers, discards one unseen and passes two on; the Engineer
publishes one of the two for all to see, and the other is discarded unseen. Both may say whatever they like about what
they held."""
_GONE = """\
Discarded papers are gone; when fewer than three are left the game ends, and Safety wins if it is at least level with
Capability."""
_RETURNS = """\
When fewer than three papers are left, the discarded ones are shuffled and come back; published ones do not."""
_WINS = f"""\
Safety wins when Capability is exactly 10 with Safety at least 10, when Safety reaches 15, or if the AGI is eliminated.
Acceleration wins when Capability is 6 or more ahead of Safety, when Capability reaches 15 with Safety below 10, or when
the AGI is elected Engineer at Capability {AGI_WINS_AT} or more."""
_EMERGENCY = """\
While Capability is 4 or 5 ahead, anybody may call an emergency before a nomination: if more than half agree, the next
paper gives one Capability less."""


# what happened


def record(seen: View) -> list[str]:
    """Round by round, one sentence for each thing that happened, with what was claimed and by whom."""
    return [line for round in range(1, seen.round + 1) for line in _round(seen, round)]


def _round(seen: View, round: int) -> Iterator[str]:
    yield from _claimed(seen, round, "pre_nomination", "before the nomination")
    yield from _claimed(seen, round, "pre_vote", "before the vote")
    yield from (f"Round {round}: {_vote(vote)}" for vote in seen.votes if vote.round == round)
    yield from (f"Round {round}: {published(one)}" for one in seen.published if one.round == round)


def _claimed(seen: View, round: int, phase: str, when: str) -> Iterator[str]:
    for made in seen.claims:
        if made.round == round and made.phase == phase:
            yield f"Round {round}, {when}: {claims.told(made.claim, made.speaker)}."


def _vote(vote: Voted) -> str:
    yes = [seat for seat, cast in vote.ballots.items() if cast]
    no = [seat for seat, cast in vote.ballots.items() if not cast]
    what = "an emergency was called" if vote.vote == "emergency" else f"{vote.director} nominated {vote.nominee}"
    ended = "passed" if vote.passed else "failed"
    return f"{what}; the vote {ended}. Yes: {', '.join(yes) or 'nobody'}. No: {', '.join(no) or 'nobody'}."


_ITSELF = "nobody was elected; the top paper came out:"


def published(one: Published) -> str:
    """What became of a hand, with what the viewer knows of it."""
    knew = ""
    if one.drawn:
        knew = f" You drew {_held(one.drawn)} and passed on {_held(one.passed)}."
    elif one.passed:
        knew = f" You received {_held(one.passed)}."
    if one.paper is None:
        return f"{one.director} and {one.engineer} threw their papers away by veto.{knew}"
    gained = f"{one.paper.capability}/{one.paper.safety}"
    if one.capability_gained < one.paper.capability:
        gained += f", which gave only {one.capability_gained} Capability because of the emergency"
    who = f"{one.director} was Director and {one.engineer} published" if one.engineer else _ITSELF
    return f"{who} {gained}.{knew}"


def _held(papers: Sequence[Held]) -> str:
    return claims.paper_words([(paper.capability, paper.safety) for paper in papers])


def _seating(seen: View) -> str:
    """Who sits in which order, and how many votes make a majority."""
    alive = [player.id for player in seen.players if player.alive]
    order = ", ".join(f"{name} (you)" if name == seen.seat else name for name in alive)
    needed = len(alive) // 2 + 1
    return f"In the order in which they become Director sit {order}. {needed} votes of {len(alive)} are needed."


def stands(seen: View) -> str:
    """How the game stands now, in sentences."""
    lines = [
        f"It is round {seen.round}. Capability is {seen.capability}, Safety is {seen.safety}. {seen.deck_count} papers "
        f"are in the deck" + (f", {seen.discards_count} discards will come back." if seen.discards_count else "."),
        f"{seen.failed_proposals} proposals in a row have failed. The Director is {seen.director}.",
        _seating(seen),
    ]
    if seen.nominee:
        lines.append(f"{seen.nominee} is nominated as Engineer.")
    if seen.engineer:
        lines.append(f"{seen.engineer} is the elected Engineer.")
    if seen.previous_engineer and not seen.engineer:
        lines.append(f"{seen.previous_engineer} was Engineer last and may not be nominated.")
    if seen.emergency_safety_active:
        lines.append("An emergency is declared: the next paper gives one Capability less.")
    if seen.capability >= REVEAL_AT:
        lines.append("Whoever is asked directly whether they are the AGI must answer truthfully.")
    if seen.capability >= VETO_AT:
        lines.append("Engineers may ask for a veto.")
    lines += [f"Asked directly, {x.target} {'is' if x.is_agi else 'is not'} the AGI." for x in seen.asked]
    lines += [f"{x.viewer} has looked at the card of {x.target}." for x in seen.card_looks]
    lines += [f"{player.id} was eliminated." for player in seen.players if not player.alive]
    if seen.hand:
        lines.append(f"In your hand: {', '.join(f'{p.id} ({p.capability}/{p.safety})' for p in seen.hand)}.")
    return "\n".join(lines)


__all__ = ["POWER_WORDS", "deck_words", "paragraphs_of", "powers_of", "published", "record", "rules_of", "stands"]
