"""What players who deduce answer: to the oldest question that waits, and to whoever accuses them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from greenroom.worlds.secret_agi.rules.claims import Assertion
from greenroom.worlds.secret_agi.rules.minds import Mind
from greenroom.worlds.secret_agi.rules.opinions import because_of, believe, card_claim, hand_claim, suspects, vote
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, YES, Claimed

#: How many answer a question that was put to nobody in particular: what is known to all needs telling once.
ANSWERS, ONCE = 2, ("table", "rules", "ballots", "papers", "stories", "said", "next")


def waiting_answer(mind: Mind) -> Assertion | None:
    """An answer to the latest question that waits for one, those that were put to this player by name first."""
    seen = mind.seen
    recent = [
        (k, question, seen.names[made.speaker])
        for k, made in enumerate(seen.claims)
        if made.round >= seen.round - 1 and (question := _for_me(mind, made)) is not None
    ]
    for k, claim, asker in sorted(recent, key=lambda one: (one[1].target is None, -one[0])):
        later = [one for one in seen.claims[k + 1 :] if one.claim.of == asker and one.claim.about == claim.about]
        most = 1 if claim.about in ONCE else ANSWERS
        if not any(one.speaker == mind.me for one in later) and (claim.target is not None or len(later) < most):
            return answer(mind, claim, asker)
    return None


def _for_me(mind: Mind, made: Claimed) -> Assertion | None:
    """What this player is asked: by name, or as anybody and not about themself; who is accused is asked as well."""
    claim, me = made.claim, mind.seen.names[mind.me]
    if made.speaker == mind.me:
        return None
    match claim.kind:
        case "question":
            mine = claim.target == me or (claim.target is None and me not in (claim.of, claim.other))
            return claim if mine else None
        case "believe":
            return claim if claim.about == "accused" and claim.target == me else None
        case "role" if claim.of is None:
            return Assertion(kind="question", about="opinion", of=mind.seen.names[made.speaker])
        case _:
            return None


def answer(mind: Mind, question: Assertion, asker: str) -> Assertion:
    """What this player answers to a question."""
    found = _ANSWERS[question.about](mind, question) if question.about in _ANSWERS else None
    if found is None:
        found = Assertion(kind="unsure")
    return replace(found, about=question.about, of=asker)


def _answer_hand(mind: Mind, question: Assertion) -> Assertion | None:
    """Whoever held the last hand tells of it; whoever was its Engineer, of what they received."""
    rounds = [one for one in mind.seen.shown if one.round in mind.seen.held and one.engineer != NOBODY]
    wanted = [one for one in rounds if mind.me == (one.director if question.about == "drew" else one.engineer)]
    last = (wanted or rounds)[-1] if wanted or rounds else None
    return None if last is None else hand_claim(mind, last)


def _answer_card(mind: Mind, question: Assertion) -> Assertion | None:
    """What a card said is its viewer's to tell; whoever was looked at speaks for themself."""
    mine = [target for viewer, target in mind.seen.viewed if viewer == mind.me]
    if mine:
        return card_claim(mind, mine[-1])
    looked_at = any(target == mind.me for _, target in mind.seen.viewed)
    return _answer_accused(mind, question) if looked_at else Assertion(kind="fact")


def _answer_role(mind: Mind, question: Assertion) -> Assertion | None:
    """Everybody is Safety, if you ask; only an AGI that has to answer truthfully would rather not be asked."""
    bound = mind.seen.role == "AGI" and mind.seen.capability >= 10
    return None if bound else Assertion(kind="role", side="Safety")


def _answer_suspect(mind: Mind, question: Assertion) -> Assertion | None:
    """The one who is suspected most; where nobody is, that is said, and a name given that proves nothing."""
    first = _others(mind, question)[0]
    claim = believe(mind, first, side="Acceleration")
    return claim if mind.outsider.evil[first] >= 0.5 else replace(claim, side=None)


def _answer_trust(mind: Mind, question: Assertion) -> Assertion | None:
    return believe(mind, _others(mind, question)[-1], side="Safety")


def _others(mind: Mind, question: Assertion) -> list[int]:
    """The living others, the most suspect first, without whom the question leaves out."""
    found = suspects(mind)
    return [k for k in found if mind.seen.names[k] != question.other] or found


def _answer_opinion(mind: Mind, question: Assertion) -> Assertion | None:
    names = mind.seen.names
    if question.of not in names or names.index(question.of) == mind.me:
        return _answer_suspect(mind, question)
    of = names.index(question.of)
    proposed = mind.me == mind.seen.director and of == mind.seen.nominee
    return believe(mind, of, side="Safety" if proposed else None)


def _answer_why(mind: Mind, question: Assertion) -> Assertion | None:
    """The reason of what one said of somebody; whoever has just spoken does not think otherwise a moment later."""
    claim = _answer_opinion(mind, question)
    said = [m.claim for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "believe"]
    side = next((one.side for one in reversed(said) if one.target == question.of), None)
    if claim is None or side is None or claim.side == side or claim.target != question.of:
        return claim
    return believe(mind, mind.seen.names.index(claim.target or ""), side=side)


def _answer_which(mind: Mind, question: Assertion) -> Assertion | None:
    """The worse or the better of two, as asked."""
    two = [k for k in suspects(mind) if mind.seen.names[k] in (question.of, question.other)]
    if not two:
        return None
    worse = question.side == "Acceleration"
    return believe(mind, two[0] if worse else two[-1], side=question.side)


def _answer_sure(mind: Mind, question: Assertion) -> Assertion | None:
    """How sure one is of somebody: of whom one spoke last, if nobody is named."""
    spoken = [m.claim.target for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "believe"]
    named = question.of or (spoken[-1] if spoken else None)
    return _answer_opinion(mind, replace(question, of=named))


def _answer_accused(mind: Mind, question: Assertion) -> Assertion | None:
    """What speaks for oneself: clean work, an account that was given, or that nothing is known."""
    seen = mind.seen
    own = [one for one in seen.shown if one.paper is not None and mind.me in (one.director, one.engineer)]
    clean = [one.round for one in own if one.paper is not None and one.paper[0] <= one.paper[1]]
    told = [m.claim.round for m in seen.claims if m.speaker == mind.me and m.claim.kind in ("drew", "received")]
    because = "clean" if clean else "told" if told else "feeling" if own else "unseen"
    return Assertion(kind="role", side="Safety", because=because, round=(clean or told or [0])[-1])


def _answer_voted(mind: Mind, question: Assertion) -> Assertion | None:
    polls = [poll for poll in mind.seen.polls if poll.vote == "team" and poll.ballots[mind.me] != OPEN]
    if not polls:
        return None
    yes = polls[-1].ballots[mind.me] == YES
    because, round = because_of(mind, polls[-1].nominee, good=yes)
    return Assertion(kind="vote", round=round or polls[-1].round, yes=yes, because=because)


def _answer_vote(mind: Mind, question: Assertion) -> Assertion | None:
    return vote(mind) if mind.seen.nominee != NOBODY else _answer_trust(mind, question)


_ANSWERS: dict[str, Callable[[Mind, Assertion], Assertion | None]] = {
    "drew": _answer_hand,
    "received": _answer_hand,
    "card": _answer_card,
    "role": _answer_role,
    "suspect": _answer_suspect,
    "trust": _answer_trust,
    "opinion": _answer_opinion,
    "why": _answer_why,
    "voted": _answer_voted,
    "vote": _answer_vote,
    "nominate": _answer_trust,
    "table": lambda mind, question: Assertion(kind="table"),
    "which": _answer_which,
    "sure": _answer_sure,
    "accused": _answer_accused,
    "ballots": lambda mind, question: Assertion(kind="fact", target=question.of),
    "papers": lambda mind, question: Assertion(kind="fact", target=question.of),
    "said": lambda mind, question: Assertion(kind="fact", target=question.of),
    "stories": lambda mind, question: Assertion(kind="fact"),
    "next": lambda mind, question: Assertion(kind="fact"),
    "rules": lambda mind, question: Assertion(kind="rule", rule=question.rule),
    "hello": lambda mind, question: Assertion(kind="chat"),
    "aside": lambda mind, question: Assertion(kind="chat"),
}
