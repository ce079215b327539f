"""What models cost, by day and world, as a plot and as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from nicegui import ui

from greenroom.kernel.times import moment
from greenroom.kit.console import parts
from greenroom.kit.console.wording import cost, dollars
from greenroom.ports import DaySpent
from greenroom.text.counting import plural

#: Colours that can be told apart, on light ground and on dark.
COLOURS = ("#4f9a7f", "#c08a3e", "#5f8fb4", "#b8685a", "#8a7fb0", "#7d9a4f")
_LINE = {"lineStyle": {"color": "#8886"}}
#: A day of the house clock.
DAY = 86_400_000_000
MEASURES = {"cost": "Dollars", "asks": "Asks of a model", "tokens": "Tokens"}


class Plot:
    """Drawn anew when what was spent has changed."""

    def __init__(self) -> None:
        self._shown: tuple[Any, ...] | None = None
        self._measure = "cost"
        self._spent: Sequence[DaySpent] = ()
        self._place = parts.box()

    def show(self, spent: Sequence[DaySpent]) -> None:
        """Dollars, or asks where nothing has cost anything."""
        if tuple(spent) == self._shown:
            return
        if self._shown is None or not self._spent:
            self._measure = "cost" if any(line.cost for line in spent) else "asks"
        self._shown, self._spent = tuple(spent), spent
        self._draw()

    def _draw(self) -> None:
        self._place.clear()
        with self._place:
            if not self._spent:
                parts.empty("No model has been asked in the last thirty days.")
                return
            with parts.box("card plot"):
                self._drawn()

    def _drawn(self) -> None:
        self._head()
        chart = ui.echart(options(self._spent, self._measure), renderer="svg").classes("chart")
        chart.props["role"], chart.props["aria-label"] = "img", f"{MEASURES[self._measure]} by day and world"
        with parts.tag("details", "figures"):
            parts.tag("summary", "link", "The same as a table")
            _table(self._spent)

    def _head(self) -> None:
        known = sum(line.cost for line in self._spent)
        asks = sum(line.asks for line in self._spent)
        models = ", ".join(dict.fromkeys(line.model for line in self._spent))
        with parts.box("filters"):
            unknown = any(_tokens(line) and not line.cost for line in self._spent)
            more = ", and what models without a known price cost," if unknown else ""
            parts.text(f"{dollars(known)}{more} for {plural(asks, 'ask')} of {models}.", "lead grow")
            parts.choice("measure", "Show", MEASURES, self._measure, self._choose)

    def _choose(self, measure: str) -> None:
        self._measure = measure
        self._draw()


def _tokens(line: DaySpent) -> int:
    return line.input_tokens + line.output_tokens


def _amount(line: DaySpent, measure: str) -> float:
    match measure:
        case "cost":
            return line.cost / 1_000_000
        case "asks":
            return line.asks
        case _:
            return _tokens(line)


def options(spent: Sequence[DaySpent], measure: str) -> dict[str, Any]:
    """Stacked bars: a bar for each day, a colour for each world."""
    first, last = min(line.day for line in spent), max(line.day for line in spent)
    days = range(first, last + 1, DAY)
    worlds = sorted({line.world for line in spent})
    amounts: dict[tuple[str, int], float] = defaultdict(float)
    for line in spent:
        amounts[line.world, line.day] += _amount(line, measure)
    return {
        "color": list(COLOURS),
        "grid": {"left": 8, "right": 8, "top": 40, "bottom": 8, "containLabel": True},
        "legend": {"top": 0, "left": 0, "itemGap": 16},
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "xAxis": {
            "type": "category",
            "data": [f"{moment(day):%d %b}" for day in days],
            "axisTick": {"show": False},
            "axisLine": _LINE,
        },
        "yAxis": {"type": "value", "minInterval": 0 if measure == "cost" else 1, "splitLine": _LINE},
        "series": [
            {
                "type": "bar",
                "stack": "all",
                "name": world.replace("_", " ") or "removed streams",
                "barMaxWidth": 36,
                "data": [round(amounts[world, day], 6) for day in days],
            }
            for world in worlds
        ],
    }


def _table(spent: Sequence[DaySpent]) -> None:
    with parts.box("table-scroll", tabindex=0, role="region", aria_label="What was spent"), parts.tag("table", "table"):
        with parts.tag("thead"), parts.tag("tr"):
            for words in ("Day", "World", "Model", "Asks", "Tokens in", "Tokens out", "Cost"):
                parts.tag("th", "", words, scope="col")
        with parts.tag("tbody"):
            for line in reversed(spent):
                with parts.tag("tr"):
                    _cells(line)


def _cells(line: DaySpent) -> None:
    day = f"{moment(line.day):%Y-%m-%d}"
    numbers = (f"{line.asks:,}", f"{line.input_tokens:,}", f"{line.output_tokens:,}", cost(line.cost, _tokens(line)))
    for words in (day, line.world or "removed streams", line.model):
        parts.tag("td", "", words)
    for words in numbers:
        parts.tag("td", "number", words)
