"""The page of one realm: the map above, and beside it what is thought, pinned up, to be done and known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from greenroom.kernel.errors import UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Scene
from greenroom.kit.console.wording import clock, sentence
from greenroom.services.house import Look, ShownEvent
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.faces.console.drawing import Plan, colour_of, initials, pinned, standing_at
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules.commands import PROBLEM, SPEECH

TEMPLATES = {
    "brainstorm": "Brainstorm",
    "deep_brainstorm": "Deep brainstorm",
    "six_hats": "Six hats",
    "scamper": "SCAMPER",
    "code_review": "Code review",
}
AUTONOMY = {
    "supervised": "wait for me after each stage",
    "autonomous": "go through to the end",
    "manual": "wait for me after every action",
}
#: The list of whom a task can be given to.
AGENTS = "realm-agents"


class Visit:
    """The elements of one page, and how they follow the realm."""

    def __init__(self, scene: Scene, map_: Mapping[str, Any]) -> None:
        self._scene = scene
        self._plan = Plan(map_)
        self._walkers: dict[str, Any] = {}
        self._pins: dict[str, Any] = {}
        #: What people call the agents, by their ids.
        self._names: dict[str, str] = {}
        self._newest = 0
        #: The version that is looked at; None for the present.
        self._past: int | None = None

    async def build(self) -> None:
        row = await self._scene.house.stream(self._scene.stream)
        with parts.box("world-realms visit"):
            self._head = parts.box("visit-head")
            self._kin = parts.box("visit-kin")
            await self._offer_kin()
            self._decisions = parts.box("decisions", aria_live="polite")
            self._draw_map()
            self._draw_slider(row.mark, row.version)
            with parts.box("visit-parts"):
                self._process = parts.section("Thinking", classes="thinking")
                with self._process:
                    self._stages = parts.box("stages")
                    self._steering()
                    self._start()
                with parts.section("Board", classes="board"):
                    self._board = parts.tag("ol", "findings", aria_live="polite", aria_label="Findings", tabindex=0)
                with parts.section("Quests", classes="quests"):
                    self._quests = parts.tag("ul", "quest-list")
                with parts.section("Vaults", classes="vaults"):
                    self._vaults = parts.box("vault-list")
                    self._task()
                with parts.section("Transcript", classes="transcript"):
                    self._log = parts.tag("ol", "lines", aria_live="polite", aria_label="What happened", tabindex=0)

    # memory of another copy

    async def _offer_kin(self) -> None:
        """Another copy of this repository knows something: offer to take it over."""
        self._kin.clear()
        with self._kin:
            for origin in await app.kin(self._scene.house, self._scene.stream):
                other = await app.state_of(self._scene.house, origin)
                told = f"{other.path} is another copy of this repository; its agents know {other.posted} findings."
                parts.text(told, "note")
                parts.button("Take over what they know", partial(self._inherit, origin), look="quiet")

    async def _inherit(self, origin: str) -> None:
        try:
            await app.inherit(self._scene.house, self._scene.stream, origin)
        except UsageError as refusal:
            self._scene.say(sentence(refusal))
        with self._kin.client:
            await self._offer_kin()

    # what a person decides about

    def _show_decisions(self, body: Any) -> None:
        names = self._names | {agent["id"]: agent["name"] for agent in body["agents"]}
        edits = [edit for edit in body["edits"] if edit["status"] == "proposed"]
        asked = [one for one in body["requests"] if one["status"] == "asked"]
        self._decisions.clear()
        with self._decisions:
            for one in asked:
                said = f"{names.get(one['agent'], one['agent'])} asks to do this outside the house: {one['title']}"
                self._decision(said, one["id"], "request", ("Allow it", "allow"), ("Refuse", "deny"))
            for one in edits:
                said = f"{names.get(one['agent'], one['agent'])} proposes an edit of {one['path']}"
                with self._decision(said, one["id"], "edit", ("Apply it", "apply_edit"), ("Reject", "reject_edit")):
                    parts.tag("pre", "diff mono", one["diff"])

    def _decision(self, said: str, id: str, field: str, *choices: tuple[str, str]) -> Any:
        with parts.tag("section", "card decision", aria_label=said) as made:
            parts.text(said, "strong")
            for n, (word, kind) in enumerate(choices):
                parts.button(word, partial(self._decide, kind, {field: id}), look="quiet" if n else "main")
        return made

    async def _decide(self, kind: str, fields: Mapping[str, str]) -> None:
        await self._scene.send(kind, fields)

    # the map

    def _draw_map(self) -> None:
        plan = self._plan
        with parts.tag("section", "map-frame", aria_label="Map", tabindex=0):
            self._map = parts.box("realm-map").style(f"width:{plan.width}px;height:{plan.height}px")
            with self._map:
                parts.picture(plan.doors_drawn(), "door-layer")
                for room in plan.rooms:
                    self._draw_room(room)
        self._inside = parts.box("room-inside", aria_live="polite")

    def _draw_room(self, room: Mapping[str, Any]) -> None:
        name = room["path"] or "/"
        label = f"Room {name}, {room['files']} files"
        made = parts.button("", partial(self._enter, room["path"]), look="room", label=label)
        made.style(self._plan.box(room))
        with made:
            parts.tag("span", "room-name", self._plan.name(room))
            with parts.tag("span", "objects", aria_hidden="true"):
                for one in room.get("objects", [])[:8]:
                    parts.tag("i", f"object {one['kind']}")
            self._pins[room["path"]] = parts.tag("span", "pins", "", aria_hidden="true")

    async def _enter(self, path: str) -> None:
        await self._scene.send("enter", {"room": path or "/"})
        self._inside.clear()
        try:
            found = await app.room(self._scene.house, self._scene.stream, path)
        except UsageError as refusal:
            self._scene.say(sentence(refusal))
            return
        with self._inside:
            parts.text(path or "the root", "room-title", kind="h3")
            more = f" and {found['left_out']} more" if found["left_out"] else ""
            parts.text(", ".join(found["names"][:60]) + more, "note mono")

    # the slider

    def _draw_slider(self, first: int, last: int) -> None:
        self._newest = last
        with parts.box("visit-slider"):
            self._slider = parts.tag(
                "input", "slider", type="range", min=max(first, 1), max=last, aria_label="Version of this visit"
            )
            parts.begin_with(self._slider, last)
            self._slider.on("change", self._moved, js_handler="(event) => emit(event.target.value)")
            self._where = parts.tag("span", "note", "now")
            parts.button("Branch here", self._branch, look="quiet")
            parts.link("History", addresses.stream(self._scene.stream), "link small")

    async def _moved(self, event: Any) -> None:
        version = int(event.args)
        self._past = None if version >= self._newest else version
        self._where.set_text("now" if self._past is None else f"version {version} of {self._newest}")
        look = await self._scene.house.view(self._scene.stream, seat=self._scene.seat, version=self._past)
        with self._head.client:
            self._show(look)

    async def _branch(self) -> None:
        made = await self._scene.house.branch(self._scene.stream, self._past, awake=True)
        ui.navigate.to(addresses.play(NAME, made.name))

    # what can be said

    def _steering(self) -> None:
        self._controls = parts.box("controls")
        with self._controls:
            for word, kind in (("Approve", "approve"), ("Skip the stage", "skip"), ("Restart", "restart")):
                parts.button(word, partial(self._do, kind), look="main" if kind == "approve" else "")
            with parts.form(self._say, name="steer", classes="steer", label="Say something to this stage"):
                parts.field("text", "Say to all, or give another goal", required=True, maxlength=PROBLEM.most)
                parts.choice("as", "As", {"inject": "a remark", "redirect": "the new goal"}, "inject")
                parts.submitter("Say", look="")

    def _start(self) -> None:
        self._begin = parts.box("begin")
        with self._begin, parts.form(self._started, name="process", classes="process", label="A new process"):
            parts.field("problem", "A question to think about", rows=2, required=True, maxlength=PROBLEM.most)
            parts.choice("template", "In the manner of", TEMPLATES, "brainstorm")
            parts.choice("autonomy", "The agents", AUTONOMY, "supervised")
            parts.submitter("Begin")

    def _task(self) -> None:
        with parts.form(self._directed, name="task", classes="task", label="A task for an agent"):
            parts.field("agent", "A task for the agent", value="oracle", required=True, maxlength=80, list=AGENTS)
            self._agents = parts.tag("datalist", "", id=AGENTS)
            parts.field("text", "Task", hint="Look for the word deprecated", required=True, maxlength=SPEECH.most)
            parts.submitter("Give it", look="")

    async def _do(self, kind: str) -> None:
        await self._scene.send(kind, {})

    async def _say(self, fields: Mapping[str, str], key: str) -> bool:
        kind = fields["as"]
        named = {"inject": "text", "redirect": "goal"}[kind]
        return await self._scene.send(kind, {named: fields["text"]}, key) is not None

    async def _started(self, fields: Mapping[str, str], key: str) -> bool:
        given = {name: fields[name] for name in ("problem", "template", "autonomy")}
        return await self._scene.send("start_process", given, key) is not None

    async def _directed(self, fields: Mapping[str, str], key: str) -> bool:
        return await self._scene.send("direct", {"agent": fields["agent"], "text": fields["text"]}, key) is not None

    # what has happened

    def tell(self, event: ShownEvent) -> None:
        """A line of the transcript."""
        body: Any = event.body
        said = _line(event.kind, body)
        if not said:
            return
        with self._log, parts.tag("li", f"line-{event.kind}"):
            parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.tag("span", "who", self._called(body))
            parts.tag("span", "words", said)
            if event.kind == "spoke":
                parts.link("why", addresses.why(self._scene.stream, event.version), "link small")

    def _called(self, body: Mapping[str, Any]) -> str:
        """What people call whoever did it."""
        id = str(body.get("agent") or body.get("agent_id") or "")
        told = body.get("agent_name") or body.get("name")
        if id and told:
            self._names[id] = str(told)
        return self._names.get(id, id)

    # how it stands

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        self._newest = look.version
        self._slider.props["max"] = look.version
        self._slider.update()
        if self._past is None:
            # Not while somebody holds it.
            there = f"document.getElementById({self._slider.html_id!r})"
            moved = f"const it = {there}; if (it && it !== document.activeElement) it.value = {look.version}"
            self._slider.client.run_javascript(moved)
            self._show(look)

    def _show(self, look: Look) -> None:
        body: Any = look.body
        self._show_head(body)
        self._show_decisions(body)
        self._show_walkers(standing_at(body["agents"], body["board"]), body["acting"])
        self._fill_agents(body["agents"])
        counts = pinned(self._plan, body["board"])
        for path, pin in self._pins.items():
            pin.props(f'data-pins="● {counts[path]}"' if path in counts else None, remove="data-pins")
        self._show_process(body)
        self._fill(self._board, body["board"][::-1][:40], self._finding)
        self._fill(self._quests, body["quests"][:30], self._quest)
        known = [vault for vault in body["vaults"].values() if vault["insights"] or vault["files_analyzed"]]
        self._fill(self._vaults, known, self._vault)

    def _show_head(self, body: Any) -> None:
        self._head.clear()
        with self._head:
            parts.text(body["name"], "page-title", kind="h2")
            told = f"{body['files']} files, visit {body['visits']}, {body['posted']} findings."
            if body["spent"]:
                told += f" {body['spent'] / 1e6:.2f} of {body['settings']['budget_cents'] / 100:.2f} USD spent."
            parts.text(told, "lead")
            if body["is_held"]:
                parts.chip("everybody waits for you", "busy")
            parts.button("Look again", partial(self._do, "explore"), look="quiet")

    def _fill_agents(self, agents: Sequence[Mapping[str, Any]]) -> None:
        """Whom a task can be given to, offered while somebody types."""
        self._agents.clear()
        with self._agents:
            for agent in agents:
                parts.tag("option", "", agent["name"], value=agent["id"])

    def _show_walkers(self, agents: Sequence[Mapping[str, Any]], acting: str | None) -> None:
        """Walkers keep their elements, so that they walk instead of jumping."""
        here: Counter[str] = Counter()
        for agent in agents:
            made = self._walkers.get(agent["id"])
            if made is None:
                with self._map:
                    made = parts.tag("span", "walker", initials(agent["name"]), title=agent["name"])
                self._walkers[agent["id"]] = made
            room = self._plan.room_of(agent["room"])
            place = "" if room is None else str(room["path"])
            made.style(f"background:{colour_of(agent['id'])};{self._plan.standing(place, here[place])}")
            here[place] += 1
            made.classes(remove="acting", add="acting" if agent["id"] == acting else "")
        for id in set(self._walkers) - {agent["id"] for agent in agents}:
            self._walkers.pop(id).delete()

    def _show_process(self, body: Any) -> None:
        process = body["process"]
        going = process is not None and process["status"] != "completed"
        self._controls.set_visibility(going or body["is_held"])
        self._begin.set_visibility(not going)
        self._stages.clear()
        if process is None:
            return
        with self._stages:
            parts.text(f"{process['title']}: {process['problem']}", "strong")
            parts.chip({"waiting": "waits for you", "running": "running"}.get(process["status"], "done"), "busy")
            with parts.tag("ol", "stage-list"):
                for n, name in enumerate(process["stages"]):
                    state = "now" if n == process["stage"] and going else "past" if n <= process["stage"] else ""
                    parts.tag(
                        "li", f"stage-name {state}".strip(), name, aria_current="step" if state == "now" else None
                    )
            if going:
                turns = ", ".join(f"{self._names.get(who, who)} ({count})" for who, count in process["counts"].items())
                parts.text(f"{process['goal']} Turns taken: {turns}.", "note")
            for artifact in process["artifacts"]:
                with parts.tag("details", "artifact"):
                    parts.tag("summary", "", f"{artifact['stage']}: {artifact['name']}")
                    parts.text(artifact["words"], "words")

    def _fill(self, where: Any, items: Sequence[Any], draw: Any) -> None:
        where.clear()
        with where:
            for item in items:
                draw(item)
            if not items:
                parts.text("Nothing yet.", "note")

    def _finding(self, one: Mapping[str, Any]) -> None:
        with parts.tag("li", f"finding {one['severity']}"):
            parts.chip(one["severity"], {"high": "bad", "medium": "busy"}.get(one["severity"], ""))
            parts.tag("span", "words", one["finding"])
            parts.tag("span", "note", one["agent_name"])

    def _quest(self, one: Mapping[str, Any]) -> None:
        with parts.tag("li", f"quest {one['status']}"):
            parts.chip(one["status"].replace("_", " "))
            parts.tag("span", "words", one["title"])
            parts.tag("span", "note mono", ", ".join(one["files"][:2]))
            if one["status"] == "open":
                parts.button("Ask the Oracle", partial(self._assign, one["id"]), look="quiet")

    async def _assign(self, quest: str) -> None:
        await self._scene.send("assign_quest", {"quest": quest, "agent": "oracle"})

    def _vault(self, one: Mapping[str, Any]) -> None:
        with parts.tag("details", "vault"):
            known = ", ".join(f"{area} {level}" for area, level in one["expertise"].items())
            parts.tag("summary", "", f"{one['agent_name']} {f'({known})' if known else ''}")
            for insight in one["insights"]:
                parts.text(insight, "words")
            if one["files_analyzed"]:
                parts.text("Read: " + ", ".join(one["files_analyzed"][-8:]), "note mono")


#: How an event is told in the transcript; what is not named here is not told.
_LINES = {
    "spoke": "{words}",
    "noticed": "{words}",
    "injected": "{words}",
    "redirected": "{words}",
    "finding_posted": "pins up: {finding}",
    "agent_joined": "comes in",
    "agent_left": "goes",
    "file_read": "reads {path}",
    "help_asked": "asks {to}: {words}",
    "permission_asked": "asks to be allowed: {title}",
    "memory_taken": "what the agents of {origin} know is known here",
    "stage_began": "the stage {name} begins",
    "process_completed": "the process is complete",
}


def _line(kind: str, body: Mapping[str, Any]) -> str:
    return _LINES.get(kind, "").format(**body)


__all__ = ["Visit"]
