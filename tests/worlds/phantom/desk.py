"""A story whose letters were written by hand: answers are replayed by ordinal, on a virtual clock.

``python -m tests.worlds.phantom.desk`` plays the story as far as answers are kept and prints the prompts that have
none. Whoever sits at the desk writes each answer into the file, from its prompt alone, and runs it again; ``--keep``
writes the prompts beside the answers.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.prices import TokenUsage
from greenroom.adapters.models.providers import Call, ModelLine, Spoken
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.times import micros
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.outside.understudy import CastPart
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.state import PLAYER
from tests.worlds.phantom.trial import CONTENT

FILE = Path(__file__).parent / "story.json"
START = datetime(2031, 3, 3, 8, 0, tzinfo=UTC)


@dataclass(slots=True)
class Desk:
    """Answers kept by ordinal, and the prompts they were given to."""

    kept: list[dict[str, Any]]
    prompts: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def answer(self, call: Call) -> str:
        sheet, n = written(call), len(self.prompts)
        self.prompts.append(sheet)
        if n >= len(self.kept):
            self.unanswered.append(sheet)
            return "…"  # the story goes on, so that every prompt there will be is seen
        if self.kept[n].get("prompt") not in (None, sheet):
            was = str(self.kept[n]["prompt"]).splitlines()
            self.changed.append(
                "\n".join(difflib.unified_diff(was, sheet.splitlines(), "kept", "now", n=1, lineterm=""))
            )
        return str(self.kept[n]["answer"])


def written(call: Call) -> str:
    """A prompt as one would read it."""
    parts = [f"## system\n{call.system}\n\n{call.stable}"]
    parts += [f"## {'agent' if own else 'player'}\n{text}" for own, text in call.turns]
    parts.append(f"## last\n{call.rest}")
    parts += [f"## agent\n{answer}\n## objection\n{complaint}" for answer, complaint in call.earlier]
    return "\n\n".join(parts)


@dataclass(slots=True)
class DeskProvider:
    """The role at the desk."""

    desk: Desk

    async def open(self) -> None:
        """Nothing to be made ready."""

    async def call(self, call: Call) -> Spoken:
        return Spoken(text=self.desk.answer(call), usage=TokenUsage(), model="desk")

    async def close(self) -> None:
        """Nothing to let go of."""


@dataclass(slots=True)
class Played:
    letters: list[tuple[str, str]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    days: int = 0


async def play(desk: Desk, script: list[dict[str, Any]]) -> Played:
    """Play the script; stops nowhere, so that whoever sits down sees every prompt there will be."""
    clock = VirtualClock(micros(START))
    role = Role(model="openai:desk", base_url="http://127.0.0.1:9", tries=1)

    def provide(line: ModelLine) -> Any:
        return DeskProvider(desk)

    understudy = Understudy({"phantom": CastPart(CONTENT)})
    models = ConfiguredModels({"quality": role}, understudy=understudy, clock=clock, provide=provide)
    played = Played()
    async with open_house(":memory:", clock=clock, models=models, recall="words") as house:
        await house.start("phantom", c.Register(delivery="page"), owner="nora", name="story", seat=PLAYER, seed=11)
        await house.send("story", c.Start(), seat=PLAYER)
        for step in script:
            await house.advance(START + timedelta(hours=step["hours"]))
            await house.send("story", _command(step, (await house.head("story")).state.key.value), seat=PLAYER)
        await house.advance(START + timedelta(hours=script[-1]["hours"] + 24))
        body: Any = (await house.view("story", seat=PLAYER)).body
        mails = [(mail["at"], mail["by"], mail["words"]) for one in body["threads"] for mail in one["messages"]]
        played.letters = [(by, words) for _, by, words in sorted(mails)]
        played.statuses = [entry.status for _, entry in await house.ledger("story") if entry.role == "quality"]
        played.days = int(script[-1]["hours"] // 24) + 1
    return played


def _command(step: dict[str, Any], key: str) -> Any:
    if "read" in step:
        return c.ReadDocument(document=step["read"])
    return c.UseKey(key=key) if "use" in step else c.Receive(channel=step["to"], text=Words(step["say"]))


def read() -> tuple[list[dict[str, Any]], Desk]:
    story = json.loads(FILE.read_text(encoding="utf-8"))
    return story["script"], Desk(story["answers"])


def main() -> None:
    script, desk = read()
    asyncio.run(play(desk, script))
    if "--keep" in sys.argv:
        for one, prompt in zip(desk.kept, desk.prompts, strict=False):
            one["prompt"] = prompt
        story = {"script": script, "answers": desk.kept}
        FILE.write_text(json.dumps(story, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for n, prompt in enumerate(desk.unanswered, len(desk.kept)):
        system, _, last = prompt.partition("## last")
        talk = system.partition("\n\n## ")[2]
        print(f"\n######## {n}\n## {talk[-900:]}\n## last{last}" if "--short" in sys.argv else prompt)
    print(f"{len(desk.prompts)} prompts, {len(desk.unanswered)} unanswered, {len(desk.changed)} changed")


if __name__ == "__main__":
    main()
