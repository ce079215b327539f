"""What is mounted beside the API, such as the console, is the operator's: pages, data and sockets alike."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from greenroom.entrypoints.http.gate import guard
from tests.entrypoints.http.stage import Stage

SECRET = b"<h1>everything that was ever said</h1>"


async def console(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands for the pages: tells whoever gets here everything."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": SECRET})


def furnished(house: Stage) -> Stage:
    house.app.mount("/", console)
    guard(house.app, house.app.state.door)
    return house


async def test_the_operator_sees_the_console_and_its_policy_lets_it_work(house: Stage) -> None:
    page = await furnished(house).caller().get("/operations")
    assert page.content == SECRET
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "connect-src 'self'" in policy


async def test_nobody_else_does_and_browsers_are_asked_for_a_ticket(opened: Any) -> None:
    house = furnished(await opened(host="0.0.0.0"))
    _, players = await house.visit("ada")
    for path in ("/", "/stream", "/operations", "/console/export", "/play/lighthouse"):
        for ticket in (None, players):
            asked = await house.caller(ticket, Accept="text/html").get(path)
            assert (asked.status_code, asked.headers["location"]) == (303, "/enter")
            assert SECRET not in asked.content
            plain = await house.caller(ticket).get(path)
            assert plain.status_code in (401, 403)
            assert plain.headers["content-type"] == "application/problem+json"
            assert (await house.caller(ticket).post(path)).status_code in (401, 403)
    known = await house.caller(await house.operators_ticket()).get("/operations")
    assert known.content == SECRET


async def test_style_and_script_are_everybodys(opened: Any) -> None:
    house = furnished(await opened(host="0.0.0.0"))
    for path in ("/_nicegui/3.18/static/nicegui.js", "/console/static/console.css"):
        assert (await house.caller().get(path)).status_code == 200
    for path in ("/_nicegui", "/_niceguix/secret", "/console/staticx"):
        assert (await house.caller().get(path)).status_code == 401


async def connected(house: Stage, **headers: str) -> str:
    """What a socket is told first."""
    told: list[Message] = []
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "websocket",
        "path": "/_nicegui_ws/socket.io/",
        "raw_path": b"/_nicegui_ws/socket.io/",
        "root_path": "",
        "query_string": b"",
        "scheme": "ws",
        "subprotocols": [],
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8420),
        "headers": given,
    }

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        told.append(message)

    await house.app(scope, receive, send)
    return str(told[0]["type"])


async def test_a_socket_is_opened_for_the_operators_own_pages_only(house: Stage) -> None:
    furnished(house)
    _, players = await house.visit("ada")
    assert await connected(house, host="localhost:8420", origin="http://localhost:8420") == "websocket.accept"
    assert await connected(house, host="localhost:8420", origin="https://evil.example") == "websocket.close"
    assert await connected(house, host="evil.example", origin="http://evil.example") == "websocket.close"
    refused = await connected(house, host="localhost:8420", authorization=f"Bearer {players}")
    assert refused == "websocket.close"


async def test_a_socket_is_closed_within_a_second_after_its_ticket_was_taken_back(opened: Any) -> None:
    house = await opened(host="0.0.0.0")

    async def socket(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        await asyncio.sleep(60)

    house.app.mount("/", socket)
    guard(house.app, house.app.state.door)
    issued = await house.house.access.issue_operator()
    told: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        told.append(message)

    headers = [(b"host", b"house.example"), (b"authorization", f"Bearer {issued.text}".encode())]
    scope = {
        "type": "websocket",
        "path": "/socket",
        "headers": headers,
        "client": ("203.0.113.7", 1),
        "query_string": b"",
    }
    serving = asyncio.create_task(
        house.app({**scope, "scheme": "ws", "root_path": "", "subprotocols": []}, receive, send)
    )
    await asyncio.sleep(0.6)
    assert [one["type"] for one in told] == ["websocket.accept"]
    await house.house.access.revoke(issued.ticket.digest)
    async with asyncio.timeout(1):
        await serving
    assert (told[-1]["type"], told[-1]["code"]) == ("websocket.close", 1008)
