"""What no import contract can say: faces ask the house itself, and nothing but a world names a world."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import greenroom
from greenroom.plugins import found
from greenroom.testing import contracts
from tests.plugins.installing import install

SOURCE = Path(greenroom.__file__).parent
#: What a house is made of; whoever serves people asks the house.
INNER = {"backend", "driver", "runner", "codecs", "outside"}
#: Words that mean a shipped world wherever they stand. ``bar`` is also something that shows progress.
NAMES = re.compile(r"lighthouse|phantom|secret[ _]?agi|\bagi\b", re.IGNORECASE)
BAR = re.compile(r"bar|.*(/bar\b|\bbar/|\b(the|greenroom) bar\b).*", re.DOTALL)
#: Where the word is a shape on a page.
SHAPES = {("entrypoints/console/spending.py", "bar"), ("entrypoints/console/why.py", "bar")}


def parsed(*patterns: str) -> Iterator[tuple[str, ast.Module]]:
    for pattern in patterns:
        for file in sorted(SOURCE.glob(pattern)):
            yield file.relative_to(SOURCE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def nameless() -> Iterator[Path]:
    """Everything but the worlds, and what makes one of them an environment of somebody else's."""
    named = ("worlds/", "integrations/pettingzoo/")
    return (file for file in sorted(SOURCE.rglob("*.py")) if not file.relative_to(SOURCE).as_posix().startswith(named))


def test_no_face_reaches_behind_the_house() -> None:
    patterns = ("entrypoints/**/*.py", "kit/**/*.py", "worlds/*/faces/**/*.py", "integrations/**/*.py")
    reached = [
        f"{name}:{node.lineno}: .{node.attr}"
        for name, tree in parsed(*patterns)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in INNER
    ]
    assert reached == []


def test_nothing_outside_of_worlds_names_a_shipped_world() -> None:
    named = [
        f"{file.relative_to(SOURCE)}:{number}: {line.strip()}"
        for file in nameless()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if NAMES.search(line) or "greenroom.worlds." in line.replace("greenroom.worlds.*", "")
    ]
    assert named == []


def test_the_bar_is_not_named_either() -> None:
    named = [
        f"{name}:{node.lineno}: {node.value}"
        for name, tree in parsed("**/*.py")
        if not name.startswith("worlds/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and BAR.fullmatch(node.value)
        if (name, node.value) not in SHAPES
    ]
    assert named == []


# the contracts that ship


@pytest.mark.parametrize("package", [f"greenroom.worlds.{one.name}" for one in found() if one.shipped])
def test_every_shipped_world_keeps_the_contracts(package: str) -> None:
    assert contracts.check(package) == []


def test_so_does_the_world_that_new_ones_are_made_from() -> None:
    assert contracts.check("greenroom.entrypoints.scaffold.template.a_new_world") == []


KERNEL = (
    "rules may import greenroom.kernel, greenroom.recall, greenroom.text, themselves, msgspec, pydantic and the pure"
)
ADAPTERS = "what is outside may import the rules, greenroom.kernel, greenroom.ports and greenroom.adapters"
KIT = "faces may import the rules, what is outside, greenroom.kit, greenroom.services and greenroom.kernel"
BREACHES = [
    ("rules/a.py", "import random", f"it imports random; {KERNEL}"),
    ("rules/a.py", "from os import path", f"it imports os.path; {KERNEL}"),
    ("rules/a.py", "import httpx", f"it imports httpx; {KERNEL}"),
    ("rules/a.py", "def f():\n    import greenroom.adapters", f"it imports greenroom.adapters; {KERNEL}"),
    ("rules/a.py", "from greenroom import Words", f"it imports greenroom.Words; {KERNEL}"),
    ("rules/a.py", "from ..outside import b", f"it imports kiln.outside.b; {KERNEL}"),
    ("rules/deep/a.py", "from ... import faces", f"it imports kiln.faces; {KERNEL}"),
    ("rules/a.py", "import kiln.faces.http", f"it imports kiln.faces.http; {KERNEL}"),
    ("rules/a.py", "from uuid import uuid4", f"it imports uuid.uuid4; {KERNEL}"),
    ("rules/a.py", "import datetime\nnow = datetime.datetime.now()", "it uses datetime.now; rules read no clock"),
    ("rules/a.py", "text = open('x').read()", "it calls open; rules do no I/O"),
    ("outside/a.py", "from greenroom.services import house", f"it imports greenroom.services.house; {ADAPTERS}"),
    ("outside/a.py", "import greenroom", f"it imports greenroom; {ADAPTERS}"),
    ("outside/a.py", "from greenroom import settings", f"it imports greenroom.settings; {ADAPTERS}"),
    ("outside/a.py", "from kiln.faces import http", f"it imports kiln.faces.http; {ADAPTERS}"),
    ("faces/a.py", "import greenroom.bootstrap", f"it imports greenroom.bootstrap; {KIT}"),
    ("faces/a.py", "from greenroom.adapters.inmem import Shelf", f"it imports greenroom.adapters.inmem.Shelf; {KIT}"),
    ("faces/a.py", "from greenroom.entrypoints import http", f"it imports greenroom.entrypoints.http; {KIT}"),
    ("faces/a.py", "def f(house):\n    return house.backend.streams", "it uses a back-end; faces ask the house itself"),
    ("faces/a.py", "from greenroom.worlds.lighthouse.rules import NAME", "worlds do not import one another"),
    ("__init__.py", "import greenroom.entrypoints.cli", "a world may import nothing that puts a house together"),
]  # fmt: skip
FINE = {
    "rules/__init__.py": "",
    "rules/b.py": "import re, zoneinfo\nfrom datetime import datetime\nfrom pydantic import BaseModel\n"
    "from greenroom.kernel import words\nfrom . import c\nfrom .c import open_kiln\n",
    "rules/c.py": "def open_kiln(): ...\n",
    "outside/__init__.py": "import pathlib\nfrom greenroom.adapters.content import load\nfrom ..rules import b\n",
    "faces/__init__.py": "import greenroom\nfrom greenroom.kit.http import turns\nfrom ..outside import load\n",
}


@pytest.mark.parametrize(("file", "source", "told"), BREACHES, ids=[f"{file} {told}" for file, _, told in BREACHES])
def test_a_breach_of_the_contracts_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, source: str, told: str
) -> None:
    install(
        tmp_path, "kiln", {"kiln": "kiln:PLUGIN"}, {"kiln/__init__.py": "", **{f"kiln/{n}": s for n, s in FINE.items()}}
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert contracts.check("kiln") == []
    breach = tmp_path / "kiln" / file
    breach.parent.mkdir(exist_ok=True)
    breach.write_text(source)
    (fault,) = contracts.check("kiln")
    module = "kiln." + file.removesuffix(".py").replace("/", ".") if "__init__" not in file else "kiln"
    assert fault.startswith(f"{module}, line {source.count(chr(10)) + 1}: ")
    assert told in fault


def test_a_package_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="there is no package no_such_world"):
        contracts.check("no_such_world")
