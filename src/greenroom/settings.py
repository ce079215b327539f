"""Everything that can be set from outside; the only reader of the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from greenroom.kernel.errors import Malformed


class Settings(BaseSettings):
    """Read from variables that begin with ``GREENROOM_``; an empty one counts as not set."""

    model_config = SettingsConfigDict(env_prefix="GREENROOM_", env_ignore_empty=True)

    home: Path = Field(default=Path.home() / ".greenroom", description="The data directory of the house.")
    concurrency: int = Field(default=64, ge=1, le=4096, description="Turns a worker drives at once.")

    @field_validator("home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @property
    def database(self) -> Path:
        return self.home / "house.db"

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
        raise Malformed(f"{variable}: {first['msg']}, but it is {first['input']!r}") from None
