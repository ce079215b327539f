"""Looking out of the window: a forecast service where one is configured, else a sky made up from season and town."""

from greenroom.adapters.weather.forecast import ForecastWeather
from greenroom.adapters.weather.seasonal import SeasonalWeather
from greenroom.adapters.weather.sky import Sky, Weather
from greenroom.adapters.weather.sky import use as look_out

__all__ = ["ForecastWeather", "SeasonalWeather", "Sky", "Weather", "look_out"]
