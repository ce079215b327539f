"""``greenroom arena``: evolution in the terminal, and what came of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import UsageError
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.cli.session import Commands, Printed, Session, given_file

if TYPE_CHECKING:
    from greenroom.worlds.arena.faces.app.runs import Driven
    from greenroom.worlds.arena.rules.run import Run, RunConfig

ScenarioName = Annotated[str, typer.Option("--scenario", help="Name of the scenario, shipped or of your own.")]
Generations = Annotated[int, typer.Option("--generations", min=1, max=1000, help="How many generations.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same play.")]
Islands = Annotated[int, typer.Option("--islands", min=1, max=8, help="Populations that meet now and then.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=64, help="Processes that play.")]
RuleName = Annotated[str, typer.Option("--rule", help="How to accept: paired, or seed for the original rule.")]
AutoApprove = Annotated[bool, typer.Option("--auto-approve", help="Let designed agents be tried without a person.")]
Models = Annotated[bool, typer.Option("--models", help="Let models mutate and judge, and speak for the evolved side.")]
RunName = Annotated[str | None, typer.Argument(metavar="RUN", help="Name of the run; the newest by default.")]
SomeRun = Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.", show_default=False)]
AgentNumber = Annotated[int, typer.Argument(metavar="AGENT", help="Number of the agent.", show_default=False)]
No = Annotated[bool, typer.Option("--reject", help="Turn the agent away instead.")]
SideA = Annotated[str, typer.Option("--a", help="Who sits at a: a frozen opponent, or baseline.")]
SideB = Annotated[str, typer.Option("--b", help="Who sits at b: a frozen opponent, or baseline.")]
Speaking = Annotated[bool, typer.Option("--models", help="Let models speak for both and judge.")]
PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the scores too, into a .png or .svg file.")
]
Power = Annotated[bool, typer.Option("--power", help="Measure the rule's power with the noise of this run.")]
TableName = Annotated[str, typer.Option("--table", help="generations, agent_profiles, episodes, action_logs, …")]
Out = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="A .csv or .parquet file.", show_default=False)
]
Question = Annotated[str, typer.Argument(help="What went wrong, in your own words.", show_default=False)]
OneRun = Annotated[str | None, typer.Option("--run", help="Search this run alone.")]
HowMany = Annotated[int, typer.Option("--limit", min=1, max=50, help="How many.")]
GameName = Annotated[str, typer.Option("--game", help="negmas, axelrod, or both.")]
SomeSeeds = Annotated[int, typer.Option("--seeds", min=1, max=100, help="How many seeds, from 1 on.")]
YardstickGenerations = Annotated[
    int | None, typer.Option("--generations", min=1, max=2000, help="By default 20 for negmas, 150 for axelrod.")
]


async def evolve(
    session: Session,
    *,
    scenario: ScenarioName = "harbour",
    generations: Generations = 30,
    seed: Seed = 7,
    islands: Islands = 2,
    workers: Workers = 1,
    rule: RuleName = "paired",
    auto_approve: AutoApprove = False,
    models: Models = False,
) -> Printed:
    """Evolve a negotiator, and prove that it improved.

    The proof is play against opponents that it never met. The same command is the same run: given again after any
    interruption it goes on, and any number of workers come to the same lineage sum.
    """
    from greenroom.kit.cli.progress import Bar
    from greenroom.worlds.arena.faces.app import runs, telling

    async with session.house(makes=True) as house:
        runs.content_of(house).scenario(scenario)  # an unknown one is refused before anything is begun
    config = _config(scenario, generations, seed, islands, rule, auto_approve=auto_approve, models=models)
    if not sys.stderr.isatty():
        print("arena evolve: ready", file=sys.stderr, flush=True)
    with Bar("arena evolve") as bar:
        driven = await runs.evolve(session.settings.place, config, workers=workers, progress=bar)
    async with session.house() as house:
        state = await runs.state_of(house, driven.name)
    power = _power(state)
    data = {**telling.summary(driven.name, state), "speed": _speed(driven), "power": power}
    return Printed(data, "\n".join((*telling.told(driven.name, state), _power_line(power), _speed_line(driven))))


def _config(
    scenario: str, generations: int, seed: int, islands: int, rule: str, *, auto_approve: bool, models: bool
) -> RunConfig:
    from greenroom.worlds.arena.faces.app.runs import rule_named
    from greenroom.worlds.arena.rules.run import RunConfig

    mind: Any = "model" if models else "parametric"
    return RunConfig(
        scenario=scenario,
        generations=generations,
        seed=seed,
        islands=islands,
        rule=rule_named(rule),
        actors=mind,
        judge=mind,
        mutator=mind,
        auto_approve=auto_approve,
    )


def _speed(driven: Driven) -> dict[str, Any]:
    seconds = max(driven.seconds, 1e-9)
    return {
        "seconds": round(driven.seconds, 3),
        "episodes": driven.episodes,
        "episodes_per_second": round(driven.episodes / seconds, 1),
        "turns_per_second": round(driven.turns / seconds, 1),
    }


def _speed_line(driven: Driven) -> str:
    speed = _speed(driven)
    return (
        f"  {speed['episodes']} episodes in {speed['seconds']:.1f} s: {speed['episodes_per_second']:.0f} episodes/s, "
        f"{speed['turns_per_second']:.0f} turns/s kept"
    )


async def episode(
    session: Session,
    *,
    scenario: ScenarioName = "harbour",
    a: SideA = "baseline",
    b: SideB = "glazier",
    seed: Seed = 7,
    models: Speaking = False,
) -> Printed:
    """Play one episode and tell it, thoughts and all."""
    from greenroom.worlds.arena.faces.app import episodes, telling

    async with session.house(makes=True, works=models) as house:
        name = await episodes.play(house, scenario=scenario, a=a, b=b, seed=seed, models=models)
        events = [event async for event in house.events(name, seat=OPERATOR)]
    told = [{"version": one.version, "kind": one.kind, "body": one.body} for one in events]
    return Printed({"episode": name, "events": told}, "\n".join(map(telling.event_line, events)))


async def watch(session: Session, run: RunName = None) -> Printed:
    """Follow a run until it is over.

    Tells standings, scenes and challengers. This process plays what is due meanwhile.
    """
    from greenroom.worlds.arena.faces.app import runs, telling, watching

    async with session.house(works=True) as house:
        stream, version, rung = await runs.find(house, run), 0, -1
        while True:
            async for event in house.events(stream.name, seat=OPERATOR, after=version, upto=stream.version):
                async for line in watching.lines(house, event):
                    session.say(line)
            version = stream.version
            if stream.outcome is not None:
                break
            rung = await house.changed(1.0, rung)
            stream = await house.stream(stream.name)
        data = telling.summary(stream.name, await runs.state_of(house, stream.name))
    return Printed(data)


async def _state(session: Session, run: str | None) -> tuple[str, Run]:
    from greenroom.worlds.arena.faces.app import runs

    async with session.house() as house:
        stream = await runs.find(house, run)
        return stream.name, await runs.state_of(house, stream.name)


async def lineage(session: Session, run: RunName = None) -> Printed:
    """Show which profile came from which, and what decided."""
    from greenroom.worlds.arena.faces.app import telling

    name, state = await _state(session, run)
    return Printed(
        {"run": name, "sum": state.lineage, "profiles": telling.family(state)}, "\n".join(telling.lineage(state))
    )


async def profiles(session: Session, run: RunName = None) -> Printed:
    """List every profile with its numbers and what became of it."""
    from greenroom.worlds.arena.faces.app import telling

    name, state = await _state(session, run)
    rows = telling.profile_rows(state)
    names = ("profile", "generation", "made_by", "stance", "parents", "verdict", "mean_difference", "pairs", "p")
    return Printed({"run": name, "profiles": rows}, telling.table(rows, names))


async def approve(session: Session, run: SomeRun, agent: AgentNumber, *, reject: No = False) -> Printed:
    """Decide about an agent that the provisioner designed."""
    from greenroom.worlds.arena.faces.app import runs

    async with session.house() as house:
        stream = await runs.find(house, run)
        command = house.codec(stream.world).command_from("reject" if reject else "approve", {"agent": agent})
        await house.send(stream.name, command, seat=OPERATOR)
    done = "turned away" if reject else "approved; the next generation tries it"
    return Printed({"run": run, "agent": agent, "approved": not reject}, f"agent {agent} of {run}: {done}")


async def similar(session: Session, query: Question, *, run: OneRun = None, limit: HowMany = 5) -> Printed:
    """Find failures that are like what you describe."""
    from greenroom.worlds.arena.faces.app import searching

    async with session.house() as house:
        found = await searching.similar(house, query, run=run, limit=limit)
    lines = [f"  {one['likeness']:.2f}  {one['text']}" for one in found["found"]]
    return Printed(found, "\n".join(lines) or "nothing like that has failed yet")


async def stats(session: Session, run: RunName = None, *, plot: PlotFile = None, power: Power = False) -> Printed:
    """Show the scores of a run by generation.

    In training, and against opponents that were held out.
    """
    from greenroom.worlds.arena.faces.app import plots, runs, telling

    async with session.house() as house:
        name = (await runs.find(house, run)).name
        state, going = await runs.state_of(house, name), await runs.would_go(house, name)
    points = plots.points(state)
    data = {**telling.summary(name, state), "points": points, "would_go": going}
    names = ("generation", "line", "island", "mean", "low", "high", "accepted")
    lines = [*telling.told(name, state), telling.table(points, names)]
    lines.append(
        f"  one more generation would archive {going['archived']} episodes and let {going['released']} logs go"
    )
    if power:
        data["power"] = _power(state)
        lines.append(_power_line(data["power"]))
    if plot is not None:
        with given_file(plot):
            plots.draw(state, plot)
        data["plot"] = str(plot)
        lines.append(f"  plotted in {plot}")
    return Printed(data, "\n".join(lines))


def _power(state: Run) -> dict[str, Any] | None:
    """What the run's own rule is worth with the run's own noise; None where it has recorded too little of that."""
    from dataclasses import asdict

    from greenroom.worlds.arena.faces.app import power

    paired = state.config is not None and state.config.rule.kind == "paired"
    recorded = power.noise(state) if paired else power.scores(state)
    if state.config is None or len(recorded) < 20:
        return None
    if paired:
        return asdict(power.measured(state.config.rule, recorded, times=200))
    return asdict(power.seed_rule_measured(power.scores(state), times=200))


def _power_line(found: dict[str, Any] | None) -> str:
    if found is None:
        return "  too few episodes are recorded to measure the rule's power"
    return (
        f"  of {found['times']} families, {found['false_accepts']:.1%} accepted without a gain and "
        f"{found['power']:.1%} with a gain of {found['gain']:g} (at most {found['pairs']} pairs a variant)"
    )


async def yardstick(
    session: Session, *, game: GameName = "both", seeds: SomeSeeds = 1, generations: YardstickGenerations = None
) -> Printed:
    """Evolve against public agents and meet those that were held out.

    Needs NegMAS and Axelrod, which 'make yardstick' installs in an environment of their own.
    """
    from greenroom.kit.cli.progress import Bar
    from greenroom.worlds.arena.faces.app import measuring
    from greenroom.worlds.arena.rules.yardstick import GAMES

    wanted = [one for one in GAMES if game in (one, "both")]
    if not wanted:
        raise UsageError(f"a yardstick is one of {', '.join(GAMES)} or both, not {game}")
    totals = []
    async with session.house(makes=True) as house:
        for one in wanted:
            found = []
            for seed in range(1, seeds + 1):
                with Bar(f"{one}, seed {seed}") as bar:
                    count = generations or (20 if one == "negmas" else 150)
                    found.append(await measuring.measure(house, one, generations=count, seed=seed, progress=bar))
            totals.append({**measuring.summary(one, found), "runs": found})
            session.say(measuring.told(totals[-1]))
    return Printed({"yardsticks": totals})


async def export(session: Session, run: RunName = None, *, table: TableName = "episodes", output: Out) -> Printed:
    """Write a table of a run into a CSV or Parquet file."""
    from greenroom.worlds.arena.faces.app import exporting, runs

    if output.suffix.lower() not in exporting.SUFFIXES:
        raise UsageError(f"an export is a {' or '.join(exporting.SUFFIXES)} file, not {output.name}")
    async with session.house() as house:
        stream = await runs.find(house, run)
        rows = await exporting.rows(house, stream.name, await runs.state_of(house, stream.name), table)
    with given_file(output):
        exporting.write(output, rows, table)
    return Printed(
        {"run": stream.name, "table": table, "rows": len(rows), "file": str(output)}, f"{len(rows)} rows in {output}"
    )


commands = Commands(
    name="arena",
    help="Let negotiators evolve, and see whether they improved.",
    bodies={
        "evolve": evolve,
        "episode": episode,
        "watch": watch,
        "lineage": lineage,
        "profiles": profiles,
        "approve": approve,
        "similar": similar,
        "stats": stats,
        "yardstick": yardstick,
        "export": export,
    },
)
