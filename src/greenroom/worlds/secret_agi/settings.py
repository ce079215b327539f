"""What can be set of Secret AGI from outside."""

from __future__ import annotations

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class SecretAgiSettings(BaseModel):
    model_config = ConfigDict(frozen=True)

    keep_days: int | None = Field(
        default=None,
        ge=1,
        validation_alias=AliasChoices("greenroom_secret_agi_keep_days", "greenroom_agi_keep_days"),
        description="Days after which finished games are removed; never by default. Also read from "
        "`GREENROOM_AGI_KEEP_DAYS`.",
    )
