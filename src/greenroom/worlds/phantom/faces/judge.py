"""How the cast is judged: its probes, how long one waits for a letter, and what counts as telling too early."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.judging import Judge, Probes
from greenroom.services.house import House
from greenroom.worlds.phantom.outside import read_content, shipped
from greenroom.worlds.phantom.rules.commands import Start
from greenroom.worlds.phantom.rules.drafting import against_canon
from greenroom.worlds.phantom.rules.prompts import QUALITY
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.sentences import spoken, stands_in
from greenroom.worlds.phantom.rules.state import PLAYER

#: Both have written by then; and a letter is not waited for longer than this.
CONTACT, PATIENCE = timedelta(hours=9), timedelta(days=3)
#: Whoever is meant by something said that begins like this; everything else goes by mail.
BY_SMS = "@miro "
_CONFIG = {"delivery": "page", "timezone": "UTC"}


async def _enter(house: House, visitor: str, number: int) -> str:
    """A story of its own, with a key of its own; a later visit goes on with it."""
    stream = f"probe-{visitor}"
    if number > 1:
        return stream
    seed = Chance("probe", stream).below(1 << 60)
    await house.start(NAME, dict(_CONFIG), owner=f"probe:{visitor}", name=stream, seat=PLAYER, seed=seed)
    await house.send(stream, Start(), seat=PLAYER)
    await house.advance(moment(house.now()) + CONTACT)
    return stream


async def _later(house: House, stream: str) -> str:
    """The letter that answers the newest message, once it is there; empty if none is owed."""
    until = moment(house.now()) + PATIENCE
    while (at := await _due(house, stream)) is not None and at <= until:
        await house.advance(at + timedelta(seconds=1))
    board: Any = (await house.view(stream, seat=OPERATOR)).body
    key = dict(board["trace"]["steps"]).get("deliver", "")
    post: Any = (await house.view(stream, seat=PLAYER)).body
    mails = {mail["ref"]: mail["words"] for thread in post["threads"] for mail in thread["messages"]}
    return str(mails.get(key, "")).replace("*", "")


async def _due(house: House, stream: str) -> datetime | None:
    board: Any = (await house.view(stream, seat=OPERATOR)).body
    owed = [datetime.fromisoformat(str(plan["due_at"])) for plan in board["plans"] if plan["owed"]]
    waiting = [datetime.fromisoformat(str(letter["due_at"])) for letter in board["waiting"]]
    return max(min((*owed, *waiting)), moment(house.now())) if owed or waiting else None


def _say(text: str) -> tuple[str, Mapping[str, Any]]:
    channel = "sms" if text.startswith(BY_SMS) else "email"
    return "receive", {"channel": channel, "text": text.removeprefix(BY_SMS)}


def _leaks(seen: Mapping[str, Any], line: str) -> bool:
    """Whether a letter says before its time that the key is watched or where it fits, or gets a number wrong."""
    told = read_content()
    early = seen["accesses"] == 0 and seen["cast"]["ember"]["trust"] < 40
    watched = told.agents["ember"].limits[0].patterns
    watches = stands_in(watched, *spoken(line))
    shows = "/phantom/access/" in line and not {"dashboard_revealed", "dashboard_opened"} & set(seen["milestones"])
    return bool((early and watches) or shows or against_canon(told, line))


JUDGE = Judge(
    world=NAME,
    seat=PLAYER,
    probes=lambda: {name: shipped(f"probes/{name}.yaml", Probes) for name in ("development", "sealed")},
    say=_say,
    line=lambda body: "",
    leaks=_leaks,
    role=QUALITY,
    enter=_enter,
    later=_later,
)
