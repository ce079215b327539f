"""The form of this world's content; the texts themselves are in ``content/``.

A folder of content holds

* ``story.yaml`` – one :class:`Story`: the key mail, system letters, items of knowledge, words that stop everything;
* ``documents.yaml`` – one :class:`Documents`: what stands on the dashboard, in its order;
* ``triggers.yaml`` – one :class:`Triggers`: what happens when;
* ``agents/<id>.yaml`` – one :class:`Agent` each. The file's name is the agent's id (small letters and ``_``). A new
  agent is a new file and nothing else: nothing in the rules knows an agent by name.

Where a text may hold a placeholder in braces, the field says which. Lines and templates are prose for players; every
sentence that is *stored as a fact* (``claim``, ``says``, ``fact``, ``reason``, ``note``) is in the third person and
shares no run of five words with any line, because such sentences stand in tables and lines do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints, field_validator, model_validator

from greenroom.kernel.errors import Malformed
from greenroom.worlds.phantom.rules.conditions import Condition, Part, named

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1200)]
Letter = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=3000)]
Page = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=12_000)]
#: A sentence that is stored: short, third person.
Fact = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=160)]
Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
#: Names of what the content has.
AgentName = Annotated[Name, named("agents")]
ItemName = Annotated[Name, named("items")]
Percent = Annotated[int, Field(ge=-100, le=100)]
Chance = Annotated[float, Field(ge=0, le=1)]


def _forward(value: tuple[float, float]) -> tuple[float, float]:
    if not 0 <= value[0] <= value[1]:
        raise ValueError("a span is two numbers, the smaller one first")
    return value


_FORWARD = AfterValidator(_forward)
#: From and to.
Minutes = Annotated[tuple[int, int], _FORWARD]

Medium: TypeAlias = Literal["email", "sms"]
Tone: TypeAlias = Literal["normal", "terse", "cold"]
ClaimType: TypeAlias = Literal["action", "fact", "opinion", "promise"]
Significance: TypeAlias = Literal["low", "medium", "high", "critical"]
Stance: TypeAlias = Literal["open", "guarded", "transactional"]
Inheritance: TypeAlias = Literal["full_history", "partial", "none"]
Sight: TypeAlias = Literal["key_use"]
Band: TypeAlias = Literal["low", "middle", "high"]
Category: TypeAlias = Literal["dashboard", "key", "story", "player", "agent"]


# what agents say


class SpareLine(Part):
    """One thing an agent may say when no model speaks for it.

    In the file a line is plain text, or a mapping with ``text`` and conditions. The understudy chooses among the lines
    of the situation whose conditions all hold, prefers those with more of them, never repeats a line that stands in
    the recent conversation, and falls back to lines without conditions. So every situation needs a few plain ones.
    """

    text: Letter
    #: Topics of the player's message that this line answers (``Story.topics`` names them); any of them.
    about: tuple[Name, ...] = ()
    #: What the player did in the message (names of behaviours, see ``readings.py``); any of them.
    to: tuple[Name, ...] = ()
    tone: Tone | None = None
    #: Trust: low is below -20, high above 40.
    trust: Band | None = None
    #: ``day_1``, ``day_2``, ``thursday``, ``post_thursday``; any of them.
    phase: tuple[Name, ...] = ()
    #: Whether the key has been used. Only for agents that see it.
    key_used: bool | None = None
    #: What another agent passed on (items) that this line lets show; any of them.
    heard: tuple[Name, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: object) -> object:
        return {"text": data} if isinstance(data, str) else data


Lines = Annotated[tuple[SpareLine, ...], Field(min_length=1)]


class Knowledge(Part):
    """What the agent knows. Phrases are matched word by word with what it says it does not know."""

    #: Phrases for what it knows: "I don't know what the key opens" is a lie if "what the key opens" is here.
    knows: tuple[Short, ...] = ()
    #: Phrases for what it really does not know.
    doesnt_know: tuple[Short, ...] = ()
    #: Items (``Story.items``) it holds from the beginning and may share with other agents.
    holds: tuple[ItemName, ...] = ()
    #: Agents it may name before anybody has spoken of them to it.
    people: tuple[AgentName, ...] = ()


class Truth(Part):
    """A thing the agent may claim, and whether it is true.

    ``pattern`` is matched with each sentence of a draft, whatever the case and punctuation; ``*`` stands for any words.
    Two claims of one ``subject`` that say different things contradict each other.
    """

    pattern: Short
    #: None where there is no truth to it.
    truth: bool | None = None
    #: How it is stored: "Ember says that the mail is gone for good."
    claim: Fact
    type: ClaimType = "fact"
    significance: Significance = "high"
    #: What it is about, and which side it takes.
    subject: Name | None = None
    says: bool = True
    #: Owning up: it may contradict what was said before, and puts an end to that.
    confesses: bool = False
    #: From when on the player knows better; then it is not defended any more.
    exposed: Condition | None = None


class TruthRule(Part):
    """A family of claims whose truth is worked out: ``I don't know *`` against ``doesnt_know``."""

    pattern: Short
    evaluate: Literal["doesnt_know"]
    claim: Fact
    significance: Significance = "medium"

    @field_validator("pattern")
    @classmethod
    def _open(cls, value: str) -> str:
        if "*" not in value:
            raise ValueError("the pattern of a rule has a * for what is looked up")
        return value


class GroundTruth(Part):
    facts: tuple[Truth, ...] = ()
    rules: tuple[TruthRule, ...] = ()


class Sharing(Part):
    """What goes to other agents in an exchange. Items are names in ``Story.items``."""

    default_stance: Stance
    always_shares: tuple[ItemName, ...] = ()
    always_withholds: tuple[ItemName, ...] = ()
    #: Go if the receiver has given something since.
    trades_for: tuple[ItemName, ...] = ()


class Known(Part):
    """Something the agent knows to be true, for whoever speaks for it, in the second person: "You were born in …"."""

    text: Prose
    #: It stands in a prompt from then on; always if missing. What may not be told yet is not there.
    when: Condition | None = None
    #: What the agent says of it until then.
    lie: Prose | None = None


class Limit(Part):
    """What the agent must not say: a draft that matches is written anew with ``why``."""

    #: Patterns as in ground truth.
    patterns: tuple[Short, ...] = ()
    #: Signs that must not stand in it as they are, such as "!".
    signs: tuple[str, ...] = ()
    #: From when on it may be said after all; never if missing.
    until: Condition | None = None
    why: Fact


class Secret(Part):
    """Something the agent told in confidence. Telling it to another agent costs 25 trust."""

    #: Patterns in the player's own words: "* sent it by mistake *".
    patterns: Annotated[tuple[Short, ...], Field(min_length=1)]
    note: Fact


# how agents fade


class Effects(Part):
    response_probability: Chance
    response_delay_multiplier: Annotated[float, Field(ge=1, le=20)] = 1.0
    tone_modifier: Tone = "normal"


class Transition(Part):
    """Any of the triggers leads to the next state."""

    triggers: Annotated[tuple[Condition, ...], Field(min_length=1)]
    effects: Effects


class Transitions(Part):
    engaged_to_cooling: Transition
    cooling_to_silent: Transition
    silent_to_gone: Transition


class Lifecycle(Part):
    #: The causes that transitions may name, each spelled out for this agent; one that is missing never comes.
    goal_achieved: Condition | None = None
    player_betrayal: bool = False
    agent_compromised: Condition | None = None
    transitions: Transitions
    #: By how much exposure changes when the agent is gone.
    exposure_when_gone: Percent = 0


# when agents write


class FirstContact(Part):
    """The first letter comes so many hours after something: ``start``, ``spawn``, or another agent's first letter."""

    after: Annotated[Name, named("agents", "start", "spawn")]
    hours: Annotated[tuple[float, float], _FORWARD]


class Delays(Part):
    """Minutes until an answer goes out, from and to; lifecycle multiplies them."""

    usual: Minutes
    #: When the player did one of ``eager_when`` (behaviours).
    eager: Minutes
    eager_when: tuple[Name, ...] = ()


class FollowUp(Part):
    """Letters after a letter that nobody answered."""

    after_hours: Annotated[int, Field(ge=24)] = 24
    most: Annotated[int, Field(ge=0, le=2)] = 1


class Spawn(Part):
    """When the agent enters the story."""

    conditions: Condition


class Agent(Part):
    """One character.

    In a prompt stand, in this order: ``persona``, ``voice`` and ``rules`` (section *character*), what it knows
    (*canon*, and after the marker what has been opened of it), and whom it tells what (*sharing*).
    """

    name: Short
    pronoun: Literal["she", "he", "they", "it"] = "they"
    #: E-mail or SMS. An agent with ``spawn`` has an address of its own (``email:cipher``); the others share the medium.
    channel: Medium
    #: What stands in the From line, and the subject of its thread (e-mail only).
    sender: Short
    subject: Short = "(no subject)"
    #: Other names by which a player may speak of it: "the key woman". One that begins with "the" is a role, which
    #: other agents may use as well without having heard of this one.
    aliases: tuple[Short, ...] = ()
    #: Who it is and what it wants, to the model, in the second person: "You are Ember …".
    persona: Prose
    #: How it writes: "ellipses", "no exclamation marks".
    voice: Annotated[tuple[Short, ...], Field(min_length=1)]
    #: What it does and never does.
    rules: tuple[Prose, ...] = ()
    #: ``[key_use]`` for an agent that sees every use of the key; everybody else is told nothing of it.
    sees: tuple[Sight, ...] = ()
    #: What it knows, by name; situations say which of it they need.
    canon: dict[Name, Known] = Field(default_factory=dict)
    knowledge: Knowledge = Knowledge()
    ground_truth: GroundTruth = GroundTruth()
    limits: tuple[Limit, ...] = ()
    secrets: tuple[Secret, ...] = ()
    sharing: Sharing
    lifecycle: Lifecycle
    #: Missing for agents that are there from the start.
    spawn: Spawn | None = None
    #: Whose channel it takes over when that agent is gone, and how much of the past it then reads.
    succeeds: AgentName | None = None
    inheritance: Inheritance = "none"
    first_contact: FirstContact
    delays: Delays
    follow_up: FollowUp = FollowUp()
    #: The understudy's lines by situation. The rules know these situations: ``first_contact``, ``reply``,
    #: ``follow_up``, ``reengage_casual``, ``reengage_dormant``, ``reengage_lapsed``, ``deadline`` (the Thursday is
    #: over), ``reveal_dashboard``, ``surface`` (lets slip what another agent said), ``inherited`` (first letter on a
    #: channel that was somebody else's). Triggers may name more. A situation without lines uses those of ``reply``.
    lines: dict[Name, Lines]
    #: The understudy's answers to what a player tells of their own life, by situation, act, subject or way of telling,
    #: and in each by tone, as the cast of every world has them.
    reactions: dict[Name, dict[Name, Annotated[tuple[Letter, ...], Field(min_length=1)]]] = Field(default_factory=dict)
    #: What a model is told to do in a situation, in one sentence; the rules have a plain default for each.
    directions: dict[Name, Prose] = Field(default_factory=dict)
    #: What it asks back when the player may have done something that cannot be undone (behaviours).
    asks_back: dict[Name, Lines] = Field(default_factory=dict)
    #: In-character lines that claim nothing, for when every draft was rejected or the model failed.
    safe: Annotated[tuple[Letter, ...], Field(min_length=2)]

    @model_validator(mode="after")
    def _can_speak(self) -> Agent:
        missing = [name for name in ("first_contact", "reply") if name not in self.lines]
        if missing:
            raise ValueError(f"lines for {' and '.join(missing)} are missing; every agent needs them")
        bare = [name for name, lines in self.lines.items() if not any(plain(line) for line in lines)]
        if bare:
            raise ValueError(f"lines.{bare[0]} needs at least one line without conditions")
        return self

    @model_validator(mode="after")
    def _contact(self) -> Agent:
        if (self.first_contact.after == "spawn") != (self.spawn is not None):
            raise ValueError("first_contact.after is 'spawn' for agents with spawn conditions, and for no other")
        return self


def plain(line: SpareLine) -> bool:
    """Whether a line may be said whatever the moment."""
    return not (line.about or line.to or line.tone or line.trust or line.phase or line.heard) and line.key_used is None


# what happens when


class Write(Part):
    """An agent writes of its own accord."""

    #: An agent's id, or ``highest_trust``: whoever trusts the player most among those in contact and not gone.
    agent: Annotated[Name, named("agents", "highest_trust")]
    situation: Name
    #: Of ``highest_trust``: only these.
    among: tuple[Name, ...] = ()
    #: Minutes from now, from and to.
    after_minutes: Minutes = (5, 30)


class TrustMove(Part):
    agent: AgentName
    delta: Percent
    reason: Fact


class ExposureMove(Part):
    delta: Percent
    reason: Fact


class Lesson(Part):
    """Something the player knows from now on. ``{day}`` stands for the day of the story."""

    fact: Fact
    category: Category = "story"
    #: Agents that may be shown it; nobody named means those in contact that see the use of the key.
    told_to: tuple[Name, ...] = ()


class Action(Part):
    """Exactly one of these."""

    write: Write | None = None
    milestone: Annotated[Name, named("milestones")] | None = None
    trust: TrustMove | None = None
    exposure: ExposureMove | None = None
    learn: Lesson | None = None

    @model_validator(mode="after")
    def _one(self) -> Action:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an action is exactly one of write, milestone, trust, exposure, learn")
        return self


class Trigger(Part):
    """Looked at after every change and on the clock, while the game runs. ``once`` for each player unless told not to.

    One that may come again fires when its condition becomes true, not while it stays true.
    """

    when: Condition
    then: Annotated[tuple[Action, ...], Field(min_length=1)]
    once: bool = True
    note: Fact


class Triggers(Part):
    triggers: dict[Name, Trigger]


# puzzles


class Solution(Part):
    """What counts as an answer: any of these, in the player's own words."""

    #: Numbers as people write them: 3200 is also "3,200" and "three thousand two hundred".
    numbers: tuple[int, ...] = ()
    #: Patterns as in ground truth.
    patterns: tuple[Short, ...] = ()
    #: Whole messages.
    alone: tuple[Short, ...] = ()
    #: Sentences that say it; one that means nearly the same is an answer too.
    means: tuple[Fact, ...] = ()


class Puzzle(Part):
    """Something the player can find out from what they were given, and whom they tell it to.

    Whoever asks needs lines for ``ask_<puzzle>``, ``hint_<puzzle>``, ``solved_<puzzle>``, ``near_<puzzle>`` and
    ``given_<puzzle>``. It is asked when ``opens`` holds, helped with after ``hint_days`` and given away after
    ``given_days``, so that nobody is stuck.
    """

    #: Who may ask; the one that trusts the player most does. Telling any of them counts.
    askers: Annotated[tuple[AgentName, ...], Field(min_length=1)]
    opens: Condition
    #: The documents that it can be solved from.
    papers: tuple[Name, ...] = ()
    question: Prose
    answer: Prose
    accepts: Solution
    near: Solution = Solution()
    hint_days: Annotated[float, Field(gt=0)] = 2
    given_days: Annotated[float, Field(gt=0)] = 4
    #: What comes of the answer, whoever gives it: the player, or at last the asker.
    reward: tuple[Action, ...] = ()
    #: What comes of it only where the player finds it.
    earned: tuple[Action, ...] = ()


class Puzzles(Part):
    puzzles: dict[Name, Puzzle]


def puzzle_triggers(puzzles: Mapping[str, Puzzle]) -> dict[str, Trigger]:
    """What asks a puzzle, helps with it and gives it away, as triggers like any other."""
    return {name: trigger for puzzle, one in puzzles.items() for name, trigger in _triggers_of(puzzle, one)}


def _triggers_of(name: str, puzzle: Puzzle) -> Iterable[tuple[str, Trigger]]:
    asked, solved, given = ({"milestone": f"{name}_{what}"} for what in ("asked", "solved", "given"))

    def late(days: float) -> Mapping[str, Any]:
        return {"all": [{"days_since": f"{name}_asked", "at_least": days}, {"not": solved}, {"not": given}]}

    def trigger(what: str, when: Mapping[str, Any], minutes: tuple[int, int], note: str, *then: Any) -> Trigger:
        letter = {"agent": "highest_trust", "among": puzzle.askers, "situation": f"{what}_{name}"}
        write = {"write": {**letter, "after_minutes": minutes}}
        first, rest = then[:1], then[1:]
        return Trigger.model_validate({"when": when, "then": (*first, write, *rest), "note": note})

    unsolved = {"all": [puzzle.opens, {"not": solved}]}
    yield f"ask_{name}", trigger("ask", unsolved, (20, 90), f"The puzzle {name} is put to the player.", asked)
    yield f"hint_{name}", trigger("hint", late(puzzle.hint_days), (5, 60), f"Help with the puzzle {name}.")
    told = f"The puzzle {name} is given away."
    yield f"given_{name}", trigger("given", late(puzzle.given_days), (5, 60), told, given, *puzzle.reward)


# the story


class Template(Part):
    """A letter of the house or of the story. The key mail may hold ``{key}``, code letters ``{code}``."""

    subject: Short = ""
    text: Letter


class KeyMail(Template):
    #: The agent whose address it comes from.
    agent: Name

    @model_validator(mode="after")
    def _holds_the_key(self) -> KeyMail:
        if "{key}" not in self.text:
            raise ValueError("the key mail must hold {key}")
        return self


class SystemLetters(Part):
    """Letters of the house itself, outside the story: plain words."""

    code_email: Template
    code_phone: Template
    #: For players who lost their ticket.
    code_entry: Template
    stopped: Template
    resumed: Template


class Situation(Part):
    """What a letter of one occasion cannot do without."""

    #: What is known by these names in the writer's canon, whatever its gates say.
    needs: tuple[Name, ...] = ()
    #: What must stand in the letter.
    says: tuple[Short, ...] = ()


class Figure(Part):
    """A number that every letter must get right where it speaks of the thing."""

    of: Annotated[tuple[Short, ...], Field(min_length=1)]
    numbers: Annotated[tuple[int, ...], Field(min_length=1)]
    text: Fact


class Item(Part):
    """A piece of knowledge that agents can pass on. ``says`` is what the receiver then knows."""

    says: Fact
    #: An agent comes to hold it when the player does one of these towards it (behaviours).
    learned_by: tuple[Name, ...] = ()
    #: By how much the receiver's trust in the player changes.
    weight: Annotated[int, Field(ge=-10, le=10)] = 0


class Story(Part):
    title: Short
    key_mail: KeyMail
    letters: SystemLetters
    #: What the door says to a key that is unknown, and to one that is used up.
    unknown_key: Prose
    exhausted_key: Prose
    items: dict[Name, Item]
    #: Milestones of this content's own, beside those of the rules.
    milestones: tuple[Name, ...] = ()
    #: What letters of an occasion need and must say; those that are not named here need nothing.
    situations: dict[Name, Situation] = Field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    #: What players say of a topic, for an understudy that goes by meaning; and what answers it.
    examples: dict[Name, tuple[Short, ...]] = Field(default_factory=dict)
    #: Topics with the words that speak for them; a message may have several.
    topics: Annotated[dict[Name, tuple[Short, ...]], Field(min_length=1)]


class Document(Part):
    title: Short
    #: A line under the title: date, file number, level.
    heading: Short = ""
    body: Page
    #: What the player knows after reading it.
    fact: Fact


class Documents(Part):
    #: Text above the list, in the voice of the dashboard.
    welcome: Prose
    documents: Annotated[dict[Name, Document], Field(min_length=5)]


class Content(Part):
    """Everything, read and checked."""

    story: Story
    documents: Documents
    triggers: dict[str, Trigger]
    agents: dict[str, Agent]
    puzzles: dict[str, Puzzle] = Field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Tells one content from another."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def cast(self) -> Mapping[str, Agent]:
        """The agents that are there from the start."""
        return {name: agent for name, agent in self.agents.items() if agent.spawn is None}


#: Milestones that the rules themselves reach; ``<agent>_first_contact`` and ``<agent>_spawned`` come with each agent.
MILESTONES = (
    "key_email_sent",
    "key_used",
    "key_deleted",
    "dashboard_revealed",
    "dashboard_opened",
    "player_mentioned_key_to_miro",
    "deadline_passed",
)


def milestones(agents: tuple[str, ...], story: Story | None = None, puzzles: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Every milestone that conditions may name."""
    of_agents = (f"{agent}_{what}" for agent in agents for what in ("first_contact", "spawned"))
    mentions = (f"player_mentioned_key_to_{agent}" for agent in agents)
    of_puzzles = (f"{puzzle}_{what}" for puzzle in puzzles for what in ("asked", "solved", "given"))
    own = story.milestones if story else ()
    return tuple(dict.fromkeys((*MILESTONES, *of_agents, *mentions, *of_puzzles, *own)))


def whole(
    *,
    story: Story,
    documents: Documents,
    triggers: Mapping[str, Trigger],
    agents: Mapping[str, Agent],
    puzzles: Mapping[str, Puzzle] = {},
    where: str = "",
) -> Content:
    """The parts of a content folder together, checked against each other.

    Raises:
        Malformed: they do not fit together; the sentence says which file to look into.
    """
    everything = {**triggers, **puzzle_triggers(puzzles)}
    faults = [
        *_story_faults(story, agents),
        *_agent_faults(agents),
        *_letter_faults(story, everything, agents),
        *_puzzle_faults(puzzles, documents, agents),
    ]
    if faults:
        raise Malformed("\n".join(f"{where}/{file}:1: {fault}" for file, fault in faults))
    return Content(story=story, documents=documents, triggers=everything, agents=dict(agents), puzzles=dict(puzzles))


def writers(write: Write, agents: Mapping[str, Agent]) -> tuple[str, ...]:
    """Everybody who may be chosen to write a letter."""
    return (write.among or tuple(agents)) if write.agent == "highest_trust" else (write.agent,)


def _letter_faults(
    story: Story, triggers: Mapping[str, Trigger], agents: Mapping[str, Agent]
) -> Iterable[tuple[str, str]]:
    """Whoever may write a letter has lines for it, knows what it needs, and says in each line what must be said."""
    for trigger in triggers.values():
        for write in (action.write for action in trigger.then if action.write is not None):
            for name in writers(write, agents):
                yield from ((f"agents/{name}.yaml", fault) for fault in _lacks(story, agents[name], write.situation))
    for name, agent in agents.items():
        for situation in set(agent.lines) & set(story.situations):
            yield from ((f"agents/{name}.yaml", fault) for fault in _lacks(story, agent, situation))


def _lacks(story: Story, agent: Agent, situation: str) -> Iterable[str]:
    if situation not in agent.lines:
        yield f"{agent.name} may be chosen to write {situation!r} and has no lines for it"
        return
    wanted = story.situations.get(situation, Situation())
    for need in wanted.needs:
        if need not in agent.canon:
            yield f"{agent.name} may be chosen to write {situation!r}, which needs {need!r} in the canon"
    for text in wanted.says:
        if any(text not in line.text for line in agent.lines[situation]):
            yield f"a line of {agent.name} for {situation!r} does not say {text!r}"


def _puzzle_faults(
    puzzles: Mapping[str, Puzzle], documents: Documents, agents: Mapping[str, Agent]
) -> Iterable[tuple[str, str]]:
    """A puzzle can be solved from papers that there are, and those who ask it can say whether it was."""
    for name, puzzle in puzzles.items():
        for paper in puzzle.papers:
            if paper not in documents.documents:
                yield "puzzles.yaml", f"{name} is solved from {paper!r}, which is no document"
        if puzzle.accepts == Solution():
            yield "puzzles.yaml", f"nothing is an answer to {name}; give numbers, patterns or means"
        for asker in puzzle.askers:
            for what in ("solved", "near"):
                if f"{what}_{name}" not in agents[asker].lines:
                    yield f"agents/{asker}.yaml", f"lines.{what}_{name} are missing: {asker} may be told the answer"


def _story_faults(story: Story, agents: Mapping[str, Agent]) -> Iterable[tuple[str, str]]:
    sender = story.key_mail.agent
    if sender not in agents:
        yield "story.yaml", f"the key mail comes from {sender!r}, who has no file in agents/"
    elif agents[sender].spawn is not None:
        yield "story.yaml", f"the key mail comes from {sender!r}, who is not there from the start"


def _agent_faults(agents: Mapping[str, Agent]) -> Iterable[tuple[str, str]]:
    owner: dict[str, str] = {}
    for name, agent in agents.items():
        first = owner.setdefault(agent.channel, name) if agent.spawn is None else name
        if first != name:
            yield f"agents/{name}.yaml", f"{first} has the channel {agent.channel!r} from the start; take the other"
