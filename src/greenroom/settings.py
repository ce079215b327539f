"""Everything that can be set from outside; the only reader of the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from greenroom.kernel.errors import Malformed


class Given(BaseModel):
    """A part of the settings that is given as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PriceSettings(Given):
    """Dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class RoleSettings(Given):
    """Who plays a role, and how patiently."""

    #: ``anthropic:…``, ``google:…`` or ``openai:…``; the last with a ``base_url`` for whatever speaks its chat API.
    model: str = Field(min_length=3)
    temperature: float | None = Field(default=None, ge=0, le=2)
    #: Seconds for one call, and for everything that one ask leads to.
    timeout: float = Field(default=30, gt=0, le=600)
    limit: float = Field(default=90, gt=0, le=3600)
    #: Calls at most until one is answered.
    tries: int = Field(default=3, ge=1, le=10)
    #: Tokens of prompt and answer together, for asks that give no budget.
    budget: int = Field(default=8_000, ge=100)
    base_url: str | None = None
    api_key: SecretStr | None = None
    price: PriceSettings | None = None
    #: Tokens a stable prefix needs before it is marked for the provider's cache.
    cache_minimum: int | None = Field(default=None, ge=0)
    #: OpenAI's ``o200k_base.tiktoken`` on this machine, to count tokens exactly.
    vocabulary: Path | None = None


class CapSettings(Given):
    """Dollars that models may cost; days are days of the house clock, in UTC."""

    stream: float | None = Field(default=None, ge=0)
    owner: float | None = Field(default=None, ge=0)
    day: float | None = Field(default=None, ge=0)
    owner_day: float | None = Field(default=None, ge=0)


class Settings(BaseSettings):
    """Read from variables that begin with ``GREENROOM_``; an empty one counts as not set."""

    model_config = SettingsConfigDict(env_prefix="GREENROOM_", env_ignore_empty=True)

    home: Path = Field(default=Path.home() / ".greenroom", description="The data directory of the house.")
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
    caps: CapSettings = Field(
        default=CapSettings(),
        description="Dollars that models may cost, as JSON: `stream`, `owner`, `day`, `owner_day`.",
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

    @field_validator("home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @property
    def database(self) -> Path:
        return self.home / "house.db"

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
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        variable = f"GREENROOM_{'_'.join(map(str, first['loc']))}".upper()
        # What is longer than one value may hold a key.
        quoted = f", but it is {first['input']!r}" if isinstance(first["input"], str | int | float) else ""
        raise Malformed(f"{variable}: {first['msg']}{quoted}") from None
    except SettingsError as error:
        raise Malformed(f"{error}: write it as JSON") from None
