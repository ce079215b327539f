"""The tree of a stream and all its branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from greenroom.journal.records import Stream
from greenroom.kernel.errors import Forgotten, Unknown
from greenroom.kit.console import addresses, parts
from greenroom.services.house import House

#: A tree with more is told in part.
MOST = 200


@dataclass(frozen=True, slots=True)
class Twig:
    row: Stream
    branches: tuple[Twig, ...]


async def tree(house: House, stream: str) -> Twig:
    """The whole family of a stream, from its root.

    Raises:
        Unknown: no such stream.
    """
    root = (await house.lineage(stream))[-1]
    left = [MOST]
    return await _grown(house, root, left)


async def _grown(house: House, row: Stream, left: list[int]) -> Twig:
    found: Sequence[Stream] = ()
    if left[0] > 0:
        found = await house.streams(parent=row.name, limit=left[0])
        left[0] -= len(found)
    ordered = sorted(found, key=lambda branch: (branch.forked_at, branch.born_at))
    return Twig(row, tuple([await _grown(house, branch, left) for branch in ordered]))


def names(twig: Twig) -> Iterator[str]:
    """Every stream of the tree."""
    yield twig.row.name
    for branch in twig.branches:
        yield from names(branch)


def draw(twig: Twig, here: str) -> None:
    """Draw the tree, with the place one is at."""
    with parts.tag("ul", "tree", aria_label="Branches"):
        _draw(twig, here)


def _draw(twig: Twig, here: str) -> None:
    row = twig.row
    with parts.tag("li", "twig"):
        with parts.box("twig-row here" if row.name == here else "twig-row"):
            now = "page" if row.name == here else None
            parts.link(row.name, addresses.stream(row.name), "link strong mono", aria_current=now)
            parts.tag("span", "note", _words(row))
            if row.name != here:
                label = f"Compare {row.name} with {here}"
                parts.link("Compare", addresses.compare(here, row.name), "link small", aria_label=label)
        if twig.branches:
            with parts.tag("ul", "twigs"):
                for branch in twig.branches:
                    _draw(branch, here)


def _words(row: Stream) -> str:
    ended = ", ended" if row.outcome is not None else ""
    if row.parent is None:
        return f"the beginning; version {row.version}{ended}"
    return f"leaves at version {row.forked_at}, now at {row.version}{ended}"


async def free_name(house: House, stream: str, at: int) -> str:
    """A name for a branch that says where it comes from: ``harbour-1~4``, ``harbour-1~4-2``, …"""
    root = (await house.lineage(stream))[-1].name
    number = 1
    while True:
        name = f"{root}~{at}" if number == 1 else f"{root}~{at}-{number}"
        try:
            await house.stream(name)
        except Unknown:
            return name
        except Forgotten:
            pass
        number += 1
