"""The yearly report: what is counted of guests in danger, when, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from greenroom.kernel.errors import Forgotten, Unknown
from greenroom.kernel.times import moment
from greenroom.services.house import House, Reply
from greenroom.worlds.bar.rules import NAME, Content, referrals
from greenroom.worlds.bar.rules.referrals import CLERK, OWNER, REFERRALS, Count, Referral, Year, referrals_stream
from greenroom.worlds.bar.rules.tables import MESSAGES

#: The kind of a line in which Hermes names places, and of the events that an alarm leaves which was none.
NAMED_PLACES = "crisis"
CLEARED, TAKEN_BACK = "alarm_cleared", "crisis_taken_back"

#: What the report is about, in the words of whoever must publish it.
MEANINGS: Mapping[Referral, str] = {
    "referred": "times a guest was told of places to turn to",
    "cleared": "doubtful alarms that a model cleared, with its reason",
    "taken_back": "alarms that a guest took back",
}


async def count_said(house: House, reply: Reply) -> None:
    """Count what one message of a guest led to; asked again under the same key, it counts nothing twice."""
    for line in reply.body["messages"]:
        if line["kind"] == NAMED_PLACES:
            await _count(house, "referred", line["id"], reply.at)
    happened = await _kinds(house, reply)
    if CLEARED in happened:
        await _count(house, "cleared", f"{reply.stream}/{reply.version}", reply.at)
    if TAKEN_BACK in happened:
        await count_taken_back(house, reply)


async def count_taken_back(house: House, reply: Reply) -> None:
    """Count that a guest took an alarm back."""
    await _count(house, "taken_back", f"{reply.stream}/{reply.version}", reply.at)


async def _kinds(house: House, reply: Reply) -> frozenset[str]:
    """What happened in one message, by kind."""
    steps = house.raw(reply.stream, after=reply.version - 1, upto=reply.version)
    return frozenset([kind async for step in steps for kind, _ in step.events])


async def _count(house: House, kind: Referral, what: str, at: datetime) -> None:
    """Once for each ``what``: of that a digest is kept which nobody can take back to a guest."""
    day = _day(house, at)
    name = referrals_stream(day.year)
    await house.start(referrals.NAME, Year(year=day.year), owner=OWNER, name=name, seed=0)
    key = house.digest(f"referral/{kind}/{what}").hex()
    await house.send(name, Count(kind=kind, month=day.month), seat=CLERK, key=key)


def _day(house: House, at: datetime) -> date:
    return house.content(NAME, Content).house.today(at)


async def report(house: House, year: int | None = None) -> dict[str, Any]:
    """The numbers of a year, this one by default; referrals that nobody counted in their time are counted first."""
    await _catch_up(house)
    wanted = _day(house, moment(house.now())).year if year is None else year
    try:
        seen = (await house.view(referrals_stream(wanted), seat=CLERK)).body["counts"]
    except (Unknown, Forgotten):
        seen = {}
    months = {kind: list(seen.get(kind) or [0] * referrals.MONTHS) for kind in REFERRALS}
    return {
        "year": wanted,
        **{kind: sum(months[kind]) for kind in REFERRALS},
        "months": [
            {"month": f"{wanted}-{i + 1:02}", **{kind: months[kind][i] for kind in REFERRALS}}
            for i in range(referrals.MONTHS)
        ],
        "meanings": dict(MEANINGS),
        "holds": "numbers by month; no words, ids, ages, places or times of any guest",
        "protocol": "docs/worlds/bar-protocol.md",
    }


async def _catch_up(house: House) -> None:
    """Count what was said before anything was counted, or in a process that died before it could."""
    async for stream in house.every_stream(NAME):
        if stream.parent is None:
            for row in await house.rows(stream.name, MESSAGES):
                if row["kind"] == NAMED_PLACES:
                    await _count(house, "referred", row["id"], datetime.fromisoformat(row["timestamp"]))


__all__ = ["count_said", "count_taken_back", "report"]
