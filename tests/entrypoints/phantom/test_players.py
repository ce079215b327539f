"""Signing up, playing on the page, and stopping, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from greenroom.kernel.errors import Malformed
from greenroom.services.links import sign
from greenroom.worlds.phantom.faces.http import stories
from greenroom.worlds.phantom.rules import tables as t
from tests.entrypoints.phantom.stage import Player, Stage, code_of, proved, signed_up, stage, started
from tests.worlds.phantom.content.shipped import content


@pytest.fixture
async def on() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


# signing up


async def test_a_player_on_the_page_needs_no_code_and_gets_the_key_at_once(on: Stage) -> None:
    player = await started(on)
    (mail,) = (await player.conversations())["email"]["messages"]
    assert mail["subject"] == "0417"
    assert "Before Thursday" in mail["text"]
    assert (mail["by"], mail["read"]) == ("Ember", False)


async def test_a_player_by_post_proves_both_addresses_before_the_story_begins(on: Stage) -> None:
    player = await signed_up(on, phone="+4915112345678", web_only=False)
    refused = await player.post("start")
    assert (refused.status_code, "verify the email and the phone first" in refused.text) == (422, True)
    codes = {letter.channel: await _code(on, letter.words) for letter in await on.house.backend.outbox.list()}
    assert set(codes) == {"system:email", "system:sms"}
    wrong = "000000" if codes["system:email"] != "000000" else "111111"
    assert (await player.post("verify", kind="email", code=wrong)).status_code == 422
    first = (await player.post("verify", kind="email", code=codes["system:email"])).json()
    assert (first["email"]["verified"], first["phone"]["verified"], first["may_start"]) == (True, False, False)
    assert (await player.post("verify", kind="phone", code=codes["system:sms"])).json()["may_start"]
    assert (await player.post("start")).status_code == 200
    carriers = [letter.channel for letter in await on.house.backend.outbox.list(status="due")]
    assert "email" in carriers


async def _code(on: Stage, words: str) -> str:
    text = (await on.house.backend.bank.get([words]))[words]
    return next(word.strip(".") for word in text.split() if word.strip(".").isdigit())


async def test_an_expired_code_is_refused_and_a_new_one_works(on: Stage) -> None:
    player = await signed_up(on, web_only=False)
    (old,) = [await _code(on, letter.words) for letter in await on.house.backend.outbox.list()]
    await on.pass_time(minutes=31)
    late = await player.post("verify", kind="email", code=old)
    assert (late.status_code, "expired" in late.text) == (422, True)
    assert (await player.post("codes", kind="email")).status_code == 200
    newest = max(await on.house.backend.outbox.list(), key=lambda letter: letter.due_at)
    assert (await player.post("verify", kind="email", code=await _code(on, newest.words))).json()["may_start"]


async def test_a_player_on_the_page_leaves_no_address_anywhere(on: Stage) -> None:
    player = await signed_up(on, "canary@example.org", phone="+4915112345678")
    told = (await player.call.get(player.at("inbox"))).json()["player"]
    assert (told["email"], told["phone"]) == (None, None)
    (row,) = await on.house.backend.tables.rows(player.stream, t.PLAYERS)
    assert (row["email"], row["phone"], row["email_verified"], row["phone_verified"]) == (None, None, False, False)
    kept = [line async for line in on.house.export(player.stream)]
    assert not [line for line in kept if b"canary" in line or b"15112345678" in line]


async def test_an_address_has_one_story_and_only_whoever_proved_it_is_told_so(on: Stage) -> None:
    first = await proved(on, "ann@example.org", phone="+4915112345678")
    body = {"email": "Ann@Example.org", "phone": "+49 151 12345678"}
    again = await on.caller().post("/phantom/players", json=body)
    fresh = await on.caller().post("/phantom/players", json={**body, "email": "bob@example.org"})
    assert again.status_code == fresh.status_code == 201, "the answer is the same whether somebody plays or not"
    assert again.text.count("ann@") == fresh.text.count("bob@") == 1
    assert again.json()["player"].keys() == fresh.json()["player"].keys()
    second = Player(on, again.json()["stream"], on.caller(again.json()["ticket"]))
    told = await second.post("verify", kind="email", code=await code_of(on, second))
    assert (told.status_code, "has a story already" in told.text) == (422, True)
    assert not (await second.call.get(second.at("inbox"))).json()["player"]["email"]["verified"]
    assert await on.house.holder(t.PLAYERS, "email", "ann@example.org") == first.stream


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"email": "nobody"}, "no e-mail address"),
        ({"email": "a@b"}, "no e-mail address"),
        ({"email": "a@example.org", "phone": "0151 1234"}, "write it with its country"),
        ({"email": "a@example.org", "phone": "+49 151 1"}, "no such phone number"),
        ({"email": "a@example.org", "timezone": "Mars/Olympus"}, "no such time zone"),
        ({"email": "a@example.org", "web": True}, "body.web"),
        ({}, "body.email"),
    ],
)
async def test_a_bad_form_is_refused_with_what_would_be_right(on: Stage, body: dict[str, object], said: str) -> None:
    told = await on.caller().post("/phantom/players", json=body)
    assert (told.status_code, said in told.json()["detail"]) == (422, True), told.text
    assert list(await on.house.backend.streams.list(world="phantom", limit=10)) == []


def test_addresses_are_written_in_one_form() -> None:
    assert stories.email("Ann@EXAMPLE.org") == "Ann@example.org"
    assert stories.phone("+49 (0)151 1234-5678") == "+4915112345678"
    with pytest.raises(Malformed):
        stories.phone("+49 151 1234 5678 000000")


async def test_a_story_is_its_own_players_alone(on: Stage) -> None:
    ann, bob = await started(on), await started(on, "bob@example.org")
    stranger = on.caller()
    for call in (bob.call, stranger):
        for what in ("verify", "codes", "start", "messages", "shown", "opt-out"):
            told = await call.post(ann.at(what), json={})
            assert told.status_code in (401, 404, 422), what
            assert told.status_code != 422 or "body" in told.text
        assert (await call.get(ann.at("inbox"))).status_code in (401, 404)
    assert (await bob.call.post(ann.at("messages"), json={"channel": "email", "text": "hi"})).status_code == 404


# playing


async def test_agents_write_answer_and_hold_to_their_own_channels(on: Stage) -> None:
    player = await started(on)
    await on.pass_time(hours=9)
    assert {"email", "sms"} <= set(await player.conversations())
    assert (await player.write("email", "Who are you?")).status_code == 200
    await on.pass_time(hours=2)
    mail = (await player.conversations())["email"]["messages"]
    assert [one["by"] for one in mail[-2:]] == ["you", "Ember"]
    phone = (await player.conversations())["sms"]
    assert (phone["with"], phone["medium"], phone["open"]) == ("Miro", "sms", True)
    assert all(one["by"] == "Miro" for one in phone["messages"])


async def test_nothing_on_its_way_is_seen_before_it_arrives(on: Stage) -> None:
    player = await started(on)
    await on.pass_time(hours=1)
    assert [one["by"] for one in (await player.conversations())["email"]["messages"]] == ["Ember"]
    await player.write("email", "Who are you?")
    mail = (await player.conversations())["email"]["messages"]
    assert mail[-1]["by"] == "you"


async def test_a_message_sent_twice_under_one_key_is_taken_once(on: Stage) -> None:
    player = await started(on)
    first, second = [await player.write("email", "Who are you?", key="k1") for _ in range(2)]
    assert (first.json()["new"], second.json()["new"]) == (True, False)
    assert (await player.write("email", "Something else.", key="k1")).status_code == 409
    assert sum(one["by"] == "you" for one in (await player.conversations())["email"]["messages"]) == 1


async def test_the_inbox_says_when_there_is_nothing_new(on: Stage) -> None:
    player = await started(on)
    version = (await player.call.get(player.at("inbox"))).json()["version"]
    assert (await player.call.get(player.at("inbox"), params={"known": version})).json()["same"]


async def test_a_letter_that_was_shown_is_read(on: Stage) -> None:
    player = await started(on)
    (mail,) = (await player.conversations())["email"]["messages"]
    assert (await player.post("shown", letters=[mail["letter"], "nothing.9"])).status_code == 200
    assert (await player.conversations())["email"]["messages"][0]["read"]
    rows = await on.house.backend.tables.rows(player.stream, t.MESSAGES)
    assert [row["read_at"] is not None for row in rows if row["direction"] == "outbound"] == [True]


@pytest.mark.parametrize(
    ("channel", "text", "status"),
    [("email", "", 422), ("email", "   ", 422), ("email", "x" * 8_001, 422), ("pigeon", "hello", 422)],
)
async def test_a_bad_message_is_refused_and_nothing_is_kept(on: Stage, channel: str, text: str, status: int) -> None:
    player = await started(on)
    before = (await on.house.backend.streams.get(player.stream)).version
    assert (await player.write(channel, text)).status_code == status
    assert (await on.house.backend.streams.get(player.stream)).version == before


async def test_emoji_and_text_from_right_to_left_come_back_as_they_were(on: Stage) -> None:
    player = await started(on)
    await player.write("email", "🔑 מי אתה? مرحبا\nsecond line")
    assert (await player.conversations())["email"]["messages"][-1]["text"] == "🔑 מי אתה? مرحبا\nsecond line"


# stopping


async def test_stop_ends_all_sending_at_once_and_start_takes_it_up_again(on: Stage) -> None:
    player = await started(on)
    await player.write("email", "STOP")
    await on.pass_time(minutes=1)
    counted = len((await player.conversations())["email"]["messages"])
    await on.pass_time(days=3)
    assert len((await player.conversations())["email"]["messages"]) == counted
    assert (await player.call.get(player.at("inbox"))).json()["player"]["opted_out"]
    assert list(await on.house.backend.outbox.list(stream=player.stream, status="due")) == []
    await player.write("email", "START")
    await on.pass_time(days=1)
    assert not (await player.call.get(player.at("inbox"))).json()["player"]["opted_out"]


async def test_the_link_in_a_letter_stops_with_one_click_and_only_when_whole(on: Stage) -> None:
    player, stranger = await started(on), on.caller()
    right = sign(on.house.backend.secret, "stop", player.stream)
    assert (await stranger.get(f"/phantom/stop/{player.stream}/{'0' * 32}")).status_code == 403
    assert (await stranger.post(f"/phantom/stop/{player.stream}/{right[:-1]}")).status_code == 403
    page = await stranger.get(f"/phantom/stop/{player.stream}/{right}")
    assert (page.status_code, "<form" in page.text) == (200, True)
    assert not (await player.call.get(player.at("inbox"))).json()["player"]["opted_out"]
    click = {"List-Unsubscribe": "One-Click"}
    for _ in range(2):
        assert (await stranger.post(f"/phantom/stop/{player.stream}/{right}", data=click)).status_code == 200
    assert (await player.call.get(player.at("inbox"))).json()["player"]["opted_out"]


async def test_the_pages_are_there_for_strangers(on: Stage) -> None:
    for path in ("/phantom", "/phantom/inbox"):
        page = await on.caller().get(path)
        assert (page.status_code, page.headers["content-type"].startswith("text/html")) == (200, True)
        assert "<!--" not in page.text
        assert "/*house*/" not in page.text


# the room behind the key


async def test_the_key_opens_the_room_five_times_and_then_no_more(on: Stage) -> None:
    player, stranger = await started(on), on.caller()
    key = await player.key()
    pages = [await stranger.get(f"/phantom/access/{key.lower().replace('-', '')}") for _ in range(6)]
    assert [page.status_code for page in pages] == [200] * 5 + [403]
    assert "Turns of the key that are left: 4" in pages[0].text
    assert "last turn of the key" in pages[4].text
    assert "as often as it can be" in pages[5].text
    log = await on.house.backend.tables.rows(player.stream, t.ACCESS)
    assert sorted(row["success"] for row in log) == [False, *[True] * 5]
    assert {row["ip_address"] for row in log} == {"203.0.113.9"}


async def test_a_browser_that_looks_ahead_turns_no_key(on: Stage) -> None:
    player = await started(on)
    ahead = on.caller(**{"Sec-Purpose": "prefetch;prerender"})
    assert (await ahead.get(f"/phantom/access/{await player.key()}")).status_code == 503
    assert (await on.caller().head(f"/phantom/access/{await player.key()}")).status_code == 405
    assert list(await on.house.backend.tables.rows(player.stream, t.ACCESS)) == []


async def test_an_unknown_key_is_written_down_at_the_door_and_belongs_to_nobody(on: Stage) -> None:
    await started(on)
    stranger = on.caller(**{"User-Agent": "curious/1.0"})
    for key in ("AAAA-BBBB-CCCC-DDDD", "nothing", "<script>"):
        page = await stranger.get(f"/phantom/access/{key}")
        assert (page.status_code, "opens nothing here" in page.text) == (403, True)
        assert "<script>alert" not in page.text
    rows = await on.house.backend.tables.rows("phantom-door", t.ACCESS)
    assert [(row["player_id"], row["key_id"], row["success"]) for row in rows] == [(None, None, False)] * 3
    assert {row["user_agent"] for row in rows} == {"curious/1.0"}


async def test_fifty_people_with_one_key_at_once_are_let_in_five_times(tmp_path: Path) -> None:
    async with stage(tmp_path / "house.db") as on:
        player = await started(on)
        key = await player.key()
        callers = [on.caller(address=f"203.0.113.{i}") for i in range(50)]
        pages = await asyncio.gather(*(call.get(f"/phantom/access/{key}") for call in callers))
        assert sorted(page.status_code for page in pages) == [200] * 5 + [403] * 45
        log = await on.house.backend.tables.rows(player.stream, t.ACCESS)
        assert (sum(row["success"] for row in log), len(log)) == (5, 50)


async def test_papers_are_read_in_the_room_and_nowhere_else(on: Stage) -> None:
    player, stranger = await started(on), on.caller()
    key = await player.key()
    path = f"/phantom/access/{key}/documents/protocol"
    assert (await stranger.post(path)).status_code == 403
    room = await stranger.get(f"/phantom/access/{key}")
    assert "page 2 of 4" not in room.text
    visit = {"X-Visit": room.text.split('data-visit="')[1].split('"')[0]}
    paper = await stranger.post(path, headers=visit)
    assert (paper.status_code, "page 2 of 4" in paper.json()["html"]) == (200, True)
    assert (await stranger.post(path.replace("protocol", "diary"), headers=visit)).status_code == 422
    assert (await stranger.post(path.replace(key, "AAAA-0000-0000-0000"), headers=visit)).status_code == 403
    seen = (await on.house.view(player.stream, seat="operator")).body
    assert list(seen["documents"]) == ["protocol"]
    assert (seen["accesses"], seen["accesses_left"]) == (1, 4)


async def test_ember_notices_that_the_key_turned_and_miro_does_not(on: Stage) -> None:
    player = await started(on)
    await on.pass_time(hours=10)
    key, before = await player.key(), await player.conversations()
    await on.caller().get(f"/phantom/access/{key}")
    await on.pass_time(hours=16)
    after = await player.conversations()
    mails = after["email"]["messages"][len(before["email"]["messages"]) :]
    alarmed = {line.text for line in content().agents["ember"].lines["key_turned"]}
    assert [one["text"] in alarmed for one in mails].count(True) == 1
    miro = (await on.house.view(player.stream, seat="miro")).body
    assert (miro["knows_of_use"], miro["key"]) == (False, None)
