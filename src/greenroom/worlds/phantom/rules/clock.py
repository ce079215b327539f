"""What time alone brings, the player's silence among it: seen to when the stream is woken, in one order."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import exchanges, knowledge, pipeline, schedule, standing
from greenroom.worlds.phantom.rules.consequences import follow
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.lifecycle import following
from greenroom.worlds.phantom.rules.pacing import DAY
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import Character, Engagement, Phantom
from greenroom.worlds.phantom.rules.triggers import moments

#: A letter that long without an answer is ignored.
PATIENCE = timedelta(hours=24)
#: What the deadline costs the agent that sent the key.
DEADLINE_TRUST = -10
#: Days of silence after which the player counts as this.
LEVELS: Mapping[Engagement, int] = {"casual": 3, "dormant": 7, "lapsed": 14, "churned": 21}
#: Letters that ask after the player in each level, and the time between two.
ATTEMPTS: Mapping[Engagement, int] = {"casual": 2, "dormant": 1, "lapsed": 1}
PAUSE = timedelta(hours=24)
#: A silence this long lowers exposure, once.
SILENCE = timedelta(days=7)

_ORDER: tuple[Engagement, ...] = ("active", *LEVELS)


def tick(scene: Scene) -> Generator[Any, Any, None]:
    """See to everything that is due now."""
    scene.tell(e.TimePassed())
    _expire_codes(scene)
    schedule.give_up_waiting(scene)
    if scene.state.started_at is None:
        return
    knowledge.close_idle(scene)
    _ignored(scene)
    yield from _follow_up(scene)
    yield from _silence(scene)
    yield from _deadline(scene)
    if _tomorrow(scene.state) == scene.at + DAY:  # this is today's
        exchanges.hold(scene, exchanges.daily(scene.state))
    yield from _write_planned(scene)
    yield from follow(scene)


def _expire_codes(scene: Scene) -> None:
    for kind, contact in (("email", scene.state.email), ("phone", scene.state.phone)):
        if contact is not None and contact.expires_at is not None and contact.expires_at <= scene.at:
            scene.tell(e.CodeExpired(kind=kind))  # type: ignore[arg-type]


def _ignored(scene: Scene) -> None:
    for agent, character in tuple(scene.state.cast.items()):
        for since in character.unanswered:
            if scene.at - since >= PATIENCE and scene.character(agent).ignored < e.MOST_IGNORED:
                scene.tell(e.Ignored(agent=agent))
                standing.trust(
                    scene, agent, standing.IGNORED, f"A letter of {scene.agent(agent).name}'s lay a day unanswered."
                )


def _follow_up(scene: Scene) -> Generator[Any, Any, None]:
    for agent in scene.state.present():
        due = _follow_up_at(scene.content, agent, scene.character(agent))
        if due is not None and due <= scene.at and not schedule.pending(scene.state, agent, "follow_up"):
            yield from schedule.plan(scene, agent, "follow_up", scene.at + schedule.LEAD)


def _follow_up_at(content: Content, agent: str, character: Character) -> datetime | None:
    rule = content.agents[agent].follow_up
    waits = not character.answered and character.level in ("engaged", "cooling")
    if not waits or character.delivered_at is None or character.follow_ups >= rule.most:
        return None
    return character.delivered_at + timedelta(hours=rule.after_hours) - schedule.LEAD


# whether the player is still there


def _silence(scene: Scene) -> Generator[Any, Any, None]:
    """See what the clock says of the player's silence."""
    since = scene.state.presence.last_player_at
    if since is None or not scene.state.running:
        return
    level = [level for level in _ORDER if scene.at - since >= timedelta(days=LEVELS.get(level, 0))][-1]
    if _ORDER.index(level) > _ORDER.index(scene.state.presence.level):
        scene.tell(e.EngagementMoved(now=level))
        if level == "churned":
            schedule.stop(scene, "the player has been silent for three weeks")
    if scene.at - since >= SILENCE and not scene.state.presence.hushed:
        scene.tell(e.Hushed())
        standing.expose(scene, standing.SILENT, "The player has been silent for a week.")
    yield from _ask_after(scene)


def _tries_left(state: Phantom) -> bool:
    return state.presence.tries < ATTEMPTS.get(state.presence.level, 0)


def _ask_after(scene: Scene) -> Generator[Any, Any, None]:
    presence = scene.state.presence
    rested = presence.tries == 0 or (presence.attempted_at is not None and scene.at - presence.attempted_at >= PAUSE)
    if not _tries_left(scene.state) or not rested:
        return
    agent = scene.state.closest()
    if agent is not None:
        scene.tell(e.Reengaged(agent=agent))
        yield from schedule.plan(scene, agent, f"reengage_{presence.level}", scene.at + schedule.LEAD)


def _deadline(scene: Scene) -> Generator[Any, Any, None]:
    """The end of the Thursday, once: the sender loses heart, the affair shows, and the date proves artificial."""
    state = scene.state
    if state.thursday_passed or state.deadline_at is None or scene.at < state.deadline_at:
        return
    scene.tell(e.DeadlinePassed())
    scene.reach("deadline_passed")
    scene.tell(e.ConditionsMet(names=("deadline_passed",)))
    sender = scene.content.story.key_mail.agent
    standing.trust(scene, sender, DEADLINE_TRUST, "Thursday went by and the key was not settled.")
    standing.expose(scene, standing.DEADLINE, "Thursday went by.")
    for agent in scene.state.present():
        if "deadline" in scene.agent(agent).lines and agent != sender:
            span = yield from schedule.delay((30, 120))
            yield from schedule.plan(scene, agent, "deadline", scene.at + span)
            return


def _write_planned(scene: Scene) -> Generator[Any, Any, None]:
    """Whatever is due in a moment is written now, in the order in which it will be sent."""
    for plan in sorted(scene.state.plans, key=lambda one: (one.due_at, one.n)):
        due = plan.due_at - schedule.LEAD <= scene.at and plan in scene.state.plans
        if due and not (yield from schedule.put_off(scene, plan)):
            yield from pipeline.letter(scene, plan)


# when


def wake_at(content: Content, state: Phantom) -> datetime | None:
    """The next moment at which something is due by itself."""
    now = state.now
    if now is None or state.door or any(name not in content.agents for name in state.cast):
        return None  # a story whose content is incomplete waits for it
    # One that is due already is written at once.
    planned = (max(plan.due_at - schedule.LEAD, now) for plan in state.plans)
    later = (moment for moment in _moments(content, state) if moment > now)
    return min((*planned, *later), default=None)


def _moments(content: Content, state: Phantom) -> Iterable[datetime]:
    yield from (one.expires_at for one in (state.email, state.phone) if one is not None and one.expires_at is not None)
    yield from (letter.due_at + schedule.NO_NEWS for letter in state.waiting)
    if state.started_at is None or state.thursday_at is None or state.deadline_at is None:
        return
    yield from (state.started_at + DAY, state.thursday_at, state.deadline_at)
    yield from knowledge.ends(state)
    yield from _of_silence(state)
    yield from _of_agents(content, state)
    yield from _of_triggers(content, state)
    tomorrow = _tomorrow(state)
    if tomorrow is not None:
        yield tomorrow


def _of_silence(state: Phantom) -> tuple[datetime, ...]:
    """When silence will next change something."""
    since, presence = state.presence.last_player_at, state.presence
    if since is None or not state.running:
        return ()
    moments = [since + timedelta(days=days) for days in LEVELS.values()]
    if _tries_left(state) and presence.tries and presence.attempted_at is not None:
        moments.append(presence.attempted_at + PAUSE)
    return tuple(moments)


def _of_agents(content: Content, state: Phantom) -> Iterable[datetime]:
    for name, character in state.cast.items():
        yield from (since + PATIENCE for since in character.unanswered)
        follow_up = _follow_up_at(content, name, character) if character.present and state.sending else None
        if follow_up is not None:
            yield follow_up
        move = following(content.agents[name], character.level)
        if move is not None:
            for trigger in move[1].triggers:
                yield from moments(trigger, content, state, name)


def _of_triggers(content: Content, state: Phantom) -> Iterable[datetime]:
    for name, trigger in content.triggers.items():
        if not trigger.once or name not in state.fired:
            yield from moments(trigger.when, content, state)
    for name, agent in content.agents.items():
        if agent.spawn is not None and name not in state.cast:
            yield from moments(agent.spawn.conditions, content, state)


def _tomorrow(state: Phantom) -> datetime | None:
    """The next daily moment, while two agents were active lately enough to use it."""
    if state.started_at is None or state.now is None or len(exchanges.active(state)) < 2:
        return None
    return state.started_at + ((state.now - state.started_at) // DAY + 1) * DAY
