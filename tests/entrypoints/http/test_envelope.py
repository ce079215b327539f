"""What every answer has in common: one sentence for a problem, an id, careful headers, nothing secret in the log."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import WebSocketRoute

from greenroom.entrypoints.http import logs
from greenroom.entrypoints.http.serving import Server
from greenroom.kernel import errors
from greenroom.kernel.errors import GreenroomError, TryLater
from greenroom.kit.http import problems
from greenroom.kit.http.access import Caller
from tests.entrypoints.http.stage import VISITOR, Stage

KINDS = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, GreenroomError)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_of_the_tree_becomes_a_problem_with_its_own_status(kind: type[GreenroomError]) -> None:
    answer = problems.problem_of(kind("what was wrong"), {"request_id": "r1", "caller": Caller("operator")})
    told = json.loads(bytes(answer.body))
    assert (answer.status_code, answer.media_type) == (kind.status, "application/problem+json")
    assert (told["type"], told["status"]) == (f"urn:greenroom:{kind.__name__}", kind.status)
    assert (told["detail"], told["request"]) == ("what was wrong", "r1")
    assert set(told) == set(problems.SCHEMA["properties"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("caller", [None, Caller("stranger"), Caller("player")])
def test_what_fails_behind_the_house_is_told_to_others_without_paths_or_hosts(
    kind: type[GreenroomError], caller: Caller | None
) -> None:
    error = kind("/home/ember/.greenroom/house.db: db.example:5432 is away")
    told = json.loads(bytes(problems.problem_of(error, {"request_id": "r1", "caller": caller}).body))
    if kind.status >= 500 and kind is not TryLater:
        assert "/" not in told["detail"]
        assert "example" not in told["detail"]
        assert told["detail"].endswith("the log knows more under the id of this request")


BAD: tuple[tuple[Any, str], ...] = (
    ({}, "world: Field required"),
    ({"world": "lighthouse", "colour": 1}, "colour: Extra inputs are not permitted"),
    ({"world": 7}, "world: Input should be a valid string"),
    ({"world": "lighthouse", "seed": "7"}, "seed: Input should be a valid integer"),
    ({"world": "lighthouse", "name": "x" * 201}, "name: String should have at most 200 characters"),
    ({"world": "nowhere"}, "there is no world 'nowhere'; there is "),
    ({"world": "lighthouse", "config": {"x": 1}}, "unknown field 'x'"),
    ({"world": "lighthouse", "config": [1]}, "lighthouse config"),
    ({"world": "lighthouse", "seed": 2**70}, "a seed is a whole number"),
    ({"world": "lighthouse", "name": " "}, "a stream name is text of 1 to 200 characters"),
    ([], "a JSON object is wanted, sent with Content-Type: application/json"),
)


async def test_a_bad_body_is_told_what_was_wrong_and_changes_nothing(house: Stage) -> None:
    for body, part in BAD:
        answer = await house.caller().post("/streams", json=body)
        assert answer.status_code in (404, 422), body
        assert part in answer.json()["detail"]
    assert await house.house.backend.streams.list() == []


NO_JSON = (b"{", b"\xff\xfe", b'{"world": "\\ud800"}', b"[" * 5000, b'{"a":' * 900 + b"1" + b"}" * 900)


async def test_a_body_that_is_no_json_is_refused(house: Stage) -> None:
    for raw in NO_JSON:
        answer = await house.caller().post("/streams", content=raw, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), raw[:20]
        assert answer.headers["content-type"] == "application/problem+json"
    assert await house.house.backend.streams.list() == []


async def test_a_problem_never_repeats_what_was_sent(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    secret = "spoons under the stair"
    for body in ({"text": secret * 100}, {"text": [secret]}, {"txet": "x", "text": "y"}, {"text": ""}):
        answer = await house.caller(ticket).post(f"/lighthouse/visits/{stream}/say", json=body)
        assert answer.status_code == 422
        assert "spoons" not in answer.text


async def test_a_body_may_be_only_so_large(opened: Any) -> None:
    house = await opened(body_limit=2000, import_limit=5000)
    caller = house.caller()
    large = {"world": "lighthouse", "config": {"x": "y" * 3000}}

    async def drop_by_drop() -> Any:
        for part in (b'{"world": "', b"y" * 1500, b"y" * 1500, b'"}'):
            yield part

    said = await caller.post("/streams", json=large)
    unsaid = await caller.post("/streams", content=drop_by_drop(), headers={"Content-Type": "application/json"})
    for answer in (said, unsaid):
        assert answer.status_code == 413
        assert answer.json()["detail"] == "the body has more than 2000 bytes; send less at once"
    assert (await caller.post("/streams/import", content=b"x" * 3000)).status_code == 422
    assert (await caller.post("/streams/import", content=b"x" * 6000)).status_code == 413


async def test_every_answer_has_an_id_and_a_given_one_is_kept(house: Stage) -> None:
    caller = house.caller()
    ids = {(await caller.get("/health")).headers["x-request-id"] for _ in range(5)}
    assert len(ids) == 5
    given = await caller.get("/nowhere", headers={"X-Request-ID": "from-the-proxy.7"})
    assert given.headers["x-request-id"] == given.json()["request"] == "from-the-proxy.7"
    for bad in ("x" * 65, "a b", "é", "a\tb", ""):
        made = await caller.get("/health", headers={b"X-Request-ID": bad.encode()})
        assert re.fullmatch(r"[0-9a-f]{12}-\d+", made.headers["x-request-id"])


async def test_browsers_are_told_to_be_careful(house: Stage) -> None:
    for path in ("/health", "/docs", "/enter", "/nowhere", "/openapi.json", "/bar"):
        headers = (await house.caller().get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"], "nothing comes from elsewhere"
        assert headers["cache-control"] == "no-store"
        assert len(headers.raw) == len({name.lower() for name, _ in headers.raw}), "each is there once"
    assert "default-src 'none'" in (await house.caller().get("/health")).headers["content-security-policy"]


async def test_the_pages_of_the_api_load_nothing_from_elsewhere(house: Stage) -> None:
    page = (await house.caller().get("/docs")).text
    assert "/streams/{name}/commands" in page
    for text in (page, (await house.caller().get("/enter")).text):
        assert "//" not in re.sub(r"https?://localhost", "", text).replace("<!doctype", "")
        assert "<script src" not in text
        assert "<link" not in text


async def test_the_description_names_every_route_and_what_it_may_answer(house: Stage) -> None:
    api = (await house.caller().get("/openapi.json")).json()
    asked = [route for route in house.app.routes if not isinstance(route, WebSocketRoute)]  # OpenAPI knows no others
    routes = {(m, re.sub(r":\w+}", "}", r.path)) for r in asked for m in r.methods - {"HEAD"}}  # type: ignore[attr-defined]
    described = {(m.upper(), path) for path, methods in api["paths"].items() for m in methods}
    assert described == routes
    assert "Problem" in api["components"]["schemas"]
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            assert route["description"], (method, path)
            assert "429" in route["responses"], (method, path)


async def test_a_bug_is_told_as_one_without_its_words(house: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("spoons under the stair")

    monkeypatch.setattr(house.house.__class__, "view", broken)
    stream, ticket = await house.visit("ada")
    answer = await house.caller(ticket, raises=False).get(f"/streams/{stream}")
    assert (answer.status_code, answer.json()["type"]) == (500, "urn:greenroom:Bug")
    assert "spoons" not in answer.text


# readiness and counting


async def test_a_house_that_is_closed_is_not_ready_but_alive(house: Stage) -> None:
    caller = house.caller()
    assert (await caller.get("/ready")).json() == {"status": "ready", "works": True}
    await house.house.backend.close()
    assert (await caller.get("/health")).status_code == 200
    answer = await caller.get("/ready")
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:greenroom:BackendError")


async def test_requests_are_counted_by_route_and_never_by_name(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    for _ in range(3):
        await house.caller(ticket).get(f"/streams/{stream}")
    for i in range(20):
        await house.caller().get(f"/nowhere-{i}")
    text = (await house.caller().get("/metrics")).text
    assert 'greenroom_requests_total{method="GET",route="/streams/{name:path}",status="200"} 3.0' in text
    assert 'greenroom_requests_total{method="GET",route="elsewhere",status="404"} 20.0' in text
    assert 'greenroom_house{of="streams"} 1.0' in text
    assert "process_resident_memory_bytes" in text
    assert stream not in text


# the log


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    found = [logging.getLogger(name) for name in logs.LOGGERS]
    kept = [(log, list(log.handlers), log.level, log.propagate) for log in found]
    written = io.StringIO()
    logs.write_to(written)
    yield written
    for log, handlers, level, propagate in kept:
        log.handlers[:], log.propagate = handlers, propagate
        log.setLevel(level)
        log.filters.clear()
    logging.getLogger("uvicorn.access").disabled = False


async def test_the_log_is_one_object_a_line_and_holds_nothing_secret(house: Stage, lines: io.StringIO) -> None:
    stream, ticket = await house.visit("otto")
    otto = house.caller(ticket)
    secret = "The silver spoons."
    sent = await otto.post(f"/lighthouse/visits/{stream}/say", json={"text": secret}, headers={"Idempotency-Key": "k9"})
    assert sent.status_code == 200
    await otto.get(f"/streams/{stream}/recall?query=spoons")
    await house.caller("greenroom-wrong").get(f"/streams/{stream}?seat=silver")
    await house.caller().post("/enter", json={"ticket": ticket})
    await house.caller(cookie=f"greenroom={ticket}").get("/me")
    logging.getLogger("greenroom").warning("something %s", "happened")
    written = lines.getvalue()
    told = [json.loads(line) for line in written.splitlines()]
    assert len(told) >= 6
    first = next(line for line in told if line.get("route") == "/lighthouse/visits/{name}/say")
    assert (first["method"], first["status"], first["caller"], first["level"]) == ("POST", 200, "player", "info")
    assert first["request"] == sent.headers["x-request-id"]
    for word in (ticket, ticket[10:30], "spoons", "silver", secret, stream, "otto", "wrong", VISITOR):
        assert word not in written, word
    assert told[-1]["event"] == "something happened"


async def test_a_bug_is_logged_with_its_place_and_without_its_words(
    house: Stage, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("spoons under the stair")

    monkeypatch.setattr(house.house.__class__, "view", broken)
    stream, ticket = await house.visit("ada")
    await house.caller(ticket, raises=False).get(f"/streams/{stream}")
    (bug,) = [line for text in lines.getvalue().splitlines() if (line := json.loads(text))["level"] == "error"]
    assert bug["event"] == "ValueError in a request"
    assert any("broken" in place for place in bug["where"])
    assert "spoons" not in lines.getvalue()


def test_of_the_server_beneath_nothing_is_logged_that_names_a_path_or_quotes_anybody(lines: io.StringIO) -> None:
    beneath = logging.getLogger("uvicorn.error")
    beneath.info('%s - "WebSocket %s" [accepted]', "203.0.113.7:4711", "/realms/live?of=spoons")
    try:
        raise ValueError("spoons under the stair")
    except ValueError:
        beneath.exception("Exception in ASGI application\n")
    (told,) = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert told["event"] == "Exception in ASGI application: ValueError"
    assert any("test_envelope.py" in place for place in told["where"])
    assert "spoons" not in lines.getvalue()


def test_frames_of_sockets_come_as_long_as_they_are(house: Stage) -> None:
    assert not Server(house.app, house.settings).config.ws_per_message_deflate
