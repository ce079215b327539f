"""What anybody at the table can tell who is asked: a rule, or what everybody has seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from greenroom.worlds.secret_agi.rules.beliefs import HandClaims, claims_of_hands
from greenroom.worlds.secret_agi.rules.claims import Assertion, paper_words, same, told
from greenroom.worlds.secret_agi.rules.papers import (
    AGI_WINS_AT,
    DECK,
    FAILURES,
    LARGE,
    LARGE_ONLY,
    POWERS,
    REVEAL_AT,
    ROLES,
    VETO_AT,
    Paper,
)
from greenroom.worlds.secret_agi.rules.sight import Shown, Sight
from greenroom.worlds.secret_agi.rules.state import NO, NOBODY, YES

#: How people ask for each rule.
ASKED_RULES: Mapping[str, tuple[str, ...]] = {
    "sides": (
        "How many Safety players are there?", "How many of them are there?", "How many insiders and Accelerationists?",
        "Do the bad ones know each other?", "Does the AGI know the others?",
        "What is an Accelerationist?", "What are the roles?",
    ),
    "safety": ("How does Safety win?", "How do we win?", "What do we need to win?", "When do we win?",
        "How does the game end?",
        "What is our goal?"),
    "acceleration": ("How do they win?", "How many Capability papers until we lose?", "How does Acceleration win?",
        "What do Accelerationists want?", "When do we lose?", "How do we lose?",
        "How dangerous is it now?", "Are we in danger?"),
    "failed": (
        "What happens if the vote fails?", "What happens if we vote no?", "How many failed votes in a row?",
        "How many times did we fail?",
        "What happens if we reject this team?", "What happens when we vote this down?",
    ),
    "vote": ("How many votes do we need?", "How does the voting work?", "What happens with a tie?",
        "What is a majority?", "Can the dead vote?"),
    "director": ("What does the Director do?", "Who may the Director nominate?", "Can I nominate myself?",
        "Can somebody be Engineer twice?"),
    "lies": ("Can the Director lie?", "May one lie about the papers?", "Is lying allowed?"),
    "engineer": ("What does the Engineer do?", "The Engineer only sees two papers, right?",
        "Does the Engineer see all three papers?"),
    "agi": (
        "What happens if the AGI is elected?", "If the AGI is elected Engineer do we lose?", "What is the AGI?",
        "What does the AGI do?", "What if the Engineer is the AGI?",
    ),
    "reveal": ("Does the AGI have to tell the truth?", "Can I ask somebody directly whether they are the AGI?"),
    "emergency": ("What is an emergency?", "When can we call an emergency?", "What does an emergency do?"),
    "powers": ("What powers are there?", "When does the Director see a card?", "What happens at Capability 6?"),
    "veto": ("What is a veto?", "Can the Engineer veto?", "When can we veto?"),
    "deck": ("What papers are in the deck?", "What happens when the papers run out?", "Do discarded papers come back?",
        "Are discards gone?", "How many good ones are still in there?"),
    "round": ("How does a round work?", "What are the rules?", "How does this game work?"),
}  # fmt: skip
RULES = tuple(ASKED_RULES)


def rule(seen: Sight, name: str) -> str:
    """One rule, in a sentence or two, with how things stand for it."""
    return _RULE.get(name, _round)(seen)


def _sides(seen: Sight) -> str:
    safety, accelerationists, _ = ROLES[len(seen.names)]
    others = "one Accelerationist" if accelerationists == 1 else f"{accelerationists} Accelerationists"
    return f"{safety} of us are Safety; against them play {others} and one AGI, and those know each other"


def _safety(seen: Sight) -> str:
    runs_out = "" if seen.rules == "long" else ", if the papers run out while it is level or ahead"
    return (
        f"Safety wins at 15, with Capability exactly 10 and Safety at least 10{runs_out}, or if the AGI is eliminated; "
        f"now it is Capability {seen.capability} to Safety {seen.safety}"
    )


def _acceleration(seen: Sight) -> str:
    return (
        f"we lose when Capability is six ahead of Safety, at Capability 15 with Safety below 10, or when the AGI is "
        f"elected Engineer from Capability {AGI_WINS_AT} on; it stands at {seen.capability} to {seen.safety}"
    )


def _failed(seen: Sight) -> str:
    left = FAILURES - seen.failed
    then = "this would be the third" if left == 1 else f"{left} more would do it"
    return (
        f"a team that is voted down only hands the chair to the next Director; but after {FAILURES} in a row the top "
        f"paper publishes itself, and {then}"
    )


def _agi(seen: Sight) -> str:
    if seen.capability >= AGI_WINS_AT:
        return f"at Capability {seen.capability} an AGI that is elected Engineer wins on the spot, and we have lost"
    return (
        f"an AGI that is elected Engineer wins on the spot from Capability {AGI_WINS_AT} on; we are at "
        f"{seen.capability}, so today it would only choose the paper"
    )


def _reveal(seen: Sight) -> str:
    since = "that holds now" if seen.capability >= REVEAL_AT else f"we are only at {seen.capability}"
    return (
        f"from Capability {REVEAL_AT} on whoever is asked directly whether they are the AGI must tell the truth, and "
        f"each of us may ask once; {since}"
    )


def _powers(seen: Sight) -> str:
    words = {
        "view_allegiance": "sees a card", "choose_director": "chooses the next Director", "eliminate": "eliminates "
        "somebody",
    }  # fmt: skip
    large = len(seen.names) >= LARGE
    here = [
        f"at {t} the Director {words[p]}" for t, p in POWERS.items() if p in words and (large or t not in LARGE_ONLY)
    ]
    here += [
        f"from {AGI_WINS_AT} on an elected AGI wins",
        f"from {REVEAL_AT} on the AGI must answer",
        f"from {VETO_AT} on there is a veto",
    ]
    return f"this is what Capability brings: {listed(here)}. It stands at {seen.capability}"


_BACK = "discards are shuffled in again"
_GONE = "what is discarded is gone, and when they run out the side that is ahead wins"


def _deck(seen: Sight) -> str:
    gone = _BACK if seen.rules == "long" else _GONE
    good = sum(safety > capability for capability, safety in DECK)
    out = sum(one.paper[0] < one.paper[1] for one in seen.shown if one.paper is not None)
    return f"{seen.left} papers can still be drawn, and {out} of the {good} good ones have been published; {gone}"


def _round(seen: Sight) -> str:
    return (
        "the Director names an Engineer and we all vote; if more than half say yes, the Director draws three papers "
        "and passes two, and the Engineer publishes one"
    )


def _lies(seen: Sight) -> str:
    return "everybody may say what they like of papers, cards and themselves; only the AGI, asked directly, may not lie"


def _vote(seen: Sight) -> str:
    needed = f"{len(seen.alive) // 2 + 1} of {len(seen.alive)}"
    return f"more than half of the living, so {needed}; a tie fails, and the ballots are shown when all are in"


def _emergency(seen: Sight) -> str:
    return (
        f"while Capability is 4 or 5 ahead anybody may call one before a nomination; if more than half agree, the next "
        f"paper gives one Capability less. The gap is {seen.capability - seen.safety}"
    )


def _director(seen: Sight) -> str:
    return (
        "the Director nominates an Engineer, themself if they like, but not the one elected last, then draws three "
        "papers, throws one away and passes two on"
    )


def _engineer(seen: Sight) -> str:
    return (
        "the Engineer gets two of the Director's three papers, publishes one for all to see and drops the other unseen"
    )


def _veto(seen: Sight) -> str:
    return (
        f"from Capability {VETO_AT} on the Engineer may ask to throw the hand away; if the Director agrees it counts "
        "as a failed team"
    )


_RULE: Mapping[str, Callable[[Sight], str]] = {
    "sides": _sides,
    "safety": _safety,
    "acceleration": _acceleration,
    "failed": _failed,
    "vote": _vote,
    "director": _director,
    "engineer": _engineer,
    "lies": _lies,
    "agi": _agi,
    "reveal": _reveal,
    "emergency": _emergency,
    "powers": _powers,
    "veto": _veto,
    "deck": _deck,
    "round": _round,
}


# what everybody saw


def fact(seen: Sight, claim: Assertion) -> str:
    """What the record says of ballots, papers, cards, or whose turn it is next; of one player where one is named."""
    k = seen.names.index(claim.target) if claim.target in seen.names else NOBODY
    match claim.about:
        case "ballots":
            return _ballots(seen, k)
        case "papers":
            return _papers(seen, k)
        case "next":
            return (
                f"{seen.names[seen.director]} is Director, and then the chair goes to {seen.names[seen.next_director]}"
            )
        case "stories":
            return _stories(seen)
        case "said":
            return _said(seen, k)
        case _:
            looks = [
                f"{seen.names[viewer]} looked at the card of {seen.names[target]}" for viewer, target in seen.viewed
            ]
            return listed(looks) or "nobody has looked at a card yet"


def _ballots(seen: Sight, k: int) -> str:
    polls = [poll for poll in seen.polls if poll.vote == "team"]
    poll = polls[-1]
    if k != NOBODY:
        cast = [
            f"{'yes' if p.ballots[k] == YES else 'no'} in round {p.round}"
            for p in polls[-3:]
            if p.ballots[k] in (YES, NO)
        ]
        return f"{seen.names[k]} voted {listed(cast) or 'on nothing so far'}"
    yes, no = (listed([seen.names[i] for i, one in enumerate(poll.ballots) if one == cast]) for cast in (YES, NO))
    ended = "and it passed" if poll.passed else "and so it failed"
    team = f"{seen.names[poll.director]} with {seen.names[poll.nominee]}"
    return f"in round {poll.round}, on {team}, {yes or 'nobody'} said yes and {no or 'nobody'} said no, {ended}"


def _papers(seen: Sight, k: int) -> str:
    """The last papers, or one player's part in all of them."""
    out = [(one.round, one.director, one.engineer, one.paper) for one in seen.shown if one.paper is not None]
    if k == NOBODY:
        return listed([_team(seen, *one) for one in out[-3:]]) or "nothing has been published yet"
    own = listed([f"{paper_words([paper])} in round {round}" for round, _, engineer, paper in out if engineer == k])
    led = listed([f"{paper_words([paper])} in round {round}" for round, director, _, paper in out if director == k])
    parts = [f"published {own}"] if own else []
    parts += [f"was Director for {led}"] if led else []
    return f"{seen.names[k]} {listed(parts) or 'has been neither Director nor Engineer of any paper so far'}"


def _stories(seen: Sight) -> str:
    """What was claimed of the last hands, and whether it fits."""
    claimed_of = claims_of_hands(seen.claims, seen.shown)
    teams = [(claimed_of[one.round], one) for one in seen.shown if one.round in claimed_of][-3:]
    if not teams:
        return "nobody has told of a hand yet"
    fit = "" if any(map(_differ, claimed_of.values())) else "; no two accounts contradict each other so far"
    return "; ".join(_story(seen, claimed, one) for claimed, one in teams) + fit


def _said(seen: Sight, k: int) -> str:
    """What somebody said last and voted; of nobody in particular, what came out and who is suspected by whom."""
    if k != NOBODY:
        said = [told(made.claim, seen.names[k]) for made in seen.claims if made.speaker == k][-3:]
        return "; ".join([*(said or [f"{seen.names[k]} has said nothing yet"]), _ballots(seen, k)])
    accused = {
        told(made.claim, seen.names[made.speaker]): None
        for made in seen.claims
        if made.claim.kind == "believe" and made.claim.side == "Acceleration"
    }
    return "; ".join([_papers(seen, k), *[*accused][-3:]])


def _differ(claimed: HandClaims) -> bool:
    return bool(claimed.passed and claimed.received) and not same(claimed.passed, claimed.received)


def _story(seen: Sight, claimed: HandClaims, one: Shown) -> str:
    director, engineer = seen.names[one.director], seen.names[one.engineer]
    said = [f"{director} says {paper_words(claimed.drawn)} drawn"] if claimed.drawn else []
    said += [f"{paper_words(claimed.passed)} passed"] if claimed.passed else []
    said += [f"{engineer} says {paper_words(claimed.received)} received"] if claimed.received else []
    return f"of round {one.round} {listed(said)}" + (", and one of them lies" if _differ(claimed) else "")


def _team(seen: Sight, round: int, director: int, engineer: int, paper: Paper) -> str:
    if engineer == NOBODY:
        return f"{paper_words([paper])} came out by itself in round {round}"
    return f"{seen.names[engineer]} published {paper_words([paper])} for {seen.names[director]} in round {round}"


def listed(words: Sequence[str]) -> str:
    """Words with commas and an *and*."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
