"""What a cast knows: memories found by a question, and what a model was given when it spoke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.entrypoints.cli.streams import Name
from greenroom.kit.cli import text
from greenroom.kit.cli.session import Printed, Session, command

if TYPE_CHECKING:
    from greenroom.services.house import House, Remembered
    from greenroom.services.why import Account, PromptPart, Why

Query = Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in words.", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Whose memories; every agent's of the owner by default.")]
Wait = Annotated[float, typer.Option("--wait", min=0, help="Seconds to wait for vectors that are lacking.")]
Version = Annotated[int, typer.Argument(metavar="VERSION", help="A version of the stream.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    command(app, "recall")(recall)
    command(app, "why")(why)


# recall


async def recall(
    session: Session, stream: Name, query: Query, *, limit: Limit = 10, agent: Agent = None, wait: Wait = 5.0
) -> Printed:
    """Search the memories of a stream's owner.

    As the stream may know them now, best first, with what each scored. Says what recall went by: words alone, or
    words and vectors, and how many memories lack one.
    """
    async with session.house() as house:
        found = await house.recall(stream, query, agent=agent, limit=limit)
        if found.lacking and await _fewer_lack(house, found, wait):
            found = await house.recall(stream, query, agent=agent, limit=limit)
    data = {
        "stream": stream,
        "world": found.scope.world,
        "owner": found.scope.owner,
        "agent": found.scope.agent,
        "memories": found.memories,
        "text_only": found.lacking is None,
        "lacking": found.lacking,
        "found": [
            {"id": hit.id, "score": round(hit.score, 4), "speaker": hit.speaker, "kind": hit.kind, "text": hit.text}
            for hit in found.found
        ],
    }
    return Printed(data, _found(found))


async def _fewer_lack(house: House, found: Remembered, seconds: float) -> bool:
    """Give the vectors that the search began to make some time; whether there are more of them now."""
    import asyncio

    from greenroom.kit.cli.progress import Bar

    left, total = found.lacking or 0, found.lacking or 0
    with Bar("vectors") as bar:
        for _ in range(round(seconds * 10)):
            await asyncio.sleep(0.1)
            left = await house.lacking(found.scope) or 0
            bar(total - left, total)
            if not left:
                break
    return left < total


def _found(remembered: Remembered) -> Any:
    if not remembered.found:
        return f"nothing found\n{_went_by(remembered)}"
    rows = ((f"{hit.score:.3f}", hit.speaker, text.scalar(hit.text), hit.id) for hit in remembered.found)
    lines = text.table(("score", "speaker", "words", "memory"), rows)
    lines.caption, lines.caption_justify = _went_by(remembered), "left"
    return lines


def _went_by(remembered: Remembered) -> str:
    scope = remembered.scope
    whose = f"{scope.owner} in {scope.world}" + (f", heard by {scope.agent}" if scope.agent else "")
    match remembered.lacking:
        case None:
            how = "recall goes by words only"
        case 0:
            how = "all of them have vectors"
        case lacking:
            how = f"{lacking} of them lack a vector and are found by their words alone"
    return f"{_plural(remembered.memories, 'memory', 'memories')} of {whose}; {how}"


# why


async def why(session: Session, stream: Name, version: Version) -> Printed:
    """Tell why a version came out as it did.

    The account of every ask of a model in the turn that made it: sections with tokens, used and dropped, memories
    with their scores, model, cost, milliseconds and status. Read from the ledger; the console also shows the prompt
    in words.
    """
    async with session.house() as house:
        told = await house.why(stream, version)
        words = {} if session.as_json else await house.texts(_ids(told))
    return Printed(_as_data(told), "\n".join(_lines(told, words)))


def _ids(told: Why) -> list[str]:
    parts = (part for ask in told.asks for part in ask.sections or ())
    return [memory.id for part in parts for memory in part.memories]


def _as_data(told: Why) -> dict[str, Any]:
    from dataclasses import asdict

    asks = [asdict(ask) for ask in told.asks]
    for ask in asks:
        ask["cost"] = ask.pop("micro_dollars") / 1_000_000
    return {**asdict(told), "asks": asks}


def _lines(told: Why, words: Mapping[str, str]) -> list[str]:
    shared = f", shared with {told.of}" if told.of != told.stream else ""
    lines = [
        f"stream {told.stream}, version {told.version}{shared}: attempt {told.attempt} of {told.by or 'somebody'}",
        f"  {text.moment(told.at)} UTC, {', '.join(told.events)}",
    ]
    if not told.asks:
        lines.append("  the ledger has no ask of a model for this turn")
    return [*lines, *(line for ask in told.asks for line in _asked(ask, words))]


def _asked(ask: Account, words: Mapping[str, str]) -> list[str]:
    used = f"{ask.input_tokens} tokens in ({ask.cached_tokens} cached), {ask.output_tokens} out"
    lines = [
        "",
        f"  ask {ask.ask}: {ask.role}, played by {ask.model}: {ask.status}",
        f"    {used}, {_cost(ask)}, {ask.milliseconds} ms",
    ]
    lines += [
        f"    {name}: {text.inline(ask.noted[name])}" for name in ("why", "objected", "calls") if ask.noted.get(name)
    ]
    if ask.sections is None:
        return [*lines, "    no prompt was put together"]
    if "used" in ask.noted:
        noted = ask.noted
        lines.append(f"    budget {noted['budget']} tokens: {noted['used']} used, {noted['reserve']} set aside")
    return [*lines, *(line for part in ask.sections for line in _part(part, words))]


def _part(part: PromptPart, words: Mapping[str, str]) -> list[str]:
    from greenroom.kernel.words import REMOVED

    dropped = f", {part.dropped} dropped" if part.dropped else ""
    lines = [f"    {part.name:<12} {part.tokens:>5} tokens, {_plural(part.kept, 'text', 'texts')} used{dropped}"]
    for memory in reversed(part.memories):  # the best stand last in a prompt and first here
        score = "" if memory.score is None else f"{memory.score:.3f} "
        left_out = "" if memory.kept else "(dropped) "
        lines.append(f"      {score}{left_out}{memory.id}: {text.scalar(words.get(memory.id, REMOVED))}")
    return lines


def _cost(ask: Account) -> str:
    unknown = ask.noted.get("price") == "unknown"
    return "price unknown" if unknown else f"${ask.micro_dollars / 1_000_000:.6f}"


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
