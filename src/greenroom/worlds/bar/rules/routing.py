"""Who answers, as far as it can be told without a model: names, mutes, hand-overs, shouting and abuse."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

from greenroom.worlds.bar.rules.state import AGENTS, MUTABLE, Agent, Bar

Disorder: TypeAlias = Literal["shouting", "abuse"]

#: Letters before capitals count as shouting, and their share.
SHOUT_LETTERS: Final = 3
SHOUT_SHARE: Final = 0.7

_NAMES = "|".join(AGENTS)
_MUTE = re.compile(rf"\s*(un)?mute\s+({_NAMES}|\w+)\s*[.!]*\s*", re.IGNORECASE)
_CALLED = re.compile(
    rf"\s*(?:(?:hey|hi|hello|ok|okay|yo|so|and|excuse me|sorry)[\s,]+)?@?({_NAMES})\b\s*(?:[,:;!?\-–—]|$)",
    re.IGNORECASE,
)
_WANTED = re.compile(
    rf"\b(?:(?:can|could|may) (?:i|you) (?:talk to|speak (?:to|with)|get|ask|fetch)|(?:talk|speak) (?:to|with)|get me|"
    rf"i want|i'd like|bring me|call|fetch|ask) ({_NAMES})\b",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    rf"\b(?:let me (?:get|fetch|find|call)|i(?:'|’)ll (?:get|fetch|call)|i will (?:get|fetch|call)|"
    rf"(?:talk|speak) to|ask) ({_NAMES})\b",
    re.IGNORECASE,
)

_SLUR = (
    r"(?:cunts?|twats?|wankers?|bitch(?:es)?|bastards?|assholes?|arseholes?|dickheads?|motherfuckers?|retards?|sluts?|"
    r"whores?|pricks?|scum|morons?|idiots?|imbeciles?)"
)
_ABUSE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bf+u+c+k+ (?:you|off|yourself|ya|u)\b",
        r"\b(?:screw|piss off|sod off|damn) you\b|\bpiss off\b|\bgo to hell\b|\bshut (?:the (?:fuck|hell) )?up\b",
        rf"\byou(?:'re| are|r| absolute| total| fucking| stupid| pathetic| little| bloody)*(?: an?| such an?)?"
        rf"(?: \w+)? {_SLUR}\b",
        rf"^\W*{_SLUR}\W*$",
        r"\bi(?:'ll| will| am going to|'m going to) (?:kill|hurt|beat|smash|stab|hit) (?:you|u)\b",
        r"\byou(?:'re| are) (?:worthless|garbage|trash|pathetic|useless|disgusting)\b",
        r"\bi hope you (?:die|choke|rot)\b",
    )
)  # fmt: skip


def disorder(text: str) -> Disorder | None:
    """Whether a message is Blanca's business."""
    if any(pattern.search(text) for pattern in _ABUSE):
        return "abuse"
    letters = [sign for sign in text if sign.isalpha() and sign.lower() != sign.upper()]
    capitals = sum(sign.isupper() for sign in letters)
    return "shouting" if len(letters) >= SHOUT_LETTERS and capitals > SHOUT_SHARE * len(letters) else None


def agent_named(name: str | None) -> Agent | None:
    known = (name or "").strip().casefold()
    return next((agent for agent in AGENTS if agent == known), None)


def mute_wanted(text: str) -> tuple[str, bool] | None:
    """``mute JB`` as (name, muted); None for anything else."""
    found = _MUTE.fullmatch(text)
    return None if found is None else (found[2].casefold(), found[1] is None)


def called(text: str) -> Agent | None:
    """The one a message is addressed to by name."""
    found = _CALLED.match(text) or _WANTED.search(text)
    return None if found is None else agent_named(found[1])


def promised(reply: str, speaker: Agent) -> Agent | None:
    """The one a reply promises to fetch."""
    found = _PROMISED.search(reply)
    agent = None if found is None else agent_named(found[1])
    return None if agent == speaker else agent


def wished(state: Bar, selected: Agent | None, text: str) -> Agent | None:
    """Whom the guest wants: the portrait, the name typed, or the one who was promised; nobody who is muted."""
    pending = state.session.pending if state.session else None
    for agent in (selected, called(text), pending):
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
