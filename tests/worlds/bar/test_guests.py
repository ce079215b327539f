"""The guests' page and what it asks for, over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx

from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.settings import read_settings
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.faces.app.portraits import PORTRAITS
from greenroom.worlds.bar.rules import bar, bar_door
from greenroom.worlds.bar.rules.state import AGENTS
from tests.worlds.bar.stage import ADA, BEN, EVENING, MINUTE, served, shipped


async def visit(caller: httpx.AsyncClient, known: str = "") -> Any:
    answer = await caller.get("/bar/visit", params={"known": known})
    assert answer.status_code == 200
    return answer.json()


async def test_the_page_lets_a_browser_load_nothing_but_its_own_files() -> None:
    async with served() as (_, caller):
        page = await caller().get("/bar")
        policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert "<style" not in page.text
        assert "style=" not in page.text
        assert page.text.count("<script") == 1
        for name, kind in (("page.css", "text/css"), ("page.js", "text/javascript")):
            assert f"/bar/{name}" in page.text
            assert (await caller().get(f"/bar/{name}")).headers["content-type"].startswith(kind)


async def test_the_page_shows_all_six_and_says_who_speaks() -> None:
    async with served() as (_, caller):
        page = (await caller().get("/bar")).text
        assert all(PORTRAITS[agent] in page for agent in AGENTS)
        assert "The understudy speaks" in page
        assert "<!--" not in page


async def test_what_stands_in_the_content_is_words_and_never_markup() -> None:
    content = shipped()
    there = content.model_copy(update={"house": content.house.placed(town="<b>Holm</b> & Co", country="no")})
    async with open_house(":memory:", worlds=[bar(there), bar_door(there)], clock=EVENING) as house:
        app = create(house, read_settings())
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as caller:
            page = (await caller.get("/bar")).text
    assert "&lt;b&gt;Holm&lt;/b&gt; &amp; Co" in page
    assert "Kirkens SOS" in page


async def test_a_stranger_sees_a_door_and_a_guest_the_whole_session() -> None:
    async with served() as (_, caller):
        ada = caller()
        seen = await visit(ada)
        assert (seen["session"], seen["messages"], seen["sessions_left"]) == (None, [], 5)
        started = (await ada.post("/bar/session/start", json={})).json()
        said = {"session_id": started["session_id"], "content": "Good evening."}
        await ada.post("/bar/message", json=said)
        seen = await visit(ada)
        assert seen["session"] == (await ada.get(f"/bar/session/{started['session_id']}/status")).json()
        assert seen["messages"] == (await ada.get(f"/bar/session/{started['session_id']}/messages")).json()["messages"]
        assert [one["kind"] for one in seen["messages"]] == ["greeting", "message", "reply"]
        assert seen["sessions_left"] == 4


async def test_nobody_sees_anybody_elses_session() -> None:
    async with served() as (house, caller):
        await visits.enter(house, ADA, None, key="e")
        for cookies in ({}, {"bar_guest": BEN}, {"bar_guest": ADA[:18] + BEN[18:]}, {"bar_guest": "no id"}):
            other = caller()
            other.cookies.update(cookies)
            assert (await visit(other))["session"] is None


async def test_what_was_seen_already_is_not_told_again_until_something_happens() -> None:
    async with served() as (house, caller):
        ada = caller()
        nobody = await visit(ada)
        assert await visit(ada, nobody["mark"]) == {"mark": nobody["mark"], "same": True}
        await ada.post("/bar/session/start", json={})
        mark = (await visit(ada, nobody["mark"]))["mark"]
        assert await visit(ada, mark) == {"mark": mark, "same": True}
        await house.advance(EVENING + 15 * MINUTE)
        assert (await visit(ada, mark))["session"]["session_status"] == "warning_15min"


async def test_the_visit_agrees_with_the_clock_where_no_worker_has_run(tmp_path: Any) -> None:
    """Ruling 4, on the page."""
    file = tmp_path / "house.db"
    async with open_house(file, clock=EVENING) as house:
        await visits.enter(house, ADA, None, key="e")
    told = []
    for minutes in (14, 15, 20):
        async with open_house(file, clock=EVENING + minutes * MINUTE, work=False) as house:
            app = create(house, read_settings())
            cookies = {"bar_guest": ADA}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://localhost", cookies=cookies
            ) as caller:
                told.append(await visit(caller))
    assert [one["session"]["session_status"] for one in told] == ["active", "warning_15min", "kicked"]
    assert len({one["mark"] for one in told}) == 3


async def test_the_sessions_of_a_day_come_back_at_the_bars_midnight() -> None:
    async with served() as (house, caller):
        ada = caller()
        for _ in range(5):
            await ada.post("/bar/session/start", json={})
        assert (await visit(ada))["sessions_left"] == 0
        await house.advance(EVENING + timedelta(hours=3, minutes=59))
        assert (await visit(ada))["sessions_left"] == 0
        await house.advance(EVENING + timedelta(hours=4))
        assert (await visit(ada))["sessions_left"] == 5


async def test_the_code_is_wanted_of_those_who_have_none() -> None:
    async with served() as (house, caller):
        ada, ben = caller(), caller()
        assert (await visit(ada))["wants_code"] is False
        (code,) = await visits.invite(house, 1)
        assert (await visit(ada))["wants_code"] is True
        await ada.post("/bar/session/start", json={"invite_code": code})
        assert (await visit(ada))["wants_code"] is False
        assert (await visit(ben))["wants_code"] is True
