"""What a message means: the claim or the question in somebody's own words.

Patterns decide where the words leave no doubt. A question that fits none is compared with examples of what people ask,
by meaning where the house has an encoder and by the words they share where it has none.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

from greenroom.kernel.asks import Alike, Ask, Failed
from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic
from greenroom.worlds.secret_agi.rules.papers import DECK, HAND, Paper, Side
from greenroom.worlds.secret_agi.rules.state import NOBODY, Game, Record

#: How like an example a question must be.
NEAR = 0.4

#: What people ask, for questions that no pattern knows.
EXAMPLES: dict[Topic, tuple[str, ...]] = {
    "drew": ("What papers did you draw?", "What did you pass on and what did you discard?", "Show us your hand."),
    "received": (
        "What did you receive from the Director?",
        "Why did you publish that paper?",
        "Did you have a better choice?",
    ),
    "card": ("What did the card say?", "What did you learn when you looked at the card?"),
    "role": ("Which side are you on?", "Are you the AGI?", "What is your role?", "Are you good or evil?"),
    "suspect": ("Who do you suspect?", "Who is the AGI?", "Who is lying?", "Who is the traitor?"),
    "trust": ("Who do you trust?", "Who is on our side?", "Who can be relied on?"),
    "opinion": ("What do you think of them?", "Do you believe them?", "Are they lying?", "Your opinion of them?"),
    "why": ("Why do you suspect them?", "What makes you think that?", "What is your evidence?"),
    "voted": ("Why did you vote like that?", "Explain your vote."),
    "vote": ("How will you vote on this team?", "Do you support this team?", "Are you for this team or against it?"),
    "nominate": ("Whom would you nominate?", "Who should be the Engineer?"),
    "table": ("What is the score?", "How many papers are left?", "How do we stand?"),
}
_FLAT: tuple[tuple[Topic, str], ...] = tuple((topic, text) for topic, texts in EXAMPLES.items() for text in texts)


def _patterns(given: Sequence[tuple[Topic, str]]) -> tuple[tuple[Topic, re.Pattern[str]], ...]:
    return tuple((topic, re.compile(pattern, re.IGNORECASE)) for topic, pattern in given)


#: From the plainest to the loosest; the first that fits is it.
_TOPICS = _patterns(
    (
        ("table", r"\bhow (many|much) (papers|rounds|cards|capability|safety|time)|\bpapers? (are |is |"
                  r"do we have )?(left|"
                  r"remain)|\bremain(s|ing)?\b|\b(the|our) (score|meters?|standing)\b|\bstate of\b|"
                  r"\bhow (close|far|bad|"
                  r"long|late)\b|\bwhere (do|does|are|is) (we|things|it|the|capability|safety)\b|"
                  r"\bhow (do|does|are) (we|"
                  r"things|it)\b|"
                  r"\b(ahead|behind|winning|losing)\b(?! your)|\benough (safety|papers)|\bwhat (happens|comes) next"),
        ("vote", r"\b(will|would|going to|gonna|are we|do we|shall we|should we|are you)\b.{0,40}\b(vote|voting|"
                 r"ballot|approv\w+|"
                 r"back|support|accept|reject|say (yes|no))\b|\bhow (do|will|would|"
                 r"are) you .{0,40}vot|\byour vote\b.{0,40}\b(be|"
                 r"this)\b|\byes or no\b|\bdo you (support|back|approve)|\b(get|have) your (vote|support)|\bfor or "
                 r"against\b"),
        ("voted", r"\b(why|explain|how come|reasons?|behind|what)\b.{0,40}\b(vot\w*|ballot|your (yes|"
                  r"no)|say (yes|no))\b|"
                  r"\b(vot\w*|ballot|said (yes|no)|(were|was) (against|for) (it|that|them|the team))\b.{0,40}"
                  r"\b(why|how come|about|reasons?)\b|\bwhy('d| did)? you (vote|say (yes|no)|approve|reject|"
                  r"back|support)"),
        ("nominate", r"\bnominat|\bengineer\b(?!.{0,40}\b(get|got|hold|have|choose|publish|else|"
                     r"papers)\b)|send to research|"
                     r"\b(go|do|does) (to |the )?research|\bwho (should|shall|could|can|would) (work|do|go|publish)|"
                     r"\bfor the job\b"),
        ("role", r"\b(your|you) (own )?(role|side|team|allegiance|colou?rs)\b|"
                 r"\byou (work|play|fight|stand|are) (for|with) |"
                 r"\b(your|you) (loyal|loyalty|loyalties)\b"),
        ("card", r"\b(cards?\b(?!.{0,40}\b(draw|have|had|hand|left)\b)|allegiance|peek\w*|checked|"
                 r"your (check|look|power)|"
                 r"investigat\w*|looked at|inspect\w*|know something|find out|found out|learn(t|ed)?)\b"),
        ("received", r"\b(get|got|gave|give you|given|hand(ed)? you|were you (handed|given|passed|dealt)|receiv\w*|"
                     r"reach(ed)? you|two( papers)?|better|worse|the (other|second|first)( one| paper)?|what else|"
                     r"alternative|publish\w*|(any|a|no|the) (choice|option)s?|leave you|left you|pick(ed)? from|came "
                     r"(over|to you)|turn(ed)? down|choose between|engineer .{0,40}(hold|have|choose))\b"),
        ("drew", r"\b(dr[ae]wn?|draw|discard\w*|dealt|deck|bin|binned|threw|throw(n)? away|thrown|three( papers)?|"
                 r"pass(ed)?|hand over|full hand|hold back|held back|held|hold|kept|keep|to choose from|bury|"
                 r"buried)\b|\b("
                 r"your|the|whole|my) (hand|papers|cards)\b|\b(cards|papers?) (did|were|was|are)\b"),
        ("why", r"\bwhy\b.{0,40}\b(should|would|be|suspect|trust|believe|accus\w*|think|doubt|like|hard on|blame|"
                r"against|is it|say)\b|what "
                r"makes you|\bgrounds\b|\bevidence\b|\bhave against\b|done to you|\bproof\b|\bhow do you know\b"),
        ("role", r"\bare you\b.{0,40}\b(agi|safety|evil|bad|good|safe|accel\w*|machine|one of|with us|"
                 r"human|lying|our side|"
                 r"traitor|insider|honest|liar)\b|\b(your|you) (own )?(role|side|team|allegiance)\b|\b(which|"
                 r"what|whose) "
                 r"side|\bswear\b|\b(aren't|are|not|isn't it) you\b|\byou('re| are) (not )?(on|one|the|"
                 r"an?)\b|\b(what|who) "
                 r"are you\b|\bwhere do you stand|\bwith us or\b"),
    )
)  # fmt: skip
_OF_ANYBODY = _patterns(
    (
        ("suspect", r"\b(suspect\w*|suspicious|lying|liar|lies|traitors?|accuse|agi|evil|bad|guilty|accel\w*|machine|"
                    r"(don'?t|not|never) (you )?(trust|believe|like)|distrust|insiders?|fishy|dirty|throw out|kick out|"
                    r"eliminate|get rid|vote out|worries|worry|enemy|against us|dangerous|wants? |watch)\b"),
        ("trust", r"\b(trust\w*|faith|count on|depend on|sure of|swear by|stand by|side with|confident|safe|"
                  r"safety|believe|rely|reliable|honest|clean|innocent|word|with us|on our side|good|"
                  r"vouch|clear(ed)?|friends?|ally|allies)\b"),
        ("suspect", r"\bwho\b"),
    )
)  # fmt: skip

#: A question after a person has a person for an answer, whatever else it mentions.
_WHO = re.compile(r"^\W*(and |so |but |then |well |now )?"
                  r"(who|whom|whose|which of|anybody|anyone|is there (any|some)(body|one))\b",
                  re.IGNORECASE)  # fmt: skip
_WHOM = _patterns(
    (
        ("role", r"\bwhose side are you\b|\bwho are you\b"),
        ("nominate", r"\b(nominat\w*|engineer|research|send|choose|chose|pick|propose|put forward|appoint|elect|next|"
                     r"job|turn)\b|\bwho (should|shall|could|can|would) (work|do|go|publish)"),
    )
)  # fmt: skip

#: Words for a person who is not named; for a vote to come; for one that was.
_PERSON = re.compile(
    r"\b(who\w*|anybody|anyone|somebody|someone|everybody|everyone|(one|which|any|some) of)\b", re.IGNORECASE
)
_COMING = re.compile(r"\b((will|would) you|you ('ll |will |would )?let|going to|gonna)\b", re.IGNORECASE)
_STOOD = re.compile(r"\b(were|was|are|been) you (for|against)\b|\byou (were|was|voted|said|went) "
                    r"(for|against|yes|no)\b",
                    re.IGNORECASE)  # fmt: skip

_ASKS = re.compile(
    r"\?|^\W*(what|who|whom|whose|which|why|how|are|did|do|does|is|was|will|would|can|could|have|has|should|shall|any|"
    r"where|hey|tell|show|explain|name|pick|walk|say|give)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(^|[.!?;:,–-]) ?((and|so|now|just|then|well) )?(tell|show|explain|name|list|describe|pick|walk us|give us)\b|"
    r"\b(i want to hear|please|i'd like to)\b",
    re.IGNORECASE,
)
_PAPER = re.compile(r"\b(?:C\s*)?([0-3])\s*(?:/|,|-|:|\s+S?\s*|and\s+S)\s*(?:S\s*)?([0-3])\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\D+?)[ _-]?(\d+)$")


class Named(NamedTuple):
    """A player's name in a message."""

    seat: Seat
    start: int
    end: int


def understood(game: Game, i: int, text: str) -> Generator[Ask | tuple[Ask, ...], Any, Assertion | None]:
    """The claim in these words; None where there is none that anybody could answer or check."""
    claim = read(game, i, text)
    if claim is not None or not _wants(game, text):
        return claim
    scores: Any = yield Alike(text=_plain(text, names(game, text)), others=tuple(example for _, example in _FLAT))
    return None if isinstance(scores, Failed) else _nearest(game, i, text, scores)


def asks(text: str) -> bool:
    """Whether somebody wants to know something."""
    return bool(_ASKS.search(text) or _ORDERS.search(text))


def _wants(game: Game, text: str) -> bool:
    """The same of a message that may begin with whom it speaks to."""
    spoken_to = _addressed(text, names(game, text))
    return asks(text if spoken_to is None else _plain(text, [spoken_to]))


def _nearest(game: Game, i: int, text: str, scores: Sequence[float]) -> Assertion | None:
    best = max(range(len(_FLAT)), key=lambda k: (scores[k], -k))
    return _question(game, i, text, _FLAT[best][0]) if scores[best] >= NEAR else None


def read(game: Game, i: int, text: str) -> Assertion | None:
    """What the words say plainly."""
    return _asked(game, i, text) if _wants(game, text) else _stated(game, i, text)


# names


def names(game: Game, text: str) -> list[Named]:
    """The players that a message names, in order."""
    found: dict[int, Named] = {}
    for player in game.players:
        for match in _name(player.id).finditer(text):
            found.setdefault(match.start(), Named(player.id, match.start(), match.end()))
    return [found[at] for at in sorted(found)]


def _name(seat: Seat) -> re.Pattern[str]:
    """A seat by its name; a numbered one also by its initial or the number sign."""
    numbered = _NUMBERED.match(seat)
    spoken = r"[ _-]?".join(map(re.escape, re.split(r"[ _-]+", seat)))
    if numbered is not None:
        first, number = numbered.groups()
        spoken += rf"|{re.escape(first[0])}{number}|#{number}|{re.escape(first)}[ _-]?{number}|seat {number}"
    return re.compile(rf"(?<!\w)(?:{spoken})(?!\w)", re.IGNORECASE)


def _plain(text: str, found: Sequence[Named]) -> str:
    """The message without names that only say who is meant."""
    for name in reversed(found):
        text = f"{text[: name.start]}{text[name.end :]}"
    return re.sub(r"\s+", " ", text).strip(" ,:;-–")


def _addressed(text: str, found: Sequence[Named]) -> Named | None:
    """Who is spoken to: a name set off from the sentence, at its beginning or at its end."""
    for name in found:
        before, after = text[: name.start].strip(), text[name.end :].strip()
        if _CALL.match(before) and not re.match(r"^('s|’s|is\b|has\b|looks\b|seems\b|was\b)", after, re.IGNORECASE):
            return name
        if before.endswith((",", ":", "-", "–", ".", "?", "!")) and re.match(r"^([.?!]*$|[,:])", after):
            return name
    return None


#: What comes before the name of whoever is spoken to.
_CALL = re.compile(r"^(okay|ok|hey|so|and|but|well|now|listen|hi|right|alright|"
                   r"come on|oh|please|dear|excuse me|look|sorry)?[ ,]*$",
                   re.IGNORECASE)  # fmt: skip


# questions


def _asked(game: Game, i: int, text: str) -> Assertion | None:
    found = names(game, text)
    spoken_to = _addressed(text, found)
    others = [name for name in found if spoken_to is None or name.seat != spoken_to.seat]
    plain = _plain(text, found)
    seat = None if spoken_to is None else spoken_to.seat
    topic = _by_place(game, seat, [name.seat for name in others], plain)
    topic = topic or _topic(plain, of_somebody=bool(others), held=seat is None or _held_papers(game, seat))
    if topic is None and not others:
        topic = next((topic for topic, pattern in _OF_ANYBODY if pattern.search(plain)), None)
    return None if topic is None else _question(game, i, text, topic)


def _by_place(game: Game, seat: Seat | None, others: Sequence[Seat], text: str) -> Topic | None:
    """What is meant because of who is asked and of whom, whatever the words: a coming vote, or a vote that was."""
    if _COMING.search(text) and game.nominee != NOBODY and _id(game, game.nominee) in others:
        return "vote"
    if _STOOD.search(text):
        return "voted"
    last = next((record for record in reversed(game.records) if record.drawn), None)
    if seat is None or others or last is None or _PERSON.search(text) or any(p.search(text) for _, p in _TOPICS):
        return None
    return _of_their_hand(game, seat)


def _held_papers(game: Game, seat: Seat) -> bool:
    return any(seat in (_id(game, r.director), _id(game, r.engineer)) for r in game.records if r.drawn)


def _of_their_hand(game: Game, seat: Seat) -> Topic | None:
    """What else somebody is asked who has just held papers: about these."""
    last = next((record for record in reversed(game.records) if record.drawn), None)
    if last is None:
        return None
    if seat == _id(game, last.director):
        return "drew"
    return "received" if seat == _id(game, last.engineer) else None


def _topic(text: str, *, of_somebody: bool, held: bool) -> Topic | None:
    """The first topic whose words are there; nobody is asked for papers who never held any, if it can mean another."""
    anybody = not of_somebody and _WHO.search(text)
    for topic, pattern in _WHOM if anybody else _TOPICS:
        if pattern.search(text) and (held or not of_somebody or topic not in ("drew", "received")):
            return topic
    return "opinion" if of_somebody else None


def _question(game: Game, i: int, text: str, topic: Topic) -> Assertion:
    found = names(game, text)
    spoken_to = _addressed(text, found)
    others = [name.seat for name in found if spoken_to is None or name.seat != spoken_to.seat]
    of = others[0] if others else None
    target = None if spoken_to is None else spoken_to.seat
    if topic in ("suspect", "trust") and of is not None:
        topic = "opinion"
    if topic == "opinion" and of is None:
        of, target = target, None
    topic = _held_by(game, target, topic)
    side: Side | None = "Acceleration" if topic == "role" and re.search(r"\bagi\b", text, re.IGNORECASE) else None
    keeps_of = topic in ("opinion", "why", "card")
    target = target or _concerned(game, i, topic)
    return Assertion(kind="question", about=topic, target=target, of=of if keeps_of else None, side=side)


def _held_by(game: Game, target: Seat | None, topic: Topic) -> Topic:
    """What was drawn is asked of a Director and what was received of an Engineer, whatever the words for it."""
    if topic not in ("drew", "received") or target is None:
        return topic
    last = next(
        (r for r in reversed(game.records) if r.drawn and target in (_id(game, r.director), _id(game, r.engineer))),
        None,
    )
    if last is None or last.director == last.engineer:
        return topic
    return "drew" if _id(game, last.director) == target else "received"


def _id(game: Game, place: int) -> Seat:
    return game.players[place].id


def _concerned(game: Game, i: int, topic: Topic) -> Seat | None:
    """Whom a question concerns that names nobody."""
    last = next((record for record in reversed(game.records) if record.drawn), None)
    place = NOBODY
    if last is not None and topic in ("drew", "received"):
        place = last.director if topic == "drew" else last.engineer
    elif topic == "card" and game.seen:
        place = game.seen[-1][0]
    return None if place in (NOBODY, i) else game.players[place].id


# statements

_SIDES: tuple[tuple[Side, re.Pattern[str]], ...] = (
    ("Safety", re.compile(r"\b(not (the agi|evil|bad|lying|an? accel\w*)|trust|safe|safety|honest|clean|good|innocent|"
                          r"believe)\b", re.IGNORECASE)),
    ("Acceleration", re.compile(r"\b(agi|evil|bad|lying|liar|lied|suspect|suspicious|accel\w*|traitor|dirty|guilty|"
                                r"(don'?t|do not|can'?t|cannot|never) (trust|believe))\b", re.IGNORECASE)),
)  # fmt: skip
_DENIED = re.compile(
    r"\b(don'?t|do not|can'?t|cannot|never|not) (trust|believe|safe|safety|honest|clean)\b", re.IGNORECASE
)
_DREW = re.compile(r"\b(i|we) (drew|had|discarded|passed|was dealt|held)\b|\bmy hand\b", re.IGNORECASE)
_RECEIVED = re.compile(r"\bi (got|received|was (given|handed|passed))\b|\b(gave|handed|passed) me\b", re.IGNORECASE)
_PASSED = re.compile(r"\b(passed|handed on|gave|kept)\b", re.IGNORECASE)
_ROLE = re.compile(r"\bi('m| am)\b", re.IGNORECASE)
_VOTE = re.compile(r"\bi('ll| will| vote|'m going to| am going to|'m voting|"
                   r" am voting)\b.{0,40}\b(vote|yes|no|against)\b",
                   re.IGNORECASE)  # fmt: skip
_SENTENCES = re.compile(r"[.!?;]\s+")
_AGAINST = re.compile(r"\b(no|against|reject|not)\b", re.IGNORECASE)


def _stated(game: Game, i: int, text: str) -> Assertion | None:
    papers = papers_in(text)
    if papers and (claim := _hand(game, i, text, papers)) is not None:
        return claim
    found = [name for name in names(game, text) if name.seat != game.players[i].id]
    plain = _plain(text, found)
    if _VOTE.search(plain):
        return Assertion(kind="vote", round=game.round, yes=not _AGAINST.search(plain))
    for sentence in _SENTENCES.split(text):
        if (claim := _of_somebody(game, i, sentence)) is not None:
            return claim
    if _ROLE.search(plain) and (side := side_in(plain)) is not None:
        return Assertion(kind="role", side=side)
    return None


def _of_somebody(game: Game, i: int, sentence: str) -> Assertion | None:
    """What one sentence says of a player it names; a name that is only called says nothing, unless *you* follows."""
    found = [name for name in names(game, sentence) if name.seat != game.players[i].id]
    called = _addressed(sentence, found)
    if called is not None and not re.search(r"\byou\b", sentence, re.IGNORECASE):
        found = [name for name in found if name != called]
    plain = _plain(sentence, found)
    if not found or (side := side_in(plain)) is None:
        return None
    seen = "card" in plain.lower() and any(game.players[target].id == found[0].seat for _, target in game.seen)
    return Assertion(kind="card" if seen else "believe", target=found[0].seat, side=side)


def papers_in(text: str) -> tuple[Paper, ...]:
    """The papers that a message names, such as 3/0 or C 3 S 0; those that are not in the deck are none."""
    found = [(int(capability), int(safety)) for capability, safety in _PAPER.findall(text)]
    return tuple(paper for paper in found if paper in DECK)


def side_in(text: str) -> Side | None:
    """The side that a sentence puts somebody on; what is denied counts for the other."""
    if _DENIED.search(text):
        return "Acceleration"
    return next((side for side, pattern in _SIDES if pattern.search(text)), None)


def _hand(game: Game, i: int, text: str, papers: tuple[Paper, ...]) -> Assertion | None:
    record: Record | None = next((r for r in reversed(game.records) if r.drawn and i in (r.director, r.engineer)), None)
    last = record or next((r for r in reversed(game.records) if r.drawn), None)
    if last is None:
        return None
    if _RECEIVED.search(text) and len(papers) <= 2:
        return Assertion(kind="received", round=last.round, papers=papers[:2])
    if _DREW.search(text) and len(papers) >= HAND:
        later = _PASSED.search(text)
        passed = papers_in(text[later.end() :]) if later is not None else ()
        return Assertion(
            kind="drew", round=last.round, papers=papers[:HAND], passed=passed[:2] if len(passed) >= 2 else ()
        )
    return None
