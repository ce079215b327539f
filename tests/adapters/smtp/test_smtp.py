"""Letters through a real mail server on loopback."""

from __future__ import annotations

import asyncio
import socket
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from aiosmtpd.smtp import AuthResult

from greenroom.adapters.smtp.channel import MailServer, SmtpChannel
from greenroom.adapters.smtp.outbound import message_id
from greenroom.bootstrap import open_house
from greenroom.journal.records import Lease
from greenroom.kernel.errors import BackendError, Malformed, Refused
from greenroom.kernel.words import Words
from greenroom.ports import Channel, Outgoing
from greenroom.services.house import House
from greenroom.services.outbox import OutboxRelay
from greenroom.settings import read_settings
from greenroom.worlds.lighthouse.rules.commands import Write
from tests.adapters.smtp.server import Mailroom, mailroom

SENDER = "Ember <ember@letters.example>"
DUSK = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
LETTER = Outgoing(
    id="player-7/ember-3",
    to="reader@example.org",
    subject="about Thursday",
    text="pleese… don't.",
    world="w",
    stream="s",
)

#: A worker that dies between handing a letter in and writing that it did.
DYING = """
import asyncio, os, sys
from datetime import datetime
from greenroom.adapters.smtp.channel import MailServer, SmtpChannel
from greenroom.bootstrap import open_house

class Dying(SmtpChannel):
    async def send(self, letter):
        await super().send(letter)
        os._exit(9)

async def main():
    channel = Dying(MailServer(host="127.0.0.1", port=int(sys.argv[2]), security="plain"), sender=sys.argv[4])
    clock = datetime.fromisoformat(sys.argv[3])
    async with open_house(sys.argv[1], channels={"inbox": channel}, clock=clock) as house:
        await asyncio.sleep(20)

asyncio.run(main())
"""


def channel_to(room: Mailroom, **more: str) -> SmtpChannel:
    server = MailServer(host="127.0.0.1", port=room.port, timeout=5, security="plain")
    return SmtpChannel(server, sender=SENDER, leave=lambda letter: more.get("leave", ""))


async def test_a_letter_arrives_with_its_headers_and_every_character() -> None:
    text = "one line…\n\nanother – ελληνικά, עברית, 🔑\n.\n" + "x" * 3000
    letter = replace(LETTER, text=text, subject="re: schlüssel 🔑")
    with mailroom() as room:
        await channel_to(room, leave="https://house.example/phantom/stop/s/t").send(letter)
    (mail,) = room.mails
    assert room.recipients == ["reader@example.org"]
    assert mail["From"] == SENDER
    assert mail["To"] == "reader@example.org"
    assert mail["Subject"] == "re: schlüssel 🔑"
    assert mail["Message-ID"] == message_id("player-7/ember-3", SENDER)
    assert mail["List-Unsubscribe"] == "<https://house.example/phantom/stop/s/t>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["In-Reply-To"] is None
    assert mail["Date"]
    assert mail.get_content().replace("\r\n", "\n").rstrip("\n") == text


async def test_an_answer_names_the_mail_that_it_answers() -> None:
    with mailroom() as room:
        await channel_to(room).send(replace(LETTER, to="mailto:reader@example.org?In-Reply-To=%3Cabc%40phone%3E"))
    assert room.recipients == ["reader@example.org"]
    assert (room.mails[0]["In-Reply-To"], room.mails[0]["References"]) == ("<abc@phone>", "<abc@phone>")


@pytest.mark.parametrize("length", [60, 90, 300, 900])
async def test_an_id_or_a_link_longer_than_a_line_stands_in_its_header_as_it_is(length: int) -> None:
    """Mail programs look for the very characters: pieces in an encoding are no id and no link to them."""
    answered = f"<{'a' * (length - 10)}@phone.>"
    link = f"https://house.example/phantom/stop/story-0123456789abcdef/{'f' * length}"
    with mailroom() as room:
        letter = replace(LETTER, to=f"mailto:reader@example.org?In-Reply-To={quote(answered)}")
        await channel_to(room, leave=link).send(letter)
    (raw,) = room.raw
    lines = raw.replace(b"\r\n ", b" ").split(b"\r\n")
    for name, value in (("In-Reply-To", answered), ("References", answered), ("List-Unsubscribe", f"<{link}>")):
        assert f"{name}: {value}".encode() in lines, name
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert room.mails[0]["In-Reply-To"] == answered


async def test_a_subject_or_an_id_from_outside_cannot_begin_a_header() -> None:
    letter = replace(
        LETTER, subject="hello\r\nBcc: all@example.org", to="mailto:reader@example.org?In-Reply-To=%3Ca%3E%0d%0aX-Bad:1"
    )
    with mailroom() as room:
        await channel_to(room).send(letter)
    (mail,) = room.mails
    assert room.recipients == ["reader@example.org"]
    assert mail["Bcc"] is None
    assert mail["X-Bad"] is None
    assert mail["Subject"] == "hello Bcc: all@example.org"


@pytest.mark.parametrize("to", ["", "nobody", "a b@example.org", "mailto:", "two@example.org, three@example.org"])
async def test_a_letter_to_no_address_is_refused_before_anything_is_sent(to: str) -> None:
    with mailroom() as room, pytest.raises(Refused, match="no e-mail address"):
        await channel_to(room).send(replace(LETTER, to=to))
    assert room.mails == []


async def test_an_unknown_mailbox_is_for_good_and_a_busy_server_is_for_now() -> None:
    with mailroom() as room:
        room.to_recipient = "550 no such user"
        with pytest.raises(Refused, match="550"):
            await channel_to(room).send(LETTER)
        room.to_recipient = "451 later"
        with pytest.raises(BackendError, match="451"):
            await channel_to(room).send(LETTER)
        room.to_recipient, room.to_data = "250 OK", ["554 spam", "452 full", "250 OK"]
        with pytest.raises(Refused, match="554"):
            await channel_to(room).send(LETTER)
        with pytest.raises(BackendError, match="452"):
            await channel_to(room).send(LETTER)
        await channel_to(room).send(LETTER)
    assert len(room.mails) == 1


async def test_a_server_that_is_away_or_mute_is_tried_again() -> None:
    with socket.socket() as taken:  # bound and never listening: connecting to it is refused
        taken.bind(("127.0.0.1", 0))
        away = SmtpChannel(MailServer(host="127.0.0.1", port=taken.getsockname()[1], timeout=2), sender=SENDER)
        with pytest.raises(BackendError):
            await away.send(LETTER)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        silent = SmtpChannel(MailServer(host="127.0.0.1", port=mute.getsockname()[1], timeout=0.2), sender=SENDER)
        with pytest.raises(BackendError, match="Timeout"):
            await silent.send(LETTER)


# through a whole house


async def _post_a_letter(path: Path) -> None:
    """A visitor of the lighthouse writes to an address; the mail boat takes it in the morning."""
    async with open_house(path, clock=DUSK, work=False) as house:
        visit = await house.start("lighthouse", {}, name="visit", seed=1, owner="visitor")
        letter = Write(to="reader@example.org", text=Words("I am dry."))
        await house.send(visit.stream, letter, seat="visitor")


def _postman(house: House, channel: Channel, *, seconds: int = 0) -> OutboxRelay:
    """A postman whose machine clock is ahead by so many seconds."""

    def later() -> Lease:
        lease = house.engine.lease()
        return msgspec.structs.replace(
            lease, wall=lease.wall + seconds * 1_000_000, until=lease.until + seconds * 1_000_000
        )

    return OutboxRelay(
        backend=house.backend,
        codecs=house.codecs,
        channels={"inbox": channel},
        clock=house.outside.clock,
        lease=later,
    )


async def test_a_crash_between_sending_and_settling_sends_again_under_the_same_message_id(tmp_path: Path) -> None:
    path, morning = tmp_path / "house.db", DUSK + timedelta(days=1)
    await _post_a_letter(path)
    with mailroom() as room:
        arguments = (str(path), str(room.port), morning.isoformat(), SENDER)
        worker = await asyncio.create_subprocess_exec(sys.executable, "-c", DYING, *arguments)
        assert await asyncio.wait_for(worker.wait(), 30) == 9
        assert len(room.mails) == 1
        async with open_house(path, clock=morning, work=False) as house:
            assert [letter.status for letter in await house.backend.outbox.list()] == ["due"]
            assert await _postman(house, channel_to(room)).round() == 0  # the dead worker's lease still holds
            assert await _postman(house, channel_to(room), seconds=60).round() == 1
            assert [letter.status for letter in await house.backend.outbox.list()] == ["sent"]
            assert await _postman(house, channel_to(room), seconds=600).round() == 0
    assert len(room.mails) == 2
    assert room.mails[0]["Message-ID"] == room.mails[1]["Message-ID"]
    assert room.mails[0].get_content() == room.mails[1].get_content()


async def test_a_letter_that_the_server_puts_off_goes_out_later_and_once(tmp_path: Path) -> None:
    path, morning = tmp_path / "house.db", DUSK + timedelta(days=1)
    await _post_a_letter(path)
    with mailroom() as room:
        room.to_data = ["451 later", "451 later", "250 OK"]
        async with open_house(path, clock=morning, work=False) as house:
            for seconds in (0, 60, 120, 180):
                await _postman(house, channel_to(room), seconds=seconds).round()
            (letter,) = await house.backend.outbox.list()
    assert (letter.status, letter.tries, len(room.mails)) == ("sent", 3, 1)


async def test_a_server_that_is_away_for_hours_costs_no_letter_and_one_away_for_a_day_does(tmp_path: Path) -> None:
    path, morning = tmp_path / "house.db", DUSK + timedelta(days=1)
    await _post_a_letter(path)
    with mailroom() as room:
        room.to_data = ["451 later"]
        async with open_house(path, clock=morning, work=False) as house:
            tries = [
                await _postman(house, channel_to(room), seconds=minute * 60).round() for minute in range(0, 240, 5)
            ]
            (letter,) = await house.backend.outbox.list()
            assert (letter.status, letter.tries, sum(tries)) == ("due", sum(tries), letter.tries)
            assert 8 <= letter.tries <= 15
            for hour in range(5, 30):
                await _postman(house, channel_to(room), seconds=hour * 3700).round()
            (letter,) = await house.backend.outbox.list()
    assert (letter.status, letter.tries) == ("failed", 16)
    assert "given up after 16 tries" in (letter.error or "")


async def test_a_letter_refused_for_good_is_failed_with_the_reason_and_without_the_address(tmp_path: Path) -> None:
    path, morning = tmp_path / "house.db", DUSK + timedelta(days=1)
    await _post_a_letter(path)
    with mailroom() as room:
        room.to_recipient = "550 <reader@example.org> unknown"
        async with open_house(path, clock=morning, work=False) as house:
            await _postman(house, channel_to(room)).round()
            (letter,) = await house.backend.outbox.list()
    assert letter.status == "failed"
    assert letter.error is not None
    assert "550" in letter.error
    assert "reader@" not in letter.error


async def test_a_password_is_told_to_nobody_who_offers_no_tls() -> None:
    """Whoever sits between this house and its mail server could have struck the offer out."""
    told: list[object] = []

    def listen(server: object, session: object, envelope: object, mechanism: str, data: object) -> AuthResult:
        told.append(data)
        return AuthResult(success=True)

    with mailroom(authenticator=listen, auth_require_tls=False, auth_required=False) as room:
        server = MailServer(host="127.0.0.1", port=room.port, timeout=5, user="house", password="secret")
        with pytest.raises(BackendError):
            await SmtpChannel(server, sender=SENDER).send(LETTER)
    assert (told, room.mails) == ([], [])


def test_a_login_in_the_open_is_refused_with_the_settings() -> None:
    with pytest.raises(Malformed, match="over TLS only"):
        read_settings(smtp={"host": "mail.example", "user": "house", "sender": "e@x.example", "security": "plain"})
    assert read_settings(smtp={"host": "mail.example", "sender": "e@x.example", "security": "plain"}).smtp
