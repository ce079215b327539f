"""The composition root: the only module that names concrete classes."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from greenroom.adapters.channels import ChannelMaker, LocalInbox, Switchboard
from greenroom.adapters.channels.seals import seal
from greenroom.adapters.clocks import MachineClock, VirtualClock
from greenroom.adapters.content import load, named_files, packaged
from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.models.caps import Caps
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.digest import digests
from greenroom.adapters.models.prices import Price
from greenroom.adapters.models.understudy import Part, SlowPart, Understudy
from greenroom.adapters.sql.addresses import is_url
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.adapters.tools import Toolbox
from greenroom.adapters.weather import ForecastWeather, SeasonalWeather, Weather, look_out
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.codec import codecs
from greenroom.kernel.errors import Unknown
from greenroom.kernel.ports import Asked, Backend, Channel, Clock, Embedder, Models, Outgoing, Tools
from greenroom.kernel.tables import Table
from greenroom.kernel.times import micros
from greenroom.kernel.worlds import World
from greenroom.services.asking import Outside
from greenroom.services.driver import Driver
from greenroom.services.house import House
from greenroom.services.postman import Postman
from greenroom.services.runner import Runner
from greenroom.services.tables import rebuild_stale
from greenroom.services.worker import Worker
from greenroom.settings import CapSettings, RoleSettings, Settings, SmtpSettings, TwilioSettings, read_settings
from greenroom.worlds import bar as bar_world
from greenroom.worlds.bar import prompts as bar_prompts
from greenroom.worlds.bar.understudy import Understudies, Voices, said_in
from greenroom.worlds.lighthouse import Content, lighthouse
from greenroom.worlds.lighthouse.lines import answer
from greenroom.worlds.phantom import content as phantom_content
from greenroom.worlds.phantom import phantom
from greenroom.worlds.phantom.lines import answer as phantom_answer
from greenroom.worlds.secret_agi import secret_agi

if TYPE_CHECKING:
    from greenroom.adapters.postgres.copying import Copied

AnyWorld = World[Any, Any, Any]
NO_POSTGRES = "PostgreSQL is not installed here: pip install 'greenroom[postgres]'"


def shipped_worlds(settings: Settings | None = None) -> tuple[AnyWorld, ...]:
    """The worlds that come with Greenroom."""
    days = None if settings is None else settings.agi_keep_days
    kept = None if days is None else timedelta(days=days)
    house = read_bar(settings)
    pubs = (bar_world.bar(house), bar_world.bar_door(house))
    return (lighthouse(_lighthouse_content()), phantom(read_phantom()), secret_agi(kept), *pubs)


@cache  # what is packaged does not change; reading it takes longer than opening a house
def _lighthouse_content() -> Content:
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


def read_phantom(folder: Path | Traversable | None = None) -> phantom_content.Content:
    """The content of Phantom Protocol: of a folder, of the folder in the settings, or the shipped one.

    Raises:
        Unknown: a file is missing.
        Malformed: something in it is wrong; each line of the message is ``file:line: sentence``.
    """
    place = folder or read_settings().phantom_content
    return _shipped_phantom() if place is None else _phantom(place)


@cache
def _shipped_phantom() -> phantom_content.Content:
    return _phantom(files("greenroom.worlds.phantom").joinpath("content"))


def _phantom(place: Path | Traversable) -> phantom_content.Content:
    agents = named_files(place.joinpath("agents"))
    story = load(place.joinpath("story.yaml"), phantom_content.Story)
    known = {
        "agents": tuple(agents),
        "items": tuple(story.items),
        "milestones": phantom_content.milestones(tuple(agents), story),
    }
    return phantom_content.whole(
        story=story,
        documents=load(place.joinpath("documents.yaml"), phantom_content.Documents, context=known),
        triggers=load(place.joinpath("triggers.yaml"), phantom_content.Triggers, context=known).triggers,
        agents={name: load(file, phantom_content.Agent, context=known) for name, file in agents.items()},
        where=str(place),
    )


def read_bar(settings: Settings | None = None) -> bar_world.Content:
    """The bar's content, in the town, zone and country of the settings."""
    house, resources = _shipped_bar()
    if settings is not None:
        given = {"town": settings.bar_town, "zone": settings.bar_zone, "country": settings.bar_country}
        named = {name: value for name, value in given.items() if value is not None}
        house = house.placed(**named) if named else house
    return bar_world.Content(house=house, resources=resources)


@cache
def _shipped_bar() -> tuple[bar_world.House, bar_world.Resources]:
    return load(_bar_file("house.yaml"), bar_world.House), load(_bar_file("resources.yaml"), bar_world.Resources)


@cache
def bar_understudies() -> Understudies:
    """The bar's cast with no model behind it."""
    return Understudies(load(_bar_file("voices.yaml"), Voices))


def _bar_watch(embedder: Embedder | None) -> Mapping[str, SlowPart]:
    """The understudy's half of the bar's crisis check by what messages mean, where the embedded model is installed."""
    if embedder is None:
        return {}
    from greenroom.adapters.embeddings.head import Head  # noqa: PLC0415  only where its packages are
    from greenroom.adapters.embeddings.minilm import MiniLM  # noqa: PLC0415

    if not isinstance(embedder, MiniLM):
        return {}
    head, cast = Head(embedder, _bar_file("crisis.npz").read_bytes()), bar_understudies()

    async def watch(ask: AskModel, _: Asked) -> Json | None:
        if ask.seat != bar_prompts.WATCH:
            return None
        return cast.answer(ask, meaning=await head.odds(said_in(ask)))

    return {"bar": watch}


def _bar_file(name: str) -> Traversable:
    return packaged("greenroom.worlds.bar", f"content/{name}")


def default_tools(settings: Settings) -> Toolbox:
    """The tools of the shipped worlds."""
    weather: Weather = SeasonalWeather()
    if settings.weather_url is not None:
        latitude, longitude = settings.bar_coordinates
        weather = ForecastWeather(settings.weather_url, latitude=latitude, longitude=longitude)
    return Toolbox({"weather": lambda ask, _: look_out(weather, ask)})


def understudy(
    digest: Callable[[str], str], parts: Mapping[str, Part] | None = None, *, embedder: Embedder | None = None
) -> Understudy:
    """The model that needs nothing, with the lines of the shipped worlds and of others."""
    content, story, cast = _lighthouse_content(), read_phantom(), bar_understudies()
    shipped: dict[str, Part] = {
        "lighthouse": lambda ask, _: answer(content, ask),
        "phantom": lambda ask, _: phantom_answer(story, ask),
        "bar": lambda ask, _: cast.answer(ask),
    }
    return Understudy({**shipped, **(parts or {})}, slow=_bar_watch(embedder), digest=digest)


def default_models(
    settings: Settings,
    back: Backend,
    worlds: Sequence[AnyWorld],
    clock: Clock,
    *,
    parts: Mapping[str, Part] | None = None,
    embedder: Embedder | None = None,
) -> Models:
    """The models of the settings; the understudy where there are none.

    Raises:
        Malformed: a role's model is unknown, or caps are set and a model has no price.
    """
    digest = digests({world.name: getattr(world.handle, "func", world.handle).__module__ for world in worlds})
    if not settings.models:
        return understudy(digest, parts, embedder=embedder)
    return ConfiguredModels(
        {name: _role(settings, role) for name, role in settings.models.items()},
        understudy=understudy(digest, parts, embedder=embedder),
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


def tables_of(worlds: Sequence[AnyWorld]) -> tuple[Table, ...]:
    return tuple(table for world in worlds for table in world.tables)


def worker_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(3)}"


def backend(
    where: Path | str | Shelf, worlds: Sequence[AnyWorld], *, embedder: Embedder | None = None, patient: bool = False
) -> Backend:
    """The back-end behind a path or an address, or a house in memory. Blocks until it is ready.

    ``patient`` recall embeds what its scope lacks before it searches, so that it never depends on how far a
    background job got.
    """
    if isinstance(where, Shelf):
        where.tables = {table.name: table for table in tables_of(worlds)}
        return inmem_backend(where, embedder=embedder)
    if is_url(where):
        return _postgres(str(where), tables_of(worlds), embedder=embedder, patient=patient)
    return sqlite_backend(Path(where), tables_of(worlds), embedder=embedder, patient=patient)


def _postgres(url: str, tables: Sequence[Table], *, embedder: Embedder | None, patient: bool) -> Backend:
    try:
        from greenroom.adapters.postgres import postgres_backend  # noqa: PLC0415 (an extra that may be absent)
    except ModuleNotFoundError:
        raise Unknown(NO_POSTGRES) from None
    return postgres_backend(url, tables, embedder=embedder, patient=patient)


async def copy_house(source: str, target: str, *, progress: Callable[[int, int, str], None]) -> Copied:
    """Copy a whole house from a file to a database on a server, or back, compared by sums.

    Raises:
        Unknown: there is no house to copy.
        Conflict: there is one where it should go.
        Locked: somebody works in the house.
        CorruptHistory: what arrived is not what left; nothing was kept.
    """
    try:
        from greenroom.adapters.postgres import copying  # noqa: PLC0415 (an extra that may be absent)
    except ModuleNotFoundError:
        raise Unknown(NO_POSTGRES) from None
    tables = tables_of(shipped_worlds(read_settings()))
    return await copying.copy_house(source, target, tables, progress)


def assemble(
    back: Backend,
    worlds: Sequence[AnyWorld],
    *,
    models: Models | None = None,
    tools: Tools | None = None,
    clock: Clock | None = None,
    settings: Settings | None = None,
    parts: Mapping[str, Part] | None = None,
    embedder: Embedder | None = None,
) -> House:
    """A house on an open back-end, with nobody working in it yet."""
    known = codecs(worlds)
    clock = clock or MachineClock()
    settings = settings or read_settings()
    models = models or default_models(settings, back, worlds, clock, parts=parts, embedder=embedder)
    outside = Outside(models=models, tools=tools or default_tools(settings), clock=clock)
    driver = Driver(backend=back, codecs=known, outside=outside, worker=worker_name())
    return House(back, known, outside, driver, Runner(back, driver))


def default_channels(settings: Settings, secret: bytes) -> Switchboard:
    """The channels of the settings; the local inbox and phone where there are none."""
    local = LocalInbox()
    makers: dict[str, ChannelMaker] = dict.fromkeys(("inbox", "phone", "email", "sms"), lambda name: local)
    if settings.smtp is not None:
        makers["email"] = _mailboxes(settings.smtp, leave=lambda letter: stop_link(settings, secret, letter))
    if settings.twilio is not None:
        makers["sms"] = _numbers(settings.twilio)
    # Letters of the house itself, such as codes, go the same ways.
    return Switchboard({**makers, "system:email": makers["email"], "system:sms": makers["sms"]})


def stop_link(settings: Settings, secret: bytes, letter: Outgoing) -> str:
    """Where the reader of a letter ends all letters of its stream."""
    stream = quote(letter.stream, safe="")
    return f"{settings.address}/{letter.world}/stop/{stream}/{seal(secret, 'stop', letter.stream)}"


def _mailboxes(given: SmtpSettings, *, leave: Callable[[Outgoing], str]) -> ChannelMaker:
    from greenroom.adapters.smtp.channel import MailServer, SmtpChannel  # noqa: PLC0415 (an extra that may be absent)

    plain = given.model_dump(include={"host", "port", "user", "security", "timeout"})
    server = MailServer(**plain, password=given.password.get_secret_value())
    return lambda name: SmtpChannel(server, sender=given.sender_of(name), leave=leave)


def _numbers(given: TwilioSettings) -> ChannelMaker:
    from greenroom.adapters.twilio.channel import Account, TwilioChannel  # noqa: PLC0415 (an extra that may be absent)

    plain = given.model_dump(include={"sid", "base_url", "timeout"})
    account = Account(**plain, token=given.token.get_secret_value())
    return lambda name: TwilioChannel(account, number=given.numbers.get(name, given.number))


def worker_of(
    house: House,
    *,
    channels: Mapping[str, Channel] | None = None,
    concurrency: int = 64,
    settings: Settings | None = None,
) -> Worker:
    carried = default_channels(settings or read_settings(), house.backend.secret) if channels is None else channels
    postman = Postman(
        backend=house.backend,
        codecs=house.codecs,
        channels=carried,
        clock=house.outside.clock,
        lease=house.driver.lease,
    )
    return Worker(house, postman, concurrency=concurrency)


@asynccontextmanager
async def open_house(
    where: str | Path | Shelf | None = None,
    *,
    worlds: Sequence[AnyWorld] = (),
    models: Models | None = None,
    tools: Tools | None = None,
    channels: Mapping[str, Channel] | None = None,
    clock: Clock | datetime | None = None,
    parts: Mapping[str, Part] | None = None,
    work: bool = True,
) -> AsyncIterator[House]:
    """Open a house and keep it open for the length of the block.

    Args:
        where: a database file; ``postgresql://…`` for a database on a server; ``:memory:`` for a house that is gone
            afterwards; nothing for ``GREENROOM_DATABASE_URL``, or else the file in ``GREENROOM_HOME``.
        worlds: worlds of your own, beside the shipped ones.
        clock: a moment puts the house on a virtual clock that starts there.
        parts: lines of your worlds for the understudy: a function from an ask to its answer, by name of the world or
            by ``world/role``. Without one it makes something up that fits the schema.
        work: whether this process also drives what is due; False leaves that to ``greenroom worker``.

    Raises:
        NewerSchema: a newer Greenroom wrote the database.
        BackendError: it cannot be reached, opened or written.
    """
    settings = read_settings()
    everything = (*shipped_worlds(settings), *worlds)
    place = Shelf() if where == ":memory:" else where or settings.place
    timed = VirtualClock(micros(clock)) if isinstance(clock, datetime) else clock
    embedder = embedded_default() if settings.recall == "vectors" else None
    open_ = partial(backend, place, everything, embedder=embedder, patient=isinstance(timed, VirtualClock))
    house = assemble(
        # A server may be slow to answer: the loop goes on meanwhile.
        await asyncio.to_thread(open_) if is_url(place) else open_(),
        everything,
        models=models,
        tools=tools,
        clock=timed,
        settings=settings,
        parts=parts,
        embedder=embedder,
    )
    try:
        await rebuild_stale(house.backend, house.codecs)
        worker = worker_of(house, channels=channels, concurrency=settings.concurrency, settings=settings)
        house.worker = worker
        house.keeping.append(asyncio.create_task(house.driver.keep_leases(house.stop)))
        if work:
            house.keeping.append(asyncio.create_task(worker.run(house.stop)))
        yield house
    finally:
        await house.close()
        if isinstance(house.outside.models, ConfiguredModels):
            await house.outside.models.close()
