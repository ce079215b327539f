"""What people type on a phone, written out: *dont*, *im*, *bc*, *jsut*; a laugh at either end goes."""

from __future__ import annotations

import re
from typing import Final

_PAIRS = """
dont>don't cant>can't wont>won't didnt>didn't doesnt>doesn't isnt>isn't wasnt>wasn't arent>aren't werent>weren't
havent>haven't hasnt>hasn't hadnt>hadn't couldnt>couldn't wouldnt>wouldn't shouldnt>shouldn't aint>isn't
im>I'm ive>I've hes>he's shes>she's theyre>they're youre>you're youve>you've youd>you'd youll>you'll weve>we've
theyve>they've itll>it'll thats>that's whats>what's wots>what's wot>what wheres>where's whos>who's hows>how's
whens>when's theres>there's heres>here's bc>because cos>because cuz>because coz>because u>you ur>your r>are ya>you
tho>though obvs>obviously idk>I/don't/know dunno>don't/know wanna>want/to gonna>going/to gotta>got/to kinda>kind/of
sorta>sort/of pls>please plz>please thx>thanks ppl>people nite>night i>I n>and y>why abt>about bout>about
fav>favourite fave>favourite
bf>boyfriend gf>girlfriend bday>birthday yrs>years livin>living doin>doing goin>going gettin>getting nothin>nothing
somethin>something tmrw>tomorrow tmr>tomorrow whatcha>what/are/you hav>have
"""
#: Words that everybody types, and everybody in a hurry with two letters changed round; what is a word of its own then.
_WORDS = """
the and you that was for are with his they this have from had word but not what all were when your can said there
each which she how their will other about out many then them these some her would make like him into time has look
more write see number way could people than first been call who its now find long down day did get come made may part
just want because where here really think know never always home mother father work away friend afraid scared sorry
does going should only very much again back thing night boat light
"""
_COMMON: Final = _WORDS.split()
_REAL = "three sacred tow won own fro prat form dose rae ist tis ihm ese bene two"
_OF_ITS_OWN: Final = frozenset((*_REAL.split(), *_COMMON))
_SWAPPED: Final = {
    word[:i] + word[i + 1] + word[i] + word[i + 2 :]: word for word in _COMMON for i in range(len(word) - 1)
}
_FULL: Final = {
    **{typed: word for typed, word in _SWAPPED.items() if typed not in _OF_ITS_OWN},
    **{short: full.replace("/", " ") for short, _, full in (pair.partition(">") for pair in _PAIRS.split())},
}
_WORD = re.compile(r"(?<![\w'@-])[A-Za-z]{1,8}(?![\w'-])")
#: *Its* before what cannot be owned.
_ITS = re.compile(
    r"\b(i)ts(?= (?:an?|the|my|our|not|so|too|very|just|only|kind|really|been|got|called|like|all|"
    r"\w{1,20}ing|cold|hot|wet|late|fine|ok|okay|good|bad|true|over|done|me|him|her|you|in|on|at|for)\b)",
    re.IGNORECASE,
)
#: The figure for the word: *been 2 Spain*, not *have 2 dogs*.
_TO = re.compile(
    r"\b(been|go|going|goes|went|gone|come|comes|came|like|want|used|able|talk|move|moved) 2 (?=[a-z])", re.IGNORECASE
)
#: *Me* for *my*.
_ME = re.compile(
    r"(?:^|\b(?:what's|where's|who's|how's|that's|is|was|with|of|for|and|but) )(?P<me>me)"
    r"(?= (?:name|mum|mam|dad|da|nan|brother|sister|wife|husband|missus|mate|boss|son|daughter|kids?|lad|dog|cat)\b)",
    re.IGNORECASE,
)
_LAUGH = r"(?:lo+l|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|xd)"
_LAUGHS = re.compile(rf"^{_LAUGH}[\s,.!]+(?=\w)|[\s,]+{_LAUGH}(?=[.!?]*$)", re.IGNORECASE)


def written_out(text: str) -> str:
    """The same words in full, as far as their form leaves no doubt; capitals at the beginning stay as they were."""
    plain = _TO.sub(r"\1 to ", _LAUGHS.sub("", " ".join(text.replace("’", "'").split())))
    return _ME.sub(lambda one: f"{one.group()[:-2]}my", _ITS.sub(r"\1t's", _WORD.sub(_in_full, plain)))


def _in_full(found: re.Match[str]) -> str:
    short = found.group()
    full = _FULL.get(short.casefold(), short)
    return full[:1].upper() + full[1:] if short[:1].isupper() else full
