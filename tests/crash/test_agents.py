"""A process that appends events for agents is killed: every event is there whole, with its state, or not at all."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from pathlib import Path

from greenroom.adapters.sqlite import sqlite_backend
from greenroom.ports import SessionKey
from tests.counts import count

KEY = SessionKey("inn", "ada", "s")
APPENDS = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from greenroom.adapters.sqlite import sqlite_backend
    from greenroom.ports import AgentEvent, SeenSession, SessionKey, StateDelta

    async def main():
        backend = sqlite_backend(Path(sys.argv[1]), ())
        sessions, key = backend.agents.sessions, SessionKey("inn", "ada", "s")
        session = await sessions.find(key) or await sessions.create(key, StateDelta(), at=1.0)
        for n in range(session.revision + 1, 100_000):
            event = AgentEvent(id=str(n), at=float(n), body=str(n) * 500)
            seen = SeenSession(marker=session.marker, updated_at=session.updated_at, last=None)
            delta = StateDelta(app={"n": n}, user={"n": n}, session={"n": n})
            session = await sessions.append(key, event, delta, seen=seen)
            print(n, flush=True)

    asyncio.run(main())
    """
)


def killed_after(path: Path, appends: int) -> int:
    """Append in a process of its own and kill it after so many; the last that was acknowledged."""
    with subprocess.Popen([sys.executable, "-c", APPENDS, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(appends)]
        process.kill()
        told += process.stdout.read().splitlines()
    assert all(told), "it died by itself"
    return int(told[-1])


def test_a_killed_process_leaves_no_half_of_an_event(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    for life in range(count(3, soak=50)):
        acknowledged = killed_after(path, 5 + life)
        stored = asyncio.run(found(path))
        assert acknowledged <= stored <= acknowledged + 1


async def found(path: Path) -> int:
    """How many events are stored, after every part of them was found to agree."""
    backend = sqlite_backend(path, ())
    try:
        session = await backend.agents.sessions.find(KEY)
        assert session is not None
        n = session.revision
        assert [event.id for event in session.events] == [str(k) for k in range(1, n + 1)]
        assert session.state == session.app_state == session.user_state == {"n": n}
        assert session.updated_at == float(n)
        assert list(await backend.upkeep.check()) == []
        return n
    finally:
        await backend.close()
