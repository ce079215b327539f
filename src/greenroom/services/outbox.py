"""Sends letters that are due: lease, read the words, send, settle."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from greenroom.journal.records import Lease, Recording, Stream
from greenroom.kernel.errors import BackendError, LeaseLost, Refused, TooMany
from greenroom.kernel.letters import Letter, LetterSettled
from greenroom.kernel.worlds import HOUSE
from greenroom.ports import Backend, Channel, Clock, Outgoing
from greenroom.services.budgets import Budgets
from greenroom.services.requests import recorded
from greenroom.services.states import Codecs, codec_of

log = logging.getLogger("greenroom")

#: With pauses that double up to an hour, a channel may be away for five hours before a letter is given up.
MOST_TRIES = 16
LONGEST_SECONDS = 3600
#: Attempts that are looked at, the newest first, for words that a letter must wait for.
MOST_OPEN = 20


class OutboxRelay:
    """Carries the letters of one house."""

    def __init__(
        self,
        *,
        backend: Backend,
        codecs: Codecs,
        channels: Mapping[str, Channel],
        clock: Clock,
        lease: Callable[[], Lease],
        budgets: Budgets | None = None,
    ) -> None:
        self._budgets = budgets or Budgets()
        self._backend = backend
        self._codecs = codecs
        self._channels = channels
        self._clock = clock
        self._lease = lease

    async def round(self, limit: int = 16) -> int:
        """Send what is due; returns how many letters were taken."""
        letters = await self._backend.outbox.lease(self._lease(), now=self._clock.now(), limit=limit)
        for letter in letters:
            try:
                await self._carry(letter)
            except LeaseLost as lost:
                log.info("%s", lost)
        return len(letters)

    async def _carry(self, letter: Letter) -> None:
        if await self._is_answered(letter):
            await self._put_off(letter, "a message to the same stream has not been seen to yet")
            return
        try:
            await self._send(letter)
        except Refused as refusal:
            await self._settle(letter, "failed", str(refusal))
        except BackendError as error:
            if letter.tries >= MOST_TRIES:
                await self._settle(letter, "failed", f"given up after {letter.tries} tries: {error}")
            else:
                await self._put_off(letter, str(error))
        else:
            await self._settle(letter, "sent")

    async def _put_off(self, letter: Letter, reason: str) -> None:
        """Give a letter back for a while that grows with its tries."""
        until = self._lease().wall + min(2**letter.tries, LONGEST_SECONDS) * 1_000_000
        await self._backend.outbox.settle(letter, "due", until=until, error=reason)

    async def _is_answered(self, letter: Letter) -> bool:
        """Whether somebody has written to a story that follows its post, and was not heard yet.

        It may be the word that ends all letters: nothing goes out between that word and its effect.
        """
        stream = await self._backend.streams.get(letter.stream)
        if not stream.open or not codec_of(self._codecs, stream.world).world.hears_letters:
            return False
        open_ = range(stream.recorded, stream.recorded - min(stream.open, MOST_OPEN), -1)
        attempts = [await self._backend.attempts.find(letter.stream, n) for n in open_]
        return any(one.status is None and one.seat != HOUSE for one in attempts)

    async def _send(self, letter: Letter) -> None:
        channel = self._channels.get(letter.channel)
        if channel is None:
            known = ", ".join(sorted(self._channels)) or "none"
            raise Refused(f"there is no channel {letter.channel!r}; this house has {known}")
        texts = await self._backend.bank.get([letter.words])
        if letter.words not in texts:
            raise Refused("the words of this letter have been removed")
        stream = await self._backend.streams.get(letter.stream)
        if channel.costs:
            self._afford(letter, stream)
        await channel.send(
            Outgoing(
                id=letter.id,
                to=letter.to,
                subject=letter.subject,
                text=texts[letter.words],
                world=stream.world,
                stream=letter.stream,
            )
        )

    def _afford(self, letter: Letter, stream: Stream) -> None:
        try:
            address = letter.to.removeprefix("mailto:").partition("?")[0]
            self._budgets.take("sms" if "sms" in letter.channel else "mail", address=address, owner=stream.owner)
        except TooMany as refusal:
            raise Refused(str(refusal)) from None

    async def _settle(self, letter: Letter, status: str, reason: str = "") -> None:
        ended = "sent" if status == "sent" else "failed"
        news = await self._news(letter, LetterSettled(key=letter.key, status=ended, reason=reason))  # type: ignore[arg-type]
        await self._backend.outbox.settle(letter, ended, error=reason or None, news=news)  # type: ignore[arg-type]

    async def _news(self, letter: Letter, outcome: LetterSettled) -> Recording | None:
        stream = await self._backend.streams.get(letter.stream)
        codec = codec_of(self._codecs, stream.world)
        if not codec.world.hears_letters:
            return None
        return recorded(
            codec,
            outcome,
            stream=letter.stream,
            key=f"letter/{letter.key}/{outcome.status}",
            seat=HOUSE,
            now=self._clock.now(),
            secret=self._backend.secret,
        )
