"""Two servers behind a real nginx: strangers are strangers, players play, and live works.

nginx comes from the system's packages (Debian: nginx-light). Where there is none, these tests are skipped for everybody
to see, and fail in CI.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.client import LOADED, Process, begin, house_command
from tests.conftest import NewHome
from tests.houses import HOUSES

DEPLOYED = Path(__file__).parents[3] / "deploy" / "nginx.conf"
#: As a person would write it who knows nothing of this: Host is the proxy's own, and nobody is said to have come by it.
PLAIN = """
upstream greenroom {{ server 127.0.0.1:{server}; }}
server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://greenroom; proxy_buffering off; }} }}
"""
FRAME = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {inner}
}}
"""


def nginx() -> str:
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no nginx: apt-get install nginx-light")
    return str(found)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Street:
    """The proxy and the two servers behind it."""

    address: str
    #: Where the servers really listen; the address that each tells is the public one.
    ports: list[int]
    ticket: str

    def caller(self, ticket: str | None = None, **headers: str) -> httpx.AsyncClient:
        shown = {} if ticket is None else {"Authorization": f"Bearer {ticket}"}
        return httpx.AsyncClient(base_url=self.address, headers={**headers, **shown}, timeout=20)


@asynccontextmanager
async def street(folder: Path, home: Path, *, deployed: bool, **told: str) -> AsyncIterator[Street]:
    """Two servers behind the deployed proxy, one behind a plain one."""
    program, ports = nginx(), [free_port() for _ in range(3)]
    if deployed:
        inner = DEPLOYED.read_text().replace("listen 8420", f"listen 127.0.0.1:{ports[2]}")
        inner = inner.replace(":8421", f":{ports[0]}").replace(":8422", f":{ports[1]}")
    else:
        inner = PLAIN.format(server=ports[0], port=ports[2])
    config = folder / "nginx.conf"
    config.write_text(FRAME.format(folder=folder, inner=inner))
    environment = {**LOADED, **HOUSES.environment(home), "GREENROOM_RATE_STRANGERS": "30"}
    environment |= {name: value.replace("house.example", f"127.0.0.1:{ports[2]}") for name, value in told.items()}
    servers: list[Process] = []
    proxy: Any = None
    try:
        for port in ports[: 2 if deployed else 1]:
            command = [*house_command(home), "--port", str(port)]
            servers.append(await begin(command, environment))
        quiet = asyncio.subprocess.DEVNULL
        proxy = await asyncio.create_subprocess_exec(program, "-c", str(config), "-p", str(folder), stderr=quiet)
        await _listens(ports[2])
        yield Street(f"http://127.0.0.1:{ports[2]}", ports[: len(servers)], servers[0].ready["ticket"])
    finally:
        for server in servers:
            await server.kill()
        if proxy is not None and proxy.returncode is None:
            proxy.terminate()
            await proxy.wait()


async def _listens(port: int) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


BEHIND = {"GREENROOM_PUBLIC_URL": "http://house.example", "GREENROOM_PROXIES": "127.0.0.1"}


@pytest.mark.parametrize("told", [{}, {"GREENROOM_PUBLIC_URL": "http://house.example"}], ids=["nothing", "its address"])
async def test_behind_a_proxy_that_says_nothing_a_stranger_is_a_stranger(
    tmp_path: Path, new_home: NewHome, told: dict[str, str]
) -> None:
    async with street(tmp_path, new_home(tmp_path / "home"), deployed=False, **told) as on, on.caller() as stranger:
        assert (await stranger.get("/me")).json()["kind"] == "stranger"
        assert (await stranger.post("/tickets", json={"label": "mine"})).status_code == 401
        assert (await stranger.get("/streams")).status_code == 401
        async with on.caller(on.ticket) as operator:
            assert (await operator.get("/me")).json()["kind"] == "operator"


async def test_players_play_and_follow_through_the_deployed_proxy_on_either_server(
    tmp_path: Path, new_home: NewHome
) -> None:
    async with street(tmp_path, new_home(tmp_path / "home"), deployed=True, **BEHIND) as on:
        async with on.caller() as stranger:
            assert (await stranger.get("/me")).json()["kind"] == "stranger"
            visit = (await stranger.post("/lighthouse/visits")).json()
        async with on.caller(visit["ticket"]) as player:
            heard: list[str] = []

            async def follow() -> None:
                async with player.stream("GET", f"/streams/{visit['stream']}/live?after=0") as lines:
                    async for line in lines.aiter_lines():
                        heard.append(line)
                        if sum(one.startswith("id: ") for one in heard) >= 3:
                            return

            following = asyncio.create_task(follow())
            for _ in range(3):
                said = await player.post(f"/lighthouse/visits/{visit['stream']}/say", json={"text": "Good evening."})
                assert said.status_code == 200
            async with asyncio.timeout(10):
                await following
        # The other server knows it all too.
        for port in on.ports:
            async with httpx.AsyncClient(headers={"Authorization": f"Bearer {visit['ticket']}"}) as direct:
                seen = await direct.get(f"http://127.0.0.1:{port}/streams/{visit['stream']}")
                assert seen.status_code == 200


async def test_one_strangers_wrong_tickets_lock_nobody_else_out(tmp_path: Path, new_home: NewHome) -> None:
    """What a caller says about where he comes from is thrown away by the proxy; each has the address he has."""
    async with street(tmp_path, new_home(tmp_path / "home"), deployed=True, **BEHIND) as on:
        near = httpx.AsyncHTTPTransport(local_address="127.0.0.7")
        async with httpx.AsyncClient(base_url=on.address, transport=near, timeout=20) as evil:
            told = []
            for i in range(40):
                shown = {"Authorization": "Bearer greenroom-x", "X-Forwarded-For": f"9.9.9.{i}"}
                told.append((await evil.get("/me", headers=shown)).status_code)
        assert told.count(429) >= 5
        async with on.caller() as other:
            assert (await other.post("/lighthouse/visits")).status_code == 201
