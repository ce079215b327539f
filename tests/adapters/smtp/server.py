"""A real mail server on loopback that keeps what it takes, and a world whose visitors post letters."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Mailroom:  # without slots: the server's library looks through it, which 3.11.2 cannot for those
    """What came in, and how the next mails are answered; after the last answer, the last again."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    #: The same as they came over the wire.
    raw: list[bytes] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    to_recipient: str = "250 OK"
    to_data: list[str] = field(default_factory=lambda: ["250 OK"])

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's own name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.to_recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_recipient

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.to_data.pop(0) if len(self.to_data) > 1 else self.to_data[0]
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            mail = message_from_bytes(envelope.content, policy=default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            self.raw.append(envelope.content)
            self.recipients.extend(envelope.rcpt_tos)
        return answer


class _AnyPort(Controller):
    """A controller that finds out which port it was given."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mailroom(**more: Any) -> Iterator[Mailroom]:
    """A server on a free port, for the length of the block."""
    room = Mailroom()
    controller = _AnyPort(room, hostname="127.0.0.1", port=0, **more)
    controller.start()
    try:
        room.port = controller.port
        yield room
    finally:
        controller.stop()
