"""The followers themselves: told twice, told over midnight, told by two, and after a life that ended in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from greenroom.kernel.errors import BackendError
from greenroom.kernel.words import Words
from greenroom.ports import Followed
from greenroom.worlds.realms.outside.followers import Files
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.state import Realm, Vault
from greenroom.worlds.realms.settings import RealmsSettings

EVENING, MORNING = datetime(2031, 3, 1, 23, 59, tzinfo=UTC), datetime(2031, 3, 2, 0, 1, tzinfo=UTC)


async def texts(ids: Sequence[str]) -> Mapping[str, str]:
    return {id: f"the words of {id}" for id in ids}


def steps(place: Path) -> list[Followed]:
    place.mkdir(exist_ok=True)
    vault = Vault(agent_id="oracle", agent_name="The Oracle", role="oracle", insights=(Words(id="w0"),))
    realm = Realm(id="0123456789ab", path=str(place), name="harbour", linked_at=EVENING, vaults={"oracle": vault})
    return [
        Followed(
            stream="realm",
            world="realms",
            owner="realm:1",
            version=n,
            at=at,
            events=(e.Spoke(agent="oracle", words=Words(id=f"w{n}")),),
            state=replace(realm, visits=n),
        )
        for n, at in ((1, EVENING), (2, EVENING), (3, MORNING))
    ]


def files(tmp_path: Path) -> Files:
    return Files(RealmsSettings(registry=tmp_path / "global"))


def logged(place: Path) -> dict[str, list[str]]:
    logs = sorted((place / ".agent-rpg" / "logs" / "oracle").iterdir())
    return {
        path.name: [json.loads(line)["content"][0]["text"] for line in path.read_text().splitlines()] for path in logs
    }


EXPECTED = {
    "2031-03-01.jsonl": ["the words of w1", "the words of w2"],
    "2031-03-02.jsonl": ["the words of w3"],
}


async def test_a_run_past_midnight_goes_on_in_the_file_of_the_next_day_and_twice_is_once(tmp_path: Path) -> None:
    place = tmp_path / "harbour"
    told = steps(place)
    await files(tmp_path).follow(told, texts)
    await files(tmp_path).follow(told, texts)
    await files(tmp_path).follow(told[1:], texts)
    assert logged(place) == EXPECTED


async def test_what_was_written_by_a_life_that_ended_before_it_said_so_is_written_once(tmp_path: Path) -> None:
    place = tmp_path / "harbour"
    told = steps(place)
    await files(tmp_path).follow(told[:1], texts)
    log = place / ".agent-rpg" / "logs" / "oracle" / "2031-03-01.jsonl"
    add(log, '{"timestamp": "half a li')
    await files(tmp_path).follow(told[1:], texts)
    assert logged(place) == EXPECTED


def add(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


async def test_lines_that_stood_there_before_stay(tmp_path: Path) -> None:
    place = tmp_path / "harbour"
    log = place / ".agent-rpg" / "logs" / "oracle" / "2031-03-01.jsonl"
    log.parent.mkdir(parents=True)
    old = '{"timestamp": "x", "type": "assistant", "content": [{"type": "text", "text": "of old"}]}\n'
    log.write_text(old)
    follower = files(tmp_path)
    await follower.follow(steps(place), texts)
    await follower.reset()
    await follower.follow(steps(place), texts)
    assert logged(place)["2031-03-01.jsonl"] == ["of old", *EXPECTED["2031-03-01.jsonl"]]


async def test_two_at_once_on_many_realms_leave_a_whole_registry(tmp_path: Path) -> None:
    told = [
        [replace(step, stream=f"r{n}", state=replace(step.state, id=f"{n:012}")) for step in steps(tmp_path / f"h{n}")]
        for n in range(12)
    ]
    await asyncio.gather(*(files(tmp_path).follow(one, texts) for one in told))
    listed = json.loads((tmp_path / "global" / ".agent-rpg" / "realms.json").read_text())["realms"]
    assert [one["id"] for one in listed] == [f"{n:012}" for n in range(12)]


async def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "harbour", tmp_path / "elsewhere"
    place.mkdir()
    elsewhere.mkdir()
    (place / ".agent-rpg").symlink_to(elsewhere)
    with pytest.raises(BackendError, match="cannot be written"):
        await files(tmp_path).follow(steps(place), texts)
    assert list(elsewhere.iterdir()) == []
