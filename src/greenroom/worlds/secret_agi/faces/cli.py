"""``greenroom agi``: games of Secret AGI, from one at the terminal to a tournament."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import UsageError
from greenroom.kit.cli.session import Commands, Printed, Session, given_file, to_json

if TYPE_CHECKING:
    from greenroom.journal.records import Stream
    from greenroom.services.house import House, ShownEvent
    from greenroom.worlds.secret_agi.faces.app.tournament import Tournament

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.", show_default=False)]
Games = Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="How many games.")]
Players = Annotated[int, typer.Option("--players", min=5, max=10, help="Players at the table.")]
Agents = Annotated[
    str,
    typer.Option(
        "--agents",
        help="random, heuristic, weak, middle, strong, model or model:ROLE for all seats; several with commas go round "
        "the table; "
        "two with a / play for Safety and for Acceleration.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the whole tournament.")]
NewSeed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed of its agents' dice; the same by default.")]
GameSeed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed of the game; random by default.")]
Processes = Annotated[int, typer.Option("--processes", min=1, max=64, help="Processes that play.")]
Talks = Annotated[int, typer.Option("--talk", min=0, max=10, help="Messages each player may send in a discussion.")]
RuleSetName = Annotated[
    str, typer.Option("--rules", help="classic: the deck is gone through once. long: discards come back.")
]
MostTurns = Annotated[
    int, typer.Option("--max-turns", min=1, max=100_000, help="A game with more turns counts as failed.")
]
SeenFrom = Annotated[str, typer.Option("--seat", help="Seat to look from; the operator sees everything.")]
FromTurn = Annotated[int, typer.Option("--from", min=0, help="First turn.")]
ToTurn = Annotated[int | None, typer.Option("--to", min=0, help="Last turn; the newest by default.")]
At = Annotated[int | None, typer.Option("--at", min=0, help="Turn to branch after; the newest by default.")]
NewAgents = Annotated[str | None, typer.Option("--agents", help="Agents that take the seats over; see 'agi play'.")]
NewName = Annotated[str | None, typer.Option("--name", help="Name of the branch; made up by default.")]
Some = Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games; all by default.")]
Out = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write; standard output by default.")
]


PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures too, into a .png or .svg file.")
]
LeagueAgents = Annotated[
    str, typer.Argument(metavar="AGENTS", help="Two or more with commas, such as strong,middle,heuristic,model:cheap.")
]
Swiss = Annotated[int, typer.Option("--swiss", min=0, max=100, help="Rounds of a Swiss league; 0 for all against all.")]
OldGame = Annotated[str | None, typer.Option("--game", help="A game to come back to; a new one by default.")]
Pace = Annotated[float, typer.Option("--pace", min=0, max=60, help="Seconds between two sentences.")]
MySeat = Annotated[str, typer.Option("--seat", help="Your seat.")]
Seconds = Annotated[int, typer.Option("--seconds", min=0, max=86_400, help="Time to decide; 0 for no limit.")]


# playing


async def play(
    session: Session,
    *,
    games: Games = 1,
    players: Players = 5,
    agents: Agents = "random",
    seed: Seed = 0,
    processes: Processes = 1,
    talk: Talks = 0,
    max_turns: MostTurns = 2000,
    rules: RuleSetName = "classic",
) -> Printed:
    """Play a tournament among agents.

    Every game is kept in the house. The same command gives the same games, with any number of processes; given
    again, it takes up what was interrupted and repeats nothing.
    """
    import greenroom
    from greenroom.kit.cli.progress import Bar
    from greenroom.worlds.secret_agi.faces.app import stats as sums
    from greenroom.worlds.secret_agi.faces.app import tournament as tournaments

    wanted = tournaments.Tournament(
        games=games, players=players, agents=agents, seed=seed, talks=talk, max_turns=max_turns, rules=rules
    )
    async with session.house(makes=True):
        pass  # made, and its warnings heard, before anybody plays
    if not sys.stderr.isatty():
        print("agi play: ready", file=sys.stderr, flush=True)  # a terminal sees the bar; a program hears this
    with Bar("agi play") as bar:
        seconds = await tournaments.play(session.settings.place, wanted, processes=processes, progress=bar)
    async with greenroom.open(session.settings.place, work=False) as house:
        outcomes = await tournaments.results(house, wanted)
    found = sums.summary(outcomes)
    turns = sum(outcome.get("turns", 0) for outcome in outcomes)
    speed = {
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds, 2),
        "actions_per_second": round(turns / seconds, 1),
        "pure": tournaments.pure_speed(wanted, outcomes) if wanted.pure else None,
    }
    data = {"tournament": _asked(wanted), "results": found, "games": outcomes, "speed": speed}
    return Printed(data, _told(wanted, found, speed))


def _asked(wanted: Tournament) -> dict[str, Any]:
    return {
        name: getattr(wanted, name) for name in ("games", "players", "agents", "seed", "talks", "max_turns", "rules")
    }


def _told(wanted: Tournament, found: dict[str, Any], speed: dict[str, Any]) -> str:
    from greenroom.worlds.secret_agi.faces.app.stats import bar, told

    pure = "" if speed["pure"] is None else f"; rules alone {speed['pure']['games_per_second']:.0f} games/s"
    return "\n".join(
        (
            f"{found['games']} games, {wanted.players} players, {wanted.agents}, seed {wanted.seed}: "
            f"{found['completed']} completed, {found['failed']} failed, {found['turns']} turns on average",
            f"  Safety        {told(found['safety'])}  {bar(found['safety'])}",
            f"  Acceleration  {told(found['acceleration'])}  {bar(found['acceleration'])}",
            *(f"  {count:6}  {reason}" for reason, count in found["reasons"].items()),
            f"  {speed['games_per_second']} games/s and {speed['actions_per_second']:.0f} actions/s kept{pure}",
        )
    )


async def human(
    session: Session,
    *,
    game: OldGame = None,
    players: Players = 5,
    agents: Agents = "middle",
    seat: MySeat = "player_1",
    talk: Talks = 1,
    seconds: Seconds = 0,
    seed: GameSeed = None,
    rules: RuleSetName = "long",
    pace: Pace = 0.0,
) -> Printed:
    """Sit down at a table with agents.

    The terminal is your seat. Come back to a game you left with --game.
    """
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.worlds.secret_agi.faces.app import games as usage
    from greenroom.worlds.secret_agi.faces.app.terminal import SeatedPerson

    async with session.house(makes=True, works=True) as house:
        if game is None:
            name = await usage.create_game(house, _laid(players, agents, seat, talk, seconds, seed, rules), seed=seed)
        else:
            name = (await usage.game_stream(house, game)).name
            await usage.check_seat(house, name, seat, person=True)
        sat = SeatedPerson(house, name, seat, Keyboard(), session.say, pace=pace)
        session.say(f"SECRET AGI   (game {name})", style="bold")
        await sat.play()
        data = {"game": name, "seat": seat, **_end(await house.stream(name))}
    return Printed(data)


def _laid(  # noqa: PLR0917
    players: int, agents: str, seat: str, talk: int, seconds: int, seed: int | None, rules: str
) -> Any:
    """A table with a person among agents.

    Raises:
        Malformed: there is no such seat, or an agent of that name cannot play by itself.
    """
    from dataclasses import replace

    from greenroom.kernel.errors import Malformed
    from greenroom.worlds.secret_agi.faces.app.tournament import Tournament
    from greenroom.worlds.secret_agi.rules.commands import SeatConfig

    config = Tournament(games=1, players=players, agents=agents, talks=talk, rules=rules).config(0)
    names = [one.player_id for one in config.seats]
    if seat not in names:
        raise Malformed(f"there is no seat {seat}; this table has {', '.join(names)}")
    person = SeatConfig(player_id=seat, agent_type="HumanPlayer")
    seats = tuple(person if one.player_id == seat else one for one in config.seats)
    return replace(config, seats=seats, decision_seconds=seconds, seed=seed)


# looking


async def watch(session: Session, game: Game, *, seat: SeenFrom = "operator", pace: Pace = 0.0) -> Printed:
    """Follow a game as it is played, until it ends.

    This process drives what is due meanwhile.
    """
    from greenroom.worlds.secret_agi.faces.app import games as usage

    shown: list[dict[str, Any]] = []
    async with session.house(works=True) as house:
        stream, version, rung = await usage.game_stream(house, game), 0, -1
        await usage.check_seat(house, game, seat)
        while True:
            async for event in house.events(game, seat=seat, after=version, upto=stream.version):
                shown.append(_fact(event))
                if (line := _line(event, seat)) is not None:
                    session.say(line)
                    import asyncio

                    await asyncio.sleep(pace)
            version = stream.version
            if stream.outcome is not None:
                break
            rung = await house.changed(1.0, rung)
            stream = await house.stream(game)
    return Printed({"game": game, "seat": seat, "events": shown})


async def replay(
    session: Session, game: Game, *, seat: SeenFrom = "operator", first: FromTurn = 0, last: ToTurn = None
) -> Printed:
    """Tell a game again, as a seat saw it."""
    from greenroom.worlds.secret_agi.faces.app import games as usage

    async with session.house() as house:
        stream = await usage.game_stream(house, game)
        await usage.check_seat(house, game, seat)
        upto = stream.version if last is None else min(stream.version, last + 1)
        events = [event async for event in house.events(game, seat=seat, after=first, upto=upto)]
    data = {"game": game, "seat": seat, "events": [_fact(event) for event in events]}
    return Printed(data, "\n".join(line for event in events if (line := _line(event, seat)) is not None))


def _fact(event: ShownEvent) -> dict[str, Any]:
    return {"turn": event.version - 1, "at": event.at.isoformat(), "kind": event.kind, "body": event.body}


def _line(event: ShownEvent, seat: str) -> str | None:
    """What happened in a sentence, with its turn; None where another sentence says it."""
    from greenroom.worlds.secret_agi.faces.app.telling import told

    words = told(event.kind, dict(event.body), seat)
    return None if words is None else f"{event.version - 1:5}  {words}"


# going on


async def branch(
    session: Session,
    game: Game,
    *,
    at: At = None,
    agents: NewAgents = None,
    seed: NewSeed = None,
    name: NewName = None,
) -> Printed:
    """Play on from any turn of a game, with other agents if you like.

    The game itself stays as it is.
    """
    from greenroom.worlds.secret_agi.faces.app import branches, games

    async with session.house() as house:
        await games.game_stream(house, game)
        seats = [] if agents is None else await branches.taken_over(house, game, agents)
        made = await branches.branch(house, game, turn=at, seats=seats, seed=seed, name=name)
        await _drive(house, made.name)
        stream = await house.stream(made.name)
    data = {"branch": made.name, "of": game, "at": made.forked_at - 1, **_end(stream)}
    return Printed(data, f"{made.name}: branched from {game} after turn {made.forked_at - 1}; {_ending(stream)}")


async def _drive(house: House, game: str) -> None:
    """Let what is due in this game be played, on its own clock if it is a branch."""
    from greenroom.worlds.secret_agi.faces.app.branches import go_on

    await go_on(house, game)
    await house.quiet()


async def resume(session: Session, games: Some = None) -> Printed:
    """Go on with games that were interrupted or paused.

    Without names, with all that were interrupted; a paused game is resumed only if it is named.
    """
    from greenroom.worlds.secret_agi.faces.app import branches, recovery

    async with session.house() as house:
        names = games or await recovery.find_interrupted(house)
        found = []
        for name in names:
            why = (await recovery.recover(house, name))["type"]
            if games:
                await branches.unpause(house, name)
            await _drive(house, name)
            found.append({"game": name, "was": why, **_end(await house.stream(name))})
        going = [name for name in await recovery.open_games(house) if name not in {one["game"] for one in found}]
    lines = [f"{one['game']}: {one['was'] or 'not interrupted'}; turn {one['turn']}" for one in found]
    lines += [f"{name}: not interrupted, not over" for name in going]
    return Printed({"resumed": found, "open": going}, "\n".join(lines) or "nothing was interrupted")


def _end(stream: Stream) -> dict[str, Any]:
    from greenroom.kernel.codec import parse

    return {"turn": stream.version - 1, "outcome": None if stream.outcome is None else parse(stream.outcome)}


def _ending(stream: Stream) -> str:
    ended = _end(stream)["outcome"]
    return f"turn {stream.version - 1}, not over" if ended is None else f"{ended['winners']} won: {ended['reason']}"


# sums


async def stats(session: Session, *, plot: PlotFile = None) -> Printed:
    """Win rates of all games in the house.

    By table size, role and agent, with 95 % intervals; invalid actions; decisions a second; what models used.
    """
    from greenroom.worlds.secret_agi.faces.app import plots
    from greenroom.worlds.secret_agi.faces.app import stats as sums

    async with session.house() as house:
        found = await sums.of_house(house)
    lines = sums.lines_of(found)
    if plot is not None:
        with given_file(plot):
            plots.draw(found, plot)
        found = {**found, "plot": str(plot)}
        lines.append(f"  plotted in {plot}")
    return Printed(found, "\n".join(lines))


async def league(
    session: Session,
    agents: LeagueAgents,
    *,
    games: Games = 10,
    players: Players = 5,
    seed: Seed = 0,
    talk: Talks = 0,
    rules: RuleSetName = "classic",
    swiss: Swiss = 0,
    processes: Processes = 1,
    plot: PlotFile = None,
) -> Printed:
    """Rate agents by games against each other.

    All meet all, as either side, and are rated in each role. Every game is kept; the same command takes up what was
    interrupted and repeats nothing.
    """
    from greenroom.kit.cli.progress import Bar
    from greenroom.worlds.secret_agi.faces.app import league as leagues
    from greenroom.worlds.secret_agi.faces.app import plots

    named = tuple(name.strip() for name in agents.split(","))
    wanted = leagues.League(agents=named, games=games, players=players, seed=seed, talks=talk, rules=rules, swiss=swiss)
    async with session.house(makes=True):
        pass
    with Bar("agi league") as bar:
        stood = await leagues.play(session.settings.place, wanted, processes=processes, progress=bar)
    found = stood.told()
    lines = leagues.lines_of(found)
    if plot is not None:
        with given_file(plot):
            plots.draw_ratings(found["ratings"], plot)
        lines.append(f"  plotted in {plot}")
    return Printed(found, "\n".join(lines))


async def export(session: Session, games: Some = None, *, output: Out = None) -> Printed:
    """Write whole games as lines of JSON, one game a line."""
    from greenroom.worlds.secret_agi.faces.app import history
    from greenroom.worlds.secret_agi.rules import NAME

    if session.as_json and output is None:
        raise UsageError("--json prints one object; name a file for the lines with --output")
    count = 0
    async with session.house() as house:
        names = games or [stream.name async for stream in house.every_stream(NAME)]
        lines = [to_json(await history.record(house, name)) async for name in _each(house, names)]
        count = len(lines)
    written = "".join(f"{line}\n" for line in lines)
    if output is None:
        sys.stdout.write(written)
        return Printed(None)
    with given_file(output):
        output.write_text(written)
    return Printed({"games": count, "file": str(output)}, f"{count} games in {output}")


async def _each(house: House, names: list[str]) -> Any:
    from greenroom.worlds.secret_agi.faces.app import games as usage

    for name in names:
        await usage.game_stream(house, name)
        yield name


commands = Commands(
    name="agi",
    help="Play Secret AGI, a game of hidden roles.",
    bodies={
        "play": play,
        "human": human,
        "watch": watch,
        "replay": replay,
        "branch": branch,
        "resume": resume,
        "stats": stats,
        "league": league,
        "export": export,
    },
    play=lambda session, new: human(session),
)
