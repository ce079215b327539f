"""Every pattern that reads what a stranger wrote takes as long as its length deserves, tried with the worst for it."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from re import _parser as sre  # type: ignore[attr-defined]
from typing import Any

import pytest

import greenroom
from greenroom.worlds.bar.rules.crisis.normalise import LONGEST, LONGEST_WORD
from tests.counts import SOAK, count

SOURCE = Path(greenroom.__file__).parent
#: Where strangers are read, and how much of a text is let through to there.
READERS = {
    "worlds/bar/rules/crisis": 4_000,
    "worlds/bar": 500,
    "worlds/lighthouse": 2_000,
    "worlds/phantom/rules/lexicon.py": 2_100,  # of a longer message the reading takes the beginning and the end
    "worlds/phantom": 8_000,
    "worlds/secret_agi": 2_000,
    "kernel": 8_000,
    "kit/http": 1_000,
    "entrypoints/http": 1_000,
    "adapters/models/extract.py": 8_000,
    "adapters/models/prompt.py": 8_000,
    "adapters/smtp/inbound.py": 800,
    "adapters/smtp/mime.py": 1_000,
    "adapters/smtp/markup.py": 1_000,
    "adapters/twilio": 1_600,
}
MOST_SECONDS = 0.005
OFTEN = ("a", " ", "a ", "\n", " \n", "0", "a0", '"', "'", "a'", ".", "-", "@a.", "\ufdfa")
#: Patterns that are only ever held against the beginning of a text, or against all of it.
ANCHORED = (
    "adapters/smtp/inbound.py",
    "worlds/phantom/rules/opening.py",
    "worlds/phantom/rules/conditions.py",
    r"worlds/bar/rules/routing.py \s*",
)
#: Those that read a message in pieces: of so many words, each of so many characters.
PIECEWISE = "worlds/bar/rules/crisis/evidence.py"
#: Those that read what a model said.
MODELS = r"worlds/bar/rules/talking.py \S.*?"


def patterns() -> dict[str, tuple[re.Pattern[str], int]]:
    """Every pattern of those modules: the compiled ones they hold, and those that stand in a call."""
    found: dict[str, tuple[re.Pattern[str], int]] = {}
    known: set[str] = set()
    for place in sorted(SOURCE.rglob("*.py"), key=lambda place: (place.name != "evidence.py", place)):
        inside = place.relative_to(SOURCE).as_posix()
        longest = next((most for prefix, most in READERS.items() if inside.startswith(prefix)), None)
        if longest is None or "/cli" in inside or "/console" in inside or "understudy" in inside:
            continue
        module = import_module("greenroom." + inside.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        for pattern in (*held(vars(module).values(), 0), *written(place)):
            name = f"{inside} {pattern.pattern[:60]}"
            if pattern.pattern not in known and not name.startswith(MODELS):
                found[name] = (pattern, longest)
            known.add(pattern.pattern)
    return found


def held(values: Any, depth: int) -> Iterator[re.Pattern[str]]:
    for value in values:
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield value
        elif depth < 3 and isinstance(value, tuple | list):
            yield from held(value, depth + 1)
        elif depth < 3 and isinstance(value, dict):
            yield from held(value.values(), depth + 1)
        elif depth and hasattr(value, "__slots__") and not isinstance(value, type):
            yield from held((getattr(value, name, None) for name in value.__slots__), depth + 1)


def written(place: Path) -> Iterator[re.Pattern[str]]:
    for node in ast.walk(ast.parse(place.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first, of = node.args[0], node.func.value
            if isinstance(of, ast.Name) and of.id == "re" and isinstance(first, ast.Constant):
                yield re.compile(str(first.value))


def seeds(pattern: re.Pattern[str]) -> set[str]:
    """Pieces to repeat: the characters and words that the pattern itself looks for, and what often goes wrong."""
    letters = "".join(dict.fromkeys(literals(sre.parse(pattern.pattern, pattern.flags))))[: count(6, soak=24)]
    words = re.findall(r"[a-zA-Z]{2,}(?: [a-z]+)*", re.sub(r"\\[a-zA-Z]", "", pattern.pattern))[: count(4, soak=12)]
    found = {
        *letters,
        *words,
        *(f"{word} " for word in words),
        *(f"{a}{b}" for a in letters[: count(2, soak=6)] for b in " a"),
    }
    return {one for one in found if one} | set(OFTEN)


def literals(parsed: Any) -> Iterator[str]:
    for op, value in parsed:
        if str(op) in ("LITERAL", "NOT_LITERAL"):
            yield chr(value)
        elif isinstance(value, sre.SubPattern):
            yield from literals(value)
        elif isinstance(value, list | tuple):
            yield from _within(value)


def _within(value: Any) -> Iterator[str]:
    for one in value:
        if isinstance(one, sre.SubPattern):
            yield from literals(one)
        elif isinstance(one, list):
            yield from _within(one)
        elif isinstance(one, tuple) and len(one) == 2 and str(one[0]) == "LITERAL":
            yield chr(one[1])


def admitted(name: str, text: str) -> str:
    if not name.startswith(PIECEWISE):
        return text
    return " ".join(word[:LONGEST_WORD] for word in text.split(" ")[:LONGEST])


def longest_look(pattern: re.Pattern[str], text: str, *, anchored: bool) -> float:
    spent = 0.0
    anywhere: Any = lambda text: [*pattern.finditer(text)]  # noqa: E731  begins where match and search do, and goes on
    for look in (pattern.match if anchored else anywhere, pattern.fullmatch):
        began = time.thread_time()
        look(text)
        spent = max(spent, time.thread_time() - began)
    return spent


FOUND = patterns()


def test_there_are_patterns_to_be_tried() -> None:
    assert len(FOUND) > 100


@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_reads_the_worst_text_in_time(name: str) -> None:
    pattern, longest = FOUND[name]
    anchored = name.startswith(ANCHORED)
    for seed in sorted(seeds(pattern)):
        for end in ("", "!") if SOAK else ("!",):
            text = admitted(name, (seed * (longest // len(seed) + 1))[: longest - len(end)] + end)
            spent = longest_look(pattern, text, anchored=anchored)
            if spent > MOST_SECONDS:  # a busy machine may disturb some looks, not a dozen more
                spent = min(spent, *(longest_look(pattern, text, anchored=anchored) for _ in range(12)))
            assert spent <= MOST_SECONDS, (seed, end, spent)
