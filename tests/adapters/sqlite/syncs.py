"""Counts what SQLite really asks of the operating system: every sync of every file of a connection.

SQLite keeps a table of functions for each open file. The table of the write-ahead log is replaced by a
copy whose sync function counts and then does what it always did.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3

_JOURNAL_POINTER = 28
_FILE_POINTER = 7
#: Place of xSync in sqlite3_io_methods, after iVersion and four functions; the table of version 3 has 20 places.
_SYNC, _PLACES = 5, 20

_library = ctypes.CDLL(_sqlite3.__file__)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class SyncCounter:
    """Counts syncs of the log and the database file of one connection, for as long as it lives."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.log = 0
        self.database = 0
        self._kept: list[object] = []
        self._hook(connection, _JOURNAL_POINTER, "log")
        self._hook(connection, _FILE_POINTER, "database")

    def _hook(self, connection: sqlite3.Connection, which: int, name: str) -> None:
        # A Connection object begins with the object header, then the pointer to SQLite's own handle.
        handle = ctypes.c_void_p.from_address(id(connection) + object.__basicsize__)
        file = ctypes.c_void_p()
        control = _library.sqlite3_file_control
        control.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p)
        assert control(handle, b"main", which, ctypes.byref(file)) == 0
        assert file.value
        methods = ctypes.c_void_p.from_address(file.value)
        table = (ctypes.c_void_p * _PLACES).from_address(methods.value or 0)
        copy = (ctypes.c_void_p * _PLACES)(*table)
        original = _Sync(table[_SYNC] or 0)

        def count(opened: int, flags: int) -> int:
            setattr(self, name, getattr(self, name) + 1)
            return int(original(opened, flags))

        counting = _Sync(count)
        copy[_SYNC] = ctypes.cast(counting, ctypes.c_void_p).value
        methods.value = ctypes.addressof(copy)
        self._kept += [copy, original, counting]
