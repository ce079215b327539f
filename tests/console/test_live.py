"""Two browsers on one stream, and connections that break: the same on every page, nothing lost, nothing twice."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.console.conftest import Open
from tests.console.served import Cable, Served, visit
from tests.counts import count, report

SAY = re.compile("^Say something to")
ROUNDS = count(3, soak=40)
#: Two browsers see the same within this many seconds.
AT_ONCE = 1.0
#: Milliseconds within which a page is back: the longer it was cut off, the later it tries again, up to 7.5 seconds.
BACK = 20_000


def play(stream: str) -> str:
    return f"/play/lighthouse?stream={stream}"


def type_and_send(page: Page, words: str) -> None:
    page.get_by_label(SAY).fill(words)
    page.get_by_label(SAY).press("Enter")


def lines(page: Page) -> list[str]:
    return [line.strip() for line in page.locator(".log .words").all_inner_texts()]


def test_two_browsers_on_one_stream_see_the_same_within_a_second(served: Served, open_page: Open) -> None:
    stream = served.ask(visit())
    one, other = open_page(play(stream)), open_page(play(stream))
    expect(other.locator(".happened")).to_have_count(1)
    slowest = 0.0
    for i in range(ROUNDS):
        type_and_send(one, f"Number {i}.")
        expect(one.locator(".line.hers")).to_have_count(i + 1)
        seen = time.monotonic()
        expect(other.locator(".line.hers")).to_have_count(i + 1)
        slowest = max(slowest, time.monotonic() - seen)
    assert lines(one) == lines(other)
    report(
        f"console: two browsers, {ROUNDS} lines: the second saw each at most {slowest * 1000:.0f} ms after the first"
    )
    assert slowest <= AT_ONCE


def test_what_another_process_does_is_on_the_page_within_a_second(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(name="elsewhere"))
    page = open_page(play(stream))
    expect(page.locator(".happened")).to_have_count(1)
    served.ask(visit(name="elsewhere", says=("I speak from another program.",)))
    written = time.monotonic()
    expect(page.locator(".line.hers")).to_have_count(1)
    assert time.monotonic() - written <= AT_ONCE


def connected(page: Page) -> Page:
    """A page is shown before its connection stands; from here on there is one to cut."""
    page.wait_for_function("window.socket?.connected")
    return page


def over(cable: Cable, served: Served, open_page: Open, name: str) -> Page:
    """A visit that has begun, looked at over a cable."""
    page = open_page(play(served.ask(visit(name=name))), at=cable.address)
    expect(page.locator(".happened")).to_have_count(1)
    return connected(page)


def test_a_cut_connection_comes_back_without_loss_or_doubles(served: Served, cable: Cable, open_page: Open) -> None:
    stream = served.ask(visit(name="cut"))
    near, far = open_page(play(stream)), open_page(play(stream), at=cable.address)
    type_and_send(near, "Before the cut.")
    expect(far.locator(".line.hers")).to_have_count(1)
    cable.cut()
    type_and_send(near, "While it is cut.")
    expect(near.locator(".line.hers")).to_have_count(2)
    cable.mend()
    expect(far.locator(".line.hers")).to_have_count(2, timeout=BACK)
    type_and_send(near, "After the cut.")
    expect(far.locator(".line.hers")).to_have_count(3)
    assert lines(far) == lines(near)


def test_what_is_sent_into_a_cut_connection_is_done_once(served: Served, cable: Cable, open_page: Open) -> None:
    page = over(cable, served, open_page, "into-the-cut")
    cable.cut()
    type_and_send(page, "Can you hear me?")
    page.get_by_role("button", name="Say", exact=True).click()  # nobody trusts a silent page
    cable.mend()
    expect(page.locator(".line.hers")).to_have_count(1, timeout=BACK)
    expect(page.get_by_label(SAY)).to_have_value("")
    type_and_send(page, "And now?")  # comes after all that was sent before, and so would a second answer
    expect(page.locator(".line.mine").last).to_contain_text("And now?")
    expect(page.locator(".line.hers")).to_have_count(2)
    assert lines(page).count("Can you hear me?") == 1


def test_what_is_sent_before_there_is_a_connection_waits_for_one(served: Served, open_page: Open) -> None:
    page = connected(open_page(play(served.ask(visit(name="early")))))
    expect(page.locator(".happened")).to_have_count(1)
    page.evaluate("[window.held, window.socket] = [window.socket, undefined]")
    type_and_send(page, "Am I early?")
    page.get_by_role("button", name="Say", exact=True).click()
    page.evaluate("window.socket = window.held")
    expect(page.locator(".line.hers")).to_have_count(1)
    expect(page.get_by_label(SAY)).to_have_value("")
    assert lines(page).count("Am I early?") == 1


def test_what_went_out_on_a_dead_connection_is_done_when_the_next_one_stands(
    served: Served, cable: Cable, open_page: Open
) -> None:
    page = over(cable, served, open_page, "into-the-void")
    cable.silence()
    type_and_send(page, "Is this line dead?")
    expect(page.locator("form[data-sending]")).to_have_count(1)
    cable.cut()
    cable.mend()
    expect(page.locator(".line.hers")).to_have_count(1, timeout=BACK)
    expect(page.get_by_label(SAY)).to_have_value("")
    assert lines(page).count("Is this line dead?") == 1


def test_what_was_done_but_never_confirmed_is_not_done_again(served: Served, cable: Cable, open_page: Open) -> None:
    stream = served.ask(visit(name="unconfirmed"))
    page, witness = connected(open_page(play(stream), at=cable.address)), open_page(play(stream))
    expect(page.locator(".happened")).to_have_count(1)
    cable.deafen()
    type_and_send(page, "Did you get this?")
    expect(witness.locator(".line.hers")).to_have_count(1)
    cable.cut()
    cable.mend()
    page.reload()
    expect(page.get_by_label(SAY)).to_have_value("Did you get this?")
    page.get_by_label(SAY).press("Enter")  # as anybody would who never saw an answer
    expect(page.get_by_label(SAY)).to_have_value("")
    assert lines(page).count("Did you get this?") == 1
    assert lines(page) == lines(witness)


def test_after_a_power_cut_the_page_is_whole_and_the_words_in_the_field_are_still_there(
    served: Served, open_page: Open
) -> None:
    stream = served.ask(visit(name="power-cut"))
    page = open_page(play(stream))
    type_and_send(page, "Before the lights went out.")
    expect(page.locator(".line.hers")).to_have_count(1)
    said = lines(page)
    page.get_by_label(SAY).press_sequentially("Half a sent")
    served.kill()
    served.start_again()
    expect(page.locator("#popup")).to_be_hidden()
    expect(page.get_by_label(SAY)).to_have_value("Half a sent", timeout=20_000)
    assert lines(page) == said
    page.get_by_label(SAY).press_sequentially("ence.")
    page.get_by_label(SAY).press("Enter")
    expect(page.locator(".line.hers")).to_have_count(2, timeout=20_000)
    assert lines(page)[:-1] == [*said, "Half a sentence."]


def test_what_somebody_types_stays_while_others_speak(served: Served, open_page: Open) -> None:
    stream = served.ask(visit())
    one, other = open_page(play(stream)), open_page(play(stream))
    other.get_by_label(SAY).press_sequentially("I am still thi")
    type_and_send(one, "I am quicker.")
    expect(other.locator(".line.hers")).to_have_count(1)
    other.get_by_label(SAY).press_sequentially("nking.")
    assert other.get_by_label(SAY).input_value() == "I am still thinking."


def test_the_stream_page_follows_its_end_and_stays_where_somebody_looks_back(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(name="followed", says=("One.", "Two.")))
    end, back = open_page(f"/stream?stream={stream}"), open_page(f"/stream?stream={stream}&at=2")
    expect(back.get_by_text("Version 2 of 3")).to_be_visible()
    served.ask(visit(name="followed", says=("Three.",)))
    expect(end.get_by_text("Version 4 of 4")).to_be_visible()
    expect(end.get_by_role("slider")).to_have_value("4")
    expect(back.get_by_text("Version 2 of 4")).to_be_visible()
    expect(back.get_by_role("slider")).to_have_value("2")
