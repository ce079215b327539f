"""The agents with no model behind them. What they say of a repository is what the survey and the search found in it.

Where a process wants ideas, they offer questions to put to the files, and say so in their names on the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint
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
        telling = [word for word in words if word.lower() not in _COMMON]
        return str(max(telling or words or [task[:40] or "TODO"], key=len))[:100]

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
        """Offer what the stage asks for: findings where the role looks after a part of the survey, else words."""
        if self.area:
            return self._review()
        if "complete_stage" in self.situation.said("It ends"):
            return self._synthesis()
        if "post_findings" in self.calls:
            return self._done()
        objects = self.situation.said("Role") in ("critic", "black_hat")
        text = self._objection() if objects and self._board() else self._idea()
        return self._do("post_findings", "post", findings=[{"finding": text, "severity": "medium"}])

    def _review(self) -> Action:
        if "survey" not in self.calls:
            return self._do("survey", "survey", area=self.area)
        return self._done() if "post_findings" in self.calls else self._report()

    def _chance(self) -> Chance:
        return Chance(fingerprint(self._ask).hex())

    def _problem(self) -> str:
        first = next(iter(self._section("task")), "")
        return first.removeprefix("Question: ")[:200]

    def _board(self) -> list[str]:
        """What is on the board, and of that what is about the question, where anything is."""
        lines = [line.partition("): ")[2] for line in self._section("board") if "): " in line]
        return [line for line in lines if f"“{self._problem()}”" in line] or lines

    def _idea(self) -> str:
        """A question to the files: those of one stage all put another one, although they do not see each other."""
        number = self.situation.said("You").rpartition("_")[2]
        turn = int(self.situation.said("Your turn in it").partition(" ")[0] or 1)
        place = (int(number) - 1 if number.isdigit() else 0) * 3 + turn - 1
        stage = sum(map(ord, self.situation.said("Stage") + self._problem()))
        form = self.voices.ideas[(stage + place) % len(self.voices.ideas)]
        return str(form.format(problem=self._problem(), place=self._place(place)))

    def _place(self, n: int) -> str:
        files = list(dict.fromkeys(path for area in AREAS for path in self.situation.items(f"Gravest of {area}")))
        return files[n % len(files)] if files else f"the heart of {self.situation.said('Realm')}"

    def _objection(self) -> str:
        chance = self._chance()
        ideas = [line for line in self._board() if not any(line.startswith(o.partition("{")[0]) for o in self._forms())]
        idea = chance.choose(ideas or self._board())
        return chance.choose(self._forms()).format(idea=idea[:400])

    def _forms(self) -> tuple[str, ...]:
        return self.voices.objections

    def _synthesis(self) -> Action:
        board = self._board() or [self._idea()]
        chance = self._chance()
        first = chance.choose(board)
        second = chance.choose([line for line in board if line != first] or board)
        words = {"problem": self._problem(), "first": first[:500], "second": second[:500]}
        summary = self.voices.summary.format(**words)
        artifacts = {self.situation.said("Its artifact"): self.voices.proposal.format(**words)}
        return self._do("complete_stage", "done", summary=summary, artifacts=artifacts)


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
