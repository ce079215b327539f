"""Realms in a real browser: link a repository, watch its agents, steer a process, wind back, branch."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER, Settings
from tests.console.conftest import Open
from tests.console.served import Served
from tests.console.test_phantom import fits, kept
from tests.worlds.realms.repositories import harbour


def linked(open_page: Open, place: Path, **look: object) -> Page:
    """The page of a realm that was linked from the lobby."""
    page = open_page("/play/realms", **look)
    page.get_by_label("Folder on this machine, or an address").fill(str(harbour(place)))
    page.get_by_role("button", name="Link it").click()
    expect(page.get_by_role("heading", name=place.name, exact=True)).to_be_visible()
    return page


def test_a_repository_is_linked_and_its_agents_pin_up_what_is_true_of_it(
    open_page: Open, tmp_path: Path, pictures: Path | None
) -> None:
    page = linked(open_page, tmp_path / "harbour")
    board = page.get_by_label("Findings")
    expect(board).to_contain_text("harbour/ghost.py:1: nothing here imports this module or names it")
    expect(page.get_by_label("Room harbour, 6 files")).to_be_visible()
    expect(page.locator(".walker").first).to_be_visible()
    expect(page.get_by_label("What happened")).to_contain_text("reads")
    kept(page, pictures, "realms-visit")


def test_a_person_approves_each_stage_says_something_and_skips(
    open_page: Open, tmp_path: Path, pictures: Path | None
) -> None:
    page = linked(open_page, tmp_path / "pier")
    page.get_by_label("A question to think about").fill("What should be mended first?")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".stages")).to_contain_text("waits for you")
    page.get_by_label("Say to all, or give another goal").fill("Think of the winter.")
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.get_by_label("What happened")).to_contain_text("Think of the winter.")
    page.get_by_role("button", name="Approve").click()
    expect(page.locator('[aria-current="step"]')).to_have_text("critique")
    page.get_by_role("button", name="Skip the stage").click()
    expect(page.locator('[aria-current="step"]')).to_have_text("synthesis")
    expect(page.locator(".stages")).to_contain_text("waits for you")
    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".stages")).to_contain_text("done")
    page.get_by_text("synthesis: proposal").click()
    kept(page, pictures, "realms-process")


def test_the_slider_shows_the_visit_as_it_was_and_a_branch_goes_on_from_there(open_page: Open, tmp_path: Path) -> None:
    page = linked(open_page, tmp_path / "quay")
    expect(page.get_by_label("Findings")).to_contain_text("ghost.py")
    slider = page.get_by_label("Version of this visit")
    slider.focus()
    slider.fill("1")
    expect(page.locator(".visit-slider")).to_contain_text("version 1 of")
    expect(page.get_by_label("Findings")).to_contain_text("Nothing yet.")
    page.get_by_role("button", name="Branch here").click()
    expect(page.get_by_role("heading", name="quay", exact=True)).to_be_visible()


def test_a_realm_is_usable_on_a_phone(open_page: Open, tmp_path: Path, pictures: Path | None) -> None:
    page = linked(open_page, tmp_path / "jetty", width=390)
    expect(page.get_by_label("Findings")).to_contain_text("ghost.py")
    assert fits(page)
    kept(page, pictures, "realms-phone")


def test_what_cannot_be_linked_is_said_in_a_sentence(open_page: Open, tmp_path: Path) -> None:
    page = open_page("/play/realms")
    page.get_by_label("Folder on this machine, or an address").fill(str(tmp_path / "nowhere"))
    page.get_by_role("button", name="Link it").click()
    expect(page.get_by_role("status").first).to_contain_text("There is no such folder")


def test_what_another_copy_of_the_repository_knows_is_taken_over_in_one_click(open_page: Open, tmp_path: Path) -> None:
    first = linked(open_page, tmp_path / "mole")
    expect(first.get_by_label("Findings")).to_contain_text("ghost.py")
    page = open_page("/play/realms")
    page.get_by_label("Folder on this machine, or an address").fill(f"file://{tmp_path / 'mole'}")
    page.get_by_role("button", name="Link it").click()
    expect(page.locator(".visit-kin")).to_contain_text("another copy of this repository")
    page.get_by_role("button", name="Take over what they know").first.click()
    expect(page.get_by_label("What happened")).to_contain_text("is known here")


# what a person decides about

#: Done by an agent from outside, one after the other.
DEEDS = (
    {"action": "propose_edit", "path": "main.py", "before": "    reel()", "after": "    reel()  # mended"},
    {"action": "propose_edit", "path": "main.py", "before": "    reel()", "after": "    reel()  # worse"},
    {"action": "request_permission", "title": "Run the tests", "kind": "execute"},
)


def wants(place: Path) -> Callable[[House], Awaitable[str]]:
    """A realm in which an agent from outside has proposed edits and waits for a permission."""

    async def waits(house: House) -> str:
        given = Settings(max_agents=6, permission="write-with-approval")
        stream = (await app.link(house, str(harbour(place)), settings=given)).stream
        await house.send(stream, c.SeatAgent(agent="afar", name="A guest", role="mason", seconds=600), seat=PLAYER)
        heard = -1
        while (await app.state_of(house, stream)).seat("afar") != "asked":
            heard = await house.changed(0.5, heard)
        for deed in DEEDS:
            await house.send(stream, c.Act(action=Words(json.dumps(deed))), seat="afar")
        return stream

    return waits


def test_edits_are_applied_and_rejected_and_a_permission_is_given_by_pressing_a_button(
    open_page: Open, served: Served, tmp_path: Path, pictures: Path | None
) -> None:
    stream = served.ask(wants(tmp_path / "dyke"))
    page = open_page(f"/play/realms?stream={stream}", width=390)
    edits = page.get_by_label("A guest proposes an edit of main.py")
    expect(edits).to_have_count(2)
    expect(edits.first).to_contain_text("+    reel()  # mended")
    assert fits(page)
    kept(page, pictures, "realms-decisions")
    edits.first.get_by_role("button", name="Apply it").click()
    expect(edits).to_have_count(1)
    edits.get_by_role("button", name="Reject").click()
    expect(edits).to_have_count(0)
    assert "    reel()  # mended\n" in (tmp_path / "dyke" / "main.py").read_text()
    asked = page.get_by_label("A guest asks to do this outside the house: Run the tests")
    asked.get_by_role("button", name="Allow it").click()
    expect(asked).to_have_count(0)
    (request,) = served.ask(lambda house: app.state_of(house, stream)).requests
    assert request.status == "allowed"
