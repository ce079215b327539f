"""The bar, its door and its yearly numbers, for the suite that every world goes through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Facts, Failed, Json, Latest, Notice, Recall, UseTool
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.bar.rules import bar as bar_world
from greenroom.worlds.bar.rules import bar_door, bar_referrals
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.door import PORTER, Door, Invite
from greenroom.worlds.bar.rules.referrals import Year
from greenroom.worlds.bar.rules.state import GUEST, Bar
from tests.worlds.bar.stage import ADA, RAIN, cast, shipped


def bar() -> Trial:
    return Trial(
        world=bar_world(shipped()),
        configs=(c.Guest(anonymous_id=ADA), c.Guest(anonymous_id=ADA, invite_code="plover")),
        answer=_answer,
        secrets=_secrets,
        weight=_weight,
    )


def door() -> Trial:
    return Trial(world=bar_door(shipped()), configs=(Invite(code="plover-and-knot"),), secrets=_codes)


def referrals() -> Trial:
    return Trial(world=bar_referrals(), configs=(Year(year=2026),))


def _answer(ask: Ask) -> Json | Failed:
    if isinstance(ask, UseTool):
        return RAIN
    if isinstance(ask, Facts | Recall | Latest | Notice):
        return []
    assert isinstance(ask, AskModel)
    return cast().answer(ask)


def _secrets(state: Bar) -> Iterable[Secret]:
    """Whoever has it is the guest: nobody else may see it, in no prompt either."""
    if state.anonymous_id:
        yield Secret(text=state.anonymous_id, known_to=(GUEST,))


def _codes(state: Door) -> Iterable[Secret]:
    if state.code:
        yield Secret(text=state.code, known_to=(PORTER,))


def _weight(command: Any) -> int:
    return {c.Say: 30, c.Enter: 3}.get(type(command), 1)
