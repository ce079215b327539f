"""Step 2: what the player's message means and which puzzles it answers, by a model or by rules alone; how certainly."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

from greenroom.kernel.asks import Alike, Failed, Read
from greenroom.worlds.phantom.rules import knowledge, prompts, readings
from greenroom.worlds.phantom.rules.content import Agent, Content, Puzzle, Solution
from greenroom.worlds.phantom.rules.minds import mind
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.sentences import numbers, split, stands_in, tokens
from greenroom.worlds.phantom.rules.state import Phantom

#: How like the answer to a puzzle a message must be to be one.
MEANT = 0.78


def read(scene: Scene, agent: str, text: str) -> Generator[Any, Any, Reading]:
    """Ask a model; junk is asked for once more, then the rules decide. What cannot be undone needs both to agree."""
    known = mind(scene.content, scene.state, agent, scene.at)
    known = replace(known, recent=known.recent[:-1])  # the message itself stands in a section of its own
    texts = yield Read(tuple(line.words.id for line in known.recent[-prompts.CONTEXT :]))
    own = by_rules(scene.content, agent, text)
    reading = None
    for again in (False, True):
        open_ = open_to(scene.content, scene.state, agent)
        answer = yield prompts.classify(scene.content, known, text, texts, again=again, puzzles=open_)
        reading = readings.parsed(answer, text, scene.content, agent)
        if reading is not None:
            break
    reading = replace(reading or own, named=own.named, betrayed=own.betrayed)
    solved, near = yield from _answered(scene, agent, text)
    reading = replace(
        reading,
        solved=tuple(dict.fromkeys((*solved, *reading.solved))),
        near=tuple(one for one in dict.fromkeys((*near, *reading.near)) if one not in (*solved, *reading.solved)),
    )
    return knowledge.checked(scene, agent, reading, text)


def _answered(scene: Scene, agent: str, text: str) -> Generator[Any, Any, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Puzzles that the message solves or comes near to: by number and pattern, then by what it means."""
    open_ = open_to(scene.content, scene.state, agent)
    solved = [name for name, one in open_.items() if fits(one.accepts, text)]
    for name, puzzle in open_.items():
        if name not in solved and puzzle.accepts.means:
            likes = yield Alike(text=text, others=puzzle.accepts.means)
            if not isinstance(likes, Failed) and max(likes, default=0.0) >= MEANT:
                solved.append(name)
    asked = [name for name in open_ if f"{name}_asked" in scene.state.milestones and name not in solved]
    near = [name for name in asked if fits(open_[name].near, text)]
    return tuple(solved), tuple(near)


def open_to(content: Content, state: Phantom, agent: str) -> Mapping[str, Puzzle]:
    """Puzzles whose answer can be told to an agent: those asked, and those whose papers have been read."""
    return {
        name: puzzle
        for name, puzzle in content.puzzles.items()
        if agent in puzzle.askers and f"{name}_solved" not in state.milestones and _is_open(name, puzzle, state)
    }


def _is_open(name: str, puzzle: Puzzle, state: Phantom) -> bool:
    asked = f"{name}_asked" in state.milestones
    return asked or (bool(puzzle.papers) and set(puzzle.papers) <= set(state.documents))


def fits(answer: Solution, text: str) -> bool:
    """Whether a text has a number or a pattern of an answer; what it merely asks is none."""
    told = [sentence for sentence in split(text) if not sentence.endswith("?")]
    if any(number in numbers(sentence) for number in answer.numbers for sentence in told):
        return True
    said = [" ".join(tokens(sentence)) for sentence in (*told, " ".join(told))]
    if any(" ".join(tokens(whole)) in said for whole in answer.alone):
        return True
    return stands_in(answer.patterns, *said)


def by_rules(content: Content, agent: str, said: str) -> Reading:
    """A reading by grammar and patterns."""
    return _unaided()(content, agent, said)


def prepare() -> None:
    """Make ready now what the first message would wait for."""
    _unaided()


def _unaided() -> Callable[[Content, str, str], Reading]:
    """What reads without a model: made ready with the first message, since its patterns take a quarter second."""
    from greenroom.worlds.phantom.rules import unaided

    return unaided.reading


def others(content: Content, agent: str, text: str, *, roles: bool = True) -> tuple[str, ...]:
    """Other agents that are named in a text of tokens, by roles such as "the broker" too unless told otherwise."""
    return tuple(
        name for name, one in content.agents.items() if name != agent and stands_in(_names(one, roles=roles), text)
    )


def _names(agent: Agent, *, roles: bool) -> tuple[str, ...]:
    aliases = (alias for alias in agent.aliases if roles or not alias.casefold().startswith("the "))
    return (agent.name, f"{agent.name}'s", *aliases)
