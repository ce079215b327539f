"""What stands in the files that people read: made from a realm and its words, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from greenroom.kernel.codec import filled
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.state import Finding, Realm, Task, Vault

#: The form of the two files that are ours alone.
FORMAT = 1


def knowledge(realm: Realm, vault: Vault) -> dict[str, Any]:
    """A knowledge file; words stand in it as they are, to be filled in."""
    return {
        "agent_id": vault.agent_id,
        "agent_name": vault.agent_name,
        "role": vault.role,
        "realm": vault.realm or realm.id,
        "expertise": dict(vault.expertise),
        "realm_knowledge": dict(vault.realm_knowledge),
        "insights": list(vault.insights),
        "task_history": [_task(task) for task in vault.tasks],
        "files_analyzed": list(vault.files),
        **_extra(vault.extra),
    }


def _task(task: Task) -> dict[str, Any]:
    return {"task": task.task, "outcome": task.outcome, "timestamp": task.timestamp, **_extra(task.extra)}


def finding(realm: Realm, one: Finding) -> dict[str, Any]:
    """A finding as it stands on the board."""
    return {
        "id": one.id,
        "agent_id": one.agent_id,
        "agent_name": one.agent_name,
        "realm": realm.id,
        "finding": one.words,
        "severity": one.severity,
        "timestamp": one.timestamp,
        **_extra(one.extra),
    }


def board(realm: Realm) -> list[dict[str, Any]]:
    return [finding(realm, one) for one in realm.board]


def world_state(realm: Realm, version: int) -> dict[str, Any]:
    """All of a realm that one may want to look at: where everybody is, what is to be done, how far a process is."""
    names = (
        "id", "path", "name", "root", "head", "digest", "linked_at", "visited_at", "visits", "files", "rules",
        "settings", "agents", "quests", "agenda", "acting", "is_held", "process", "edits", "where", "posted",
    )  # fmt: skip
    return {"format": FORMAT, "version": version, "map": realm.map, **{name: getattr(realm, name) for name in names}}


def registered(realm: Realm, stream: str) -> dict[str, Any]:
    """A line of the registry."""
    return {
        "id": realm.id,
        "stream": stream,
        "path": realm.path,
        "name": realm.name,
        "root_commit": realm.root,
        "head": realm.head,
        "linked_at": _iso(realm.linked_at),
        "last_explored": _iso(realm.visited_at),
        "stats": {
            "files": realm.files,
            "visits": realm.visits,
            "findings": realm.posted,
            "agents": len(realm.vaults),
            "quests_done": sum(quest.status == "done" for quest in realm.quests),
            "quests_open": sum(quest.status != "done" for quest in realm.quests),
        },
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _extra(text: str) -> dict[str, Any]:
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


# transcripts


def transcript(event: e.Event, at: datetime) -> tuple[str, dict[str, Any]] | None:
    """Whose transcript an event stands in, and its line there."""
    moment = {"timestamp": _iso(at)}
    match event:
        case e.Spoke(agent=agent, words=words):
            return agent, {**moment, "type": "assistant", "content": [{"type": "text", "text": words}]}
        case e.ToolUsed(agent=agent, tool=tool, input=words):
            return agent, {**moment, "type": "tool_use", "name": _NAMES.get(tool, tool), "input": words}
        case e.ToolAnswered(agent=agent, words=words, failed=failed):
            content = {"type": "text", "text": words}
            return agent, {
                **moment,
                "type": "tool_result",
                "content": [content],
                **({"is_error": True} if failed else {}),
            }
        case _:
            return None


_NAMES = {
    "read": "Read", "search": "Search", "list": "List", "survey": "Survey", "summon_agent": "SummonAgent",
    "request_help": "RequestHelp", "post_findings": "PostFindings", "update_knowledge": "UpdateKnowledge",
    "claim_quest": "ClaimQuest", "release_quest": "ReleaseQuest", "complete_quest": "CompleteQuest",
    "complete_stage": "CompleteStage", "propose_edit": "ProposeEdit",
}  # fmt: skip


def line_bytes(line: Mapping[str, Any], texts: Mapping[str, str]) -> bytes:
    """One line of a transcript; what a tool was given stands there as data again."""
    plain = filled(line, lambda id: texts.get(id, "[removed]"))
    if plain["type"] == "tool_use":
        try:
            plain["input"] = json.loads(plain["input"])
        except ValueError:
            plain["input"] = {"text": plain["input"]}
    return json.dumps(plain, ensure_ascii=False).encode() + b"\n"


# words


def ids_in(values: Iterable[Any]) -> list[str]:
    """Ids of all words in some values."""
    found: dict[str, None] = {}

    def keep(id: str) -> str:
        found[id] = None
        return ""

    for value in values:
        filled(value, keep)
    return list(found)


def with_words(value: Any, texts: Mapping[str, str]) -> Any:
    return filled(value, lambda id: texts.get(id, "[removed]"))


__all__ = [
    "board", "finding", "ids_in", "knowledge", "line_bytes", "registered", "transcript", "with_words", "world_state",
]  # fmt: skip
