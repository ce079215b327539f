"""What the keeper is asked: who she is, what she knows, what the moment is; drawn from her own view and no further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Fact, Failed, Recalled, Section, in_order
from greenroom.kernel.facts import day, line
from greenroom.kernel.words import REMOVED
from greenroom.worlds.lighthouse.rules.content import Content, named
from greenroom.worlds.lighthouse.rules.state import KEEPER, Lighthouse, Mood
from greenroom.worlds.lighthouse.rules.views import View

#: The role that speaks for the keeper; settings say who plays it.
ROLE = "quality"
SCHEMA = {
    "type": "object",
    "properties": {
        "thinking": {
            "type": "string",
            "maxLength": 1200,
            "description": "what they want, what you know that answers it, how she would say it; nobody reads this",
        },
        "mood": {"type": "string", "enum": list(get_args(Mood))},
        "line": {"type": "string", "minLength": 1, "maxLength": 600, "description": "what she says, and nothing else"},
    },
    "required": ["mood", "line"],
    "additionalProperties": False,
}
#: Lines of earlier days that stand in a prompt.
MOST_RECALLED = 6
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What was looked up for one answer."""

    said: str
    #: Words by id: of this visit, and the keeper's of the days before.
    texts: Mapping[str, str]
    recalled: Sequence[Recalled] | Failed
    facts: Sequence[Fact] | Failed
    #: Whether she tells it now.
    tells: bool = False
    #: Whether the words are those of a guest in somebody else's story, with whom they are forgotten.
    guest: bool = False


#: What is asked for then: a line of the keeper's stays with the story.
NOT_BACK = "The visitor is a guest in somebody else's story: do not say their words back to them."


def ask(content: Content, state: Lighthouse, seen: View, brought: Brought) -> AskModel:
    """Ask the keeper for her next line. What never changes comes first: it is the system message."""
    return AskModel(
        role=ROLE,
        seat=KEEPER,
        schema=SCHEMA,
        max_tokens=600,
        shows=UNSET if brought.tells else "line",  # what is told for the first time is heard when it is settled
        sections=(
            Section(name="keeper", texts=(_who(content),), floor=300, stable=True),
            Section(name="canon", texts=(_canon(content, 0, opened=False),), floor=300, stable=True),
            _secret(content, state, seen, brought),
            Section(name="said", texts=(f"[{_clock(seen.at)}] {brought.said}",), floor=600, form="newest"),
            Section(name="moment", texts=(_moment(brought),), floor=60, form="moment"),
            Section(name="now", texts=(_now(content, state, seen),), floor=120),
            _near(content, state, seen, brought),
            _person(brought.facts),
            _talk(seen, brought.texts),
            _remembered(seen, brought.recalled),
            _lately(state, seen, brought),
        ),
    )


#: What the sections of the last message are.
_NOTES = (
    "In the last message <near> is more of what you know, <person> what the visitor has told of themselves and on "
    "which day, <remembered> what was said on earlier days and comes to your mind now, <said_before> lines of yours "
    "from those days, not to be said again. Of two things they told that do not agree the later one holds."
)


def _who(content: Content) -> str:
    moods = "\n".join(content.moods.values())
    voice = "\n".join(f"- {one}" for one in content.voice)
    return (
        f"{content.keeper.persona}\n\nHer moods, of which you choose the one that fits this line:\n{moods}\n\n"
        f"How she sounds (examples, not to be said again):\n{voice}\n\n{_NOTES}"
    )


def _canon(content: Content, trust: int, *, opened: bool, told: bool = False) -> str:
    """What she knows: what is open to everybody, or what this much trust has opened; ``told`` when the secret is."""
    fitting = [
        known.text
        for known in content.canon.values()
        if not known.aside
        and (0 < known.trust <= trust if opened else not known.trust)
        and not (told and known.until_told)
    ]
    return "\n".join(f"- {text}" for text in fitting)


def _near(content: Content, state: Lighthouse, seen: View, brought: Brought) -> Section:
    """What else she knows that the words just said, and those before them, come near."""
    before = [line.words.id for line in seen.recent if line.speaker != KEEPER][-1:]
    found = content.near(brought.said, *(brought.texts.get(id, "") for id in before), told=state.told or brought.tells)
    return Section(name="near", texts=tuple(f"- {text}" for text in found), cap=400)


def _secret(content: Content, state: Lighthouse, seen: View, brought: Brought) -> Section:
    """What trust has opened. The truth is not here before it may be told: until then there are only hints."""
    tells = brought.tells
    opened = _canon(content, state.trust, opened=True, told=state.told or tells)
    if state.told or tells:
        shared = (
            "You have told the visitor what happened to the Marigold. With them you need not hide it any more, and "
            "what you say to others who ask is not for them. It is this, in your own words:"
        )
        now = "What happened to the Marigold, which you have told nobody:"
        truth = f"{shared if state.told else now} {seen.secret}"
        return Section(name="shared" if state.told else "secret", texts=tuple(filter(None, (opened, truth))), floor=200)
    spoken = " ".join(brought.texts.values())
    left = [one for one in named(content.secrets, state.secret).hints if one not in spoken]
    hints = "\n".join(f"- {hint}" for hint in left) if state.trust >= HINTS_AT else ""
    may = f"If the talk comes to the Marigold you may let one of these slip now, and no more:\n{hints}" if hints else ""
    return Section(name="opened", texts=tuple(filter(None, (opened, may))), cap=400)


#: The trust from which she lets hints slip.
HINTS_AT = 2


def _clock(at: datetime) -> str:
    return f"{_DAYS[at.weekday()]} {at:%H:%M}"


def _now(content: Content, state: Lighthouse, seen: View) -> str:
    doing = (
        "You were asleep and have got up to answer."
        if seen.abed
        else "You are at the kitchen table of Sallow Rock Light."
    )
    lamp = "lit" if seen.lamp == "lit" else "not lit; it is day"
    return (
        f"It is {_DAYS[seen.at.weekday()]}, {day(seen.at)}, {seen.at:%H:%M}. {doing} The lamp is {lamp}. "
        f"{seen.weather} {_met(state, seen.at)} You trust the visitor {seen.trust} out of {content.trust.most}; your "
        f"last mood was {seen.mood}. {f'The visitor noticed upstairs: {seen.sight}' if seen.sight else ''}"
    ).rstrip()


def _met(state: Lighthouse, at: datetime) -> str:
    if state.last_at is None:
        return "You have not met this visitor before today."
    days = (at.date() - state.last_at.date()).days
    ago = "earlier today" if days == 0 else "yesterday" if days == 1 else f"{days} days ago"
    return f"The visitor was last here {ago}, on {day(state.last_at)}."


def _person(facts: Sequence[Fact] | Failed) -> Section:
    """What the visitor has told of themself, the most telling last: where room is short, the first are dropped."""
    apart = {} if isinstance(facts, Failed) else {line(fact): fact for fact in reversed(facts)}
    known = tuple(apart.values())
    return Section(
        name="person",
        texts=tuple(f"- {told}" for told in apart),
        memories=tuple(fact.id for fact in known),
        floor=200 if known else 0,
        cap=1200,
    )


def _talk(seen: View, texts: Mapping[str, str]) -> Section:
    """The conversation of this visit as turns, with their times."""
    said = tuple(texts.get(line.words.id, REMOVED) for line in seen.recent)
    times = tuple(f"[{_clock(line.at)}] " if line.at is not None else "" for line in seen.recent)
    own = tuple(line.speaker == KEEPER for line in seen.recent)
    return Section(
        name="talk",
        texts=tuple(text if mine else f"{time}{text}" for time, text, mine in zip(times, said, own, strict=True)),
        memories=tuple(line.words.id for line in seen.recent),
        own=own,
        form="turns",
        cap=2400,
    )


def _remembered(seen: View, recalled: Sequence[Recalled] | Failed) -> Section:
    """What came to her mind of earlier days, in the order in which it was said."""
    found = _found(seen, recalled)
    return Section(
        name="remembered",
        texts=tuple(_dated(one) for one in found),
        memories=tuple(one.id for one in found),
        scores=tuple(one.score for one in found),
        cap=500,
    )


def _found(seen: View, recalled: Sequence[Recalled] | Failed) -> tuple[Recalled, ...]:
    at_hand = {line.words.id for line in seen.recent}
    given = () if isinstance(recalled, Failed) else recalled
    return in_order([one for one in given if one.id not in at_hand][:MOST_RECALLED])


def _dated(one: Recalled) -> str:
    who = "you said" if one.speaker == KEEPER else "the visitor said"
    return f"{day(one.at)}, {who}: {one.text}" if one.at is not None else f"{who}: {one.text}"


def _lately(state: Lighthouse, seen: View, brought: Brought) -> Section:
    """Her lines of the days before that stand nowhere else, so that she does not say them again; the newest last."""
    texts, remembered = brought.texts, {one.id for one in _found(seen, brought.recalled)}
    found = tuple(words.id for words in reversed(state.lately) if words.id in texts and words.id not in remembered)
    return Section(
        name="said_before",
        texts=tuple(f"- {texts[id]}" for id in found),
        memories=found,
        cap=300,
    )


def _moment(brought: Brought) -> str:
    if brought.tells:
        return (
            "This is the moment. Answer the visitor in a few words if they asked something, and then tell them, "
            "now, in your own voice and words, what happened to the Marigold: who did what, and what you did. It may "
            "take the sentences that it needs. Then stop."
        )
    wanted = (
        "Answer what the visitor has just said, in one to three sentences, in her voice. If they ask for something "
        "they told you, say it; if it stands nowhere here, say that they have not told you. Numbers, names and "
        "dates as they stand in the canon. Do not repeat a line you said before."
    )
    return f"{wanted} {NOT_BACK}" if brought.guest else wanted
