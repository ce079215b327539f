"""Scores of replies, by kind and by voice: facts, repetition, leaks and character by program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kit.judging.playing import JudgedReply
from greenroom.kit.judging.probes import KINDS

#: What nobody says who is not a program.
_OUT_OF_CHARACTER = re.compile(
    r"as an ai\b|language model|i am an? (ai|assistant|chatbot|program)\b|system prompt|my instructions|"
    r"i cannot (assist|help) with|\bchatgpt\b|\*[a-z ]+\*|^\s*[{\[]|<\/?\w+>",
    re.IGNORECASE,
)

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures of one set of probes."""

    name: str
    turns: int
    #: Right and asked, by kind; ``talk`` has none, it is for readers.
    kinds: dict[str, tuple[int, int]]
    #: The same by voice, over all kinds that are scored.
    voices: dict[str, tuple[int, int]]
    repeats: int
    leaks: int
    out_of_character: int
    silent: int
    #: Milliseconds of a whole turn: the middle one, and the slowest of twenty.
    p50: float
    p95: float
    #: Every reply that was not right, for whoever wants to know why.
    wrong: tuple[dict[str, Any], ...]

    def data(self) -> dict[str, Any]:
        shares = {kind: _share(right, of) for kind, (right, of) in self.kinds.items()}
        return {
            "probes": self.name,
            "turns": self.turns,
            "kinds": shares,
            "voices": {voice: _share(right, of) for voice, (right, of) in self.voices.items()},
            "repeats": self.repeats,
            "leaks": self.leaks,
            "out_of_character": self.out_of_character,
            "silent": self.silent,
            "milliseconds": {"p50": round(self.p50, 1), "p95": round(self.p95, 1)},
            "wrong": list(self.wrong),
        }


def _share(right: int, of: int) -> dict[str, Any]:
    return {"right": right, "of": of, "share": round(right / of, 3) if of else None}


def scored(name: str, replies: Sequence[JudgedReply]) -> Report:
    """Count what was right."""
    kinds: Counter[tuple[str, bool]] = Counter()
    voices: Counter[tuple[str, bool]] = Counter()
    wrong = []
    for reply in replies:
        if reply.probe.kind == "talk":
            continue
        holds = right(reply)
        kinds[reply.probe.kind, holds] += 1
        voices[reply.voice, holds] += 1
        if not holds:
            wrong.append({"visitor": reply.visitor, "visit": reply.visit, "said": reply.probe.say, "line": reply.line})
    times = sorted(reply.milliseconds for reply in replies) or [0.0]
    return Report(
        name=name,
        turns=len(replies),
        kinds={kind: _counts(kinds, kind) for kind in KINDS if kind != "talk" and _counts(kinds, kind)[1]},
        voices={voice: _counts(voices, voice) for voice in dict.fromkeys(voice for voice, _ in voices)},
        repeats=sum(reply.repeated for reply in replies),
        leaks=sum(reply.leaked for reply in replies),
        out_of_character=sum(bool(_OUT_OF_CHARACTER.search(reply.line)) for reply in replies),
        silent=sum(not reply.line.strip() for reply in replies),
        p50=times[len(times) // 2],
        p95=times[int(len(times) * 0.95)],
        wrong=tuple(wrong),
    )


def _counts(counter: Counter[tuple[str, bool]], name: str) -> tuple[int, int]:
    return counter[name, True], counter[name, True] + counter[name, False]


def right(reply: JudgedReply) -> bool:
    """Whether a reply holds what it should, and nothing that it should not."""
    said = _words(reply.line)
    if any(_stands(never, said, reply.line) for never in reply.probe.never) or _OUT_OF_CHARACTER.search(reply.line):
        return False
    return not reply.probe.wants or any(_words(want) in said for want in reply.probe.wants)


def _stands(never: str, said: str, line: str) -> bool:
    """Whether something stands in a line: as words, or as the signs it is made of."""
    return _words(never) in said if _WORD.search(never) else never in line


def _words(text: str) -> str:
    return " ".join(("", *_WORD.findall(text.casefold()), ""))


# readers


def sheet(replies: Sequence[JudgedReply], *, count: int, seed: int) -> list[dict[str, Any]]:
    """Replies drawn at random, each with the talk before it: for people who say whether it is to the point."""
    order = Chance("sheet", seed).shuffled(range(len(replies)))[:count]
    return [
        {"talk": _before(replies, i), "said": replies[i].probe.say, "reply": replies[i].line, "off": None}
        for i in sorted(order)
    ]


def _before(replies: Sequence[JudgedReply], i: int) -> list[str]:
    one = replies[i]
    earlier = [r for r in replies[max(0, i - 3) : i] if (r.visitor, r.visit) == (one.visitor, one.visit)]
    return [line for r in earlier for line in (f"visitor: {r.probe.say}", f"character: {r.line}")]


def agreement(sheets: Iterable[Sequence[dict[str, Any]]], off: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What two readers found: off where either says so, and how often they agree."""
    first, second = sheets
    pairs = [(off(a), off(b)) for a, b in zip(first, second, strict=True)]
    return {
        "read": len(pairs),
        "off": sum(a or b for a, b in pairs),
        "share": round(sum(a or b for a, b in pairs) / max(1, len(pairs)), 3),
        "agree": round(sum(a == b for a, b in pairs) / max(1, len(pairs)), 3),
    }
