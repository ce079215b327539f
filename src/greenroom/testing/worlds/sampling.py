"""Commands by chance: legal ones from what ``legal`` says, and illegal ones close to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Pattern, Range, Text

#: Words that no rule would use of its own: found in a reason, they were quoted.
NONSENSE = ("brindlewick", "quagforth", "zumbrellish")

_LEXICON = (
    *NONSENSE,
    *NONSENSE,
    *[
        "yes",
        "no",
        "why",
        "tell",
        "me",
        "the",
        "truth",
        "about",
        "lamp",
        "boat",
        "letter",
        "secret",
        "trust",
        "friend",
        "enemy",
        "money",
        "key",
        "door",
        "night",
        "who",
        "are",
        "you",
        "thank",
        "you",
        "goodbye",
        "marigold",
        "vote",
        "for",
        "accuse",
        "I",
        "think",
        "that",
        "never",
        "always",
        "perhaps",
        "7",
        "42",
        "€",
        "naïve",
        "文字",
        "100%",
        "under_score",
        '"quoted"',
        "it's",
        "{braces}",
        "<b>tag</b>",
        "\\",
        "/",
        "🦜",
    ],
)


def filled_in(option: Any, chance: Chance) -> Any:
    """One of the commands that an option stands for."""
    if not isinstance(option, Pattern):
        return option
    values = {name: _value(limit, chance) for name, limit in sorted(option.free.items())}
    return with_values(option.example, values)


def with_values(example: Any, values: dict[str, Any]) -> Any:
    dressed = {
        name: Words(value) if isinstance(getattr(example, name), Words) else value for name, value in values.items()
    }
    return replace(example, **dressed)


def _value(limit: Text | Range, chance: Chance) -> Any:
    if isinstance(limit, Range):
        return limit.least + chance.below(limit.most - limit.least + 1)
    return _text(limit, chance)


def _text(limit: Text, chance: Chance) -> str:
    """Mostly a few words; now and then exactly as short or as long as may be."""
    match chance.below(8):
        case 0:
            size = limit.least
        case 1:
            size = limit.most
        case _:
            size = min(limit.most, max(limit.least, 1 + chance.below(60)))
    words = ""
    while len(words) < size:
        words += chance.choose(_LEXICON) + " "
    return words[:size].strip().ljust(max(limit.least, 1) if limit.least else 0, "x")


def out_of_bounds(option: Any, chance: Chance) -> Any | None:
    """A command just outside what an option allows; None where there is none."""
    if not isinstance(option, Pattern) or not option.free:
        return None
    values = {name: _value(limit, chance) for name, limit in sorted(option.free.items())}
    name = chance.choose(sorted(option.free))
    wrong = _beyond(option.free[name])
    values[name] = chance.choose(wrong)
    return with_values(option.example, values)


def _beyond(limit: Text | Range) -> Sequence[Any]:
    if isinstance(limit, Range):
        return (limit.least - 1, limit.most + 1)
    long = f"{NONSENSE[0]} " * (limit.most // len(NONSENSE[0]) + 1)
    return (long[: limit.most + 1].ljust(limit.most + 1, "x"), *([""] if limit.least else ()))


def weighted(options: Sequence[Any], weights: Sequence[int], chance: Chance) -> Any:
    place = chance.below(sum(weights))
    for option, weight in zip(options, weights, strict=True):
        place -= weight
        if place < 0:
            return option
    raise AssertionError("weights are whole numbers above zero")
