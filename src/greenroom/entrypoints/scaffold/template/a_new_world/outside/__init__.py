"""What A New World has beside its rules: its content, and a host with no model behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.adapters.models.understudy import Part
from greenroom.kernel.worlds import World

from ..rules import NAME, Content, world
from .understudy import answer


@cache  # what is packaged does not change; reading it takes longer than opening a house
def content() -> Content:
    return load(packaged(__package__.rpartition(".")[0], "content/a_new_world.yaml"), Content)


def worlds(_: None) -> Sequence[World[Any, Any, Any]]:
    return (world(content()),)


def voices(_: None) -> Mapping[str, Part]:
    told = content()
    return {NAME: lambda ask, _: answer(told, ask)}
