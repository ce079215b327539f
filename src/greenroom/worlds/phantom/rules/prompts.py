"""What models are asked: who they are, what they know, what the moment is; within the budget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec import UNSET
from msgspec.structs import replace

from greenroom.kernel.asks import AskModel, Fact, Objection, Recalled, Section
from greenroom.kernel.facts import day, line
from greenroom.kernel.words import REMOVED
from greenroom.worlds.phantom.rules import claims, readings
from greenroom.worlds.phantom.rules.content import Agent, Band, Content, Puzzle, Tone
from greenroom.worlds.phantom.rules.minds import Mind
from greenroom.worlds.phantom.rules.pacing import local
from greenroom.worlds.phantom.rules.readings import BEHAVIOURS, DOUBTED
from greenroom.worlds.phantom.rules.state import PLAYER, Heard, Line, Owed, Phase

#: Roles; settings say who plays them.
FAST, QUALITY = "fast", "quality"
#: Tokens of a prompt; the answer has its own on top.
BUDGET = 6_000
ANSWER = 420
#: Messages that the classifier is shown.
CONTEXT = 3
#: Letters of one text in a prompt; a chunk of a message is short enough for its section whatever it is made of.
CLIP, CHUNK = 900, 90
#: Lines of the character's own that show how it writes.
VOICE = 3

DIRECTIONS: Mapping[str, str] = {
    "reply": "Answer what they have just written: what they asked and what they told, point by point if need be.",
    "first_contact": "Write to them for the first time.",
    "follow_up": "They have not answered your last letter. Write once more, briefly, and do not repeat it.",
    "reengage_casual": "They have been quiet for days. Write something that makes them want to answer.",
    "reengage_dormant": "They have been quiet for a week. Write one short, haunting line or two.",
    "reengage_lapsed": "They have been gone for two weeks. Write a last thing, as if leaving a note.",
    "deadline": "Thursday is over and nothing happened that day. Let them know what the date really was.",
    "reveal_dashboard": "Tell them that the key opens a page, and exactly how to reach it.",
    "inherited": "You write on an address that was somebody else's. Explain yourself as far as you would.",
    "ending_forward": "It is over: they found out what there was. Say what you will do on Monday, thank them, and take "
    "your leave.",
    "ending_lost": "It is over without them. Tell them in a few sentences what it all was and what will happen on "
    "Monday, and take your leave.",
}
TONES: Mapping[Tone, str] = {
    "normal": "",
    "terse": "You have cooled towards them: a line or two, no more.",
    "cold": "You are as good as done with them: one short, cold line.",
}
PHASES: Mapping[Phase, str] = {
    "prologue": "",
    "day_1": "It is the first day since the mail went astray.",
    "day_2": "The Thursday that was named is still to come.",
    "thursday": "Today is the Thursday that was named.",
    "post_thursday": "The Thursday that was named is over.",
}
BANDS: Mapping[Band, str] = {
    "low": "You distrust them.",
    "middle": "You do not know yet what to make of them.",
    "high": "You trust them.",
}
KEY_USED = {True: "The key has been turned", False: "The key has not been turned yet."}
BESIDES = "Besides, let it show in one sentence that you have heard of them from"
SOLVED = "They have found out what was asked"
NEAR = "They come near to what was asked, but do not have it"
ASK_BACK = "It is not clear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything a letter is written from: an agent's mind, the moment, and words fetched for it."""

    mind: Mind
    situation: str
    #: What the player wrote; empty when the agent writes of its own accord.
    said: tuple[str, ...]
    owed: Owed | None
    texts: Mapping[str, str]
    memories: tuple[Recalled, ...]
    #: When the letter will be there, and where the player lives.
    arrives_at: datetime | None = None
    zone: str = "UTC"
    #: What is known of the player, and what the agent wrote in the last days.
    facts: tuple[Fact, ...] = ()
    lately: tuple[Recalled, ...] = ()
    #: What it may let show of an exchange.
    heard: Heard | None = None


# classification


def classify(
    content: Content,
    mind: Mind,
    said: str,
    texts: Mapping[str, str],
    *,
    again: bool,
    puzzles: Mapping[str, Puzzle],
) -> AskModel:
    """Ask what the player's message means; the same again, with a warning, if the first answer was junk."""
    agent = content.agents[mind.agent]
    names = "\n".join(f"{name}: {meaning}" for name, meaning in BEHAVIOURS.items())
    warning = ("Your last answer did not fit. Give exactly the fields that are asked for.",) if again else ()
    asked = tuple(f"{name}: {one.question} Right is: {one.answer}" for name, one in puzzles.items())
    return AskModel(
        role=FAST,
        seat=mind.agent,
        schema=readings.SCHEMA,
        max_tokens=500,
        budget=BUDGET + 500,
        sections=(
            Section(name="task", texts=(_CLASSIFY,), floor=220, stable=True),
            Section(name="behaviours", texts=(names,), floor=400, stable=True),
            Section(name="state", texts=(_state(content, agent, mind),), floor=60),
            Section(name="known", texts=tuple(note.fact for note in mind.facts), cap=300),
            Section(name="puzzles", texts=asked, cap=400),
            Section(name="context", texts=_lines(mind.recent[-CONTEXT:], texts, agent), cap=500),
            *([Section(name="warning", texts=warning, floor=30)] if again else []),
            Section(name="message", texts=chunks(said), floor=100, cap=900),
        ),
    )


_CLASSIFY = (
    "Read the newest message of the player to the agent and say what it means. Think about what is told, denied, "
    "asked, supposed, intended or quoted, and who did it, before you decide: only what the player says to have done "
    "themselves is done. Put into 'unsure' what they may have done without saying it plainly. Say in 'reason' why "
    "trust moves and in 'new_knowledge' what the player revealed: short sentences in the third person, in words of "
    "your own, never quoting. "
    "trust_delta is between -20 and 20. 'solved' names questions that the message answers rightly, by meaning; 'near' "
    "those that it almost answers. lies_detected only for what is known to be untrue by what stands here."
)


def _state(content: Content, agent: Agent, mind: Mind) -> str:
    key = "" if mind.key is None else f" {_key(mind)}"
    topics = ", ".join(content.story.topics)
    others = ", ".join(one.name for one in content.agents.values() if one is not agent)
    return (
        f"The agent is {agent.name}; other agents are {others}. {agent.name}'s trust in the player is {mind.band}. "
        f"{PHASES[mind.phase]}{key} Topics: {topics}."
    )


# claims


def extract(content: Content, agent: str, draft: str) -> AskModel:
    """Ask which claims a draft makes, beyond opinion and small talk."""
    name = content.agents[agent].name
    task = (
        f"List what {name} claims in this letter as true, promised or done. Each statement is one short sentence in "
        f"the third person ('{name} says that …'), in words of your own. Where it is one of the statements listed, "
        "give its number as 'same_as'. An empty list is a good answer."
    )
    known = tuple(f"{i}: {fact.claim}" for i, fact in enumerate(content.agents[agent].ground_truth.facts))
    return AskModel(
        role=FAST,
        seat=agent,
        schema=claims.SCHEMA,
        max_tokens=400,
        budget=BUDGET + 400,
        sections=(
            Section(name="claims_task", texts=(task,), floor=110, stable=True),
            Section(name="statements", texts=known, cap=500, stable=True),
            Section(name="draft", texts=chunks(draft), floor=100, cap=1200),
        ),
    )


# letters


def letter(content: Content, context: Context, rejected: Sequence[Objection] = ()) -> AskModel:
    """Ask an agent for a letter. What never changes comes first, so that a provider can cache it."""
    mind, agent = context.mind, content.agents[context.mind.agent]
    said = tuple(chunk for text in context.said for chunk in chunks(text))
    return AskModel(
        role=QUALITY,
        seat=mind.agent,
        max_tokens=ANSWER,
        budget=BUDGET + ANSWER,
        objections=tuple(rejected) or UNSET,
        sections=(
            Section(name="character", texts=(_character(agent),), floor=400, stable=True),
            Section(name="canon", texts=_canon(agent), floor=600, cap=1600, stable=True),
            Section(name="sharing", texts=(_sharing(content, agent),), cap=80, stable=True),
            Section(name="message", texts=said, floor=100, cap=900, form="newest"),
            Section(name="moment", texts=(" ".join(_moment(content, context)),), floor=120, cap=500, form="moment"),
            Section(name="opened", texts=_opened(content, context), floor=100, cap=900),
            Section(name="now", texts=(_now(context),), floor=60, cap=160),
            Section(name="person", texts=tuple(f"- {_told(fact)}" for fact in reversed(context.facts)), cap=600),
            Section(name="trust", texts=_trust(mind), cap=150),
            Section(name="immersion", texts=tuple(_immersion(content, mind)), cap=250),
            Section(name="milestones", texts=_milestones(mind), cap=60),
            Section(name="knowledge", texts=_facts(context), cap=300),
            Section(name="consistency", texts=tuple(_consistency(agent, mind)), cap=300),
            _conversation(mind.recent, context.texts, context.zone),
            _memories(context),
            _lately(context),
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
    for one in lines:
        speaker = "Player" if one.by == PLAYER else agent.name
        text = f"{speaker}: {clipped(texts.get(one.words.id, REMOVED))}"
        if found and one.by != PLAYER:
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return tuple(found)


def _conversation(lines: Sequence[Line], texts: Mapping[str, str], zone: str) -> Section:
    """What was written to and fro, as turns; the player's with their time."""
    own = tuple(one.by != PLAYER for one in lines)
    said = (clipped(texts.get(one.words.id, REMOVED)) for one in lines)
    return Section(
        name="conversation",
        texts=tuple(
            text if mine else f"{_stamp(one.at, zone)}{text}" for one, mine, text in zip(lines, own, said, strict=True)
        ),
        memories=tuple(one.words.id for one in lines),
        own=own,
        form="turns",
        cap=1500,
    )


def _stamp(at: datetime | None, zone: str) -> str:
    return "" if at is None else f"[{day(local(zone, at))}, {local(zone, at):%H:%M}] "


def _character(agent: Agent) -> str:
    rules = " ".join(agent.rules)
    lines = [one.text for one in agent.lines["reply"] if one.tone is None][:VOICE]
    examples = "\n".join(f"- {clipped(text)}" for text in lines)
    return (
        f"{agent.persona}\nHow you write: {'; '.join(agent.voice).rstrip('.')}.\n{rules}\n"
        f"Lines of yours, as examples of the voice and not to be used again:\n{examples}"
    )


def _canon(agent: Agent) -> tuple[str, ...]:
    unknown = [_of_them(one) for one in agent.knowledge.doesnt_know]
    told = tuple(f"- {known.text}" for known in agent.canon.values() if known.when is None)
    return (*((f"- You do not know: {'; '.join(unknown)}.",) if unknown else ()), *told)


def _of_them(known: str) -> str:
    """What a letter says of *you*, as it stands in a prompt, where *you* is the writer."""
    return _YOU.sub("they", _TO_YOU.sub(r"\1 them", known))


_YOU, _TO_YOU = re.compile(r"\byou\b"), re.compile(r"\b(told|to|of|about|with) you\b")


def _told(fact: Fact) -> str:
    """A fact about the player; what somebody of theirs does is something told of them."""
    return line(replace(fact, relation="told") if fact.relation == "does" else fact)


def _opened(content: Content, context: Context) -> tuple[str, ...]:
    """What this agent may tell by now, what this letter needs, and what it says in place of the rest."""
    agent = content.agents[context.mind.agent]
    needs = content.story.situations[context.situation].needs if context.situation in content.story.situations else ()
    open_ = {name: agent.canon[name] for name in (*context.mind.opened, *needs) if name in agent.canon}
    truths = tuple(f"- {known.text}" for known in open_.values() if known.when is not None)
    closed = (known for name, known in agent.canon.items() if known.when is not None and name not in open_)
    lies = tuple(f"- If it comes up, hold to this: {known.lie}" for known in closed if known.lie is not None)
    return (*lies, *truths)


def _sharing(content: Content, agent: Agent) -> str:
    kept = " ".join(
        content.story.items[item].says for item in agent.sharing.always_withholds if item in content.story.items
    )
    stance = f"Towards the others you are {agent.sharing.default_stance}."
    return f"{stance} You keep to yourself: {kept}" if kept else stance


def direction(content: Content, agent: Agent, situation: str) -> str:
    """What a letter of an occasion is to do, in a sentence."""
    what, _, puzzle = situation.partition("_")
    if what in _PUZZLED and puzzle in content.puzzles:
        return _PUZZLED[what].format(question=content.puzzles[puzzle].question, answer=content.puzzles[puzzle].answer)
    return agent.directions.get(situation) or DIRECTIONS.get(situation) or DIRECTIONS["reply"]


_PUZZLED: Mapping[str, str] = {
    "ask": "Put a question to them that they can answer from the papers they have, and do not answer it: {question}",
    "hint": "They have not found out what you asked ({question}) Help them one step further, without telling: {answer}",
    "given": "They have not found out what you asked ({question}) Tell them yourself, plainly: {answer}",
}


def _moment(content: Content, context: Context) -> Iterable[str]:
    """The one instruction: what this letter must do, and what must stand in it."""
    agent, owed = content.agents[context.mind.agent], context.owed
    yield direction(content, agent, context.situation)
    if owed is not None:
        for name in owed.solved:
            puzzle = content.puzzles[name]
            yield f"{SOLVED} ({puzzle.question}) It is so: {puzzle.answer} Own that they have it."
        for name in owed.near:
            yield f"{NEAR} ({content.puzzles[name].question}). Say that it is not quite that, and do not tell them."
        for doubt in owed.doubts:
            yield f"{ASK_BACK} {DOUBTED[doubt]}: ask them, in so many words, and take nothing for granted."
    if context.heard is not None:
        says = " ".join(content.story.items[item].says for item in context.heard.items if item in content.story.items)
        yield f"{BESIDES} {content.agents[context.heard.source].name}: {says}"
    must = content.story.situations[context.situation].says if context.situation in content.story.situations else ()
    if must:
        yield f"In it must stand, as it is: {', '.join(must)}."
    length = "at most three short sentences" if agent.channel == "sms" else "at most 120 words"
    yield f"Write the text of one {agent.channel} and nothing else: {length}, in your own voice."


def _now(context: Context) -> str:
    mind, at = context.mind, context.arrives_at
    parts = [PHASES[mind.phase], TONES[mind.tone]]
    if at is not None:
        here = local(context.zone, at)
        arrives = f"Your letter will be there at {here:%H:%M}, by the reader's own clock."
        parts.insert(0, f"It is {here:%A}, {day(here)}. {arrives}")
        if mind.last_at is not None:
            parts.append(f"They last wrote to you {_ago(at - mind.last_at)}.")
    return " ".join(part for part in parts if part)


def _facts(context: Context) -> tuple[str, ...]:
    """What this agent was told; what the message is about stands last, where it is kept longest."""
    topics = context.owed.topics if context.owed else ()
    ordered = sorted(context.mind.facts, key=lambda note: note.category in topics)
    return tuple(note.fact for note in ordered)


def _memories(context: Context) -> Section:
    """What came to mind, the best last: where room is short, what stands first is dropped."""
    newest = context.owed.words if context.owed is not None else ()
    at_hand = {*(one.words.id for one in context.mind.recent), *newest}
    found = [one for one in context.memories if one.id not in at_hand][::-1]
    return Section(
        name="memories",
        texts=tuple(clipped(_recalled(one, context.zone)) for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=600,
    )


def _lately(context: Context) -> Section:
    """The agent's own letters of the last days, so that it does not write them again; the newest last."""
    at_hand = {one.words.id for one in context.mind.recent}
    found = [one for one in context.lately if one.kind == "message" and one.id not in at_hand][::-1]
    return Section(
        name="said_before",
        texts=tuple(f"- {clipped(one.text)}" for one in found),
        memories=tuple(one.id for one in found),
        cap=500,
    )


# an agent in sentences: trust, milestones, what it sees, stands by and remembers


def _ago(span: timedelta) -> str:
    """How long ago somebody wrote."""
    if span < timedelta(hours=1):
        return "within the hour"
    if span < timedelta(days=1):
        return f"{span // timedelta(hours=1)} hours ago"
    return f"{span // timedelta(days=1)} days ago"


def _trust(mind: Mind) -> tuple[str, ...]:
    """Why the agent's trust moved lately, and where it stands."""
    moved = Counter(mind.reasons)
    told = (f"{count * delta:+d}: {reason}{TIMES.get(count, '')}" for (delta, reason), count in moved.items())
    return (*told, BANDS[mind.band])


def _key(mind: Mind) -> str:
    """What the agent sees of the key."""
    if mind.key is None:
        return ""
    used = f"{KEY_USED[True]}; {mind.key.left} turns are left." if mind.key.accessed else KEY_USED[False]
    read = ", ".join(one.replace("_", " ") for one in mind.key.documents)
    return f"{used} They have read: {read}." if read else used


def _immersion(content: Content, mind: Mind) -> Iterable[str]:
    """What the agent heard from others, and what it sees."""
    yield from (
        f"{content.agents[giver].name} told you: {says}" for giver, says in mind.learned if giver in content.agents
    )
    if mind.key is not None:
        yield f"You see what happens to the key. {_key(mind)}"


def _milestones(mind: Mind) -> tuple[str, ...]:
    """What has happened so far, as far as the agent knows."""
    return (*map(reached, mind.milestones), f"Day {mind.day} since the mail.")


def reached(milestone: str) -> str:
    """A milestone as a sentence."""
    if milestone.startswith(_TO):
        return f"They spoke of the key to {milestone.removeprefix(_TO).capitalize()}."
    for end, told in _REACHED:
        if milestone.endswith(end):
            whose = milestone.removesuffix(end).replace("_", " ")
            return told.format(whose, whose.capitalize())
    return f"{milestone.replace('_', ' ').capitalize()}."


_TO = "player_mentioned_key_to_"
_REACHED = (
    ("_first_contact", "{1} wrote to them for the first time."),
    ("_spawned", "{1} came into it."),
    ("_asked", "They were asked about the {0}."),
    ("_solved", "They found out about the {0}."),
    ("_given", "They were told about the {0}."),
)
TIMES: Mapping[int, str] = {2: " Twice.", 3: " Three times."}


def _consistency(agent: Agent, mind: Mind) -> Iterable[str]:
    """What the agent has said: what it stands by, and what was found out."""
    vague = {rule.claim for rule in agent.ground_truth.rules}
    yield from (f"You have said, and stand by it: {claim}" for _, claim in mind.claims if claim not in vague)
    yield from (f"They have found out that this was not so; do not defend it: {claim}" for claim in mind.exposed)


def _recalled(one: Recalled, zone: str) -> str:
    """A memory with who said it and when; a summary says both itself."""
    if one.kind == "summary":
        return one.text
    when = "" if one.at is None else f", {day(local(zone, one.at))}"
    return f"{'They' if one.speaker == PLAYER else 'You'}{when}: {one.text}"
