"""What answers when a turn asks: the models of the settings, and the understudy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from greenroom.adapters.models.caps import Caps
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.digest import digests
from greenroom.adapters.models.prices import Price, listed
from greenroom.adapters.models.understudy import Part, Understudy
from greenroom.bootstrap.worlds import AnyWorld
from greenroom.ports import Backend, Clock, Models
from greenroom.settings import CapSettings, RoleSettings, Settings

log = logging.getLogger("greenroom")

#: Dollars a day that models may cost where nobody set anything: the whole house, one owner, one address.
DAY_DOLLARS, OWNER_DOLLARS, ADDRESS_DOLLARS = 25.0, 2.0, 5.0


def default_models(
    settings: Settings, back: Backend, worlds: Sequence[AnyWorld], clock: Clock, parts: Mapping[str, Part]
) -> Models:
    """The models of the settings; the understudy where there are none.

    Raises:
        Malformed: a role's model is unknown, or caps are set and a model has no price.
    """
    digest = digest_of(worlds)
    understudy = Understudy(parts, digest=digest)
    if not settings.models:
        return understudy
    return ConfiguredModels(
        {name: role_of(settings, role) for name, role in settings.models.items()},
        understudy=understudy,
        clock=clock,
        caps=_caps(_afforded(settings)),
        spending=back.spending,
        digest=digest,
        keep_answers=settings.keep_answers,
    )


def digest_of(worlds: Sequence[AnyWorld]) -> Callable[[str], str]:
    """Which rules and content an ask came from, by the name of its world."""
    return digests({world.name: getattr(world.handle, "func", world.handle).__module__ for world in worlds})


def role_of(settings: Settings, given: RoleSettings) -> Role:
    """A role of the settings with its key."""
    plain = given.model_dump(exclude={"api_key", "price"})
    provider = given.model.partition(":")[0]
    price = None if given.price is None else Price(input=given.price.input, output=given.price.output)
    return Role(**plain, price=price, api_key=settings.api_key(provider, given))


def _afforded(settings: Settings) -> CapSettings:
    """The caps of the settings; where nobody set any, those that a first bill should not exceed."""
    if "caps" in settings.model_fields_set:
        return settings.caps
    unknown = [name for name, role in settings.models.items() if role.price is None and not _is_listed(role.model)]
    if unknown:
        log.warning("no caps on what models cost: give the price of %s, or set GREENROOM_CAPS", ", ".join(unknown))
        return settings.caps
    return CapSettings(day=DAY_DOLLARS, owner_day=OWNER_DOLLARS, address_day=ADDRESS_DOLLARS)


def _is_listed(model: str) -> bool:
    provider, _, name = model.partition(":")
    return listed(provider, name) is not None


def _caps(given: CapSettings) -> Caps:
    return Caps(**{kind: None if cap is None else int(cap * 1_000_000) for kind, cap in given.model_dump().items()})
