"""What kind of thing a question asks for - a number, a time, a place, a person, a reason - and which words give it.

Every word of a text is read as one letter that says what kind of word it is; what is a time, a place or an age is then a
short form of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from greenroom.adapters.facts.patterns import ALIKE, HOW_ONE_IS, NOT_NAMES, WHO
from greenroom.text.stems import STOP, telling, words

_WORDS = f"""
n: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
n: twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen once twice twins triplets couple
o: first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
o: seventeenth eighteenth nineteenth twentieth thirtieth
u: year years months weeks days hour hours minute minutes nights fortnights summers winters
q: times mile miles metre metres pound pounds euro euros dollar dollars quid bucks crowns
d: monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
d: today tonight tomorrow yesterday christmas easter
m: january february march april may june july august september october november december spring summer autumn winter noon
m: midnight morning mornings evening evenings afternoon night dawn dusk week weekend weekends fortnight month day soon
h: o'clock ago am pm
e: old now already
s: since until till
t: before after about next last this every end half quarter past early late
i: in at on by from near around
l: outside behind under inside over beside round off up down aus nach bei
w: the a an my our his her their some
k: {" ".join(who for who in (*WHO.split("|"), *ALIKE) if " " not in who)}
#: number room no locker flat gate platform
2: to
f: of
&: and
b: but so or because where who which that then for with is was are were i he she it we they when while if as cos has have had
"""
_LETTER_OF: Final = {word: line[0] for line in reversed(_WORDS.strip().split("\n")) for word in line[3:].split()}
_NUMBER = r"n(?:&?n)*"
#: What is one of a kind, in letters; *c* is a name, *x* any other word, a point ends a sentence, and a comma is any other sign.
_GIVEN: Final[Mapping[str, re.Pattern[str]]] = {
    kind: re.compile(form)
    for kind, form in (
        ("name", r"c+(?:(?:,c+)*&c+)?"),
        ("who", r"w[^,.bw]{0,2}?k(?:,?c+)?|c+"),
        ("age", rf"(?<![tw2#]){_NUMBER}(?:ue|e)?(?=[,.b&ditme]|$)|(?<=bb){_NUMBER}u(?=[.,b]|$)"),
        ("long", rf"{_NUMBER}(?:[bx]n)?x?[um]|s[^,.b]{{1,3}}|wx[um]"),
        ("much", rf"{_NUMBER}(?!u)q?"),
        ("many", rf"{_NUMBER}[uq]?|o"),
        ("day", r"[tiw]*(?:d|of?m|o|nf?m|m[no])"),
        ("when", rf"(?!^m,)[itsw2]*(?:[dmo]|{_NUMBER}(?:f?m|u?h)|(?<=[it]){_NUMBER}u?(?![xk]))(?:[fitw2]*(?:[dmo]|n))*"),
        ("where", r"[il]w?[xck]{1,3}|2(?:w[xck]{1,3}|c+)|(?:(?<=[,.])|^)c+(?=[,.]|$)"),
    )
}  # fmt: skip

_NAMES = """
animal: dog cat horse parrot bird goat pig hamster rabbit puppy kitten pony cow sheep otter fox bat mouse rat fish hen hens chicken duck goose
gull gulls seal seals whale whales cod salmon herring lobster crab crabs penguin tortoise snake spider bee bees donkey bear wolf owl crow pigeon staffy terrier spaniel labrador poodle collie
instrument: cello violin viola piano organ organist guitar flute trumpet drums harp accordion tuba trombone clarinet oboe fiddle banjo bass saxophone bagpipes
drink: rum tea coffee wine beer whisky whiskey gin vodka cider ale stout lager cocoa milk water brandy schnaps kir juice lemonade champagne
colour: red blue green yellow black white grey gray brown orange purple pink violet turquoise beige gold silver
fruit: apple apples pear pears plum plums cherry cherries orange oranges lemon lemons quince banana bananas grapes fig figs
language: english german french spanish italian polish russian norwegian swedish danish dutch irish welsh gaelic arabic greek turkish
subject: physics chemistry biology maths mathematics math geography history english french german latin art music drama economics law medicine philosophy
sport: football rugby cricket tennis chess rowing swimming boxing hockey golf darts cycling running
vehicle: car van lorry truck bus train boat ship ferry bike bicycle motorbike motorcycle tram taxi plane tractor
job: nurse cook judge vet chef clerk pilot guard nun priest monk surgeon smith mechanic guide maid coach plumber cleaner
"""
#: Things that are of one kind, by the word for it.
KINDS: Final = {
    kind: frozenset(told.split())
    for kind, _, told in (one.partition(": ") for one in re.split(r"\n(?=\w+: )", _NAMES.strip()))
}
_CALLED: Final = {
    "animal": "animal|pet|creature|beast", "instrument": "instrument", "drink": "drink|tipple", "colour": "colou?r", "fruit": "fruit",
    "language": "languages?", "subject": "subjects?(?! of)", "sport": "sport|game", "vehicle": "vehicle",
    "job": "job|work|trade|profession|occupation|living",
}  # fmt: skip


class Slot(NamedTuple):
    """A kind of thing that is asked for."""

    kind: str
    asked: re.Pattern[str]
    #: Whether it can be told from everything else: what holds none of it answers nothing.
    is_sure: bool

    @property
    def is_alone(self) -> bool:
        """Whether the value alone can be said; of other kinds the whole clause is."""
        return self.kind not in ("does", "says", "why")


def _slot(kind: str, asked: str, *, sure: bool = False) -> Slot:
    return Slot(kind, re.compile(asked, re.IGNORECASE), sure)


_SLOTS: Final = (
    _slot("does", r"\bwhat (?:does|do|did) (?!i\b).*\bdo\W*$|\b(?:'s|s|his|her|their) (?:job|work|trade|profession)\b|"
          r"\bwhat\b[^,?]*\b(?!i )\w+ (?:does|did)\W*$|\bwhat\b(?!.*\b(?:do|did) i\b).*\bfor a living\b"),
    _slot("says", r"\bwhat\b.*(?:\b(?:used to|did (?!i\b)\w+(?: \w+)?|does (?!i\b)\w+|would \w+) (?:say|tell|think)|'?s words|(?:his|her|their) words)\b"),
    _slot("name", r"\b(?:called|named?|names)\b", sure=True),
    _slot("age", r"\bhow old\b|\bhow many years (?:has|have|do|does) (?:he|she|they|my \w+)\b(?: now)?(?: have)?(?: now)?\W*(?:$|,)|\b(?:what|which|my) age\b|\bwie alt\b", sure=True),
    _slot("long", r"\b(?:how long|wie lange|(?:since|until|till|from) when|(?:for )?how many (?:years|weeks|days|months|hours))\b", sure=True),
    _slot("much", r"\bhow much\b|\bprice of\b|\bwhat\b.*\bcosts?\b|\bwhat\b.*\b(?:paid|pay|owe|owes|saved)\b", sure=True),
    _slot("many", r"\bwie (?:viele?|oft)\b|\bhow (?:many|far|often|tall|high|big|deep|fast)\b|\b(?:what|which) (?:number|room|floor|score|grade|mark|size|price|year)\b|\bscore\b", sure=True),
    _slot("day", r"\b(?:what|which) (?:week)?day\b", sure=True),
    _slot("when", r"\b(?:when|wann|cu[aá]ndo|quand)\b|\b(?:um wie ?viel|welche[mnrs]?) (?:uhr|tag|monat)\b|\b(?:what|which) (?:time|hour|date|month|evening|night|morning)\b|\bhow soon\b", sure=True),
    _slot("where", r"\b(?:where(?:abouts)?|wo|woher|wohin|d[oó]nde)\b|\b(?:what|which) (?:city|town|state|country|place|island|village|port|harbour|street|road|pub|river|hotel|county|hospital|school|shop|club|venue|office|church|university|station)\b"),
    _slot("who", r"\b(?:who(?:se|m|'s|s)?|wer|wem|wen|qui[eé]n)\b"),
    _slot("why", r"\b(?:why|warum|wieso|weshalb|pourquoi|por qu[eé])\b|\bhow come\b|\bwhat (?:reason|for\W*$)|\bwhat\b.*\bfor\W*$"),
    *(_slot(kind, rf"\b(?:what|which)\b.{{0,20}}\b(?:{called})\b" if kind != "job" else rf"\b(?:what|which|my)\b(?: (?!(?:do|did|does|is it)\b)\w+){{0,3}}? (?:{called})\b|\bfor a living\b|\bwhat (?:do|did) i do\W*$|^(?:{called})\W*$")
      for kind, called in _CALLED.items()),
)  # fmt: skip
#: What tells what somebody does, what they say, and why: the whole clause answers.
_CLAUSES: Final[Mapping[str, re.Pattern[str]]] = {
    "does": re.compile(r"\b(?:is|was|are|am|'s|'m) (?:an? |on )\w|\b(?:works?|worked|sells?|sold|runs?|ran|drives?|teach\w*|taught|keeps?|kept|owns?|builds?|built|makes?|mends?)\b|\bjob\b", re.IGNORECASE),
    "says": re.compile(r"\b(?:said|says|say|told|thinks?|thought|calls?|called|reckons?|shout\w*|maintain\w*|wrote|swears?)\b", re.IGNORECASE),
    "why": re.compile(r"\b(?:because|cos|since|so that|so (?=i|we|he|she|they)|to (?!be\b)(?=\w{3,}\b)|gives?|makes?|made|after|thanks to|search\w* for|looking for)\b.*", re.IGNORECASE),
}  # fmt: skip
_ASKING: Final = re.compile(r"\b(?:what|which|who|whose|whom|where|when|why|how)(?:'?s)?\b", re.IGNORECASE)
#: What bears a name at which somebody may be.
_IS_PLACE: Final = re.compile(
    r"\b(?:venue|place|pub|bar|club|caf[eé]|restaurant|hotel|inn|hospital|school|theatre|shop|firm|company|box|station|town|village|city|street|island)\b",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"\w*\d(?:[\w:.,]*\w)?|[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:!?–—…()\"“”]")
_COUNTED: Final = re.compile(r"\bhow (?:many|much) (\w+)", re.IGNORECASE)
#: What somebody is, by its ending, and what is one after *a* or *the*.
_TRADE: Final = re.compile(r"\w{3,}(?:ist|ian|smith|sman|woman)s?$|(?<=^)\w{3,}(?:er|or)s?$", re.IGNORECASE)


@lru_cache(256)
def slot_of(question: str) -> Slot | None:
    """The kind of thing that a question asks for; None where any will do."""
    if (first := _ASKING.search(question)) is not None:  # a later one only says when or where something else is so
        question = question[: first.end()] + _ASKING.sub(" ", question[first.end() :])
    return next((slot for slot in _SLOTS if slot.asked.search(question)), None)


@lru_cache(4096)
def values(slot: Slot, question: str, text: str) -> tuple[str, ...]:
    """What of a text is of the kind that is asked for and not in the question: what stands nearest to its words first."""
    known = set(words(question))
    roots = told_terms(question)
    near = [one.start() for one in _WORD.finditer(text) if not roots.isdisjoint(told_terms(one.group()))]
    found = []
    for start, end in _spans(slot.kind, question, text):
        value = text[start:end]
        if not known.issuperset(words(value.removesuffix("'s"))):
            found.append((min((_apart(start, end, place) for place in near), default=0), start, value))
    return tuple(value for _, _, value in sorted(found))


def value_in(question: str, text: str) -> str:
    """What alone answers a question, of a text that answers it; empty where that cannot be told for certain."""
    slot = slot_of(question)
    found = values(slot, question, text) if slot is not None and slot.is_alone else ()
    counted = _COUNTED.search(question)
    if not found or (counted and not told_terms(counted[1]) & told_terms(text)):
        return ""
    return found[0] if len(found) == 1 else ""


def _apart(start: int, end: int, place: int) -> int:
    return 0 if start <= place < end else min(abs(start - place), abs(end - place))


def _spans(kind: str, question: str, text: str) -> Iterator[tuple[int, int]]:
    """Where in a text something of a kind stands."""
    if kind in _CLAUSES:
        yield from (one.span() for one in _CLAUSES[kind].finditer(text))
        return
    letters, places = _read(text)
    if kind in KINDS:
        for at, (start, end) in enumerate(places):
            word = text[start:end].casefold()
            is_trade = (
                kind == "job"
                and _TRADE.match(word)
                and (letters[max(at - 1, 0) : at] in ("", ",", ".", "w", "b") or word.endswith("s"))
            )
            if is_trade or not KINDS[kind].isdisjoint((word, word.removesuffix("s"))):
                yield start, end
        return
    at_places = kind not in ("name", "who") or _IS_PLACE.search(question) is not None
    for one in _GIVEN[kind].finditer(letters):
        if (
            at_places
            or letters[one.start()] != "c"
            or letters[one.start() - 1 : one.start()] not in ("i", "l", "2", "f")
        ):
            yield places[one.start()][0], places[one.end() - 1][1]


@lru_cache(4096)
def _read(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The words and signs of a text as one letter each, and where each stands."""
    letters, places = "", []
    for one in _TOKEN.finditer(text):
        letters += _letter(one.group(), begins=letters[-1:] in ("", "."))
        places.append(one.span())
    return letters, tuple(places)


def _letter(token: str, *, begins: bool) -> str:
    word = token.casefold().replace("’", "'").removesuffix("'s")
    first = word.split("-")[0]
    if any(c.isdigit() for c in word):
        return "o" if word.endswith(("st", "nd", "rd", "th")) else "h" if ":" in word else "n"
    if not word[:1].isalpha():
        return "." if word in ".!?…" else ","
    letter = _LETTER_OF.get(word) or _LETTER_OF.get(word.split("'")[0], "n" if first in _NUMBERS else "x")
    is_name = letter == "x" and token[0].isupper() and word not in NOT_NAMES
    return (
        "c"
        if is_name and not (begins and (word in STOP or word in HOW_ONE_IS or word.endswith(("ed", "ing", "ly"))))
        else letter
    )


_NUMBERS: Final = frozenset(word for word, letter in _LETTER_OF.items() if letter == "n")


_IRREGULAR = """
sold>sell went>go gone>go took>take taken>take saw>see seen>see left>leave gave>give given>give lost>lose
bought>buy made>make came>come ate>eat eaten>eat grew>grow flew>fly wrote>write written>write brought>bring
thought>think taught>teach found>find kept>keep slept>sleep met>meet built>build broke>break broken>break
fell>fall rang>ring sang>sing swam>swim drove>drive rode>ride wore>wear won>win ran>run began>begin sent>send
paid>pay caught>catch drank>drink sank>sink drew>draw died>die dead>die bro>brother sis>sister mum>mother
mom>mother dad>father gran>grandmother kid>child kids>child children>child daughter>daughter hubby>husband
job>work trade>work profession>work wedding>marry married>marry marries>marry bday>birthday
bit>bite bitten>bite scared>afraid terrified>afraid frightened>afraid fear>afraid wk>week
"""
#: Other words for the same.
_SAME = """
search>look seek>look opened>start open>start begin>start began>start repair>mend fix>mend bound>go head>go heading>go
sail>go travel>go purchase>buy ring>call rang>call phone>call telephone>call flat>live apartment>live stay>live staying>live
stayed>live reckon>think believe>think employer>boss present>gift sick>ill unwell>ill film>movie hidden>hide hid>hide
"""


def _pairs(table: str) -> dict[str, str]:
    return {form: base for form, _, base in (pair.partition(">") for pair in table.split())}


#: Past forms that no ending tells, by their verbs; and these with other words for the same.
_FORM_OF: Final = _pairs(_IRREGULAR)
_BASE: Final = _FORM_OF | _pairs(_SAME)
_WORD = re.compile(r"[^\W_]+")
_NOT = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|had|ca|wo|would|could|should)n['’]?t\b", re.IGNORECASE)
_LIVING = re.compile(r"\b(?:for|earn|make) (?:a|my|your) living\b", re.IGNORECASE)
#: Past forms by their verbs: of several the first.
_PAST: Final = {
    "have": "had", "do": "did", "say": "said", "tell": "told", "get": "got", "know": "knew", "speak": "spoke", "put": "put", "hear": "heard",
    "see": "saw", "go": "went", "eat": "ate", "be": "was", "knit": "knitted",
    "stand": "stood", "sit": "sat", "teach": "taught", "hide": "hid", "wear": "wore", "begin": "began", "feel": "felt", "hold": "held",
    **{base: form for form, base in reversed(_FORM_OF.items()) if base not in ("work", "marry", "afraid", "child", "mother", "week")},
    "die": "died", "marry": "married",
    **{same: same for same in ("let", "set", "cut", "hit", "hurt", "shut", "cost", "quit", "spread", "bet", "burst", "cast", "read")},
}  # fmt: skip


def past_of(verb: str) -> str:
    """The past of a verb."""
    small = verb.lower()
    if small in _PAST:
        return _PAST[small]
    if small.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if small.endswith("y") and small[-2:-1] not in "aeiou" else f"{verb}ed"


@lru_cache(4096)
def told_terms(text: str) -> frozenset[str]:
    """The telling terms of a text; words that mean the same in another form count as one."""
    text = _LIVING.sub("work", _NOT.sub(" ", text))
    return frozenset(telling(_WORD.sub(lambda word: _BASE.get(word.group().casefold(), word.group()), text)))
