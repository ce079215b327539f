"""Realms over HTTP and on the live line: who may link, what is said to whom, and an agent that comes from outside."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from greenroom.kit.http.access import entered
from greenroom.kit.http.watchdog import MOST_SECONDS
from greenroom.worlds.realms.faces import live
from tests.conftest import NewFile
from tests.entrypoints.http.stage import Stage, stage
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour


@pytest.fixture
async def served(new_file: NewFile) -> AsyncIterator[Stage]:
    async with stage(new_file(shipped_tables())) as one:
        yield one


async def ok(asked: Any, status: int = 200) -> Any:
    answer: httpx.Response = await asked
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def linked(served: Stage, place: Path) -> str:
    told = await ok(served.caller().post("/realms", json={"path": str(harbour(place))}), 201)
    await served.house.quiet()
    return str(told["stream"])


async def test_the_operator_links_looks_steers_and_removes(served: Stage, tmp_path: Path) -> None:
    operator = served.caller()
    name = await linked(served, tmp_path / "harbour")
    assert [one["stream"] for one in (await ok(operator.get("/realms")))["realms"]] == [name]
    report = await ok(operator.get(f"/realms/{name}/report"))
    assert report["rules"]["dead"] == 1
    rooms = (await ok(operator.get(f"/realms/{name}/map")))["rooms"]
    assert {"harbour", "tests"} <= {room["path"] for room in rooms}
    inside = await ok(operator.get(f"/realms/{name}/room", params={"path": "harbour"}))
    assert "quay.py" in inside["names"]
    await ok(operator.post(f"/realms/{name}/process", json={"template": "six_hats", "problem": "What first?"}))
    await served.house.quiet()
    await ok(operator.post(f"/realms/{name}/steer", json={"command": "inject", "text": "Think of winter."}))
    await ok(operator.post(f"/realms/{name}/steer", json={"command": "approve"}))
    given = {"max_agents": 5, "budget_cents": 50, "permission": "read-only", "autonomy": "autonomous"}
    await ok(operator.put(f"/realms/{name}/settings", json=given))
    await ok(operator.post(f"/realms/{name}/task", json={"agent": "oracle", "text": "Where is moor?"}))
    assert "What first?" in (await ok(operator.get(f"/realms/{name}/export")))["markdown"]
    await ok(operator.delete(f"/realms/{name}"), 204)
    assert (await ok(operator.get("/realms")))["realms"] == []


async def test_strangers_and_players_cannot_link_list_or_look_elsewhere(served: Stage, tmp_path: Path) -> None:
    name = await linked(served, tmp_path / "harbour")
    place = str(harbour(tmp_path / "other"))
    stranger = served.caller(host="house.example", address="192.0.2.7")
    told = await ok(
        served.caller().post(f"/realms/{name}/seats", json={"agent": "scout", "name": "Scout", "role": "scout"}), 422
    )
    assert "room for 5" in told["detail"]
    await ok(served.caller().put(f"/realms/{name}/settings", json={"max_agents": 5, "budget_cents": 1,
        "permission": "read-only", "autonomy": "supervised"}))  # fmt: skip
    issued = await served.house.access.issue_player(owner="realm:x", seat="oracle", stream=name)
    player = served.caller(issued.text, host="house.example", address="192.0.2.7")
    for caller, status in ((stranger, 401), (player, 403)):
        await ok(caller.post("/realms", json={"path": place}), status)
        await ok(caller.get("/realms"), status)
        await ok(caller.get(f"/realms/{name}/report"), status)
        await ok(caller.delete(f"/realms/{name}"), status)
    assert (await ok(player.get(f"/realms/{name}/board")))["findings"]
    await ok(player.post(f"/realms/{name}/explore"), 422)  # an agent's seat gives no commands
    assert len((await ok(served.caller().get("/realms")))["realms"]) == 1


@pytest.mark.parametrize("path", ["/no/such/folder", "/", "ext::sh -c touch% ran", "git://x/y", "/etc/passwd"])
async def test_what_cannot_be_linked_is_refused_in_a_sentence(served: Stage, path: str) -> None:
    told = await ok(served.caller().post("/realms", json={"path": path}), 422)
    assert told["detail"]


async def test_a_folder_outside_the_roots_is_refused_over_http(
    new_file: NewFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREENROOM_REALMS_ROOTS", str(tmp_path / "roots"))
    async with stage(new_file(shipped_tables())) as served:
        await ok(served.caller().post("/realms", json={"path": str(harbour(tmp_path / "outside"))}), 422)
        await ok(served.caller().post("/realms", json={"path": str(harbour(tmp_path / "roots" / "inside"))}), 201)


# the live line


class Line:
    """A WebSocket to the application, without a network."""

    def __init__(self, served: Stage, ticket: str | None = None, *, address: str = "127.0.0.1") -> None:
        self._heard: list[Any] = []
        self._in: asyncio.Queue[Any] = asyncio.Queue()
        self._out: asyncio.Queue[Any] = asyncio.Queue()
        host = b"localhost" if address == "127.0.0.1" else b"house.example"
        headers = [(b"host", host), *([(b"authorization", f"Bearer {ticket}".encode())] if ticket else [])]
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws",
            "path": "/realms/live", "raw_path": b"/realms/live", "query_string": b"", "root_path": "",
            "headers": headers, "client": (address, 4711), "server": ("localhost", 80), "subprotocols": [],
            "state": {}, "extensions": {},
        }  # fmt: skip
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(served.app(scope, self._in.get, self._out.put))

    async def opened(self) -> Line:
        assert (await self._message())["type"] == "websocket.accept"
        return self

    async def _message(self) -> Any:
        return await asyncio.wait_for(self._out.get(), 90)  # of patience, where others compute beside

    async def refused(self) -> str:
        message = await self._message()
        assert message["type"] == "websocket.close"
        return str(message.get("reason", ""))

    def say(self, **message: Any) -> None:
        self.say_text(json.dumps(message))

    def say_text(self, text: str) -> None:
        self.hear(text=text)

    def hear(self, **message: Any) -> None:
        self._in.put_nowait({"type": "websocket.receive", **message})

    def has_read_all(self) -> bool:
        return self._in.empty()

    async def until(self, kind: str, re: object = None) -> Any:
        """The first message of a kind that was not taken yet; with ``re``, the answer to what was said with that id."""

        def wanted(message: Any) -> bool:
            return message["type"] == kind and (re is None or message.get("re") == re)

        for _ in range(2_000):
            for message in self._heard:
                if wanted(message):
                    self._heard.remove(message)
                    return message
            message = json.loads((await self._message())["text"])
            assert message["type"] != "error" or kind == "error", message
            self._heard.append(message)
        raise AssertionError(f"no {kind} came")

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self._task, 20)


async def test_a_page_links_a_realm_and_is_told_everything_that_happens(served: Stage, tmp_path: Path) -> None:
    line = await Line(served).opened()
    info = await line.until("server:info")
    assert (info["protocol"], info["caller"]) == (1, "operator")
    line.say(type="player:link-repo", path=str(harbour(tmp_path / "harbour")), id=1)
    ready = await line.until("repo:ready")
    assert ready["re"] == 1
    assert {"harbour", "tests"} <= {room["path"] for room in ready["map"]["rooms"]}
    for kind in ("agent:thought", "findings:posted", "agent:joined", "agent:activity"):
        await line.until(kind)
    await served.house.quiet()
    line.say(type="player:list-realms")
    assert len((await line.until("realm:list"))["realms"]) == 1
    line.say(type="player:get-agent-details", agent="oracle")
    line.say(type="player:navigate-enter", room="harbour", id="enter")
    assert (await line.until("world:state", "enter"))["state"]["where"] == ["harbour"]
    line.say(type="player:navigate-back")
    line.say(type="player:start-process", template="brainstorm", problem="What first?", autonomy="autonomous")
    for kind in ("process:started", "stage:advanced", "process:completed"):
        await line.until(kind)
    line.say(type="player:command", command="export", id="e")
    assert "What first?" in (await line.until("process:completed", "e"))["exported"]
    line.say(type="player:update-settings", max_agents=5, budget_cents=10, permission="read-only", autonomy="manual")
    line.say(type="player:dismiss-agent", agent="oracle")
    await line.until("agent:left")
    line.say(type="player:command", command="explore")
    await line.until("map:change")
    line.say(type="player:resume-realm", realm=ready["state"]["id"], id="back")
    assert (await line.until("repo:ready", "back"))["state"]["visits"] == 3
    line.say(type="player:remove-realm", realm=ready["state"]["id"])
    await line.until("realm:removed")
    await line.close()


async def test_what_happens_while_a_line_comes_in_is_told_as_well(
    served: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first visit is over before the page that asked for it is let in."""

    async def at_leisure(*given: Any) -> Any:
        await served.house.quiet()
        return await entered(*given)

    monkeypatch.setattr(live, "entered", at_leisure)
    line = await Line(served).opened()
    line.say(type="player:link-repo", path=str(harbour(tmp_path / "harbour")))
    for kind in ("agent:thought", "findings:posted", "agent:joined", "agent:activity"):
        await line.until(kind)
    await line.close()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"type": "player:fly"}', '{"type": "player:link-repo"}',
     '{"type": "player:command", "command": 1}',
     '{"type": "player:list-realms", "more": 1}', "x" * 300_000, '{"type": "player:command", "command": "inject"}'],
)  # fmt: skip
async def test_what_is_no_message_is_answered_with_an_error_and_the_line_stays_open(served: Stage, text: str) -> None:
    line = await Line(served).opened()
    line.say_text(text)
    assert (await line.until("error"))["message"]
    line.say(type="player:list-realms", id="after")
    assert (await line.until("realm:list"))["re"] == "after"
    await line.close()


async def test_a_stranger_is_not_let_onto_the_line_and_a_seat_sees_its_own_realm_only(
    served: Stage, tmp_path: Path
) -> None:
    assert await Line(served, address="192.0.2.7").refused()
    name = await linked(served, tmp_path / "harbour")
    issued = await served.house.access.issue_player(owner="realm:x", seat="oracle", stream=name)
    line = await Line(served, issued.text, address="192.0.2.7").opened()
    line.say(type="player:link-repo", path=str(tmp_path))
    assert "only the operator" in (await line.until("error"))["message"]
    line.say(type="player:get-agent-details", agent="test_guardian")
    assert "own vault" in (await line.until("error"))["message"]
    await line.close()


@pytest.mark.parametrize(
    "message",
    [{"text": "[" * 90_000}, {"text": '{"id":' * 15_000}, {"text": '{"type": "x", "id": "\\ud800"}'},
     {"text": '{"type": "player:list-realms", "id": ' + "9" * 5_000 + "}"}, {"bytes": b"\x00\xff"},
     {"text": "{" + ",".join(f'"{n}": 0' for n in range(9_000)) + "}"}, {"text": "[" + "[]," * 34_000 + "[]]"}],
    ids=["lists", "objects", "half a character", "digits", "bytes", "fields", "many lists"],
)  # fmt: skip
async def test_whatever_is_sent_is_answered_and_holds_the_loop_for_nobody(
    served: Stage, message: dict[str, Any]
) -> None:
    watchdog, line = served.app.state.watchdog, await Line(served).opened()
    longest = 1.0
    for _ in range(3):
        watchdog.longest = 0.0
        line.hear(**message)
        assert (await line.until("error"))["message"]
        longest = min(longest, watchdog.longest)
    assert longest < MOST_SECONDS
    await line.close()


async def test_between_the_messages_of_somebody_who_says_much_others_have_their_turn(served: Stage) -> None:
    line = await Line(served).opened()
    await line.until("server:info")
    for _ in range(200):
        line.say_text("x")
    turns = 0
    while not line.has_read_all():
        turns += 1
        await asyncio.sleep(0)
    assert turns >= 200
    await line.close()


async def test_who_says_too_much_is_told_and_not_read_for_a_while(new_file: NewFile, tmp_path: Path) -> None:
    async with stage(new_file(shipped_tables()), rate_turns=3, rate_ticket=20) as served:
        name = await linked(served, tmp_path / "harbour")
        issued = await served.house.access.issue_player(owner="realm:x", seat="player", stream=name)
        line = await Line(served, issued.text, address="192.0.2.7").opened()
        for _ in range(4):
            line.say(type="player:navigate-back")
        assert [(await line.until("error"))["kind"] for _ in range(4)] == ["Refused"] * 3 + ["TooMany"]
        for _ in range(20):
            line.say_text("x")
        while (await line.until("error"))["kind"] != "TooMany":
            pass
        assert not line.has_read_all()
        await line.close()


async def test_a_ticket_for_another_world_ends_the_line_with_a_reason(served: Stage) -> None:
    _, ticket = await served.visit("ada")
    line = await Line(served, ticket, address="192.0.2.7").opened()
    while (message := await line._message())["type"] != "websocket.close":
        pass
    assert (message["code"], message["reason"]) == (1008, "this ticket is for another world")


async def test_a_ticket_that_is_taken_back_ends_its_line_within_a_second(served: Stage, tmp_path: Path) -> None:
    name = await linked(served, tmp_path / "harbour")
    issued = await served.house.access.issue_player(owner="realm:x", seat="oracle", stream=name)
    line = await Line(served, issued.text, address="192.0.2.7").opened()
    await line.until("server:info")
    await served.house.access.revoke(issued.ticket.digest)
    async with asyncio.timeout(1):
        while (message := await line._message())["type"] != "websocket.close":
            pass
    assert (message["code"], "taken back" in message["reason"]) == (1008, True)


async def test_an_agent_from_outside_takes_a_seat_acts_in_its_turn_and_its_silence_is_a_turn(
    served: Stage, tmp_path: Path
) -> None:
    operator = served.caller()
    name = await linked(served, tmp_path / "harbour")
    line = await Line(served).opened()
    line.say(type="agent:register", realm=name, agent="mason", name="A mason from afar", role="mason", seconds=3)
    await line.until("agent:joined")
    turn = await line.until("turn:start")
    assert turn["seconds"] == 3
    line.say(type="agent:action", action={"action": "read", "path": "harbour/quay.py"})
    result = await line.until("action:result")
    assert any(event["kind"] == "file_read" for event in result["body"]["events"])
    line.say(type="agent:action", action={"action": "read", "path": "../../etc/passwd"})
    refused = await line.until("action:result")
    assert any(event["kind"] == "tool_answered" and event["failed"] for event in refused["body"]["events"])
    await line.until("turn:start")  # and now it says nothing
    await asyncio.sleep(3.5)
    await served.house.quiet()
    line.say(type="agent:action", action={"action": "done"})
    assert "not your turn" in (await line.until("error"))["message"]
    events = (await ok(operator.get(f"/streams/{name}/events", params={"limit": 500}))).get("events", [])
    assert events
    await line.close()
