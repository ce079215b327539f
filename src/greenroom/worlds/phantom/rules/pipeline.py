"""The life of one message of the player's: twelve steps, read from top to bottom.

When it comes: 1 to 5, 10 and 12, and an answer is owed. Shortly before that is due: 5 again, 6 to 9, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Failed, Notice, Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.facts import noted
from greenroom.kernel.words import Scope
from greenroom.worlds.phantom.rules import (
    claims,
    classify,
    consequences,
    drafting,
    exchanges,
    knowledge,
    lifecycle,
    readings,
    schedule,
    standing,
)
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.commands import Receive
from greenroom.worlds.phantom.rules.prompts import Context
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import NAME, Scene
from greenroom.worlds.phantom.rules.sentences import tokens, unaddressed
from greenroom.worlds.phantom.rules.state import ContactKind, Owed, Plan, medium

STEPS = (
    "receive", "classify", "update_state", "check_significance", "check_lifecycle", "assemble_context",
    "generate", "extract_claims", "validate", "schedule", "deliver", "sync",
)  # fmt: skip

NOT_BEGUN = "the game has not begun; press Start first"
#: A message that is one of these words, and nothing else, ends or resumes all sending.
STOP = ("stop", "stopall", "unsubscribe", "cancel", "end", "quit")
RESUME = ("start", "unstop")


@dataclass(slots=True)
class Tracing:
    """What each step came to, in ids and names."""

    ref: str
    agent: str
    channel: str
    notes: dict[str, str] = field(default_factory=dict)

    def note(self, step: str, note: str) -> None:
        self.notes[step] = note

    def steps(self, rest: str = "skipped") -> tuple[tuple[str, str], ...]:
        return tuple((step, self.notes.get(step, rest)) for step in STEPS)


def message(scene: Scene, said: Receive) -> Generator[Any, Any, None]:
    """Take one message of the player's through the steps that do not wait.

    Raises:
        Refused: nobody has that address.
    """
    # 1 RECEIVE and route: whose channel it is
    prompt = _prompt(scene, said.channel)
    trace = receive(scene, said)
    if trace is None:
        return
    # 2 CLASSIFY: what it means, and what it tells of the player
    reading = yield from classify.read(scene, trace.agent, said.text.text or "")
    yield from _notice(scene, trace.agent, said)
    trace.note("classify", f"{reading.intent}, {reading.sentiment}, {reading.significance}, by {reading.by}")
    told = len(scene.events)
    # 3 UPDATE STATE: trust, knowledge, exposure, puzzles, lifecycle
    yield from update(scene, trace, reading, prompt=prompt)
    trace.note("update_state", f"{len(scene.events) - told} changes")
    # 4 CHECK SIGNIFICANCE: a key moment is kept at once; an introduction queues an exchange
    queued = significance(scene, trace, reading)
    # 5 CHECK LIFECYCLE: whether the agent answers at all
    if (yield from responds(scene, trace)):
        # 10 SCHEDULE: an answer is owed at a moment, by chance, times the agent's lifecycle
        yield from owe(scene, trace, reading, said)
    # 12 SYNC and evaluate: exchanges that were queued, then whatever follows
    exchanges.hold(scene, queued)
    yield from consequences.follow(scene)
    trace.note("sync", f"{len(queued)} exchanges")
    waits = "when the answer is due" if schedule.owing(scene.state, trace.agent) else "skipped"
    scene.tell(_processed(trace, reading, scene.events[told:], queued, waits))


def letter(scene: Scene, plan: Plan) -> Generator[Any, Any, None]:
    """Write a letter that is due in a moment: the other steps of a message, or an agent's own accord."""
    refs = plan.owed.refs if plan.owed is not None else ("",)
    trace = Tracing(ref=refs[-1], agent=plan.agent, channel=scene.state.voice_of(plan.agent))
    # 5 CHECK LIFECYCLE once more: much may have happened since
    if not still_writes(scene, trace, plan):
        return
    # 6 ASSEMBLE CONTEXT
    context = yield from drafting.assemble(scene, plan)
    trace.note("assemble_context", f"{len(context.memories)} memories, {len(context.mind.recent)} lines")
    # 7 GENERATE, 8 EXTRACT CLAIMS, 9 VALIDATE: until a draft may stand
    draft = yield from drafting.accepted(scene, context)
    trace.note("generate", f"{draft.kind} draft")
    trace.note("extract_claims", f"{len(draft.claims)} claims")
    trace.note("validate", draft.verdict)
    # 11 DELIVER: the letter is in the post, its claims with it
    key = yield from deliver(scene, plan, context, draft)
    trace.note("deliver", key)
    # 12 SYNC and evaluate
    yield from consequences.follow(scene)
    trace.note("sync", "joined")
    _joined(scene, trace, refs)


def _joined(scene: Scene, trace: Tracing, refs: tuple[str, ...]) -> None:
    """The second half of the trace, for every message that the letter answers; the newest last."""
    for ref in refs:
        if ref:
            steps = tuple((step, note) for step, note in trace.notes.items())
            scene.tell(e.Processed(message=ref, agent=trace.agent, channel=trace.channel, steps=steps))


def _processed(
    trace: Tracing, reading: Reading, events: list[e.Event], queued: tuple[exchanges.Queued, ...], waits: str
) -> e.Processed:
    moved = (one for one in events if isinstance(one, e.TrustChanged))
    return e.Processed(
        message=trace.ref,
        agent=trace.agent,
        channel=trace.channel,
        steps=trace.steps(waits),
        intent=reading.intent,
        changes=tuple(f"trust_{one.agent}: {one.delta:+d}" for one in moved),
        exchanges=tuple(f"{one.giver} to {one.receiver}: {one.trigger}" for one in queued),
    )


# 1


def receive(scene: Scene, said: Receive) -> Tracing | None:
    """Store the message and say whose it is; None if it was for the house, or nothing may be sent."""
    word = "".join(tokens(said.text.text or ""))
    owner = _addressee(scene, said.channel, word)
    ref = f"in.{scene.state.counts.received + 1}"
    words = scene.hear(said.text, owner or "house")
    scene.tell(e.MessageReceived(ref=ref, channel=said.channel, agent=owner, words=words, provider_id=said.provider_id))
    if scene.state.presence.level != "active":
        scene.tell(e.EngagementMoved(now="active"))
    if owner is None:
        _house(scene, word, said.channel)
        return None
    schedule.overtaken(scene, owner)
    trace = Tracing(ref=ref, agent=owner, channel=said.channel)
    trace.note("receive", f"{said.channel} to {owner}")
    return trace


def _addressee(scene: Scene, channel: str, word: str) -> str | None:
    """Whose message it is; None for one that is the house's own, or that comes while nothing may be sent.

    An address is obeyed before the story has begun, too: somebody else may have signed it up.
    """
    state = scene.state
    known = state.reachable() if state.started_at is not None else ("email", "sms")
    if channel not in known:
        raise Refused(f"nobody in this story has that address; there are {', '.join(known)}")
    if word in STOP or state.opted_out:
        return None
    if state.started_at is None:
        raise Refused(NOT_BEGUN)
    return state.channels[channel].owner


def _house(scene: Scene, word: str, channel: str) -> None:
    """STOP ends all sending at once and is confirmed once, where it came from; START takes it up again."""
    letters = scene.content.story.letters
    kind: ContactKind = "phone" if medium(channel) == "sms" else "email"
    if word in STOP and not scene.state.opted_out:
        opt_out(scene)
        schedule.system(scene, letters.stopped, kind, "stopped")
    elif word in RESUME and scene.state.opted_out:
        scene.tell(e.OptedIn())
        schedule.system(scene, letters.resumed, kind, "resumed")


def opt_out(scene: Scene) -> None:
    scene.tell(e.OptedOut())
    schedule.stop(scene, "the player wants no more letters")


def _prompt(scene: Scene, channel: str) -> bool:
    """Whether this answers a letter within four hours; only the first answer counts."""
    owner = scene.state.channels.get(channel)
    character = scene.state.cast[owner.owner] if owner else None
    if character is None or character.answered or character.delivered_at is None:
        return False
    return scene.at - character.delivered_at <= standing.PROMPT


# 2


def _notice(scene: Scene, agent: str, said: Receive) -> Generator[Any, Any, None]:
    """What the player told of themselves is known to the agent it was told to."""
    scope = Scope(world=NAME, owner=scene.given.owner, agent=agent)
    told = unaddressed(said.text.text or "", scene.agent(agent).name)  # "Dear Miro" is not what the player is called
    found = yield Notice(text=told, scope=scope, source=said.text.id)
    if not isinstance(found, Failed) and found:
        learnt, facts = noted(scene.given, found, agent=agent, source=said.text, first=scene.spoken(len(found)))
        scene.memories += facts
        for event in learnt:
            scene.tell(event)


# 3, 4


def update(scene: Scene, trace: Tracing, reading: Reading, *, prompt: bool) -> Generator[Any, Any, None]:
    agent = trace.agent
    scene.tell(
        e.Classified(
            message=trace.ref,
            agent=agent,
            classification=readings.as_seed(reading, agent),
            topics=reading.topics,
            told_of_use=reading.did("key_use_claim"),
            names=tuple(name for name in reading.named if name in scene.content.agents),
        )
    )
    standing.trust_from_message(scene, agent, reading, trace.ref, prompt=prompt)
    if reading.did("shares_agent_secret"):
        standing.betray(scene, reading.betrayed or reading.named, trace.ref)
    knowledge.from_message(scene, agent, trace.channel, reading, trace.ref)
    standing.expose_from_message(scene, reading)
    yield from consequences.settle(scene, agent, reading.solved, trace.ref)
    lifecycle.evaluate(scene)


def significance(scene: Scene, trace: Tracing, reading: Reading) -> tuple[exchanges.Queued, ...]:
    if reading.moment is not None:
        knowledge.keep_moment(scene, trace.agent, reading.moment, reading.summary)
    queued = exchanges.queue(scene, trace.agent, reading.named, reading)
    doubts = f", in doubt: {', '.join(reading.doubts)}" if reading.doubts else ""
    trace.note("check_significance", f"{reading.moment or 'no key moment'}, {len(queued)} exchanges queued{doubts}")
    return queued


# 5


def responds(scene: Scene, trace: Tracing) -> Generator[Roll, Any, bool]:
    """Gone agents never answer; cooling and silent ones by their probability; one that owes an answer, with that."""
    character = scene.character(trace.agent)
    if character.level == "gone" or not scene.state.sending:
        trace.note("check_lifecycle", f"{character.level}: no answer")
        return False
    luck = 0
    if character.probability < 1 and schedule.owing(scene.state, trace.agent) is None:
        (luck,) = yield Roll((1000,))
    answers = luck < character.probability * 1000
    trace.note("check_lifecycle", f"{character.level}: {'answers' if answers else 'does not answer'}")
    return answers


def still_writes(scene: Scene, trace: Tracing, plan: Plan) -> bool:
    """Whether the agent is still there to write what it meant to; if not, the trace says why."""
    level = scene.character(plan.agent).level
    reason = "the agent is gone" if level == "gone" else "nothing is sent to the player now"
    if level != "gone" and scene.state.sending:
        if consequences.still_wanted(scene, plan.trigger):
            trace.note("check_lifecycle", f"{level}: writes")
            return True
        reason = "what it was to be about is over"
    scene.tell(e.PlanDropped(n=plan.n, reason=reason, again=True))
    trace.note("check_lifecycle", f"{level}: does not answer, {reason}")
    _joined(scene, trace, plan.owed.refs if plan.owed is not None else ())
    return False


# 10, 11


def owe(scene: Scene, trace: Tracing, reading: Reading, said: Receive) -> Generator[Any, Any, None]:
    agent = trace.agent
    situation = "reply" if f"{agent}_first_contact" in scene.state.milestones else "first_contact"
    span = yield from delay(scene, agent, reading, first=situation == "first_contact")
    owed = Owed(
        refs=(trace.ref,),
        words=(said.text.id,),
        topics=reading.topics,
        doubts=reading.doubts,
        solved=reading.solved,
        near=reading.near,
        provider_id=said.provider_id,
    )
    due_at = yield from schedule.owe(scene, agent, situation, scene.at + span, owed)
    trace.note("schedule", "too much is planned already" if due_at is None else f"owes an answer at {due_at:%a %H:%M}")


def delay(scene: Scene, agent: str, reading: Reading, *, first: bool) -> Generator[Roll, Any, timedelta]:
    """The time an answer takes: short where the agent is eager or has never written, longer as it cools."""
    delays = scene.agent(agent).delays
    eager = first or any(reading.did(behaviour) for behaviour in delays.eager_when)
    span: timedelta = yield from schedule.delay(delays.eager if eager else delays.usual)
    return span * scene.character(agent).multiplier


def deliver(scene: Scene, plan: Plan, context: Context, draft: drafting.Draft) -> Generator[Roll, Any, str]:
    """Put a letter into the post and its words into the agent's own memory."""
    words = scene.remember(plan.agent, draft.text, speaker=plan.agent)
    key: str = yield from schedule.post(scene, plan.agent, plan.situation, words, of=plan)
    claims.keep(scene, plan.agent, draft.claims, draft.against, key)
    if context.heard is not None and draft.kind != "safe":
        scene.tell(e.ExchangeSurfaced(n=context.heard.n, agent=plan.agent, message=key))
    return key
