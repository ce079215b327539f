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
from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationInfo, model_validator

Level: TypeAlias = Literal["engaged", "cooling", "silent", "gone"]
Operator: TypeAlias = Literal[">", ">=", "<", "<=", "==", "!="]

#: What a comparison may look at: numbers and words of the whole story, and what each agent has.
NUMBERS = ("exposure", "day", "accesses", "documents", "messages", "puzzles")
WORDS: Mapping[str, tuple[str, ...]] = {
    "phase": ("prologue", "day_1", "day_2", "thursday", "post_thursday"),
    "engagement": ("active", "casual", "dormant", "lapsed", "churned"),
    "lifecycle": get_args(Level),
}
OF_AGENTS = ("trust", "interactions", "lifecycle")

_COMPARISON = re.compile(r"^\s*([a-z_]+)(?:\.([a-z_]+))?\s*(>=|<=|==|!=|>|<)\s*(-?\d+|[a-z_]+)\s*$")
_SPAN = re.compile(r"^\s*(\d+)\s*([mhd])\s*$")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
#: Forms that only an agent's own lifecycle has, with the one value that they take.
_CAUSES = {"goal_achieved": True, "player_betrayal": True, "story_event": "agent_compromised"}


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


class Atom(Part):
    """One thing that is looked at and compared, however it was written."""

    field: str
    #: The agent, milestone, document or cause; the agent whose lifecycle it is, where none is named.
    subject: str = ""
    operator: Operator = "=="
    value: bool | float | timedelta | str = True
    name: str

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, str):
            return _comparison(data, info)
        return _form(data, info) if isinstance(data, dict) and "field" not in data else data


def _comparison(data: str, info: ValidationInfo) -> Mapping[str, Any]:
    found = _COMPARISON.match(data)
    if found is None:
        raise ValueError("a comparison looks like 'trust.ember > 40', 'exposure >= 50' or 'phase == thursday'")
    field, subject, operator, value = found[1], found[2] or "", found[3], found[4]
    if field not in (*NUMBERS, *WORDS, *OF_AGENTS):
        of_agents = (f"{one}.<agent>" for one in OF_AGENTS)
        fields = ", ".join((*NUMBERS, *(one for one in WORDS if one not in OF_AGENTS), *of_agents))
        raise ValueError(f"there is no field {field!r}; there are {fields}")
    if (field in OF_AGENTS) != bool(subject):
        raise ValueError(f"{field!r} {'is not' if subject else 'is'} followed by an agent, as in trust.ember")
    if subject:
        known(info, "agents", subject)
    name = f"{field}{'.' if subject else ''}{subject} {operator} {value}"
    return _looks(field, subject, operator, _value(field, operator, value), name)


def _value(field: str, operator: str, value: str) -> int | str:
    if field not in WORDS:
        if not value.lstrip("-").isdigit():
            raise ValueError(f"{field!r} is compared with a whole number, not with {value!r}")
        return int(value)
    if value not in WORDS[field] or operator not in ("==", "!="):
        raise ValueError(f"{field!r} is compared by == or != with one of {', '.join(WORDS[field])}")
    return value


def _looks(field: str, subject: str, operator: str, value: Any, name: str) -> Mapping[str, Any]:
    return {"field": field, "subject": subject, "operator": operator, "value": value, "name": name}


def _form(data: Mapping[str, Any], info: ValidationInfo) -> Mapping[str, Any]:
    """The short forms, by their key."""
    key = next(form for form in _FORMS if form in data)
    given = data[key]
    if set(data) != {key, *(("at_least",) if key in ("days_since", "time_since") else ())}:
        raise ValueError(f"{key} stands alone; days_since and time_since take at_least, as 3 or 36h")
    match key:
        case "milestone":
            return _looks("milestone", known(info, "milestones", given), "==", True, given)
        case "read":
            return _looks("read", given, "==", True, f"has read {given}")
        case "days_since" | "time_since":
            span = timedelta(days=_number("at_least", data["at_least"])) if key == "days_since" else _span(data)
            since = given if given == "start" else known(info, "milestones", given)
            return _looks("since", since, ">=", span, f"{since} + {span.total_seconds() / 3600:g}h")
        case "exposure_gte":
            return _looks("exposure", "", ">=", _number(key, given, 0, 100), f"exposure_gte_{given}")
        case _:
            return _of_lifecycle(key, given, info)


def _of_lifecycle(key: str, given: Any, info: ValidationInfo) -> Mapping[str, Any]:
    match key, given:
        case "agent_lifecycle", dict() if len(given) == 1:
            ((agent, level),) = given.items()
            level = _value("lifecycle", "==", level)
            return _looks("lifecycle", known(info, "agents", agent), "==", level, f"{agent}_{level}")
        case "trust_below", _:
            return _looks("trust", "", "<", _number(key, given, -100, 100), f"trust below {given}")
        case "days_in_state", _:
            return _looks("state", "", ">=", timedelta(days=_number(key, given)), f"{given:g} days in this state")
        case _ if given == _CAUSES.get(key, ()):
            cause = given if key == "story_event" else key
            return _looks("cause", cause, "==", True, cause)
        case _:
            raise ValueError(f"{key} takes {_CAUSES.get(key, 'one agent and its level')}, not {given!r}")


def _number(what: str, value: Any, least: int = 0, most: int = 1_000) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ValueError(f"{what} is a number greater than or equal to {least}, and to {most} at most")
    return value


def _span(data: Mapping[str, Any]) -> timedelta:
    found = _SPAN.match(str(data["at_least"]))
    if found is None:
        raise ValueError("at_least is a span of time such as 90m, 36h or 2d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


class AllOf(Part):
    all: Annotated[tuple[Condition, ...], Field(min_length=1)]

    @cached_property
    def name(self) -> str:
        return " and ".join(f"({one.name})" for one in self.all)


class AnyOf(Part):
    any: Annotated[tuple[Condition, ...], Field(min_length=1)]

    @cached_property
    def name(self) -> str:
        return " or ".join(f"({one.name})" for one in self.any)


class NotOf(Part):
    not_: Condition = Field(alias="not")

    @property
    def name(self) -> str:
        return f"not ({self.not_.name})"


_GROUPS: Mapping[str, type[Part]] = {"all": AllOf, "any": AnyOf, "not": NotOf}
_FORMS = ("milestone", "read", "days_since", "time_since", "exposure_gte", "agent_lifecycle", "trust_below",
          "days_in_state", *_CAUSES)  # fmt: skip


def _kind(data: Any) -> str | None:
    if isinstance(data, dict):
        found = [form.__name__ for key, form in _GROUPS.items() if key in data]
        return next(iter(found), Atom.__name__ if any(form in data for form in _FORMS) else None)
    return Atom.__name__ if isinstance(data, str) else type(data).__name__


Condition: TypeAlias = Annotated[
    Annotated[Atom, Tag("Atom")]
    | Annotated[AllOf, Tag("AllOf")]
    | Annotated[AnyOf, Tag("AnyOf")]
    | Annotated[NotOf, Tag("NotOf")],
    Discriminator(
        _kind,
        custom_error_type="condition",
        custom_error_message="a condition is a comparison such as 'trust.ember > 40', or one of "
        + ", ".join((*_GROUPS, *_FORMS)),
    ),
]


def atoms(condition: Condition) -> tuple[Atom | NotOf, ...]:
    """The single conditions that a condition is made of."""
    match condition:
        case AllOf(all=parts) | AnyOf(any=parts):
            return tuple(atom for part in parts for atom in atoms(part))
        case _:
            return (condition,)


for _model in (AllOf, AnyOf, NotOf):
    _model.model_rebuild()
