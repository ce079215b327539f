"""History in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from copy import copy

from msgspec.structs import replace

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.adapters.inmem.upkeep import InmemUpkeep
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Fork, Loaded, Settled, Settlement, Snapshot, Step, Stored, Stream
from greenroom.kernel.errors import Conflict, Malformed, OutOfRange, Refused
from greenroom.kernel.letters import Cancel, Post


class InmemHistory:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def settle(self, settlement: Settlement) -> Settled:
        shelf, claim = self._shelf, settlement.claim
        stream = self._checked(settlement)
        try:
            shelf.check_rows(stream, settlement.changes)
        except Refused as refusal:
            settlement = transitions.as_refusal(settlement, stream, str(refusal))
        except Malformed as misfit:
            reason = f"a table refused the change: {misfit}"
            settlement = replace(transitions.as_refusal(settlement, stream, reason), status="failed")
        going = transitions.released(stream, settlement.releases, shelf.found)
        head = shelf.head(stream.name, besides=claim.attempt.n)
        rang = stream.outcome is None and settlement.outcome is not None
        attempt = transitions.close(stream, settlement, head.at if head else None)
        self._write(stream, settlement)
        if claim.draft is not None:
            shelf.keep_words(stream, attempt, claim.draft)
        shelf.attempts[stream.name][attempt.n] = attempt
        shelf.answers.pop((stream.name, attempt.n), None)
        self._place(stream, settlement)
        shelf.keep(stream)
        if settlement.steps:
            shelf.note_all(stream)
        if rang:
            self._ring_player(stream)
        InmemUpkeep(shelf).take_out(going)
        following = None
        if settlement.lease is not None:
            following = shelf.take(copy(stream), settlement.lease, settlement.now)
        return Settled(stream=shelf.stream(stream.name), attempt=attempt, next=following)

    def _ring_player(self, stream: Stream) -> None:
        if stream.player is not None and stream.player in self._shelf.streams:
            parent = self._shelf.stream(stream.player)
            transitions.ring(parent)
            self._shelf.keep(parent)

    def _checked(self, settlement: Settlement) -> Stream:
        claim = settlement.claim
        stream = self._shelf.stream(claim.stream.name)
        if claim.draft is None:
            transitions.fence(stream, claim)
        else:
            if self._shelf.prior(claim.draft) is not None:
                raise Conflict(f"key {claim.draft.key!r} is recorded in stream {stream.name} already")
            assert settlement.lease is not None
            transitions.fits(stream, claim, settlement.lease.wall)
        return stream

    def _write(self, stream: Stream, settlement: Settlement) -> None:
        shelf = self._shelf
        shelf.steps[stream.name].update({step.version: step for step in settlement.steps})
        shelf.snapshots[stream.name].update({snapshot.version: snapshot for snapshot in settlement.snapshots})
        for version, change in settlement.changes:
            shelf.change(stream.name, version, change)
        for version, letter in settlement.letters:
            self._post(stream, version, letter)
        shelf.ledger.extend((stream.name, settlement.claim.attempt.n, entry) for entry in settlement.ledger)

    def _post(self, stream: Stream, version: int, change: Post | Cancel) -> None:
        letters, place = self._shelf.letters, (stream.name, change.key)
        if isinstance(change, Cancel):
            if place in letters and letters[place].status in ("due", "held"):
                letters[place] = replace(letters[place], status="cancelled", closed=version)
        elif place not in letters or letters[place].status in ("due", "held", "cancelled"):
            self._shelf.letters_busy.pop(place, None)
            token = letters[place].token + 1 if place in letters else 0
            letters[place] = replace(transitions.posted(stream, version, change), token=token)

    def _place(self, stream: Stream, settlement: Settlement) -> None:
        memories = self._shelf.memories
        for version, memory in settlement.memories:
            said = memories.get(memory.id)
            if memory.text is not None:
                memories[memory.id] = Stored(memory=memory, stream=stream.name, version=version)
            elif said is not None:  # otherwise it was forgotten in the meantime, and stays so
                kept = replace(memory, text=said.memory.text, owner=said.memory.owner)
                memories[memory.id] = Stored(memory=kept, stream=stream.name, version=version)

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        chain = self._shelf.chain(stream)
        head = chain[0]
        version = head.version if upto is None else upto
        if not 0 <= version <= head.version:
            raise OutOfRange(f"stream {stream} holds versions 0 to {head.version}; {version} is not among them")
        snapshot = self._snapshot(chain, version, wanted=snapshots)
        after = snapshot.version if snapshot else 0
        found = self._own_steps(chain, after, version)
        stood = self._own_steps(chain, after - 1, after)
        return Loaded(
            stream=head,
            version=version,
            snapshot=snapshot,
            stood=stood[0] if stood else None,
            steps=found,
        )

    def _snapshot(self, chain: tuple[Stream, ...], version: int, *, wanted: bool) -> Snapshot | None:
        for segment in lineage.segments(chain, version):
            owner = self._shelf.streams[segment.stream]
            lineage.check_kept(owner, segment.upto)
            held = self._shelf.snapshots[segment.stream]
            usable = [v for v in held if segment.after < v <= segment.upto and (wanted or v <= owner.mark)]
            if usable:
                return held[max(usable)]
        return None

    def _own_steps(self, chain: tuple[Stream, ...], after: int, upto: int) -> tuple[Step, ...]:
        found: list[Step] = []
        for segment in reversed(lineage.segments(chain, upto)):
            own = self._shelf.steps[segment.stream]
            found.extend(own[v] for v in range(max(after, segment.after) + 1, segment.upto + 1) if v in own)
        return tuple(found)

    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        for step in self._own_steps(self._shelf.chain(stream), after, upto):
            yield step

    async def fork(self, fork: Fork) -> Stream:
        shelf = self._shelf
        if fork.name in shelf.streams:
            there = shelf.stream(fork.name)
            if (there.parent, there.forked_at) == (
                lineage.fork_point(shelf.chain(fork.parent), fork.at).name,
                fork.at,
            ):
                return there
            raise Conflict(f"there is another stream {fork.name}; choose a name that is free")
        if fork.name in shelf.tombstones:
            shelf.stream(fork.name)
        owner = lineage.fork_point(shelf.chain(fork.parent), fork.at)
        branch = transitions.forked(owner, fork, shelf.steps[owner.name][fork.at].at)
        shelf.keep(branch)
        for letter in [letter for (name, _), letter in shelf.letters.items() if name == owner.name]:
            if letter.pending_at(fork.at):
                shelf.letters[branch.name, letter.key] = replace(
                    letter, stream=branch.name, status="held", token=0, tries=0, error=None, closed=None
                )
        return shelf.stream(branch.name)
