"""What a person says, and what follows from it at once."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal

from greenroom.kernel.asks import Ask, Failed, Read, UseTool
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Range, Text
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules import memory, processes
from greenroom.worlds.realms.rules.actions import join
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import PLAYER, Agent, Edit, Errand, Process, Quest, Settings


def fitting(what: str, words: Words, limit: Text) -> Words:
    """The words, if they have the right length; the refusal gives the limit and never the words."""
    size = len(words.text or "")
    if not limit.least <= size <= limit.most:
        raise Refused(f"{what} has {limit.least} to {limit.most} characters; this one has {size}")
    return words


def within(what: str, number: int, limit: Range) -> int:
    if not limit.least <= number <= limit.most:
        raise Refused(f"{what} is from {limit.least} to {limit.most}")
    return number


class Orders:
    """The commands of the player, each as a method; what cannot be is refused before anything is written."""

    def __init__(self, content: Content, pen: Pen, given: CommandContext[Any]) -> None:
        self.content = content
        self.pen = pen
        self.given = given

    # agents

    def _agent(self, id: str) -> Agent:
        agent = self.pen.state.agent(id)
        if agent is None:
            here = ", ".join(agent.id for agent in self.pen.state.agents) or "nobody"
            raise Refused(f"there is no such agent here; there is {here}")
        return agent

    def direct(self, command: c.Direct) -> None:
        agent = self._agent(command.agent)
        words = fitting("a task", command.text, c.SPEECH)
        if sum(errand.agent == agent.id for errand in self.pen.state.agenda) >= 20:
            raise Refused("this agent has twenty things to do already; wait until some are done")
        self.pen.hear(words, agent=agent.id)
        self.pen.tell(e.ErrandGiven(errand=Errand(agent=agent.id, reason="command", task=words, by=PLAYER)))

    def summon(self, command: c.Summon) -> None:
        if command.role not in self.content.specialists:
            raise Refused(f"nobody of that role can be summoned; there are {', '.join(self.content.specialists)}")
        if self.pen.state.agent(command.role) is not None:
            raise Refused("that agent is here already")
        self._room_for(1)
        join(self.content, self.pen, command.role, by=PLAYER)
        self.pen.tell(e.ErrandGiven(errand=Errand(agent=command.role, reason="explore", by=PLAYER)))

    def _room_for(self, more: int) -> None:
        most = self.pen.state.settings.max_agents
        if len(self.pen.state.agents) + more > most:
            raise Refused(
                f"there is room for {most} agents here; dismiss one first, or raise the number in the settings"
            )

    def dismiss(self, command: c.Dismiss) -> None:
        processes.leave(self.pen, self._agent(command.agent).id)

    def seat_agent(self, command: c.SeatAgent) -> None:
        """Take a seat from outside: of an agent who is here, or of a new one."""
        for what, text in (("agent", command.agent), ("role", command.role)):
            if not 1 <= len(text) <= 40 or not text.replace("_", "").isalnum() or not text.isascii():
                raise Refused(f"{what} is a name of at most 40 letters, digits and underscores")
        if not 1 <= len(command.name) <= 80 or not command.name.isprintable():
            raise Refused("name is what people call the agent, at most 80 characters")
        if command.agent in (PLAYER, "house", "operator", "realm"):
            raise Refused("that seat is not an agent's")
        within("seconds for one action", command.seconds, c.SECONDS)
        here = self.pen.state.agent(command.agent)
        if here is None:
            self._room_for(1)
        self.pen.tell(
            e.AgentJoined(
                agent=command.agent,
                name=command.name,
                role=command.role,
                by="outside",
                outside=True,
                seconds=command.seconds,
            )
        )
        if command.role in self.content.specialists and (here is None or not here.outside):
            self.pen.tell(e.ErrandGiven(errand=Errand(agent=command.agent, reason="explore", by=PLAYER)))

    # quests

    def _quest(self, id: str) -> Quest:
        quest = self.pen.state.quest(id)
        if quest is None:
            raise Refused("there is no such quest")
        if quest.status == "done":
            raise Refused("that quest is done; done is final")
        return quest

    def assign_quest(self, command: c.AssignQuest) -> None:
        quest, agent = self._quest(command.quest), self._agent(command.agent)
        if quest.status != "open":
            raise Refused("that quest is somebody's already; release it first")
        self.pen.tell(e.QuestMoved(quest=quest.id, status="assigned", agent=agent.id))
        self.pen.tell(e.ErrandGiven(errand=Errand(agent=agent.id, reason="quest", by=PLAYER, quest=quest.id)))

    def release_quest(self, command: c.ReleaseQuest) -> None:
        quest = self._quest(command.quest)
        if quest.status == "open":
            raise Refused("that quest is nobody's")
        self.pen.tell(e.QuestMoved(quest=quest.id, status="open"))

    # processes

    def start_process(self, command: c.StartProcess) -> None:
        template = self.content.templates.get(command.template)
        if template is None:
            raise Refused(f"there is no such template; there are {', '.join(self.content.templates)}")
        if self.pen.state.process is not None and self.pen.state.process.status != "completed":
            raise Refused("a process is going on; let it end, or skip through it")
        needed = max(len(stage.agents) for stage in template.stages)
        if needed > self.pen.state.settings.max_agents:
            raise Refused(f"this process needs room for {needed} agents; raise the number in the settings")
        problem = self.pen.hear(fitting("a question", command.problem, c.PROBLEM), agent="realm")
        autonomy = command.autonomy or self.pen.state.settings.autonomy
        self.pen.tell(e.ProcessStarted(template=command.template, problem=problem, autonomy=autonomy))
        processes.begin(self.content, self.pen, 0)

    def _process(self) -> Process:
        process = self.pen.state.process
        if process is None or process.status == "completed":
            raise Refused("no process is going on")
        return process

    def approve(self) -> Generator[Ask, Any, None]:
        process = self.pen.state.process
        waits = process is not None and process.status == "waiting"
        if not waits and not self.pen.state.is_held:
            raise Refused("nobody waits for an approval")
        self.pen.tell(e.Approved())
        if waits:
            yield from processes.end_stage(self.content, self.pen)

    def inject(self, command: c.Inject) -> None:
        self._process()
        words = self.pen.hear(fitting("what is said", command.text, c.SPEECH), agent="realm")
        self.pen.tell(e.Injected(words=words))

    def skip(self) -> Generator[Ask, Any, None]:
        self._process()
        yield from processes.end_stage(self.content, self.pen, skipped=True)

    def redirect(self, command: c.Redirect) -> None:
        self._process()
        words = self.pen.hear(fitting("a goal", command.goal, c.PROBLEM), agent="realm")
        self.pen.tell(e.Redirected(words=words))

    def restart(self) -> None:
        acting = self.pen.state.acting
        if self.pen.state.process is None:
            raise Refused("no process was ever begun here")
        if acting is not None and acting.errand.reason == "stage":
            self.pen.tell(e.TurnEnded(agent=acting.errand.agent, why="stopped"))
        self.pen.tell(e.Restarted())
        processes.begin(self.content, self.pen, 0)

    # settings, edits, walking

    def update_settings(self, command: c.UpdateSettings) -> None:
        within("the number of agents", command.max_agents, c.AGENTS)
        within("the budget in cents", command.budget_cents, c.BUDGET)
        if command.max_agents < len(self.pen.state.agents):
            raise Refused(f"{len(self.pen.state.agents)} agents are here; dismiss some first")
        settings = Settings(
            max_agents=command.max_agents,
            budget_cents=command.budget_cents,
            permission=command.permission,
            autonomy=command.autonomy,
        )
        self.pen.tell(e.SettingsChanged(settings=settings))
        if command.autonomy != "manual" and self.pen.state.is_held:
            self.pen.tell(e.Approved())

    def _edit(self, id: str) -> Edit:
        edit = self.pen.state.edit(id)
        if edit is None or edit.status != "proposed":
            raise Refused("there is no such proposal, or it is decided already")
        return edit

    def apply_edit(self, command: c.ApplyEdit) -> Generator[Ask, Any, None]:
        edit = self._edit(command.edit)
        if self.pen.state.settings.permission != "write-with-approval":
            raise Refused("this realm is read-only; change that in its settings first")
        texts = yield Read((edit.before.id, edit.after.id))
        if len(texts) < 2:
            raise Refused("the words of this proposal have been removed")
        args = {"root": self.pen.state.path, "path": edit.path}
        pieces = {"before": texts[edit.before.id], "after": texts[edit.after.id]}
        done = yield UseTool(name="realms_apply", args={**args, **pieces})
        if isinstance(done, Failed):
            raise Refused(done.reason)
        self.pen.tell(e.EditSettled(edit=edit.id, status="applied"))

    def reject_edit(self, command: c.RejectEdit) -> None:
        self.pen.tell(e.EditSettled(edit=self._edit(command.edit).id, status="rejected"))

    def allow(self, command: c.Allow) -> None:
        self._settle(command.request, "allowed")

    def deny(self, command: c.Deny) -> None:
        self._settle(command.request, "denied")

    def _settle(self, id: str, status: Literal["allowed", "denied"]) -> None:
        request = self.pen.state.request
        if request is None or request.id != id:
            raise Refused("nobody waits for this permission; it was given or refused already, or the turn is over")
        self.pen.tell(e.PermissionSettled(request=id, status=status))

    def take_over(self, command: c.TakeOver) -> None:
        if not 1 <= len(command.origin) <= 100 or not command.origin.isprintable():
            raise Refused("origin is the name of a realm")
        words = fitting("what a realm knows", command.memory, c.MEMORY)
        self.pen.hear(words, agent="realm")
        memory.take_over(self.pen, command.origin, words.text or "")

    def enter(self, command: c.Enter) -> None:
        if len(command.room) > 500 or not command.room.isprintable() or ".." in command.room.split("/"):
            raise Refused("a room is the path of a folder of this repository")
        where = (*self.pen.state.where, command.room)[-50:]
        self.pen.tell(e.Walked(where=where))

    def back(self) -> None:
        if not self.pen.state.where:
            raise Refused("you are where you came in")
        self.pen.tell(e.Walked(where=self.pen.state.where[:-1]))

    def remove(self) -> None:
        if self.pen.state.is_removed:
            raise Refused("this realm is off the list already")
        for agent in self.pen.state.agents:
            processes.leave(self.pen, agent.id)
        self.pen.tell(e.RealmRemoved())


__all__ = ["Orders", "fitting"]
