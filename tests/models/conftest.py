"""What tests of models use: a server on this machine, and models that call it."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.breaker import Breaker
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.understudy import Understudy
from greenroom.kernel.asks import AskModel, Section
from greenroom.ports import Asked
from tests.models.loopback import Loopback, serve

#: 1 June 2031, noon.
NOON = 1_938_081_600_000_000

MODELS = {
    "anthropic": "anthropic:claude-sonnet-4-6",
    "openai": "openai:gpt-4.1-mini",
    "google": "google:gemini-2.5-flash",
}
SCHEMA = {
    "type": "object",
    "properties": {
        "line": {"type": "string", "minLength": 1, "maxLength": 600},
        "mood": {"type": "string", "enum": ["curt", "plain", "wry", "warm"]},
    },
    "required": ["line", "mood"],
    "additionalProperties": False,
}

MakeModels = Callable[..., ConfiguredModels]


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with serve() as server:
        yield server


@pytest.fixture(scope="session")
def library() -> None:
    """The library for providers, imported once; it warns of things that are not ours."""
    pytest.importorskip("pydantic_ai")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for provider in MODELS:
            importlib.import_module(f"pydantic_ai.models.{provider}")
            importlib.import_module(f"pydantic_ai.providers.{provider}")


@pytest.fixture
async def make(loopback: Loopback, library: None) -> AsyncIterator[MakeModels]:
    """Models whose roles are all played by the server on this machine, quickly."""
    made: list[ConfiguredModels] = []

    def models(provider: str = "anthropic", *, breaker: Any = Breaker, **more: Any) -> ConfiguredModels:
        named = {name: more.pop(name) for name in ("caps", "spending", "digest", "clock") if name in more}
        role = role_of(loopback, provider, **more)
        named.setdefault("clock", VirtualClock(NOON))
        one = ConfiguredModels({"default": role}, understudy=Understudy(), breaker=breaker, **named)
        made.append(one)
        return one

    yield models
    for one in made:
        await one.close()


def role_of(loopback: Loopback, provider: str, **more: Any) -> Role:
    quick: dict[str, Any] = {"timeout": 2.0, "limit": 6.0, "pause": 0.01, "api_key": "test"}
    return Role(**{"model": MODELS[provider], "base_url": loopback.base_url(provider), **quick, **more})


def keeper(*, said: str = "Is there soup?", persona: str = "You keep the light.", **more: Any) -> AskModel:
    sections = (
        Section(name="keeper", texts=(persona,), floor=10, stable=True),
        Section(name="said", texts=(said,), floor=10),
        Section(name="recent", texts=("visitor: Hello.\nkeeper: You are wet.",), memories=("m1",)),
    )
    return AskModel(**{"role": "quality", "sections": sections, "schema": SCHEMA, "max_tokens": 200, **more})


def asked(i: int = 0, *, stream: str = "s", owner: str = "ann", n: int = 1) -> Asked:
    return Asked(stream=stream, world="lighthouse", owner=owner, n=n, i=i, at=NOON)
