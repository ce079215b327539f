"""A part of a page that is drawn anew only when what it shows has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from greenroom.kit.console import parts

T = TypeVar("T")


class StoryShelf(Generic[T]):
    """Shows one value. Whoever has the focus on something in it keeps it until that value is another."""

    def __init__(self, classes: str, draw: Callable[[T], None]) -> None:
        self._draw = draw
        self._shown: T | None = None
        self._place = parts.box(classes)

    def show(self, wanted: T) -> None:
        if wanted == self._shown:
            return
        self._shown = wanted
        self._place.clear()
        with self._place:
            self._draw(wanted)
