"""What a message means: the claim or the question in somebody's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import Alike, Ask, Failed
from greenroom.text.runs import runs
from greenroom.worlds.secret_agi.rules.asking import (
    SHORT,
    Heard,
    asked,
    exchange,
    fits,
    heard,
    is_thin,
    leaning,
    of_claim,
    papers_in,
    pattern,
    question,
    spoke_last,
    spoken_with,
    unlikely,
)
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic
from greenroom.worlds.secret_agi.rules.content import Sense, Senses
from greenroom.worlds.secret_agi.rules.forms import compared
from greenroom.worlds.secret_agi.rules.german import in_english
from greenroom.worlds.secret_agi.rules.names import addressed, names, without_names
from greenroom.worlds.secret_agi.rules.papers import HAND, Paper, Side
from greenroom.worlds.secret_agi.rules.state import Game, Record
from greenroom.worlds.secret_agi.rules.topics import WORSE

#: How likely it must be, as a logarithm, where nothing else tells what it is after, to be asked though it does not look
#: so, and to be answered as well; how near the likeliest that must be; what speaks against what nobody can ask here.
NEAR, SURE, AS_WELL, DOUBTFUL, UNLIKELY = -2.0, -0.7, -1.2, 0.25, 2.0

_BEGIN = (
    r"(?!can( not|'?t) (believe|wait|stand|be)\b)(?!do( not|n'?t) (?!you|we|they|i\b))"
    r"(whats?|whos?|whom|whose|which|why|how|when|where|am|any|anyone|anybody|gonna|tell|show|explain|name|"
    r"pick|walk|say|give|remind|prove|yes or no|since when|"
    r"(are|did|do|does|is|was|were|will|would|can|could|have|has|should|shall)(n'?t)?)('\w+)?\b"
)
#: What people say before they begin.
_WELL = (
    r"((wait|uh+|um+|erm?|hm+|so+|ok|okay|yo|guys|lads|folks|people|look|honestly|seriously|right|now|well|and|but)"
    r"\W+){0,3}"
)
_ASKS = re.compile(rf"\?|^\W*{_WELL}{_BEGIN}", re.IGNORECASE)
#: A message of so many words is all one question even if only a part of it asks.
_BRIEF = 12
_ASKS_IN_PASSING = re.compile(rf"([,.;:!–-] |\b(and|so|but|ok|okay|well|lol|then) ){_BEGIN}", re.IGNORECASE)
_ASKS_AT_LAST = re.compile(
    r"\b(isn'?t it|aren'?t you|don'?t you|didn'?t you|right|eh|huh|what happens|(and )?then what)\W{0,3}$|"
    r"\b(who('d|'s)|who (do|would|should|is)|"
    r"what's|why'd)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(^|[.!?;:,–-]) ?((and|so|now|just|then|well) )?(tell|show|explain|name|list|describe|pick|walk us|give us)\b|"
    r"\b((want|love|(would|'d) like|curious|wonder\w*) (to (hear|know)|why|what|who|how)|please|i'd like to|"
    r"convince me|prove|blink|nod|remind|to explain)\b",
    re.IGNORECASE,
)


def understood(
    senses: Senses, game: Game, i: int, text: str
) -> Generator[Ask | tuple[Ask, ...], Any, tuple[Assertion | None, Assertion | None]]:
    """The claim in these words, and a second one where they ask two things or claim what calls for an answer; None
    where there is nothing to answer or to check.
    """
    said = heard(game, i, in_english(text))
    said = said._replace(seat=spoken_with(said))
    found: list[Assertion] = []
    for one in _questions(said):
        claims = yield from _meant(senses, one)
        found += [claim for claim in claims[:1] if claim.about != "lost" and claim not in found]
    if len({one.about for one in found}) < TWO:
        found = [*(yield from _meant(senses, said))]
        also = _unasked(said, found[0]) if len(found) == 1 else None
        found += [] if also is None else [also]
    first, second = (*found, None, None)[:TWO]
    return first, second


def _unasked(said: Heard, claim: Assertion) -> Assertion | None:
    """What somebody who claims something wants to hear about it without asking."""
    match claim.kind:
        case "drew" | "received":
            return Assertion(kind="question", about="story", of=said.me)
        case "card" | "believe" if not claim.about:
            return Assertion(kind="question", about="agree", of=said.me, other=claim.target)
        case "vote":
            return question(said, "elect") if said.others else Assertion(kind="question", about="vote")
        case _:
            return None


#: What a remark that asks nothing may call for; nobody answers it with a rule or with the record.
_REMARKED = frozenset(
    ("opinion", "elect", "accused", "pair", "mood", "tease", "praise", "sorry", "thanks", "aside", "hello", "vote",
     "agree", "plan", "invite", "offended", "rank", "earn", "quiet", "lied", "silent", "story",
     "bot", "remark")
)  # fmt: skip
#: What is answered with one's hand, whichever of it is asked.
_OF_HANDS = frozenset(("drew", "received", "choice", "clash"))
#: A message asks two things at most; two words to nobody say nothing.
TWO = 2


#: What somebody who is spoken to with a kind word may hear all the same: *a good one, and you threw it away*.
_UNKIND = frozenset(("accused", "choice", "lied", "own", "voted", "tease"))
#: What nobody answers where it is hardly a word.
_SAYS_NOTHING = frozenset(("remark", "aside", "tease"))


def _questions(said: Heard) -> list[Heard]:
    """The last two sentences that ask, if there are two and each is whole."""
    parts = [heard(said.game, said.i, part) for part in _APART.split(said.text)]
    asking = [part for part in parts if _ASKS.search(part.form.text) and not is_thin(part.form.text)]
    if len(asking) < TWO:
        return []
    return [part if part.seat is not None else part._replace(seat=said.seat) for part in asking[-TWO:]]


def _meant(senses: Senses, said: Heard) -> Generator[Ask | tuple[Ask, ...], Any, tuple[Assertion, ...]]:
    """What one message or sentence means: by its words, and by what it is like where these leave a doubt; two things
    where it may well be either.
    """
    said = _asking_part(said) if _wants(said) else said
    claim = read(said)
    plain = claim is not None and (claim == leaning(said) or (not _wants(said) and claim == _to_table(said, None)))
    kindly = claim is not None and claim.kind == "believe" and claim.about == "trust"
    if claim is not None and (claim.kind != "question" or plain) and not kindly:
        return (claim,)
    scores: Any = yield Alike(text=compared(said.form.text), others=senses.compared)
    if isinstance(scores, Failed):
        return () if claim is None else (claim,)
    found = _nearest(senses, said, None if kindly else claim, scores) or _leftover(said)
    if claim is not None and kindly and found[0].about not in _UNKIND:
        return (claim,)
    if len(said.plain.split()) <= TWO and not _is_asked(said) and found[0].about in _SAYS_NOTHING:
        return ()
    return tuple(_to_their_face(said, one) for one in found)


def _to_their_face(said: Heard, found: Assertion) -> Assertion:
    """An accusation or a taunt with whom it is for: who is named, or who spoke last."""
    if found.about not in ("accused", "tease"):
        return found
    named = said.seat or next(iter(said.others), None)
    if named is not None and not _wants(said) and WORSE.search(said.plain) and found.about == "accused":
        return Assertion(kind="believe", target=named, side="Acceleration", about="accused")
    if said.others and said.seat is None and not _wants(said):
        return question(said, "opinion")
    return found if found.target is not None else replace(found, target=spoke_last(said))


def _is_asked(said: Heard) -> bool:
    """Whether somebody waits for an answer: it asks, or says little to or of somebody."""
    return _wants(said) or (_is_brief(said) and bool(said.seat or said.others or said.form.of_you))


def _nearest(senses: Senses, said: Heard, claim: Assertion | None, scores: Sequence[float]) -> tuple[Assertion, ...]:
    """The question that it most likely is, by its words, by what it is like, and by what can be asked here; with the
    next, where that is hardly less likely and can be told in a word.
    """
    able = _able(said, claim)
    found = senses.weighed((*runs(said.form.text), pattern(said)), scores)
    weight = {
        one: likely - (UNLIKELY if unlikely(said, one.topic) else 0.0)
        for one, likely in found.items()
        if able(one, likely)
    }
    first, second = sorted(weight, key=lambda one: -weight[one])[:TWO]
    if claim is None and weight[first] < NEAR:
        return ()
    doubtful = weight[second] > max(AS_WELL, weight[first] - DOUBTFUL)
    apart = second.topic not in _REMARKED and not {first.topic, second.topic} <= _OF_HANDS
    wanted = (first, second) if doubtful and apart else (first,)
    return tuple(dict.fromkeys(_asked_so(said, claim, one) for one in wanted))


def _asked_so(said: Heard, claim: Assertion | None, meant: Sense) -> Assertion:
    """The question in this sense; as its words have it, where these say the same."""
    same = claim is not None and meant.topic == claim.about and meant.rule in ("", claim.rule)
    if claim is not None and same:
        return claim
    found = question(said, meant.topic, rule=meant.rule)
    return replace(found, other=said.me) if meant.topic == "remark" else found


def _able(said: Heard, claim: Assertion | None) -> Callable[[Sense, float], bool]:
    """What is left open by all that is known of a message."""
    wants = _wants(said)

    def able(one: Sense, likely: float) -> bool:
        if claim is not None and one.topic == claim.about:
            return True
        if not fits(said, one) or not (wants or claim or one.topic in _REMARKED or likely > SURE):
            return False
        if wants and one.topic == "accused":
            return said.form.of_you or said.seat is not None
        return wants or one.topic != "vote" or not said.others

    return able


def _leftover(said: Heard) -> tuple[Assertion, ...]:
    """What nobody can place: a short question leans on the answer before it; any other is not understood."""
    before = exchange(said)
    brief = len(said.plain.split()) <= SHORT // 2 and _is_asked(said)
    if before.partner is not None and before.said is not None and brief:
        return (of_claim(said.game, before.partner, before.said),)
    if said.others or (_is_asked(said) and said.form.of_me):
        return (question(said, "opinion"),)
    return (question(said, "lost"),) if _is_asked(said) else (_asked_so(said, None, Sense("remark")),)


def _wants(said: Heard) -> bool:
    """Whether somebody wants to know something; the message may begin with whom it speaks to."""
    text = said.form.text
    if _ASKS.search(text) or _ORDERS.search(text):
        return True
    last = " ".join(text.split()[-_BRIEF:])
    in_passing = _ASKS_IN_PASSING.search(last) or _ASKS_AT_LAST.search(last)
    return not papers_in(text) and bool(in_passing or any(map(_ASKS.search, _ENDED.split(text))))


def _asking_part(said: Heard) -> Heard:
    """Of several sentences the last that asks and says whom; all of them where none does."""
    for sentence in reversed(_ENDED.split(said.text)):
        part = heard(said.game, said.i, sentence)
        if sentence.endswith("?") and part.seat is not None and not is_thin(part.form.text):
            return part
        if _ASKS.search(sentence):
            return said
    passing = list(_ASKS_IN_PASSING.finditer(said.text))
    rest = said.text[passing[0].start() + 1 :] if passing else ""
    part = heard(said.game, said.i, rest)
    return said if is_thin(part.form.text) else part._replace(seat=part.seat or said.seat)


def _is_brief(said: Heard) -> bool:
    return len(said.plain.split()) <= _BRIEF


def read(said: Heard) -> Assertion | None:
    """What the words say plainly."""
    if _wants(said):
        return asked(said)
    stated = _stated(said.game, said.i, said.text)
    return _to_table(said, stated) or _claimed(said, stated)


def _to_table(said: Heard, stated: Assertion | None) -> Assertion | None:
    """What is for everybody: an account of one's own hand or vote without numbers."""
    return _of_own(said) if stated is None or stated.kind == "believe" else None


def _claimed(said: Heard, stated: Assertion | None) -> Assertion | None:
    """What a statement claims, or what whoever is spoken to is to say to it."""
    if stated is not None and stated.kind == "believe" and said.seat not in (None, stated.target):
        return replace(stated, about="opinion", of=said.seat)
    if said.seat is None or not _is_brief(said) or (stated is not None and said.others not in ((), (said.me,))):
        return stated
    return asked(said) if stated is None else stated


# statements

_SIDES: tuple[tuple[Side, re.Pattern[str]], ...] = (
    ("Safety", re.compile(r"\b((don'?t|do not|never) (blame|suspect|accuse|doubt)|"
                          r"not (the agi|evil|bad|lying|an? accel\w*)|trust|safe|safety|honest|clean|good|innocent|"
                          r"believe)\b", re.IGNORECASE)),
    ("Acceleration", re.compile(r"\b(agi|evil|bad|lying|liar|lied|suspect|suspicious|accel\w*|traitor|dirty|guilty|"
                                r"(don'?t|do not|can'?t|cannot|never) (trust|believe))\b", re.IGNORECASE)),
)  # fmt: skip
_DENIED = re.compile(
    r"\b(don'?t|do not|can'?t|cannot|(wo|would|could)n'?t|never|not|nobody|(mistake|wrong|hard|foolish) to) "
    r"(trust|believe|safe|safety|honest|clean)\b",
    re.IGNORECASE,
)
_DREW = re.compile(r"\b(i|we) (drew|had|discarded|passed|was dealt|held)\b|\bmy hand\b", re.IGNORECASE)
_RECEIVED = re.compile(r"\bi (got|received|was (given|handed|passed))\b|\b(gave|handed|passed) me\b", re.IGNORECASE)
_PASSED = re.compile(r"\b(passed|handed on|gave|kept)\b", re.IGNORECASE)
_LOOKED = re.compile(r"\bi (have |'ve )?(looked at|saw|seen|checked|investigated)\b.*\bcard\b", re.IGNORECASE)
_ROLE = re.compile(
    r"\bi('?m| am) (\w+ ){0,4}?(safety|safe|agi|good|evil|bad|accel\w*|clean|innocent|honest|traitor|guilty)\b",
    re.IGNORECASE,
)
_TRUST_ME = re.compile(r"^(\w+ ){0,3}?(you (can|may|could) |just |please )?(trust|believe) me\b", re.IGNORECASE)
_VOTE = re.compile(r"\bi('ll| will| vote|'m going to| am going to|'m voting|"
                   r" am voting)\b.{0,40}\b(vote|yes|no|against)\b",
                   re.IGNORECASE)  # fmt: skip
_SUPPOSED = re.compile(r"\b(if|unless|either|you (said|told|claim\w*|promised))\b", re.IGNORECASE)
#: Of one's own hand without its numbers: what one did with papers, that they were one's own, or only how many there
#: were; and of one's own vote.
_OWN_HAND = re.compile(
    r"(^|\b(i|we) (\w+ ){0,2})(got\b|drew|had|pass|received|claim|publish|gave|discard|dealt|hand)\w*\b.{0,24}"
    r"\b(papers?|ones?|good|bad|safety|capability|hand|choice)\b|\bmy (hand|papers|draw)\b|\b(of mine|from me)\b|"
    r"^(\w+ ){0,2}(two|three|both|nothing but) (\w+ ){0,2}(bad|good|safety|capability)\b"
)
_OWN_VOTE = re.compile(r"\bi voted\b|\bmy (vote|ballot) was\b")
_ENDED = re.compile(r"(?<=[.!?])\s+")
#: Where one question ends and another may begin.
_APART = re.compile(
    r"(?<=[.!?])\s+|,? and (?=(?:who|whom|what|which|why|how|should|do|did|would|will|can)\b)", re.IGNORECASE
)
_SENTENCES = re.compile(r"[.!?;]\s+")
_AGAINST = re.compile(r"\b(no|against|reject|not)\b", re.IGNORECASE)


def _stated(game: Game, i: int, text: str) -> Assertion | None:
    papers = papers_in(text)
    if papers and (claim := _hand(game, i, text, papers)) is not None:
        return claim
    found = [name for name in names(game, text) if name.seat != game.players[i].id]
    plain = without_names(text, found)
    if _VOTE.search(plain):
        return Assertion(kind="vote", round=game.round, yes=not _AGAINST.search(plain))
    side = side_in(plain)
    if len(found) == 1 and _LOOKED.search(plain) and side is not None:
        return Assertion(kind="card", target=found[0].seat, side=side)
    if _TRUST_ME.search(plain):
        return Assertion(kind="role", side="Safety")
    for sentence in _SENTENCES.split(text):
        if (claim := _of_somebody(game, i, sentence)) is not None:
            return claim
    if _ROLE.search(plain) and side is not None:
        return Assertion(kind="role", side=side)
    return None


def _of_own(said: Heard) -> Assertion | None:
    """What others are to make of one's own hand or vote, where somebody tells of it without numbers."""
    if _OWN_HAND.search(said.form.text):
        return Assertion(kind="question", about="story", target=said.seat, of=said.me)
    return question(said, "mine") if _OWN_VOTE.search(said.form.text) else None


#: What is said of two players together.
_OF_BOTH = re.compile(r"\b(both|one of (them|the two)|or one|either)\b", re.IGNORECASE)


def _of_somebody(game: Game, i: int, sentence: str) -> Assertion | None:
    """What one sentence says of a player it names; a name that is only called says nothing, unless *you* follows.
    What would be so if something else were is not said of anybody.
    """
    if _SUPPOSED.search(sentence):
        return None
    found = [name for name in names(game, sentence) if name.seat != game.players[i].id]
    called = addressed(sentence, found)
    if called is not None and not re.search(r"\byou\b", sentence, re.IGNORECASE):
        found = [name for name in found if name != called]
    plain = without_names(sentence, found)
    if not found or (side := side_in(plain)) is None or _OF_BOTH.search(plain):
        return None
    seen = "card" in plain.lower() and any(game.players[target].id == found[0].seat for _, target in game.seen)
    to_them = called is not None and called == found[0]
    about: Topic = "accused" if side == "Acceleration" else "trust" if to_them else ""
    return Assertion(kind="card" if seen else "believe", target=found[0].seat, side=side, about=about)


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
    later = _PASSED.search(text)
    papers = papers if later is None else papers_in(text[: later.start()])
    if _DREW.search(text) and len(papers) >= HAND:
        passed = papers_in(text[later.end() :]) if later is not None else ()
        return Assertion(
            kind="drew", round=last.round, papers=papers[:HAND], passed=passed[:2] if len(passed) >= 2 else ()
        )
    return None
