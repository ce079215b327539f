"""The map: where rooms, doors and walkers are drawn, in units of the survey's map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

#: Pixels of one unit.
UNIT = 15
_COLOURS = ("var(--green)", "var(--brass)", "var(--sea)", "var(--red)", "var(--soft)")

_CARD_ROOMS = (
    (10, 18, 84, 46),
    (120, 10, 70, 40),
    (216, 22, 90, 52),
    (30, 92, 70, 50),
    (136, 84, 96, 58),
    (258, 100, 48, 40),
)
CARD = (
    '<svg class="drawn-realm" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="ground" width="320" height="160"/>'
    '<path class="door" d="M94 40h26M190 32h26M66 64v28M184 50v34M260 74v40M232 118h26"/>'
    + "".join(f'<rect class="room" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>' for x, y, w, h in _CARD_ROOMS)
    + '<circle class="walker one" cx="48" cy="44" r="7"/><circle class="walker two" cx="182" cy="112" r="7"/>'
    '<circle class="walker three" cx="262" cy="50" r="7"/></svg>'
)


class Plan:
    """Rooms by path, with their places in pixels."""

    def __init__(self, map_: Mapping[str, Any]) -> None:
        self.rooms: Sequence[Mapping[str, Any]] = [room for room in map_.get("rooms", []) if "width" in room]
        self.doors: Sequence[Mapping[str, Any]] = map_.get("doors", [])
        self._by_path = {room["path"]: room for room in self.rooms}
        names = Counter(_last(room["path"]) for room in self.rooms)
        self._alike = {name for name, count in names.items() if count > 1}
        self.width = max((room["x"] + room["width"] for room in self.rooms), default=20) * UNIT + UNIT
        self.height = max((room["y"] + room["height"] for room in self.rooms), default=10) * UNIT + UNIT

    def room_of(self, path: str) -> Mapping[str, Any] | None:
        """The room of a folder, or of the nearest one above it that is drawn."""
        while path not in self._by_path and path:
            path = path.rpartition("/")[0]
        return self._by_path.get(path)

    def name(self, room: Mapping[str, Any]) -> str:
        """Its folder's last name; with the one before it where several have the same."""
        above, _, last = str(room["path"]).rpartition("/")
        return f"{_last(above)}/{last}" if above and last in self._alike else last or "/"

    def box(self, room: Mapping[str, Any]) -> str:
        left, top = room["x"] * UNIT, room["y"] * UNIT
        return f"left:{left}px;top:{top}px;width:{room['width'] * UNIT}px;height:{room['height'] * UNIT}px"

    def middle(self, room: Mapping[str, Any]) -> tuple[int, int]:
        return (
            round((room["x"] + room["width"] / 2) * UNIT),
            round((room["y"] + room["height"] / 2) * UNIT),
        )

    def standing(self, path: str, n: int) -> str:
        """Where the n-th walker of a room stands."""
        room = self.room_of(path)
        if room is None:
            return "transform:translate(4px,4px)"
        left = room["x"] * UNIT + 6 + (n % 4) * 22
        top = (room["y"] + room["height"]) * UNIT - 26 - (n // 4) * 22
        return f"transform:translate({left}px,{top}px)"

    def doors_drawn(self) -> str:
        """Doors as curves beneath the rooms: thin where folders nest, broader the more files are imported."""
        lines = "".join(self._door(door) for door in self.doors)
        return f'<svg class="doors" width="{self.width}" height="{self.height}" aria-hidden="true">{lines}</svg>'

    def _door(self, door: Mapping[str, Any]) -> str:
        a, b = self._by_path.get(door["from"]), self._by_path.get(door["to"])
        if a is None or b is None:
            return ""
        (x1, y1), (x2, y2) = self.middle(a), self.middle(b)
        kind = escape(str(door["kind"]))
        wide = 1.0 if kind == "nesting" else min(6.0, 1.0 + float(door["count"]) / 4)
        bend = (y1 + y2) // 2
        return f'<path class="{kind}" stroke-width="{wide:.1f}" d="M{x1} {y1}C{x1} {bend} {x2} {bend} {x2} {y2}"/>'


def colour_of(agent: str) -> str:
    return _COLOURS[sum(map(ord, agent)) % len(_COLOURS)]


def initials(name: str) -> str:
    words = [word for word in name.split() if word.lower() != "the"]
    return "".join(word[0] for word in words)[:2].upper() or "?"


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def standing_at(agents: Iterable[Mapping[str, Any]], board: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The agents; whoever went nowhere stands where it last pinned something up."""
    last = {one["agent_id"]: one["path"].rpartition("/")[0] for one in board if one["path"]}
    return [{**agent, "room": agent["room"] or last.get(agent["id"], "")} for agent in agents]


def pinned(plan: Plan, board: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many findings are pinned in each room."""
    found: dict[str, int] = {}
    for one in board:
        room = plan.room_of(one["path"].rpartition("/")[0]) if one["path"] else None
        if room is not None:
            found[room["path"]] = found.get(room["path"], 0) + 1
    return found


__all__ = ["CARD", "Plan", "colour_of", "initials", "pinned", "standing_at"]
