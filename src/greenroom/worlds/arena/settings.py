"""What can be set of the arena from outside."""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class ArenaSettings(BaseModel):
    model_config = ConfigDict(frozen=True)

    scenarios: Path | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_arena_scenarios"),
        description="A folder of scenarios of your own, one YAML file each; they stand beside the shipped ones.",
    )
