"""Branch arithmetic: which stream owns which version of a branch's past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from greenroom.journal.records import Stream
from greenroom.kernel.errors import OutOfRange


@dataclass(frozen=True, slots=True)
class Segment:
    """The versions ``after < v <= upto`` that one stream contributes to a lineage."""

    stream: str
    after: int
    upto: int


def segments(chain: Sequence[Stream], upto: int) -> tuple[Segment, ...]:
    """The past of ``chain[0]`` up to a version, newest segment first; ``chain`` goes child to root."""
    found = []
    for stream in chain:
        if upto > stream.forked_at:
            found.append(Segment(stream.name, stream.forked_at, upto))
            upto = stream.forked_at
    return tuple(found)


def fork_point(chain: Sequence[Stream], at: int) -> Stream:
    """The stream a branch at this version really continues, so that each link owns at least one version.

    Raises:
        OutOfRange: the stream does not hold that version.
    """
    head = chain[0]
    if not 1 <= at <= head.version:
        raise OutOfRange(f"stream {head.name} holds versions 1 to {head.version}; {at} is not among them")
    for stream in chain:
        if at > stream.forked_at:
            check_kept(stream, at)
            return stream
    raise OutOfRange(f"stream {head.name} has no version {at}")


def check_kept(stream: Stream, version: int) -> None:
    """Refuse a version whose steps were pruned."""
    if version < stream.mark:
        raise OutOfRange(f"stream {stream.name} was pruned up to version {stream.mark}; {version} is no longer kept")


def kept_from(stream: Stream) -> int:
    """The version after which everything that is kept of a stream lies: the step of its mark is still there."""
    return max(stream.mark - 1, 0)
