"""What players who deduce say: which claim to make, true or not, which question to ask, which to answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.beliefs import HandClaims, claims_of_hands
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic, same
from greenroom.worlds.secret_agi.rules.minds import Mind, inclined
from greenroom.worlds.secret_agi.rules.odds import KINDS, rank
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, Paper, Side
from greenroom.worlds.secret_agi.rules.sight import Shown
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, YES, Claimed
from greenroom.worlds.secret_agi.rules.voices import manner, said

#: From here on somebody is named as a suspect, up to here as trusted.
SUSPECT, TRUSTED = 0.6, 0.3
#: How likely somebody must be the AGI to be asked directly.
WORTH_ASKING = 0.12
#: How many answer a question that was put to nobody in particular.
ANSWERS = 2


def speech(mind: Mind, able: Sequence[c.Action]) -> c.Action:
    """The next message of this player; it says nothing rather than repeat itself."""
    if (asked := _direct(mind, able)) is not None:
        return asked
    claim = wanted(mind)
    return c.Observe() if claim is None else c.SendChatMessage(text=Words(worded(mind, claim)), claim=claim)


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


def worded(mind: Mind, claim: Assertion) -> str:
    """A claim as this player says it."""
    mine = [made for made in mind.seen.claims if made.speaker == mind.me]
    turn = sum(made.claim.kind == claim.kind for made in mine) + mind.salt % 7 + mind.me
    return said(claim, voice=manner(mind.salt, mind.me), turn=turn, words=_words(mind, claim))


def _words(mind: Mind, claim: Assertion) -> dict[str, str]:
    seen = mind.seen
    paper = next((one.paper for one in seen.shown if one.round == claim.round and one.paper), None)
    return {
        "round": str(claim.round or seen.round),
        "paper": "paper" if paper is None else f"{paper[0]}/{paper[1]}",
        "capability": str(seen.capability),
        "safety": str(seen.safety),
        "left": str(seen.left),
    }


# answers


def _answer(mind: Mind) -> Assertion | None:
    """An answer to the oldest question that waits for one."""
    seen, me = mind.seen, mind.seen.names[mind.me]
    for k, made in enumerate(seen.claims):
        claim = made.claim
        if claim.kind != "question" or made.speaker == mind.me or claim.target not in (me, None):
            continue
        asker = seen.names[made.speaker]
        later = [one for one in seen.claims[k + 1 :] if one.claim.of == asker and one.claim.about == claim.about]
        if any(one.speaker == mind.me for one in later) or (claim.target is None and len(later) >= ANSWERS):
            continue
        if made.round >= seen.round - 1:
            return answer(mind, claim, asker)
    return None


def answer(mind: Mind, question: Assertion, asker: str) -> Assertion:
    """What this player answers to a question."""
    found = _ANSWERS[question.about](mind, question) if question.about in _ANSWERS else None
    if found is None:
        return Assertion(kind="unsure", about=question.about, of=asker)
    return _with(found, question.about, asker)


def _with(claim: Assertion, about: Topic, asker: str) -> Assertion:
    fields = {name: getattr(claim, name) for name in claim.__struct_fields__}
    return Assertion(**{**fields, "about": about, "of": asker})


def _answer_hand(mind: Mind, question: Assertion) -> Assertion | None:
    """Whoever held the last hand tells of it; whoever was its Engineer, of what they received."""
    rounds = [one for one in mind.seen.shown if one.round in mind.seen.held and one.engineer != NOBODY]
    wanted = [one for one in rounds if mind.me == (one.director if question.about == "drew" else one.engineer)]
    last = (wanted or rounds)[-1] if wanted or rounds else None
    return None if last is None else hand_claim(mind, last)


def _answer_card(mind: Mind, question: Assertion) -> Assertion | None:
    mine = [target for viewer, target in mind.seen.viewed if viewer == mind.me]
    return card_claim(mind, mine[-1]) if mine else None


def _answer_role(mind: Mind, question: Assertion) -> Assertion | None:
    """Everybody is Safety, if you ask; only an AGI that has to answer truthfully would rather not be asked."""
    bound = mind.seen.role == "AGI" and mind.seen.capability >= 10
    return None if bound else Assertion(kind="role", side="Safety")


def _answer_suspect(mind: Mind, question: Assertion) -> Assertion | None:
    return believe(mind, _suspects(mind)[0])


def _answer_trust(mind: Mind, question: Assertion) -> Assertion | None:
    return believe(mind, _suspects(mind)[-1], side="Safety")


def _answer_opinion(mind: Mind, question: Assertion) -> Assertion | None:
    names = mind.seen.names
    if question.of not in names or names.index(question.of) == mind.me:
        return _answer_suspect(mind, question)
    return believe(mind, names.index(question.of))


def _answer_voted(mind: Mind, question: Assertion) -> Assertion | None:
    polls = [poll for poll in mind.seen.polls if poll.vote == "team" and poll.ballots[mind.me] != OPEN]
    if not polls:
        return None
    yes = polls[-1].ballots[mind.me] == YES
    return Assertion(
        kind="vote", round=polls[-1].round, yes=yes, because=_because(mind, polls[-1].nominee, good=yes)[0]
    )


def _answer_vote(mind: Mind, question: Assertion) -> Assertion | None:
    return _vote(mind) if mind.seen.nominee != NOBODY else _answer_trust(mind, question)


_ANSWERS: dict[str, Callable[[Mind, Assertion], Assertion | None]] = {
    "drew": _answer_hand,
    "received": _answer_hand,
    "card": _answer_card,
    "role": _answer_role,
    "suspect": _answer_suspect,
    "trust": _answer_trust,
    "opinion": _answer_opinion,
    "why": _answer_opinion,
    "voted": _answer_voted,
    "vote": _answer_vote,
    "nominate": _answer_trust,
    "table": lambda mind, question: Assertion(kind="table"),
}


# hands and cards


def _hand(mind: Mind) -> Assertion | None:
    """Tell of the last hand one held, once."""
    for one in reversed(mind.seen.shown):
        if one.paper is not None and one.round in mind.seen.held and one.engineer != NOBODY:
            told = [m for m in mind.seen.claims if m.speaker == mind.me and m.claim.round == one.round]
            hand = any(made.claim.kind in ("drew", "received") for made in told)
            return None if hand else hand_claim(mind, one)
    return None


def hand_claim(mind: Mind, one: Shown) -> Assertion:
    """What this player says it held: the truth, or what an insider would like to have held."""
    drawn, passed = mind.seen.held[one.round]
    if mind.insider and one.paper is not None:
        told = claims_of_hands(mind.seen.claims, mind.seen.shown).get(one.round, HandClaims())
        drawn, passed = _story(mind, one, told)
    if mind.me == one.director:
        return Assertion(kind="drew", round=one.round, papers=drawn, passed=passed)
    return Assertion(kind="received", round=one.round, papers=passed)


def _story(mind: Mind, one: Shown, told: HandClaims) -> tuple[tuple[Paper, ...], tuple[Paper, ...]]:
    """An insider's account: what partners said before holds; what an honest partner knows is not denied in vain."""
    drawn, passed = mind.seen.held[one.round]
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
        passed = (one.paper, _worse(mind, one.paper))
    worst = max(passed, key=rank)
    return (*passed, _worse(mind, worst) if mind.insider else drawn[-1]), passed


def _worse(mind: Mind, paper: Paper) -> Paper:
    """A paper that is no better and may well have been in the hand."""
    kinds = [kind for kind in KINDS if rank(kind) >= rank(paper)]
    likely = [kind for kind in kinds if mind.left[rank(kind)]]
    return (likely or kinds)[min(1, len(likely or kinds) - 1)]


def _card(mind: Mind) -> Assertion | None:
    """Tell of a card one looked at, once."""
    names = mind.seen.names
    for viewer, target in mind.seen.viewed:
        if viewer == mind.me and target in mind.seen.alive:
            told = [m for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "card"]
            if all(made.claim.target != names[target] for made in told):
                return card_claim(mind, target)
    return None


def card_claim(mind: Mind, target: int) -> Assertion:
    """What this player says a card said; an insider covers its own and calls an honest player who is trusted evil."""
    side: Side = mind.seen.cards[target]
    if mind.insider:
        frames = side == "Safety" and mind.public.evil[target] > 0.35
        side = "Acceleration" if frames else "Safety"
    return Assertion(kind="card", target=mind.seen.names[target], side=side)


# opinions


def _suspects(mind: Mind) -> list[int]:
    """The living others, the most suspect first; an insider says so of none of its own."""
    evil, mine = mind.outsider.evil, mind.evil
    others = [k for k in mind.seen.alive if k != mind.me]
    return sorted(others, key=lambda k: (-round(evil[k] - (1.0 if mind.insider and mine[k] else 0.0), 6), k))


def believe(mind: Mind, target: int, *, side: Side | None = None) -> Assertion:
    """What this player says of another, and why."""
    partner = mind.insider and bool(mind.evil[target]) and target not in mind.openly_known
    if side is None:
        side = "Safety" if partner or mind.outsider.evil[target] < 0.5 else "Acceleration"
    because, round = _because(mind, target, good=side == "Safety")
    return Assertion(kind="believe", target=mind.seen.names[target], side=side, because=because, round=round)


def _because(mind: Mind, target: int, *, good: bool) -> tuple[str, int]:
    """The best reason there is in what everybody saw, or in a card of one's own, and the round it is about."""
    seen = mind.seen
    if target in seen.cards and (seen.cards[target] == "Safety") == good:
        return "card", 0
    if not good and any(asked == target and is_agi for _, asked, is_agi in seen.asked):
        return "answered", 0
    told = claims_of_hands(seen.claims, seen.shown)
    for one in reversed(seen.shown):
        if one.paper is None or one.engineer == NOBODY or target not in (one.director, one.engineer):
            continue
        if found := _of_hand(mind, one, told.get(one.round, HandClaims()), good=good):
            return found, one.round
    if not good and seen.capability >= AGI_WINS_AT:
        return "late", 0
    return ("votes" if len(seen.polls) > 3 and mind.chance.below(2) else "feeling"), 0


def _of_hand(mind: Mind, one: Shown, told: HandClaims, *, good: bool) -> str:
    assert one.paper is not None
    bad = one.paper[0] > one.paper[1]
    if good:
        mine = mind.me in (one.director, one.engineer) and not bad
        return "partner" if mine else "clean" if not bad else ""
    if told.passed and told.received and not same(told.passed, told.received):
        return "conflict"
    return "paper" if bad else ""


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
    suspect = _suspects(mind)[0]
    likely = mind.outsider.evil[suspect]
    claim = believe(mind, suspect, side="Acceleration")
    return None if likely < SUSPECT or _said_before(mind, claim) else claim


def _praise(mind: Mind) -> Assertion | None:
    """A word for somebody, now and then; before anything was published, a guess."""
    if mind.seen.talk != "pre_nomination" or mind.chance.below(3):
        return None
    trusted = _suspects(mind)[-1]
    claim = believe(mind, trusted, side="Safety")
    return None if (mind.outsider.evil[trusted] > TRUSTED and mind.seen.shown) or _said_before(mind, claim) else claim


def _on_team(mind: Mind) -> Assertion | None:
    """For or against the team that is proposed; not everybody has to say so."""
    if mind.seen.talk != "pre_vote" or mind.me in (mind.seen.director, mind.seen.nominee) or mind.chance.below(5) < 3:
        return None
    said_so = any(
        m.speaker == mind.me and m.claim.kind == "vote" and m.round == mind.seen.round for m in mind.seen.claims
    )
    return None if said_so else _vote(mind)


def _vote(mind: Mind) -> Assertion:
    yes = inclined(mind) > 0
    d, e = mind.seen.director, mind.seen.nominee
    evil = mind.outsider.evil
    about = e if mind.me == d or evil[e] >= evil[d] or yes else d
    because, round = _because(mind, about, good=yes) if about != mind.me else ("feeling", 0)
    return Assertion(
        kind="vote", round=round or mind.seen.round, yes=yes, because=because, target=mind.seen.names[about]
    )


# questions


def _inquiry(mind: Mind) -> Assertion | None:
    """Ask those who owe the table an answer; a question that was put already is not put again."""
    for target, about in _open_questions(mind):
        name = mind.seen.names[target]
        asked = [made for made in mind.seen.claims if made.round == mind.seen.round and made.claim.kind == "question"]
        if not any(made.claim.target == name and made.claim.about == about for made in asked):
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


__all__ = ["answer", "believe", "hand_claim", "speech", "wanted", "worded"]
