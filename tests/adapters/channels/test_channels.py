"""Which channel a name leads to, and what the settings make of it."""

from __future__ import annotations

import pytest

from greenroom.adapters.channels import LocalInbox, RecordingChannel, Switchboard
from greenroom.adapters.smtp.channel import SmtpChannel
from greenroom.adapters.twilio.channel import TwilioChannel
from greenroom.bootstrap import default_channels, stop_link
from greenroom.kernel.errors import Malformed
from greenroom.ports import Outgoing
from greenroom.services.links import is_signed, sign
from greenroom.settings import Settings, SmtpSettings, read_settings

LETTER = Outgoing(id="a/1", to="x", subject="", text="", world="phantom", stream="a b")


def test_a_name_without_a_channel_of_its_own_is_served_by_the_part_before_the_colon() -> None:
    made: list[str] = []

    def maker(name: str) -> RecordingChannel:
        made.append(name)
        return RecordingChannel()

    board = Switchboard({"email": maker})
    assert board["email:cipher"] is board["email:cipher"]
    assert board["email"] is not board["email:cipher"]
    assert made == ["email:cipher", "email"]
    assert board.get("sms") is None
    assert board.get("sms:email") is None
    assert list(board) == ["email"]


def test_without_settings_mail_and_sms_stay_in_the_house() -> None:
    board = default_channels(Settings(), b"secret")
    assert all(isinstance(board[name], LocalInbox) for name in ("inbox", "phone", "email:cipher", "system:sms"))


def test_the_settings_choose_the_mail_server_and_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_SMTP", '{"host": "mx.example", "sender": "Ember <ember@letters.example>"}')
    monkeypatch.setenv("GREENROOM_TWILIO", '{"sid": "AC1", "token": "t", "number": "+15005550006"}')
    board = default_channels(read_settings(), b"secret")
    assert isinstance(board["email:cipher"], SmtpChannel)
    assert isinstance(board["sms"], TwilioChannel)
    assert isinstance(board["system:email"], SmtpChannel)
    assert isinstance(board["system:sms"], TwilioChannel)
    assert isinstance(board["inbox"], LocalInbox)


def test_a_mailbox_and_the_channel_that_it_belongs_to_lead_to_each_other() -> None:
    given = SmtpSettings(
        host="mx", sender="Ember <ember@letters.example>", senders={"email:cipher": "C. <c@letters.example>"}
    )
    assert given.sender_of("email") == "Ember <ember@letters.example>"
    assert given.sender_of("email:cipher") == "C. <c@letters.example>"
    assert given.sender_of("system:email") == "ember@letters.example"
    assert given.sender_of("email:kessler") == "ember+kessler@letters.example"
    assert given.channel_of("C@letters.example") == "email:cipher"
    assert given.channel_of("ember+kessler@letters.example") == "email:kessler"
    assert given.channel_of("ember@letters.example") == "email"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GREENROOM_SMTP", '{"host": "mx"}', "GREENROOM_SMTP_SENDER"),
        ("GREENROOM_SMTP", "mx.example", "GREENROOM_SMTP: "),
        ("GREENROOM_TWILIO", '{"sid": "A", "token": "t", "number": "0151"}', "GREENROOM_TWILIO_NUMBER"),
        ("GREENROOM_PUBLIC_URL", "house.example", "GREENROOM_PUBLIC_URL"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Malformed, match=said):
        read_settings()


def test_a_seal_is_good_for_one_purpose_on_one_stream_of_one_house() -> None:
    given = sign(b"secret", "stop", "a b")
    assert is_signed(b"secret", "stop", "a b", given)
    assert not is_signed(b"secret", "stop", "a c", given)
    assert not is_signed(b"secret", "inbox", "a b", given)
    assert not is_signed(b"other", "stop", "a b", given)
    assert not is_signed(b"secret", "stop", "a b", "é")
    assert stop_link(Settings(public_url="https://h.example"), b"secret", LETTER) == (
        f"https://h.example/phantom/stop/a%20b/{given}"
    )
