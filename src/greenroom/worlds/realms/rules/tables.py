"""What is written for people and reports: realms, quests, findings and knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.state import QuestStatus, Realm, Severity

REALMS = Table(
    name="realms_realms",
    key=(),
    columns=(
        Column(name="id"),
        Column(name="path"),
        Column(name="name"),
        Column(name="root_commit"),
        Column(name="head"),
        Column(name="visits", kind="integer"),
        Column(name="files", kind="integer"),
        Column(name="findings", kind="integer"),
        Column(name="linked_at", kind="moment"),
        Column(name="visited_at", kind="moment", optional=True),
        Column(name="is_removed", kind="boolean"),
    ),
    indexes=(("id",), ("root_commit",)),
)
FINDINGS = Table(
    name="realms_findings",
    key=("id",),
    log=True,
    columns=(
        Column(name="id"),
        Column(name="ordinal", kind="integer"),
        Column(name="agent"),
        Column(name="severity", among=get_args(Severity)),
        Column(name="finding", kind="words"),
        Column(name="path"),
        Column(name="line", kind="integer"),
        Column(name="at", kind="moment"),
    ),
)
QUESTS = Table(
    name="realms_quests",
    key=("quest",),
    columns=(
        Column(name="quest"),
        Column(name="title"),
        Column(name="priority", among=get_args(Severity)),
        Column(name="status", among=get_args(QuestStatus)),
        Column(name="agent"),
        Column(name="outcome", kind="words", optional=True),
    ),
)
TABLES = (REALMS, FINDINGS, QUESTS)


def rows(state: Realm, told: EventContext[e.Event]) -> Iterable[Change]:
    """Rows that an event changes; a realm's own row is written whole each time."""
    names = ("id", "path", "name", "head", "visits", "files", "linked_at", "visited_at", "is_removed")
    yield Put(
        REALMS.name,
        {**{name: getattr(state, name) for name in names}, "root_commit": state.root, "findings": state.posted},
    )
    event = told.event
    if isinstance(event, e.FindingPosted):
        finding = event.finding
        yield Put(
            FINDINGS.name,
            {
                "id": finding.id,
                "ordinal": finding.ordinal,
                "agent": finding.agent_id,
                "severity": finding.severity,
                "finding": finding.words,
                "path": finding.path,
                "line": finding.line,
                "at": told.at,
            },
        )
    changed = {event.quest} if isinstance(event, e.QuestMoved) else set()
    if isinstance(event, e.Surveyed):
        changed = {quest.id for quest in state.quests}
    for quest in state.quests:
        if quest.id in changed:
            shown = ("title", "priority", "status", "agent", "outcome")
            yield Put(QUESTS.name, {"quest": quest.id, **{name: getattr(quest, name) for name in shown}})
