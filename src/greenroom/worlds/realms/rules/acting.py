"""An agent's turn: a chain of wakes, each with one question to whoever plays it and at most one call of a tool."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any

from greenroom.kernel.asks import Ask, Failed, Read, WithUsage
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import CommandContext, Turn
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules import events as e
from greenroom.worlds.realms.rules import processes, prompts
from greenroom.worlds.realms.rules.actions import ACTIONS, ENDS, Deed, NotDone
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.pen import Pen
from greenroom.worlds.realms.rules.state import CALLS, CALLS_OUTSIDE, Agent, Autonomy, Errand, Realm
from greenroom.worlds.realms.rules.times import silent_at

#: Characters of a tool's answer that are kept.
KEPT = 70_000


def wake(content: Content, state: Realm, given: CommandContext[Any]) -> Turn[e.Event]:
    """Let the next thing happen that nobody needs to say."""
    pen = Pen(state, given)
    acting = state.acting
    silent = silent_at(state)
    if acting is not None and silent is not None:
        if given.at >= silent:
            pen.tell(e.TurnEnded(agent=acting.errand.agent, why="silence"))
            _rest(content, pen, acting.errand)
        return pen.done()
    if acting is None:
        yield from _next(content, pen)
    if pen.state.acting is not None and pen.state.acting.asked_at is None:
        yield from _act(content, pen, pen.state.acting.errand)
    return pen.done()


def _next(content: Content, pen: Pen) -> Generator[Ask, Any, None]:
    """Begin the next turn, or leave a stage that is done."""
    state = pen.state
    errand = state.agenda[0] if state.agenda else processes.next_errand(content, state)
    if errand is not None:
        agent = state.agent(errand.agent)
        pen.tell(e.TurnBegan(errand=errand, outside=agent is not None and agent.outside))
        if agent is None:
            pen.tell(e.TurnEnded(agent=errand.agent, why="dismissed"))
        return
    process = state.process
    if process is None or process.status != "running":
        return
    if process.autonomy == "autonomous":
        yield from processes.end_stage(content, pen)
    else:
        pen.tell(e.StageReady(stage=process.stage))


def _act(content: Content, pen: Pen, errand: Errand) -> Generator[Ask, Any, None]:
    agent = pen.state.agent(errand.agent)
    if agent is None:
        pen.tell(e.TurnEnded(agent=errand.agent, why="dismissed"))
        return
    texts = yield Read(prompts.wanted(content, pen.state, agent))
    answer = yield prompts.ask(content, pen.state, agent, texts)
    usage = answer.usage if isinstance(answer, WithUsage | Failed) else None
    if usage is not None and usage.cost:
        pen.tell(e.MoneySpent(cost=usage.cost))
    if isinstance(answer, Failed):
        _unanswered(pen, agent, answer.reason)
        return
    action = answer.value if isinstance(answer, WithUsage) else answer
    if isinstance(action, Mapping):
        yield from perform(content, pen, agent, action)
    else:
        pen.tell(e.TurnEnded(agent=agent.id, why="no answer"))
    _rest(content, pen, errand)


def _unanswered(pen: Pen, agent: Agent, reason: str) -> None:
    """Whoever plays an agent cannot answer, or the budget is spent: the turn stays open until a person goes on."""
    told = f"{agent.name} got no answer: {reason}. Everybody waits; approve to ask again, or change the settings."
    pen.tell(e.ChangeNoticed(words=pen.write(told[:1_000], agent="realm")))
    pen.tell(e.Held())


def _rest(content: Content, pen: Pen, errand: Errand) -> None:
    """Where nothing is done without a person, wait for one after every action."""
    process = pen.state.process
    autonomy: Autonomy = pen.state.settings.autonomy
    if errand.reason == "stage" and process is not None:
        autonomy = process.autonomy
    if autonomy == "manual":
        pen.tell(e.Held())


def perform(content: Content, pen: Pen, agent: Agent, action: Mapping[str, Any]) -> Generator[Ask, Any, str]:
    """Do what an agent chose, and tell it what came of it."""
    name, thought = action.get("action"), action.get("thought")
    if isinstance(thought, str) and thought.strip():
        pen.tell(e.Spoke(agent=agent.id, words=pen.write(thought.strip()[:2_000], agent=agent.id, kind="thought")))
    if name in ENDS:
        pen.tell(e.TurnEnded(agent=agent.id, why="done"))
        return "your turn is over"
    answer, failed = yield from _called(content, pen, agent, str(name), action)
    words = pen.write(answer[:KEPT], agent=agent.id, kind="tool")
    pen.tell(e.ToolAnswered(agent=agent.id, tool=str(name)[:40], words=words, failed=failed))
    acting, process = pen.state.acting, pen.state.process
    signalled = process is not None and process.signalled and name == "complete_stage"
    most = CALLS_OUTSIDE if agent.outside else CALLS
    if acting is not None and (len(acting.calls) >= most or signalled):
        pen.tell(e.TurnEnded(agent=agent.id, why="done" if signalled else "calls"))
    return answer


def _called(
    content: Content, pen: Pen, agent: Agent, name: str, action: Mapping[str, Any]
) -> Generator[Ask, Any, tuple[str, bool]]:
    given = {key: value for key, value in action.items() if key not in ("thought", "action") and value is not None}
    text = json.dumps(given, ensure_ascii=False, sort_keys=True)[:KEPT]
    pen.tell(e.ToolUsed(agent=agent.id, tool=name[:40], input=pen.write(text, agent=agent.id, kind="tool")))
    do = ACTIONS.get(name)
    if do is None:
        return f"there is no such action; there are {', '.join((*ACTIONS, *ENDS))}", True
    try:
        done = do(Deed(content, pen, agent, given))
        return (done if isinstance(done, str) else (yield from done)), False
    except NotDone as no:
        return str(no), True


def act_outside(content: Content, state: Realm, given: CommandContext[c.Act]) -> Turn[e.Event]:
    """Whoever holds an agent's seat acts in its turn.

    Raises:
        Refused: it is not its turn, or what came is not an action.
    """
    acting, agent = state.acting, state.agent(given.seat)
    if agent is None or not agent.outside:
        raise Refused("nobody outside holds this seat; register for it first")
    if acting is None or acting.errand.agent != given.seat or acting.asked_at is None:
        raise Refused("it is not your turn; wait for it to begin")
    text = given.command.action.text or ""
    if not c.ACTION.least <= len(text) <= c.ACTION.most:
        raise Refused(f"an action has {c.ACTION.least} to {c.ACTION.most} characters")
    try:
        action = json.loads(text)
    except ValueError:
        action = None
    if not isinstance(action, dict) or not isinstance(action.get("action"), str):
        raise Refused('an action is a JSON object with a field "action"')
    pen = Pen(state, given)
    pen.hear(given.command.action, agent=agent.id)
    yield from perform(content, pen, agent, action)
    _rest(content, pen, acting.errand)
    return pen.done()
