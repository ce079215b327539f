"""A server on this machine that speaks the wire formats of Anthropic, OpenAI and Google, well or badly as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = '{"line": "The wind is up.", "mood": "plain"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """How one request is answered."""

    text: str = GOOD
    #: Why an answer in OpenAI's format ended.
    finish: str = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Sent as it is, instead of a body in the provider's format.
    body: bytes | None = None
    #: Seconds of silence first.
    silence: float = 0.0
    input_tokens: int = 100
    output_tokens: int = 20
    cached_tokens: int = 0
    written_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(slots=True)
class Loopback:
    """What is to be answered, one after the other, and what was asked. After the last reply, the last again."""

    url: str = ""
    replies: list[Reply] = field(default_factory=lambda: [Reply()])
    seen: list[Seen] = field(default_factory=list)
    #: Requests being answered at this moment, and the most there ever were.
    under_way: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)

    def base_url(self, provider: str) -> str:
        return f"{self.url}/v1" if provider == "openai" else self.url

    def take(self, seen: Seen) -> Reply:
        with self.lock:
            self.seen.append(seen)
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def _anthropic(reply: Reply) -> Any:
    content = [{"type": "text", "text": reply.text}] if reply.text else []
    usage = {
        "input_tokens": reply.input_tokens - reply.cached_tokens - reply.written_tokens,
        "output_tokens": reply.output_tokens,
        "cache_read_input_tokens": reply.cached_tokens,
        "cache_creation_input_tokens": reply.written_tokens,
    }
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-6", "content": content}
    return {**told, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}


def _openai(reply: Reply) -> Any:
    message = {"role": "assistant", "content": reply.text}
    usage = {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens + reply.output_tokens,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
    }
    told = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4.1-mini", "usage": usage}
    return {**told, "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}]}


def _google(reply: Reply) -> Any:
    content = {"role": "model", "parts": [{"text": reply.text}] if reply.text else []}
    usage = {
        "promptTokenCount": reply.input_tokens,
        "candidatesTokenCount": reply.output_tokens,
        "totalTokenCount": reply.input_tokens + reply.output_tokens,
        "cachedContentTokenCount": reply.cached_tokens,
    }
    told = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
    return {**told, "modelVersion": "gemini-2.5-flash"}


def _format(path: str) -> Callable[[Reply], Any]:
    if path.endswith("/chat/completions"):
        return _openai
    return _google if "generateContent" in path else _anthropic


def _error(reply: Reply) -> Any:
    kind = "overloaded_error" if reply.status == 529 else "error"
    return {"type": "error", "error": {"type": kind, "message": "not now", "code": reply.status}}


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            seen = Seen(
                self.path,
                {name.lower(): value for name, value in self.headers.items()},
                json.loads(self.rfile.read(size)),
            )
            reply = loopback.take(seen)
            with loopback.lock:
                loopback.under_way += 1
                loopback.most = max(loopback.most, loopback.under_way)
            try:
                loopback.stop.wait(reply.silence)
                self._say(reply)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                with loopback.lock:
                    loopback.under_way -= 1

        def _say(self, reply: Reply) -> None:
            plain = _format(self.path)(reply) if reply.status == 200 else _error(reply)
            body = json.dumps(plain).encode() if reply.body is None else reply.body
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


@contextmanager
def serve() -> Iterator[Loopback]:
    """A server on a free port, for the length of the block."""
    loopback = Loopback()
    with _Server(("127.0.0.1", 0), _handler(loopback)) as server:
        loopback.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield loopback
        finally:
            loopback.stop.set()
            server.shutdown()
            thread.join(5)


def wait_until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.01)
