"""The form of this world's content; the texts themselves are in ``content/realms.yaml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from greenroom.worlds.realms.rules.state import MOST_AGENTS, Reason

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Area = Literal["structure", "tests", "docs", "size", "marks"]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Role(Part):
    """Who an agent is."""

    name: Prose
    persona: Prose
    #: What of the survey is its business.
    area: Area | None = None


class Stage(Part):
    """One stage of a process."""

    name: Name
    goal: Prose
    #: Roles and how many agents play each.
    roles: Annotated[dict[Name, Annotated[int, Field(ge=1, le=MOST_AGENTS)]], Field(min_length=1)]
    turns: Literal["sequential", "parallel", "single"]
    #: Turns that each agent has; None where an agent says when it is done.
    count: Annotated[int, Field(ge=1, le=20)] | None = None
    #: Whether nobody sees what others post until it ends.
    divergent: bool = False
    artifact: Name

    @property
    def agents(self) -> tuple[tuple[str, str], ...]:
        """Ids and roles of its agents, in the order of their turns."""
        return tuple(self._agents())

    def _agents(self) -> Iterator[tuple[str, str]]:
        for role, count in self.roles.items():
            for n in range(1, count + 1):
                yield (role if count == 1 else f"{role}_{n}"), role


class Template(Part):
    """A process: its stages in order."""

    title: Prose
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]


class Voices(Part):
    """What agents say with no model behind them."""

    thoughts: dict[str, Prose]
    clean: Prose
    found: Prose
    searched: Prose
    not_found: Prose
    insight: Prose
    insight_clean: Prose
    #: What is said in a stage, by the stage or the role, and by what was found: a rule of the survey or a word.
    says: dict[Name, dict[Name, Prose]]
    summary: Prose
    about: Prose
    about_nothing: Prose
    against: Prose
    again: Prose


class Content(Part):
    """All texts of this world."""

    house_rules: Prose
    roles: Annotated[dict[Name, Role], Field(min_length=1)]
    templates: Annotated[dict[Name, Template], Field(min_length=1)]
    #: What a turn is about, in a sentence, by its reason.
    moments: dict[Reason, Prose]
    voices: Voices

    @model_validator(mode="after")
    def _names_are_known(self) -> Content:
        if missing := sorted(set(get_args(Reason)) - set(self.moments)):
            raise ValueError(f"moments: there is no sentence for {missing[0]}")
        for title, template in self.templates.items():
            for stage in template.stages:
                if missing := sorted(set(stage.roles) - set(self.roles)):
                    raise ValueError(f"template {title}, stage {stage.name}: there is no role {missing[0]}")
                if sum(stage.roles.values()) > MOST_AGENTS:
                    raise ValueError(f"template {title}, stage {stage.name}: at most {MOST_AGENTS} agents")
        return self

    @property
    def specialists(self) -> tuple[str, ...]:
        """Roles that the Oracle can send for: those that look after a part of the survey."""
        return tuple(
            name for name, role in self.roles.items() if role.area is not None and not name.endswith("reviewer")
        )


__all__ = ["Content", "Role", "Stage", "Template", "Voices"]
