"""Secret AGI in a browser: played by a person, looked at from other seats, wound back, and played on differently."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLong

from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games
from greenroom.worlds.secret_agi.rules.commands import GameConfig, SeatConfig
from greenroom.worlds.secret_agi.rules.state import Game
from tests.console.conftest import Open
from tests.console.served import Served

WORLD = "/play/secret_agi"
#: Clicks within which a game of five is over.
MOST_CLICKS = 150
#: Milliseconds within which a press has been taken, or the button is no longer the one that was looked at.
SOON = 5000
SEED = 987_654_321_012_345


def laid(name: str, *agents: str) -> Callable[[House], Awaitable[str]]:
    """A table of these agents, each with a mark that nobody may see."""

    async def begun(house: House) -> str:
        seats = tuple(
            SeatConfig(player_id=f"player_{i + 1}", agent_type=agent, agent_config={"label": f"mark of seat {i + 1}"})
            for i, agent in enumerate(agents)
        )
        config = GameConfig(player_count=len(seats), seats=seats, seed=SEED, decision_seconds=0)
        return await games.create_game(house, config, name=name, seed=11)

    return begun


def state_of(name: str) -> Callable[[House], Awaitable[Game]]:
    async def looked(house: House) -> Game:
        found: Game = (await house.states.now(name)).state
        return found

    return looked


def at_rest(page: Page) -> None:
    """Until it is this person's turn, or over."""
    expect(page.locator(".deeds .lead, .deeds textarea").first).to_be_visible()


def move(page: Page) -> bool:
    """Do the first thing that is offered; whether the game goes on."""
    for _ in range(4):  # on a busy machine the game may just have gone on under the finger: then look again
        at_rest(page)
        if page.get_by_role("link", name="Play another").is_visible():
            return False
        where = page.locator(".scrub-where").inner_text()
        with suppress(TooLong):
            press(page)
            page.locator(".scrub-where").filter(has_not_text=where).wait_for(timeout=SOON)
            return True
    raise AssertionError("the game does not go on")


def press(page: Page) -> None:
    speech = page.locator(".deeds textarea")
    if speech.count():
        speech.fill("I published what I had to publish.", timeout=SOON)
        page.get_by_role("button", name="Say", exact=True).click(timeout=SOON)
    else:
        page.locator(".deeds .others .button").first.click(timeout=SOON)


def test_a_person_lays_a_table_sits_down_and_plays_to_the_end(open_page: Open, pictures: Path | None) -> None:
    page = open_page(WORLD)
    page.locator("select[name=players]").select_option("5")
    page.locator("select[name=rules]").select_option("classic")  # the shorter game
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play/secret_agi?stream=secret_agi-*")
    expect(page.locator(".agi-seat")).to_have_count(5)
    expect(page.locator(".agi-seat.you .agi-name")).to_contain_text("player_1")
    for k in range(MOST_CLICKS):
        if pictures is not None and k == 8:
            page.screenshot(path=pictures / "console-agi.png")
        if not move(page):
            break
    expect(page.locator(".agi-now")).to_contain_text("won:")
    expect(page.locator(".log .line.mine").first).to_contain_text("I published what I had to publish.")
    expect(page.locator(".log .happened.ended")).to_have_count(1)
    expect(page.get_by_role("meter")).to_have_count(2)
    expect(page.locator(".agi-vote").first).to_be_visible()


def test_a_person_slows_the_telling_down_and_leaves_the_seat_to_a_bot(open_page: Open, served: Served) -> None:
    name = served.ask(laid("paced", "HumanPlayer", *["StrongPlayer"] * 4))
    page = open_page(f"{WORLD}?stream={name}")
    at_rest(page)
    page.locator("select[name=pace]").select_option("3")
    press(page)
    rest = page.get_by_role("button", name="Tell me the rest at once")
    rest.click()
    expect(rest).to_have_count(0)
    page.locator("select[name=pace]").select_option("0")
    page.get_by_role("button", name="Let a bot take my seat").click()
    expect(page.locator(".agi-now")).to_contain_text("won:")
    expect(page.locator(".agi-role.unknown")).to_have_count(0)


def test_a_game_is_wound_back_and_played_on_with_others(open_page: Open, served: Served) -> None:
    name = served.ask(laid("wound back", *["RandomPlayer"] * 6))
    page = open_page(f"{WORLD}?stream={name}")
    expect(page.locator(".agi-now")).to_contain_text("won:")
    end = page.locator(".scrub-where").inner_text()
    slider = page.get_by_role("slider", name="Turn")
    slider.fill("9")
    expect(page.locator(".scrub-where")).to_contain_text("turn 9 of")
    expect(page.locator(".agi-now")).not_to_contain_text("won:")
    shown = page.locator(".log > :visible .when").all_inner_texts()
    assert max(int(turn) for turn in shown if turn.isdigit()) <= 9
    page.get_by_role("button", name="One turn forward").click()
    expect(page.locator(".scrub-where")).to_contain_text("turn 10 of")
    page.get_by_text("What if").click()
    page.locator("select[name=agent]").select_option("heuristic")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(re.compile("stream=wound\\+back~11"))
    expect(page.locator(".agi-now")).to_contain_text("won:")
    again = open_page(f"{WORLD}?stream={name}")
    expect(again.locator(".scrub-where")).to_have_text(end)


def test_a_person_takes_a_seat_over_in_a_branch(open_page: Open, served: Served) -> None:
    name = served.ask(laid("taken over", *["RandomPlayer"] * 5))
    page = open_page(f"{WORLD}?stream={name}")
    page.get_by_role("slider", name="Turn").fill("4")
    page.get_by_text("What if").click()
    page.locator("select[name=who]").select_option("player_3")
    page.locator("select[name=agent]").select_option("human")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(re.compile("seat=player_3"))
    assert move(page)


def everything(open_page: Open, address: str) -> str:
    """All that reaches a browser: the page as it was sent, as it stands, and what came later."""
    page = open_page(None)
    parts: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: parts.append(str(frame))))
    page.on("response", lambda got: parts.append(got.text()) if "/play/" in got.url else None)
    page.goto(address)
    expect(page.locator(".agi-seat").first).to_be_visible()
    for label in ("One turn back", "One turn back", "One turn forward"):
        where = page.locator(".scrub-where").inner_text()
        page.get_by_role("button", name=label).click()
        expect(page.locator(".scrub-where")).not_to_have_text(where)
    return "\n".join((*parts, page.content()))


def test_a_page_as_seen_by_a_seat_holds_nothing_that_the_seat_may_not_know(open_page: Open, served: Served) -> None:
    name = served.ask(laid("sealed", "HumanPlayer", "HeuristicPlayer", "RandomPlayer", "HumanPlayer", "HumanPlayer"))
    game = served.ask(state_of(name))
    viewer = next(p.id for p in game.players if p.role == "Safety")
    seen = everything(open_page, f"{served.address}{WORLD}?stream={name}&seat={viewer}")
    seen = without_rules(seen)
    secrets = ("Accelerationist", "HeuristicPlayer", "RandomPlayer", "mark of seat", str(SEED))
    assert [secret for secret in secrets if secret in seen] == []
    assert "Safety" in seen
    told = everything(open_page, f"{served.address}{WORLD}?stream={name}&seat=operator")  # or the check could not fail
    assert "Accelerationist" in without_rules(told)


def without_rules(seen: str) -> str:
    """A page without what its rules say of roles, which everybody may read."""
    return seen.replace("one Accelerationist and", "").replace("The Accelerationists and", "")


def test_a_person_reads_the_rules_asks_on_a_telephone_and_is_answered(open_page: Open, pictures: Path | None) -> None:
    page = open_page(WORLD, width=390)
    page.locator("select[name=players]").select_option("5")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play/secret_agi?stream=secret_agi-*")
    page.locator(".agi-guide summary").click()
    expect(page.locator(".agi-guide li").first).to_contain_text("Look at your role first")
    page.locator(".agi-guide summary").click()
    for _ in range(12):
        at_rest(page)
        if page.locator(".deeds textarea").count():
            break
        move(page)
    page.locator(".deeds textarea").fill("player_3, whom do you suspect?")
    page.get_by_role("button", name="Say", exact=True).click(timeout=SOON)
    expect(page.locator(".log .line.mine").last).to_contain_text("whom do you suspect?")
    for _ in range(4):
        if page.locator(".log .line.hers", has_text="player_").count():
            break
        move(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if pictures is not None:
        page.screenshot(path=pictures / "console-agi-phone.png")


def test_the_page_fits_a_telephone_in_light_and_dark(open_page: Open, served: Served) -> None:
    name = served.ask(laid("narrow", *["RandomPlayer"] * 10))
    page = open_page(f"{WORLD}?stream={name}", width=390)
    expect(page.locator(".agi-seat")).to_have_count(10)
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        expect(page.locator("html")).to_have_attribute("data-theme", colours)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
