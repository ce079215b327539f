"""A line of one of the cast: asked for, checked, repaired with its reason; read from the house where none will do."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, Final
from unicodedata import category

from greenroom.kernel.asks import AskModel, Failed, Objection
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import ledger, prompts
from greenroom.worlds.bar.rules.care import held_back
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.counsel import company
from greenroom.worlds.bar.rules.scene import Scene
from greenroom.worlds.bar.rules.state import AGENTS, BLANCA, BUKOWSKI, HERMES, USER, Agent, Session

#: How often a line is asked for before the house uses one of its own.
TRIES: Final = 4
#: Characters of a reply, should a provider not keep to its tokens; and the cast's own limits.
MOST_REPLY: Final = 1_000
_SENTENCES: Final[Mapping[Agent, int]] = {BLANCA: 2}
_WORDS: Final[Mapping[Agent, int]] = {HERMES: 75}

AGAIN: Final = "you have said this before tonight, word for word; say something else"
CUT: Final = "the answer breaks off in the middle of a sentence; say it shorter, to its end"
CARE: Final = "it speaks of {what}, and this guest has been in danger lately; say something plain and kind without it"

#: What nobody says across a bar: half an answer of some other kind.
_NO_PROSE: Final = re.compile(r"[{}]|```|<[a-z/]")
_SENTENCE: Final = re.compile(r"\S.*?(?:[.!?…]+[\"'”’)]*(?=\s|$)|$)", re.DOTALL)
_ENDS: Final = re.compile(r"[.!?…:][\"'”’)\]]*$|[\"”’)]$")


def answer(
    scene: Scene, session: Session, agent: Agent, brought: prompts.Brought
) -> Generator[AskModel, Any, tuple[Agent, str, e.LineKind]]:
    """Who says what in the end, and what kind of line it is."""
    order = ledger.order_of(brought.said) if agent == BUKOWSKI else None
    if order is not None:
        return agent, keep_ledger(scene, order, brought), "reply"
    given: Any = None
    while len(brought.rejected) < TRIES:
        given = yield prompts.reply(scene.content, scene.state, agent, brought, at=scene.given.at)
        line = _spoken(scene.content, agent, given)
        if line is None:
            break
        objection = CUT if _is_cut(line) else _objection(scene, line := _within(line, agent))
        if objection is None:
            return agent, line, "reply"
        scene.keep(line, objected=objection)
        brought = replace(brought, rejected=(*brought.rejected, Objection(answer=line, reason=objection)))
    return _read(scene, session, agent, brought, spent=isinstance(given, Failed) and "budget" in given.reason)


def _read(
    scene: Scene, session: Session, agent: Agent, brought: prompts.Brought, *, spent: bool
) -> tuple[Agent, str, e.LineKind]:
    """A line that people have read; in the days after a crisis Hermes says it where a budget is spent."""
    house = scene.content.house
    if scene.gentle and spent:
        return HERMES, scene.pick(house.counsel.company), "company"
    own = company(scene, _guests(session, brought)) if scene.gentle and agent == HERMES else ()
    if unsaid := [line for line in own if not scene.used(line)]:
        return agent, scene.pick(unsaid), "reply"
    if scene.gentle:
        return agent, scene.pick(house.cast[agent].gentle), "reply"
    if agent == BUKOWSKI:
        return agent, ledger.summary(scene, session.talk, brought.texts, brought.said), "reply"
    return agent, scene.pick(house.cast[agent].fallbacks), "reply"


def _guests(session: Session, brought: prompts.Brought) -> list[str]:
    """What the guest said tonight, newest first."""
    before = [brought.texts.get(line.words.id, "") for line in reversed(session.talk) if line.agent == USER]
    return [brought.said, *before]


def _objection(scene: Scene, line: str) -> str | None:
    """What is wrong with a line, told to whoever said it; None if it may be said."""
    if scene.gentle and (what := held_back(line)) is not None:
        return CARE.format(what=what)
    return AGAIN if scene.used(line) else None


def _is_cut(line: str) -> bool:
    """Whether a line breaks off and there is no whole sentence before that it could end with."""
    return len(line) > MOST_REPLY // 3 and not _ENDS.search(line) and len(_SENTENCE.findall(line)) == 1


def keep_ledger(scene: Scene, order: ledger.Order, brought: prompts.Brought) -> str:
    """Do what Bukowski is told, and what he says to it."""
    notes = scene.state.notes
    last = brought.texts.get(notes[-1].id) if notes else None
    if order == "note":
        scene.add(e.NoteKept(words=scene.given.command.text))
    elif order == "delete" and notes:
        scene.add(e.NoteDropped())
    return ledger.answer(scene, order, brought.said, last)


def _spoken(content: Content, agent: Agent, given: Any) -> str | None:
    """The line as it may be said: without the speaker's name, without what others would say; None if none is left."""
    if not isinstance(given, str) or _NO_PROSE.search(given):
        return None
    own = re.escape(content.house.name_of(agent))
    others = "|".join(re.escape(content.house.name_of(one)) for one in AGENTS if one != agent)
    line = re.sub(rf"^\s*{own}\s*:\s*", "", given.strip(), flags=re.IGNORECASE)
    line = re.split(rf"\n\s*(?:{others}|Guest)\s*:", line, maxsplit=1)[0].strip()
    line = _unquoted(line)
    return "".join(sign for sign in line if sign == "\n" or category(sign) not in ("Cc", "Cs")) or None


def _unquoted(line: str) -> str:
    """Without quotation marks around the whole of it; those around a word in it stay."""
    if len(line) > 1 and line[0] == line[-1] == '"' and '"' not in line[1:-1]:
        return line[1:-1].strip()
    return line


def _within(line: str, agent: Agent) -> str:
    """As many whole sentences as this one may say; one that breaks off is left out where others are whole."""
    sentences = _SENTENCE.findall(line)
    if len(sentences) > 1 and not _ENDS.search(sentences[-1]):
        sentences = sentences[:-1]
    most_words, kept = _WORDS.get(agent), ""
    for sentence in sentences[: _SENTENCES.get(agent)]:
        longer = f"{kept} {sentence}".strip()
        if len(longer) > MOST_REPLY or (most_words and len(longer.split()) > most_words):
            break
        kept = longer
    return kept or " ".join(line[:MOST_REPLY].split()[:most_words])


__all__ = ["answer", "keep_ledger"]
