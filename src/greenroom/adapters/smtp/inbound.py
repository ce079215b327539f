"""A mail that came in: who wrote, to which mailbox, what is new in it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parseaddr
from html.parser import HTMLParser

from greenroom.adapters.smtp.outbound import bracketed, one_line
from greenroom.kernel.errors import Malformed

#: Bytes of a whole mail, attachments included; what is larger is refused unread.
MOST_BYTES = 512 * 1024
#: Characters of new text in one mail.
MOST_TEXT = 8_000
#: Characters of a Message-ID; a line of a mail has 998 at most.
MOST_ID = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What is kept of a mail."""

    #: The writer's bare address, in lower case.
    sender: str
    #: The mailbox it was sent to, in lower case.
    recipient: str
    subject: str
    #: New text only: what it quotes and its signature are cut off.
    text: str
    #: The mail's Message-ID, or a digest of the whole where it has none, or of one that is too long: the same mail
    #: again has the same.
    provider_id: str
    #: Names and types of what was attached; the files themselves are not kept.
    attachments: tuple[str, ...] = ()


def read_mail(raw: bytes) -> Mail:
    """Read a mail as it came over the wire.

    Raises:
        Malformed: it is too large, has no sender, or nothing to read in it.
    """
    if len(raw) > MOST_BYTES:
        raise Malformed(f"the mail has {len(raw)} bytes; at most {MOST_BYTES} are taken. Send it without attachments")
    parsed = message_from_bytes(raw, policy=default)
    assert isinstance(parsed, EmailMessage)
    return mail_of(
        sender=_header(parsed, "From"),
        recipient=_header(parsed, "Delivered-To") or _header(parsed, "To"),
        subject=_header(parsed, "Subject"),
        text=_body(parsed),
        provider_id=bracketed(_header(parsed, "Message-ID")) or digest(raw),
        attachments=tuple(_attached(part) for part in _attachments(parsed)),
    )


def mail_of(
    *,
    sender: str,
    recipient: str,
    subject: str,
    text: str,
    provider_id: str,
    attachments: tuple[str, ...] = (),
) -> Mail:
    """A mail from its parts, as a provider's webhook names them.

    Raises:
        Malformed: there is no sender, no id, or nothing new in the text.
    """
    address = parseaddr(sender)[1].casefold()
    if "@" not in address:
        raise Malformed("the mail has no sender; a From header with an address is needed")
    if not provider_id:
        raise Malformed("the mail has no id; a Message-ID is needed, so that a repeated delivery is known")
    new = new_text(text)
    if not new:
        raise Malformed("the mail has no text of its own; write something above what is quoted")
    if len(new) > MOST_TEXT:
        raise Malformed(f"the mail has {len(new)} characters of text; at most {MOST_TEXT} are taken")
    return Mail(
        sender=address,
        recipient=parseaddr(recipient)[1].casefold(),
        subject=one_line(subject)[:200],
        text=new,
        provider_id=provider_id if len(provider_id) <= MOST_ID else digest(provider_id.encode()),
        attachments=attachments,
    )


def digest(raw: bytes) -> str:
    return f"<{hashlib.sha256(raw).hexdigest()}@digest>"


# what is new

#: "Wrote", as mail programs in several languages say it before a quotation.
_WROTE = "wrote|schrieb|a écrit|escribió|schreef|ha scritto|skrev|escreveu"
#: Lines after which nothing is new: what mail programs put before a quotation, and the signature.
_ENDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"-- ?$",
        r"-{2,} ?(original|forwarded|ursprüngliche|weitergeleitete) (message|nachricht)",
        r"_{20,}$",
        rf"(on|am|le|el|op|il|den|em)\b.{{6,200}}\b({_WROTE})\b.{{0,80}}:$",
        r"(from|von|de|da|van): .*@",
        r"sent from my \w+",
        r"get outlook for \w+",
    )
)


def new_text(text: str) -> str:
    """What the writer added: the text up to its signature or to the mail it quotes, without quoted lines."""
    lines = _rejoined(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    kept: list[str] = []
    for line in lines:
        bare = line.strip()
        if any(end.match(bare) for end in _ENDS):
            break
        if not bare.startswith(">"):
            kept.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _rejoined(lines: list[str]) -> list[str]:
    """Mail programs break the line before a quotation ("On Monday, somebody <...>" / "wrote:") where they like."""
    joined: list[str] = []
    for line in lines:
        if joined and re.fullmatch(rf"\s*\S*\s*({_WROTE}) ?:\s*", line, re.IGNORECASE):
            joined[-1] = f"{joined[-1].rstrip()} {line.strip()}"
        else:
            joined.append(line)
    return joined


# parts of a mail


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return str(mail.get(name, ""))
    except (IndexError, ValueError, TypeError):  # the parser of the standard library fails on some broken headers
        return ""


def _body(mail: EmailMessage) -> str:
    part = mail.get_body(preferencelist=("plain", "html"))
    if part is None:
        return ""
    text = _content(part)
    return text_of_html(text) if part.get_content_type() == "text/html" else text


def _content(part: MIMEPart) -> str:
    try:
        return str(part.get_content())
    except (LookupError, ValueError, KeyError):  # an unknown charset, or bytes that are not in it
        payload = part.get_payload(decode=True)
        return payload.decode(errors="replace") if isinstance(payload, bytes) else ""


def _attachments(mail: EmailMessage) -> list[EmailMessage]:
    return [part for part in mail.walk() if part.is_attachment()]


def _attached(part: EmailMessage) -> str:
    return one_line(f"{part.get_filename() or 'without a name'} ({part.get_content_type()})")[:120]


class _Text(HTMLParser):
    """The text of a page, without what is quoted in it."""

    BREAKS = frozenset({"br", "div", "p", "li", "tr", "h1", "h2", "h3"})
    SILENT = frozenset({"script", "style", "head", "title", "blockquote"})
    #: Elements that have no end.
    VOID = frozenset({"br", "img", "hr", "meta", "link", "input", "wbr"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        quoted = any(name == "class" and "quote" in (value or "") for name, value in attrs)
        if tag not in self.VOID and (tag in self.SILENT or quoted or (self._silent and tag == self._silent[0])):
            self._silent.append(tag)
        if tag in self.BREAKS:
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()
        elif tag in ("p", "li", "tr"):
            self.handle_data("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data if data == "\n" else " ".join(data.split("\n")))


def text_of_html(page: str) -> str:
    """The readable text of a mail that came as HTML alone."""
    parser = _Text()
    parser.feed(page)
    parser.close()
    lines = "".join(parser.pieces).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(" ".join(line.split()) for line in lines)).strip()


__all__ = ["MOST_BYTES", "MOST_ID", "MOST_TEXT", "Mail", "digest", "mail_of", "new_text", "read_mail", "text_of_html"]
