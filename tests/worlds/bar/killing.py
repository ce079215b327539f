"""A real server of the bar killed with SIGKILL in the middle of an evening, forked from a parent that imported it all.

Run as ``python -m tests.worlds.bar.killing FOLDER KILLS SEED``: the same evening is spent twice by the same guests over
HTTP, once undisturbed and once with so many kills, and what they saw is compared. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import os
import random
import shutil
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fastapi import Response

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.entrypoints.http.serving import Server, serve
from greenroom.kernel.asks import AskModel, Json
from greenroom.ports import Asked
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from greenroom.settings import read_settings
from greenroom.worlds.bar.faces.app.evening import DARK, LOUD, SMALL_TALK, guest_id
from greenroom.worlds.bar.faces.http.sessions import COOKIE
from greenroom.worlds.bar.rules.state import AGENTS, KICK_AFTER, MUTABLE
from tests.crash.zygote import Log, fork, kill, read, wait_ready
from tests.worlds.bar.stage import EVENING, cast, in_crisis

#: How long a model takes where a kill has to fall into it.
THINKING = 0.02
PATIENCE = 60.0
#: Seconds of silence after which a guest is shown out.
TOO_LONG = int(KICK_AFTER.total_seconds())
#: A lease of the dead is short here, so that nobody waits for it.
engine.LEASE_SECONDS = 2.0
SETTINGS = read_settings(host="127.0.0.1", rate_address=10**6, rate_ticket=10**6, rate_strangers=10**6)

#: When the server dies: while somebody thinks, when something was just asked of it, after it answered, or on the clock.
Manner: TypeAlias = Literal["thinking", "asked", "answered", "advancing"]
MANNERS: tuple[Manner, ...] = ("thinking", "asked", "answered", "advancing")


# the server


def models(folder: Path, thinking: float) -> ScriptedModels:
    asks = Log(folder / "asks.log")

    async def speak(ask: AskModel, asked: Asked) -> Json:
        asks.write(asked.stream, asked.n, asked.i)
        await asyncio.sleep(thinking)
        return cast().answer(ask)

    return ScriptedModels(speak)


def server(folder: Path, at: datetime, opened: socket.socket, thinking: float) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        async with open_house(folder / "house.db", clock=at, models=models(folder, thinking)) as house:
            app = create(house, SETTINGS)

            async def advance(to: str) -> Response:
                await house.advance(datetime.fromisoformat(to))
                return Response("{}", media_type="application/json")

            app.add_api_route("/advance", advance, methods=["POST"])
            await serve(app, SETTINGS, opened, asyncio.Event(), ready=lambda: _say_ready(tell))

    return run


def _say_ready(tell: int) -> None:
    os.write(tell, b"r")


# the guests


@dataclass(frozen=True, slots=True, order=True)
class Act:
    """Something a guest does at a moment."""

    at: datetime
    who: int
    path: str = field(compare=False)
    body: Mapping[str, Any] = field(compare=False)


def evening(guests: int, acts: int, seed: int) -> list[Act]:
    """What everybody does, and when; the same for the same seed, whatever is answered."""
    chance = random.Random(seed)
    return list(heapq.merge(*(_guest(who, acts, chance.randrange(2**32)) for who in range(guests))))


def _guest(who: int, acts: int, seed: int) -> Iterator[Act]:
    chance = random.Random(seed)
    at = EVENING + timedelta(seconds=chance.randrange(1800))
    yield Act(at, who, "/bar/session/start", {})
    for _ in range(acts - 1):
        silence = _silence(chance)
        at += timedelta(seconds=silence)
        # Most of those who were shown out know it.
        knocks = silence > TOO_LONG and chance.randrange(4)
        yield Act(at, who, "/bar/session/start", {}) if knocks else Act(at, who, *_deed(chance))


def _silence(chance: random.Random) -> int:
    """Seconds: mostly few, at times enough to be asked, at times too many."""
    sort = chance.randrange(10)
    lengths = {0: (930, 1150), 1: (TOO_LONG + 1, 2 * TOO_LONG)}
    return chance.randrange(*lengths.get(sort, (5, 70)))


def _deed(chance: random.Random) -> tuple[str, Mapping[str, Any]]:
    sort = chance.randrange(20)
    if sort < 3:
        return "/bar/session/start", {}
    if sort == 3:
        return "/bar/session/end", {}
    if sort == 4:
        return "/bar/mute", {"agent": chance.choice(MUTABLE), "muted": bool(chance.randrange(2))}
    words = chance.choice(DARK if sort == 5 else LOUD if sort == 6 else SMALL_TALK)
    return "/bar/message", {"content": words, "selected_agent": chance.choice((None, None, *AGENTS))}


# the evening


@dataclass(slots=True)
class Night:
    """One evening at one house; ``kills`` says before which answers the server dies, and how."""

    folder: Path
    kills: Mapping[int, Manner]
    chance: random.Random
    thinking: float
    now: datetime = EVENING
    pid: int = 0
    #: Kills that fell into a turn that had asked and was not settled.
    in_turn: int = 0
    opened: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    sessions: dict[int, list[str]] = field(default_factory=dict)

    def spend(self, acts: Sequence[Act]) -> dict[str, Any]:
        """Every act with its answer, and what every guest sees at the end."""
        self._start()
        try:
            told = [self._act(n, act) for n, act in enumerate(acts)]
            self._advance(acts[-1].at + timedelta(hours=1))
            return {"told": told, "seen": [self._seen(who) for who in sorted({act.who for act in acts})]}
        finally:
            kill(self.pid)
            self.opened.close()

    def _act(self, n: int, act: Act) -> Any:
        manner = self.kills.get(n)
        if manner == "advancing":
            self._dies(lambda: self._send("POST", f"/advance?to={_query(act.at)}"), self._at_once)
        self._advance(act.at)
        body = dict(act.body)
        if act.path != "/bar/session/start":
            body["session_id"] = self.sessions[act.who][-1]
        ask = (act.path, body, f"act-{n}", act.who)
        if manner in ("thinking", "asked"):
            moment = self._in_an_ask if manner == "thinking" else self._at_once
            self._dies(lambda: self._send("POST", *ask), moment)
        told = self._ask("POST", *ask)
        if manner == "answered":
            kill(self.pid)
            self._start()
            assert self._ask("POST", *ask) == told, "a repeated key got another answer"
        if act.path == "/bar/session/start" and told[0] == 200:
            self.sessions.setdefault(act.who, []).append(told[1]["session_id"])
        return told

    def _seen(self, who: int) -> Any:
        """All that a guest can look at: the page's own view, and every session by its id."""
        paths = [f"/bar/session/{id}/{part}" for id in self.sessions[who] for part in ("status", "messages")]
        return [self._ask("GET", path, None, None, who) for path in ("/bar/visit", *paths)]

    # the server

    def _start(self) -> None:
        self.pid, ready = fork(server(self.folder, self.now, self.opened, self.thinking))
        wait_ready(ready)

    def _dies(self, send: Callable[[], HTTPConnection], moment: Callable[[int], None]) -> None:
        begun = len(read(self.folder / "asks.log"))
        connection = send()
        moment(begun)
        kill(self.pid)
        connection.close()
        self.in_turn += len(read(self.folder / "asks.log")) > begun
        self._start()

    def _in_an_ask(self, begun: int) -> None:
        """Wait until a model was asked once, twice or three times more, and some moments longer."""
        wanted, deadline = begun + self.chance.randrange(1, 4), time.monotonic() + 0.4
        while len(read(self.folder / "asks.log")) < wanted and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(self.chance.uniform(0, THINKING))

    def _at_once(self, begun: int) -> None:
        time.sleep(self.chance.uniform(0, 0.01))

    def _advance(self, at: datetime) -> None:
        if at > self.now:
            status, told = self._ask("POST", f"/advance?to={_query(at)}")
            assert status == 200, told
            self.now = at

    # asking

    def _send(
        self, method: str, path: str, body: Any = None, key: str | None = None, who: int | None = None
    ) -> HTTPConnection:
        connection = HTTPConnection("127.0.0.1", self.opened.getsockname()[1], timeout=PATIENCE)
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if who is not None:
            headers["Cookie"] = f"{COOKIE}={guest_id(who)}"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection

    def _ask(self, *request: Any) -> tuple[int, Any]:
        connection = self._send(*request)
        try:
            answer = connection.getresponse()
            told = json.loads(answer.read())
        finally:
            connection.close()
        told.pop("request", None)  # an id of this one request
        return answer.status, told


def _query(at: datetime) -> str:
    return at.isoformat().replace("+", "%2B")


def main(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    asyncio.run(warm(folder))
    guests = 2 + kills // 4
    acts = evening(guests, 10, seed)
    calm = Night(_made(folder / "calm"), {}, random.Random(seed), 0.0).spend(acts)
    night = Night(_made(folder / "storm"), plan(acts, calm["told"], kills, seed), random.Random(seed), THINKING)
    storm = night.spend(acts)
    return verdict(calm, storm) | {
        "kills": len(night.kills),
        "in_turn": night.in_turn,
        "guests": guests,
        "acts": len(acts),
        "problems": asyncio.run(problems(night.folder, night.now)),
    }


async def warm(folder: Path) -> None:
    """Do once, before anybody is forked, what every server does at its first start."""
    cast()
    in_crisis("Good evening.")
    async with open_house(folder / "house.db", clock=EVENING, work=False) as house:
        Server(create(house, SETTINGS), SETTINGS).config.load()


def _made(folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(folder.parent / "house.db", folder)
    return folder


def plan(acts: Sequence[Act], told: Sequence[Any], kills: int, seed: int) -> dict[int, Manner]:
    """Which acts meet a server that dies, each manner as often as the others; one thinks only where it answers."""
    chance = random.Random(seed)
    places = list(range(1, len(acts)))
    answered = [n for n in places if acts[n].path == "/bar/message" and told[n][0] == 200]
    thinking = chance.sample(answered, kills // len(MANNERS))
    others = chance.sample([n for n in places if n not in thinking], kills - len(thinking))
    manners = [manner for manner in MANNERS if manner != "thinking"]
    return dict.fromkeys(thinking, MANNERS[0]) | {n: manners[i % len(manners)] for i, n in enumerate(others)}


def verdict(calm: Mapping[str, Any], storm: Mapping[str, Any]) -> dict[str, Any]:
    kinds = [line["kind"] for seen in storm["seen"] for _, page in seen[1:] for line in page.get("messages", ())]
    return {
        "answers_that_differ": _differing(calm["told"], storm["told"]),
        "guests_that_see_something_else": _differing(calm["seen"], storm["seen"]),
        "lines": len(kinds),
        "warnings": kinds.count("warning"),
        "kicked": kinds.count("kick"),
        "crises": kinds.count("crisis"),
    }


def _differing(calm: Sequence[Any], storm: Sequence[Any]) -> list[Any]:
    return [[n, one, other] for n, (one, other) in enumerate(zip(calm, storm, strict=True)) if one != other]


async def problems(folder: Path, at: datetime) -> list[str]:
    async with open_house(folder / "house.db", clock=at, work=False) as house:
        return list((await check_house(house.backend, house.codecs)).problems)


if __name__ == "__main__":
    where, how_many, luck = sys.argv[1:]
    print(json.dumps(main(Path(where), int(how_many), int(luck))))
