# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""Whom a guest calls for: by name however it is spelt, by trade or place; who is only spoken of is not called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules.state import AGENTS, Agent

_NAMES = "|".join(AGENTS)
#: How the names are typed, and what else they answer to.
SPELT: Final[Mapping[Agent, str]] = {
    "bart": r"bar(?:ty|tie|tholomew)",
    "blanca": r"(?:blan(?:k|ch|cc|kk)a|bian[ck]a)",
    "hermes": r"(?:h?erm(?:[eéè]+s+|is|s|ies|ez|us)|herman(?: moen)?)",
    "bernie": r"(?:ber+n+(?:y|ey|i|ei|ies)|bernt|barnie)",
    "jb": r"(?:j\.? ?b\.?(?!\w)|j[ -]?bee|jay ?bee?|johanne)",
    "bukowski": r"(?:b[uo]+[ck]+[ou]?[wv]+sk(?:i|y|ie|ii)|buko?|chinaski)",
}
#: The six by their trade and by where they sit, in words that are also said of others.
_TRADES: Final = (
    ("bart", r"bar ?m[ae]n|bar ?tender|bar ?keep(?:er)?|publican|landlord|inn ?keeper|(?:guy|man|one|fella) (?:behind|at) the (?:bar|counter)"),
    ("blanca", r"bouncer|door ?(?:wo)?man|doorkeeper|nurse|security|moderator|(?:woman|lady|one|girl|whoever(?:'s| is)) (?:at|by|on) the door|door (?:lady|girl|person)"),
    ("hermes", r"shrink|head ?doctor|psychologist|psychiatrist|therapist|counsell?or|(?:old )?(?:postman|mailman|messenger)(?: (?:fella|guy|bloke|chap))?(?: (?:by|near|at) the (?:stove|fire))?|wise (?:old )?man|old[ -]?timer|"
     r"old (?:man|boy|fella|fellow|guy|gentleman|chap|one)(?: (?:by|near|at|with) the (?:stove|fire))?|(?:man|boy|fella|fellow|guy|gentleman|chap|one) (?:by|near|at) the (?:stove|fire)|"
     r"(?:gentleman|man|one) who carried (?:the )?(?:letters|post)"),
    ("bernie", r"bus[ -]?(?:driver|man|fella|guy)|(?:man|fella|guy|one|bloke) on the third stool|(?:nice|kind|friendly) old (?:man|guy|fella|gentleman)|(?:cheerful|happy|jolly|optimistic) (?:one|man|fella|guy)|optimist"),
    ("jb", r"(?:\w+ )?(?:grammar|language|dictionary|spelling|word) (?:lady|woman|one|person|guy|man|nerd|snob|expert|police)|(?:\w+ )?(?:woman|lady|one|lass) (?:in the corner|at the corner table|with the (?:red )?(?:wine|pencil))|"
     r"madam in the corner|(?:sub-?)?editor|newspaper ?(?:wo)?man|(?:one|woman|lady) who corrects (?:people|everyone|everybody|grammar)|(?:woman|lady|one|man|guy) from the (?:news)?paper|singer|crooner"),
    ("bukowski", r"(?:brass|adding|calculating) (?:thing|machine|one|contraption|gadget|device|box)|contraption|machine|ledger|poet|(?:brass |adding |that )?calculator(?: thing)?"),
)  # fmt: skip
#: What stands before whoever is addressed, and is not said of them.
_ASIDE = (
    r"(?:hey|hi|hiya|hello|ok|okay|yo|oi|so|and|but|well|now|then|oh|ah|please|excuse me|sorry|(?:good )?(?:evening|morning|night)|goodnight|right|anyway|alright|look|listen|dear|"
    r"mr|mrs|ms|miss|madam|sir|old|my dear|thanks|thank you|cheers|bye|no|yes|yeah|go on|come on|what say you|what's up|(?:the )?last question|your turn|back to you|over to you|(?:no|not) that)"
)
_AFTER = r"(?:,? (?:mate|man|dude|bro|is it|is that you|sir|darling|love|dear|pal|old (?:friend|chap|boy|man)|my (?:friend|dear|man|good man|love)|actually|please|then|again|tonight|instead))*"
_HERE = r"(?: (?:in the house|in here|here|around|about|in|tonight|present))"
_EPITHETS: Final = (
    *(
    (agent, re.compile(form, re.IGNORECASE))
    for agent, trade in _TRADES
    for form in (
        rf"(?<!\bmy )\b(?:the|that|your|our)(?: friend)? (?:{trade})\b(?! (?:at|of|in) (?:my|work|our|a)\b)",
        rf"\b(?<=is there )an? (?:{trade})\b(?={_HERE}\b)",
        rf"(?:(?<=^)|(?<=[.!?;,] ))(?=(?:{_ASIDE}[\s,]+)+(?:{trade})\s*(?:[,.!?:;–—-]|$|(?:what'?s?|how'?s?|can|do|is|are|you|where'?s?|another|give|pour|tell)\b))(?P<lead>(?:{_ASIDE}[\s,]+)+)(?:{trade})\b",
        rf"(?<=, )(?:{trade})(?=\s*[?!]\s*$)",
        rf"(?:(?<=^)|(?<=[.!?] ))(?:{trade})(?=\s*(?:!|, (?:a|an|another|can|could|do|did|what|how|is|are|have|should|i|may|your|you|over)\b))",
    )
    ),
    ("hermes", re.compile(r"\byou(?: there)?,? (?:by|near|at) the (?:stove|fire)\b", re.IGNORECASE)),
    ("jb", re.compile(r"\byou(?: there)?,? (?:in|at) the corner(?: table)?\b", re.IGNORECASE)),
    ("blanca", re.compile(r"\byou(?: there)?,? (?:by|at|on) the door\b|\bwhoever(?:'s| is) on the door\b|\b(?<=get )security\b", re.IGNORECASE)),
    ("bernie", re.compile(r"\byou(?: there)?,? on the third stool\b", re.IGNORECASE)),
)  # fmt: skip
_NAMED: Final = tuple((agent, re.compile(rf"\b{form}\b", re.IGNORECASE)) for agent, form in SPELT.items())

_ONE = rf"@?(?:{_NAMES})(?!['’]s\b)"
#: One name, or several with *and* between them.
_SOME = rf"(?P<who>{_ONE}(?:(?:,? (?:and|or|&) |, ){_ONE})*)\b"
#: A name at the end of what says *you* calls for somebody, but after these it is spoken of.
NOT_BEFORE: Final = (
    "is 's are was were be about with to of on at by from for and or like than as not tell ask get me meet see saw seen know "
    "known knew met heard love hate trust fancy call called mate friend boss wife husband brother sister "
    "think mean mute muted unmute named"
).split()
#: Stands before such a name.
VOCATIVE: Final = "".join(rf"(?<!\b{word})" for word in NOT_BEFORE)
#: What begins a sentence that is said to whoever stands before it, rather than of them.
_TO_THEM = (
    r"i|i'm|i've|i'd|i'll|it's|it is|you|you're|you've|your|u|ur|we|we're|my|our|that's|this|there's|what|what's|how|how's|why|when|who|who's|where|where's|which|"
    r"(?:can|could|would|will|do|did|have|are|were|should|shall|may|must|had) (?:you|i|we|u)|(?:is|are|was|were) (?:that|this|it|there|any\w+|some\w+|the|your|my|he|she|they) .*\?|"
    r"is .*\?|(?:is|has|does) any\w+|tell|say|do an?|do the|do some|give|help|please|listen|look|come|go|stop|let|sing|read|write|note|add|correct|show|delete|wake|mate|dear|old|my|got|ever|any|if|well|just|think|take|put|quick|still|not|remind|explain"
)
#: How a guest calls for somebody: by name at the beginning or the end, or in a sentence that asks for them.
_CALLS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"@(?P<who>{_NAMES})\b",
        rf"\b(?:i(?: was|'m| am)?|was) (?:just )?(?:talking|speaking|asking|meant|mean|meaning)(?: to| for)? {_SOME}\W*(?:$|[,.!?]|actually)",
        rf"(?:^|[.!?] )[^\w.!?]{{0,9}}(?:{_ASIDE}[\s,]+)*{_SOME}{_AFTER}\s*(?:[,:;!?.\-–—…]|$)",
        rf"(?:^|[.!?] )[^\w.!?]{{0,9}}(?:{_ASIDE}[\s,]+)*{_SOME},? (?:{_TO_THEM})\b",
        rf"\b(?:you|your)\b[^.!?]{{0,80}}, {_SOME},",
        rf"[,;.!?–—-]\s*{_SOME}{_AFTER}\s*(?:[.!?…:–—]|$)",
        rf"^[^.!?,]{{1,30}}, {_SOME}[.!?]",
        rf"(?:^|[.!?] )[^\w.!?]{{0,9}}(?:{_ASIDE}[\s,]+)*{_SOME}{_AFTER} (?:{_TO_THEM})\b",
        rf"(?<!you )\b(?:(?:word|chat|talk|moment|minute|drink|sit|speak) with|company of) {_SOME}",
        rf"\bwhere are you from {_SOME}",
        rf"\bput {_SOME} on\b",
        rf"\b(?:talk|speak|chat|listen|say something|turn|go|put me through|pass me|hand me|switch|back) (?:over )?(?:to|2|with) {_SOME}",
        rf"\b(?:over to|rather hear it from) {_SOME}",
        rf"(?<!\bdid )(?<!\byou )(?<!\bI )\b(?:get|fetch|fetching|getting|bring|call|ask|find|wake|send(?: for| over| in)?|summon|hear(?: it)? from|switch on|turn on|hear|pass(?: it)? to) (?:me |us |over )?{_SOME}",
        rf"\b(?:can|could|may|might) (?:i|we|you|some\w+|any\w+) (?:\w+ )?(?:get|fetch|bring|call|ask|find|wake|send|have|see|borrow) (?:me |us |over )?{_SOME}",
        rf"\b(?:i want|i need|i would like|i'd like|i'd prefer|i prefer|i'd rather (?:have|talk to)|i came for|i could use|i could do with|give me|let|i'd love|i dare|i bet) {_SOME}",
        rf"\bi (?:want|need)(?: to hear| to have| to get)? (?P<who>{_NAMES})['’]s? ",
        rf"\b(?:hear|know|wonder|see|ask|curious) what {_SOME} (?:thinks|says|would|has|makes|reckons|might|will)",
        rf"\bwhat (?:do|does|did|would|will|might|can) {_SOME} (?:think|say|make|reckon|suggest|know|tell|advise|recommend|call|write|note)",
        rf"\bwhat would {_SOME} do\b",
        rf"\bhow (?:would|does|do|did) {_SOME} (?:put|say|see|phrase|word|feel|write)",
        rf"\b(?:what|how) about {_SOME}\W*$",
        rf"\bwhat(?:'s|’s| is) (?P<who>{_NAMES})['’]s? (?:view|opinion|take|verdict|advice|word|thoughts?)",
        rf"\b(?P<who>{_NAMES})['’]s? (?:opinion|view|take|advice|verdict|thoughts?)\b.*\?",
        rf"\b(?:the (?:fella|man|woman|one|guy)|{_SOME}), what's (?:his|her|its) (?:take|view|opinion|verdict)",
        rf"\b(?:is|are) {_SOME} (?:there|here|around|in|about|awake|free|available|up|on|listening|tonight|switched on|working|busy)\b",
        rf"\bis (?:that|this|it|there) {_SOME}\b",
        rf"\bdo(?:es)? {_SOME}(?: by the \w+)? know (?:any\w+|about|how|why|what|where|some\w+|of)\b",
        rf"\b(?:maybe|perhaps|only|just) {_SOME} (?:can|could|will|would|knows|might|please|this)\b",
        rf"\b(?:any(?:one|body) seen|has any(?:one|body) seen) {_SOME}",
        rf"\bwhere(?:'s|’s| is| are| has) {_SOME}(?: (?:tonight|when|gone|hiding|now|then|at|got to))?\s*(?:[,?.!]|$|when\b|gone\b|i\b)",
        rf"^\W*{_SOME} (?:there|here|around|in|awake|up|free|about)\W*$",
        rf"\b(?:can|could|would|will|may|might|must|should) {_SOME} (?:\w+ )?(?:tell|help|say|explain|answer|look|come|speak|sing|write|read|note|summ|sum|cheer|talk|correct|check|advise|have|hear|bring|take|run|approve|know|like|love|want|see|add|carry|deliver|do|play|agree|mind)",
        rf"(?:^|[.!?] )[^\w.!?]{{0,9}}(?:{_ASIDE}[\s,]+)*{_SOME} (?:will|would|must|should|might) (?:know|like|love|want|see|hear|enjoy|understand|agree|tell)",
        rf"\b(?:question|something|one|one's|message|this is|that's one|that(?:'s| was| is)(?: meant)?|here's one|job|news|good one) for (?P<who>{_NAMES})\b",
        rf"\bmake {_SOME} (?:happy|laugh|smile|proud|cry)\b",
        rf"\b(?:does|do) {_SOME} (?:have (?:a|an|any) (?:story|word|opinion|view|idea|thought|advice)|agree|mind|want)",
        rf"\b(?:ask|tell) (?:the |that )?{_SOME} (?:bloke |fellow |fella |guy |woman |man )?(?:to|for|if|whether|what|why|how|where)\b",
        rf"\b{_SOME},? or (?:some such|whatever he is called|something like that)\b",
        rf"\b(?:opinion|turn|help|company|please|thanks|thank you|cheers|love you|night|hello|hi|hey|oi|question|now|time|that|again|ok)[,:]? {_SOME}{_AFTER}\s*(?:[.!?…,]|$)",
        rf"(?<!you )\b(?:tell|say) {_SOME} (?:that|i|to|about|bye|goodbye|hi|hello|good night|thanks?|sorry|cheers|he|she|it|he's|she's|it's)\b",
        rf"^(?!\W*(?:(?:so|and|wait|hey) )?are you \w+\W*$).*\b(?:you|your|yours|yourself)\b[^.!?]{{0,80}}(?= {_ONE}){VOCATIVE} {_SOME}{_AFTER}\s*(?:[.!?…]+(?:\s|$)|$)",
        rf"\bno (?!{_ONE} (?:or|and)\b){_SOME},? (?:i|what)\b",
    )
)  # fmt: skip
#: Somebody who was named before, wanted by *him* or *her*.
_THEM: Final = re.compile(
    r"\b(?:talk|speak|word|chat|sit|drink) (?:to|with) (?:him|her|it|them)\b|\b(?:ask|fetch|get|wake|call|bring) (?:him|her|it|them)(?! (?:a|an|some|the|out)\b)",
    re.IGNORECASE,
)
_NOT_WANTED = re.compile(
    rf"\b(?:not|never|don't want|do not want|without|except|instead of|rather than|anyone but|anybody but) (?:you,? )?(?:to \w+ (?:to|with) )?(?P<who>{_NAMES})\b"
    rf"|\bno (?P<none>{_NAMES})(?: please)?\W*$",
    re.IGNORECASE,
)
#: Thanks or an excuse to one before another is called.
_LEAVING: Final = re.compile(
    rf"^\W*(?:thanks|thank you|cheers|sorry|excuse me|no offence|ok|okay|bye|night|goodnight|enough|quiet),? (?:{_NAMES})\b[\s,.!–—-]+(?=.*\b(?:{_NAMES})\b)",
    re.IGNORECASE,
)


# One message is looked at a dozen times in a turn.
@lru_cache(maxsize=64)
def by_name(text: str) -> str:
    """The same with the names of those who are called by what they are, or by a name that is not quite theirs."""
    for agent, form in _NAMED:
        text = form.sub(agent, text)
    for trade, form in _EPITHETS:
        text = form.sub(rf"\g<lead>{trade}" if "lead" in form.groupindex else trade, text)
    return text


@lru_cache(maxsize=64)
def called(text: str) -> tuple[Agent, ...]:
    """Those a message is addressed to, or asks for, by name or by what they are; in the order of their names."""
    text = _LEAVING.sub("", by_name(written_out(text)))
    unwanted = {(found["who"] or found["none"]).casefold() for found in _NOT_WANTED.finditer(text)}
    for form in _CALLS:
        for found in form.finditer(text):
            agents = [agent for agent in _named_in(found["who"] or "") if agent not in unwanted]
            if agents:
                return tuple(dict.fromkeys(agents))
    return spoken_of(text) if _THEM.search(text) and len(spoken_of(text)) == 1 else ()


def spoken_of(text: str) -> tuple[Agent, ...]:
    """Those who are named in a text, called or not; the first first."""
    return tuple(dict.fromkeys(_named_in(by_name(text))))


def calls_for_them(text: str) -> bool:
    """Whether somebody is wanted who was named before: *can I talk to him?*"""
    return _THEM.search(text) is not None and not spoken_of(text)


def _named_in(text: str) -> list[Agent]:
    found = re.findall(rf"\b(?:{_NAMES})\b", text.casefold())
    return [agent for name in found for agent in AGENTS if agent == name]


__all__ = ["SPELT", "VOCATIVE", "by_name", "called", "calls_for_them", "spoken_of"]
