"""The agents with no model behind them. What they say of a repository is what the survey and the search found in it.

Where a process wants ideas, they say what follows from what they saw (``thinking``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from greenroom.kernel.asks import AskModel
from greenroom.worlds.realms.outside.thinking import Moment
from greenroom.worlds.realms.rules.actions import AREAS
from greenroom.worlds.realms.rules.content import Content

#: Specialists that the Oracle sends for, each where its rules found something.
_SENDS = {"test_guardian": "tests", "doc_scribe": "docs", "mason": "size", "chronicler": "marks"}
_WORD = re.compile(r"[\w./-]{4,}")
_COMMON = frozenset(
    [
        "what",
        "where",
        "when",
        "which",
        "does",
        "this",
        "that",
        "with",
        "from",
        "have",
        "there",
        "about",
        "please",
        "find",
        "look",
        "tell",
        "begin",
    ]
)

Action = dict[str, Any]


def answer(content: Content, ask: AskModel) -> Action:
    """The next action of an agent; the same ask always gets the same."""
    part = RealmsPart(content, ask)
    match part.situation.said("This turn"):
        case "explore":
            return part.explore()
        case "stage":
            return part.stage()
        case "quest":
            return part.quest()
        case _:
            return part.search()


class Situation:
    """What a prompt says of how things stand: a thing in a line, or items below it."""

    def __init__(self, text: str) -> None:
        self._said: dict[str, str] = {}
        self._items: dict[str, list[str]] = {}
        label = ""
        for line in text.split("\n"):
            if line.startswith(("- ", "  - ")):
                self._items.setdefault(label, []).append(line)
            else:
                label, _, said = line.partition(":")
                self._said[label] = said.strip()

    def said(self, label: str) -> str:
        """What stands behind a label; nothing where that is none."""
        found = self._said.get(label, "")
        return "" if found in ("none", "nobody", "nothing") else found

    def listed(self, label: str) -> list[str]:
        return [one for one in self.said(label).split(", ") if one]

    def items(self, label: str) -> list[str]:
        return [line.removeprefix("- ") for line in self._items.get(label, []) if line.startswith("- ")]

    @property
    def counts(self) -> dict[str, int]:
        """How much the survey found, by rule."""
        pairs = [one.rpartition(" ") for one in self.listed("Found by the survey")]
        return {rule: int(count) for rule, _, count in pairs}

    def files(self, quest: str) -> list[str]:
        """The files that a quest is about."""
        lines = self._items.get("Quests open to you", [])
        begin = next((n for n, line in enumerate(lines, 1) if line.startswith(f"- {quest} ")), len(lines))
        return [line.removeprefix("  - ") for line in takewhile(lambda line: line.startswith("  - "), lines[begin:])]


class RealmsPart:
    """One agent in one moment of its turn, as far as its prompt says."""

    def __init__(self, content: Content, ask: AskModel) -> None:
        self.content = content
        self.voices = content.voices
        self._ask = ask
        self.situation = Situation("\n".join(self._section("situation")))
        self.calls = self.situation.listed("Calls so far")
        self.area = self.situation.said("Your part of the survey")

    def _section(self, name: str) -> Sequence[str]:
        return next((section.texts for section in self._ask.sections if section.name == name), ())

    def _do(self, action: str, thought: str, **fields: Any) -> Action:
        said = self.voices.thoughts.get(thought, "").format(area=self.area)
        return {"action": action, "thought": said, **fields}

    def _done(self) -> Action:
        return self._do("done", "done")

    def _told(self, tool: str) -> Mapping[str, Any]:
        """What a tool last said in this turn, where that was data."""
        for note in (*self._section("answer"), *reversed(self._section("turn"))):
            if note.startswith(f"[{tool}] "):
                try:
                    found = json.loads(note.removeprefix(f"[{tool}] "))
                except ValueError:
                    return {}
                return found if isinstance(found, dict) else {}
        return {}

    # exploring

    def explore(self) -> Action:
        """Look, report, send for others, read the gravest place, and learn from it."""
        if "survey" not in self.calls:
            return self._do("survey", "survey", area=self.area)
        if "post_findings" not in self.calls:
            return self._report()
        if (role := self._wanted()) is not None:
            return self._do("summon_agent", "summon", role=role)
        if "read" not in self.calls and (place := self._gravest()):
            return self._do("read", "read", path=place)
        if "update_knowledge" not in self.calls:
            return self._learn()
        return self._done()

    def _report(self) -> Action:
        found = self._told("survey").get("findings", [])
        if not found:
            clean = {"finding": self.voices.clean.format(area=self.area), "severity": "low"}
            return self._do("post_findings", "nothing", findings=[clean])
        return self._do("post_findings", "post", findings=[_posted(one) for one in found])

    def _wanted(self) -> str | None:
        """Somebody for whom there is work, and who is not here."""
        situation = self.situation
        room = situation.said("Room for more agents") != "0"
        if situation.said("Role") != "oracle" or not room or self.calls.count("summon_agent") >= 4:
            return None
        here = situation.listed("Agents here")
        for role, area in _SENDS.items():
            if role not in here and any(rule in situation.counts for rule in AREAS[area]):
                return role
        return None

    def _gravest(self) -> str:
        return next(iter(self.situation.items(f"Gravest of {self.area}")), "")

    def _learn(self) -> Action:
        total = sum(self.situation.counts.get(rule, 0) for rule in AREAS.get(self.area, ()))
        place = self._gravest()
        form = self.voices.insight if total and place else self.voices.insight_clean
        insight = form.format(area=self.area, count=total, place=place)
        return self._do("update_knowledge", "learn", insight=insight, area=self.area, amount=5)

    # being asked

    def search(self) -> Action:
        """Look for the longest word of what was asked, and say where it stands."""
        task = " ".join(self._section("task"))
        pattern = self._pattern(task)
        if "search" not in self.calls:
            return self._do("search", "search", pattern=pattern)
        if "post_findings" not in self.calls:
            return self._do("post_findings", "post", findings=[self._found(task, pattern)])
        return self._done()

    def _pattern(self, task: str) -> str:
        words = [word.strip("./-") for word in _WORD.findall(task)]
        return max(_telling(task) or words or [task[:40] or "TODO"], key=len)[:100]

    def _found(self, task: str, pattern: str) -> Action:
        told = self._told("search")
        hits, asked = told.get("hits", []), task[:160]
        if not hits:
            return {"finding": self.voices.not_found.format(task=asked, pattern=pattern), "severity": "low"}
        first = hits[0]
        place = f"{first['path']}, line {first['line']}"
        text = self.voices.searched.format(task=asked, pattern=pattern, count=told["count"], place=place)
        return {"finding": text, "severity": "low", "path": first["path"], "line": first["line"]}

    def quest(self) -> Action:
        """Take it up and read what it is about; whether it is done is for somebody else to say."""
        quest = self.situation.said("Quest of this turn")
        if not quest:
            return self._done()
        if "claim_quest" not in self.calls:
            return self._do("claim_quest", "search", quest_id=quest)
        files = self.situation.files(quest)
        if "read" not in self.calls and files:
            return self._do("read", "read", path=files[0])
        return self._done()

    # processes

    def stage(self) -> Action:
        """Findings where the role looks after a part of the survey; else look, and say what follows from that."""
        if self.area:
            return self._review()
        moment = self._moment()
        if "complete_stage" in self.situation.said("It ends"):
            summary, plan = moment.conclusion()
            artifacts = {self.situation.said("Its artifact"): plan}
            return self._do("complete_stage", "done", summary=summary, artifacts=artifacts)
        if "post_findings" in self.calls:
            return self._done()
        looked = next((call for call in self.calls if call in ("survey", "search")), None)
        if looked is None:
            tool, fields = moment.look()
            return self._do(tool, "look", **fields)
        said = moment.say(looked, self._told(looked))
        return self._done() if said is None else self._do("post_findings", "post", findings=[said])

    def _review(self) -> Action:
        if "survey" not in self.calls:
            return self._do("survey", "survey", area=self.area)
        return self._done() if "post_findings" in self.calls else self._report()

    def _moment(self) -> Moment:
        situation = self.situation
        number = situation.said("You").rpartition("_")[2]
        problem = next(iter(self._section("task")), "").removeprefix("Question: ")[:200]
        return Moment(
            content=self.content,
            process=situation.said("Process"),
            stage=situation.said("Stage"),
            role=situation.said("Role"),
            problem=problem,
            words=_telling(problem),
            seat=int(number) - 1 if number.isdigit() else 0,
            turn=int(situation.said("Your turn in it").partition(" ")[0] or 1) - 1,
            counts=situation.counts,
            board=self._section("board"),
        )


def _telling(text: str) -> list[str]:
    words = [word.strip("./-") for word in _WORD.findall(text)]
    return list(dict.fromkeys(word for word in words if word.lower() not in _COMMON and len(word) > 3))


def _posted(finding: Mapping[str, Any]) -> Action:
    """A finding of the survey as it goes onto the board: with its place, word for word."""
    place = f"{finding['path']}:{finding['line']}"
    return {
        "finding": f"{place}: {finding['text']}"[:1900],
        "severity": finding["severity"],
        "path": finding["path"],
        "line": finding["line"],
    }


__all__ = ["answer"]
