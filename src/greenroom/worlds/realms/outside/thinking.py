"""What an agent with no model behind it adds to a stage: something true of the files, and what follows from it.

It looks first: for a word of the question, or of the file that an idea on the board is about, or at a part of the
survey. Which of these, and in which words it is told, depends on the stage and the role.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from greenroom.worlds.realms.outside.survey.tree import kind_of
from greenroom.worlds.realms.rules.actions import AREAS, SEVERITIES
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.state import Severity

_PLACE = re.compile(r"([\w@+./-]{1,160}\.\w{1,12}):(\d{1,7})")
#: Parts of the survey that a stage or a role looks at first; elsewhere agents take turns with all of them.
_FIRST = {
    "substitute": ("structure", "tests"),
    "combine": ("docs", "structure"),
    "modify": ("size",),
    "put_to_other_use": ("docs", "structure"),
    "eliminate": ("structure", "marks", "docs"),
    "reverse": ("structure", "tests"),
    "critic": ("tests", "size"),
    "black_hat": ("tests", "structure", "size"),
    "red_hat": ("marks", "size"),
    "yellow_hat": ("tests", "docs"),
    "green_hat": ("size", "structure"),
}
#: Stages and roles that take up what somebody else said; the rest see the files alone.
_ANSWERING = frozenset(["crossing", "repair", "critic", "black_hat"])
_OBJECTING = frozenset(["critique", "dangers", "discussion"])
_POSTED = re.compile(r"(.+?), (\w+) \((low|medium|high)\): ")
_SEVERITIES: Mapping[str, Severity] = {severity: severity for severity in SEVERITIES}
#: A line that is beside the point, and one that says what a name is.
_ASIDE = re.compile(r"\s*(?:#|//|/?\*|:|--|from\b|import\b|use\b)")
_DEFINES = r"\b(?:def|class|function|func|fn|struct|enum|trait|interface|type|const|let|var)\s+\w*{word}"
#: Characters of a line of the board that is quoted.
QUOTED = 160


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line of the board: who said it, in which stage, how grave it is, what, and about which file."""

    name: str
    stage: str
    severity: Severity
    text: str

    @property
    def path(self) -> str:
        found = _PLACE.search(self.text)
        return found[1] if found else ""

    @property
    def is_objection(self) -> bool:
        return self.stage in _OBJECTING

    def answers(self, other: BoardLine) -> bool:
        return self.text.startswith(f"On {other.short}:")

    @property
    def short(self) -> str:
        """How it is named by whoever answers it: by its place, or by its first words."""
        if found := _PLACE.search(self.text):
            return found[0]
        return f"“{self.text}”" if len(self.text) <= QUOTED else f"“{self.text[: QUOTED - 1].rpartition(' ')[0]}…”"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where an agent stands in a process."""

    content: Content
    process: str
    stage: str
    role: str
    problem: str
    #: Words of the question that tell something, in its order.
    words: Sequence[str]
    #: Which of several agents this is, and which of its turns, both from 0.
    seat: int
    turn: int
    #: How much the survey found, by rule.
    counts: Mapping[str, int]
    board: Sequence[str]

    def lines(self) -> list[BoardLine]:
        """What was put onto the board in this process, the oldest first."""
        template = self.content.templates.get(self.process)
        stages = set() if template is None else {stage.name for stage in template.stages}
        found = [(_POSTED.match(line), line) for line in self.board]
        return [
            BoardLine(one[1], one[2], _SEVERITIES[one[3]], " ".join(line[one.end() :].split()))
            for one, line in found
            if one and one[2] in stages
        ]

    @property
    def aim(self) -> BoardLine | None:
        """What it answers: the gravest idea, or objection, that nobody has taken up yet."""
        if self.stage not in _ANSWERING and self.role not in _ANSWERING:
            return None
        here = [line for line in self.lines() if line.stage == self.stage]
        lines = [line for line in self.lines() if line not in here and line.is_objection == (self.stage == "repair")]
        rest = [line for line in lines if not any(one.answers(line) for one in here)]
        return min(rest or lines, key=lambda line: SEVERITIES[::-1].index(line.severity), default=None)

    # looking

    def look(self) -> tuple[str, dict[str, Any]]:
        """The action that it begins with, and its fields."""
        areas = [area for area in self._areas() if any(rule in self.counts for rule in AREAS[area])]
        n = self.turn + self.seat
        if areas and (n % 2 or not (self.words or self.aim)):
            return "survey", {"area": areas[(n // 2) % len(areas)]}
        return "search", {"pattern": self.word}

    def _areas(self) -> Sequence[str]:
        return _FIRST.get(self.stage) or _FIRST.get(self.role) or tuple(AREAS)

    @property
    def word(self) -> str:
        """A word of the question; of an idea, the name of the file that it is about."""
        if self.aim is not None and (path := PurePosixPath(self.aim.path)).name:
            short = len(path.stem) < 4 or path.stem in ("__init__", "index")
            return f"{path.parent.name}{'.' if path.suffix == '.py' else '/'}{path.stem}" if short else path.stem
        return self.words[(self.turn + self.seat) // 2 % len(self.words)] if self.words else self.problem[:40]

    # telling

    def say(self, tool: str, told: Mapping[str, Any]) -> dict[str, Any] | None:
        """What is put onto the board, from what the tool told; nothing where that said nothing."""
        found = self._of_word(told) if tool == "search" else self._of_survey(told)
        if found is None:
            return None
        kind, fact = found
        own = self.content.voices.says
        forms = own.get(self.stage) or own.get(self.role) or own["ideator"]
        form = forms.get(kind) or (forms.get("finding") if kind in self.counts else None) or own["ideator"][kind]
        aim = self.aim
        idea = "" if aim is None else aim.short
        text = form.format(**{"problem": self.problem, "idea": idea, "about": "" if aim is None else aim.path, **fact})
        if aim is not None and not text.startswith("On "):
            text = f"On {idea}: {text}"
        return {"finding": text[:1900], "severity": fact["severity"], "path": fact["path"], "line": fact["number"]}

    def _of_word(self, told: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        if "files" not in told:
            return None
        fact: dict[str, Any] = {
            "word": self.word,
            "searched": told["files"],
            "severity": "low",
            "path": "",
            "number": 0,
        }
        hits = told.get("hits") or ()
        if not hits:
            return "absent", fact
        hit = self._telling(hits)
        line = hit["text"][:120].replace("`", "'")
        more = {"count": _lines(told["count"]), "place": f"{hit['path']}:{hit['line']}", "line": line}
        fact |= {**more, "path": hit["path"], "number": hit["line"]}
        return ("written", fact) if _is_written(hit) else ("word", {**fact, "severity": "medium"})

    def _telling(self, hits: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Where the word says most: in a name that is made there, of a place that is not on the board yet."""
        said = "\n".join(self.board)
        aim = self.aim
        programs = [hit for hit in hits if not _is_written(hit)] or hits
        elsewhere = [hit for hit in programs if aim is None or hit["path"] != aim.path] or programs
        fresh = [hit for hit in elsewhere if f"{hit['path']}:{hit['line']}" not in said] or elsewhere
        for better in (self._is_code, self._begins_a_name, self._is_made):
            fresh = [hit for hit in fresh if better(hit)] or fresh
        return fresh[self.seat % len(fresh)]

    def _is_code(self, hit: Mapping[str, Any]) -> bool:
        return not _ASIDE.match(hit["text"])

    def _begins_a_name(self, hit: Mapping[str, Any]) -> bool:
        return re.search(rf"(?<![A-Za-z]){re.escape(self.word)}", hit["text"], re.IGNORECASE) is not None

    def _is_made(self, hit: Mapping[str, Any]) -> bool:
        return re.search(_DEFINES.format(word=re.escape(self.word)), hit["text"], re.IGNORECASE) is not None

    def _of_survey(self, told: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        found: Sequence[Mapping[str, Any]] = told.get("findings") or ()
        if not found:
            return None
        said = "\n".join(self.board)
        fresh = [one for one in found if f"{one['path']}:{one['line']}" not in said] or found
        if (aim := self.aim) is not None:
            fresh = [one for one in found if one["path"] == aim.path and f"{one['path']}:{one['line']}" not in aim.text]
        else:
            own = {line.path for line in self.lines()}
            fresh = [one for one in fresh if one["path"] in own] or fresh
        if not fresh:
            return self._unopposed(told, found)
        one = fresh[self.seat % len(fresh)]
        place = f"{one['path']}:{one['line']}"
        fact = {"place": place, "path": one["path"], "number": one["line"], "severity": one["severity"]}
        return one["rule"], {**fact, "text": one["text"], "area": told["area"], "total": told["total"]}

    def _unopposed(self, told: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
        """Nothing is known of the file of an idea, as far as what was told reaches."""
        path = "" if self.aim is None else self.aim.path
        known = f"{len(found)} gravest of {told['total']}" if told["total"] > len(found) else str(told["total"])
        other = "but this one " if any(one["path"] == path for one in found) else ""
        where = {"severity": "low", "path": path, "number": 0}
        return "unopposed", {"area": told["area"], "known": known, "other": other, **where}

    # ending

    def conclusion(self) -> tuple[str, str]:
        """A summary, and a plan: the gravest three things, each with what was said against it."""
        voices, lines = self.content.voices, self.lines()
        against = [line for line in lines if line.is_objection]
        ideas = [line for line in lines if not line.is_objection]
        files = Counter(line.path for line in lines if line.path)
        ideas.sort(key=lambda line: (SEVERITIES[::-1].index(line.severity), -files[line.path]))
        chosen = [line for line in ideas if line.path] or ideas
        once = [
            line for n, line in enumerate(chosen) if line.path not in {one.path for one in chosen[:n]} or not line.path
        ]
        plan = []
        for number, line in enumerate(once[:3], 1):
            plan.append(f"{number}. {line.text}")
            said = [one.text.removeprefix(f"On {line.short}: ") for one in against if one.answers(line)]
            plan += [f"   {voices.against.format(text=text)}" for text in said[:1]]
        plan.append(f"{len(once[:3]) + 1}. {voices.again}")
        first = files.most_common(1)
        about = voices.about.format(path=first[0][0], count=_lines(first[0][1])) if first else voices.about_nothing
        words = {"problem": self.problem, "ideas": len(ideas), "against": len(against), "about": about}
        return voices.summary.format(**words), "\n".join(plan)


def _is_written(hit: Mapping[str, Any]) -> bool:
    """Whether a hit is in a document, and in no program."""
    return kind_of(hit["path"])[0] == "doc"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


__all__ = ["BoardLine", "Moment"]
