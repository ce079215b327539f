"""Moments: aware UTC datetimes outside, whole microseconds since 1970 in anything stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from greenroom.kernel.errors import Malformed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICRO = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """The moment as whole microseconds since 1970.

    Raises:
        Malformed: the moment has no time zone.
    """
    if moment.tzinfo is None:
        raise Malformed("a moment needs a time zone; use datetime.now(UTC) or attach one")
    return (moment - _EPOCH) // _MICRO


@lru_cache(maxsize=1024)  # a turn reads its own moment several times
def moment(micros_since_1970: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros_since_1970)
