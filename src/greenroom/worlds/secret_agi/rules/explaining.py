"""What anybody at the table can tell who is asked: a rule, or what everybody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import comb

from msgspec.structs import replace

from greenroom.worlds.secret_agi.rules.beliefs import HandClaims, claims_of_hands
from greenroom.worlds.secret_agi.rules.claims import Assertion, paper_words, same, told
from greenroom.worlds.secret_agi.rules.content import Voices
from greenroom.worlds.secret_agi.rules.papers import (
    AGI_WINS_AT,
    DECK,
    FAILURES,
    HAND,
    LARGE,
    LARGE_ONLY,
    LOST_AT,
    POWERS,
    REVEAL_AT,
    ROLES,
    VETO_AT,
    Paper,
)
from greenroom.worlds.secret_agi.rules.sight import Shown, Sight
from greenroom.worlds.secret_agi.rules.state import NO, NOBODY, YES, Claimed, Poll

#: The rules that can be asked for; their words are in the content.
RULES = (
    "sides", "safety", "acceleration", "failed", "vote", "director", "engineer", "lies", "agi", "reveal", "emergency",
    "powers", "veto", "deck", "peek", "round", "ahead", "paper", "card",
)  # fmt: skip
#: What holds from a level of Capability on, and is told otherwise before.
_SINCE = {"agi": AGI_WINS_AT, "reveal": REVEAL_AT, "veto": VETO_AT}


def rule(voices: Voices, seen: Sight, name: str) -> str:
    """One rule, in a sentence or two, with how things stand for it."""
    then = seen.capability + max(capability for capability, _ in DECK) - seen.emergency
    apart = {
        "failed": seen.failed == FAILURES - 1,
        "ahead": then - seen.safety >= LOST_AT,
        **{rule: seen.capability >= since for rule, since in _SINCE.items()},
    }
    lines = voices.rules
    line = lines.get(f"{name} {seen.rules}") or lines[f"{name} now" if apart.get(name) else name or "round"]
    safeties, accelerationists, _ = ROLES[len(seen.names)]
    return line.format(
        safeties=safeties,
        others="one Accelerationist" if accelerationists == 1 else f"{accelerationists} Accelerationists",
        capability=seen.capability,
        safety=seen.safety,
        gap=seen.capability - seen.safety,
        then=then,
        ahead=then - seen.safety,
        more=FAILURES - seen.failed,
        needed=len(seen.alive) // 2 + 1,
        alive=len(seen.alive),
        barred="" if seen.barred == NOBODY else f", so not {_whom(seen, seen.barred)} now",
        brings=listed(_brings(len(seen.names))),
        left=seen.left,
        good=sum(safety > capability for capability, safety in DECK),
        out=sum(one.paper[0] < one.paper[1] for one in seen.shown if one.paper is not None),
    )


def _brings(players: int) -> list[str]:
    """What Capability brings at a table of this size, in a few words each."""
    words = {
        "view_allegiance": "at {} the Director sees a card",
        "choose_director": "at {} the Director chooses the next one",
        "eliminate": "at {} the Director eliminates somebody",
        "agi_must_reveal": "from {} on the AGI must answer",
        "veto_unlocked": "from {} on there is a veto",
    }
    here = {t: words[power] for t, power in POWERS.items() if players >= LARGE or t not in LARGE_ONLY}
    here[AGI_WINS_AT] = "from {} on an elected AGI wins"
    return [what.format(t) for t, what in sorted(here.items())]


# what everybody saw


def fact(seen: Sight, claim: Assertion) -> str:
    """What the record says of what was asked; of one player or two where they are named."""
    return _FACTS.get(claim.about, _cards)(seen, _Of(seen, claim))


class _Of:
    """Whom and which round a fact is about."""

    def __init__(self, seen: Sight, claim: Assertion) -> None:
        self.k = seen.names.index(claim.target) if claim.target in seen.names else NOBODY
        self.other = seen.names.index(claim.other) if claim.other in seen.names else NOBODY
        self.asker = seen.names.index(claim.of) if claim.of in seen.names else NOBODY
        self.round = claim.round
        self.about = claim.about
        self.side = claim.side


def lead(seen: Sight, claim: Assertion) -> str:
    """What an answer says of the record before it says what is thought of it."""
    k = seen.names.index(claim.target) if claim.target in seen.names else NOBODY
    if claim.kind == "believe" and claim.about == "story" and k != NOBODY:
        return _hand_of_asker(seen, k) if claim.of == claim.target else _accounts(seen, k)
    if claim.kind == "believe" and claim.about == "changed" and k != NOBODY:
        return _changed(seen, k)
    if claim.kind == "believe" and claim.about == "agree" and claim.other in seen.names and claim.other != claim.of:
        return _thinks(seen, _Of(seen, replace(claim, target=claim.other, other=claim.target)))
    if claim.kind == "believe" and claim.yes is False:
        whom = "you" if claim.target == claim.of else claim.target
        return f"I do not {'suspect' if claim.side == 'Safety' else 'speak for'} {whom}"
    if claim.kind == "card" and claim.other:
        return f"it was {claim.target} I looked at, not {claim.other}"
    if claim.kind in ("drew", "received") and claim.about == "clash":
        return _clash(seen, claim)
    if claim.kind == "role" and claim.other and claim.other != claim.of:
        return _accused_by(seen, claim.other)
    return ""


def _own(seen: Sight, made: Claimed) -> str:
    """A claim of one's own, as one tells of it."""
    text = told(made.claim, "I")
    for verb, mine in (("I trusts", "I trusted"), ("I suspects", "I suspected"), ("I has", "I had")):
        text = text.replace(verb, mine)
    return text


def _told_by(seen: Sight, made: Claimed) -> str:
    return _own(seen, made) if made.speaker == seen.me else told(made.claim, seen.names[made.speaker])


def _accounts(seen: Sight, k: int) -> str:
    """What somebody said of papers and cards; of anything, if of neither."""
    mine = [made for made in seen.claims if made.speaker == k and made.claim.kind not in ("question", "chat")]
    hard = [made for made in mine if made.claim.kind in ("drew", "received", "card")]
    said = [_told_by(seen, made) for made in (hard[-2:] or mine[-1:])]
    told_of = claims_of_hands(seen.claims, seen.shown)
    mine_too = [one.round for one in seen.shown if k in (one.director, one.engineer)]
    doubtful = [round for round in mine_too if _differ(told_of.get(round, HandClaims()))]
    against = f", and of round {doubtful[-1]} the other one of the team says otherwise" if doubtful else ""
    return (listed(said) or f"{seen.names[k]} has claimed nothing so far") + against


def _hand_of_asker(seen: Sight, k: int) -> str:
    """The last hand that whoever asks can be speaking of, and what the other of the team says of it."""
    shared = [
        one for one in seen.shown
        if one.paper is not None and k in (one.director, one.engineer) and one.engineer not in (NOBODY, one.director)
    ]  # fmt: skip
    if not shared:
        return "you have held no papers with anybody so far"
    one = shared[-1]
    told_of = claims_of_hands(seen.claims, seen.shown).get(one.round, HandClaims())
    directed = one.director == k
    other, theirs = (one.engineer, told_of.received) if directed else (one.director, told_of.passed)
    name, paper = _name(seen, other), paper_words([one.paper or DECK[0]])
    came = f"{name} published {paper} for you" if directed else f"you published {paper} for {name}"
    word, held = "received" if directed else "passed on", paper_words(theirs)
    if other == seen.me:
        heard = f", and what I {word} was {held}" if theirs else ""
    else:
        heard = f", and {name} says {held} were {word}" if theirs else f", and {name} has not said what was {word}"
    return f"in round {one.round} {came}{heard}"


def _changed(seen: Sight, k: int) -> str:
    spoken = [
        made for made in seen.claims
        if made.speaker == seen.me and made.claim.target == seen.names[k] and made.claim.kind == "believe"
    ]  # fmt: skip
    return listed([f"in round {made.round} {_own(seen, made)}" for made in spoken[-2:]]) or (
        f"I have said nothing of {seen.names[k]} before"
    )


def _clash(seen: Sight, claim: Assertion) -> str:
    claimed = claims_of_hands(seen.claims, seen.shown).get(claim.round, HandClaims())
    theirs = claimed.received if claim.kind == "drew" else claimed.passed
    if not theirs:
        return f"of round {claim.round} I have heard nothing from {claim.other}"
    mine = claim.passed if claim.kind == "drew" else claim.papers
    word = "received" if claim.kind == "drew" else "passed on"
    fits = "and that is what I say, too" if same(mine, theirs) else "and that is not true"
    return f"of round {claim.round} {claim.other} says {paper_words(theirs)} were {word}, {fits}"


def _accused_by(seen: Sight, name: str) -> str:
    me = seen.names[seen.me]
    heard = any(
        seen.names[made.speaker] == name and made.claim.target == me and made.claim.side == "Acceleration"
        for made in seen.claims
    )
    return "" if heard else f"I have not heard {name} accuse me"


def _cards(seen: Sight, of: _Of) -> str:
    """Who looked at whose card, and what they said of it."""
    looks = [one for one in seen.viewed if of.k in (NOBODY, *one)]
    mine = "" if of.about != "card" or seen.cards else "I have looked at no card myself; "
    told_ = [f"{_name(seen, viewer)} looked at {_whose(seen, target)} card{_called(seen, viewer, target)}"
             for viewer, target in looks]  # fmt: skip
    if not told_ and of.k != NOBODY:
        return f"I have looked at no card, and nobody has looked at that of {seen.names[of.k]}"
    return mine + listed(told_) if told_ else "nobody has looked at a card yet"


def _name(seen: Sight, k: int) -> str:
    return "I" if k == seen.me else seen.names[k]


def _whom(seen: Sight, k: int) -> str:
    return "me" if k == seen.me else seen.names[k]


def _whose(seen: Sight, k: int) -> str:
    return "my" if k == seen.me else f"{seen.names[k]}'s"


def _called(seen: Sight, viewer: int, target: int) -> str:
    sides = [
        made.claim.side for made in seen.claims
        if made.speaker == viewer and made.claim.kind == "card" and made.claim.target == seen.names[target]
    ]  # fmt: skip
    if viewer == seen.me:
        return f" and say it reads {sides[-1]}" if sides else ""
    return f" and says it reads {sides[-1]}" if sides else " and has not said what it reads"


def _checked(seen: Sight, of: _Of) -> str:
    looks = [viewer for viewer, target in seen.viewed if target == seen.me]
    who = listed([f"{seen.names[viewer]} looked at my card{_called(seen, viewer, seen.me)}" for viewer in looks])
    return f"{who or 'nobody has looked at my card so far'}; whoever wants to look is welcome, it says Safety"


def _knows(seen: Sight, of: _Of) -> str:
    return "I have seen no card and held no papers, so I know no more than what all of you saw"


def _next(seen: Sight, of: _Of) -> str:
    if of.k in seen.alive:
        after = next((k for k in sorted(seen.alive) if k > of.k), min(seen.alive))
        return f"after {_name(seen, of.k)} the chair goes to {_other_name(seen, after, of.k)}"
    proposed = "" if seen.nominee == NOBODY else f" and named {_other_name(seen, seen.nominee, seen.director)}"
    chair = "I am" if seen.director == seen.me else f"{seen.names[seen.director]} is"
    return f"{chair} Director{proposed}, and then the chair goes to {_whom(seen, seen.next_director)}"


def _teams(seen: Sight, of: _Of) -> list[Poll]:
    polls = [poll for poll in seen.polls if poll.vote == "team"]
    return [poll for poll in polls if poll.round == of.round] or polls if of.round else polls


def _ballots(seen: Sight, of: _Of) -> str:
    polls = _teams(seen, of)
    if not polls:
        return "nobody has voted on a team yet"
    if of.other != NOBODY:
        polls = [poll for poll in polls if of.other in (poll.director, poll.nominee)]
    if of.k != NOBODY:
        cast = [
            f"{_cast(p, of.k)} in round {p.round} on {_pair(seen, p)}"
            for p in polls[-3:]
            if p.ballots[of.k] in (YES, NO)
        ]
        ayes, noes = (sum(poll.ballots[of.k] == one for poll in polls) for one in (YES, NO))
        if not cast:
            on = f" a team with {seen.names[of.other]}" if of.other != NOBODY else " nothing"
            return f"{_name(seen, of.k)} voted on{on} {'never' if of.other != NOBODY else 'so far'}"
        return f"{_name(seen, of.k)} voted yes {ayes} and no {noes} times, lastly {listed(cast)}"
    poll = polls[-1]
    yes, no = (listed([seen.names[i] for i, one in enumerate(poll.ballots) if one == cast]) for cast in (YES, NO))
    ended = "and it passed" if poll.passed else "and so it failed"
    said = f"{yes or 'nobody'} said yes and {no or 'nobody'} said no"
    return f"in round {poll.round}, on {_pair(seen, poll)}, {said}, {ended}"


def _cast(poll: Poll, k: int) -> str:
    return "yes" if poll.ballots[k] == YES else "no"


def _pair(seen: Sight, poll: Poll) -> str:
    if poll.director == poll.nominee:
        return f"{_whom(seen, poll.director)} alone"
    return f"{_whom(seen, poll.director)} with {_whom(seen, poll.nominee)}"


def _alike(seen: Sight, of: _Of) -> str:
    k, other, polls = of.k, of.other, _teams(seen, of)
    if k == NOBODY:
        return _ballots(seen, of)
    if other == NOBODY:
        return _with(seen, k, polls)
    both = [poll for poll in polls if poll.ballots[k] in (YES, NO) and poll.ballots[other] in (YES, NO)]
    apart = [str(poll.round) for poll in both if poll.ballots[k] != poll.ballots[other]]
    rest = f"and differently in {'round' if len(apart) == 1 else 'rounds'} {listed(apart)}" if apart else "every time"
    same_ = len(both) - len(apart)
    return f"{_name(seen, k)} and {_name(seen, other)} voted the same way {same_} of {len(both)} times, {rest}"


def _with(seen: Sight, k: int, polls: Sequence[Poll]) -> str:
    """Whose votes were most like somebody's, and whose least."""
    cast = [poll.ballots for poll in polls if poll.ballots[k] in (YES, NO)]
    same_ = {i: sum(one[i] == one[k] for one in cast) for i in seen.alive if i != k}
    most, least = (pick(same_, key=lambda i: (same_[i], -i)) for pick in (max, min))
    return (
        f"{_name(seen, most)} voted like {_whom(seen, k)} {same_[most]} of {len(cast)} times, {_name(seen, least)} "
        f"only {same_[least]}"
    )


def _voted(seen: Sight, of: _Of) -> str:
    """That there was no such vote."""
    if of.k == NOBODY:
        return f"I cast no vote in round {of.round}" if of.round else "I have not voted on a team yet"
    return f"I have not voted on a team with {seen.names[of.k]}" + (
        f" and {seen.names[of.other]}" if of.other != NOBODY else " so far"
    )


def _mine(seen: Sight, of: _Of) -> str:
    """The votes of whoever asks that turned out wrong."""
    papers = {one.round: one.paper for one in seen.shown if one.paper is not None and one.engineer != NOBODY}
    counted = [poll for poll in seen.polls if poll.vote == "team" and poll.passed and poll.round in papers]
    wrong = [
        f"your {_cast(poll, of.asker)} to {_pair(seen, poll)} in round {poll.round}, which gave us "
        f"{paper_words([paper])}"
        for poll in counted
        if poll.ballots[of.asker] in (YES, NO)
        and (poll.ballots[of.asker] == YES) != ((paper := papers[poll.round])[0] <= paper[1])
    ]
    return listed(wrong[-2:]) or "none of your votes looked wrong to me, going by the papers that came of them"


def _nominations(seen: Sight, of: _Of) -> str:
    """Whom somebody named so far; of oneself, where one never named who is asked after."""
    k = of.k if of.k != NOBODY else seen.me
    named = [
        f"{_other_name(seen, p.nominee, k)} in round {p.round}"
        for p in seen.polls
        if p.vote == "team" and p.director == k
    ]
    if k == seen.director and seen.nominee != NOBODY:
        named.append(f"{_other_name(seen, seen.nominee, k)} now")
    by = [
        f"by {_whom(seen, p.director)} in round {p.round} and {'elected' if p.passed else 'voted down'}"
        for p in seen.polls
        if p.vote == "team" and p.nominee == k != p.director
    ]
    was = f"; {seen.names[k]} was nominated {listed(by[-3:])}" if by and k != seen.me else ""
    return f"{_name(seen, k)} nominated {listed(named[-3:]) or 'nobody so far'}{was}"


def _my_nominations(seen: Sight, of: _Of) -> str:
    own = _Of(seen, Assertion(kind="fact"))
    denied = f"I have never nominated {seen.names[of.k]}; " if of.k not in (NOBODY, seen.me) else ""
    return f"{denied}{_nominations(seen, own)}"


def _other_name(seen: Sight, k: int, director: int) -> str:
    return ("myself" if k == seen.me else "themself") if k == director else seen.names[k]


def _no_hand(seen: Sight, of: _Of) -> str:
    """That one did not hold such papers, and who did."""
    if of.k not in (NOBODY, seen.me):
        name = seen.names[of.k]
        if not any({of.k, seen.me} == {one.director, one.engineer} for one in seen.shown):
            return f"{name} and I have never been a team, so no paper went between us"
        return f"I have never passed {name} a paper" if of.about == "drew" else f"{name} has never passed me a paper"
    hands = [one for one in seen.shown if one.engineer != NOBODY and of.round in (0, one.round)]
    mine = any(one.round in seen.held for one in seen.shown)
    if not hands:
        return f"nobody drew papers in round {of.round}" if of.round else "nobody has drawn papers yet"
    who = f"{seen.names[hands[-1].director]} drew and {seen.names[hands[-1].engineer]} published"
    when = f"in round {of.round}" if of.round and mine else "so far"
    return f"I held no papers {when}; in round {hands[-1].round} {who}"


def _papers(seen: Sight, of: _Of) -> str:
    """The last papers, those of a round, or one player's part in all of them."""
    out = [(one.round, one.director, one.engineer, one.paper) for one in seen.shown if one.paper is not None]
    if of.k == NOBODY and of.side is not None and not of.round:
        bad = of.side == "Acceleration"
        alike = [one for one in out if one[3][0] != one[3][1] and (one[3][0] > one[3][1]) == bad]
        return (
            listed([_team(seen, *one) for one in alike[:4]]) or f"no {'bad' if bad else 'good'} paper has come out yet"
        )
    if of.k == NOBODY:
        wanted = [one for one in out if one[0] == of.round] if of.round else out[-3:]
        nothing = f"nothing was published in round {of.round}" if of.round else "nothing has been published yet"
        mine = [_cast(poll, seen.me) for poll in _teams(seen, of) if of.round == poll.round]
        voted = f"; I voted {mine[-1]} on that team" if mine else ""
        return (listed([_team(seen, *one) for one in wanted]) or nothing) + voted
    own = listed([f"{paper_words([p])} for {_whom(seen, d)} in round {r}" for r, d, e, p in out if e == of.k])
    led = listed([
        f"{paper_words([p])} {'by itself' if e == NOBODY else f'with {_whom(seen, e)}'} in round {r}"
        for r, d, e, p in out if d == of.k
    ])  # fmt: skip
    parts = [f"published {own}"] if own else []
    parts += [f"was Director for {led}"] if led else []
    has = "have" if of.k == seen.me else "has"
    return f"{_name(seen, of.k)} {listed(parts) or f'{has} been neither Director nor Engineer of any paper so far'}"


def _odds(seen: Sight, of: _Of) -> str:
    """What may still come, as far as anybody can count: all papers but those that were published."""
    unseen = list(DECK)
    for one in seen.shown:
        if one.paper in unseen:
            unseen.remove(one.paper)
    bad, good = sum(c > s for c, s in unseen), sum(c < s for c, s in unseen)
    once = round(comb(len(unseen), HAND) / max(1, comb(bad, HAND)))
    threes = f"three bad ones in one hand come up about once in {once}" if bad >= HAND else "three bad ones cannot come"
    return (
        f"of the {len(unseen)} papers that were not published {bad} have more Capability and {good} more Safety, and "
        f"{seen.left} can still be drawn; {threes}"
    )


_OPINIONS = ("believe", "vote", "card")


def _thinks(seen: Sight, of: _Of) -> str:
    """What somebody said of others, of one in particular where one is named."""
    mine = [made for made in seen.claims if made.speaker == of.k and made.claim.kind in _OPINIONS]
    about = seen.names[of.other] if of.other != NOBODY else ""
    found = [f"in round {made.round} {_told_by(seen, made)}" for made in mine if about in ("", made.claim.target)]
    if found or of.k == NOBODY:
        return listed(found[-3:]) or "nobody has said whom they trust"
    last = f"; last {_told_by(seen, mine[-1])}" if mine else ""
    has = "have" if of.k == seen.me else "has"
    return f"{_name(seen, of.k)} {has} said nothing of {about or 'anybody'}{last}"


def _about(seen: Sight, of: _Of) -> str:
    """What the others said of somebody, and lastly who."""
    name = seen.names[of.k] if of.k != NOBODY else ""
    last = {
        made.speaker: made for made in seen.claims if made.claim.target == name and made.claim.kind in _OPINIONS[::2]
    }
    found = [f"{_told_by(seen, made)} in round {made.round}" for made in last.values()]
    return listed(found[-4:]) or f"nobody has said a word for or against {name or 'anybody'}"


def _silent(seen: Sight, of: _Of) -> str:
    """Who has said least, of this round and the last."""
    spoke = Counter(made.speaker for made in seen.claims if made.round >= seen.round - 1)
    others = [k for k in seen.alive if k not in (of.asker, seen.me)]
    least = min(spoke[k] for k in others)
    who = listed([_name(seen, k) for k in others if spoke[k] == least])
    times = "once" if least == 1 else f"{least} times"
    return f"{who} said {f'least, {times},' if least else 'nothing'} in this round and the one before"


def _looks(seen: Sight, of: _Of) -> str:
    """Who looked at whose card, and whom a power took out of the game; of one player where one is named."""
    done = any(viewer == of.k for viewer, _ in seen.viewed)
    if of.k != NOBODY and not done:
        return f"{_name(seen, of.k)} {'have' if of.k == seen.me else 'has'} looked at no card"
    return listed([_cards(seen, of), *_eliminated(seen)])


def _eliminated(seen: Sight) -> list[str]:
    return [f"{name} was eliminated" for k, name in enumerate(seen.names) if k not in seen.alive]


def _dead(seen: Sight, of: _Of) -> str:
    return listed(_eliminated(seen)) or "nobody is out of the game, all of us are still here"


def _idle(seen: Sight, of: _Of) -> str:
    """How often everybody has held papers so far, and who never; of one player, in which office."""
    teams = [one for one in seen.shown if one.engineer != NOBODY]
    led, published = (Counter(one[office] for one in teams) for office in (1, 2))
    held = [f"{_name(seen, k)} {led[k]} and {published[k]}" for k in seen.alive if led[k] + published[k]]
    never = listed([_name(seen, k) for k in seen.alive if not led[k] + published[k]])
    return f"as Director and as Engineer with papers: {listed(held) or 'nobody'}; never in a team: {never or 'nobody'}"


def _count(seen: Sight, of: _Of) -> str:
    out = [one.paper for one in seen.shown if one.paper is not None]
    bad, good = sum(c > s for c, s in out), sum(c < s for c, s in out)
    return (
        f"{len(out)} papers are out, {bad} with more Capability, {good} with more Safety; it stands at Capability "
        f"{seen.capability} to Safety {seen.safety}"
    )


def _stories(seen: Sight, of: _Of) -> str:
    """What was claimed of the last hands, and whether it fits; of one player's hands where one is named."""
    claimed_of = claims_of_hands(seen.claims, seen.shown)
    wanted = [one for one in seen.shown if of.k in (NOBODY, one.director, one.engineer) and of.round in (0, one.round)]
    teams = [(claimed_of[one.round], one) for one in wanted if one.round in claimed_of][-3:]
    if not teams:
        when = f" of round {of.round}" if of.round else ""
        return f"nobody has told of a hand{when}" if of.k == NOBODY else f"{seen.names[of.k]} has told of no hand{when}"
    fit = "" if any(map(_differ, claimed_of.values())) else "; no two accounts contradict each other so far"
    return "; ".join(_story(seen, claimed, one) for claimed, one in teams) + fit


def _said(seen: Sight, of: _Of) -> str:
    """What somebody said last and voted; of nobody in particular, what came out and who is suspected by whom."""
    if of.k != NOBODY:
        made_ = [m for m in seen.claims if m.speaker == of.k and m.claim.kind not in ("chat", "fact", "rule", "unsure")]
        made_ = (
            [m for m in made_ if of.round == (m.claim.round if m.claim.kind in ("drew", "received") else m.round)]
            if of.round
            else made_
        )
        silent = f"{_name(seen, of.k)} claimed nothing" + (f" about round {of.round}" if of.round else " so far")
        said = [f"in round {m.round} {_told_by(seen, m)}" for m in made_[-3:]]
        voted = [] if of.k == seen.me or not any(m.claim.kind == "vote" for m in made_[-3:]) else [_ballots(seen, of)]
        return "; ".join([*(said or [silent]), *voted])
    accused = {
        told(made.claim, seen.names[made.speaker]): None
        for made in seen.claims
        if made.claim.kind == "believe" and made.claim.side == "Acceleration"
    }
    return "; ".join([_papers(seen, of), *[*accused][-3:]])


_FACTS: Mapping[str, Callable[[Sight, _Of], str]] = {
    **dict.fromkeys(("drew", "received", "choice", "clash"), _no_hand),
    "checked": _checked,
    "knows": _knows,
    "next": _next,
    "ballots": _ballots,
    "alike": _alike,
    "idle": _idle,
    "voted": _voted,
    "mine": _mine,
    "named": _nominations,
    "nominated": _my_nominations,
    "papers": _papers,
    "odds": _odds,
    "thinks": _thinks,
    "about": _about,
    "silent": _silent,
    "looks": _looks,
    "dead": _dead,
    "count": _count,
    **dict.fromkeys(("stories", "pair"), _stories),
    **dict.fromkeys(("said", "own"), lambda seen, of: (_said if of.other == NOBODY else _thinks)(seen, of)),
}


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
    return f"{_name(seen, engineer)} published {paper_words([paper])} for {_whom(seen, director)} in round {round}"


def listed(words: Sequence[str]) -> str:
    """Words with commas and an *and*."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
