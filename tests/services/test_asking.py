"""What is stored on the way through a turn: whatever was paid for, before anything else is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import assemble, backend
from greenroom.journal.records import Claim, Entry, Lease
from greenroom.kernel.asks import AskModel, Recall, Section
from greenroom.kernel.script import Answer
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import CommandContext, Turn, World, done
from greenroom.services.house import House
from greenroom.services.turns.engine import wall
from tests.crash.world import WORLDS, Said, Say


@dataclass(slots=True)
class Watched:
    """A port that tells the order of its calls, and of what is asked of models."""

    true: Any
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, verb: str) -> Any:
        return getattr(self.true, verb)

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        self.calls.append("store " + " ".join(str(answer.n) for answer in answers))
        await self.true.answer(claim, answers, ledger)


def _turn(asks: Sequence[str]) -> Any:
    """A turn that asks so much, one after the other."""

    def handle(state: Any, given: CommandContext[Any]) -> Turn[Any]:
        for role in asks:
            if role == "recall":
                yield Recall(query="rain", scope=Scope(world="inn", owner=given.owner, agent="host"))
            else:
                yield AskModel(role=role, sections=(Section(name="all", texts=("rain",)),), max_tokens=20)
        return done(Said(by=given.seat, words=given.command.text, mood=0))

    return handle


def _house(where: Shelf | Path, asks: Sequence[str]) -> tuple[House, list[str]]:
    inn: World[Any, Any, Any] = replace(WORLDS[0], handle=_turn(asks))
    true = backend(where, [inn])
    watched = Watched(true.attempts)

    async def speak(ask: AskModel, _: object) -> str:
        watched.calls.append(ask.role)
        return "it rains"

    models = ScriptedModels(speak)
    return assemble(replace(true, attempts=watched), [inn], models=models), watched.calls


@pytest.mark.parametrize(
    ("asks", "calls"),
    [
        (["recall", "fast"], ["fast"]),
        (["recall", "recall", "fast"], ["fast"]),
        (["recall", "fast", "quality"], ["fast", "store 0 1", "quality"]),
        (["fast", "recall", "quality"], ["fast", "store 0", "quality"]),
        (["fast", "recall", "quality", "fast"], ["fast", "store 0", "quality", "store 1 2", "fast"]),
    ],
)
@pytest.mark.parametrize("place", ["memory", "file"])
async def test_a_recall_is_stored_only_beside_an_answer_that_was_paid_for(
    tmp_path: Path, place: str, asks: Sequence[str], calls: Sequence[str]
) -> None:
    house, called = _house(Shelf() if place == "memory" else tmp_path / "house.db", asks)
    await house.start("inn", {}, name="inn")
    await house.send("inn", Say(text=Words("rain?")), seat="guest")
    assert called == calls
    await house.close()


async def test_a_turn_that_was_interrupted_stores_what_it_recalls_at_once(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    house, _ = _house(where, ["recall", "fast"])
    await house.start("inn", {}, name="inn")
    await house.record("inn", Say(text=Words("rain?")), seat="guest", key="a")
    dying = Lease(worker="dying", wall=wall(), until=wall())
    (claim,) = await house.backend.attempts.claim(dying, now=house.now(), limit=1)
    assert claim.attempt.tries == 1
    await house.close()

    again, called = _house(where, ["recall", "fast"])
    await again.send("inn", Say(text=Words("rain?")), seat="guest", key="a")
    assert called == ["store 0", "fast"]
    await again.close()
