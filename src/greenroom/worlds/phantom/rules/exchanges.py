"""What agents tell each other: evaluated from their files alone, felt by the receiver, surfaced a day later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import permutations
from typing import Literal, TypeAlias

from msgspec import Struct

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import standing
from greenroom.worlds.phantom.rules.content import Item, Sharing
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import Alliance, Character, Heard, Phantom, noted

ExchangeCause: TypeAlias = Literal["player_introduced_agents", "player_forwarded_message", "both_agents_active_48h"]

#: Both agents spoke with the player within this time.
ACTIVE = timedelta(hours=48)
#: An exchange shows no sooner than this.
SURFACE = timedelta(hours=24)
MOST_TRUST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    giver: str
    receiver: str
    trigger: ExchangeCause


class Outcome(Struct, frozen=True, kw_only=True):
    shared: tuple[str, ...]
    withheld: tuple[str, ...]
    trust_delta: int
    alliance: Alliance


def queue(scene: Scene, agent: str, named: Sequence[str], reading: Reading) -> tuple[Queued, ...]:
    """The exchanges that a message sets off: whoever is spoken of must be there to be spoken to."""
    others = [name for name in named if name in scene.state.cast and scene.character(name).present]
    if reading.did("shares_contact"):
        pairs = [pair for other in others for pair in ((agent, other), (other, agent))]
        return tuple(Queued(giver=one, receiver=other, trigger="player_introduced_agents") for one, other in pairs)
    if reading.did("shares_info_from_other") or reading.did("forwarded_agent_message"):
        return tuple(Queued(giver=agent, receiver=other, trigger="player_forwarded_message") for other in others)
    return ()


def active(state: Phantom) -> tuple[str, ...]:
    """Agents that spoke with the player lately."""
    return tuple(
        name
        for name in state.present()
        if state.now is not None
        and (last := state.cast[name].last_interaction_at) is not None
        and state.now - last <= ACTIVE
    )


def daily(state: Phantom) -> tuple[Queued, ...]:
    """Agents that were both active speak to each other, in both directions."""
    pairs = permutations(active(state), 2)
    return tuple(Queued(giver=one, receiver=other, trigger="both_agents_active_48h") for one, other in pairs)


def share(
    giver: str, receiver: str, cast: Mapping[str, Character], sharing: Sharing, items: Mapping[str, Item]
) -> Outcome:
    """Who gets to know what. Pure: the giver's file, what it holds, and whether the receiver has given since decide."""
    gave, got = cast[receiver].learned.get(giver), cast[giver].learned.get(receiver)
    given = got is not None and bool(got.items) and (gave is None or got.n > gave.n)
    told = gave.items if gave else ()
    held = [item for item in cast[giver].items if item not in told and item in items]
    shared = tuple(item for item in held if _goes(item, sharing, given=given))
    withheld = tuple(item for item in held if item not in shared)
    weight = sum(items[item].weight for item in shared)
    return Outcome(
        shared=shared,
        withheld=withheld,
        trust_delta=max(-MOST_TRUST, min(MOST_TRUST, weight)),
        alliance=alliance(len(told) + len(shared), len(withheld)),
    )


def _goes(item: str, sharing: Sharing, *, given: bool) -> bool:
    if item in sharing.always_withholds:
        return False
    if item in sharing.always_shares:
        return True
    if item in sharing.trades_for:
        return given
    return sharing.default_stance == "open" or (sharing.default_stance == "transactional" and given)


def alliance(shared: int, withheld: int) -> Alliance:
    """How two agents stand, by the share of what could have been told that was."""
    share_of = shared / max(1, shared + withheld)
    if share_of >= 0.75:
        return "allied"
    if share_of >= 0.4:
        return "transactional"
    return "suspicious" if shared else "hostile"


def hold(scene: Scene, queued: Iterable[Queued]) -> None:
    """Let agents speak. The daily ones only where there is something new to tell."""
    for one in queued:
        outcome = share(
            one.giver, one.receiver, scene.state.cast, scene.agent(one.giver).sharing, scene.content.story.items
        )
        if one.trigger == "both_agents_active_48h" and not outcome.shared:
            continue
        n = scene.state.counts.exchanges + 1
        scene.tell(noted(e.Exchanged, outcome, n=n, giver=one.giver, receiver=one.receiver, trigger=one.trigger))
        reason = f"{scene.agent(one.giver).name} passed on what the player is like."
        standing.trust(scene, one.receiver, outcome.trust_delta, reason)


def ripe(scene: Scene, agent: str) -> Heard | None:
    """The oldest exchange that this agent may let show."""
    return next((one for one in scene.character(agent).unsurfaced if scene.at - one.at >= SURFACE), None)
