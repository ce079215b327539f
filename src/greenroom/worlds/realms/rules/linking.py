"""Linking a repository and visiting it again: what the survey says becomes a map, quests and news."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import Ask, Failed, Json, Read, UseTool
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import CommandContext, Turn
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.memory import take_in
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import ORACLE, Errand, Quest, Realm

#: What of a survey belongs together.
AREAS: Mapping[str, tuple[str, ...]] = {
    "structure": ("unreadable", "cycle", "dead"),
    "tests": ("no_tests", "untested", "no_assertion"),
    "docs": ("undocumented", "dead_link"),
    "size": ("long_function",),
    "marks": ("mark",),
}
#: The tool that looks at a whole repository.
SURVEY = "realms_survey"
#: Words that belong to the place and to no agent.
PLACE = "realm"


def link(content: Content, given: CommandContext[c.Link]) -> Turn[e.Event]:
    """The first visit: read the repository, take in what earlier visitors left there, and call the Oracle.

    Raises:
        Refused: the path cannot be linked; the sentence says why.
    """
    wanted = given.command
    pen = Pen(Realm(), given)
    found = yield UseTool(name=SURVEY, args={"path": wanted.path, "first": True})
    if isinstance(found, Failed):
        raise Refused(found.reason)
    name = wanted.name or found["name"]
    pen.tell(e.Linked(id=found["id"], path=found["path"], name=name, settings=wanted.settings))
    _tell_survey(pen, found, None)
    take_in(pen, found.get("left_here") or {})
    _call_oracle(content, pen)
    return pen.done()


def explore(content: Content, state: Realm, given: CommandContext[Any]) -> Turn[e.Event]:
    """Another visit: what changed since the last one is told, and the Oracle goes round again."""
    pen = Pen(state, given)
    found = yield UseTool(name=SURVEY, args={"path": state.path, "first": False})
    if isinstance(found, Failed):
        raise Refused(found.reason)
    before: Mapping[str, Any] | None = None
    if state.survey is not None:
        texts = yield Read((state.survey.id,))
        before = _parsed(texts.get(state.survey.id, ""))
    _tell_survey(pen, found, before)
    _call_oracle(content, pen)
    return pen.done()


def _call_oracle(content: Content, pen: Pen) -> None:
    if pen.state.agent(ORACLE) is None and len(pen.state.agents) < pen.state.settings.max_agents:
        pen.tell(e.AgentJoined(agent=ORACLE, name=content.roles[ORACLE].name, role=ORACLE))
    for agent in pen.state.agents:
        if content.roles.get(agent.role) is not None and content.roles[agent.role].area is not None:
            pen.tell(e.ErrandGiven(errand=Errand(agent=agent.id, reason="explore")))


# the survey


def _tell_survey(pen: Pen, found: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    commit = found.get("commit") or {}
    place = {name: found.get(name, []) for name in ("rooms", "doors")}
    kept = {name: found.get(name) for name in ("digest", "counts", "rules", "findings", "entries", "notes")}
    news = None if before is None else pen.write(_dumped(changes(before, kept)), agent=PLACE, kind="news")
    pen.tell(
        e.Surveyed(
            digest=found["digest"],
            root=commit.get("root", ""),
            head=commit.get("head", ""),
            files=found["counts"]["files"],
            rules=found["rules"],
            gravest=_gravest(kept),
            map=pen.write(_dumped(place), agent=PLACE, kind="map"),
            survey=pen.write(_dumped(kept), agent=PLACE, kind="survey"),
            news=news,
            quests=tuple(_quest(one) for one in found.get("quests", ())),
        )
    )
    for sentence in found.get("said", ()):
        pen.tell(e.ChangeNoticed(words=pen.write(sentence, agent=PLACE)))


def _gravest(survey: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for area, rules in AREAS.items():
        paths = dict.fromkeys(finding["path"] for finding in findings_of(survey, rules))
        found[area] = tuple(paths)[:3]
    return found


def _quest(one: Mapping[str, Any]) -> Quest:
    return Quest(
        id=one["id"],
        title=one["title"],
        priority=one["priority"],
        files=tuple(one["files"]),
        line=one["line"],
        origin=one["origin"],
    )


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What is new and what is gone since the visit before, by finding."""
    old = {finding["key"]: finding for finding in before.get("findings") or ()}
    new = {finding["key"]: finding for finding in now.get("findings") or ()}
    return {
        "new": [finding for key, finding in new.items() if key not in old],
        "gone": [finding for key, finding in old.items() if key not in new],
        "files": (now.get("counts") or {}).get("files", 0) - (before.get("counts") or {}).get("files", 0),
    }


def findings_of(survey: Mapping[str, Any], rules: Sequence[str], *, among: str = "findings") -> list[Mapping[str, Any]]:
    """The findings of some rules, the gravest first."""
    return [finding for finding in survey.get(among) or () if finding["rule"] in rules]


def read_survey(state: Realm) -> Generator[Ask, Any, Mapping[str, Any]]:
    """The last survey, from the words that it was kept as."""
    if state.survey is None:
        return {}
    texts = yield Read((state.survey.id,))
    return _parsed(texts.get(state.survey.id, ""))


def _dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
