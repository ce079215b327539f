"""Leases of processes that are gone: on one machine there is no need to wait for them to run out."""

from __future__ import annotations

import logging
import os
import socket
from contextlib import closing
from pathlib import Path

from greenroom.adapters.sqlite.connection import connect, our_errors
from greenroom.adapters.sqlite.file import LOCK_SECONDS, file_lock, reading
from greenroom.adapters.sqlite.witness import forget_sums
from greenroom.kernel.errors import Locked

log = logging.getLogger("greenroom")

#: A held stream has work and so stands in the index of those that are ready: the others are never looked at.
_HELD = "ready_at IS NOT NULL AND holder IS NOT NULL"


def free_the_dead(path: Path) -> None:
    """Give back what processes of this machine held when they died, streams and cursors.

    Where the write lock is not to be had, their leases run out by themselves.
    """
    with our_errors(path), reading(path) as connection:
        held = connection.execute(
            f"SELECT holder FROM streams WHERE {_HELD} UNION SELECT holder FROM cursors WHERE holder IS NOT NULL"
        ).fetchall()
    gone = [(holder,) for (holder,) in held if is_dead(holder)]
    if not gone:
        return
    free = "SET holder = NULL, busy_until = 0, token = token + 1"
    try:
        with file_lock(path, seconds=LOCK_SECONDS), our_errors(path), closing(connect(path, writes=True)) as connection:
            forget_sums(path)
            connection.executemany(f"UPDATE streams {free} WHERE {_HELD} AND holder = ?", gone)
            connection.executemany(f"UPDATE cursors {free} WHERE holder = ?", gone)
    except Locked as held_up:
        log.warning("%s", held_up)


def is_dead(holder: str) -> bool:
    """Whether a worker named ``host/pid/…`` was on this machine and is no more. In doubt it lives."""
    host, _, rest = holder.partition("/")
    pid = rest.partition("/")[0]
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
