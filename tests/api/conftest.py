"""A real server with something in it, and what its journal holds."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import LOADED, house_command

#: Streams that random requests are let loose on, beside names that nobody has.
STREAMS = ("ground", "branch", "ended")
_OURS = "sid IN (SELECT sid FROM streams WHERE name IN ('ground', 'branch', 'ended'))"
#: What a refused request may not change. Wakes come by themselves and are left out, and games that play on.
KEPT = (
    f"SELECT count(*), coalesce(sum(status = 'cancelled'), 0) FROM attempts WHERE rank = 1 AND {_OURS}",
    "SELECT count(*), coalesce(sum(s.version), 0) FROM steps s JOIN attempts a ON a.sid = s.sid AND a.n = s.n "
    f"WHERE a.rank = 1 AND s.{_OURS}",
    f"SELECT count(*), coalesce(sum(clock_at), 0) FROM streams WHERE {_OURS}",
    "SELECT count(*), 0 FROM streams WHERE player IS NULL",
    "SELECT count(*), 0 FROM tickets",
    f"SELECT count(*), coalesce(sum(status = 'held'), 0) FROM letters WHERE {_OURS}",
)


@dataclass(slots=True)
class Served:
    """One server for all requests."""

    address: str
    database: Path
    _reader: sqlite3.Connection

    def journal(self) -> list[Any]:
        return [self._reader.execute(statement).fetchone() for statement in KEPT]

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("home")
    log = (home / "log.jsonl").open("wb")
    process = subprocess.Popen(
        house_command(home), stdout=subprocess.PIPE, stderr=log, env={**os.environ, **LOADED, "GREENROOM_WAIT": "2"}
    )
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        reader = sqlite3.connect(f"file:{home / 'house.db'}?mode=ro", uri=True, isolation_level=None)
        made = Served(ready["address"], home / "house.db", reader)
        _furnish(made)
        yield made
        reader.close()
    finally:
        process.kill()
        process.communicate()
        log.close()


def _furnish(served: Served) -> None:
    for name in ("ground", "ended"):
        served.post("/streams", {"world": "lighthouse", "name": name, "owner": "ada", "seat": "visitor"})
        served.post(f"/streams/{name}/commands", {"kind": "say", "fields": {"text": "Good evening."}})
    served.post("/streams/ground/branches", {"name": "branch", "at": 1})
    served.post("/streams/ground/commands", {"kind": "write", "fields": {"to": "the harbour", "text": "I am dry."}})
    served.post("/streams/ended/commands", {"kind": "leave", "fields": {}})
