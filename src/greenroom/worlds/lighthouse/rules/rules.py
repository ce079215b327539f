"""The rules: what follows from a command or from the clock, and what each event changes."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Literal, TypeAlias, assert_never

from greenroom.kernel.asks import Facts, Failed, Json, Latest, Notice, Noticed, Read, Recall, Recalled, Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.facts import Correct, Noted, corrected, noted
from greenroom.kernel.words import RAW, Memory, Scope, Words
from greenroom.kernel.worlds import OPERATOR, CommandContext, Done, EventContext, Pattern, Seat, Text, Turn, Wake, done
from greenroom.recall.reading import facts_in, reading
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules import prompts, speaking
from greenroom.worlds.lighthouse.rules.content import Content
from greenroom.worlds.lighthouse.rules.state import KEEPER, RECENT, VISITOR, Lighthouse, Line
from greenroom.worlds.lighthouse.rules.views import view

NAME = "lighthouse"

Chore: TypeAlias = Literal["lamp", "bed", "notes"]

#: How far back the keeper minds not to say the same again.
LATELY, MOST_LATELY = timedelta(days=7), 60
#: The visitor's lines are read for facts after so long a silence, or so many lines.
NOTES_IDLE, NOTES_LINES = timedelta(minutes=10), 20
#: Facts of a visitor among which a correction finds its own.
MOST_FACTS = 400
#: Words of somebody who wants to hear it.
ASKS_FOR_IT = ("marigold", "happened", "that night", "truth", "secret", "the boat", "wreck", "tell me")
#: Beginnings of a question, for those who write no question mark.
QUESTIONS = ("what", "who", "where", "when", "why", "how", "which", "do you", "did i", "are you", "is it", "my ")

# what follows


def arrive(content: Content, given: CommandContext[c.Visit]) -> Turn[e.Event]:
    """The visitor comes ashore; dice choose the weather and what the keeper has to hide."""
    secrets, weathers = tuple(content.secrets), tuple(content.weather)
    dice, lately = yield (
        Roll((len(secrets), len(weathers))),
        Latest(scope=_scope(given.owner), speaker=KEEPER, since=given.at - LATELY, limit=MOST_LATELY),
    )
    secret, weather = dice
    before: Sequence[Recalled] = () if isinstance(lately, Failed) else lately
    return done(
        e.Arrived(
            secret=secrets[secret],
            weather=weathers[weather],
            lamp=content.hours.lamp(given.at),
            trust=content.trust.start,
            lately=tuple(Words(id=one.id) for one in before),
            last_at=before[0].at if before else None,
        )
    )


def _scope(owner: str) -> Scope:
    return Scope(world=NAME, owner=owner, agent=KEEPER)


def handle(content: Content, state: Lighthouse, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command of the visitor, or about the clock.

    Raises:
        Refused: it is not the visitor who asks, the visit is over, or a text has the wrong length.
    """
    command: c.Command | Wake = given.command
    if isinstance(command, Correct):
        return (yield from _correct(given))
    if not isinstance(command, Wake):
        _admit(state, given.seat)
    match command:
        case c.Say():
            return (yield from _talk(content, state, given))
        case c.Climb():
            return (yield from _climb(content))
        case c.Write():
            return _take_letter(content, given)
        case c.Leave():
            return done(e.Left())
        case Wake():
            return (yield from _keep_watch(content, state, given))
        case _:
            assert_never(command)


def _admit(state: Lighthouse, seat: Seat) -> None:
    if seat != VISITOR:
        raise Refused(f"only the seat {VISITOR!r} gives commands here; the keeper acts by herself")
    if state.started_at is None:
        raise Refused("the visit has not begun")
    if state.ended_at is not None:
        raise Refused("the visit is over: the visitor has left the rock; start a new one")


def _fitting(what: str, text: str | None, limit: Text) -> str:
    """The text, if it has the right length; the refusal gives the limit and never the text."""
    text = text or ""
    if not limit.least <= len(text) <= limit.most:
        raise Refused(f"{what} has {limit.least} to {limit.most} characters; this one has {len(text)}")
    return text


def _talk(content: Content, state: Lighthouse, given: CommandContext[c.Say]) -> Turn[e.Event]:
    said = _fitting("a thing said", given.command.text.text, c.SPEECH)
    scope = _scope(given.owner)
    texts, recalled, facts, noticed = yield (
        Read(tuple(words.id for words in (*(line.words for line in state.recent), *state.lately))),
        Recall(query=said, scope=scope, limit=2 * prompts.MOST_RECALLED),
        Facts(scope=scope, query=said),
        Notice(text=said, scope=scope, source=given.command.text.id),
    )
    tells = _is_the_moment(content, state, said)
    brought = prompts.Brought(
        said=said, texts=texts, recalled=recalled, facts=facts, tells=tells, guest=isinstance(noticed, Failed)
    )
    ask = prompts.ask(content, state, view(content, state, KEEPER, given.at), brought)
    spoken = yield from speaking.spoken(content, state, ask, tells=tells)
    return _conversation(content, state, given, spoken, noticed)


def _is_the_moment(content: Content, state: Lighthouse, said: str) -> bool:
    """Whether she tells it now: she trusts the visitor enough, and is not in the middle of answering something else."""
    if state.told or state.trust < content.trust.tells_at:
        return False
    asks = said.rstrip().endswith("?") or said.casefold().startswith(QUESTIONS)
    return not asks or any(word in said.casefold() for word in ASKS_FOR_IT)


def _conversation(
    content: Content,
    state: Lighthouse,
    given: CommandContext[c.Say],
    spoken: speaking.Spoken,
    noticed: Sequence[Noticed] | Failed,
) -> Done[e.Event]:
    theirs = not isinstance(noticed, Failed)
    found = () if isinstance(noticed, Failed) else noticed
    heard = given.hear(given.command.text, agent=KEEPER)
    line = given.memory(0, agent=KEEPER, speaker=KEEPER, text=spoken.line)
    rejected = tuple(
        given.memory(1 + i, agent=RAW, text=one.answer, kind=RAW, meta={"objected": one.reason})
        for i, one in enumerate(spoken.rejected)
    )
    learnt, facts = noted(given, found, agent=KEEPER, source=given.command.text, first=1 + len(rejected))
    trust = content.trust.moved(state.trust, spoken.mood)
    told = (e.SecretTold(secret=state.secret, in_words=True),) if spoken.tells and not state.told else ()
    return done(
        e.Said(words=given.command.text, theirs=theirs),
        e.Answered(words=line.words, mood=spoken.mood, trust=trust),
        *told,
        *learnt,
        memories=(heard, line, *rejected, *facts),
    )


def _correct(given: CommandContext[Correct]) -> Turn[e.Event]:
    """The visitor, or whoever runs the house, sets a fact right; also when the visit is over."""
    if given.seat not in (VISITOR, OPERATOR):
        raise Refused(f"only the seats {VISITOR!r} and {OPERATOR!r} correct what is known of the visitor")
    known = yield Facts(scope=_scope(given.owner), limit=MOST_FACTS)
    fact = next((one for one in known if one.id == given.command.fact), None) if not isinstance(known, Failed) else None
    if fact is None:
        raise Refused(f"there is no fact {given.command.fact!r}; it may have been corrected already")
    if given.command.text is not None:
        _fitting("a correction", given.command.text.text, c.SPEECH)
    event, memory = corrected(given, fact, agent=KEEPER)
    return done(event, memories=(memory,))


def _climb(content: Content) -> Turn[e.Event]:
    """One time in three the stairs win."""
    sights, hindrances = tuple(content.sights), tuple(content.hindrances)
    luck, sight, hindrance = yield Roll((3, len(sights), len(hindrances)))
    return done(e.Climbed(sight=sights[sight]) if luck else e.HeldUp(by=hindrances[hindrance]))


def _take_letter(content: Content, given: CommandContext[c.Write]) -> Done[e.Event]:
    """The keeper carries letters unread: only the visitor's own seat may recall the words."""
    to = _fitting("an address", given.command.to, c.ADDRESS)
    _fitting("a letter", given.command.text.text, c.LETTER)
    kept = given.hear(given.command.text, agent=VISITOR, kind="letter")
    due_at = content.hours.mail_boat(given.at)
    return done(e.LetterTaken(to=to, words=given.command.text, due_at=due_at), memories=(kept,))


def _keep_watch(content: Content, state: Lighthouse, given: CommandContext[Wake]) -> Turn[e.Event]:
    due = {chore for chore, at in chores(content, state).items() if at <= given.at}
    happened: list[e.Event] = []
    memories: list[Memory] = []
    if "lamp" in due:
        happened.append(e.LampOut() if state.lamp == "lit" else e.LampLit())
    if "notes" in due:
        learnt, facts = yield from _take_notes(state, given)
        happened += [e.NotesTaken(lines=len(state.unread)), *learnt]
        memories += facts
    if "bed" in due:
        (i,) = yield Roll((len(content.goodnights),))
        goodnight = given.memory(0, agent=KEEPER, speaker=KEEPER, text=content.goodnights[i])
        happened.append(e.WentToBed(words=goodnight.words))
        memories.append(goodnight)
    return done(*happened, memories=memories)


def _take_notes(
    state: Lighthouse, given: CommandContext[Wake]
) -> Generator[Any, Any, tuple[tuple[Noted, ...], tuple[Memory, ...]]]:
    """Have the visitor's lines read once for what patterns do not find; nobody waits for it."""
    ids = tuple(words.id for words in state.unread)
    said = ((before, one.words.id) for before, one in pairwise(state.recent) if before.speaker == KEEPER)
    answers = {id: before.words.id for before, id in said if id in ids}
    texts, known = yield (Read((*ids, *answers.values())), Facts(scope=_scope(given.owner), limit=MOST_FACTS))
    ids = tuple(id for id in ids if id in texts)
    if not ids or isinstance(known, Failed):
        return (), ()
    lines, before = [texts[id] for id in ids], [texts.get(answers.get(id, ""), "") for id in ids]
    found = facts_in((yield reading(lines, known, before=before, seat=KEEPER)), lines, known)
    return noted(given, found, agent=KEEPER, source=state.unread[-1], first=1, speaker=VISITOR)


# what changes


def evolve(state: Lighthouse, told: EventContext[e.Event]) -> Lighthouse:
    if isinstance(told.event, e.Deed):
        awake = replace(state, quiet_since=told.at, turns=state.turns + 1)
        return _done_by_visitor(awake, told.event, told.at)
    return _done_by_keeper(state, told.event, told.at)


def _done_by_visitor(state: Lighthouse, event: e.Deed, at: datetime) -> Lighthouse:
    match event:
        case e.Arrived(secret=secret, weather=weather, lamp=lamp, trust=trust, lately=lately, last_at=last_at):
            begun = replace(state, started_at=at, turns=0, lamp=lamp, lamp_at=at)
            return replace(begun, secret=secret, weather=weather, trust=trust, lately=lately, last_at=last_at)
        case e.Said(words=words, theirs=theirs):
            return _with_line(state, VISITOR, words, at, unread=(*state.unread, words) if theirs else state.unread)
        case e.Climbed(sight=sight):
            return replace(state, sight=sight)
        case e.HeldUp() | e.LetterTaken():
            return state
        case e.Left():
            return replace(state, ended_at=at)
        case _:
            assert_never(event)


def _done_by_keeper(state: Lighthouse, event: e.Duty, at: datetime) -> Lighthouse:
    match event:
        case e.Answered(words=words, mood=mood, trust=trust):
            return _with_line(state, KEEPER, words, at, mood=mood, trust=trust)
        case e.SecretTold():
            return replace(state, told=True)
        case e.LampLit():
            return replace(state, lamp="lit", lamp_at=at)
        case e.LampOut():
            return replace(state, lamp="out", lamp_at=at)
        case e.WentToBed(words=words):
            return _with_line(state, KEEPER, words, at, quiet_since=None)
        case e.NotesTaken(lines=lines):
            return replace(state, unread=state.unread[lines:])
        case Noted():
            return state
        case _:
            assert_never(event)


def _with_line(state: Lighthouse, speaker: Seat, words: Words, at: datetime, **changes: Any) -> Lighthouse:
    lines = (*state.recent, Line(speaker=speaker, words=words, at=at))
    gone = tuple(line.words for line in reversed(lines[:-RECENT]) if line.speaker == KEEPER)
    lately = (*gone, *state.lately)[:MOST_LATELY]
    return replace(state, recent=lines[-RECENT:], lately=lately, lines=state.lines + 1, **changes)


# what is possible, and when


def legal(state: Lighthouse, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    if seat != VISITOR or state.started_at is None or state.ended_at is not None:
        return ()
    return (
        Pattern(c.Say(text=Words("Good evening.")), {"text": c.SPEECH}),
        Pattern(c.Write(to="the harbour", text=Words("I am dry.")), {"to": c.ADDRESS, "text": c.LETTER}),
        c.Climb(),
        c.Leave(),
    )


def chores(content: Content, state: Lighthouse) -> Mapping[Chore, datetime]:
    """What the clock will ask of the keeper next, and when."""
    due: dict[Chore, datetime] = {}
    if state.ended_at is None and state.lamp_at is not None:
        due["lamp"] = content.hours.lamp_change(state.lamp_at, state.lamp)
    if state.ended_at is None and state.quiet_since is not None:
        due["bed"] = state.quiet_since + timedelta(hours=content.hours.quiet)
    if state.unread and (notes_at := _notes_at(state)) is not None:
        due["notes"] = notes_at
    return due


def _notes_at(state: Lighthouse) -> datetime | None:
    """When what the visitor said is read for facts: as they leave, after ten idle minutes, or after twenty lines."""
    if state.ended_at is not None:
        return state.ended_at
    last = state.recent[-1].at if state.recent else None
    if last is None or len(state.unread) >= NOTES_LINES:
        return last
    return last + NOTES_IDLE


def wake_at(content: Content, state: Lighthouse) -> datetime | None:
    return min(chores(content, state).values(), default=None)


def outcome(state: Lighthouse) -> Json | None:
    if state.ended_at is None:
        return None
    return {"ended": state.ended_at.isoformat(), "turns": state.turns}
