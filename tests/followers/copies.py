"""Followers for tests: one that keeps a copy in memory, and one that writes down every time it is told."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from greenroom.ports import Followed, Texts


class Copy:
    """Keeps what it is told: versions by stream, in the order in which they came."""

    def __init__(self, *worlds: str, name: str = "copy") -> None:
        self.name = name
        self.worlds = frozenset(worlds)
        self.told: dict[str, list[int]] = {}
        self.states: dict[str, Any] = {}
        self.events: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.words: dict[str, str] = {}
        self.gone: list[str] = []
        self.resets = 0
        #: What it raises the next times it is told something.
        self.troubles: list[Exception] = []
        #: Held by a test that wants it to be slow.
        self.door = asyncio.Lock()

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        async with self.door:
            if self.troubles:
                raise self.troubles.pop(0)
            for step in batch:
                self.told.setdefault(step.stream, []).append(step.version)
                self.states[step.stream] = step.state
                self.events[step.stream, step.version] = step.events
                said = [getattr(event, "words", None) for event in step.events]
                self.words |= await texts([words.id for words in said if words is not None])

    async def forgotten(self, stream: str) -> None:
        if self.troubles:
            raise self.troubles.pop(0)
        self.told.pop(stream, None)
        self.gone.append(stream)

    async def reset(self) -> None:
        self.resets += 1
        self.told.clear()
        self.states.clear()


class Diary:
    """Writes a line for every step, slowly and in pieces, so that a kill hits it anywhere."""

    def __init__(self, path: Path, *worlds: str) -> None:
        self.name = "diary"
        self.worlds = frozenset(worlds)
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        for step in batch:
            os.write(self._handle, (json.dumps([step.stream, step.version]) + "\n").encode())
            if random.random() < 0.1:
                await asyncio.sleep(random.uniform(0, 0.005))

    async def forgotten(self, stream: str) -> None:
        pass

    async def reset(self) -> None:
        pass
