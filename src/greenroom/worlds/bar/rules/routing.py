# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""Who answers, as far as it can be told without a model: names, mutes, hand-overs, shouting and abuse."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from greenroom.text.listing import any_of
from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules.calling import called
from greenroom.worlds.bar.rules.naming import NAMES
from greenroom.worlds.bar.rules.state import AGENTS, BUKOWSKI, MUTABLE, Agent, Bar

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

_MUTE = re.compile(
    rf"\s*(?:(?:please|can you|could you|ok|and),?\s+){{0,2}}(un)?mute\s+(?:(?:the|that)\s+)?(?:({NAMES})\b[^.!?]{{0,80}}|(\w+))\s*[.!?]*\s*",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"\b(?:what (?:do|would) (?:you all|you lot|the others|everybody|everyone)|does anyone|does anybody|what does (?:everyone|everybody))"
    r" (?:think|say|make)\b|^\W*(?:everybody|everyone|you lot|all of you)\s*[,:]",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    rf"\b(?:let me (?:get|fetch|find|call)|i(?:'|’)ll (?:get|fetch|call)|i will (?:get|fetch|call)|"
    rf"(?:talk|speak) to|ask) ({NAMES})\b",
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
        r"\b(?:screw|piss off|sod off|damn) you\b|\bpiss off\b|\bgo to hell\b",
        # an order, and not what somebody never does
        rf"(?:^|[.!?,;:–—-]|\b(?:just|please|and|so|now|then|oh|you|{NAMES}))\s{{0,3}}shut (?:the (?:fuck|hell) )?up\b",
        rf"\byou(?:'re| are|r| all| both| absolute| total| fucking| stupid| pathetic| little| bloody)*(?: an?| such an?| a bunch of)?"
        rf"(?: \w+)? {_SLUR}\b",
        rf"^\W*{_SLUR}\W*$",
        rf"\b(?:listen|{NAMES}),? (?:you )?(?:\w+ )?{_SLUR}\b",
        r"\bi(?:'ll| will| am going to|'m going to) (?:kill|hurt|beat|smash|stab|hit) (?:you|u)\b",
        r"\byou(?:'re| are)(?: all| both)?(?: so)? (?:worthless|garbage|trash|pathetic|useless|disgusting)\b",
        r"\bi hope you (?:die|choke|rot)\b",
    )
)  # fmt: skip


#: Somebody else said it, or says it of the guest: told, and not done.
_SOMEBODY = any_of(
    "he, she, they, him, her, them, someone, somebody, people, everyone, everybody, kids?, boss, manager, colleague, father, mother, dad, mum, mom, "
    "husband, wife, ex, boyfriend, girlfriend, partner, teacher, neighbour, neighbor, brother, sister, customer, guy, man, woman, landlord, driver, "
    "captain, skipper, crew, coach, uncle, aunt, son, daughter, stranger, voice, letter, note, text, message, film, book, song, character"
)
_SAYS = any_of(
    "said, says, say, saying, told, tells, telling, call(?:s|ed|ing)?, yell(?:s|ed|ing)?, shout(?:s|ed|ing)?, scream(?:s|ed|ing)?, wrote, writes, "
    "texted, keeps?, went, goes, was like, is like, threatened, threatens, spat, hissed, whispered"
)
_TOLD: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_SOMEBODY}\b[^.!?]{{0,40}}?\b{_SAYS}\b",
        r"\b(?:i was|i've been|i got|i am always|i'm always) (?:being )?(?:told|called)\b|\b(?:called|calls|calling|told|tells) me\b",
        r"\b(?:insult|slur|word|phrase|sentence|graffiti|it (?:says|said|read)|quote)\b[^.!?]{0,60}[\"“'‘:]",
    )
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
    if any(form.search(own) for form in _ABUSE) and not any(form.search(text) for form in _TOLD):
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


def awake(state: Bar, text: str) -> Bar:
    """The same with the machine switched on, where it is called."""
    if BUKOWSKI not in state.muted or BUKOWSKI not in called(text):
        return state
    return replace(state, muted=tuple(agent for agent in state.muted if agent != BUKOWSKI))


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
