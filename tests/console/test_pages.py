"""What each page shows and does."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.sync_api import expect

import greenroom
from greenroom.entrypoints.console.worlds import pages_of
from greenroom.journal.records import Lease, Settlement
from greenroom.services.house import House
from greenroom.services.operations import overlook
from greenroom.services.requests import recorded
from greenroom.services.states import codec_of
from greenroom.worlds.lighthouse.rules.commands import Say, Write
from tests.console.conftest import Open
from tests.console.served import Served, visit
from tests.houses import HOUSES

# home and streams


def test_home_says_who_speaks_what_it_cost_and_what_is_going_on(served: Served, open_page: Open) -> None:
    served.ask(visit(name="going-on"))
    page = open_page("/")
    expect(page.get_by_text("The understudy", exact=True)).to_be_visible()
    # the understudy costs nothing; what agents of other tests brought may have no known price
    expect(page.locator(".home-fact", has_text="Spent today")).to_contain_text(re.compile(r"\$0|unknown"))
    expect(page.get_by_role("link", name="going-on", exact=True)).to_be_visible()
    card = page.get_by_role("article", name="Sallow Rock Light")
    expect(card).to_contain_text("Played by the understudy")


def test_a_seat_that_nobody_has_is_not_there(served: Served, open_page: Open) -> None:
    served.ask(visit(name="seats"))
    page = open_page(None)
    for seat, status in (("unknown", 404), ("visitor", 200), ("operator", 200)):
        answer = page.goto(f"{served.address}/play/lighthouse?stream=seats&seat={seat}")
        assert answer is not None
        assert answer.status == status, seat


def test_every_world_that_people_begin_has_a_card(served: Served, open_page: Open) -> None:
    async def worlds(house: House) -> list[str]:
        return sorted(page.world for page in pages_of(house).values() if page.card)

    page = open_page("/")
    expect(page.locator(".world-card")).to_have_count(len(served.ask(worlds)))


def test_streams_are_listed_by_world_and_owner(served: Served, open_page: Open) -> None:
    served.ask(visit(owner="grace", name="of-grace"))
    served.ask(visit(owner="heinz", name="of-heinz"))
    page = open_page("/browse?world=lighthouse&owner=grace")
    expect(page.get_by_role("link", name="of-grace", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="of-heinz", exact=True)).to_have_count(0)
    page.get_by_label("Owner").fill("heinz")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="of-heinz", exact=True)).to_be_visible()


def test_a_stream_that_is_not_there_is_said_in_a_sentence(served: Served, open_page: Open) -> None:
    page = open_page(None)
    answer = page.goto(f"{served.address}/stream?stream=nowhere")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_text("nowhere")).to_be_visible()
    expect(page.get_by_role("link", name="Go home")).to_be_visible()


def test_an_address_that_makes_no_sense_is_said_in_a_sentence(served: Served, open_page: Open) -> None:
    page = open_page("/stream")
    expect(page.get_by_text("names no stream")).to_be_visible()
    page.goto(f"{served.address}/why?stream=x&version=minus")
    expect(page.get_by_text("whole number")).to_be_visible()


def test_names_with_slashes_blanks_and_question_marks_have_pages(served: Served, open_page: Open) -> None:
    name = "a/b c?d=e&f#g%41 „ü“ ../.."
    served.ask(visit(name=name, says=("Hello.",)))
    page = open_page("/browse")
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_role("link", name="Play on").click()
    expect(page.locator(".line.hers")).to_have_count(1)


# the lighthouse


def test_a_refusal_is_said_and_the_words_stay_in_the_field(served: Served, open_page: Open) -> None:
    page = open_page(f"/play/lighthouse?stream={served.ask(visit())}")
    field = page.get_by_label(re.compile("^Say something to"))
    field.fill("   ")
    field.press("Enter")
    expect(page.get_by_role("status").filter(has_text="a thing said has 1 to 500 characters")).to_be_visible()
    expect(field).to_have_value("   ")
    expect(page.locator(".line")).to_have_count(0)


def test_stairs_a_letter_and_the_way_home(served: Served, open_page: Open) -> None:
    page = open_page(f"/play/lighthouse?stream={served.ask(visit())}")
    page.get_by_role("button", name="Climb the stairs").click()
    expect(page.locator(".happened")).to_have_count(2)
    page.get_by_text("Write a letter").click()
    letter = page.get_by_role("form", name="A letter")
    letter.get_by_label("To").fill("the harbour")
    letter.get_by_label("Words").fill("I am dry.")
    letter.get_by_role("button", name="Give it to her").click()
    expect(page.locator(".happened").last).to_contain_text("takes your letter")
    page.get_by_role("button", name="Row home").click()
    expect(page.get_by_text("You rowed home.")).to_be_visible()
    expect(page.get_by_role("button", name="Climb the stairs")).to_be_hidden()


# one stream


def test_the_slider_shows_the_state_at_that_moment_and_what_changed(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(says=("First words.", "Second words.", "Third words.")))
    page = open_page(f"/stream?stream={stream}")
    page.get_by_role("slider").fill("3")
    expect(page.get_by_text("Version 3 of 4")).to_be_visible()
    expect(page.locator(".state .changed", has_text="Second words.").first).to_be_visible()
    expect(page.locator(".state")).not_to_contain_text("Third words.")
    expect(page.locator(".moment-row.chosen")).to_contain_text("Second words.")
    expect(page).to_have_url(re.compile(r"at=3"))
    page.get_by_role("button", name="One version back").click()
    expect(page.get_by_text("Version 2 of 4")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value("2")
    page.get_by_role("button", name="Go to version 1").click()
    expect(page.get_by_text("Version 1 of 4")).to_be_visible()
    expect(page.locator(".state")).not_to_contain_text("First words.")


def test_a_seat_is_shown_what_it_may_see_and_no_more(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(says=("Good evening.",)))

    async def secret(house: House) -> str:
        return str((await house.view(stream, seat="keeper")).body["secret"])

    truth = served.ask(secret)
    page = open_page(f"/stream?stream={stream}")
    expect(page.locator(".state")).to_contain_text(truth)
    page.get_by_label("As seen by").select_option("visitor")
    expect(page.locator(".state")).not_to_contain_text(truth)
    expect(page.locator(".history")).not_to_contain_text(truth)
    expect(page.locator(".history")).to_contain_text("Good evening.")
    page.get_by_label("As seen by").select_option("somebody without a seat")
    expect(page.locator(".history")).not_to_contain_text("Good evening.")
    expect(page.locator(".history")).to_contain_text("This seat is shown nothing of it.")


def test_refused_attempts_stand_in_the_history(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(says=("Good evening.",)))

    async def refused(house: House) -> None:
        try:
            await house.send(stream, Say(text=greenroom.Words("x")), seat="keeper")
        except greenroom.Refused:
            return
        raise AssertionError("the keeper may not speak by herself")

    served.ask(refused)
    page = open_page(f"/stream?stream={stream}")
    row = page.locator(".moment-row", has_text="refused")
    expect(row).to_contain_text("keeper")
    expect(row).to_contain_text("attempt 3")


def test_verify_tells_of_damage(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(name="damaged", says=("One.", "Two.")))
    page = open_page(f"/stream?stream={stream}")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("Verified: 3 versions, all as they were written.")).to_be_visible()
    second = "version = 2 AND sid = (SELECT sid FROM streams WHERE name = 'damaged')"
    ((events,),) = HOUSES.execute(served.home, f"SELECT events FROM steps WHERE {second}")
    altered = events.replace(b"trust", b"thrust")
    HOUSES.execute(served.home, f"UPDATE steps SET events = $1 WHERE {second}", altered)
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict .bad").first).to_contain_text("version 2")

    async def forget(house: House) -> None:
        await house.backend.upkeep.remove([stream], now=house.now(), dry=False)

    served.ask(forget)


def test_export_gives_the_file_that_import_takes(served: Served, open_page: Open, tmp_path: Path) -> None:
    stream = served.ask(visit(name="carried", says=("One.",)))
    page = open_page(f"/stream?stream={stream}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    file = tmp_path / "carried.jsonl"
    download.value.save_as(file)
    assert download.value.suggested_filename == "carried.jsonl"
    assert json.loads(file.read_bytes().splitlines()[0])

    async def taken(house: House) -> int:
        async with greenroom.open(":memory:") as other:
            return (await other.import_(file.read_bytes().splitlines(keepends=True))).version

    assert served.ask(taken) == 2


# why


def test_why_says_so_where_no_model_was_asked(served: Served, open_page: Open) -> None:
    page = open_page(f"/why?stream={served.ask(visit())}&version=1")
    expect(page.get_by_text("No model was asked in this turn")).to_be_visible()


# memory


def test_memory_is_searched_within_one_owners_scope(served: Served, open_page: Open) -> None:
    served.ask(visit(owner="ada", name="of-ada", says=("My sister Edith mends nets.",)))
    served.ask(visit(owner="bob", name="of-bob", says=("My sister Agnes mends nets too.",)))
    page = open_page("/memory?stream=of-ada")
    page.get_by_label("Question or words").fill("who mends nets?")
    page.get_by_role("button", name="Search").click()
    hits = page.get_by_role("list", name="Memories found, best first").get_by_role("listitem")
    expect(hits.first).to_contain_text("sister Edith mends nets.")  # said, or said back
    expect(hits.first.locator(".score")).to_have_text(re.compile(r"^\d+\.\d{3}$"))
    expect(page.locator(".found")).not_to_contain_text("Agnes")
    expect(page.locator(".found")).to_contain_text("4 memories of ada in Sallow Rock Light")  # two lines, two facts
    facts = page.get_by_role("list", name="Facts, the most telling first").get_by_role("listitem")
    expect(facts.first).to_contain_text("name of sister: Edith")
    page.get_by_label("Heard by").select_option("visitor")
    expect(page.locator(".found")).to_contain_text("0 memories of ada in Sallow Rock Light, heard by visitor")


def test_forgetting_asks_twice_says_what_goes_and_does_it(served: Served, open_page: Open) -> None:
    served.ask(visit(owner="carol", name="of-carol", says=("Nobody must know.",)))
    played, looked_at = open_page("/play/lighthouse?stream=of-carol"), open_page("/stream?stream=of-carol")
    page = open_page("/memory?stream=of-carol")
    page.get_by_role("button", name="Forget carol …").click()
    expect(page.locator(".forget")).to_contain_text("This goes for good with carol: ")
    expect(page.locator(".going")).to_contain_text("of-carol")
    form = page.get_by_role("form", name="Forget for good")
    form.get_by_label("Type carol to go on").fill("caroline")
    form.get_by_role("button").click()
    expect(page.get_by_text("That is not the name; nothing was removed.")).to_be_visible()
    assert served.ask(_owned("carol")) == ["of-carol"]
    form.get_by_label("Type carol to go on").fill("carol")
    form.get_by_role("button").click()
    expect(page.get_by_text("carol is forgotten")).to_be_visible()
    assert served.ask(_owned("carol")) == []
    for elsewhere in (played, looked_at):
        expect(elsewhere.locator("#sayings")).to_contain_text("of-carol")
    page.goto(f"{served.address}/stream?stream=of-carol")
    expect(page.get_by_role("heading", name="That did not work")).to_be_visible()


def _owned(owner: str) -> Callable[[House], Awaitable[list[str]]]:
    async def names(house: House) -> list[str]:
        return [row.name for row in await house.backend.streams.list(owner=owner)]

    return names


# operations


def test_a_letter_is_held_and_approved(served: Served, open_page: Open) -> None:
    async def written(house: House) -> None:
        await house.start("lighthouse", name="writing", seat="visitor")
        await house.send("writing", Write(to="Aunt Vesla", text=greenroom.Words("I am dry.")), seat="visitor")

    served.ask(written)
    page = open_page("/operations")
    row = page.locator("li", has_text="Aunt Vesla")
    expect(row).to_contain_text("due")
    row.get_by_role("button", name="Hold the letter").click()
    expect(row.locator(".chip")).to_have_text("held")
    assert served.ask(_statuses) == ["held"]
    row.get_by_role("button", name="Approve the letter").click()
    expect(row.locator(".chip")).to_have_text("due")
    assert served.ask(_statuses) == ["due"]


async def _statuses(house: House) -> list[str]:
    return [letter.status for letter in await house.backend.outbox.list(stream="writing")]


def test_a_failed_attempt_is_tried_again(served: Served, open_page: Open) -> None:
    async def failing(house: House) -> None:
        await house.start("lighthouse", name="failing", seat="visitor")
        codec = codec_of(house.codecs, "lighthouse")
        command = Say(text=greenroom.Words("Does anybody hear me?"))
        recording = recorded(
            codec, command, stream="failing", key="k", seat="visitor", now=house.now(), secret=house.backend.secret
        )
        claim = (await house.backend.attempts.record(recording, house.engine.lease())).claim
        assert claim is not None
        given_up = Settlement(claim=claim, status="failed", error="the lamp oil ran out", now=house.now())
        await house.backend.history.settle(given_up)

    served.ask(failing)
    page = open_page("/operations")
    row = page.locator("li", has_text="the lamp oil ran out")
    expect(row).to_contain_text("attempt 2 of visitor")
    row.get_by_role("button", name="Try attempt 2 of failing again").click()
    expect(page.get_by_text("Done: stream failing is at version 2 now.")).to_be_visible()
    expect(row).to_contain_text("tried again: settled")
    expect(row.get_by_role("button")).to_have_count(0)

    async def said(house: House) -> str:
        return str((await house.view("failing", seat="visitor")).body["recent"][0]["words"])

    assert served.ask(said) == "Does anybody hear me?"


def test_operations_shows_what_is_due_what_was_asked_and_whether_all_is_well(served: Served, open_page: Open) -> None:
    served.ask(visit(name="due-soon", says=("Good evening.",)))

    async def earliest(house: House) -> str:
        return (await overlook(house)).due[0].name  # of this visit or of another test's

    stream = served.ask(earliest)
    page = open_page("/operations")
    expect(page.get_by_role("region", name="Due")).to_contain_text(stream[:20])
    expect(page.get_by_role("img", name="Asks of a model by day and world").locator("svg")).to_be_visible()
    page.get_by_text("The same as a table").click()
    expect(page.get_by_role("region", name="Spending").get_by_role("table")).to_contain_text("understudy")
    page.get_by_role("button", name="Check the database").click()
    # of all streams that other tests left in the house: more than a thousand where an arena was played
    expect(page.get_by_text(re.compile("^All is well: "))).to_be_visible(timeout=60_000)


def test_operations_shows_who_holds_a_stream(served: Served, open_page: Open) -> None:
    async def held(house: House) -> None:
        await house.start("lighthouse", name="held-fast", seat="visitor")
        codec = codec_of(house.codecs, "lighthouse")
        command = Say(text=greenroom.Words("Hold this."))
        recording = recorded(
            codec, command, stream="held-fast", key="h", seat="visitor", now=house.now(), secret=house.backend.secret
        )
        now = time.time_ns() // 1000
        lease = Lease(worker="a worker that died", wall=now, until=now + 3_000_000)
        assert (await house.backend.attempts.record(recording, lease)).claim is not None

    served.ask(held)
    page = open_page("/operations")
    expect(page.get_by_role("region", name="Queue")).to_contain_text("held-fast")
    expect(page.get_by_role("region", name="Workers and leases")).to_contain_text("a worker that died")
    # When the lease has ended, the server's own worker takes the stream.
    expect(page.get_by_role("region", name="Queue")).to_contain_text("Nothing waits.", timeout=20_000)
