"""No test reaches a real provider: a connection to any address but this machine's own fails the test at once."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

_LOCAL = ("", "localhost", "localhost.localdomain")


def is_local(host: Any) -> bool:
    """Whether a host is this machine."""
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name in _LOCAL:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def no_outside(patch: pytest.MonkeyPatch) -> None:
    """Make every connection and every look-up of a name beyond this machine fail.

    Not as an error that a library could catch and try again after, but as the failure of the test.
    """

    def check(what: str, host: Any) -> None:
        if not is_local(host):
            pytest.fail(f"a test tried to {what} {host}; tests talk to this machine only")

    def guarded(method: str) -> None:
        real = getattr(socket.socket, method)

        def connect(self: socket.socket, address: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                check("reach", address[0])
            return real(self, address)

        patch.setattr(socket.socket, method, connect)

    look_up = socket.getaddrinfo

    def getaddrinfo(host: Any, *more: Any, **named: Any) -> Any:
        if host is not None:
            check("look up", host)
        return look_up(host, *more, **named)

    guarded("connect")
    guarded("connect_ex")
    patch.setattr(socket, "getaddrinfo", getaddrinfo)
