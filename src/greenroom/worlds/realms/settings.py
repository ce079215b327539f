"""What can be set of realms from outside."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr


class RealmsSettings(BaseModel):
    """Where realms may be, and where their files are kept."""

    model_config = ConfigDict(frozen=True)

    roots: str = Field(
        default="",
        description="Folders whose repositories may be linked, separated as in `PATH`; without any, the operator may "
        "link every folder.",
    )
    registry: Path = Field(
        default=Path("~/.agent-rpg-global"),
        description="The folder in which `.agent-rpg/realms.json` lists all realms.",
    )
    clones: Path | None = Field(
        default=None, description="Where repositories are cloned to; `clones` beside the registry by default."
    )
    files: bool = Field(default=True, description="Whether `.agent-rpg` is written into linked repositories.")
    redis_host: str | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_realms_redis_host", "redis_host"),
        description="A Redis or Valkey server that shares the boards; without it they are files only. Also read from "
        "`REDIS_HOST`.",
    )
    redis_port: int = Field(
        default=6379,
        ge=1,
        le=65535,
        validation_alias=AliasChoices("greenroom_realms_redis_port", "redis_port"),
        description="Also read from `REDIS_PORT`.",
    )
    redis_password: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_realms_redis_password", "redis_password"),
        description="Also read from `REDIS_PASSWORD`.",
    )
    sentinels: str = Field(
        default="",
        description="Sentinels that know the primary server, `name@host:port,host:port`, in the place of one host.",
    )
    board_days: int = Field(
        default=30, ge=1, le=3650, description="Days after which an untouched shared board expires."
    )

    @property
    def allowed(self) -> tuple[Path, ...]:
        """The folders that may be linked from, links in them resolved; none for no limit."""
        return tuple(Path(part).expanduser().resolve() for part in self.roots.split(os.pathsep) if part)

    @property
    def registry_file(self) -> Path:
        return self.registry.expanduser() / ".agent-rpg" / "realms.json"

    @property
    def clone_folder(self) -> Path:
        return (self.clones or self.registry / "clones").expanduser()
