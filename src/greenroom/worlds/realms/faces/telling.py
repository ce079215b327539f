"""Reports and boards as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TITLES = {
    "unreadable": "Files that cannot be read",
    "cycle": "Imports that go round in a circle",
    "dead": "Nobody needs it",
    "no_tests": "No tests at all",
    "untested": "No test reaches it",
    "no_assertion": "Tests that cannot fail",
    "undocumented": "Public and not documented",
    "dead_link": "Links that lead nowhere",
    "long_function": "Long functions",
    "mark": "Left for later",
}
#: Findings of one rule that a report prints; all of them are in ``--json``.
PRINTED = 12


def report(told: Mapping[str, Any]) -> str:
    """The whole report: what there is, what changed, and every rule with its gravest findings."""
    counts = told["counts"]
    lines = [
        f"{told['name']}: {counts.get('files', 0)} files, {counts.get('modules', 0)} modules, "
        f"{counts.get('lines', 0)} lines, {counts.get('imports', 0)} imports between them",
        *_changes(told["since_last_visit"]),
    ]
    for rule in _by_weight(told["findings"]):
        found = [one for one in told["findings"] if one["rule"] == rule]
        total = told["rules"].get(rule, len(found))
        lines += ["", f"{TITLES[rule]} ({total})"]
        lines += [f"  {one['severity']:6}  {one['path']}:{one['line']}  {one['text']}" for one in found[:PRINTED]]
        if total > PRINTED:
            lines.append(f"          and {total - PRINTED} more; --json has them")
    if not told["findings"]:
        lines += ["", "Nothing to report by any rule."]
    return "\n".join((*lines, *_rest(told)))


def _by_weight(findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rules in the order of their gravest finding: they stand in that order already."""
    return list(dict.fromkeys(one["rule"] for one in findings))


def _changes(news: Mapping[str, Any] | None) -> list[str]:
    if news is None:
        return []
    lines = ["", f"Since the last visit: {len(news['new'])} new, {len(news['gone'])} gone, {news['files']:+d} files"]
    lines += [f"  new   {one['path']}:{one['line']}  {one['text']}" for one in news["new"][:PRINTED]]
    return lines + [f"  gone  {one['path']}  {one['text']}" for one in news["gone"][:PRINTED]]


def _rest(told: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if told["entries"]:
        lines += ["", "Where it begins", *(f"  {one['path']}: {one['why']}" for one in told["entries"][:8])]
    if told["notes"]:
        lines += ["", *(f"({note})" for note in told["notes"])]
    return lines


def board(findings: Sequence[Mapping[str, Any]]) -> str:
    if not findings:
        return "The board is empty."
    return "\n".join(f"{one['severity']:6}  {one['agent_name']}: {one['finding']}" for one in findings)


def realms(listed: Sequence[Mapping[str, Any]]) -> str:
    if not listed:
        return "No realm is linked yet; 'greenroom realms explore PATH' links one."
    lines = []
    for one in listed:
        since = "" if one["commits_since"] is None else f", {one['commits_since']} commits since"
        gone = "" if one["is_there"] else "  (its folder is gone)"
        visited = "" if one["last_explored"] is None else f"{one['last_explored']:%Y-%m-%d %H:%M}"
        known = f"{one['findings']:5} findings  {one['visits']} visits, last {visited}{since}{gone}"
        lines.append(f"{one['id']}  {one['name']:24} {known}")
    return "\n".join(lines)


def quests(found: Sequence[Mapping[str, Any]]) -> str:
    if not found:
        return "There are no quests: no file of issues, and no TODO or FIXME in the code."
    return "\n".join(f"{one['id']}  {one['priority']:6}  {one['status']:11}  {one['title']}" for one in found)


def process(seen: Mapping[str, Any]) -> str:
    lines = [
        f"{seen['title']}: {seen['problem']}",
        f"{seen['status']}, stage {seen['stage'] + 1} of {len(seen['stages'])}",
    ]
    if seen["status"] == "waiting":
        lines.append(f"The stage {seen['stages'][seen['stage']]} waits for you; --go-on approves it.")
    elif seen["status"] == "running":
        lines.append(
            "It stopped before its end: an agent waits for an approval or got no answer; --go-on lets it go on."
        )
    for artifact in seen["artifacts"]:
        lines += ["", f"{artifact['stage']}: {artifact['name']}", artifact["words"]]
    return "\n".join(lines)


__all__ = ["board", "process", "quests", "realms", "report"]
