"""Run as a program: the program ``greenroom``, allowed to read everything and to write only what is named.

By Landlock, which binds root too. Usage: ``confined.py PATH... -- ARGUMENT...``; exits with 77 where there is none.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVILEGES = 38
#: WRITE_FILE, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR to MAKE_SYM: everything that the first version of it knows to write.
_WRITING = 1 << 1 | sum(1 << bit for bit in range(4, 13))
_WRITE_FILE = 1 << 1

_libc = ctypes.CDLL(None, use_errno=True)


def confine(writable: list[str]) -> bool:
    attributes = struct.pack("Q", _WRITING)
    rules = _libc.syscall(_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    for path in writable:
        handle = os.open(path, os.O_PATH)
        rule = struct.pack("=Qi", _WRITE_FILE, handle)
        if _libc.syscall(_ADD, rules, 1, rule, 0) < 0:
            return False
    return not _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not _libc.syscall(_RESTRICT, rules, 0)


if __name__ == "__main__":
    split = sys.argv.index("--")
    if not confine(sys.argv[1:split]):
        sys.exit(77)
    sys.argv = ["greenroom", *sys.argv[split + 1 :]]
    from greenroom.entrypoints.cli import main

    main()
