"""What realms have beside their rules: content, tools that look at repositories, agents with no model behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.adapters.models.understudy import Part
from greenroom.kernel.worlds import World
from greenroom.ports import Follower
from greenroom.worlds.realms.outside.board import SharedBoard
from greenroom.worlds.realms.outside.followers import Files
from greenroom.worlds.realms.outside.tools import tools
from greenroom.worlds.realms.outside.understudy import answer
from greenroom.worlds.realms.rules import NAME, Content, realms
from greenroom.worlds.realms.settings import RealmsSettings


@cache  # what is packaged does not change; reading it takes longer than opening a house
def content() -> Content:
    return load(packaged("greenroom.worlds.realms", "content/realms.yaml"), Content)


def worlds(_: RealmsSettings) -> Sequence[World[Any, Any, Any]]:
    return (realms(content()),)


def voices(_: RealmsSettings) -> Mapping[str, Part]:
    told = content()
    return {NAME: lambda ask, _: answer(told, ask)}


def followers(settings: RealmsSettings) -> Sequence[Follower]:
    """Whoever keeps copies of realms outside the house: files always, a server where one is configured."""
    shared = settings.redis_host is not None or bool(settings.sentinels)
    return (Files(settings), SharedBoard(settings)) if shared else (Files(settings),)


__all__ = ["content", "followers", "tools", "voices", "worlds"]
