"""What a reaction can hold on to in what was told, where there is no doubt about it: whom, when, where, how long, how many.

A line has a place for each: ``{who}`` is *Pat* or *your sister*, ``{when}`` *on Sunday*, ``{place}`` *Leeds*, ``{span}``
*twelve years*, ``{number}`` *412*; with a capital, ``{When}``, at a beginning. A line whose places cannot be filled is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.understudy.framing import capital

_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine)\b)?"
_SMALL = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
_LARGE = rf"(?:an? |(?:{_SMALL}) )?(?:hundred|dozen|thousand)\b(?: and (?:{_TENS}|{_SMALL})\b)?|{_TENS}"
_NUMBER = rf"{_LARGE}|{_SMALL}|\d{{1,4}}"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH = r"January|February|March|April|May|June|July|August|September|October|November|December"
_SEASON = r"spring|summer|autumn|winter"
#: When something will be: a day, a month, a season or an hour, with nothing before it that makes it past.
_WHEN = re.compile(
    rf"\b(?P<tomorrow>tomorrow(?: (?:morning|afternoon|evening|night))?|tonight)\b|"
    rf"\b(?P<next>next (?:{_DAY}|{_MONTH}|{_SEASON}|week|month|year))\b|"
    rf"(?P<last>\b(?:last|since|every|each|until|till|from|were|was) )?(?:\b(?P<on>on|in|this) (?:the )?)?\b(?P<day>{_DAY}|(?-i:{_MONTH})|(?<=in )(?:the )?(?:{_SEASON}))\b(?!s)",
    re.IGNORECASE,
)
#: Verbs that say of a sentence that it is past.
_PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|died|left|went|came|fell|lost|rang|told|said|got|broke|gave|took|met|saw|made|found|wrote|drove|took|won|\w{3,}ed)\b",
    re.IGNORECASE,
)
#: A place that one is in, or goes to.
_PLACE = re.compile(
    r"\b(?:in|(?:[Mm]ov\w+|[Gg]o(?:ing|ne|es)?|[Ff]l(?:y|ying|ies)|[Ss]ail\w*|[Dd]riv\w+|[Tt]ravel\w*|off|went|emigrat\w+) to|[Bb]ased in|near|outside) "
    r"(?P<place>[A-ZÀ-Þ][\w'’-]+(?: (?:[A-ZÀ-Þ][\w'’-]+)){0,2})"
)
_NO_PLACE = re.compile(
    rf"(?:{_DAY}|{_MONTH}|Christmas|Easter|God|Mr|Mrs|Ms|Dr|I|My|The|English|French|German|Spanish|Portuguese|Italian|Latin|Welsh|"
    r"Dutch|Polish|Russian|Chinese|Year|Statistics|Maths)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(rf"\b(?P<span>(?:{_NUMBER}) years)\b(?! (?:ago|old|later))", re.IGNORECASE)
#: How many there are of something: no age, no hour, no year, no sum.
_AMOUNT = re.compile(
    rf"(?<![£$€\d.:,'’-])(?<!\bthe )(?<!\bam )(?<!\bis )(?<!'m )(?<!'s )(?<!\bturned )(?<!\bat )(?<!\bage )(?<!\bof )\b(?P<number>{_LARGE}|\d{{2,4}}|eleven|twelve|\w{{3,5}}teen)\b"
    r"(?!\.?\d|[:%/]|[ -](?:one|two|three|four|five|six|seven|eight|nine)\b| ?(?:years?|months?|weeks?|days?|hours?|minutes?|times|o'clock|percent|pounds?|quid|am|pm|mph|km|kg|metres?|meters?|miles|feet|and (?:a|three))\b)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")

_KIN_WORDS = "|".join(
    (
        *WHO.split("|"),
        *(word for word in ALIKE if word.isascii()),
        "auntie",
        "goddaughter",
        "godson",
        "stepson",
        "pupil",
    )
)
_NO_KIN = r"(?!(?:parents|twins|kids|children|child|baby|boat|ship|yacht|car|band|village|town|street|house|shop|school|company|ex|hund|frau|da|boys|girls|sons|daughters|sisters|brothers|dogs|cats)\b)"
_WHICH = r"(?:little |big |best |old(?:er|est)? |young(?:er|est)? |eldest |twin )?"
_KIN = re.compile(rf"\b(?:my|our) (?P<who>{_WHICH}{_NO_KIN}(?:{_KIN_WORDS}))\b(?!'s)", re.IGNORECASE)
_CAP = r"[A-ZÀ-Þ][a-zà-ÿ]+(?:-[a-zà-ÿ]+)?"
_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]n?|[Oo]ld) (?:\w+ ){{0,2}}?(?i:{_NO_KIN}(?:{_KIN_WORDS}|tortoise|gecko|seal|girl|man|woman|clerk|budgie|van)),? "
    rf"(?:is called |called |named |is named |'s called )?(?P<name>(?!Mr|Ms|Dr|Miss|Professor){_CAP})\b"
)
#: A name that stands after a verb of meeting or before one of saying.
_DOING = re.compile(
    rf"\b(?P<name>(?!I\b|Garage\b|Doctor\b|Boss\b|Mum\b|Dad\b|Wife\b|Husband\b|Police\b|Work\b|People\b|Nan\b|Gran\b|My\b|He\b|She\b|It\b|They\b|We\b|You\b|That\b|This\b|There\b|Nobody\b|Everybody\b|Everyone\b|Somebody\b|Who\b|What\b){_CAP}) "
    r"(?:says|said|thinks|thought|reckons|wants|told me|asked me|rang|phoned|called me|laughed|agrees|knows|hates|loves|likes|cheats|snores|complains|plays|sings|lives)\b"
)
_WITH = re.compile(
    rf"\b(?:bet was with|married|marrying|with my \w+|spoke to|talked to|meeting|fell out with) (?P<name>{_CAP})\b"
)
_LATE = re.compile(rf"\b(?:my|his|her|our) late (?:{WHO})\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:late (?!\b(?:again|because|every|for)\b)(?=\w+)|died|dead|death|passed away|buried|funeral|killed|lost|was|left|ex|used to)\b",
    re.IGNORECASE,
)
_TWO = re.compile(
    rf"\b(?:my|our) (?:\w+ )?(?:{_KIN_WORDS}),? (?:{_CAP} )?(?:and (?!i\b|my\b|he\b|she\b|they\b|it\b)|, my)\b|\b(?:my|our) (?:\w+ )?(?:{_KIN_WORDS}) and my\b",
    re.IGNORECASE,
)

#: A name and nothing else, as whoever is asked for it says it.
_IS_NAME = re.compile(
    rf"^(?:(?:ok|okay|right|well|lol|haha|nope|no|oh)[,.]? )*(?:it's|its|it is|it was|(?:he|she)'?s(?: called)?|(?:he|she|it) (?:is|was)(?: called)?) (?-i:(?P<name>{_CAP}))[.!]*$",
    re.IGNORECASE,
)


def anchors_of(text: str, said: str = "") -> Mapping[str, str]:
    """What fills the places of a line: of a sentence, and where there is nothing of it in that, of all that was said."""
    found = dict(_anchors(said)) | dict(_anchors(text)) if said else dict(_anchors(text))
    return found | {name.capitalize(): capital(value) for name, value in found.items()}


def _anchors(text: str) -> Iterator[tuple[str, str]]:
    if name := name_in(text):
        yield "name", name
    if who := who_of(text):
        yield "who", who
    if when := when_of(text):
        yield "when", when
    if (place := _PLACE.search(text)) and not _NO_PLACE.match(place["place"]):
        yield "place", place["place"]
    if span := _SPAN.search(text):
        yield "span", span["span"].lower()
    if number := _many(text):
        yield "number", number


def name_in(text: str) -> str:
    """The name that is all a sentence says: *it's Ada*."""
    found = _IS_NAME.match(text)
    return found["name"] if found else ""


def who_of(text: str) -> str:
    """Whoever a sentence tells of, by name or as *your sister*; nobody who is gone, and empty where it is doubtful."""
    if _LATE.search(text) or _GONE.search(text) or _TWO.search(text):
        return ""
    named = {found["name"] for form in (_NAMED, _DOING, _WITH) for found in form.finditer(text)}
    if len(named) == 1:
        return named.pop()
    kin = {found["who"].lower() for found in _KIN.finditer(text)}
    return f"your {kin.pop()}" if len(kin) == 1 and not named else ""


def when_of(text: str) -> str:
    """When something will be, as it stands at the beginning of a sentence: *on Sunday*; empty for what is past."""
    found = _WHEN.search(text)
    if found is None or found["last"] or _PAST.search(text):
        return ""
    if whole := found["tomorrow"] or found["next"]:
        head, _, tail = whole.partition(" ")
        return f"{head.lower()} {capital(tail) if re.match(_DAY, tail, re.IGNORECASE) else tail}".strip()
    day = found["day"]
    if re.fullmatch(rf"(?:the )?(?:{_SEASON})", day, re.IGNORECASE):
        return f"in the {day.lower().removeprefix('the ')}"
    return f"{'on' if re.fullmatch(_DAY, day, re.IGNORECASE) else 'in'} {capital(day.lower())}"


def _many(text: str) -> str:
    """The last number of things: what somebody has by now."""
    found = [one["number"].lower() for one in _AMOUNT.finditer(text) if not _YEAR.fullmatch(one["number"])]
    return found[-1] if found else ""


__all__ = ["anchors_of", "name_in", "when_of", "who_of"]
