"""The ways that letters go."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from greenroom.adapters.channels import ChannelMaker, LocalInbox, Switchboard
from greenroom.ports import Outgoing
from greenroom.services.links import sign
from greenroom.settings import Settings, SmtpSettings, TwilioSettings


def default_channels(settings: Settings, secret: bytes) -> Switchboard:
    """The channels of the settings; the local inbox and phone where there are none."""
    local = LocalInbox()
    makers: dict[str, ChannelMaker] = dict.fromkeys(("inbox", "phone", "email", "sms"), lambda name: local)
    if settings.smtp is not None:
        makers["email"] = _mailboxes(settings.smtp, leave=lambda letter: stop_link(settings, secret, letter))
    if settings.twilio is not None:
        makers["sms"] = _numbers(settings.twilio)
    # Letters of the house itself, such as codes, go the same ways.
    return Switchboard({**makers, "system:email": makers["email"], "system:sms": makers["sms"]})


def stop_link(settings: Settings, secret: bytes, letter: Outgoing) -> str:
    """Where the reader of a letter ends all letters of its stream."""
    stream = quote(letter.stream, safe="")
    return f"{settings.address}/{letter.world}/stop/{stream}/{sign(secret, 'stop', letter.stream)}"


def _mailboxes(given: SmtpSettings, *, leave: Callable[[Outgoing], str]) -> ChannelMaker:
    from greenroom.adapters.smtp.channel import MailServer, SmtpChannel  # noqa: PLC0415 (an extra that may be absent)

    plain = given.model_dump(include={"host", "port", "user", "security", "timeout"})
    server = MailServer(**plain, password=given.password.get_secret_value())
    return lambda name: SmtpChannel(server, sender=given.sender_of(name), leave=leave)


def _numbers(given: TwilioSettings) -> ChannelMaker:
    from greenroom.adapters.twilio.channel import TwilioAccount, TwilioChannel  # noqa: PLC0415 (an extra that may be absent)

    plain = given.model_dump(include={"sid", "base_url", "timeout"})
    account = TwilioAccount(**plain, token=given.token.get_secret_value())
    return lambda name: TwilioChannel(account, number=given.numbers.get(name, given.number))
