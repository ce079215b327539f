"""The story board of one player: trust, lifecycle, exposure, who knows what, claims and lies, letters, triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import parts
from greenroom.kit.console.stage import Scene
from greenroom.kit.console.wording import day_and_clock
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.console.curves import Plane, Points, curves, summed
from greenroom.worlds.phantom.rules import tables as t
from greenroom.worlds.phantom.rules.content import Content

Row = Mapping[str, Any]

_TONES = {"engaged": "good", "cooling": "busy", "silent": "bad", "gone": ""}


#: The tables that the board shows, and what their rows are in order of.
_SHOWN: Mapping[Table, str] = {
    t.TRUST_EVENTS: "created_at", t.EXPOSURE: "created_at", t.CLAIMS: "created_at", t.KNOWLEDGE: "learned_at",
    t.EXCHANGES: "created_at", t.TRANSITIONS: "created_at", t.TRIGGER_HISTORY: "fired_at", t.TRIGGERS: "trigger_id",
    t.SCHEDULED: "due_at",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sheets:
    """Everything that is shown of one player's story, as it was read at once."""

    version: int
    at: datetime
    board: Mapping[str, Any]
    rows: Mapping[str, Sequence[Row]]

    def of(self, table: Table) -> Sequence[Row]:
        return self.rows[table.name]


class BoardPage:
    """Drawn anew whenever the stream moves; what was unfolded stays so."""

    def __init__(self, scene: Scene, content: Content) -> None:
        self._scene = scene
        self._content = content
        self._drawn: int | None = None
        with parts.tag("details", "fold board-fold"):
            parts.tag("summary", "link", "Whoever directs it: the story board, which gives everything away")
            with parts.section("Story board", "what the player does not see"), parts.box("board"):
                self._place = parts.box("board-now")
                with parts.box("board-halves"):
                    self._folds = tuple(_Fold(title, draw) for title, draw in self._parts().items())

    def _parts(self) -> Mapping[str, Callable[[Sheets], str]]:
        """What can be unfolded: each draws itself and says what is in it."""
        return {
            "The cast": self._cast,
            "Milestones": self._milestones,
            "Letters to come": self._letters,
            "Triggers": self._triggers,
            "Claims and lies": self._claims,
            "Who knows what": self._knowledge,
            "Between the agents": self._exchanges,
            "The newest message, step by step": self._trace,
        }

    async def follow(self) -> None:
        """Draw, and draw again after every change, until the browser is gone."""
        await self.draw()
        watch = self._scene.live.watch(self._scene.stream, self.draw, rest=0.5)
        self._place.client.on_delete(lambda: self._scene.live.leave(watch))

    async def draw(self) -> None:
        sheets = await read(self._scene.house, self._scene.stream)
        if self._place.is_deleted or sheets.version == self._drawn:
            return
        self._drawn = sheets.version
        begun = bool(sheets.board.get("milestones"))
        self._place.clear()
        with self._place:
            if begun:
                self._where(sheets)
                self._curves(sheets)
            else:
                parts.empty("The story has not begun: the player has not pressed Start.")
        for fold in self._folds:
            fold.draw(sheets if begun else None)

    # parts of the board

    def _where(self, sheets: Sheets) -> None:
        board = sheets.board
        parts.facts(
            (
                ("Phase", f"{_plain(board['phase'])}, day {board['day']}"),
                ("Exposure", f"{board['exposure']} of 100"),
                ("Player", board["engagement"]),
                ("Key", f"used {board['accesses']} times, {board['accesses_left']} left"),
                ("Papers read", str(len(board["documents"]))),
                ("The Thursday", f"{day_and_clock(board['thursday_at'])}"),
                ("Now", day_and_clock(sheets.at)),
            ),
            "wide card",
        )

    def _milestones(self, sheets: Sheets) -> str:
        reached = sorted(sheets.board["milestones"].items(), key=lambda one: str(one[1]))
        with parts.box("others"):
            for name, at in reached:
                parts.chip(_plain(name), title=day_and_clock(at))
        return str(len(reached))

    def _curves(self, sheets: Sheets) -> None:
        trust: dict[str, list[tuple[datetime, int]]] = {name: [] for name in sheets.board["cast"]}
        for row in sheets.of(t.TRUST_EVENTS):
            trust.setdefault(row["agent_id"], []).append((_moment(row["created_at"]), row["delta"]))
        exposure = [(_moment(row["created_at"]), row["delta"]) for row in sheets.of(t.EXPOSURE)]
        begin = min((_moment(at) for at in sheets.board["milestones"].values()), default=sheets.at)
        with parts.box("board-halves"):
            for title, table, least, changes in (
                ("Trust", t.TRUST_EVENTS, -100, trust),
                ("Exposure", t.EXPOSURE, 0, {"exposure": exposure}),
            ):
                plane = Plane(begin=begin, end=sheets.at, least=least, most=100)
                lines = {name: summed(moved, least, 100) for name, moved in changes.items()}
                self._chart(title, plane, lines, sheets.of(table))

    def _chart(self, title: str, plane: Plane, lines: Mapping[str, Points], why: Sequence[Row]) -> None:
        said = ", ".join(f"{name} {points[-1][1] if points else 0}" for name, points in lines.items())
        with parts.box("card chart-card"):
            with parts.box("part-head"):
                parts.text(title, "card-title", kind="h3")
                for name, points in lines.items():
                    parts.tag("span", f"legend line-{name}", f"{name} {points[-1][1] if points else 0}")
            parts.picture(curves(plane, lines, label=f"{title} by day: {said}"), "curves-box")
            with parts.tag("details", "figures"):
                parts.tag("summary", "link small", "Every change and its reason")
                _list((_change(row) for row in reversed(why)), "Nothing has moved it yet.")

    def _cast(self, sheets: Sheets) -> str:
        cast = sheets.board["cast"]
        with parts.box("tiles"):
            for name, character in cast.items():
                self._character(name, character, sheets)
        return ", ".join(f"{name} {character['level']}" for name, character in cast.items())

    def _character(self, name: str, character: Mapping[str, Any], sheets: Sheets) -> None:
        with parts.tag("article", "tile person", aria_label=name):
            with parts.box("person-head"):
                parts.tag("span", f"tile-value line-{name}", self._content.agents[name].name)
                parts.chip(character["level"], _TONES[character["level"]])
            late = "" if character["multiplier"] == 1 else f", {character['multiplier']:g} times as late"
            answers = f"answers {character['probability']:.0%} of the time{late}"
            parts.facts(
                (
                    ("Trust", str(character["trust"])),
                    ("Voice", f"{character['tone']}; {answers}"),
                    *((("Because", character["reason"]),) if character["reason"] else ()),
                    ("Knows of", ", ".join((*character["learned"], *character["heard_of"])) or "nobody else"),
                    ("Writes on", ", ".join(_channels(sheets.board, name)) or "nothing"),
                    ("Holds", ", ".join(map(_plain, character["items"])) or "nothing to pass on"),
                )
            )
            for row in sheets.of(t.TRANSITIONS):
                if row["agent_id"] == name:
                    said = (
                        f"{row['from_state']} → {row['to_state']}, {day_and_clock(row['created_at'])}: {row['reason']}"
                    )
                    parts.text(said, "note")

    def _letters(self, sheets: Sheets) -> str:
        # From the state: on a branch the rows of the shared past say what was planned then.
        coming = sorted((*sheets.board["waiting"], *sheets.board["plans"]), key=lambda one: str(one["due_at"]))
        closed = [row for row in sheets.of(t.SCHEDULED) if row["status"] not in ("planned", "waiting", "written")]
        _list(map(_coming, coming), "Nobody means to write.")
        with parts.tag("details", "figures"):
            parts.tag("summary", "link small", f"{len(closed)} that went out, failed or were taken back")
            _list((_scheduled(row) for row in reversed(closed)), "None yet.")
        return str(len(coming))

    def _triggers(self, sheets: Sheets) -> str:
        fired = (
            (day_and_clock(row["fired_at"]), f"{_plain(row['trigger_id'])}: because {row['because']}", _said(row))
            for row in reversed(sheets.of(t.TRIGGER_HISTORY))
        )
        _list(fired, "None has fired yet.")
        waiting = [row for row in sheets.of(t.TRIGGERS) if not row["fired_count"]]
        with parts.tag("details", "figures"):
            parts.tag("summary", "link small", f"{len(waiting)} that wait")
            _list((("when " + row["condition"], row["note"], _said(row)) for row in waiting), "None.")
        return f"{len(sheets.of(t.TRIGGER_HISTORY))} fired"

    def _claims(self, sheets: Sheets) -> str:
        claims = sheets.of(t.CLAIMS)
        with parts.box("entries"):
            for row in reversed(claims):
                with parts.box("claim"):
                    parts.chip(*_verdict(row))
                    parts.text(row["claim"])
                    more = [row["significance"], day_and_clock(row["created_at"])]
                    parts.text(", ".join([*more, *(["taken back since"] if row["contradicted_by"] else [])]), "note")
        if not claims:
            parts.empty("Nobody has claimed anything yet.")
        return f"{len(claims)}, of which lies {sum(row['is_true'] is False for row in claims)}"

    def _knowledge(self, sheets: Sheets) -> str:
        by: dict[str, list[Row]] = {}
        for row in sheets.of(t.KNOWLEDGE):
            by.setdefault(row["told_to"], []).append(row)
        for agent, found in by.items():
            parts.text(agent, f"knower line-{agent}", kind="h4")
            _list(((day_and_clock(row["learned_at"]), row["fact"], row["category"]) for row in reversed(found)), "")
        if not by:
            parts.empty("Nobody has learned anything yet.")
        return str(len(sheets.of(t.KNOWLEDGE)))

    def _exchanges(self, sheets: Sheets) -> str:
        _list((_exchange(row) for row in reversed(sheets.of(t.EXCHANGES))), "They have not spoken to each other.")
        return str(len(sheets.of(t.EXCHANGES)))

    def _trace(self, sheets: Sheets) -> str:
        trace = sheets.board["trace"]
        if not trace["steps"]:
            parts.empty("The player has not written yet.")
        with parts.tag("ol", "trace"):
            for step, note in trace["steps"]:
                with parts.tag("li", ""):
                    parts.tag("b", "", _plain(step))
                    parts.tag("span", "", note)
        return str(trace["message"] or "none")


class _Fold:
    """A part of the board that is folded away until somebody looks."""

    def __init__(self, title: str, draw: Callable[[Sheets], str]) -> None:
        self._draw = draw
        with parts.tag("details", "card board-part"):
            with parts.tag("summary", ""):
                parts.text(title, "card-title", kind="h3")
                self._note = parts.tag("span", "note", "")
            self._place = parts.box("board-inner")

    def draw(self, sheets: Sheets | None) -> None:
        self._place.clear()
        with self._place:
            self._note.set_text(self._draw(sheets) if sheets is not None else "not yet")


# rows in words


def _list(entries: Iterable[tuple[str, str, str]], otherwise: str) -> None:
    found = list(entries)
    if not found and otherwise:
        parts.empty(otherwise)
    with parts.tag("ul", "entries"):
        for when, what, more in found:
            with parts.tag("li", ""):
                parts.text(what)
                parts.text(" · ".join(part for part in (when, more) if part), "note")


def _change(row: Row) -> tuple[str, str, str]:
    who = row.get("agent_id", "")
    return day_and_clock(row["created_at"]), f"{row['delta']:+d}: {row['reason']}", str(who)


def _coming(one: Row) -> tuple[str, str, str]:
    """A letter that waits to be sent, or the plan to write one."""
    how = f"written, waits to go out by {one['channel']}" if "channel" in one else "to be written then"
    return day_and_clock(one["due_at"]), f"{one['agent'] or 'the house'}: {_plain(one['situation'])}", how


def _scheduled(row: Row) -> tuple[str, str, str]:
    who = row["agent_id"] or "the house"
    status = row["status"] if not row["reason"] else f"{row['status']}: {row['reason']}"
    return (
        day_and_clock(row["due_at"]),
        f"{who}: {_plain(row['situation'])}",
        f"{row['channel'] or 'to be written'}, {status}",
    )


def _said(row: Row) -> str:
    return "; ".join(map(str, row["actions"]))


def _verdict(row: Row) -> tuple[str, str]:
    truth = row["is_true"]
    kind = row["claim_type"] if truth is None else "true" if truth else "a lie"
    return f"{row['agent_id']}: {kind}", "" if truth is None else "good" if truth else "bad"


def _exchange(row: Row) -> tuple[str, str, str]:
    shared = ", ".join(map(_plain, row["knowledge_shared"])) or "nothing"
    withheld = ", ".join(map(_plain, row["knowledge_withheld"]))
    what = f"{row['from_agent']} told {row['to_agent']}: {shared}"
    more = [row["alliance_level"] or "", f"withheld {withheld}" if withheld else ""]
    more.append("the player has noticed" if row["surfaced_to_player"] else "")
    return day_and_clock(row["created_at"]), what, ", ".join(part for part in more if part)


def _channels(board: Mapping[str, Any], agent: str) -> list[str]:
    return [name for name, channel in board["channels"].items() if channel["owner"] == agent]


def _plain(name: str) -> str:
    return str(name).replace("_", " ")


def _moment(given: datetime | str) -> datetime:
    return given if isinstance(given, datetime) else datetime.fromisoformat(given)


# what is read for it, at once: the operator's view and the rows of the tables


async def read(house: House, stream: str) -> Sheets:
    look = await house.view(stream, seat=OPERATOR)
    board: Any = look.body

    async def in_order(table: Table, by: str) -> list[Row]:
        return sorted(await rows(house, stream, table), key=lambda row: str(row[by]))

    found = {table.name: await in_order(table, by) for table, by in _SHOWN.items()}
    return Sheets(look.version, look.at, board, found)


async def rows(house: House, stream: str, table: Table) -> list[Row]:
    """The rows of a stream; on a branch with those of the past that it shares, unless it has written them anew."""
    found: dict[tuple[Any, ...], Row] = {}
    limit: int | None = None
    for row in await house.lineage(stream):
        for one in await house.rows(row.name, table):
            if limit is None or one["version"] <= limit:
                found.setdefault(tuple(one[name] for name in table.key), one)
        limit = row.forked_at if limit is None else min(limit, row.forked_at)
    return list(found.values())
