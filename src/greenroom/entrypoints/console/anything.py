"""The plain page of a world that has none of its own: what a seat sees, what happened, and whatever is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from greenroom.kernel.codec import Codec, plain_fields
from greenroom.kernel.worlds import OPERATOR, Pattern, Text
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.drawings import curtain
from greenroom.kit.console.outline import event_words, inline, outline
from greenroom.kit.console.shelf import StoryShelf
from greenroom.kit.console.stage import Scene, WorldPage
from greenroom.kit.console.wording import clock
from greenroom.kit.numbered import go_on_or_begin
from greenroom.services.house import Look, ShownEvent

#: Commands offered at once; a world with more is better played on a page of its own.
MOST = 24


def page_of(world: str, *, card: bool = True) -> WorldPage:
    return WorldPage(
        world=world,
        title=world.replace("_", " ").capitalize(),
        sentence="A world without a page of its own: you see what a seat sees, and may do whatever is legal.",
        picture=curtain(world),
        seat="",
        card=card,
        find=partial(go_on_or_begin, world=world, seat=OPERATOR),
        play=play,
    )


async def play(scene: Scene) -> None:
    head = await scene.house.head(scene.stream)
    codec = scene.house.codec(head.stream.world)
    seats = tuple(codec.world.seats(head.state))
    able = [seat for seat in seats if codec.world.legal(head.state, seat)]
    scene.seat = scene.seat or next(iter((*able, *seats)), OPERATOR)
    desk = _Desk(scene, codec, (*seats, OPERATOR))
    await scene.follow(tell=desk.tell, see=desk.see)


class _Desk:
    def __init__(self, scene: Scene, codec: Codec[Any, Any, Any], seats: Sequence[str]) -> None:
        self._scene = scene
        self._codec = codec
        with parts.box("plain stage"):
            with parts.tag("aside", "", aria_label="What this seat sees"):
                names = {seat: seat for seat in (*seats, scene.seat)}
                parts.choice("seat", "Your seat", names, scene.seat, self._sit)
                self._view = parts.box("card")
            with parts.tag("section", "talk", aria_label="What happened"):
                self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What happened")
                self._deeds = StoryShelf[tuple[Any, ...]]("deeds", self._offer)

    def _sit(self, seat: str) -> None:
        world = self._codec.world.name
        ui.navigate.to(f"{addresses.play(world, self._scene.stream)}&seat={seat}")

    def tell(self, event: ShownEvent) -> None:
        with self._log, parts.box("happened"):
            parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            with parts.text("", kind="p"):
                parts.tag("b", "", event.kind.replace("_", " "))
                parts.tag("span", "", f" {event_words(event.body)}")

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        self._view.clear()
        with self._view:
            outline(look.body)
        self._deeds.show(tuple(legal))  # as long as the same is legal, nobody loses what he is typing
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")

    def _offer(self, legal: Sequence[Any]) -> None:
        if not legal:
            parts.empty("This seat can do nothing at the moment.")
        with parts.box("others"):
            for command in legal[:MOST]:
                if not isinstance(command, Pattern):
                    self._button(command)
        for command in legal[:MOST]:
            if isinstance(command, Pattern):
                self._form(command)

    def _button(self, command: Any) -> None:
        kind, fields = self._codec.kind(command), plain_fields(command)
        words = kind.replace("_", " ") + (f": {inline(fields)}" if fields else "")
        parts.button(words, partial(self._do, kind, fields))

    def _form(self, pattern: Pattern[Any]) -> None:
        kind, fixed = self._codec.kind(pattern.example), plain_fields(pattern.example)

        async def submit(given: Mapping[str, str], key: str) -> bool:
            fields = fixed | {name: _read(pattern, name, value) for name, value in given.items()}
            return await self._scene.send(kind, fields, key) is not None

        with parts.form(submit, name=kind, classes="say", label=kind):
            for name, free in pattern.free.items():
                label = f"{kind.replace('_', ' ')}: {name}"
                if isinstance(free, Text):
                    parts.field(name, label, rows=2, required=True, maxlength=free.most, data_enter="send")
                else:
                    parts.field(name, label, type="number", min=free.least, max=free.most, required=True)
            parts.submitter(kind.replace("_", " "))

    async def _do(self, kind: str, fields: Mapping[str, Any]) -> None:
        await self._scene.send(kind, fields)


def _read(pattern: Pattern[Any], name: str, value: str) -> Any:
    """What was typed, as the field wants it; the world's codec says what is wrong with anything else."""
    is_text = isinstance(pattern.free.get(name), Text)
    return value if is_text or not value.lstrip("-").isdecimal() else int(value)
