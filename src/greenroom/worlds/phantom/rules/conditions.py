"""The language of conditions in content files: what it can say, checked when it is read.

A condition is one of

* a comparison, as text: ``trust.ember > 40``, ``exposure >= 50``, ``day >= 3``, ``lifecycle.ember == gone``,
  ``phase == thursday``, ``engagement == dormant``, ``accesses > 0``, ``documents >= 2``, ``messages >= 5``,
  ``interactions.miro >= 1``;
* ``milestone: key_used`` – it has been reached;
* ``read: ledger`` – the player has read that document;
* ``days_since: key_used`` or ``time_since: start`` with ``at_least: 3`` days or ``at_least: 36h`` (``90m``, ``36h``,
  ``2d``); ``start`` is the moment the player pressed Start;
* ``all: [...]``, ``any: [...]``, ``not: ...`` of conditions;
* the short forms of spawn conditions: ``exposure_gte: 50``, ``agent_lifecycle: {ember: gone}``;
* inside an agent's lifecycle, about that agent: ``trust_below: -50``, ``days_in_state: 3``, ``goal_achieved: true``,
  ``player_betrayal: true``, ``story_event: agent_compromised``.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationInfo, model_validator

Level: TypeAlias = Literal["engaged", "cooling", "silent", "gone"]
Operator: TypeAlias = Literal[">", ">=", "<", "<=", "==", "!="]

#: Fields that are numbers or words of the whole story, and those that each agent has.
NUMBERS = ("exposure", "day", "accesses", "documents", "messages", "puzzles")
WORDS = {
    "phase": ("prologue", "day_1", "day_2", "thursday", "post_thursday"),
    "engagement": ("active", "casual", "dormant", "lapsed", "churned"),
}
OF_AGENTS = ("trust", "interactions")
LEVELS = ("engaged", "cooling", "silent", "gone")

_COMPARISON = re.compile(r"^\s*([a-z_]+)(?:\.([a-z_]+))?\s*(>=|<=|==|!=|>|<)\s*(-?\d+|[a-z_]+)\s*$")
_SPAN = re.compile(r"^\s*(\d+)\s*([mhd])\s*$")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def known(info: ValidationInfo, kind: str, name: str) -> str:
    """The name, if the content has it; whoever reads a whole folder says what there is in the context."""
    names = (info.context or {}).get(kind)
    if names is not None and name not in names:
        raise ValueError(f"there is no {kind[:-1]} {name!r}; there are {', '.join(sorted(names))}")
    return name


def named(kind: str, *beside: str) -> AfterValidator:
    """A name that the content has, or one of those that always are there."""
    return AfterValidator(lambda name, info: name if name in beside else known(info, kind, name))


class Compare(Part):
    """``field.subject operator value``."""

    field: str
    subject: str = ""
    operator: Operator
    value: int | str

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, str):
            return data
        found = _COMPARISON.match(data)
        if found is None:
            raise ValueError("a comparison looks like 'trust.ember > 40', 'exposure >= 50' or 'phase == thursday'")
        field, subject, operator, value = found.groups()
        _check_field(field, subject or "", info)
        return {"field": field, "subject": subject or "", "operator": operator, "value": _value(field, operator, value)}

    @property
    def name(self) -> str:
        place = f"{self.field}.{self.subject}" if self.subject else self.field
        return f"{place} {self.operator} {self.value}"


def _check_field(field: str, subject: str, info: ValidationInfo) -> None:
    per_agent = field in (*OF_AGENTS, "lifecycle")
    if not per_agent and field not in (*NUMBERS, *WORDS):
        fields = ", ".join((*NUMBERS, *WORDS, *(f"{one}.<agent>" for one in (*OF_AGENTS, "lifecycle"))))
        raise ValueError(f"there is no field {field!r}; there are {fields}")
    if per_agent != bool(subject):
        raise ValueError(f"{field!r} {'is' if per_agent else 'is not'} followed by an agent, as in trust.ember")
    if subject:
        known(info, "agents", subject)


def _value(field: str, operator: str, value: str) -> int | str:
    words = LEVELS if field == "lifecycle" else WORDS.get(field)
    if words is None:
        if not value.lstrip("-").isdigit():
            raise ValueError(f"{field!r} is compared with a whole number, not with {value!r}")
        return int(value)
    if value not in words or operator not in ("==", "!="):
        raise ValueError(f"{field!r} is compared by == or != with one of {', '.join(words)}")
    return value


class Reached(Part):
    milestone: Annotated[str, named("milestones")]

    @property
    def name(self) -> str:
        return self.milestone


class HasRead(Part):
    read: str

    @property
    def name(self) -> str:
        return f"has read {self.read}"


class Since(Part):
    """So long after a milestone, or after ``start``."""

    milestone: Annotated[str, named("milestones", "start")]
    at_least: timedelta

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "milestone" in data:
            return data
        days = "days_since" in data
        if set(data) != {"days_since" if days else "time_since", "at_least"}:
            raise ValueError("it takes two keys: days_since with at_least: 3, or time_since with at_least: 36h")
        span = _days(data["at_least"]) if days else _span(data["at_least"])
        return {"milestone": data["days_since" if days else "time_since"], "at_least": span}

    @property
    def name(self) -> str:
        return f"{self.milestone} + {self.at_least.total_seconds() / 3600:g}h"


def _days(value: Any) -> timedelta:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise ValueError("at_least is a number of days")
    return timedelta(days=value)


def _span(value: Any) -> timedelta:
    found = _SPAN.match(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("at_least is a span of time such as 90m, 36h or 2d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


class AllOf(Part):
    all: Annotated[tuple[Condition, ...], Field(min_length=1)]

    @cached_property
    def atoms(self) -> tuple[Condition, ...]:
        return tuple(atom for part in self.all for atom in atoms(part))

    @property
    def name(self) -> str:
        return " and ".join(f"({one.name})" for one in self.all)


class AnyOf(Part):
    any: Annotated[tuple[Condition, ...], Field(min_length=1)]

    @cached_property
    def atoms(self) -> tuple[Condition, ...]:
        return tuple(atom for part in self.any for atom in atoms(part))

    @property
    def name(self) -> str:
        return " or ".join(f"({one.name})" for one in self.any)


class NotOf(Part):
    not_: Condition = Field(alias="not")

    @property
    def name(self) -> str:
        return f"not ({self.not_.name})"


class Exposed(Part):
    exposure_gte: Annotated[int, Field(ge=0, le=100)]

    @property
    def name(self) -> str:
        return f"exposure_gte_{self.exposure_gte}"


class Faded(Part):
    """An agent has come to a level of its lifecycle."""

    agent_lifecycle: Annotated[dict[Annotated[str, named("agents")], Level], Field(min_length=1, max_length=1)]

    @property
    def name(self) -> str:
        return "_".join(part for pair in self.agent_lifecycle.items() for part in pair)


class TrustBelow(Part):
    trust_below: Annotated[int, Field(ge=-100, le=100)]

    @property
    def name(self) -> str:
        return f"trust below {self.trust_below}"


class DaysInState(Part):
    days_in_state: Annotated[float, Field(gt=0)]

    @property
    def name(self) -> str:
        return f"{self.days_in_state:g} days in this state"


class Cause(Part):
    """One of the causes that the agent's own file spells out."""

    cause: Literal["goal_achieved", "player_betrayal", "agent_compromised"]

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        match data:
            case {"goal_achieved": True, **rest} if not rest:
                return {"cause": "goal_achieved"}
            case {"player_betrayal": True, **rest} if not rest:
                return {"cause": "player_betrayal"}
            case {"story_event": "agent_compromised", **rest} if not rest:
                return {"cause": "agent_compromised"}
            case {"cause": _}:
                return data
            case _:
                said = "goal_achieved: true, player_betrayal: true, or story_event: agent_compromised"
                raise ValueError(f"a cause is one of {said}")

    @property
    def name(self) -> str:
        return self.cause


#: By what a condition is known, in the order in which it is looked for; a comparison is plain text.
_FORMS: dict[str, type[Part]] = {
    "all": AllOf, "any": AnyOf, "not": NotOf, "milestone": Reached, "read": HasRead, "days_since": Since,
    "time_since": Since, "exposure_gte": Exposed, "agent_lifecycle": Faded, "trust_below": TrustBelow,
    "days_in_state": DaysInState, "goal_achieved": Cause, "player_betrayal": Cause, "story_event": Cause,
}  # fmt: skip


def _form(data: Any) -> str | None:
    if isinstance(data, str):
        return Compare.__name__
    if isinstance(data, dict):
        return next((form.__name__ for key, form in _FORMS.items() if key in data), None)
    return type(data).__name__


Condition: TypeAlias = Annotated[
    Annotated[Compare, Tag("Compare")]
    | Annotated[Reached, Tag("Reached")]
    | Annotated[HasRead, Tag("HasRead")]
    | Annotated[Since, Tag("Since")]
    | Annotated[AllOf, Tag("AllOf")]
    | Annotated[AnyOf, Tag("AnyOf")]
    | Annotated[NotOf, Tag("NotOf")]
    | Annotated[Exposed, Tag("Exposed")]
    | Annotated[Faded, Tag("Faded")]
    | Annotated[TrustBelow, Tag("TrustBelow")]
    | Annotated[DaysInState, Tag("DaysInState")]
    | Annotated[Cause, Tag("Cause")],
    Discriminator(
        _form,
        custom_error_type="condition",
        custom_error_message=f"a condition is a comparison such as 'trust.ember > 40', or one of {', '.join(_FORMS)}",
    ),
]


def atoms(condition: Condition) -> tuple[Condition, ...]:
    """The single conditions that a condition is made of."""
    return condition.atoms if isinstance(condition, (AllOf, AnyOf)) else (condition,)


for _model in (AllOf, AnyOf, NotOf):
    _model.model_rebuild()
