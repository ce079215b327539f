"""The ending that good players hardly let happen: Capability 15 with Safety below 10 can be reached under all rules."""

from __future__ import annotations

from collections import Counter

import pytest

from greenroom.worlds.secret_agi.rules.papers import DECK, HAND, ROLES, RULE_SETS, Paper
from greenroom.worlds.secret_agi.rules.state import candidates
from tests.worlds.secret_agi.stage import Table

#: Six papers in an order in which nobody wins before the last.
WAY: tuple[Paper, ...] = ((3, 1), (3, 1), (2, 1), (2, 2), (2, 2), (3, 0))


def reaches(papers: int) -> bool:
    """Whether so many published papers can lead there, in any order and with any emergency called on the way."""
    open_: set[tuple[Paper, tuple[Paper, ...]]] = {((0, 0), ())}
    for _ in range(papers):
        found = set()
        for (capability, safety), out in open_:
            for paper, copies in Counter(DECK).items():
                if out.count(paper) == copies:
                    continue
                less = {0, 1} if 4 <= capability - safety <= 5 and paper[0] else {0}
                for c, s in ((capability + paper[0] - n, safety + paper[1]) for n in less):
                    if c >= 15 and s < 10:
                        return True
                    if c - s < 6 and s < 15 and not (c == 10 <= s):
                        found.add(((c, s), tuple(sorted((*out, paper)))))
        open_ = found
    return False


def test_it_takes_six_papers_so_that_a_classic_game_needs_one_that_publishes_itself() -> None:
    assert not reaches(5)
    assert reaches(6)
    assert len(DECK) // HAND == 5, "papers that a classic deck gives to teams"


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", ROLES)
def test_capability_15_with_safety_below_10_can_be_reached(players: int, rules: str) -> None:
    rest = list((Counter(DECK) - Counter(WAY)).elements())
    top = [WAY[0]]
    for paper in WAY[1:]:
        top += [paper, rest.pop(), rest.pop()]
    laid = Table(players, top=top, rules=rules)
    for _ in range(3):
        laid.reject()
    for _ in WAY[1:]:
        _to_the_next_proposal(laid)
        laid.research(next(i for i in candidates(laid.game) if i != players - 1))
    assert laid.reason == "Capability reached 15 with Safety below 10"
    assert laid.winners == "Acceleration"


def _to_the_next_proposal(laid: Table) -> None:
    while laid.game.using:
        laid.use(next(i for i in range(len(laid.game.players) - 1) if i != laid.game.director))
