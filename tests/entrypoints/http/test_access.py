"""Nobody gets in who may not: every route of the application is tried, whichever there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Mount, Route, WebSocketRoute

from greenroom.entrypoints.http.pages import callers
from greenroom.kernel.errors import Malformed
from greenroom.kit.http import access as doors
from greenroom.kit.http.access import FORWARDED
from greenroom.services import access
from greenroom.services.access import Access
from greenroom.settings import read_settings
from tests.counts import SOAK
from tests.entrypoints.http.open_routes import OPEN
from tests.entrypoints.http.stage import VISITOR, Stage

CANARY = "My grandmother hid the silver spoons under the third stair."


@dataclass(frozen=True)
class Way:
    """One method of one route."""

    method: str
    path: str
    endpoint: Any

    @property
    def key(self) -> tuple[str, str]:
        return self.method, re.sub(r":\w+}", "}", self.path)

    def to(self, stream: str) -> str:
        """The path filled in with a stream, and with numbers or words that could mean something in it."""
        filled = re.sub(r"\{name(:\w+)?\}", stream, self.path)
        return re.sub(r"\{\w+(:\w+)?\}", "2", filled)


def ways(stage: Stage) -> Iterator[Way]:
    for route in stage.app.routes:
        assert not isinstance(route, Mount), "what is mounted is guarded by the gate and tried with it"
        if isinstance(route, WebSocketRoute):
            continue  # tried below
        assert isinstance(route, Route | APIRoute), f"nobody knows how to try {route!r}"
        for method in sorted((route.methods or set()) - {"HEAD"}):
            yield Way(method, route.path, route.endpoint)


async def test_no_live_line_is_opened_without_a_ticket_from_another_machine(house: Stage) -> None:
    lines = [route.path for route in house.app.routes if isinstance(route, WebSocketRoute)]
    assert lines
    for path in lines:
        for address, host, more in (
            ("192.0.2.7", b"localhost", ()),
            ("127.0.0.1", b"house.example", ()),
            ("127.0.0.1", b"localhost", ((b"x-forwarded-for", b"192.0.2.7"),)),
            ("127.0.0.1", b"localhost", ((b"authorization", b"Bearer greenroom-wrong"),)),
            ("127.0.0.1", b"localhost", ((b"origin", b"http://elsewhere.example"),)),
        ):
            assert await answered(house, path, address, [(b"host", host), *more]) == "websocket.close", (path, more)


async def answered(house: Stage, path: str, address: str, headers: list[tuple[bytes, bytes]]) -> str:
    """The first thing that a live line says to somebody who calls."""
    said: list[str] = []
    scope = {
        "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers, "client": (address, 4711),
        "server": ("localhost", 80), "subprotocols": [], "state": {}, "extensions": {},
    }  # fmt: skip

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        said.append(message["type"])

    await house.app(scope, receive, send)
    return said[0]


#: Bodies that fit one route or another: each is tried with all of them, so that none is refused for its form alone.
BODIES: tuple[Any, ...] = (
    None,
    {},
    {"text": "let me in"},
    {"kind": "say", "fields": {"text": "let me in"}},
    {"kind": "leave", "fields": {}, "seat": "visitor"},
    {"to": "the harbour", "text": "let me in"},
    {"until": "2100-01-01T00:00:00Z"},
    {"decision": "cancel", "key": "letter", "stream": "bob-2"},
    {"owner": "bob"},
    {"owner": "bob", "seat": "visitor", "stream": "bob-2"},
    {"world": "lighthouse", "config": {}, "owner": "bob"},
)
QUERIES = ("", "?seat=visitor", "?seat=operator", "?version=1", "?query=spoons&limit=5", "?owner=bob", "?after=0")


def had_its_form(status: int) -> bool:
    """Whether a body was not refused for its form alone: then, with small counts, no other is tried there."""
    return status != 422 and not SOAK


async def whole(stage: Stage, stream: str) -> list[Any]:
    back = stage.house.backend
    row = await back.streams.get(stream)
    return [row, await back.streams.attempts(stream), await back.bank.of_stream(stream), await back.outbox.list()]


async def test_a_players_ticket_opens_nothing_of_another_players_on_any_route(house: Stage) -> None:
    _, adas = await house.visit("ada")
    bobs_stream, _ = await house.visit("bob", said=CANARY)
    before = await whole(house, bobs_stream)
    ada = house.caller(adas)
    tried = 0
    answer = None
    for way in ways(house):
        for body in BODIES if way.method != "GET" else (None,):
            for query in QUERIES if way.method == "GET" else ("",):
                answer = await ada.request(way.method, way.to(bobs_stream) + query, json=body)
                tried += 1
                where = f"{way.key} {query} {body}: {answer.status_code} {answer.text[:200]}"
                assert "spoons" not in answer.text, where
                assert "grandmother" not in answer.text, where
                if way.key not in OPEN:
                    assert bobs_stream not in answer.text.replace(f"there is no stream {bobs_stream}", ""), where
                if "{name" in way.path:
                    assert answer.status_code in (401, 403, 404, 422), where
            if answer is not None and had_its_form(answer.status_code):
                break
    assert await whole(house, bobs_stream) == before
    assert tried > 150


async def test_routes_about_one_stream_tell_a_player_the_same_of_anothers_and_of_none(house: Stage) -> None:
    _, adas = await house.visit("ada")
    bobs_stream, _ = await house.visit("bob")
    ada = house.caller(adas)
    for way in ways(house):
        if "{name" not in way.path:
            continue
        for body in BODIES if way.method != "GET" else (None,):
            told = []
            for stream in (bobs_stream, "nobody-2"):
                answer = await ada.request(way.method, way.to(stream), json=body)
                detail = answer.json()["detail"].replace(stream, "…")
                told.append((answer.status_code, detail))
            assert told[0] == told[1], (way.key, told)
            if had_its_form(told[0][0]):
                break


async def test_a_ticket_to_one_stream_opens_no_other_of_the_same_person(house: Stage) -> None:
    first, ticket = await house.visit("ada")
    second, _ = await house.visit("ada", said=CANARY)
    ada = house.caller(ticket)
    assert (await ada.get(f"/streams/{first}")).status_code == 200
    assert (await ada.get(f"/streams/{second}")).status_code == 404
    assert [s["stream"] for s in (await ada.get("/streams")).json()["streams"]] == [first]


async def test_a_ticket_to_all_of_a_persons_streams_opens_those_of_its_world_alone(house: Stage) -> None:
    first, _ = await house.visit("ada")
    second, _ = await house.visit("ada")
    other, _ = await house.visit("bob")
    back = house.house.backend
    every = house.caller((await Access(back).issue_player(owner="ada", seat=VISITOR)).text)
    none = house.caller((await Access(back).issue_player(owner="ada", seat=VISITOR, world="secret_agi")).text)
    for stream, status in ((first, 200), (second, 200), (other, 404)):
        assert (await every.get(f"/streams/{stream}")).status_code == status
        assert (await none.get(f"/streams/{stream}")).status_code == 404
    listed = (await every.get("/streams", params={"owner": "bob"})).json()["streams"]
    assert sorted(s["stream"] for s in listed) == sorted([first, second])


async def test_a_player_sits_where_the_ticket_says(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    ada = house.caller(ticket)
    assert (await ada.get(f"/streams/{stream}")).json()["seat"] == VISITOR
    assert (await ada.get(f"/streams/{stream}", params={"seat": VISITOR})).status_code == 200
    for seat in ("keeper", "operator", "house"):
        refused = await ada.get(f"/streams/{stream}", params={"seat": seat})
        assert (refused.status_code, refused.json()["type"]) == (403, "urn:greenroom:Forbidden")
    sent = await ada.post(f"/streams/{stream}/commands", json={"kind": "climb", "seat": "keeper"})
    assert sent.status_code == 200
    (attempt,) = [a for a in await house.house.backend.streams.attempts(stream) if a.n == sent.json()["attempt"]]
    assert attempt.seat == VISITOR


async def test_a_player_does_not_see_what_other_seats_gave(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    ada = house.caller(ticket)
    numbers = [a["attempt"] for a in (await ada.get(f"/streams/{stream}/attempts")).json()["attempts"]]
    assert numbers == [2], "the first attempt is the house's own"
    assert (await ada.get(f"/streams/{stream}/attempts/1")).status_code == 404
    assert (await house.caller().get(f"/streams/{stream}/attempts/1")).status_code == 200


# the operator


def operators(stage: Stage) -> list[Way]:
    """Every way that is not open to anybody."""
    return [way for way in ways(stage) if way.key not in OPEN]


async def _refused(stage: Stage, caller: Any, stream: str, statuses: tuple[int, ...] = (401, 403)) -> None:
    for way in operators(stage):
        answer = await caller.request(way.method, way.to(stream), json={} if way.method != "GET" else None)
        assert answer.status_code in statuses, (way.key, answer.status_code, answer.text[:200])
        assert "spoons" not in answer.text


async def test_no_route_answers_without_a_ticket_when_bound_to_another_address(opened: Any) -> None:
    house = await opened(host="0.0.0.0")
    stream, _ = await house.visit("ada", said=CANARY)
    await _refused(house, house.caller(), stream)


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "192.168.1.7", "house.example", "", "127.0.0.1.example"])
def test_an_address_that_others_can_reach_is_no_loopback(bound: str) -> None:
    assert not doors.is_loopback(bound)


@pytest.mark.parametrize("bound", ["127.0.0.1", "127.8.4.2", "::1", "[::1]", "localhost"])
def test_an_address_that_only_this_machine_reaches_is(bound: str) -> None:
    assert doors.is_loopback(bound)


async def test_no_route_answers_without_a_ticket_under_a_foreign_host(house: Stage) -> None:
    stream, _ = await house.visit("ada", said=CANARY)
    for host in ("evil.example", "localhost.evil.example", "192.168.1.7", "127.0.0.1.nip.io", "[::2]"):
        await _refused(house, house.caller(host=host), stream)


def _only(header: str) -> dict[str, Any]:
    return {header: "127.0.0.1"}


async def test_no_route_answers_without_a_ticket_with_a_forwarding_header(house: Stage) -> None:
    stream, _ = await house.visit("ada", said=CANARY)
    for header in FORWARDED:
        await _refused(house, house.caller(**_only(header)), stream)


async def test_no_route_answers_without_a_ticket_from_a_foreign_origin(house: Stage) -> None:
    stream, _ = await house.visit("ada", said=CANARY)
    elsewhere = ("https://evil.example", "http://localhost:3000", "null", "http://localhost.evil.example", "file://")
    for origin in (*elsewhere, "http://[", "http://[::1"):
        await _refused(house, house.caller(Origin=origin), stream)


async def test_no_route_answers_without_a_ticket_for_a_page_of_another_site(house: Stage) -> None:
    stream, _ = await house.visit("ada", said=CANARY)
    for site in ("cross-site", "same-site"):
        await _refused(house, house.caller(Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors"), stream)


async def test_no_route_answers_without_a_ticket_from_another_machine(house: Stage) -> None:
    stream, _ = await house.visit("ada", said=CANARY)
    await _refused(house, house.caller(address="192.168.1.9"), stream)


async def test_no_route_answers_a_wrong_ticket_even_at_this_machine(house: Stage) -> None:
    stream, ticket = await house.visit("ada", said=CANARY)
    for wrong in (ticket[:-1], ticket + "x", "greenroom-", "Basic", "greenroom-" + "é" * 40):
        await _refused(house, house.caller(wrong), stream)


async def test_the_operator_at_this_machine_needs_no_ticket(house: Stage) -> None:
    await house.visit("ada")
    for host in ("localhost", "127.0.0.1:8420", "[::1]:8420", "LOCALHOST:1"):
        assert (await house.caller(host=host).get("/tickets")).status_code == 200
    own = house.caller(host="localhost:8420", Origin="http://localhost:8420")
    assert (await own.get("/tickets")).status_code == 200


async def test_the_operators_ticket_opens_everything_from_anywhere(opened: Any) -> None:
    house = await opened(host="0.0.0.0", public_url="https://house.example")
    stream, _ = await house.visit("ada", said=CANARY)
    ticket = await house.operators_ticket()
    caller = house.caller(ticket, host="house.example", address="203.0.113.9", x_forwarded_for="198.51.100.1")
    assert CANARY in (await caller.get(f"/streams/{stream}/events")).text
    assert (await caller.get("/metrics")).status_code == 200


async def test_every_route_says_who_may_call_it(house: Stage) -> None:
    """A route that forgets to ask who calls would be open to the whole network."""
    for route in house.app.routes:
        if isinstance(route, WebSocketRoute):
            continue
        assert isinstance(route, APIRoute)
        for way in (w for w in ways(house) if w.endpoint is route.endpoint):
            assert callers(route) != "anybody" or way.key in OPEN, way.key


# changes from elsewhere


async def test_a_change_from_a_foreign_page_is_refused_even_with_a_ticket(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    before = await whole(house, stream)
    for origin in ("https://evil.example", "null", "http://["):
        answer = await house.caller(ticket, Origin=origin).post(
            f"/streams/{stream}/commands", json={"kind": "climb", "fields": {}}
        )
        assert (answer.status_code, answer.json()["type"]) == (403, "urn:greenroom:Forbidden")
    assert await whole(house, stream) == before


async def test_a_change_from_the_servers_own_page_is_taken(opened: Any) -> None:
    house = await opened(public_url="https://house.example")
    stream, ticket = await house.visit("ada")
    for host, origin in (("localhost:8420", "http://localhost:8420"), ("10.0.0.1", "https://house.example")):
        caller = house.caller(ticket, host=host, Origin=origin)
        assert (await caller.post(f"/lighthouse/visits/{stream}/climb")).status_code == 200


# tickets


async def test_a_ticket_that_was_taken_back_opens_nothing(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    (found,) = (await house.caller().get("/tickets", params={"owner": "ada"})).json()["tickets"]
    assert (await house.caller().delete(f"/tickets/{found['id']}")).status_code == 200
    assert (await house.caller(ticket).get(f"/streams/{stream}")).status_code == 401
    assert (await house.caller().delete(f"/tickets/{found['id']}")).status_code == 404


async def test_a_ticket_ends_when_it_was_said_to(house: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, _ = await house.visit("ada")
    body = {"owner": "ada", "seat": VISITOR, "stream": stream, "hours": 2}
    ticket = (await house.caller().post("/tickets", json=body)).json()["ticket"]
    assert (await house.caller(ticket).get(f"/streams/{stream}")).status_code == 200
    later = access.wall() + 2 * 3600 * 1_000_000
    monkeypatch.setattr(access, "wall", lambda: later)
    assert (await house.caller(ticket).get(f"/streams/{stream}")).status_code == 401


async def test_forgetting_a_person_takes_their_tickets_along(house: Stage) -> None:
    _, ticket = await house.visit("ada")
    _, bobs = await house.visit("bob")
    told = (await house.caller().post("/people/forget", json={"owner": "ada"})).json()
    assert told["counts"]["tickets"] == 1
    assert (await house.caller(ticket).get("/streams")).status_code == 401
    assert (await house.caller(bobs).get("/streams")).status_code == 200


async def test_nothing_of_a_ticket_is_stored_but_a_digest(house: Stage) -> None:
    _, ticket = await house.visit("ada")
    operators = await house.operators_ticket()
    await house.house.backend.upkeep.check()
    stored = b"".join(path.read_bytes() for path in house.path.parent.iterdir() if path.is_file())
    for text in (ticket, operators):
        assert text.encode() not in stored
        assert text.removeprefix("greenroom-").encode() not in stored


async def test_a_ticket_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(opened: Any) -> None:
    house = await opened(host="0.0.0.0")
    stream, ticket = await house.visit("ada")
    caller = house.caller(host="house.example")
    assert (await caller.post("/enter", json={"ticket": ticket + "x"})).status_code == 401
    entered = await caller.post("/enter", json={"ticket": ticket})
    assert entered.json() == {"kind": "player", "owner": "ada", "seat": VISITOR, "stream": stream}
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert (await caller.get(f"/streams/{stream}")).status_code == 200
    foreign = await caller.post(f"/lighthouse/visits/{stream}/climb", headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    await caller.post("/leave")
    assert (await caller.get(f"/streams/{stream}")).status_code == 401


async def test_the_cookie_is_for_encrypted_connections_where_there_are_some(opened: Any) -> None:
    house = await opened(host="0.0.0.0", public_url="https://house.example")
    _, ticket = await house.visit("ada")
    entered = await house.caller(host="house.example").post("/enter", json={"ticket": ticket})
    assert "secure" in entered.headers["set-cookie"].lower()
    assert entered.headers["strict-transport-security"].startswith("max-age=")


# rates


async def test_an_address_that_asks_too_much_is_told_when_to_come_back(opened: Any) -> None:
    house = await opened(rate_address=5)
    caller = house.caller()
    statuses = [(await caller.get("/worlds")).status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    refused = await caller.get("/worlds")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.json()["type"] == "urn:greenroom:TooMany"
    assert (await house.caller(address="127.0.0.2").get("/worlds")).status_code == 200


async def test_a_ticket_that_asks_too_much_is_stopped_and_no_other(opened: Any) -> None:
    house = await opened(rate_ticket=3)
    stream, ticket = await house.visit("ada")
    bobs_stream, bobs = await house.visit("bob")
    caller = house.caller(ticket)
    statuses = [(await caller.get(f"/streams/{stream}")).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert (await house.caller(bobs).get(f"/streams/{bobs_stream}")).status_code == 200


async def test_whoever_guesses_at_tickets_is_stopped(opened: Any) -> None:
    house = await opened(rate_strangers=4)
    statuses = [(await house.caller(f"greenroom-{'a' * 40}{i}").get("/streams")).status_code for i in range(6)]
    assert statuses == [401] * 4 + [429] * 2


async def test_strangers_begin_only_so_many_visits(opened: Any) -> None:
    house = await opened(rate_strangers=2, host="0.0.0.0")
    caller = house.caller(host="house.example")
    assert [(await caller.post("/lighthouse/visits")).status_code for _ in range(3)] == [201, 201, 429]


@pytest.mark.parametrize("told", [{"public_url": "https://house.example"}, {"proxies": "127.0.0.1"}])
async def test_behind_a_proxy_nobody_is_local_whatever_it_makes_of_the_headers(
    opened: Any, told: dict[str, str]
) -> None:
    """A proxy that was told nothing writes its own address into Host and says of nobody that he came through it."""
    house = await opened(**told)
    stream, _ = await house.visit("ada", said=CANARY)
    stranger = house.caller(host="127.0.0.1:8420")
    assert (await stranger.get("/me")).json()["kind"] == "stranger"
    await _refused(house, stranger, stream)
    operator = house.caller(await house.operators_ticket(), host="127.0.0.1:8420")
    assert (await operator.get("/me")).json()["kind"] == "operator"


async def test_a_request_in_the_old_version_that_proxies_speak_is_not_local(house: Stage) -> None:
    assert (await house.caller().get("/me")).json()["kind"] == "operator"
    told: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        told.append(message)

    scope = {
        "type": "http", "http_version": "1.0", "method": "GET", "path": "/me", "raw_path": b"/me", "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8420")], "client": ("127.0.0.1", 4711), "server": ("127.0.0.1", 8420),
        "scheme": "http", "root_path": "",
    }  # fmt: skip
    await house.app(scope, receive, send)
    assert b'"kind":"stranger"' in told[1]["body"]


def test_a_proxy_is_named_by_an_address_or_a_network() -> None:
    assert read_settings(proxies="10.84.20.0/24, ::1").proxies
    with pytest.raises(Malformed, match="GREENROOM_PROXIES"):
        read_settings(proxies="proxy.example")
