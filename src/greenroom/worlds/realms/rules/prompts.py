"""What an agent is asked: who it is, how it stands, what was said and done in this turn. All it read is data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from greenroom.kernel.asks import AskModel, Section
from greenroom.kernel.words import REMOVED
from greenroom.worlds.realms.rules.actions import ACTIONS, AREAS, FIELDS, SEVERITIES, offered
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.processes import hidden, stage_of
from greenroom.worlds.realms.rules.state import (
    CALLS,
    IN_PROMPT,
    INSIGHTS_IN_PROMPT,
    Agent,
    Errand,
    Finding,
    Note,
    Process,
    Quest,
    Realm,
    Vault,
)

#: The role that settings give a model to; every agent is played by it.
ROLE = "realms_agent"
#: Characters of what a tool said that stand in a prompt: last, and before that.
NEWEST, EARLIER = 64_000, 4_000

_TEXT = {"type": "string"}
_PROPERTIES: Mapping[str, Any] = {
    "path": {**_TEXT, "description": "below the root of the repository"},
    "line": {"type": "integer", "description": "of read: the first line that you want"},
    "pattern": {**_TEXT, "description": "words to look for, as they stand in the files"},
    "area": {**_TEXT, "description": "of survey: " + ", ".join(AREAS) + "; of update_knowledge: a subject"},
    "findings": {
        "type": "array",
        "maxItems": 20,
        "items": {
            "type": "object",
            "properties": {
                "finding": _TEXT,
                "severity": {"type": "string", "enum": list(SEVERITIES)},
                "path": _TEXT,
                "line": {"type": "integer"},
            },
            "required": ["finding", "severity"],
        },
    },
    "insight": {**_TEXT, "description": "one sentence that is worth knowing on the next visit"},
    "amount": {"type": "integer"},
    "role": _TEXT,
    "to": {**_TEXT, "description": "the id of an agent who is here"},
    "question": _TEXT,
    "quest_id": _TEXT,
    "outcome": _TEXT,
    "summary": _TEXT,
    "artifacts": {"type": "object", "description": "texts by their names"},
    "before": {**_TEXT, "description": "a piece of the file that stands there once"},
    "after": _TEXT,
}


def schema(actions: tuple[str, ...]) -> Mapping[str, Any]:
    """One action of these: thought first, then chosen, with the fields that they need and no others."""
    fields = {field for action in actions for field in FIELDS.get(action, ())}
    return {
        "type": "object",
        "properties": {
            "thought": {
                "type": "string",
                "maxLength": 2000,
                "description": "what you know by now, what is missing, and why the action you choose is the next",
            },
            "action": {"type": "string", "enum": list(actions)},
            **{name: form for name, form in _PROPERTIES.items() if name in fields},
        },
        "required": ["action"],
    }


def _how() -> str:
    each = (f"{action} {{{', '.join(FIELDS[action])}}}" for action in ACTIONS if action in FIELDS)
    return f"Actions and their fields: {'; '.join(each)}; done. Areas of survey: {', '.join(AREAS)}."


# which words are needed


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
        found += [words for note in acting.notes for words in (note.input, note.words)]
        if acting.errand.task is not None:
            found.append(acting.errand.task)
        if acting.errand.reason == "stage" and process is not None:
            found += [process.problem, *process.injected, *([] if process.goal is None else [process.goal])]
    return tuple(words.id for words in found)


def _vault(state: Realm, agent: Agent) -> Vault:
    return state.vaults.get(agent.id) or Vault(agent_id=agent.id, agent_name=agent.name, role=agent.role)


# the ask


def ask(content: Content, state: Realm, agent: Agent, texts: Mapping[str, str]) -> AskModel:
    """Ask an agent for its next action. What never changes comes first: it is the system message."""
    return AskModel(
        role=ROLE,
        seat=agent.id,
        schema=schema(offered(content, state, agent)),
        max_tokens=1_500,
        budget=32_000,
        usage=True,
        sections=sections(content, state, agent, texts),
    )


def sections(content: Content, state: Realm, agent: Agent, texts: Mapping[str, str]) -> tuple[Section, ...]:
    """Who the agent is, what it is asked, how it stands; its actions and their answers as turns, the newest last."""
    assert state.acting is not None
    acting, role = state.acting, content.roles.get(agent.role)
    who = f"You are {agent.name}. {role.persona if role is not None else 'You do what your role says.'}"
    task = _task(content, state, acting.errand, texts)
    newest: tuple[Section, ...] = (Section(name="task", texts=task, floor=600, form="newest"),)
    if acting.notes:
        last = _answer(acting.notes[-1], texts, NEWEST)
        newest = (
            Section(name="answer", texts=(last,), floor=18_000, form="newest"),
            Section(name="task", texts=task, floor=600),
        )
    return (
        Section(name="rules", texts=(content.house_rules, _how()), floor=700, stable=True),
        Section(name="agent", texts=(who,), floor=150, stable=True),
        *newest,
        Section(name="moment", texts=(_moment(content, state, agent),), floor=120, form="moment"),
        Section(name="situation", texts=("\n".join(_situation(content, state, agent)),), floor=1_200),
        Section(name="knowledge", texts=_knowledge(state, agent, texts), cap=1_500),
        Section(name="board", texts=_board(content, state, agent, texts), cap=4_000),
        *_done_so_far(acting.notes, texts),
    )


def _done_so_far(notes: tuple[Note, ...], texts: Mapping[str, str]) -> tuple[Section, ...]:
    """The actions of this turn and what came of them, up to the action whose answer is the newest."""
    if not notes:
        return ()
    said = ["Your turn has begun; what you are asked stands in <task>."]
    for note in notes[:-1]:
        said += [_action(note, texts), _answer(note, texts, EARLIER)]
    said.append(_action(notes[-1], texts))
    own = tuple(n % 2 == 1 for n in range(len(said)))
    return (Section(name="turn", texts=tuple(said), own=own, form="turns", cap=8_000),)


def _action(note: Note, texts: Mapping[str, str]) -> str:
    """An action as the agent gave it, without what it thought."""
    try:
        fields = json.loads(texts.get(note.input.id, "{}"))
    except ValueError:
        fields = {}
    return json.dumps({"action": note.tool, **fields}, ensure_ascii=False)[:EARLIER]


def _answer(note: Note, texts: Mapping[str, str], most: int) -> str:
    return f"[{note.tool}] {texts.get(note.words.id, REMOVED)[:most]}"


def _moment(content: Content, state: Realm, agent: Agent) -> str:
    acting = state.acting
    assert acting is not None
    left = CALLS - len(acting.calls)
    calls = "This is the last call of your turn." if left == 1 else f"{left} calls are left in this turn."
    return f"{content.moments[acting.errand.reason]} {calls} Think first; then choose one action, or done."


# how it stands, one thing in a line


def _situation(content: Content, state: Realm, agent: Agent) -> Iterator[str]:
    acting, process, role = state.acting, state.process, content.roles.get(agent.role)
    assert acting is not None
    yield f"Realm: {_line(state.name)}"
    yield f"You: {agent.id}"
    yield f"Role: {agent.role}"
    yield f"Your part of the survey: {(None if role is None else role.area) or 'none'}"
    yield f"This turn: {acting.errand.reason}"
    yield f"Asked by: {acting.errand.by or 'nobody'}"
    yield f"Calls so far: {', '.join(acting.calls) or 'none'}"
    yield f"Agents here: {', '.join(one.id for one in state.agents)}"
    yield f"Room for more agents: {state.settings.max_agents - len(state.agents)}"
    yield f"Permission: {state.settings.permission}"
    yield f"Found by the survey: {', '.join(f'{rule} {count}' for rule, count in state.rules.items()) or 'nothing'}"
    for area, paths in state.gravest.items():
        if paths:
            yield f"Gravest of {area}:"
            yield from (f"- {path}" for path in paths)
    yield from _quests(state, agent, acting.errand)
    if acting.errand.reason == "stage" and process is not None:
        yield from _stage(content, process, agent)


def _line(text: str) -> str:
    return " ".join(text.split())


def _quests(state: Realm, agent: Agent, errand: Errand) -> Iterator[str]:
    open_to = [quest for quest in state.quests if quest.status != "done" and quest.agent in ("", agent.id)]
    own = [quest for quest in open_to if quest.id == errand.quest]
    if own:
        yield f"Quest of this turn: {own[0].id}"
    shown = dict.fromkeys([quest.id for quest in (*own, *open_to)][:8])
    if shown:
        yield "Quests open to you:"
        yield from (_quest(quest) for quest in (*own, *open_to) if shown.pop(quest.id, "") is None)


def _quest(quest: Quest) -> str:
    return f"- {quest.id} ({quest.status}): {_line(quest.title)}" + "".join(f"\n  - {path}" for path in quest.files)


def _stage(content: Content, process: Process, agent: Agent) -> Iterator[str]:
    stage = stage_of(content, process)
    if stage is None:
        return
    yield f"Process: {process.template}"
    yield f"Stage: {stage.name}"
    yield f"Your turn in it: {process.counts.get(agent.id, 0) + 1}" + (
        "" if stage.count is None else f" of {stage.count}"
    )
    yield f"Its artifact: {stage.artifact}"
    yield f"It ends: {'when you call complete_stage' if stage.count is None else 'when everybody had their turns'}"


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
        f"{finding.agent_name}{_posted_in(content, state.process, finding)} ({finding.severity}): "
        f"{texts.get(finding.words.id, REMOVED)}"
        for finding in visible(content, state, agent.id)
    )


def _posted_in(content: Content, process: Process | None, finding: Finding) -> str:
    """The stage of the present process that a finding belongs to, if it does."""
    template = content.templates.get(process.template) if process is not None else None
    if process is None or template is None or finding.ordinal < process.since or finding.stage < 0:
        return ""
    return f", {template.stages[finding.stage].name}" if finding.stage < len(template.stages) else ""


__all__ = ["ROLE", "ask", "schema", "sections", "visible", "wanted"]
