"""``greenroom models`` says who plays what; ``greenroom models test`` says in a sentence what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models import trouble
from greenroom.adapters.models.providers import ModelLine
from tests.commands import Ended, invoke
from tests.models.loopback import Loopback, Reply

READY = '{"word": "ready"}'
FOUND = '{"error": {"message": "The model `gpt-none` does not exist"}}'


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, library: None) -> None:
    for name in ("ANTHROPIC", "GOOGLE", "GEMINI", "OPENAI"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)


def tried(home: Path, monkeypatch: pytest.MonkeyPatch, **role: Any) -> Ended:
    """Try one role that is set so."""
    monkeypatch.setenv("GREENROOM_MODELS", json.dumps({"quality": role}))
    return invoke(home, ["models", "test"])


def openai(loopback: Loopback, **more: Any) -> dict[str, Any]:
    return {"model": "openai:gpt-none", "base_url": f"{loopback.url}/v1", "api_key": "k", **more}


def test_a_model_that_answers_works(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loopback.replies = [Reply(text=READY)]
    told = tried(tmp_path, monkeypatch, **openai(loopback))
    assert (told.exit_code, told.stdout.endswith("works\n")) == (0, True)
    assert len(loopback.seen) == 1


@pytest.mark.parametrize(
    ("replies", "more", "sentence"),
    [
        ([Reply(text=f"```json\n{READY}\n```")], {}, "works; it puts its JSON between fences, which are taken off"),
        (
            [Reply(status=401, body=b'{"error": {"message": "Incorrect API key provided."}}')],
            {},
            "refused the key (401): OPENAI_API_KEY, or api_key of the role, is wrong or may not use gpt-none; "
            "it says: Incorrect API key provided",
        ),
        (
            [Reply(status=404, body=FOUND.encode())],
            {},
            "has no model 'gpt-none' (404): check the name behind 'openai:'",
        ),
        (
            [Reply(status=404, body=b"<html>Not Found</html>")],
            {},
            "(404): base_url is wrong, it usually ends with /v1",
        ),
        ([Reply(text=READY, silence=3.0)], {"timeout": 0.5}, "did not answer within 0.5 seconds: raise timeout"),
        ([Reply(body=b"<html>Welcome</html>")], {}, "does not speak the protocol of openai"),
        (
            [Reply(text="I am ready!")],
            {},
            "answers, but not in the form it was asked for: choose a larger model "
            "(the answer is not one whole JSON value)",
        ),
        (
            [Reply(text='{"word": ', finish="length")],
            {},
            "gpt-none thinks until there is no room for the answer: set reasoning to low and reasoning_tokens to 2000",
        ),
        ([Reply(status=429)], {}, "was asked too often, or its credit is used up (429); it says: not now"),
        ([Reply(status=503)], {}, "fails by itself (503): try again later"),
    ],
    ids=["fenced", "key", "model", "path", "slow", "junk", "chatty", "cut", "often", "down"],
)
def test_what_is_wrong_is_said_in_a_sentence(
    *,
    replies: list[Reply],
    more: dict[str, Any],
    sentence: str,
    loopback: Loopback,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loopback.replies = replies
    told = tried(tmp_path, monkeypatch, **openai(loopback, **more))
    assert sentence in told.stdout
    assert told.exit_code == (0 if sentence.startswith("works") else 1)
    assert len(loopback.seen) == 1
    assert told.stderr == ""


def test_an_address_where_nobody_is_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = "http://127.0.0.1:9/v1"
    told = tried(tmp_path, monkeypatch, model="openai:x", base_url=nobody, api_key="k")
    assert f"nobody answers at {nobody}: is it running, and is base_url right?" in told.stdout


@pytest.mark.parametrize("provider", ["anthropic", "google", "openai"])
def test_the_variable_of_a_missing_key_is_named(provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tried(tmp_path, monkeypatch, model=f"{provider}:x")
    assert f"no key is set: give {provider.upper()}_API_KEY" in told.stdout
    listed = invoke(tmp_path, ["models"]).stdout
    assert f"{provider.upper()}_API_KEY" in listed


def test_the_roles_of_every_world_are_listed_with_who_plays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"quality": {"model": "openai:nobody-knows", "base_url": "http://127.0.0.1:9/v1"}}
    monkeypatch.setenv("GREENROOM_MODELS", json.dumps(given))
    roles = json.loads(invoke(tmp_path, ["models", "--json"]).stdout)["roles"]
    played = {(one["world"], one["role"]): (one["model"], one["price_told"]) for one in roles}
    assert played["lighthouse", "quality"] == ("openai:nobody-knows", "unknown")
    assert played["bar", "fast"] == ("understudy", "free")
    assert {world for world, _ in played} == {"arena", "bar", "lighthouse", "phantom", "realms", "secret_agi"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"qualty": {"model": "openai:x"}}, "no world has a role 'qualty'; did you mean quality?"),
        ({"quality": {"model": "antropic:x"}}, "there is no provider 'antropic'; did you mean anthropic:x?"),
        ({"quality": {"model": "gpt-x"}}, "write provider and model as one of anthropic:…, google:…, openai:…"),
        ({"quality": {"model": "openai:x", "temprature": 1}}, "quality has no 'temprature'; did you mean temperature?"),
        (
            {"quality": {"model": "openai:x", "price": {"inputs": 1, "output": 1}}},
            "price of quality has no 'inputs'; did you mean input?",
        ),
        ({"quality": {"model": "openai:x", "base_url": "localhost:1"}}, "GREENROOM_MODELS_QUALITY_BASE_URL"),
    ],
)
@pytest.mark.parametrize("command", [["models"], ["models", "test"], ["start", "lighthouse"]], ids=" ".join)
def test_what_is_misspelt_is_refused_with_what_was_meant(
    given: object, sentence: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREENROOM_MODELS", json.dumps(given))
    told = invoke(tmp_path, command)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence.rstrip("?") in told.stderr


def test_without_settings_nothing_is_asked_and_it_is_told_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GREENROOM_MODELS", raising=False)
    told = invoke(tmp_path, ["models", "test"])
    assert (told.exit_code, told.stdout) == (
        0,
        "no model is set: the understudy plays every role; 'greenroom models' tells how\n",
    )
    assert """export GREENROOM_MODELS='{"default": {"model": "anthropic:""" in invoke(tmp_path, ["models"]).stdout


def test_a_page_for_people_is_not_quoted_and_a_long_message_is_cut() -> None:
    assert trouble.message_in("<!doctype html><p>no") == ""
    assert trouble.message_in({"error": {"message": "x" * 999}}) == "x" * 300
    assert trouble.message_in([{"error": {"message": "a\n b."}}]) == "a b"
    assert trouble.in_words("418", ModelLine(provider="openai", model="m")).endswith("refused the request (418)")
