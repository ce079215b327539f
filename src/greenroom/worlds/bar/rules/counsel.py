"""Hermes when it matters: words and places from the content, in the guest's language where there are any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from greenroom.worlds.bar.rules.content import Counsel, Resource
from greenroom.worlds.bar.rules.crisis.tongues import language_among, language_of
from greenroom.worlds.bar.rules.scene import Scene


def may_ask(said: str) -> bool:
    """Whether Hermes can ask, in the language of what was said, if it is meant."""
    return language_of(said) == "en"


def counsel(scene: Scene, said: str, *, asks: bool = False) -> str:
    """A short opening, real places to turn to, and the choice handed back; or, in doubt, a plain question.

    In the language it was said in where a text exists; else in English, and it says so.
    """
    house = scene.content.house
    language = language_of(said)
    texts = scene.content.resources.texts.get(language)
    places = scene.content.resources.of(house.country)
    if texts is not None:
        named = "\n".join(f"• {one.name}: {one.contact}" for one in places)
        return scene.pick(_whole(texts, named))
    if asks:
        return scene.pick(_whole(house.doubt, "\n".join(map(_place, places))))
    own = "" if language == "en" else f"{house.counsel.only_english}\n\n"
    return scene.pick([own + one for one in _whole(house.counsel, "\n".join(map(_place, places)))])


def company(scene: Scene, said: Iterable[str]) -> Sequence[str]:
    """Lines with which Hermes stays, in the language of what was said last, newest first; none where there are none."""
    texts = scene.content.resources.texts.get(language_among(said))
    return () if texts is None else texts.company


def _whole(said: Counsel, places: str) -> list[str]:
    return [
        f"{opening}\n\n{said.leads[i % len(said.leads)]}\n{places}\n\n{said.closings[i % len(said.closings)]}"
        for i, opening in enumerate(said.openings)
    ]


def _place(one: Resource) -> str:
    return f"• {one.name}: {one.contact}{f' ({one.note})' if one.note else ''}"
