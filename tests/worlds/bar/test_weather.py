"""Looking out of the window: both ways, and who says so. (Ruling 12.)"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from greenroom.adapters.tools import Toolbox
from greenroom.adapters.weather import ForecastWeather, SeasonalWeather, look_out
from greenroom.kernel.asks import Failed, UseTool
from tests.worlds.bar.stage import shipped

MARCH = datetime(2031, 3, 4, 19, 0, tzinfo=UTC)
PLACE: dict[str, Any] = {"latitude": 68.2, "longitude": 14.4}


async def test_the_made_up_sky_is_the_same_for_the_same_day_and_town_and_says_so() -> None:
    window = SeasonalWeather()
    first, again = await window.at("Holmvåg", MARCH), await window.at("Holmvåg", MARCH + timedelta(hours=3))
    assert first == again
    assert first.source == "the season"
    assert len({(await window.at("Holmvåg", MARCH + timedelta(days=d))).kind for d in range(60)}) >= 5
    assert {(await window.at(town, MARCH)).kind for town in map(str, range(40))} != {first.kind}


async def test_a_year_of_skies_is_known_to_the_content_and_fits_its_season() -> None:
    window = SeasonalWeather()
    for day in range(366):
        sky = await window.at("Holmvåg", MARCH + timedelta(days=day))
        month = (MARCH + timedelta(days=day)).month
        assert sky.kind in shipped().house.skies
        assert not (sky.kind == "snow" and month in (6, 7, 8))
        assert not (sky.kind == "snow" and sky.celsius > 1)


@contextmanager
def service(body: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/forecast", seen
        server.shutdown()
        thread.join(5)


@pytest.mark.parametrize(
    ("code", "wind", "kind"),
    [
        (0, 2, "clear"),
        (3, 15, "wind"),
        (45, 1, "fog"),
        (63, 3, "rain"),
        (73, 3, "snow"),
        (2, 25, "storm"),
        (95, 3, "storm"),
    ],
)
async def test_a_forecast_service_is_asked_for_the_bars_own_place(code: int, wind: float, kind: str) -> None:
    told = {"current": {"temperature_2m": 3.6, "weather_code": code, "wind_speed_10m": wind}}
    with service(json.dumps(told).encode()) as (url, seen):
        sky = await ForecastWeather(url, **PLACE).at("Holmvåg", MARCH)
    assert (sky.kind, sky.celsius, sky.source) == (kind, 4, "forecast service")
    assert "latitude=68.2" in seen[0]
    assert "longitude=14.4" in seen[0]


@pytest.mark.parametrize(("body", "status"), [(b"{}", 200), (b"not json", 200), (b"", 500), (b'{"current": 7}', 200)])
async def test_a_service_that_fails_leaves_a_made_up_sky_that_says_so(body: bytes, status: int) -> None:
    with service(body, status) as (url, _):
        sky = await ForecastWeather(url, **PLACE, seconds=1.0).at("Holmvåg", MARCH)
    assert sky == await SeasonalWeather().at("Holmvåg", MARCH)


async def test_the_tool_answers_by_name_and_refuses_what_it_does_not_know() -> None:
    box = Toolbox({"weather": lambda ask, _: look_out(SeasonalWeather(), ask)})
    asked = UseTool(name="weather", args={"town": "Holmvåg", "at": MARCH.isoformat()})
    answer: Any = await box.use(asked, "k")
    assert answer["source"] == "the season"
    assert isinstance(await box.use(UseTool(name="weather"), "k"), Failed)
    assert isinstance(await box.use(UseTool(name="oracle"), "k"), Failed)
