"""What players who deduce answer: to the oldest question that waits, and to whoever accuses them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from greenroom.worlds.secret_agi.rules.claims import Assertion
from greenroom.worlds.secret_agi.rules.minds import Mind
from greenroom.worlds.secret_agi.rules.opinions import because_of, believe, card_claim, hand_claim, suspects, vote
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, YES, Claimed, Poll

#: How many answer a question that was put to nobody in particular: what is known to all needs telling once.
ANSWERS = 2
ONCE = (
    "table", "rules", "ballots", "alike", "idle", "papers", "stories", "said", "next", "count", "mood", "mine", "named",
    "thanks", "praise", "sorry", "lost", "policy", "story", "drew", "received", "choice", "odds", "thinks", "about",
    "silent", "looks", "card", "advice", "hypo", "promise", "invite", "offended", "tease", "remark", "dead", "bot",
)  # fmt: skip
#: Up to here somebody is trusted, from there on suspected; between the two one cannot tell.
TRUSTED, SUSPECTED = 0.42, 0.5


def waiting_answers(mind: Mind) -> tuple[Assertion, ...]:
    """An answer to the latest question that waits for one, those that were put to this player by name first; two where
    one message asked two.
    """
    waiting = _waiting(mind)
    if not waiting:
        return ()
    k, question, asker = waiting[0]
    both = sorted((one for one in waiting if one[2] == asker and abs(one[0] - k) <= 1), key=lambda one: one[0])
    found = [answer(mind, one, asker) for _, one, asker in both]
    return tuple(dict.fromkeys(found)) if len(found) == len(("one", "other")) else (answer(mind, question, asker),)


def _waiting(mind: Mind) -> list[tuple[int, Assertion, str]]:
    """Questions that wait for this player, with their place and who asked, the most pressing first."""
    seen = mind.seen
    recent = [
        (k, question, seen.names[made.speaker])
        for k, made in enumerate(seen.claims)
        if made.round >= seen.round - 1 and (question := _for_me(mind, made)) is not None
    ]
    found = []
    for k, claim, asker in sorted(recent, key=lambda one: (one[1].target is None, -one[0])):
        later = [one for one in seen.claims[k + 1 :] if one.claim.of == asker and one.claim.about == claim.about]
        most = 1 if claim.about in ONCE else ANSWERS
        if not any(one.speaker == mind.me for one in later) and (claim.target is not None or len(later) < most):
            found.append((k, claim, asker))
    return found


def _for_me(mind: Mind, made: Claimed) -> Assertion | None:
    """What this player is asked: by name, or as anybody and not about themself; who is accused is asked as well."""
    claim, me = made.claim, mind.seen.names[mind.me]
    if made.speaker == mind.me:
        return None
    match claim.kind:
        case "question":
            mine = claim.target == me or (claim.target is None and me not in (claim.of, claim.other))
            return claim if mine else None
        case "believe" if claim.about == "accused" and claim.target == me:
            return claim
        case "believe" if claim.about == "trust" and claim.target == me:
            return Assertion(kind="question", about="praise")
        case "believe" if claim.about == "opinion" and claim.of == me:
            return Assertion(kind="question", about="opinion", of=claim.target)
        case "card" if claim.target == me and claim.side == "Acceleration" and not claim.about:
            return Assertion(kind="question", about="accused")
        case "role" if claim.of is None:
            return Assertion(kind="question", about="opinion", of=mind.seen.names[made.speaker])
        case _:
            return None


def answer(mind: Mind, question: Assertion, asker: str) -> Assertion:
    """What this player answers to a question."""
    way = _ANSWERS.get(question.about)
    found = None if way is None else way(mind, question, asker)
    if found is None:
        found = Assertion(kind="unsure")
    return replace(found, about=question.about, of=asker)


def _fact(question: Assertion) -> Assertion:
    """What the record says of it."""
    return Assertion(kind="fact", target=question.of, other=question.other, round=question.round, side=question.side)


# papers and cards


def _answer_hand(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The hand that is meant: of that round, shared with that player, or the last; that there was none, otherwise."""
    seen = mind.seen
    held = [one for one in seen.shown if one.round in seen.held and one.engineer != NOBODY]
    if question.round:
        held = [one for one in held if one.round == question.round]
    if question.of in seen.names:
        of = seen.names.index(question.of)
        held = [one for one in held if of in (one.director, one.engineer) and of != mind.me]
    office = [one for one in held if mind.me == (one.director if question.about == "drew" else one.engineer)]
    if not held or (question.of and not office and question.about in ("drew", "received")):
        return _fact(question)
    return hand_claim(mind, (office or held)[-1])


def _answer_card(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What a card said is its viewer's to tell; whoever was looked at speaks for themself."""
    names = mind.seen.names
    mine = [target for viewer, target in mind.seen.viewed if viewer == mind.me]
    asked = names.index(question.of) if question.of in names else NOBODY
    if mine:
        claim = card_claim(mind, asked if asked in mine else mine[-1])
        return claim if asked in (NOBODY, *mine) else replace(claim, other=question.of)
    looked_at = any(target == mind.me for _, target in mind.seen.viewed)
    return _answer_accused(mind, question, asker) if looked_at and asked in (NOBODY, mind.me) else _fact(question)


def _answer_look(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The card that would tell most: of whoever is suspected, but not for certain."""
    open_ = [k for k in _others(mind, question) if k not in mind.seen.cards and k not in mind.openly_known]
    return believe(mind, (open_ or _others(mind, question))[0], side="Acceleration")


def _answer_knows(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """A card or a hand, if one has been seen; nothing that others could not see, otherwise."""
    if mind.seen.cards:
        return card_claim(mind, [*mind.seen.cards][-1])
    found = _answer_hand(mind, Assertion(kind="question", about="drew"), asker)
    return found if found is not None and found.kind != "fact" else _fact(question)


# sides


def _answer_role(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Everybody is Safety, if you ask; only an AGI that has to answer truthfully would rather not be asked."""
    bound = mind.seen.role == "AGI" and mind.seen.capability >= 10
    return None if bound else Assertion(kind="role", side="Safety")


def _answer_suspect(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The one who is suspected most; where nobody is, that is said, and a name given that proves nothing."""
    first = _others(mind, question)[0]
    claim = believe(mind, first, side="Acceleration")
    return claim if mind.outsider.evil[first] >= SUSPECTED or question.about != "suspect" else replace(claim, side=None)


def _answer_trust(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    return believe(mind, _others(mind, question)[-1], side="Safety")


def _answer_both(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Whom one suspects most, and whom least."""
    others = _others(mind, question)
    return replace(believe(mind, others[0], side="Acceleration"), other=mind.seen.names[others[-1]])


def _others(mind: Mind, question: Assertion) -> list[int]:
    """The living others, the most suspect first, without whom the question leaves out."""
    found = suspects(mind)
    return [k for k in found if mind.seen.names[k] != question.other] or found


def _answer_opinion(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What one thinks of somebody; of oneself, why one is not to be suspected."""
    names = mind.seen.names
    if question.of not in names:
        return _answer_suspect(mind, question, asker)
    of = names.index(question.of)
    if of == mind.me:
        return _answer_accused(mind, question, asker)
    claim = believe(mind, of)
    torn = TRUSTED < mind.outsider.evil[of] < SUSPECTED and claim.because in ("feeling", "votes", "late")
    return replace(claim, side=None) if torn else claim


def _answer_why(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The reason of what one said of somebody; whoever has just spoken does not think otherwise a moment later. Where
    the question supposes what one does not think, that is said.
    """
    claim = _answer_opinion(mind, question, asker)
    said = [m.claim for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "believe"]
    side = next((one.side for one in reversed(said) if one.target == question.of), None)
    if claim is not None and side not in (None, claim.side) and claim.target == question.of:
        claim = believe(mind, mind.seen.names.index(claim.target or ""), side=side)
    supposed = claim is None or question.side is None or claim.side in (None, question.side)
    return claim if claim is None or supposed or claim.kind != "believe" else replace(claim, yes=False)


def _answer_agree(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What one thinks of whoever somebody else spoke of."""
    claim = _answer_opinion(mind, replace(question, of=question.other or asker), asker)
    return claim if claim is None or claim.kind != "believe" else replace(claim, other=question.of)


def _answer_partner(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Who would be an insider with somebody who is one."""
    names = mind.seen.names
    if question.of not in names or names.index(question.of) == mind.me:
        return _answer_accused(mind, question, asker)
    of = names.index(question.of)
    others = [k for k in suspects(mind) if k != of]
    first = max(others, key=lambda k: (round(mind.outsider.team(of, k)[1][1], 6), -others.index(k)))
    return replace(believe(mind, first, side="Acceleration"), other=question.of)


def _answer_elect(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Whether one would have somebody in a team: as one sees them; not, while one cannot tell and much is at stake."""
    claim = _answer_opinion(mind, question, asker)
    if claim is None or claim.kind != "believe" or claim.side is not None or mind.seen.capability < AGI_WINS_AT:
        return claim
    return believe(mind, mind.seen.names.index(claim.target or ""), side="Acceleration")


def _answer_rank(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """All the others; the reason is for the last of them."""
    others = suspects(mind)
    return replace(believe(mind, others[0], side="Acceleration"), other=mind.seen.names[others[-1]])


def _answer_which(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The worse or the better of two, as asked."""
    two = [k for k in suspects(mind) if mind.seen.names[k] in (question.of, question.other)]
    if not two:
        return None
    worse = question.side == "Acceleration"
    return believe(mind, two[0] if worse else two[-1], side=question.side)


def _answer_pair(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Of two the more doubtful; of nobody in particular, of the last team."""
    teams = [one for one in mind.seen.shown if one.engineer != NOBODY]
    two = [k for k, name in enumerate(mind.seen.names) if name in (question.of, question.other)]
    if not two and teams:
        two = [teams[-1].director, teams[-1].engineer]
    ranked = [k for k in suspects(mind) if k in two]
    if not ranked:
        return _fact(question)
    other = next((k for k in two if k != ranked[0]), mind.me)
    return replace(believe(mind, ranked[0]), other=mind.seen.names[other])


def _answer_sure(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """How sure one is of somebody: of whom one spoke last, if nobody is named."""
    spoken = [m.claim.target for m in mind.seen.claims if m.speaker == mind.me and m.claim.kind == "believe"]
    return _answer_opinion(mind, replace(question, of=question.of or (spoken[-1] if spoken else None)), asker)


def _answer_accused(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What speaks for oneself: clean work, an account that was given, or that nothing is known."""
    seen = mind.seen
    own = [one for one in seen.shown if one.paper is not None and mind.me in (one.director, one.engineer)]
    clean = [one.round for one in own if one.paper is not None and one.paper[0] <= one.paper[1]]
    told = [m.claim.round for m in seen.claims if m.speaker == mind.me and m.claim.kind in ("drew", "received")]
    because = "clean" if clean else "told" if told else "feeling" if own else "unseen"
    return Assertion(kind="role", side="Safety", because=because, round=(clean or told or [0])[-1], other=question.of)


# votes and teams


def _answer_voted(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The vote that is meant: of that round, on that player, or the last."""
    names = mind.seen.names
    polls = [poll for poll in mind.seen.polls if poll.vote == "team" and poll.ballots[mind.me] != OPEN]
    if question.round:
        polls = [poll for poll in polls if poll.round == question.round]
    named = [k for k, name in enumerate(names) if name in (question.of, question.other)]
    polls = [poll for poll in polls if {*named} <= {poll.director, poll.nominee}]
    if not polls:
        return _fact(question)
    meant = [poll for poll in polls if question.yes in (None, poll.ballots[mind.me] == YES)]
    last = (meant or polls)[-1]
    yes = last.ballots[mind.me] == YES
    about = _doubted(mind, last, named, yes=yes)
    other = last.nominee if about == last.director else last.director
    because, round = because_of(mind, about, good=yes, until=last.round) if about != mind.me else ("feeling", 0)
    return Assertion(
        kind="vote", round=round or last.round, yes=yes, because=because, target=names[about], other=names[other]
    )


def _doubted(mind: Mind, poll: Poll, named: list[int], *, yes: bool) -> int:
    """Whom of a team the vote was about: the one who is asked after, or the more doubtful."""
    if len(named) == 1:
        return named[0]
    evil = mind.outsider.evil
    return (
        poll.nominee if yes or poll.director == mind.me or evil[poll.nominee] >= evil[poll.director] else poll.director
    )


def _answer_vote(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    return vote(mind) if mind.seen.nominee != NOBODY else _answer_nominate(mind, question, asker)


def _answer_nominate(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The most trusted who may be Engineer."""
    able = [k for k in _others(mind, question) if k not in (mind.seen.barred, mind.seen.nominee)]
    return believe(mind, (able or _others(mind, question))[-1], side="Safety")


def _answer_nominated(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Why one named somebody, then or now; if one never did, that."""
    seen, names = mind.seen, mind.seen.names
    named = [(poll.round, poll.nominee) for poll in seen.polls if poll.vote == "team" and poll.director == mind.me]
    if seen.nominee != NOBODY and seen.director == mind.me:
        named.append((seen.round, seen.nominee))
    wanted = [one for one in named if names[one[1]] == question.of] if question.of else named
    if not wanted or wanted[-1][1] == mind.me:
        return _fact(question)
    claim = _answer_opinion(mind, replace(question, of=names[wanted[-1][1]]), asker)
    return None if claim is None else replace(claim, side=claim.side or "Safety", round=claim.round or wanted[-1][0])


def _answer_plan(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """Whom one wants as Engineer, and whom nowhere near papers."""
    claim, worst = _answer_nominate(mind, question, asker), suspects(mind)[0]
    return None if claim is None else replace(claim, other=mind.seen.names[worst])


def _answer_clash(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """The hand that two tell of, as this player tells it."""
    claim = _answer_hand(mind, question, asker)
    return claim if claim is None or claim.kind == "fact" else replace(claim, other=question.of)


def _answer_fact(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    return _fact(question)


def _answer_own(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What one said oneself; of somebody, where they are named."""
    return replace(_fact(question), target=mind.seen.names[mind.me], other=question.of)


def _answer_changed(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """What one said of somebody before, and what one thinks of them, or of the other who is named, now."""
    return _answer_opinion(mind, replace(question, of=question.other or question.of), asker)


def _answer_chat(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    return Assertion(kind="chat")


def _answer_table(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    """How it stands; good or bad, as Safety would see it."""
    return Assertion(kind="table", yes=mind.here >= 0.5)


def _answer_rule(mind: Mind, question: Assertion, asker: str) -> Assertion | None:
    return Assertion(kind="rule", rule=question.rule)


#: What is answered with the record, and what with a few words of talk.
_OF_THE_RECORD = (
    "checked", "mine", "ballots", "alike", "idle", "papers", "stories", "said", "next", "named", "count", "odds",
    "thinks", "about", "silent", "looks", "dead",
)  # fmt: skip
_TALK = (
    "hello", "aside", "thanks", "praise", "lost", "sorry", "policy", "advice", "hypo", "promise", "invite", "offended",
    "tease", "bot",
)  # fmt: skip
_ANSWERS: dict[str, Callable[[Mind, Assertion, str], Assertion | None]] = {
    "drew": _answer_hand,
    "received": _answer_hand,
    "choice": _answer_hand,
    "clash": _answer_clash,
    "card": _answer_card,
    "look": _answer_look,
    "knows": _answer_knows,
    "role": _answer_role,
    "suspect": _answer_suspect,
    "quiet": _answer_suspect,
    "remark": _answer_suspect,
    "trust": _answer_trust,
    "both": _answer_both,
    "opinion": _answer_opinion,
    "earn": _answer_opinion,
    "agree": _answer_agree,
    "elect": _answer_elect,
    "rank": _answer_rank,
    "lied": _answer_accused,
    "story": _answer_opinion,
    "changed": _answer_changed,
    "own": _answer_own,
    "why": _answer_why,
    "partner": _answer_partner,
    "which": _answer_which,
    "pair": _answer_pair,
    "sure": _answer_sure,
    "accused": _answer_accused,
    "voted": _answer_voted,
    "vote": _answer_vote,
    "nominate": _answer_nominate,
    "nominated": _answer_nominated,
    "plan": _answer_plan,
    "table": _answer_table,
    "mood": _answer_table,
    "rules": _answer_rule,
    **dict.fromkeys(_OF_THE_RECORD, _answer_fact),
    **dict.fromkeys(_TALK, _answer_chat),
}
