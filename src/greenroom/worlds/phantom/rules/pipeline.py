"""The life of one message of the player's: twelve steps, read from top to bottom."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Read, Roll
from greenroom.kernel.errors import Refused
from greenroom.worlds.phantom.rules import (
    channels,
    claims,
    drafting,
    engagement,
    exchanges,
    exposure,
    knowledge,
    lifecycle,
    prompts,
    readings,
    schedule,
    sessions,
    trust,
)
from greenroom.worlds.phantom.rules import classify as rules
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.commands import Receive
from greenroom.worlds.phantom.rules.consequences import follow
from greenroom.worlds.phantom.rules.drafting import AnsweredMessage, Draft
from greenroom.worlds.phantom.rules.minds import mind
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.sentences import tokens
from greenroom.worlds.phantom.rules.state import ContactKind

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
    notes: dict[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, "skipped"))

    def note(self, step: str, note: str) -> None:
        self.notes[step] = note


def message(scene: Scene, said: Receive) -> Generator[Any, Any, None]:
    """Take one message of the player's through the twelve steps.

    Raises:
        Refused: nobody has that address.
    """
    text = said.text.text or ""
    # 1 RECEIVE and route: whose channel it is
    prompt = _prompt(scene, said.channel)
    trace = receive(scene, said)
    if trace is None:
        return
    agent = trace.agent
    # 2 CLASSIFY: what it means
    reading = yield from classify(scene, agent, text)
    trace.note("classify", f"{reading.intent}, {reading.sentiment}, {reading.significance}, by {reading.by}")
    named = rules.others(scene.content, agent, " ".join(tokens(text)))
    told = len(scene.events)
    # 3 UPDATE STATE: trust, knowledge, exposure, engagement, lifecycle
    update(scene, trace, reading, named, text, prompt=prompt)
    trace.note("update_state", f"{len(scene.events) - told} changes")
    # 4 CHECK SIGNIFICANCE: a key moment is kept at once; an introduction queues an exchange
    queued = significance(scene, trace, reading, named)
    # 5 CHECK LIFECYCLE: whether the agent answers at all
    answers = yield from responds(scene, trace)
    if answers:
        # 6 ASSEMBLE CONTEXT
        heard = AnsweredMessage(id=said.text.id, text=text, reading=reading)
        context = yield from drafting.assemble(scene, agent, _situation(scene, agent), heard)
        trace.note("assemble_context", f"{len(context.memories)} memories, {len(context.mind.recent)} lines")
        # 7 GENERATE, 8 EXTRACT CLAIMS, 9 VALIDATE: until a draft may stand
        draft = yield from drafting.accepted(scene, context)
        trace.note("generate", f"{draft.kind} draft")
        trace.note("extract_claims", f"{len(draft.claims)} claims")
        trace.note("validate", "replaced by a safe line" if draft.kind == "safe" else "accepted")
        # 10 SCHEDULE: the agent's delay, by chance, times its lifecycle
        span = yield from delay(scene, agent, reading)
        trace.note("schedule", f"in {span.total_seconds() / 60:.0f} minutes")
        # 11 DELIVER: the letter is in the post, its claims with it
        key = yield from deliver(scene, agent, context, draft, span, answers=said.provider_id)
        trace.note("deliver", key)
    # 12 SYNC and evaluate: exchanges that were queued, then whatever follows
    exchanges.hold(scene, queued)
    yield from follow(scene)
    trace.note("sync", f"{len(queued)} exchanges")
    scene.tell(_processed(trace, reading, scene.events[told:], queued))


def _processed(
    trace: Tracing, reading: Reading, events: list[e.Event], queued: tuple[exchanges.Queued, ...]
) -> e.Processed:
    moved = (one for one in events if isinstance(one, e.TrustChanged))
    return e.Processed(
        message=trace.ref,
        agent=trace.agent,
        channel=trace.channel,
        steps=tuple(trace.notes.items()),
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
    engagement.returned(scene)
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
    known = channels.reachable(state) if state.started_at is not None else ("email", "sms")
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
    kind: ContactKind = "phone" if channels.medium(channel) == "sms" else "email"
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
    return scene.at - character.delivered_at <= trust.PROMPT


# 2


def classify(scene: Scene, agent: str, text: str) -> Generator[Any, Any, Reading]:
    """Ask a model; junk is asked for once more, then the rules decide."""
    known = mind(scene.content, scene.state, agent, scene.at)
    known = replace(known, recent=known.recent[:-1])  # the message itself stands in a section of its own
    texts = yield Read(tuple(line.words.id for line in known.recent[-prompts.CONTEXT :]))
    name = scene.agent(agent).name
    reading = None
    for again in (False, True):
        answer = yield prompts.classify(scene.content, known, text, texts, again=again)
        reading = readings.parsed(answer, text, scene.content.story.topics, name)
        if reading is not None:
            break
    return knowledge.checked(scene, agent, reading or rules.by_rules(scene.content, agent, text))


# 3, 4


def update(scene: Scene, trace: Tracing, reading: Reading, named: tuple[str, ...], text: str, *, prompt: bool) -> None:
    agent = trace.agent
    scene.tell(
        e.Classified(
            message=trace.ref,
            agent=agent,
            classification=readings.as_seed(reading, agent),
            topics=reading.topics,
            told_of_use=reading.did("key_use_claim"),
            names=tuple(name for name in named if name in scene.content.agents),
        )
    )
    trust.from_message(scene, agent, reading, trace.ref, prompt=prompt)
    if reading.did("shares_agent_secret"):
        words = " ".join(tokens(text))
        trust.betray(scene, rules.betrayed(scene.content, named, words) or named, trace.ref)
    knowledge.from_message(scene, agent, trace.channel, reading, trace.ref)
    exposure.from_message(scene, reading)
    lifecycle.evaluate(scene)


def significance(
    scene: Scene, trace: Tracing, reading: Reading, named: tuple[str, ...]
) -> tuple[exchanges.Queued, ...]:
    if reading.moment is not None:
        sessions.keep_moment(scene, trace.agent, reading.moment, reading.summary)
    queued = exchanges.queue(scene, trace.agent, named, reading)
    trace.note("check_significance", f"{reading.moment or 'no key moment'}, {len(queued)} exchanges queued")
    return queued


# 5


def responds(scene: Scene, trace: Tracing) -> Generator[Roll, Any, bool]:
    """Gone agents never answer; cooling and silent ones by their probability; one with letters waiting, later."""
    character = scene.character(trace.agent)
    if character.level == "gone" or not scene.state.sending:
        trace.note("check_lifecycle", f"{character.level}: no answer")
        return False
    if schedule.full(scene, trace.agent):
        trace.note("check_lifecycle", f"{character.level}: its letters are still waiting")
        return False
    luck = 0
    if character.probability < 1:
        (luck,) = yield Roll((1000,))
    answers = luck < character.probability * 1000
    trace.note("check_lifecycle", f"{character.level}: {'answers' if answers else 'does not answer'}")
    return answers


# 6, 10, 11


def _situation(scene: Scene, agent: str) -> str:
    """Whoever is written to before having written introduces itself; only then does it answer."""
    return "reply" if f"{agent}_first_contact" in scene.state.milestones else "first_contact"


def delay(scene: Scene, agent: str, reading: Reading) -> Generator[Roll, Any, timedelta]:
    """The time an answer takes: short where the agent is eager or has never written, longer as it cools."""
    delays = scene.agent(agent).delays
    first = _situation(scene, agent) == "first_contact"
    eager = first or any(reading.did(behaviour) for behaviour in delays.eager_when)
    span: timedelta = yield from schedule.delay(delays.eager if eager else delays.usual)
    return span * scene.character(agent).multiplier


def deliver(
    scene: Scene, agent: str, context: prompts.Context, draft: Draft, span: timedelta, *, answers: str = ""
) -> Generator[Roll, Any, str]:
    """Put a letter into the post and its words into the agent's own memory."""
    words = scene.remember(agent, draft.text, speaker=agent)
    key: str = yield from schedule.post(scene, agent, context.situation, words, scene.at + span, answers=answers)
    claims.keep(scene, agent, draft.claims, draft.against, key)
    if context.heard is not None and draft.kind != "safe":
        scene.tell(e.ExchangeSurfaced(n=context.heard.n, agent=agent, message=key))
    return key


def own_letter(scene: Scene, agent: str, situation: str) -> Generator[Any, Any, str]:
    """A letter of the agent's own accord: steps 6 to 11, at once."""
    context = yield from drafting.assemble(scene, agent, situation)
    draft = yield from drafting.accepted(scene, context)
    return (yield from deliver(scene, agent, context, draft, timedelta(0)))
