"""A forecast service over HTTP: one GET with coordinates, an answer in the form that Open-Meteo has."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import datetime
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from greenroom.adapters.weather.seasonal import SeasonalWeather
from greenroom.adapters.weather.sky import Sky, SkyKind, Weather

log = logging.getLogger("greenroom")

SOURCE: Final = "forecast service"
_MOST_BYTES: Final = 100_000
#: Metres a second from which the wind is the weather.
_WINDY: Final = 12.0
_STORMY: Final = 20.0


class ForecastWeather:
    """Asks a service, and looks out of the window by itself when nobody answers in time."""

    def __init__(
        self,
        url: str,
        *,
        latitude: float,
        longitude: float,
        seconds: float = 3.0,
        otherwise: Weather | None = None,
    ) -> None:
        query = urlencode({
            "latitude": latitude,
            "longitude": longitude,
            "current": "temperature_2m,weather_code,wind_speed_10m",
            "wind_speed_unit": "ms",
        })  # fmt: skip
        self._url = f"{url}?{query}"
        self._seconds = seconds
        self._otherwise = otherwise or SeasonalWeather()

    async def at(self, town: str, moment: datetime) -> Sky:
        try:
            async with asyncio.timeout(self._seconds + 0.5):
                return _read(await asyncio.to_thread(self._get))
        except (OSError, URLError, ValueError, KeyError, TypeError, TimeoutError) as error:
            log.warning("the forecast service gave no weather (%s); it is made up", type(error).__name__)
            return await self._otherwise.at(town, moment)

    def _get(self) -> Any:
        with urlopen(self._url, timeout=self._seconds) as reply:
            return json.loads(reply.read(_MOST_BYTES))


def _read(data: Any) -> Sky:
    now = data["current"]
    wind = float(now["wind_speed_10m"])
    return Sky(kind=_kind(int(now["weather_code"]), wind), celsius=round(float(now["temperature_2m"])), source=SOURCE)


def _kind(code: int, wind: float) -> SkyKind:
    """From the codes of the World Meteorological Organization, as far as people under a roof need them."""
    if code >= 95 or wind >= _STORMY:
        return "storm"
    for kinds, kind in _CODES:
        if code in kinds:
            return "wind" if kind in ("clear", "cloud") and wind >= _WINDY else kind
    return "cloud"


_CODES: Final[tuple[tuple[frozenset[int], SkyKind], ...]] = (
    (frozenset((0, 1)), "clear"),
    (frozenset((2, 3)), "cloud"),
    (frozenset((45, 48)), "fog"),
    (frozenset((51, 53, 55, 56, 57)), "drizzle"),
    (frozenset((61, 63, 65, 80, 81, 82)), "rain"),
    (frozenset((66, 67)), "sleet"),
    (frozenset((71, 73, 75, 77, 85, 86)), "snow"),
)
