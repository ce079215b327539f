"""ADK's own runner on a house: a conversation that is killed and resumed, a person forgotten, a seat at a table."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="ADK's runner on a house: run 'make interop'")

from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.genai import types

import greenroom
from greenroom.integrations.adk import AgentSeat, HouseArtifactService, HouseMemoryService, HouseSessionService
from greenroom.kernel.worlds import OPERATOR
from greenroom.plugins import found
from greenroom.services.export import export_person
from greenroom.worlds.secret_agi.rules import commands as c
from tests.conftest import NewDatabase
from tests.interop.scripted import Chooser, Scripted, counting

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = ["Good evening.", "Is anybody in?", "Please light the lamp.", "Thank you.", "Good night."]


def talked(place: str, flag: Path, word: str) -> int:
    """Let the conversation go on in a process of its own; how that ended."""
    line = [sys.executable, "-W", "ignore", "-m", "tests.interop.talking", place, str(flag), word, *MESSAGES]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr[-2000:]
    return done.returncode


#: Where the process dies, and on what: when a model is asked, when it is asked for a tool, in the tool.
DEATHS = [("sqlite", "anybody"), ("sqlite", "lamp"), ("sqlite", "tool"), ("postgres", "tool")]


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> str:
    if kind == "postgres":
        new_database: NewDatabase = request.getfixturevalue("new_database")
        return new_database(())
    return str(tmp_path / "house.db")


async def told(place: str) -> list[tuple[str, str]]:
    async with greenroom.open(place, plugins=(), work=False) as house:
        session = await HouseSessionService(house).get_session(app_name="inn", user_id="ada", session_id="evening")
        assert session is not None
        assert session.state == {"lamp": 3, "user:lamps": 1}
        found = await HouseMemoryService(house).search_memory(app_name="inn", user_id="ada", query="lamp")
        assert found.memories[0].content.parts[0].text
        lamp = await HouseArtifactService(house).load_artifact(
            app_name="inn", user_id="ada", session_id="evening", filename="lamp.txt"
        )
        assert lamp is not None
        assert lamp.text == "lamp 3"
        return [(e.author, part.text) for e in session.events if e.content for part in e.content.parts if part.text]


@pytest.mark.parametrize(("kind", "word"), DEATHS)
async def test_a_conversation_that_is_killed_goes_on_as_if_nothing_had_happened(
    place: str, tmp_path: Path, word: str
) -> None:
    assert talked(place, tmp_path / "killed", word) == -signal.SIGKILL
    assert talked(place, tmp_path / "killed", word) == 0
    expected = []
    for n, message in enumerate(MESSAGES, 1):
        expected += [("user", message), ("keeper", f"{n} heard, the last: {message}")]
    assert await told(place) == expected


# a person


async def test_whoever_is_forgotten_is_forgotten_by_agents_too(house: Any) -> None:
    secret = "zQ7kMarvin"
    sessions, memories, files = HouseSessionService(house), HouseMemoryService(house), HouseArtifactService(house)
    for user in (secret, "bob"):
        place: dict[str, Any] = {"app_name": "inn", "user_id": user}
        session = await sessions.create_session(**place, session_id=f"{user}-s", state={"user:name": user, "a": user})
        said = types.Content(role="user", parts=[types.Part(text=f"I am {user}")])
        await sessions.append_event(session, Event(author="user", content=said))
        await memories.add_session_to_memory(session)
        part = types.Part.from_bytes(data=user.encode(), mime_type="image/png")
        await files.save_artifact(**place, session_id=session.id, filename=f"{user}.png", artifact=part)
    lines = [json.loads(line) async for line in export_person(house.backend, house.codecs, secret)]
    kept = {line["table"] for line in lines if line["kind"] == "kept"}
    assert kept == {"adk_sessions", "adk_events", "adk_user_states", "adk_memories", "adk_artifacts"}
    assert any(secret in line["values"].get("event_data", "") for line in lines if line["kind"] == "kept")
    forgot = await house.forget(secret)
    assert forgot.counts["sessions"] == forgot.counts["session_events"] == forgot.counts["artifacts"] == 1
    assert (await sessions.list_sessions(app_name="inn", user_id=secret)).sessions == []
    assert await sessions.get_user_state(app_name="inn", user_id=secret) == {}
    assert (await memories.search_memory(app_name="inn", user_id=secret, query=secret)).memories == []
    assert await files.list_artifact_keys(app_name="inn", user_id=secret, session_id=f"{secret}-s") == []
    assert len((await sessions.list_sessions(app_name="inn")).sessions) == 1
    for file in Path(house.name).parent.glob("house.db*") if house.name.endswith("house.db") else ():
        assert secret.encode() not in file.read_bytes(), file.name


# a seat


async def a_table(house: Any) -> str:
    """A game of random players in which one of the honest waits for an agent; its seat."""
    config = {"decision_seconds": 0, "discussion": {"on": True, "K": 1}, "paused": True}
    await house.start("secret_agi", config, name="game", seed=3)
    players = (await house.view("game", seat=OPERATOR)).body["players"]
    seat = next(str(player["id"]) for player in players if player["role"] == "Safety")
    taken = c.SeatConfig(player_id=seat, agent_type="HumanPlayer")
    for command in (c.Reseat(seats=(taken,)), c.Resume()):
        await house.send("game", command, seat=OPERATOR)
    return seat


async def test_an_agent_holds_a_seat_of_secret_agi_to_the_end(tmp_path: Path) -> None:
    chooser = Chooser(7)
    async with greenroom.open(tmp_path / "house.db", plugins=[p for p in found() if p.name == "secret_agi"]) as house:
        name = await a_table(house)
        seat = AgentSeat(house, "game", name, idle=["observe"])
        agent = LlmAgent(name="player", model=Scripted(model="scripted", answer=chooser), tools=seat.tools)
        sessions = HouseSessionService(house)
        runner = Runner(app_name="table", agent=agent, session_service=sessions)
        session = await sessions.create_session(app_name="table", user_id="house", session_id="at the table")
        await asyncio.wait_for(seat.play(runner, user_id="house", session_id=session.id), 90)
        row = await house.stream("game")
        mine = [attempt for attempt in await house.attempts("game") if attempt.seat == name]
        (kept,) = await house.agents.sessions.list("table")
    assert row.outcome is not None
    assert len(mine) > 3
    assert {attempt.status for attempt in mine} == {"settled"}
    assert (kept.stream, kept.seat, kept.active) == ("game", name, False)
    assert {shown["view"]["role"] for shown in chooser.shown} == {"Safety"}
    others = [p for shown in chooser.shown for p in shown["view"]["players"] if p["alive"] and p["id"] != name]
    assert {player["role"] for player in others} == {"unknown"}


async def test_an_agent_is_told_in_words_what_it_did_wrong(tmp_path: Path) -> None:
    async with greenroom.open(tmp_path / "house.db", plugins=[p for p in found() if p.name == "secret_agi"]) as house:
        seats = [{"player_id": f"player_{n}", "agent_type": "HumanPlayer"} for n in range(1, 6)]
        await house.start("secret_agi", {"seats": seats, "decision_seconds": 0}, name="game", seed=3)
        director = (await house.view("game", seat="player_1")).body["director"]
        seat = AgentSeat(house, "game", director)
        shown = await seat.look()
        assert [option["do"] for option in shown["options"]] == ["nominate"] * 5 + ["observe"]
        assert (await seat.choose(9))["why"] == "there is no option 9; choose 1 to 6"
        assert (await seat.choose(1))["done"] is True
        assert [option["do"] for option in (await seat.look())["options"]] == ["vote_team", "vote_team", "observe"]


async def test_an_agent_that_chooses_nothing_is_asked_three_times(tmp_path: Path) -> None:
    def silent(contents: list[Any]) -> Any:
        asked.append(contents)
        return counting(contents)

    asked: list[Any] = []
    async with greenroom.open(tmp_path / "house.db", plugins=[p for p in found() if p.name == "secret_agi"]) as house:
        seats = [{"player_id": f"player_{n}", "agent_type": "HumanPlayer"} for n in range(1, 6)]
        await house.start("secret_agi", {"seats": seats, "decision_seconds": 0}, name="game", seed=3)
        director = (await house.view("game", seat="player_1")).body["director"]
        seat = AgentSeat(house, "game", director, idle=["observe"])
        agent = LlmAgent(name="player", model=Scripted(model="scripted", answer=silent))
        runner = Runner(
            app_name="table", agent=agent, session_service=HouseSessionService(house), auto_create_session=True
        )
        playing = asyncio.create_task(seat.play(runner, user_id="house", session_id="s"))
        async with asyncio.timeout(120):
            while len(asked) < 3:
                await asyncio.sleep(0.05)
        done, _ = await asyncio.wait([playing], timeout=1)
        assert not done, "the seat waits for the game to go on"
        playing.cancel()
    assert len(asked) == 3
