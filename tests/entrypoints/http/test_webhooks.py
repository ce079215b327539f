"""Signatures of webhooks: right ones pass, anything else does not."""

from __future__ import annotations

import hmac
from base64 import b64encode
from hashlib import sha1, sha256

import pytest

from greenroom.kernel.errors import Forbidden
from greenroom.kit.http.webhooks import check_hmac, check_timed_hmac, check_twilio

SECRET = b"a shared secret"
BODY = b'{"from": "ada"}'


def signed(body: bytes) -> str:
    return "sha256=" + hmac.new(SECRET, body, sha256).hexdigest()


def test_a_body_signed_with_the_secret_passes() -> None:
    check_hmac(SECRET, BODY, signed(BODY))


@pytest.mark.parametrize("given", [None, "", "sha256=", signed(BODY)[:-1], signed(BODY).upper(), signed(b"x"), "é"])
def test_any_other_signature_does_not(given: str | None) -> None:
    with pytest.raises(Forbidden):
        check_hmac(SECRET, BODY, given)


def test_another_body_does_not_pass_with_the_same_signature() -> None:
    with pytest.raises(Forbidden):
        check_hmac(SECRET, BODY + b" ", signed(BODY))


def test_a_signed_moment_passes_for_a_few_minutes() -> None:
    given = signed(b"1000." + BODY)
    for now in (1000.0, 1290.0, 710.0):
        check_timed_hmac(SECRET, BODY, given, "1000", now=now)
    for now in (1301.0, 699.0):
        with pytest.raises(Forbidden, match="300 seconds"):
            check_timed_hmac(SECRET, BODY, given, "1000", now=now)


@pytest.mark.parametrize("at", [None, "", "soon", "nan", "inf", "1001"])
def test_a_moment_that_was_not_signed_does_not_pass(at: str | None) -> None:
    with pytest.raises(Forbidden):
        check_timed_hmac(SECRET, BODY, signed(b"1000." + BODY), at, now=1000.0)


def test_a_form_signed_the_way_twilio_does_passes() -> None:
    """Twilio signs the address as it was called, then names and values in the order of the names."""
    url = "https://house.example/phantom/inbound/sms?line=2"
    fields = [
        ("Body", "who has the key"),
        ("From", "+493012345"),
        ("MessageSid", "SM77"),
        ("NumMedia", "0"),
        ("To", "+493098765"),
    ]
    given = "bXZ+eQ+Pi96Ob69tb30rJ4Q8byc="
    check_twilio("our own token", url, reversed(fields), given)
    with pytest.raises(Forbidden):
        check_twilio("our own token", url.partition("?")[0], fields, given)
    with pytest.raises(Forbidden):
        check_twilio("another token", url, fields, given)


def test_a_form_that_was_changed_does_not_pass() -> None:
    url, fields = "https://house.example/sms", [("Body", "hello"), ("From", "+4930")]
    text = url + "".join(name + value for name, value in sorted(fields))
    given = b64encode(hmac.new(b"token", text.encode(), sha1).digest()).decode()
    check_twilio("token", url, fields, given)
    for changed in ([("Body", "hellp"), fields[1]], fields[:1], [*fields, ("X", "")]):
        with pytest.raises(Forbidden):
            check_twilio("token", url + ("" if changed != fields else "x"), changed, given)
    for other_url in ("http://house.example/sms", url + "/"):
        with pytest.raises(Forbidden):
            check_twilio("token", other_url, fields, given)
    with pytest.raises(Forbidden):
        check_twilio("token", url, fields, None)
