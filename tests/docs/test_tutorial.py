"""The tutorial is walked as a whole, with large counts twice, and its world stands in the browser at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.counts import SOAK
from tests.docs.walking import Block, Walk, blocks, is_exercise
from tools.browser import WANTED, find

PAGE = Path(__file__).parents[2] / "docs/tutorial.md"
BLOCKS = blocks(PAGE)
EXERCISES = list(dict.fromkeys(block.heading for block in BLOCKS if is_exercise(block)))
pytestmark = pytest.mark.installs


def walk(place: Path) -> Walk:
    """Go through the page from its beginning, as somebody does who has gone through it before or has not."""
    walked = Walk(place)
    try:
        for block in BLOCKS:
            if not is_exercise(block):
                walked.do(block)
    except BaseException:
        walked.close()
        raise
    return walked


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """At the end of the page, with the house open that it opens."""
    place = tmp_path_factory.mktemp("tutorial")
    if SOAK:
        walk(place).close()
    with closing(walk(place)) as done:
        yield done


def test_the_tutorial_can_be_walked_and_its_world_is_found_as_a_plug_in(walked: Walk) -> None:
    assert walked.type("greenroom worlds --json") == 0
    assert '"name":"little_light","package":"little_light","version":"0.1.0"' in walked.printed
    assert '"faces":["console"],"loads":true' in walked.printed
    with urlopen(walked.address) as home:
        assert "A little light" in home.read().decode()


def test_what_was_played_in_the_terminal_goes_on_in_the_browser(walked: Walk) -> None:
    found = find()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WANTED)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=sandbox)
        page = browser.new_page()
        page.goto(walked.address)
        _visit(page)
        browser.close()


def _visit(page: Page) -> None:
    page.get_by_role("button", name="Play A little light").click()
    page.wait_for_url("**/play/little_light?stream=little_light-1")
    log = page.get_by_role("log")
    expect(log).to_contain_text("You: My sister Edith mends nets in Innisbeg.", timeout=20_000)
    page.get_by_label("Say something").fill("Do you ever sleep, keeper?")
    page.get_by_role("button", name="Say", exact=True).click()
    expect(log).to_contain_text("The keeper: 5 words. Sit down; there is soup.", timeout=20_000)
    expect(page.get_by_text("Why did she say that?").last).to_be_visible()


@pytest.mark.parametrize("heading", EXERCISES)
def test_an_exercise_does_what_the_page_says(walked: Walk, heading: str, tmp_path: Path) -> None:
    """In a copy: the files as they are at the end, with what the exercise changes."""
    copy = walked.copied(tmp_path / "light")
    mine = [block for block in BLOCKS if block.heading == heading]
    assert [block.language for block in mine][-2:] == ["sh", "text"]
    for block in mine[:-2]:
        copy.do(block)
    status = copy.type(mine[-2].text)
    copy.look_for(mine[-1].text)
    assert (status != 0) == (heading == "Exercise: break it")


def test_every_file_of_the_tutorial_is_named_where_it_is_written() -> None:
    written = [block for block in BLOCKS if block.language in ("python", "toml", "diff")]
    assert [block.text for block in written if block.file is None] == []
    assert {block.file for block in written} == {
        "little_light/rules.py",
        "little_light/outside.py",
        "little_light/faces.py",
        "little_light/__init__.py",
        "pyproject.toml",
        "test_little_light.py",
    }


def test_a_block_knows_its_heading_and_a_comment_in_it_is_none() -> None:
    first = BLOCKS[0]
    assert first == Block("Before you begin", "sh", "mkdir -p light/little_light\ncd light\n")
    assert {"1. State: what is true now", "11. A plug-in"} <= {block.heading for block in BLOCKS}
