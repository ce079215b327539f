"""What a package index shows of the README stands by itself."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_has_no_picture_and_no_link_into_the_project() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = hook().indexed(text)
    assert "![" in text
    assert "![" not in shown
    assert re.findall(r"\]\((?!https?:)[^)]*\)", shown) == []


def test_words_of_links_and_everything_else_stay() -> None:
    shown = hook().indexed(
        "# A\n\n![x](a.png)\n\n*About [the x](x.md).*\n\nSee [here](b.md), [there](https://c.example).\n"
    )
    assert shown == "# A\n\nSee here, [there](https://c.example).\n"


def test_code_is_not_taken_for_a_link() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```.*?^```$", text, re.DOTALL | re.MULTILINE)
    shown = hook().indexed(text)
    assert blocks
    assert all(block in shown for block in blocks)
