"""Coming in again without a ticket, and what strangers can find out by trying."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.entrypoints.phantom.stage import Player, Stage, signed_up, stage, started

ANN = "ann@example.org"


@pytest.fixture
async def on() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


async def ask(on: Stage, email: str) -> httpx.Response:
    return await on.caller().post("/phantom/entry", json={"email": email})


async def give(on: Stage, email: str, code: str) -> httpx.Response:
    return await on.caller().post("/phantom/entry/code", json={"email": email, "code": code})


async def codes(on: Stage, player: Player) -> list[str]:
    """The codes that were sent to come in again, oldest first."""
    letters = await on.house.backend.post.list(stream=player.stream)
    mine = [letter for letter in letters if letter.subject == "Your way back in"]
    texts = await on.house.backend.bank.get([letter.words for letter in mine])
    found = (re.search(r"\b\d{6}\b", texts[letter.words]) for letter in mine)
    return [one[0] for one in found if one is not None]


def other(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


@pytest.mark.parametrize("more", [{}, {"web_only": False}])
async def test_whoever_reads_the_mail_of_an_address_comes_in_again_with_a_new_ticket(
    on: Stage, more: dict[str, Any]
) -> None:
    player = await signed_up(on, **more)
    assert (await ask(on, "Ann@Example.org")).status_code == 202
    (code,) = await codes(on, player)
    told = await give(on, ANN, f" {code} ")
    assert (told.status_code, told.json()["stream"]) == (200, player.stream)
    assert told.json()["player"]["email"]["verified"]
    again = Player(on, player.stream, on.caller(told.json()["ticket"]))
    assert (await again.post("start")).status_code == 200
    assert (await player.call.get(player.at("inbox"))).status_code == 200, "the old ticket is good as well"
    assert (await give(on, ANN, code)).status_code == 422, "a code is good once"


async def test_a_story_in_the_middle_is_found_as_it_was_left(on: Stage) -> None:
    player = await started(on)
    await player.write("email", "Who are you?")
    await ask(on, ANN)
    told = await give(on, ANN, (await codes(on, player))[-1])
    again = Player(on, player.stream, on.caller(told.json()["ticket"]))
    assert await again.conversations() == await player.conversations()


async def test_nobody_learns_whether_an_address_plays(on: Stage) -> None:
    player = await started(on)
    known, unknown = await ask(on, ANN), await ask(on, "bob@example.org")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json()) == (202, known.json())
    (code,) = await codes(on, player)
    refused = [await give(on, ANN, other(code)), await give(on, "bob@example.org", code)]
    await on.pass_time(minutes=31)
    refused.append(await give(on, ANN, code))
    bodies = {(one.status_code, one.json()["detail"]) for one in refused}
    assert bodies == {(422, "that code opens nothing; look again, or ask for a new one")}


async def test_a_code_is_tried_five_times_and_five_are_sent_a_day(on: Stage) -> None:
    player = await started(on)
    await ask(on, ANN)
    (code,) = await codes(on, player)
    for _ in range(5):
        assert (await give(on, ANN, other(code))).status_code == 422
    assert (await give(on, ANN, code)).status_code == 422, "now the right one comes too late"
    for _ in range(6):
        assert (await ask(on, ANN)).status_code == 202
        await on.pass_time(minutes=1)
    assert len(await codes(on, player)) == 5
    await on.pass_time(days=1)
    await ask(on, ANN)
    assert len(await codes(on, player)) == 6


async def test_a_player_who_stopped_everything_is_sent_no_code(on: Stage) -> None:
    player = await started(on)
    await player.post("opt-out")
    assert (await ask(on, ANN)).status_code == 202
    assert await codes(on, player) == []


@pytest.mark.parametrize(
    "body", [{}, {"email": "nobody"}, {"email": ANN, "code": ""}, {"email": ANN, "code": "1" * 13}]
)
async def test_what_is_no_address_or_no_code_is_refused(on: Stage, body: dict[str, str]) -> None:
    path = "/phantom/entry/code" if "code" in body else "/phantom/entry"
    assert (await on.caller().post(path, json=body)).status_code == 422


async def test_an_address_that_guesses_is_slowed_down(monkeypatch: pytest.MonkeyPatch, on: Stage) -> None:
    monkeypatch.setattr("tests.entrypoints.phantom.stage.EASY", {"rate_strangers": 3})
    async with stage() as strict:
        found = [(await give(strict, ANN, "123456")).status_code for _ in range(5)]
    assert found == [422, 422, 422, 429, 429]
