"""What the bar has beside its rules: content, weather, what a message means, and a cast with no model behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, TypeVar

from greenroom.adapters.content import load, packaged
from greenroom.adapters.models.understudy import Part
from greenroom.adapters.mpnet import missing
from greenroom.adapters.tools import Tool
from greenroom.adapters.weather import ForecastWeather, SeasonalWeather, Weather, look_out
from greenroom.kernel.asks import AskModel, Json, UseTool
from greenroom.kernel.worlds import World
from greenroom.ports import Asked, Embedder
from greenroom.worlds.bar.outside.asks import before_in, said_in
from greenroom.worlds.bar.outside.german import German
from greenroom.worlds.bar.outside.understudy import Understudies
from greenroom.worlds.bar.outside.voices import Topics, Voices, checked
from greenroom.worlds.bar.rules import NAME, BarHouse, Content, Resources, bar, bar_door, bar_referrals, prompts
from greenroom.worlds.bar.rules.crisis import Check
from greenroom.worlds.bar.rules.crisis.exchange import together
from greenroom.worlds.bar.rules.crisis.likeness import Learned
from greenroom.worlds.bar.settings import BarSettings

if TYPE_CHECKING:
    from pydantic import BaseModel

    from greenroom.adapters.mpnet.judge import MpnetJudge

M = TypeVar("M", bound="BaseModel")


def file(name: str) -> Traversable:
    """A file of the bar's content."""
    return packaged("greenroom.worlds.bar", f"content/{name}")


def probes(name: str, form: type[M]) -> M:
    """One file of probes: what guests say, and what must stand in the reply."""
    return load(file(f"probes/{name}.yaml"), form)


def content(settings: BarSettings | None = None) -> Content:
    """The bar's content, in the town, zone and country of the settings."""
    given = {} if settings is None else settings.model_dump(include={"town", "zone", "country"}, exclude_none=True)
    return _shipped(**given)


@cache  # what is packaged does not change; reading it takes longer than opening a house
def _shipped(**placed: str) -> Content:
    if placed:
        there = _shipped()
        return Content(house=there.house.placed(**placed), resources=there.resources, check=there.check)
    house, resources = load(file("house.yaml"), BarHouse), load(file("resources.yaml"), Resources)
    return Content(house=house, resources=resources, check=Check(learned()))


def learned() -> Learned:
    """What the local check has learned: a feature, a tab and its weight in each line."""
    rows = (line.split("\t") for line in file("crisis.tsv").read_text(encoding="utf-8").splitlines())
    return Learned({feature: float(weight) for feature, weight in rows})


def prepare() -> None:
    """Make ready what the first message would wait for."""
    content().check.examine("")


@cache
def understudies() -> Understudies:
    """The cast with no model behind it."""
    said = checked(load(file("voices.yaml"), Voices), load(file("topics.yaml"), Topics))
    return Understudies(*said, content(), load(file("german.yaml"), German))


def judge_of(settings: BarSettings) -> MpnetJudge | None:
    """Who says what a guest's message means, where its model is installed and wanted."""
    return _judge() if settings.recall == "vectors" and not missing() else None


def watched_by(settings: BarSettings) -> str:
    """One sentence for people: what the local check goes by in this house."""
    if settings.recall == "words":
        return "guests in danger are looked for by words alone, as GREENROOM_RECALL says"
    if absent := missing():
        return (
            f"guests in danger are looked for by words alone, which misses one in thirteen: {len(absent)} packages of "
            "the model for the meaning are missing, see docs/worlds/bar.md"
        )
    return "guests in danger are looked for by words and meaning"


def lacks(settings: BarSettings) -> Sequence[str]:
    """What is missing here, unless it was chosen so."""
    return (watched_by(settings),) if settings.recall == "vectors" and missing() else ()


@cache  # one for all houses of a process: it takes seconds to load
def _judge() -> MpnetJudge:
    from greenroom.adapters.mpnet.judge import MpnetJudge  # noqa: PLC0415  only where its packages are

    return MpnetJudge(file("crisis.npz").read_bytes, file("ordinary.npz").read_bytes)


# what the plug-in refers to


def worlds(settings: BarSettings) -> Sequence[World[Any, Any, Any]]:
    told = content(settings)
    return (bar(told), bar_door(told), bar_referrals())


class FastPart:
    """The understudy's router and watch: by what a message means where the house can say, by words where it cannot."""

    def __init__(self, cast: Understudies, judge: MpnetJudge | None) -> None:
        self._cast, self._judge = cast, judge

    def __call__(self, ask: AskModel, asked: Asked) -> Json:
        return self._cast.answer(ask)

    def with_encoder(self, embedder: Embedder) -> Any:
        """The same by meaning: a coroutine function."""
        routes, judge = self._cast.with_encoder(embedder), self._judge

        async def answer(ask: AskModel, asked: Asked) -> Json:
            if ask.seat == prompts.WATCH and judge is not None:
                said, before = said_in(ask), before_in(ask)
                again = await judge.odds(together(before, said), said) if before else None
                return self._cast.answer(ask, meaning=await judge.odds(said), again=again)
            return await routes(ask, asked)

        return answer


def voices(settings: BarSettings) -> Mapping[str, Part]:
    cast = understudies()
    return {NAME: cast, f"{NAME}/{prompts.FAST}": FastPart(cast, judge_of(settings))}


def tools(settings: BarSettings) -> Mapping[str, Tool]:
    judge = judge_of(settings)
    weather: Weather = SeasonalWeather()
    if settings.weather_url is not None:
        latitude, longitude = settings.coordinates
        weather = ForecastWeather(settings.weather_url, latitude=latitude, longitude=longitude)

    async def meaning(ask: UseTool, _: str) -> Json:
        return None if judge is None else await judge.odds(str(ask.args["text"]), str(ask.args.get("said", "")))

    return {"weather": lambda ask, _: look_out(weather, ask), prompts.MEANING: meaning}
