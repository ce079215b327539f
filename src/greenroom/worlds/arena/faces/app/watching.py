"""A run as it is watched: how a generation stands, a scene from its talks, who challenged and who took the chair."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from greenroom.kernel.errors import UsageError
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House, ShownEvent
from greenroom.worlds.arena.faces.app.telling import event_line

#: Turns of a scene that are told: how talks end says most.
LAST = 3
#: Half the width of a bar.
WIDE = 20
#: Events that say nothing to whoever watches.
_QUIET = frozenset(("learned", "generation_closed"))
_VERDICTS = {
    "accepted": "takes the chair",
    "rejected": "is sent away",
    "culled": "is culled early",
    "unconfirmed": "fails before strangers",
}


async def lines(house: House, event: ShownEvent) -> AsyncIterator[str]:
    """What there is to see of one event of a run."""
    body: Any = event.body
    if event.kind == "epoch_played":
        for line in _standing(body):
            yield line
        if body.get("scene"):
            async for line in _scene(house, body["scene"]):
                yield line
    elif event.kind not in _QUIET:
        for line in _told(event, body):
            yield line


def _told(event: ShownEvent, body: Any) -> Sequence[str]:
    match event.kind:
        case "trial_played":
            return tuple(map(_challenger, body["tried"]))
        case "retained":
            return (f"   {body['archived']} old episodes go to the archive, {body['released']} logs are let go.",)
        case "scouted":
            return tuple(f"   the scout: {one['text']}" for one in body["hypotheses"] if one["held"] is None)
        case _:
            return (event_line(event),)


def _standing(body: Any) -> Sequence[str]:
    """Means of a generation as bars around zero."""
    return (
        "",
        f"── generation {body['generation']}, profile {body['champion']} in the chair",
        f"   training {body['training']:+.2f} {bar(body['training'])}",
        f"   held out {body['held_out']:+.2f} {bar(body['held_out'])}",
    )


def bar(score: float) -> str:
    """A score from −5 to +5 as a bar to the left or to the right."""
    size = min(WIDE, round(abs(score) / 5 * WIDE))
    left, right = ("▇" * size, "") if score < 0 else ("", "▇" * size)
    return f"{left:>{WIDE}}│{right:<{WIDE}}".rstrip()


async def _scene(house: House, scene: Any) -> AsyncIterator[str]:
    """The end of one talk, with what was thought; a talk whose log has gone is told by its result alone."""
    yield f"   the talk that went {scene['how']}: {scene['a']} against {scene['b']}, {scene['turns']} turns"
    try:
        told = [event async for event in house.events(scene["stream"], seat=OPERATOR)]
    except UsageError:
        return
    turns = [event for event in told if event.kind in ("turn_taken", "turn_lost")]
    for event in (*turns[-LAST:], *told[-1:]):
        for line in event_line(event).splitlines():
            yield f"   {line}"


def _challenger(one: Any) -> str:
    tactic = one["tactic"].replace("_", " ")
    pairs = len(one["differences"])
    return (
        f"   {'►' if one['verdict'] == 'accepted' else '·'} {one['profile']}, {tactic}: {one['mean']:+.2f} a pair over "
        f"{pairs} (p {one['p']:.2g}), {_VERDICTS[one['verdict']]}"
    )
