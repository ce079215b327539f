"""A seat held by a real program that speaks the Agent Client Protocol: it reads, dies, dawdles, talks nonsense."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.kernel.errors import Refused
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.faces.supervisor import Supervisor
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER, Settings
from greenroom.worlds.realms.settings import OutsideAgent
from tests.commands import invoke
from tests.conftest import NewFile, NewHome
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour

ROOT = Path(__file__).parents[3]


def program(manner: str, kept: Path) -> tuple[str, ...]:
    """The agent of this manner, run from wherever it is put."""
    run = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['', {manner!r}, {str(kept)!r}]; "
    return sys.executable, "-c", run + "runpy.run_module('tests.worlds.realms.outsider', run_name='__main__')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A realm in which a program holds the seat of the mason."""

    house: House
    stream: str
    #: Where its story begins.
    version: int
    place: Path
    #: What the agent keeps.
    notes: Path
    #: What the supervisor says.
    said: list[str]

    def kept(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    async def until(self, kind: str, count: int = 1) -> list[Any]:
        """The events of a kind, once there are so many of them."""
        for _ in range(100):
            events = self.house.events(self.stream, seat=PLAYER, after=self.version)
            found: list[Any] = [event.body async for event in events if event.kind == kind]
            mine = [body for body in found if body.get("agent", body.get("agent_id")) == "mason"]
            if len(mine) >= count:
                return mine
            await asyncio.sleep(0.1)
        raise AssertionError(f"no {kind} came; the supervisor said {self.said}, the agent kept {self.kept()}")


@asynccontextmanager
async def held(
    new_file: NewFile, folder: Path, manner: str, *, seconds: int = 20, **settings: Any
) -> AsyncIterator[Held]:
    place, kept = harbour(folder / "harbour"), folder / "kept.txt"
    (folder / "secret.txt").write_text("the private key of somebody")
    (place / "link.txt").symlink_to("../secret.txt")
    said: list[str] = []
    async with greenroom.open(new_file(shipped_tables())) as house:
        entered = await app.link(house, str(place), settings=Settings(max_agents=5, **settings))
        await house.quiet()
        await house.send(entered.stream, c.Dismiss(agent="mason"), seat=PLAYER)  # the house's own
        version = (await house.stream(entered.stream)).version
        given = OutsideAgent(command=program(manner, kept), name="A mason from afar", seconds=seconds)
        holding = asyncio.create_task(Supervisor(house, entered.stream, "mason", given, say=said.append).hold())
        try:
            yield Held(house=house, stream=entered.stream, version=version, place=place, notes=kept, said=said)
        finally:
            holding.cancel()
            with suppress(asyncio.CancelledError):
                await holding


async def test_a_program_reads_a_file_pins_up_what_it_found_and_gives_the_seat_back(
    new_file: NewFile, tmp_path: Path
) -> None:
    async with held(new_file, tmp_path, "report") as one:
        (ended,) = await one.until("turn_ended")
        assert ended["why"] == "done"
        posted = (await app.board(one.house, one.stream))[-1]
        assert posted["finding"] == "main.py begins: from harbour.long import reel"
        assert posted["agent_name"] == "A mason from afar"
        assert "I look around." in [body["words"] for body in await one.until("spoke", 2)]
        vault = (await app.state_of(one.house, one.stream)).vaults["mason"]
        assert vault.files[-1] == "main.py"
    assert one.kept() == ["born", 'fs/read_text_file: {"content": "from harbour.long import reel"}']


async def test_words_without_an_action_go_onto_the_board_and_end_the_turn(new_file: NewFile, tmp_path: Path) -> None:
    async with held(new_file, tmp_path, "talker") as one:
        await one.until("turn_ended")
        assert (await app.board(one.house, one.stream))[-1]["finding"] == "I have nothing but words."


async def test_a_program_that_is_killed_in_mid_turn_is_started_again_and_ends_the_same_turn(
    new_file: NewFile, tmp_path: Path
) -> None:
    async with held(new_file, tmp_path, "dies") as one:
        (ended,) = await one.until("turn_ended")
        assert ended["why"] == "done"
        assert len(await one.until("turn_began")) == 1
        assert (await app.board(one.house, one.stream))[-1]["finding"].startswith("main.py begins")
    assert one.kept().count("born") == 2
    assert one.said == ["mason: it has ended"]


async def test_a_program_that_dies_again_and_again_has_the_turn_off_and_the_realm_goes_on(
    new_file: NewFile, tmp_path: Path
) -> None:
    async with held(new_file, tmp_path, "always_dies") as one:
        (ended,) = await one.until("turn_ended")
        assert ended["why"] == "done"
        assert "it was started 3 times in this turn" in one.said[-1]
    assert one.kept() == ["born"] * 3


async def test_what_is_no_message_is_passed_over(new_file: NewFile, tmp_path: Path) -> None:
    async with held(new_file, tmp_path, "junk") as one:
        assert (await one.until("finding_posted"))[-1]["finding"].startswith("main.py begins")
        assert one.said == []


async def test_a_program_that_says_nothing_but_noise_is_ended(new_file: NewFile, tmp_path: Path) -> None:
    async with held(new_file, tmp_path, "floods") as one:
        await one.until("turn_ended")
        assert "more than 100 lines of what it said are no messages" in one.said[0]


async def test_a_program_of_another_version_is_not_used(new_file: NewFile, tmp_path: Path) -> None:
    async with held(new_file, tmp_path, "newer") as one:
        await one.until("turn_ended")
        assert one.said[0] == "mason: it speaks version 2 of the protocol, and not 1"


async def test_a_slow_program_loses_its_turn_is_ended_and_nobody_waits_for_it(
    new_file: NewFile, tmp_path: Path
) -> None:
    async with held(new_file, tmp_path, "slow", seconds=1) as one:
        (ended,) = await one.until("turn_ended")
        assert ended["why"] == "silence"
        for _ in range(100):
            if any("it did not stop when its turn was over" in line for line in one.said):
                break
            await asyncio.sleep(0.1)
        assert "it did not stop when its turn was over" in one.said[-1]


async def test_paths_outside_the_repository_writing_and_terminals_are_refused_in_a_sentence(
    new_file: NewFile, tmp_path: Path
) -> None:
    async with held(new_file, tmp_path, "escapes") as one:
        await one.until("turn_ended")
        main = (one.place / "main.py").read_text()
    told = [json.loads(line.partition(": ")[2]) for line in one.kept()[1:]]
    assert [answer.get("message") for answer in told] == [
        "paths begin at the root of the repository; an absolute one is not opened",
        "a path may not lead upwards with '..'",
        "hidden files and folders, such as .git and .env, are not opened",
        "it is a link, or leads through something that is no folder; links are not followed",
        "this action needs path, a text",
        "nothing is written through this line; answer with the action propose_edit",
        "this client has no terminal/create",
    ]
    assert "private key" not in "".join(one.kept())
    assert main.startswith("from harbour.long import reel")


@pytest.mark.parametrize(("answer", "option"), [(c.Allow, "y"), (c.Deny, "n")])
async def test_a_permission_is_given_or_refused_by_a_person(
    new_file: NewFile, tmp_path: Path, answer: type[c.Allow | c.Deny], option: str
) -> None:
    async with held(new_file, tmp_path, "asks", permission="write-with-approval", seconds=1) as one:
        (asked,) = await one.until("permission_asked")
        assert asked["title"] == "Delete main.py"
        await asyncio.sleep(1.2)  # longer than an action may take: a person is waited for
        await one.house.send(one.stream, answer(request=asked["request"]), seat=PLAYER)
        await one.until("turn_ended")
        with pytest.raises(Refused, match="nobody waits for this permission"):
            await one.house.send(one.stream, answer(request=asked["request"]), seat=PLAYER)
    outcome = {"outcome": {"outcome": "selected", "optionId": option}}
    assert one.kept()[-1] == f"session/request_permission: {json.dumps(outcome)}"


async def test_a_read_only_realm_lets_nobody_ask_for_more_than_reading(new_file: NewFile, tmp_path: Path) -> None:
    async with held(new_file, tmp_path, "asks") as one:
        await one.until("turn_ended")
        assert "this realm is read-only" in one.said[0]
    assert '"optionId": "n"' in one.kept()[-1]


def test_the_operator_holds_a_seat_from_the_command_line(
    new_home: NewHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, place, kept = new_home(tmp_path / "home"), harbour(tmp_path / "harbour"), tmp_path / "kept.txt"
    agents = {"mason": {"command": program("report", kept), "seconds": 20}}
    monkeypatch.setenv("GREENROOM_REALMS_AGENTS", json.dumps(agents))
    assert invoke(home, ["realms", "explore", str(place)]).exit_code == 0
    ended = invoke(home, ["realms", "seat", "harbour", "mason", "--seconds", "4", "--json"])
    assert ended.exit_code == 0, ended.stderr
    assert json.loads(ended.stdout)["findings"] == 2  # what the mason of the house had found, and this
    ended = invoke(home, ["realms", "seat", "harbour", "stranger"])
    assert (ended.exit_code, ended.stderr) == (
        2, "greenroom: no program is set for stranger; GREENROOM_REALMS_AGENTS names mason\n",
    )  # fmt: skip
