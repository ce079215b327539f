"""Every Python example in README and docs runs as it stands; every link leads somewhere.

The tutorial is more than one program: test_tutorial walks it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def program(page: Path) -> str:
    """The Python of a page, in one program: later blocks know the earlier ones. Everything else is an empty line, so
    that an error names the line of the page."""
    text = page.read_text(encoding="utf-8")
    kept = {line for block in BLOCK.finditer(text) for line in _lines_of(text, block)}
    return "\n".join(line if n in kept else "" for n, line in enumerate(text.split("\n"), 1))


def _lines_of(text: str, block: re.Match[str]) -> range:
    first = text.count("\n", 0, block.start(1)) + 1
    return range(first, first + block.group(1).count("\n"))


#: Blocks of the first are files, see test_tutorial; those of the second need other packages, see tests/interop.
ELSEWHERE = {ROOT / "docs/tutorial.md", ROOT / "docs/integrations.md"}
WITH_EXAMPLES = [page for page in PAGES if page not in ELSEWHERE and BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path) -> None:
    file = tmp_path / f"{page.stem.lower()}.py"
    file.write_text(program(page), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", file.name],
        env={**os.environ, "GREENROOM_HOME": str(tmp_path / "home")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, ""), page


def test_there_are_examples() -> None:
    pages = {str(page.relative_to(ROOT)) for page in WITH_EXAMPLES}
    assert {"README.md", "docs/quickstart.md"} <= pages


def test_a_program_has_the_lines_of_its_page() -> None:
    for page in WITH_EXAMPLES:
        lines = page.read_text(encoding="utf-8").split("\n")
        made = program(page).split("\n")
        assert len(made) == len(lines)
        assert all(line in ("", there) for line, there in zip(made, lines, strict=True))
        assert sum(map(bool, made)) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
