"""The cast with no model behind it: who speaks, and what, from the content and from what the ask itself says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Annotated, Final

from pydantic import Field

from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.chance import Chance
from greenroom.worlds.bar.rules import prompts, routing
from greenroom.worlds.bar.rules.content import Lines, Part, put
from greenroom.worlds.bar.rules.crisis.watch import watch
from greenroom.worlds.bar.rules.state import AGENTS, BART, BLANCA, BUKOWSKI, HERMES, Agent
from greenroom.worlds.bar.rules.visiting import QUOTED, quotable

#: Lines of a topic that are tried before a general one.
TOPICAL: Final = 2
#: How often Bart comes back to an earlier evening, and JB is impressed.
MEMORY_EVERY: Final = 4
IMPRESSED_EVERY: Final = 6

#: Who says one thing and steps back.
BRIEF: Final = (HERMES, BLANCA, BUKOWSKI)

Keywords = Annotated[tuple[str, ...], Field(min_length=1)]


class Topic(Part):
    keywords: Keywords
    lines: Lines


class Voice(Part):
    topics: dict[str, Topic] = Field(default_factory=dict)
    #: JB's: what there is to say about one word.
    words: dict[str, Lines] = Field(default_factory=dict)
    #: One line of each list makes a reply.
    general: Annotated[tuple[Lines, ...], Field(min_length=1)]
    #: Bart's: with {weekday}, {weather} and {quote}.
    memory: tuple[str, ...] = ()
    impressed: tuple[str, ...] = ()


class Voices(Part):
    #: Words that call for somebody.
    calls: dict[Agent, Keywords]
    voices: dict[Agent, Voice]


class Understudies:
    """Plays the six, the router and the watch. The same ask always gets the same answer."""

    def __init__(self, voices: Voices) -> None:
        self._voices = voices

    def answer(self, ask: AskModel, *, meaning: float | None = None) -> Json:
        """Answer one ask; ``meaning`` is what the house made of the guest's message, for the watch."""
        said = said_in(ask)
        if ask.seat == prompts.WATCH:
            return {"crisis": watch(said, meaning), "reason": "understudy: likeness to examples"}
        if ask.seat == prompts.ROUTER:
            return self._route(ask, said)
        return self._line(ask, _agent(ask.seat), said)

    # routing

    def _route(self, ask: AskModel, said: str) -> Json:
        choice = _section(ask, "choice")
        here = re.findall(r"\w+", _between(choice, "Available: ", "."))
        chosen = _between(choice, "The guest chose ", ".")
        speaker = re.search(r"(\w+) spoke last", choice)
        if chosen in AGENTS:
            return {"agent": chosen, "reason": "understudy: as the guest wished"}
        fits = self._fitting(said, [*here, "hermes", "blanca"])
        if fits is not None:
            return {"agent": fits, "reason": "understudy: by its words"}
        stays = speaker[1] if speaker and speaker[1] in here and speaker[1] not in BRIEF else BART
        return {"agent": stays, "reason": "understudy: nothing speaks for a change"}

    def _fitting(self, said: str, here: Sequence[str]) -> Agent | None:
        words = _words(said)
        hits = {agent: _hits(words, keys) for agent, keys in self._voices.calls.items() if agent in here}
        best = max(hits, key=lambda agent: hits[agent], default=None)
        return best if best is not None and hits[best] else None

    # speaking

    def _line(self, ask: AskModel, agent: Agent, said: str) -> str:
        """The first line that was not refused as said before."""
        refused = "\n".join(one.answer for one in ask.objections) if isinstance(ask.objections, tuple) else ""
        lines = self._lines(ask, agent, said)
        return next(line for line in lines if line not in refused)

    def _lines(self, ask: AskModel, agent: Agent, said: str) -> Iterator[str]:
        voice, turn = self._voices.voices[agent], _spoken(ask)
        sky, told = _sky(ask), _told(ask, said, turn)
        if turn % MEMORY_EVERY == MEMORY_EVERY - 1 and told.get("quote"):
            yield from (put(line, **told) for line in _turned(voice.memory, turn // MEMORY_EVERY)[:1])
        if voice.impressed and turn % IMPRESSED_EVERY == IMPRESSED_EVERY - 1:
            yield put(_turned(voice.impressed, turn // IMPRESSED_EVERY)[0], **told)
        topical = [line for line in self._topical(voice, said, turn) if sky or "{now}" not in line]
        yield from (put(line, now=sky, **told) for line in topical if _may_promise(ask, line))
        while True:
            yield put(" ".join(_woven(voice.general, turn)), **told)
            turn += 1

    def _topical(self, voice: Voice, said: str, turn: int) -> Sequence[str]:
        words = _words(said)
        hits = {name: _hits(words, topic.keywords) for name, topic in voice.topics.items()}
        best = max(hits, key=lambda name: hits[name], default=None)
        found = [lines for word, lines in voice.words.items() if f" {word} " in words]
        if best is not None and hits[best]:
            found.append(voice.topics[best].lines)
        return [_turned(lines, turn)[i] for lines in found[:1] for i in range(min(TOPICAL, len(lines)))]


#: What stands before the guest's words in a talk.
_TIMED = re.compile(rf"^(?:\[[^\]]*\] )?{prompts.GUEST}: ")


def said_in(ask: AskModel) -> str:
    """What the guest said, as the ask tells it."""
    return _TIMED.sub("", _section(ask, "said"))


def _agent(seat: str) -> Agent:
    agent = routing.agent_named(seat)
    return BART if agent is None else agent


def _section(ask: AskModel, name: str) -> str:
    return "\n".join(text for section in ask.sections if section.name == name for text in section.texts)


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0]


def _words(said: str) -> str:
    return " ".join(("", *re.findall(r"[^\W_]+", said.casefold()), ""))


def _hits(words: str, keys: Sequence[str]) -> int:
    return sum(f" {key} " in words for key in keys)


def _spoken(ask: AskModel) -> int:
    """How often this one has spoken today, as the facts tell."""
    found = re.search(r"You have spoken (\d+) times", _section(ask, "facts"))
    return int(found[1]) if found else 0


def _sky(ask: AskModel) -> str:
    found = re.search(r"When the guest came in, (.+?) \(-?\d+ °C\)", _section(ask, "facts"))
    return found[1] if found else ""


def _turned(lines: Sequence[str], turn: int) -> Sequence[str]:
    """The lines, mixed once and for all, beginning at a place that moves with every turn."""
    if not lines:
        return ()
    mixed = Chance(len(lines), lines[0]).shuffled(lines)
    start = turn % len(mixed)
    return (*mixed[start:], *mixed[:start])


def _woven(parts: Sequence[Sequence[str]], turn: int) -> Iterator[str]:
    """One line of each list, no two turns alike until every pair has met: each list slips by one when those before it
    come round. What follows a whole sentence begins one."""
    round_, slip, ended = 1, 0, False
    for part in parts:
        slip += turn // round_ if round_ > 1 else 0
        line = _turned(part, turn + slip)[0]
        yield line[:1].upper() + line[1:] if ended else line
        ended = line.endswith((".", "?", "!"))
        round_ = lcm(round_, len(part))


def _may_promise(ask: AskModel, line: str) -> bool:
    """Nobody fetches somebody who is not here."""
    promised = routing.promised(line, _agent(ask.seat))
    return promised is None or promised in _section(ask, "facts").casefold()


def _told(ask: AskModel, said: str, turn: int) -> Mapping[str, object]:
    """What templates are filled with, all of it from the ask."""
    told: dict[str, object] = {"word": _telling(said)}
    if ask.seat == BUKOWSKI:
        mine = [text[found.end() :] for text in _texts(ask, "hot") if (found := _TIMED.match(text))] + [said]
        return told | {"count": len(mine), "first": _short(mine[0]), "last": _short(said)}
    pasts = _evenings(ask) if turn % MEMORY_EVERY == MEMORY_EVERY - 1 else ()
    if pasts:
        told |= pasts[(turn // MEMORY_EVERY) % len(pasts)]
    return told


def _texts(ask: AskModel, name: str) -> Sequence[str]:
    return next((section.texts for section in ask.sections if section.name == name), ())


def _evenings(ask: AskModel) -> Sequence[Mapping[str, object]]:
    """Earlier sessions in which the guest said something, newest first."""
    found: list[dict[str, object]] = []
    for text in _texts(ask, "cold"):
        head = re.match(r"\[A (\w+) (\w+), [\d-]+\]\n", text)
        if head:
            found.append({"weather": head[1], "weekday": head[2], "quote": ""})
        line = text[head.end() :] if head else text
        said = line.removeprefix("Guest: ")
        if found and not found[-1]["quote"] and line.startswith("Guest: ") and quotable(said):
            found[-1]["quote"] = _short(said, QUOTED)
    return [one for one in reversed(found) if one["quote"]]


def _short(text: str, most: int = 8) -> str:
    words = text.split()
    return " ".join(words[:most]).rstrip(" ,;:.!?…-–") + ("…" if len(words) > most else "")


def _telling(said: str) -> str:
    """The longest word, the last of equals: what JB puts a finger on."""
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", said)
    return max(reversed(words), key=len, default="well")
