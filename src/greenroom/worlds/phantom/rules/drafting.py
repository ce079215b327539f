"""Steps 6 to 9: what an agent writes from, what it writes, what it claims in it, and whether that may stand."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Alike, Facts, Failed, Latest, Objection, Read, Recall, Recalled, Roll
from greenroom.kernel.words import Scope
from greenroom.text.stems import telling
from greenroom.worlds.phantom.rules import claims, exchanges, prompts
from greenroom.worlds.phantom.rules.classify import others
from greenroom.worlds.phantom.rules.content import Agent, Content, plain
from greenroom.worlds.phantom.rules.minds import Mind, mind
from greenroom.worlds.phantom.rules.prompts import Context
from greenroom.worlds.phantom.rules.scene import NAME, Scene
from greenroom.worlds.phantom.rules.sentences import numbers, split, spoken, stands_in, tokens
from greenroom.worlds.phantom.rules.state import ClaimNote, Plan
from greenroom.worlds.phantom.rules.triggers import holds

MEMORIES = 5
#: How far back an agent minds not to write the same again, and what it is shown of what it knows of the player.
LATELY, MOST_LATELY, MOST_FACTS = timedelta(days=7), 30, 16
#: Characters of a letter.
LONGEST = {"sms": 1_200, "email": 3_000}
#: Previous owners of a channel whose past is looked into.
MOST_LEGACIES = 2
#: Words that a sentence may share with a closed truth before its meaning is looked at; how like it is that tells it.
SUSPECT, TELLS = 3, 0.74

#: What no character of a story says.
BREAKS = (
    "as an ai", "i am an ai", "im an ai", "language model", "i am a bot", "im a bot", "i am an assistant",
    "as an assistant", "im an assistant", "my instructions", "system prompt", "role play", "roleplay",
    "fictional character", "my training data", "i was trained", "openai", "the player", "this scenario",
    "in this story", "out of character",
)  # fmt: skip
#: What nobody can say who neither sees the use of the key nor was told of it.
USES = (
    "you used the key", "you have used the key", "youve used the key", "you opened the dashboard", "you turned the key",
    "you have opened the dashboard", "youve opened the dashboard", "i saw you * in", "you went in with the key",
    "you have turned the key", "youve turned the key", "i know you used it", "you used it last night", "i saw it turn",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    text: str
    claims: tuple[claims.StoryClaim, ...] = ()
    #: Older claims that were held against it, and how like them its own are, by number.
    against: tuple[ClaimNote, ...] = ()
    #: How it came about: ``first``, ``second``, ``third`` draft, or ``safe``.
    kind: str = "first"
    #: Why those before it may not stand.
    rejected: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        what = "replaced by a safe line" if self.kind == "safe" else "accepted"
        return f"{what}: {' '.join(self.rejected)}" if self.rejected else what


# 6 assemble


def assemble(scene: Scene, plan: Plan) -> Generator[Any, Any, Context]:
    """Fetch the words an agent may know: its own conversation and memories, and what it inherited."""
    agent, owed = plan.agent, plan.owed
    scope = Scope(world=NAME, owner=scene.given.owner, agent=agent)
    known = mind(scene.content, scene.state, agent, scene.at)
    answered = owed.words if owed is not None else ()
    known = replace(known, recent=tuple(line for line in known.recent if line.words.id not in answered))
    said = yield Read(answered)
    query = " ".join(said[id] for id in answered if id in said) or scene.agent(agent).subject
    texts, facts, lately, *found = yield (
        Read(tuple(line.words.id for line in known.recent)),
        Facts(scope=scope, query=query, limit=MOST_FACTS),
        Latest(scope=scope, speaker=agent, since=scene.at - LATELY, limit=MOST_LATELY),
        _recall(scene, agent, query, kinds=("message", "summary")),
        *_inherited(scene, known, query),
    )
    return Context(
        mind=known,
        situation=plan.situation,
        said=tuple(said[id] for id in answered if id in said),
        owed=owed,
        texts=texts,
        memories=tuple(one for answer in found for one in _found(answer)),
        arrives_at=max(plan.due_at, scene.at),
        zone=scene.state.timezone,
        facts=() if isinstance(facts, Failed) else tuple(facts),
        lately=tuple(_found(lately)),
        heard=exchanges.ripe(scene, agent) if plan.situation in ("reply", "follow_up") else None,
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


# 7 generate, 8 extract claims, 9 validate


def accepted(scene: Scene, context: Context) -> Generator[Any, Any, Draft]:
    """A draft that may stand: written anew with the reason while it may not, at most twice; then a prepared line."""
    agent = scene.agent(context.mind.agent)
    rejected: tuple[Objection, ...] = ()
    for kind in ("first", "second", "third"):
        answer = yield prompts.letter(scene.content, context, rejected)
        if not isinstance(answer, str) or not answer.strip():
            break
        draft, found = yield from _checked(scene, context, agent, answer.strip(), kind)
        if found is None:
            return replace(draft, rejected=tuple(one.reason for one in rejected))
        rejected = (*rejected, Objection(answer=draft.text, reason=found))
    return (yield from _safe(agent, context, tuple(one.reason for one in rejected)))


def _safe(agent: Agent, context: Context, reasons: tuple[str, ...]) -> Generator[Roll, Any, Draft]:
    """What the content has for the moment, or a line that claims nothing: never nothing, and never late."""
    own = context.situation in agent.lines and context.situation not in ("reply", "follow_up")
    lines = [one.text for one in agent.lines[context.situation] if plain(one)] if own else list(agent.safe)
    (i,) = yield Roll((len(lines),))
    return Draft(text=lines[i], kind="safe", rejected=reasons)


def _checked(
    scene: Scene, context: Context, agent: Agent, text: str, kind: str
) -> Generator[Any, Any, tuple[Draft, str | None]]:
    """The draft with its claims, and why it may not stand, if it may not."""
    draft, likes = yield from _claimed(scene, context, text, kind)
    found = _fault(scene, context, agent, draft, likes)
    if found is None and (yield from _tells_early(agent, context, text)):
        found = "It tells what may not be told yet."
    return draft, found


def _claimed(
    scene: Scene, context: Context, text: str, kind: str
) -> Generator[Any, Any, tuple[Draft, Mapping[str, Mapping[int, float]]]]:
    """The draft with its claims, which are kept only if the letter is; and how like older ones they mean."""
    name, agent = context.mind.agent, scene.agent(context.mind.agent)
    known = claims.by_rules(agent, text)
    answer = yield prompts.extract(scene.content, name, text)
    found = (*known, *(claims.by_model(answer, agent, text, known) or ()))
    weighty = claims.weighty(found)
    answers: Sequence[Any] = ()
    if weighty:
        answers = yield claims.search(weighty, Scope(world=NAME, owner=scene.given.owner, agent=name))
    against = {note.n: note for note in claims.brought_back(weighty, answers)}
    against |= {note.n: note for note in scene.character(name).claims}
    likes: dict[str, Mapping[int, float]] = {}
    for claim in found:
        bare = [note for note in against.values() if note.subject is None] if claim.subject is None else []
        if bare:
            alike = yield Alike(text=claim.claim, others=tuple(note.claim for note in bare))
            pairs = () if isinstance(alike, Failed) else zip(bare, alike, strict=True)
            likes[claim.claim] = {note.n: like for note, like in pairs}
    return Draft(text=text, claims=found, against=tuple(against.values()), kind=kind), likes


def _tells_early(agent: Agent, context: Context, text: str) -> Generator[Any, Any, bool]:
    """Whether a sentence means what stands behind a gate that is still closed."""
    closed = [one for name, one in agent.canon.items() if one.when is not None and name not in context.mind.opened]
    for sentence in split(text):
        words = set(telling(sentence))
        near = tuple(one.text for one in closed if len(words & set(telling(one.text))) >= SUSPECT)
        if near:
            likes = yield Alike(text=sentence, others=near)
            if not isinstance(likes, Failed) and max(likes, default=0.0) >= TELLS:
                return True
    return False


def _fault(
    scene: Scene, context: Context, agent: Agent, draft: Draft, likes: Mapping[str, Mapping[int, float]]
) -> str | None:
    """Why a draft may not stand, in a sentence for whoever writes the next one; None if it may."""
    said, most = spoken(draft.text), LONGEST[agent.channel]
    return (
        _broken(scene, context, agent, draft.text, said)
        or _impossible(scene, context, said)
        or _contradiction(draft, likes)
        or _lacking(scene.content, context, draft.text)
        or against_canon(scene.content, draft.text)
        or (f"It has {len(draft.text)} characters; {most} are allowed." if len(draft.text) > most else None)
    )


def _broken(scene: Scene, context: Context, agent: Agent, text: str, said: Sequence[str]) -> str | None:
    if stands_in(BREAKS, *said):
        return "It fell out of the story."
    for limit in agent.limits:
        lifted = limit.until is not None and holds(
            limit.until, scene.content, scene.state, scene.at, context.mind.agent
        )
        if not lifted and (stands_in(limit.patterns, *said) or any(sign in text for sign in limit.signs)):
            return limit.why
    return None


def _impossible(scene: Scene, context: Context, said: Sequence[str]) -> str | None:
    """What the agent cannot know: others it never heard of, a use of the key it never saw."""
    known = context.mind
    named = {name for sentence in said for name in others(scene.content, known.agent, sentence, roles=False)}
    if named - {*known.knows_about, *scene.agent(known.agent).knowledge.people, *_in_canon(scene.content, context)}:
        return "It names somebody the writer has never heard of."
    if not known.knows_of_use and stands_in(USES, *said):
        return "It tells of a use of the key that the writer cannot know of."
    return None


def _in_canon(content: Content, context: Context) -> Iterable[str]:
    """Whom an agent knows because what it may tell by now speaks of them."""
    agent = content.agents[context.mind.agent]
    told = (agent.canon[name].text for name in context.mind.opened if name in agent.canon)
    return {name for text in told for name in others(content, context.mind.agent, " ".join(tokens(text)), roles=False)}


def _contradiction(draft: Draft, likes: Mapping[str, Mapping[int, float]]) -> str | None:
    for claim in draft.claims:
        older = claims.contradicted(claim, draft.against, likes.get(claim.claim))
        if older is not None:
            return f"It contradicts what was said before: {older.claim}"
    return None


def _lacking(content: Content, context: Context, text: str) -> str | None:
    """What had to stand in the letter and does not."""
    situation = content.story.situations.get(context.situation)
    lacking = [one for one in situation.says if one not in text] if situation is not None else []
    return f"It does not say {lacking[0]}." if lacking else None


def against_canon(content: Content, text: str) -> str | None:
    """A number that a letter gets wrong; None if it gets none wrong."""
    for figure in content.story.figures:
        things = "|".join(map(re.escape, figure.of))
        for match in re.finditer(rf"([\w-]+(?: [\w-]+)?) (?:{things})\b", text, re.IGNORECASE):
            last = numbers(match[1].split(" ")[-1].replace("-", " "))
            told = last and (numbers(match[1].replace("-", " ")) | last)
            if told and not told & set(figure.numbers):
                return f"“{match[0]}” is not so. {figure.text}"
    return None
