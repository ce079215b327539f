"""What players who deduce say: which claim to make, true or not, which question to ask, which to answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.answering import waiting_answers
from greenroom.worlds.secret_agi.rules.beliefs import HandClaims, claims_of_hands
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic, paper_words
from greenroom.worlds.secret_agi.rules.content import Voices
from greenroom.worlds.secret_agi.rules.explaining import fact, lead, listed, rule
from greenroom.worlds.secret_agi.rules.minds import Mind
from greenroom.worlds.secret_agi.rules.odds import rank
from greenroom.worlds.secret_agi.rules.opinions import believe, card_claim, hand_claim, suspects, vote
from greenroom.worlds.secret_agi.rules.papers import DECK, Paper
from greenroom.worlds.secret_agi.rules.sight import Shown
from greenroom.worlds.secret_agi.rules.state import NOBODY, Claimed
from greenroom.worlds.secret_agi.rules.voices import capital, manner, said

#: From here on somebody is named as a suspect, up to here as trusted.
SUSPECT, TRUSTED = 0.6, 0.3
#: How likely somebody must be the AGI to be asked directly.
WORTH_ASKING = 0.12


def speech(mind: Mind, able: Sequence[c.Action]) -> c.Action:
    """What this player says next, still without words; it says nothing rather than repeat itself."""
    if (asked := _direct(mind, able)) is not None:
        return asked
    claims = waiting_answers(mind) or [claim for claim in (wanted(mind),) if claim is not None]
    if not claims:
        return c.Observe()
    return c.SendChatMessage(text=Words(), claim=claims[0], also=claims[1] if len(claims) > 1 else None)


def aloud(voices: Voices, mind: Mind, message: c.SendChatMessage) -> c.SendChatMessage:
    """The same in this player's words; what does not fit into one message beside the last claim is left out."""
    claims = [claim for claim in (message.claim, message.also) if claim is not None]
    texts = [worded(voices, mind, claim) for claim in claims]
    if len(" ".join(texts)) > c.MESSAGE.most:
        return c.SendChatMessage(text=Words(texts[-1]), claim=claims[-1])
    return replace(message, text=Words(" ".join(texts)))


def _direct(mind: Mind, able: Sequence[c.Action]) -> c.Action | None:
    """Ask somebody directly whether they are the AGI; insiders have no use for the answer."""
    asks = {mind.seen.names.index(a.target_id): a for a in able if isinstance(a, c.AskDirectly)}
    if not asks or mind.insider or not mind.strength.heeds.claims:
        return None
    best = max(asks, key=lambda k: (round(mind.agi[k], 6), -k))
    return asks[best] if WORTH_ASKING <= mind.agi[best] < 1.0 else None


def wanted(mind: Mind) -> Assertion | None:
    """What there is to say: answers first, then what one held and saw, then what one thinks and wants to know."""
    for way in (_answer, _hand, _card, _on_team, _suspicion, _inquiry, _praise):
        if (claim := way(mind)) is not None:
            return claim
    return None


def _answer(mind: Mind) -> Assertion | None:
    return next(iter(waiting_answers(mind)), None)


def worded(voices: Voices, mind: Mind, claim: Assertion) -> str:
    """A claim as this player says it."""
    made = [one for one in mind.seen.claims if one.claim.kind == claim.kind]
    turn = sum(one.speaker == mind.me for one in made) + mind.salt % 7 + mind.me
    before = lead(mind.seen, claim)
    voice, words = manner(voices, mind.salt, mind.me), _words(voices, mind, claim)
    text = said(voices, claim, voice=voice, turn=turn, heard=len(made) + mind.salt % 7, words=words)
    return f"{capital(before)}. {text}" if before else text


def _words(voices: Voices, mind: Mind, claim: Assertion) -> dict[str, str]:
    seen = mind.seen
    paper = next((one.paper for one in seen.shown if one.round == claim.round and one.paper), None)
    return {
        "round": str(claim.round or seen.round),
        "paper": "paper" if paper is None else f"{paper[0]}/{paper[1]}",
        "now": str(seen.round),
        "capability": str(seen.capability),
        "safety": str(seen.safety),
        "left": str(seen.left),
        "told": _told(voices, mind, claim),
        "degree": _degree(mind, claim),
        "dropped": paper_words(_dropped(claim)),
        "choice": _choice(claim, paper),
        "team": _team(mind, claim),
        "chances": f"{min(9, max(1, round(10 * mind.here)))} in ten" if claim.about == "mood" else "",
        "ranked": listed([seen.names[k] for k in reversed(suspects(mind))]) if claim.about == "rank" else "",
    }


def _told(voices: Voices, mind: Mind, claim: Assertion) -> str:
    """What is told of the rules or of the record."""
    match claim.kind:
        case "rule":
            return rule(voices, mind.seen, claim.rule)
        case "fact":
            return fact(mind.seen, claim)
        case _:
            return ""


def _dropped(claim: Assertion) -> list[Paper]:
    """What of a hand was thrown away, as its Director tells it."""
    left = list(claim.papers)
    for paper in claim.passed:
        if paper in left:
            left.remove(paper)
    return left


def _choice(claim: Assertion, paper: Paper | None) -> str:
    """Why a paper came out or two were passed on, as it follows from what is told of the hand."""
    ranks = sorted(map(rank, claim.papers))
    if not ranks or ranks[0] == ranks[-1]:
        return "one was like the other, so there was nothing to choose"
    chosen = rank(paper) if claim.kind == "received" and paper is not None else rank([*_dropped(claim), DECK[0]][0])
    if claim.kind == "received":
        return "the other one was worse" if chosen == ranks[0] else "it was the wrong one of the two, and I regret it"
    if chosen == ranks[-1]:
        return "the worst of the three is what I threw away"
    return "I passed a good one beside a bad one, to see what the Engineer makes of it" if chosen == ranks[1] else (
        "I kept back the best, and I regret it"
    )  # fmt: skip


def _team(mind: Mind, claim: Assertion) -> str:
    """A team that was voted on, as it is spoken of to whoever asked."""
    called = {claim.of: "you", mind.seen.names[mind.me]: "me"}
    first, second = (called.get(name, name or "nobody") for name in (claim.other, claim.target))
    return f"{first} alone" if first == second else f"{first} with {second}"


#: How sure somebody is, by how likely they take it to be.
_DEGREES = (
    (0.9, "nine in ten, as good as certain"),
    (0.7, "seven or eight in ten, fairly sure"),
    (0.55, "six in ten, more sure than not"),
    (0.0, "five in ten, not sure at all"),
)


def _degree(mind: Mind, claim: Assertion) -> str:
    if claim.about != "sure" or claim.target not in mind.seen.names:
        return ""
    evil = mind.outsider.evil[mind.seen.names.index(claim.target)]
    likely = evil if claim.side == "Acceleration" else 1 - evil
    return next(words for least, words in _DEGREES if likely >= least)


# hands and cards


def _hand(mind: Mind) -> Assertion | None:
    """Tell of the last hand one held, once."""
    for one in reversed(mind.seen.shown):
        if one.paper is not None and one.round in mind.seen.held and one.engineer != NOBODY:
            told = [m for m in mind.seen.claims if m.speaker == mind.me and m.claim.round == one.round]
            hand = any(made.claim.kind in ("drew", "received") for made in told)
            return None if hand else hand_claim(mind, one)
    return None


def _card(mind: Mind) -> Assertion | None:
    """Tell of a card one looked at, once."""
    names = mind.seen.names
    for viewer, target in mind.seen.viewed:
        if viewer == mind.me and target in mind.seen.alive:
            told = [m for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "card"]
            if all(made.claim.target != names[target] for made in told):
                return card_claim(mind, target)
    return None


# opinions


def _said_before(mind: Mind, claim: Assertion) -> bool:
    """Whether this player said the same of the same one already."""
    return any(
        made.speaker == mind.me and made.claim.kind == claim.kind and made.claim.target == claim.target
        and made.claim.side == claim.side and made.claim.because == claim.because
        for made in mind.seen.claims
    )  # fmt: skip


def _suspicion(mind: Mind) -> Assertion | None:
    if mind.seen.talk != "pre_nomination" or not mind.seen.shown:
        return None
    suspect = suspects(mind)[0]
    likely = mind.outsider.evil[suspect]
    claim = believe(mind, suspect, side="Acceleration")
    return None if likely < SUSPECT or _said_before(mind, claim) else claim


def _praise(mind: Mind) -> Assertion | None:
    """A word for somebody, now and then; before anything was published, a guess."""
    if mind.seen.talk != "pre_nomination" or mind.chance.below(3):
        return None
    trusted = suspects(mind)[-1]
    claim = believe(mind, trusted, side="Safety")
    return None if (mind.outsider.evil[trusted] > TRUSTED and mind.seen.shown) or _said_before(mind, claim) else claim


def _on_team(mind: Mind) -> Assertion | None:
    """For or against the team that is proposed; not everybody has to say so."""
    if mind.seen.talk != "pre_vote" or mind.me in (mind.seen.director, mind.seen.nominee) or mind.chance.below(5) < 3:
        return None
    said_so = any(
        m.speaker == mind.me and m.claim.kind == "vote" and m.round == mind.seen.round for m in mind.seen.claims
    )
    return None if said_so else vote(mind)


# questions


def _inquiry(mind: Mind) -> Assertion | None:
    """Ask those who owe the table an answer; nobody is asked two things at once."""
    for target, about in _open_questions(mind):
        name = mind.seen.names[target]
        asked = [made for made in mind.seen.claims if made.round == mind.seen.round and made.claim.kind == "question"]
        if not any(made.claim.target == name for made in asked):
            return Assertion(kind="question", target=name, about=about)
    return None


def _open_questions(mind: Mind) -> list[tuple[int, Topic]]:
    seen = mind.seen
    found: list[tuple[int, Topic]] = []
    last: Shown | None = seen.shown[-1] if seen.shown else None
    if last is not None and last.engineer != NOBODY and last.paper is not None:
        told = claims_of_hands(seen.claims, seen.shown).get(last.round, HandClaims())
        bad = last.paper[0] > last.paper[1]
        if bad and not told.passed:
            found.append((last.director, "drew"))
        if bad and not told.received:
            found.append((last.engineer, "received"))
    if seen.viewed and not any(
        made.claim.kind == "card" and made.speaker == seen.viewed[-1][0] for made in seen.claims
    ):
        found.append((seen.viewed[-1][0], "card"))
    quiet = _quiet(mind)
    if quiet != NOBODY and not mind.chance.below(4):
        found.append((quiet, "suspect"))
    return [(target, about) for target, about in found if target != mind.me and target in seen.alive]


def _quiet(mind: Mind) -> int:
    """Somebody who has said nothing of others so far."""
    spoke = {made.speaker for made in mind.seen.claims if _opines(made)}
    return next((k for k in mind.seen.alive if k != mind.me and k not in spoke), NOBODY) if mind.seen.shown else NOBODY


def _opines(made: Claimed) -> bool:
    return made.claim.kind in ("believe", "vote", "card")


__all__ = ["aloud", "speech", "wanted", "worded"]
