"""What a short question asks of that which was just said: whether one did right, what one should do, what came then, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, get_args

from greenroom.adapters.facts.sentences import asks, sentences

#: Asked for a judgement or for counsel on what somebody told of themself; and after what whoever answers has just told.
OfThem = Literal["judge", "did_right", "advice", "advice_past", "same"]
OfMine = Literal["then", "why", "when", "still", "minds", "more", "like", "really"]
Follow = OfThem | OfMine

_LEAD = r"^(?:(?:and|but|so|then|ok|okay|well|oh|tell me|honestly|be honest|go on|hm+|please|right|come on|really|lol|haha|go on then)\b[,.:]? )*"
_WORDS: Final = """
silly stupid wrong bad mad crazy normal weird strange odd selfish awful terrible okay ok daft sad pathetic childish unreasonable unfair cruel horrible
foolish ridiculous mean harsh dramatic lying cheating rude cowardly impolite
"""
_HOW = "|".join(_WORDS.split())
_HOW += r"|too (?:much|harsh|cruel|late|soon|hard|old)|a (?:bad|terrible|horrible|good|awful) \w+|an? (?:idiot|monster|coward|fool|failure)|a (?:lie|sin)"
_VERY = r"(?:being |so |really |very |a bit |just |that |terribly |completely )*"
_END = r"(?:,? (?:of me|for me|to you|to that|to (?:him|her|them)|to (?:feel|think|say|want|do) .*|that i .*|do you think|you think|then|or what|or not|now|in my place|if you were me|in my (?:shoes|position|place)|about (?:it|that|him|her|them)))*\W*$"
_ASKED: Final[tuple[tuple[Follow, str], ...]] = (
        ("did_right", r"do you think (?:that )?i (?:should(?:n't)? have|was right|did)\b.*|did i do (?:the )?(?:right|wrong)(?: thing)?|should(?:n't)? i (?:\w+ )?have .+|was i (?:right|wrong)(?: to .*)?|"
         r"was (?:it|that)? ?(?:the )?(?:right|wrong)(?: thing)?(?: to do)?"),
        ("judge", rf"(?:is|was|isn't|wasn't|does) (?:it|that|this)? ?(?:sound )?{_VERY}(?:{_HOW})|(?:does|do) (?:it|that|this) make me {_VERY}(?:{_HOW})|(?:am|was) i {_VERY}(?:{_HOW})|"
         rf"do (?:you think|i sound) (?:that )?(?:i'm|i am|i was|that's|it's|that was|it was|it is)? ?{_VERY}(?:{_HOW})|(?:{_HOW}) of me"),
        ("same", r"would you(?: have)? (?:done?|said|say|react|reacted|felt|feel) (?:the same|that|it|like that|any different(?:ly)?)(?: thing)?|what would you have (?:done|said)|would you have"),
        ("advice_past", r"what (?:should|could|would) i have (?:said|done|told \w+)"),
        ("advice", r"what (?:do )?you think,? (?:i should|should i|i ought to) .{1,50}|what (?:would|do) you (?:do|say|advise|suggest|recommend|tell (?:him|her|them))"),
        ("advice", r"what (?:should|shall|can|could|do) (?:i|we) (?:do|say|tell (?:him|her|them))|any (?:advice|ideas|thoughts|tips)|what do you think (?:i should (?:do|say)|i ought to do)"),
        ("advice", r"should i(?: (?!have)[\w']+){1,14}|what (?:does|do|can|should|would) (?:one|anybody|anyone|people) (?:say|answer|do|reply)|do you think i should(?! have)(?:n't)? .{1,40}"),
        ("advice", r"how (?:do|can|should|would) (?:i|you|one) (?:get over|deal with|cope with|cope|live with|stop) .{1,30}"),
        ("advice", r"would you(?: just)? (?:go|tell|leave|stay|ring|call|write|forgive|take|sell|keep)\b.{0,20}"),
        ("then", r"then|what then|then what|what happened(?: (?:then|next|after|afterwards|after that|in the end))?|what (?:came|comes) (?:then|next|after(?: that)?|of it)|what next|how did (?:it|that) (?:end|go on|turn out)|after(?: that|wards)?|and"),
        ("why", r"why|how come|why(?:'s| is| was) that|why not|what for|why did you(?: do that)?|why do you (?:ask|say that|say so|do that)|why that"),
        ("when", r"when (?:was|is|did) (?:that|it|this)(?: happen)?|how (?:long|many years) ago(?: (?:was|is) (?:that|it|this))?|what year was (?:that|it)|how old were you|(?:was|is) (?:that|it) (?:a )?long (?:time )?ago|since when"),
        ("still", r"do you (?:still|often|ever|sometimes) (?:think|dream|talk) (?:about|of) (?:it|that|him|her|them)"),
        ("minds", r"(?:does|do|did)(?:n't)? (?:it|that|this) (?:still |not |ever )?(?:make you (?:feel )?(?:sad|angry|happy|lonely|proud|afraid|nervous)|(?:bother|worry|scare|upset|annoy|get to) you)"),
        ("minds", r"(?:do|did|don't|didn't) you (?:not )?mind(?: (?:that|it))?|is(?:n't)? (?:it|that) (?:not )?(?:hard|sad|lonely|difficult|boring|painful|tiring|a bit \w+)(?: for you)?"),
        ("minds", r"(?:are|were) you (?:sad|angry|proud|happy|sorry|ashamed|bitter)(?: (?:about|of) (?:it|that))?|how (?:do|does|did) (?:you|that|it) (?:make you )?feel(?: about (?:it|that))?|do you regret (?:it|that)"),
        ("more", r"(?:can you )?tell me (?:some )?more|what else|is that (?:all|it)|(?:anything|something) else|and the rest"),
        ("like", r"what(?: was| is|'s) (?:it|that) like|how was (?:it|that)|how did (?:it|that) feel|what did (?:it|that) feel like|did (?:it|that) hurt"),
        ("like", r"(?:was|wasn't) (?:it|that) (?:not )?(?:hard|scary|frightening|difficult|dangerous|sad|lonely|nice|fun)(?: for you)?|were you (?:scared|afraid|frightened|nervous|lonely)"),
        ("really", r"really|seriously|truly|honestly|is (?:that|it) true|are you serious|you serious|do you mean (?:it|that)|for real"),
)  # fmt: skip
_FORMS: Final = tuple((kind, re.compile(f"{_LEAD}(?:{form}){_END}", re.IGNORECASE)) for kind, form in _ASKED)
OF_MINE: Final = get_args(OfMine)
#: With nothing told before it: what somebody does, and not what they should.
_TRADE = re.compile(r"(?:and |so )?what do i do\W*$", re.IGNORECASE)


#: Asked for leave: to sit, to stay, to come again.
_LEAVE = (
    r"\b(?:(?:do|would) you mind|mind|(?:is|would|will) (?:it|that|this) (?:be )?(?:\w+ )?(?:all ?right|ok|okay|fine|possible)(?: with you)?|ok|okay|all ?right|cool) if (?:i|we)\b[^?]*\?",
    r"\b(?:if|as long as) (?:that's|that is|it's|it is) (?:all ?right|ok|okay|fine|cool|no trouble)(?: (?:by|with) you)?\W*$",
    r"\b(?:may|can|could) (?:i|we) (?:just |please |maybe |also )*(?:sit|stay|come (?:in|back|again|over|up)|rest|wait|warm|dry|stop here|sleep|shelter|go up|"
    r"see the (?:light|lamp|top)|look (?:around|round))\b(?!.*\b(?:gallery|outside|ring|wind|touch)\b)",
)
#: Asked to say it once more.
_AGAIN = re.compile(
    r"\b(?:say|repeat|tell me) (?:that |it |this )?(?:again|once more|one more time|slower)\b|^(?:come again|pardon(?: me)?|what was that|what did you (?:just )?say|sorry,? what)\W*$|\bcan you repeat\b",
    re.IGNORECASE,
)
#: Offered by asking.
_FIRST = r"^(?:(?:so|and|hey|oh|well|ok|okay)\b,? )*"
_OFFERS = (
    rf"{_FIRST}(?:do you |you )?(?:want|like) (?:to (?:see|hear|try|look|have|taste|read)|some|one|an?|me to|half)\b",
    rf"{_FIRST}(?:would|will) you (?:like|care for|have|take) (?:to (?:see|hear|try|look|have|taste|read)|some|one|an?|me to|half|this|mine)\b",
    rf"{_FIRST}shall i (?!compare|be\b|go\b|tell\b|say\b|call\b|ring\b|leave\b|stay\b|write\b)\w+",
    rf"{_FIRST}(?:can|could|may) i (?:make|bring|get|give|offer|fix|mend|carry|help|cook|do) (?:you|with|some|that|the|anything|for)\b",
    r"\bi (?:can|could|will) (?:make|cook|bring|fix|mend|do|sew|build) (?:\w+ )?for you\b",
)


def _any(forms: Iterable[str], text: str) -> bool:
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def asks_leave(said: str) -> bool:
    """Whether somebody asks whether they may sit, stay or come again."""
    return _any(_LEAVE, " ".join(said.split()))


def asks_again(said: str) -> bool:
    """Whether somebody has not caught what was just said."""
    return any(_AGAIN.search(one) for one in sentences(said))


def offers(said: str) -> bool:
    """Whether a message offers something, in a question or in its last words."""
    every = sentences(said)
    return any(_any(_OFFERS, one) for one in every if asks(one) or one is every[-1])


def follow_of(said: str) -> Follow | None:
    """What the last question of a message asks of what was just said; None where it brings a matter of its own."""
    apart = sentences(said)
    last = next((one for one in reversed(apart) if asks(one) or one.rstrip().endswith("?")), said.strip())
    text = " ".join(last.replace("’", "'").split())
    if len(apart) == 1 and _TRADE.match(text):
        return None
    return next((kind for kind, form in _FORMS if form.match(text)), None)


__all__ = ["OF_MINE", "Follow", "asks_again", "asks_leave", "follow_of", "offers"]
