"""Who is named in a message, and who is spoken to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.state import Game

_NUMBERED = re.compile(r"^(\D+?)[ _-]?(\d+)$")
#: Who held the last hand, by their office; who that was is asked for with *who*.
_LAST_OFFICE = re.compile(
    r"(?<!who was )(?<!who is )\bthe (last|previous) "
    r"((?P<director>director|president|chair)|engineer|cto|chancellor)\b",
    re.IGNORECASE,
)
#: What a number belongs to that stands alone and names nobody: a count, a value or a round.
_COUNTS = r"(?<![\w/.,:+-])(?<!\d )" + "".join(
    rf"(?<!\b{word} )" for word in ("round", "safety", "capability", "value", "said", "at", "to", "got", "only", "get")
)
_COUNTED = (
    r"(?![\w/:+-]|[.,]\d| ?%| to \d| (papers?|cards?|votes?|rounds?|times?|more|good|bad|of|out|safety|capability|left|"
    r"players?|yes|no(es)?|and [0-3]\b))"
)
#: What comes before the name of whoever is spoken to.
_CALL = re.compile(r"^(okay|ok|hey|so|and|but|well|now|listen|hi|right|alright|"
                   r"come on|oh|please|dear|excuse me|look|honestly|seriously|frankly|actually|wait|um|yo|oi|"
                   r"again|tell (me|us)|question for|sorry|lol|sure|great|hm+|gg|thanks|thank you|hello|"
    r"morning|cheers|bye|nice one|well played|wow|ha+|haha|yeah|yeah yeah|yep|nope|ah|oh|ugh|damn|man|bravo|gotcha)?"
    r"[ ,]*$",
                   re.IGNORECASE)  # fmt: skip
#: What comes after a name at the beginning that is spoken of, and not to.
_SPOKEN_OF = re.compile(
    r"^((just|always|really|never|also|clearly|still) )?"
    r"('s|’s|(is|was)\b(?! (that|this|it|there|your|(any|every)thing)\b.*\byou)|has\b|"
    r"looks\b|seems\b|or\b|vs\b|versus\b|"
    r"and\b(?! (what|who|why|how|when|do|did|are|you)\b)|"
    r"(\w+s|told|gave|said) (you|me|us|that)\b|\w+ed\b|"
    r"(?!(yes|thanks|thoughts|votes|papers|cards|this|thats|whats|whos|its|lets|does|always|us)\b)\w{2,}[^\Ws]s\b|"
    r"(says|thinks|wants|keeps|seems|looks|claims|lies|votes|"
    r"accuses|said|got|drew|lied|voted|accused|claimed|nominated|published|looked|told|gave|passed|picked|chose)\b|"
    r"(did|do|does|would|will|can|could|should|has|had)(n'?t| not)?\b"
    r"(?! (you|u|anybody|anyone|somebody|someone|we|i)\b))",
    re.IGNORECASE,
)
#: The end of a sentence before a name at its end that belongs to the sentence: *do you trust player_3?*
_GOVERNS = re.compile(
    r"\b(of|about|with|on|over|after|before|except|without|since|is|are|it's|its|and|or|to|for|than|like|from|against|"
    r"at|by|vs|versus|if|why|(?<!\bor )not|but|in|behind|between|"
    r"(trust|believ|suspect|nominat|elect|pick|choos|accus|doubt|support|back|approv|want|tak|send|mean|chose|told|"
    r"tell|ask|see|saw|check|tak|hav|let|did|does|has|was|be|call|giv|gav|hand|know|clear|fear|blam|vot|lik|hat|"
    r"need)\w{0,4}|(we|i|they|who|any(one|body)|some(one|body)|every(one|body)|to|let's|not|never|\w+n't|should|would|"
    r"could|can|will|must) "
    r"(?!(do|know|think|say|go|mean|want|agree|win|lose|vote|you|us|me)$)\w+|\w+(ed|ing|es))$",
    re.IGNORECASE,
)
#: Where a message turns to somebody: before the name, and what it asks of them after it.
_TURNS = re.compile(r"(^|\b)(but|and|so|then|well|though)$", re.IGNORECASE)
_ASKS_THEM = re.compile(r"(why|what|how|when|where|who|whom|which)\b.{0,40}\b(you|your|u)\b", re.IGNORECASE)
_IS_TO_SAY = re.compile(r"(to|should|must|has to|needs to) (explain|tell|say|answer|show|admit)\b", re.IGNORECASE)
#: Where a clause ends, and whoever is named next may be spoken to.
_APART = re.compile(r"[.?!:;,]")
#: What else could be done, after the name of whoever is spoken to: *will you explain that player_3 or shall we vote?*
_OR_ELSE = re.compile(r"or (do|did|shall|should|are|is|will|can|just)\b", re.IGNORECASE)
#: One's own name as it is written of oneself, and what is said for it.
_OF_ONESELF = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        ("\0(['’]s|s\\b)", "my"), (r"\0 is\b", "I am"), (r"\bis \0", "am I"), (r"\0 has\b", "I have"),
        (r"\bhas \0", "have I"), (r"\bdoes \0", "do I"), (r"\b(did|was|had|will|would|can|could|should) \0", r"\1 I"),
        (r"\0 (?=(was|had|did|will|would|can|could|should|never|always|drew|got|gave|held|said|\w+ed)\b)", "I "),
        (r"\0", "me"),
    )
)  # fmt: skip
#: So many words before a name are a call, where a sentence ends with it: *last chance player_3. Who is it?*
_CALLED = 3
_YOU = re.compile(r"\b(you|your|yours|yourself|u|ya|you'\w+)\b", re.IGNORECASE)


class Named(NamedTuple):
    """A player's name in a message."""

    seat: Seat
    start: int
    end: int


def names(game: Game, text: str) -> list[Named]:
    """The players that a message names, in order."""
    found: dict[int, Named] = {}
    for player in game.players:
        for match in _name(player.id).finditer(text):
            found.setdefault(match.start(), Named(player.id, match.start(), match.end()))
    hand = next((record for record in reversed(game.records) if record.drawn), None)
    if hand is not None:
        for match in _LAST_OFFICE.finditer(text):
            place = hand.director if match["director"] else hand.engineer
            found.setdefault(match.start(), Named(game.players[place].id, match.start(), match.end()))
    return [found[at] for at in sorted(found)]


def _name(seat: Seat) -> re.Pattern[str]:
    """A seat by its name; a numbered one also by its initial or the number sign."""
    numbered = _NUMBERED.match(seat)
    spoken = r"[ _-]?".join(map(re.escape, re.split(r"[ _-]+", seat)))
    if numbered is not None:
        first, number = numbered.groups()
        spoken += rf"|{re.escape(first[0])}{number}|#{number}|{re.escape(first)}[ _-]?{number}|seat {number}"
        spoken += rf"|{_COUNTS}{number}{_COUNTED}"
    return re.compile(rf"(?<!\w)(?:{spoken})(?:(?!\w)|(?=s\b))", re.IGNORECASE)


def in_first_person(game: Game, me: Seat, text: str) -> str:
    """The message of somebody who calls themself by their name, with *I* and *me* instead."""
    own = [name for name in names(game, text) if name.seat == me]
    for name in reversed(own):
        text = f"{text[: name.start]}\0{text[name.end :]}"
    for pattern, plain in _OF_ONESELF if own else ():
        text = pattern.sub(plain, text)
    return text


def without_names(text: str, found: Sequence[Named]) -> str:
    """The message without names that only say who is meant."""
    for name in reversed(found):
        text = f"{text[: name.start]}{text[name.end :]}"
    return re.sub(r"\s+", " ", text).strip(" ,:;-–")


def addressed(text: str, found: Sequence[Named]) -> Named | None:
    """Who is spoken to: a name set off from the sentence, at its beginning or at its end."""
    for name in found:
        before, after = text[: name.start].strip(), text[name.end :].strip()
        called = _CALL.match(_APART.split(before)[-1].strip())
        spoken_of = _SPOKEN_OF.match(after)
        if called and (not spoken_of or _asks_of_another(text, name, found)):
            return name
        if (_TURNS.search(before) and _ASKS_THEM.match(after)) or _IS_TO_SAY.match(after):
            return name
        if before.endswith((",", ":", "-", "–", ".", "?", "!")) and re.match(r"^([.?!]|[,:]|$)", after):
            return name
    return next((name for name in reversed(found) if _closes(text, name)), None)


def _asks_of_another(text: str, name: Named, found: Sequence[Named]) -> bool:
    """Whether a verb and another name follow: *player_2 is player_3 lying?*"""
    verb = re.match(r"\W{0,3}(is|was|has|did|do|does|would|will|can|could|should) ", text[name.end :], re.IGNORECASE)
    return verb is not None and any(other.start == name.end + verb.end() for other in found)


def _closes(text: str, name: Named) -> bool:
    """Whether a name that is set off by nothing ends a clause and belongs to none of its words."""
    before, after = text[: name.start].strip(), text[name.end :].strip()
    otherwise = _OR_ELSE.match(after) is not None and bool(_YOU.search(before))
    if not before or (after and after[0] not in ",.?!;" and not otherwise):
        return False
    if _GOVERNS.search(before):
        return False
    return (
        not after.strip(" .?!")
        or otherwise
        or bool(_YOU.search(before if after[0] != "," else text))
        or (after[0] in ".?!" and len(before.split()) <= _CALLED)
        or (after[0] == "," and len(before.split()) < _CALLED)
    )


def to_you(text: str) -> bool:
    """Whether somebody is spoken to as *you*."""
    return bool(_YOU.search(text))
