"""What is known from elsewhere: files that earlier visitors left, or another realm of the same repository.

What is not ours is kept as it is, and written back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import BOARD, FILES, INSIGHTS, TASKS, Finding, Task, Vault

KNOWLEDGE = (
    "agent_id", "agent_name", "role", "realm", "expertise", "realm_knowledge", "insights", "task_history",
    "files_analyzed",
)  # fmt: skip
FINDING = ("id", "agent_id", "agent_name", "realm", "finding", "severity", "timestamp")
TASK = ("task", "outcome", "timestamp")


class Damaged(Exception):
    """Something that is not what it should be, in one sentence."""


def is_plain(name: str) -> bool:
    """Whether a name can be written in one line of text."""
    return name.isprintable() and not any("\ud800" <= letter <= "\udfff" for letter in name)


# reading


def knowledge_from(data: Any) -> dict[str, Any]:
    """What one agent knows, checked; what is not ours is kept as it is.

    Raises:
        Damaged: a field is missing or of another kind.
    """
    one = _object(data, "a knowledge file")
    found: dict[str, Any] = {name: _text(one, name) for name in ("agent_id", "agent_name", "role", "realm")}
    if not found["agent_id"].replace("_", "").replace("-", "").isalnum() or len(found["agent_id"]) > 80:
        raise Damaged("agent_id is not the name of an agent")
    for name in ("expertise", "realm_knowledge"):
        found[name] = {key: _level(name, value) for key, value in _object(one.get(name, {}), name).items()}
    for name in ("insights", "files_analyzed"):
        found[name] = [_line(name, value) for value in _list(one, name)]
    found["task_history"] = [_task_from(task) for task in _list(one, "task_history")]
    return {**found, "extra": _extra(one, KNOWLEDGE)}


def _task_from(data: Any) -> dict[str, Any]:
    one = _object(data, "task_history")
    return {**{name: _text(one, name) for name in TASK}, "extra": _extra(one, TASK)}


def board_from(data: Any) -> list[dict[str, Any]]:
    """A board, checked.

    Raises:
        Damaged: it is not a list of findings.
    """
    if not isinstance(data, list):
        raise Damaged("a board is a list")
    return [_finding_from(one) for one in data]


def _finding_from(data: Any) -> dict[str, Any]:
    one = _object(data, "a finding")
    if one.get("severity") not in ("low", "medium", "high"):
        raise Damaged("the severity of a finding is low, medium or high")
    return {**{name: _text(one, name) for name in FINDING}, "extra": _extra(one, FINDING[:3] + FINDING[4:])}


def _extra(one: Mapping[str, Any], ours: tuple[str, ...]) -> str:
    rest = {name: value for name, value in one.items() if name not in ours}
    return json.dumps(rest, ensure_ascii=False, sort_keys=True) if rest else ""


def _object(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise Damaged(f"{what} is an object")
    return data


def _list(one: Mapping[str, Any], name: str) -> Iterator[Any]:
    value = one.get(name, [])
    if not isinstance(value, list):
        raise Damaged(f"{name} is a list")
    return iter(value)


def _text(one: Mapping[str, Any], name: str) -> str:
    return _line(name, one.get(name))


def _line(name: str, value: Any) -> str:
    if not isinstance(value, str) or not is_plain(value.replace("\n", "").replace("\t", "")):
        raise Damaged(f"{name} is a text")
    return value


def _level(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise Damaged(f"{name} is a number from 0 to 100 for each area")
    return int(value)


# taking in


def take_in(pen: Pen, left: Mapping[str, Any]) -> None:
    """Know what was left here: vaults and the board, both checked before."""
    for one in left.get("vaults", ()):
        pen.tell(e.VaultImported(vault=_vault(pen, one)))
    for one in left.get("board", ())[-BOARD:]:
        pen.tell(e.FindingPosted(finding=_finding(pen, one)))


def take_over(pen: Pen, origin: str, text: str) -> None:
    """Know what another realm knows: what is known here comes after it, and nothing is pinned up twice.

    Raises:
        Refused: it was taken over already, or what came is not what a realm knows.
    """
    if origin in pen.state.inherited:
        raise Refused("the memory of that realm was taken over already")
    try:
        left = _object(json.loads(text), "memory")
        vaults = [knowledge_from(one) for one in _list(left, "vaults")]
        board = board_from(left.get("board", []))
        places = {id: _place(place) for id, place in _object(left.get("places", {}), "places").items()}
    except (ValueError, RecursionError):
        raise Refused("what a realm knows is an object with vaults and a board, as JSON") from None
    except Damaged as damage:
        raise Refused(f"what that realm knows cannot be taken over: {damage}") from None
    pen.tell(e.MemoryTaken(origin=origin))
    for one in vaults:
        pen.tell(e.VaultImported(vault=_joined(_vault(pen, one), pen.state.vaults.get(one["agent_id"]))))
    here = {finding.id for finding in pen.state.board}
    for one in board[-BOARD:]:
        if one["id"] not in here:
            path, line = places.get(one["id"], ("", 0))
            pen.tell(e.FindingPosted(finding=replace(_finding(pen, one), path=path, line=line)))


def _place(data: Any) -> tuple[str, int]:
    """Where a finding is pinned; the files of a board do not say it."""
    match data:
        case [str() as path, int() as line] if is_plain(path):
            return path, line
        case _:
            raise Damaged("a place is the path of a file and a line")


def _joined(old: Vault, own: Vault | None) -> Vault:
    """What an agent knew elsewhere, and then what it knows here."""
    if own is None:
        return replace(old, realm="")
    levels = {
        name: {area: max(a.get(area, 0), b.get(area, 0)) for area in (*a, *b)}
        for name, a, b in (
            ("expertise", old.expertise, own.expertise),
            ("realm_knowledge", old.realm_knowledge, own.realm_knowledge),
        )
    }
    return replace(
        own,
        expertise=levels["expertise"],
        realm_knowledge=levels["realm_knowledge"],
        insights=(*old.insights, *own.insights)[-INSIGHTS:],
        tasks=(*old.tasks, *own.tasks)[-TASKS:],
        files=tuple(dict.fromkeys((*old.files, *own.files)))[-FILES:],
        extra=own.extra or old.extra,
    )


def _finding(pen: Pen, one: Mapping[str, Any]) -> Finding:
    return Finding(
        id=one["id"],
        ordinal=pen.state.posted,
        agent_id=one["agent_id"],
        agent_name=one["agent_name"],
        words=pen.write(one["finding"], agent=one["agent_id"] or "realm", kind="finding"),
        severity=one["severity"],
        timestamp=one["timestamp"],
        extra=one["extra"],
    )


def _vault(pen: Pen, one: Mapping[str, Any]) -> Vault:
    agent = one["agent_id"]

    def words(text: str, kind: str) -> Words:
        return pen.write(text, agent=agent, kind=kind)

    tasks = tuple(
        Task(
            task=task["task"],
            outcome=words(task["outcome"], "outcome"),
            timestamp=task["timestamp"],
            extra=task["extra"],
        )
        for task in one["task_history"][-TASKS:]
    )
    return Vault(
        agent_id=agent,
        agent_name=one["agent_name"],
        role=one["role"],
        expertise=one["expertise"],
        realm_knowledge=one["realm_knowledge"],
        insights=tuple(words(text, "insight") for text in one["insights"][-INSIGHTS:]),
        tasks=tasks,
        files=tuple(one["files_analyzed"][-FILES:]),
        realm=one["realm"],
        extra=one["extra"],
    )


__all__ = ["Damaged", "board_from", "is_plain", "knowledge_from", "take_in", "take_over"]
