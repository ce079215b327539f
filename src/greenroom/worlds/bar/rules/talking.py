"""What a message leads to: crisis first, then order, then whoever is wanted, then whoever fits, then Bart."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from greenroom.kernel.asks import AskModel, Read
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import CommandContext, Done, Turn
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import ledger, prompts, refusals, routing
from greenroom.worlds.bar.rules.content import Content, put
from greenroom.worlds.bar.rules.counsel import counsel
from greenroom.worlds.bar.rules.crisis import examine, in_crisis
from greenroom.worlds.bar.rules.scene import Scene
from greenroom.worlds.bar.rules.state import (
    BART,
    BLANCA,
    BUKOWSKI,
    HERMES,
    LAST_CALL_AT,
    MESSAGE_LIMIT,
    Agent,
    Bar,
    Session,
)
from greenroom.worlds.bar.rules.visiting import set_mute

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding

#: How often a line is asked for before the house uses one of its own.
TRIES: Final = 4
#: Characters of a reply, should a provider not keep to its tokens; and the cast's own limits.
MOST_REPLY: Final = 1_000
_SENTENCES: Final[Mapping[Agent, int]] = {BLANCA: 2}
_WORDS: Final[Mapping[Agent, int]] = {HERMES: 75}

#: What nobody says across a bar: half an answer of some other kind.
_NO_PROSE: Final = re.compile(r"[{}]|```|<[a-z/]")


def say(content: Content, state: Bar, session: Session, given: CommandContext[c.Say]) -> Turn[e.Event]:
    """One message of the guest, and everything that answers it.

    Raises:
        Refused: the session is over, or the message or the selection is not fit; nothing is counted. Not if the
            guest is in crisis: that goes before every limit.
    """
    said = given.command.text.text or ""
    scene = Scene(content, state, given, session.id)
    limit, seen = _limit(session, given.command), examine(said)
    if seen.certain or (seen.crisis and limit is not None):
        return _crisis(scene, session, by="local", counted=limit is None)
    if limit is not None:
        raise Refused(limit)
    return (yield from _conversation(scene, session, given.command, seen))


def over(content: Content, state: Bar, given: CommandContext[c.Say]) -> Turn[e.Event]:
    """A message to a session before the newest: refused, unless the guest is in crisis."""
    if not in_crisis(given.command.text.text or ""):
        raise Refused(refusals.OVER)
    yield from ()
    return _crisis(Scene(content, state, given, given.command.session_id), None, by="local", counted=False)


def _limit(session: Session, command: c.Say) -> str | None:
    """The sentence that refuses this message, if one does."""
    text = command.text.text or ""
    if session.over:
        return refusals.OVER
    if not c.MESSAGE.least <= len(text) <= c.MESSAGE.most or not text.strip():
        return f"{refusals.LENGTH}; this one has {len(text)}"
    if any(category(sign) == "Cc" and sign not in "\n\t\r" for sign in text):
        return refusals.CONTROL
    if command.selected_agent is not None and routing.agent_named(command.selected_agent) is None:
        return refusals.AGENT
    return None


def _conversation(scene: Scene, session: Session, command: c.Say, seen: Finding) -> Turn[e.Event]:
    said = command.text.text or ""
    if (wish := routing.mute_wanted(said)) is not None:
        return _muting(scene, session, command, *wish)
    state = scene.state
    texts = yield Read(_ids(state, session))
    wished = routing.wished(state, routing.agent_named(command.selected_agent), said)
    trouble = routing.disorder(said)
    routing_ = () if trouble else (prompts.route(scene.content, state, said, wished, texts),)
    watched, weighed, *routed = yield (prompts.watch(said), prompts.meaning(said), *routing_)
    if seen.with_meaning(weighed):
        return _crisis(scene, session, by="local", counted=True)
    if isinstance(watched, dict) and watched.get("crisis") is True:
        return _crisis(scene, session, by="model", counted=True)
    scene.hear(command.text)
    if trouble:
        return _order(scene, session, trouble)
    agent, by = _chosen(state, wished, *routed)
    scene.add(e.Routed(agent=agent, by=by))
    reply, kind = yield from _answer(scene, session, agent, said, texts)
    scene.say(agent, kind, reply)
    _hand_over(scene, session, agent, reply)
    return _closed(scene, session)


def _ids(state: Bar, session: Session) -> tuple[str, ...]:
    lines = [line for past in state.cold for line in past.lines] + list(session.lines)
    return tuple(dict.fromkeys([line.words.id for line in lines] + [words.id for words in state.notes[-1:]]))


def _chosen(state: Bar, wished: Agent | None, answer: Any) -> tuple[Agent, e.RoutedBy]:
    agent = routing.routed(answer, state)
    if agent is None:
        return BART, "fallback"
    if agent == BLANCA and wished != BLANCA:
        return agent, "moderation"
    return agent, "selection" if agent == wished else "router"


# crisis and order


def _crisis(scene: Scene, session: Session | None, *, by: e.FoundBy, counted: bool) -> Done[e.Event]:
    """Hermes answers whoever else was meant to, with places that exist; the flag is set for a week."""
    scene.hear(scene.given.command.text, counted=counted)
    if session is not None:
        scene.add(e.Routed(agent=HERMES, by="crisis"))
    today = scene.content.house.today(scene.given.at)
    scene.add(e.CrisisFlagged(session_id=scene.session_id, day=today, by=by))
    scene.say(HERMES, "crisis", counsel(scene))
    return _closed(scene, session) if counted and session is not None else scene.done()


def _order(scene: Scene, session: Session, trouble: routing.Disorder) -> Done[e.Event]:
    lines = scene.content.house.lines
    scene.add(e.Routed(agent=BLANCA, by="moderation"))
    scene.say(BLANCA, "moderation", scene.pick(lines.shouting if trouble == "shouting" else lines.abuse))
    return _closed(scene, session)


def _muting(scene: Scene, session: Session, command: c.Say, name: str, muted: bool) -> Done[e.Event]:  # noqa: FBT001
    scene.hear(command.text)
    agent = routing.may_mute(name)
    if agent is not None:
        set_mute(scene, agent, muted=muted)
    else:
        lines, house = scene.content.house.lines, scene.content.house
        shown = house.name_of(name) if routing.agent_named(name) else "Nobody of that name"
        scene.say(BLANCA, "notice", scene.pick([put(line, name=shown) for line in lines.not_mutable]))
    return _closed(scene, session)


# answering


def _answer(
    scene: Scene, session: Session, agent: Agent, said: str, texts: Mapping[str, str]
) -> Generator[AskModel, Any, tuple[str, e.LineKind]]:
    order = ledger.order_of(said) if agent == BUKOWSKI else None
    if order is not None:
        return _ledger(scene, order, said, texts), "reply"
    rejected: list[str] = []
    while len(rejected) < TRIES:
        answer = yield prompts.reply(
            scene.content, scene.state, agent, said, texts, at=scene.given.at, rejected=rejected
        )
        line = _spoken(scene.content, agent, answer)
        if line is None:
            break
        if not scene.used(line):
            return line, "reply"
        rejected.append(line)
    if agent == BUKOWSKI:
        return ledger.summary(scene, session.lines, texts, said), "reply"
    return scene.pick(scene.content.house.cast[agent].fallbacks), "reply"


def _ledger(scene: Scene, order: ledger.Order, said: str, texts: Mapping[str, str]) -> str:
    notes = scene.state.notes
    last = texts.get(notes[-1].id) if notes else None
    if order == "note":
        scene.add(e.NoteKept(words=scene.given.command.text))
    elif order == "delete" and notes:
        scene.add(e.NoteDropped())
    return ledger.answer(scene, order, said, last)


def _spoken(content: Content, agent: Agent, answer: Any) -> str | None:
    """The line as it may be said: without the speaker's name, within the speaker's limits; None if there is none."""
    if not isinstance(answer, str) or _NO_PROSE.search(answer):
        return None
    name = re.escape(content.house.name_of(agent))
    line = re.sub(rf"^\s*{name}\s*:\s*", "", answer.strip(), flags=re.IGNORECASE).strip().strip('"').strip()
    line = "".join(sign for sign in line if sign == "\n" or category(sign) not in ("Cc", "Cs"))
    return _within(line, agent) or None


def _within(line: str, agent: Agent) -> str:
    sentences = re.findall(r"\S.*?(?:[.!?…]+[\"'”’)]*(?=\s|$)|$)", line, flags=re.DOTALL)
    most_words, kept = _WORDS.get(agent), ""
    for sentence in sentences[: _SENTENCES.get(agent)]:
        longer = f"{kept} {sentence}".strip()
        if len(longer) > MOST_REPLY or (most_words and len(longer.split()) > most_words):
            break
        kept = longer
    return kept or " ".join(line[:MOST_REPLY].split()[:most_words])


def _hand_over(scene: Scene, session: Session, agent: Agent, reply: str) -> None:
    promised = routing.promised(reply, agent)
    wanted = None if promised in scene.state.muted else promised
    if wanted != session.pending:
        scene.add(e.HandOverSet(agent=wanted))


def _closed(scene: Scene, session: Session) -> Done[e.Event]:
    """Last call when five remain; the door when none do."""
    left = MESSAGE_LIMIT - session.message_count - 1
    lines = scene.content.house.lines
    if left == LAST_CALL_AT:
        scene.say(BART, "last_call", scene.pick(lines.last_call))
    if left <= 0:
        scene.say(BART, "closing", scene.pick(lines.closing))
        scene.add(e.SessionEnded(session_id=session.id, why="limit"))
    return scene.done()
