"""The seed's contract over HTTP, by a script that knows nothing but the seed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from tests.worlds.bar.stage import BEN, EVENING, served

FIELDS = {
    "agent",
    "message",
    "timestamp",
    "agents_available",
    "agents_muted",
    "session_status",
    "message_count",
    "message_limit",
}


async def start(guest: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await guest.post("/bar/session/start", json=body)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def say(guest: httpx.AsyncClient, session: str, text: str, **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": more.pop("key")} if "key" in more else {}
    return await guest.post("/bar/message", json={"session_id": session, "content": text, **more}, headers=headers)


async def pass_time(house: House, minutes: float) -> None:
    now = EVENING + timedelta(microseconds=house.now() - int(EVENING.timestamp() * 1_000_000))
    await house.advance(now + timedelta(minutes=minutes))


async def test_thirty_messages_last_call_the_end_and_the_closed_door() -> None:
    """Rulings 5, 8, 16, 21."""
    async with served() as (_, caller):
        guest = caller()
        begun = await start(guest)
        session = begun["session_id"]
        assert str(UUID(session)) == session
        assert set(begun) >= FIELDS
        assert begun["message"]
        for i in range(1, 31):
            answer = await say(guest, session, f"Tell me about evening number {i}, would you?")
            told = answer.json()
            assert answer.status_code == 200
            assert set(told) >= FIELDS
            assert told["message_count"] == i
            assert told["message_limit"] == 30
            assert ("last call" in told["message"].lower()) == (i == 25)
            assert told["session_status"] == ("ended" if i == 30 else "active")
        closed = await say(guest, session, "One more?")
        assert (closed.status_code, closed.json()["session_status"]) == (403, "ended")
        standing = (await guest.get(f"/bar/session/{session}/status")).json()
        assert (standing["session_status"], standing["message_count"]) == ("ended", 30)


async def test_the_sixth_session_of_a_day_is_refused_and_the_next_day_is_open() -> None:
    """Ruling 5."""
    async with served() as (house, caller):
        guest = caller()
        for _ in range(5):
            session = (await start(guest))["session_id"]
            assert (await guest.post("/bar/session/end", json={"session_id": session})).status_code == 200
        sixth = await guest.post("/bar/session/start")
        assert sixth.status_code == 429
        assert "5 sessions" in sixth.json()["detail"]
        assert (await caller().post("/bar/session/start")).status_code == 200
        await pass_time(house, 24 * 60)
        assert (await guest.post("/bar/session/start")).status_code == 200


async def test_polling_sees_the_warning_and_the_kick_to_the_second() -> None:
    """Ruling 4."""
    async with served() as (house, caller):
        guest = caller()
        session = (await start(guest))["session_id"]
        await say(guest, session, "Good evening.")

        async def status() -> str:
            return str((await guest.get(f"/bar/session/{session}/status")).json()["session_status"])

        await pass_time(house, 15 - 1 / 60)
        assert await status() == "active"
        await pass_time(house, 1 / 60)
        assert await status() == "warning_15min"
        assert (await say(guest, session, "Still here.")).json()["session_status"] == "active"
        await pass_time(house, 20 - 1 / 60)
        assert await status() == "warning_15min"
        await pass_time(house, 1 / 60)
        assert await status() == "kicked"
        closed = await say(guest, session, "Wait!")
        assert (closed.status_code, closed.json()["session_status"]) == (403, "kicked")
        kinds = [one["kind"] for one in (await guest.get(f"/bar/session/{session}/messages")).json()["messages"]]
        assert kinds.count("warning") == 2
        assert kinds[-1] == "kick"


async def test_a_key_counts_once_and_with_another_body_is_refused() -> None:
    """Ruling 9."""
    async with served() as (_, caller):
        guest = caller()
        session = (await start(guest))["session_id"]
        first = await say(guest, session, "Good evening.", key="a")
        again = await say(guest, session, "Good evening.", key="a")
        assert first.json() == again.json()
        assert first.json()["message_count"] == 1
        other = await say(guest, session, "Good morning.", key="a")
        assert other.status_code == 409
        assert (await guest.get(f"/bar/session/{session}/status")).json()["message_count"] == 1


@pytest.mark.parametrize(
    ("content", "more", "status", "sentence"),
    [
        ("", {}, 422, "1 to 500"),
        ("   ", {}, 422, "1 to 500"),
        ("x" * 501, {}, 422, "1 to 500"),
        ("bell \x07", {}, 422, "control"),
        ("Good evening.", {"selected_agent": "gatsby"}, 422, "bernie"),
        ("Good evening.", {"session_id": "3f2a9c1e-77aa-4b1c-9d3e-5b0a4c7d1e2f"}, 404, "no such session"),
        ("Good evening.", {"session_id": "nonsense"}, 404, "no such session"),
    ],
)
async def test_bad_input_gets_its_status_and_a_sentence_and_counts_nothing(
    content: str, more: dict[str, str], status: int, sentence: str
) -> None:
    """Ruling 8."""
    async with served() as (_, caller):
        guest = caller()
        session = (await start(guest))["session_id"]
        body = {"session_id": session, "content": content, **more}
        answer = await guest.post("/bar/message", json=body)
        assert answer.status_code == status
        assert sentence in answer.json()["detail"]
        assert (await guest.get(f"/bar/session/{session}/status")).json()["message_count"] == 0


async def test_somebody_elses_session_is_not_there() -> None:
    """Ruling 19."""
    async with served() as (_, caller):
        ada, ben = caller(), caller()
        session = (await start(ada))["session_id"]
        await start(ben)
        assert (await say(ben, session, "Mine now.")).status_code == 404
        assert (await ben.get(f"/bar/session/{session}/messages")).status_code == 404
        bearer = caller()
        assert (await say(bearer, session, "I lost my cookies.")).status_code == 200


async def test_crisis_goes_before_every_limit() -> None:
    """Ruling 15."""
    async with served() as (_, caller):
        guest, session = caller(), ""
        for _ in range(5):
            session = (await start(guest))["session_id"]
            await guest.post("/bar/session/end", json={"session_id": session})
        assert (await guest.post("/bar/session/start")).status_code == 429
        answer = await say(guest, session, "I want to kill myself tonight.")
        told = answer.json()
        assert answer.status_code == 200
        assert (told["agent"], told["session_status"], told["message_count"]) == ("hermes", "ended", 0)
        assert "findahelpline.com" in told["message"]
        long = await say(guest, session, "I want to kill myself tonight. " + "x " * 400)
        assert (long.status_code, long.json()["agent"]) == (200, "hermes")


async def test_codes_open_the_door_for_one_guest_each() -> None:
    """Rulings 10 and 18."""
    async with served() as (house, caller):
        (code, other) = await visits.invite(house, 2)
        ada, ben = caller(), caller()
        assert (await ada.post("/bar/session/start")).status_code == 403
        assert (await ada.post("/bar/session/start", json={"invite_code": "nope"})).status_code == 403
        session = (await start(ada, invite_code=code))["session_id"]
        assert (await ben.post("/bar/session/start", json={"invite_code": code})).status_code == 403
        await visits.set_disabled(house, other, disabled=True)
        refused = await ben.post("/bar/session/start", json={"invite_code": other})
        assert (refused.status_code, "disabled" in refused.json()["detail"]) == (403, True)
        assert (await say(ada, session, "Lovely place.")).status_code == 200
        assert (await ada.post("/bar/session/start")).status_code == 200, "a guest's code is kept with the guest"


async def test_the_daily_cap_counts_per_code_too() -> None:
    """Ruling 18: forgetting a guest does not give the code five more sessions."""
    async with served() as (house, caller):
        (code,) = await visits.invite(house, 1)
        guest = caller()
        for _ in range(5):
            await start(guest, invite_code=code, anonymous_id=BEN)
        await house.forget(BEN)
        again = caller()
        answer = await again.post("/bar/session/start", json={"invite_code": code, "anonymous_id": BEN})
        assert answer.status_code in (410, 429)


async def test_muting_over_http_is_kept_for_the_next_session() -> None:
    """Ruling 17."""
    async with served() as (_, caller):
        guest = caller()
        session = (await start(guest))["session_id"]
        body = {"session_id": session, "agent": "jb", "muted": True}
        told = (await guest.post("/bar/mute", json=body)).json()
        assert told["agents_muted"] == ["bukowski", "jb"]
        assert "jb" not in told["agents_available"]
        assert (await guest.post("/bar/mute", json={**body, "agent": "hermes"})).status_code == 422
        assert (await start(guest))["agents_muted"] == ["bukowski", "jb"]
