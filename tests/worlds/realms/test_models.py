"""Agents played by a model: what they are asked, in which form, and what they may cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import greenroom
from greenroom.adapters.models.prompt import prepare
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.words import Words
from greenroom.ports import Asked
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER, Settings
from tests.conftest import NewFile
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour


async def asked_of(new_file: NewFile, place: Path, script: Sequence[dict[str, Any]], **settings: Any) -> list[AskModel]:
    """What a model that acts by a script is asked in its first turn."""
    asks: list[AskModel] = []
    left = iter(script)

    def speak(ask: AskModel, _: object) -> Any:
        asks.append(ask)
        return next(left, {"action": "done"})

    async with greenroom.open(new_file(shipped_tables()), models=ScriptedModels(speak)) as house:
        await app.link(house, str(harbour(place)), settings=Settings(**settings))
        await house.quiet()
    return asks


async def test_a_prompt_has_actions_and_their_answers_as_turns_and_the_newest_words_last(
    new_file: NewFile, tmp_path: Path
) -> None:
    survey: dict[str, Any] = {"action": "survey", "area": "structure"}
    script = [survey, {"action": "read", "path": "main.py", "line": 3}]
    first, _, third = (prepare(ask) for ask in await asked_of(new_file, tmp_path / "harbour", script))
    assert "You are The Oracle." in first.stable
    assert first.turns == ()
    assert first.rest.index("Explore what is your business") < first.rest.index("<moment>")
    assert [own for own, _ in third.turns] == [False, True, False, True]
    assert third.turns[1][1] == '{"action": "survey", "area": "structure"}'
    assert third.turns[2][1].startswith('[survey] {"area": "structure"')
    last = third.rest.index("[read] main.py")
    assert third.rest.index("</situation>") < last < third.rest.index("reel()", last) < third.rest.index("<moment>")
    assert third.rest.endswith("</moment>")
    assert third.stable == first.stable  # what a provider keeps


async def test_what_would_be_refused_is_not_offered(new_file: NewFile, tmp_path: Path) -> None:
    (ask,) = await asked_of(new_file, tmp_path / "harbour", [])
    assert ask.schema is not None
    offered = ask.schema["properties"]["action"]["enum"]
    assert not {"propose_edit", "complete_stage", "request_help", "request_permission"} & set(offered)
    assert list(ask.schema["properties"])[:2] == ["thought", "action"]  # thinking comes first
    (ask,) = await asked_of(new_file, tmp_path / "quay", [], permission="write-with-approval", max_agents=1)
    assert ask.schema is not None
    offered = ask.schema["properties"]["action"]["enum"]
    assert "propose_edit" in offered
    assert "summon_agent" not in offered


class Priced:
    """A model whose every answer costs thirty cents, and that refuses what the cap of a stream forbids."""

    COST = 300_000

    def __init__(self) -> None:
        self.spent = 0
        self.refused = 0

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, tuple[Entry, ...]]:
        assert asked.cap is not None
        if self.spent + self.COST > asked.cap:
            self.refused += 1
            return Failed(f"the cap per stream is ${asked.cap / 1_000_000:g}"), ()
        self.spent += self.COST
        line = Entry(n=asked.i, role=ask.role, model="dear", at=asked.at, cost=self.COST)
        return {"action": "search", "pattern": f"word {self.spent}"}, (line,)


async def test_a_realm_whose_budget_is_spent_waits_and_goes_on_in_the_same_turn_when_it_is_raised(
    new_file: NewFile, tmp_path: Path
) -> None:
    models = Priced()
    async with greenroom.open(new_file(shipped_tables()), models=models) as house:
        entered = await app.link(house, str(harbour(tmp_path / "harbour")), settings=Settings(budget_cents=100))
        await house.quiet()
        realm = await app.state_of(house, entered.stream)
        assert (realm.spent, models.spent, models.refused) == (900_000, 900_000, 1)
        assert realm.is_held
        assert realm.acting is not None
        assert len(realm.acting.calls) == 3
        events = [event async for event in house.events(entered.stream, seat=PLAYER)]
        (said,) = [event.body["words"] for event in events if event.kind == "noticed"]
        assert said.startswith("The Oracle got no answer: the cap per stream is $1. Everybody waits")
        raised = c.UpdateSettings(max_agents=5, budget_cents=160, permission="read-only", autonomy="supervised")
        await house.send(entered.stream, raised, seat=PLAYER)
        await house.quiet()
        realm = await app.state_of(house, entered.stream)
        assert (realm.spent, models.refused) == (1_500_000, 2)
        assert realm.acting is not None
        assert len(realm.acting.calls) == 5  # the turn that was interrupted went on
        await house.send(entered.stream, c.Direct(agent="oracle", text=Words("Go on.")), seat=PLAYER)
        await house.quiet()
        assert models.refused == 2  # nobody asks again until a person says so
