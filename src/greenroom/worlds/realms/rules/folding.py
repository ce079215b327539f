"""What each event changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, assert_never

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.state import (
    BOARD,
    EDITS,
    FILES,
    INSIGHTS,
    REQUESTS,
    TASKS,
    Acting,
    Agent,
    Note,
    Process,
    Quest,
    Realm,
    Task,
    Vault,
)


def evolve(state: Realm, told: EventContext[e.Event]) -> Realm:
    """The realm after an event."""
    event, now = told.event, replace(state, at=told.at)
    if isinstance(event, e.OfRealm):
        return _realm(now, event, told.at)
    if isinstance(event, e.OfAgents):
        return _agents(now, event, told.at)
    if isinstance(event, e.OfWork):
        return _work(now, event, told.at)
    return _process(now, event)


# the place


def _realm(state: Realm, event: e.OfRealm, at: datetime) -> Realm:
    match event:
        case e.Linked():
            return replace(state, id=event.id, path=event.path, name=event.name, settings=event.settings, linked_at=at)
        case e.Surveyed():
            return _surveyed(state, event, at)
        case e.VaultImported(vault=vault):
            return replace(state, vaults={**state.vaults, vault.agent_id: vault})
        case e.MemoryTaken(origin=origin):
            return replace(state, inherited=(*state.inherited, origin))
        case e.RealmRemoved():
            return replace(state, is_removed=True, agenda=(), acting=None)
        case _:
            return _player(state, event)


def _player(state: Realm, event: e.ChangeNoticed | e.SettingsChanged | e.MoneySpent | e.Walked) -> Realm:
    match event:
        case e.ChangeNoticed():
            return state
        case e.SettingsChanged(settings=settings):
            return replace(state, settings=settings)
        case e.MoneySpent(cost=cost):
            return replace(state, spent=state.spent + cost)
        case e.Walked(where=where):
            return replace(state, where=where)
        case _:
            assert_never(event)


def _surveyed(state: Realm, event: e.Surveyed, at: datetime) -> Realm:
    known = {quest.id: quest for quest in state.quests}
    quests = tuple(_kept(known.get(quest.id), quest) for quest in event.quests)
    still = {quest.id for quest in quests}
    gone = tuple(quest for quest in state.quests if quest.id not in still and quest.status != "open")
    return replace(
        state,
        digest=event.digest,
        root=event.root,
        head=event.head,
        files=event.files,
        rules=event.rules,
        gravest=event.gravest,
        map=event.map,
        survey=event.survey,
        news=event.news,
        quests=(*quests, *gone)[:120],
        visits=state.visits + 1,
        visited_at=at,
        is_removed=False,
    )


def _kept(old: Quest | None, new: Quest) -> Quest:
    """A quest that was known keeps how far it has come."""
    return new if old is None else replace(new, status=old.status, agent=old.agent, outcome=old.outcome)


# agents


def _agents(state: Realm, event: e.OfAgents, at: datetime) -> Realm:
    match event:
        case e.AgentJoined() | e.AgentLeft():
            return _came_or_went(state, event)
        case e.Held() | e.Approved():
            return replace(state, is_held=isinstance(event, e.Held))
        case e.ErrandGiven(errand=errand):
            return replace(state, agenda=(*state.agenda, errand))
        case e.TurnEnded():
            return _turn_ended(state, event)
        case _:
            return _turn(state, event, at)


def _turn(state: Realm, event: e.TurnBegan | e.Spoke | e.ToolUsed | e.ToolAnswered, at: datetime) -> Realm:
    match event:
        case e.TurnBegan(errand=errand, outside=outside):
            agenda = state.agenda
            if errand in agenda:
                agenda = (*agenda[: agenda.index(errand)], *agenda[agenda.index(errand) + 1 :])
            return replace(state, agenda=agenda, acting=Acting(errand=errand, asked_at=at if outside else None))
        case e.ToolUsed() | e.ToolAnswered():
            return replace(state, acting=_called(state, event))
        case e.Spoke():
            return state
        case _:
            assert_never(event)


def _came_or_went(state: Realm, event: e.AgentJoined | e.AgentLeft) -> Realm:
    others = tuple(agent for agent in state.agents if agent.id != event.agent)
    if isinstance(event, e.AgentLeft):
        agenda = tuple(errand for errand in state.agenda if errand.agent != event.agent)
        return replace(state, agents=others, agenda=agenda)
    here = state.agent(event.agent)
    joined = Agent(
        id=event.agent,
        name=event.name,
        role=event.role,
        room="" if here is None else here.room,
        outside=event.outside,
        seconds=event.seconds,
    )
    known = state.vaults.get(event.agent)
    vault = known or Vault(agent_id=event.agent, agent_name=event.name, role=event.role)
    return replace(state, agents=(*others, joined), vaults={**state.vaults, event.agent: vault})


def _called(state: Realm, event: e.ToolUsed | e.ToolAnswered) -> Acting | None:
    acting = state.acting
    if acting is None:
        return None
    if isinstance(event, e.ToolUsed):
        return replace(acting, calls=(*acting.calls, event.tool), input=event.input)
    note = Note(tool=event.tool, input=acting.input or event.words, words=event.words)
    asked_at = None if acting.asked_at is None else state.at  # whoever is outside is asked anew
    return replace(acting, notes=(*acting.notes, note), input=None, asked_at=asked_at)


def _turn_ended(state: Realm, event: e.TurnEnded) -> Realm:
    acting, process = state.acting, state.process
    if acting is not None and acting.errand.reason == "stage" and process is not None and event.agent in process.counts:
        counts = {**process.counts, event.agent: process.counts[event.agent] + 1}
        turns = {**process.turns, event.agent: process.turns.get(event.agent, 0) + 1}
        process = replace(process, counts=counts, turns=turns)
    requests = tuple(
        replace(one, status="gone") if one.agent == event.agent and one.status == "asked" else one
        for one in state.requests
    )
    return replace(state, acting=None, process=process, requests=requests)


# work


def _work(state: Realm, event: e.OfWork, at: datetime) -> Realm:
    match event:
        case e.FileRead():
            return _file_read(state, event)
        case e.FindingPosted(finding=finding):
            return replace(state, board=(*state.board, finding)[-BOARD:], posted=finding.ordinal + 1)
        case e.InsightLearned():
            return _learned(state, event)
        case e.QuestMoved():
            return _quest_moved(state, event, at)
        case e.HelpAsked():
            return state
        case _:
            return _consent(state, event)


def _consent(state: Realm, event: e.OfConsent) -> Realm:
    match event:
        case e.EditProposed(edit=edit):
            return replace(state, edits=(*state.edits, edit)[-EDITS:])
        case e.EditSettled(edit=id, status=status):
            edits = tuple(replace(edit, status=status) if edit.id == id else edit for edit in state.edits)
            return replace(state, edits=edits)
        case e.PermissionAsked(request=request):
            return replace(state, requests=(*state.requests, request)[-REQUESTS:])
        case e.PermissionSettled(request=id, status=status):
            acting = None if state.acting is None else replace(state.acting, asked_at=state.at)
            requests = tuple(replace(one, status=status) if one.id == id else one for one in state.requests)
            return replace(state, requests=requests, acting=acting)
        case _:
            assert_never(event)


def _file_read(state: Realm, event: e.FileRead) -> Realm:
    room = event.path.rpartition("/")[0]
    agents = tuple(replace(agent, room=room) if agent.id == event.agent else agent for agent in state.agents)
    vault = state.vaults.get(event.agent)
    if vault is None or event.path in vault.files:
        return replace(state, agents=agents)
    known = {**vault.realm_knowledge, event.area: min(100, vault.realm_knowledge.get(event.area, 0) + 5)}
    vault = replace(vault, files=(*vault.files, event.path)[-FILES:], realm_knowledge=known)
    return replace(state, agents=agents, vaults={**state.vaults, event.agent: vault})


def _learned(state: Realm, event: e.InsightLearned) -> Realm:
    vault = state.vaults.get(event.agent)
    if vault is None:
        return state
    expertise = {**vault.expertise, event.area: event.expertise} if event.area else vault.expertise
    insights = vault.insights if event.words is None else (*vault.insights, event.words)[-INSIGHTS:]
    return _with_vault(state, event.agent, expertise=expertise, insights=insights)


def _with_vault(state: Realm, agent: str, **changes: Any) -> Realm:
    vaults: Mapping[str, Vault] = {**state.vaults, agent: replace(state.vaults[agent], **changes)}
    return replace(state, vaults=vaults)


def _quest_moved(state: Realm, event: e.QuestMoved, at: datetime) -> Realm:
    quests = tuple(
        replace(quest, status=event.status, agent=event.agent, outcome=event.outcome)
        if quest.id == event.quest
        else quest
        for quest in state.quests
    )
    state = replace(state, quests=quests)
    quest, vault = state.quest(event.quest), state.vaults.get(event.agent)
    if event.status != "done" or quest is None or vault is None or event.outcome is None:
        return state
    task = Task(task=quest.title, outcome=event.outcome, timestamp=_iso(at))
    return _with_vault(state, event.agent, tasks=(*vault.tasks, task)[-TASKS:])


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# processes


def _process(state: Realm, event: e.OfProcess) -> Realm:
    if isinstance(event, e.ProcessStarted):
        begun = Process(template=event.template, problem=event.problem, autonomy=event.autonomy, since=state.posted)
        return replace(state, process=begun, is_held=False)
    process = state.process
    if process is None:
        return state
    if isinstance(event, e.Injected | e.Redirected | e.Restarted):
        return replace(state, process=_steered(process, event, state.posted))
    return replace(state, process=_staged(process, event))


def _staged(
    process: Process, event: e.StageBegan | e.StageSignalled | e.StageReady | e.StageEnded | e.ProcessCompleted
) -> Process:
    match event:
        case e.StageBegan(stage=stage, agents=agents):
            counts = dict.fromkeys(agents, 0)
            fresh = replace(process, stage=stage, counts=counts, injected=(), goal=None, signalled=False)
            return replace(fresh, status="running")
        case e.StageSignalled(artifacts=artifacts):
            return replace(process, signalled=True, artifacts=(*process.artifacts, *artifacts)[-100:])
        case e.StageReady():
            return replace(process, status="waiting")
        case e.StageEnded(name=name, artifacts=artifacts):
            kept = (*process.artifacts, *artifacts)[-100:]
            return replace(process, artifacts=kept, passed=(*process.passed, name))
        case e.ProcessCompleted():
            return replace(process, status="completed", counts={})
        case _:
            assert_never(event)


def _steered(process: Process, event: e.Injected | e.Redirected | e.Restarted, posted: int) -> Process:
    match event:
        case e.Injected(words=words):
            return replace(process, injected=(*process.injected, words)[-20:])
        case e.Redirected(words=words):
            return replace(process, goal=words, status="running", counts=dict.fromkeys(process.counts, 0))
        case e.Restarted():
            return Process(template=process.template, problem=process.problem, autonomy=process.autonomy, since=posted)
        case _:
            assert_never(event)
