"""What a turn may ask of the outside, as data, and the one answer every ask may get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from greenroom.kernel.facts import Fact, Noticed
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
    #: Byte-stable from turn to turn: it stands in the system message, and a provider's cache marker after it.
    stable: bool = False
    #: What the texts are, where they are not notes: the turns of a conversation, the words just said, which come last,
    #: or the one instruction after them. Left out of the stored form where nothing is said, as are all fields that came
    #: later: an ask that does not use them keeps its fingerprint.
    form: Literal["turns", "newest", "moment"] | UnsetType = UNSET
    #: Of turns: which are the character's own, one for each text.
    own: tuple[bool, ...] | UnsetType = UNSET


class Objection(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that a check of the world rejected, and why: the model is told both and answers again."""

    answer: str
    reason: str


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
    #: True to be told what the answer used: it comes as :class:`WithUsage`, a ``Failed`` with its usage. Unset, it
    #: is no part of the ask: answers that were stored before there was such a wish still fit.
    usage: bool | msgspec.UnsetType = msgspec.UNSET
    #: What was wrong with the answers before, oldest first.
    objections: tuple[Objection, ...] | UnsetType = UNSET
    #: The field of the schema that may be shown sentence by sentence while it is being said; nothing is shown without.
    shows: str | UnsetType = UNSET


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
    #: When it was said, where that is known.
    at: datetime | None = None


def in_order(recalled: Sequence[Recalled]) -> tuple[Recalled, ...]:
    """What was found, best first, in the order in which it was said; before it, the best last, what has no time."""
    dated = [one for one in recalled if one.at is not None]
    return (*(one for one in reversed(recalled) if one.at is None), *sorted(dated, key=attrgetter("at", "id")))


class Latest(msgspec.Struct, frozen=True, kw_only=True):
    """What one speaker said last to the scope's owner, in this and other streams. The answer is a list of ``Recalled``.

    The newest first, none older than ``since``; every score is 0.
    """

    scope: Scope
    speaker: str
    since: datetime
    limit: int = 40


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the scope's owner. The answer is a list of :class:`Fact`.

    Those that nobody forgets come first, then those that share words with ``query``, then the newest.
    """

    scope: Scope
    query: str = ""
    limit: int = 24


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Take facts from words that were just said. The answer is a list of :class:`Noticed`; nothing is kept yet.

    Patterns and, where there is one, the encoder decide; no model is called. The turn writes down what it was told.
    """

    text: str
    scope: Scope
    #: The id of the words, where they are a command's: facts are taken only from what the scope's owner said. Words of
    #: somebody else get a ``Failed``.
    source: str = ""


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """Compare what texts mean. The answer is a number from 0 to 1 for each of ``others``, with two digits.

    The encoder decides where one is installed, else the words they share; no model is called.
    """

    text: str
    others: tuple[str, ...]


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


Ask: TypeAlias = AskModel | Recall | Latest | Facts | Notice | Alike | Read | Roll | UseTool | Play

#: Asks whose answer can be had again exactly, at no cost: never stored before the settlement.
FREE = (Roll, Read)
#: Asks that the house answers by itself: nobody is paid, so that the answer is stored only along with one that was.
UNPAID = (Recall, Latest, Facts, Notice, Alike)
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


class WithUsage(msgspec.Struct, frozen=True):
    """The answer to an ask of a model that wanted to know what it used."""

    value: Json
    usage: Usage


class Failed(msgspec.Struct, frozen=True):
    """The outside could not answer. It is an answer like any other: recorded, replayed, decided upon."""

    reason: str
    #: What was used up all the same; None where nobody asked.
    usage: Usage | None = None


__all__ = [
    "FREE",
    "KEPT",
    "UNPAID",
    "Alike",
    "Ask",
    "AskModel",
    "Fact",
    "Facts",
    "Failed",
    "Json",
    "Latest",
    "Notice",
    "Noticed",
    "Objection",
    "Play",
    "Read",
    "Recall",
    "Recalled",
    "Roll",
    "Section",
    "Usage",
    "UseTool",
    "WithUsage",
    "in_order",
]
