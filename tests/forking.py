"""Processes that tests start, without the seconds that importing takes.

``python -m greenroom…``, ``python -m tests…`` and ``python -W error program.py`` are forked from a process that has
imported everything already: real processes with ids, signals and deaths of their own, children of whoever started them.
Anything else, a process with other options of Python, and all of them with large counts are started anew, as a person
would start them.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import inspect
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
#: Packages whose modules are run by name, and imported beforehand.
OURS = ("greenroom", "tests")
#: What asks Linux to make a process the parent of the orphans among its descendants.
SET_CHILD_SUBREAPER = 36
#: Most bytes of one request: arguments and environment.
MOST = 1 << 18
#: What a process may be asked beside its words, its streams, its environment and its folder; then it is started anew.
DEMANDS = ("executable", "preexec_fn", "pass_fds", "shell", "gid", "gids", "uid")


class Request(NamedTuple):
    """A process to be: what ``python`` is told, and where."""

    args: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    #: Whether it leads a session of its own.
    leads: bool


class Nursery:
    """The process that forks, seen from the one that asks for it; begun when it is first needed."""

    def __init__(self) -> None:
        self._end: socket.socket | None = None
        self._one_at_a_time = threading.Lock()
        self._library = ctypes.CDLL(None)

    def bear(self, request: Request, streams: Sequence[int]) -> int:
        """Have a child of this process forked that has these as its standard streams; its id."""
        with self._one_at_a_time:
            if self._end is None:
                self._end = self._begin()
            self._library.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._end, [json.dumps(request).encode()], streams)
                return int(self._end.recv(32))
            finally:
                self._library.prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    def _begin(self) -> socket.socket:
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MOST)
        program = [sys.executable, str(Path(__file__)), str(its.fileno())]
        self._process = subprocess.Popen(program, pass_fds=[its.fileno()], cwd=ROOT, stdin=subprocess.DEVNULL)
        its.close()
        return ours


def install() -> None:
    """Have ``subprocess`` fork what can be forked; where there is no Linux everything is started anew."""
    if not sys.platform.startswith("linux"):
        return
    anew: Any = subprocess.Popen._execute_child  # type: ignore[attr-defined]
    nursery, signature = Nursery(), inspect.signature(anew)

    def execute(self: Any, *args: Any) -> None:
        asked = signature.bind(self, *args).arguments
        env = dict(os.environ if asked["env"] is None else asked["env"])
        if any(asked[demand] for demand in DEMANDS) or not forkable(asked["args"], env):
            anew(self, *args)
            return
        request = Request(
            [str(arg) for arg in asked["args"][1:]], env, str(asked["cwd"] or Path.cwd()), asked["start_new_session"]
        )
        streams = (asked["p2cread"], asked["c2pwrite"], asked["errwrite"])
        self.pid = nursery.bear(request, [i if own == -1 else own for i, own in enumerate(streams)])
        self._child_created = True
        self._close_pipe_fds(*(asked[f"{p}{q}"] for p, q in ENDS))

    subprocess.Popen._execute_child = execute  # type: ignore[attr-defined]


ENDS = (("p2c", "read"), ("p2c", "write"), ("c2p", "read"), ("c2p", "write"), ("err", "read"), ("err", "write"))


def forkable(args: Any, env: Mapping[str, str]) -> bool:
    """Whether this is one of our modules, or a program, told to a Python like this one."""
    if isinstance(args, str | bytes | os.PathLike) or args[0] != sys.executable:
        return False
    match [str(arg) for arg in args[1:4]]:
        case ["-m", module, *_]:
            ours = module.partition(".")[0] in OURS
        case ["-W", "error", program]:
            ours = program.endswith(".py")
        case _:
            ours = False
    told = {name for name in {*env, *os.environ} if name.startswith("PYTHON")}
    return ours and all(env.get(name) == os.environ.get(name) for name in told)


# In the process that forks.


def serve(end: socket.socket) -> Request | None:
    """Fork a process for every request until nobody is left to ask; returns in each of them with its request."""
    while True:
        told, streams, _, _ = socket.recv_fds(end, MOST, 3)
        if not told:
            return None
        heard, tells = os.pipe()
        between = os.fork()
        if not between:  # goes at once, so that its child is an orphan and becomes the child of whoever asked
            child = os.fork()
            if child:
                os.write(tells, str(child).encode())
                os._exit(0)
            end.close()
            for i, stream in enumerate(streams):
                os.dup2(stream, i)
            os.closerange(3, max(*streams, heard, tells) + 1)
            return Request(*json.loads(told))
        os.waitpid(between, 0)
        end.send(os.read(heard, 32))
        for open_ in (*streams, heard, tells):
            os.close(open_)


def become(request: Request) -> None:
    """Be the process that was asked for."""
    if request.leads:
        os.setsid()
    os.environ.clear()
    os.environ.update(request.env)
    os.chdir(request.cwd)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115  said at once, whoever dies next
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if request.args[0] == "-m":
        module = request.args[1]
        sys.path[0], sys.argv = request.cwd, list(request.args[1:])
        sys.modules.pop(f"{module}.__main__", None)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        program = request.args[2]
        sys.path[0], sys.argv = str(Path(program).resolve().parent), list(request.args[2:])
        warnings.simplefilter("error")
        runpy.run_path(program, run_name="__main__")


def warm() -> None:
    """Import everything, and open a house once: what that reads and compiles, each process would otherwise anew."""
    for package in pkgutil.walk_packages(importlib.import_module("greenroom").__path__, "greenroom."):
        if "migrations" not in package.name:  # which run when they are imported
            with suppress(ImportError):  # what an extra would bring
                importlib.import_module(package.name)

    async def open_and_close() -> None:
        async with importlib.import_module("greenroom").open(":memory:", recall="words"):
            pass

    asyncio.run(open_and_close())
    gc.freeze()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm()
    if (wanted := serve(socket.socket(fileno=int(sys.argv[1])))) is not None:
        become(wanted)
