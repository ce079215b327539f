"""What is seen out of the window, and who looks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, Protocol, TypeAlias

from greenroom.kernel.asks import Failed, Json, UseTool

SkyKind: TypeAlias = Literal["clear", "cloud", "drizzle", "rain", "sleet", "snow", "fog", "wind", "storm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sky:
    """The sky over one place at one moment."""

    kind: SkyKind
    celsius: int
    #: Who says so: ``forecast service`` or ``the season``.
    source: str


class Weather(Protocol):
    """Knows the weather."""

    async def at(self, town: str, moment: datetime) -> Sky:
        """The sky over a town. Never fails: whoever does not know makes something up and says so."""


async def use(weather: Weather, ask: UseTool) -> Json | Failed:
    """The tool ``weather``: ``{"town": …, "at": ISO moment}``. It changes nothing, so its key does not matter."""
    args: Any = ask.args
    try:
        moment = datetime.fromisoformat(args["at"])
        return asdict(await weather.at(str(args["town"]), moment))
    except (KeyError, TypeError, ValueError):
        return Failed("the tool weather needs a town and a moment, {'town': …, 'at': …}")
