"""What agents with no model say in the stages of a process: each word of it holds for the files."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.outside import content
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER
from tests.conftest import NewFile
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour


@pytest.fixture
async def house(new_file: NewFile) -> AsyncIterator[House]:
    async with greenroom.open(new_file(shipped_tables())) as opened:
        yield opened


async def test_what_agents_without_a_model_think_is_true_of_the_files(house: House, tmp_path: Path) -> None:
    place = harbour(tmp_path / "harbour")
    stream = (await app.link(house, str(place))).stream
    await house.quiet()
    files = {str(path.relative_to(place)): path for path in place.rglob("*.*") if path.suffix in (".py", ".md")}
    lines = [line for path in files.values() for line in path.read_text().lower().split("\n")]
    for template in content().templates:
        before = {one["id"] for one in await app.board(house, stream)}
        start = c.StartProcess(template=template, problem=Words("What about the level?"), autonomy="autonomous")
        await house.send(stream, start, seat=PLAYER)
        await house.quiet()
        said = [one["finding"] for one in await app.board(house, stream) if one["id"] not in before]
        for path, number in re.findall(r"([\w./]+\.(?:py|md)):(\d+)", " ".join(said)):
            assert int(number) <= len(files[path].read_text().split("\n"))
        for word, count in re.findall(r"“([\w.]+)” stands in (\d+) line", " ".join(said)):
            assert int(count) == sum(word in line for line in lines)
        assert any("“level” stands in" in text for text in said) == (template != "code_review")
        body: Any = (await house.view(stream, seat=PLAYER)).body
        last = body["process"]["artifacts"][-1]
        assert re.match(r"1\. .*\w\.(?:py|md):\d+", last["words"])
