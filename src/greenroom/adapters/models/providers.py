"""Calls to providers through pydantic-ai's direct model layer; everything that can go wrong becomes a ``Fault``.

pydantic-ai is an optional extra and slow to import: nothing here imports it before the first call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, runtime_checkable

from greenroom.adapters.models.prices import TokenUsage
from greenroom.kernel.asks import Json
from greenroom.kernel.errors import Malformed
from greenroom.text.spelling import meant

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

#: ``off`` or how hard; a model that cannot think does not heed it.
Reasoning: TypeAlias = Literal["off", "minimal", "low", "medium", "high"]
PROVIDERS: Final = ("anthropic", "google", "openai")
#: Given in any case: the libraries would look for another one in the environment, which only the settings read.
ADDRESSES: Final = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
#: Seconds the library's own time-out is given before ours ends the call whatever it does.
GRACE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """The way to one model."""

    #: anthropic, google or openai; the last also for whatever speaks its chat completions.
    provider: str
    model: str
    base_url: str | None = None
    api_key: str | None = None


def line_to(model: str, *, base_url: str | None = None, api_key: str | None = None) -> ModelLine:
    """Read ``provider:model``.

    Raises:
        Malformed: it names no provider that is known here.
    """
    provider, colon, name = model.partition(":")
    if not colon or provider not in PROVIDERS or not name:
        known = ", ".join(f"{one}:…" for one in PROVIDERS)
        close = meant(provider, PROVIDERS) if colon else None
        if close is not None and close != provider:
            raise Malformed(f"model {model!r}: there is no provider {provider!r}; did you mean {close}:{name}?")
        raise Malformed(f"model {model!r}: write provider and model as one of {known}")
    return ModelLine(provider=provider, model=name, base_url=base_url, api_key=api_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request."""

    system: str
    #: What is the same from turn to turn, in the system message; a cache marker stands after it if ``marked``.
    stable: str
    rest: str
    #: Tokens of the answer, and those a model may think beside it.
    max_tokens: int
    seconds: float
    #: The conversation before the last message: whether a turn is the character's own, and its text.
    turns: Sequence[tuple[bool, str]] = ()
    marked: bool = False
    schema: Mapping[str, Json] | None = None
    temperature: float | None = None
    #: How much a model that can think thinks; None leaves it to the model.
    reasoning: Reasoning | None = None
    #: Answers that could not be used, each with what was wrong with it, oldest first.
    earlier: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What came back."""

    text: str
    usage: TokenUsage
    #: The model by its own account.
    model: str
    #: Whether the answer ended because there was no more room for it.
    cut: bool = False


class Fault(Exception):
    """A call failed. ``kind`` is a status code or a word for the ledger; it never quotes what was sent or received."""

    def __init__(
        self, kind: str, *, retry: bool, after: float | None = None, may_have_cost: bool = False, body: Any = None
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        #: What a refusal said, as it came: for whoever tries a model out, never for the ledger.
        self.body = body
        #: Whether the same call may succeed a little later, and how many seconds later the provider says.
        self.retry = retry
        self.after = after
        #: Whether the provider may have done the work: it was sent, and no refusal came.
        self.may_have_cost = may_have_cost


class Provider(Protocol):
    """Somebody who answers calls."""

    async def open(self) -> None:
        """Get ready for the first call; again and again does no harm.

        Raises:
            Fault: it cannot be made ready.
        """

    async def call(self, call: Call) -> Spoken:
        """Make one request, once.

        Raises:
            Fault: no usable reply.
        """

    async def close(self) -> None:
        """Let go of the connections."""


@runtime_checkable
class AloudProvider(Protocol):
    """Somebody whose answer can be heard while it comes."""

    async def call_aloud(self, call: Call, heard: Callable[[str], None]) -> Spoken:
        """The same as ``call``; ``heard`` is given the answer so far."""


class LibraryProvider:
    """One line, served by pydantic-ai."""

    def __init__(self, line: ModelLine) -> None:
        self._line = line
        self._client: httpx2.AsyncClient | None = None
        self._model: Model | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        async with self._opening:
            if self._model is not None:
                return
            try:  # in a thread: the first import takes seconds
                self._model, self._client = await asyncio.to_thread(_open, self._line)
            except ImportError:
                raise Fault("not installed", retry=False) from None

    async def call(self, call: Call) -> Spoken:
        return await self._answered(call, _request)

    async def call_aloud(self, call: Call, heard: Callable[[str], None]) -> Spoken:
        return await self._answered(call, partial(_streamed, heard=heard))

    async def _answered(self, call: Call, request: Callable[[Model, Call], Awaitable[ModelResponse]]) -> Spoken:
        await self.open()
        model = self._model
        assert model is not None
        try:
            async with asyncio.timeout(call.seconds + GRACE):
                response = await request(model, call)
        except TimeoutError:
            raise Fault("timeout", retry=True, may_have_cost=True) from None
        except Exception as error:  # noqa: BLE001  whatever the library raises is a fault of the outside, told by its kind
            raise _fault(error) from None
        return _spoken(response, self._line.model)

    async def close(self) -> None:
        client, self._client, self._model = self._client, None, None
        if client is not None:
            await client.aclose()


def installed() -> bool:
    """Whether the library for providers can be imported."""
    from importlib.util import find_spec  # noqa: PLC0415

    return find_spec("pydantic_ai") is not None


# the library, from here on


def _open(line: ModelLine) -> tuple[Model, httpx2.AsyncClient]:
    # A server of one's own needs no key; the libraries insist on one.
    key = line.api_key or ("none" if line.base_url else None)
    if key is None:
        raise Fault("no key", retry=False)
    from pydantic_ai.models import create_async_httpx2_client  # noqa: PLC0415

    client = create_async_httpx2_client()
    address = line.base_url or ADDRESSES.get(line.provider)
    match line.provider:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
            from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

            anthropic = AnthropicProvider(api_key=key, base_url=address, http_client=client)
            return AnthropicModel(line.model, provider=anthropic), client
        case "google":
            from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
            from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

            google = GoogleProvider(api_key=key, base_url=address, http_client=client)
            return GoogleModel(line.model, provider=google), client
        case _:
            from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
            from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

            openai = OpenAIProvider(api_key=key, base_url=address, http_client=client)
            return OpenAIChatModel(line.model, provider=openai), client


async def _request(model: Model, call: Call) -> ModelResponse:
    from pydantic_ai.direct import model_request  # noqa: PLC0415

    return await model_request(
        model, _messages(call), model_settings=_settings(call), model_request_parameters=_parameters(model, call)
    )


async def _streamed(model: Model, call: Call, *, heard: Callable[[str], None]) -> ModelResponse:
    from pydantic_ai.direct import model_request_stream  # noqa: PLC0415

    parameters = _parameters(model, call)
    async with model_request_stream(
        model, _messages(call), model_settings=_settings(call), model_request_parameters=parameters
    ) as stream:
        async for _ in stream:
            heard(stream.get().text or "")
        return stream.get()


def _settings(call: Call) -> ModelSettings:
    from pydantic_ai.settings import ModelSettings  # noqa: PLC0415

    settings = ModelSettings(max_tokens=call.max_tokens, timeout=call.seconds, max_retries=0)
    if call.temperature is not None:
        settings["temperature"] = call.temperature
    if call.reasoning is not None:
        settings["thinking"] = False if call.reasoning == "off" else call.reasoning
    if call.marked and call.stable:
        settings["anthropic_cache_instructions"] = True  # type: ignore[typeddict-unknown-key]
    return settings


def _messages(call: Call) -> Sequence[ModelMessage]:
    """The system message, the turns, the last message; then, for a repair, each answer and what was wrong with it."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart  # noqa: PLC0415

    system = f"{call.system}\n\n{call.stable}" if call.stable else call.system

    def heard(text: str) -> ModelMessage:
        return ModelRequest(parts=[UserPromptPart(text)], instructions=system)

    def spoken(text: str) -> ModelMessage:
        return ModelResponse(parts=[TextPart(text)])

    found: list[ModelMessage] = [spoken(text) if own else heard(text) for own, text in call.turns]
    found.append(heard(call.rest or "Answer."))
    for answer, complaint in call.earlier:
        found += [spoken(answer), heard(complaint)] if answer.strip() else [heard(complaint)]
    return found


def _parameters(model: Model, call: Call) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415
    from pydantic_ai.output import OutputObjectDefinition  # noqa: PLC0415

    if call.schema is None:
        return ModelRequestParameters()
    native = model.profile.get("supports_json_schema_output", False) and not _open_ended(call.schema)
    return ModelRequestParameters(
        output_mode="native" if native else "prompted",
        output_object=OutputObjectDefinition(json_schema=dict(call.schema), name="answer"),
    )


def _open_ended(schema: Any) -> bool:
    """Whether fields nobody named are allowed somewhere: the providers' own schema modes refuse or lose these."""
    if isinstance(schema, Mapping):
        return schema.get("additionalProperties", False) is not False or any(map(_open_ended, schema.values()))
    return isinstance(schema, list | tuple) and any(map(_open_ended, schema))


def _spoken(response: ModelResponse, model: str) -> Spoken:
    usage = response.usage
    return Spoken(
        text=response.text or "",
        usage=TokenUsage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cache_read_tokens,
            written_tokens=usage.cache_write_tokens,
        ),
        model=response.model_name or model,
        cut=response.finish_reason == "length",
    )


def _fault(error: Exception) -> Fault:
    from pydantic_ai import exceptions as lib  # noqa: PLC0415

    match error:
        case Fault():
            return error
        case lib.ModelHTTPError(status_code=status):
            retry = status in (408, 409, 425, 429) or status >= 500
            return Fault(str(status), retry=retry, after=error.retry_after, body=error.body)
        case lib.ModelTimeoutError() | lib.ModelRequestTimeout():
            unsent = getattr(error, "phase", None) in ("pool", "connect")
            return Fault("timeout", retry=True, may_have_cost=not unsent)
        case lib.ModelConnectionError(phase=phase):
            return Fault("connection", retry=True, may_have_cost=phase not in ("pool", "connect"))
        case lib.ContentFilterError():
            return Fault("filtered", retry=False, may_have_cost=True)
        case lib.UserError():
            return Fault("unusable", retry=False)
        case _:
            return Fault("junk", retry=True, may_have_cost=True)
