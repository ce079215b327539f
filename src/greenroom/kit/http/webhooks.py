"""Signatures of webhooks, checked on the body as it came, in a time that does not depend on where they differ."""

from __future__ import annotations

import hmac
import time
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha1, sha256

from greenroom.kernel.errors import Forbidden

#: A signed moment may be this far off: clocks differ, and a captured request is worth nothing later.
MOST_SECONDS = 300.0


def check_hmac(secret: bytes, body: bytes, given: str | None, *, prefix: str = "sha256=") -> None:
    """Let a body pass whose HMAC-SHA-256, in hexadecimal behind ``prefix``, is the one given.

    Raises:
        Forbidden: it is not.
    """
    _same(prefix + hmac.new(secret, body, sha256).hexdigest(), given)


def check_timed_hmac(
    secret: bytes, body: bytes, given: str | None, at: str | None, *, now: float | None = None
) -> None:
    """Like :func:`check_hmac` over ``moment.body``, where the moment is in seconds and not long ago.

    Raises:
        Forbidden: the signature is wrong, or the moment is.
    """
    try:
        moment = float(at or "")
    except ValueError:
        raise Forbidden("the webhook does not say when it was sent") from None
    # Written so that a moment that is no number is refused as well.
    if not abs((time.time() if now is None else now) - moment) <= MOST_SECONDS:
        raise Forbidden(f"the webhook was sent more than {MOST_SECONDS:g} seconds ago, or is yet to be sent")
    check_hmac(secret, (at or "").encode() + b"." + body, given)


def check_twilio(token: str, url: str, fields: Iterable[tuple[str, str]], given: str | None) -> None:
    """Let a form pass that Twilio signed: HMAC-SHA-1 over the address and the sorted fields, in base 64.

    ``url`` is the address that Twilio was given, which behind a proxy is the public one, with its query.

    Raises:
        Forbidden: the signature is wrong or missing.
    """
    # A field that comes twice counts once for each value, as Twilio's own check does.
    text = url + "".join(name + value for name, value in sorted(set(fields)))
    _same(b64encode(hmac.new(token.encode(), text.encode(), sha1).digest()).decode(), given)


def _same(right: str, given: str | None) -> None:
    if given is None or not hmac.compare_digest(right.encode(), given.encode(errors="replace")):
        raise Forbidden("the signature of the webhook is wrong or missing")
