"""Sentences of a message: where they end, whether they ask, and whether they tell anything of whoever speaks."""

from __future__ import annotations

import re

from greenroom.text.listing import any_of, finds, forms

_END = re.compile(
    r"(?<=[.!?…])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)[\"'”’)]*\s+|\n+|(?<!\s)\s+[–—]\s+|;\s+"
)
#: What people say before they ask, and before they order.
_LEADS = any_of("""
    so, and, but, then, ok, okay, well, hi+, hey, hello, oi, oh, sorry, please, say, now, right, lol, haha, um+, hm+, ah, btw,
    anyway, also, wow, honestly, go on, tell me, no, really
""")
_AFTER = any_of("in, at, on, to, with, from, for, of, about, by, since, until, till, like")
_WHICH = r"which(?! (?:was|is|made|makes|means|meant|felt|seemed|i)\b[^?]*$)"
_WHEN = r"when(?! (?:i|i'm|im|we|he|she|it|they|my)\b)"
_WHAT = "what(?! an? )"
_VERBS = any_of("""
    do, does, did, is, are, am, was, were, can(?!'t), could, will, would, should, shall, may, have (?:you|i|we), has,
    had (?:you|i|we), know, remember, ever
""")
_NEGATED = (
    rf"{any_of('do, does, did, is, are, was, were, has, have, could, would, should, ca, wo')}n't "
    rf"{any_of('you, i, it, he, she, they, we, that, there, this, the')}"
)
_ASKED_BY = any_of(f"who, whom, whose, {_WHAT}, whats, what's, which, where, {_WHEN}, why, how, {_VERBS}, {_NEGATED}")
_AUXILIARY = any_of("do, does, did, is, are, was, were, can, will, would, should, have, has, am")
_PERSON = any_of("you, i, my, your, we, it, he, she, they, that")
_TELLS_ME = r"(?:guess|(?:tell|remind|quiz|test) (?:me|us)(?: \w+)?|say)"
#: Said as something told, and asked all the same: whether the hearer still knows.
_ASKED_AS_TOLD = (
    rf"\bremind me {any_of('who, what, which, where, when, why, how, of my, again')}\b",
    r"\b(?:bet|wonder|curious)\b.* (?:you|u)\b.*\b(?:remember|recall|know|forgot|forgotten|tell me|guess)\b",
    r"^you(?:'ll| will| must| do)? (?:still |surely )*(?:remember|recall) (?:my|who|what|where|when|which|how)\b",
    r"^name (?:me )?(?:my|our|me|the)\b",
)
_ASKS = forms(
    r"[?\uff1f]\s*[\"'”’)]*$",
    # begun as a question, and not told by its end: "has he after all", "how I was when I came."
    rf"^(?:{_LEADS},? )*(?:{_AFTER} (?={any_of(f'who, whom, what, {_WHICH}, where, when, how')}\b))?{_ASKED_BY}\b"
    r"(?!.*\bafter all\W*$)(?!.*\b(?:i|my) (?:am|was|have|had|went|came|live|work)\b.*\.$)",
    # begun with something else: "random but are you like ..."
    r"^(?:(?:random|quick|serious|silly|stupid|dumb|weird|honest)(?:ly)? ?(?:question|one)?|just (?:curious|wondering)|wait|sorry)[,:]? (?:but |so )?(?:are|is|do|does|did|can|will|have|was|were) (?:you|u|it|this|that|there|they|he|she|i|we)\b",
    # asked after a comma
    rf", (?:{_WHAT}|how|why|(?:who|where|when|which)(?= {_AUXILIARY} {_PERSON}\b))\b[^.]*$",
    r", (?:who|what|how|where) [^,.]*\b(?:you|your|u)\W*$",
    # with a word left out
    r"^(?:you|u) (?:got (?:an?|any|some|[^\W\d_]+$)|alone|married|ever)\b",
    r"^(?:you|u) (?:was|were|are|is|have|like|prefer|come|live)\b.* or\b",
    r"^(?:what|who|where|when) (?:was|were|is|are|did|do|does) ",
    # ordered
    r"\byou (?:can|could|will|would) (?:please )?(?:tell|say|show|give|sing|teach|explain|look)\b",
    rf"^(?:{any_of('go on, go on then, so, and, ok, okay, now, right, try to')}[,.]? )*{_TELLS_ME} "
    rf"(?:what(?![,!]| (?:i'm|im|i am|we're)\b)|{any_of('who, whom, whose, which, where, when, why, how')})\b",
    *_ASKED_AS_TOLD,
)
_ORDERED = any_of("""
    tell, say, give, show, let, let's, lets, print, ignore, repeat, translate, pretend, reveal, forget, remember, guess,
    imagine, stop, shut, go, come, listen, look, wait, wish, try, disregard, write, output, prove
""")
_STATES = any_of("""
    like, know, want, think, have, care, mind, get, sleep, eat, drink, feel, understand, believe, remember, really, even
""")
_ORDERS = forms(rf"^(?:please |just |go on |now |then )*(?:{_ORDERED}|(?:don't|do not)(?! {_STATES}\b))\b")
_SELF = forms(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|me|we|we're|we've|our|us|myself)\b",
    r"\b(?:ich|mein|meine|meinen|meiner|meinem|mir|mich|wir|unser|unsere)\b",
    r"\b(?:je|j'\w+|m'\w+|mon|ma|mes|moi|nous|notre|yo|mi|mis|me|soy|tengo|vengo|vivo|trabajo|estoy)\b",
)
#: What somebody says of themself that tells nothing: "I'm back", "I see", "I wonder what it is".
_I_AM_EMPTY = any_of("""
    sorry, back, here, fine, ok, okay, good, listening, waiting, sure, not sure, only (?:asking|joking), afraid not, done,
    off(?: now)?, just (?:asking|looking|joking|curious), it again, me again
""")
_I_DO_EMPTY = any_of(r"""
    see, know, think so, guess, suppose, guess so, suppose so, hope so, agree, understand,
    don't (?:know|understand|mind|care|think so), do not (?:know|understand|mind|care), mean, bet\b.*, wonder\b.*,
    should (?:go|get|be going|leave|let|not|have)\b.*, shouldn't have\b.*, must go\b.*, have to go\b.*, will go\b.*,
    hate you, love you, said so, like (?:it|that|this), told you\b.*, didn't catch\b.*, can't hear\b.*,
    don't believe (?:you|it), thank you\b.*
""")
_EMPTY_ELSE = any_of(r"""
    i'll (?:go|leave|be off|be back|let you)\b.*, only me\b.*, me too, mind if i\b.*, thank(?:s| you)\b.*, it's me\b.*,
    nice to meet\b.*, pleased to meet\b.*, ich bin(?: es| 's)?(?: wieder| hier)?, ich wei(?:ß|ss)(?: es)? nicht,
    je ne sais pas, no s[eé], good (?:morning|evening|afternoon|day)\b.*, hello\b.*, you're? .*
""")
#: First-person sentences that tell nothing of whoever says them.
_EMPTY = re.compile(
    r"^(?:oh |well |so |and |but |yes |no |ok |okay |hm+ |ah |sorry |but )*"
    rf"(?:i(?: a|')?m {_I_AM_EMPTY}|i {_I_DO_EMPTY}|{_EMPTY_ELSE})[.!…\s]*$",
    re.IGNORECASE,
)
_GREETINGS = any_of("""
    hello, hi, hey, yo, hiya, howdy, alright, ey up, evenin, evening, morning, afternoon,
    good (?:morning|evening|afternoon|day), greetings, hallo, guten (?:tag|abend|morgen), bonjour, bonsoir, salut, hola,
    buenas (?:tardes|noches), buenos días, (?:pleased|nice|good|glad) to meet you, how do you do, i'?m back, back again,
    (?:it's )?me again
""")
_GREETS = re.compile(rf"^{_GREETINGS}\b[^.!]{{0,24}}[.!,]*$", re.IGNORECASE)
#: A greeting before something told.
_HELLO = re.compile(
    r"^(?:hello|hi+|hey|evening|morning)(?: there| again)?[,!.]? (?=(?:i|i'm|im|it's|it is|my|we)\b)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def sentences(text: str) -> list[str]:
    """The sentences of a message, in order."""
    return [found for part in _END.split(" ".join(text.replace("’", "'").split("\r"))) if (found := part.strip())]


#: *So did I* has the order of a question, and agrees.
_SO_DO_I = re.compile(
    r"^(?:and |oh,? )?so (?:do|did|does|am|was|is|have|had|has|will|would|can|could) (?:my )?\w+(?:[,.!][^?]*)?$",
    re.IGNORECASE,
)


#: What is to be kept, after a colon or a dash: "remember this: the key is under the pot".
_TO_KEEP = re.compile(
    r"^(?:(?:so|and|please|now),? )*(?:remember|note|keep in mind|write down|don['’]t forget|do not forget)(?: (?:this|that|it))?(?: for me)?\s*[:;–—]\s*",
    re.IGNORECASE,
)


def to_keep(text: str) -> str:
    """What somebody says is to be remembered; empty where they say so of nothing."""
    found = _TO_KEEP.match(text.strip())
    return text.strip()[found.end() :] if found else ""


def asks(sentence: str) -> bool:
    """Whether a sentence asks."""
    return finds(_ASKS, sentence) and _SO_DO_I.search(sentence) is None


def asks_anywhere(text: str) -> bool:
    """Whether any sentence of a message asks."""
    return any(asks(one) for one in sentences(text)) or asks(text)


def orders(sentence: str) -> bool:
    """Whether a sentence tells somebody to do something."""
    return finds(_ORDERS, sentence)


def is_own(sentence: str) -> bool:
    """Whether whoever speaks tells something of themself in it."""
    return finds(_SELF, sentence) and not _EMPTY.match(sentence)


def is_empty(sentence: str) -> bool:
    return bool(_EMPTY.match(sentence))


def is_greeting(sentence: str) -> bool:
    """Whether a sentence greets and does nothing else."""
    return bool(_GREETS.match(sentence))


def opens_with_greeting(text: str) -> bool:
    """Whether a message greets, and goes on to say who is there or that they are back."""
    return bool(_HELLO.match(text)) and not asks(text)


def words(text: str) -> list[str]:
    """The words of a text as they stand."""
    return _WORD.findall(text)


def may_tell(sentence: str) -> bool:
    """Whether a sentence may hold a fact: it does not order, and is not empty; a greeting may hold a name.

    Of one that asks, the clauses before the question may.
    """
    return is_greeting(sentence) or not (orders(sentence) or is_empty(_HELLO.sub("", sentence)))


__all__ = [
    "asks",
    "asks_anywhere",
    "is_empty",
    "is_greeting",
    "is_own",
    "may_tell",
    "opens_with_greeting",
    "orders",
    "sentences",
    "to_keep",
    "words",
]
