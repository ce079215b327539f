"""No test ever reaches a real provider."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.models.tripwire import is_local


def test_an_address_outside_fails_the_test() -> None:
    with socket.socket() as one, pytest.raises(pytest.fail.Exception, match="tests talk to this machine only"):
        one.connect(("93.184.216.34", 443))
    with socket.socket() as one, pytest.raises(pytest.fail.Exception):
        one.connect_ex(("93.184.216.34", 443))


def test_a_name_outside_fails_the_test() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"look up api\.anthropic\.com"):
        socket.getaddrinfo("api.anthropic.com", 443)


async def test_the_event_loop_fails_too() -> None:
    with pytest.raises(pytest.fail.Exception):
        await asyncio.open_connection("93.184.216.34", 443)


def test_this_machine_may_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2]):
        pass
    assert is_local(b"127.0.0.1")
    assert is_local("::1")
    assert not is_local("10.0.0.1")


async def test_a_provider_without_a_base_url_trips_it(library: None) -> None:
    from greenroom.adapters.models.providers import Call, LibraryProvider, line_to  # noqa: PLC0415

    provider = LibraryProvider(line_to("anthropic:claude-sonnet-4-6", api_key="x"))
    try:
        with pytest.raises(pytest.fail.Exception):
            await provider.call(Call(system="s", stable="", rest="hello", max_tokens=5, seconds=2))
    finally:
        await provider.close()
