"""How a game stands, drawn from what one seat sees and from nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import cos, pi, sin
from typing import Any, TypeAlias

from greenroom.kit.console import parts
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, FAILURES, LARGE, LARGE_ONLY, POWERS

Seen: TypeAlias = Mapping[str, Any]

#: Where the meters end; more is told in figures.
FULL = 15
UNKNOWN = "unknown"
_POWER_WORDS = {
    "view_allegiance": "the Director looks at a card",
    "choose_director": "the Director chooses the next one",
    "agi_must_reveal": "the AGI must answer truthfully",
    "eliminate": "the Director eliminates somebody",
    "veto_unlocked": "Engineers may ask for a veto",
}


def table(seen: Seen, seat: str) -> None:
    """The players round the table, and what the table waits for in the middle."""
    players = seen["players"]
    with parts.box("agi-table", role="group", aria_label="The table"):
        with parts.box("agi-middle"):
            _middle(seen)
        for i, player in enumerate(players):
            _seat(seen, player, i, len(players), seat)


def _seat(seen: Seen, player: Seen, i: int, count: int, seat: str) -> None:
    angle = 2 * pi * i / count - pi / 2
    name, alive = player["id"], player["alive"]
    offices = _offices(seen, name)
    classes = " ".join(
        (
            "agi-seat",
            "" if alive else "gone",
            "you" if name == seat else "",
            "acts" if _is_waited_for(seen, name) else "",
        )
    )
    with parts.tag("article", classes, aria_label=name).style(
        f"--x: {50 + 40 * cos(angle):.2f}%; --y: {50 + 39 * sin(angle):.2f}%"
    ):
        with parts.box("agi-name"):
            parts.tag("b", "", name)
            if name == seat:
                parts.tag("span", "note", "you")
        parts.tag("span", f"agi-role {_tone(player)}", _role(player))
        with parts.box("agi-offices"):
            for office in offices:
                parts.chip(office, "good" if office == "Director" else "busy")
            if not alive:
                parts.chip("eliminated", "bad")
            if (cast := _last_ballot(seen, name)) is not None:
                parts.tag(
                    "span", f"ballot {'yes' if cast else 'no'}", "yes" if cast else "no", title="in the last vote"
                )


def _role(player: Seen) -> str:
    if player["role"] != UNKNOWN:
        return str(player["role"])
    return f"{player['allegiance']} card" if player["allegiance"] != UNKNOWN else "unknown"


def _tone(player: Seen) -> str:
    side = player["allegiance"]
    return (
        "unknown" if side == UNKNOWN else "safe" if side == "Safety" else "agi" if player["role"] == "AGI" else "accel"
    )


def _offices(seen: Seen, name: str) -> list[str]:
    held = {"director": "Director", "engineer": "Engineer", "nominee": "nominated", "speaker": "speaks"}
    return [words for office, words in held.items() if seen[office] == name]


def _is_waited_for(seen: Seen, name: str) -> bool:
    if seen["outcome"] is not None or seen["status"] != "active":
        return False
    if seen["speaker"] is not None:
        return bool(seen["speaker"] == name)
    if seen["vote"]:
        return any(player["id"] == name and player["alive"] for player in seen["players"])
    research = seen["phase"] == "Research" and seen["veto"] != "pending" and not seen["power"]
    return name in (seen["director"], seen["engineer"]) if research else name == seen["director"]


def _last_ballot(seen: Seen, name: str) -> bool | None:
    if seen["vote"] or not seen["votes"]:
        return None  # a vote is open: the last one's marks would be taken for it
    found: bool | None = seen["votes"][-1]["ballots"].get(name)
    return found


def _middle(seen: Seen) -> None:
    parts.tag("span", "note", f"Round {seen['round']}")
    parts.text(situation(seen), "agi-now", aria_live="polite")
    with parts.box("agi-flags"):
        for words, tone in _flags(seen):
            parts.chip(words, tone)
    with parts.box("agi-counts"):
        parts.tag("span", "note", f"{seen['deck_count']} papers left")
        failed = seen["failed_proposals"]
        with parts.tag(
            "span", "agi-failed", role="img", aria_label=f"{failed} of {FAILURES} failed proposals in a row"
        ):
            for k in range(FAILURES):
                parts.tag("i", "dot on" if k < failed else "dot")


def situation(seen: Seen) -> str:
    """What the table waits for, in a sentence."""
    if (ended := seen["outcome"]) is not None:
        return f"{ended['winners'] or 'Nobody'} won: {ended['reason']}."
    if seen["status"] == "paused":
        return "The game is paused."
    if seen["discussion"]:
        return f"{seen['speaker']} speaks."
    if seen["vote"] == "team":
        return f"All vote on {seen['nominee']} as Engineer."
    if seen["vote"]:
        return "All vote on an emergency."
    return _work(seen)


def _work(seen: Seen) -> str:
    director, engineer = seen["director"], seen["engineer"]
    if seen["power"]:
        return f"{director}: {_POWER_WORDS[seen['power']].removeprefix('the Director ')}."
    if seen["phase"] == "TeamProposal":
        return f"{director} nominates an Engineer."
    return (
        f"{engineer} wants a veto; {director} answers."
        if seen["veto"] == "pending"
        else (f"{director} and {engineer} work on papers.")
    )


def _flags(seen: Seen) -> list[tuple[str, str]]:
    flags = (
        ("emergency_safety_active", "next paper: 1 Capability less", "busy"),
        ("agi_must_reveal", "the AGI must reveal itself if asked", "busy"),
        ("veto_unlocked", "veto unlocked", "busy"),
    )
    return [(words, tone) for name, words, tone in flags if seen[name] and seen["outcome"] is None]


# meters


def meters(seen: Seen) -> None:
    large = len(seen["players"]) >= LARGE
    marks = {t: _POWER_WORDS[power] for t, power in POWERS.items() if large or t not in LARGE_ONLY}
    marks[AGI_WINS_AT] = "from here an AGI elected Engineer wins"
    marks[FULL] = "Acceleration wins if Safety is below 10"
    with parts.box("agi-meters"):
        _meter("Capability", seen["capability"], marks, "accel")
        _meter("Safety", seen["safety"], {10: "enough against Capability 15", FULL: "Safety wins"}, "safe")
        parts.text(_gap(seen["capability"] - seen["safety"]), "note")


def _gap(gap: int) -> str:
    if gap <= 0:
        return "Safety keeps up."
    return f"Capability is {gap} ahead: {'an emergency may be called, and ' if gap in (4, 5) else ''}6 would win."


def _meter(name: str, value: int, marks: Mapping[int, str], tone: str) -> None:
    with parts.box("agi-meter"):
        with parts.box("agi-meter-head"):
            parts.tag("b", "", name)
            parts.tag("span", "agi-value", str(value))
        with parts.box(
            f"agi-gauge {tone}",
            role="meter",
            aria_label=name,
            aria_valuemin=0,
            aria_valuemax=max(FULL, value),
            aria_valuenow=value,
        ):
            parts.box("agi-fill").style(f"width: {min(value, FULL) / FULL:.2%}")
            for at, words in sorted(marks.items()):
                reached = "reached" if value >= at else ""
                parts.tag("span", f"agi-mark {reached}", str(at), title=f"{at}: {words}").style(
                    f"left: {at / FULL:.2%}"
                )
        with parts.tag("details", "agi-legend"):
            parts.tag("summary", "note", "what the marks mean")
            with parts.tag("ul", "note"):
                for at, words in sorted(marks.items()):
                    parts.tag("li", "reached" if value >= at else "", f"{at}: {words}")


# papers and votes


def papers(seen: Seen) -> None:
    if seen["hand"]:
        parts.text("Your hand" if seen["role"] != UNKNOWN else "The hand", "note")
        with parts.box("agi-papers hand"):
            for paper in seen["hand"]:
                _paper(paper, "held", f"{paper['id']} in hand")
    published = [one for one in seen["published"] if one["paper"] is not None]
    parts.text(f"{len(published)} published" if published else "Nothing is published yet.", "note")
    with parts.box("agi-papers"):
        for one in published:
            by = f"{one['director']} → {one['engineer']}" if one["engineer"] else "published itself"
            less = one["capability_gained"] < one["paper"]["capability"]
            _paper(one["paper"], "less" if less else "", f"round {one['round']}, {by}", by)


def _paper(paper: Seen, classes: str, title: str, foot: str = "") -> None:
    with parts.tag("figure", f"agi-paper {classes}".strip(), title=title):
        with parts.box("agi-paper-values"):
            parts.tag("span", "accel", f"C {paper['capability']}")
            parts.tag("span", "safe", f"S {paper['safety']}")
        parts.tag("figcaption", "", foot or paper["id"].replace("_", " "))


def votes(seen: Seen) -> None:
    """Completed votes, the newest first; an open one shows nothing but the viewer's own ballot."""
    if seen["vote"]:
        mine = seen["my_vote"]
        own = "" if mine is None else f" You voted {'yes' if mine else 'no'}."
        parts.text(f"The {seen['vote']} vote is open; ballots are sealed.{own}", "note")
    elif not seen["votes"]:
        parts.text("Nobody has voted yet.", "note")
    with parts.tag("ol", "agi-votes"):
        for vote in reversed(seen["votes"]):
            _vote(vote)


def _vote(vote: Seen) -> None:
    yes = sum(vote["ballots"].values())
    what = f"{vote['director']} proposed {vote['nominee']}" if vote["nominee"] else "an emergency"
    with parts.tag("li", "agi-vote"):
        with parts.box("agi-vote-head"):
            parts.tag("span", "note", f"Round {vote['round']}")
            parts.tag("span", "", what)
            tally = f"{yes}–{len(vote['ballots']) - yes}"
            parts.chip(f"passed {tally}" if vote["passed"] else f"failed {tally}", "good" if vote["passed"] else "bad")
        _ballots(vote["ballots"])


def _ballots(ballots: Mapping[str, bool]) -> None:
    with parts.box("agi-ballots"):
        for who, cast in ballots.items():
            parts.tag("span", f"ballot {'yes' if cast else 'no'}", who, title=f"{who}: {'yes' if cast else 'no'}")


def draw(seen: Seen, seat: str, places: Sequence[Any]) -> None:
    """Everything anew, into the four places of a page: table, meters, papers, votes."""
    drawn: tuple[Callable[[Seen], None], ...] = (partial(table, seat=seat), meters, papers, votes)
    for place, part in zip(places, drawn, strict=True):
        place.clear()
        with place:
            part(seen)
