"""What the lighthouse has beside its rules: its content, and a keeper with no model behind her."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from greenroom.adapters.content import load, packaged
from greenroom.adapters.models.understudy import Part
from greenroom.kernel.worlds import World
from greenroom.worlds.lighthouse.outside.understudy import KeeperPart
from greenroom.worlds.lighthouse.rules import NAME, Content, lighthouse

if TYPE_CHECKING:
    from pydantic import BaseModel


@cache  # what is packaged does not change; reading it takes longer than opening a house
def content() -> Content:
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


M = TypeVar("M", bound="BaseModel")


def probes(name: str, form: type[M]) -> M:
    """One file of probes: what visitors say to the keeper, and what must stand in her reply."""
    return load(packaged("greenroom.worlds.lighthouse", f"content/probes/{name}.yaml"), form)


def worlds(_: None) -> Sequence[World[Any, Any, Any]]:
    return (lighthouse(content()),)


def voices(_: None) -> Mapping[str, Part]:
    return {NAME: _keeper()}


@cache  # she reads all she may say once
def _keeper() -> KeeperPart:
    return KeeperPart(content())
