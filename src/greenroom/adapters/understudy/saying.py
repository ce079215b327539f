"""What somebody told, in words that its hearer can say back: turned to them where that is safe, quoted where it is not.

Whoever has no better line holds on to these words and goes on by how they were told: of oneself or of another, of now, of
then or of what is to come, of a thing, or in a word or two.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, get_args

from greenroom.adapters.facts.clauses import clauses
from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.facts.sentences import asks, is_greeting
from greenroom.adapters.understudy.framing import capital
from greenroom.adapters.understudy.persons import to_you

Manner = Literal[
    "said_have", "said_not", "said_habit", "said_view", "said_own", "said_own_past", "said_plan", "said_other_plan",
    "said_other", "said_other_past", "said_mine", "said_it", "said_thing", "said_you", "said_to_you", "said_few",
]  # fmt: skip
MANNERS: Final = get_args(Manner)
#: Manners of which another sentence of the same message may tell more.
WEAK: Final[tuple[Manner, ...]] = ("said_it", "said_thing", "said_few", "said_you", "said_to_you")
#: Words that one says back; of a longer sentence a clause, which has at least so many.
MOST_WORDS, LEAST_WORDS = 13, 3
#: Of fewer than these without a verb nothing is known but that they were said.
FEW = 8

_THINGS = "boat|ship|yacht|car|band|village|town|street|house|shop|school|company|da"
_WHO = "|".join(
    word
    for word in (
        *WHO.split("|"),
        *(word for word in ALIKE if word.isascii()),
        "nan",
        "grandniece",
        "auntie",
        "drummer",
        "boyfriend",
        "granddad",
    )
    if word not in _THINGS.split("|")
)
_LEAD = re.compile(
    r"^(?:(?:(?:the )?(?:good|bad|sad|big|other) (?:news|thing|one) is(?: that)?|sad is),?\s+|oh my (?:god|days|goodness)[,!.]*\s+|(?:hi|hey|hello),?\s+|(?:and|but|so|well|though|welp|oh|ugh|um+|now|anyway|anyhow|actually|honestly|seriously|look|listen|ok|okay|yeah|yes|no|nah|right|also|then|plus|"
    r"i mean|i tell you what|to be honest|mind you|gosh|oh my god|god|hm+|boss|mate|please|because|sure)\b[,.:!]*\s+|you (?:see|know),\s+|turns out\s+|(?:the )?(?:funny )?thing is,?\s+|"
    r"(?:hello|hi+|hey|good (?:evening|morning|day|afternoon)|evening|morning)(?: \w+)?[,.!]\s+)+(?=\S+ \S)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",? i (?:confess|fear|admit|must say|have to say|suppose|think|believe|gather|am told)(?: also)?,\s+(?:also )?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,? (?:tbh|ngl|idc|btw|lol|haha|lmao|mind|mind you|you know|you see|right|innit|though|tho|honestly|really|i guess|i suppose|i think|i reckon|i confess|"
    r"to be honest(?: with you)?|believe me|believe it or not|would you believe(?: it)?|can you believe (?:it|this|that)|can you imagine|if you ask me|as it happens|by the way|"
    r"ha|ok|you know what i mean|or something))+$",
    re.IGNORECASE,
)
_FIRST = r"^(?:(?:sometimes|lately|these days|tonight|today|yesterday|this morning|last \w+|at \w+|now|every \w+|then|mostly|next \w+(?: \w+)?),? )?"
_OWN = re.compile(
    rf"{_FIRST}(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|(?:me|my [\w' ]{{2,20}}) and (?:me|i))\b", re.IGNORECASE
)
_HAVE = re.compile(
    r"^(?:i|we)(?:'ve)? (?:also )?(?:have|got|have got|own) (?!to\b|been\b|never\b|\w+ed\b|had\b|done\b|seen\b)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"^(?:i|we) (?:\w+ )?(?:don't|do not|can't|cannot|haven't|have not|never|won't|am not)\b|^(?:i'm|we're|i've|we've) (?:not|never)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|always|mostly|usually|often|all day|all night|for a living|twice a|once a|each|at night|on \w+days|these days|most \w+s|in my spare)\b|\b\w+days\b",
    re.IGNORECASE,
)
_VIEW = re.compile(
    r"(?:^|\w,? )(?:i|we) (?:\w+ly )?(?:think|believe|reckon|suppose|feel|find|know|prefer|hate|love|like|enjoy|adore|wish|envy|miss|trust|doubt|can't stand|don't (?:like|think|believe|trust|mind))\b",
    re.IGNORECASE,
)
_OF_HEARER = re.compile(r"\b(?:you|your|yours|you're|you've|you'd|you'll|yourself)\b", re.IGNORECASE)
#: What no one else can say in these words.
_POINTS = re.compile(r"\bme too\b|[\"“”]", re.IGNORECASE)
_WILL = re.compile(
    r"\b(?:will|shall|going to|gonna|won't|about to|planning|(?:i|we) (?:hope|want|mean|intend|might|may)|thinking (?:of|about|to)|tomorrow|next (?:week|month|year|\w+day))\b|"
    r"\b(?:i|we|he|she|they|it)'ll\b|\bto be\b",
    re.IGNORECASE,
)
_WENT = re.compile(
    r"\b(?:was|were|had|did|didn't|wasn't|weren't|hadn't|used to|left|went|came|fell|rang|told|said|broke|gave|took|met|saw|made|found|wrote|drove|bought|sold|caught|threw|"
    r"stood|ran|flew|ate|drank|slept|woke|spent|lent|sent|(?<!'s )(?<!'ve )(?<!has )(?<!have )got|kept|knew|thought|felt|heard|lost|won|taught|grew|blew|built|began|chose|hid|held|paid|sang|sat|spoke|stole|swam|wore|quit|brought|led|shot|hit|blew|drew|dug|forgot|froze|rode|shook|sank|tore|became|understood|lit|laid|swept|won|"
    r"(?!need|feed|speed|indeed|hundred|tired|married|retired|supposed|scared|bored|worried|allowed|named|called|titled)\w{2,}(?<!e)ed)\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"^(?:i'm|i am|i've|i have|we're|we've|we have)\b", re.IGNORECASE)
_DOES = re.compile(
    r"\b(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|cannot|could|will|would|should|must|might|may|gets?|got|goes|comes?|says?|wants?|makes?|"
    r"i|he|she|they|we|it|\w+n't)\b|\w'(?:s|m|re|ve|d|ll)\b",
    re.IGNORECASE,
)
#: Whoever learnt the language late is quoted: turned, their sentence would be the hearer's own mistake.
_ODD = re.compile(
    r"\b(?:(?:he|she|it|who|doctor|vet|boss|man|wife|dog|friend|son|daughter|mother|father) (?:don't|have|say|send|make|like|know|go|come|want|think|do|need|give|live|work|sleep|eat|ask|call|look|stay|pay)|"
    r"i (?:has|is|are|makes)|peoples|informations|childrens|my \w+s is|ain't|the \w+ (?:he|she)|joke [a-z]+ing|be \w+ing to|dog and then|nobody say|what is in|am (?:cook|student|teacher|nurse|welder|driver|doctor))\b|"
    r"^(?:is|was|are|has) |\b(?:in|on|of|to|for|am|from) (?:harbour|ship|boat|kitchen|city|hospital office|machine|cable|laboratory)\b|\bso good\b|\bif god want\b|\b(?:step|machine|lamp|dog|train|doctor) (?:is|was|stay|say|hold)\b",
    re.IGNORECASE,
)
#: Somebody, and no thing.
_ONE = re.compile(
    rf"^(?:(?:my|our|his|her|the|an?|one|some|that) )?(?:[\w'-]+ ){{0,2}}?(?:{_WHO}|doctor|nurse|bride|groom|man|woman|lady|lad|guy|bloke|girl|boy|chap|priest|vicar|vet|"
    r"kid|pupil|student|patient|client|customer|passengers?|guests?|people|everyone|everybody|nobody|somebody|someone|no one|\w{3,}(?:sman|woman|mate))\b(?!'s? )|"
    r"^(?:he|she|he's|she's|he'd|she'd)\b|^they\b(?=.*\b(?:me|my|us|our)\b)|"
    r"^(?-i:[A-Z][a-z]+) (?:always |never |just |once )?(?:says|said|thinks|thought|reckons|told|asked|rang|cried|laughed|wants|wanted|hates|loves|likes|knows|knew|left|went|came)\b",
    re.IGNORECASE,
)
_IT = re.compile(r"^(?:it|it's|it is|that|that's|that is|there|there's|there is|they|they're)\b", re.IGNORECASE)
_MINE = re.compile(r"^(?:my|our) ", re.IGNORECASE)
_ENDS = ' .!,;:…-–—"“”'


class Said(NamedTuple):
    """How something was told, and what of it is said back: ``small`` is the same within a sentence, and empty of a quotation."""

    manner: Manner
    said: str
    small: str


def said_of(sentence: str) -> Said | None:
    """What of a sentence can be said back; None where it is too long and no clause of it stands alone."""
    text = _clause(_trimmed(sentence))
    if not text or asks(text) or is_greeting(text) or "<" in text or "{" in text:
        return None
    if len(text.split()) < FEW and not any(form.search(text) for form in (_OF_HEARER, _DOES, _WENT, _ONE, _MINE)):
        return Said("said_few", capital(text), "")
    full = in_full(capital(text))  # no name is made of a small word
    manner = _manner(full)
    if manner in ("said_you", "said_to_you") or _POINTS.search(full) or _ODD.search(text):
        return Said(manner, f"“{capital(text)}”", "")
    turned = to_you(full)
    return Said(manner, capital(turned), turned) if turned else None


def _trimmed(text: str) -> str:
    plain = " ".join(text.replace("’", "'").split()).strip(_ENDS)
    return _TAIL.sub("", _LEAD.sub("", _ASIDE.sub(" ", plain))).strip(_ENDS)


def _clause(text: str) -> str:
    """The first clause of a text that one can say back; one that only points to another goes after those that do not."""
    parts = [_trimmed(part.text) for part in clauses(text)]
    if len(parts) == 1 and len(text.split()) > MOST_WORDS:
        parts = [_trimmed(part) for part in _CUT.split(text)[:1]]
    fit = [
        part
        for part in parts
        if LEAST_WORDS <= len(part.split()) <= MOST_WORDS and not (asks(part) or _NEWS.search(part))
    ]
    fit = [part for part in fit if not _OF_HEARER.search(part)] or fit
    told = [part for part in fit if _OWN.match(in_full(capital(part))) or _ONE.match(part) or _MINE.match(part)]
    return next(iter(told or fit), text if len(text.split()) <= MOST_WORDS else "")


#: What only says that there is something to tell.
_NEWS = re.compile(r"\b(?:good|bad|sad|big|great) news\b", re.IGNORECASE)
_CUT = re.compile(
    r",\s+|\s+(?:because|but|so that|so(?= (?:i|we|he|she|they|naturally|now|then)\b)|when|while|and|who|which|in case)\s+",
    re.IGNORECASE,
)


def _manner(text: str) -> Manner:
    if _OF_HEARER.search(text):
        return "said_to_you" if _OWN.match(text) else "said_you"
    past = bool(_WENT.search(text))
    if _OWN.match(text):
        return _of_oneself(text, past=past and not _NOW.match(text))
    if _ONE.match(text):
        return "said_other_plan" if _WILL.search(text) and not past else "said_other_past" if past else "said_other"
    if past:
        return "said_thing"
    return "said_mine" if _MINE.match(text) else "said_it" if _IT.match(text) else "said_thing"


def _of_oneself(text: str, *, past: bool) -> Manner:
    if _WILL.search(text):
        return "said_plan"
    if _VIEW.search(text) and not past:
        return "said_view"
    if _NOT.search(text):
        return "said_not"
    if past:
        return "said_own_past"
    return "said_have" if _HAVE.match(text) else "said_habit" if _HABIT.search(text) else "said_own"


__all__ = ["MANNERS", "WEAK", "Manner", "Said", "said_of"]
