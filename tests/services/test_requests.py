"""What is recorded of a command: the same request gives the same digest, any other gives another."""

from __future__ import annotations

import os

from benchmarks.world import TALK, Say
from greenroom.kernel.codec import Codec
from greenroom.kernel.words import Words
from greenroom.services.requests import digest, new_key, recorded

CODEC = Codec(TALK)


def _digest(text: str, seat: str = "guest", secret: bytes = b"k") -> bytes:
    return recorded(CODEC, Say(Words(text)), stream="s", key="k", seat=seat, now=1, secret=secret).digest


def test_a_digest_tells_words_apart_that_are_stored_alike() -> None:
    assert _digest("yes") == _digest("yes")
    assert len({_digest("yes"), _digest("no"), _digest("yes", seat="other"), _digest("yes", secret=b"l")}) == 4


def test_no_part_of_a_request_can_pass_for_another() -> None:
    assert digest(b"k", "a", b"bc", ["d"]) != digest(b"k", "ab", b"c", ["d"])
    assert digest(b"k", "a", b"b", ["cd"]) != digest(b"k", "a", b"b", ["c", "d"])
    assert digest(b"k", "a", b"b", ["c", ""]) != digest(b"k", "a", b"b", ["c"])


def test_recording_a_command_leaves_it_as_it_was() -> None:
    said = Words("yes")
    recorded(CODEC, Say(said), stream="s", key="k", seat="guest", now=1, secret=b"k")
    assert (said.text, said.id) == ("yes", "")


def test_new_keys_rise_and_a_forked_process_gives_others() -> None:
    keys = [new_key() for _ in range(100)]
    assert keys == sorted(set(keys))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, new_key().encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 200).decode().partition(".")[0] != keys[0].partition(".")[0]
    os.close(read)
    os.close(write)
