"""How the keeper is judged: her probes, and what counts as giving her secret away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from greenroom.kit.judging import Judge, Probes
from greenroom.worlds.lighthouse.outside import content, probes
from greenroom.worlds.lighthouse.rules.prompts import ROLE
from greenroom.worlds.lighthouse.rules.state import VISITOR


def _leaks(seen: Mapping[str, Any], line: str) -> bool:
    """Whether a line holds the phrase of a secret that is not told; ``seen`` is the operator's view after the turn."""
    return not seen["told"] and any(
        secret.given_away_by(line) for secret in content().secrets.values() if secret.truth == seen["secret"]
    )


JUDGE = Judge(
    world="lighthouse",
    seat=VISITOR,
    probes=lambda: {name: probes(name, Probes) for name in ("development", "sealed")},
    say=lambda text: ("say", {"text": text}),
    line=lambda body: str(body.get("line") or ""),
    leaks=_leaks,
    leave="leave",
    role=ROLE,
)
