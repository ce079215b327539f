"""Connections: so many from one address, so long for the head of a request, and so much of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from greenroom.kit.http.rates import counted_as

#: Bytes of the head of a request.
MOST_HEAD = 64 * 1024


@dataclass(slots=True)
class HeldConnections:
    """The connections of one server by address. A proxy's are its callers', who are counted one layer up."""

    most: int
    seconds: float
    proxies: str = ""
    refused: Callable[[str], None] = lambda kind: None
    count: Counter[str] = field(default_factory=Counter)
    _networks: list[Any] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._networks = [ip_network(one.strip()) for one in self.proxies.split(",") if one.strip()]

    def is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def take(self, address: str) -> bool:
        """Whether one more may come from there."""
        if self.count[counted_as(address)] >= self.most and not self.is_proxy(address):
            self.refused("connections")
            return False
        self.keep(address)
        return True

    def keep(self, address: str) -> None:
        """Count one that is here already."""
        self.count[counted_as(address)] += 1

    def give_back(self, address: str) -> None:
        who = counted_as(address)
        self.count[who] -= 1
        if self.count[who] <= 0:
            del self.count[who]


class Guarded(HttpToolsProtocol):
    """Uvicorn's protocol, with those limits: whoever sends half a request and waits is shown out."""

    held: HeldConnections
    _counted = ""
    _late: asyncio.TimerHandle | None = None
    _head = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        address = _other_end(self)
        if not self.held.take(address):
            transport.abort()
            return
        self._counted = address
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_time()
        self._give_back()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        # From here on the connection is another protocol's, which counts it anew and hears when it is lost.
        self._give_back()
        super().handle_websocket_upgrade()

    def _give_back(self) -> None:
        if self._counted:
            self.held.give_back(self._counted)
            self._counted = ""

    def data_received(self, data: bytes) -> None:
        if not self._counted:
            return
        if self._late is not None:
            # What came before counts: a body may follow its head at once.
            if self._head > MOST_HEAD:
                self._end()
                return
            self._head += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._on_time()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._late is None:
            self._head = 0
            self._late = self.loop.call_later(self.held.seconds, self._end)

    def _on_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end(self) -> None:
        self._on_time()
        self.held.refused("head")
        self.transport.abort()


def guarded(held: HeldConnections) -> type[Guarded]:
    """That protocol, for one server's connections."""
    return type("Guarded", (Guarded,), {"held": held})


def guarded_sockets(held: HeldConnections) -> type[Any]:
    """The protocol of connections that became sockets, counted with the others for as long as they are open."""
    base: Any = AutoWebSocketsProtocol

    class GuardedSocket(base):  # type: ignore[misc]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            held.keep(_other_end(self))

        def connection_lost(self, exc: Exception | None) -> None:
            held.give_back(_other_end(self))
            super().connection_lost(exc)

    return GuardedSocket


def _other_end(protocol: Any) -> str:
    return str(protocol.client[0]) if protocol.client else "nowhere"


__all__ = ["MOST_HEAD", "Guarded", "HeldConnections", "guarded", "guarded_sockets"]
