"""Secret AGI over HTTP: the operator's games, a player's one seat, and nothing beyond it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import filled
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import EventContext
from greenroom.ports import Asked
from greenroom.worlds.secret_agi.rules.state import place_of
from tests.conftest import NewFile
from tests.counts import count, report
from tests.entrypoints.http.stage import Stage, stage
from tests.houses import shipped_tables
from tests.worlds.secret_agi.secrecy import scrambled
from tests.worlds.secret_agi.stage import WORLD, named

CAST = ["HumanPlayer", "HeuristicPlayer", "RandomPlayer", "HeuristicPlayer", "RandomPlayer"]


@pytest.fixture
async def served(new_file: NewFile) -> AsyncIterator[Stage]:
    async with stage(new_file(shipped_tables())) as one:
        yield one


def laid(*agents: str, **more: Any) -> dict[str, Any]:
    seats = [{"player_id": named(i), "agent_type": agent} for i, agent in enumerate(agents or CAST)]
    return {"player_count": len(seats), "seats": seats, "seed": 7, "decision_seconds": 0, **more}


async def ok(asked: Any, status: int = 200) -> Any:
    answer: httpx.Response = await asked
    assert answer.status_code == status, answer.text
    return answer.json()


async def resting(served: Stage, game: str) -> None:
    """Until the agents have done what they can."""
    for _ in range(400):
        stream = await served.house.backend.streams.get(game)
        if stream.outcome is not None or (
            not served.house.engine.drives(game) and not stream.open and not _due(stream)
        ):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the agents never came to rest")


def _due(stream: Any) -> bool:
    return stream.wake_at is not None and stream.awake


async def acted(player: httpx.AsyncClient, game: str, label: str) -> Any:
    """Do what one of the offered labels says."""
    action, _, rest = label.partition(" ")
    given: dict[str, dict[str, Any]] = {
        "nominate": {"target_id": rest},
        "ask_directly": {"target_id": rest},
        "vote_team": {"vote": rest == "yes"},
        "vote_emergency": {"vote": rest == "yes"},
        "respond_veto": {"agree": rest == "yes"},
        "discard_paper": {"paper_id": rest},
        "publish_paper": {"paper_id": rest},
        "send_chat_message": {"text": "Let us be careful."},
        "use_power": {"power_type": rest.partition(" ")[0], "target_id": rest.partition(" ")[2]},
    }
    fields = given.get(action, {})
    return await ok(player.post(f"/agi/games/{game}/act", json={"action": action, "parameters": fields}))


# the operator


async def test_a_game_is_made_waits_starts_pauses_and_is_resumed(served: Stage) -> None:
    operator = served.caller()
    made = await ok(operator.post("/agi/games", json=laid(name="table", begins=False)), 201)
    assert (made["status"], made["turn"], list(made["tickets"])) == ("paused", 0, ["player_1"])
    assert (await ok(operator.post("/agi/games/table/start")))["status"] == "active"
    assert (await operator.post("/agi/games/table/start")).status_code == 422
    await resting(served, "table")
    assert (await ok(operator.post("/agi/games/table/pause")))["status"] == "paused"
    assert (await ok(operator.get("/agi/games")))["games"][0]["status"] == "paused"
    assert (await ok(operator.post("/agi/games/table/resume")))["status"] == "active"
    assert (await ok(operator.get("/agi/interrupted")))["games"] == []


async def test_a_game_is_looked_at_from_every_side(served: Stage) -> None:
    operator = served.caller()
    await ok(operator.post("/agi/games", json=laid(*["RandomPlayer"] * 6, name="table")), 201)
    await resting(served, "table")
    whole = await ok(operator.get("/agi/games/table"))
    assert whole["state"]["outcome"] is not None
    early = await ok(operator.get("/agi/games/table", params={"turn": 5, "seat": "player_2"}))
    assert (early["turn"], early["seat"], early["state"]["outcome"]) == (5, "player_2", None)
    assert (await operator.get("/agi/games/table", params={"turn": 5000})).status_code == 404
    page = await ok(operator.get("/agi/games/table/events", params={"after": 3, "limit": 4}))
    assert {event["turn"] for event in page["events"]} == {4, 5, 6, 7}
    assert page["upto"] == 7
    timeline = (await ok(operator.get("/agi/games/table/timeline")))["timeline"]
    assert timeline[-1]["event_type"] == "game_ended"
    measured = await ok(operator.get("/agi/games/table/metrics"))
    assert sum(one["decisions"] for one in measured["performance"].values()) == len(measured["decisions"])
    assert (await ok(operator.get("/agi/games/table/analysis")))["type"] is None
    assert (await ok(operator.get("/agi/games/table/export")))["game"]["status"] == "completed"
    assert (await ok(operator.get("/agi/stats")))["games"] == 1


async def test_a_game_is_played_on_from_a_turn_with_other_agents(served: Stage) -> None:
    operator = served.caller()
    await ok(operator.post("/agi/games", json=laid(*["RandomPlayer"] * 5, name="table")), 201)
    await resting(served, "table")
    before = await ok(operator.get("/agi/games/table/export"))
    seats = [{"player_id": "player_2", "agent_type": "HumanPlayer"}]
    body = {"turn": 8, "seats": seats, "name": "what if"}
    made = await ok(operator.post("/agi/games/table/branch", json=body), 201)
    assert (made["of"], made["branched_at"], list(made["tickets"])) == ("table", 8, ["player_2"])
    player = served.caller(made["tickets"]["player_2"])
    assert (await ok(player.get("/agi/games/what if")))["seat"] == "player_2"
    assert await ok(operator.get("/agi/games/table/export")) == before
    assert (await operator.post("/agi/games/table/branch", json={"turn": 9999})).status_code == 404


async def test_what_makes_no_table_is_refused_in_one_sentence(served: Stage) -> None:
    operator = served.caller()
    for wrong in ({"player_count": 3}, {"player_count": "five"}, {"colour": "red"}, laid("parrot", *CAST[1:])):
        answer = await operator.post("/agi/games", json=wrong)
        assert answer.status_code in (409, 422), answer.text
        assert answer.json()["detail"]
    assert (await ok(operator.get("/agi/games")))["games"] == []
    assert (await operator.get("/agi/games/nowhere")).status_code == 404


# a player


async def test_a_person_plays_a_whole_game_and_may_do_nothing_else(served: Stage) -> None:
    operator = served.caller()
    made = await ok(operator.post("/agi/games", json=laid(name="table", discussion={"on": True, "K": 1})), 201)
    player = served.caller(made["tickets"]["player_1"])
    await resting(served, "table")
    while (seen := await ok(player.get("/agi/games/table")))["state"]["outcome"] is None:
        told = await acted(player, "table", seen["legal"][0])
        assert told["success"], told
        await resting(served, "table")
    assert seen["state"]["outcome"]["winners"] in ("Safety", "Acceleration")
    for path in ("metrics", "timeline", "export", "analysis"):
        assert (await player.get(f"/agi/games/table/{path}")).status_code == 403
    for path in ("start", "pause", "resume", "branch"):
        assert (await player.post(f"/agi/games/table/{path}", json={})).status_code == 403
    assert (await player.get("/agi/games", params={})).status_code == 403
    assert (await player.get("/agi/games/table", params={"seat": "player_2"})).status_code == 403
    stranger = served.caller(address="10.0.0.9")
    assert (await stranger.get("/agi/games/table")).status_code == 401


async def test_an_invalid_action_is_answered_with_the_reason_and_changes_nothing(served: Stage) -> None:
    operator = served.caller()
    made = await ok(operator.post("/agi/games", json=laid(name="table")), 201)
    await resting(served, "table")
    player = served.caller(made["tickets"]["player_1"])
    before = await ok(player.get("/agi/games/table"))
    for action, fields in (("declare_veto", {}), ("vote_team", {"vote": "maybe"}), ("conquer", {})):
        told = await ok(player.post("/agi/games/table/act", json={"action": action, "parameters": fields}))
        assert not told["success"]
        assert told["error"]
        assert told["legal"] == before["legal"]
    assert await ok(player.get("/agi/games/table")) == before
    measured = await ok(operator.get("/agi/games/table/metrics"))
    assert measured["performance"]["player_1"]["invalid_attempts"] == 3


async def test_the_same_key_acts_once(served: Stage) -> None:
    made = await ok(served.caller().post("/agi/games", json=laid(*["HumanPlayer"] * 5, name="table")), 201)
    director = (await served.house.states.now("table")).state.director
    player = served.caller(made["tickets"][named(director)])
    body = {"action": "nominate", "parameters": {"target_id": named(0)}}
    first, second = [
        await ok(player.post("/agi/games/table/act", json=body, headers={"Idempotency-Key": "k"})) for _ in range(2)
    ]
    assert first == second
    assert (await served.house.backend.streams.get("table")).version == 2


async def test_a_player_follows_the_game_live(served: Stage) -> None:
    made = await ok(served.caller().post("/agi/games", json=laid(name="table")), 201)
    await resting(served, "table")
    player = served.caller(made["tickets"]["player_1"])
    # The caller in this process waits for the end of an answer: let the stream end by taking the server's ear away.
    asyncio.get_running_loop().call_later(0.3, served.app.state.live.close)
    answer = await player.get("/agi/games/table/live", params={"after": "0"})
    told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith('data: {"id"')]
    assert told[0]["kind"] == "game_started"
    assert "deck" not in told[0]["shown"]


# no leak


async def test_no_answer_tells_a_seat_what_it_may_not_know(served: Stage) -> None:
    """Each seat asks everything it can, in its game and in another that differs only in what it may not know."""
    operator, house, looked = served.caller(), served.house, 0
    for seed in range(count(2, soak=10)):
        game, size = f"table {seed}", 5 + seed % 6
        made = await ok(operator.post("/agi/games", json=laid(*["HumanPlayer"] * size, name=game, seed=seed)), 201)
        players = {seat: served.caller(ticket) for seat, ticket in made["tickets"].items()}
        chance = Chance("http", seed)
        for _ in range(count(24, soak=90)):
            head = await house.states.now(game)
            if head.state.outcome is not None:
                break
            seat = chance.choose(sorted(players))
            ours = await _everything(players[seat], game)
            other = scrambled(head.state, place_of(head.state, seat), chance)
            humans = tuple(replace(p, agent="HumanPlayer", config={}) for p in other.players)
            house.states.keep(replace(head, state=replace(other, players=humans)))
            assert await _everything(players[seat], game) == ours, f"{game}, {seat}, turn {head.version - 1}"
            house.states.keep(head)
            looked += 1
            await _one_move(house, players, game, chance)
    report(f"secret_agi: no leak in {looked} looks over HTTP")


async def _everything(player: httpx.AsyncClient, game: str) -> list[Any]:
    found = [await ok(player.get(f"/agi/games/{game}"))]
    for action in ("declare_veto", "conquer"):
        told = await ok(player.post(f"/agi/games/{game}/act", json={"action": action}))
        found.append(told if not told["success"] else None)
    return found


async def _one_move(house: Any, players: dict[str, httpx.AsyncClient], game: str, chance: Chance) -> None:
    for seat, player in players.items():
        able = [one for one in (await ok(player.get(f"/agi/games/{game}")))["legal"] if one != "observe"]
        if able:
            told = await acted(player, game, chance.choose(able))
            assert told["success"], (seat, told)
            return


async def test_events_over_http_are_what_the_world_shows_a_seat(served: Stage, tmp_path: Path) -> None:
    made = await ok(served.caller().post("/agi/games", json=laid(name="table", discussion={"on": True, "K": 1})), 201)
    player = served.caller(made["tickets"]["player_1"])
    for _ in range(30):
        await resting(served, "table")
        seen = await ok(player.get("/agi/games/table"))
        if not seen["legal"]:
            break
        await acted(player, "table", seen["legal"][0])
    await resting(served, "table")
    page = await ok(player.get("/agi/games/table/events", params={"limit": 500}))
    texts = _Texts()
    expected: list[Any] = []
    state = WORLD.blank
    stream = await served.house.backend.streams.get("table")
    async for step in served.house.backend.history.steps("table", 0, stream.version):
        for k, event in enumerate(served.house.codecs["secret_agi"].read_events(step.events)):
            told = EventContext(stream="table", version=step.version, ordinal=k, at=moment(step.at), event=event)
            state = WORLD.evolve(state, told)
            shown = WORLD.shows(state, told, "player_1")
            if shown is not None:
                expected.append(json.loads(json.dumps(filled(shown, texts))))
    assert [_without_words(one["shown"]) for one in page["events"]] == [_without_words(one) for one in expected]


class _Texts:
    def __call__(self, id: str) -> str:
        return ""


def _without_words(shown: Any) -> Any:
    return {name: value for name, value in shown.items() if name != "words"}


# what a model was told


DRESSES: tuple[Callable[[str], str], ...] = (str, lambda text: text[::-1], " ".join, "\u200b".join, str.upper)


async def test_what_a_model_was_told_is_never_read_in_the_chat(new_file: NewFile) -> None:
    """A model that repeats a piece of its prompt whenever it may speak, and once says something of its own."""
    tried: list[str] = []

    def speak(ask: AskModel, asked: Asked) -> Any:
        assert ask.schema is not None
        labels = ask.schema["properties"]["action"]["enum"]
        speaks = [label for label in labels if label.startswith("send_chat_message")]
        told = {section.name: " ".join(section.texts) for section in ask.sections}
        pieces = [told[name][20:120] for name in ("rules", "you", "table", "notes") if len(told.get(name, "")) > 120]
        dress, piece = DRESSES[len(tried) % len(DRESSES)], pieces[len(tried) % len(pieces)]
        said = "I trust nobody here." if len(tried) % 6 == 5 else dress(piece)
        tried.append(said)
        secret = "I shall tell nobody that I mean to let the third paper through. " * 2
        return {"action": (speaks or labels)[0], "text": said, "notes": secret}

    async with stage(new_file(shipped_tables()), models=ScriptedModels(speak)) as served:
        operator = served.caller()
        wanted = laid("LLMPlayer", "LLMPlayer", *["RandomPlayer"] * 3, name="table", discussion={"on": True, "K": 2})
        await ok(operator.post("/agi/games", json={**wanted, "max_turns": 60}), 201)
        await resting(served, "table")
        seat = {"seat": named(2)}
        shown = await operator.get("/agi/games/table", params=seat)
        events = await operator.get("/agi/games/table/events", params={**seat, "limit": 500})
    chat = [line["words"] for line in shown.json()["state"]["chat"]]
    assert len(tried) > 20
    assert "I trust nobody here." in chat
    echoed = {one for one in tried if one != "I trust nobody here."}
    assert not echoed & set(chat)
    assert not [one for one in echoed if one in json.dumps([shown.json(), events.json()], ensure_ascii=False)]
