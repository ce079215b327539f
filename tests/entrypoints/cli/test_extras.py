"""Where something is not installed, commands say what to install, or do without it; never with a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from greenroom.kit.cli.extras import EXTRAS, absent, advice
from tests.commands import _program
from tests.counts import SOAK
from tests.entrypoints.cli.lacking import LONG, commands

#: Commands that cannot do without an extra.
SAID = {
    "models": ("bar cost",),
    "postgres": ("streams", "db check", "show evening", "up", "worker"),
    "server": ("up", "bench http --connections 1 --seconds 1"),
}
ROOT = Path(__file__).parents[3]


def walked(extra: str, home: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GREENROOM_")}
    done = subprocess.run(
        [sys.executable, "-u", "-m", "tests.entrypoints.cli.lacking", extra, str(home)],  # with nothing imported yet
        cwd=ROOT,
        env={**kept, "GREENROOM_RECALL": "vectors" if extra == "embeddings" else "words"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    return told["made"], told["ran"]


@pytest.mark.installs
@pytest.mark.sqlite
@pytest.mark.parametrize("extra", EXTRAS if SOAK else ("server",))
def test_every_command_without_an_extra_ends_with_a_sentence(extra: str, tmp_path: Path) -> None:
    made, ran = walked(extra, tmp_path)
    assert made["code"] == 0, made
    assert [one for one in (made, *ran) if one["trace"] or "Traceback" in one["err"]] == []
    long = {name for name, needs in LONG.items() if extra not in needs}
    tried = {" ".join(one["args"]) for one in ran}
    assert all(any(line.startswith(name) for line in tried) for name in {*commands(_program())} - long)
    assert all(one["err"].count("\n") <= 3 for one in ran if one["code"]), "one sentence, and a warning or two"
    told = {" ".join(one["args"]) for one in ran if f"pip install 'greenroom[{extra}]'" in one["err"]}
    assert {*SAID.get(extra, ())} <= told


def test_what_is_none_of_ours_is_no_advice() -> None:
    assert advice(ModuleNotFoundError("x", name="somebody_elses")) is None
    assert advice(ModuleNotFoundError("x", name="nicegui.elements")) == (
        "this needs nicegui, which is not installed: pip install 'greenroom[server]'"
    )


def test_every_extra_is_known_and_every_package_of_it_has_a_name_that_can_be_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*EXTRAS} == {*project["optional-dependencies"]}
    here = {*EXTRAS} - {"adk", "chroma", "pettingzoo"}  # which have environments of their own
    assert {extra: absent(extra) for extra in here} == dict.fromkeys(here, ())
