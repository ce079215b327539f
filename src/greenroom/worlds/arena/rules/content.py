"""The form of scenarios, of the cast and of the lines; the texts themselves are in ``content/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise, product
from math import prod
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from greenroom.kernel.errors import Unknown
from greenroom.worlds.arena.rules.strategy import NAMES, Strategy

Side: TypeAlias = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")
Stance: TypeAlias = Literal["assertive", "collaborative", "deceptive"]
ArenaAct: TypeAlias = Literal["open", "hold", "concede", "bluff", "accept", "walk", "calm", "restate"]
#: Agents that the provisioner can design without a model.
Design: TypeAlias = Literal["intermediary_broker", "validator", "proxy_actor"]

#: The variable that every scenario has, 1 to 10.
TENSION = "global_tension_level"
#: More deals than this are too many to look at one by one in every turn.
MOST_DEALS = 400

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Dotted = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*(\.\*)?$", max_length=120)]
Share = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[int, Field(ge=-5, le=5)]
Weight = tuple[Annotated[float, Field(gt=0, le=100)], Annotated[float, Field(gt=0, le=100)]]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Actor(Part):
    name: Prose
    #: Public: who it is.
    brief: Prose
    #: Secret: what it wants.
    goals: Prose
    may_change: Annotated[tuple[Dotted, ...], Field(min_length=1)]
    #: Bounds of what no deal is worth to it; the dice choose within.
    reservation: tuple[Share, Share]

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Actor:
        if self.reservation[0] > self.reservation[1]:
            raise ValueError("the first bound of a reservation is not above the second")
        return self


class Issue(Part):
    path: Dotted
    options: Annotated[tuple[int | float | str, ...], Field(min_length=2, max_length=12)]
    #: The side that likes later options better.
    rises_for: Side
    #: Bounds of how much it matters to each side; the dice choose within.
    a: Weight
    b: Weight

    @field_validator("options")
    @classmethod
    def _options_differ(cls, options: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(set(options)) < len(options):
            raise ValueError("an option stands there twice")
        return options

    def value(self, side: Side, option: int) -> float:
        """What an option is worth to a side, from 0 to 1."""
        share = option / (len(self.options) - 1)
        return share if side == self.rises_for else 1 - share


class Abort(Part):
    own: Score
    other: Score


class Rubric(Part):
    """From an end to a score. ``agreement`` goes from the share of what could be had above no deal to a score."""

    agreement: Annotated[tuple[tuple[float, Score], ...], Field(min_length=2)]
    timeout: Score
    abort: Abort
    #: For every path that somebody tried to change and may not.
    denied: Annotated[int, Field(ge=-5, le=0)]

    @model_validator(mode="after")
    def _rises(self) -> Rubric:
        points = self.agreement
        if any(left >= right for (left, _), (right, _) in pairwise(points)):
            raise ValueError("the shares of agreement rise from one pair to the next")
        return self

    def of_deal(self, share: float) -> int:
        """The score of a deal, between the points of the rubric in a straight line."""
        points = self.agreement
        if share <= points[0][0]:
            return points[0][1]
        for (x, low), (y, high) in pairwise(points):
            if share <= y:
                return round(low + (high - low) * (share - x) / (y - x))
        return points[-1][1]


class Headline(Part):
    text: Prose
    tension: Annotated[int, Field(ge=-3, le=3)]


class Scenario(Part):
    title: Prose
    summary: Prose
    opening: Prose
    turns: Annotated[int, Field(ge=4, le=20)] = 20
    variables: dict[str, Any]
    actors: dict[Side, Actor]
    issues: Annotated[tuple[Issue, ...], Field(min_length=1, max_length=6)]
    rubric: Rubric
    headlines: Annotated[tuple[Headline, ...], Field(min_length=1)]

    @field_validator("variables")
    @classmethod
    def _tension_is_there(cls, variables: dict[str, Any]) -> dict[str, Any]:
        level = variables.get(TENSION)
        if not isinstance(level, int) or not 1 <= level <= 10:
            raise ValueError(f"variables need a {TENSION} from 1 to 10")
        return variables

    @field_validator("actors")
    @classmethod
    def _two_sides(cls, actors: dict[Side, Actor]) -> dict[Side, Actor]:
        if set(actors) != set(SIDES):
            raise ValueError("a scenario has two actors, a and b")
        return actors

    @model_validator(mode="after")
    def _can_be_played(self) -> Scenario:
        for issue in self.issues:
            if not _there(self.variables, issue.path):
                raise ValueError(f"the issue {issue.path} is no path of the variables")
            for side, actor in self.actors.items():
                if not allowed(issue.path, actor.may_change):
                    raise ValueError(f"actor {side} may not change the issue {issue.path}; add it to may_change")
        if (deals := prod(len(issue.options) for issue in self.issues)) > MOST_DEALS:
            raise ValueError(f"the issues allow {deals} deals; at most {MOST_DEALS} can be weighed in every turn")
        return self

    @cached_property
    def deals(self) -> tuple[tuple[int, ...], ...]:
        """Every deal there is, as the number of the option for each issue."""
        return tuple(product(*(range(len(issue.options)) for issue in self.issues)))

    @cached_property
    def values(self) -> Mapping[Side, tuple[tuple[float, ...], ...]]:
        """What each issue of each deal is worth to a side by itself."""
        return {
            side: tuple(
                tuple(issue.value(side, option) for issue, option in zip(self.issues, deal, strict=True))
                for deal in self.deals
            )
            for side in SIDES
        }

    @cached_property
    def weighed(self) -> dict[tuple[Side, tuple[float, ...]], tuple[float, ...]]:
        """What deals were found to be worth, by side and weights: a memory of a pure function, emptied now and then."""
        return {}

    @cached_property
    def numbers(self) -> Mapping[tuple[int, ...], int]:
        return {deal: number for number, deal in enumerate(self.deals)}

    def in_words(self, deal: int) -> str:
        """A deal as somebody would say it."""
        told = (
            f"{issue.path.rpartition('.')[2].replace('_', ' ')} {issue.options[option]}"
            for issue, option in zip(self.issues, self.deals[deal], strict=True)
        )
        return ", ".join(told)


def _there(variables: Mapping[str, Any], path: str) -> bool:
    found: Any = variables
    for part in path.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return True


def allowed(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a path is one of these; ``split.*`` is everything under ``split``."""
    return any(path == pattern or (pattern.endswith(".*") and path.startswith(pattern[:-1])) for pattern in patterns)


Numbers = dict[str, Share]


class Baseline(Part):
    about: Prose
    strategy: Numbers


class Casting(Part):
    """Frozen opponents in three pools that never mix."""

    baseline: Baseline
    plain: Numbers
    training: Annotated[dict[Name, Numbers], Field(min_length=1)]
    validation: Annotated[dict[Name, Numbers], Field(min_length=1)]
    held_out: Annotated[dict[Name, Numbers], Field(min_length=1)]

    @model_validator(mode="after")
    def _known_and_apart(self) -> Casting:
        for numbers in (self.baseline.strategy, self.plain, *self._each()):
            if strange := sorted(set(numbers) - set(NAMES)):
                raise ValueError(f"a strategy has no {strange[0]}; it has {', '.join(NAMES)}")
        pools = (self.training, self.validation, self.held_out)
        if len({name for pool in pools for name in pool}) < sum(map(len, pools)):
            raise ValueError("an opponent stands in two pools; the proof would be worth nothing")
        return self

    def _each(self) -> Iterator[Numbers]:
        for pool in (self.training, self.validation, self.held_out):
            yield from pool.values()

    @property
    def first(self) -> Strategy:
        """What evolution begins with, and is measured against."""
        return Strategy(**self.baseline.strategy)

    def strategy(self, name: str) -> Strategy:
        """A frozen opponent."""
        for pool in (self.training, self.validation, self.held_out):
            if name in pool:
                return Strategy(**{**self.plain, **pool[name]})
        raise Unknown(f"there is no opponent {name}")


class Tones(Part):
    raises: Annotated[frozenset[str], Field(min_length=1)]
    lowers: Annotated[frozenset[str], Field(min_length=1)]


class Blueprint(Part):
    """An agent that the provisioner can design without a model."""

    #: It speaks after every so many turns.
    every: Annotated[int, Field(ge=1, le=20)]
    paths: tuple[Dotted, ...]
    speaks: ArenaAct
    prompt: Prose
    rationale: Prose


class Lines(Part):
    public: dict[ArenaAct, Annotated[tuple[Prose, ...], Field(min_length=1)]]
    private: dict[ArenaAct, Prose]
    tones: Tones
    stances: dict[Stance, Prose]
    designs: dict[Design, Blueprint]


class Content(Part):
    scenarios: Annotated[dict[Name, Scenario], Field(min_length=1)]
    cast: Casting
    lines: Lines

    def scenario(self, name: str) -> Scenario:
        """A scenario by name.

        Raises:
            Unknown: there is none of that name.
        """
        if name not in self.scenarios:
            raise Unknown(f"there is no scenario {name}; there are {', '.join(sorted(self.scenarios))}")
        return self.scenarios[name]
