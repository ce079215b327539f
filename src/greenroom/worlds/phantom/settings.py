"""What can be set of Phantom Protocol from outside."""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr


class PhantomSettings(BaseModel):
    model_config = ConfigDict(frozen=True)

    content: Path | None = Field(default=None, description="A folder of content, instead of the shipped one.")
    mail_webhook_secret: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("greenroom_phantom_mail_webhook_secret", "greenroom_mail_webhook_secret"),
        description="Signs the mails that a provider posts to `/phantom/inbound/email`; without it none are taken. "
        "Also read from `GREENROOM_MAIL_WEBHOOK_SECRET`.",
    )
