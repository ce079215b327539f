"""Mailboxes that letters are sent from, through an SMTP server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

import aiosmtplib

from greenroom.adapters.smtp.outbound import MailEnvelope, composed
from greenroom.kernel.errors import BackendError, Refused
from greenroom.ports import Outgoing


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Where mail is handed in."""

    host: str
    port: int = 587
    user: str = ""
    password: str = ""
    #: ``starttls`` if the server offers it, ``tls`` from the first byte, or ``plain``. With a login, a server that does
    #: not offer TLS is sent nothing: whoever sits between could have struck the offer out.
    security: str = "starttls"
    timeout: float = 30.0

    @property
    def must_be_secret(self) -> bool | None:
        """True: TLS or nothing; None: TLS if there is any."""
        return True if self.user else None


class SmtpChannel:
    """One mailbox that letters are sent from.

    A mail server keeps no keys: after a crash between sending and settling the letter goes out again, with the same
    Message-ID, by which mail programs and archives know it for the same one.

    Args:
        sender: the From header, such as ``Ember <ember@letters.example>``.
        leave: gives the address under which the reader of a letter can end all letters; "" for none.
    """

    costs = True

    def __init__(
        self, server: MailServer, *, sender: str, leave: Callable[[Outgoing], str] = lambda letter: ""
    ) -> None:
        self._server = server
        self._sender = sender
        self._leave = leave

    async def send(self, letter: Outgoing) -> None:
        """Hand one letter to the mail server.

        Raises:
            Refused: the address is no address, or the server will never take this letter.
            BackendError: the server is away, or asks to be tried again.
        """
        envelope = MailEnvelope.read(letter.to)
        message = composed(letter, envelope, sender=self._sender, leave=self._leave(letter))
        try:
            await self._hand_in(message)
        except aiosmtplib.SMTPRecipientsRefused as error:
            raise _said(max(reply.code for reply in error.recipients)) from error
        except aiosmtplib.SMTPDataError as error:
            raise _said(error.code) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise BackendError(f"the mail server did not take the letter ({type(error).__name__})") from error

    async def _hand_in(self, message: EmailMessage) -> None:
        server = self._server
        await aiosmtplib.send(
            message,
            hostname=server.host,
            port=server.port,
            username=server.user or None,
            password=server.password or None,
            use_tls=server.security == "tls",
            start_tls=server.must_be_secret if server.security == "starttls" else False,
            timeout=server.timeout,
        )


def _said(code: int) -> Refused | BackendError:
    """What a server's answer means: 5xx is for good, anything else for now. Its text may quote the letter."""
    if code >= 500:
        return Refused(f"the mail server refuses this letter for good (code {code})")
    return BackendError(f"the mail server does not take the letter now (code {code})")


__all__ = ["MailServer", "SmtpChannel"]
