"""Who sees what: the player their post, an agent its mind, the operator everything, anybody else nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import lifecycle, opening
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.minds import Mind, knows_about, mind
from greenroom.worlds.phantom.rules.pacing import day_of, phase
from greenroom.worlds.phantom.rules.state import CLAIMS, PLAYER, Character, ClaimNote, Phantom

#: Kinds of events by their type, for the operator.
KINDS = {kind: name for name, kind in e.EVENTS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """One message as the player sees it."""

    ref: str
    #: ``player``, or the name of whoever wrote.
    by: str
    at: datetime | None
    words: Words
    unread: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    channel: str
    agent: str
    sender: str
    subject: str
    messages: tuple[Mail, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostView:
    """The player's side of the story. Letters that are not sent yet do not exist here."""

    registered: bool
    email: str
    phone: str | None
    unproven: tuple[str, ...]
    may_start: bool
    started_at: datetime | None
    opted_out: bool
    threads: tuple[Thread, ...]
    #: How often the door may still be opened; None until it has been found.
    accesses_left: int | None
    documents: tuple[str, ...]
    #: When answers that are under way will be there, by channel.
    expected: Mapping[str, datetime]


#: What the operator's story board of one player has of the state as it stands there.
_ON_THE_BOARD = (
    "player", "exposure", "thursday_at", "deadline_at", "documents", "conditions", "cast", "channels", "waiting",
    "plans", "fired", "trace",
)  # fmt: skip


def view(content: Content, state: Phantom, seat: Seat, now: datetime) -> PostView | Mind | Mapping[str, Any]:
    if seat == OPERATOR:
        return {"knocks": state.knocks} if state.door else board(content, state, now)
    if seat == PLAYER and state.registered_at is not None:
        return post(content, state)
    if seat in state.cast and seat in content.agents:
        return mind(content, state, seat, now)
    return {}


def post(content: Content, state: Phantom) -> PostView:
    found = state.key is not None and state.key.used > 0
    return PostView(
        registered=True,
        email=state.email.address if state.email else "",
        phone=state.phone.address if state.phone else None,
        unproven=opening.unproven(state),
        may_start=opening.may_start(state),
        started_at=state.started_at,
        opted_out=state.opted_out,
        threads=tuple(_threads(content, state)),
        accesses_left=state.key.left if state.key is not None and found else None,
        documents=state.documents,
        expected=_expected(state),
    )


def _expected(state: Phantom) -> Mapping[str, datetime]:
    """Answers that are owed, or written and not there yet; letters that nobody waits for are a surprise."""
    there = [plan for plan in state.plans if plan.owed is not None and state.cast[plan.agent].level != "gone"]
    owed = {state.voice_of(plan.agent): plan.due_at for plan in there}
    written = {one.channel: one.due_at for one in state.waiting if one.agent is not None and one.situation == "reply"}
    return {**owed, **written}


def _threads(content: Content, state: Phantom) -> Iterable[Thread]:
    """What was said on each channel, whoever owned it then; what is not sent yet is left out."""
    for name, channel in state.channels.items():
        mails = sorted(_mails(content, state, name), key=lambda mail: mail.at.timestamp() if mail.at else 0.0)
        if mails:
            owner = content.agents[channel.owner]
            yield Thread(
                channel=name, agent=channel.owner, sender=owner.sender, subject=owner.subject, messages=tuple(mails)
            )


def _mails(content: Content, state: Phantom, channel: str) -> Iterable[Mail]:
    hidden = {letter.words.id for letter in state.waiting}
    for name, character in state.cast.items():
        first = state.key_mail
        pinned = (first,) if first is not None and first.by == name and first not in character.recent else ()
        for line in (*pinned, *character.recent):
            if line.channel == channel and line.words.id not in hidden:
                by = "player" if line.by == PLAYER else content.agents[name].sender
                yield Mail(ref=line.ref, by=by, at=line.at, words=line.words, unread=line.ref in state.unread)


def board(content: Content, state: Phantom, now: datetime) -> Mapping[str, Any]:
    key = state.key
    return {
        **{name: getattr(state, name) for name in _ON_THE_BOARD},
        "phase": phase(state, now),
        "day": day_of(state, now),
        "engagement": state.presence.level,
        "accesses": key.used if key else 0,
        "accesses_left": key.left if key else 0,
        "milestones": {name: one.at for name, one in state.milestones.items()},
        "spawn_ready": lifecycle.ready(content, state),
        "working": working(content, state, now),
        "letters_by_day": state.days,
    }


# events


def shows(content: Content, state: Phantom, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    event = told.event
    if seat == OPERATOR:
        return {"event": KINDS[type(event)], **_fields(event)}
    if state.door:
        return {"refused": True} if isinstance(event, e.Knocked) else None
    if seat == PLAYER:
        told_of = _TO_PLAYER.get(type(event))
        return None if told_of is None else told_of(content, state, event)
    return _to_agent(event, seat)


def _fields(event: e.Event) -> Mapping[str, Any]:
    """All of an event but codes, which nobody else may use."""
    return {name: getattr(event, name) for name in type(event).__annotations__ if name != "code"}


def _refused(content: Content, event: e.KeyRefused) -> Mapping[str, Any]:
    said = content.story.exhausted_key if event.known else content.story.unknown_key
    return {"granted": False, "left": 0, "said": said}


#: What the player is told of an event.
_TO_PLAYER: Mapping[type[Any], Callable[[Content, Phantom, Any], Mapping[str, Any]]] = {
    e.Registered: lambda content, state, event: {"registered": True, "unproven": opening.unproven(state)},
    e.CodeIssued: lambda content, state, event: {"code_sent": event.kind, "good_until": event.expires_at},
    e.CodeTried: lambda content, state, event: {"kind": event.kind, "verified": event.right},
    e.Started: lambda content, state, event: {"started": True},
    e.MessageReceived: lambda content, state, event: {"received": event.ref},
    e.LetterSent: lambda content, state, event: {"letter": event.key},
    e.KeyUsed: lambda content, state, event: {"granted": True, "left": state.key.left if state.key else 0},
    e.KeyRefused: lambda content, state, event: _refused(content, event),
    e.DocumentRead: lambda content, state, event: {"document": event.document},
    e.OptedOut: lambda content, state, event: {"opted_out": True},
    e.OptedIn: lambda content, state, event: {"opted_out": False},
}


def _to_agent(event: e.Event, seat: Seat) -> Mapping[str, Any] | None:
    """An agent hears what is said to it, and reads its own letters."""
    match event:
        case e.MessageReceived(agent=agent, words=words, ref=ref) if agent == seat:
            return {"received": ref, "words": words}
        case e.LetterWritten(agent=agent, words=words, key=key) if agent == seat:
            return {"written": key, "words": words}
        case _:
            return None


def reply(content: Content, state: Phantom, events: Sequence[EventContext[e.Event]], seat: Seat) -> Mapping[str, Any]:
    """All that the events of the turn show this seat, in one piece; so it cannot tell more than they do."""
    shown = (shows(content, state, told, seat) or {} for told in events)
    return {key: value for part in shown for key, value in part.items()}


# the working state


#: The seed knows three levels; the two beyond show as the last of them.
LEVELS = {"active": "active", "casual": "casual", "dormant": "dormant", "lapsed": "dormant", "churned": "dormant"}


def working(content: Content, state: Phantom, at: datetime) -> Mapping[str, Any]:
    """Every key the seed names, with its value at a moment."""
    return {
        "current_agent": state.trace.agent,
        "user:story_phase": phase(state, at),
        "user:engagement_level": LEVELS[state.presence.level],
        "user:engagement_state": state.presence.level,
        **{f"user:trust_{name}": character.trust for name, character in state.cast.items()},
        **dict(pair for name, character in state.cast.items() for pair in _agent(name, character)),
        "world:exposure": state.exposure,
        "world:spawn_ready": list(lifecycle.ready(content, state)),
        "world:thursday_passed": state.thursday_passed,
        **{f"channel:{name}:owner": channel.owner for name, channel in state.channels.items()},
        "cache:recent_claims": _claims(state),
        "temp:intent_analysis": state.trace.intent,
        "temp:pending_state_changes": list(state.trace.changes),
        "temp:queued_exchanges": list(state.trace.exchanges),
    }


def _agent(name: str, character: Character) -> Iterable[tuple[str, Any]]:
    yield f"agent:{name}:lifecycle", character.level
    yield f"agent:{name}:response_prob", character.probability
    yield f"agent:{name}:delay_mult", character.multiplier
    yield f"agent:{name}:tone", character.tone
    for other in knows_about(character):
        yield f"agent:{name}:knows_about:{other}", True
    for giver, passed in character.learned.items():
        yield f"agent:{name}:learned_from:{giver}", list(passed.items)


def _claims(state: Phantom) -> list[Mapping[str, Any]]:
    """The newest claims of everybody, oldest first."""
    everything: list[tuple[str, ClaimNote]] = [
        (name, claim) for name, character in state.cast.items() for claim in character.claims
    ]
    newest = sorted(everything, key=lambda pair: pair[1].n)[-CLAIMS:]
    return [{"agent": name, "claim": claim.claim, "is_true": claim.is_true} for name, claim in newest]
