"""The same commands at the same moments, with a worker that comes only when a command is given."""

from __future__ import annotations

from typing import Any

from greenroom.journal.records import Attempt
from greenroom.journal.transitions import OPEN_KEY, command_memory
from greenroom.kernel.codec import Codec, filled
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.ports import Backend
from greenroom.testing.worlds.stage import Stage
from greenroom.testing.worlds.transcript import Transcript, written
from greenroom.testing.worlds.trial import Trial


async def play_late(trial: Trial, backend: Backend, before: Transcript, *, seed: int) -> Transcript:
    """Give the commands of an earlier play again; wakes that came due meanwhile wait for them."""
    stage = Stage(trial, backend, seed)
    for attempt in before.attempts:
        if attempt.rank:
            await _give(stage, before, attempt)
    stage.clock.move(before.stream.last_at)
    await stage.worker.quiet()
    return await written(backend, trial.world, stage.name)


async def _give(stage: Stage, before: Transcript, attempt: Attempt) -> None:
    stage.clock.move(attempt.at)
    command = _spoken(stage.codec, before, attempt)
    if attempt.key == OPEN_KEY:
        name = stage.trial.world.name
        await stage.house.start(name, command, owner=stage.trial.owner, name=stage.name, seed=stage.seed)
        return
    try:
        await stage.house.send(stage.name, command, seat=attempt.seat, key=attempt.key)
    except Refused:
        assert attempt.status == "refused", f"{stage.name}: {attempt.key} was carried out before and is refused now"


def _spoken(codec: Codec[Any, Any, Any], before: Transcript, attempt: Attempt) -> Any:
    command = codec.read_command(attempt.command)
    texts = {stored.memory.id: stored.memory.text for stored in before.memories}
    count = len(codec.words_of(command))
    words = [Words(texts[command_memory(attempt.stream, attempt.n, i)]) for i in range(count)]
    return codec.with_words(command, words)


def told(trial: Trial, transcript: Transcript) -> list[tuple[int, int, Any]]:
    """What happened, and when, with the words themselves: ids and numbers of attempts left out."""
    codec: Codec[Any, Any, Any] = Codec(trial.world)
    texts = {stored.memory.id: stored.memory.text or "" for stored in transcript.memories}
    return [
        (step.version, step.at, [codec.kind(event), filled(event, lambda id: texts.get(id, id))])
        for step in transcript.steps
        for event in codec.read_events(step.events)
    ]
