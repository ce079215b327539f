"""The messages of the live line, each checked: what a page or an agent may say, and what they are told.

Version 1. Every message is a JSON object with a ``type``; one that comes with an ``id`` is answered with the same id in
``re``. A message that is not understood is answered with ``error`` and changes nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from greenroom.kernel.errors import Malformed
from greenroom.kit.http.records import RequestBody
from greenroom.services.house import ShownEvent
from greenroom.worlds.realms.rules.commands import ACTION, SECONDS
from greenroom.worlds.realms.rules.state import Autonomy, Permission

VERSION = 1
#: Characters of a message: an action with what is around it.
MOST_MESSAGE = ACTION.most + 4_000

Name = Annotated[str, Field(min_length=1, max_length=200)]
Long = Annotated[str, Field(min_length=1, max_length=4_000)]


class Said(RequestBody):
    """Anything said by the other end: nothing missing, nothing that is not known."""

    id: str | int | None = None


class LinkRepo(Said):
    type: Literal["player:link-repo"]
    path: Long


class StartProcessFrame(Said):
    type: Literal["player:start-process"]
    template: Name
    problem: Long
    autonomy: Autonomy | None = None


class CommandFrame(Said):
    """A command of the player: for the process, or for one agent."""

    type: Literal["player:command"]
    command: Literal[
        "approve", "inject", "skip", "redirect", "restart", "export", "explore", "direct", "summon", "assign-quest",
        "release-quest", "apply-edit", "reject-edit", "allow", "deny",
    ]  # fmt: skip
    text: Long | None = None
    agent: Name | None = None
    quest: Name | None = None
    edit: Name | None = None
    request: Name | None = None


class UpdateSettingsFrame(Said):
    type: Literal["player:update-settings"]
    max_agents: Annotated[int, Field(ge=1, le=5)]
    budget_cents: Annotated[int, Field(ge=0, le=100_000)]
    permission: Permission
    autonomy: Autonomy


class DismissAgent(Said):
    type: Literal["player:dismiss-agent"]
    agent: Name


class GetAgentDetails(Said):
    type: Literal["player:get-agent-details"]
    agent: Name


class ListRealms(Said):
    type: Literal["player:list-realms"]


class ResumeRealm(Said):
    type: Literal["player:resume-realm"]
    realm: Name


class RemoveRealm(Said):
    type: Literal["player:remove-realm"]
    realm: Name


class NavigateEnter(Said):
    type: Literal["player:navigate-enter"]
    room: Annotated[str, Field(max_length=500)]


class NavigateBack(Said):
    type: Literal["player:navigate-back"]


class AgentRegister(Said):
    type: Literal["agent:register"]
    realm: Name
    agent: Name
    name: Name
    role: Name
    seconds: Annotated[int, Field(ge=SECONDS.least, le=SECONDS.most)] = 5


class AgentAction(Said):
    type: Literal["agent:action"]
    action: dict[str, Any]


Message: TypeAlias = Annotated[
    LinkRepo
    | StartProcessFrame
    | CommandFrame
    | UpdateSettingsFrame
    | DismissAgent
    | GetAgentDetails
    | ListRealms
    | ResumeRealm
    | RemoveRealm
    | NavigateEnter
    | NavigateBack
    | AgentRegister
    | AgentAction,
    Field(discriminator="type"),
]
_messages: TypeAdapter[Any] = TypeAdapter(Message)


def read(text: str) -> Any:
    """A message from its text.

    Raises:
        Malformed: it is not one; the sentence says why.
    """
    try:
        return _messages.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "the message"
        raise Malformed(f"{place}: {first['msg']}") from None


class _Named(BaseModel):
    id: str | int | None = None


def id_in(text: str) -> str | int | None:
    """The id of a message that was not understood, where it has one."""
    try:
        return _Named.model_validate_json(text).id
    except ValidationError:
        return None


#: What each event is called on the line; others are told with the whole state.
NAMES = {
    "agent_joined": "agent:joined",
    "agent_left": "agent:left",
    "spoke": "agent:thought",
    "turn_began": "agent:activity",
    "tool_used": "agent:activity",
    "tool_answered": "agent:activity",
    "file_read": "agent:activity",
    "insight_learned": "agent:activity",
    "turn_ended": "agent:activity",
    "finding_posted": "findings:posted",
    "quest_moved": "quest:update",
    "surveyed": "map:change",
    "process_started": "process:started",
    "stage_began": "stage:advanced",
    "process_completed": "process:completed",
}


def told(event: ShownEvent) -> dict[str, Any] | None:
    """An event as a message; None where the state says more."""
    name = NAMES.get(event.kind)
    if name is None:
        return None
    place = {"version": event.version, "ordinal": event.ordinal, "at": event.at, "kind": event.kind}
    return {"type": name, **place, "body": event.body}


__all__ = ["MOST_MESSAGE", "NAMES", "VERSION", "id_in", "read", "told"]
