"""Everything that can be set from outside; the only reader of the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email.utils import parseaddr
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from greenroom.kernel.errors import Malformed
from greenroom.text.spelling import did_you_mean

#: What every variable of Greenroom begins with.
PREFIX = "GREENROOM_"
M = TypeVar("M", bound=BaseModel)


class SettingsPart(BaseModel):
    """A part of the settings that is given as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PriceSettings(SettingsPart):
    """Dollars for a million tokens."""

    #: Of the prompt.
    input: float = Field(ge=0)
    #: Of the answer.
    output: float = Field(ge=0)


class RoleSettings(SettingsPart):
    """Who plays a role, and how patiently."""

    #: ``anthropic:…``, ``google:…`` or ``openai:…``; the last with a ``base_url`` for whatever speaks its chat API.
    model: str = Field(min_length=3)
    #: From 0, the same again and again, to 2; the provider's own where it is not given.
    temperature: float | None = Field(default=None, ge=0, le=2)
    #: Seconds for one call.
    timeout: float = Field(default=30, gt=0, le=600)
    #: Seconds for everything that one ask leads to: tries, pauses, a repair.
    limit: float = Field(default=90, gt=0, le=3600)
    #: Calls at most until one is answered.
    tries: int = Field(default=3, ge=1, le=10)
    #: Tokens of prompt and answer together, for asks that give no budget.
    budget: int = Field(default=8_000, ge=100)
    #: How hard a model that can think thinks: off, minimal, low, medium or high; where it is not given, as the model
    #: will if it has `reasoning_tokens`, otherwise not at all or as little as it can.
    reasoning: Literal["off", "minimal", "low", "medium", "high"] | None = None
    #: Tokens it may think, beside those of the answer.
    reasoning_tokens: int = Field(default=0, ge=0, le=64_000)
    #: Tokens of an answer, and seconds for one, instead of what a world asks for.
    answer_tokens: int | None = Field(default=None, ge=10, le=32_000)
    deadline: float | None = Field(default=None, gt=0, le=3600)
    #: Where the provider is reached, if not at its usual address: a server of your own, a proxy.
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s]+$")
    #: A key for this role alone; else the provider's is taken.
    api_key: SecretStr | None = None
    #: Dollars for a million tokens, where the price list is wrong or silent.
    price: PriceSettings | None = None
    #: Tokens a stable prefix needs before it is marked for the provider's cache.
    cache_minimum: int | None = Field(default=None, ge=0)
    #: OpenAI's ``o200k_base.tiktoken`` on this machine, to count tokens exactly.
    vocabulary: Path | None = None


class CapSettings(SettingsPart):
    """Dollars that models may cost; days are days of the house clock, in UTC."""

    #: One stream in all its life.
    stream: float | None = Field(default=None, ge=0)
    #: All streams of one owner in all their lives.
    owner: float | None = Field(default=None, ge=0)
    #: The whole house in a day.
    day: float | None = Field(default=None, ge=0)
    #: All streams of one owner in a day.
    owner_day: float | None = Field(default=None, ge=0)
    #: Whoever asks from one address in a day; of turns that the server drives, in each process.
    address_day: float | None = Field(default=None, ge=0)


class BudgetSettings(SettingsPart):
    """What may be taken in a day: by one address, by one owner, by the whole house. And what may be open at once."""

    sms_address: int = Field(default=10, ge=0)
    sms_owner: int = Field(default=20, ge=0)
    sms_house: int = Field(default=500, ge=0)
    mail_address: int = Field(default=40, ge=0)
    mail_owner: int = Field(default=80, ge=0)
    mail_house: int = Field(default=5_000, ge=0)
    bytes_address: int = Field(default=500_000_000, ge=0)
    bytes_owner: int = Field(default=500_000_000, ge=0)
    bytes_house: int = Field(default=20_000_000_000, ge=0)
    #: Streams that players and strangers begin, and tickets that are tried.
    streams_address: int = Field(default=300, ge=0)
    streams_owner: int = Field(default=100, ge=0)
    streams_house: int = Field(default=20_000, ge=0)
    #: Open at once.
    connections_address: int = Field(default=256, ge=1)
    live_address: int = Field(default=64, ge=1)
    live_owner: int = Field(default=16, ge=1)
    live_house: int = Field(default=4_000, ge=1)
    #: Seconds for the head of a request, and for its body.
    head_seconds: float = Field(default=10, gt=0, le=600)
    body_seconds: float = Field(default=60, gt=0, le=3600)

    def of_a_day(self) -> dict[tuple[str, str], int]:
        """By kind and for whom."""
        found = {tuple(name.split("_")): most for name, most in self.model_dump().items()}
        return {(kind, of): most for (kind, of), most in found.items() if kind in ("sms", "mail", "bytes", "streams")}


class SmtpSettings(SettingsPart):
    """The mail server that letters are handed to."""

    host: str = Field(min_length=1)
    port: int = Field(default=587, ge=1, le=65535)
    user: str = ""
    password: SecretStr = SecretStr("")
    security: Literal["starttls", "tls", "plain"] = "starttls"
    #: Who writes, such as ``Ember <ember@letters.example>``.
    sender: str = Field(pattern=r"[^@\s<]+@[^@\s>]+")
    #: Other mailboxes by channel: ``{"email:cipher": "c@letters.example"}``. A channel that is not named writes from
    #: the sender's address with its name added: ``ember+cipher@letters.example``.
    senders: dict[str, str] = Field(default_factory=dict)
    timeout: float = Field(default=30, gt=0, le=600)

    @model_validator(mode="after")
    def _no_password_in_the_open(self) -> SmtpSettings:
        if self.user and self.security == "plain":
            raise ValueError("a login goes over TLS only; set security to starttls or tls, or leave user out")
        return self

    def sender_of(self, channel: str) -> str:
        """From whom the mails of a channel come; those of the house itself (``system:email``) from the bare address."""
        medium, _, who = channel.partition(":")
        address = parseaddr(self.sender)[1]
        if not who or channel in self.senders:
            return self.senders.get(channel, self.sender)
        user, _, domain = address.rpartition("@")
        return address if medium == "system" else f"{user}+{who}@{domain}"

    def channel_of(self, recipient: str) -> str:
        """The channel whose mailbox this is; the first one where it is unknown."""
        address = recipient.casefold()
        boxes = {channel: sender for channel, sender in self.senders.items() if channel.startswith("email")}
        named = {parseaddr(sender)[1].casefold(): channel for channel, sender in boxes.items()}
        _, plus, who = address.rpartition("@")[0].partition("+")
        return named.get(address) or (f"email:{who}" if plus and who else "email")


class TwilioSettings(SettingsPart):
    """The Twilio account that SMS go through."""

    sid: str = Field(min_length=1)
    token: SecretStr
    #: The number that SMS come from, and others by channel: ``{"sms:kessler": "+1…"}``.
    number: str = Field(pattern=r"^\+[1-9]\d{6,14}$")
    numbers: dict[str, str] = Field(default_factory=dict)
    base_url: str = "https://api.twilio.com"
    timeout: float = Field(default=30, gt=0, le=600)

    def channel_of(self, recipient: str) -> str:
        """The channel whose number this is."""
        return next((channel for channel, number in self.numbers.items() if number == recipient), "sms")


class _Environment(BaseSettings):
    """Looks nowhere else: no file of variables, no folder of secrets."""

    @classmethod
    def settings_customise_sources(cls, *_: Any, **sources: Any) -> tuple[Any, ...]:
        return sources["init_settings"], sources["env_settings"]


class Settings(_Environment):
    """Read from variables that begin with ``GREENROOM_``; an empty one counts as not set."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True)

    home: Path = Field(default=Path.home() / ".greenroom", description="The data directory of the house.")
    database_url: SecretStr | None = Field(
        default=None,
        description="A PostgreSQL database, `postgresql://user:password@host:port/name`, in the place of the file in "
        "the data directory.",
    )
    recall: Literal["vectors", "words"] = Field(
        default="vectors",
        description="What recall goes by: words and vectors where the embedded model is installed, or words alone.",
    )
    concurrency: int = Field(default=64, ge=1, le=4096, description="Turns a worker drives at once.")
    models: dict[str, RoleSettings] = Field(
        default_factory=dict,
        description='Who plays which role, as JSON: `{"quality": {"model": "anthropic:…"}}`; `default` plays the roles '
        "that are not named; without any, the understudy plays.",
    )
    keep_answers: bool = Field(
        default=False,
        description="Keep every answer of a model as it came, as its owner's words that nothing recalls, for whoever "
        "asks why. Answers that a check rejected are kept in any case.",
    )
    caps: CapSettings = Field(
        default=CapSettings(),
        description="Dollars that models may cost, as JSON: `stream`, `owner`, `day`, `owner_day`, `address_day`. "
        'Without it, `{"day": 25, "owner_day": 2, "address_day": 5}`, if the price of every model is known.',
    )
    budgets: BudgetSettings = Field(
        default=BudgetSettings(),
        description="What may be taken in a day, as JSON: `sms_`, `mail_`, `bytes_` and `streams_` with `address`, "
        "`owner` or `house`; and open at once: `connections_address`, `live_address`, `live_owner`, `live_house`, with "
        "`head_seconds` and `body_seconds` for a request.",
    )
    anthropic_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_anthropic_api_key", "anthropic_api_key"),
        description="Also read from `ANTHROPIC_API_KEY`.",
    )
    google_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_google_api_key", "google_api_key", "gemini_api_key"),
        description="Also read from `GOOGLE_API_KEY` and `GEMINI_API_KEY`.",
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_openai_api_key", "openai_api_key"),
        description="Also read from `OPENAI_API_KEY`.",
    )

    smtp: SmtpSettings | None = Field(
        default=None,
        description='Mail out, as JSON: `{"host": …, "user": …, "password": …, "sender": "Ember <…>"}`; without it, '
        "mail goes to the inbox page.",
    )
    twilio: TwilioSettings | None = Field(
        default=None,
        description='SMS out, as JSON: `{"sid": …, "token": …, "number": "+1…"}`; without it, SMS go to the phone on '
        "the page.",
    )

    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="Address the server listens on. Anything but loopback makes everybody show a ticket.",
    )
    port: int = Field(default=8420, ge=0, le=65535, description="Port the server listens on; 0 takes a free one.")
    public_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/\s]+$",
        description="Where people reach the server, if a proxy stands before it: `https://house.example`. Links in "
        "letters begin with it, and Twilio's signatures are checked against it. Nobody counts as local then.",
    )
    proxies: str = Field(
        default="",
        description="Addresses of proxies, or networks such as `10.7.0.0/24`, whose word about the caller's address is "
        "taken, separated by commas. Nobody counts as local then.",
    )
    wait: float = Field(
        default=10.0, gt=0, le=60, description="Seconds a request waits for its turn before it is answered with 202."
    )
    body_limit: int = Field(default=256_000, ge=1_000, description="Bytes a request may have.")
    import_limit: int = Field(default=64_000_000, ge=1_000, description="Bytes an imported stream may have.")
    rate_address: int = Field(default=1_200, ge=1, description="Requests a minute from one address.")
    rate_ticket: int = Field(default=600, ge=1, description="Requests a minute with one ticket.")
    rate_turns: int = Field(
        default=120, ge=1, description="Requests a minute that change something, with one ticket or from one address."
    )
    rate_strangers: int = Field(
        default=30, ge=1, description="Unknown tickets, and beginnings without one, a minute from one address."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="What the server logs; on a terminal `greenroom up` keeps to warnings."
    )

    @field_validator("home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @field_validator("proxies")
    @classmethod
    def _addresses(cls, proxies: str) -> str:
        for one in filter(None, map(str.strip, proxies.split(","))):
            ip_network(one)  # whatever is no address would be trusted by nobody, and nobody would know
        return proxies

    @property
    def address(self) -> str:
        """Where people reach this house: links in letters begin with it."""
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def database(self) -> Path:
        return self.home / "house.db"

    @property
    def place(self) -> Path | str:
        """Where the house is: the address of its database, or its file."""
        return self.database if self.database_url is None else self.database_url.get_secret_value()

    def api_key(self, provider: str, role: RoleSettings) -> str | None:
        """The role's own key, or the provider's."""
        key: SecretStr | None = role.api_key or getattr(self, f"{provider}_api_key", None)
        return None if key is None else key.get_secret_value()

    @property
    def backups(self) -> Path:
        return self.home / "backups"


def read_settings(**given: Any) -> Settings:
    """The settings of this process; what is given and not None goes before the environment.

    Raises:
        Malformed: names the variable and what it should be.
    """
    return _read(Settings, PREFIX, given)


def read_part(model: type[M], name: str) -> M:
    """The settings of a plug-in, from variables that begin with ``GREENROOM_<NAME>_`` and from its aliases.

    Raises:
        Malformed: names the variable and what it should be.
    """
    prefix = f"{PREFIX}{name}_".upper()
    made: M = _read(_part(model, prefix), prefix, {})
    return made


@cache
def _part(model: type[Any], prefix: str) -> type[Any]:
    """The same model, read from the environment."""

    class Part(model, _Environment):  # type: ignore[misc]
        model_config = SettingsConfigDict(env_prefix=prefix, env_ignore_empty=True, extra="ignore")

    return Part


def _read(kind: type[M], prefix: str, given: Mapping[str, Any]) -> M:
    try:
        return kind(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        found = error.errors()
        # A misspelt name often leaves another one missing: what was written says more.
        first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
        raise Malformed(_complaint(kind, prefix, first)) from None
    except SettingsError as error:
        raise Malformed(f"{error}: write it as JSON") from None


def _complaint(kind: type[BaseModel], prefix: str, first: ErrorDetails) -> str:
    """What is wrong with a variable, and what would be right."""
    place = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        *path, name = place
        variable = f"{prefix}{path[0]}".upper()
        inside = " of ".join(reversed(path[1:]))
        return f"{variable}: {inside + ' has' if inside else 'there is'} no {name!r}; {_instead(kind, path, name)}"
    joined = "_".join(place).upper()
    variable = joined if joined.startswith(PREFIX) else f"{prefix}{joined}"
    # What is longer than one value may hold a key.
    quoted = f", but it is {first['input']!r}" if isinstance(first["input"], str | int | float) else ""
    return f"{variable}: {first['msg']}{quoted}"


def _instead(kind: type[BaseModel], path: Sequence[str], name: str) -> str:
    """Which field was meant, found by following the path through the models."""
    model: type[BaseModel] | None = kind
    for part in path:
        field = None if model is None else model.model_fields.get(part)
        model = _model_in(field.annotation) if field is not None else model
    return did_you_mean(name, model.model_fields) if model is not None else "leave it out"


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside ``X``, ``X | None`` or ``dict[str, X]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
