"""What a simulation came to: numbers for programs, plots for people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from greenroom.kit.plots import altair_for, save
from greenroom.worlds.phantom.faces.app.temperaments import TEMPERAMENTS
from greenroom.worlds.phantom.faces.app.watching import troubles

if TYPE_CHECKING:
    from greenroom.worlds.phantom.faces.app.simulation import Result

LEVELS = ("engaged", "cooling", "silent", "gone")

Row = Mapping[str, Any]


def summary(result: Result) -> dict[str, Any]:
    """The whole result as plain data."""
    plan, watch = result.plan, result.watch
    return {
        "players": plan.players,
        "days": plan.days,
        "seed": plan.seed,
        "seconds": round(result.seconds, 1),
        "turns": result.turns,
        "events": watch.events,
        "prompts": watch.prompts,
        "largest_prompt_tokens": watch.largest_prompt,
        "commands": dict(sorted(result.commands.items())),
        "refusals": dict(sorted(result.refusals.items())),
        "letters": sum(result.letters.values()),
        "troubles": troubles(watch.troubles),
        "failed": troubles(result.failed),
        "problems": troubles(result.problems),
        "trust": list(trust(result)),
        "lifecycle": list(lifecycle(result)),
        "exposure": list(exposure(result)),
        "letters_by_day": list(letters(result)),
    }


def trust(result: Result) -> Iterable[Row]:
    """Mean trust by day, temperament and agent."""
    names = ("day", "temperament", "agent")
    values = (((one.day, one.temperament, name), trust) for one in result.samples for name, trust in one.trust.items())
    return _means("trust", names, values)


def exposure(result: Result) -> Iterable[Row]:
    values = (((one.day, one.temperament), one.exposure) for one in result.samples)
    return _means("exposure", ("day", "temperament"), values)


def _means(what: str, names: Sequence[str], values: Iterable[tuple[tuple[Any, ...], int]]) -> Iterable[Row]:
    found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for key, value in values:
        found[key].append(value)
    for key, given in sorted(found.items()):
        yield {**dict(zip(names, key, strict=True)), what: round(sum(given) / len(given), 2)}


def lifecycle(result: Result) -> Iterable[Row]:
    """The share of each state by day and agent."""
    found: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for sample in result.samples:
        for agent, level in sample.levels.items():
            found[sample.day, agent][level] += 1
    for (day, agent), counts in sorted(found.items()):
        for rank, level in enumerate(LEVELS):
            share = round(counts[level] / counts.total(), 4)
            yield {"day": day, "agent": agent, "state": level, "rank": rank, "share": share}


def letters(result: Result) -> Iterable[Row]:
    """Letters that one player gets on one day of the story, on average."""
    for (day, agent), count in sorted(result.letters.items()):
        yield {"day": day, "agent": agent, "letters": round(count / result.plan.players, 3)}


def told(found: Mapping[str, Any]) -> str:
    """The result in lines for a terminal."""
    last = found["days"]
    means = {row["temperament"]: row["exposure"] for row in found["exposure"] if row["day"] == last}
    ends = {(row["temperament"], row["agent"]): row["trust"] for row in found["trust"] if row["day"] == last}
    agents = sorted({agent for _, agent in ends})
    head = f"  {'':14}{'exposure':>10}" + "".join(f"{agent:>10}" for agent in agents)
    rows = [
        f"  {name:14}{means.get(name, 0):>10.1f}" + "".join(_cell(ends.get((name, agent))) for agent in agents)
        for name in TEMPERAMENTS
    ]
    wrong = [f"  {one}" for part in ("troubles", "failed", "problems") for one in found[part]["first"]]
    return "\n".join(
        (
            f"{found['players']} players, {last} days, seed {found['seed']}: {found['turns']} turns, "
            f"{found['letters']} letters, {found['events']} events checked in {found['seconds']} s",
            f"  the largest of {found['prompts']} prompts has {found['largest_prompt_tokens']} tokens",
            f"On the last day, on average (trust for each agent in contact):\n{head}",
            *rows,
            *(wrong or ["Every invariant held after every event."]),
        )
    )


def _cell(value: float | None) -> str:
    return f"{'–':>10}" if value is None else f"{value:>10.1f}"


def plots(found: Mapping[str, Any], folder: Path) -> tuple[Path, ...]:
    """Draw the four plots of a simulation into a folder, as SVG; returns their files.

    Raises:
        UsageError: the libraries for plots are not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for what, (title, draw) in _PLOTS.items():
        files.append(folder / f"{what.partition('_')[0]}.svg")
        alt = altair_for(files[-1])
        chart = draw(alt, alt.Chart(alt.Data(values=found[what])).properties(width=260, height=160))
        save(chart.properties(title=title), files[-1])
    return tuple(files)


def _trust(alt: Any, chart: Any) -> Any:
    trust = alt.Y("trust:Q", title="trust, mean", scale=alt.Scale(domain=[-100, 100]))
    drawn = chart.mark_line(point=True).encode(x="day:Q", y=trust, color="agent:N")
    return drawn.facet(facet=alt.Facet("temperament:N", title=None), columns=3)


def _lifecycle(alt: Any, chart: Any) -> Any:
    share = alt.Y("share:Q", stack="normalize", title="share of players")
    state = alt.Color("state:N", sort=list(LEVELS))
    drawn = chart.mark_area().encode(x="day:Q", y=share, color=state, order="rank:Q")
    return drawn.facet(facet=alt.Facet("agent:N", title=None), columns=2)


def _exposure(alt: Any, chart: Any) -> Any:
    exposure = alt.Y("exposure:Q", title="exposure, mean", scale=alt.Scale(domain=[0, 100]))
    return chart.mark_line(point=True).encode(x="day:Q", y=exposure, color="temperament:N")


def _letters(alt: Any, chart: Any) -> Any:
    return chart.mark_bar().encode(x="day:O", y="letters:Q", color="agent:N")


#: What is drawn, by its name in the summary: with which title, and how.
_PLOTS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "trust": ("Trust by day", _trust),
    "lifecycle": ("Lifecycle by day", _lifecycle),
    "exposure": ("Exposure by day", _exposure),
    "letters_by_day": ("Letters a player gets on a day", _letters),
}
