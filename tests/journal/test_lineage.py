"""Branch arithmetic, against branches that copy everything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.journal.lineage import Segment, check_kept, fork_point, segments
from greenroom.journal.records import Stream
from greenroom.kernel.errors import OutOfRange


def stream(name: str, **more: Any) -> Stream:
    return Stream(name=name, world="w", owner="o", seed=0, born_at=0, **more)


class Forest:
    """Streams as pointers, and beside them the same streams as whole copies of their past."""

    def __init__(self, versions: int) -> None:
        self.streams = {"s0": stream("s0", version=versions)}
        self.copies = {"s0": [("s0", v) for v in range(1, versions + 1)]}

    def chain(self, name: str) -> list[Stream]:
        found = [self.streams[name]]
        while (parent := found[-1].parent) is not None:
            found.append(self.streams[parent])
        return found

    def branch(self, parent: str, at: int, versions: int) -> None:
        name = f"s{len(self.streams)}"
        owner = fork_point(self.chain(parent), at)
        self.streams[name] = stream(name, parent=owner.name, forked_at=at, version=at + versions)
        self.copies[name] = self.copies[parent][:at] + [(name, v) for v in range(at + 1, at + versions + 1)]

    def past(self, name: str, upto: int) -> list[tuple[str, int]]:
        parts = reversed(segments(self.chain(name), upto))
        return [(part.stream, v) for part in parts for v in range(part.after + 1, part.upto + 1)]


@st.composite
def forests(draw: st.DrawFn) -> Forest:
    forest = Forest(draw(st.integers(1, 5)))
    for _ in range(draw(st.integers(0, 8))):
        parent = draw(st.sampled_from(sorted(forest.streams)))
        at = draw(st.integers(1, forest.streams[parent].version))
        forest.branch(parent, at, draw(st.integers(0, 4)))
    return forest


@given(forests())
def test_a_branch_that_points_has_the_past_of_a_branch_that_copies(forest: Forest) -> None:
    for name, row in forest.streams.items():
        for upto in range(row.version + 1):
            assert forest.past(name, upto) == forest.copies[name][:upto]


@given(forests())
def test_each_link_of_a_chain_owns_a_version_of_its_child(forest: Forest) -> None:
    for name in forest.streams:
        chain = forest.chain(name)
        points = [row.forked_at for row in chain]
        assert points == sorted(points, reverse=True)
        assert len(set(points)) == len(points)


@given(forests(), st.integers(-3, 20))
def test_a_version_a_stream_does_not_hold_cannot_be_branched_from(forest: Forest, at: int) -> None:
    for name, row in forest.streams.items():
        if not 1 <= at <= row.version:
            with pytest.raises(OutOfRange, match=f"{name} holds versions 1 to {row.version}"):
                fork_point(forest.chain(name), at)


def test_segments_come_newest_first() -> None:
    chain = [
        stream("c", parent="b", forked_at=4, version=6),
        stream("b", parent="a", forked_at=2, version=5),
        stream("a", version=3),
    ]
    assert segments(chain, 6) == (Segment("c", 4, 6), Segment("b", 2, 4), Segment("a", 0, 2))
    assert segments(chain, 3) == (Segment("b", 2, 3), Segment("a", 0, 2))
    assert segments(chain, 0) == ()


def test_a_pruned_version_is_refused() -> None:
    row = stream("s", version=9, mark=5)
    check_kept(row, 5)
    with pytest.raises(OutOfRange, match="pruned up to version 5"):
        check_kept(row, 4)
    with pytest.raises(OutOfRange, match="pruned"):
        fork_point([row], 4)
