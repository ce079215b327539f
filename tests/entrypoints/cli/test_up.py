"""``greenroom up``: a server that says where it is, tells the ticket once, and stops when asked."""

from __future__ import annotations

import json
import re
import signal
import socket
import urllib.request
from pathlib import Path
from typing import Any

from tests.entrypoints.cli.conftest import run_at
from tests.entrypoints.cli.test_processes import start


def got(address: str, path: str, ticket: str | None = None) -> Any:
    request = urllib.request.Request(address + path)
    if ticket is not None:
        request.add_header("Authorization", f"Bearer {ticket}")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_the_first_start_prints_address_and_ticket_and_a_later_one_the_address_alone(tmp_path: Path) -> None:
    with start(tmp_path, "up", "--port", "0", "--no-console") as up:
        assert up.stdout is not None
        assert up.stdout.readline() == "Opening the house …\n"
        told = [up.stdout.readline().rstrip("\n") for _ in range(4)]
        address = told[0].removeprefix("The house is open: ")
        ticket = told[1].removeprefix("Your ticket, told this once: ")
        assert re.fullmatch(r"http://localhost:\d+", address)
        assert re.fullmatch(r"greenroom-[\w-]{43}", ticket)
        assert told[2:] == ["On this machine nobody asks for it.", "Ctrl-C closes it."]
        assert got(address, "/ready") == {"status": "ready", "works": True}
        assert got(address, "/me") == {"kind": "operator", "owner": None, "seat": None, "stream": None}
        assert got(address, "/tickets", ticket)["tickets"][0]["label"] == "made at the first start"
        up.send_signal(signal.SIGINT)
        out, err = up.communicate(timeout=30)
        assert (up.returncode, out) == (0, "stopped\n")
        assert all(json.loads(line)["level"] == "info" for line in err.splitlines())
        assert ticket not in err
    with start(tmp_path, "up", "--port", "0", "--no-console", "--no-worker", "--json") as up:
        assert up.stdout is not None
        ready = json.loads(up.stdout.readline())
        assert (ready["status"], ready["ticket"], ready["pid"]) == ("ready", None, up.pid)
        assert got(ready["address"], "/ready") == {"status": "ready", "works": False}
        assert got(ready["address"], "/me", ticket)["kind"] == "operator"
        up.send_signal(signal.SIGTERM)
        out, _ = up.communicate(timeout=30)
        assert (up.returncode, out) == (0, "")


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = run_at(tmp_path, "up", "--port", port, "--no-console")
    assert told.code == 5
    sentence = f"127.0.0.1 port {port}: Address already in use; GREENROOM_PORT or --port names another"
    assert (told.out, told.err) == ("Opening the house …\n", f"greenroom: {sentence}\n")
