"""Takes attempts through their phases: runs each turn as far as it goes, has its asks answered, settles it once.

A stream's turns run one at a time, any number of streams at once. Whoever gives a command drafts its turn on the state
at hand; a draft that asks nothing is recorded and settled in one transaction, any other is recorded first.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from greenroom.journal import transitions
from greenroom.journal.records import (
    Attempt,
    Claim,
    Lease,
    Receipt,
    Recording,
    Settled,
    Settlement,
    Status,
    Stream,
)
from greenroom.kernel.asks import FREE, UNPAID, Read, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.errors import BackendError, Conflict, GreenroomError, Refused, TryLater
from greenroom.kernel.script import Answer, Script
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import CommandContext, Done, Turn
from greenroom.ports import Backend
from greenroom.services.requests import reread
from greenroom.services.states import Codecs, StateCache, StreamState
from greenroom.services.turns import writing
from greenroom.services.turns.asking import PENDING, Asking, Outside, Paid, child_name
from greenroom.services.turns.callers import Callers
from greenroom.services.turns.passage import Outcome, Passage, Turned
from greenroom.services.turns.phases import Phase

log = logging.getLogger("greenroom")

#: How long a stream is held without renewal. A dead worker's streams wait this long.
LEASE_SECONDS = 10.0
#: How long a stream rests after something outside failed in its turn.
OUTSIDE_SECONDS = 1.0
#: How long a caller waits for a turn that it does not hear of before it looks by itself.
LOOK_AGAIN_SECONDS = 0.25
#: How long turns in progress may take to end when the house closes; whoever waits for a model is then cut off.
GRACE_SECONDS = 0.25


def wall() -> int:
    """The machine's clock, for leases and back-off only."""
    return time.time_ns() // 1000


class TurnEngine:
    """The turns of one process."""

    def __init__(
        self,
        *,
        backend: Backend,
        codecs: Codecs,
        outside: Outside,
        worker: str,
        wall: Callable[[], int] = wall,
    ) -> None:
        self._backend = backend
        self._outside = outside
        self._worker = worker
        self._wall = wall
        #: What it can drive: the streams of other worlds wait for somebody who has these.
        self.worlds = tuple(sorted(codecs))
        self.states = StateCache(backend, codecs)
        self._asking = Asking(backend, codecs, outside)
        self._callers = Callers()
        self._held: dict[str, Claim] = {}
        self._driving: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        #: Held by the one suspect that is being driven.
        self._alone = asyncio.Lock()
        #: Commands on their way into the back-end that may come back with a stream to drive.
        self._recording = 0
        self._leaving = self._closed = False

    def lease(self) -> Lease:
        now = self._wall()
        return Lease(worker=self._worker, wall=now, until=now + int(LEASE_SECONDS * 1_000_000), worlds=self.worlds)

    def drives(self, stream: str) -> bool:
        """Whether a turn of this stream is under way in this process."""
        return stream in self._driving

    @property
    def busy(self) -> bool:
        return bool(self._driving or self._recording)

    # in

    async def draft(self, base: StreamState, recording: Recording, command: Any) -> Outcome:
        """Run a turn on the state at hand, to be recorded by its own settlement if it asks nothing.

        Where the outcome has no turn, the command is to be recorded the ordinary way, which does no harm if it is
        recorded already.
        """
        attempt = transitions.drafted(base.stream, recording)
        claim = Claim(stream=base.stream, attempt=attempt, token=None, draft=recording)
        stream, outcome = recording.stream, None
        self._driving.add(stream)
        try:
            outcome = await self.turn(claim, command, base)
            return outcome
        finally:
            if outcome is None or outcome.following is None:
                self._done_with(stream)
            else:
                self._go_on(outcome.following)

    async def record(self, recording: Recording) -> Receipt:
        """Record a command, and drive its stream if nobody does.

        The stream is held in the back-end before we hear of it; nobody must think meanwhile that all is quiet.
        """
        if self.drives(recording.stream):
            return await self._backend.attempts.record(recording, None)
        self._recording += 1
        try:
            receipt = await self._backend.attempts.record(recording, self.lease())
            if receipt.claim is not None:
                self._go_on(receipt.claim)
            return receipt
        finally:
            self._recording -= 1
            self._callers.tell_resting()

    def _go_on(self, claim: Claim) -> None:
        """Drive a claim in the background."""
        self._driving.add(claim.stream.name)
        task = asyncio.create_task(self.drive(claim), name=f"drive {claim.stream.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drive(self, claim: Claim) -> None:
        """Drive a claim and whatever follows it in the same lease."""
        stream, following = claim.stream.name, claim
        self._driving.add(stream)
        try:
            while not self._leaving:
                outcome = await self.turn(following)
                if outcome.turned is not None:
                    self._callers.tell(following.attempt, outcome.turned)
                if outcome.following is None:
                    return
                following = outcome.following
            await self.hand_back(following)
        except GreenroomError as error:
            log.error("stream %s, attempt %d: %s", stream, following.attempt.n, error)
            self._callers.fail(following.attempt, error)
        finally:
            self._done_with(stream)

    def _done_with(self, stream: str) -> None:
        self._driving.discard(stream)
        self._callers.tell_resting()

    # through

    async def turn(self, claim: Claim, command: Any = None, base: StreamState | None = None) -> Outcome:
        """Take one claimed attempt, or a draft of this command on this state, as far as it goes.

        Raises:
            GreenroomError: the outside or the store failed; the attempt was handed back.
        """
        try:
            if transitions.suspect(claim.attempt) and claim.attempt.tries <= transitions.MOST_TRIES:
                return await self._turn_alone(claim)
            return await self._turn(claim, command, base)
        except Conflict as lost:
            return self._lost(claim, lost)

    async def _turn_alone(self, claim: Claim) -> Outcome:
        """One suspect at a time: the worker's death is then no neighbour's fault, and each can finish."""
        self._hold(claim)
        try:
            async with self._alone:
                await self._backend.attempts.begin(claim)
                return await self._turn(claim)
        except asyncio.CancelledError:
            if claim.stream.name in self._held:  # it was still waiting
                await self.hand_back(claim)
            raise
        finally:
            self._held.pop(claim.stream.name, None)

    async def _turn(self, claim: Claim, command: Any = None, base: StreamState | None = None) -> Outcome:
        try:
            if claim.attempt.tries > transitions.MOST_TRIES:
                return _ended(await self._give_up(claim))
            passage = await self._begin(claim, command, base)
        except GreenroomError:
            # The stored stream cannot be read by this house; another one, or a repair, may go on with it.
            await self.hand_back(claim, LEASE_SECONDS)
            raise
        self._hold(claim)
        try:
            return await self._through(passage)
        finally:
            passage.script.close()
            self._held.pop(claim.stream.name, None)
            if self._outside.aloud is not None:
                self._outside.aloud.hush(claim.stream.name)

    async def _begin(self, claim: Claim, command: Any, base: StreamState | None) -> Passage:
        attempt, base = claim.attempt, base or await self.states.of(claim.stream)
        if command is None:
            command = await reread(self._backend, base.codec, attempt)
        else:
            command = base.codec.spoken(command, lambda i: transitions.command_memory(attempt.stream, attempt.n, i))
        return Passage(
            phase="claimed" if claim.draft is None else "draft",
            claim=claim,
            base=base,
            command=command,
            script=script_of(base, attempt, command, claim.answers),
            answered=bool(claim.answers),
        )

    async def _through(self, passage: Passage) -> Outcome:
        """Run the turn until it ends or has to wait; whatever is raised on the way is a phase to go to."""
        try:
            done = passage.script.run() or await self._ask(passage)
            if done is None:
                return Outcome(phase=passage.phase, following=passage.following)
            return await self._settle(passage, done)
        except Refused as refusal:
            return await self._settle(passage, Done(), status="refused", error=str(refusal))
        except Conflict as lost:
            return self._lost(passage.claim, lost)
        except TryLater as later:
            return await self._park(passage, later.seconds)
        except BackendError:
            await self.hand_back(passage.claim, OUTSIDE_SECONDS)
            raise
        except asyncio.CancelledError:
            await self.hand_back(passage.claim)
            raise
        except Exception as error:  # noqa: BLE001  whatever a world's code raises is an outcome, recorded as one
            return await self._stumble(passage, error)

    # asking

    async def _ask(self, passage: Passage) -> Done[Any] | None:
        """Go on from where the turn asks; None if it was left with asks that nobody answered yet."""
        done = None
        while done is None:
            if passage.script.stale_from is not None and passage.claim.answers:
                await self._backend.attempts.discard(passage.claim, passage.script.stale_from)
                passage.claim = replace(passage.claim, answers=())
            await self._answer_all(passage)
            if passage.script.pending:
                return None
            done = passage.script.run()
        return done

    async def _answer_all(self, passage: Passage) -> None:
        """Answer every pending ask; store what was paid for before anything else is asked.

        Afterwards the passage is asking and nothing is pending, or it was left: parked until a child stream ends, or
        recorded for whoever claims it.
        """
        script = passage.script
        for n, ask in list(script.pending.items()):
            if isinstance(ask, FREE):
                script.answer(n, await self._free(passage.claim.stream, n, ask))
        if not script.pending:
            return
        if passage.claim.draft is not None and not await self._record_draft(passage, passage.claim.draft):
            return
        if passage.phase != "asking":
            passage.enter("asking")
        await self._save_paid(passage)
        if len(script.pending) == 1:
            ((n, ask),) = script.pending.items()
            _take_answer(passage, n, await self._asking.answer(passage, n, ask))
        else:
            await self._answer_at_once(passage)
        if passage.children:
            await self._save(passage)
            await self._backend.attempts.release(passage.claim, children=tuple(passage.children))
            passage.enter("parked")

    async def _free(self, stream: Stream, n: int, ask: Roll | Read) -> Any:
        """What is had again exactly, whoever asks."""
        if isinstance(ask, Roll):
            return roll(stream.seed, stream.version, n, ask.sides)
        return await self._backend.bank.get(ask.ids)

    async def _record_draft(self, passage: Passage, draft: Recording) -> bool:
        """Record a draft whose turn turned out to ask; whether it stands where it was drafted and is ours."""
        planned = passage.claim
        receipt = await self._backend.attempts.record(draft, self.lease())
        claim = receipt.claim
        fits = (
            claim is not None
            and claim.attempt.n == planned.attempt.n == receipt.attempt.n  # and not of somebody who was faster
            and claim.stream.version == planned.stream.version
            and claim.attempt.at == planned.attempt.at
        )
        if claim is None or not fits:
            passage.enter("recorded")
            passage.following = claim
            return False
        self._hold(claim)
        passage.claim = claim
        passage.enter("recorded")
        passage.enter("claimed")
        return True

    async def _answer_at_once(self, passage: Passage) -> None:
        """Take each answer as it comes; one that must wait lets the others finish first."""
        tasks: dict[asyncio.Task[Any], int] = {}
        later: TryLater | None = None
        try:
            for n, ask in passage.script.pending.items():
                tasks[asyncio.create_task(self._asking.answer(passage, n, ask))] = n
            waiting = set(tasks)
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in sorted(done, key=tasks.__getitem__):  # in the order they were asked, whoever came first
                    try:
                        _take_answer(passage, tasks[task], task.result())
                    except TryLater as not_yet:
                        later = not_yet
                if waiting or later:
                    await self._save_paid(passage)
        finally:
            for task in tasks:
                task.cancel()
        if later is not None:
            raise later

    async def _save_paid(self, passage: Passage) -> None:
        """Save, unless all there is to save the house can find out again, and did not die over it before."""
        if passage.claim.attempt.tries > 1 or not all(isinstance(fresh.ask, UNPAID) for fresh in passage.unsaved):
            await self._save(passage)

    async def _save(self, passage: Passage) -> None:
        if passage.unsaved:
            answers = tuple([fresh.stored() for fresh in passage.unsaved])
            await self._backend.attempts.answer(passage.claim, answers, tuple(passage.ledger))
            passage.answered = True
            passage.unsaved.clear()
            passage.ledger.clear()

    # out

    async def _settle(
        self, passage: Passage, done: Done[Any], *, status: Status = "settled", error: str | None = None
    ) -> Outcome:
        settlement, written = writing.settlement(
            passage, done, now=self._outside.clock.now(), lease=self.lease(), status=status, error=error
        )
        settled = await self._backend.history.settle(settlement)
        passage.enter(_phase(settled))
        if settled.attempt.status != settlement.status:  # a unique column refused it
            return _ended(Turned(settled, passage.base))
        for gone in done.releases:
            self.states.drop(gone)
        state = written.standing.at(settled.stream)
        self.states.keep(state)
        turned = Turned(settled, state, tuple(written.told), written.texts)
        return Outcome(phase=passage.phase, turned=turned, following=settled.next)

    async def _park(self, passage: Passage, seconds: float) -> Outcome:
        await self.hand_back(passage.claim, seconds)
        if passage.claim.draft is not None:
            return Outcome(phase="draft")
        passage.enter("parked")
        return Outcome(phase="parked")

    async def _stumble(self, passage: Passage, error: Exception) -> Outcome:
        """A bug in a world: try again later, five times in all, then let the stream go on without it."""
        claim = passage.claim
        if claim.draft is not None:  # recorded the ordinary way it will fail again, and be counted
            return Outcome(phase="draft")
        attempt = claim.attempt
        reason = f"{type(error).__name__} in world {passage.claim.stream.world}" + _public(error)
        log.warning("stream %s, attempt %d, try %d: %s", claim.stream.name, attempt.n, attempt.tries, reason)
        if attempt.tries >= transitions.MOST_TRIES:
            passage.enter("failed")
            return _ended(await self._give_up(claim, reason))
        pause = int(0.05 * 2**attempt.tries * 1_000_000)
        await self._backend.attempts.release(claim, until=self._wall() + pause, error=reason)
        passage.enter("parked")
        return Outcome(phase="parked")

    async def _give_up(self, claim: Claim, reason: str | None = None) -> Turned:
        reason = reason or claim.attempt.error or "the worker died each time"
        settlement = Settlement(
            claim=claim,
            status="failed",
            error=f"given up after {transitions.MOST_TRIES} tries: {reason}",
            answered=True,
            wake_at=claim.stream.wake_at,
            outcome=claim.stream.outcome,
            now=self._outside.clock.now(),
            lease=self.lease(),
        )
        settled = await self._backend.history.settle(settlement)
        return Turned(settled, await self.states.of(settled.stream))

    def _lost(self, claim: Claim, lost: Conflict) -> Outcome:
        """Somebody was faster: a draft is not stored anywhere, anything else is another's to drive."""
        log.info("%s", lost)
        self.states.drop(claim.stream.name)
        return Outcome(phase="recorded" if claim.draft is None else "draft")

    # waiting

    async def settled(self, recording: Recording, attempt: Attempt) -> Turned | None:
        """Wait for a recorded attempt, whoever drives it; None when it was another process."""
        waiting = self._callers.wait_for(attempt)
        watching: asyncio.Future[None] = asyncio.create_task(self._watch(recording, attempt))
        try:
            either: list[asyncio.Future[Any]] = [watching, waiting]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return waiting.result() if waiting.done() else watching.result()
        finally:
            watching.cancel()
            if not waiting.done():
                self._callers.leave(attempt)

    async def _watch(self, recording: Recording, attempt: Attempt) -> None:
        """Return when the stored attempt is settled. If nobody drives it, take it up: recording it again is no harm."""
        seen = -1
        while not self._closed:
            seen = await self._backend.notifier.wait(LOOK_AGAIN_SECONDS, seen)
            if self.drives(attempt.stream):
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
                continue
            found = await self._backend.attempts.find(attempt.stream, attempt.n)
            if found.status is not None:
                return
            await self.record(recording)
        raise self._gone()

    def _gone(self) -> BackendError:
        return BackendError(f"{self._backend.name}: the house is closed")

    def cancelled(self, attempt: Attempt) -> None:
        """An attempt was taken back: whoever waits for it looks at what is stored."""
        self._callers.tell(attempt, None)

    async def resting(self) -> None:
        """Wait until a stream that is driven here has come to rest."""
        if self.busy:
            await self._callers.rest()
        else:
            await asyncio.sleep(0)

    # leases

    def _hold(self, claim: Claim) -> None:
        if claim.token is not None:
            self._held[claim.stream.name] = claim

    async def keep_leases(self, stop: asyncio.Event) -> None:
        """Renew the leases of everything being driven, until asked to stop."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEASE_SECONDS / 3):
                    await stop.wait()
            if self._held:
                with contextlib.suppress(GreenroomError):
                    await self._backend.attempts.renew(tuple(self._held.values()), self.lease())

    async def hand_back(self, claim: Claim, seconds: float = 0) -> None:
        """Give up the lease; the attempt stays open and may be claimed again after so many seconds."""
        if claim.token is None:
            return
        until = self._wall() + int(seconds * 1_000_000)
        try:
            await asyncio.shield(self._backend.attempts.release(claim, until=until))
        except GreenroomError:
            log.info("stream %s could not be handed back; its lease will run out", claim.stream.name)

    def leave(self) -> None:
        """Begin no turn any more: what is claimed after one that is under way goes back."""
        self._leaving = True

    async def close(self) -> None:
        """Hand back what is being driven; whoever waits hears that the house is closed."""
        self._leaving = self._closed = True
        if self._tasks:
            # A turn that is being settled has claimed the next one: cut off now, nobody would know of that lease.
            await asyncio.wait(self._tasks, timeout=GRACE_SECONDS)
        while self._tasks:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.wait(self._tasks)
        for claim in tuple(self._held.values()):  # also for callers who are still waiting for a model
            await self.hand_back(claim)
        # And what a settlement claims that ends after its turn was cut off: nobody hears of that lease any more.
        with contextlib.suppress(GreenroomError):
            await self._backend.attempts.leave(self._worker)
        self._callers.fail_all(self._gone())


def script_of(base: StreamState, attempt: Attempt, command: Any, answers: Sequence[Answer] = ()) -> Script[Any]:
    """The turn of an attempt on a state; nothing of it has run."""
    world = base.codec.world
    opens = attempt.key == transitions.OPEN_KEY and attempt.n == 1
    given = CommandContext(
        stream=attempt.stream,
        n=attempt.n,
        version=base.version + 1,
        at=moment(attempt.at),
        seat=attempt.seat,
        owner=base.stream.owner,
        command=command,
    )

    def turn() -> Turn[Any]:  # the world's own generator, begun only when it is driven
        return (yield from (world.open(given) if opens else world.handle(base.state, given)))

    return Script(turn(), answers)


def _take_answer(passage: Passage, n: int, value: Any) -> None:
    if isinstance(value, Paid):
        for entry in value.entries:
            if entry.raw:
                passage.raw.append((entry.n, entry.model, entry.status, entry.raw))
            passage.ledger.append(replace(entry, raw="") if entry.raw else entry)
        value = value.answer
    if value is PENDING:
        passage.children.append(child_name(passage.claim, n))
    else:
        passage.unsaved.append(passage.script.answer(n, value))


def _ended(turned: Turned) -> Outcome:
    """The outcome of an attempt that was settled one way or another."""
    settled = turned.settled
    return Outcome(phase=_phase(settled), turned=turned, following=settled.next)


def _phase(settled: Settled) -> Phase:
    """Where a settlement left its attempt; one that is driven is nobody's to cancel."""
    status = settled.attempt.status
    assert status is not None
    assert status != "cancelled"
    return status


def _public(error: Exception) -> str:
    """What may be said of an error: ours never quote words, others might."""
    if isinstance(error, GreenroomError):
        return f": {error}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" at {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
