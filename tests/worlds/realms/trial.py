"""What the suite of all worlds needs to try this one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Failed, Json, UseTool
from greenroom.kernel.chance import Chance
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.realms.outside import content
from greenroom.worlds.realms.outside.understudy import answer as understudy
from greenroom.worlds.realms.rules import Realm, realms
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.processes import hidden
from greenroom.worlds.realms.rules.state import PLAYER, Settings


def trial() -> Trial:
    return Trial(
        world=realms(content()),
        configs=config,
        answer=answer,
        secrets=secrets,
        weight=weight,
        pause=timedelta(minutes=2),
    )


def config(chance: Chance) -> c.Link:
    """A realm in which agents wait for a person after everything they do.

    A chain of agents that act by themselves lets a waiting command pass (decision 0003), which a late worker sees and
    one in time does not.
    """
    settings = Settings(max_agents=3 + chance.below(3), autonomy="manual", permission="write-with-approval")
    return c.Link(path="/srv/harbour", name="harbour", settings=settings)


FINDINGS = [
    {"key": f"{n:012}", "rule": rule, "severity": severity, "path": path, "line": n, "text": text}
    for n, (rule, severity, path, text) in enumerate(
        (
            ("cycle", "high", "harbour/quay.py", "imports go round in a circle of 2 files: with harbour/tide.py"),
            ("dead", "medium", "harbour/lamp.py", "nothing here imports this module or names it"),
            ("untested", "medium", "harbour/tide.py", "no test reaches this module"),
            ("undocumented", "low", "harbour/quay.py", "2 of 2 public names have no documentation: moor, cast_off"),
        ),
        1,
    )
]
SURVEY: dict[str, Json] = {
    "id": "0123456789ab",
    "path": "/srv/harbour",
    "name": "harbour",
    "digest": "d" * 16,
    "commit": {"head": "a" * 40, "root": "b" * 40, "count": 7},
    "counts": {"files": 4},
    "rules": {"cycle": 1, "dead": 1, "untested": 1, "undocumented": 1},
    "findings": FINDINGS,
    "entries": [],
    "rooms": [{"path": ""}, {"path": "harbour"}],
    "doors": [{"from": "", "to": "harbour", "kind": "nesting", "count": 1}],
    "quests": [
        {"id": f"quest_{n}", "title": title, "priority": "low", "files": ["harbour/tide.py"], "line": n, "origin": "x"}
        for n, title in enumerate(("paint the boat", "mend the net"))
    ],
    "notes": [],
    "left_here": None,
    "said": ["One file was damaged and set aside."],
}


def answer(ask: Ask) -> Json | Failed:
    """A repository of four files, and agents that mostly do what the understudy does, and sometimes anything."""
    if isinstance(ask, UseTool):
        return tool(ask)
    assert isinstance(ask, AskModel)
    chance = Chance(repr(ask.sections))
    match chance.below(8):
        case 0:
            return {"action": "surrender", "thought": note_of(ask.seat)}
        case 1:
            return {"action": "propose_edit", "path": "harbour/tide.py", "before": "ebb", "after": "flood"}
        case 2:
            return {"action": "post_findings", "findings": [{"finding": secret_of(ask.seat), "severity": "low"}]}
        case _:
            return understudy(content(), ask)


def tool(ask: UseTool) -> Json | Failed:
    match ask.name:
        case "realms_survey":
            return SURVEY
        case "realms_read":
            return {"path": ask.args["path"], "text": "def moor(): ...", "cut": False, "size": 15}
        case "realms_list":
            return {"names": ["quay.py", "tide.py"], "left_out": 0}
        case "realms_search":
            return {"hits": [], "count": 0, "files": 4, "cut": False}
        case "realms_propose":
            return {"path": ask.args["path"], "diff": "-ebb\n+flood\n"}
        case _:
            return {"path": ask.args["path"]}


def note_of(seat: str) -> str:
    return f"a thought that only {seat} has had"


def secret_of(seat: str) -> str:
    return f"an idea of {seat}, put down behind the wall"


def secrets(state: Realm) -> Iterable[Secret]:
    """Thoughts belong to whoever had them; ideas behind a wall to whoever posted them, and to the player."""
    for agent in state.agents:
        yield Secret(text=note_of(agent.id), known_to=(agent.id, PLAYER))
        told = content()
        posted = [f for f in state.board if f.agent_id == agent.id]
        seats = {one.id for one in state.agents}
        walled = [seat for seat in seats if posted and all(hidden(told, state, f, seat) for f in posted)]
        if walled:
            yield Secret(text=secret_of(agent.id), known_to=tuple({PLAYER, agent.id} | (seats - set(walled))))


def weight(command: Any) -> int:
    match command:
        case c.Approve():
            return 80
        case c.Remove() | c.Dismiss() | c.Skip() | c.Restart():
            return 1
        case c.StartProcess():
            return 6
        case _:
            return 2
