"""What models are asked, in the seed's sections and within its budget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Objection, Recalled, Section
from greenroom.kernel.facts import day
from greenroom.kernel.words import REMOVED
from greenroom.worlds.phantom.rules import claims, readings
from greenroom.worlds.phantom.rules.behaviours import BEHAVIOURS
from greenroom.worlds.phantom.rules.content import Agent, Content
from greenroom.worlds.phantom.rules.minds import Mind
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.state import PLAYER, Heard, Line

#: Roles; settings say who plays them.
FAST, QUALITY = "fast", "quality"
#: Tokens of a prompt; the answer has its own on top.
BUDGET = 2_800
ANSWER = 320
#: Messages that the classifier is shown.
CONTEXT = 3
#: Letters of one text in a prompt; a chunk of a message is short enough for its section whatever it is made of.
CLIP, CHUNK = 600, 90

DIRECTIONS: Mapping[str, str] = {
    "reply": "Answer the player's newest message.",
    "first_contact": "Write to the player for the first time.",
    "follow_up": "The player has not answered your last letter. Write once more, briefly.",
    "reengage_casual": "The player has been quiet for days. Write something that makes them want to answer.",
    "reengage_dormant": "The player has been quiet for a week. Write one short, haunting line or two.",
    "reengage_lapsed": "The player has been gone for two weeks. Write a last thing, as if leaving a note.",
    "deadline": "Thursday is over and nothing happened that day. Let the player know what the date really was.",
    "reveal_dashboard": "Tell the player that the key opens a page, and how to reach it.",
    "surface": "Answer, and let it show that you have heard something from somebody else.",
    "inherited": "You write on an address that was somebody else's. Explain yourself as far as you would.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything a letter is written from: an agent's mind, the moment, and words fetched for it."""

    mind: Mind
    situation: str
    #: The player's message; empty when the agent writes of its own accord.
    said: str
    reading: Reading | None
    texts: Mapping[str, str]
    memories: tuple[Recalled, ...]
    #: What it may let show of an exchange.
    heard: Heard | None = None


# classification


def classify(content: Content, mind: Mind, said: str, texts: Mapping[str, str], *, again: bool) -> AskModel:
    """Ask what the player's message means; the same again, with a warning, if the first answer was junk."""
    agent = content.agents[mind.agent]
    told = (
        f"Trust with {agent.name}: {mind.trust}. Story phase: {mind.phase}. Topics: {', '.join(content.story.topics)}."
    )
    names = "\n".join(f"{name}: {meaning}" for name, meaning in BEHAVIOURS.items())
    warning = ("Your last answer did not fit. Give exactly the fields that are asked for.",) if again else ()
    return AskModel(
        role=FAST,
        seat=mind.agent,
        schema=readings.SCHEMA,
        max_tokens=500,
        budget=BUDGET + 500,
        sections=(
            Section(name="task", texts=(_CLASSIFY,), floor=120, stable=True),
            Section(name="behaviours", texts=(names,), floor=300, stable=True),
            Section(name="state", texts=(told,), floor=40),
            Section(name="context", texts=_lines(mind.recent[-CONTEXT:], texts, agent), cap=500),
            *([Section(name="warning", texts=warning, floor=30)] if again else []),
            Section(name="message", texts=chunks(said), floor=100, cap=600),
        ),
    )


_CLASSIFY = (
    "Classify the player's newest message to the agent. Say in 'reason' why trust moves and in 'new_knowledge' what "
    "the player revealed: short sentences in the third person, in words of your own, never quoting. "
    "trust_delta is between -20 and 20."
)


# claims


def extract(agent: str, name: str, draft: str) -> AskModel:
    """Ask which claims a draft makes, beyond opinion and small talk."""
    task = (
        f"List what {name} claims in this letter as true, promised or done. Each statement is one short sentence in "
        f"the third person ('{name} says that …'), in words of your own. An empty list is a good answer."
    )
    return AskModel(
        role=FAST,
        seat=agent,
        schema=claims.SCHEMA,
        max_tokens=400,
        budget=BUDGET + 400,
        sections=(
            Section(name="claims_task", texts=(task,), floor=80, stable=True),
            Section(name="draft", texts=chunks(draft), floor=100, cap=1200),
        ),
    )


# letters


def letter(content: Content, context: Context, rejected: Sequence[Objection] = ()) -> AskModel:
    """Ask an agent for a letter. What never changes comes first, so that a provider can cache it."""
    mind, agent = context.mind, content.agents[context.mind.agent]
    return AskModel(
        role=QUALITY,
        seat=mind.agent,
        max_tokens=ANSWER,
        budget=BUDGET + ANSWER,
        objections=tuple(rejected) or UNSET,
        sections=(
            Section(name="character", texts=(_character(agent),), floor=300, stable=True),
            Section(name="ground_truth", texts=_truths(agent), cap=200, stable=True),
            Section(name="sharing", texts=(_sharing(agent),), cap=60, stable=True),
            Section(name="message", texts=chunks(context.said), floor=100, cap=400, form="newest"),
            Section(name="moment", texts=(_instructions(agent, context),), floor=60, cap=260, form="moment"),
            Section(name="now", texts=(occasion(_occasion(context)),), floor=40, cap=160),
            Section(name="trust", texts=_trust(agent, mind), cap=150),
            Section(name="immersion", texts=tuple(_immersion(content, context)), cap=150),
            Section(name="milestones", texts=_milestones(mind), cap=50),
            Section(name="knowledge", texts=_facts(context), cap=150),
            Section(name="consistency", texts=_consistency(agent, mind), cap=200),
            _conversation(mind.recent, context.texts),
            _memories(context),
        ),
    )


def chunks(text: str) -> tuple[str, ...]:
    """A text in pieces of which the last ones fit anywhere; whole words where there are any."""
    pieces: list[str] = []
    for word in " ".join(text.split()).split(" "):
        if pieces and len(pieces[-1]) + len(word) < CHUNK:
            pieces[-1] += f" {word}"
        else:
            pieces += [word[i : i + CHUNK] for i in range(0, len(word), CHUNK)]
    return tuple(pieces)


def clipped(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= CLIP else f"{plain[:CLIP]} …"


def _lines(lines: Sequence[Line], texts: Mapping[str, str], agent: Agent) -> tuple[str, ...]:
    """Exchanges, each begun by the player: what belongs together is kept or dropped together."""
    found: list[str] = []
    for line in lines:
        speaker = "Player" if line.by == PLAYER else agent.name
        text = f"{speaker}: {clipped(texts.get(line.words.id, REMOVED))}"
        if found and line.by != PLAYER:
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return tuple(found)


def _conversation(lines: Sequence[Line], texts: Mapping[str, str]) -> Section:
    """What was written to and fro, as turns; the player's with their time."""
    own = tuple(line.by != PLAYER for line in lines)
    said = (clipped(texts.get(line.words.id, REMOVED)) for line in lines)
    return Section(
        name="conversation",
        texts=tuple(
            text if mine else f"{_clock(line.at)}{text}" for line, mine, text in zip(lines, own, said, strict=True)
        ),
        memories=tuple(line.words.id for line in lines),
        own=own,
        form="turns",
        cap=800,
    )


def _clock(at: datetime | None) -> str:
    return "" if at is None else f"[{day(at)}, {at:%H:%M}] "


def _character(agent: Agent) -> str:
    rules = " ".join(agent.rules)
    return f"{agent.persona}\nHow you write: {'; '.join(agent.voice)}.\n{rules}".strip()


def _truths(agent: Agent) -> tuple[str, ...]:
    unknown = agent.knowledge.doesnt_know
    told = {True: "true", False: "a lie", None: "open"}
    facts = (f"'{fact.pattern}': {told[fact.truth]}." for fact in agent.ground_truth.facts)
    return (*facts, *((f"You do not know: {'; '.join(unknown)}.",) if unknown else ()))


def _sharing(agent: Agent) -> str:
    kept = ", ".join(agent.sharing.always_withholds) or "nothing"
    return f"Towards others you are {agent.sharing.default_stance}; you never tell: {kept}."


def _instructions(agent: Agent, context: Context) -> str:
    direction = agent.directions.get(context.situation) or DIRECTIONS.get(context.situation) or DIRECTIONS["reply"]
    length = "at most three short sentences" if agent.channel == "sms" else "at most 120 words"
    return f"{direction} Write the text of one {agent.channel} and nothing else: {length}, in your own voice."


def _occasion(context: Context) -> Mapping[str, str]:
    mind, reading = context.mind, context.reading
    said = {
        "situation": context.situation,
        "tone": mind.tone,
        "trust": mind.band,
        "phase": mind.phase,
        "letter": str(mind.letters + 1),
        "topics": ",".join(reading.topics) if reading else "",
        "player": ",".join(reading.behaviours) if reading else "",
    }
    if mind.key is not None:
        said["key_used"] = "yes" if mind.key.accessed else "no"
    return said


#: What an occasion is told in, each part a sentence of its own; behaviours are told by what they mean.
_TOLD: Mapping[str, str] = {
    "situation": "The occasion is {}.",
    "tone": "Your tone is {}.",
    "trust": "Your trust in the player is {}.",
    "phase": "The story is at {}.",
    "letter": "It will be letter {} of yours.",
    "topics": "The player speaks of {}.",
    "player": "In the message the player {}.",
    "key_used": "Has the key been used: {}.",
}


def occasion(parts: Mapping[str, str]) -> str:
    """The occasion of a letter in sentences, which :func:`occasion_in` reads back."""
    words = {
        name: value.replace("_", " ") if name in ("situation", "phase") else value for name, value in parts.items()
    }
    did = (BEHAVIOURS[one] for one in parts.get("player", "").split(",") if one)
    words["player"] = "; ".join(did)
    words["topics"] = words.get("topics", "").replace(",", ", ")
    return " ".join(_TOLD[name].format(value) for name, value in words.items() if value)


def occasion_in(text: str) -> Mapping[str, str]:
    """The parts of an occasion that was told in sentences."""
    found = {}
    for name, sentence in _TOLD.items():
        before, _, after = sentence.partition("{}")
        match = re.search(rf"{re.escape(before)}(.*?){re.escape(after)}(?= [A-Z]|$)", text)
        if match:
            found[name] = match[1].replace(" ", "_") if name in ("situation", "phase") else match[1]
    meant = {meaning: name for name, meaning in BEHAVIOURS.items()}
    found["player"] = ",".join(meant[one] for one in found.get("player", "").split("; ") if one in meant)
    found["topics"] = found.get("topics", "").replace(", ", ",")
    return found


def _trust(agent: Agent, mind: Mind) -> tuple[str, ...]:
    return (*(f"{delta:+d}: {reason}" for delta, reason in mind.reasons), f"Trust in the player: {mind.trust} of 100.")


def _immersion(content: Content, context: Context) -> Iterable[str]:
    mind = context.mind
    yield from (f"From {content.agents[giver].name}: {says}" for giver, says in mind.learned if giver in content.agents)
    if context.heard is not None:
        yield f"You may let it show that {content.agents[context.heard.source].name} has spoken to you."
    if mind.key is not None:
        opened = f"used; {mind.key.left} uses left" if mind.key.accessed else "not used"
        yield f"The key is {opened}. Exposure {mind.key.exposure} of 100."
    yield f"You are {mind.level}; your tone is {mind.tone}."


def _milestones(mind: Mind) -> tuple[str, ...]:
    return (*mind.milestones, f"Phase: {mind.phase}, day {mind.day}.")


def _facts(context: Context) -> tuple[str, ...]:
    """What this agent was told; what the message is about stands last, where it is kept longest."""
    topics = context.reading.topics if context.reading else ()
    ordered = sorted(context.mind.facts, key=lambda note: note.category in topics)
    return tuple(note.fact for note in ordered)


def _consistency(agent: Agent, mind: Mind) -> tuple[str, ...]:
    return tuple(f"Do not contradict: {claim}" for _, claim in mind.claims)


def _memories(context: Context) -> Section:
    """What came to mind, the best last: where room is short, what stands first is dropped."""
    at_hand = {line.words.id for line in context.mind.recent}
    found = [one for one in context.memories if one.id not in at_hand][::-1]
    return Section(
        name="memories",
        texts=tuple(clipped(f"{one.speaker}: {one.text}") for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=400,
    )
