"""What Secret AGI has beside its rules: its content, and how long games are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.kernel.worlds import World
from greenroom.worlds.secret_agi.rules import Content, secret_agi
from greenroom.worlds.secret_agi.rules.content import Senses, Voices
from greenroom.worlds.secret_agi.settings import SecretAgiSettings

_PACKAGE = "greenroom.worlds.secret_agi"


@cache  # what is packaged does not change
def shipped() -> Content:
    return Content(
        voices=load(packaged(_PACKAGE, "content/voices.yaml"), Voices),
        senses=Senses.model_validate_json(packaged(_PACKAGE, "content/senses.json").read_bytes()),
    )


def worlds(settings: SecretAgiSettings) -> Sequence[World[Any, Any, Any]]:
    kept = None if settings.keep_days is None else timedelta(days=settings.keep_days)
    return (secret_agi(shipped(), kept),)
