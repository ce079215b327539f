"""Mail and SMS that come in by webhook, and letters that go out by a real mail server and an HTTP API."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncIterator
from email.message import EmailMessage
from typing import Any

import pytest

from greenroom.adapters.smtp.inbound import MOST_ID
from greenroom.kit.http.watchdog import MOST_SECONDS
from tests.adapters.smtp.server import Mailroom, mailroom
from tests.adapters.twilio.test_twilio import Exchange, exchange
from tests.counts import LONG, count, report
from tests.entrypoints.phantom.stage import SECRET, TOKEN, Player, Stage, signed_mail, signed_sms, signed_up, stage

ANN, PHONE, NUMBER = "ann@example.org", "+4915112345678", "+15005550006"
PUBLIC = "https://house.example"
MAIL, SMS = "/phantom/inbound/email", "/phantom/inbound/sms"


@pytest.fixture
async def house(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Stage, Mailroom, Exchange]]:
    """A house whose mail goes through SMTP and whose SMS go through an API, both on loopback."""
    with mailroom() as room, exchange() as api:
        smtp = {"host": "127.0.0.1", "port": room.port, "security": "plain", "sender": "Ember <ember@letters.example>"}
        twilio = {"sid": "AC1", "token": TOKEN, "number": NUMBER, "base_url": api.url}
        monkeypatch.setenv("GREENROOM_SMTP", json.dumps(smtp))
        monkeypatch.setenv("GREENROOM_TWILIO", json.dumps(twilio))
        monkeypatch.setenv("GREENROOM_MAIL_WEBHOOK_SECRET", SECRET)
        monkeypatch.setenv("GREENROOM_PUBLIC_URL", PUBLIC)
        async with stage() as on:
            yield on, room, api


async def playing(on: Stage, room: Mailroom, api: Exchange) -> Player:
    """Ann signs up by post, proves both addresses with the codes she was sent, and starts."""
    player = await signed_up(on, ANN, phone=PHONE, web_only=False)
    await on.pass_time(seconds=1)
    codes = {"email": room.mails[-1].get_content(), "phone": api.asked[-1][1]["Body"]}
    for kind, text in codes.items():
        found = re.search(r"\b\d{6}\b", text)
        assert found is not None
        assert (await player.post("verify", kind=kind, code=found[0])).status_code == 200
    assert (await player.post("start")).status_code == 200
    await on.pass_time(minutes=1)
    return player


def mail(text: str, **headers: str) -> bytes:
    made = EmailMessage()
    given = {"From": f"Ann <{ANN}>", "To": "ember@letters.example", "Subject": "Re: 0417", "Message-ID": "<m1@phone>"}
    for name, value in {**given, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
        made[name] = value
    made.set_content(text)
    return made.as_bytes()


def sms(text: str, sid: str = "SM1", **more: str) -> dict[str, str]:
    return {"MessageSid": sid, "From": PHONE, "To": NUMBER, "Body": text, **more}


async def test_codes_and_letters_go_out_and_a_reply_reaches_the_agent_who_answers_in_the_thread(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    key_mail = room.mails[-1]
    assert (key_mail["Subject"], key_mail["From"]) == ("0417", "Ember <ember@letters.example>")
    assert room.recipients[-1] == ANN
    assert key_mail["List-Unsubscribe"].startswith(f"<{PUBLIC}/phantom/stop/{player.stream}/")
    assert key_mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = f"Who are you?\n\nOn Monday, Ember <ember@letters.example> wrote:\n> {key_mail.get_content()[:40]}"
    told = await on.caller().post(MAIL, **signed_mail(mail(text)))
    assert (told.status_code, told.json()["stream"], told.json()["new"]) == (200, player.stream, True)
    await on.pass_time(hours=3)
    answers = [one for one in room.mails if one["In-Reply-To"] == "<m1@phone>"]
    assert len(answers) == 1
    assert answers[0]["References"] == "<m1@phone>"
    assert len({one["Message-ID"] for one in room.mails}) == len(room.mails)
    mine = [one for one in (await player.conversations())["email"]["messages"] if one["by"] == "you"]
    assert [one["text"] for one in mine] == ["Who are you?"]


async def test_an_sms_reaches_miro_and_his_answer_goes_out_by_sms(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    await on.pass_time(hours=9)
    before = len(api.asked)
    told = await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("Who is this?")))
    assert (told.status_code, told.headers["content-type"]) == (200, "application/xml")
    await on.pass_time(hours=14)
    assert len(api.asked) > before
    assert api.asked[-1][1]["To"] == PHONE
    said = (await player.conversations())["sms"]["messages"]
    assert "Who is this?" in [one["text"] for one in said]


async def test_the_same_mail_or_sms_again_changes_nothing(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    first, second = [(await on.caller().post(MAIL, **signed_mail(mail("Hello?")))).json() for _ in range(2)]
    assert (first["new"], second["new"]) == (True, False)
    assert first["attempt"] == second["attempt"]
    forwarded = mail("Hello?\n\n[a list added this]", To="list@elsewhere.example")
    assert (await on.caller().post(MAIL, **signed_mail(forwarded))).json()["new"] is False
    for _ in range(2):
        assert (await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("Hello?")))).status_code == 200
    await on.pass_time(minutes=1)
    said = [one for found in (await player.conversations()).values() for one in found["messages"]]
    assert sum(one["by"] == "you" for one in said) == 2


@pytest.mark.parametrize("length", [199, 201, 400, 2_000])
async def test_a_message_id_of_any_length_is_taken_once_and_two_that_begin_alike_are_two(
    house: Any, length: int
) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    ids = [f"<{'a' * (length - 9)}{i}@phone>" for i in (1, 2)]
    for text, id in (("One?", ids[0]), ("One?", ids[0]), ("Two?", ids[1])):
        body = json.dumps({"sender": ANN, "text": text, "message_id": id}).encode()
        told = await on.caller().post(MAIL, **signed_mail(body, kind="application/json"))
        assert told.status_code == 200, told.text
        await on.pass_time(minutes=1)
    mine = [one["text"] for one in (await player.conversations())["email"]["messages"] if one["by"] == "you"]
    assert mine == ["One?", "Two?"]
    await on.pass_time(hours=14)
    answered = {one["In-Reply-To"] for one in room.mails} - {None}
    assert answered == {ids[-1]} or length > MOST_ID, "one answer to both, to the newer of them"


async def test_stop_by_sms_is_confirmed_once_and_ends_everything_by_mail_as_well(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    await on.pass_time(hours=9)
    mails, messages = len(room.mails), len(api.asked)
    for sid, word in (("SM1", " Stop "), ("SM1", " Stop "), ("SM2", "STOP"), ("SM3", "Hello?")):
        assert (await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms(word, sid)))).status_code == 200
    await on.pass_time(days=5)
    assert (len(room.mails), len(api.asked)) == (mails, messages + 1)
    assert (api.asked[-1][1]["To"], "everything has been stopped" in api.asked[-1][1]["Body"]) == (PHONE, True)
    assert (await player.call.get(player.at("inbox"))).json()["player"]["opted_out"]
    await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("START", "SM4")))
    await on.pass_time(minutes=1)
    assert "You asked to go on" in api.asked[-1][1]["Body"]
    await on.caller().post(MAIL, **signed_mail(mail("I am back. Who are you?")))
    await on.pass_time(hours=14)
    assert len(room.mails) > mails


async def test_a_mail_to_a_mailbox_of_its_own_goes_to_that_channel(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    told = await on.caller().post(MAIL, **signed_mail(mail("For C.", To="ember+cipher@letters.example")))
    assert told.status_code == 200
    await on.pass_time(minutes=1)
    attempt = await on.house.backend.attempts.find(player.stream, told.json()["attempt"])
    assert attempt.status == "refused"  # nobody writes from there yet
    assert attempt.error is not None


async def test_a_new_agent_writes_from_a_mailbox_of_its_own_and_is_answered_there(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    await on.pass_time(hours=9)
    await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("What do you know about the key?")))
    await on.pass_time(hours=24)
    (first,) = [one for one in room.mails if one["From"] == "ember+cipher@letters.example"]
    answer = mail("The difference is 3,200.", To=first["From"], Message_ID="<m2@phone>")
    assert (await on.caller().post(MAIL, **signed_mail(answer))).status_code == 200
    await on.pass_time(hours=16)
    said = (await player.conversations())["email:cipher"]["messages"]
    assert [one["by"] for one in said][:2] == ["C.", "you"]
    assert any(one["In-Reply-To"] == "<m2@phone>" and "cipher" in one["From"] for one in room.mails)
    assert all(one["by"] != "you" for one in (await player.conversations())["email"]["messages"])


async def test_a_mail_as_json_and_one_of_html_alone_are_read_alike(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    plain = {"sender": f"Ann <{ANN}>", "text": "One.\n\n> old", "message_id": "<j1>"}
    html = {"sender": ANN, "html": "<p>Two.</p><blockquote>old</blockquote>", "message_id": "<j2>"}
    for body in (plain, html):
        told = await on.caller().post(MAIL, **signed_mail(json.dumps(body).encode(), kind="application/json"))
        assert told.status_code == 200, told.text
    await on.pass_time(minutes=1)
    mine = [one["text"] for one in (await player.conversations())["email"]["messages"] if one["by"] == "you"]
    assert mine == ["One.", "Two."]


# what is not taken


async def test_a_forged_signature_is_refused_and_nothing_is_recorded(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    before = (await on.house.backend.streams.get(player.stream)).recorded
    right = signed_mail(mail("Hello?"))
    tries = [
        (MAIL, signed_mail(mail("Hello?"), secret="guess")),
        (MAIL, {**right, "content": mail("Changed.")}),
        (MAIL, {"content": mail("Hello?")}),
        (MAIL, signed_mail(mail("Hello?"), at=time.time() - 3600)),
        (SMS, signed_sms(PUBLIC + SMS, sms("Hello?"), token="guess")),
        (SMS, signed_sms("http://elsewhere.example" + SMS, sms("Hello?"))),
        (SMS, {"data": sms("Hello?")}),
        (SMS, {**signed_sms(PUBLIC + SMS, sms("Hello?")), "data": sms("Changed.")}),
    ]
    for path, request in tries:
        told = await on.caller().post(path, **request)
        assert told.status_code == 403, (path, told.text)
    assert (await on.house.backend.streams.get(player.stream)).recorded == before


async def test_a_stranger_is_told_to_sign_up(house: Any) -> None:
    on, _, _ = house
    told = await on.caller().post(MAIL, **signed_mail(mail("Hello?", From="bob@example.org")))
    assert (told.status_code, "nobody who plays has proved that address" in told.text) == (404, True)
    told = await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("Hello?", From="+4915100000000")))
    assert told.status_code == 404


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (mail("x" * 1_000_000), "message/rfc822", 413),
        (mail("> only quoted"), "message/rfc822", 422),
        (b"no mail at all", "message/rfc822", 422),
        (b"{", "application/json", 422),
        (b'{"sender": 5}', "application/json", 422),
        (json.dumps({"sender": ANN, "text": "hi", "message_id": ""}).encode(), "application/json", 422),
    ],
)
async def test_a_mail_that_cannot_be_read_is_refused(house: Any, body: bytes, kind: str, status: int) -> None:
    on, room, api = house
    await playing(on, room, api)
    told = await on.caller().post(MAIL, **signed_mail(body, kind=kind))
    assert told.status_code == status, told.text
    assert ANN not in told.text


@pytest.mark.parametrize("form", [{}, {"Body": "hello"}, sms(""), sms("x" * 1_601)])
async def test_an_sms_that_cannot_be_read_is_refused(house: Any, form: dict[str, str]) -> None:
    on, _, _ = house
    assert (await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, form))).status_code == 422


async def test_an_attachment_is_left_out_and_the_text_is_taken(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    made = EmailMessage()
    made["From"], made["To"], made["Message-ID"] = ANN, "ember@letters.example", "<a1@phone>"
    made.set_content("See the picture 🔑")
    made.add_attachment(b"\x89PNG" * 1000, maintype="image", subtype="png", filename="key.png")
    assert (await on.caller().post(MAIL, **signed_mail(made.as_bytes()))).status_code == 200
    await on.pass_time(minutes=1)
    assert (await player.conversations())["email"]["messages"][-1]["text"] == "See the picture 🔑"


async def test_a_house_without_settings_takes_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage() as on:
        mailed = await on.caller().post(MAIL, **signed_mail(mail("Hello?")))
        texted = await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("Hello?")))
    assert (mailed.status_code, "GREENROOM_PHANTOM_MAIL_WEBHOOK_SECRET" in mailed.text) == (403, True)
    assert (texted.status_code, "GREENROOM_TWILIO" in texted.text) == (403, True)


async def test_a_mail_reaches_no_story_whose_player_did_not_prove_the_address(house: Any) -> None:
    on, _, _ = house
    squatter = await signed_up(on, ANN, web_only=False, phone=PHONE)
    on_page = await signed_up(on, ANN, phone=PHONE)
    assert (await on.caller().post(MAIL, **signed_mail(mail("Hello?")))).status_code == 404
    assert (await on.caller().post(SMS, **signed_sms(PUBLIC + SMS, sms("Hello?")))).status_code == 404
    for player in (squatter, on_page):
        said = [one for found in (await player.conversations()).values() for one in found["messages"]]
        assert not [one for one in said if one["by"] == "you"]


async def test_nobody_writes_in_the_name_of_a_player_with_two_senders(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    before = (await on.house.stream(player.stream)).recorded
    for sender in (f"{ANN} <evil@y.example>", f"evil@y.example, {ANN}", f"{ANN} (evil@y.example)"):
        body = json.dumps({"sender": sender, "text": "Hello?", "message_id": "<9@x>"}).encode()
        assert (await on.caller().post(MAIL, **signed_mail(body, kind="application/json"))).status_code == 422
        raw = f"From: {sender}\r\nMessage-ID: <9@x>\r\n\r\nHello?".encode()
        assert (await on.caller().post(MAIL, **signed_mail(raw))).status_code == 422
    assert (await on.house.stream(player.stream)).recorded == before


# anything at all

PIECES = (
    "From: ", "ann@example.org", "Ann <ann@example.org>", "evil@y.example", "\r\n", "\n", "\r", "\0", " ", "\t", "(",
    ")", "<", ">", '"', ",", ";", ":", "=?utf-8?q?a?=", "Message-ID: <1@x>",
    "Content-Type: multipart/mixed; boundary=b", "Content-Type: text/html; charset=punycode",
    "Content-Transfer-Encoding: base64", "--b", "--b--", "<p class=quote>",
    "<!--", "&#99999999999;", "On Monday ann wrote:", "> ", "-- ", "\ufdfa", "\u202e", "hello", "STOP", "Subject: x",
)  # fmt: skip


def random_mail(chance: random.Random) -> bytes:
    head = chance.choice(["From: ann@example.org\r\nMessage-ID: <{}@x>\r\n", "From: Ann <ann@example.org>\r\n", ""])
    body = "".join(chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 50)) for _ in range(chance.randint(0, 60)))
    raw = bytearray(f"{head.format(chance.random())}{chance.choice(['', chr(13) + chr(10)])}{body}".encode())
    for _ in range(chance.choice((0, 0, 3))):
        if raw:
            raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


async def test_no_mail_breaks_anything_or_holds_the_loop_and_refusals_leave_no_trace(house: Any) -> None:
    on, room, api = house
    player = await playing(on, room, api)
    chance, mails, taken, longest, slow = random.Random(35), count(150, soak=10_000), 0, 0.0, list[bytes]()
    watchdog, call = on.app.state.watchdog, on.caller()
    recorded = (await on.house.stream(player.stream)).recorded
    for _ in range(mails):
        mail = random_mail(chance)
        signed = signed_mail(mail)
        await asyncio.sleep(0)  # what it takes to make a mail is no part of the step that is measured
        watchdog.longest = 0.0
        told = await asyncio.create_task(call.post(MAIL, **signed))
        longest = max(longest, watchdog.longest if watchdog.longest < LONG else 0.0)
        slow += [mail] if watchdog.longest >= LONG else []
        assert told.status_code in (200, 404, 422), told.text
        taken += told.status_code == 200 and told.json()["new"]
        assert (await on.house.stream(player.stream)).recorded == recorded + taken
    for mail in slow:  # whether it was the mail, or whatever happened at that moment
        again = []
        for _ in range(3):
            await asyncio.sleep(0)
            watchdog.longest = 0.0
            await asyncio.create_task(call.post(MAIL, **signed_mail(mail)))
            again.append(watchdog.longest)
        longest = max(longest, min(again))
    report(f"mail: {mails} random mails, {taken} taken, no 5xx; longest step {longest * 1000:.1f} ms of processor time")
    assert longest < MOST_SECONDS
