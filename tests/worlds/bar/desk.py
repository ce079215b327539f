"""A model that was played by hand: its answers are replayed by role and ordinal, on a virtual clock.

``python -m tests.worlds.bar.desk`` plays the visits as far as answers are kept and prints the next prompt that
has none. Whoever sits at the desk writes the answer into the file, from that prompt alone, and runs it again.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.prices import TokenUsage
from greenroom.adapters.models.providers import Call, Fault, ModelLine, Spoken
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.bar.outside import understudies
from greenroom.worlds.bar.rules.commands import Enter, Guest, Leave, Say
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.state import GUEST

FOLDER = Path(__file__).parent / "evenings"
OWNER, ANONYMOUS = "noor", "5d0c9a42-7b1e-4f63-9a08-2c6e1d4b7f90"
PAUSE = timedelta(minutes=1)


@dataclass(slots=True)
class Desk:
    """Answers kept, by role and ordinal, and the prompts they were given to."""

    kept: dict[str, list[dict[str, Any]]]
    asked: Counter[str] = field(default_factory=Counter)
    #: What each prompt was, in order.
    prompts: list[tuple[str, str]] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def answer(self, role: str, call: Call) -> str:
        sheet = written(call)
        self.prompts.append((role, sheet))
        kept, n = self.kept.get(role, []), self.asked[role]
        self.asked[role] += 1
        if n >= len(kept):
            self.unanswered.append(sheet)
            raise Fault("nobody at the desk answered", retry=False)
        if kept[n].get("prompt") not in (None, sheet):
            was = str(kept[n]["prompt"]).splitlines()
            self.changed.append(
                "\n".join(difflib.unified_diff(was, sheet.splitlines(), "kept", "now", n=1, lineterm=""))
            )
        answer = kept[n]["answer"]
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def written(call: Call) -> str:
    """A prompt as one would read it."""
    parts = [f"## system\n{call.system}\n\n{call.stable}"]
    parts += [f"## {'own' if own else 'heard'}\n{text}" for own, text in call.turns]
    parts.append(f"## last\n{call.rest}")
    parts += [f"## own\n{answer}\n## objection\n{complaint}" for answer, complaint in call.earlier]
    return "\n\n".join(parts)


@dataclass(slots=True)
class DeskProvider:
    """One role at the desk."""

    role: str
    desk: Desk

    async def open(self) -> None:
        """Nothing to be made ready."""

    async def call(self, call: Call) -> Spoken:
        return Spoken(text=self.desk.answer(self.role, call), usage=TokenUsage(), model=f"desk-{self.role}")

    async def call_aloud(self, call: Call, heard: Callable[[str], None]) -> Spoken:
        text = self.desk.answer(self.role, call)
        for end in range(0, len(text) + 1, 7):
            heard(text[:end])
        heard(text)
        return Spoken(text=text, usage=TokenUsage(), model=f"desk-{self.role}")

    async def close(self) -> None:
        """Nothing to let go of."""


def files() -> Iterator[Path]:
    yield from sorted(FOLDER.glob("*.json"))


def models(desk: Desk, clock: VirtualClock) -> ConfiguredModels:
    roles = {
        name: Role(model=f"openai:{name}", base_url="http://127.0.0.1:9", tries=1) for name in ("quality", "facts")
    }

    def provide(line: ModelLine) -> Any:
        return DeskProvider(line.model, desk)

    return ConfiguredModels(roles, understudy=Understudy({"bar": understudies()}), clock=clock, provide=provide)


@dataclass(slots=True)
class Played:
    """What came of the evenings."""

    greetings: list[str] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)


async def play(desk: Desk, visits: list[dict[str, Any]], where: str | Path = ":memory:") -> Played:
    """Play the evenings on days of their own; stops where nobody at the desk answered."""
    clock = VirtualClock(micros(datetime.fromisoformat(visits[0]["at"])))
    played = Played()
    async with open_house(where, clock=clock, models=models(desk, clock), recall="words") as house:
        stream = stream_of(ANONYMOUS)
        await house.start("bar", Guest(anonymous_id=ANONYMOUS), owner=OWNER, name=stream, seat=GUEST)
        for number, visit in enumerate(visits, 1):
            await house.advance(datetime.fromisoformat(visit["at"]))
            entered = await house.send(stream, Enter(), seat=GUEST)
            session = str(entered.body["session_id"])
            played.greetings.append(entered.body["messages"][0]["message"])
            for said in visit["said"]:
                reply = await house.send(stream, Say(session_id=session, text=Words(said)), seat=GUEST)
                first = reply.body["messages"][0]
                played.replies.append(
                    {"evening": number, "said": said, "agent": first["agent"], "line": first["message"]}
                )
                if desk.unanswered:
                    return played
                await house.advance(_now(house) + PAUSE)
            await house.send(stream, Leave(session_id=session), seat=GUEST)
            await house.advance(_now(house) + PAUSE)
        played.statuses += [
            entry.status for _, entry in await house.ledger(stream) if entry.role in ("quality", "facts")
        ]
    return played


def _now(house: House) -> datetime:
    return moment(house.now())


def read() -> tuple[list[dict[str, Any]], Desk]:
    visits = [json.loads(file.read_text(encoding="utf-8")) for file in files()]
    kept: dict[str, list[dict[str, Any]]] = {}
    for visit in visits:
        for one in visit["answers"]:
            kept.setdefault(one["role"], []).append(one)
    return visits, Desk(kept)


def main() -> None:
    visits, desk = read()
    asyncio.run(play(desk, visits))
    if "--keep" in sys.argv:
        _keep(desk)
    if desk.unanswered:
        print(desk.unanswered[0].partition("## last")[2] if "--last" in sys.argv else desk.unanswered[0])
    print(f"{len(desk.prompts)} prompts, {len(desk.unanswered)} unanswered, {len(desk.changed)} changed")


def _keep(desk: Desk) -> None:
    """Write the prompts beside the answers that they were given."""
    sheets: dict[str, list[str]] = {}
    for role, sheet in desk.prompts:
        sheets.setdefault(role, []).append(sheet)
    counted: Counter[str] = Counter()
    for file in files():
        visit = json.loads(file.read_text(encoding="utf-8"))
        for one in visit["answers"]:
            n = counted[one["role"]]
            counted[one["role"]] += 1
            if n < len(sheets.get(one["role"], ())):
                one["prompt"] = sheets[one["role"]][n]
        file.write_text(json.dumps(visit, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
