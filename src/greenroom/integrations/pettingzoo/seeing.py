"""What one seat sees of Secret AGI, as numbers from 0 to 1: made of its view alone, so that nothing hidden gets in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from greenroom.worlds.secret_agi.rules.views import Published, View, Voted

#: Papers and votes that are remembered: every paper of the deck, and as many votes as a view tells.
RECORDS, VOTES = 17, 10
PHASES = ("TeamProposal", "Research", "GameOver")
ROLES = ("unknown", "Safety", "Accelerationist", "AGI")
SIDES = ("unknown", "Safety", "Acceleration")
BALLOTS = (None, True, False)
POWERS = (None, "view_allegiance", "choose_director", "eliminate")
HAND = 3
#: What the greatest value of a meter, a round and a paper is taken for.
_METER, _ROUNDS, _WORTH, _FAILURES = 30, 60, 3, 3

Vector = npt.NDArray[np.float32]


def seen_by(view: View) -> Vector:
    """The view of a seat as one vector; its length depends on the number of players alone."""
    seats = [player.id for player in view.players]
    values = [*_table(view), *_seats(view), *_hand(view)]
    for record in _last(view.published, RECORDS):
        values += _published(record, seats)
    for vote in _last(view.votes, VOTES):
        values += _voted(vote, seats)
    return np.clip(np.array(values, dtype=np.float32), 0, 1)


def _table(view: View) -> list[float]:
    return [
        view.capability / _METER,
        view.safety / _METER,
        view.round / _ROUNDS,
        view.failed_proposals / _FAILURES,
        view.deck_count / RECORDS,
        view.emergency_safety_active,
        view.emergency_called,
        view.agi_must_reveal,
        view.veto_unlocked,
        *_one_of(view.phase, PHASES),
        *_one_of(view.vote, ("", "team", "emergency")),
        *_one_of(view.veto, ("", "pending", "refused")),
        *_one_of(view.power, POWERS),
        *_one_of(view.my_vote, BALLOTS),
        *_one_of(view.role, ROLES),
    ]


def _seats(view: View) -> Iterable[float]:
    for player in view.players:
        yield from (
            player.id == view.seat,
            player.alive,
            player.id == view.director,
            player.id == view.nominee,
            player.id == view.engineer,
            player.id == view.previous_engineer,
            *_one_of(player.role, ROLES),
            *_one_of(player.allegiance, SIDES),
        )


def _hand(view: View) -> Iterable[float]:
    for paper in _padded(view.hand, HAND):
        yield from _paper(paper)


def _published(record: Published | None, seats: Sequence[str]) -> list[float]:
    if record is None:
        return [0.0] * (3 + 2 * len(seats) + 3 * (1 + HAND + HAND - 1))
    return [
        1.0,
        record.capability_gained / _WORTH,
        record.safety_gained / _WORTH,
        *_one_of(record.director, seats),
        *_one_of(record.engineer, seats),
        *_paper(record.paper),
        *(value for paper in _padded(record.drawn, HAND) for value in _paper(paper)),
        *(value for paper in _padded(record.passed, HAND - 1) for value in _paper(paper)),
    ]


def _voted(vote: Voted | None, seats: Sequence[str]) -> list[float]:
    if vote is None:
        return [0.0] * (3 + 3 * len(seats))
    cast = [value for seat in seats for value in (vote.ballots.get(seat) is True, vote.ballots.get(seat) is False)]
    return [1.0, vote.vote == "team", vote.passed, *_one_of(vote.nominee, seats), *cast]


def _paper(paper: Any) -> tuple[float, float, float]:
    return (0.0, 0.0, 0.0) if paper is None else (1.0, paper.capability / _WORTH, paper.safety / _WORTH)


def _one_of(value: Any, among: Sequence[Any]) -> list[bool]:
    return [value == one for one in among]


def _padded(found: Sequence[Any], size: int) -> list[Any]:
    return [*found[:size], *[None] * (size - len(found))]


def _last(found: Sequence[Any], size: int) -> list[Any]:
    """The last so many, in order."""
    return _padded(found[-size:], size)
