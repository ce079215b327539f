"""Streams over HTTP: what the house can do, with the same promises."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.ports import Asked
from tests.entrypoints.http.stage import VISITOR, Stage


async def start(house: Stage, name: str = "visit", owner: str = "ada") -> Any:
    body = {"world": "lighthouse", "name": name, "owner": owner, "seat": VISITOR, "seed": 7}
    return await house.caller().post("/streams", json=body)


def say(text: str) -> dict[str, Any]:
    return {"kind": "say", "fields": {"text": text}, "seat": VISITOR}


async def test_a_stream_begins_and_the_same_beginning_again_gives_the_same(house: Stage) -> None:
    first, second = await start(house), await start(house)
    assert (first.status_code, first.json()["version"], first.json()["new"]) == (200, 1, True)
    assert second.json() == {**first.json(), "new": False}
    other = await start(house, owner="bob")
    assert (other.status_code, other.json()["type"]) == (409, "urn:greenroom:KeyReused")


async def test_a_command_is_answered_with_its_reply(house: Stage) -> None:
    await start(house)
    told = (await house.caller().post("/streams/visit/commands", json=say("Good evening."))).json()
    assert (told["stream"], told["attempt"], told["version"], told["new"]) == ("visit", 2, 2, True)
    assert told["reply"]["said"] == "Good evening."
    assert told["reply"]["line"]


async def test_a_repeated_key_gives_the_first_reply_and_another_body_is_refused(house: Stage) -> None:
    await start(house)
    operator = house.caller(Idempotency_Key="k")
    first = (await operator.post("/streams/visit/commands", json=say("Good evening."))).json()
    again = (await operator.post("/streams/visit/commands", json=say("Good evening."))).json()
    assert again == {**first, "new": False}
    other = await operator.post("/streams/visit/commands", json=say("Good morning."))
    assert (other.status_code, other.json()["type"]) == (409, "urn:greenroom:KeyReused")
    assert (await house.house.backend.streams.get("visit")).version == 2


async def test_a_refusal_says_why_and_changes_no_version(house: Stage) -> None:
    await start(house)
    refused = await house.caller().post("/streams/visit/commands", json={**say("hello"), "seat": "keeper"})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "only the seat 'visitor' gives commands here; the keeper acts by herself"
    assert (await house.house.backend.streams.get("visit")).version == 1


async def test_a_turn_that_takes_long_is_answered_with_its_attempt_and_then_with_its_reply(opened: Any) -> None:
    go_on = asyncio.Event()

    class Slow(ScriptedModels):
        async def ask(self, ask: Any, asked: Asked) -> Any:
            await go_on.wait()
            return await super().ask(ask, asked)

    models = Slow(lambda *_: {"line": "At last.", "mood": "plain"})
    house = await opened(wait=0.2, models=models)
    await start(house)
    operator = house.caller(Idempotency_Key="slow")
    recorded = await operator.post("/streams/visit/commands", json=say("Are you there?"))
    assert (recorded.status_code, recorded.json()) == (
        202,
        {"stream": "visit", "attempt": 2, "key": "slow", "status": "open"},
    )
    open_ = (await operator.get("/streams/visit/attempts/2")).json()
    assert (open_["status"], open_["reply"]) == ("open", None)
    assert (await operator.post("/streams/visit/commands", json=say("Are you there?"))).json() == recorded.json()
    go_on.set()
    async with asyncio.timeout(10):
        await house.house.worker.quiet()
    told = (await operator.get("/streams/visit/attempts/2")).json()
    assert (told["status"], told["version"], told["reply"]["line"]) == ("settled", 2, "At last.")
    again = await operator.post("/streams/visit/commands", json=say("Are you there?"))
    assert (again.status_code, again.json()["new"], again.json()["reply"]["line"]) == (200, False, "At last.")


async def test_a_stream_is_seen_at_any_version_as_a_seat_sees_it(house: Stage) -> None:
    await start(house)
    operator = house.caller()
    await operator.post("/streams/visit/commands", json=say("Good evening."))
    now = (await operator.get("/streams/visit", params={"seat": VISITOR})).json()
    then = (await operator.get("/streams/visit", params={"seat": VISITOR, "version": 1})).json()
    assert (now["version"], now["newest"], len(now["view"]["recent"])) == (2, 2, 2)
    assert (then["version"], then["newest"], then["view"]["recent"]) == (1, 2, [])
    assert now["view"]["secret"] is None
    assert (await operator.get("/streams/visit")).json()["view"]["secret"]
    gone = await operator.get("/streams/visit", params={"version": 3})
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:greenroom:OutOfRange")


async def test_events_come_in_pages_and_every_one_once(house: Stage) -> None:
    await start(house)
    operator = house.caller()
    for i in range(5):
        await operator.post("/streams/visit/commands", json=say(f"Line {i}."))
    seen, after = [], 0
    while True:
        page = (await operator.get("/streams/visit/events", params={"after": after, "limit": 2})).json()
        seen += [event["id"] for event in page["events"]]
        after = page["upto"]
        if after == page["newest"]:
            break
    whole = (await operator.get("/streams/visit/events", params={"limit": 100})).json()
    assert seen == [event["id"] for event in whole["events"]]
    assert len(set(seen)) == len(seen) >= 11
    beyond = await operator.get("/streams/visit/events", params={"after": 99})
    assert beyond.status_code == 404


async def test_streams_are_found_by_world_owner_and_parent_a_page_at_a_time(house: Stage) -> None:
    for name, owner in (("a", "ada"), ("b", "bob"), ("c", "ada")):
        await start(house, name, owner)
    operator = house.caller()
    await operator.post("/streams/a/branches", json={"at": 1, "name": "a2"})

    async def names(**by: Any) -> tuple[list[str], str | None]:
        page = (await operator.get("/streams", params=by)).json()
        return [s["stream"] for s in page["streams"]], page["after"]

    assert await names() == (["a", "a2", "b", "c"], None)
    assert await names(owner="ada") == (["a", "a2", "c"], None)
    assert await names(branches_of="a") == (["a2"], None)
    assert await names(world="secret_agi") == ([], None)
    assert await names(limit=2) == (["a", "a2"], "a2")
    assert await names(limit=2, after="a2") == (["b", "c"], "c")


async def test_what_may_be_done_is_told_with_its_limits(house: Stage) -> None:
    await start(house)
    told = (await house.caller().get("/streams/visit/legal", params={"seat": VISITOR})).json()["legal"]
    assert {"kind": "climb", "fields": {}} in told
    (speech,) = [choice for choice in told if choice["kind"] == "say"]
    assert speech["free"] == {"text": {"kind": "text", "least": 1, "most": 500}}
    assert (await house.caller().get("/streams/visit/legal", params={"seat": "keeper"})).json()["legal"] == []


async def test_a_branch_goes_its_own_way(house: Stage) -> None:
    await start(house)
    operator = house.caller()
    await operator.post("/streams/visit/commands", json=say("Good evening."))
    made = await operator.post("/streams/visit/branches", json={"at": 1, "name": "other"})
    assert (made.status_code, made.json()["parent"], made.json()["forked_at"]) == (201, "visit", 1)
    await operator.post("/streams/other/commands", json=say("Good morning."))
    assert (await operator.get("/streams/visit")).json()["version"] == 2
    again = (await operator.post("/streams/visit/again")).json()
    assert again["attempt"]["reply"]["said"] == "Good evening."
    assert (await operator.get(f"/streams/{again['branch']}")).json()["version"] == 2
    beyond = await operator.post("/streams/visit/branches", json={"at": 9})
    assert beyond.status_code == 404
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    moved = await operator.post("/streams/other/clock", json={"until": tomorrow})
    assert moved.status_code == 200
    far = await operator.post("/streams/other/clock", json={"until": "2100-01-01T00:00:00+01:00"})
    assert (far.status_code, far.json()["type"]) == (422, "urn:greenroom:Malformed")
    awake = await operator.post("/streams/visit/clock", json={"until": "2100-01-01T00:00:00Z"})
    assert (awake.status_code, awake.json()["type"]) == (422, "urn:greenroom:Refused")


async def test_a_stream_is_checked_explained_and_searched(house: Stage) -> None:
    await start(house)
    operator = house.caller()
    await operator.post("/streams/visit/commands", json=say("I keep bees on the mainland."))
    assert (await operator.get("/streams/visit/verify")).json() == {
        "stream": "visit",
        "versions": 2,
        "problems": [],
        "missing": None,
    }
    why = (await operator.get("/streams/visit/why", params={"version": 2})).json()
    assert (why["by"], why["asks"][0]["model"]) == (VISITOR, "understudy")
    assert why["asks"][0]["sections"]
    found = (await operator.get("/streams/visit/recall", params={"query": "bees", "agent": "keeper"})).json()
    assert "I keep bees on the mainland." in [one["text"] for one in found["found"]]
    assert found["owner"] == "ada"


async def test_a_stream_is_carried_from_one_house_to_another(opened: Any) -> None:
    here, there = await opened(), await opened()
    await start(here)
    await here.caller().post("/streams/visit/commands", json=say("Good evening."))
    exported = await here.caller().get("/streams/visit/export")
    assert exported.headers["content-type"] == "application/x-ndjson"
    assert json.loads(exported.content.splitlines()[-1])
    taken = await there.caller().post("/streams/import", content=exported.content)
    assert (taken.status_code, taken.json()["version"]) == (201, 2)
    assert (await there.caller().get("/streams/visit/events")).json() == (
        await here.caller().get("/streams/visit/events")
    ).json()
    twice = await there.caller().post("/streams/import", content=exported.content)
    assert twice.status_code == 409
    damaged = exported.content.replace(b"Good evening.", b"Good evenint.")
    other = await (await opened()).caller().post("/streams/import", content=damaged)
    assert other.status_code == 422


async def test_an_open_attempt_is_cancelled(opened: Any) -> None:
    class Never(ScriptedModels):
        async def ask(self, ask: Any, asked: Asked) -> Any:
            await asyncio.Event().wait()

    house = await opened(wait=0.1, models=Never(lambda *_: None))
    await start(house)
    operator = house.caller()
    assert (await operator.post("/streams/visit/commands", json=say("Hello?"))).status_code == 202
    assert (await operator.post("/streams/visit/attempts/2/cancel")).json()["status"] == "cancelled"
    assert (await operator.get("/streams/visit/attempts/2")).json()["status"] == "cancelled"


async def test_what_takes_too_long_is_recorded_before_it_is_acknowledged(opened: Any) -> None:
    house = await opened(wait=0.0)
    operator = house.caller()
    begun = await start(house)
    assert begun.status_code == 202
    there = await operator.get("/streams/visit")
    assert (there.status_code, there.json()["stream"]) == (200, "visit")
    assert (await operator.post("/streams/visit/commands", json=say("Hello?"))).status_code == 202
    await house.house.worker.quiet()
    again = await operator.post("/streams/visit/again")
    assert again.status_code == 202
    on_branch = (await operator.get(f"/streams/{again.json()['branch']}/attempts")).json()["attempts"]
    assert on_branch[-1]["attempt"] == 3


async def test_a_stream_with_a_slash_in_its_name_is_reached(house: Stage) -> None:
    await start(house, "north/rock 1?#")
    there = "/streams/north%2Frock%201%3F%23"
    assert (await house.caller().get(there)).json()["stream"] == "north/rock 1?#"
    assert (await house.caller().get(f"{there}/events")).json()["newest"] == 1
    assert (await house.caller().post(f"{there}/commands", json=say("Hello."))).status_code == 200


async def test_the_words_of_a_player_in_somebody_elses_stream_are_the_players(house: Stage) -> None:
    await start(house, "visit", owner="arena:1")
    body = {"owner": "ada", "seat": VISITOR, "stream": "visit"}
    ticket = (await house.caller().post("/tickets", json=body)).json()["ticket"]
    await house.caller(ticket).post("/streams/visit/commands", json=say("I keep bees."), headers={})
    gone = (await house.caller().post("/people/forget", json={"owner": "ada"})).json()
    assert gone["streams"] == []
    assert gone["counts"]["memories"] >= 1
    shown = (await house.caller().get("/streams/visit/events")).json()["events"]
    assert "bees" not in json.dumps(shown)


WRONG = (
    ("/streams/nowhere", 404),
    ("/streams/nowhere/events", 404),
    ("/streams/nowhere/attempts/1", 404),
    ("/streams/visit/attempts/99", 404),
    ("/streams/visit/why?version=9", 404),
    ("/streams/visit/why", 422),
    ("/streams/visit?version=-1", 422),
    ("/streams/visit?version=99999999999999999999", 422),
    ("/streams/visit/recall?query=", 422),
    ("/streams?limit=0", 422),
    ("/streams?limit=100000", 422),
    ("/house/spent?days=0", 422),
)


async def test_what_is_not_there_is_told_from_what_cannot_be(house: Stage) -> None:
    await start(house)
    for path, status in WRONG:
        answer = await house.caller().get(path)
        assert answer.status_code == status, path
        assert answer.headers["content-type"] == "application/problem+json"


async def test_a_forgotten_stream_is_gone_for_the_operator(house: Stage) -> None:
    await start(house)
    await house.caller().post("/people/forget", json={"owner": "ada"})
    gone = await house.caller().get("/streams/visit")
    assert (gone.status_code, gone.json()["type"]) == (410, "urn:greenroom:Forgotten")
