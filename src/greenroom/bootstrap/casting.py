"""Who plays which role of which world, what is missing for it, and whether it works when it is tried."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from greenroom import plugins
from greenroom.adapters.models import trouble
from greenroom.adapters.models.configured import DEFAULT, Role
from greenroom.adapters.models.prices import TokenUsage, listed
from greenroom.adapters.models.providers import GRACE, Call, Fault, LibraryProvider, ModelLine, installed, line_to
from greenroom.adapters.models.schema import read
from greenroom.adapters.models.understudy import NAME
from greenroom.bootstrap.models import role_of
from greenroom.kernel.errors import Malformed
from greenroom.plugins import ANY_ROLE, Found
from greenroom.settings import Settings, read_settings
from greenroom.text.spelling import meant

#: How a model is let speak, as it is typed: with a key at a provider, or at a server of one's own.
FIRST_STEPS = (
    "pip install 'greenroom[models]'",
    "export ANTHROPIC_API_KEY=…",
    """export GREENROOM_MODELS='{"default": {"model": "anthropic:claude-sonnet-5-5"}}'""",
)
OWN_SERVER = (
    """export GREENROOM_MODELS='{"default": {"model": "openai:llama3.1", "base_url": "http://localhost:11434/v1"}}'"""
)
#: What is asked when a role is tried: little, and in a form that can be checked.
_SYSTEM = "You are being tried out before a play. Answer in the form that is asked for."
_ASK = 'Say that you are ready: give {"word": "ready"}.'
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "minLength": 1, "maxLength": 200}},
    "required": ["word"],
    "additionalProperties": False,
}
#: Room for the answer: as little as worlds give.
_TOKENS = 80
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Casting:
    """One role of one world."""

    #: The plug-in; empty for a role that is set and that no world declares.
    world: str
    role: str
    #: What it is asked to do.
    does: str
    #: ``provider:model``, or the understudy.
    model: str
    #: The entry of ``GREENROOM_MODELS`` that says so; None for the understudy.
    entry: str | None
    #: Dollars for a million tokens in and out; None where nobody knows.
    price: tuple[float, float] | None
    #: Why it cannot play, as far as can be told without asking it.
    trouble: str | None

    @property
    def price_told(self) -> str:
        """For people; an unknown price is no price of nothing."""
        if self.entry is None:
            return "free"
        return "unknown" if self.price is None else f"${self.price[0]:g} / ${self.price[1]:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One call to one role of the settings."""

    role: str
    model: str
    ok: bool
    #: What came of it.
    sentence: str
    seconds: float


def cast(settings: Settings | None = None, among: Iterable[Found] | None = None) -> tuple[Casting, ...]:
    """Every role that the worlds here ask for, and those that are set beside them.

    Raises:
        Malformed: the settings name a role, provider or field that does not exist.
    """
    settings = settings or read_settings()
    found = tuple(plugins.found() if among is None else among)
    check_roles(settings, found)
    declared = list(_declared(found))
    named = {role for _, role, _ in declared}
    lone = [("", role, "asked for by no world by itself") for role in settings.models if role not in {*named, DEFAULT}]
    return tuple(_cast(settings, *one) for one in (*declared, *lone) if one[1] != ANY_ROLE)


def _declared(found: Iterable[Found]) -> Iterator[tuple[str, str, str]]:
    for one in found:
        for role, does in (one.plugin.roles if one.plugin else {}).items():
            yield one.name, role, does


def check_roles(settings: Settings, found: Iterable[Found]) -> None:
    """Refuse what is misspelt before anything is opened.

    Raises:
        Malformed: a role is like one that exists and is none, or no world asks for it; or its model names no provider.
    """
    known = {role for _, role, _ in _declared(found)}
    for name, given in settings.models.items():
        try:
            line_to(given.model)
        except Malformed as error:
            raise Malformed(f"GREENROOM_MODELS: role {name}: {error}") from None
        if name in known or name == DEFAULT or not known:
            continue
        close = meant(name, known - {ANY_ROLE} | {DEFAULT})
        if close is not None:
            raise Malformed(f"GREENROOM_MODELS: no world has a role {name!r}; did you mean {close}?")
        if ANY_ROLE not in known:
            raise Malformed(f"GREENROOM_MODELS: no world has a role {name!r}; there is {', '.join(sorted(known))}")


def _cast(settings: Settings, world: str, role: str, does: str) -> Casting:
    entry = next((name for name in (role, DEFAULT) if name in settings.models), None)
    if entry is None:
        return Casting(world=world, role=role, does=does, model=NAME, entry=None, price=None, trouble=None)
    played = role_of(settings, settings.models[entry])
    return Casting(
        world=world,
        role=role,
        does=does,
        model=played.model,
        entry=entry,
        price=_price(played),
        trouble=_missing(played),
    )


def _price(played: Role) -> tuple[float, float] | None:
    if played.price is not None:
        return played.price.input, played.price.output
    line = _line(played)
    priced = listed(line.provider, line.model) if installed() else None
    if priced is None:
        return None
    return priced(TokenUsage(input_tokens=_MILLION)) / _MILLION, priced(TokenUsage(output_tokens=_MILLION)) / _MILLION


def _missing(played: Role) -> str | None:
    """What is missing, as far as can be told without a call."""
    if not installed():
        return trouble.INSTALL
    return trouble.in_words("no key", _line(played)) if not played.api_key and not played.base_url else None


def _line(played: Role) -> ModelLine:
    return line_to(played.model, base_url=played.base_url, api_key=played.api_key)


# trying


async def tried(settings: Settings | None = None) -> tuple[Tried, ...]:
    """Ask every role of the settings one small question, one after the other. Nothing of it is in the ledger.

    Raises:
        Malformed: the settings name a role, provider or field that does not exist.
    """
    settings = settings or read_settings()
    check_roles(settings, plugins.found())
    return tuple([await _tried(name, role_of(settings, given)) for name, given in settings.models.items()])


async def _tried(name: str, played: Role) -> Tried:
    began = time.perf_counter()
    ok, sentence = await _outcome(played)
    return Tried(role=name, model=played.model, ok=ok, sentence=sentence, seconds=time.perf_counter() - began)


async def _outcome(played: Role) -> tuple[bool, str]:
    line = _line(played)
    if not installed():
        return False, trouble.INSTALL
    provider = LibraryProvider(line)
    call = Call(
        system=_SYSTEM,
        stable="",
        rest=_ASK,
        max_tokens=_TOKENS + played.reasoning_tokens,
        reasoning=played.thinks,
        seconds=played.timeout - GRACE if played.timeout > 2 * GRACE else played.timeout,
        schema=_SCHEMA,
        temperature=played.temperature,
    )
    try:
        await provider.open()
        spoken = await provider.call(call)
    except Fault as fault:
        said = trouble.message_in(fault.body)
        return False, trouble.in_words(fault.kind, line, says=said, seconds=played.timeout)
    finally:
        await provider.close()
    if spoken.cut:
        return False, trouble.in_words("cut", line)
    return _read(spoken.text, line)


def _read(text: str, line: ModelLine) -> tuple[bool, str]:
    """Whether an answer can be used."""
    _, faults = read(text, _SCHEMA)
    if faults:
        return False, f"{trouble.in_words('invalid', line)} ({'; '.join(faults)})"
    fenced = text.lstrip().startswith("```")
    return True, "works; it puts its JSON between fences, which are taken off" if fenced else "works"


def explained(role: str, kind: str, settings: Settings | None = None) -> str:
    """Why whoever plays a role did not answer, for whoever runs the house: the kind is the ledger's."""
    settings = settings or read_settings()
    entry = next((name for name in (role, DEFAULT) if name in settings.models), None)
    if entry is None:
        return kind
    played = role_of(settings, settings.models[entry])
    return trouble.in_words(kind, _line(played), seconds=played.timeout)
