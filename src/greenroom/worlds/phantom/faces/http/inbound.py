"""Webhooks: mail and SMS that players sent. Taken only when signed, recorded before they are acknowledged."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Header, Request, Response
from pydantic import Field

from greenroom.kernel import errors
from greenroom.kernel.errors import Forbidden, KeyReused, Malformed, TooLarge, Unknown
from greenroom.kernel.words import Words
from greenroom.kit.http.access import TheHouse, TheSettings
from greenroom.kit.http.problems import ALWAYS, documented
from greenroom.kit.http.records import ResponseBody, answer
from greenroom.kit.http.webhooks import check_timed_hmac, check_twilio
from greenroom.services.house import House
from greenroom.services.requests import MOST_KEY
from greenroom.worlds.phantom.outside.inbound import GivenMail, head_from, read_sms, text_from
from greenroom.worlds.phantom.rules.commands import Receive
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.state import PLAYER
from greenroom.worlds.phantom.rules.tables import PLAYERS
from greenroom.worlds.phantom.settings import PhantomSettings

routes = APIRouter(prefix="/phantom")

SMS_PATH = "/phantom/inbound/sms"
_RESPONSES = {**ALWAYS, **documented(errors.Forbidden, errors.Unknown, errors.Refused, errors.Malformed)}
_MIME = "message/rfc822"
#: Bytes of a form: more than any SMS comes with, and read before anybody knows who sent it.
MOST_SMS = 40_000
#: What Twilio wants to hear: no message back.
_SILENCE = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'


class Taken(ResponseBody):
    """The mail is recorded; what follows from it comes by itself."""

    stream: str
    attempt: int | None = Field(description="None when the same mail came before in another form.")
    new: bool


_MAIL_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The mail as it came over the wire, or its parts.",
        "content": {
            _MIME: {"schema": {"type": "string"}},
            "application/json": {"schema": GivenMail.model_json_schema()},
        },
    }
}


@routes.post("/inbound/email", responses={**_RESPONSES, 200: {"model": Taken}}, openapi_extra=_MAIL_BODY)
async def email(
    request: Request,
    house: TheHouse,
    settings: TheSettings,
    signature: Annotated[str | None, Header(alias="X-Greenroom-Signature")] = None,
    at: Annotated[str | None, Header(alias="X-Greenroom-Timestamp")] = None,
) -> Response:
    """Take a mail in. Signed by `sha256=` HMAC over `timestamp.body`; the same mail again changes nothing."""
    secret = house.settings(NAME, PhantomSettings).mail_webhook_secret
    if secret is None:
        raise Forbidden("this house takes no mail: GREENROOM_PHANTOM_MAIL_WEBHOOK_SECRET is not set")
    body = await request.body()
    check_timed_hmac(secret.get_secret_value().encode(), body, signature, at)
    kind = request.headers.get("content-type", "")
    head = head_from(kind, body)
    stream = _known(await house.holder(PLAYERS, "email", head.sender))
    # Only now, and beside the loop: whoever plays nowhere is not read at all, and a long mail keeps nobody waiting.
    text = await asyncio.to_thread(text_from, kind, body)
    channel = "email" if settings.smtp is None else settings.smtp.channel_of(head.recipient)
    return answer(await _record(house, stream, channel, text, head.provider_id))


_SMS_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The form that Twilio posts.",
        "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}},
    }
}
_XML: dict[int | str, dict[str, Any]] = {
    200: {"description": "Taken; nothing is sent back.", "content": {"application/xml": {"schema": {"type": "string"}}}}
}


@routes.post("/inbound/sms", responses={**_RESPONSES, **_XML}, openapi_extra=_SMS_BODY, response_class=Response)
async def sms(
    request: Request,
    house: TheHouse,
    settings: TheSettings,
    signature: Annotated[str | None, Header(alias="X-Twilio-Signature")] = None,
) -> Response:
    """Take an SMS in, as Twilio posts it; the same one again changes nothing."""
    if settings.twilio is None:
        raise Forbidden("this house takes no SMS: GREENROOM_TWILIO is not set")
    query = f"?{request.url.query}" if request.url.query else ""
    body = await request.body()
    if len(body) > MOST_SMS:
        raise TooLarge(f"the form of an SMS has at most {MOST_SMS} bytes")
    form = _form(body)
    check_twilio(settings.twilio.token.get_secret_value(), settings.address + SMS_PATH + query, form, signature)
    message = read_sms(dict(form))
    stream = _known(await house.holder(PLAYERS, "phone", message.sender))
    channel = settings.twilio.channel_of(message.recipient)
    await _record(house, stream, channel, message.text, message.provider_id)
    return Response(_SILENCE, media_type="application/xml")


def _form(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=200)
    except ValueError:
        raise Malformed("the form cannot be read; it comes as application/x-www-form-urlencoded in UTF-8") from None


def _key(provider_id: str) -> str:
    """The key of a message: the provider's id, or a digest of one that is too long for a key."""
    key = f"in/{provider_id}"
    return key if len(key) <= MOST_KEY else f"in/{sha256(provider_id.encode()).hexdigest()}"


def _known(stream: str | None) -> str:
    if stream is None:
        raise Unknown("nobody who plays has proved that address; sign up first, or write from the one you proved")
    return stream


async def _record(house: House, stream: str, channel: str, text: str, provider_id: str) -> dict[str, Any]:
    """Store a message under the provider's id; a worker answers it."""
    command = Receive(channel=channel, text=Words(text), provider_id=provider_id)
    try:
        receipt = await house.record(stream, command, seat=PLAYER, key=_key(provider_id))
    except KeyReused:  # delivered again in another form, by a list or a forwarder: it is the same message
        return {"stream": stream, "attempt": None, "new": False}
    return {"stream": stream, "attempt": receipt.attempt.n, "new": receipt.new}
