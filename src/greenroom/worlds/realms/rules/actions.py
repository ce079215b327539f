"""What an agent can do in one call, whoever plays it: read, find, tell, learn, help, propose. Nothing else is done.

Each action is given what the agent sent and gives what the agent is told. What it may not do is told in a sentence, and
is not an error: the agent can try something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from greenroom.kernel.asks import Ask, Failed, Read, UseTool
from greenroom.kernel.words import Words
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.linking import AREAS, findings_of, read_survey
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.processes import round_of, stage_of
from greenroom.worlds.realms.rules.state import (
    Agent,
    Artifact,
    Edit,
    Errand,
    Finding,
    PermissionRequest,
    Quest,
    Realm,
    Severity,
)

SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high")
#: Findings that one call posts at most, and that one look at the survey gives.
AT_ONCE = 20
LONGEST = 2_000
#: Expertise that a quest brings, and an insight unless it says otherwise.
OF_QUEST = 10
OF_INSIGHT = 5
#: Kinds of doing that a read-only realm lets a person allow.
HARMLESS = ("read", "search", "think")

Fields: TypeAlias = Mapping[str, Any]
Performing: TypeAlias = Generator[Ask, Any, str]


class NotDone(Exception):
    """What an agent is told instead."""


def text_in(fields: Fields, name: str, *, most: int = LONGEST) -> str:
    """A text that was sent.

    Raises:
        NotDone: it is missing or too long.
    """
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NotDone(f"this action needs {name}, a text")
    if len(value) > most:
        raise NotDone(f"{name} has at most {most} characters")
    return value.strip()


class Deed:
    """One call of one agent."""

    def __init__(self, content: Content, pen: Pen, agent: Agent, fields: Fields) -> None:
        self.content = content
        self.pen = pen
        self.agent = agent
        self.fields = fields

    def text(self, name: str, *, most: int = LONGEST) -> str:
        return text_in(self.fields, name, most=most)

    def words(self, text: str, kind: str) -> Words:
        return self.pen.write(text, agent=self.agent.id, kind=kind)

    # looking

    def read(self) -> Performing:
        path, line = self.text("path", most=500), self.fields.get("line") or 1
        if not isinstance(line, int) or not 1 <= line <= 1_000_000:
            raise NotDone("line is the number of the first line that you want")
        found = yield UseTool(name="realms_read", args={"root": self.pen.state.path, "path": path, "line": line})
        if isinstance(found, Failed):
            raise NotDone(found.reason)
        self.pen.tell(e.FileRead(agent=self.agent.id, path=found["path"], area=area_of(found["path"])))
        more = "\n[there is more; read on with line]" if found["cut"] else ""
        begin = f" from line {line}" if line > 1 else ""
        return f"{found['path']}, {found['size']} bytes{begin}:\n{found['text']}{more}"

    def look(self) -> Performing:
        path = self.fields.get("path") or ""
        if not isinstance(path, str) or len(path) > 500:
            raise NotDone("path is the name of a folder")
        found = yield UseTool(name="realms_list", args={"root": self.pen.state.path, "path": path})
        if isinstance(found, Failed):
            raise NotDone(found.reason)
        left = f"\n[{found['left_out']} more]" if found["left_out"] else ""
        return "\n".join(found["names"]) + left

    def search(self) -> Performing:
        pattern = self.text("pattern", most=200)
        found = yield UseTool(name="realms_search", args={"root": self.pen.state.path, "pattern": pattern})
        if isinstance(found, Failed):
            raise NotDone(found.reason)
        return json.dumps(found, ensure_ascii=False, sort_keys=True)

    def survey(self) -> Performing:
        area = self.text("area", most=40)
        if area not in AREAS:
            raise NotDone(f"area is one of {', '.join(AREAS)}")
        found = yield from read_survey(self.pen.state)
        findings = yield from self._unreported(found, area)
        total = sum(self.pen.state.rules.get(rule, 0) for rule in AREAS[area])
        entries = found.get("entries", [])[:10] if area == "structure" else []
        told = {"area": area, "total": total, "findings": findings[:AT_ONCE], "entries": entries}
        return json.dumps(told, ensure_ascii=False, sort_keys=True)

    def _unreported(self, found: Fields, area: str) -> Generator[Ask, Any, list[Mapping[str, Any]]]:
        """The findings of an area; whoever reported of it on an earlier visit is told what is new."""
        news, vault = self.pen.state.news, self.pen.state.vaults.get(self.agent.id)
        if news is None or vault is None or area not in vault.expertise:
            return findings_of(found, AREAS[area])
        texts = yield Read((news.id,))
        return findings_of(json.loads(texts.get(news.id, "{}")), AREAS[area], among="new")

    # telling

    def post_findings(self) -> str:
        given = self.fields.get("findings")
        if not given:
            given = [self.fields]
        if not isinstance(given, list) or len(given) > AT_ONCE:
            raise NotDone(f"findings is a list of at most {AT_ONCE}")
        checked = [self._finding(one) for one in given]
        for text, severity, path, line in checked:
            self._post(text, severity, path, line)
        return f"{len(checked)} posted"

    def _finding(self, one: Any) -> tuple[str, Severity, str, int]:
        if not isinstance(one, Mapping):
            raise NotDone("each finding is an object with finding and severity")
        severity = one.get("severity", "medium")
        if severity not in SEVERITIES:
            raise NotDone("severity is low, medium or high")
        path, line = one.get("path") or "", one.get("line") or 0
        if not isinstance(path, str) or len(path) > 500 or not isinstance(line, int):
            raise NotDone("path is the name of a file, and line a number")
        return text_in(one, "finding"), severity, path, max(0, line)

    def _post(self, text: str, severity: Severity, path: str, line: int) -> None:
        state, at = self.pen.state, self.pen.given.at
        process, acting = state.process, state.acting
        staged = process is not None and acting is not None and acting.errand.reason == "stage"
        mark = sha256(self.pen.place.encode()).hexdigest()[:9]
        self.pen.tell(
            e.FindingPosted(
                finding=Finding(
                    id=f"finding_{int(at.timestamp() * 1000)}_{mark}",
                    ordinal=state.posted,
                    agent_id=self.agent.id,
                    agent_name=self.agent.name,
                    words=self.words(text, "finding"),
                    severity=severity,
                    timestamp=at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                    path=path,
                    line=line,
                    stage=process.stage if process is not None and staged else -1,
                    round=round_of(process, self.agent.id) if process is not None and staged else 0,
                )
            )
        )

    def update_knowledge(self) -> str:
        insight, area = self.text("insight"), self.text("area", most=80)
        amount = self.fields.get("amount", OF_INSIGHT)
        if not isinstance(amount, int) or not 1 <= amount <= 20:
            raise NotDone("amount is a number from 1 to 20")
        self._learn(area, amount, self.words(insight, "insight"))
        return f"kept; {area} is {self.pen.state.vaults[self.agent.id].expertise[area]} now"

    def _learn(self, area: str, amount: int, words: Words | None) -> None:
        vault = self.pen.state.vaults[self.agent.id]
        reached = min(100, vault.expertise.get(area, 0) + amount)
        self.pen.tell(e.InsightLearned(agent=self.agent.id, area=area, expertise=reached, words=words))

    # one another

    def summon_agent(self) -> str:
        role = self.text("role", most=40)
        if role not in self.content.specialists:
            raise NotDone(f"role is one of {', '.join(self.content.specialists)}")
        if self.pen.state.agent(role) is not None:
            raise NotDone(f"{self.content.roles[role].name} is here already")
        if len(self.pen.state.agents) >= self.pen.state.settings.max_agents:
            raise NotDone(f"there is room for {self.pen.state.settings.max_agents} agents, and they are all here")
        join(self.content, self.pen, role, by=self.agent.id)
        self.pen.tell(e.ErrandGiven(errand=Errand(agent=role, reason="explore", by=self.agent.id)))
        return f"{self.content.roles[role].name} comes"

    def request_help(self) -> str:
        to, question = self.text("to", most=80), self.text("question")
        if to == self.agent.id or self.pen.state.agent(to) is None:
            raise NotDone("to is the id of another agent who is here")
        if sum(errand.agent == to for errand in self.pen.state.agenda) >= 5:
            raise NotDone(f"{to} has enough to do; ask again later")
        words = self.pen.write(question, agent=to, kind="question")
        self.pen.tell(e.HelpAsked(agent=self.agent.id, to=to, words=words))
        self.pen.tell(e.ErrandGiven(errand=Errand(agent=to, reason="help", task=words, by=self.agent.id)))
        return f"{to} is asked"

    # quests

    def claim_quest(self) -> str:
        quest = self._quest()
        if quest.status == "done" or quest.agent not in ("", self.agent.id):
            raise NotDone("this quest is done, or somebody else's")
        self.pen.tell(e.QuestMoved(quest=quest.id, status="in_progress", agent=self.agent.id))
        return f"claimed: {quest.title}"

    def release_quest(self) -> str:
        quest = self._own_quest()
        self.pen.tell(e.QuestMoved(quest=quest.id, status="open"))
        return "it is open again"

    def complete_quest(self) -> str:
        quest, outcome = self._own_quest(), self.text("outcome")
        area = area_of(quest.files[0]) if quest.files else "quests"
        words = self.words(outcome, "outcome")
        self.pen.tell(e.QuestMoved(quest=quest.id, status="done", agent=self.agent.id, outcome=words))
        self._learn(area, OF_QUEST, None)
        return "it is done"

    def _quest(self) -> Quest:
        quest = self.pen.state.quest(self.text("quest_id", most=80))
        if quest is None:
            raise NotDone("there is no such quest")
        return quest

    def _own_quest(self) -> Quest:
        quest = self._quest()
        if quest.agent != self.agent.id or quest.status not in ("assigned", "in_progress"):
            raise NotDone("claim the quest first")
        return quest

    # stages, edits and permissions

    def complete_stage(self) -> str:
        process, acting = self.pen.state.process, self.pen.state.acting
        stage = None if process is None else stage_of(self.content, process)
        if stage is None or acting is None or acting.errand.reason != "stage":
            raise NotDone("there is no stage that you could end")
        summary = self.text("summary", most=8_000)
        given = self.fields.get("artifacts")
        named = {str(k)[:80]: str(v)[:8_000] for k, v in given.items()} if isinstance(given, Mapping) else {}
        artifacts = tuple(
            Artifact(stage=stage.name, name=name, words=self.words(text, "artifact"))
            for name, text in ({"summary": summary} | named).items()
        )
        self.pen.tell(e.StageSignalled(agent=self.agent.id, artifacts=artifacts[:10]))
        return "the stage is done"

    def propose_edit(self) -> Performing:
        if self.pen.state.settings.permission != "write-with-approval":
            raise NotDone("this realm is read-only; a person can change that in its settings")
        path = self.text("path", most=500)
        before, after = self.fields.get("before"), self.fields.get("after")
        if not isinstance(before, str) or not before or not isinstance(after, str) or len(before) + len(after) > 40_000:
            raise NotDone("before is a piece of the file, and after what is to stand in its place")
        args = {"root": self.pen.state.path, "path": path, "before": before, "after": after}
        found = yield UseTool(name="realms_propose", args=args)
        if isinstance(found, Failed):
            raise NotDone(found.reason)
        edit = Edit(
            id=f"edit_{sha256(self.pen.place.encode()).hexdigest()[:8]}",
            agent=self.agent.id,
            path=found["path"],
            diff=self.words(found["diff"], "diff"),
            before=self.words(before, "edit"),
            after=self.words(after, "edit"),
        )
        self.pen.tell(e.EditProposed(edit=edit))
        return f"{edit.id} waits for a person"

    def request_permission(self) -> str:
        """Whoever plays an agent from outside has hands of its own; what it wants to do with them, a person allows."""
        if not self.agent.outside:
            raise NotDone("only whoever plays an agent from outside asks for permission")
        title, kind = self.text("title"), self.text("kind", most=40)
        if self.pen.state.settings.permission == "read-only" and kind not in HARMLESS:
            raise NotDone("this realm is read-only; a person can change that in its settings")
        if self.pen.state.request is not None:
            raise NotDone("another request of yours is waiting for an answer")
        mark = sha256(self.pen.place.encode()).hexdigest()[:8]
        words = self.words(title, "question")
        request = PermissionRequest(id=f"request_{mark}", agent=self.agent.id, title=words, kind=kind)
        self.pen.tell(e.PermissionAsked(request=request))
        return f"{request.id} waits for a person"


def join(content: Content, pen: Pen, role: str, *, by: str) -> None:
    pen.tell(e.AgentJoined(agent=role, name=content.roles[role].name, role=role, by=by))


def area_of(path: str) -> str:
    """The top two folders of a path."""
    folders = path.split("/")[:-1]
    return "/".join(folders[:2]) or "/"


#: What is done at once, and what asks something first.
ACTIONS: Mapping[str, Callable[[Deed], Performing | str]] = {
    "read": Deed.read,
    "search": Deed.search,
    "list": Deed.look,
    "survey": Deed.survey,
    "post_findings": Deed.post_findings,
    "update_knowledge": Deed.update_knowledge,
    "summon_agent": Deed.summon_agent,
    "request_help": Deed.request_help,
    "claim_quest": Deed.claim_quest,
    "release_quest": Deed.release_quest,
    "complete_quest": Deed.complete_quest,
    "complete_stage": Deed.complete_stage,
    "propose_edit": Deed.propose_edit,
    "request_permission": Deed.request_permission,
}
#: The fields of each action that a model may choose.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "read": ("path", "line"),
    "list": ("path",),
    "search": ("pattern",),
    "survey": ("area",),
    "post_findings": ("findings",),
    "update_knowledge": ("insight", "area", "amount"),
    "summon_agent": ("role",),
    "request_help": ("to", "question"),
    "claim_quest": ("quest_id",),
    "release_quest": ("quest_id",),
    "complete_quest": ("quest_id", "outcome"),
    "complete_stage": ("summary", "artifacts"),
    "propose_edit": ("path", "before", "after"),
}
#: What ends a turn.
ENDS = ("done", "wait")


def offered(content: Content, state: Realm, agent: Agent) -> tuple[str, ...]:
    """What an agent can choose from at this moment: what would be refused in any case is not offered."""
    acting = state.acting
    shut: set[str] = set()
    if state.settings.permission != "write-with-approval":
        shut.add("propose_edit")
    if acting is None or acting.errand.reason != "stage":
        shut.add("complete_stage")
    if len(state.agents) < 2:
        shut.add("request_help")
    here = {one.id for one in state.agents}
    if len(here) >= state.settings.max_agents or here.issuperset(content.specialists):
        shut.add("summon_agent")
    if not any(quest.status != "done" and quest.agent in ("", agent.id) for quest in state.quests):
        shut |= {"claim_quest", "release_quest", "complete_quest"}
    return (*(action for action in FIELDS if action not in shut), "done")


__all__ = ["ACTIONS", "AREAS", "ENDS", "FIELDS", "Deed", "NotDone", "area_of", "join", "offered"]
