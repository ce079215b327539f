"""Why a reply came out as it did: the account of every ask of a model in its turn, as the ledger kept it."""

from __future__ import annotations

from collections.abc import Mapping

from greenroom.entrypoints.console.frame import Console, Query, say
from greenroom.kernel.errors import Malformed, UsageError
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.outline import event_words, inline
from greenroom.kit.console.wording import dollars, full, sentence
from greenroom.services.prompting import Prompted, PromptPassage
from greenroom.services.why import Account, PromptPart, Weighed, Why
from greenroom.text.counting import plural

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
    for prompted in await console.house.prompts(name, version):
        _words(prompted)
    _again(console, told)


# the prompt in words


def _words(prompted: Prompted) -> None:
    """A prompt as it was read, put together again from what is kept."""
    with (
        parts.section(f"The prompt of ask {prompted.ask}, in words", _exact(prompted)),
        parts.box("card account prompt"),
    ):
        for title, where in _PLACES:
            passages = [one for one in prompted.passages if one.where == where and one.texts]
            if passages:
                parts.tag("b", "", title)
            for passage in passages:
                _passage(passage)
        for answer, reason in prompted.objections:
            parts.chip("rejected by a check", "bad")
            parts.text(answer, "memory-words")
            parts.text(f"What was objected to: {reason}", "note")
        for raw in prompted.raw:
            parts.chip("as it came", "")
            parts.text(raw, "memory-words")


_PLACES = (
    ("System message", "system"),
    ("The conversation, as turns", "turns"),
    ("In the last message, between tags", "notes"),
    ("The newest words", "newest"),
    ("The instruction", "moment"),
)


def _exact(prompted: Prompted) -> str:
    match prompted.exact:
        case True:
            return "Put together again from what is kept: byte for byte what was asked."
        case False:
            return "Content, rules or memory have changed since: this is what the same turn would ask today."
        case None:
            return "Put together again from what is kept; nobody wrote down whether it is what was asked then."


def _passage(passage: PromptPassage) -> None:
    with parts.tag("details", "prompt-section"):
        parts.tag("summary", "", f"{passage.name.replace('_', ' ')} · {plural(len(passage.texts), 'text')}")
        for i, text in enumerate(passage.texts):
            own = passage.own[i] if i < len(passage.own) else None
            parts.text(text if own is None else f"{'character' if own else 'other'}: {text}", "memory-words")


# another model


def _again(console: Console, told: Why) -> None:
    """Ask the same again of somebody else, on a branch: both answers stand side by side."""
    cast = console.house.cast()
    if not cast or not told.asks or told.of != told.stream:
        return

    async def ask(fields: Mapping[str, str], key: str) -> bool:
        try:
            branch, reply = await console.house.again(told.stream, at=told.version, by=fields["by"])
        except UsageError as refusal:
            say(sentence(refusal), tone="bad")
            return False
        with beside, parts.box("card"):
            parts.tag("b", "", f"{fields['by']} ({cast[fields['by']]}), on the branch {branch.name}")
            parts.text(event_words(reply.body), "memory-words")
            parts.link("why", addresses.why(branch.name, reply.version), "link")
        return False

    with parts.section("Ask again with another model", "On a branch; what happened stays as it is."):
        with parts.form(ask, name="again", classes="say", label="Ask again"):
            parts.field("by", f"Role: {', '.join(cast)}", required=True, hint=next(iter(cast)))
            parts.submitter("Ask again")
        beside = parts.box("beside")


def _ids(told: Why) -> list[str]:
    return [memory.id for ask in told.asks for part in ask.sections or () for memory in part.memories]


def _head(told: Why) -> None:
    with parts.box("lobby-head"):
        parts.text("Why it came out like this", "page-title", kind="h1")
        parts.text(
            "What the model was given in this turn, and what it cost: read from the ledger, where it was written when "
            "it happened. The words of the prompt are put together again below, from what is kept.",
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
                ("Role", ask.role),
                ("Cost", _cost(ask)),
                ("Time", f"{ask.milliseconds:,} ms"),
                ("Tokens in", _tokens_in(ask)),
                ("Tokens out", f"{ask.output_tokens:,}"),
                ("Outcome", "answered" if ask.status == "ok" else ask.status),
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
    noted = [(name, inline(ask.noted[name])) for name in ("why", "objected", "calls") if ask.noted.get(name)]
    if noted:
        parts.facts(noted)


def _prompt(ask: Account, sections: tuple[PromptPart, ...], words: Mapping[str, str]) -> None:
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


def _section(part: PromptPart, most: int, words: Mapping[str, str]) -> None:
    with parts.tag("li", "prompt-section"):
        with parts.box("section-head"):
            parts.tag("b", "", part.name.replace("_", " "))
            parts.tag("span", "note", _kept(part))
            if part.dropped:
                parts.chip(f"{plural(part.dropped, 'text')} dropped for want of room", "bad")
            parts.tag("span", "tokens", plural(part.tokens, "token"))
        with parts.box("bar", aria_hidden="true"):
            if part.tokens:
                parts.box("bar-fill").style(f"width: {100 * part.tokens / most:.1f}%")
        if part.memories:
            weighed = any(memory.score is not None for memory in part.memories)
            label = "Memories recalled" if weighed else "Words it stands for"
            with parts.tag("ul", "memories", aria_label=label):
                for memory in reversed(part.memories):  # the best stand last in a prompt and first here
                    _memory(memory, words)


def _kept(part: PromptPart) -> str:
    if part.memories:
        return f"{plural(len(part.memories), 'memory', 'memories')} recalled"
    return plural(part.kept, "text") + " used" if part.kept else "empty"


def _memory(memory: Weighed, words: Mapping[str, str]) -> None:
    with parts.tag("li", "memory" if memory.kept else "memory dropped"):
        parts.tag("span", "score", "–" if memory.score is None else f"{memory.score:.3f}")
        parts.text(words.get(memory.id, REMOVED), "memory-words")
        if not memory.kept:
            parts.chip("dropped", "bad")
