"""What an agent is asked: who it is, where it stands, what it may see. Texts of the repository come last, as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from greenroom.kernel.asks import AskModel, Section
from greenroom.kernel.words import REMOVED
from greenroom.worlds.realms.rules.actions import ACTIONS, AREAS, ENDS, SEVERITIES
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.processes import hidden, stage_of
from greenroom.worlds.realms.rules.state import (
    CALLS,
    IN_PROMPT,
    INSIGHTS_IN_PROMPT,
    Agent,
    Errand,
    Finding,
    Process,
    Realm,
    Vault,
)

#: The role that settings give a model to; every agent is played by it.
ROLE = "realms_agent"
#: Notes of this turn that are shown whole; older ones are named only.
NOTES = 3

_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "thought": {"type": "string", "maxLength": 2000},
        "action": {"type": "string", "enum": [*ACTIONS, *ENDS]},
        "path": _TEXT,
        "pattern": _TEXT,
        "area": _TEXT,
        "finding": _TEXT,
        "severity": {"type": "string", "enum": list(SEVERITIES)},
        "line": {"type": "integer"},
        "findings": {"type": "array", "maxItems": 20, "items": {"type": "object"}},
        "insight": _TEXT,
        "amount": {"type": "integer"},
        "role": _TEXT,
        "to": _TEXT,
        "question": _TEXT,
        "quest_id": _TEXT,
        "outcome": _TEXT,
        "summary": _TEXT,
        "artifacts": {"type": "object"},
        "before": _TEXT,
        "after": _TEXT,
    },
    "required": ["action"],
}

_HOW = (
    "read {path}; list {path}; search {pattern}; survey {area: " + "|".join(AREAS) + "}; post_findings {findings: "
    "[{finding, severity, path, line}]}; update_knowledge {insight, area, amount}; summon_agent {role}; request_help "
    "{to, question}; claim_quest, release_quest {quest_id}; complete_quest {quest_id, outcome}; complete_stage "
    "{summary, artifacts}; propose_edit {path, before, after}; done"
)


def visible(content: Content, state: Realm, seat: str) -> tuple[Finding, ...]:
    """The newest findings that no wall hides from an agent."""
    seen = [finding for finding in state.board if not hidden(content, state, finding, seat)]
    return tuple(seen[-IN_PROMPT:])


def wanted(content: Content, state: Realm, agent: Agent) -> tuple[str, ...]:
    """Ids of the words that its prompt needs."""
    acting, process = state.acting, state.process
    found = [finding.words for finding in visible(content, state, agent.id)]
    found += _vault(state, agent).insights[-INSIGHTS_IN_PROMPT:]
    if acting is not None:
        found += [note.words for note in acting.notes[-NOTES:]]
        if acting.errand.task is not None:
            found.append(acting.errand.task)
        if acting.errand.reason == "stage" and process is not None:
            found += [process.problem, *process.injected, *([] if process.goal is None else [process.goal])]
    return tuple(words.id for words in found)


def _vault(state: Realm, agent: Agent) -> Vault:
    return state.vaults.get(agent.id) or Vault(agent_id=agent.id, agent_name=agent.name, role=agent.role)


def ask(content: Content, state: Realm, agent: Agent, texts: Mapping[str, str]) -> AskModel:
    """Ask an agent for its next action; the stable sections come first, so that a provider can cache them."""
    assert state.acting is not None
    acting, role = state.acting, content.roles.get(agent.role)
    who = f"You are {agent.name}. {role.persona if role is not None else 'You do what your role says.'}"
    notes = tuple(
        f"[{note.tool}] " + texts.get(note.words.id, REMOVED)[: 64_000 if i == 0 else 4_000]
        for i, note in enumerate(acting.notes[: -NOTES - 1 : -1])
    )[::-1]
    return AskModel(
        role=ROLE,
        seat=agent.id,
        schema=SCHEMA,
        max_tokens=1_500,
        budget=32_000,
        sections=(
            Section(name="rules", texts=(content.house_rules, f"Actions: {_HOW}"), floor=500, stable=True),
            Section(name="agent", texts=(who,), floor=150, stable=True),
            Section(
                name="situation", texts=(json.dumps(_situation(content, state, agent), sort_keys=True),), floor=800
            ),
            Section(name="task", texts=_task(content, state, acting.errand, texts), floor=600),
            Section(name="knowledge", texts=_knowledge(state, agent, texts), cap=1_500),
            Section(name="board", texts=_board(content, state, agent, texts), cap=4_000),
            Section(name="notes", texts=notes, cap=18_000),
        ),
    )


def _situation(content: Content, state: Realm, agent: Agent) -> dict[str, Any]:
    acting, process = state.acting, state.process
    assert acting is not None
    role = content.roles.get(agent.role)
    found: dict[str, Any] = {
        "realm": state.name,
        "agent": agent.id,
        "role": agent.role,
        "area": None if role is None else role.area,
        "reason": acting.errand.reason,
        "asked_by": acting.errand.by,
        "calls": list(acting.calls),
        "calls_left": CALLS - len(acting.calls),
        "agents": [one.id for one in state.agents],
        "room_for_more": state.settings.max_agents - len(state.agents),
        "permission": state.settings.permission,
        "rules": dict(state.rules),
        "gravest": {area: list(paths) for area, paths in state.gravest.items()},
        "quests": [
            {"id": quest.id, "title": quest.title, "status": quest.status, "files": list(quest.files)}
            for quest in state.quests
            if quest.status != "done" and quest.agent in ("", agent.id)
        ][:8],
    }
    if acting.errand.quest:
        found["quest"] = acting.errand.quest
    if acting.errand.reason == "stage" and process is not None:
        found |= _stage(content, process, agent)
    return found


def _stage(content: Content, process: Process, agent: Agent) -> dict[str, Any]:
    stage = stage_of(content, process)
    if stage is None:
        return {}
    return {
        "process": process.template,
        "stage": stage.name,
        "turn": process.counts.get(agent.id, 0) + 1,
        "turns": stage.count,
        "artifact": stage.artifact,
        "ends_by_signal": stage.count is None,
    }


def _task(content: Content, state: Realm, errand: Errand, texts: Mapping[str, str]) -> tuple[str, ...]:
    process = state.process
    if errand.reason == "stage" and process is not None:
        stage = stage_of(content, process)
        goal = stage.goal if stage is not None else ""
        if process.goal is not None:
            goal = texts.get(process.goal.id, goal)
        said = [f"A person says: {texts.get(words.id, REMOVED)}" for words in process.injected]
        return (f"Question: {texts.get(process.problem.id, REMOVED)}", f"Goal of this stage: {goal}", *said)
    if errand.task is not None:
        return (texts.get(errand.task.id, REMOVED),)
    quest = state.quest(errand.quest) if errand.quest else None
    return (f"Quest: {quest.title}",) if quest is not None else ("Explore what is your business, and report.",)


def _knowledge(state: Realm, agent: Agent, texts: Mapping[str, str]) -> tuple[str, ...]:
    vault = _vault(state, agent)
    known = ", ".join(f"{area} {level}" for area, level in sorted(vault.expertise.items()))
    head = f"Expertise: {known or 'none yet'}. Files read: {len(vault.files)}. Tasks done: {len(vault.tasks)}."
    return (head, *(texts.get(words.id, REMOVED) for words in vault.insights[-INSIGHTS_IN_PROMPT:]))


def _board(content: Content, state: Realm, agent: Agent, texts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"{finding.agent_name} ({finding.severity}): {texts.get(finding.words.id, REMOVED)}"
        for finding in visible(content, state, agent.id)
    )


__all__ = ["ROLE", "SCHEMA", "ask", "visible", "wanted"]
