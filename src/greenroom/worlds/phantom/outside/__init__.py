"""What Phantom Protocol has beside its rules: its content, and agents with no model behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from greenroom.adapters.content import load, named_files
from greenroom.adapters.models.understudy import Part, Understudy
from greenroom.adapters.understudy import ByWords
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.worlds import World
from greenroom.ports import Models
from greenroom.worlds.phantom.outside.understudy import CastPart
from greenroom.worlds.phantom.rules import content as form
from greenroom.worlds.phantom.rules import phantom
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.settings import PhantomSettings

if TYPE_CHECKING:
    from pydantic import BaseModel

_PUZZLE = re.compile(r"  [a-z][a-z0-9_]*:$")


def read_content(folder: Path | Traversable | None = None) -> form.Content:
    """The content of a folder, or the shipped one.

    Raises:
        Unknown: a file is missing.
        Malformed: something in it is wrong; each line of the message is ``file:line: sentence``.
    """
    return _shipped() if folder is None else _read(folder)


@cache  # what is packaged does not change; reading it takes longer than opening a house
def _shipped() -> form.Content:
    return _read(files("greenroom.worlds.phantom").joinpath("content"))


def _read(place: Path | Traversable) -> form.Content:
    agents = named_files(place.joinpath("agents"))
    story = load(place.joinpath("story.yaml"), form.Story)
    names = tuple(_named(place.joinpath("puzzles.yaml")))
    known = {
        "agents": tuple(agents),
        "items": tuple(story.items),
        "milestones": form.milestones(tuple(agents), story, names),
    }
    return form.whole(
        story=story,
        documents=load(place.joinpath("documents.yaml"), form.Documents, context=known),
        triggers=load(place.joinpath("triggers.yaml"), form.Triggers, context=known).triggers,
        agents={name: load(file, form.Agent, context=known) for name, file in agents.items()},
        puzzles=load(place.joinpath("puzzles.yaml"), form.Puzzles, context=known).puzzles if names else {},
        where=str(place),
    )


def _named(file: Path | Traversable) -> list[str]:
    """The puzzles of a folder by name, before conditions that name them can be read; none where there is no file."""
    return (
        [line[2:-1] for line in file.read_text("utf-8").splitlines() if _PUZZLE.match(line)] if file.is_file() else []
    )


M = TypeVar("M", bound="BaseModel")


def shipped(name: str, form: type[M]) -> M:
    """A file of the shipped content that belongs to no story: probes of the judge, words of simulated players."""
    return load(files("greenroom.worlds.phantom").joinpath("content", name), form)


# what the plug-in refers to


def worlds(settings: PhantomSettings) -> Sequence[World[Any, Any, Any]]:
    return (phantom(read_content(settings.content)),)


def voices(settings: PhantomSettings) -> Mapping[str, Part]:
    return _voices(read_content(settings.content))


def stand_in(told: form.Content) -> Models:
    """The understudy alone, for a house of this world alone."""
    return Understudy(_voices(told))


def _voices(told: form.Content) -> Mapping[str, Part]:
    return {NAME: _cast(told)}


def answer(told: form.Content, ask: AskModel) -> Json | Failed:
    """What the cast says by words alone."""
    return _cast(told).answer(ask, ByWords())


def _cast(told: form.Content) -> CastPart:
    return _shipped_cast() if told is _shipped() else CastPart(told)


@cache  # they read all they may say once
def _shipped_cast() -> CastPart:
    return CastPart(_shipped())
