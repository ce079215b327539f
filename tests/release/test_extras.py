"""What the extras bring, as far as it can be told without a package index; ``make release-check`` asks pip itself."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.release import HEAVY

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
#: Their packages are in environments of their own.
ELSEWHERE = {"adk", "chroma", "pettingzoo"}
#: Asked for by what we use and never imported: pip brings it, ``make setup`` does not.
LEFT_OUT = {canonicalize_name(name) for name in PROJECT["tool"]["uv"]["exclude-dependencies"]}


def needed(name: str, extras: frozenset[str], seen: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Every package that comes with one, each with its extras; read from what is installed, as pip would."""
    key = canonicalize_name(name)
    if extras <= seen.get(key, frozenset()) and key in seen:
        return seen
    seen[key] = seen.get(key, frozenset()) | extras
    try:
        wanted = distribution(name).requires or []
    except PackageNotFoundError:
        return seen
    for one in map(Requirement, wanted):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in (*extras, "")):
            needed(one.name, frozenset(one.extras), seen)
    return seen


def locked(file: str) -> set[str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(found[0]) for line in lines if (found := re.match(r"[\w.-]+(?===)", line))}


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - ELSEWHERE))
def test_an_extra_brings_no_framework_and_nothing_that_is_not_pinned_as_a_wheel(extra: str) -> None:
    found = needed("greenroom", frozenset({extra}), {}).keys() - {"greenroom"}
    assert found > {canonicalize_name(Requirement(one).name) for one in EXTRAS[extra]}
    assert [name for name in found if HEAVY.search(name)] == []
    # `make setup` installs wheels only, each by its hash: what the lock has needs no compiler.
    assert found - locked("requirements.lock") <= LEFT_OUT


@pytest.mark.parametrize("file", ["requirements-runtime.lock", "requirements-chroma.lock", "requirements-interop.lock"])
def test_no_lock_of_a_house_has_a_framework(file: str) -> None:
    assert [name for name in locked(file) if HEAVY.search(name)] == []
