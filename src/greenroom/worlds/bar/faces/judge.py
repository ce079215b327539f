"""How the cast is judged: guests who come on three evenings, and who answers them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any
from uuid import UUID

from greenroom.kit.judging import Judge, Probes
from greenroom.services.house import House
from greenroom.worlds.bar.outside import probes
from greenroom.worlds.bar.rules import NAME
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.prompts import QUALITY
from greenroom.worlds.bar.rules.state import GUEST


class Evenings:
    """One guest after the other; every evening is a session of the guest's own stream."""

    def __init__(self) -> None:
        self._session = ""

    async def enter(self, house: House, name: str, number: int) -> str:
        """Begin an evening; the name of the guest's stream."""
        guest = str(UUID(bytes=blake2b(name.encode(), digest_size=16).digest(), version=4))
        if number == 1:
            config = c.Guest(anonymous_id=guest)
            await house.start(NAME, config, owner=f"probe:{name}", name=stream_of(guest), seat=GUEST)
        reply = await house.send(stream_of(guest), c.Enter(), seat=GUEST)
        self._session = str(reply.body["session_id"])
        return stream_of(guest)

    def say(self, text: str) -> tuple[str, Mapping[str, Any]]:
        return "say", {"session_id": self._session, "text": text}


def _line(body: Mapping[str, Any]) -> str:
    """Who speaks, and what: a probe may want either."""
    said = body.get("messages") or ()
    return f"{said[0]['agent']} speaks: {said[0]['message']}" if said else ""


_EVENINGS = Evenings()

JUDGE = Judge(
    world=NAME,
    seat=GUEST,
    probes=lambda: {"development": probes("development", Probes), "sealed": probes("sealed", Probes)},
    say=_EVENINGS.say,
    enter=_EVENINGS.enter,
    line=_line,
    leaks=lambda seen, line: str(seen["anonymous_id"]) in line,
    role=QUALITY,
)
