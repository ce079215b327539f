"""SMS through an HTTP server on loopback that answers like Twilio's, and what its webhooks say."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

import pytest

from greenroom.adapters.twilio.channel import TwilioAccount, TwilioChannel
from greenroom.adapters.twilio.inbound import Sms, read_sms
from greenroom.kernel.errors import BackendError, Malformed, Refused
from greenroom.ports import Outgoing

LETTER = Outgoing(id="p/miro-1", to="+4915112345678", subject="", text="You have it. Do you?", world="w", stream="p")


@dataclass(slots=True)
class Exchange:
    """The API: what it was asked, and what it answers next; after the last answer, the last again."""

    url: str = ""
    asked: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    answers: list[tuple[int, Any]] = field(default_factory=lambda: [(201, {"sid": "SM1", "status": "queued"})])


@contextmanager
def exchange() -> Iterator[Exchange]:
    api = Exchange()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            api.asked.append((self.path, dict(parse_qsl(body)), self.headers["Authorization"]))
            status, answer = api.answers.pop(0) if len(api.answers) > 1 else api.answers[0]
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        api.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def channel_to(url: str) -> TwilioChannel:
    return TwilioChannel(TwilioAccount(sid="AC1", token="t0ken", base_url=url, timeout=2), number="+15005550006")


async def test_a_letter_is_posted_to_the_account_with_its_number_and_every_character() -> None:
    with exchange() as api:
        await channel_to(api.url).send(replace(LETTER, text="You have it. 🔑 & more?"))
    ((path, form, login),) = api.asked
    assert path == "/2010-04-01/Accounts/AC1/Messages.json"
    assert form == {"From": "+15005550006", "To": "+4915112345678", "Body": "You have it. 🔑 & more?"}
    assert base64.b64decode(login.removeprefix("Basic ")) == b"AC1:t0ken"


@pytest.mark.parametrize(("status", "code"), [(400, 21211), (400, 21610), (404, 20404)])
async def test_what_twilio_will_never_take_is_refused_with_its_code_and_no_words(status: int, code: int) -> None:
    with exchange() as api:
        api.answers = [(status, {"code": code, "message": "To +4915112345678 is bad"})]
        with pytest.raises(Refused, match=f"code {code}, HTTP status {status}") as caught:
            await channel_to(api.url).send(LETTER)
    assert "+49" not in str(caught.value)


@pytest.mark.parametrize("status", [401, 429, 500, 503])
async def test_a_busy_or_misconfigured_account_is_tried_again(status: int) -> None:
    with exchange() as api:
        api.answers = [(status, b"<html>not json</html>"), (201, {})]
        with pytest.raises(BackendError, match=str(status)):
            await channel_to(api.url).send(LETTER)
        await channel_to(api.url).send(LETTER)
    assert len(api.asked) == 2


async def test_an_api_that_is_away_is_tried_again() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(BackendError, match="cannot be reached"):
            await channel_to(f"http://127.0.0.1:{taken.getsockname()[1]}").send(LETTER)


@pytest.mark.parametrize("letter", [replace(LETTER, to="0151 123"), replace(LETTER, text="x" * 1601)])
async def test_a_wrong_number_or_a_text_too_long_is_refused_before_anything_is_sent(letter: Outgoing) -> None:
    with exchange() as api, pytest.raises(Refused):
        await channel_to(api.url).send(letter)
    assert api.asked == []


# webhooks


def test_the_fields_of_a_webhook_give_the_sms() -> None:
    form = {"MessageSid": "SM7", "From": "+4915112345678", "To": "+15005550006", "Body": " who? 🔑 "}
    assert read_sms(form) == Sms(sender="+4915112345678", recipient="+15005550006", text="who? 🔑", provider_id="SM7")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"From": "+1", "To": "+2", "Body": "x"}, "lacks MessageSid"),
        ({"MessageSid": "1", "From": "+1", "To": "+2", "Body": " "}, "has no text"),
        ({"MessageSid": "1", "From": "+1", "To": "+2", "Body": "x" * 1601}, "at most 1600"),
    ],
)
def test_a_webhook_that_is_no_sms_is_refused_with_the_reason(form: dict[str, str], said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_sms(form)
