"""Mails that come in: who wrote, what is new, what is refused."""

from __future__ import annotations

import time
from contextlib import suppress
from email.message import EmailMessage

import pytest

from greenroom.adapters.smtp.inbound import MOST_BYTES, new_text, read_head, read_mail, text_of_html
from greenroom.kernel.errors import Malformed


def mail(text: str = "who is this?", **headers: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in {"From": "Ann <Ann@Example.org>", "To": "ember@letters.example", "Subject": "hi"}.items():
        made[name] = headers.pop(name, value)
    made["Message-ID"] = headers.pop("message_id", "<1@phone>")
    made.set_content(text)
    return made


def test_a_plain_mail_gives_sender_mailbox_subject_text_and_id() -> None:
    read = read_mail(mail().as_bytes())
    head = read.head
    assert (head.sender, head.recipient, head.subject) == ("ann@example.org", "ember@letters.example", "hi")
    assert (read.text, head.provider_id, read.attachments) == ("who is this?", "<1@phone>", ())


QUOTED = (
    "I won't.\n\nOn Mon, 3 Mar 2031 at 09:12, Ember <ember@letters.example> wrote:\n> please…\n> delete it\n",
    "I won't.\n\nOn Mon, 3 Mar 2031 at 09:12, Ember\n<ember@letters.example> wrote:\n\n> please…\n",
    "I won't.\n\nAm 03.03.2031 um 09:12 schrieb Ember <e@letters.example>:\n> bitte\n",
    "I won't.\r\n\r\n-----Original Message-----\r\nFrom: Ember\r\nplease delete it\r\n",
    "I won't.\n\n________________________________\nFrom: Ember <ember@letters.example>\nSent: Monday\n",
    "> please delete it\n\nI won't.\n",
    "I won't.\n-- \nAnn\n+49 170 1234567\n",
    "I won't.\n\nSent from my phone\n",
    "I won't.\n\nFrom: Ember <ember@letters.example>\nDate: Monday\n\nplease delete it\n",
)


@pytest.mark.parametrize("text", QUOTED)
def test_what_a_mail_quotes_and_its_signature_are_cut_off(text: str) -> None:
    assert new_text(text) == "I won't."


@pytest.mark.parametrize(
    "text",
    [
        "On Thursday I will use it:\nwatch me.",
        "From: where I sit, this looks like theft.",
        "Am I the only one?\nYes, I wrote: nothing.",
        "a -- b\nc",
    ],
)
def test_lines_that_only_look_like_a_quotation_stay(text: str) -> None:
    assert new_text(text) == text


def test_a_mail_of_html_alone_is_read_as_text_without_the_quotation() -> None:
    made = mail()
    made.set_content(
        "<html><head><style>p {}</style></head><body><p>I kept&nbsp;it.</p><div>All <b>five</b><br>uses.</div>"
        '<div class="gmail_quote"><div>On Monday Ember wrote:</div><blockquote>no</blockquote></div></body></html>',
        subtype="html",
    )
    assert read_mail(made.as_bytes()).text == "I kept it.\n\nAll five\nuses."


def test_nested_elements_do_not_end_a_quotation_early() -> None:
    page = '<p>mine</p><div class="x_quote"><div>theirs<br></div>still theirs</div><p>mine again</p>'
    assert text_of_html(page) == "mine\n\nmine again"


def test_the_text_of_a_mail_in_two_forms_is_the_plain_one() -> None:
    made = mail("plain words")
    made.add_alternative("<p>other words</p>", subtype="html")
    assert read_mail(made.as_bytes()).text == "plain words"


def test_an_attachment_is_named_and_not_kept() -> None:
    made = mail("see the file")
    made.add_attachment(b"\x89PNG....", maintype="image", subtype="png", filename="screen.png")
    read = read_mail(made.as_bytes())
    assert (read.text, read.attachments) == ("see the file", ("screen.png (image/png)",))


def test_emoji_and_text_from_right_to_left_come_through_whole() -> None:
    assert read_mail(mail("🔑 מי אתה? مرحبا").as_bytes()).text == "🔑 מי אתה? مرحبا"


def test_an_unknown_charset_is_read_as_well_as_can_be() -> None:
    raw = b"From: a@example.org\r\nMessage-ID: <2@x>\r\nContent-Type: text/plain; charset=klingon-8\r\n\r\nhello\r\n"
    assert read_mail(raw).text == "hello"


def test_a_mail_without_an_id_gets_one_that_is_the_same_when_it_comes_again() -> None:
    raw = b"From: a@example.org\r\n\r\nhello\r\n"
    assert read_head(raw).provider_id == read_head(raw).provider_id
    assert read_head(raw).provider_id != read_head(raw + b"again\r\n").provider_id


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (mail("x" * MOST_BYTES).as_bytes(), "at most 524288 are taken"),
        (mail("word " * 4000).as_bytes(), "characters of text; at most 8000"),
        (b"Subject: hi\r\n\r\nhello", "has no sender"),
        (b"From: nobody\r\nMessage-ID: <1@x>\r\n\r\nhello", "has no sender"),
        (mail("> only\n> quoted\n").as_bytes(), "no text of its own"),
        (mail("").as_bytes(), "no text of its own"),
    ],
)
def test_a_mail_that_cannot_be_taken_is_refused_with_the_reason(raw: bytes, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_mail(raw)


# who wrote

EVIL = "evil@elsewhere.example"


@pytest.mark.parametrize(
    ("field", "sender"),
    [
        ("ann@example.org", "ann@example.org"),
        ("<Ann@Example.org>", "ann@example.org"),
        ("Ann Lee <ann@example.org>", "ann@example.org"),
        ('"Lee, Ann" <ann@example.org>', "ann@example.org"),
        ('"ann@example.org" <evil@elsewhere.example>', EVIL),
        ("=?utf-8?q?ann=40example=2Eorg?= <evil@elsewhere.example>", EVIL),
        ("Jürgen <j@example.org>", "j@example.org"),
    ],
)
def test_the_sender_is_the_one_address(field: str, sender: str) -> None:
    assert read_head(f"From: {field}\r\nMessage-ID: <1@x>\r\n\r\nhi".encode()).sender == sender


@pytest.mark.parametrize(
    "head",
    [
        f"From: ann@example.org <{EVIL}>",
        f"From: <ann@example.org> <{EVIL}>",
        f"From: ann@example.org, {EVIL}",
        f"From: {EVIL}, ann@example.org",
        f"From: ann@example.org ({EVIL})",
        f"From: (ann@example.org) {EVIL}",
        f"From: ann@example.org\r\nFrom: {EVIL}",
        f"From: {EVIL}\r\nfrom: ann@example.org",
        f"From: {EVIL}\rFrom: ann@example.org",
        f"From : ann@example.org\r\nFrom: {EVIL}",
        f"From: friends: ann@example.org, {EVIL};",
        f"From: <@ann.example:{EVIL}>",
        f'From: "ann"@example.org <{EVIL}>',
        f"From: ann@example.org\r\n <{EVIL}>",
        f"From: ann@example.org\0 <{EVIL}>",
        f"From: ann@{EVIL}",
        "From: ann",
        "From:",
        "To: ann@example.org",
        "nothing at all",
    ],
)
def test_a_mail_with_two_senders_or_none_or_a_broken_head_is_refused(head: str) -> None:
    with pytest.raises(Malformed):
        read_head(f"{head}\r\nMessage-ID: <1@x>\r\n\r\nhi".encode())


# what takes its time


def _nested(levels: int) -> bytes:
    lines = [b"From: ann@example.org", b"Message-ID: <1@x>"]
    for i in range(levels):
        lines += [b'Content-Type: multipart/mixed; boundary="b%d"' % i, b"", b"--b%d" % i]
    return b"\r\n".join([*lines, b"Content-Type: text/plain", b"", b"hello"])


def _forwarded(levels: int) -> bytes:
    inner = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n"
    return inner + b"Content-Type: message/rfc822\r\n\r\n" * levels + b"hello"


_HEAD = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n"
_PARTS = _HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
_HTML = _HEAD + b"Content-Type: text/html\r\n\r\n"
SLOW = {
    "comments": _HEAD.replace(b"ann@", b"(" * 20_000 + b"ann@") + b"\r\nhi",
    "comments in another field": _HEAD + b"To: " + b"(" * 60_000 + b"\r\n\r\nhi",
    "ids": _HEAD + b"References: " + b"<a@b> " * 9_000 + b"\r\n\r\nhi",
    "parts in parts": _nested(5_000),
    "mails in mails": _forwarded(10_000),
    "many parts": _PARTS + b"--b\r\n\r\n" * 60_000,
    "almost boundaries": _PARTS + b"--b\r\n\r\nhi" + b"\r\n--bc" * 70_000,
    "blanks": _HEAD + b"\r\nhi\r\n" + b" " * 500_000,
    "wrote": _HEAD + b"\r\nhi" + b"\r\nwrote:" * 60_000,
    "on": _HEAD + b"\r\nhi\r\n" + b"on " * 160_000 + b":",
    "from": _HEAD + b"\r\nhi\r\nfrom: " + b"x" * 500_000,
    "dashes": _HEAD + b"\r\nhi\r\n" + b"-" * 500_000,
    "returns": _HEAD + b"\r\nhi" + b"\r" * 500_000,
    "open tags": _HTML + b"hi" + b"<a " * 160_000,
    "open comments": _HTML + b"hi" + b"<!--" * 120_000,
    "declarations": _HTML + b"hi" + b"<![" * 160_000,
    "quotes": _HTML + b"hi" + b"<p class=" * 50_000,
    "scripts": _HTML + b"hi" + b"<script>" * 60_000,
    "deep tags": _HTML + b"hi" + b"<blockquote>" * 40_000,
    "digits": _HTML + b"hi &#" + b"9" * 500_000 + b";",
    "ampersands": _HTML + b"hi" + b"&a" * 250_000,
    "parameters": _HEAD + b"Content-Type: text/plain" + b';a="\\' * 9_000 + b"\r\n\r\nhi",
    "words": _HEAD + b"Subject: " + b"=?utf-8?q?" * 6_000 + b"\r\n\r\nhi",
    "punycode": _HEAD + b"Content-Type: text/plain; charset=punycode\r\n\r\nhi " + b"a" * 100_000,
    "folds": _HEAD + b"X-A: b" + b"\r\n c" * 12_000 + b"\r\n\r\nhi",
}


@pytest.mark.parametrize("raw", SLOW.values(), ids=list(SLOW))
def test_no_mail_takes_more_than_its_length_deserves(raw: bytes) -> None:
    raw = raw[:MOST_BYTES]
    began = time.thread_time()
    with suppress(Malformed):
        read_head(raw)
    head = time.thread_time() - began
    with suppress(Malformed):
        read_mail(raw)
    assert head < 0.02, "the loop waits for this much"
    assert time.thread_time() - began < 0.5
