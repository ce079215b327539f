"""One attempt on its way through the phases, and how its way ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from greenroom.journal.records import Claim, Entry, Settled
from greenroom.kernel.script import Fresh, Script
from greenroom.kernel.worlds import EventContext
from greenroom.services.states import StreamState
from greenroom.services.turns.phases import FLOW, Phase


class Passage(msgspec.Struct, kw_only=True):
    """One attempt that this process takes as far as it goes."""

    phase: Phase
    claim: Claim
    #: What the turn begins from.
    base: StreamState
    command: Any
    script: Script[Any]
    #: Answers and ledger entries not yet stored.
    unsaved: list[Fresh] = []
    ledger: list[Entry] = []
    children: list[str] = []
    #: What models said that could not be used, or was to be kept: ask, model, status, text.
    raw: list[tuple[int, str, str, str]] = []
    #: Whether any answer of this attempt is stored.
    answered: bool = False
    #: What came back instead, when a draft was recorded elsewhere than planned; ours to drive.
    following: Claim | None = None

    def enter(self, phase: Phase) -> None:
        """Go on to a phase that may follow."""
        if phase not in FLOW[self.phase]:
            raise AssertionError(f"an attempt cannot go from {self.phase} to {phase}")
        self.phase = phase


class Turned(msgspec.Struct, frozen=True):
    """An attempt that ended, with what its giver is to be told of."""

    settled: Settled
    state: StreamState
    told: tuple[EventContext[Any], ...] = ()
    #: Words spoken in this turn, by id.
    texts: Mapping[str, str] = {}


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Where an attempt was left: ended, parked, recorded for whoever claims it, or still a draft and nowhere stored."""

    phase: Phase
    #: With the phases that end an attempt.
    turned: Turned | None = None
    #: A claim that came with it: it is leased to us, and nobody else will drive it.
    following: Claim | None = None
