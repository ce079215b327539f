"""What a turn may ask of the outside, as data, and the one answer every ask may get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from greenroom.kernel.words import Scope

Json: TypeAlias = Any


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a prompt. Sections stand in the prompt in the order given; earlier ones are filled first."""

    name: str
    #: The exchanges of this section, oldest first; an exchange is never split.
    texts: tuple[str, ...]
    #: Tokens this section gets whatever the others want.
    floor: int = 0
    #: Tokens this section gets at most; None for no limit of its own.
    cap: int | None = None
    #: Memory ids behind the texts, for the account.
    memories: tuple[str, ...] = ()
    #: What recall gave for each of them, in the same order; empty where nothing was scored.
    scores: tuple[float, ...] = ()
    #: Byte-stable from turn to turn: a provider's cache marker may stand after it.
    stable: bool = False


class AskModel(msgspec.Struct, frozen=True, kw_only=True):
    """Ask the model configured for a role. The answer is text, or data that fits ``schema``."""

    role: str
    sections: tuple[Section, ...]
    max_tokens: int
    schema: Mapping[str, Json] | None = None
    #: Tokens of prompt and answer together; None leaves it to the settings.
    budget: int | None = None
    #: The seat whose knowledge the prompt is drawn from; its view is the limit of what may stand in it.
    seat: str = ""
    #: Seconds on the machine's clock after which the answer is ``Failed``; None leaves it to the settings.
    seconds: float | None = None
    #: True to be told what the answer used: it is then an :class:`Answered`, and a ``Failed`` has its usage too. Unset,
    #: it is no part of the ask: answers that were stored before there was such a wish still fit.
    usage: bool | msgspec.UnsetType = msgspec.UNSET


class Recall(msgspec.Struct, frozen=True, kw_only=True):
    """Search the memory bank inside one scope. The answer is a list of :class:`Recalled`."""

    query: str
    scope: Scope
    limit: int = 5
    where: Mapping[str, Json] = msgspec.field(default_factory=dict)


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """One memory found, with what it scored."""

    id: str
    text: str
    speaker: str
    kind: str
    score: float


class Read(msgspec.Struct, frozen=True):
    """Read words by id. The answer maps ids to texts; forgotten ones are missing."""

    ids: tuple[str, ...]


class Roll(msgspec.Struct, frozen=True):
    """Roll dice. The answer is one number in ``range(n)`` for each ``n`` of ``sides``."""

    sides: tuple[int, ...]


class UseTool(msgspec.Struct, frozen=True, kw_only=True):
    """Call a named tool. Called again after a crash with the same key, ``<stream>/<attempt>.<n>``."""

    name: str
    args: Mapping[str, Json] = msgspec.field(default_factory=dict)


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """Start a child stream and wait for its outcome, which is the answer."""

    world: str
    #: A config of that world, as data.
    config: Json = None
    owner: str = ""


Ask: TypeAlias = AskModel | Recall | Read | Roll | UseTool | Play

#: Asks whose answer can be had again exactly, at no cost: never stored before the settlement.
FREE = (Roll, Read)
#: Asks that the house answers by itself: nobody is paid, so that the answer is stored only along with one that was.
UNPAID = (Recall,)
#: Asks whose answers stay in the journal for good, so that an action log can be replayed.
KEPT = (Roll, Play)


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What one ask of a model used, all calls for it together. Stored with the answer: a replay sees the same."""

    #: Whoever answered last.
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    #: Those of the input that the provider had in its cache.
    cached_tokens: int = 0
    #: Micro-dollars.
    cost: int = 0


class Answered(msgspec.Struct, frozen=True):
    """The answer to an ask of a model that wanted to know what it used."""

    value: Json
    usage: Usage


class Failed(msgspec.Struct, frozen=True):
    """The outside could not answer. It is an answer like any other: recorded, replayed, decided upon."""

    reason: str
    #: What was used up all the same; None where nobody asked.
    usage: Usage | None = None
