"""A sky by date and town: always the same for the same day, and what a northern coast may expect in that month."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from greenroom.adapters.weather.sky import Sky, SkyKind
from greenroom.kernel.chance import Chance

SOURCE: Final = "the season"

#: Of a hundred days of a season, how many are like this.
_SEASONS: Final[Mapping[str, Mapping[SkyKind, int]]] = {
    "winter": {"snow": 26, "sleet": 14, "wind": 14, "storm": 8, "cloud": 16, "clear": 12, "rain": 6, "fog": 4},
    "spring": {"rain": 18, "drizzle": 16, "cloud": 22, "clear": 20, "wind": 10, "sleet": 8, "fog": 6},
    "summer": {"clear": 34, "cloud": 24, "drizzle": 14, "rain": 16, "fog": 8, "wind": 4},
    "autumn": {"rain": 30, "drizzle": 14, "wind": 14, "storm": 10, "cloud": 16, "fog": 10, "clear": 6},
}
#: Degrees in the middle of each month.
_DEGREES: Final = (-2, -2, 0, 3, 7, 11, 13, 13, 10, 6, 2, -1)
_WARMEST_SNOW: Final = 1
_COLDEST_RAIN: Final = 1


class SeasonalWeather:
    """Needs nobody; says that it is made up."""

    async def at(self, town: str, moment: datetime) -> Sky:
        chance = Chance("sky", town.casefold(), moment.date().isoformat())
        kind = _drawn(_SEASONS[_season(moment.month)], chance)
        celsius = _DEGREES[moment.month - 1] + chance.below(9) - 4
        if kind in ("snow", "sleet"):
            celsius = min(celsius, _WARMEST_SNOW)
        elif kind in ("rain", "drizzle"):
            celsius = max(celsius, _COLDEST_RAIN)
        return Sky(kind=kind, celsius=celsius, source=SOURCE)


def _season(month: int) -> str:
    return ("winter", "spring", "summer", "autumn")[month % 12 // 3]


def _drawn(days: Mapping[SkyKind, int], chance: Chance) -> SkyKind:
    place = chance.below(sum(days.values()))
    for kind, count in days.items():
        place -= count
        if place < 0:
            return kind
    raise AssertionError("the days of a season are more than none")
