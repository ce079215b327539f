"""A message in one plain form: short forms written out, names as X, Y or me, and who does what in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.names import Named

#: How people at a table write, and what it stands for; the first that fits is put in everywhere.
_WRITTEN_OUT = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"[’`\u00b4]", "'"),
        (r",? (right )?before we( all)? vote\b", ""),
        (r"\b(u|ya)\b", "you"), (r"\bur\b", "your"), (r"\br\b", "are"), (r"\b(wat|wut|whut)\b", "what"),
        (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"), (r"\bgotta\b", "have to"), (r"\b(gov|govt)\b", "team"),
        (r"\b(cuz|coz|cos)\b", "because"), (r"\b(pls|plz)\b", "please"), (r"\b(tho|lol|lmao|haha+|hm+)\b", ""),
        (r"\b(can'?t|cannot)\b", "can not"), (r"\bwon't\b", "will not"), (r"\bain'?t\b", "is not"),
        (r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)n'?t\b", r"\1 not"), (r"\bdont\b", "do not"),
        (r"\b(why|how|where|when)'?d\b", r"\1 did"), (r"\b(you|we|they)'?re\b(?<!\bwere)", r"\1 are"),
        (r"\b(i|you|we|they)'?ve\b", r"\1 have"), (r"\bi'?m\b", "i am"), (r"'ll\b", " will"), (r"'d\b", " would"),
        (r"\b(what|who|why|that|how|where|it|there|he|she|X|Y)'s\b(?! (fault|story|card|vote|side|team|word|claim|"
         r"hand))",
         r"\1 is"), (r"\b(whats|whos|thats|hows)\b", lambda short: f"{short[0][:-1]} is"),
        (r"\b(government|cabinet)s?\b", "team"),
        (r"\b(two|three|both|only|2|3) accel(eration)?\b", r"\1 bad papers"),
        (r"\b(an?|one|the|first|last|that|another|no) accel(eration)?\b(?! (side|play|people|team|card|win))",
         r"\1 bad paper"),
        (r"\b(an?|one|the|first|last|that|another|no) safety\b(?! (paper|one|side|play|people|team|card|win))",
         r"\1 good paper"),
        (r"\baccelerations\b|\baccels?\b|\bacceleration (papers?|ones?)\b|\breds\b|\bred (papers?|ones?)\b",
         "bad papers"),
        (r"\bsafeties\b|\bblues\b|\bblue (papers?|ones?)\b", "good papers"),
        (r"\bc\.?t\.?o\b|\bchancellor\b", "engineer"),
        (r"\benact((?:ed|ing)?)\b", r"publish\1"), (r"\b(went|gone|got) through\b", "was published"),
    )
)  # fmt: skip
#: Offices that other tables call otherwise: whoever has the chair is the Director, and their Director the Engineer.
_CHAIRED = re.compile(r"(?<!engineer )(?<!engineer's )\b(chair(man|person)?|president|ceo)\b")
_PRONOUN = re.compile(r"(?<!of )(?<!with )(?<!like )\b(he|she|they|him|her|them|their|his)\b")
_SUBJECT = re.compile(
    r"\b(you|your|yourself|X|Y|i|my|me|we|us|our|lets|let's|who|whom|whose|everybody|everyone|anybody|anyone|somebody|"
    r"someone|nobody|all)\b"
)
_PAST = re.compile(
    r"\b(did|was|were|had|has|have|been|last|earlier|before|previous|just now|so far|ago|already|yet|voted|drew|got|"
    r"gave|passed|published|nominated|picked|chose|said|told|saw|looked|checked|backed|supported|approved|rejected|"
    r"handed|threw|discarded|played|kept|held|claimed|accused|put|explain|(?!allowed)\w+ed)\b"
)
_COMING = re.compile(
    r"\b(will|would|going to|should|shall|could|next|now|this (team|one|vote|round|time)|suppose|if|want|let|can|may)\b"
)
_ROUND = re.compile(r"\b(?:round|turn|r)[ #]?(\d+|one|two|three|four|five|six)\b|\b(first|second|third|fourth) round\b")
_NUMBERS = {
    **{word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)},
    **{word: n for n, word in enumerate(("first", "second", "third", "fourth"), 1)},
}


class Form(NamedTuple):
    """A sentence with what can be told of it before its words are known."""

    text: str
    #: Whether somebody is called by name, so that what names nobody is of them.
    calls: bool = False
    #: Its last question, where that points back at the rest: *Why did you?*
    tail: str = ""

    def has(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.text) is not None

    def doer(self, of: re.Match[str]) -> str:
        """Who does what these words say: the last person before them, as they stand there; empty for nobody."""
        if re.search(r"\b(did|do|were|are|it) you\b", self.tail):
            return "you"
        before = re.split(r"[.?!;] ", self.text[: of.start()])[-1]
        found = _SUBJECT.findall(before)
        return _KIND.get(found[-1], found[-1]) if found else ""

    @property
    def of_you(self) -> bool:
        if re.search(r"\b(you|your|yours|yourself)\b", self.text):
            return True
        return self.calls and not _SUBJECT.search(self.text)

    @property
    def of_me(self) -> bool:
        return re.search(r"\b(me|myself|(am|do|did|would|have) i|my|i am|i look|i seem)\b", self.text) is not None

    @property
    def why(self) -> bool:
        return re.search(r"\b(why|how come|reasons?|explain|what made|what makes|grounds|what changed)\b",
                         self.text) is not None  # fmt: skip

    @property
    def past(self) -> bool:
        return _PAST.search(self.text) is not None

    @property
    def coming(self) -> bool:
        return _COMING.search(self.text) is not None

    @property
    def round(self) -> int:
        found = _ROUND.search(self.text)
        number = "" if found is None else found[1] or found[2]
        return int(number) if number.isdigit() else _NUMBERS.get(number, 0)


#: Who may stand before a verb, by whom it means.
_KIND = {
    "your": "you", "yourself": "you", "Y": "X", "my": "i", "me": "i", "us": "we", "our": "we", "lets": "we",
    "let's": "we", "whom": "who", "whose": "who", "everybody": "who", "everyone": "who", "anybody": "who",
    "anyone": "who", "somebody": "who", "someone": "who", "nobody": "who", "all": "who",
}  # fmt: skip


def form_of(text: str, found: Sequence[Named], *, seat: Seat | None, others: Sequence[Seat]) -> Form:
    """A text with names as what they are in it."""
    words = dict(zip(others, ("X", "Y", *["X"] * len(others)), strict=False))
    called = False
    for name in reversed(found):
        word = words.get(name.seat, "you" if called and name.seat == seat else "")
        called = called or name.seat == seat
        if word in ("X", "Y") and re.match(r"s\b", text[name.end :]):
            word += "'"
        text = f"{text[: name.start]}{word}{text[name.end :]}"
    return Form(written_out(text), calls=seat is not None)


def written_out(text: str) -> str:
    """A text without short forms, in small letters but for the names in it."""
    text = re.sub(r"\b(?!X\b|Y\b)\w+", lambda word: word[0].lower(), text)
    for pattern, plain in _WRITTEN_OUT:
        text = pattern.sub(plain, text)
    if _CHAIRED.search(text):
        text = _CHAIRED.sub("director", re.sub(r"\bdirector\b", "engineer", text))
    return re.sub(r"\s+", " ", text).strip(" ,:;-–")


def compared(text: str) -> str:
    """A text in its plain form as it is compared with others: likeness minds no names."""
    return re.sub(r"\bX\b", "they", re.sub(r"\bY\b", "others", text))


def speaks_of_third(text: str) -> bool:
    """Whether somebody is spoken of as he, she or they."""
    return _PRONOUN.search(text) is not None


__all__ = ["Form", "compared", "form_of", "speaks_of_third", "written_out"]
