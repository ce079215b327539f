"""The player's own time: days, the Thursday, quiet hours, and when a letter may go out."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from greenroom.worlds.phantom.rules.state import Phantom, Phase

DAY = timedelta(days=1)
#: The end of the Thursday is at least this far away.
RUN_UP = timedelta(hours=48)
#: Letters of agents in one local day, at most.
MOST_A_DAY = 6
#: Nothing goes out from this hour of the evening to that one of the morning, …
NIGHT, MORNING = 22, 8
#: … unless the player wrote so short a time before.
AWAKE = timedelta(hours=1)

THURSDAY = 3


def local(zone: str, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(zone))


def moment(zone: str, day: date, hour: int = 0) -> datetime:
    """An hour of a local day, in UTC."""
    return datetime.combine(day, time(hour), tzinfo=ZoneInfo(zone)).astimezone(UTC)


def thursday(zone: str, start: datetime) -> tuple[datetime, datetime]:
    """The first local Thursday that ends at least 48 hours after the start: its first moment, and when it is over."""
    day = local(zone, start).date()
    while day.weekday() != THURSDAY or moment(zone, day + DAY) < start + RUN_UP:
        day += DAY
    return moment(zone, day), moment(zone, day + DAY)


def phase(state: Phantom, at: datetime) -> Phase:
    """Where the story stands at a moment."""
    if state.started_at is None or state.thursday_at is None or state.deadline_at is None:
        return "prologue"
    if at >= state.deadline_at:
        return "post_thursday"
    if at >= state.thursday_at:
        return "thursday"
    return "day_1" if at < state.started_at + DAY else "day_2"


def day_of(state: Phantom, at: datetime) -> int:
    """The day of the story: the first 24 hours are day 1; 0 before the start."""
    return 0 if state.started_at is None else 1 + max(timedelta(0), at - state.started_at) // DAY


def quiet(zone: str, at: datetime) -> bool:
    hour = local(zone, at).hour
    return hour >= NIGHT or hour < MORNING


def paced(state: Phantom, wanted: datetime) -> datetime:
    """When a letter wanted at a moment may go out: moved to a morning if need be, never dropped."""
    at = wanted
    while True:
        day = local(state.timezone, at).date()
        if state.days.get(day.isoformat(), 0) >= MOST_A_DAY:
            at = moment(state.timezone, day + DAY, MORNING)
        elif quiet(state.timezone, at) and not _awake(state, at):
            at = _morning(state.timezone, at)
        else:
            return at


def day_name(state: Phantom, at: datetime) -> str:
    """The local day of a moment, as letters are counted by it."""
    return local(state.timezone, at).date().isoformat()


def _awake(state: Phantom, at: datetime) -> bool:
    wrote = state.presence.last_player_at
    return wrote is not None and wrote <= at <= wrote + AWAKE


def _morning(zone: str, at: datetime) -> datetime:
    """The next time the morning comes."""
    here = local(zone, at)
    return moment(zone, here.date() + (DAY if here.hour >= NIGHT else timedelta(0)), MORNING)
