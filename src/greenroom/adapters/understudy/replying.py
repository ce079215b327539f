"""What alone answers a question, in front of the words it was told in: a value, one of two, a yes or a no."""

from __future__ import annotations

import re
from typing import Final

from greenroom.adapters.facts.correcting import KINDS, NAME
from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.understudy.expecting import told_terms, value_in
from greenroom.text.stems import STOP

_OR: Final = re.compile(
    r"\b(?P<one>(?:(?:an?|the|my|in|at|to|on|from|with) )*[\w'-]+),? or (?P<other>(?:(?:an?|the|my|in|at|to|on|from|with) )*[\w'-]+(?: [\w'-]+)?)",
    re.IGNORECASE,
)
_EITHER: Final = re.compile(r"^(?:\w+,? )?(?:which|do|does|did|am|is|are|was|were|have|has|had|will)\b", re.IGNORECASE)
_IS_IT: Final = re.compile(
    r"^(?:(?:so|and|but|ok|okay|right|well|now|wait)\b[, ]*)*(?:(?:did|have) i (?:say|said|tell you|told you|mention(?:ed)?) (?:that )?(?=(?:i|i'm|it|my|we|he|she|they|the)\b)|"
    r"(?:do|does|did|am|is|are|was|were|have|has|had|will) (?=(?:i|my|we|he|she|it|they|the)\b)(?!i (?:say|tell|mention)))",
    re.IGNORECASE,
)


def alone(question: str, told: str) -> str:
    """What alone answers a question, of words that answer it; empty where that cannot be told for certain."""
    if _EITHER.match(question) and (either := _OR.search(question)) is not None:
        return _chosen(either, told)
    if (is_it := _IS_IT.match(question)) is not None:
        return _yes_or_no(question[is_it.end() :], told)
    return value_in(question, in_full(told))


def _chosen(either: re.Match[str], told: str) -> str:
    """Which of two was told; empty where neither or both were."""
    held = told_terms(told)
    found = [value for value in either.groups() if not (told_terms(value) - STOP).isdisjoint(held)]
    return found[0] if len(found) == 1 else ""


def _yes_or_no(asked: str, told: str) -> str:
    """*Yes*, where all that is asked was told; *no* with what was, where that is another thing of the same kind."""
    if told_terms(asked) <= told_terms(told):
        return "Yes"
    for kind in (*KINDS, NAME):
        own, others = kind.search(asked), kind.findall(told)
        if own and others and own.group().casefold() not in told.casefold():
            return f"No, {others[0]}"
    return ""


__all__ = ["alone"]
