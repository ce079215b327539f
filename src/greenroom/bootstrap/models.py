"""What answers when a turn asks: the models of the settings, the understudy, tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from greenroom.adapters.models.caps import Caps
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.digest import digests
from greenroom.adapters.models.prices import Price
from greenroom.adapters.models.understudy import Part, SlowPart, Understudy
from greenroom.adapters.mpnet import missing
from greenroom.adapters.tools import Toolbox
from greenroom.adapters.weather import ForecastWeather, SeasonalWeather, Weather, look_out
from greenroom.bootstrap.worlds import AnyWorld, bar_file, bar_understudies, lighthouse_content, read_phantom
from greenroom.kernel.asks import AskModel, Json, UseTool
from greenroom.kernel.ports import Asked, Backend, Clock, Models
from greenroom.settings import CapSettings, RoleSettings, Settings
from greenroom.worlds.bar import prompts as bar_prompts
from greenroom.worlds.bar.understudy import said_in
from greenroom.worlds.lighthouse.lines import answer
from greenroom.worlds.phantom.lines import answer as phantom_answer

if TYPE_CHECKING:
    from greenroom.adapters.mpnet.judge import Judge


def understudy(
    digest: Callable[[str], str], parts: Mapping[str, Part] | None = None, *, judge: Judge | None = None
) -> Understudy:
    """The model that needs nothing, with the lines of the shipped worlds and of others."""
    content, story, cast = lighthouse_content(), read_phantom(), bar_understudies()
    shipped: dict[str, Part] = {
        "lighthouse": lambda ask, _: answer(content, ask),
        "phantom": lambda ask, _: phantom_answer(story, ask),
        "bar": lambda ask, _: cast.answer(ask),
    }
    return Understudy({**shipped, **(parts or {})}, slow=_bar_watch(judge), digest=digest)


def default_models(
    settings: Settings,
    back: Backend,
    worlds: Sequence[AnyWorld],
    clock: Clock,
    *,
    parts: Mapping[str, Part] | None = None,
    judge: Judge | None = None,
) -> Models:
    """The models of the settings; the understudy where there are none.

    Raises:
        Malformed: a role's model is unknown, or caps are set and a model has no price.
    """
    digest = digests({world.name: getattr(world.handle, "func", world.handle).__module__ for world in worlds})
    if not settings.models:
        return understudy(digest, parts, judge=judge)
    return ConfiguredModels(
        {name: _role(settings, role) for name, role in settings.models.items()},
        understudy=understudy(digest, parts, judge=judge),
        clock=clock,
        caps=_caps(settings.caps),
        spending=back.spending,
        digest=digest,
    )


def _role(settings: Settings, given: RoleSettings) -> Role:
    plain = given.model_dump(exclude={"api_key", "price"})
    provider = given.model.partition(":")[0]
    price = None if given.price is None else Price(input=given.price.input, output=given.price.output)
    return Role(**plain, price=price, api_key=settings.api_key(provider, given))


def _caps(given: CapSettings) -> Caps:
    return Caps(**{kind: None if cap is None else int(cap * 1_000_000) for kind, cap in given.model_dump().items()})


def judge_of(settings: Settings) -> Judge | None:
    """Who says what a guest's message means, where its model is installed and embedded models are wanted."""
    return _judge() if settings.recall == "vectors" and not missing() else None


@cache  # one for all houses of a process: it takes seconds to load
def _judge() -> Judge:
    from greenroom.adapters.mpnet.judge import Judge  # noqa: PLC0415  only where its packages are

    return Judge(bar_file("crisis.npz").read_bytes())


def _bar_watch(judge: Judge | None) -> Mapping[str, SlowPart]:
    """The understudy's half of the bar's crisis check by what messages mean."""
    if judge is None:
        return {}
    cast = bar_understudies()

    async def watch(ask: AskModel, _: Asked) -> Json | None:
        if ask.seat != bar_prompts.WATCH:
            return None
        return cast.answer(ask, meaning=await judge.odds(said_in(ask)))

    return {"bar": watch}


def default_tools(settings: Settings, judge: Judge | None = None) -> Toolbox:
    """The tools of the shipped worlds."""
    weather: Weather = SeasonalWeather()
    if settings.weather_url is not None:
        latitude, longitude = settings.bar_coordinates
        weather = ForecastWeather(settings.weather_url, latitude=latitude, longitude=longitude)

    async def meaning(ask: UseTool, _: str) -> Json:
        return None if judge is None else await judge.odds(str(ask.args["text"]))

    return Toolbox({"weather": lambda ask, _: look_out(weather, ask), bar_prompts.MEANING: meaning})
