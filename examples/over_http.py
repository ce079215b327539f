"""A server and a program that talks to it, with nothing but the standard library."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from typing import Any


def call(address: str, path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": path} if data else {}
    request = urllib.request.Request(f"{address}{path}", data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "greenroom.entrypoints.cli", "up", "--port", "0", "--no-console", "--json"]
        quiet = subprocess.DEVNULL
        with subprocess.Popen([*command, "--home", home], stdout=subprocess.PIPE, stderr=quiet, text=True) as server:
            assert server.stdout is not None
            try:
                address = json.loads(server.stdout.readline())["address"]
                stream = call(address, "/streams", {"world": "lighthouse", "owner": "ada"})["stream"]
                said = {"kind": "say", "fields": {"text": "Good evening."}}
                reply = call(address, f"/streams/{stream}/commands", said)
                print(f"{stream}, version {reply['version']}: {reply['reply']['line']}")
                again = call(address, f"/streams/{stream}/commands", said)  # the same key: nothing is done twice
                assert again["version"] == reply["version"]
            finally:
                server.terminate()


main()
