"""Puzzles: which are open, what answers them, and what comes of it. What they are stands in the content."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from greenroom.worlds.phantom.rules import consequences, trust
from greenroom.worlds.phantom.rules.content import Content, Puzzle, Solution
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.sentences import numbers, split, stands_in, tokens
from greenroom.worlds.phantom.rules.state import Phantom

#: What finding something out is worth to whoever asked.
SOLVED = 15


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


def settle(scene: Scene, agent: str, solved: Iterable[str], message: str) -> Generator[Any, Any, None]:
    """A puzzle is solved, once, and what was promised for it comes."""
    for name in solved:
        puzzle = scene.content.puzzles[name]
        given = f"{name}_given" in scene.state.milestones
        if not scene.reach(f"{name}_solved", agent=agent):
            continue
        reason = f"The player found out for {scene.agent(agent).name} what was asked."
        trust.move(scene, agent, SOLVED, reason, message=message)
        for action in (*(() if given else puzzle.reward), *puzzle.earned):
            yield from consequences.act(scene, f"solved_{name}", action)
