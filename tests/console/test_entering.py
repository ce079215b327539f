"""Who comes from elsewhere shows a ticket first, and then everything works."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.console.conftest import Open
from tests.console.served import Served, visit

#: Whoever sends this header has somebody between himself and the server.
PROXY = {"X-Forwarded-For": "203.0.113.7"}


def test_behind_a_proxy_the_pages_ask_for_the_ticket_and_work_with_it(open_page: Open, served: Served) -> None:
    stream = served.ask(visit(name="from-afar"))
    page = open_page(f"/play/lighthouse?stream={stream}", headers=PROXY)
    expect(page).to_have_url(re.compile("/enter"))
    page.get_by_label("Ticket").fill("greenroom-not-this-one")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_text("does not know that ticket")).to_be_visible()
    page.get_by_label("Ticket").fill(served.ticket)
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("heading", name="Stories that remember")).to_be_visible()
    page.goto(f"{served.address}/play/lighthouse?stream={stream}")
    page.get_by_role("button", name="Climb the stairs").click()
    expect(page.locator(".happened")).to_have_count(2)
    page.get_by_role("button", name="Leave: this browser forgets your ticket").click()
    expect(page).to_have_url(re.compile("/enter"))
    page.goto(served.address)
    expect(page).to_have_url(re.compile("/enter"))
