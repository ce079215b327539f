"""From a command to what is recorded of it, ids for words and a keyed digest for the rest; and back."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count
from typing import Any
from unicodedata import category

from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Birth, Recording
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import Malformed
from greenroom.kernel.words import Words, check_text
from greenroom.kernel.worlds import HOUSE, Seat
from greenroom.ports import Backend

MOST_KEY = 200
MOST_NAME = 200
#: Keys the runtime gives by itself.
RESERVED_KEYS = (transitions.WAKE_KEY, "letter/", "greenroom.")


def recorded(
    codec: Codec[Any, Any, Any],
    command: Any,
    *,
    stream: str,
    key: str,
    seat: Seat,
    now: int,
    secret: bytes,
    person: str | None = None,
    birth: Birth | None = None,
    fresh: bool = False,
) -> Recording:
    """A command ready to be recorded.

    Raises:
        Malformed: the key, seat or person is not usable, or the command is none of this world's, or does not fit.
    """
    if not fresh:
        _check_key(key, seat)
    check_name(seat, "seat")
    if person is not None:
        check_name(person, "person")
    stored, texts = codec.recordable(command, config=birth is not None, runtime=seat == HOUSE)
    return Recording(
        stream=stream,
        key=key,
        seat=seat,
        command=stored,
        digest=digest(secret, seat, stored, texts),
        now=now,
        texts=texts,
        person=person,
        birth=birth,
        fresh=fresh,
    )


async def reread(backend: Backend, codec: Codec[Any, Any, Any], attempt: Attempt) -> Any:
    """The command of an attempt as it was given: words read back from the bank, those that are gone without text."""
    command = codec.read_command(attempt.command, f"stream {attempt.stream}, attempt {attempt.n}")
    ids = [transitions.command_memory(attempt.stream, attempt.n, i) for i in range(len(codec.words_of(command)))]
    if not ids:
        return command
    texts = await backend.bank.get(ids)
    return codec.with_words(command, [Words(texts.get(id), id=id) for id in ids])


def opening(codec: Codec[Any, Any, Any], config: Any, name: str, birth: Birth, *, now: int, secret: bytes) -> Recording:
    """The recording that makes a stream."""
    return recorded(
        codec, config, stream=name, key=transitions.OPEN_KEY, seat=HOUSE, now=now, secret=secret, birth=birth
    )


class _Keys:
    """Keys that nobody else gives. They rise within a process, so that an index of them only grows at its end."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)  # a child has numbers of its own

    def _begin(self) -> None:
        self._mine, self._count = secrets.token_hex(6), count()

    def __call__(self) -> str:
        return f"{self._mine}.{next(self._count):07x}"


#: A new key, for whoever gives none.
new_key = _Keys()


def check_name(value: str, what: str) -> None:
    """Refuse what nobody could write down or find again.

    Raises:
        Malformed: it is empty, blank, too long, or has control characters in it.
    """
    if value.isascii() and value.isprintable() and 0 < len(value) <= MOST_NAME and not value.isspace():
        return
    check_text(value, f"a {what}")
    if not value.strip() or len(value) > MOST_NAME or any(map(_controls, value)):
        raise Malformed(
            f"a {what} is text of 1 to {MOST_NAME} characters, not all blank and without control characters"
        )


def _controls(character: str) -> bool:
    """Whether it controls a terminal or ends a line; what only joins or turns letters (emoji need it) may stand."""
    return category(character) in ("Cc", "Zl", "Zp")


def _check_key(key: str, seat: Seat) -> None:
    if not key or len(key) > MOST_KEY:
        raise Malformed(f"a key has 1 to {MOST_KEY} characters; this one has {len(key)}")
    if key.startswith(RESERVED_KEYS) and seat != HOUSE:
        raise Malformed(f"keys that begin with {', '.join(RESERVED_KEYS)} are the house's own; choose another")
    check_text(key, "a key")


def digest(secret: bytes, seat: Seat, command: bytes, texts: Sequence[str]) -> bytes:
    """Tells one request from another within one house. Keyed, because a plain hash of "yes" is the word.

    Over the stored command and then its words, each with its length: nothing of one can pass for the other.
    """
    whole = [seat.encode(), command, *map(str.encode, texts)]
    lengths = b",".join([b"%d" % len(part) for part in whole])
    return blake2b(lengths + b"\x00" + b"".join(whole), key=secret, digest_size=16).digest()
