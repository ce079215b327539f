"""The compose file starts what its page says, with commands that exist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
OURS = ("worker-1", "worker-2", "server-1", "server-2")


def test_there_is_one_database_two_workers_and_two_servers() -> None:
    assert set(COMPOSE["services"]) == {"database", "proxy", *OURS}
    urls = {COMPOSE["services"][name]["environment"]["GREENROOM_DATABASE_URL"] for name in OURS}
    assert len(urls) == 1
    assert "fsync=on" in COMPOSE["services"]["database"]["command"]
    assert "synchronous_commit=on" in COMPOSE["services"]["database"]["command"]


@pytest.mark.parametrize("name", ["worker-1", "server-1"])
def test_its_commands_are_the_programs_own(name: str) -> None:
    command = COMPOSE["services"][name]["command"]
    done = subprocess.run(
        [sys.executable, "-m", "greenroom.entrypoints.cli", *command, "--help"],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr


def test_the_servers_believe_the_proxy_and_nobody_beyond_its_network() -> None:
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    for name in OURS:
        assert COMPOSE["services"][name]["environment"]["GREENROOM_PROXIES"] == network["subnet"]
        assert COMPOSE["services"][name]["environment"]["GREENROOM_PUBLIC_URL"]


def test_a_page_of_the_console_stays_with_the_server_that_made_it() -> None:
    assert "lb_policy cookie" in (ROOT / "deploy" / "Caddyfile").read_text()
    assert "ip_hash" in (ROOT / "deploy" / "nginx.conf").read_text()
    assert COMPOSE["services"]["proxy"]["volumes"] == ["./Caddyfile:/etc/caddy/Caddyfile:ro"]


def test_every_file_it_names_is_there() -> None:
    build = COMPOSE["services"]["worker-1"]["build"]
    dockerfile = ROOT / "deploy" / build["context"] / build["dockerfile"]
    copied = [line.split()[1:-1] for line in dockerfile.read_text().splitlines() if line.startswith("COPY")]
    assert all((ROOT / name).exists() for names in copied for name in names)
