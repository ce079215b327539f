"""Why a reply came out as it did: the account of every ask of a model in its turn, as the ledger kept it."""

from __future__ import annotations

from collections.abc import Mapping

from greenroom.entrypoints.console.frame import Console, Query
from greenroom.kernel.errors import Malformed
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.outline import event_words, inline
from greenroom.kit.console.wording import dollars, full, plural
from greenroom.services.why import Account, Part, Weighed, Why

UNDERSTUDY = "understudy"


async def build(console: Console, query: Query) -> None:
    name, version = query.needed("stream"), query.number("version")
    if version is None:
        raise Malformed("the address of this page names no version; go there by a link of the stream's page")
    told = await console.house.why(name, version)
    words = await console.house.texts(_ids(told))
    shown = [event async for event in console.house.events(name, seat=OPERATOR, after=version - 1, upto=version)]
    _head(told)
    with parts.section("What came of it"), parts.tag("ul", "card came"):
        for event in shown:
            with parts.tag("li", "event"):
                parts.tag("b", "", event.kind.replace("_", " "))
                parts.tag("span", "", f" {event_words(event.body)}")
    if not told.asks:
        parts.empty("No model was asked in this turn: the rules decided alone, or the clock did.")
    for ask in told.asks:
        _ask(ask, words)


def _ids(told: Why) -> list[str]:
    return [memory.id for ask in told.asks for part in ask.sections or () for memory in part.memories]


def _head(told: Why) -> None:
    with parts.box("lobby-head"):
        parts.text("Why it came out like this", "page-title", kind="h1")
        parts.text(
            "What the model was given in this turn, and what it cost: read from the ledger, where it was written when "
            "it happened. Nothing here is worked out again.",
            "lead",
        )
        with parts.box("play-where"):
            href = addresses.stream(told.stream, at=told.version)
            parts.link(f"{told.stream}, version {told.version}", href, "link mono")
            shared = f" of {told.of}, which this branch shares" if told.of != told.stream else ""
            parts.tag("span", "", f"attempt {told.attempt}{shared}, given by {told.by or 'somebody'}, {full(told.at)}")


def _ask(ask: Account, words: Mapping[str, str]) -> None:
    who = "The understudy" if ask.model == UNDERSTUDY else ask.model
    with parts.section(f"{who} was asked", _status(ask)), parts.box("card account"):
        parts.facts(
            (
                ("Model", "understudy (built in, no provider)" if ask.model == UNDERSTUDY else ask.model),
                ("Asked as", ask.role),
                ("Cost", _cost(ask)),
                ("Time", f"{ask.milliseconds:,} ms"),
                ("Tokens in", _tokens_in(ask)),
                ("Tokens out", f"{ask.output_tokens:,}"),
                ("Outcome", ask.status),
            ),
            "wide",
        )
        _notes(ask)
        if ask.sections is None:
            parts.empty("No prompt was put together for this ask.")
        else:
            _prompt(ask, ask.sections, words)


def _cost(ask: Account) -> str:
    return "unknown" if ask.noted.get("price") == "unknown" else dollars(ask.micro_dollars)


def _status(ask: Account) -> str:
    if ask.status == "ok":
        return ""
    return f"It did not go as planned: {ask.status}."


def _tokens_in(ask: Account) -> str:
    cached = f", {ask.cached_tokens:,} of them cached" if ask.cached_tokens else ""
    return f"{ask.input_tokens:,}{cached}"


def _notes(ask: Account) -> None:
    noted = [(name, inline(ask.noted[name])) for name in ("why", "calls") if ask.noted.get(name)]
    if noted:
        parts.facts(noted)


def _prompt(ask: Account, sections: tuple[Part, ...], words: Mapping[str, str]) -> None:
    used, budget = int(ask.noted.get("used", 0)), int(ask.noted.get("budget", 0))
    reserve = int(ask.noted.get("reserve", 0))
    if budget:
        parts.text(
            f"The prompt: {used:,} of {budget:,} tokens used, {reserve:,} set aside for the answer.", "prompt-words"
        )
    most = max((part.tokens for part in sections), default=0) or 1
    with parts.tag("ol", "sections", aria_label="Sections of the prompt"):
        for part in sections:
            _section(part, most, words)


def _section(part: Part, most: int, words: Mapping[str, str]) -> None:
    with parts.tag("li", "prompt-section"):
        with parts.box("section-head"):
            parts.tag("b", "", part.name.replace("_", " "))
            parts.tag("span", "note", _kept(part))
            if part.dropped:
                parts.chip(f"{plural(part.dropped, 'text')} dropped for want of room", "bad")
            parts.tag("span", "tokens", plural(part.tokens, "token"))
        with parts.box("bar", aria_hidden="true"):
            parts.box("bar-fill").style(f"width: {100 * part.tokens / most:.1f}%")
        if part.memories:
            with parts.tag("ul", "memories", aria_label="Memories recalled"):
                for memory in reversed(part.memories):  # the best stand last in a prompt and first here
                    _memory(memory, words)


def _kept(part: Part) -> str:
    if part.memories:
        return f"{plural(len(part.memories), 'memory', 'memories')} recalled"
    return plural(part.kept, "text") + " used" if part.kept else "empty"


def _memory(memory: Weighed, words: Mapping[str, str]) -> None:
    with parts.tag("li", "memory" if memory.kept else "memory dropped"):
        parts.tag("span", "score", "–" if memory.score is None else f"{memory.score:.3f}")
        parts.text(words.get(memory.id, REMOVED), "memory-words")
        if not memory.kept:
            parts.chip("dropped", "bad")
