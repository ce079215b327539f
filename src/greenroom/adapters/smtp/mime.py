"""A mail taken apart: fields, parts and charsets, in a time that grows with its length and no faster.

The parser of the standard library is written for mails that mean well: it looks into every comment of every header,
and opens a mail within a mail within a mail for as long as there are any.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.header import decode_header
from urllib.parse import unquote

from greenroom.kernel.errors import Malformed

#: Bytes of the head of a mail or of a part, parts in parts, and parts in all.
MOST_HEAD = 64 * 1024
MOST_DEPTH = 8
MOST_PARTS = 100
#: Characters of a field that are looked at.
MOST_VALUE = 1_000

_NAME = re.compile(r"[!-9;-~]+")
#: The line with which some programs pass a mail on; it is no field.
_POSTMARK = re.compile(r"From [^\s:]+ [^:]")
_PARAMETER = re.compile(r';\s*([\w!#$&+.^*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]+)')
#: Charsets that mails are written in. Python knows others, which are none or take their time.
_CHARSET = re.compile(
    r"utf-?(8|16|32)([lb]e)?|(us-)?ascii|iso[-_]8859[-_]\d{1,2}|(windows|cp)-?\d{3,4}|koi8-[ru]|gb(2312|k|18030)"
    r"|big5(-hkscs)?|euc-(jp|kr)|shift[-_]?jis|iso-2022-(jp|kr)|latin-?1"
)


@dataclass(frozen=True, slots=True)
class MimePart:
    """A mail, or a part of one."""

    #: Values by name in small letters, in the order in which they stand there.
    fields: Mapping[str, Sequence[str]]
    body: bytes

    def field(self, name: str) -> str:
        """The first value of a field; "" when there is none."""
        return next(iter(self.fields.get(name, ())), "")[:MOST_VALUE]

    @property
    def kind(self) -> str:
        """Its type, such as ``text/plain``."""
        return self.field("content-type").partition(";")[0].strip().lower() or "text/plain"

    @property
    def is_attachment(self) -> bool:
        return self.field("content-disposition").strip().lower().startswith("attachment")

    @property
    def filename(self) -> str:
        """What it is called where it came from."""
        named = parameters(self.field("content-disposition"))
        encoded = named.get("filename*", "").rpartition("'")[2]
        return named.get("filename") or unquote(encoded) or parameters(self.field("content-type")).get("name", "")

    def text(self) -> str:
        """Its body as text, as well as can be."""
        return decoded(_bytes(self), parameters(self.field("content-type")).get("charset", "utf-8"))


def opened(raw: bytes, *, strict: bool = False) -> MimePart:
    """A mail or a part of one; ``strict`` refuses a head in which anything could be read in two ways.

    Raises:
        Malformed: the head is too long, or broken.
    """
    raw = raw.replace(b"\r\n", b"\n")
    head, _, body = (b"", b"", raw[1:]) if raw.startswith(b"\n") else raw.partition(b"\n\n")
    if len(head) > MOST_HEAD:
        raise Malformed(f"the head of the mail has {len(head)} bytes; at most {MOST_HEAD} are read")
    if strict and (b"\r" in head or b"\0" in head):
        raise Malformed("the head of the mail is broken: it holds characters that end no line")
    return MimePart(_fields(head.decode(errors="replace"), strict=strict), body)


def _fields(head: str, *, strict: bool) -> dict[str, list[str]]:
    found: dict[str, list[list[str]]] = {}
    last: list[str] | None = None
    for n, line in enumerate(head.split("\n"), 1):
        if line[:1] in (" ", "\t") and last is not None:
            last.append(line)
            continue
        name, colon, value = line.partition(":")
        if colon and _NAME.fullmatch(name):
            last = [value]
            found.setdefault(name.lower(), []).append(last)
        elif strict and line and not (n == 1 and _POSTMARK.match(line)):
            raise Malformed(f"the head of the mail is broken in line {n}: it is no field")
    return {name: [" ".join(map(str.strip, lines)).strip() for lines in values] for name, values in found.items()}


def leaves(mail: MimePart) -> Iterator[MimePart]:
    """The parts of a mail that hold no others, in order. A mail that is attached to it stays closed.

    Raises:
        Malformed: there are too many, or one in the other too often.
    """
    waiting, seen = [(mail, 0)], 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if seen > MOST_PARTS:
            raise Malformed(f"the mail has more than {MOST_PARTS} parts")
        boundary = parameters(part.field("content-type")).get("boundary", "")
        if not part.kind.startswith("multipart/") or not boundary:
            yield part
            continue
        if depth == MOST_DEPTH:
            raise Malformed(f"the mail has parts within parts more than {MOST_DEPTH} times")
        inner = _split(part.body, boundary.encode())
        waiting.extend((opened(one), depth + 1) for one in reversed(inner))


def _split(body: bytes, boundary: bytes) -> list[bytes]:
    """What stands between the lines of a boundary; a line that only begins like one is none."""
    mark = b"\n--" + boundary
    parts: list[list[bytes]] = []
    _, *pieces = (b"\n" + body).split(mark)
    for piece in pieces:
        line, _, rest = piece.partition(b"\n")
        if not line.strip():
            parts.append([rest])
        elif line.startswith(b"--"):
            break
        elif parts:
            parts[-1].append(mark + piece)
        if len(parts) > MOST_PARTS:
            raise Malformed(f"the mail has more than {MOST_PARTS} parts")
    return [b"".join(pieces) for pieces in parts]


def parameters(value: str) -> dict[str, str]:
    """What stands behind the semicolons of a field; the first of two counts."""
    found: dict[str, str] = {}
    for name, given in _PARAMETER.findall(value[:MOST_VALUE]):
        bare = re.sub(r"\\(.)", r"\1", given[1:-1]) if given.startswith('"') else given
        found.setdefault(name.lower(), bare)
    return found


def _bytes(part: MimePart) -> bytes:
    encoding = part.field("content-transfer-encoding").strip().lower()
    try:
        if encoding == "base64":
            return binascii.a2b_base64(part.body)
        return binascii.a2b_qp(part.body) if encoding == "quoted-printable" else part.body
    except binascii.Error:
        return part.body


def decoded(data: bytes, charset: str) -> str:
    """Bytes of a charset as text; of one that is unknown, as if they were UTF-8."""
    known = charset if _CHARSET.fullmatch(charset.strip().lower()) else "utf-8"
    try:
        return data.decode(known, errors="replace")
    except LookupError:
        return data.decode(errors="replace")


def in_words(value: str) -> str:
    """A field such as the subject, with encoded words as they are meant."""
    try:
        pieces = decode_header(value[:MOST_VALUE])
    except (ValueError, LookupError):  # HeaderParseError among them
        return value[:MOST_VALUE]
    return "".join(one if isinstance(one, str) else decoded(one, charset or "utf-8") for one, charset in pieces)


__all__ = ["MOST_DEPTH", "MOST_HEAD", "MOST_PARTS", "MOST_VALUE", "MimePart", "decoded", "in_words", "leaves", "opened"]
