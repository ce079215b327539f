"""Processes: whose turn it is, when a stage is done, and what follows it. A stage is left once, whoever says so."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from greenroom.kernel.asks import Ask, Read
from greenroom.kernel.errors import Refused
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.content import Content, Stage, Template
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import PATIENCE, Artifact, Errand, Finding, Process, Realm

#: Characters of an artifact that is put together from what was posted.
ARTIFACT = 8_000


def template_of(content: Content, process: Process) -> Template:
    """The template of a process; one that is no longer among the content ends with its present stage.

    Raises:
        Refused: it is not among the content any more.
    """
    found = content.templates.get(process.template)
    if found is None:
        raise Refused(f"there is no template {process.template} any more; start another process")
    return found


def stage_of(content: Content, process: Process) -> Stage | None:
    """The stage that a process is in; None when it is over."""
    template = content.templates.get(process.template)
    if template is None or process.status == "completed" or process.stage >= len(template.stages):
        return None
    return template.stages[process.stage]


def next_errand(content: Content, state: Realm) -> Errand | None:
    """The turn that the process wants next: of those who had the fewest, the first in the order of the stage."""
    process = state.process
    stage = None if process is None else stage_of(content, process)
    if process is None or stage is None or process.status != "running" or is_done(stage, process):
        return None
    here = [agent for agent, _ in stage.agents if agent in process.counts and state.agent(agent) is not None]
    if not here:
        return None
    return Errand(agent=min(here, key=lambda agent: process.counts[agent]), reason="stage")


def is_done(stage: Stage, process: Process) -> bool:
    """Whether every agent of the stage had its turns, or one gave the signal."""
    if process.signalled and stage.count is None:
        return True
    most = PATIENCE if stage.count is None else stage.count
    return all(count >= most for count in process.counts.values())


def hidden(content: Content, state: Realm, finding: Finding, seat: str) -> bool:
    """Whether the wall of a divergent stage, or of a round that goes on, stands between a finding and an agent."""
    process = state.process
    stage = None if process is None else stage_of(content, process)
    if process is None or stage is None or not _is_of(process, finding) or finding.agent_id == seat:
        return False
    if stage.divergent:
        return True
    return stage.turns == "parallel" and finding.round >= round_of(process, seat)


def _is_of(process: Process, finding: Finding) -> bool:
    """Whether a finding was posted in the present stage of this process, and not of an earlier one."""
    return finding.stage == process.stage and finding.ordinal >= process.since


def round_of(process: Process, agent: str) -> int:
    """In which round of the stage an agent is."""
    return process.counts.get(agent, min(process.counts.values(), default=0))


# moving on


def begin(content: Content, pen: Pen, number: int) -> None:
    """Begin a stage: who is not needed leaves, who is needed joins."""
    process = pen.state.process
    assert process is not None
    stage = template_of(content, process).stages[number]
    wanted = dict(stage.agents)
    _make_room(content, pen, wanted)
    for id, role in wanted.items():
        if pen.state.agent(id) is None:
            number_of = id.rpartition("_")[2]
            name = content.roles[role].name + (f" {number_of}" if number_of.isdigit() else "")
            pen.tell(e.AgentJoined(agent=id, name=name, role=role, by=process.template))
    pen.tell(e.StageBegan(stage=number, name=stage.name, agents=tuple(wanted)))


def _make_room(content: Content, pen: Pen, wanted: dict[str, str]) -> None:
    process = pen.state.process
    assert process is not None
    ours = {id for stage in template_of(content, process).stages for id, _ in stage.agents}
    for agent in pen.state.agents:
        if agent.id in ours and agent.id not in wanted and not agent.outside:
            leave(pen, agent.id)
    others = [agent for agent in reversed(pen.state.agents) if agent.id not in wanted]
    too_many = len(others) + len(wanted) - pen.state.settings.max_agents
    for agent in others[: max(0, too_many)]:
        leave(pen, agent.id)


def leave(pen: Pen, agent: str) -> None:
    """An agent goes; what it was about to do is left undone, and its quests are free again."""
    acting = pen.state.acting
    if acting is not None and acting.errand.agent == agent:
        pen.tell(e.TurnEnded(agent=agent, why="dismissed"))
    for quest in pen.state.quests:
        if quest.agent == agent and quest.status in ("assigned", "in_progress"):
            pen.tell(e.QuestMoved(quest=quest.id, status="open"))
    pen.tell(e.AgentLeft(agent=agent))


def end_stage(content: Content, pen: Pen, *, skipped: bool = False) -> Generator[Ask, Any, None]:
    """Leave the present stage: record what came of it, and begin the next, or end."""
    process = pen.state.process
    stage = None if process is None else stage_of(content, process)
    if process is None or stage is None:
        return
    acting = pen.state.acting
    if acting is not None and acting.errand.reason == "stage":
        pen.tell(e.TurnEnded(agent=acting.errand.agent, why="stopped"))
    artifacts = yield from _artifacts(pen, stage, process)
    pen.tell(e.StageEnded(stage=process.stage, name=stage.name, artifacts=artifacts, skipped=skipped))
    if process.stage + 1 < len(template_of(content, process).stages):
        begin(content, pen, process.stage + 1)
        return
    for agent, _ in stage.agents:
        here = pen.state.agent(agent)
        if here is not None and not here.outside:
            leave(pen, agent)
    pen.tell(e.ProcessCompleted(template=process.template))


def _artifacts(pen: Pen, stage: Stage, process: Process) -> Generator[Ask, Any, tuple[Artifact, ...]]:
    """What was posted in the stage, as one text; nothing where an agent wrote the artifact itself."""
    if any(artifact.stage == stage.name for artifact in process.artifacts):
        return ()
    posted = [finding for finding in pen.state.board if _is_of(process, finding)]
    if not posted:
        return ()
    texts = yield Read(tuple(finding.words.id for finding in posted))
    lines = [f"- {texts.get(finding.words.id, '[removed]')} ({finding.agent_name})" for finding in posted]
    words = pen.write("\n".join(lines)[:ARTIFACT], agent="realm", kind="artifact")
    return (Artifact(stage=stage.name, name=stage.artifact, words=words),)


__all__ = ["begin", "end_stage", "hidden", "is_done", "leave", "next_errand", "round_of", "stage_of", "template_of"]
