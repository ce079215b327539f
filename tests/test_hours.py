"""What keeps tests apart from the hours of the real day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from greenroom.worlds.lighthouse.outside import content
from tests.hours import HOURS, until_next


def test_the_hours_are_those_of_the_lighthouse() -> None:
    told = content().hours
    assert sorted({told.dawn, told.mail, told.dusk}) == [*HOURS]


def test_the_next_hour_may_be_of_the_next_day() -> None:
    at = datetime(2031, 3, 4, tzinfo=UTC)
    assert until_next(at.replace(hour=5, minute=59)) == timedelta(minutes=1)
    assert until_next(at.replace(hour=6)) == timedelta(hours=2), "one that strikes now has struck"
    assert until_next(at.replace(hour=23)) == timedelta(hours=7)
