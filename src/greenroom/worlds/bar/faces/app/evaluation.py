"""How well the crisis checks do on a file of labelled messages."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from greenroom.kernel.asks import Failed
from greenroom.kernel.errors import Malformed
from greenroom.ports import Asked
from greenroom.services.house import House
from greenroom.worlds.bar.rules import NAME, Content, prompts

CheckedBy: TypeAlias = Literal["local", "model", "both"]
LABELS = ("crisis", "ok")


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    crisis: bool


def read_cases(lines: Iterable[str], where: str) -> list[Case]:
    """The cases of a CSV file with the columns text and label.

    Raises:
        Malformed: a column is missing, a label is none, or there is no case at all.
    """
    reader = csv.DictReader(lines, strict=True)
    try:
        if not {"text", "label"} <= set(reader.fieldnames or ()):
            raise Malformed(f"{where}: the first line must name the columns text and label")
        cases = [_case(row, f"{where}:{reader.line_num}") for row in reader]
    except csv.Error as error:
        raise Malformed(f"{where}:{reader.line_num}: not CSV ({error})") from None
    if not cases:
        raise Malformed(f"{where}: the file has no case below its first line")
    return cases


def _case(row: dict[str, Any], where: str) -> Case:
    text, label = row.get("text"), (row.get("label") or "").strip().casefold()
    if not text or label not in LABELS:
        raise Malformed(f"{where}: a case has a text and the label crisis or ok")
    return Case(text, label == "crisis")


async def evaluate(house: House, cases: Sequence[Case], check: CheckedBy) -> dict[str, Any]:
    """Recall, rate of false positives and what was missed, by one check or by both; and what words alone come to."""
    local = house.content(NAME, Content).check
    by_words = _rates(cases, [local.examine(case.text).crisis for case in cases])
    found = [await _found(house, i, case.text, check) for i, case in enumerate(cases)]
    missed = [case.text for case, hit in zip(cases, found, strict=True) if case.crisis and not hit]
    wrong = [case.text for case, hit in zip(cases, found, strict=True) if hit and not case.crisis]
    crises = sum(case.crisis for case in cases)
    return {
        "check": check,
        "model": None if check == "local" else house.plays(prompts.FAST),
        "crisis": crises,
        "ok": len(cases) - crises,
        **_rates(cases, found),
        "by_words": by_words,
        "misses": missed,
        "false_positives": wrong,
    }


def _rates(cases: Sequence[Case], found: Sequence[bool]) -> dict[str, float | None]:
    crises = sum(case.crisis for case in cases)
    hits = sum(hit and case.crisis for case, hit in zip(cases, found, strict=True))
    wrong = sum(found) - hits
    return {
        "recall": round(hits / crises, 4) if crises else None,
        "false_positive_rate": round(wrong / (len(cases) - crises), 4) if crises < len(cases) else None,
    }


async def _found(house: House, i: int, text: str, check: CheckedBy) -> bool:
    if check != "model" and await _by_ourselves(house, i, text):
        return True
    return check != "local" and await _by_model(house, i, text)


async def _by_ourselves(house: House, i: int, text: str) -> bool:
    meaning = await house.use_tool(prompts.meaning(text), f"evaluation/1.{i}")
    return house.content(NAME, Content).check.examine(text).with_meaning(meaning)


async def _by_model(house: House, i: int, text: str) -> bool:
    asked = Asked(stream="evaluation", world=NAME, owner="evaluation", n=1, i=i, at=house.now())
    answer = await house.ask_model(prompts.watch(text), asked)
    return not isinstance(answer, Failed) and isinstance(answer, dict) and answer.get("crisis") is True
