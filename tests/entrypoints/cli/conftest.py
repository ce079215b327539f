"""A house made once, copied for each test, and the program run in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.commands import invoke
from tests.hours import Shared
from tests.houses import HOUSES


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def object(self) -> Any:
        """The one JSON object on standard output, and nothing else there."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        return json.loads(lines[0])

    @property
    def sentence(self) -> str:
        """The one sentence on standard error, and nothing on standard output."""
        lines = self.err.splitlines()
        assert (len(lines), self.out) == (1, ""), (self.out, self.err)
        assert lines[0].startswith("greenroom: ")
        return lines[0].removeprefix("greenroom: ")


Run: TypeAlias = Callable[..., Ran]


def run_at(home: Path, *args: object, typed: str | None = None) -> Ran:
    done = invoke(home, [str(arg) for arg in args], typed=typed)
    return Ran(done.exit_code, done.stdout, done.stderr)


def _furnish(home: Path) -> None:
    assert run_at(home, "start", "lighthouse", "--name", "evening", "--owner", "ada", "--seed", 7).code == 0
    for kind, body in (("say", '{"text": "Good evening."}'), ("climb", "{}"), ("say", '{"text": "A warm stove."}')):
        assert run_at(home, "send", "evening", kind, body).code == 0


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """A house with one stream, ``evening``, of four versions."""
    return Shared(tmp_path_factory, _furnish)


@pytest.fixture
def home(furnished: Shared, tmp_path: Path) -> Path:
    return HOUSES.copied(furnished.home, tmp_path / "home")


@pytest.fixture
def run(home: Path) -> Run:
    def run(*args: object, typed: str | None = None) -> Ran:
        return run_at(home, *args, typed=typed)

    return run


def contents(home: Path) -> dict[str, list[Any]]:
    """Every row of every table."""
    return HOUSES.contents(home)
