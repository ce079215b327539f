"""How often somebody was told where to turn: one stream for each year, with numbers in it and nobody's words or ids.

It belongs to the house and not to a guest, so that the numbers stay when a guest is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from greenroom.kernel.errors import Refused
from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.worlds import CommandContext, EventContext, Seat, Turn, World, done

NAME = "bar_referrals"
#: Who owns the numbers: the house, not a person.
OWNER = "bar:house"
CLERK: Seat = "clerk"
MONTHS: Final = 12

#: Hermes named places; a model cleared a doubtful alarm; a guest took one back.
Referral: TypeAlias = Literal["referred", "cleared", "taken_back"]
REFERRALS: Final[tuple[Referral, ...]] = get_args(Referral)


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """The config of a stream: the year that is counted."""

    year: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """It happened once more in this month (1 to 12)."""

    kind: Referral
    month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YearBegun:
    year: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    kind: Referral
    month: int


ReferralEvent: TypeAlias = YearBegun | Counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferralYear:
    year: int = 0
    #: For each kind twelve numbers, January first; a kind that never happened is not here.
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def of(self, kind: Referral) -> tuple[int, ...]:
        return tuple(self.counts.get(kind, (0,) * MONTHS))


COUNTS = Table(
    name="bar_referrals",
    key=("month", "kind"),
    columns=(
        Column(name="month"),
        Column(name="kind", among=REFERRALS),
        Column(name="count", kind="integer"),
    ),
)


def referrals_stream(year: int) -> str:
    return f"bar-referrals-{year}"


def begin(given: CommandContext[Year]) -> Turn[ReferralEvent]:
    yield from ()
    return done(YearBegun(year=given.command.year))


def handle(state: ReferralYear, given: CommandContext[Any]) -> Turn[ReferralEvent]:
    """Count once more.

    Raises:
        Refused: it is not the clerk who counts, or there is no such month.
    """
    yield from ()
    match given.command:
        case Count(kind=kind, month=month) if given.seat == CLERK:
            if kind not in REFERRALS or not 1 <= month <= MONTHS:
                raise Refused(f"a month is a number from 1 to {MONTHS}, and one of {', '.join(REFERRALS)} is counted")
            return done(Counted(kind=kind, month=month))
        case _:
            raise Refused("only the clerk counts")


def evolve(state: ReferralYear, told: EventContext[ReferralEvent]) -> ReferralYear:
    match told.event:
        case YearBegun(year=year):
            return replace(state, year=year)
        case Counted(kind=kind, month=month):
            months = tuple(n + (i == month) for i, n in enumerate(state.of(kind), start=1))
            return replace(state, counts={**state.counts, kind: months})


def legal(state: ReferralYear, seat: Seat) -> Sequence[Count]:
    if seat != CLERK or not state.year:
        return ()
    return tuple(Count(kind=kind, month=month) for kind in REFERRALS for month in (1, MONTHS))


def view(state: ReferralYear, seat: Seat, now: datetime) -> Mapping[str, Any]:
    """The same for everybody: there is nothing in it to hide."""
    return {"year": state.year, "counts": {kind: list(state.of(kind)) for kind in REFERRALS}}


def shows(state: ReferralYear, told: EventContext[ReferralEvent], seat: Seat) -> Mapping[str, Any] | None:
    match told.event:
        case Counted(kind=kind, month=month):
            return {"kind": kind, "month": month}
        case _:
            return {}


def reply(state: ReferralYear, events: Sequence[EventContext[ReferralEvent]], seat: Seat) -> Mapping[str, Any]:
    return {"year": state.year}


def rows(state: ReferralYear, told: EventContext[ReferralEvent]) -> Sequence[Change]:
    match told.event:
        case Counted(kind=kind, month=month):
            count = state.of(kind)[month - 1]
            return (Put(COUNTS.name, {"month": f"{state.year}-{month:02}", "kind": kind, "count": count}),)
        case _:
            return ()


def bar_referrals() -> World[ReferralYear, Count, ReferralEvent]:
    """The world of the bar's yearly numbers."""
    return World(
        name=NAME,
        shape=1,
        state=ReferralYear,
        config=Year,
        commands={"count": Count},
        events={"year_begun": YearBegun, "counted": Counted},
        blank=ReferralYear(),
        open=begin,
        handle=handle,
        evolve=evolve,
        legal=legal,
        seats=lambda state: (CLERK,),
        view=view,
        shows=shows,
        reply=reply,
        tables=(COUNTS,),
        rows=rows,
    )
