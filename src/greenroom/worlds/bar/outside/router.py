"""The understudy's router: who answers a message, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from greenroom.adapters.facts.sentences import asks
from greenroom.adapters.facts.sentences import orders as commands
from greenroom.adapters.understudy import Meaning, Subjects, asks_of_self, is_leaving
from greenroom.adapters.understudy.asking import is_of_keeper
from greenroom.adapters.understudy.feeling import feeling_of
from greenroom.kernel.asks import Json
from greenroom.worlds.bar.outside.asks import ReadAsk
from greenroom.worlds.bar.outside.forms import deed_in, is_order, unserved_in
from greenroom.worlds.bar.outside.nearness import BAD, GOOD, ROUTED
from greenroom.worlds.bar.outside.voices import Topic, Voice
from greenroom.worlds.bar.rules import calling, naming
from greenroom.worlds.bar.rules.routing import agent_named, orders
from greenroom.worlds.bar.rules.state import AGENTS, BART, BLANCA, BUKOWSKI, HERMES, Agent

#: Who says one thing and steps back.
BRIEF: Final = (HERMES, BLANCA, BUKOWSKI)
#: Who says little to anything but a question, and words of a message that is one nevertheless.
CURT: Final = (BLANCA, BUKOWSKI)
FEW: Final = 8
_SPEAKER: Final = re.compile(r"^\w+: ")


def route(
    read: ReadAsk, meaning: Meaning, topics: Mapping[str, Topic], subjects: Subjects, voices: Mapping[Agent, Voice]
) -> Json:
    """``{agent, reason}``. ``voices`` tell who has an answer to what is asked of the house."""
    choice = " ".join(read.texts("choice"))
    here = re.findall(r"\w+", choice.partition("Available: ")[2].partition(".")[0])
    chosen = choice.partition("The guest chose ")[2].partition(".")[0]
    speaker = re.search(r"(\w+) spoke last", choice)
    goes_on = "The guest called for them" in choice
    if chosen in AGENTS:
        return {"agent": chosen, "reason": "the guest asked for you"}
    if (them := _named_before(read)) is not None:
        return {"agent": them, "reason": "the guest asks for the one they spoke of"}
    if asks_of_self(read.said) and not deed_in(read.said):
        return {"agent": BART, "reason": "the guest may ask for something they told, and Bart remembers"}
    topic = _telling(read.said, meaning, subjects)
    last = agent_named(speaker[1]) if speaker else None
    if last and topic and asks(read.said) and topic not in voices[last].topics and topic in voices[BART].topics:
        return {"agent": BART, "reason": "it is asked of the house, and Bart knows it"}
    if last and goes_on and last != BART and last in (*here, BLANCA) and _is_for(last, read.said):
        return {"agent": last, "reason": "the guest called for you and goes on"}
    agent = topics[topic].agent if topic else None
    if topic and agent in (*here, HERMES, BLANCA):
        return {"agent": agent, "reason": f"it sounds like {topic.replace('_', ' ')}"}
    stays = last if last and last in here and _goes_on(last, read) else BART
    return {"agent": stays, "reason": "the guest goes on" if stays == last else "nobody else is meant"}


def _named_before(read: ReadAsk) -> Agent | None:
    """Who *him* or *her* is, where a guest calls for them so: the last who was named."""
    if not calling.calls_for_them(read.whole):
        return None
    lines = (naming.spoken_of(_SPEAKER.sub("", line)) for line in reversed(read.texts("recent")))
    return next((named[-1] for named in lines if named), None)


def _is_for(speaker: str, said: str) -> bool:
    """Whether a message can be meant for whom the guest called: no drink, no goodbye; for the curt, something brief."""
    if is_order(said) or unserved_in(said) or is_leaving(said) or (orders(said) and not asks(said)):
        return False
    return speaker not in CURT or asks(said) or commands(said) or len(said.split()) <= FEW


def _goes_on(speaker: str, read: ReadAsk) -> bool:
    """Whether the guest still talks to whoever spoke last; to somebody brief only if they are asked."""
    asked = is_of_keeper(read.said) and asks(read.said) and not orders(read.said)
    return asked or speaker not in BRIEF


def _telling(said: str, meaning: Meaning, subjects: Subjects) -> str:
    """The topic of a message, if it is near enough to settle who answers; empty if none is."""
    best = next(iter(subjects.heard(said, meaning)), None)
    if best is None or best.score < ROUTED:
        return ""
    feeling = feeling_of(said, meaning)
    beside = (best.topic in GOOD and feeling == "bad") or (best.topic in BAD and feeling == "good")
    return "" if beside else best.topic


__all__ = ["BRIEF", "route"]
