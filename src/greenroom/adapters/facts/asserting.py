"""What a sentence asserts, and of whom: before any pattern looks at it.

A fact is something that whoever speaks says in earnest, as so, of themself or theirs. What stands in quotation marks,
what somebody else is said to have said, what would be if, what was taken back as a joke, and what is said of others is
none; a form with a *not* in its clause says the opposite of what it would say alone.
"""

from __future__ import annotations

import re

from greenroom.text.listing import any_of

_QUOTED = re.compile(r"(?:[\"“„«]|(?<![\w'])['‘])[^\"“”„«»]{2,}?(?:[\"”“»]|['’](?!\w))")
_IF = re.compile(
    r"^(?:and |but |so |well,? |even |only |und |et |y )*(?:if|suppose|supposing|imagine|unless|in case|wenn|falls|angenommen|"
    r"s'il|si j|si tu|si je|si yo|si tuviera|si fuera|ojalá)\b",
    re.IGNORECASE,
)
#: "He told me: …", "the captain says …", "in the film …": what follows is not the speaker's own.
_SOMEBODY = any_of(r"""
    he, she, they, somebody, someone, people, everyone, everybody, er, sie, il, elle, ella, él, you,
    (?:the|a|an|that|this|der|die|das|le|la|les|el|los|las) \w+(?: \w+)?
""")
_SAYS = any_of("""
    said, says, say, told, tells, asked, asks, wrote, writes, claims, claimed, thinks?, thought, believes?, sagte, sagt, meint,
    dit, disait, dice, dijo
""")
_REPORTED = re.compile(
    rf"^(?:and |but |so |then |once )*(?:{_SOMEBODY} (?:\w+ )?{_SAYS}\b|"
    r"in (?:the|a|this|that) (?:film|movie|book|song|story|novel|play|dream)\b)",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"^(?:just |only |i'm |i was |im |i am |no,? |haha,? |ha,? |lol,? )*(?:kidding|joking|teasing|a joke|jk|pulling your leg|"
    r"nur (?:ein )?(?:spa(?:ß|ss)|scherz)|(?:war|ist) (?:ein|nur) (?:spa(?:ß|ss)|scherz)|je plaisante|c'est une blague|es broma|"
    r"estoy bromeando)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|hardly|neither|nor|without|nicht|nie|niemals|keine?[nrms]?|jamais|pas|no|nunca|sin|cannot)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:–—]|\b(?:and|but|because|so|while|und|aber|weil|et|mais|parce|y|pero|porque)\b", re.IGNORECASE
)
_FIRST = re.compile(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|me|we|we're|we've|our|us|ich|mein\w*|wir|unser\w*|je|j'\w+|m'\w+|mon|ma|mes|moi|"
    r"nous|notre|yo|mi|mis|soy|somos|vengo|venimos|vivo)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:he|she|it|they|he's|she's|it's|they're|you|your|you're|his|her|their|its|the \w+|this \w+|that \w+|er|sie|"
    r"ihr\w*|il|elle|ils|elles|él|ella|ellos|tu|su)\b",
    re.IGNORECASE,
)
_YOU = re.compile(
    r"\b(?:you|your|yours|you're|you've|you'll|you'd|u|ur|du|dein\w*|tu|ton|ta|tes|vous|votre|usted)\b", re.IGNORECASE
)
_COULD = re.compile(
    r"\b(?:i|we)(?:'d| would| could| might| should| may)\b(?! (?:like|love|hate|rather)\b)", re.IGNORECASE
)


def own_words(sentence: str) -> str:
    """The sentence without what stands in it in quotation marks."""
    return " ".join(_QUOTED.sub(" ", sentence).split())


def is_asserted(sentence: str) -> bool:
    """Whether it is said as so, by whoever speaks: neither a condition nor somebody else's words."""
    return not (_IF.match(sentence) or _REPORTED.match(sentence))


def takes_back(sentence: str) -> bool:
    """Whether it says that what came before was a joke."""
    return bool(_JOKE.match(sentence))


def is_denied(sentence: str, start: int, end: int) -> bool:
    """Whether the clause in which a form was found says *not* before or within it."""
    return bool(_NOT.search(sentence[_begin(sentence, start) : end]))


def is_of_others(sentence: str, start: int) -> bool:
    """Whether somebody else is spoken of where a form was found that names nobody."""
    before = sentence[:start]
    if _FIRST.search(sentence[_begin(sentence, start) :]):
        return False
    return bool(_OTHERS.search(before))


def is_addressed(sentence: str) -> bool:
    """Whether no clause of it stays with whoever speaks: each is about the hearer, or about what could be."""
    clauses = [one for one in _CLAUSE.split(sentence) if one and _FIRST.search(one)]
    return bool(clauses) and all(_YOU.search(one) or _COULD.search(one) for one in clauses)


def _begin(sentence: str, start: int) -> int:
    """Where the clause around a place begins."""
    return max((match.end() for match in _CLAUSE.finditer(sentence, 0, start)), default=0)


__all__ = ["is_addressed", "is_asserted", "is_denied", "is_of_others", "own_words", "takes_back"]
