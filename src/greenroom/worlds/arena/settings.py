"""What can be set of the arena from outside."""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class ArenaSettings(BaseModel):
    """Scenarios of one's own, and where lessons are indexed."""

    model_config = ConfigDict(frozen=True)

    scenarios: Path | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_arena_scenarios"),
        description="A folder of scenarios of your own, one YAML file each; they stand beside the shipped ones.",
    )
    chroma: Path | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_arena_chroma"),
        description="A folder for a Chroma index of what all runs learned, which needs `greenroom[chroma]`; without it "
        "there is none.",
    )
