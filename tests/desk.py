"""A model that was played by hand: its answers are kept in files and replayed by role and ordinal.

A world's own ``desk`` module says what is played; run as a program it plays as far as answers are kept and prints the
next prompt that has none. Whoever sits at the desk writes the answer into the file, from that prompt alone, and runs it
again; ``--keep`` writes the prompts beside the answers, so that a test can tell when a prompt has become another.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.prices import TokenUsage
from greenroom.adapters.models.providers import Call, Fault, ModelLine, Spoken
from greenroom.adapters.models.understudy import Understudy

#: The role of an answer that names none.
QUALITY = "quality"


@dataclass(slots=True)
class Desk:
    """Answers kept, by role and ordinal, and the prompts they were given to."""

    kept: dict[str, list[dict[str, Any]]]
    #: What a prompt calls the model's own turns and those it heard.
    labels: tuple[str, str] = ("own", "heard")
    asked: Counter[str] = field(default_factory=Counter)
    #: The role and the text of each prompt, in order.
    prompts: list[tuple[str, str]] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def answer(self, role: str, call: Call) -> str:
        """The answer that was written to this prompt.

        Raises:
            Fault: nobody has written one yet.
        """
        sheet = written(call, *self.labels)
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


def written(call: Call, own: str, heard: str) -> str:
    """A prompt as one would read it."""
    parts = [f"## system\n{call.system}\n\n{call.stable}"]
    parts += [f"## {own if mine else heard}\n{text}" for mine, text in call.turns]
    parts.append(f"## last\n{call.rest}")
    parts += [f"## {own}\n{answer}\n## objection\n{complaint}" for answer, complaint in call.earlier]
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
        spoken = await self.call(call)
        for end in range(0, len(spoken.text) + 1, 7):
            heard(spoken.text[:end])
        heard(spoken.text)
        return spoken

    async def close(self) -> None:
        """Nothing to let go of."""


def models(desk: Desk, clock: VirtualClock, roles: Iterable[str], understudy: Understudy) -> ConfiguredModels:
    """Models whose roles all sit at this desk."""
    configured = {name: Role(model=f"openai:{name}", base_url="http://127.0.0.1:9", tries=1) for name in roles}

    def provide(line: ModelLine) -> Any:
        return DeskProvider(line.model, desk)

    return ConfiguredModels(configured, understudy=understudy, clock=clock, provide=provide)


def read(files: Iterable[Path], labels: tuple[str, str]) -> tuple[list[dict[str, Any]], Desk]:
    """The scripts in these files, and a desk with all their answers in order."""
    scripts = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    kept: dict[str, list[dict[str, Any]]] = {}
    for script in scripts:
        for one in script["answers"]:
            kept.setdefault(one.get("role", QUALITY), []).append(one)
    return scripts, Desk(kept, labels)


def keep(desk: Desk, files: Iterable[Path]) -> None:
    """Write the prompts beside the answers that they were given."""
    sheets: dict[str, list[str]] = {}
    for role, sheet in desk.prompts:
        sheets.setdefault(role, []).append(sheet)
    counted: Counter[str] = Counter()
    for file in files:
        script = json.loads(file.read_text(encoding="utf-8"))
        for one in script["answers"]:
            role = one.get("role", QUALITY)
            n = counted[role]
            counted[role] += 1
            if n < len(sheets.get(role, ())):
                one["prompt"] = sheets[role][n]
        file.write_text(json.dumps(script, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def tell(desk: Desk, files: Sequence[Path]) -> None:
    """What a desk module prints once it has played: the next prompt without an answer; ``--last`` prints its end."""
    if "--keep" in sys.argv:
        keep(desk, files)
    if desk.unanswered:
        print(desk.unanswered[0].partition("## last")[2] if "--last" in sys.argv else desk.unanswered[0])
    print(f"{len(desk.prompts)} prompts, {len(desk.unanswered)} unanswered, {len(desk.changed)} changed")
