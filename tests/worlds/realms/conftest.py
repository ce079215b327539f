"""Every test of realms keeps its registry to itself."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the registry of this test is."""
    monkeypatch.setenv("GREENROOM_REALMS_REGISTRY", str(tmp_path / "global"))
    monkeypatch.setenv("GREENROOM_RECALL", "words")
    for name in ("REDIS_HOST", "REDIS_PORT", "REDIS_PASSWORD", "GREENROOM_REALMS_ROOTS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "global" / ".agent-rpg" / "realms.json"
