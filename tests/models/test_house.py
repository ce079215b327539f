"""The models of a house: settings, roles, the ledger of a played stream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from greenroom.adapters.models.configured import ConfiguredModels
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import Malformed
from greenroom.kernel.words import Words
from greenroom.settings import read_settings
from greenroom.worlds.lighthouse.rules.commands import Say, Visit
from tests.models.loopback import Loopback, Reply


def _set(monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    monkeypatch.setenv(name, json.dumps(value))


async def _talk(where: Any) -> tuple[Any, list[Any]]:
    async with open_house(where) as house:
        stream = (await house.start("lighthouse", Visit(), owner="ann")).stream
        reply = await house.send(stream, Say(text=Words("Is there soup?")), seat="visitor", key="k1")
        return reply, [entry for _, entry in await house.backend.streams.ledger(stream)]


async def test_without_settings_the_understudy_plays_and_the_ledger_says_so() -> None:
    async with open_house(":memory:") as house:
        assert isinstance(house.outside.models, Understudy)
    _, (entry,) = await _talk(":memory:")
    assert (entry.model, entry.status, entry.cost) == ("understudy", "ok", 0)
    account = json.loads(entry.account)
    assert len(account["digest"]) == 16
    assert "soup" not in entry.account.decode()


@pytest.mark.parametrize("file", [False, True])
async def test_a_role_of_the_settings_plays_and_its_cost_is_capped(
    file: bool, monkeypatch: pytest.MonkeyPatch, loopback: Loopback, library: None, tmp_path: Any
) -> None:
    role = {"model": "anthropic:claude-sonnet-4-6", "base_url": loopback.url, "timeout": 5, "limit": 10}
    _set(monkeypatch, "GREENROOM_MODELS", {"quality": role})
    _set(monkeypatch, "GREENROOM_CAPS", {"day": 0.03})
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    loopback.replies = [Reply(input_tokens=2000, output_tokens=150, text='{"line": "Soup it is.", "mood": "warm"}')]
    async with open_house(tmp_path / "house.db" if file else ":memory:") as house:
        assert isinstance(house.outside.models, ConfiguredModels)
        stream = (await house.start("lighthouse", Visit(), owner="ann")).stream
        for i in range(4):
            await house.send(stream, Say(text=Words("Is there soup?")), seat="visitor", key=f"k{i + 1}")
        entries = [entry for _, entry in await house.backend.streams.ledger(stream)]
    assert len(loopback.seen) == 2
    assert all("sk-test" in " ".join(seen.headers.values()) for seen in loopback.seen)
    assert [entry.status for entry in entries] == ["ok", "ok", "refused:cap:day", "refused:cap:day"]
    assert [entry.cost for entry in entries] == [8250, 8250, 0, 0]


async def test_a_prompt_is_put_together_again_whatever_length_and_deadline_the_settings_give_its_role(
    monkeypatch: pytest.MonkeyPatch, loopback: Loopback, library: None
) -> None:
    role = {"model": "openai:gpt-test", "base_url": loopback.url, "answer_tokens": 77, "deadline": 9}
    _set(monkeypatch, "GREENROOM_MODELS", {"quality": role})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    loopback.replies = [Reply(text='{"line": "Soup it is.", "mood": "warm"}')]
    async with open_house(":memory:") as house:
        stream = (await house.start("lighthouse", Visit(), owner="ann")).stream
        reply = await house.send(stream, Say(text=Words("Is there soup?")), seat="visitor")
        prompted = [one for one in await house.prompts(stream, reply.version) if one.role == "quality"]
    assert loopback.seen
    assert [one.exact for one in prompted] == [True]


def test_settings_are_refused_with_a_sentence_that_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, "GREENROOM_MODELS", {"quality": {"api_key": "sk-secret"}})
    with pytest.raises(Malformed, match="GREENROOM_MODELS_QUALITY_MODEL: Field required") as refusal:
        read_settings()
    assert "sk-secret" not in str(refusal.value)
    monkeypatch.setenv("GREENROOM_MODELS", "{quality")
    with pytest.raises(Malformed, match="write it as JSON"):
        read_settings()


def test_a_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    settings = read_settings()
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-secret"
    assert "sk-secret" not in repr(settings)
