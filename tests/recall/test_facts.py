"""Facts in a house: whose they are, who reads them in a prompt, what is left of them, and what they cost."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import greenroom
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.asks import AskModel, Facts, Recall
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Scope, Words
from greenroom.ports import Asked
from greenroom.worlds.lighthouse.rules.commands import Say
from greenroom.worlds.lighthouse.rules.state import KEEPER, VISITOR
from tests.counts import count

NOON = datetime(2031, 3, 1, 12, tzinfo=UTC)
TOLD = {"ann": "My sister Hephzibah keeps ferrets.", "bob": "I am allergic to quinces."}


async def test_no_fact_of_one_person_stands_in_anothers_prompt() -> None:
    prompts: dict[str, list[str]] = {"ann": [], "bob": []}

    def answer(ask: AskModel, asked: Asked) -> object:
        prompts[asked.owner].append("\n".join(text for section in ask.sections for text in section.texts))
        return {"facts": []} if ask.role == "facts" else {"line": "Aye.", "mood": "plain"}

    async with greenroom.open(":memory:", models=ScriptedModels(answer), clock=NOON) as house:
        for day in range(2):
            for owner, told in TOLD.items():
                stream = (await house.start("lighthouse", {}, owner=owner, seat=VISITOR)).stream
                for said in (told, "What do you know of me?", "And of my family?"):
                    await house.send(stream, Say(text=Words(said)), seat=VISITOR)
            await house.advance(NOON + timedelta(days=day + 1))
    assert "Hephzibah" in prompts["ann"][-1]
    assert "quinces" in prompts["bob"][-1]
    assert not any("Hephzibah" in prompt for prompt in prompts["bob"])
    assert not any("quinces" in prompt for prompt in prompts["ann"])


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_forgetting_leaves_nothing_of_facts_and_rejected_answers_in_the_stored_bytes(tmp_path: Path) -> None:
    leaks = iter(["There are 200 prisms, by the zwieback.", "Aye."])

    def answer(ask: AskModel, _: Asked) -> object:
        return {"line": next(leaks, "Aye."), "mood": "plain"}

    file = tmp_path / "house.db"
    async with greenroom.open(file, models=ScriptedModels(answer)) as house:
        stream = (await house.start("lighthouse", {}, owner="ann", seat=VISITOR)).stream
        reply = await house.send(stream, Say(text=Words(TOLD["ann"])), seat=VISITOR)
        assert (await house.facts(stream))[0].value == "Hephzibah"
        (asked, again) = await house.prompts(stream, reply.version)
        assert (asked.exact, again.exact) == (True, True), "both prompts can be put together again"
        assert "zwieback" in again.objections[0][0]
        exported = b"".join([line async for line in house.export_person("ann")])
        assert b"Hephzibah" in exported
    held = _bytes(tmp_path)
    assert b"Hephzibah" in held
    assert b"zwieback" in held
    async with greenroom.open(file, models=ScriptedModels(answer)) as house:
        await house.forget("ann")
    held = _bytes(tmp_path)
    assert b"Hephzibah" not in held
    assert b"zwieback" not in held


async def test_recall_and_facts_together_stay_quick_in_a_long_acquaintance(tmp_path: Path) -> None:
    memories = count(400, soak=10_000)

    def answer(_: AskModel, __: Asked) -> object:
        return {"line": "Aye, and the lamp was lit at six.", "mood": "plain"}

    async with greenroom.open(tmp_path / "house.db", models=ScriptedModels(answer), recall="words") as house:
        stream = (await house.start("lighthouse", {}, owner="ann", seat=VISITOR)).stream
        for i in range(memories // 2):
            await house.send(stream, Say(text=Words(f"My friend number {i} sails to harbour {i % 97}.")), seat=VISITOR)
        bank, row = house.backend.bank, await house.stream(stream)
        scope = Scope(world="lighthouse", owner="ann", agent=KEEPER)
        times = []
        for i in range(30):
            started = time.perf_counter()
            place: Any = {"stream": stream, "version": row.version, "at": micros(moment(row.last_at))}
            await bank.search(Recall(query=f"harbour {i} friend", scope=scope), **place)
            await bank.facts(Facts(scope=scope, query=f"harbour {i}"), **place)
            times.append(1000 * (time.perf_counter() - started))
    print(f"recall and facts together: {median(times):.1f} ms at {memories} lines")
    assert median(times) < 150, "on a busy machine; 15 ms on a quiet one"
