"""From a command to what is recorded of it: ids for words, a keyed digest for the rest."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any
from unicodedata import category

from greenroom.kernel import desk
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import Malformed
from greenroom.kernel.journal import Birth, Recording
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import HOUSE, Seat

MOST_KEY = 200
MOST_NAME = 200
#: Keys the runtime gives by itself.
RESERVED_KEYS = (desk.WAKE_KEY, "letter/", "greenroom.")


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
) -> Recording:
    """A command ready to be recorded.

    Raises:
        Malformed: the key, seat or person is not usable, or the command is none of this world's, or does not fit.
    """
    _check_key(key, seat)
    check_name(seat, "seat")
    if person is not None:
        check_name(person, "person")
    if birth is None:
        codec.check_command(command, runtime=seat == HOUSE)
    words = codec.words_of(command)
    texts = tuple([_text(codec, command, word) for word in words])
    numbered = codec.with_words(command, [Words(id=f"@{i}") for i in range(len(words))])
    return Recording(
        stream=stream,
        key=key,
        seat=seat,
        command=codec.config(numbered) if birth is not None else codec.command(numbered),
        digest=digest(secret, seat, codec.request(command)),
        now=now,
        texts=texts,
        person=person,
        birth=birth,
    )


def opening(codec: Codec[Any, Any, Any], config: Any, name: str, birth: Birth, *, now: int, secret: bytes) -> Recording:
    """The recording that makes a stream."""
    return recorded(codec, config, stream=name, key=desk.OPEN_KEY, seat=HOUSE, now=now, secret=secret, birth=birth)


def spoken(codec: Codec[Any, Any, Any], command: Any, stream: str, n: int) -> Any:
    """The command as its turn will see it: its words carry the ids they are stored under."""
    words = codec.words_of(command)
    named = [Words(word.text, id=desk.command_memory(stream, n, i)) for i, word in enumerate(words)]
    return codec.with_words(command, named)


def check_name(value: str, what: str) -> None:
    """Refuse what nobody could write down or find again.

    Raises:
        Malformed: it is empty, blank, too long, or has control characters in it.
    """
    check_text(value, f"a {what}")
    if not value.strip() or len(value) > MOST_NAME or any(map(_controls, value)):
        raise Malformed(
            f"a {what} is text of 1 to {MOST_NAME} characters, not all blank and without control characters"
        )


def _controls(character: str) -> bool:
    """Whether it controls a terminal or ends a line; what only joins or turns letters (emoji need it) may stand."""
    return category(character) in ("Cc", "Zl", "Zp")


def check_text(value: str, what: str) -> None:
    """Refuse what no database can keep.

    Raises:
        Malformed: half a character (a lone surrogate) stands in it.
    """
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed(f"{what} must be whole text; half a character (a lone surrogate) stands in it") from None


def _check_key(key: str, seat: Seat) -> None:
    if not key or len(key) > MOST_KEY:
        raise Malformed(f"a key has 1 to {MOST_KEY} characters; this one has {len(key)}")
    if key.startswith(RESERVED_KEYS) and seat != HOUSE:
        raise Malformed(f"keys that begin with {', '.join(RESERVED_KEYS)} are the house's own; choose another")
    check_text(key, "a key")


def _text(codec: Codec[Any, Any, Any], command: Any, word: Any) -> str:
    if not isinstance(word, Words) or not isinstance(word.text, str | None):
        raise Malformed(f"{codec.named(command)}: words are given as Words('…'), a text")
    if word.text is None:
        raise Malformed(f"{codec.named(command)}: these words have no text; give new words with Words('…')")
    check_text(word.text, "words")
    return word.text


def digest(secret: bytes, seat: Seat, request: bytes) -> bytes:
    """Tells one request from another within one house. Keyed, because a plain hash of "yes" is the word."""
    return blake2b(seat.encode() + b"\x00" + request, key=secret, digest_size=16).digest()
