"""What an operator sees and decides: the queue, failures, letters, spending, people."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.words import Words
from greenroom.ports import Asked
from greenroom.ports.asking import ASKING
from greenroom.services import operations
from greenroom.worlds.lighthouse.rules.commands import Say, Write
from tests.entrypoints.http.stage import VISITOR, Stage


class Moody(ScriptedModels):
    """Speaks, waits for ever, or breaks, as told."""

    def __init__(self) -> None:
        super().__init__(lambda *_: {"line": "Yes.", "mood": "plain"})
        self.breaks = False
        self.waits = False
        self.asking = ""

    async def ask(self, ask: Any, asked: Asked) -> Any:
        self.asking = ASKING.get()
        if self.waits:
            await asyncio.Event().wait()
        if self.breaks:
            raise RuntimeError("a bug")
        return await super().ask(ask, asked)


async def test_the_queue_and_who_holds_it_are_told(opened: Any) -> None:
    models = Moody()
    house = await opened(models=models, wait=0.1)
    stream, ticket = await house.visit("ada")
    models.waits = True
    assert (
        await house.caller(ticket).post(f"/lighthouse/visits/{stream}/say", json={"text": "Hello?"})
    ).status_code == 202
    told = (await house.caller().get("/house")).json()
    assert [s["stream"] for s in told["queue"]] == [stream]
    assert (told["counts"]["open"], told["counts"]["streams"]) == (1, 1)
    (held,) = told["held"]
    assert (held["stream"], held["open"]) == (stream, 1)
    assert held["worker"]


async def test_where_a_turn_takes_long_it_is_known_who_asked_for_it(opened: Any) -> None:
    models = Moody()
    house = await opened(models=models)
    stream, ticket = await house.visit("ada")
    for address, counted in (("203.0.113.7", "203.0.113.7"), ("2001:db8::7", "2001:db8::")):
        caller = house.caller(ticket, address=address, host="house.example")
        assert (await caller.post(f"/lighthouse/visits/{stream}/say", json={"text": "Hello?"})).status_code == 200
        assert models.asking == counted
    operator = house.caller(await house.operators_ticket(), address="203.0.113.7", host="house.example")
    said = {"kind": "say", "fields": {"text": "Hello."}}
    assert (await operator.post(f"/streams/{stream}/commands", json=said)).status_code == 200
    assert models.asking == ""


async def test_what_is_due_later_is_told_by_its_moment(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    (due,) = (await house.caller().get("/house")).json()["due"]
    assert due["stream"] == stream
    assert due["wake_at"]


async def test_a_failed_command_is_listed_and_given_again_once(opened: Any) -> None:
    models = Moody()
    house = await opened(models=models)
    stream, ticket = await house.visit("ada")
    models.breaks = True
    failed = await house.caller(ticket).post(f"/lighthouse/visits/{stream}/say", json={"text": "I keep bees."})
    assert (failed.status_code, failed.json()["type"]) == (422, "urn:greenroom:Refused")
    (listed,) = (await house.caller().get("/house/failed")).json()["attempts"]
    assert (listed["stream"], listed["status"], listed["tries"]) == (stream, "failed", 5)
    assert "bees" not in json.dumps(listed)
    models.breaks = False
    path = f"/streams/{stream}/attempts/{listed['attempt']}/retry"
    first, second = [(await house.caller().post(path)).json() for _ in range(2)]
    assert first["reply"]["said"] == "I keep bees."
    assert (first["new"], second) == (True, {**first, "new": False})
    assert (await house.caller().post(f"/streams/{stream}/attempts/2/retry")).status_code == 422
    assert (await house.caller().post(f"/streams/{stream}/attempts/1/retry")).status_code == 422
    assert (await house.caller().post(f"/streams/{stream}/attempts/99/retry")).status_code == 404


async def test_a_letter_is_held_let_go_and_cancelled(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    await house.house.send(stream, Write(to="the harbour", text=Words("I am dry.")), seat=VISITOR)
    operator = house.caller()
    (letter,) = (await operator.get("/letters")).json()["letters"]
    assert (letter["to"], letter["status"]) == ("the harbour", "due")
    assert "dry" not in json.dumps(letter)
    place = {"stream": stream, "key": letter["key"]}
    for decision, status in (("hold", "held"), ("approve", "due"), ("cancel", "cancelled")):
        told = await operator.post("/letters", json={**place, "decision": decision})
        assert told.json()["status"] == status
        assert len((await operator.get("/letters", params={"status": status})).json()["letters"]) == 1
    over = await operator.post("/letters", json={**place, "decision": "hold"})
    assert (over.status_code, over.json()["type"]) == (422, "urn:greenroom:Refused")
    assert (await operator.post("/letters", json={**place, "key": "x", "decision": "hold"})).status_code == 404


async def test_spending_is_told_by_day_world_and_model(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    await house.house.send(stream, Say(text=Words("Another.")), seat=VISITOR)
    (line,) = (await house.caller().get("/house/spent")).json()["spent"]
    assert (line["world"], line["model"], line["asks"], line["cost"]) == ("lighthouse", "understudy", 2, 0)
    assert line["day"].endswith("T00:00:00Z")
    assert [spent.asks for spent in await operations.spent(house.house, days=1)] == [2]


async def test_the_whole_house_is_checked(house: Stage) -> None:
    await house.visit("ada")
    assert (await house.caller().get("/house/check")).json() == {
        "streams": 1,
        "versions": 2,
        "problems": [],
        "missing": [],
    }


async def test_a_person_gets_to_read_what_would_be_removed_and_then_it_is(house: Stage) -> None:
    stream, _ = await house.visit("ada", said="I keep bees.")
    await house.visit("bob")
    operator = house.caller()
    told = (await operator.get("/people/belongings", params={"owner": "ada"})).json()
    assert (told["streams"], told["counts"]["tickets"]) == ([stream], 1)
    assert "I keep bees." in (await operator.get("/people/export", params={"owner": "ada"})).text
    gone = (await operator.post("/people/forget", json={"owner": "ada"})).json()
    assert (gone["streams"], gone["backups"]) == ([stream], [])
    assert (await operator.get("/people/belongings", params={"owner": "ada"})).json()["streams"] == []
    assert [s["owner"] for s in (await operator.get("/streams")).json()["streams"]] == ["bob"]


async def test_tickets_are_issued_listed_and_told_once(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    operator = house.caller()
    made = await operator.post(
        "/tickets", json={"owner": "bob", "seat": VISITOR, "stream": stream, "label": "a friend"}
    )
    assert made.status_code == 201
    assert (await house.caller(made.json()["ticket"]).get(f"/streams/{stream}")).status_code == 200
    listed = (await operator.get("/tickets")).text
    assert made.json()["id"] in listed
    assert made.json()["ticket"] not in listed
    for wrong in ({"owner": "bob"}, {"seat": VISITOR}, {"owner": "bob", "seat": "operator"}):
        assert (await operator.post("/tickets", json=wrong)).status_code == 422
    assert (await operator.post("/tickets", json={"owner": "b", "seat": "x", "stream": "none"})).status_code == 404
    another = (await operator.post("/tickets", json={"label": "the other one"})).json()
    assert another["kind"] == "operator"
    assert (await house.caller(another["ticket"], host="far.example").get("/tickets")).status_code == 200
