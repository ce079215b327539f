"""Who sees what: an agent sees its own vault and the board up to the wall; the player sees the realm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.processes import hidden, stage_of
from greenroom.worlds.realms.rules.state import PLAYER, Agent, Finding, Note, Process, Realm, Vault

ABOVE = (PLAYER, OPERATOR)


def seats(state: Realm) -> Sequence[Seat]:
    return (PLAYER, *(agent.id for agent in state.agents))


def view(content: Content, state: Realm, seat: Seat, now: datetime) -> Mapping[str, Any]:
    """What one seat sees; whoever has none sees that there is a realm, and nothing of it."""
    if seat in ABOVE:
        return _of_player(content, state)
    agent = state.agent(seat)
    if agent is None:
        return {"realm": state.id, "at": now}
    return _of_agent(content, state, agent)


def _of_player(content: Content, state: Realm) -> Mapping[str, Any]:
    names = (
        "id", "path", "name", "root", "head", "digest", "linked_at", "visited_at", "visits", "is_removed", "files",
        "rules", "map", "news", "settings", "spent", "agents", "quests", "edits", "requests", "is_held", "posted",
        "where",
    )  # fmt: skip
    seen: dict[str, Any] = {name: getattr(state, name) for name in names}
    seen["board"] = [finding_seen(finding) for finding in state.board[-60:]]
    seen["vaults"] = {id: vault_seen(vault) for id, vault in state.vaults.items()}
    seen["process"] = None if state.process is None else process_seen(content, state.process)
    seen["agenda"] = [{"agent": one.agent, "reason": one.reason} for one in state.agenda]
    seen["acting"] = None if state.acting is None else state.acting.errand.agent
    return seen


def _of_agent(content: Content, state: Realm, agent: Agent) -> Mapping[str, Any]:
    acting = state.acting
    mine = acting is not None and acting.errand.agent == agent.id
    its_turn = state.seat(agent.id) == "asked" if agent.outside else mine
    board = [finding for finding in state.board if not hidden(content, state, finding, agent.id)]
    vault = state.vaults.get(agent.id)
    return {
        "realm": state.id,
        "name": state.name,
        "agent": agent,
        "board": [finding_seen(finding) for finding in board[-15:]],
        "vault": None if vault is None else vault_seen(vault),
        "quests": state.quests,
        "its_turn": its_turn,
        "requests": [one for one in state.requests if one.agent == agent.id],
        "task": acting.errand.task if acting is not None and its_turn else None,
        "notes": [_note(note) for note in acting.notes[-3:]] if acting is not None and its_turn else [],
    }


def _note(note: Note) -> Mapping[str, Any]:
    return {"tool": note.tool, "words": note.words}


def finding_seen(finding: Finding) -> Mapping[str, Any]:
    return {
        "id": finding.id,
        "agent_id": finding.agent_id,
        "agent_name": finding.agent_name,
        "finding": finding.words,
        "severity": finding.severity,
        "timestamp": finding.timestamp,
        "path": finding.path,
        "line": finding.line,
    }


def vault_seen(vault: Vault) -> Mapping[str, Any]:
    """A vault as it is shown: the newest of everything."""
    return {
        "agent_id": vault.agent_id,
        "agent_name": vault.agent_name,
        "role": vault.role,
        "expertise": vault.expertise,
        "realm_knowledge": vault.realm_knowledge,
        "insights": vault.insights[-10:],
        "task_history": [{"task": t.task, "outcome": t.outcome, "timestamp": t.timestamp} for t in vault.tasks[-10:]],
        "files_analyzed": vault.files[-20:],
    }


def process_seen(content: Content, process: Process) -> Mapping[str, Any]:
    stage = stage_of(content, process)
    template = content.templates.get(process.template)
    stages = () if template is None else template.stages
    return {
        "template": process.template,
        "title": process.template if template is None else template.title,
        "problem": process.problem,
        "status": process.status,
        "autonomy": process.autonomy,
        "stage": process.stage,
        "stages": [one.name for one in stages],
        "goal": process.goal or (stage.goal if stage is not None else ""),
        "counts": process.counts,
        "turns_each": None if stage is None else stage.count,
        "artifacts": [{"stage": a.stage, "name": a.name, "words": a.words} for a in process.artifacts],
        "injected": process.injected,
    }


# events


#: What nobody but the player is shown: what the map holds, and what people and other agents are told.
_PRIVATE = (
    e.Surveyed | e.VaultImported | e.ChangeNoticed | e.Injected | e.Redirected | e.Linked | e.SettingsChanged | e.Walked
    | e.EditProposed | e.StageEnded | e.StageSignalled | e.ProcessStarted | e.MemoryTaken | e.MoneySpent
)  # fmt: skip


def shows(content: Content, state: Realm, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    """What one seat sees of an event."""
    event = told.event
    if seat not in ABOVE and not _concerns(content, state, event, seat):
        return None
    match event:
        case e.FindingPosted(finding=finding):
            return finding_seen(finding)
        case e.VaultImported(vault=vault):
            return {"agent": vault.agent_id}
        case e.Surveyed():
            return {"files": event.files, "rules": event.rules, "digest": event.digest, "quests": len(event.quests)}
        case e.ErrandGiven(errand=errand):
            return {"agent": errand.agent, "reason": errand.reason, "task": errand.task, "by": errand.by}
        case e.TurnBegan(errand=errand, outside=outside):
            agent = state.agent(errand.agent)
            due = told.at + timedelta(seconds=agent.seconds) if outside and agent is not None else None
            return {"agent": errand.agent, "reason": errand.reason, "task": errand.task, "until": due}
        case _:
            return _plain(event)


def _plain(event: e.Event) -> Mapping[str, Any]:
    if isinstance(event, e.EditProposed):
        edit = event.edit
        return {"edit": edit.id, "agent": edit.agent, "path": edit.path, "diff": edit.diff}
    if isinstance(event, e.PermissionAsked):
        request = event.request
        return {"request": request.id, "agent": request.agent, "title": request.title, "kind": request.kind}
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def _concerns(content: Content, state: Realm, event: e.Event, seat: Seat) -> bool:
    """Whether an agent's seat is shown an event: what it does itself, and what stands on its side of the wall."""
    if state.agent(seat) is None or isinstance(event, _PRIVATE):
        return False
    match event:
        case e.FindingPosted(finding=finding):
            return not hidden(content, state, finding, seat)
        case e.ErrandGiven(errand=errand) | e.TurnBegan(errand=errand):
            return errand.agent == seat
        case e.Spoke(agent=agent) | e.ToolUsed(agent=agent) | e.ToolAnswered(agent=agent):
            return agent == seat
        case e.InsightLearned(agent=agent) | e.FileRead(agent=agent):
            return agent == seat
        case e.HelpAsked(agent=agent, to=to):
            return seat in (agent, to)
        case e.PermissionAsked(request=request):
            return request.agent == seat
        case _:
            return True


def reply(content: Content, state: Realm, events: Sequence[EventContext[e.Event]], seat: Seat) -> Mapping[str, Any]:
    """What whoever gave a command is told: what each event of its turn shows them."""
    kinds = {kind: name for name, kind in e.EVENTS.items()}
    shown = [(kinds[type(told.event)], shows(content, state, told, seat)) for told in events]
    return {"realm": state.id, "events": [{"kind": kind, **body} for kind, body in shown if body is not None]}


__all__ = ["reply", "seats", "shows", "view"]
