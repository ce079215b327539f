# ruff: noqa: E501  a form of a sentence is one line
"""Bukowski, who is mechanical: note, show last, delete last, help; whatever else he hears he adds up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from greenroom.kernel.words import REMOVED
from greenroom.text.frames import put
from greenroom.worlds.bar.rules.naming import SPELT
from greenroom.worlds.bar.rules.scene import Scene
from greenroom.worlds.bar.rules.state import BUKOWSKI, USER, Line

Order: TypeAlias = Literal["note", "show", "delete", "help"]

_ORDERS: Final[Mapping[Order, re.Pattern[str]]] = {
    "note": re.compile(
        r"(?:please\s+)?(?:note|write down|remember|jot down|take a note)\b(?:\s+(?:that|this))?[\s:,\-–]*(.*)",
        re.IGNORECASE | re.DOTALL,
    ),
    "show": re.compile(r"(?:please\s+)?(?:show|read)(?:\s+me)?(?:\s+the)?\s+last(?:\s+\w+)?\W*", re.I),
    "delete": re.compile(r"(?:please\s+)?(?:delete|strike|erase|remove)(?:\s+the)?\s+last(?:\s+\w+)?\W*", re.I),
    "help": re.compile(r"(?:please\s+)?help\W*|what can you do\W*", re.I),
}
_ADDRESS = re.compile(rf"@?(?:bukowski|{SPELT[BUKOWSKI]})\b[\s,:;!\-–]*", re.I)
#: Words of a line that the summary keeps.
SHORT: Final = 8


def order_of(text: str) -> Order | None:
    """What Bukowski is told to do; None when he is only talked to."""
    plain = _ADDRESS.sub("", text, count=1).strip()
    return next((order for order, form in _ORDERS.items() if form.fullmatch(plain)), None)


_TYPED = re.compile(
    r"\s{0,9}(?:please\s+)?(?:(?:note|jot down|write down|take a note)\b(?! (?:of|on|from|to)\b)\W{0,9}\w.*|(?:show|read|delete|strike)(?: me)?(?: the)? last(?: note)?\W*)",
    re.IGNORECASE | re.DOTALL,
)


def is_typed(text: str) -> bool:
    """Whether one of the machine's own words is typed, whoever is spoken to."""
    return _TYPED.fullmatch(text) is not None


def note_in(text: str) -> str:
    """The part of a note that is worth a line."""
    found = _ORDERS["note"].fullmatch(_ADDRESS.sub("", text, count=1).strip())
    return " ".join((found[1] if found else text).split()) or "(blank)"


def answer(scene: Scene, order: Order, said: str, last: str | None) -> str:
    """What Bukowski says to an order; the caller keeps or drops the note itself."""
    forms, number = scene.content.house.ledger, len(scene.state.notes)
    if order == "help":
        return forms.help
    if order == "note":
        return _filled(scene, forms.noted, number=number + 1, text=note_in(said))
    if last is None:
        return scene.pick(forms.empty)
    return _filled(scene, forms.shown if order == "show" else forms.deleted, number=number, text=note_in(last))


def _filled(scene: Scene, forms: Sequence[str], **values: object) -> str:
    return scene.pick([put(form, **values) for form in forms])


def summary(scene: Scene, lines: Sequence[Line], texts: Mapping[str, str], said: str) -> str:
    """The last turns, added up."""
    forms = scene.content.house.ledger
    mine = [texts.get(line.words.id, REMOVED) for line in lines if line.agent == USER] + [said]
    told = {"count": len(mine), "first": _short(mine[0]), "last": _short(mine[-1])}
    balances = enumerate(forms.balances)
    return scene.pick([put(forms.summary[i % len(forms.summary)], **told, balance=one) for i, one in balances])


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:SHORT]) + ("…" if len(words) > SHORT else "")
