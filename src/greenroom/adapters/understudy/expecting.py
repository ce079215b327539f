"""What kind of thing a question asks for - a number, a time, a place, a person, a reason - and which words give it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from greenroom.adapters.facts.correcting import ORDINAL as _ORDINAL
from greenroom.adapters.facts.patterns import ALIKE, NOT_NAMES, WHO
from greenroom.text.stems import STOP, telling, words

_COUNT = (
    r"[a-z]?\d+(?:[.,:–-]\d+)*(?:st|nd|rd|th)?|(?:a |half a )?(?:dozen|hundred|thousand|couple)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|first|second|third|\w{3,5}th))?|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen(?:th)?|once|twice|twins|triplets|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
)
_UNIT = r"years?|months?|weeks?|days?|nights?|hours?|minutes?|fortnights?|summers?|winters?"
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|yesterday|noon|midnight|january|february|march|april|"
    r"may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter|new year|"
    r"morning|evening|afternoon|night|dawn|dusk|week|weekend|fortnight|month|year"
)
_WHEN = (
    rf"(?:(?:on|in|at|by|before|after|since|until|till|from|around|about|the|next|last|this|every|end of|half|quarter|past|to|of|early|late) ){{0,4}}"
    rf"(?:(?:half|quarter|ten|five|twenty) (?:past|to) (?:{_COUNT})|{_DAY}|\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}[:.]\d\d|\d{{4}}|(?:{_COUNT}) (?:o'clock|(?:{_UNIT}) ago)|(?<=in )(?:{_COUNT}) (?:{_UNIT})|(?<=at )(?:{_COUNT})|"
    rf"(?<=the )(?:{_COUNT})|\d+ ?[ap]m|soon)\b(?: (?:week|night|morning|evening|afternoon)\b| of (?:{_DAY})\b)?"
)
_PHRASE = r"(?:the |an? |my |our |his |her |their |some |that |this )?(?:(?!(?:and|but|so|or|because|where|who|which|that|then|in|at|on|to|for|with|from|of|is|was|i|he|she|it|we|they|when|while|if|as|the)\b)[\w'-]+ ?){1,3}"
_A_NAME = r"(?-i:(?!I\b|I'\w)[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*)"
_KIN = rf"(?:{WHO}|{'|'.join(ALIKE)})"
_PERSON = rf"(?:my|our|his|her|their|the|an?) (?:[\w-]+ ){{0,2}}?{_KIN}\b(?:,? {_A_NAME})?|{_A_NAME}"

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
    kind: frozenset(told.split()) for kind, _, told in (one.partition(": ") for one in _NAMES.strip().split("\n"))
}
_CALLED: Final = {
    "animal": "animal|pet|creature|beast", "instrument": "instrument", "drink": "drink|tipple", "colour": "colou?r", "fruit": "fruit",
    "language": "languages?", "subject": "subjects?(?! of)", "sport": "sport|game", "vehicle": "vehicle",
    "job": "job|work|trade|profession|occupation|living",
}  # fmt: skip


#: Words for what somebody is, by their endings, where they stand for that.
_TRADES = r"|(?<=the one who )\w+s|(?<=an )\w{3,}(?:er|or)|(?<=a )\w{3,}(?:er|or)|(?<=the )\w{3,}(?:er|or)|(?<=as )\w{3,}(?:er|or)|\w{3,}(?:ist|ian|smith|sman|woman)"


class Slot(NamedTuple):
    """A kind of thing that is asked for, and the form of what is one."""

    kind: str
    asked: re.Pattern[str]
    given: re.Pattern[str]
    #: Whether it can be told from everything else: what holds none of it answers nothing.
    is_sure: bool = True

    @property
    def is_alone(self) -> bool:
        """Whether the value alone can be said; of other kinds the whole clause is."""
        return self.kind not in ("does", "says", "why")


def _slot(kind: str, asked: str, given: str, *, sure: bool = True) -> Slot:
    return Slot(kind, re.compile(asked, re.IGNORECASE), re.compile(given, re.IGNORECASE), sure)


_SLOTS: Final = (
    _slot("does", r"\bwhat (?:does|do|did) (?!i\b).*\bdo\W*$|\b(?:'s|s|his|her|their) (?:job|work|trade|profession)\b",
          r"\b(?:is|was|are|am|'s|'m) (?:an? |on )\w|\b(?:works?|worked|sells?|sold|runs?|ran|drives?|teach\w*|taught|keeps?|kept|owns?)\b|\bjob\b", sure=False),
    _slot("says", r"\bwhat\b.*(?:\b(?:used to|did (?!i\b)\w+(?: \w+)?|does (?!i\b)\w+|would \w+) (?:say|tell|think)|'?s words|(?:his|her|their) words)\b",
          r"\b(?:said|says|say|told|thinks?|thought|calls?|called|reckons?|shout\w*|maintain\w*|wrote|swears?)\b", sure=False),
    _slot("name", r"\b(?:called|named?|names)\b", rf"{_A_NAME}(?:(?:, {_A_NAME})* and {_A_NAME})?"),
    _slot("long", r"\b(?:how long|wie lange|(?:since|until|till|from) when|(?:for )?how many (?:years|weeks|days|months|hours))\b",
          rf"\b(?:(?:since|until|till|before) (?:the )?{_PHRASE}|(?:the whole|all) (?:{_UNIT}|summer|winter)|(?:{_COUNT})(?: or \w+)?(?: \w+)?? (?:{_UNIT})|for ever|always)"),
    _slot("age", r"\bhow old\b|\b(?:what|which|my) age\b|\bwie alt\b",
          rf"(?:(?<=^)|(?<=[.!] )|(?<=\bis )|(?<=\bam )|(?<='[ms] )|(?<=\bim )|(?<=\bhes )|(?<=shes )|(?<=\bare )|(?<='re )|(?<=\bwas )|(?<=\bbin )|(?<=\bist )|(?<=turned )|(?<=turning )|(?<=turns )|"
          rf"(?<=aged )|(?<=\bof )|(?<=\bbe )|(?<=, )|(?<=at ))(?!a |first|second|third)(?:{_COUNT})\b(?! (?!years? old|now|and|but|so|in|on|tomorrow|next|today|already|if|going|last|this|when|yesterday|or|at)\w)(?: years? old)?|\b(?:{_COUNT})[- ]years?[- ]old|(?<=\bhas )(?:{_COUNT}) (?:years|months|weeks)\b(?! (?:of|to|left|in)\b)"),
    _slot("much", r"\bhow much\b", rf"\b(?:{_COUNT})\b(?! (?:{_UNIT}|o'clock|people|of (?:us|them))\b)(?: (?:miles|pounds|euros?|dollars|quid|bucks|crowns))?"),
    _slot("many", r"\bwie (?:viele?|oft)\b|\bhow (?:many|far|often|tall|high|big|deep)\b|\b(?:what|which) (?:number|room|floor|score|grade|mark|size|price|year)\b|\bscore\b",
          rf"\b(?:{_COUNT})\b(?: (?:years? old|{_UNIT}|times|miles|pounds|euros?|metres?))?"),
    _slot("day", r"\b(?:what|which) (?:week)?day\b", rf"\b(?:(?:on|next|last|this|the) )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|yesterday|"
          rf"\d{{1,2}}(?:st|nd|rd|th)(?: of \w+)?|(?:{_ORDINAL})(?: of \w+)?|christmas|easter|new year)\b"),
    _slot("when", r"\b(?:when|wann|cu[aá]ndo|quand)\b|\b(?:um wie ?viel|welche[mnrs]?) (?:uhr|tag|monat)\b|\b(?:what|which) (?:time|hour|day|date|month|year|evening|night|morning)\b|\bhow soon\b", _WHEN),
    _slot("where", r"\b(?:where(?:abouts)?|wo|woher|wohin|d[oó]nde)\b|\b(?:what|which) (?:city|town|country|place|island|village|port|harbour|street|road|pub|river|hotel|county|hospital|school|shop|club|venue|office|church|university)\b|\b(?:city|town|country|village) (?:i|where)\b",
          rf"\b(?:in|at|from|to(?= (?:the|an?|my|our|his|her|their|that|this|sea|town|work|bed|school|church|prison|hospital|college|university)\b| (?-i:[A-Z]))|near|on|outside|behind|under|inside|over|aus|nach|bei|à|en|de|round|beside|by|off|up|down) (?!{_DAY}\b|be\b){_PHRASE}|(?<=[.!?,] ){_A_NAME}(?=[.!]|$)", sure=False),
    _slot("who", r"\b(?:who(?:se|m|'s|s)?|wer|wem|wen|qui[eé]n)\b", rf"\b(?:{_PERSON})", sure=False),
    _slot("why", r"\b(?:why|warum|wieso|weshalb|pourquoi|por qu[eé])\b|\bhow come\b|\bwhat (?:reason|for\W*$)|\bwhat\b.*\bfor\W*$",
          r"\b(?:because|cos|since|so that|so (?=i|we|he|she|they)|to (?!be\b)(?=\w{3,}\b)|gives?|makes?|made|after|thanks to|search\w* for|looking for)\b.*", sure=False),
    *(_slot(kind, rf"\b(?:what|which)\b.{{0,20}}\b(?:{called})\b" if kind != "job" else rf"\b(?:what|which|my)\b(?: (?!(?:do|did|does|is it)\b)\w+){{0,3}}? (?:{called})\b|\bfor a living\b",
            rf"\b(?:{'|'.join(sorted(KINDS[kind], key=len, reverse=True))}{_TRADES if kind == 'job' else ''})s?\b", sure=False)
      for kind, called in _CALLED.items()),
)  # fmt: skip

_ASKING: Final = re.compile(r"\b(?:what|which|who|whose|whom|where|when|why|how)(?:'?s)?\b", re.IGNORECASE)
#: What belongs to somebody and is nobody.
_THING: Final = re.compile(
    r"\b(?:boat|ship|yacht|car|band|village|town|street|house|shop|school|company)\W*$", re.IGNORECASE
)
#: What bears a name at which somebody may be.
_IS_PLACE: Final = re.compile(
    r"\b(?:venue|place|pub|bar|club|caf[eé]|restaurant|hotel|inn|hospital|school|theatre|shop|firm|company|box|station|town|village|city|street|island)\b",
    re.IGNORECASE,
)
_AT_A_PLACE: Final = re.compile(r"\b(?:in|at|from|to|near|on|of|outside)(?: the)? $", re.IGNORECASE)
_IS_TIME: Final = re.compile(rf"(?:{_DAY})$", re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"(?:^|[.!?] )$")


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
    for one in slot.given.finditer(text):
        value = one.group().strip(" ,'")
        before = "" if slot.kind == "name" and _IS_PLACE.search(question) else text[: one.start()]
        if value and not known.issuperset(words(value)) and _is_one(slot, value, before):
            found.append((min((_apart(one, place) for place in near), default=0), one.start(), value))
    return tuple(value for _, _, value in sorted(found))


_COUNTED: Final = re.compile(r"\bhow (?:many|much) (\w+)", re.IGNORECASE)


def value_in(question: str, text: str) -> str:
    """What alone answers a question, of a text that answers it; empty where that cannot be told for certain."""
    slot = slot_of(question)
    found = values(slot, question, text) if slot is not None and slot.is_alone else ()
    counted = _COUNTED.search(question)
    if not found or (counted and not told_terms(counted[1]) & told_terms(text)):
        return ""
    return found[0]


def _apart(one: re.Match[str], place: int) -> int:
    return 0 if one.start() <= place < one.end() else min(abs(one.start() - place), abs(one.end() - place))


def _is_one(slot: Slot, value: str, before: str) -> bool:
    """Whether what looks like a name is one of somebody, and what looks like a place is none of time."""
    if slot.kind not in ("who", "name"):
        return slot.kind != "where" or not _IS_TIME.search(value)
    if _THING.search(value) or _IS_TIME.search(value):
        return slot.kind == "name" and bool(_THING.search(value))
    first = value.split(maxsplit=1)[0].casefold()
    if _FIRST_WORD.search(before) and (first in STOP or first in NOT_NAMES) and " " not in value:
        return False
    return (first not in NOT_NAMES or " " in value) and not (value[0].isupper() and _AT_A_PLACE.search(before))


_FORMS = """
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
_FORM_OF: Final = _pairs(_FORMS)
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
