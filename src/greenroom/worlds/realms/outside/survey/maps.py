"""The map: a room for every folder, as large as its path says, and doors where folders nest or import one another."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from greenroom.worlds.realms.outside.survey.graph import Graph
from greenroom.worlds.realms.outside.survey.tree import File

#: Rooms and doors of a map at most; smaller rooms are part of the room around them.
MOST_ROOMS = 160
MOST_DOORS = 320
#: Objects of a room that are named on the map; the others are counted, and told when somebody enters.
MOST_OBJECTS = 12
ROOT = ""


@dataclass(slots=True)
class Room:
    """One folder, with what is in it."""

    path: str
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    files: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    objects: list[dict[str, str]] = field(default_factory=list)


def mapped(files: Sequence[File], graph: Graph) -> tuple[list[Room], list[dict[str, str | int]]]:
    """Rooms in order of their paths, and doors between them; the same files always give the same map."""
    home = _homes(files)
    rooms = {path: Room(path) for path in sorted(set(home.values()) | {ROOT})}
    for file in files:
        room = rooms[home[file.folder]]
        room.files += 1
        room.kinds[file.kind] = room.kinds.get(file.kind, 0) + 1
        if len(room.objects) < MOST_OBJECTS and file.folder == room.path:
            room.objects.append({"name": file.path.rpartition("/")[2], "kind": file.kind})
    _place(rooms)
    return list(rooms.values()), _doors(rooms, home, graph)


def _homes(files: Sequence[File]) -> dict[str, str]:
    """Which room each folder belongs to: its own, or that of the nearest folder above that has one."""
    sizes = Counter(file.folder for file in files)
    folders = {ROOT}
    for folder in sizes:
        above = folder
        while above and above not in folders:
            folders.add(above)
            above = posixpath.dirname(above)
    most = sorted(folders, key=lambda folder: (folder.count("/") if folder else -1, -sizes[folder], folder))
    kept = {ROOT, *most[:MOST_ROOMS]}
    return {folder: _kept_above(folder, kept) for folder in folders}


def _kept_above(folder: str, kept: set[str]) -> str:
    while folder not in kept:
        folder = posixpath.dirname(folder)
    return folder


def _place(rooms: dict[str, Room]) -> None:
    """Rows by depth, the rooms of one folder side by side, each as large as a hash of its path says."""
    rows: dict[int, list[Room]] = defaultdict(list)
    for path, room in rooms.items():
        digest = sha256(path.encode()).digest()
        room.width, room.height = 6 + digest[0] % 5, 5 + digest[1] % 3
        rows[0 if path == ROOT else path.count("/") + 1].append(room)
    y = 0
    for depth in sorted(rows):
        y = _place_row(rows[depth], y)


def _place_row(row: list[Room], y: int, *, wide: int = 72) -> int:
    x, tallest = 0, 0
    for room in row:
        if x and x + room.width > wide:
            x, y, tallest = 0, y + tallest + 2, 0
        room.x, room.y = x, y
        x += room.width + 2
        tallest = max(tallest, room.height)
    return y + tallest + 3


def _doors(rooms: dict[str, Room], home: dict[str, str], graph: Graph) -> list[dict[str, str | int]]:
    nesting = [(_room_above(path, rooms), path) for path in rooms if path != ROOT]
    imports: Counter[tuple[str, str]] = Counter()
    for source, targets in graph.edges.items():
        here = home[posixpath.dirname(source)]
        for target, line in targets.items():
            there = home[posixpath.dirname(target)]
            if here != there and line:
                imports[here, there] += 1
    doors: list[dict[str, str | int]] = [
        {"from": a, "to": b, "kind": "nesting", "count": 1} for a, b in sorted(nesting)
    ]
    strongest = sorted(imports.items(), key=lambda one: (-one[1], one[0]))[: max(0, MOST_DOORS - len(doors))]
    doors += [{"from": a, "to": b, "kind": "imports", "count": count} for (a, b), count in sorted(strongest)]
    return doors


def _room_above(path: str, rooms: dict[str, Room]) -> str:
    above = posixpath.dirname(path)
    while above not in rooms:
        above = posixpath.dirname(above)
    return above


__all__ = ["MOST_DOORS", "MOST_ROOMS", "ROOT", "Room", "mapped"]
