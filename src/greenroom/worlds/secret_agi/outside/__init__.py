"""What Secret AGI has beside its rules: how long games are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from greenroom.kernel.worlds import World
from greenroom.worlds.secret_agi.rules import secret_agi
from greenroom.worlds.secret_agi.settings import SecretAgiSettings


def worlds(settings: SecretAgiSettings) -> Sequence[World[Any, Any, Any]]:
    kept = None if settings.keep_days is None else timedelta(days=settings.keep_days)
    return (secret_agi(kept),)
