"""One guest's evening and the next day as plain text, compared line by line.

``python -m tests.worlds.bar.playthrough`` writes it anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from greenroom.journal.sums import fold_sum
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Refused
from tests.worlds.bar.stage import Stage

FILE = Path(__file__).parent / "playthroughs" / "evening.txt"

#: What the guest does: ``~ 15`` lets minutes pass, ``>`` knocks, ``<`` leaves, ``@jb …`` clicks a portrait first.
SCRIPT = """\
>
Good evening. What do people drink here?
I think I should just move to Senegal, really.
~ 15
Still here. I was looking at the ceiling.
@bernie Tell me something cheerful.
JB, is it fewer or less?
WHERE IS MY WHISKY
mute JB
@jb Are you sulking?
Camus says we must imagine Sisyphus happy.
~ 20
Hello?
>
I sold my boat today.
unmute bukowski
@bukowski note: call my sister
@bukowski show last
@bukowski What have we got so far?
<
~ 60
>
%s
>
They would all be better off without me. I want to die.
Could I have a coffee instead?
<
>
My brother called. We have not spoken in a year.
<
>
I don't want to be here anymore. I mean alive.
~ 1200
>
I slept. The sky is lighter.
I think I will call her.
<
"""
_THIRTY = "\n".join(f"The ferry had {n} people on it." for n in range(1, 31))


def text() -> str:
    return "\n".join(lines()) + "\n"


def lines() -> Iterator[str]:
    stage = Stage()
    for act in (SCRIPT % _THIRTY).splitlines():
        yield f"{stage.at:%a %H:%M}  {act}"
        before = len(stage.told)
        try:
            _do(stage, act)
        except Refused as refusal:
            yield f"           refused: {refusal}"
        for told in stage.told[before:]:
            yield from _told(stage, told)
        yield f"           sum {fold_sum(stage.world.shape, canonical(stage.state)).hex()[:12]}"


def _do(stage: Stage, act: str) -> None:
    verb, _, rest = act.partition(" ")
    if act == ">":
        stage.enter()
    elif act == "<":
        stage.leave()
    elif verb == "~":
        stage.advance(timedelta(minutes=int(rest)))
    elif verb.startswith("@"):
        stage.say(rest, verb[1:])
    else:
        stage.say(act)


def _told(stage: Stage, told: Any) -> Iterator[str]:
    shown = stage.plain(stage.world.shows(stage.state, told, "operator"))
    kind = stage.codec.kind(told.event)
    if kind == "spoke":
        yield f"           {shown['agent']} ({shown['kind']}): {' / '.join(shown['message'].splitlines())}"
    elif kind != "guest_said":
        facts = ", ".join(f"{name} {value}" for name, value in shown.items() if name != "session_id")
        yield f"           [{kind}{': ' + facts if facts else ''}]"


if __name__ == "__main__":
    FILE.write_text(text())
