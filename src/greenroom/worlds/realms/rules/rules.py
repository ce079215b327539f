"""The rules of a realm: who may say what, and what is possible now."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from greenroom.kernel.asks import Ask
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Pattern, Seat, Turn, Wake
from greenroom.worlds.realms.rules import acting, linking
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules.commanding import Orders
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import PLAYER, Realm

NAME = "realms"
#: Stands for a realm whose memory could be taken over.
KIN = "realm-of-the-same-repository"


def handle(content: Content, state: Realm, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command, or let agents act.

    Raises:
        Refused: whoever asks may not, or it cannot be done now.
    """
    command: c.Command | Wake = given.command
    if isinstance(command, Wake):
        return (yield from acting.wake(content, state, given))
    if isinstance(command, c.Act):
        return (yield from acting.act_outside(content, state, given))
    _admit(state, given.seat, command)
    if isinstance(command, c.Explore):
        return (yield from linking.explore(content, state, given))
    pen = Pen(state, given)
    yield from _obey(Orders(content, pen, given), command)
    return pen.done()


def _admit(state: Realm, seat: Seat, command: c.Command) -> None:
    if seat != PLAYER:
        raise Refused(f"only the seat {PLAYER!r} gives commands here; agents act in their turns")
    if state.linked_at is None:
        raise Refused("this realm is not linked yet")
    if state.is_removed and not isinstance(command, c.Explore):
        raise Refused("this realm was taken off the list; resume it first")


def _obey(orders: Orders, command: c.Command) -> Generator[Ask, Any, None]:
    match command:
        case c.Approve():
            yield from orders.approve()
        case c.Skip():
            yield from orders.skip()
        case c.ApplyEdit():
            yield from orders.apply_edit(command)
        case c.Restart():
            orders.restart()
        case c.Back():
            orders.back()
        case c.Remove():
            orders.remove()
        case _:
            _obey_about(orders, command)


def _obey_about(orders: Orders, command: c.Command) -> None:
    """Commands that name what they are about: each has a method of its name."""
    methods = {
        c.Direct: orders.direct,
        c.Summon: orders.summon,
        c.Dismiss: orders.dismiss,
        c.AssignQuest: orders.assign_quest,
        c.ReleaseQuest: orders.release_quest,
        c.StartProcess: orders.start_process,
        c.Inject: orders.inject,
        c.Redirect: orders.redirect,
        c.UpdateSettings: orders.update_settings,
        c.RejectEdit: orders.reject_edit,
        c.Enter: orders.enter,
        c.SeatAgent: orders.seat_agent,
        c.TakeOver: orders.take_over,
        c.Allow: orders.allow,
        c.Deny: orders.deny,
    }
    obey: Any = methods[type(command)]
    obey(command)


# what is possible


def legal(content: Content, state: Realm, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    """What a seat may do now; whoever holds an agent's seat may act in its turn."""
    if seat != PLAYER:
        return _legal_outside(state, seat)
    if state.linked_at is None:
        return ()
    if state.is_removed:
        return (c.Explore(),)
    return (
        c.Explore(),
        *_about_agents(content, state),
        *_about_process(content, state),
        *_about_rest(state),
        c.Remove(),
    )


def _legal_outside(state: Realm, seat: Seat) -> Sequence[c.Command]:
    return (c.Act(action=Words('{"action": "wait"}')),) if state.seat(seat) == "asked" else ()


def _about_agents(content: Content, state: Realm) -> list[c.Command | Pattern[c.Command]]:
    found: list[c.Command | Pattern[c.Command]] = []
    for agent in state.agents:
        if sum(errand.agent == agent.id for errand in state.agenda) < 20:
            direct = c.Direct(agent=agent.id, text=Words("Where does the program begin?"))
            found.append(Pattern(direct, {"text": c.SPEECH}))
        found.append(c.Dismiss(agent=agent.id))
    if len(state.agents) < state.settings.max_agents:
        here = {agent.id for agent in state.agents}
        found += [c.Summon(role=role) for role in content.specialists if role not in here]
    opened = [quest for quest in state.quests if quest.status == "open"]
    found += [c.AssignQuest(quest=quest.id, agent=agent.id) for quest in opened[:3] for agent in state.agents]
    taken = [quest for quest in state.quests if quest.status in ("assigned", "in_progress")]
    return [*found, *(c.ReleaseQuest(quest=quest.id) for quest in taken[:3])]


def _about_process(content: Content, state: Realm) -> list[c.Command | Pattern[c.Command]]:
    found: list[c.Command | Pattern[c.Command]] = []
    process = state.process
    if state.is_held or (process is not None and process.status == "waiting"):
        found.append(c.Approve())
    if process is not None:
        found.append(c.Restart())
    if process is not None and process.status != "completed":
        said, goal = c.Inject(text=Words("Think of the users.")), c.Redirect(goal=Words("Think smaller."))
        return [*found, c.Skip(), Pattern(said, {"text": c.SPEECH}), Pattern(goal, {"goal": c.PROBLEM})]
    for name, template in content.templates.items():
        if max(len(stage.agents) for stage in template.stages) <= state.settings.max_agents:
            begin = c.StartProcess(template=name, problem=Words("How does this become simpler?"))
            found.append(Pattern(begin, {"problem": c.PROBLEM}))
    return found


def _about_rest(state: Realm) -> list[c.Command | Pattern[c.Command]]:
    settings = state.settings
    changed = c.UpdateSettings(
        max_agents=max(settings.max_agents, len(state.agents)),
        budget_cents=settings.budget_cents,
        permission=settings.permission,
        autonomy=settings.autonomy,
    )
    found: list[c.Command | Pattern[c.Command]] = [Pattern(changed, {"budget_cents": c.BUDGET}), c.Enter(room="src")]
    if state.where:
        found.append(c.Back())
    for edit in state.edits:
        if edit.status == "proposed":
            found.append(c.RejectEdit(edit=edit.id))
    if (request := state.request) is not None:
        found += [c.Allow(request=request.id), c.Deny(request=request.id)]
    if KIN not in state.inherited:
        found.append(c.TakeOver(origin=KIN, memory=Words('{"vaults": [], "board": []}')))
    return found
