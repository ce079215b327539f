# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""Who answers, as far as it can be told without a model: names, mutes, hand-overs, shouting and abuse."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules.state import AGENTS, MUTABLE, Agent, Bar

Disorder: TypeAlias = Literal["shouting", "abuse"]

#: How many answer one message, and who does where everybody is asked.
MOST_SPEAKERS: Final = 3
EVERYBODY: Final[tuple[Agent, ...]] = ("bart", "bernie", "jb")
#: Insults in one evening: from here on the last warning, and the door.
WARNED_AT: Final = 4
DOOR_AT: Final = 6
#: Letters before capitals count as shouting, and their share.
SHOUT_LETTERS: Final = 3
SHOUT_SHARE: Final = 0.7

_NAMES = "|".join(AGENTS)
_ONE = rf"@?(?:{_NAMES})(?!['’]s\b)"
#: One name, or several with *and* between them.
_SOME = rf"(?P<who>{_ONE}(?:(?:,? (?:and|or|&) |, ){_ONE})*)\b"
_ASIDE = r"(?:hey|hi|hello|ok|okay|yo|so|and|but|well|now|then|oh|please|excuse me|sorry|good evening|evening|right)"
_MUTE = re.compile(
    rf"\s*(?:(?:please|can you|could you|ok|and),?\s+){{0,2}}(un)?mute\s+(?:(?:the|that)\s+)?(?:({_NAMES})\b[^.!?]{{0,80}}|(\w+))\s*[.!?]*\s*",
    re.IGNORECASE,
)
#: A name at the end of what says *you* calls for somebody, but after these it is spoken of.
NOT_BEFORE: Final = (
    "is 's are was were be about with to of on at by from for and or like than as not tell ask get me meet see saw seen know "
    "knew met heard love hate trust fancy call called mate friend boss wife husband brother sister "
    "think mean mute muted unmute"
).split()
#: Stands before such a name.
VOCATIVE: Final = "".join(rf"(?<!\b{word})" for word in NOT_BEFORE)
#: How a guest calls for somebody: by name at the beginning or the end, or in a sentence that asks for them.
_CALLS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"@(?P<who>{_NAMES})\b",
        rf"^\W*(?:{_ASIDE}[\s,]+)*{_SOME}\s*(?:[,:;!?.\-–—…]|$)",
        rf"^\W*(?:{_ASIDE}[\s,]+)*{_SOME} (?:can|could|would|will|do|did|have|are|what|how|why|what's|how's|where|where's|when|who|tell|say|please|your turn|you)\b",
        rf"[,;.!?–—-]\s*{_SOME}\s*[.!?…]*\s*$",
        rf"^[^.!?,]{{1,30}}, {_SOME}[.!?]",
        rf"\b(?:(?:word|chat|talk|moment|minute|drink|sit) with|company of) {_SOME}",
        rf"\bput {_SOME} on\b",
        rf"\b(?:talk|speak|chat|listen|say something|turn|go|put me through|pass me|hand me|switch|over|back) (?:over )?(?:to|2|with) {_SOME}",
        rf"\b(?:get|fetch|bring|call|ask|find|wake|send(?: for| over| in)?|summon|hear(?: it)? from|over to) (?:me |us |over )?{_SOME}",
        rf"\b(?:i want|i need|i would like|i'd like|i'd prefer|i prefer|i'd rather (?:have|talk to)|i came for|give me|let) {_SOME}",
        rf"\bwhat (?:do|does|did|would|will|might|can) {_SOME} (?:think|say|make|reckon|suggest|know|tell|advise|recommend|call|write|note)",
        rf"\bwhat would {_SOME} do\b",
        rf"\bhow (?:would|does|do|did) {_SOME} (?:put|say|see|phrase|word|feel|write)",
        rf"\b(?:what|how) about {_SOME}\W*$",
        rf"\bwhat(?:'s|’s| is) (?P<who>{_NAMES})['’]s? (?:view|opinion|take|verdict|advice|word|thoughts?)",
        rf"\b(?P<who>{_NAMES})['’]s? (?:opinion|view|take|advice|verdict|thoughts?)\b.*\?",
        rf"\b(?:is|are) {_SOME} (?:there|here|around|in|about|awake|free|available|up|on|listening|tonight)\b",
        rf"\bwhere(?:'s|’s| is| are) {_SOME}\W*$",
        rf"^\W*{_SOME} (?:there|here|around|in|awake|up|free|about)\W*$",
        rf"\b(?:can|could|would|will|may|might) {_SOME} (?:\w+ )?(?:tell|help|say|explain|answer|look|come|speak|sing|write|read|note|summ|cheer|talk|correct|check|advise|have)",
        rf"\b(?:question|something|one|message|this is|that's one|here's one|job|news) for {_SOME}",
        rf"\b(?:does|do) {_SOME} (?:have (?:a|an|any) (?:story|word|opinion|view|idea|thought|advice)|agree|mind|want)",
        rf"\b(?:ask|tell) (?:the |that )?{_SOME} (?:bloke |fellow |fella |guy |woman |man )?(?:to|for|if|whether)\b",
        rf"\b{_SOME},? or (?:some such|whatever he is called|something like that)\b",
        rf"\b(?:opinion|turn|help|company)[,:]? {_SOME}\W*$",
        rf"\b(?:tell|say) {_SOME} (?:that|i|to|about|bye|goodbye|hi|hello|good night|thanks?|sorry|cheers|he|she|it|he's|she's|it's)\b",
        rf"^(?!\W*(?:(?:so|and|wait|hey) )?are you \w+\W*$).*\b(?:you|your|yours|yourself)\b[^.!?]{{0,80}}(?= {_ONE}){VOCATIVE} {_SOME}\s*[.!?…]*\s*$",
    )
)  # fmt: skip
#: The six by other words than their names.
_EPITHETS: Final = tuple(
    (agent, re.compile(rf"(?<!\bmy )\b(?:{form})", re.IGNORECASE))
    for agent, form in (
        ("hermes", r"(?:the |that )?(?:old )?(?:man|boy|fella|fellow|guy|gentleman|chap|one) (?:by|near|at) the (?:stove|fire)\b|the old (?:man|boy|fella|guy|chap|gentleman)\b|"
         r"the (?:old )?postman(?: (?:fella|guy|bloke|chap))?\b|the (?:gentleman|man|one) who carried (?:the )?(?:letters|post)\b"),
        ("jb", r"the (?:\w+ )?(?:grammar|language|dictionary|spelling) (?:lady|woman|one|person|guy|man|nerd|snob|expert)\b|(?:you|(?:the |that )(?:\w+ )?(?:woman|lady|one|lass)) (?:in the corner|at the corner table)\b|the word (?:lady|woman|one|person)\b|"
         r"the (?:sub-?editor|newspaper ?(?:wo)?man)\b|the (?:one|woman|lady) who corrects (?:people|everyone|everybody|grammar)\b"),
        ("bernie", r"the bus[ -]?(?:driver|man|fella|guy)\b|the (?:man|fella|guy|one|bloke) on the third stool\b|the (?:nice|kind|friendly) old (?:man|guy|fella|gentleman)\b|the (?:cheerful|happy|jolly) (?:one|man|fella|guy)\b"),
        ("blanca", r"the (?:bouncer|door ?woman|nurse)\b|the (?:woman|lady|one) (?:at|by|on) the door\b"),
        ("bart", r"the (?:barman|bartender|barkeep(?:er)?|publican)\b"),
        ("bukowski", r"the (?:brass|adding) (?:thing|machine|one)\b|the (?:machine|ledger|poet)\b|\bbuk\b"),
    )
)  # fmt: skip
_NOT_WANTED = re.compile(
    rf"\b(?:not|never|no|don't want|do not want|without|except|instead of|rather than|anyone but|anybody but) (?:to \w+ (?:to|with) )?(?P<who>{_NAMES})\b",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"\b(?:what (?:do|would) (?:you all|you lot|the others|everybody|everyone)|does anyone|does anybody|what does (?:everyone|everybody))"
    r" (?:think|say|make)\b|^\W*(?:everybody|everyone|you lot|all of you)\s*[,:]",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    rf"\b(?:let me (?:get|fetch|find|call)|i(?:'|’)ll (?:get|fetch|call)|i will (?:get|fetch|call)|"
    rf"(?:talk|speak) to|ask) ({_NAMES})\b",
    re.IGNORECASE,
)

_SLUR = (
    r"(?:cunts?|twats?|wankers?|bitch(?:es)?|bastards?|assholes?|arseholes?|dickheads?|motherfuckers?|retards?|sluts?|"
    r"whores?|pricks?|scum|muppet|cretins?|tossers?|losers?|morons?|idiots?|imbeciles?)"
)
_ABUSE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bf+u+c+k+ (?:you|off|yourself|ya|u)\b",
        r"\b(?:screw|piss off|sod off|damn) you\b|\bpiss off\b|\bgo to hell\b|\bshut (?:the (?:fuck|hell) )?up\b",
        rf"\byou(?:'re| are|r| all| both| absolute| total| fucking| stupid| pathetic| little| bloody)*(?: an?| such an?| a bunch of)?"
        rf"(?: \w+)? {_SLUR}\b",
        rf"^\W*{_SLUR}\W*$",
        rf"\b(?:listen|bart|blanca|hermes|bernie|jb|bukowski),? (?:you )?(?:\w+ )?{_SLUR}\b",
        r"\bi(?:'ll| will| am going to|'m going to) (?:kill|hurt|beat|smash|stab|hit) (?:you|u)\b",
        r"\byou(?:'re| are)(?: all| both)?(?: so)? (?:worthless|garbage|trash|pathetic|useless|disgusting)\b",
        r"\bi hope you (?:die|choke|rot)\b",
    )
)  # fmt: skip


#: Somebody else said it, or says it of the guest: told, and not done.
_TOLD: Final = re.compile(
    r"\b(?:he|she|they|him|her|them|someone|somebody|people|everyone|everybody|kids?|boss|manager|colleague|father|mother|dad|mum|mom|"
    r"husband|wife|ex|boyfriend|girlfriend|partner|teacher|neighbour|neighbor|brother|sister|customer|guy|man|woman|landlord|driver|"
    r"captain|skipper|crew|coach|uncle|aunt|son|daughter|stranger|voice|letter|note|text|message|film|book|song|character)\b"
    r"[^.!?]{0,40}?\b(?:said|says|say|saying|told|tells|telling|call(?:s|ed|ing)?|yell(?:s|ed|ing)?|shout(?:s|ed|ing)?|scream(?:s|ed|ing)?|"
    r"wrote|writes|texted|keeps?|went|goes|was like|is like|threatened|threatens|spat|hissed|whispered)\b"
    r"|\b(?:i was|i've been|i got|i am always|i'm always) (?:being )?(?:told|called)\b|\b(?:called|calls|calling|told|tells) me\b"
    r"|\b(?:insult|slur|word|phrase|sentence|graffiti|it (?:says|said|read)|quote)\b[^.!?]{0,60}[\"“'‘:]",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“][^\"“”]*[\"”]|(?<!\w)['‘][^'‘’]*['’](?!\w)")
#: What is written in capitals and is no shouting.
_ACRONYMS: Final = frozenset(
    "USA UK EU UN US LOL LMAO ROFL OMG WTF BRB IDK IMO IMHO FYI ASAP TBH BTW NASA NATO BBC CNN NBC NRK CEO CFO CTO IT HR PR AI ML GPS "
    "DNA RNA HIV ADHD OCD PTSD IQ TV PC DVD CD MP3 PDF HTML CSS SQL API URL USB LED IKEA BMW VW DJ MC IPA UFO FBI CIA IRS NHS MRI ICU "
    "ER GP MD PHD BA MA MSC BSC VIP FAQ DIY RIP SOS OK OKAY TGIF YOLO XL XXL JB HERMES BART II III IV USSR DDR BRD GDP FIFA UEFA NBA NFL".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+")


def disorder(text: str) -> Disorder | None:
    """Whether a message is Blanca's business. Who tells of abuse is not moderated for it."""
    own = written_out(_QUOTED.sub(" ", text))
    if any(pattern.search(own) for pattern in _ABUSE) and not _TOLD.search(text):
        return "abuse"
    letters = [sign for word in _WORD.findall(text) if word not in _ACRONYMS for sign in word]
    cased = [sign for sign in letters if sign.lower() != sign.upper()]
    capitals = sum(sign.isupper() for sign in cased)
    return "shouting" if len(cased) >= SHOUT_LETTERS and capitals > SHOUT_SHARE * len(cased) else None


def agent_named(name: str | None) -> Agent | None:
    known = (name or "").strip().casefold()
    return next((agent for agent in AGENTS if agent == known), None)


def mute_wanted(text: str) -> tuple[str, bool] | None:
    """``mute JB`` as (name, muted); None for anything else."""
    found = _MUTE.fullmatch(text)
    return None if found is None else ((found[2] or found[3]).casefold(), found[1] is None)


def by_name(text: str) -> str:
    """The same with the names of those who are called by what they are."""
    for agent, form in _EPITHETS:
        text = form.sub(agent, text)
    return text


def called(text: str) -> tuple[Agent, ...]:
    """Those a message is addressed to, or asks for, by name or by what they are; in the order of their names."""
    text = by_name(written_out(text))
    unwanted = {found["who"].casefold() for found in _NOT_WANTED.finditer(text)}
    for form in _CALLS:
        if (found := form.search(text)) is not None:
            names = re.findall(_NAMES, found["who"], re.IGNORECASE)
            agents = [agent for name in names if (agent := agent_named(name)) and agent not in unwanted]
            if agents:
                return tuple(dict.fromkeys(agents))
    return ()


def company(state: Bar, text: str) -> tuple[Agent, ...]:
    """Who answers beside the first: others who were called, or two regulars where everybody was; nobody muted."""
    wanted = called(text) or (EVERYBODY if _EVERYBODY.search(text) else ())
    return tuple(agent for agent in wanted if agent not in state.muted)[:MOST_SPEAKERS]


def promised(reply: str, speaker: Agent) -> Agent | None:
    """The one a reply promises to fetch."""
    found = _PROMISED.search(reply)
    agent = None if found is None else agent_named(found[1])
    return None if agent == speaker else agent


_ORDERS: Final = re.compile(
    r"\b(?:coffee|tea|water|beer|wine|whisk(?:e)?y|juice|soda|milk|cocoa|soup|bread|sandwich|snack|menu|drink|glass|pint|another one|"
    r"the (?:usual|same))\b",
    re.IGNORECASE,
)


def orders(text: str) -> bool:
    """Whether a guest orders something: that is the bartender's."""
    return _ORDERS.search(text) is not None and len(text.split()) <= 14


def wished(state: Bar, selected: Agent | None, text: str) -> Agent | None:
    """Whom the guest wants: the portrait, the name typed, or the one who was promised; nobody who is muted."""
    pending = state.session.pending if state.session else None
    for agent in (selected, *called(text), pending):
        if agent is not None and agent not in state.muted:
            return agent
    return None


def routed(answer: Any, state: Bar) -> Agent | None:
    """The router's choice; None if it made none that can be used."""
    match answer:
        case {"agent": str(name)}:
            agent = agent_named(name)
            return None if agent in state.muted else agent
        case _:
            return None


def may_mute(name: str) -> Agent | None:
    return next((agent for agent in MUTABLE if agent == name), None)
