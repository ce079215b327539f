"""Branches of a played stream: a sandbox that reaches nobody, least of all its parent."""

from __future__ import annotations

from greenroom.journal.records import Lease, Stream
from greenroom.kernel.errors import Refused
from greenroom.ports import Backend
from greenroom.testing.worlds.checks import Observer
from greenroom.testing.worlds.sampling import filled_in
from greenroom.testing.worlds.stage import Stage
from greenroom.testing.worlds.transcript import written

_LONG = 100 * 365 * 24 * 3600 * 1_000_000


async def try_branches(stage: Stage, parent: Observer) -> None:
    """Branch at some version, play on there, and look what became of the parent; the play ends here."""
    if not parent.version:
        return
    before = await written(stage.backend, stage.trial.world, parent.stream)
    sleeping = await _born(stage, parent, f"{parent.stream}-asleep")
    played = await _born(stage, parent, f"{parent.stream}-played")
    for round_ in range(3):
        await _play_on(stage, played, round_)
    await _move(stage, played)
    after = await written(stage.backend, stage.trial.world, parent.stream)
    assert after == before, f"{parent.stream}: playing on a branch changed its parent"
    await _mute(stage, played.name)
    await _asleep(stage, sleeping)


async def _born(stage: Stage, parent: Observer, name: str) -> Stream:
    version = 1 + stage.chance.below(parent.version)
    branch = await stage.house.branch(parent.stream, version, name=name)
    await stage.worker.quiet()
    head = await stage.house.states.now(name)
    assert head.version == version, f"{name}: began to play by itself"
    assert stage.codec.state(head.state) == parent.states[version], f"{name}: begins in another state than its parent"
    return branch


async def _play_on(stage: Stage, branch: Stream, i: int) -> None:
    world = stage.trial.world
    state = (await stage.house.states.now(branch.name)).state
    options = [(seat, option) for seat in world.seats(state) for option in world.legal(state, seat)]
    if not options:
        return
    seat, option = options[i % len(options)]
    try:
        await stage.house.send(branch.name, filled_in(option, stage.chance), seat=seat)
    except Refused as refusal:
        raise AssertionError(f"{branch.name}: a legal command was refused on a branch: {refusal}") from refusal
    await stage.worker.quiet()


async def _move(stage: Stage, branch: Stream) -> None:
    """Let the branch's own clock run; what falls due there is played there."""
    row = await stage.backend.streams.get(branch.name)
    assert row.clock_at is not None, f"{branch.name}: is not on a clock of its own"
    await stage.backend.streams.advance(branch.name, row.clock_at + int(stage.trial.pause.total_seconds() * 1_000_000))
    await stage.worker.quiet()


async def _mute(stage: Stage, branch: str) -> None:
    letters = await stage.backend.outbox.list(stream=branch)
    loud = [letter.key for letter in letters if letter.status not in ("held", "cancelled")]
    assert not loud, f"{branch}: letters {', '.join(loud)} are not held; a branch is mute"
    sent = [letter.id for letter in stage.channel.sent.values() if letter.stream == branch]
    assert not sent, f"{branch}: sent {', '.join(sent)}; a branch is mute"
    taken = await stage.backend.outbox.lease(_lease(), now=stage.clock.now() + _LONG, limit=1000)
    assert not [letter for letter in taken if letter.stream == branch], f"{branch}: its letters would be sent"


async def _asleep(stage: Stage, branch: Stream) -> None:
    """However far the house clock goes, nothing wakes it."""
    claims = await stage.backend.attempts.claim(_lease(), now=stage.clock.now() + _LONG, limit=1000)
    woken = [claim.stream.name for claim in claims if claim.stream.name == branch.name]
    assert not woken, f"{branch.name}: is woken by itself; a branch is born asleep"
    assert await _unchanged(stage.backend, branch), f"{branch.name}: changed though nobody touched it"


async def _unchanged(backend: Backend, branch: Stream) -> bool:
    return await backend.streams.get(branch.name) == branch


def _lease() -> Lease:
    return Lease(worker="trial", wall=_LONG, until=_LONG)
