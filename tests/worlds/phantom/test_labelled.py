"""Four hundred labelled messages: what cannot be undone is read only where it is certain."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from greenroom.worlds.phantom.rules.classify import by_rules
from greenroom.worlds.phantom.rules.readings import IRREVERSIBLE
from tests.counts import report
from tests.worlds.phantom.trial import CONTENT

FOLDER = Path(__file__).parent / "readings"
AGENTS = {"e": "ember", "m": "miro", "c": "cipher"}
KINDS = {
    "D": "key_deleted_claim", "S": "shares_agent_secret", "T": "threatens", "U": "key_use_claim", "N": "key_use_denied",
    "A": "agrees_with_agent", "X": "disagrees_with_agent", "Q": "questions_agent", "I": "shares_intel",
    "O": "shares_info_from_other", "M": "mentioned_agent_to_other", "C": "shares_contact",
    "F": "forwarded_agent_message", "R": "expresses_trust", "L": "expresses_distrust",
    "G": "breaks_fiction", "K": "mentions_key", "H": "insult",
}  # fmt: skip


@dataclass(slots=True)
class Tally:
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    #: Doubts that were seen, and labelled.
    doubts: list[bool] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def f1(self, kinds: tuple[str, ...]) -> float:
        right, wrong, missed = (sum(one[kind] for kind in kinds) for one in (self.right, self.wrong, self.missed))
        return 2 * right / (2 * right + wrong + missed)

    def precision(self, kinds: tuple[str, ...]) -> float:
        right, wrong = (sum(one[kind] for kind in kinds) for one in (self.right, self.wrong))
        return right / (right + wrong)


def tallied(name: str) -> Tally:
    tally = Tally()
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        agent, labels, said = line.split(" ", 2)
        found = by_rules(CONTENT, AGENTS[agent], said)
        wanted = {KINDS[one] for one in labels.split(",") if one in KINDS}
        seen = {*found.behaviours, *(("insult",) if found.sentiment == "hostile" else ())} & set(KINDS.values())
        tally.right.update(seen & wanted)
        tally.wrong.update(seen - wanted)
        tally.missed.update(wanted - seen)
        if labels.startswith("?"):
            tally.doubts.append(KINDS[labels[1]] in found.doubts)
        if seen != wanted:
            tally.faults.append(f"{line}  +{sorted(seen - wanted)} -{sorted(wanted - seen)}")
    return tally


@pytest.mark.parametrize("name", ["development", "sealed"])
def test_readings_that_cannot_be_undone_are_certain_and_the_others_mostly_right(name: str) -> None:
    tally = tallied(name)
    every = tuple(KINDS.values())
    report(
        f"phantom: readings, {name}: irreversible precision {tally.precision(IRREVERSIBLE):.3f}, "
        f"recall {sum(tally.right[k] for k in IRREVERSIBLE)}/"
        f"{sum(tally.right[k] + tally.missed[k] for k in IRREVERSIBLE)}, all kinds F1 {tally.f1(every):.3f}, "
        f"doubts {sum(tally.doubts)}/{len(tally.doubts)}"
    )
    assert tally.precision(IRREVERSIBLE) >= 0.99
    assert tally.f1(every) >= 0.85, "\n".join(tally.faults)


def test_four_hundred_messages_are_labelled_and_a_third_of_them_sealed() -> None:
    counted = {
        file.stem: sum(not line.startswith("#") for line in file.read_text(encoding="utf-8").splitlines())
        for file in FOLDER.iterdir()
    }
    assert sum(counted.values()) >= 400
    assert counted["sealed"] * 3 >= sum(counted.values()) * 0.9
