"""Content held against the prompts it will stand in, and against the content in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from greenroom.adapters.models.prompt import prepare
from greenroom.kernel.errors import Malformed
from greenroom.worlds.phantom.rules import Content
from greenroom.worlds.phantom.rules.minds import mind
from greenroom.worlds.phantom.rules.prompts import Context, letter
from greenroom.worlds.phantom.rules.state import Character, MessageChannel, Phantom

#: What the character, canon and sharing of an agent may take of a prompt.
STATIC_TOKENS = 1_100
STATIC = ("character", "canon", "sharing")

#: Characters of a text whose change is told.
_MOST = 60
_NOON = datetime(2031, 3, 3, 12, tzinfo=UTC)


def over_budget(content: Content) -> list[str]:
    """Sentences about agents whose files leave too little room in a prompt, or do not fit into it whole."""
    return [said for name in content.agents if (said := _agent(content, name)) is not None]


def _agent(content: Content, name: str) -> str | None:
    state = Phantom(
        now=_NOON,
        cast={name: Character(entered_at=_NOON)},
        channels={content.agents[name].channel: MessageChannel(owner=name)},
    )
    context = Context(
        mind=mind(content, state, name, _NOON),
        situation="reply",
        said=("Who are you?",),
        owed=None,
        texts={},
        memories=(),
    )
    try:
        parts = prepare(letter(content, context)).assembled.sections
    except Malformed as fault:
        return f"agents/{name}.yaml:1: {fault}"
    cut = any(part.dropped for part in parts if part.name in STATIC)
    used = sum(part.tokens for part in parts if part.name in STATIC)
    if not cut and used <= STATIC_TOKENS:
        return None
    return f"agents/{name}.yaml:1: persona, voice, rules and canon take {used} tokens; at most {STATIC_TOKENS} fit"


# what differs


def changes(old: Content, new: Content) -> tuple[str, ...]:
    """Every difference between two contents, by its place: ``agents.ember.delays.usual.0: 30 → 20``."""
    return tuple(_between("", old.model_dump(mode="json"), new.model_dump(mode="json")))


def _between(place: str, old: Any, new: Any) -> Iterable[str]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _mappings(place, old, new)
    elif isinstance(old, list) and isinstance(new, list) and _texts(old) and _texts(new):
        yield from (f"{place}: removed {_short(one)}" for one in old if one not in new)
        yield from (f"{place}: added {_short(one)}" for one in new if one not in old)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _between(f"{place}.{i}", was, now)
    else:
        yield f"{place}: {_short(old)} → {_short(new)}"


def _mappings(place: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[str]:
    for name in dict.fromkeys((*old, *new)):
        here = f"{place}.{name}".lstrip(".")
        if name not in new:
            yield f"{here}: removed"
        elif name not in old:
            yield f"{here}: added"
        else:
            yield from _between(here, old[name], new[name])


def _texts(values: list[Any]) -> bool:
    return all(isinstance(one, str) for one in values)


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"
