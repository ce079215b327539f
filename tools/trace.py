"""Follow one message through the house and count what it touches: modules, functions, and steps between modules.

A house in a temporary file is called in this process the way a guest calls it. When everything is loaded, one message
is traced from the moment its request enters the application until its turn is settled and the answer complete.
Functions of ``src/greenroom`` count, in every thread: comprehensions and lambdas too, and each call where it begins,
not where a coroutine goes on. A switch is a call in another module than the call before it in the same thread; a hop
is the same among the engine's modules alone, whatever is called between. The same code gives the same figures: seed
and clock are fixed, no worker runs beside the message, and threads do not race.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from opcode import opmap
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx

import greenroom
from greenroom.entrypoints.http import create
from greenroom.settings import read_settings

SOURCES = f"{Path(greenroom.__file__).parent}/"
ENGINE = ("services",)
EVENING = datetime(2031, 3, 4, 19, 0, tzinfo=UTC)
WARMING = ("Good evening.", "Tell me about the weather tonight.")
TRACED = "What do you make of this town?"
#: So long a message is waited for: whoever is traced is slow, on a busy machine slower still.
WAIT_SECONDS = 300.0
#: The thread that watches the file twice a second, message or not.
BYSTANDER = "greenroom notifier"


class Call(NamedTuple):
    """A function that was entered, at a place in its code, above so many others of ours on the stack."""

    thread: str
    code: CodeType
    at: int
    depth: int

    @property
    def module(self) -> str:
        path = self.code.co_filename.removeprefix(SOURCES).removesuffix(".py").removesuffix("/__init__")
        return f"greenroom.{path.replace('/', '.')}"

    def within(self, packages: Sequence[str]) -> bool:
        return any(f"{self.module}.".startswith(f"greenroom.{package}.") for package in packages)

    @property
    def begins(self) -> bool:
        """Whether it begins here, rather than goes on after a pause."""
        instruction, argument = self.code.co_code[self.at : self.at + 2]
        return instruction == opmap["RESUME"] and argument & 3 == 0


class Recorder:
    """Hears of every call, in this thread and those begun after it, and keeps the ones made while it is on."""

    def __init__(self) -> None:
        self.on = self.armed = False
        self.calls: list[Call] = []
        threading.setprofile(self._heard)
        sys.setprofile(self._heard)

    def _heard(self, frame: FrameType, event: str, _: object) -> None:
        if self.on and event == "call" and _ours(frame) and (thread := threading.current_thread().name) != BYSTANDER:
            depth, below = 0, frame.f_back
            while below is not None:
                depth, below = depth + _ours(below), below.f_back
            self.calls.append(Call(thread, frame.f_code, frame.f_lasti, depth))

    def around(self, app: Any) -> Callable[..., Any]:
        """The application; once armed, the recorder is on while it has a request."""

        async def recorded(*request: Any) -> None:
            self.on = self.armed
            await app(*request)
            self.on = False

        return recorded


def _ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(SOURCES)


async def sit_down(guest: httpx.AsyncClient, world: str) -> Callable[[str], Awaitable[Any]]:
    """Come in as somebody new; how to say something from now on."""

    async def post(path: str, **body: str) -> Any:
        answer = await guest.post(path, json=body)
        if answer.status_code not in (200, 201):
            raise SystemExit(f"trace: {path} answered {answer.status_code}: {answer.text}")
        return answer.json()

    guest.cookies.clear()
    if world == "bar":
        session = (await post("/bar/session/start"))["session_id"]
        return lambda text: post("/bar/message", session_id=session, content=text)
    visit = await post("/lighthouse/visits")
    guest.headers["Authorization"] = f"Bearer {visit['ticket']}"
    return lambda text: post(f"/lighthouse/visits/{visit['stream']}/say", text=text)


async def trace(world: str, file: Path) -> list[Call]:
    recorder = Recorder()  # before the house has any thread
    async with greenroom.open(file, clock=EVENING, work=False) as house:
        app = create(house, read_settings().model_copy(update={"wait": WAIT_SECONDS}))
        transport = httpx.ASGITransport(recorder.around(app), client=("127.0.0.1", 4711))
        guest = httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60)
        async with app.router.lifespan_context(app), guest:
            say = await sit_down(guest, world)
            for text in WARMING:
                await say(text)
            recorder.armed = True
            await say(TRACED)
    return recorder.calls


def waited_for(pool: ThreadPoolExecutor, *job: Any, submit: Any = ThreadPoolExecutor.submit) -> Future[Any]:
    """Give a pool a job and wait until it is done: nothing overtakes it, and the pool's first thread is free for it."""
    pool._max_workers = 1
    given: Future[Any] = submit(pool, *job)
    wait([given])
    return given


def switches(calls: Sequence[Call]) -> int:
    last: dict[str, str] = {}
    count = 0
    for call in calls:
        count += last.get(call.thread, call.module) != call.module
        last[call.thread] = call.module
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description="Trace one message through the house and count what it touches.")
    names: Any = {"type": lambda text: text.split(","), "metavar": "A,B,C", "default": []}
    parser.add_argument("--world", choices=("bar", "lighthouse"), default="bar")
    parser.add_argument("--among", **names, help="ends of the names of the modules that hops are counted among")
    parser.add_argument("--without", **names, help="packages below greenroom that count for nothing")
    parser.add_argument("--resumed", action="store_true", help="a coroutine that goes on is called again")
    parser.add_argument("--calls", action="store_true", help="tell every call, too")
    parser.add_argument("--json", action="store_true", help="tell it as one object")
    args = parser.parse_args()
    chance = patch.multiple("secrets", randbits=lambda _: 7), patch.object(ThreadPoolExecutor, "submit", waited_for)
    with tempfile.TemporaryDirectory() as folder, chance[0], chance[1]:
        heard = asyncio.run(trace(args.world, Path(folder) / "house.db"))
    calls = [call for call in heard if (args.resumed or call.begins) and not call.within(args.without)]
    ends = tuple(f".{name}" for name in args.among)
    engine = [call for call in calls if (call.module.endswith(ends) if ends else call.within(ENGINE))]
    told = [f"{'  ' * call.depth}{call.module} {call.code.co_qualname}  [{call.thread}]" for call in calls]
    figures: dict[str, Any] = {
        **({"calls": told} if args.calls else {}),
        "modules": len({call.module for call in calls}),
        "functions": len({call.code for call in calls}),
        "switches": switches(calls),
        "hops": switches(engine),
        "among": sorted({call.module for call in engine}),
    }
    if args.json:
        print(json.dumps({"world": args.world, **figures}, indent=2))
        return 0
    for name, figure in figures.items():
        print(f"{name:10}", *figure, sep="\n  ") if isinstance(figure, list) else print(f"{name:10} {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
