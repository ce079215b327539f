"""Quests: what is to be done in a repository, from a file of issues, or from the notes in its code."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from greenroom.worlds.realms.outside.survey.facts import Source

Priority: TypeAlias = Literal["low", "medium", "high"]

#: Files in which issues are kept, the first that is there counts.
ISSUE_FILES = ("issues.json", "ISSUES.json", "docs/issues.json", "ISSUES.md", "TODO.md")
MOST_QUESTS = 60
MOST_FILES = 5
_HIGH = frozenset(["critical", "urgent", "blocker", "security", "high", "p0", "p1", "bug", "crash", "regression"])
_LOW = frozenset(["low", "minor", "trivial", "p3", "p4", "question", "wontfix", "documentation", "chore"])
_ITEM = re.compile(r"^\s*[-*]\s+(?:\[( |x|X)\]\s+)?(.+)$")
_PATHS = re.compile(r"[\w./-]+\.\w{1,5}\b")


def quests(texts: Mapping[str, str], sources: Sequence[Source], files: Sequence[str]) -> list[dict[str, Any]]:
    """At most so many quests; each with a title, a priority from its labels, and at most five files it is about."""
    for name in ISSUE_FILES:
        if name in texts and (found := _from_file(name, texts[name], frozenset(files))):
            return found[:MOST_QUESTS]
    return _from_marks(sources)[:MOST_QUESTS]


def _from_file(name: str, text: str, files: frozenset[str]) -> list[dict[str, Any]]:
    if name.endswith(".md"):
        items = [found for line in text.splitlines() if (found := _ITEM.match(line)) and found[1] not in ("x", "X")]
        return [_quest(name, item[2].strip(), "", _labels(item[2]), files) for item in items]
    try:
        data = json.loads(text)
    except ValueError:
        return []
    listed = data.get("issues", []) if isinstance(data, dict) else data
    issues = [_from_issue(name, one, files) for one in listed] if isinstance(listed, list) else []
    return [issue for issue in issues if issue is not None]


def _from_issue(name: str, issue: Any, files: frozenset[str]) -> dict[str, Any] | None:
    """An issue as trackers export it: a title, a body, labels as words or as objects with names, a state."""
    if not isinstance(issue, dict) or not isinstance(issue.get("title"), str) or issue.get("state") == "closed":
        return None
    given = issue.get("labels") if isinstance(issue.get("labels"), list) else []
    labels = [str(one.get("name", "")) if isinstance(one, dict) else str(one) for one in given or []]
    body = issue.get("body")
    number = issue.get("number", issue.get("id"))
    title = issue["title"] if number is None else f"#{number} {issue['title']}"
    return _quest(name, title, body if isinstance(body, str) else "", labels, files)


def _labels(text: str) -> list[str]:
    return [a or b for a, b in re.findall(r"\[([^\]]+)\]|#(\w+)", text)]


def _quest(origin: str, title: str, body: str, labels: Sequence[str], files: frozenset[str]) -> dict[str, Any]:
    named = [path for path in dict.fromkeys(_PATHS.findall(f"{title}\n{body}")) if path in files]
    return _made(origin, " ".join(title.split())[:200], priority(labels), named[:MOST_FILES], 0)


def priority(labels: Sequence[str]) -> Priority:
    """High where a label says so, low where one says that, medium otherwise; the highest counts."""
    words = {word for label in labels for word in re.split(r"[^a-z0-9]+", label.lower())}
    if not words.isdisjoint(_HIGH):
        return "high"
    return "low" if not words.isdisjoint(_LOW) else "medium"


def _from_marks(sources: Sequence[Source]) -> list[dict[str, Any]]:
    rank = {"FIXME": 0, "HACK": 1, "XXX": 1, "TODO": 2}
    marks = [(rank[mark.tag], source.path, mark) for source in sources for mark in source.marks]
    marks.sort(key=lambda one: (one[0], one[1], one[2].line))
    levels: tuple[Priority, ...] = ("high", "medium", "low")
    return [
        _made(path, mark.text or f"{mark.tag} in {path}", levels[grade], [path], mark.line)
        for grade, path, mark in marks
    ]


def _made(origin: str, title: str, level: Priority, files: Sequence[str], line: int) -> dict[str, Any]:
    id = sha256(f"{origin}\0{title}".encode()).hexdigest()[:8]
    return {
        "id": f"quest_{id}",
        "title": title,
        "priority": level,
        "files": list(files),
        "line": line,
        "origin": origin,
    }


__all__ = ["MOST_QUESTS", "priority", "quests"]
