"""Steps 6 to 9: what an agent writes from, what it writes, what it claims in it, and whether that may stand."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from greenroom.kernel.asks import Failed, Objection, Read, Recall, Recalled, Roll
from greenroom.kernel.words import Scope
from greenroom.worlds.phantom.rules import claims, exchanges, prompts
from greenroom.worlds.phantom.rules.classify import others
from greenroom.worlds.phantom.rules.content import Agent
from greenroom.worlds.phantom.rules.minds import Mind, mind
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import NAME, Scene
from greenroom.worlds.phantom.rules.sentences import match_tokens, split, tokens
from greenroom.worlds.phantom.rules.state import ClaimNote
from greenroom.worlds.phantom.rules.triggers import holds

#: A draft is written at most so often; then a safe line goes out.
TRIES = 3
MEMORIES = 5
#: Characters of a letter.
LONGEST = {"sms": 1_200, "email": 3_000}
#: Previous owners of a channel whose past is looked into.
MOST_LEGACIES = 2

#: What no character of a story says.
BREAKS = (
    "as an ai", "i am an ai", "im an ai", "language model", "i am a bot", "im a bot", "i am an assistant",
    "im an assistant", "my instructions", "system prompt", "role play", "fictional character",
)  # fmt: skip
#: What nobody can say who neither sees the use of the key nor was told of it.
USES = (
    "you used the key", "you have used the key", "youve used the key", "you opened the dashboard",
    "you have opened the dashboard", "youve opened the dashboard", "i saw you * in", "you went in with the key",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    text: str
    claims: tuple[claims.StoryClaim, ...] = ()
    #: Older claims that were held against it.
    against: tuple[ClaimNote, ...] = ()
    #: How it came about: ``first``, ``second``, ``third`` draft, or ``safe``.
    kind: str = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredMessage:
    """The message that is answered."""

    id: str
    text: str
    reading: Reading


# 6 assemble


def assemble(
    scene: Scene, agent: str, situation: str, heard: AnsweredMessage | None = None
) -> Generator[Any, Any, prompts.Context]:
    """Fetch the words an agent may know: its own conversation and memories, and what it inherited."""
    ripe = exchanges.ripe(scene, agent) if situation in ("reply", "follow_up") else None
    known = mind(scene.content, scene.state, agent, scene.at)
    said, id = (heard.text, heard.id) if heard else ("", "")
    known = replace(known, recent=tuple(line for line in known.recent if line.words.id != id))
    query = said or scene.agent(agent).subject
    texts, *found = yield (
        Read(tuple(line.words.id for line in known.recent)),
        _recall(scene, agent, query, kinds=("message", "summary")),
        *_inherited(scene, known, query),
    )
    return prompts.Context(
        mind=known,
        situation="surface" if ripe and "surface" in scene.agent(agent).lines else situation,
        said=said,
        reading=heard.reading if heard else None,
        texts=_fresh(scene, texts),
        memories=tuple(one for answer in found for one in _found(answer)),
        heard=ripe,
    )


def _recall(scene: Scene, agent: str, query: str, *, kinds: Sequence[str]) -> Recall:
    scope = Scope(world=NAME, owner=scene.given.owner, agent=agent)
    return Recall(query=query, scope=scope, limit=MEMORIES, where={"kind": list(kinds)})


def _inherited(scene: Scene, known: Mind, query: str) -> tuple[Recall, ...]:
    """What an heir reads of those before it: everything, or summaries alone."""
    if known.legacy is None:
        return ()
    kinds = ("summary",) if known.legacy.inheritance == "partial" else ("message", "summary")
    return tuple(_recall(scene, name, query, kinds=kinds) for name in known.legacy.agents[-MOST_LEGACIES:])


def _found(answer: Sequence[Recalled] | Failed) -> Sequence[Recalled]:
    return () if isinstance(answer, Failed) else answer


def _fresh(scene: Scene, texts: Mapping[str, str]) -> Mapping[str, str]:
    """Words that this very turn wrote are not in the bank yet."""
    return {**texts, **{memory.id: memory.text for memory in scene.memories if memory.text is not None}}


# 7 generate, 8 extract claims, 9 validate


def accepted(scene: Scene, context: prompts.Context) -> Generator[Any, Any, Draft]:
    """A draft that may stand: written anew with the reason while it may not, at most twice; then a safe line."""
    agent = scene.agent(context.mind.agent)
    rejected: tuple[Objection, ...] = ()
    for kind in ("first", "second", "third"):
        answer = yield prompts.letter(scene.content, context, rejected)
        if not isinstance(answer, str) or not answer.strip():
            break
        draft = yield from _claimed(scene, context, answer.strip(), kind)
        found = _fault(scene, context, agent, draft)
        if found is None:
            return draft
        rejected = (*rejected, Objection(answer=draft.text, reason=found))
    return (yield from _safe(agent))


def _safe(agent: Agent) -> Generator[Roll, Any, Draft]:
    (i,) = yield Roll((len(agent.safe),))
    return Draft(text=agent.safe[i], kind="safe")


def _claimed(scene: Scene, context: prompts.Context, text: str, kind: str) -> Generator[Any, Any, Draft]:
    """The draft with its claims; they are held, and kept only if the letter is."""
    name, agent = context.mind.agent, scene.agent(context.mind.agent)
    known = claims.by_rules(agent, text)
    answer = yield prompts.extract(name, agent.name, text)
    found = (*known, *(claims.by_model(answer, agent, text, known) or ()))
    weighty = claims.weighty(found)
    answers: Sequence[Any] = ()
    if weighty:
        answers = yield claims.search(weighty, Scope(world=NAME, owner=scene.given.owner, agent=name))
    against = {note.n: note for note in claims.brought_back(weighty, answers)}
    against |= {note.n: note for note in scene.character(name).claims}
    return Draft(text=text, claims=found, against=tuple(against.values()), kind=kind)


def _fault(scene: Scene, context: prompts.Context, agent: Agent, draft: Draft) -> str | None:
    """Why a draft may not stand, in a sentence for whoever writes the next one; None if it may."""
    said = [" ".join(tokens(sentence)) for sentence in split(draft.text)]
    return (
        _broken(scene, context, agent, draft.text, said)
        or _impossible(scene, context, said)
        or _contradiction(draft)
        or _length(agent, draft.text)
    )


def _broken(scene: Scene, context: prompts.Context, agent: Agent, text: str, said: Sequence[str]) -> str | None:
    if any(match_tokens(pattern, sentence) is not None for pattern in BREAKS for sentence in said):
        return "It fell out of the story."
    for limit in agent.limits:
        lifted = limit.until is not None and holds(
            limit.until, scene.content, scene.state, scene.at, context.mind.agent
        )
        matched = any(match_tokens(pattern, one) is not None for pattern in limit.patterns for one in said)
        if not lifted and (matched or any(sign in text for sign in limit.signs)):
            return limit.why
    return None


def _impossible(scene: Scene, context: prompts.Context, said: Sequence[str]) -> str | None:
    """What the agent cannot know: others it never heard of, a use of the key it never saw."""
    known = context.mind
    named = {name for sentence in said for name in others(scene.content, known.agent, sentence, roles=False)}
    if named - {*known.knows_about, *scene.agent(known.agent).knowledge.people}:
        return "It names somebody the writer has never heard of."
    if not known.knows_of_use and any(match_tokens(one, sentence) is not None for one in USES for sentence in said):
        return "It tells of a use of the key that the writer cannot know of."
    return None


def _contradiction(draft: Draft) -> str | None:
    for claim in draft.claims:
        older = claims.contradicted(claim, draft.against)
        if older is not None:
            return f"It contradicts what was said before: {older.claim}"
    return None


def _length(agent: Agent, text: str) -> str | None:
    most = LONGEST[agent.channel]
    return f"It has {len(text)} characters; {most} are allowed." if len(text) > most else None
