"""What a question is after: its topic, who is asked, and of whom.

What was asked and answered just before decides first, because people ask in half sentences; then whether it is about
the rules, about what everybody saw, or a challenge; then who is asked (decision 0059), and only then the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic
from greenroom.worlds.secret_agi.rules.names import addressed, names, to_you, without_names
from greenroom.worlds.secret_agi.rules.papers import Side
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, Claimed, Game, Poll, Record, place_of
from greenroom.worlds.secret_agi.rules.topics import (
    ADVICE,
    AGAIN,
    ALL_OF_YOU,
    BALLOTS,
    BETWEEN,
    CALL_TO_VOTE,
    CARDS,
    CHALLENGE,
    CHOICE,
    COMING,
    ELSE,
    ENGINEER,
    GREETING,
    OF_ANYBODY,
    OF_ME,
    OFFICES,
    OPPOSITE,
    PAPER,
    PERSON,
    RECAP,
    RULES,
    SAID,
    SHORT_VOTE,
    SIDES,
    STOOD,
    STORIES,
    SURE,
    TOPICS,
    TURN,
    WAS,
    WHO,
    WHOM,
    WHY,
    WITH_YOU,
    WORKS,
    WORSE,
    WOULD_HAVE,
)

#: How many words a question that leans on the one before may have.
SHORT = 6


class Heard(NamedTuple):
    """A message with who is spoken to and who else is named in it."""

    game: Game
    i: int
    text: str
    plain: str
    seat: Seat | None
    others: tuple[Seat, ...]

    @property
    def me(self) -> Seat:
        return self.game.players[self.i].id


def heard(game: Game, i: int, text: str) -> Heard:
    """A message as it was said to this table."""
    found = names(game, text)
    spoken_to = addressed(text, found)
    seat = None if spoken_to is None else spoken_to.seat
    others = tuple(dict.fromkeys(name.seat for name in found if name.seat != seat))
    if not others and OF_ME.search(text):
        others = (game.players[i].id,)
    return Heard(game, i, text, without_names(text, found), seat, others)


def asked(said: Heard) -> Assertion | None:
    """The question in these words; None where only likeness could tell."""
    for way in (_leaning, _plainly):
        if (found := way(said)) is not None:
            return found
    topic = _by_place(said) or _by_words(said)
    return None if topic is None else question(said, topic)


def guessed(said: Heard) -> Assertion | None:
    """What single words of it suggest, where it is like nothing that people ask."""
    if said.others:
        return None
    topic = next((topic for topic, pattern in OF_ANYBODY if pattern.search(said.plain)), None)
    return None if topic is None else question(said, topic)


def question(said: Heard, topic: Topic, *, rule: str = "") -> Assertion:
    """A question of this topic, to whom it is put and of whom."""
    target, of = said.seat, said.others[0] if said.others else None
    if topic in ("vote", "voted") and of == said.me:
        topic = "opinion"
    if topic == "said" and of == said.me:
        of = None
    if topic in ("drew", "received") and target is not None and WOULD_HAVE.search(said.plain):
        topic, of = "opinion", _concerned(said, topic) or of
    if topic in ("suspect", "trust") and of is not None:
        topic = "opinion"
    if topic == "opinion" and of is None:
        of, target = target, None
    topic = _known_by(said.game, target, of, _held_by(said.game, target, topic))
    side: Side | None = "Acceleration" if topic == "role" and re.search(r"\bagi\b", said.text, re.IGNORECASE) else None
    keeps_of = topic in ("opinion", "why", "card", "sure", "ballots", "papers", "said")
    target = target or _concerned(said, topic)
    return Assertion(kind="question", about=topic, target=target, of=of if keeps_of else None, side=side, rule=rule)


def to_all(said: Heard) -> Assertion | None:
    """What calls for an answer without asking: a greeting, or to vote one way on the team that is proposed."""
    if GREETING.match(said.plain):
        return question(said, "hello")
    return question(said, "vote") if said.game.nominee != NOBODY and CALL_TO_VOTE.search(said.plain) else None


# what leans on what was said before


class Exchange(NamedTuple):
    """What was last asked here, who was spoken with about it, and what they last said."""

    question: Assertion | None
    partner: Seat | None
    said: Assertion | None


def _leaning(said: Heard) -> Assertion | None:
    """A question that is only whole together with the one before: *and you?*, *why not?*, *who else?*"""
    said = said._replace(plain=_last_sentence(said.plain))
    if len(said.plain.split()) > SHORT or len(said.others) > 1:
        return None
    before = _exchange(said)
    if said.seat is not None and AGAIN.match(said.plain) and before.question is not None:
        return _again(said, before.question)
    if before.partner is None or said.others:
        return None
    if OPPOSITE.match(said.plain):
        return question(said._replace(seat=before.partner), "trust" if _suspects(before) else "suspect")
    if ELSE.search(said.plain):
        return _other(said, before)
    if WHY.match(said.plain) and before.said is not None:
        return _of_claim(said.game, before.partner, before.said)
    if re.match(r"(and|but|so|then|ok|okay)\b", said.plain, re.IGNORECASE) and to_you(said.plain):
        rest = said._replace(plain=said.plain.partition(" ")[2], seat=before.partner)
        found = asked(rest) or guessed(rest)
        return found if found is not None and found.about != "aside" else None
    return None


def _suspects(before: Exchange) -> bool:
    """Whether the talk was of whom one suspects."""
    return before.question is not None and before.question.about == "suspect"


def leftover(said: Heard) -> Assertion | None:
    """What nobody can place: a short question leans on the answer before it, any other asks how one sees things."""
    before = _exchange(said)
    if before.partner is not None and before.said is not None and len(said.plain.split()) <= SHORT // 2:
        return _of_claim(said.game, before.partner, before.said)
    return None if said.seat is None else question(said, "vote" if said.game.nominee != NOBODY else "suspect")


def _last_sentence(text: str) -> str:
    """The question after a remark that is about nothing in particular."""
    remark, _, last = text.rpartition(". ")
    about = STOOD.search(remark) or any(pattern.search(remark) for _, pattern in (*TOPICS, *OF_ANYBODY))
    return text if about or not remark else last


def _exchange(said: Heard) -> Exchange:
    game = said.game
    recent = [made for made in game.claims if made.round >= game.round - 1]
    mine = [k for k, made in enumerate(recent) if made.speaker == said.i and made.claim.kind == "question"]
    anybody = [k for k, made in enumerate(recent) if made.claim.kind == "question"]
    last = (mine or anybody or [NOBODY])[-1]
    question = None if last == NOBODY else recent[last].claim
    partner = said.seat or (_answerer(said, recent, mine[-1]) if mine else None)
    spoke = [
        made.claim for made in recent if game.players[made.speaker].id == partner and made.claim.kind != "question"
    ]
    return Exchange(question, partner, spoke[-1] if spoke else None)


def _answerer(said: Heard, recent: Sequence[Claimed], k: int) -> Seat | None:
    """Who was asked, or who answered what was put to anybody."""
    later = [made.speaker for made in recent[k + 1 :] if made.claim.of == said.me and made.claim.kind != "question"]
    return recent[k].claim.target or (said.game.players[later[-1]].id if later else None)


def _again(said: Heard, question: Assertion) -> Assertion:
    """The same question, put to somebody else."""
    topic = _held_by(said.game, said.seat, question.about)
    of = None if question.of == said.seat else question.of
    return Assertion(kind="question", about=topic, target=said.seat, of=of, side=question.side)


def _other(said: Heard, before: Exchange) -> Assertion:
    """Somebody else than the one that was named."""
    asked = before.question.about if before.question is not None else ""
    topic: Topic = asked if asked in ("suspect", "trust", "nominate") else "suspect"
    if CHOICE.search(said.plain):
        topic = "nominate"
    named = before.said.target if before.said is not None else None
    return Assertion(kind="question", about=topic, target=before.partner, other=named)


def _of_claim(game: Game, partner: Seat, claim: Assertion) -> Assertion | None:
    """The reason of what somebody said last."""
    match claim.kind:
        case "believe":
            return Assertion(kind="question", about="why", target=partner, of=claim.target)
        case "vote":
            return Assertion(kind="question", about="voted" if game.nominee == NOBODY else "vote", target=partner)
        case "drew" | "received" | "card":
            return Assertion(kind="question", about=claim.kind, target=partner)
        case _:
            return Assertion(kind="question", about="accused", target=partner)


# what is plain


def _plainly(said: Heard) -> Assertion | None:
    """Rules, what everybody saw, one of two, a challenge, a greeting: whoever is asked."""
    if len(said.others) > 1 and BETWEEN.search(said.text):
        side: Side = "Acceleration" if WORSE.search(said.plain) else "Safety"
        one, other = said.others[:2]
        return Assertion(kind="question", about="which", target=said.seat, of=one, other=other, side=side)
    topic = _plain_topic(said)
    if topic is not None:
        return question(said, topic)
    if SURE.search(said.plain):
        return _sure(said)
    if said.seat is not None and (not said.others or WITH_YOU.search(said.plain)) and _challenges(said.plain):
        return Assertion(kind="question", about="accused", target=said.seat)
    return None


def _plain_topic(said: Heard) -> Topic | None:
    if RECAP.search(said.plain) or (said.others and SAID.search(said.plain) and not CARDS.search(said.plain)):
        return "said"
    if said.others == (said.me,):
        return "opinion"
    if not said.others and _for_advice(said):
        return "vote"
    if RULES.search(said.plain):
        return "rules"
    if (topic := _seen_by_all(said)) is not None:
        return topic
    greets = GREETING.match(said.plain) and not any(pattern.search(said.plain) for _, pattern in TOPICS[1:-1])
    return "hello" if greets else None


def _for_advice(said: Heard) -> bool:
    """Whether somebody wants to know what to do about the team that is proposed."""
    return said.game.nominee != NOBODY and bool(ADVICE.search(said.plain)) and not WAS.search(said.plain)


def _challenges(text: str) -> bool:
    return bool(CHALLENGE.search(text)) and (text.lower().startswith("why") or not PERSON.search(text))


def _seen_by_all(said: Heard) -> Topic | None:
    """What is in the record; nobody has to be asked for it who was there."""
    third = not to_you(said.plain)
    if TURN.search(said.plain) and not ENGINEER.search(said.plain):
        return "next"
    if third and BALLOTS.search(said.plain) and any(poll.vote == "team" for poll in said.game.polls):
        return "ballots"
    spoken_of = (said.seat is None or bool(said.others)) and not CARDS.search(said.plain)
    works = WORKS.search(said.plain) or OFFICES.search(said.plain)
    if not (third and spoken_of):
        return None
    return "stories" if STORIES.search(said.plain) else "papers" if works else None


def _sure(said: Heard) -> Assertion:
    """How sure somebody is, of whom they spoke last."""
    before = _exchange(said)
    spoken = before.said.target if before.said is not None and before.said.kind == "believe" else None
    of = said.others[0] if said.others else spoken
    return Assertion(kind="question", about="sure", target=said.seat or before.partner, of=of)


# who is asked, and the words


def _by_place(said: Heard) -> Topic | None:
    """What is meant because of who is asked and of whom, whatever the words: a coming vote, or a vote that was."""
    game = said.game
    if STOOD.search(said.plain):
        return "voted"
    if COMING.search(said.plain) and game.nominee != NOBODY and _id(game, game.nominee) in said.others:
        return "vote"
    if game.nominee != NOBODY and SHORT_VOTE.search(said.plain):
        return "vote"
    chooses = game.talk == "pre_nomination" and said.seat == _id(game, game.director) and not said.others
    loose = (*WHOM, *OF_ANYBODY[:-1])
    if chooses and WHO.search(said.plain) and not any(pattern.search(said.plain) for _, pattern in loose):
        return "nominate"
    return None


def of_last_event(said: Heard) -> Assertion | None:
    """What else somebody is asked: about the vote that failed, if it came last, or the papers they have just held."""
    if said.seat is None or said.others or PERSON.search(said.plain):
        return None
    topic = _of_last_event(said.game, said.seat, said.plain)
    return None if topic is None else question(said, topic)


def _of_last_event(game: Game, seat: Seat, text: str) -> Topic | None:
    last, poll = _last_hand(game), _last_poll(game)
    of_vote = WAS.search(text) and not PAPER.search(text)
    newer = poll is not None and not poll.passed and (last is None or poll.round > last.round)
    if of_vote and newer and poll is not None and poll.ballots[place_of(game, seat)] != OPEN:
        return "voted"
    if last is None:
        return None
    if seat == _id(game, last.director):
        return "drew"
    return "received" if seat == _id(game, last.engineer) else None


def _by_words(said: Heard) -> Topic | None:
    """The first topic whose words are there."""
    holders = [said.seat] if said.seat is not None else [*said.others]
    held = not holders or any(_held_papers(said.game, seat) for seat in holders)
    topic = _topic(said.plain, of_somebody=bool(said.others), held=held)
    if topic is None and said.seat is not None and to_you(said.plain) and SIDES.search(said.plain):
        topic = None if PERSON.search(said.plain) else "role"
    return topic


def _topic(text: str, *, of_somebody: bool, held: bool) -> Topic | None:
    """The first topic whose words are there; nobody is asked for papers who never held any, if it can mean another."""
    anybody = not of_somebody and WHO.search(text)
    for topic, pattern in WHOM if anybody else TOPICS:
        if pattern.search(text) and (held or not of_somebody or topic not in ("drew", "received")):
            return topic
    return "opinion" if of_somebody else None


def _held_papers(game: Game, seat: Seat) -> bool:
    return any(seat in (_id(game, r.director), _id(game, r.engineer)) for r in game.records if r.drawn)


def _held_by(game: Game, target: Seat | None, topic: Topic) -> Topic:
    """What was drawn is asked of a Director and what was received of an Engineer, whatever the words for it."""
    if topic not in ("drew", "received") or target is None:
        return topic
    held = [r for r in game.records if r.drawn and target in (_id(game, r.director), _id(game, r.engineer))]
    if not held or held[-1].director == held[-1].engineer:
        return topic
    return "drew" if _id(game, held[-1].director) == target else "received"


def _known_by(game: Game, target: Seat | None, of: Seat | None, topic: Topic) -> Topic:
    """What somebody thinks of a player whose card they saw is what the card said."""
    seen = [(_id(game, viewer), _id(game, seen)) for viewer, seen in game.seen]
    return "card" if topic == "opinion" and (target, of) in seen else topic


def _last_hand(game: Game) -> Record | None:
    return next((record for record in reversed(game.records) if record.drawn), None)


def _last_poll(game: Game) -> Poll | None:
    return next((poll for poll in reversed(game.polls) if poll.vote == "team"), None)


def _id(game: Game, place: int) -> Seat:
    return game.players[place].id


def _concerned(said: Heard, topic: Topic) -> Seat | None:
    """Whom a question concerns that names nobody."""
    game, last = said.game, _last_hand(said.game)
    place = NOBODY
    if last is not None and topic in ("drew", "received") and not ALL_OF_YOU.search(said.plain):
        place = last.director if topic == "drew" else last.engineer
    elif topic == "card" and game.seen:
        place = game.seen[-1][0]
    return None if place in (NOBODY, said.i) else game.players[place].id
