"""The arena in a browser: a run is begun, followed and read, and an agent that waits is let in."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from greenroom.services.house import House
from greenroom.worlds.arena.faces.app import runs
from greenroom.worlds.arena.rules import NAME, acceptance
from greenroom.worlds.arena.rules.run import RunConfig
from tests.console.conftest import Open
from tests.console.served import Served

STALE = RunConfig(
    scenario="harbour",
    generations=6,
    seed=3,
    epoch=4,
    islands=1,
    held_out=2,
    proof=4,
    # A rule that accepts nothing: an agent is designed in the fifth generation.
    rule=acceptance.Rule(short=2, looks=(3, 4, 5, 6), last_word=2, delta=9.0),
)


async def stale(house: House) -> str:
    await house.start(NAME, STALE, name="stale run", seed=1, owner=runs.OWNER)
    await runs.drive(house, "stale run", lambda *_: None)
    return "stale run"


def test_a_run_is_begun_and_followed_to_its_proof(open_page: Open, pictures: Path | None) -> None:
    page = open_page("/play/arena")
    page.locator("select[name=scenario]").select_option("contract")
    page.locator("input[name=generations]").fill("2")
    page.get_by_role("button", name="Evolve").click()
    page.wait_for_url("**/play/arena?stream=arena-contract-2g-7")
    expect(page.locator(".arena-head")).to_contain_text("Margin on opponents it never met", timeout=60_000)
    expect(page.locator("svg.scores .line.training")).to_have_count(1)
    expect(page.locator("svg.scores .line.held_out")).to_have_count(1)
    expect(page.locator(".arena-table tr")).to_have_count(1 + 6)
    expect(page.locator("svg.heat .cell").first).to_be_visible()
    expect(page.locator(".arena-tree")).to_contain_text("the baseline")
    if pictures is not None:
        page.screenshot(path=pictures / "console-arena.png")


def test_an_agent_that_waits_is_approved_and_a_lost_episode_is_read_with_its_thoughts(
    open_page: Open, served: Served
) -> None:
    name = served.ask(stale)
    page = open_page(f"/play/arena?stream={name}")
    agent = page.locator(".arena-agent")
    expect(agent).to_have_count(1)
    agent.get_by_role("button", name="Approve").click()
    expect(page.locator(".arena-agent")).to_have_count(0)
    page.locator(".arena-failures button").first.click()
    expect(page.locator(".arena-line.turn_taken").first).to_contain_text("(")
    expect(page.locator(".arena-line.ended")).to_have_count(1)
