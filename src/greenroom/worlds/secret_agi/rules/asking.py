"""What a question is after: its topic, who is asked, of whom, and of which round.

What was asked and answered just before decides first, because people ask in half sentences; then whether it is about
the rules, about what everybody saw, or a challenge; then its field, with who does what in it (`fields`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic
from greenroom.worlds.secret_agi.rules.content import Sense
from greenroom.worlds.secret_agi.rules.fields import CARD, FieldTopic, topics
from greenroom.worlds.secret_agi.rules.forms import Form, form_of, speaks_of_third
from greenroom.worlds.secret_agi.rules.names import addressed, in_first_person, names, to_you, without_names
from greenroom.worlds.secret_agi.rules.papers import DECK, Paper, Side
from greenroom.worlds.secret_agi.rules.state import NOBODY, Claimed, Game, Record, place_of
from greenroom.worlds.secret_agi.rules.topics import (
    AFTER,
    AGAIN,
    BEGINS,
    EARN,
    ELSE,
    EXCEPT,
    MY_VOTE,
    OF_ALL,
    OF_ME,
    OPPOSITE,
    OTHER_ROUND,
    SPEAKS_FOR,
    UNLIKE,
    WHY,
    WORSE,
)

#: How many words a question that leans on the one before may have, and one that is
#: nothing without the rest.
SHORT, THIN = 6, 6
#: What is no letter and no stop: pictures and the like.
_SIGNS = re.compile(r"[^\w\s.,;:?!'’`\u00b4\"()/#+&%–-]+")
_ENDED = re.compile(r"(?<=[.!?])\s+")
_POINTS_BACK = re.compile(r"(is|was|does|did|will|would|has) (it|that|this)\b")
_POINTS = re.compile(
    r"\b(that|this|it|so|then|instead|changed|otherwise|them|explain|going on|deal|up)\b|\b(why|you)\W*$"
)


class Heard(NamedTuple):
    """A message with who is spoken to and who else is named in it."""

    game: Game
    i: int
    text: str
    #: Without names, and in one plain form.
    plain: str
    form: Form
    seat: Seat | None
    others: tuple[Seat, ...]

    @property
    def me(self) -> Seat:
        return self.game.players[self.i].id


def heard(game: Game, i: int, text: str) -> Heard:
    """A message as it was said to this table."""
    text = in_first_person(game, game.players[i].id, _SIGNS.sub(" ", text).strip())
    found = names(game, text)
    spoken_to = addressed(text, found)
    seat = None if spoken_to is None else spoken_to.seat
    others = tuple(dict.fromkeys(name.seat for name in found if name.seat != seat))
    form = form_of(text, found, seat=seat, others=others)
    return Heard(game, i, text, without_names(text, found), form, seat, others)


def asked(said: Heard) -> Assertion | None:
    """The question in these words; None where only likeness could tell."""
    if (found := leaning(said)) is not None:
        return found
    for form in _parts(said.form):
        part = said._replace(form=form)
        if (found := _by_field(part)) is not None:
            return found
    return question(said, "opinion") if said.others else None


def _parts(form: Form) -> Iterator[Form]:
    """The last sentence that asks, and the whole; the whole alone where that sentence points back at it."""
    sentences = _ENDED.split(form.text)
    asking = next((one for one in reversed(sentences) if one.endswith("?") or BEGINS.match(one)), form.text)
    if not is_thin(asking):
        yield form._replace(text=asking)
    yield form._replace(tail=asking if is_thin(asking) else "")


def is_thin(text: str) -> bool:
    """Whether a question is nothing without what was said before it: *What is going on?*"""
    words = len(text.split())
    short = (words <= THIN // 2 and "X" not in text) or (words <= THIN and _POINTS.search(text) is not None)
    return short or _POINTS_BACK.match(text) is not None


#: What is said to whoever is named in it.
_TO_THEM = frozenset(("praise", "thanks", "sorry", "tease", "offended", "promise", "hello"))


def question(said: Heard, topic: Topic, *, rule: str = "") -> Assertion:
    """A question of this topic, to whom it is put and of whom."""
    of, other = (*said.others, None, None)[:2]
    if topic in ("suspect", "trust", "opinion", "nominate") and of and EXCEPT.search(said.form.text):
        topic, of, other = "suspect" if topic == "opinion" else topic, None, of
    if topic == "earn" and of and not said.form.of_me:
        topic = "opinion"
    of = _of_whom(said, topic, of)
    if topic == "ballots" and of != said.me and re.search(r"\b(against|for|on) X\b", said.form.text):
        of, other = None, of
    target = said.seat or (_fitting(said, topic, of) if _of_somebody(said, topic) else None)
    if topic in _TO_THEM:
        target, of = target or of, None
    if topic == "opinion" and of is None:
        of, target = target, None
    topic = _settled(said, topic, target, of)
    return Assertion(
        kind="question", about=topic, target=target, of=of,
        other=_beside(said, topic, other) if of != other else None,
        yes=_way(said.form) if topic == "voted" else None, side=_side(said, topic),
        rule=rule, round=said.form.round or _round_of_paper(said, topic),
    )  # fmt: skip


def _side(said: Heard, topic: Topic) -> Side | None:
    """The side that a question supposes or asks for."""
    text = said.form.text
    match topic:
        case "role":
            return "Acceleration" if re.search(r"\bagi\b", said.text, re.IGNORECASE) else None
        case "why":
            against, in_favour = bool(WORSE.search(text)), bool(SPEAKS_FOR.search(text))
            denied = UNLIKE.search(text) is not None
            return None if against == in_favour else "Acceleration" if against != denied else "Safety"
        case "papers":
            kind = re.search(r"\b(bad|good|safe) (papers?|ones?|stuff)\b", text)
            return None if kind is None else "Acceleration" if kind[1] == "bad" else "Safety"
        case "which":
            return "Acceleration" if WORSE.search(said.plain) else "Safety"
        case _:
            return None


def _beside(said: Heard, topic: Topic, named: Seat | None) -> Seat | None:
    """The second of two: who is named, or whoever asks or is asked."""
    of_me = topic in ("thinks", "agree") and said.form.of_me
    if named is None and (of_me or (topic == "said" and "about me" in said.form.text)):
        return said.me
    return said.seat if named is None and topic == "alike" and said.form.of_you else named


def _way(form: Form) -> bool | None:
    """Which way a vote went that is asked after; None where the question does not say."""
    if re.search(r"\b(no|against|reject\w*|refus\w*|down)\b", form.text):
        return False
    return True if re.search(r"\b(yes|for|support\w*|back\w*|approv\w*)\b", form.text) else None


def _of_whom(said: Heard, topic: Topic, named: Seat | None) -> Seat | None:
    """Whom a question is about: who is named, or the asker, or who is asked."""
    text = said.form.text
    of_me = topic == "earn" or (topic in ("choice", "received") and re.search(r"\bi (gave|passed|handed) you\b", text))
    if of_me or (
        named is None and said.form.of_me and topic in ("opinion", "why", "elect", "about", "changed", "sure")
    ):
        return said.me
    if named is None and topic in ("voted", "ballots", "mine") and MY_VOTE[topic == "voted"].search(text):
        return said.me
    if topic == "named" and named is None:
        return said.seat
    if topic == "story" and named is None:
        return said.me  # one's own, or somebody would be named
    if (
        topic == "said"
        and named is None
        and re.search(r"\b(did|have|had) i\b(?! miss)|\bi (say|said|claim\w*)\b", text)
    ):
        return said.me
    if topic in ("choice", "drew", "received") and re.search(
        r"\bX (\w+ )?(says?|said|tells?|told|claims?|thinks?)\b", text
    ):
        return None
    if topic in ("papers", "ballots") and named is None and to_you(said.plain):
        return said.seat
    return None if topic == "accused" and not re.search(r"accus|blam|suspect", text) else named


def _round_of_paper(said: Heard, topic: Topic) -> int:
    """The round in which the paper came out that is named; 0 where none is."""
    named = papers_in(said.text)
    if topic not in ("choice", "papers", "stories", "voted", "ballots") or len(named) != 1:
        return 0
    game = said.game
    found = [r.round for r in game.records if r.paper != NOBODY and game.deck[r.paper] == named[0]]
    return found[-1] if found else 0


def _settled(said: Heard, topic: Topic, target: Seat | None, of: Seat | None) -> Topic:
    """What is meant because of who is asked, and of whom."""
    if topic in ("suspect", "trust") and of is not None:
        topic = "opinion"
    if topic in ("elect", "vote") and said.others:
        topic = "vote" if _proposed(said) else "elect"
    if topic == "opinion" and of == said.me and EARN.search(said.form.text):
        topic = "earn"
    inspects = CARD.search(said.form.text) and not re.search(r"\bcards?\b", said.form.text)
    if topic == "card" and target is not None and of is None and not _looked(said.game, target) and not inspects:
        topic = "drew" if _held(said.game, target) else topic
    if topic != "drew" or not re.search(r"\bdirector\b", said.form.text):
        topic = _held_by(said.game, target, topic, of)
    return _known_by(said.game, target, of, topic)


# what leans on what was said before


def spoken_with(said: Heard) -> Seat | None:
    """Who is meant with *you* because the speaker has just asked them something in this discussion."""
    game = said.game
    mine = [m for m in game.claims if m.speaker == said.i and (m.round, m.talk) == (game.round, game.talk)]
    follows = said.form.of_you or re.match(r"(and|but|so|then|why|how come|what about)\b", said.form.text)
    goes_on = said.seat is None and mine and follows and not OF_ALL.search(said.form.text)
    return exchange(said).partner if goes_on and mine[-1].claim.kind == "question" else said.seat


def _taunts(said: Heard) -> bool:
    """Whether an accusation without *you* can be meant for somebody: who is named, or in few words who spoke last."""
    brief = len(said.plain.split()) <= SHORT
    return bool(said.others or said.seat or (brief and spoke_last(said)))


def spoke_last(said: Heard) -> Seat | None:
    """Who spoke last before somebody in this discussion."""
    game = said.game
    lines = [one for one in game.lines if (one.round, one.talk) == (game.round, game.talk)]
    return game.players[lines[-1].speaker].id if lines and lines[-1].speaker != said.i else None


class Exchange(NamedTuple):
    """What was last asked here, who was spoken with about it, and what they last said."""

    question: Assertion | None
    partner: Seat | None
    said: Assertion | None


def leaning(said: Heard) -> Assertion | None:
    """A question that is only whole together with the one before: *and you?*, *why not?*, *who else?*"""
    if len(said.plain.split()) > SHORT or len(said.others) > 1:
        return None
    before = exchange(said)
    if said.seat is not None and AGAIN.match(said.plain) and before.question is not None:
        return _again(said, before.question)
    if before.partner is None or said.others:
        return None
    if OPPOSITE.match(said.plain):
        suspected = before.question is not None and before.question.about == "suspect"
        return question(said._replace(seat=before.partner), "trust" if suspected else "suspect")
    if ELSE.search(said.plain):
        return _other(said, before)
    if WHY.match(said.plain) and before.said is not None:
        mine = Assertion(kind="question", about="opinion", of=said.me)
        return mine if said.form.of_me else of_claim(said.game, before.partner, before.said)
    if before.question is not None and said.form.round and OTHER_ROUND.match(said.form.text):
        return replace(before.question, target=before.partner, round=said.form.round)
    return _going_on(said, before)


def _going_on(said: Heard, before: Exchange) -> Assertion | None:
    """A question that begins with *and* or the like: put to whoever answered last."""
    goes_on = to_you(said.plain) or is_thin(said.form.text)
    if re.match(r"(and|but|so|then|ok|okay)\b", said.plain, re.IGNORECASE) and goes_on:
        rest = said.plain.partition(" ")[2]
        return asked(said._replace(plain=rest, form=Form(said.form.text.partition(" ")[2]), seat=before.partner))
    return None


def exchange(said: Heard) -> Exchange:
    """What the speaker asked last, or anybody, with the answer."""
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
    topic = _held_by(said.game, said.seat, question.about, None)
    of = None if question.of == said.seat else question.of
    return Assertion(kind="question", about=topic, target=said.seat, of=of, side=question.side)


def _other(said: Heard, before: Exchange) -> Assertion:
    """Somebody else than the one that was named."""
    asked = before.question.about if before.question is not None else ""
    topic: Topic = asked if asked in ("suspect", "trust", "nominate") else "suspect"
    if SPEAKS_FOR.search(said.plain):
        topic = "trust"
    named = before.said.target if before.said is not None else None
    return Assertion(kind="question", about=topic, target=before.partner, other=named)


def of_claim(game: Game, partner: Seat, claim: Assertion) -> Assertion:
    """The reason of what somebody said last."""
    match claim.kind:
        case "believe":
            return Assertion(kind="question", about="why", target=partner, of=claim.target)
        case "vote":
            past = claim.about == "voted" or game.nominee == NOBODY
            return Assertion(
                kind="question", about="voted" if past else "vote", target=partner, round=claim.round if past else 0
            )
        case "drew" | "received" | "card":
            return Assertion(kind="question", about=claim.kind, target=partner)
        case _:
            return Assertion(kind="question", about="accused", target=partner)


# what is plain


def pattern(said: Heard) -> str:
    """The topic that its field tells, after a sign for how much: more than the field, or the field alone."""
    for form in _parts(said.form):
        part = said._replace(form=form)
        if (found := _in_field(part)) is not None:
            return f"{'~' if found.closely else '='}{found.topic}"
    return "="


#: Rules that may be asked of somebody.
_RULES_OF_SOMEBODY = ("agi", "director", "reveal")
#: What is asked of somebody who is named; of two; of whoever is spoken to.
_OF_ONE = frozenset(("story", "changed", "nominated", "about", "elect", "opinion"))
_OF_TWO = frozenset(("pair", "which"))
_OF_YOU = frozenset(("accused", "quiet", "own", "promise", "earn", "choice", "checked", "policy"))


def fits(said: Heard, sense: Sense) -> bool:
    """Whether a question can be after this, by whom it names; a rule may name others where its examples do."""
    form, topic = said.form, sense.topic
    if topic == "rules":
        return not said.others or sense.rule in _RULES_OF_SOMEBODY
    if topic in ("next", "rank", "look"):
        return not said.others or (topic == "next" and AFTER.search(form.text) is not None)
    if topic in ("aside", "hello", "mood", "tease"):
        return not said.others
    if topic in _OF_TWO:
        return len(said.others) >= len(("one", "other"))
    if topic in ("thinks", "partner", "clash"):
        return bool(said.others) or speaks_of_third(form.text)
    if topic in _OF_ONE:
        return bool(said.others) or form.of_me or speaks_of_third(form.text)
    return topic not in _OF_YOU or form.of_you or (topic == "accused" and _taunts(said))


def unlikely(said: Heard, topic: Topic) -> bool:
    """Whether it can hardly be asked here: about a hand, a card or a nomination of whoever had none, or of nobody."""
    game, seat = said.game, said.seat
    match topic:
        case "card":
            meant = [one for one in (seat, *said.others, said.me if said.form.of_me else None) if one is not None]
            return not game.seen or (bool(meant) and not any(_looked(game, one) for one in meant))
        case "drew" | "received" | "choice" | "clash":
            return not said.form.past and seat is not None and not _held(game, seat)
        case "nominated":
            made = {poll.director for poll in game.polls if poll.vote == "team"} | {game.director}
            return seat is not None and place_of(game, seat) not in made
        case "role":
            return bool(said.others)
        case _:
            return False


# the fields


def _by_field(said: Heard) -> Assertion | None:
    """What is asked of the field of the game that it is about."""
    if (found := _in_field(said)) is None:
        return None
    return question(said, found.topic)


def _in_field(said: Heard) -> FieldTopic | None:
    form = said.form
    named = len({*re.findall(r"\b[XY]\b", form.text)})
    if not named and ((said.others and speaks_of_third(form.text)) or OF_ME.search(form.text)):
        named = 1
    return next(topics(form, named), None)


def _proposed(said: Heard) -> bool:
    """Whether somebody who is named is proposed as Engineer."""
    game = said.game
    return game.nominee != NOBODY and any(place_of(game, o) == game.nominee for o in said.others)


# whom it fits


def _of_somebody(said: Heard, topic: Topic) -> bool:
    """Whether it means one player, though it names none: it says *you*, or the office."""
    return said.form.of_you or topic in ("drew", "received", "choice", "why")


def _fitting(said: Heard, topic: Topic, of: Seat | None) -> Seat | None:
    """Who is meant with *you* where nobody is named: whoever did what it is about."""
    game, last = said.game, _last_hand(said.game)
    place = NOBODY
    of_all = OF_ALL.search(said.form.text)
    match topic:
        case "drew" | "received" | "choice" | "clash" if last is not None and not of_all:
            place = _of_hand(said, topic, of)
        case "card" if game.seen and of != _id(game, game.seen[-1][0]):
            place = game.seen[-1][0]
        case "nominated":
            named = NOBODY if of is None else place_of(game, of)
            teams = [poll for poll in game.polls if poll.vote == "team" and (named in (NOBODY, poll.nominee))]
            place = game.director if named == game.nominee != NOBODY else teams[-1].director if teams else NOBODY
        case "why" | "changed":
            spoke = [m.speaker for m in game.claims if m.claim.kind == "believe" and m.claim.target == of]
            place = next((k for k in reversed(spoke) if _id(game, k) not in said.others), NOBODY)
        case "accused" if of is not None:
            by = [m.claim for m in game.claims if _id(game, m.speaker) == of and m.claim.side == "Acceleration"]
            place = place_of(game, by[-1].target or "") if by else NOBODY
        case _:
            pass
    return None if place in (NOBODY, said.i, *game.dead) else game.players[place].id


def _of_hand(said: Heard, topic: Topic, of: Seat | None) -> int:
    """Who held the hand that is meant: beside whoever is named, or in the last team."""
    game, named = said.game, NOBODY if of is None else place_of(said.game, of)
    hands = [r for r in game.records if r.drawn and named in (NOBODY, r.director, r.engineer)]
    if not hands:
        return NOBODY
    if named != NOBODY:
        return hands[-1].engineer if hands[-1].director == named else hands[-1].director
    director = "director" in said.form.text and "engineer" not in said.form.text
    return hands[-1].director if topic == "drew" or director else hands[-1].engineer


def _held_by(game: Game, target: Seat | None, topic: Topic, of: Seat | None) -> Topic:
    """What was drawn is asked of a Director and what was received of an Engineer, whatever the words for it."""
    if topic not in ("drew", "received") or target is None or of is not None:
        return topic
    held = [
        r for r in game.records
        if r.drawn and target in (both := (_id(game, r.director), _id(game, r.engineer))) and of in (None, *both)
    ]  # fmt: skip
    if not held or held[-1].director == held[-1].engineer:
        return topic
    return "drew" if _id(game, held[-1].director) == target else "received"


def _looked(game: Game, target: Seat) -> bool:
    return any(target in (_id(game, viewer), _id(game, seen)) for viewer, seen in game.seen)


def _held(game: Game, target: Seat) -> bool:
    return any(target in (_id(game, r.director), _id(game, r.engineer)) for r in game.records if r.drawn)


def _known_by(game: Game, target: Seat | None, of: Seat | None, topic: Topic) -> Topic:
    """What somebody thinks of a player whose card they saw is what the card said."""
    seen = [(_id(game, viewer), _id(game, seen)) for viewer, seen in game.seen]
    return "card" if topic == "opinion" and (target, of) in seen else topic


def _last_hand(game: Game) -> Record | None:
    return next((record for record in reversed(game.records) if record.drawn), None)


def _id(game: Game, place: int) -> Seat:
    return game.players[place].id


_PAPER = re.compile(r"\b(?:C\s*)?([0-3])\s*(?:/|,|-|:|\s+S?\s*|and\s+S)\s*(?:S\s*)?([0-3])\b", re.IGNORECASE)


def papers_in(text: str) -> tuple[Paper, ...]:
    """The papers that a message names, such as 3/0 or C 3 S 0; those that are not in the deck are none."""
    found = [(int(capability), int(safety)) for capability, safety in _PAPER.findall(text)]
    return tuple(paper for paper in found if paper in DECK)
