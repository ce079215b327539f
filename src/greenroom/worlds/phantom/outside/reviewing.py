"""Content held against the prompts it will stand in."""

from __future__ import annotations

from datetime import UTC, datetime

from greenroom.adapters.models.prompt import prepare
from greenroom.kernel.errors import Malformed
from greenroom.worlds.phantom.rules import Content
from greenroom.worlds.phantom.rules.minds import mind
from greenroom.worlds.phantom.rules.prompts import Context, letter
from greenroom.worlds.phantom.rules.state import Character, MessageChannel, Phantom

#: What the character, canon and sharing of an agent may take of a prompt.
STATIC_TOKENS = 1_100
STATIC = ("character", "canon", "sharing")

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
