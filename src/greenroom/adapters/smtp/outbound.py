"""A letter as a mail: addresses and headers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from email.errors import HeaderParseError, MessageError
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import formatdate, parseaddr
from typing import Any
from urllib.parse import parse_qsl, unquote

from greenroom.kernel.errors import Refused
from greenroom.ports import Outgoing

_CONTROL = dict.fromkeys((*range(32), 127), " ")


class _Whole(UnstructuredHeader):
    """A header that is one word, an id or a link: a mail program must find it as it is.

    The standard library would write a word longer than a line in pieces, encoded, which nobody reads as an id again.
    """

    name: str

    def fold(self, *, policy: EmailPolicy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


def _headers() -> Any:
    registry = HeaderRegistry()
    for name in ("in-reply-to", "references", "list-unsubscribe"):
        registry.map_to_type(name, _Whole)  # type: ignore[arg-type]
    return registry


_POLICY = SMTP.clone(header_factory=_headers())


@dataclass(frozen=True, slots=True, kw_only=True)
class MailEnvelope:
    """To whom, and in answer to which mail."""

    address: str
    #: Message-ID of the mail that is answered, in angle brackets; "" for none.
    answers: str = ""

    @classmethod
    def read(cls, to: str) -> MailEnvelope:
        """From a plain address, or from ``mailto:someone@example.org?In-Reply-To=<id>``.

        Raises:
            Refused: it is neither.
        """
        path, _, query = to.removeprefix("mailto:").partition("?") if to.startswith("mailto:") else (to, "", "")
        fields = {name.casefold(): value for name, value in parse_qsl(query)}
        address = unquote(path)
        if not _is_address(address):
            raise Refused("the letter is addressed to something that is no e-mail address")
        return cls(address=address, answers=bracketed(fields.get("in-reply-to", "")))


def composed(letter: Outgoing, envelope: MailEnvelope, *, sender: str, leave: str = "") -> EmailMessage:
    """The mail. The same letter gives the same Message-ID at every try."""
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = sender
    mail["To"] = envelope.address
    mail["Subject"] = one_line(letter.subject)
    mail["Date"] = formatdate(localtime=False)
    mail["Message-ID"] = message_id(letter.id, sender)
    if envelope.answers:
        mail["In-Reply-To"] = envelope.answers
        mail["References"] = envelope.answers
    if leave:
        mail["List-Unsubscribe"] = f"<{leave}>"
        if leave.startswith("https://"):
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(letter.text, cte="quoted-printable")
    return mail


def message_id(letter: str, sender: str) -> str:
    """Derived from the letter's id, and opaque: it names neither stream nor world to whoever reads the header."""
    domain = parseaddr(sender)[1].rpartition("@")[2] or "localhost"
    return f"<{hashlib.sha256(letter.encode()).hexdigest()[:40]}@{domain}>"


def bracketed(identifier: str) -> str:
    """A Message-ID in angle brackets and without anything that could end the header; "" stays ""."""
    bare = "".join(char for char in identifier if "!" <= char <= "~" and char not in "<>")
    return f"<{bare}>" if bare else ""


def one_line(text: str) -> str:
    """Text that can stand in a header: whatever would begin a new one is a space."""
    return " ".join(text.translate(_CONTROL).split())


def _is_address(text: str) -> bool:
    try:
        parsed = Address(addr_spec=text)
    except (HeaderParseError, MessageError, ValueError, IndexError):
        return False
    return bool(parsed.username and parsed.domain) and text.isprintable()


__all__ = ["MailEnvelope", "bracketed", "composed", "message_id", "one_line"]
