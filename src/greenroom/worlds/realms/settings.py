"""What can be set of realms from outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr


class OutsideAgent(BaseModel):
    """A program that plays an agent over the Agent Client Protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    #: The program and what it is given, each a word of its own.
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    #: What people call the agent, and its role; its id where nothing is said.
    name: str = ""
    role: str = ""
    #: How long it may take for one action.
    seconds: Annotated[int, Field(ge=1, le=3_600)] = 120


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
    agents: dict[str, OutsideAgent] = Field(
        default_factory=dict,
        description="Programs that may hold an agent's seat over the Agent Client Protocol, by the id of the agent, as "
        'JSON: `{"mason": {"command": ["some-agent", "--acp"], "seconds": 120}}`. They run with your rights.',
    )
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
