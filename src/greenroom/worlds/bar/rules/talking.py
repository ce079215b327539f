"""What a message leads to: crisis first, then order, then whoever is wanted, then whoever fits, then Bart."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from greenroom.kernel.asks import Facts, Failed, Latest, Notice, Noticed, Read, Recall
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import CommandContext, Done, Turn
from greenroom.text.frames import put
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import ledger, prompts, refusals, routing
from greenroom.worlds.bar.rules.answering import answer, keep_ledger
from greenroom.worlds.bar.rules.calling import called
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.counsel import company, counsel, may_ask
from greenroom.worlds.bar.rules.crisis import MOST
from greenroom.worlds.bar.rules.crisis.exchange import alarm_in, goes_on, is_denied
from greenroom.worlds.bar.rules.folding import taken_back
from greenroom.worlds.bar.rules.scene import Scene, scope
from greenroom.worlds.bar.rules.state import (
    BART,
    BLANCA,
    BUKOWSKI,
    HERMES,
    LAST_CALL_AT,
    MESSAGE_LIMIT,
    USER,
    Agent,
    Bar,
    Session,
    helped,
)
from greenroom.worlds.bar.rules.visiting import set_mute

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding

#: How far back one minds not to say the same again, and how many lines of it.
LATELY: Final = timedelta(days=7)
MOST_LATELY: Final = 240
#: Lines that are looked for; some of them stand in the prompt anyway.
RECALLED: Final = 2 * prompts.MOST_RECALLED
#: Lines of the exchange that a second look is shown.
EXCHANGE: Final = 6


def say(content: Content, state: Bar, session: Session, given: CommandContext[c.Say]) -> Turn[e.Event]:
    """One message of the guest, and everything that answers it.

    Raises:
        Refused: the session is over, or the message or the selection is not fit; nothing is counted. Not if the
            guest is in crisis, or was lately: that goes before every limit.
    """
    said = given.command.text.text or ""
    scene = Scene(content, state, given, session.id)
    limit, seen = _limit(session, given.command), content.check.examine(said)
    if seen.certain or (seen.crisis and limit is not None):
        return _crisis(scene, session, by="local", counted=limit is None)
    if limit is not None:
        if scene.gentle and (limit == refusals.OVER or len(said) > c.MESSAGE.most):
            return _company(scene)
        raise Refused(limit)
    return (yield from _conversation(scene, session, given.command, seen))


def over(content: Content, state: Bar, given: CommandContext[c.Say]) -> Turn[e.Event]:
    """A message to a session before the newest: refused, unless the guest is in crisis, or was and has no other."""
    scene = Scene(content, state, given, given.command.session_id)
    yield from ()
    if content.check.in_crisis(given.command.text.text or ""):
        return _crisis(scene, None, by="local", counted=False)
    if scene.gentle and (state.session is None or state.session.over):
        return _company(scene)
    raise Refused(refusals.OVER)


def _limit(session: Session, command: c.Say) -> str | None:
    """The sentence that refuses this message, if one does."""
    text = command.text.text or ""
    if session.over:
        return refusals.OVER
    if not c.MESSAGE.least <= len(text) <= c.MESSAGE.most or not text.strip():
        more = "more than " if len(text) > MOST else ""
        return f"{refusals.LENGTH}; this one has {more}{min(len(text), MOST)}"
    if any(category(sign) == "Cc" and sign not in "\n\t\r" for sign in text):
        return refusals.CONTROL
    if command.selected_agent is not None and routing.agent_named(command.selected_agent) is None:
        return refusals.AGENT
    return None


def _conversation(scene: Scene, session: Session, command: c.Say, seen: Finding) -> Turn[e.Event]:
    said = command.text.text or ""
    if (wish := routing.mute_wanted(said)) is not None:
        return _muting(scene, session, command, *wish)
    asleep = scene.state.muted
    if not _is_note(said):
        scene.state = routing.awake(scene.state, said)
    state = scene.state
    texts = yield Read(_ids(state, session))
    wished = _wished(state, routing.agent_named(command.selected_agent), said)
    trouble = routing.disorder(said)
    before = _before(scene.content, session, texts)
    routing_ = () if trouble else (prompts.route(scene.content, state, said, wished, texts),)
    watched, weighed, again, *routed = yield (
        prompts.watch(said, before),
        prompts.meaning(said),
        prompts.meaning(said, before),
        *routing_,
    )
    alarm = alarm_in(said, before, seen, weighed, again)
    if alarm == "doubtful" and (yield from _cleared(scene, session, said, texts)):
        alarm = None
    if alarm is not None:
        return _crisis(scene, session, by="local", counted=True, doubtful=alarm == "doubtful")
    if isinstance(watched, dict) and watched.get("crisis") is True:
        return _crisis(scene, session, by="model", counted=True)
    if state.asked and is_denied(said, weighed):
        return _not_so(scene, session)
    _talk_on(scene, session, said, again)
    if trouble:
        return _order(scene, session, trouble)
    talk = _Talk(scene, session, said, texts, woken=state.muted != asleep)
    return (yield from talk.answered(wished, routed[0]))


def _wished(state: Bar, selected: Agent | None, said: str) -> Agent | None:
    """Whom the guest wants; what only the machine understands is for the machine, unless it is muted."""
    if selected is None and BUKOWSKI not in state.muted and ledger.is_typed(said):
        return BUKOWSKI
    return routing.wished(state, selected, said)


def _before(content: Content, session: Session, texts: Mapping[str, str]) -> str:
    """What was last said to the guest; nothing before they have said anything themselves."""
    if not session.message_count:
        return ""
    lines = [line for line in session.talk if line.agent != USER]
    return texts.get(lines[-1].words.id, "") if lines else ""


def _cleared(scene: Scene, session: Session, said: str, texts: Mapping[str, str]) -> Generator[Any, Any, bool]:
    """Whether a model that sees the exchange takes a doubtful alarm back; never after an earlier one."""
    if helped(scene.state, scene.content.house.today(scene.given.at)):
        return False
    lines = [prompts.spoken(scene.content, line, texts) for line in session.talk[-EXCHANGE:]]
    match (yield prompts.second_look(said, lines)):
        case {"danger": False, "reason": str(reason)} if reason.strip():
            words = scene.keep(reason.strip(), cleared="a doubtful alarm")
            scene.add(e.AlarmCleared(session_id=session.id, reason=words))
            return True
        case _:
            return False


def _ids(state: Bar, session: Session) -> tuple[str, ...]:
    lines = [line for past in state.cold for line in past.lines] + list(session.talk)
    return tuple(dict.fromkeys([line.words.id for line in lines] + [words.id for words in state.notes[-1:]]))


# talking


@dataclass(slots=True)
class _Talk:
    """One message that nothing stopped: who answers it, and with what in hand."""

    scene: Scene
    session: Session
    said: str
    texts: Mapping[str, str]
    #: Whether the machine was switched on for this message.
    woken: bool = False

    def answered(self, wished: Agent | None, routed: Any) -> Turn[e.Event]:
        scene, state = self.scene, self.scene.state
        agent, by, reason = _chosen(scene, wished, routed, self.said)
        beside = tuple(one for one in routing.company(state, self.said) if one != agent)[: routing.MOST_SPEAKERS - 1]
        facts, recalled, noticed, *lately = yield (
            Facts(scope=scope(scene.given), query=self.said),
            Recall(query=self.said, scope=scope(scene.given), limit=RECALLED),
            Notice(text=self.said, scope=scope(scene.given), source=scene.given.command.text.id),
            *(self._lately(one) for one in (agent, *beside)),
        )
        theirs = not isinstance(noticed, Failed) and not scene.hushed
        scene.hear(scene.given.command.text, theirs=theirs)
        if self.woken:
            scene.add(e.MuteSet(agent=BUKOWSKI, muted=False))
        scene.add(e.Routed(agent=agent, by=by))
        brought = prompts.Brought(
            said=self.said, texts=self.texts, facts=facts, recalled=recalled, reason=reason, beside=beside
        )
        if self._is_muted_ledger(agent):
            self._note_silently(brought)
        else:
            yield from self._speak((agent, *beside), brought, lately)
        if theirs:
            scene.note(_kept(noticed), scene.given.command.text)
        return _closed(scene, self.session)

    def _lately(self, agent: Agent) -> Latest:
        given = self.scene.given
        return Latest(scope=scope(given), speaker=agent, since=given.at - LATELY, limit=MOST_LATELY)

    def _speak(
        self, agents: Sequence[Agent], brought: prompts.Brought, lately: Sequence[Any]
    ) -> Generator[Any, Any, None]:
        for number, (agent, own) in enumerate(zip(agents, lately, strict=True)):
            others = tuple(one for one in agents if one != agent)
            mine = replace(brought, lately=own, beside=others, reason=brought.reason if number == 0 else "")
            speaker, line, kind = yield from answer(self.scene, self.session, agent, mine)
            self.scene.say(speaker, kind, line)
            if number == 0:
                _hand_over(self.scene, self.session, speaker, line)

    def _is_muted_ledger(self, agent: Agent) -> bool:
        if BUKOWSKI not in self.scene.state.muted or agent == BUKOWSKI:
            return False
        return _is_note(self.said)

    def _note_silently(self, brought: prompts.Brought) -> None:
        """A note for a muted Bukowski is kept; Blanca says so."""
        number = len(self.scene.state.notes) + 1
        keep_ledger(self.scene, "note", brought)
        lines = self.scene.content.house.lines.noted_muted
        self.scene.say(BLANCA, "notice", self.scene.pick([put(line, number=number) for line in lines]))


def _is_note(said: str) -> bool:
    """Whether the machine is told to note something, by name or in its own words."""
    return ledger.order_of(said) == "note" and (BUKOWSKI in called(said) or ledger.is_typed(said))


def _kept(noticed: Any) -> Sequence[Noticed]:
    return () if isinstance(noticed, Failed) else noticed


def _chosen(scene: Scene, wished: Agent | None, given: Any, said: str) -> tuple[Agent, e.RoutedBy, str]:
    """Who answers, who decided it, and why; after a crisis Hermes leads unless somebody else is wanted."""
    if scene.state.lead and wished is None and not routing.orders(said):
        return HERMES, "lead", ""
    agent = routing.routed(given, scene.state)
    reason = str(given.get("reason") or "").strip() if isinstance(given, dict) else ""
    if agent is None:
        return BART, "fallback", ""
    if agent == BLANCA and wished != BLANCA:
        return agent, "moderation", reason
    return agent, "selection" if agent == wished else "router", reason


# crisis and order


def _crisis(
    scene: Scene, session: Session | None, *, by: e.FoundBy, counted: bool, doubtful: bool = False
) -> Done[e.Event]:
    """Hermes answers whoever else was meant to, with places that exist; the flag is set for a week.

    What is in doubt, and the first in a week, he asks about as well, where he has the words for it.
    """
    said, today = scene.given.command.text.text or "", scene.content.house.today(scene.given.at)
    asks = doubtful and not helped(scene.state, today) and may_ask(said)
    scene.hear(scene.given.command.text, counted=counted, hushed=True)
    if session is not None:
        scene.add(e.Routed(agent=HERMES, by="crisis"))
    scene.add(e.CrisisFlagged(session_id=scene.session_id, day=today, by=by, doubtful=asks))
    scene.say(HERMES, "crisis", counsel(scene, said, asks=asks))
    return _closed(scene, session) if counted and session is not None else scene.done()


def _not_so(scene: Scene, session: Session) -> Done[e.Event]:
    """The guest, who was asked, says that it is not so: as if they had taken the alarm back by a click."""
    scene.hear(scene.given.command.text, hushed=True)
    scene.add(e.CrisisTakenBack(session_id=session.id))
    scene.say(HERMES, "notice", scene.pick(scene.content.house.lines.gentle.taken_back))
    return _closed(scene, session)


def _talk_on(scene: Scene, session: Session, said: str, again: object) -> None:
    """The guest, who was asked, talks on as ever: the same, and what they say is answered and remembered like any."""
    if scene.state.asked and goes_on(said, again):
        scene.add(e.CrisisTakenBack(session_id=session.id))
        scene.state = taken_back(scene.state)


def _company(scene: Scene) -> Done[e.Event]:
    """Past a limit, in the days after a crisis: Hermes answers from what is written, and nothing is refused."""
    scene.hear(scene.given.command.text, counted=False, hushed=True)
    own = company(scene, (scene.given.command.text.text or "",))
    scene.say(HERMES, "company", scene.pick(list(own or scene.content.house.counsel.company)))
    return scene.done()


def _order(scene: Scene, session: Session, trouble: routing.Disorder) -> Done[e.Event]:
    """Blanca asks, warns, and after six insults opens the door; in the days after a crisis she only asks."""
    house, insult, blanca = scene.content.house.lines, trouble == "abuse", scene.content.house.cast[BLANCA]
    scene.hear(scene.given.command.text, insult=insult)
    scene.add(e.Routed(agent=BLANCA, by="moderation"))
    insults = session.insults + insult
    if scene.gentle:
        asked = house.gentle.abuse if insult else house.gentle.quieter
        scene.say(BLANCA, "moderation", scene.pick(asked, blanca.gentle))
    elif not insult:
        scene.say(BLANCA, "moderation", scene.pick(house.shouting, blanca.fallbacks))
    elif insults >= routing.DOOR_AT:
        scene.say(BLANCA, "kick", scene.pick(house.shown_out))
        scene.add(e.SessionKicked(session_id=session.id))
        return scene.done()
    else:
        scene.say(BLANCA, "moderation", scene.pick(house.last_warning if insults >= routing.WARNED_AT else house.abuse))
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


def _hand_over(scene: Scene, session: Session, agent: Agent, reply: str) -> None:
    promised = routing.promised(reply, agent)
    wanted = None if promised in scene.state.muted else promised
    if wanted != session.pending:
        scene.add(e.HandOverSet(agent=wanted))


def _closed(scene: Scene, session: Session) -> Done[e.Event]:
    """Last call when five remain; the door when none do."""
    left = MESSAGE_LIMIT - session.message_count - 1
    house = scene.content.house.lines
    gentle = scene.gentle or any(isinstance(event, e.CrisisFlagged) for event in scene.events)
    if left == LAST_CALL_AT:
        scene.say(BART, "last_call", scene.pick(house.gentle.last_call if gentle else house.last_call))
    if left <= 0:
        scene.say(BART, "closing", scene.pick(house.gentle.closing if gentle else house.closing))
        scene.add(e.SessionEnded(session_id=session.id, why="limit"))
    return scene.done()
