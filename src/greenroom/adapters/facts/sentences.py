"""Sentences of a message: where they end, whether they ask, and whether they tell anything of whoever speaks."""

from __future__ import annotations

import re

_END = re.compile(
    r"(?<=[.!?…])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)[\"'”’)]*\s+|\n+|(?<!\s)\s+[–—]\s+|;\s+"
)
_ASKS = re.compile(
    r"[?\uff1f]\s*[\"'”’)]*$|^(?:(?:so|and|but|then|ok|okay|well|hi+|hey|hello|oi|oh|sorry|please|say|now|right|lol|haha|um+|hm+|ah|btw|anyway|also|wow|honestly|go on|tell me),? )*"
    r"(?:(?:in|at|on|to|with|from|for|of|about|by|since|until|till|like) (?=(?:who|whom|what|which(?! (?:was|is|made|makes|means|meant|felt|seemed|i)\b[^?]*$)|where|when|how)\b))?(?:who|whom|whose|what(?! an? )|whats|what's|which|where|when(?! (?:i|i'm|im|we|he|she|it|they|my)\b)|why|"
    r"how|do|does|did|is|are|am|was|were|can(?!'t)|could|will|would|should|shall|may|have (?:you|i|we)|has|had (?:you|i|we)|know|remember|ever|"
    r"(?:do|does|did|is|are|was|were|has|have|could|would|should|ca|wo)n't (?:you|i|it|he|she|they|we|that|there|this|the))\b"
    r"(?!.*\bafter all\W*$)(?!.*\b(?:i|my) (?:am|was|have|had|went|came|live|work)\b.*\.$)|, (?:what(?! an? )|how|why|(?:who|where|when|which)(?= (?:do|does|did|is|are|was|were|can|will|would|should|have|has|am) "
    r"(?:you|i|my|your|we|it|he|she|they)\b))\b[^.]*$|^(?:you|u) (?:got (?:an?|any|some|[^\W\d_]+$)|alone|married|ever)\b|^(?:you|u) (?:was|were|are|is|have|like|prefer|come|live)\b.* or\b|"
    r"\byou (?:can|could|will|would) (?:please )?(?:tell|say|show|give|sing|teach|explain|look)\b|"
    r", (?:who|what|how|where) [^,.]*\b(?:you|your|u)\W*$|"
    r"^(?:(?:go on|go on then|so|and|ok|okay|now|right|try to)[,.]? )*(?:guess|(?:tell|remind|quiz|test) (?:me|us)(?: \w+)?|say) "
    r"(?:who|whom|whose|what(?!,|!| (?:i'm|im|i am|we're)\b)|which|where|when|why|how)\b|"
    # said as something told, and asked all the same: whether the hearer still knows
    r"\bremind me (?:who|what|which|where|when|why|how|of my|again)\b|\b(?:bet|wonder|curious)\b.* (?:you|u)\b.*\b(?:remember|recall|know|forgot|forgotten|tell me|guess)\b|"
    r"^you(?:'ll| will| must| do)? (?:still |surely )*(?:remember|recall) (?:my|who|what|where|when|which|how)\b|"
    r"^name (?:me )?(?:my|our|me|the)\b|^(?:what|who|where|when) (?:was|were|is|are|did|do|does) ",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^(?:please |just |go on |now |then )*(?:tell|say|give|show|let|let's|lets|print|ignore|repeat|translate|pretend|"
    r"reveal|forget|remember|guess|imagine|stop|shut|go|come|listen|look|wait|wish|try|disregard|write|output|"
    r"prove|(?:don't|do not)(?! (?:like|know|want|think|have|care|mind|get|sleep|eat|drink|feel|understand|believe|remember|really|even)\b))\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|me|we|we're|we've|our|us|myself|ich|mein|meine|meinen|meiner|meinem|mir|"
    r"mich|wir|unser|unsere|je|j'\w+|m'\w+|mon|ma|mes|moi|nous|notre|yo|mi|mis|me|soy|tengo|vengo|vivo|trabajo|estoy)\b",
    re.IGNORECASE,
)
#: First-person sentences that tell nothing of whoever says them.
_EMPTY = re.compile(
    r"^(?:oh |well |so |and |but |yes |no |ok |okay |hm+ |ah |sorry |but )*(?:"
    r"i(?: a|')?m (?:sorry|back|here|fine|ok|okay|good|listening|waiting|sure|not sure|only (?:asking|joking)|afraid not|"
    r"done|off(?: now)?|just (?:asking|looking|joking|curious)|it again|me again)"
    r"|i (?:see|know|think so|guess|suppose|guess so|suppose so|hope so|agree|understand|don't (?:know|understand|mind|"
    r"care|think so)|do not (?:know|understand|mind|care)|mean|bet\b.*|wonder\b.*|should (?:go|get|be going|leave|let|not|have)"
    r"\b.*|shouldn't have\b.*|must go\b.*|have to go\b.*|will go\b.*|hate you|love you|said so|like (?:it|that|this)"
    r"|told you\b.*|didn't catch\b.*|can't hear\b.*|don't believe (?:you|it)|thank you\b.*)"
    r"|i'll (?:go|leave|be off|be back|let you)\b.*|only me\b.*|me too|mind if i\b.*|thank(?:s| you)\b.*|it's me\b.*"
    r"|nice to meet\b.*|pleased to meet\b.*|ich bin(?: es| 's)?(?: wieder| hier)?|ich wei(?:ß|ss)(?: es)? nicht"
    r"|je ne sais pas|no s[eé]|good (?:morning|evening|afternoon|day)\b.*|hello\b.*|you're? .*"
    r")[.!…\s]*$",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"^(?:hello|hi|hey|yo|hiya|howdy|alright|ey up|evenin|evening|morning|afternoon|good (?:morning|evening|afternoon|day)|greetings|hallo|guten (?:tag|abend|"
    r"morgen)|bonjour|bonsoir|salut|hola|buenas (?:tardes|noches)|buenos días|(?:pleased|nice|good|glad) to meet you|how do you do|i'?m back|back again|(?:it's )?me again)\b[^.!]{0,24}[.!,]*$",
    re.IGNORECASE,
)
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


def asks(sentence: str) -> bool:
    """Whether a sentence asks."""
    return _ASKS.search(sentence) is not None and _SO_DO_I.search(sentence) is None


def asks_anywhere(text: str) -> bool:
    """Whether any sentence of a message asks."""
    return any(asks(one) for one in sentences(text)) or asks(text)


def orders(sentence: str) -> bool:
    """Whether a sentence tells somebody to do something."""
    return bool(_ORDERS.search(sentence))


def is_own(sentence: str) -> bool:
    """Whether whoever speaks tells something of themself in it."""
    return bool(_SELF.search(sentence)) and not _EMPTY.match(sentence)


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
    "words",
]
