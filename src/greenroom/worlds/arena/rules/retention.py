"""What is kept: a decision about numbers of generations and scores, apart from who carries it out.

Episodes older than the last twenty generations move to the archive. Logs older than the last five go, except those of
episodes in which anybody scored −3 or less: these stay for the mutator, also after their episode was archived.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

EPISODES_KEPT = 20
LOGS_KEPT = 5
#: Whoever scored this or less is worth remembering turn by turn.
FAILURE = -3


class Kept(Protocol):
    """As much of an episode as the rule looks at."""

    @property
    def stream(self) -> str: ...

    @property
    def generation(self) -> int: ...

    @property
    def worst(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What goes at the end of a generation: episodes by the names of their streams."""

    archived: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    #: Up to which generation episodes are archived, and logs released, once that has been done.
    archived_upto: int = 0
    released_upto: int = 0


def verdict(episodes: Iterable[Kept], current: int, *, archived_upto: int = 0, released_upto: int = 0) -> Verdict:
    """What the rule lets go when a generation has ended; what went before does not go again."""
    archive_to = max(archived_upto, current - EPISODES_KEPT)
    release_to = max(released_upto, current - LOGS_KEPT)
    each = tuple(episodes)
    return Verdict(
        archived=tuple(one.stream for one in each if archived_upto < one.generation <= archive_to),
        released=tuple(
            one.stream
            for one in each
            if one.stream and released_upto < one.generation <= release_to and one.worst > FAILURE
        ),
        archived_upto=max(0, archive_to),
        released_upto=max(0, release_to),
    )
