"""What can be set of the bar from outside."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class BarSettings(BaseModel):
    model_config = ConfigDict(frozen=True)

    town: str | None = Field(default=None, min_length=1, description="The town the bar is in.")
    zone: str | None = Field(
        default=None, min_length=1, description="The bar's time zone, such as `Europe/Oslo`: its days end there."
    )
    country: str | None = Field(
        default=None, min_length=2, description="Whose helplines Hermes names, such as `gb`; international by default."
    )
    coordinates: tuple[float, float] = Field(
        default=(68.2, 14.4), description="Latitude and longitude for the forecast service, as JSON: `[68.2, 14.4]`."
    )
    weather_url: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        validation_alias=AliasChoices("greenroom_bar_weather_url", "greenroom_weather_url"),
        description="A forecast service in Open-Meteo's form for the bar's weather; without it the weather is made up "
        "from season and town. Also read from `GREENROOM_WEATHER_URL`.",
    )
    recall: Literal["vectors", "words"] = Field(
        default="vectors",
        validation_alias=AliasChoices("greenroom_bar_recall", "greenroom_recall"),
        description="What the crisis check goes by: what a message means, where that model is installed, or its words "
        "alone. Also read from `GREENROOM_RECALL`.",
    )
