"""What models are asked in an episode: layer 1 that never changes, layer 2 that evolves, and what is going on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from greenroom.kernel.asks import AskModel, Failed, Json, Section, Usage, WithUsage
from greenroom.kernel.codec import canonical
from greenroom.kernel.words import REMOVED
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
#: How long a bullet may be.
BULLET = 90
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


def actor(scenario: Scenario, state: Episode, side: Side, texts: PromptTexts, why: str) -> AskModel:
    """Ask an actor for its next turn; ``why`` says what was wrong with the last answer."""
    player = player_of(state, side)
    goals = state.goals[side]
    weights = ", ".join(
        f"{issue.path} {weight:.2f}" for issue, weight in zip(scenario.issues, goals.weights, strict=True)
    )
    secret = f"How much each issue matters to you: {weights}. No deal at all is worth {goals.reservation:.2f} to you."
    correction = (Section(name="correction", texts=(f"Your last answer could not be used: {why}.",), floor=40),)
    return AskModel(
        role=ACTOR,
        seat=side,
        schema=proposals.SCHEMA,
        usage=True,
        max_tokens=700,
        sections=(
            Section(name="layer_1", texts=(layer_1(scenario, side),), floor=700, stable=True),
            Section(name="layer_2", texts=(player.layer_2,), floor=500, stable=True),
            Section(name="secret", texts=(secret,), floor=200),
            Section(name="options", texts=_options(scenario), cap=600),
            Section(name="state", texts=(_state(scenario, state),), floor=400),
            *_context(state, side, texts),
            *(correction if why else ()),
        ),
    )


def _options(scenario: Scenario) -> tuple[str, ...]:
    return tuple(f"{issue.path}: {', '.join(map(str, issue.options))}" for issue in scenario.issues)


def _state(scenario: Scenario, state: Episode) -> str:
    turn = f"Turn {state.turn_number + 1} of {scenario.turns}. The room is at {tension(state.variables)} of 10."
    signed = f" {scenario.actors[state.signed].name} has signed what stands." if state.signed else ""
    news = f" Heard lately: {' '.join(state.injections[-2:])}" if state.injections else ""
    scout = f" The scout believes: {' '.join(state.scout_hypotheses)}" if state.scout_hypotheses else ""
    return f"{turn}{signed} {canonical(state.variables).decode()}{news}{scout}"


def _context(state: Episode, side: Side, texts: PromptTexts) -> Iterable[Section]:
    """Three tiers: the last turns whole, the ones before as bullets, the oldest in a sentence; own last thoughts."""
    notes = state.notes
    whole, bullets = notes[-WHOLE:], notes[:-WHOLE]
    if state.long_ago:
        yield Section(name="long_ago", texts=(summary(state.long_ago),), cap=120)
    yield Section(name="before", texts=tuple(_bullet(note, texts) for note in bullets), cap=500)
    yield _spoken("recent", whole, texts, cap=900)
    mine = [note for note in notes if note.speaker == side][-THOUGHTS:]
    yield Section(
        name="thoughts",
        texts=tuple(_text(note.thought, texts) for note in mine),
        memories=_ids(n.thought for n in mine),
        cap=300,
    )


def summary(long_ago: Mapping[str, int]) -> str:
    """Many turns in a sentence."""
    return f"Before that: {', '.join(f'{act} {count} times' for act, count in long_ago.items())}."


def _bullet(note: Note, texts: PromptTexts) -> str:
    text = _text(note.said, texts)
    return f"- {note.turn}, {note.speaker}: {text[:BULLET]}{'…' if len(text) > BULLET else ''}"


def _spoken(name: str, notes: Sequence[Note], texts: PromptTexts, cap: int) -> Section:
    told = tuple(f"{note.turn}, {note.speaker}: {_text(note.said, texts)}" for note in notes)
    return Section(name=name, texts=told, memories=_ids(note.said for note in notes), cap=cap)


def _text(said: Line, texts: PromptTexts) -> str:
    if said.words is None:
        return said.text or ""
    return said.words.text or texts.get(said.words.id, REMOVED)


def to_read(state: Episode) -> tuple[str, ...]:
    """Ids of the words that a prompt needs."""
    return _ids(line for note in state.notes for line in (note.said, note.thought))


def _ids(each: Iterable[Line]) -> tuple[str, ...]:
    return tuple(one.words.id for one in each if one.words is not None)


def judge(scenario: Scenario, state: Episode, reason: Reason, texts: PromptTexts) -> AskModel:
    """Ask the judge: start and end, what was said, what each wanted; nothing of any other episode."""
    goals = tuple(f"{side}: {scenario.actors[side].goals}" for side in SIDES)
    return AskModel(
        role=JUDGE,
        seat="judge",
        schema=judging.SCHEMA,
        usage=True,
        max_tokens=400,
        sections=(
            Section(name="task", texts=(_TASK,), floor=200, stable=True),
            Section(name="goals", texts=goals, floor=300),
            Section(name="start", texts=(canonical(scenario.variables).decode(),), floor=200),
            Section(name="end", texts=(f"{reason}: {canonical(state.variables).decode()}",), floor=300),
            _spoken("transcript", state.notes, texts, cap=4000),
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
    return AskModel(
        role=GUEST,
        seat=one.profile,
        schema=proposals.SCHEMA,
        usage=True,
        max_tokens=400,
        sections=(
            Section(name="layer_1", texts=(rules,), floor=400, stable=True),
            Section(name="state", texts=(_state(scenario, state),), floor=400),
            _spoken("recent", state.notes, texts, cap=1200),
        ),
    )


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
