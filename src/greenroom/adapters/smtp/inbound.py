"""A mail that came in: who wrote, to which mailbox, what is new in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from greenroom.adapters.smtp import mime
from greenroom.adapters.smtp.markup import text_of_html
from greenroom.adapters.smtp.outbound import bracketed, one_line
from greenroom.kernel.errors import Malformed

#: Bytes of a whole mail, attachments included; what is larger is refused unread.
MOST_BYTES = 512 * 1024
#: Characters of new text in one mail.
MOST_TEXT = 8_000
#: Characters of a Message-ID; a line of a mail has 998 at most.
MOST_ID = 900
#: Characters of a line that tell whether it begins a quotation.
_MOST_LINE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class MailHead:
    """What is known of a mail before it is read."""

    #: The writer's bare address, in lower case.
    sender: str
    #: The mailbox it was sent to, in lower case.
    recipient: str
    subject: str
    #: The mail's Message-ID, or a digest of the whole where it has none, or of one that is too long: the same mail
    #: again has the same.
    provider_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What is kept of a mail."""

    head: MailHead
    #: New text only: what it quotes and its signature are cut off.
    text: str
    #: Names and types of what was attached; the files themselves are not kept.
    attachments: tuple[str, ...] = ()


def read_mail(raw: bytes) -> Mail:
    """Read a mail as it came over the wire.

    Raises:
        Malformed: it is too large or broken, does not have one sender, or nothing to read in it.
    """
    head = read_head(raw)
    mail = mime.opened(raw)
    leaves = list(mime.leaves(mail))
    attached = tuple(_attached(part) for part in leaves if part.is_attachment)
    return Mail(head=head, text=new_in(_body(leaves)), attachments=attached)


def read_head(raw: bytes) -> MailHead:
    """Who wrote a mail, and to whom; nothing below its head is looked at.

    Raises:
        Malformed: it is too large, its head is broken, or it does not have one sender.
    """
    if len(raw) > MOST_BYTES:
        raise Malformed(f"the mail has {len(raw)} bytes; at most {MOST_BYTES} are taken. Send it without attachments")
    mail = mime.opened(raw, strict=True)
    senders = mail.fields.get("from", ())
    if len(senders) > 1:
        raise Malformed("the mail has more than one From header; one sender is needed")
    return head_of(
        sender=mail.field("from"),
        recipient=mail.field("delivered-to") or mail.field("to"),
        subject=mime.in_words(mail.field("subject")),
        provider_id=bracketed(mail.field("message-id")) or digest(raw),
    )


def head_of(*, sender: str, recipient: str, subject: str, provider_id: str) -> MailHead:
    """The same from its parts, as a provider's webhook names them.

    Raises:
        Malformed: there is not one sender, or no id.
    """
    if not provider_id:
        raise Malformed("the mail has no id; a Message-ID is needed, so that a repeated delivery is known")
    return MailHead(
        sender=the_sender(sender),
        recipient=_mailbox(recipient),
        subject=one_line(subject)[:200],
        provider_id=provider_id if len(provider_id) <= MOST_ID else digest(provider_id.encode()),
    )


def new_in(text: str) -> str:
    """What the writer of a mail added.

    Raises:
        Malformed: that is nothing, or too much.
    """
    new = new_text(text)
    if not new:
        raise Malformed("the mail has no text of its own; write something above what is quoted")
    if len(new) > MOST_TEXT:
        raise Malformed(f"the mail has {len(new)} characters of text; at most {MOST_TEXT} are taken")
    return new


def digest(raw: bytes) -> str:
    return f"<{hashlib.sha256(raw).hexdigest()}@digest>"


# who wrote

#: What stands in an address as it is. Comments, groups, routes and quoted mailboxes are for museums, and for whoever
#: wants one reader to see another sender than the next.
_PLAIN = r"[^\s@<>()\[\],;:\\\"\x00-\x1f\x7f]"
_ADDRESS = re.compile(rf"{_PLAIN}{{1,64}}@{_PLAIN}{{1,253}}")
_WORD = rf'(?:"(?:[^"\\]|\\.)*"|{_PLAIN}+)'
_NAMED = re.compile(rf"(?:{_WORD}(?:\s+{_WORD})*\s*)?<({_ADDRESS.pattern})>")


def the_sender(field: str) -> str:
    """The one address in a From field, in small letters: bare, or in angle brackets behind a name.

    Raises:
        Malformed: there is none, or more than one, or it could be read in two ways.
    """
    given = field.strip()
    found = _NAMED.fullmatch(given) if len(given) < mime.MOST_VALUE else None
    address = found[1] if found is not None else given if _ADDRESS.fullmatch(given) else None
    if address is None:
        raise Malformed("the mail has no sender that is plain; a From header with one address is needed")
    return address.casefold()


def _mailbox(field: str) -> str:
    """The first address of a field that only chooses a channel; "" when there is none."""
    found = _ADDRESS.search(field[:300])
    return "" if found is None else found[0].casefold()


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
    kept = [line.rstrip() for line in _until_quoted(text) if not line.lstrip().startswith(">")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _until_quoted(text: str) -> Iterator[str]:
    """The lines before a quotation. Mail programs may break the one that announces it, "On Monday, somebody wrote:"."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        bare, more = line.strip()[:_MOST_LINE], following.strip()
        if bare and (_ends(bare) or (more.endswith(":") and len(more) < _MOST_LINE and _ends(f"{bare} {more}"))):
            return
        yield line


def _ends(bare: str) -> bool:
    return any(end.match(bare) for end in _ENDS)


# parts of a mail


def _body(leaves: list[mime.MimePart]) -> str:
    """The text: plain if there is any, or else read from HTML."""
    for kind in ("text/plain", "text/html"):
        for part in leaves:
            if part.kind == kind and not part.is_attachment:
                return text_of_html(part.text()) if kind == "text/html" else part.text()
    return ""


def _attached(part: mime.MimePart) -> str:
    return one_line(f"{part.filename[:200] or 'without a name'} ({part.kind[:60]})")[:120]


__all__ = [
    "MOST_BYTES",
    "MOST_ID",
    "MOST_TEXT",
    "Mail",
    "MailHead",
    "digest",
    "head_of",
    "new_in",
    "new_text",
    "read_head",
    "read_mail",
    "text_of_html",
    "the_sender",
]
