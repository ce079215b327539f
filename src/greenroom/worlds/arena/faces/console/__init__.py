"""The arena in the console: whether the negotiators improved, who came from whom, and what decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from nicegui import ui

from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby, Scene, WorldPage
from greenroom.kit.console.wording import sentence
from greenroom.services.house import House, Look, ShownEvent
from greenroom.worlds.arena.faces.app import runs, telling
from greenroom.worlds.arena.faces.console.drawing import ARENA_CARD, heat_map, scores
from greenroom.worlds.arena.rules import NAME
from greenroom.worlds.arena.rules.run import RunConfig

#: Generations whose mutations are listed, the newest first.
LISTED = 12


class Board:
    """The elements of one page; everything on it is drawn anew when the run has gone on."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        with parts.box("world-arena"):
            self._head = parts.box("arena-head")
            with parts.section("Score by generation", "Mean judge score with 95 % intervals; a ring is an acceptance."):
                self._scores = parts.box("arena-scores", role="group", tabindex=0, aria_label="The scores")
            with parts.section(
                "Waiting for approval", "Agents that the provisioner designed; nobody is tried unasked."
            ):
                self._agents = parts.box("arena-agents")
            with parts.section("Mutations", "What was tried, and the test that decided."):
                self._tried = parts.box("arena-tried", role="group", tabindex=0, aria_label="What was tried")
            with parts.section("Lineage", "Every profile that was accepted, under the one it came from."):
                self._lineage = parts.box("arena-lineage")
            with parts.section("Archive", "The best of every way of behaving: opening across, patience down."):
                self._archive = parts.box("arena-archive", role="group", tabindex=0, aria_label="The archive")
            with parts.section("Episodes that went worst", "With what each side thought; only the operator sees that."):
                self._failures = parts.box("arena-failures")
                self._transcript = parts.box("arena-transcript", role="log", tabindex=0, aria_label="Transcript")

    def tell(self, event: ShownEvent) -> None:
        """What happened is in what is seen; there is nothing to tell one by one."""

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        body: Any = look.body
        if "history" not in body:
            return
        draw: tuple[tuple[Any, Callable[[Any], None]], ...] = (
            (self._head, self._say_how_far),
            (self._scores, self._draw_scores),
            (self._agents, self._list_agents),
            (self._tried, self._list_tried),
            (self._archive, self._draw_archive),
            (self._failures, self._list_failures),
        )
        for element, drawn in draw:
            element.clear()
            with element:
                drawn(body)
        self._lineage.clear()
        with self._lineage:
            parts.text("\n".join(tree(body)), "arena-tree", kind="pre")
            if body["lineage"]:
                parts.text(f"Its digest is {body['lineage'][:16]}; the same seed gives the same one.", "note")

    def _say_how_far(self, body: Any) -> None:
        proof = body["proof"]
        refused = ", ".join(f"{kind} {count}" for kind, count in body["refusals"].items())
        facts = [
            ("Scenario", runs.content_of(self._scene.house).scenarios[body["scenario"]].title),
            ("Generation", f"{body['generation']} of {body['generations']}"),
            ("Episodes", str(body["episodes"])),
            ("Refused strategies", refused or "none"),
        ]
        if proof is not None:
            told = f"{proof['margin']:+.2f} (95 %: {proof['low']:+.2f} to {proof['high']:+.2f})"
            facts.append(("Margin on opponents it never met", told))
        parts.facts(facts)

    def _draw_scores(self, body: Any) -> None:
        if not body["history"]:
            parts.empty("The first epoch is being played.")
            return
        ui.html(scores(body["history"], body["generations"]), sanitize=False)
        parts.text("Brown: in training. Blue: on held-out opponents, which decide nothing.", "note")

    def _list_agents(self, body: Any) -> None:
        waiting = [one for one in body["agents"] if one["status"] == "pending_approval" and not one["approved"]]
        if not waiting:
            parts.empty("Nobody waits.")
        for agent in waiting:
            with parts.tag("article", "arena-agent", aria_label=f"Agent {agent['number']}"):
                parts.text(f"{agent['number']}: {agent['guest']['archetype'].replace('_', ' ')}", "who")
                parts.text(agent["rationale"])
                parts.button("Approve", partial(self._decide, "approve", agent["number"]), look="main")
                parts.button("Turn away", partial(self._decide, "reject", agent["number"]), look="quiet")
        for agent in body["agents"]:
            if agent["status"] != "pending_approval":
                delta = "" if agent["delta"] is None else f", {agent['delta']:+.2f} in its trial"
                parts.text(f"{agent['number']}: {agent['guest']['archetype']}, {agent['status']}{delta}", "note")

    async def _decide(self, deed: str, agent: int) -> None:
        await self._scene.send(deed, {"agent": agent})

    def _list_tried(self, body: Any) -> None:
        if not any(generation["tried"] for generation in body["history"]):
            parts.empty("Nothing has been tried yet.")
            return
        with parts.tag("table", "arena-table"):
            with parts.tag("tr"):
                for name in ("Generation", "Profile", "Tactic", "Pairs", "Gain", "p", "p, corrected", "Verdict"):
                    parts.tag("th", "", name, scope="col")
            for generation in reversed(body["history"][-LISTED:]):
                for one in generation["tried"]:
                    with parts.tag("tr", one["verdict"]):
                        for cell in _cells(generation["number"], one):
                            parts.tag("td", "", cell)

    def _draw_archive(self, body: Any) -> None:
        if not body["archive"]:
            parts.empty("Nothing has been tried yet.")
            return
        ui.html(heat_map(body["archive"]), sanitize=False)

    def _list_failures(self, body: Any) -> None:
        if not body["worst"]:
            parts.empty("No episode was lost lately.")
        for one in body["worst"]:
            sides = f"{_side(one['a'])} against {_side(one['b'])}"
            words = f"Generation {one['generation']}: {sides}, {one['reason']} after {one['turns']} turns"
            parts.button(words, partial(self._read, one["stream"]), look="quiet")

    async def _read(self, stream: str) -> None:
        self._transcript.clear()
        try:
            events = [event async for event in self._scene.house.events(stream, seat=OPERATOR)]
        except GreenroomError as gone:
            self._scene.say(sentence(gone))
            return
        with self._transcript:
            for event in events:
                parts.text(telling.event_line(event), f"arena-line {event.kind}", kind="pre")


def _side(who: Any) -> str:
    """A side of an episode: profiles have numbers, the others names."""
    return f"profile {who}" if str(who).isdigit() else str(who)


def _cells(generation: int, one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(generation),
        str(one["profile"]),
        one["tactic"].replace("_", " "),
        str(len(one["differences"])),
        f"{one['mean']:+.2f}",
        f"{one['p']:.2g}",
        f"{one['corrected']:.2g}",
        one["verdict"],
    )


def tree(body: Mapping[str, Any]) -> list[str]:
    """The accepted profiles, each under the one it came from."""
    accepted = {one["accepted"]: one["number"] for one in body["history"] if one["accepted"] is not None}
    children: dict[int, list[Any]] = {}
    for profile in body["profiles"]:
        if profile["number"] in accepted:
            children.setdefault(profile["parents"][0], []).append(profile)
    lines = ["0  the baseline"]

    def add(number: int, depth: int) -> None:
        for child in children.get(number, ()):
            made = f"generation {accepted[child['number']]}, {child['stance']}, {child['made_by']}"
            lines.append(f"{'   ' * depth}└ {child['number']}  {made}")
            add(child["number"], depth + 1)

    add(0, 1)
    return lines


async def play(scene: Scene) -> None:
    """The page of one run."""
    scene.seat = OPERATOR
    board = Board(scene)
    await scene.follow(tell=board.tell, see=board.see, latest=1)


def _first() -> RunConfig:
    return RunConfig(scenario="harbour", generations=12, seed=7)


async def find(house: House) -> str:
    """The newest run, or a short first one."""
    async for _ in house.every_stream(NAME):
        return (await runs.find(house, None)).name
    return await runs.begin(house, _first())


async def lobby(lobby: Lobby) -> None:
    """Choose what to evolve on."""

    async def start(fields: Mapping[str, str], key: str) -> bool:
        try:
            config = RunConfig(
                scenario=fields["scenario"],
                generations=min(100, max(1, int(fields["generations"]))),
                seed=max(0, int(fields["seed"])),
            )
            name = await runs.begin(lobby.house, config)
        except ValueError:
            lobby.say("Generations and seed are whole numbers.")
            return False
        except GreenroomError as refusal:
            lobby.say(sentence(refusal))
            return False
        ui.navigate.to(addresses.play(NAME, name))
        return True

    scenarios = {name: one.title for name, one in runs.content_of(lobby.house).scenarios.items()}
    parts.text("A run takes minutes and goes on by itself; come back to it whenever you like.", "note")
    card = parts.tag("section", "card world-arena", aria_label="A new run")
    with card, parts.form(start, name="evolve", classes="arena-lobby", label="Begin a run"):
        parts.choice("scenario", "Scenario", scenarios, "harbour")
        parts.field("generations", "Generations", value="12", inputmode="numeric")
        parts.field("seed", "Seed; the same one plays the same", value="7", inputmode="numeric")
        parts.submitter("Evolve")


PAGE = WorldPage(
    world=NAME,
    title="The arena",
    sentence="Watch negotiators improve from one generation to the next, and see for yourself whether they did.",
    picture=ARENA_CARD,
    seat=OPERATOR,
    find=find,
    play=play,
    lobby=lobby,
    static=Path(str(files("greenroom.worlds.arena"))) / "faces" / "static",
)
