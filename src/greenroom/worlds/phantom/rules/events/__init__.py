"""What can have happened. An event carries results, so that no edit of rules or content alters the past.

Sentences here (reasons, facts, claims) are in the third person; words that were said stand in the memory bank. What is
stored of an event is its class's name in small letters, and its fields: neither is ever renamed.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec.structs import replace

from greenroom.kernel.facts import Noted
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules.commands import by_name
from greenroom.worlds.phantom.rules.events.base import PhantomEvent
from greenroom.worlds.phantom.rules.events.cast import *  # noqa: F403
from greenroom.worlds.phantom.rules.events.post import *  # noqa: F403
from greenroom.worlds.phantom.rules.events.world import *  # noqa: F403
from greenroom.worlds.phantom.rules.state import Phantom

Event: TypeAlias = PhantomEvent | Noted

EVENTS = by_name((*PhantomEvent.__subclasses__(), Noted))


def evolve(state: Phantom, told: EventContext[Any]) -> Phantom:
    after = replace(state, now=told.at)
    return told.event.change(after, told.at) if isinstance(told.event, PhantomEvent) else after
