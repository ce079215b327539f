"""A door on loopback before the server that counts how often somebody asks and waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

#: Messages after which a client waits for the server: Sync, and a query in one message.
_WAITS = b"SQ"


class Door:
    """Passes everything on; counts round trips by the name that each connection gave itself."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.trips: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
        back = asyncio.create_task(_pass_on(up_reader, writer))
        self._tasks.add(back)
        try:
            await self._forward(reader, up_writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            up_writer.close()
            writer.close()
            back.cancel()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length = await reader.readexactly(4)
        body = await reader.readexactly(int.from_bytes(length, "big") - 4)
        given = body[4:].split(b"\x00")
        name = dict(zip(given[::2], given[1::2], strict=False)).get(b"application_name", b"").decode()
        writer.write(length + body)
        while True:
            head = await reader.readexactly(5)
            body = await reader.readexactly(int.from_bytes(head[1:], "big") - 4)
            self.trips[name] += head[:1] in _WAITS
            writer.write(head + body)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


@asynccontextmanager
async def counted(url: str) -> AsyncIterator[tuple[str, Door]]:
    """The same database behind a door that counts."""
    parts = urlsplit(url)
    door = Door(parts.hostname or "127.0.0.1", parts.port or 5432)
    server = await asyncio.start_server(door.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    netloc = f"{parts.username}@127.0.0.1:{port}"
    try:
        yield urlunsplit((parts.scheme, netloc, parts.path, "sslmode=disable", "")), door
    finally:
        server.close()
        await door.close()
