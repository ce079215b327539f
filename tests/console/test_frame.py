"""What stands around the pages: what is not there, searches in the address, and two branches side by side."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from greenroom.entrypoints.console.home import columns
from greenroom.services.house import House
from tests.console.conftest import Open
from tests.console.served import Served, visit


def test_a_page_that_is_not_there_leads_home(open_page: Open, served: Served) -> None:
    page = open_page(None)
    answer = page.goto(f"{served.address}/nowhere/at/all")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    page.get_by_role("link", name="Go home").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Stories that remember")


def test_a_program_is_told_in_its_own_way_that_nothing_is_there(served: Served) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{served.address}/nowhere/at/all", timeout=20)
    with refused.value as answer:
        assert (answer.status, answer.headers["content-type"]) == (404, "application/problem+json")
        told = json.load(answer)
    assert (told["type"], told["status"]) == ("urn:greenroom:Unknown", 404)
    assert "/nowhere/at/all" in told["detail"]


@pytest.mark.parametrize("path", ["/_nicegui/none", "/console/static/none", "/console/worlds/none"])
def test_for_a_file_that_is_not_there_no_page_is_made_and_kept(served: Served, path: str) -> None:
    asked = urllib.request.Request(f"{served.address}{path}", headers={"Accept": "text/html"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked, timeout=20)
    with refused.value as answer:
        assert (answer.status, answer.headers["content-type"]) == (404, "application/problem+json")


def test_a_search_of_memories_is_in_the_address(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(owner="seeker", name="searched", says=("My sister sails to Innisbeg.",)))
    page = open_page(f"/memory?stream={stream}")
    page.get_by_label("Question or words").fill("sister")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".hits")).to_contain_text("My sister sails")
    page.wait_for_url("**/memory?stream=searched&query=sister")
    page.reload()
    expect(page.locator(".hits")).to_contain_text("My sister sails")
    expect(page.get_by_label("Question or words")).to_have_value("sister")


async def _parted(house: House) -> str:
    begun: str = await visit(name="parted", says=("Good evening.", "How many steps are there?"))(house)
    await house.branch(begun, 2, name="parted~2")
    await visit_again(house, "parted~2")
    return begun


async def visit_again(house: House, stream: str) -> None:
    await house.send(stream, house.codec("lighthouse").command_from("climb", {}), seat="visitor")


def test_two_branches_stand_side_by_side_from_where_they_part(served: Served, open_page: Open) -> None:
    served.ask(_parted)
    page = open_page("/stream?stream=parted")
    page.get_by_role("link", name="Compare parted~2 with parted").click()
    expect(page.get_by_text("Both have versions 1 to 2 in common")).to_be_visible()
    one, other = (
        page.get_by_label("What happened in parted", exact=True),
        page.get_by_label("What happened in parted~2"),
    )
    expect(one).to_contain_text("How many steps are there?")
    expect(other).not_to_contain_text("How many steps are there?")
    page.get_by_label("Right").select_option("parted")
    page.wait_for_url("**/compare?left=parted&right=parted")
    expect(page.get_by_text("Both stand the same.").first).to_be_visible()


def test_strangers_are_not_compared(served: Served, open_page: Open) -> None:
    served.ask(visit(name="one-family"))
    served.ask(visit(name="another-family"))
    page = open_page("/compare?left=one-family&right=another-family")
    expect(page.get_by_text("do not come from the same stream")).to_be_visible()


def test_the_language_is_told(open_page: Open) -> None:
    expect(open_page("/").locator("html")).to_have_attribute("lang", "en-US")


@pytest.mark.parametrize(("cards", "wide"), [(1, 3), (2, 2), (3, 3), (4, 4), (5, 3), (6, 3), (8, 4), (9, 3)])
def test_cards_stand_in_even_rows(cards: int, wide: int) -> None:
    assert columns(cards) == wide
