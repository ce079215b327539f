"""The rules' front door: which command leads where, and who may give it; and what the key opens."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.kernel.errors import Refused, TryLater
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import HOUSE, CommandContext, Pattern, Seat, Text, Turn, Wake
from greenroom.worlds.phantom.rules import clock, knowledge, opening, pipeline, standing
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.consequences import follow
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.pacing import day_of
from greenroom.worlds.phantom.rules.pipeline import NOT_BEGUN
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import PLAYER, SYSTEM, Phantom

DOOR: Seat = "door"
#: How long a story rests whose content lacks somebody.
INCOMPLETE_SECONDS = 30.0


def open_story(content: Content, given: CommandContext[c.Register]) -> Turn[e.Event]:
    """Register a player, or open the door's own log."""
    scene = Scene(content, Phantom(), given)
    yield from opening.register(scene, given.command)
    return scene.done()


def handle(content: Content, state: Phantom, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command, about the clock, or about the news of a letter.

    Raises:
        Refused: it is not this seat's to give, not the moment for it, or a text has the wrong length.
        TryLater: the content lacks an agent of this story.
    """
    command: c.Command | Wake | LetterSettled = given.command
    _complete(content, state)
    if not isinstance(command, (Wake, LetterSettled)):
        _admit(state, given)
    scene = Scene(content, state, given)
    if state.started_at is not None:
        opening.read_content(scene)
    yield from _PLAYS[type(command)](scene, command) or ()
    return scene.done()


def _complete(content: Content, state: Phantom) -> None:
    """A message to a story whose content is incomplete is kept, and answered once the content is whole again."""
    lost = [name for name in state.cast if name not in content.agents]
    if lost:
        sentence = f"the content lost the agent {lost[0]!r}, whom a running story holds; put the file back"
        raise TryLater(sentence, seconds=INCOMPLETE_SECONDS)


def _settled(scene: Scene, news: LetterSettled) -> None:
    """What became of a letter, also of one that is no longer waited for."""
    if news.status == "sent":
        writer = news.key.partition(".")[0]
        scene.tell(e.LetterSent(key=news.key, agent=writer if writer in scene.state.cast else None))
    else:
        scene.tell(e.LetterFailed(key=news.key, reason=news.reason))


def _shown(scene: Scene, given: c.ShowLetter) -> None:
    if given.letter not in scene.state.unread:
        raise Refused("there is no such letter that has not been shown")
    scene.tell(e.LetterShown(key=given.letter))


# the key, and the dashboard behind it


def _use(scene: Scene, given: c.UseKey) -> Generator[Roll, Any, None]:
    """Try the door. One turn after the other, so that the last use is one; whoever is refused is logged."""
    key = scene.state.key
    right = key is not None and _even(given.key) == _even(key.value)
    if key is None or not right or not key.left:
        scene.tell(e.KeyRefused(known=right, ip_address=given.ip_address, user_agent=given.user_agent))
        return
    scene.tell(e.KeyUsed(ip_address=given.ip_address, user_agent=given.user_agent))
    first = scene.reach("key_used")
    scene.reach("dashboard_opened")
    standing.expose_from_visit(scene, first=first)
    for agent in _watchers(scene):
        _seen(scene, agent)
    yield from follow(scene)


def _even(key: str) -> str:
    return key.replace("-", "").replace(" ", "").upper()


def _watchers(scene: Scene) -> tuple[str, ...]:
    return tuple(name for name in scene.state.cast if knowledge.sees_key(scene, name))


def _seen(scene: Scene, agent: str) -> None:
    """Whoever watches the key sees it turn; after a promise that it was gone, that is a lie."""
    fact = f"On day {day_of(scene.state, scene.at)} the player went behind the door."
    knowledge.learn(scene, agent, SYSTEM, fact, "dashboard", source="door")
    key = scene.state.key
    if key is not None and key.deleted_at is not None:
        standing.trust(scene, agent, standing.LIE, "The key that was said to be gone has been turned.")


def _read(scene: Scene, given: c.ReadDocument) -> Generator[Roll, Any, None]:
    document = scene.content.documents.documents.get(given.document)
    if document is None:
        known = ", ".join(scene.content.documents.documents)
        raise Refused(f"there is no such document; there are {known}")
    if scene.state.key is None or not scene.state.key.used:
        raise Refused("the documents are behind the door; open it with the key first")
    first = given.document not in scene.state.documents
    scene.tell(e.DocumentRead(document=given.document))
    if first:
        for agent in _watchers(scene):
            knowledge.learn(scene, agent, SYSTEM, document.fact, "dashboard", source="dashboard")
    yield from follow(scene)


#: Who sees to a command: those that ask on the way are generators.
_PLAYS: Mapping[type[Any], Callable[[Scene, Any], Generator[Any, Any, None] | None]] = {
    Wake: lambda scene, given: clock.tick(scene),
    LetterSettled: _settled,
    c.Receive: pipeline.message,
    c.UseKey: _use,
    c.ReadDocument: _read,
    c.Start: lambda scene, given: opening.start(scene),
    c.Verify: opening.verify,
    c.Resend: opening.resend,
    # Somebody who lost the ticket asks for a code to come in again; whoever has it has proved the address as well.
    c.AskEntry: lambda scene, given: opening.issue(scene, "email", entry=True),
    c.Enter: lambda scene, given: opening.try_code(scene, "email", given.code),
    c.ShowLetter: _shown,
    c.OptOut: lambda scene, given: pipeline.opt_out(scene),
    c.Knock: lambda scene, given: scene.tell(e.Knocked(ip_address=given.ip_address, user_agent=given.user_agent)),
}


# who may do what


def _admit(state: Phantom, given: CommandContext[Any]) -> None:
    seat, command = given.seat, given.command
    if isinstance(command, c.Knock) != state.door:
        raise Refused(
            "this stream is the door's: it takes knocks alone" if state.door else "only the door takes knocks"
        )
    if seat not in ((DOOR, HOUSE) if state.door else (PLAYER,)):
        raise Refused(f"only the seat {DOOR if state.door else PLAYER!r} gives commands here")
    for name, limit in _LIMITS.get(type(command), {}).items():
        _fitting(name, getattr(command, name), limit)
    if state.started_at is None and isinstance(command, (c.UseKey, c.ReadDocument, c.ShowLetter)):
        raise Refused(NOT_BEGUN)
    if isinstance(command, c.OptOut) and state.opted_out:
        raise Refused(f"nothing is being sent; {opening.RESUME}")


_LIMITS: dict[type[Any], dict[str, Text]] = {
    c.Receive: {"text": c.MESSAGE, "provider_id": c.PROVIDER_ID},
    c.Verify: {"code": c.CODE},
    c.Enter: {"code": c.CODE},
    c.UseKey: {"key": c.KEY, "ip_address": c.ORIGIN, "user_agent": c.ORIGIN},
    c.Knock: {"ip_address": c.ORIGIN, "user_agent": c.ORIGIN},
}


def _fitting(name: str, value: str | Words, limit: Text) -> None:
    """Refuse a text of the wrong length; the refusal gives the limit and never the text."""
    text = (value.text or "") if isinstance(value, Words) else value
    if not limit.least <= len(text) <= limit.most:
        what = name.replace("_", " ")
        raise Refused(f"{what} has {limit.least} to {limit.most} characters; this one has {len(text)}")
    if isinstance(value, Words) and not text.strip():
        raise Refused("there is nothing in this message but blanks")


def legal(content: Content, state: Phantom, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    if state.door:
        return (Pattern(c.Knock(), {"ip_address": c.ORIGIN, "user_agent": c.ORIGIN}),) if seat == DOOR else ()
    if seat != PLAYER or state.registered_at is None:
        return ()
    found = [*_entry(state), *(_before(state) if state.started_at is None else _after(content, state))]
    return found if state.opted_out else [*found, c.OptOut()]


def _entry(state: Phantom) -> Iterable[c.Command | Pattern[c.Command]]:
    if state.now is not None and opening.may_issue(state, "email", state.now):
        yield c.AskEntry()
    if opening.awaits_code(state, "email"):
        yield Pattern(c.Enter(code="000000"), {"code": c.CODE})


def _before(state: Phantom) -> Iterable[c.Command | Pattern[c.Command]]:
    for kind in opening.unproven(state):
        if state.now is not None and opening.may_issue(state, kind, state.now):
            yield c.Resend(kind=kind)
        if opening.awaits_code(state, kind):
            yield Pattern(c.Verify(kind=kind, code="000000"), {"code": c.CODE})
    if opening.may_start(state):
        yield c.Start()
    yield c.Receive(channel="email", text=Words("START" if state.opted_out else "STOP"))


def _after(content: Content, state: Phantom) -> Sequence[c.Command | Pattern[c.Command]]:
    found: list[c.Command | Pattern[c.Command]] = [
        Pattern(c.Receive(channel=name, text=Words("Who is this?")), {"text": c.MESSAGE}) for name in state.reachable()
    ]
    if state.key is not None:
        found += [c.UseKey(key=state.key.value), Pattern(c.UseKey(key="?"), {"key": c.KEY})]
        if state.key.used:
            found += [c.ReadDocument(document=name) for name in content.documents.documents]
    return [*found, *(c.ShowLetter(letter=key) for key in state.unread)]


def seats(state: Phantom) -> Sequence[Seat]:
    return (DOOR,) if state.door else (PLAYER, *state.cast)
