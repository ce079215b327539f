"""A house opened the ordinary way recalls by vectors too, where the embedded model is installed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from greenroom.adapters.embeddings import missing
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.asks import Recall
from greenroom.kernel.words import Scope, Words
from greenroom.worlds.lighthouse.rules.commands import Say


@pytest.mark.skipif(bool(missing()), reason=f"the embedded model is not installed: {', '.join(missing())}")
async def test_a_house_finds_what_was_meant_though_no_word_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    # On a virtual clock recall is patient: it embeds what its scope lacks before it searches. The keeper says anything:
    # for good answers hundreds of examples would be embedded first.
    clock = datetime(2026, 11, 15, 12, tzinfo=UTC)
    async with open_house(tmp_path / "house.db", clock=clock, models=Understudy()) as house:
        # One evening of many: among four lines, what the keeper happens to answer can stand before what was meant.
        visit = await house.start("lighthouse", owner="ada", name="music", seed=1)
        for said in ("My daughter plays the violin.", "The harbour was full of ice this morning."):
            await house.send(visit.stream, Say(text=Words(said)), seat="visitor")
        scope = Scope(world="lighthouse", owner="ada", agent="keeper")
        ask = Recall(query="Which child makes music?", scope=scope, limit=3)
        row = await house.backend.streams.get(visit.stream)
        found = await house.backend.bank.search(ask, stream=row.name, version=row.version, at=house.now())
        assert any("violin" in memory.text for memory in found)
