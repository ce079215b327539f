"""Lighthouse, played with a real model: the whole way from settings to ledger, with answers that fit the schema.

The model has 135 million parameters. It proves the wiring and says nothing about judgement.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from greenroom.adapters.content import load, packaged
from greenroom.bootstrap import open_house
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.lighthouse.rules import Content
from greenroom.worlds.lighthouse.rules.commands import Say, Visit
from greenroom.worlds.lighthouse.rules.prompts import ROLE
from tests.counts import report
from tests.models.tripwire import no_outside
from tests.small_model.server import NAME, missing

pytestmark = pytest.mark.skipif(
    bool(missing()), reason=f"a real small model: run 'make small-model' (missing here: {', '.join(missing())})"
)

MODEL = f"openai:{NAME}"
SAID = (
    "Good evening.",
    "My name is Ada, and my sister Edith mends nets in Innisbeg.",
    "Is there any soup?",
    "How bright is the lamp?",
    "Do the waves ever stop?",
    "How many stairs are there?",
    "Are you not lonely?",
    "What happened to the Marigold?",
    "Thank you for the tea.",
    "Do you remember where my sister lives?",
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of the model, which is loaded once."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.small_model.server"],
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the model did not start: exit code {process.wait(10)}"
        yield str(json.loads(line)["url"])
        process.stdin.close()
        process.wait(30)


@pytest.fixture
def configured(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    no_outside(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library's, not ours
        importlib.import_module("pydantic_ai.models.openai")
        importlib.import_module("pydantic_ai.providers.openai")
    role = {"model": MODEL, "base_url": f"{server}/v1", "temperature": 0, "timeout": 120, "limit": 300, "budget": 3500}
    monkeypatch.setenv("GREENROOM_MODELS", json.dumps({ROLE: role}))


async def test_ten_turns_are_answered_by_the_model_and_by_nobody_else(configured: None, tmp_path: Path) -> None:
    async with open_house(tmp_path / "house.db") as house:
        assert house.plays(ROLE) == MODEL
        stream = (await house.start("lighthouse", Visit(), owner="ada", name="evening", seed=7)).stream
        begun = time.perf_counter()
        for i, said in enumerate(SAID):
            await house.send(stream, Say(text=Words(said)), seat="visitor", key=f"k{i}")
        seconds = time.perf_counter() - begun
        lines = [event.body async for event in house.events(stream, seat="visitor") if event.kind == "answered"]
        assert len(lines) == len(SAID) == 10
        assert all(line["mood"] in ("curt", "plain", "wry", "warm") for line in lines)
        assert all(1 <= len(line["line"]) <= 600 for line in lines)
        await _check_ledger(house, stream, seconds)
        _tell([line["line"] for line in lines])
        assert (await house.verify(stream)).problems == ()


async def _check_ledger(house: House, stream: str, seconds: float) -> None:
    ledger = await house.backend.streams.ledger(stream)
    last = dict(ledger)  # of each attempt the line that came last
    assert len(last) == 10
    assert {entry.status for entry in last.values()} <= {"ok", "retried", "repaired"}, "an answer that fits, each time"
    assert {entry.model for _, entry in ledger} == {NAME}, "no understudy"
    assert all(entry.input_tokens > 0 and entry.output_tokens > 0 for _, entry in ledger)
    why = await house.why(stream, (await house.backend.streams.get(stream)).version)
    assert "remembered" in {part.name for part in why.asks[-1].sections or ()}
    tokens_in = sum(entry.input_tokens for _, entry in ledger)
    tokens_out = sum(entry.output_tokens for _, entry in ledger)
    cached = sum(entry.cached_tokens for _, entry in ledger)
    statuses = ", ".join(entry.status for _, entry in ledger)
    report(
        f"small model: ten turns in {seconds:.1f} s, {tokens_in} tokens in ({cached} cached), {tokens_out} out, "
        f"{tokens_out / seconds:.1f} out/s; {statuses}"
    )


def _tell(lines: list[str]) -> None:
    """How often the rules put a stock line in the place of one that gave the secret away."""
    content = load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)
    stock = sum(line in content.fallbacks for line in lines)
    report(f"small model: {10 - stock} of ten lines are its own, {stock} were replaced because they gave too much away")
