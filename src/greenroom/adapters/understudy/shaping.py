"""How something is told, whatever it is about: what somebody says of one, what one cannot do, gave up, found or may do.

The verb that a clause is built round says what one may ask back, and what stands after it is what one asks about: of *I'm
learning to tar a hull* it is who teaches them *to tar a hull*. A line has a place for each: ``{do}`` and ``{doing}`` for what
is done, ``{thing}`` for a thing, ``{like}`` for what is liked, ``{who}`` for somebody, ``{how}`` for how one feels. What has no
certain end is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from greenroom.adapters.facts.clauses import clauses
from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.facts.sentences import asks
from greenroom.adapters.understudy.framing import capital
from greenroom.adapters.understudy.persons import to_you

_LEAD = (
    r"^(?:(?:and|but|so|well|oh|now|anyway|actually|honestly|ok|okay|yeah|yes|no|also|then|plus|sometimes|lately|today|yesterday|"
    r"tonight|(?:last|this|every|one) \w+|these days|for now|to be honest|ever since|at least|because)\b[,:]? )*"
)
_ADVERB = r"(?: (?:\w+ly|just|even|always|still|never|also|kind of|sort of|do|did|have|had|am|are|was|were|been|would|will|so|too|quite))*"
#: Whoever speaks; on a phone nobody writes it.
_I = rf"{_LEAD}(?:(?:i|we|me and my \w+|my \w+ and i)(?:'ve|'m|'d|'ll|'re)?{_ADVERB} |(?:(?:just|been|still|also|never) )*)"
_KIN = rf"(?:{WHO}|{'|'.join(word for word in ALIKE if word.isascii())}|nan|nana|auntie)"
_OFFICES = r"doctor|nurse|chap|man|woman|guy|lady|vet|priest|vicar|manager|council|people|neighbours|girl|boy|bank|police|company|office|hospital"
_THEY = (
    rf"{_LEAD}(?P<who>(?:my|our) (?:[\w'-]+ ){{0,2}}?[\w'-]+|{_KIN}|the (?:{_KIN}|{_OFFICES})|he|she|they|"
    r"(?!(?:It|I|You|We|That|This|There|What|The|A|My|Our|Nothing|Everything|Something|All|Life|Work|And|But|So)\b)(?-i:[A-Z])\w+)"
)
_DO = r"(?P<do>\w.*)"
_DOING = r"(?P<doing>\w+ing\b.*)"
_THING = (
    r"(?P<thing>(?:my|our|an?|the|his|her|their|some|this|that|these|those|two|three|four|five|six) (?:[\w'-]+ ){0,3}?[\w'-]+)"
    r"(?=$|[.,!;:?]| (?:in|on|at|for|of|to|from|with|by|about|and|but|or|because|so|when|while|that|who|which|where|after|before|"
    r"until|since|last|this|next|today|tomorrow|yesterday|tonight|every|again|now|out|up|down|off|over|under|behind|near|all|too|here|"
    r"there|instead|without|into|through|against|around|lately|once|as|if|then|than|is|are|was|were|has|had|will|would|can|myself)\b)"
)
_LIKE = rf"(?:{_THING}|{_DOING})"
#: Verbs of which nothing can be said back in these ways.
_NOT_DONE = r"(?!die\b|kill|end it|disappear|hurt|be honest|be fair|say\b|tell you|know\b|thank|ask you|believe|apologi[sz]e|be (?:dead|left|alone))"
_FELT = (
    r"proud|lonely|exhausted|relieved|bored|excited|furious|angry|confused|stuck|jealous|ashamed|embarrassed|nervous|restless|hopeful|"
    r"grateful|disappointed|heartbroken|overwhelmed|stressed|miserable|cross|annoyed|curious|impatient|homesick|delighted|thrilled|useless|"
    r"invisible|old|empty|numb|lost|happy|content|frustrated|hurt|torn|tired"
)

#: Of several the first that stands here is the one that says most.
_SHAPES: Final = tuple(
    (name, re.compile(form, re.IGNORECASE))
    for name, form in (
        ("said_of_one",
         rf"{_THEY}(?:'s)? (?:always |just |still |keeps? (?:on )?|often |once )*(?:says?|said|saying|thinks?|thought|reckons?|believes?|tells? me|told me|telling me|claims?|insists?|swears?)"
         r"(?: to me)?(?: that)? (?:i|i'm|i've|i'd|my|we|we're|im|ive)\b"),
        ("said_of_one", rf"{_THEY} (?:always |just |still )*(?:calls?|called) (?:me|us)\b(?= \w)(?! (?:on|at|from|back|up|yesterday|when|about|to|every|last|this|and|or|in|for|over|again|today|out|now|once|twice)\b)"),
        ("wants_one", rf"{_THEY}(?:'d)? (?:always |just |still |really |keeps? )*(?:wants?|wanted|asked|asks|asking|told|telling|expects?|expected|would like|like|begged|begging|pushes|pushing|forced) (?:me|us) to {_NOT_DONE}{_DO}"),
        ("regrets", rf"{_I}(?:should(?:n't| not)? (?:never )?have|ought to have|wish (?:i|we)(?:'d| had)(?:n't)?) \w"),
        ("wishes", rf"{_LEAD}(?:(?:i|we) (?:\w+ )?wish\b(?! you| to)|if only) "),
        ("decided", rf"{_I}(?:made up (?:my|our) minds?|decided(?! to)|keeping {_THING}|not (?:selling|leaving|moving|going to sell|going to move)\b)"),
        ("misses", rf"{_I}miss(?:ed|ing)? {_THING}"),
        ("worries", rf"{_I}(?:worr(?:y|ied)|anxious|nervous|scared|afraid|frightened|dreading|terrified|dread)(?: about| of)? {_THING}"),
        ("forward", rf"{_I}(?:looking forward to {_LIKE}|can't wait to {_DO})"),
        ("keeps", rf"{_I}(?:keep(?: on)?|kept(?: on)?|can't stop|couldn't stop) (?!thinking (?:i|we|about)\b){_DOING}"),
        ("stopped", rf"{_I}(?:stopped|quit|gave up|given up|giving up|stopping) {_DOING}"),
        ("started", rf"{_I}(?:started|begun|began|took up|taken up|got into|starting) {_LIKE}"),
        ("never", rf"{_LEAD}(?:i|we) never (?:really |quite |even )?(?:learned|learnt|managed|got|dared) (?:how )?to {_DO}"),
        ("never", rf"{_LEAD}(?:i|we)(?:'ve| have) never (?:once |really |even |actually )?(?!told|known|forg|thought|been (?:so|this|that|good|able|one|sure))(?:\w+ed|\w+en|\w+wn|been|had|done|held|read|swum|met|made|left)\b"),
        ("learning", rf"{_I}(?:learning|trying|training|teaching myself|practising|attempting|learned|learnt) (?:how )?to {_DO}"),
        ("cannot", rf"{_I}(?:can't|cannot|couldn't|could not|not able to|n't been able to|haven't been able to|unable to|can never)(?: even| seem to| bring myself to| bear to)? (?!believe|wait|complain|help|stand|bear|tell|say|imagine|remember|think|stop|wish|see (?:how|why)|explain|afford|decide|be\b){_NOT_DONE}{_DO}"),
        ("used_to", rf"{_I}used to {_NOT_DONE}(?!think|be\b|have\b|like\b){_DO}"),
        ("must", rf"{_I}(?:have to|has to|need to|must|should(?! have| very| really| much| like| love)|ought to|got to|supposed to) {_NOT_DONE}(?!be\b|go\b|have\b|get (?:back|going|off|home)|leave\b|admit)(?:really |probably )?{_DO}"),
        ("may", rf"{_I}(?:might|may|tempted to|keep thinking (?:i|we) should|wonder(?:ing)? (?:if|whether) (?:i|we) should) (?:just |as well )?(?:{_NOT_DONE}(?!be\b|have\b|not\b){_DO})"),
        ("wants", rf"{_I}(?:want|wanted|would like|like|love|hope|hoping|long|longing|dream of|dreaming of|dying|wish i could|'d like|'d love)(?: to)? (?<=to ){_NOT_DONE}(?!be (?:alone|left)){_DO}"),
        ("plans", rf"{_I}(?:going to|about to|decided to|promised to|planning to|plan to|plan on|planning on|meaning to|shall|will) {_NOT_DONE}(?!be\b|have\b|go\b|never\b|not\b|always\b|miss\b){_DO}"),
        ("plans", rf"{_LEAD}(?:i|we)'ll {_NOT_DONE}(?!be\b|have\b|go\b|never\b|not\b|always\b|miss\b|think\b|see\b|leave\b|let\b){_DO}"),
        ("hates", rf"{_I}(?:hate|can't stand|can't bear|loathe|detest|don't like|don't trust|never liked|sick of|tired of|fed up with) {_LIKE}"),
        ("likes", rf"{_I}(?:like|love|enjoy|adore|fond of|crazy about|mad about) {_LIKE}"),
        ("given", rf"{_THEY} (?:gave|bought|brought|made|sent|lent|left) me {_THING}"),
        ("lost_thing", rf"{_I}(?:lost|broke|broken|dropped|forgot|forgotten|ruined|spilt|spilled|burnt|burned|smashed|crashed|missed|wrecked) {_THING}"),
        ("parted", rf"{_I}(?:sold|gave away|given away|threw away|thrown away|threw out|got rid of|selling|giving up) {_THING}"),
        ("found_thing", rf"{_I}(?:found|saw|seen|spotted|came across|noticed|discovered|heard) {_THING}"),
        ("made_thing", rf"{_I}(?:made|built|wrote|written|painted|baked|knitted|planted|fixed|mended|repaired|cooked|restored|making|building|writing|painting|knitting|growing|restoring) {_THING}"),
        ("got_thing", rf"{_I}(?:bought|buying|got myself|picked up|adopted|ordered|borrowed) {_THING}"),
        ("of_people", rf"{_LEAD}(?:i (?:\w+ )?(?:think|reckon|believe|find|feel)(?: that)? )?(?:most |some |all |young |old )?(?:people|men|women|kids|children|couples|families|they all|the world|humans)\b(?!'s)(?! (?:here|will|is coming|came|at work|told|asked|said|knows?|likes? me|in my|at my|on my))"),
        ("feels", rf"{_LEAD}(?:i(?:'m| am| feel| felt|'ve been| have been| was)|we(?:'re| are| feel))(?: (?:so|really|very|a bit|quite|just|pretty|a little|rather|feeling|still|too|all|absolutely|completely))* (?P<how>{_FELT})\b(?! (?:to|of|enough|about leaving))"),
        ("they_do", rf"{_THEY}(?: (?:always|never|keeps?|won't|doesn't|refuses to|only|still|constantly) \w+| (?!is\b|was\b|has\b|his\b|this\b|lives\b|works\b|likes\b|loves\b|needs\b|owns\b|knows\b|says\b|does\b|teaches\b|keeps\b|used\b|always\b|\w*ss\b|\w*us\b)\w+s (?:\w+))"),
        ("they_did", rf"{_THEY} (?:just |even |once |also |finally |only |nearly |suddenly )*(?:didn't|did|forgot|rang|left|went|came|took|got|made|found|bought|sold|broke|threw|spent|lent|hit|put|ran|told|gave|met|wrote|said|saw|stood|\w{{3,}}(?<!e)ed)\b"),
    )
)  # fmt: skip
#: Things that are none: a time, a measure, a manner.
_NO_THING = re.compile(
    r"\b(?:lot|bit|couple|kind|sort|few|number|thing|things|way|time|times|day|days|week|weeks|year|years|month|months|while|hand|chance|go|"
    r"look|break|one|ones|word|minute|moment|morning|evening|night|hour|hours|age|right|same|fact|rest|point|end|first|last|most|whole|"
    rf"truth|feeling|temper|nerve|appetite|sense|mind|own|life|idea|{WHO.replace('|dog|cat|horse|parrot|bird|goat|pig|hamster|rabbit|puppy|kitten|boat|', '|').replace('|ship|yacht|car|', '|').replace('|house|shop|', '|')})$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[,.!;:(]|\s[-–—]\s|\s(?:because|but|so|when|while|if|though|although|unless|until|since|except|in case|"
    r"and(?= (?:i|he|she|they|it|then|the|my|we|now)\b)|or(?= (?:i|not)\b)|as(?= (?:i|soon|he|she)\b)|before(?= (?:i|he|she|they|it)\b)|after(?= i\b))\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?: (?:anyway|either|too|though|maybe|really|now|honestly|at last|finally|you know|i (?:think|suppose|guess|mean)|some ?day|one day|again|"
    r"at all|any ?more|to be honest|right now|at the moment|for once|as well|by the way|after all|in fact|myself|lol|haha|tbh|yet|much|a lot|"
    r"today|tonight|tomorrow|yesterday|next \w+|last \w+|(?:this|every) (?:week|month|year|morning|evening|summer|winter|spring|autumn|weekend|day|night)|for (?:years|ages|months|weeks|days)|on \w+day))+$",
    re.IGNORECASE,
)
_DANGLES = re.compile(r"\b(?:to|the|an?|my|his|her|our|their|and|of|for|with)$", re.IGNORECASE)
_TO_YOU = re.compile(r"\b(?:you|your|yours|this|that|it|here|so)\b", re.IGNORECASE)
#: Words of what is done that one says back; of more, what stands before the last small word.
MOST_WORDS = 7
_WITHIN = re.compile(
    r" (?:for|with|in|at|on|from|about|that|who|which|after|before|without|like|to|of|and|by) ", re.IGNORECASE
)
_DETERMINED = re.compile(r"^(?:an?|some|this|that) ", re.IGNORECASE)


class Shape(NamedTuple):
    """How a clause tells something, and what of it a line can hold."""

    name: str
    text: str
    fields: Mapping[str, str]


#: A clause that only speaks of a thing.
THING: Final = "thing"
_SPOKEN_OF = re.compile(
    rf"\b(?!(?:and|then|but|or|when|while|so|that|in|on|at|of|by|for|with|from|to|is|was|are|were|than|like|as|all|half|since|until|till)\b)\w+ {_THING}(?! (?:is|are|was|were|has|had|will|would|can)\b)",
    re.IGNORECASE,
)
NAMES: Final = (*dict.fromkeys(name for name, _ in _SHAPES), THING)


def shape_of(apart: Sequence[str]) -> Shape | None:
    """The shape of the clause that says most, of some sentences; of equals, that of the last."""
    parts = [part.text for one in apart for part in clauses(one) if not asks(part.text)]
    found = [shape for part in parts for shape in (_shape(part),) if shape is not None]
    return min(reversed(found), key=lambda one: NAMES.index(one.name), default=None)


def _shape(clause: str) -> Shape | None:
    text = " ".join(clause.replace("’", "'").split()).strip(" .!")
    for name, form in _SHAPES:
        if found := form.search(text):
            return Shape(name, clause, dict(_fields(found)))
    for found in _SPOKEN_OF.finditer(text):
        if fields := dict(_fields(found)):
            return Shape(THING, clause, fields)
    return None


def _fields(found: re.Match[str]) -> Iterator[tuple[str, str]]:
    held = {name: value for name, value in found.groupdict().items() if value}
    made = {
        "do": _done(held.get("do", "")),
        "doing": _done(held.get("doing", "")),
        "thing": _thing(held.get("thing", "")),
        "who": _who(held.get("who", "")),
        "how": held.get("how", "").lower(),
    }
    made["like"] = made["thing"] or made["doing"]
    for name, value in made.items():
        if value:
            yield name, value
            yield name.capitalize(), capital(value)


def _done(text: str) -> str:
    """What is done, up to where something else begins, as the hearer says it; empty where that is doubtful."""
    end = _ENDS.search(text)
    words = _TAIL.sub("", text[: end.start()] if end else text).strip()
    while len(words.split()) > MOST_WORDS and (cuts := [*_WITHIN.finditer(words)]):
        words = words[: cuts[-1].start()]
    if not words or len(words.split()) > MOST_WORDS or _TO_YOU.search(words) or _DANGLES.search(words):
        return ""
    return to_you(words)


def _thing(text: str) -> str:
    """A thing as one that was spoken of: *a red hull* is *the red hull*."""
    if not text or _NO_THING.search(text) or _TO_YOU.search(text):
        return ""
    return to_you(_DETERMINED.sub("the ", text))


_SEVERAL = re.compile(r"(?:(?<!bos)s|people|children|police|grandchildren|\w+men)$", re.IGNORECASE)


def _who(text: str) -> str:
    if re.fullmatch(
        r"he|she|they|everyone|everybody|people|it|this|that|there|nobody|somebody|we|you|what|i", text, re.IGNORECASE
    ):
        return ""
    if _SEVERAL.search(text):
        return ""
    if re.match(r"(?:my|our|the) ", text, re.IGNORECASE):
        return to_you(text[0].lower() + text[1:])
    return f"your {text.lower()}" if re.fullmatch(_KIN, text, re.IGNORECASE) else text


__all__ = ["NAMES", "THING", "Shape", "shape_of"]
