"""What is written for people and reports: one row per visit, a log of what happened, and the post."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from greenroom.kernel.facts import Noted
from greenroom.kernel.letters import LetterChange, Post
from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules.content import Content
from greenroom.worlds.lighthouse.rules.state import Lamp, Lighthouse

VISITS = Table(
    name="lighthouse_visits",
    key=(),  # the stream alone names the row
    columns=(
        Column(name="started_at", kind="moment"),
        Column(name="ended_at", kind="moment", optional=True),
        Column(name="lamp", among=get_args(Lamp)),
        Column(name="trust", kind="integer"),
        Column(name="lines", kind="integer"),
    ),
)
LOG = Table(
    name="lighthouse_log",
    key=("id",),
    log=True,
    columns=(
        Column(name="id"),
        Column(name="at", kind="moment"),
        Column(name="what", among=tuple(e.EVENTS)),
        Column(name="words", kind="words", optional=True),
    ),
    indexes=(("at",),),
)
TABLES = (VISITS, LOG)

_KINDS = {kind: name for name, kind in e.EVENTS.items()}


def rows(state: Lighthouse, told: EventContext[e.Event]) -> Iterable[Change]:
    """A whole row each time, so that a branch's first turn brings a visit's row of its own."""
    visit = {name: getattr(state, name) for name in ("started_at", "ended_at", "lamp", "trust", "lines")}
    yield Put(VISITS.name, visit)
    if isinstance(told.event, Noted):
        return  # a fact stands in the bank; the log is what happened
    entry = {"id": told.row_id(), "at": told.at, "what": _KINDS[type(told.event)]}
    yield Put(LOG.name, {**entry, "words": _words(told.event)})


def _words(event: e.Event) -> str | None:
    match event:
        case e.Said(words=words) | e.LetterTaken(words=words) | e.Answered(words=words) | e.WentToBed(words=words):
            return words.id
        case _:
            return None


def letters(content: Content, state: Lighthouse, told: EventContext[e.Event]) -> Iterable[LetterChange]:
    if isinstance(told.event, e.LetterTaken):
        yield Post(
            key=f"{told.version}.{told.ordinal}",
            due_at=told.event.due_at,
            channel="inbox",
            to=told.event.to,
            words=told.event.words.id,
            subject=content.letter_subject,
        )
