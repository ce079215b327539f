"""A plain HTTP/1.1 client on one connection, and a server process to talk to: so that the measuring costs little."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

#: How long a server may take to be ready, and to stop when asked.
START_SECONDS = 120.0
STOP_SECONDS = 20.0


class Answer(NamedTuple):
    status: int
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class Line:
    """One connection that is kept open; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self._reader = reader
        self._writer = writer
        self._host = host

    @classmethod
    async def open(cls, port: int, host: str = "127.0.0.1") -> Line:
        reader, writer = await asyncio.open_connection(host, port)
        return cls(reader, writer, f"{host}:{port}")

    async def ask(
        self, method: str, path: str, body: Any = None, *, ticket: str | None = None, key: str | None = None
    ) -> Answer:
        """Send a request and wait for its answer.

        Raises:
            ConnectionError: the server is gone.
        """
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}", f"Content-Length: {len(data)}"]
        lines += ["Content-Type: application/json"] if data else []
        lines += [] if ticket is None else [f"Authorization: Bearer {ticket}"]
        lines += [] if key is None else [f"Idempotency-Key: {key}"]
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        await self._writer.drain()
        try:
            return await self._answer()
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the server closed the connection") from error

    async def _answer(self) -> Answer:
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        at = head.lower().index(b"content-length:")
        length = int(head[at + 15 : head.index(b"\r\n", at)])
        return Answer(status, await self._reader.readexactly(length))

    async def close(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


@dataclass(slots=True)
class Process:
    """A server in a process of its own."""

    process: asyncio.subprocess.Process
    port: int
    ready: Mapping[str, Any]

    @property
    def pid(self) -> int:
        return self.process.pid

    def resident(self) -> int:
        """Bytes of memory it has in use; 0 where that is not told."""
        statm = Path(f"/proc/{self.pid}/statm")
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0

    async def kill(self) -> None:
        """End it with no chance to do anything about it."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """Ask it to stop; the exit code."""
        if self.process.returncode is None:
            self.process.terminate()
        async with asyncio.timeout(STOP_SECONDS):
            return await self.process.wait()


async def begin(command: Sequence[str], env: Mapping[str, str] | None = None) -> Process:
    """Start a server that prints one object with its ``address`` when it is ready.

    Raises:
        RuntimeError: it ended instead; says what it printed.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_SECONDS):
            line = await process.stdout.readline()
    except BaseException:
        process.kill()
        raise
    if not line.startswith(b"{") or b'"address"' not in line:
        raise RuntimeError(f"the server did not start: {line.decode(errors='replace')}")
    ready = json.loads(line)
    return Process(process, int(ready["address"].rpartition(":")[2]), ready)


@asynccontextmanager
async def running(command: Sequence[str], env: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """The same for the length of a block."""
    started = await begin(command, env)
    try:
        yield started
    finally:
        if started.process.returncode is None:
            await started.kill()


def house_command(home: Path, *more: str) -> list[str]:
    """The command that serves a house: no console, a free port."""
    return [
        sys.executable, "-m", "greenroom.entrypoints.cli", "up", "--json", "--no-console", "--port", "0",
        "--home", str(home), *more,
    ]  # fmt: skip


#: A house under load: recall by words, the understudy, and limits that one address may reach.
LOADED = {
    "GREENROOM_RECALL": "words",
    "GREENROOM_MODELS": "{}",
    "GREENROOM_RATE_ADDRESS": "10000000",
    "GREENROOM_RATE_TICKET": "10000000",
    "GREENROOM_RATE_TURNS": "10000000",
    "GREENROOM_BUDGETS": '{"streams_address": 10000000, "bytes_address": 100000000000, "connections_address": 10000}',
    "GREENROOM_RATE_STRANGERS": "10000000",
    "GREENROOM_LOG_LEVEL": "info",
}
