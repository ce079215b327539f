"""Lines heard while they are said: by the sentence, checked, over the wire, and once settled only once."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import greenroom
from greenroom.kernel.words import Words
from greenroom.services.aloud import Aloud, Saying, sentences_in
from greenroom.worlds.lighthouse.rules.commands import Say
from greenroom.worlds.lighthouse.rules.state import VISITOR

LINE = "Sit down. There is soup. It has been soup since Monday."
#: How long the server rests between two words.
REST = 0.02


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        ("", ()),
        ('{"thinking": "A guest. Cold.", "mo', ()),
        ('{"mood": "plain", "line": "Sit down', ()),
        ('{"mood": "plain", "line": "Sit down.', ()),
        ('{"mood": "plain", "line": "Sit down. The', ("Sit down.",)),
        ('{"line": "He said \\"no\\". And \\u00e9', ('He said "no".',)),
        ('{"line": "Sit down. Eat"}', ("Sit down.", "Eat")),
        ('{"line": "Sit down. \\', ("Sit down.",)),
    ],
)
def test_only_whole_sentences_of_the_line_are_heard(answer: str, sentences: tuple[str, ...]) -> None:
    assert sentences_in(answer, "line", schema=True) == sentences


@contextmanager
def served(line: str, ends: list[float]) -> Iterator[str]:
    """A server that streams one answer word by word in OpenAI's format, and notes when each sentence was out."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            text = json.dumps({"mood": "plain", "line": line})
            for word in text.split(" "):
                self._chunk({"role": "assistant", "content": word + " "}, None)
                if word.rstrip('"}').endswith("."):
                    ends.append(time.monotonic())
                time.sleep(REST)
            self._chunk({}, "stop")
            self.wfile.write(b"data: [DONE]\n\n")

        def _chunk(self, delta: dict[str, str], finish: str | None) -> None:
            told = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            part = {**told, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
            self.wfile.write(b"data: " + json.dumps(part).encode() + b"\n\n")
            self.wfile.flush()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def heard_from(
    line: str, monkeypatch: pytest.MonkeyPatch, ends: list[float], seat: str = VISITOR
) -> tuple[list[tuple[float, str]], str]:
    """What a seat hears while the keeper says a line, with the moment of each; and what is settled."""
    heard: list[tuple[float, str]] = []
    with served(line, ends) as url:
        role = {"model": "openai:m", "base_url": url, "timeout": 20, "tries": 1}
        monkeypatch.setenv("GREENROOM_MODELS", json.dumps({"quality": role}))
        async with greenroom.open(":memory:") as house:
            stream = (await house.start("lighthouse", {}, owner="ann", seat=VISITOR)).stream
            stop = house.listen(stream, lambda: heard.append((time.monotonic(), house.saying(stream, seat) or "")))
            reply = await house.send(stream, Say(text=Words("Good evening.")), seat=VISITOR)
            stop()
    return heard, reply.body["line"]


@pytest.mark.usefixtures("library")
async def test_a_sentence_is_heard_within_300_milliseconds_of_its_last_token(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[float] = []
    heard, line = await heard_from(LINE, monkeypatch, ends)
    assert line == LINE
    texts = list(dict.fromkeys(text for _, text in heard if text))
    assert texts == ["Sit down.", "Sit down. There is soup.", LINE]
    for end, text in zip(ends, texts, strict=True):
        first = next(at for at, so_far in heard if so_far == text)
        assert first - end < 0.3, "a sentence stands where it is heard soon after its last token"
    assert heard[-1][1] == "", "when it is settled nobody is saying it any more"


@pytest.mark.usefixtures("library")
async def test_a_sentence_that_its_checks_refuse_is_not_heard_early(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, _ = await heard_from("Sit down. There are 200 prisms. Eat.", monkeypatch, [])
    assert {text for _, text in heard} == {"", "Sit down."}


@pytest.mark.usefixtures("library")
async def test_a_stranger_hears_nothing_early(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, _ = await heard_from(LINE, monkeypatch, [], seat="stranger")
    assert {text for _, text in heard} == {""}


async def test_nothing_is_heard_of_a_turn_that_was_given_up() -> None:
    aloud, rung = Aloud(), asyncio.Event()
    aloud.listen("s", rung.set)
    aloud.say("s", Saying(attempt=1, sentences=("Half.",), state=None))
    assert rung.is_set()
    aloud.hush("s")
    assert aloud.of("s") is None
