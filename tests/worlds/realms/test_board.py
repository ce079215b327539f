"""The board on a real server that is killed, away, changed by others or failed over: equal to the journal's."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.outside.board import connected, key_of
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER
from greenroom.worlds.realms.settings import RealmsSettings
from tests.conftest import NewFile
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="neither valkey-server nor redis-server is installed")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


class Server:
    """A real server in a folder of its own, with a password."""

    def __init__(self, folder: Path, port: int | None = None, *more: str) -> None:
        self.folder = folder
        self.port = port or free_port()
        self._more = more
        folder.mkdir(parents=True, exist_ok=True)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert PROGRAM is not None
        given = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--appendonly", "yes")
        self._process = subprocess.Popen((PROGRAM, *given, *self._more), stdout=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    made = Server(tmp_path / "server", None, "--requirepass", "open sesame")
    monkeypatch.setenv("REDIS_HOST", "127.0.0.1")
    monkeypatch.setenv("REDIS_PORT", str(made.port))
    monkeypatch.setenv("REDIS_PASSWORD", "open sesame")
    yield made
    made.kill()


def settings(server: Server) -> RealmsSettings:
    return RealmsSettings(redis_host="127.0.0.1", redis_port=server.port, redis_password="open sesame")


async def listed(server: Server, place: Path) -> list[Any]:
    async with connected(settings(server)) as client:
        return [json.loads(one) for one in await client.lrange(key_of(str(place)), 0, -1)]


async def asked(house: House, stream: str, words: str) -> None:
    await house.send(stream, c.Direct(agent="oracle", text=Words(words)), seat=PLAYER)
    await house.quiet()


async def equal(house: House, stream: str, server: Server, place: Path) -> None:
    """The list comes to be the board, in order, and nothing is doubled."""
    expected = [one["id"] for one in await app.board(house, stream)]
    for _ in range(300):
        if [one["id"] for one in await listed(server, place)] == expected:
            return
        await asyncio.sleep(0.1)
    assert [one["id"] for one in await listed(server, place)] == expected


async def test_the_list_is_the_board_whatever_happens_to_the_server(
    server: Server, new_file: NewFile, tmp_path: Path
) -> None:
    place = harbour(tmp_path / "harbour")
    async with greenroom.open(new_file(shipped_tables())) as house:
        stream = (await app.link(house, str(place))).stream  # the server is away
        await house.quiet()
        server.start()
        await equal(house, stream, server, place)
        async with connected(settings(server)) as client:
            assert 0 < await client.ttl(key_of(str(place))) <= 30 * 86_400
        server.kill()
        await asked(house, stream, "Where is cast_off?")
        server.start()
        await asked(house, stream, "Where is moor?")
        await equal(house, stream, server, place)
        async with connected(settings(server)) as client:
            await client.rpush(key_of(str(place)), '{"id": "a stranger\'s"}')
        await asked(house, stream, "Where is haunt?")
        await equal(house, stream, server, place)
        async with connected(settings(server)) as client:
            await client.delete(key_of(str(place)))  # as an expiry would
        await asked(house, stream, "Where is light?")
        await equal(house, stream, server, place)
        await house.following.catch_up()  # the file too
    assert len(await listed(server, place)) == len(json.loads((place / ".agent-rpg/findings/board.json").read_text()))


def test_keys_of_different_paths_never_collide() -> None:
    paths = ["/a/b", "/a_b", "/a:b", "/a%2Fb", "/a/b/", "/A/b", "/ä"]
    assert len({key_of(path) for path in paths}) == len(paths)


async def test_a_failover_by_sentinels_loses_and_doubles_nothing(
    new_file: NewFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REDIS_PORT", raising=False)
    primary = Server(tmp_path / "primary")
    primary.start()
    replica = Server(tmp_path / "replica", None, "--replicaof", "127.0.0.1", str(primary.port))
    replica.start()
    sentinels = [sentinel(tmp_path / f"s{n}", primary.port) for n in range(3)]
    watching = ",".join(f"127.0.0.1:{one.port}" for one in sentinels)
    monkeypatch.setenv("GREENROOM_REALMS_SENTINELS", f"harbour@{watching}")
    place = harbour(tmp_path / "harbour")
    try:
        async with greenroom.open(new_file(shipped_tables())) as house:
            stream = (await app.link(house, str(place))).stream
            await house.quiet()
            await there(house, stream, primary, place)
            await asyncio.sleep(1)  # the sentinels and the replica have heard of one another
            primary.kill()
            await asked(house, stream, "Where is moor?")
            await there(house, stream, replica, place)
    finally:
        for one in (*sentinels, replica, primary):
            one.kill()


async def there(house: House, stream: str, server: Server, place: Path) -> None:
    expected = [one["id"] for one in await app.board(house, stream)]
    found: list[Any] = []
    for _ in range(400):
        async with connected(RealmsSettings(redis_host="127.0.0.1", redis_port=server.port)) as client:
            found = [json.loads(one)["id"] for one in await client.lrange(key_of(str(place)), 0, -1)]
        if found == expected:
            return
        await asyncio.sleep(0.1)
    assert found == expected


def sentinel(folder: Path, primary: int) -> Server:
    folder.mkdir()
    port = free_port()
    (folder / "sentinel.conf").write_text(
        f"port {port}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor harbour 127.0.0.1 {primary} 2\n"
        "sentinel down-after-milliseconds harbour 500\nsentinel failover-timeout harbour 3000\n"
    )
    made = SentinelServer(folder, port)
    made.start()
    return made


class SentinelServer(Server):
    """The same program as a sentinel."""

    def start(self) -> None:
        assert PROGRAM is not None
        command = (PROGRAM, str(self.folder / "sentinel.conf"), "--sentinel")
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(0.3)
