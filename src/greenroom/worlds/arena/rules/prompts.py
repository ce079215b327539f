"""What models are asked in an episode: layer 1 that never changes, layer 2 that evolves, and what is going on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Failed, Json, Objection, Section, Usage, WithUsage
from greenroom.kernel.codec import canonical
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import Seat
from greenroom.worlds.arena.rules import judging, proposals
from greenroom.worlds.arena.rules.content import SIDES, Scenario, Side
from greenroom.worlds.arena.rules.episode import Episode, Guest, Note, Reason, player_of
from greenroom.worlds.arena.rules.variables import tension
from greenroom.worlds.arena.rules.words import Line

#: Words by id.
PromptTexts: TypeAlias = Mapping[str, str]

#: Roles; settings say who plays them.
ACTOR, JUDGE, GUEST = "arena_actor", "arena_judge", "arena_guest"
#: Turns told whole, the others being told as bullets; and own thoughts that are kept.
WHOLE, THOUGHTS = 3, 2
#: How long a bullet may be; and from how many turns before the end an actor is reminded of it.
BULLET, HURRY = 90, 4
FORMAT = (
    "Answer with one JSON object: internal_monologue (nobody else reads it), public_dialogue (everybody hears it), "
    "state_mutations (a list of {action: modify or add, path, value}), propose_resolution (true signs what stands on "
    "the table; it is a deal when both sign the same terms, one after the other), abort_episode (true walks out)."
)


def layer_1(scenario: Scenario, side: Side) -> str:
    """Who an actor is, what it wants and how it answers. Nothing that evolves can change it."""
    actor = scenario.actors[side]
    may = ", ".join(actor.may_change)
    goals = f"Your goals, known to you alone: {actor.goals}"
    return "\n".join((scenario.summary, actor.brief, goals, f"You may change: {may}.", FORMAT))


def actor(
    scenario: Scenario, state: Episode, side: Side, texts: PromptTexts, objections: Sequence[Objection] = ()
) -> AskModel:
    """Ask an actor for its next turn. What holds for the whole episode comes first: it is the system message."""
    said, newest = _talk(scenario, state, side, texts)
    return AskModel(
        role=ACTOR,
        seat=side,
        schema=proposals.SCHEMA,
        usage=True,
        max_tokens=700,
        objections=tuple(objections) or UNSET,
        sections=(
            Section(name="layer_1", texts=(layer_1(scenario, side),), floor=700, stable=True),
            Section(name="layer_2", texts=(player_of(state, side).layer_2,), floor=500, stable=True),
            Section(name="secret", texts=(_secret(scenario, state, side),), floor=200, stable=True),
            Section(name="options", texts=_options(scenario), floor=300, stable=True),
            newest,
            Section(name="moment", texts=(_moment(scenario, state, side),), floor=120, form="moment"),
            Section(name="state", texts=(_state(scenario, state),), floor=400),
            said,
            *_earlier(scenario, state, texts),
            _thoughts(state, side, texts),
        ),
    )


def _secret(scenario: Scenario, state: Episode, side: Side) -> str:
    goals = state.goals[side]
    weights = ", ".join(
        f"{issue.path} {weight:.2f}" for issue, weight in zip(scenario.issues, goals.weights, strict=True)
    )
    return f"How much each issue matters to you: {weights}. No deal at all is worth {goals.reservation:.2f} to you."


def _options(scenario: Scenario) -> tuple[str, ...]:
    return tuple(f"{issue.path}: {', '.join(map(str, issue.options))}" for issue in scenario.issues)


def _state(scenario: Scenario, state: Episode) -> str:
    turn = f"Turn {state.turn_number + 1} of {scenario.turns}. The room is at {tension(state.variables)} of 10."
    signed = f" {scenario.actors[state.signed].name} has signed what stands." if state.signed else ""
    news = f" Heard lately: {' '.join(state.injections[-2:])}" if state.injections else ""
    scout = f" The scout believes: {' '.join(state.scout_hypotheses)}" if state.scout_hypotheses else ""
    return f"{turn}{signed} {canonical(state.variables).decode()}{news}{scout}"


def _moment(scenario: Scenario, state: Episode, side: Side) -> str:
    left = scenario.turns - state.turn_number
    hurry = f" {left} turns are left, this one among them." if left <= HURRY else ""
    return (
        f"It is your turn, {scenario.actors[side].name}.{hurry} Think first, in internal_monologue; then say one to "
        "three sentences to the others, and put your terms on the table, sign those that stand, or leave."
    )


def _talk(scenario: Scenario, state: Episode, side: Seat, texts: PromptTexts) -> tuple[Section, Section]:
    """The last turns as turns of a conversation, the own ones among them; and the newest words."""
    whole = state.notes[-WHOLE:]
    older, last = whole, whole[-1:]
    if last and last[0].speaker != side:
        older = whole[:-1]
        newest = _heard(scenario, last[0], texts)
    else:
        newest = scenario.opening if not last else "Nobody has said anything since."
        last = ()
    said = Section(
        name="recent",
        texts=tuple(
            _text(note.said, texts) if note.speaker == side else _heard(scenario, note, texts) for note in older
        ),
        own=tuple(note.speaker == side for note in older),
        memories=_ids(note.said for note in older),
        form="turns",
        cap=900,
    )
    return said, Section(
        name="said", texts=(newest,), memories=_ids(note.said for note in last), floor=500, form="newest"
    )


def _heard(scenario: Scenario, note: Note, texts: PromptTexts) -> str:
    return f"[turn {note.turn}] {_name(scenario, note.speaker)}: {_text(note.said, texts)}"


def _name(scenario: Scenario, speaker: str) -> str:
    """Of a side, or of somebody in the middle."""
    return scenario.actors["a" if speaker == "a" else "b"].name if speaker in SIDES else "Somebody in the middle"


def _earlier(scenario: Scenario, state: Episode, texts: PromptTexts) -> Iterable[Section]:
    """What is longer ago: turns as bullets, and the oldest in a sentence."""
    yield Section(name="before", texts=tuple(_bullet(scenario, note, texts) for note in state.notes[:-WHOLE]), cap=500)
    if state.long_ago:
        yield Section(name="long_ago", texts=(summary(state.long_ago),), cap=120)


def _thoughts(state: Episode, side: Side, texts: PromptTexts) -> Section:
    """The own last thoughts, which nobody else has heard."""
    mine = [note for note in state.notes if note.speaker == side][-THOUGHTS:]
    return Section(
        name="thoughts",
        texts=tuple(_text(note.thought, texts) for note in mine),
        memories=_ids(note.thought for note in mine),
        cap=300,
    )


def summary(long_ago: Mapping[str, int]) -> str:
    """Many turns in a sentence."""
    return f"Before that: {', '.join(f'{act} {count} times' for act, count in long_ago.items())}."


def _bullet(scenario: Scenario, note: Note, texts: PromptTexts) -> str:
    text = _text(note.said, texts)
    return f"- {note.turn}, {_name(scenario, note.speaker)}: {text[:BULLET]}{'…' if len(text) > BULLET else ''}"


def _transcript(scenario: Scenario, state: Episode, texts: PromptTexts, cap: int) -> Section:
    told = tuple(_heard(scenario, note, texts) for note in state.notes)
    return Section(name="transcript", texts=told, memories=_ids(note.said for note in state.notes), cap=cap)


def _text(said: Line, texts: PromptTexts) -> str:
    if said.words is None:
        return said.text or ""
    return said.words.text or texts.get(said.words.id, REMOVED)


def to_read(state: Episode) -> tuple[str, ...]:
    """Ids of the words that a prompt needs."""
    return _ids(line for note in state.notes for line in (note.said, note.thought))


def _ids(each: Iterable[Line]) -> tuple[str, ...]:
    return tuple(one.words.id for one in each if one.words is not None)


def judge(
    scenario: Scenario, state: Episode, reason: Reason, texts: PromptTexts, objections: Sequence[Objection] = ()
) -> AskModel:
    """Ask the judge: start and end, what was said, what each wanted; nothing of any other episode."""
    goals = tuple(f"{side}, {scenario.actors[side].name}: {scenario.actors[side].goals}" for side in SIDES)
    return AskModel(
        role=JUDGE,
        seat="judge",
        schema=judging.SCHEMA,
        usage=True,
        max_tokens=400,
        objections=tuple(objections) or UNSET,
        sections=(
            Section(name="task", texts=(_TASK,), floor=200, stable=True),
            Section(name="goals", texts=goals, floor=300, stable=True),
            Section(name="start", texts=(canonical(scenario.variables).decode(),), floor=200, stable=True),
            Section(name="end", texts=(f"{reason}: {canonical(state.variables).decode()}",), floor=300),
            _transcript(scenario, state, texts, cap=4000),
            Section(name="moment", texts=("Judge it now: a and b, and why.",), floor=30, form="moment"),
        ),
    )


_TASK = (
    "Judge one negotiation. Give each side a whole number from -5 (lost everything it wanted, or broke the talks) to "
    "+5 (got nearly everything), and say why in two sentences. No deal is never better than -1."
)


def guest(scenario: Scenario, state: Episode, one: Guest, texts: PromptTexts) -> AskModel:
    """Ask a created agent; it sees what is public."""
    may = ", ".join(one.paths) or "nothing"
    rules = f"{one.prompt} You may change {may}, one thing in a turn; you may never resolve or abort. {FORMAT}"
    said, newest = _talk(scenario, state, one.profile, texts)
    return AskModel(
        role=GUEST,
        seat=one.profile,
        schema=proposals.SCHEMA,
        usage=True,
        max_tokens=400,
        sections=(
            Section(name="layer_1", texts=(rules,), floor=400, stable=True),
            newest,
            Section(name="moment", texts=("It is your turn: help them to sign.",), floor=30, form="moment"),
            Section(name="state", texts=(_state(scenario, state),), floor=400),
            said,
            *_earlier(scenario, state, texts),
        ),
    )


def objection(answer: Json | Failed, reason: str) -> Objection:
    """What was wrong with an answer, for the next try."""
    return Objection(answer="" if isinstance(answer, Failed) else canonical(answer).decode(), reason=reason)


def opened(ask: AskModel, answer: Any) -> tuple[Json | Failed, int]:
    """What was answered, and the tokens it cost; where nobody says, they are counted: four characters are about one."""
    if isinstance(answer, WithUsage):
        return answer.value, _tokens(answer.usage) or counted(ask, answer.value)
    if isinstance(answer, Failed) and answer.usage is not None:
        return answer, _tokens(answer.usage)
    return answer, counted(ask, answer)


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def counted(ask: AskModel, answer: Json | Failed) -> int:
    """About what an ask cost, from its sections and its answer."""
    given = sum(len(text) for section in ask.sections for text in section.texts)
    got = 0 if isinstance(answer, Failed) else len(canonical(answer))
    return (given + got + 3) // 4
