"""What says a crisis in so many words.

Forms are written for normal sentences (see :mod:`normalise`): lower case, contractions written out, commas as words of
their own. What is veiled is not for forms to find: that is learned, and so is what surrounds them.
"""

from __future__ import annotations

import re
from typing import Final

#: Up to two words between.
_FEW = r"(?:\w+ ){0,2}"
_TO_DO_IT = (
    r"(?:kill|hang|shoot|drown|stab|poison|off)(?:ing)? myself",
    r"(?:tak|end)(?:e|ing)? my (?:own )?life",
    r"end(?:ing)? it (?:all|for good|tonight|tomorrow|today|now|soon)",
    r"suicidal",
    r"(?:commit|committing|attempt|attempting|considering|plan|planning|about|of|my) suicide",
    r"(?:i|have|to) overdose[sd]?",
)
_TO_BE_DEAD = (
    r"(?:want|wants|wanted|wish|hope|hoping|need|like|love|prefer|rather|deserve|plan|planning|decided|going|ready|waiting|"
    rf"longing|about) (?:to )?{_FEW}(?:die|be dead|stop existing|cease to exist)",
    rf"(?:wish|wished) (?:that )?i (?:was|were|had) {_FEW}(?:dead|born|gone|alive)",
)
#: Forms that say "not" themselves, or in other words.
_NOT_TO_LIVE = (
    r"better off (?:dead|without me)",
    rf"(?:do not|no longer|never) {_FEW}want (?:to )?{_FEW}"
    r"(?:live|be alive|be here|be around|be born|exist|wake up|go on|continue)",
    rf"(?:no point|not worth|reason|will|tired of|sick of|done with|given up on|gave up on) {_FEW}"
    r"(?:to live|in living|living|being alive|existing|life)",
    rf"(?:not|never) {_FEW}wake up(?: again| tomorrow| any ?more|$)",
)
#: "Not" right before a form, which turns it round; and where it does not: "I cannot stop thinking of suicide".
_NOT: Final = re.compile(r"\b(?:not|never|no|nor|without)\b")
_NO_NOT: Final = re.compile(r"\b(?:can|could) not (?:stop|help)\b|\bnot (?:only|just|sure|joking|kidding)\b")
#: Words before a form that a "not" may stand in.
_BEFORE: Final = 3


def _one_of(forms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(forms)})\b")


_TURNED: Final = _one_of(_TO_DO_IT + _TO_BE_DEAD)
_AS_IT_IS: Final = _one_of(_NOT_TO_LIVE)


def says_so(sentence: str) -> bool:
    """Whether a sentence says it in so many words, with no "not" before it."""
    return _AS_IT_IS.search(sentence) is not None or any(
        not _denied(sentence[: found.start()]) for found in _TURNED.finditer(sentence)
    )


def _denied(before: str) -> bool:
    return _NOT.search(_NO_NOT.sub("", " ".join(before.split()[-_BEFORE:]))) is not None
