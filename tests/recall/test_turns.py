"""A turn recalls what its agent heard before, and an operator may look."""

from __future__ import annotations

import pytest

import greenroom
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.asks import AskModel
from greenroom.kernel.errors import OutOfRange, Unknown
from greenroom.kernel.words import Words
from greenroom.services.recall import recall
from greenroom.worlds.lighthouse.rules.commands import Say, Visit
from greenroom.worlds.lighthouse.rules.state import KEEPER, RECENT, VISITOR

LINES = ("my dog is called Rufus", *(f"the sea is grey {n}" for n in range(RECENT)), "what is my dog called?")


async def test_a_turn_is_told_what_its_agent_heard_long_ago() -> None:
    remembered: list[tuple[str, ...]] = []

    def answer(ask: AskModel, _: object) -> object:
        texts = [section.texts for section in ask.sections if section.name == "remembered"]
        remembered.append(texts[0] if texts else ())  # a first turn has nothing to be told
        return {"line": "Aye.", "mood": "plain"}

    async with greenroom.open(":memory:", models=ScriptedModels(answer)) as house:
        stream = (await house.start("lighthouse", Visit(), owner="ada", name="visit")).stream
        for line in LINES:
            await house.send(stream, Say(text=Words(line)), seat=VISITOR)
        assert any(LINES[0] in text for text in remembered[-1])
        back = house.backend
        assert (await recall(back, stream, "dog", limit=2, agent=KEEPER))[-1].text in (LINES[0], LINES[-1])
        assert await recall(back, stream, "dog", version=0) == []
        assert await recall(back, stream, "dog", agent="somebody else") == []
        with pytest.raises(OutOfRange):
            await recall(back, stream, "dog", version=10_000)
        with pytest.raises(Unknown):
            await recall(back, "nowhere", "dog")
