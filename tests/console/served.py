"""A real ``greenroom up`` in a process of its own, and a cable to it that can be cut."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import greenroom
from greenroom.services.house import House
from greenroom.worlds.lighthouse.rules.commands import Say
from tests.houses import HOUSES

T = TypeVar("T")
#: Seconds in which a server has to be there.
PATIENCE = 120
ROOT = Path(__file__).parents[2]
UP = ("greenroom.entrypoints.cli", "up", "--json")


class Served:
    """A house in a folder, served on a free port."""

    def __init__(self, home: Path, command: tuple[str, ...] = UP, *, packages: Path | None = None) -> None:
        self.home = home
        self._command = command
        #: A folder where more is installed.
        self._more = {} if packages is None else {"PYTHONPATH": str(packages)}
        self.ticket = ""
        self._process = self._start(0)

    def _start(self, port: int) -> subprocess.Popen[str]:
        command = (sys.executable, "-m", *self._command, "--port", str(port), "--home", str(self.home))
        told = {"GREENROOM_RECALL": "words", "GREENROOM_LOG_LEVEL": "warning", **HOUSES.environment(self.home)}
        environment = {**os.environ, **told, **self._more}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, cwd=ROOT)
        assert process.stdout is not None
        hung = threading.Timer(PATIENCE, process.kill)
        hung.start()
        said = process.stdout.readline()
        hung.cancel()
        if '"address"' not in said:
            process.kill()
            process.communicate(timeout=PATIENCE)
            raise AssertionError(f"the server did not start: {said}")
        ready = json.loads(said)
        self.address = str(ready["address"])
        #: The operator's, told at the first start only.
        self.ticket = ready.get("ticket") or self.ticket
        return process

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 80

    def kill(self) -> None:
        """As a power cut would."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)

    def start_again(self) -> None:
        self._process = self._start(self.port)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def ask(self, use: Callable[[House], Awaitable[T]]) -> T:
        """Use the same house from this process, beside the server."""

        async def used() -> T:
            async with greenroom.open(self.home / "house.db", work=False) as house:
                return await use(house)

        with ThreadPoolExecutor(1) as elsewhere:  # Playwright's loop runs in this thread
            return elsewhere.submit(lambda: asyncio.run(used())).result()


class Cable:
    """A way to a server that can be cut and mended; what is cut in the middle of a byte stays cut."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._mended = threading.Event()
        self._mended.set()
        self._hears = threading.Event()
        self._hears.set()
        self._speaks = threading.Event()
        self._speaks.set()
        self._ends: set[socket.socket] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://localhost:{self._door.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        self._mended.clear()
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._mended.set()
        self._hears.set()
        self._speaks.set()

    def silence(self) -> None:
        """From now on nothing arrives at the server, and the browser does not know."""
        self._speaks.clear()

    def deafen(self) -> None:
        """From now on the server is told everything and nothing of its answers arrives."""
        self._hears.clear()

    def close(self) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            if not self._mended.is_set():
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._server))
            except OSError:  # nobody is there at the moment
                near.close()
                continue
            self._ends |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, target), kwargs={"back": source is far}).start()

    def _carry(self, source: socket.socket, target: socket.socket, *, back: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if (self._hears if back else self._speaks).is_set():
                    target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            source.close()
        self._ends.discard(source)


def visit(
    owner: str = "local", name: str | None = None, says: tuple[str, ...] = ()
) -> Callable[[House], Awaitable[str]]:
    """Begin a visit to the lighthouse and say something there."""

    async def begun(house: House) -> str:
        stream = (await house.start("lighthouse", owner=owner, name=name, seed=7, seat="visitor")).stream
        for words in says:
            await house.send(stream, Say(text=greenroom.Words(words)), seat="visitor")
        return stream

    return begun
