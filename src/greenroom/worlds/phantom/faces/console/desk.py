"""The player's side: mail and phone, as the player sees them, a place to answer, and a way to let time pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from nicegui import ui

from greenroom.journal.records import Stream
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import HOUSE, OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.branches import free_name
from greenroom.kit.console.stage import Scene
from greenroom.kit.console.wording import day_and_clock
from greenroom.services.house import House, Look, ShownEvent
from greenroom.worlds.phantom.rules.commands import MESSAGE
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.state import medium

#: How far one may play on at a press.
SPANS = {"6 hours": 6, "1 day": 24, "1 week": 24 * 7}

#: Letters that one fast-forward lets arrive at most.
MOST_LETTERS = 500


class Desk:
    """Two panes that follow the stream from the player's seat."""

    def __init__(self, scene: Scene, content: Content) -> None:
        self._scene = scene
        self._content = content
        self._offered: dict[str, str] = {}
        self._subjects: dict[str, str] = {}
        with parts.box("card forward"):
            self._coming = parts.text("", "note", role="status")
            with parts.box("others"):
                for words, hours in SPANS.items():
                    parts.button(f"Fast-forward {words}", partial(self._go, hours), look="small")
        with parts.box("panes"):
            self._mail, self._mail_form = self._pane("Mail", "mail")
            self._phone, self._phone_form = self._pane("Phone", "phone")

    def _pane(self, title: str, kind: str) -> tuple[Any, Any]:
        with parts.tag("section", f"pane {kind}", aria_label=title):
            parts.text(title, "pane-title", kind="h2")
            log = parts.box("pane-log", role="log", aria_live="polite", tabindex=0, aria_label=f"{title}: what came")
            return log, parts.box("pane-form")

    async def _go(self, hours: int) -> None:
        """Play on later: on a branch, to which the page then goes, since the house keeps its own time."""
        client = ui.context.client
        branch = await fast_forward(self._scene.house, self._scene.stream, timedelta(hours=hours))
        with client:
            ui.navigate.to(addresses.play("phantom", branch))

    # what the player does

    def _offer(self, channels: Mapping[str, str]) -> None:
        """Forms are made anew only when somebody new can be answered: what is being typed is not lost."""
        if channels == self._offered:
            return
        self._offered = dict(channels)
        for form, kind in ((self._mail_form, "email"), (self._phone_form, "sms")):
            form.clear()
            reachable = {channel: name for channel, name in channels.items() if medium(channel) == kind}
            if reachable:
                with form:
                    self._form(kind, reachable)

    def _form(self, kind: str, channels: Mapping[str, str]) -> None:
        with parts.form(
            self._write, name=f"write-{kind}", label="Answer by mail" if kind == "email" else "Answer by SMS"
        ):
            if len(channels) > 1:
                parts.choice("channel", "To", channels, next(iter(channels)))
            else:
                parts.tag("input", "", type="hidden", name="channel", value=next(iter(channels)))
            words = f"Answer {' or '.join(channels.values())}"
            more = {} if kind == "email" else {"data_enter": "send"}
            parts.field("text", words, rows=3 if kind == "email" else 1, required=True, maxlength=MESSAGE.most, **more)
            parts.submitter("Send")

    async def _write(self, fields: Mapping[str, str], key: str) -> bool:
        given = {"channel": fields["channel"], "text": fields["text"].strip()}
        return await self._scene.send("receive", given, key) is not None

    # what the player sees

    def tell(self, event: ShownEvent) -> None:
        """Nothing is told by events alone: threads come whole with :meth:`see`."""

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        body: Any = look.body
        threads = body.get("threads") or ()
        self._coming.set_text(_coming(body.get("expected") or {}))
        self._offer({thread["channel"]: thread["sender"] for thread in threads} if not body["opted_out"] else {})
        for log, kind in ((self._mail, "email"), (self._phone, "sms")):
            log.clear()
            with log:
                self._threads([thread for thread in threads if medium(thread["channel"]) == kind], kind)
            log.client.run_javascript(f"greenroom.toEnd({log.html_id!r})")

    def _threads(self, threads: Sequence[Mapping[str, Any]], kind: str) -> None:
        if not threads:
            parts.empty("Nothing has come by mail yet." if kind == "email" else "No messages yet.")
        messages = [(thread, message) for thread in threads for message in thread["messages"]]
        for thread, message in sorted(messages, key=lambda one: str(one[1]["at"])):
            (self._letter if kind == "email" else self._bubble)(thread, message)

    def _letter(self, thread: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        mine = message["by"] == "player"
        with parts.tag("article", "mail-letter mine" if mine else "mail-letter", aria_label=_by(message)):
            with parts.box("line-head"):
                parts.tag("span", "who", f"You, to {thread['sender']}" if mine else message["by"])
                parts.tag("time", "when", day_and_clock(message["at"]), datetime=str(message["at"]))
            if not mine:
                parts.text(self._subject(thread, message), "mail-subject", kind="h3")
            parts.text(message["words"], "words")

    def _subject(self, thread: Mapping[str, Any], message: Mapping[str, Any]) -> str:
        mail = self._content.story.key_mail
        first = thread["agent"] == mail.agent and message["ref"].endswith(".1")
        return mail.subject if first else str(thread["subject"])

    def _bubble(self, thread: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        mine = message["by"] == "player"
        with parts.box("bubble mine" if mine else "bubble", aria_label=_by(message)):
            parts.text(message["words"], "words")
            who = "" if mine else f"{message['by']} · "
            parts.tag("time", "when", who + day_and_clock(message["at"]), datetime=str(message["at"]))


def _coming(expected: Mapping[str, Any]) -> str:
    """What is under way, and what there is to do meanwhile."""
    under_way = [f"by {'SMS' if medium(one) == 'sms' else 'mail'}, {day_and_clock(at)}" for one, at in expected.items()]
    first = f"An answer is under way: {'; '.join(under_way)}. " if under_way else ""
    return f"{first}Letters take hours, as letters do. Wait for them, or let time pass and play on from there."


def _by(message: Mapping[str, Any]) -> str:
    return "Written by you" if message["by"] == "player" else f"From {message['by']}"


# fast-forward: what would come of a story, played on a branch whose letters arrive without being sent


async def fast_forward(house: House, stream: str, span: timedelta) -> str:
    """Let time pass on a branch of the stream, or on the stream itself if it is one; returns the branch's name."""
    row = await house.stream(stream)
    if row.parent is None:
        name = await free_name(house, stream, row.version)
        row = await house.branch(stream, name=name, awake=True)
    until = _clock(row) + span
    for _ in range(MOST_LETTERS):
        due_at, key = await _next(house, row.name, until)
        if not key:
            break
        await _pass_time(house, row.name, due_at)
        news = LetterSettled(key=key, status="sent")
        await house.send(row.name, news, seat=HOUSE, key=f"letter/{key}/sent")
    await _pass_time(house, row.name, until)
    return row.name


async def _next(house: House, stream: str, until: datetime) -> tuple[datetime, str]:
    """When the first letter would have gone out by then, and its key; whatever comes before it is let happen first."""
    seen: tuple[int, int | None] | None = None
    while True:
        board: Any = (await house.view(stream, seat=OPERATOR)).body
        letters = [(datetime.fromisoformat(str(one["due_at"])), str(one["key"])) for one in board["waiting"]]
        first = min((one for one in letters if one[0] <= until), default=(until, ""))
        row = await house.stream(stream)
        if row.wake_at is None or moment(row.wake_at) > first[0] or seen == (row.version, row.wake_at):
            return first  # the last of these: a wake that changed nothing would be waited for without end
        seen = (row.version, row.wake_at)
        await _pass_time(house, stream, moment(row.wake_at))


async def _pass_time(house: House, stream: str, until: datetime) -> None:
    """Move the branch's clock, which never goes back."""
    row = await house.stream(stream)
    await house.advance(max(until, _clock(row)), stream=stream)


def _clock(row: Stream) -> datetime:
    return moment(row.last_at if row.clock_at is None else row.clock_at)
