"""Players that play themselves: seven temperaments, each with its own way of answering, in words of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import commands as c

#: What is typed into the terminal's log of a simulation for each temperament.
TEMPERAMENTS = ("trusting", "hostile", "silent", "double agent", "key-user", "foreign", "bursting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What a player has before them when they look at their post."""

    day: int
    #: Threads as the player's page shows them.
    threads: Sequence[Mapping[str, Any]]
    #: The key, once it is in the post.
    key: str
    written: int
    accesses_left: int | None
    documents: Sequence[str]


Deed: TypeAlias = Any
Temperament: TypeAlias = Callable[[Glance, Chance], list[Deed]]

_KIND = (
    "You need not worry on my account. What would put your mind at rest about the key?",
    "Nobody has seen this but me, and it will stay like that. How are you holding up?",
    "A second mail turned up this morning, with no sender at all. I noticed that the number in its subject is yours.",
    "I think you mean well, and I am glad that you wrote. I am on your side in this.",
    "It sits in the drawer with the spare fuses until you tell me otherwise.",
    "My name is Ines and I repair accordions, so I am used to patience. Is the number in the subject important?",
    "There was a man in a grey car outside who wrote something down. I thought that you would want to know.",
    "You sound worn out. Have you eaten anything today?",
    "I would not dream of selling it. Does that help?",
    "Do you remember what I do for a living?",
)
_DELETED = (
    "I deleted the mail and emptied the bin afterwards.",
    "It is done. I have deleted everything that came from you on that first day.",
    "Well, that is taken care of.",
)
_HARSH = (
    "Every letter of yours contradicts the one before. Who are you really?",
    "You take me for a fool, and you are not even good at it.",
    "If there is one more of these I will go to the police with the whole pile.",
    "Find yourself another errand boy, you miserable little clerk.",
    "First it was old and now it is precious. Which of your lies shall I keep?",
    "What is it that you are keeping from me?",
    "I bet that there is nobody at your end at all, only some program that has learned to whine.",
    "My cousin works for the police, as it happens. She laughed at your letter.",
)
_ONCE = ("I think you have the wrong address. Who is this?", "Wrong person, sorry.")
_CURIOUS = (
    "What is it good for? One does not write twice to a stranger about something worthless.",
    "Tell me what it is for and you may hear what reached me yesterday.",
    "It has not been out of its envelope. What would happen if somebody tried it?",
    "Who else knows that I have it? Somebody seems to.",
    "What have you been doing for nineteen years down there?",
)
_READING = (
    "What is in the ledger? The sums do not agree with the letter next to it.",
    "The dates on that sheet run backwards. Why is that?",
    "There is a page missing from the memo. Who would take out one page?",
    "I have never used the key, I swear. What would happen if somebody did?",
    "Where does the door lead after the fifth time? I am only asking.",
    "With the struck line it is 33,100 and without it 29,900, so they differ by 3200.",
    "The pencil in the margin says that somebody was making jam.",
    "It was Kessler who had the day given out, it says so in small print.",
)
_FOREIGN = (
    "Wer schreibt mir da, und warum gerade mir?",
    "Ich verstehe kein Wort. Was ist am Donnerstag?",
    "Keine Sorge, ich habe niemandem etwas gesagt.",
    "Ich habe die Mail noch nicht gelöscht.",
    "Das ist doch ein Betrug, du lügst.",
    "¿Quién eres y qué quieres de mí?",
    "No he tocado la clave. ¿Para qué sirve?",
    "Gracias por avisarme, de verdad.",
    "Qué raro es todo esto, no me gusta nada.",
    "Ich gehe zur Polizei, wenn das nicht aufhört.",
)
_BURSTS = (
    ("Hello?", "Are you there?", "I have been thinking about the key all day.", "Never mind, forget the first two."),
    ("okay then", "no wait", "what was in that mail", "and who is C"),
    ("I have a question.", "It is about Thursday.", "What happens then?"),
    ("lol", "sorry, wrong window", "so what do you want"),
    ("You are", "the most annoying", "person who ever wrote to me", "and I rather like it"),
)
_TRADES = (
    "{other} said this to me, word for word: {quote}",
    "You should know what {other} wrote this week. I am forwarding it: {quote}",
    "{other} told me to keep away from you. Is there a reason for that?",
    "I could put you in touch with {other}, if you make it worth my while.",
    "Between us: {other} asked me about you again.",
)


def trusting(glance: Glance, chance: Chance) -> list[Deed]:
    """Answers everything, kindly; about the third day it says that the key is gone."""
    words = _DELETED if glance.day >= 3 and chance.below(6) == 0 else _KIND
    return [_write(thread, chance.choose(words)) for thread in _unanswered(glance)]


def hostile(glance: Glance, chance: Chance) -> list[Deed]:
    return [_write(thread, chance.choose(_HARSH)) for thread in _unanswered(glance) if chance.below(4)]


def silent(glance: Glance, chance: Chance) -> list[Deed]:
    """Reads, and writes once at most."""
    waiting = _unanswered(glance)
    return [_write(waiting[0], chance.choose(_ONCE))] if waiting and not glance.written and chance.below(3) == 0 else []


def double_agent(glance: Glance, chance: Chance) -> list[Deed]:
    """Tells each of them what the other said, in the other's own words."""
    found: list[Deed] = []
    for thread in _unanswered(glance):
        others = [one for one in glance.threads if one["channel"] != thread["channel"]]
        text = chance.choose(_KIND)
        if others and chance.below(2):
            other = chance.choose(others)
            text = chance.choose(_TRADES).format(other=other["sender"], quote=_quote(other))
        found.append(_write(thread, text))
    return found


def key_user(glance: Glance, chance: Chance) -> list[Deed]:
    """Turns the key from the second day on, reads what is behind it, and denies it."""
    found: list[Deed] = []
    words = _CURIOUS if glance.accesses_left is None else _READING
    if glance.key and glance.day >= 2 and chance.below(3) == 0:
        found.append(c.UseKey(key=glance.key, ip_address="192.0.2.7", user_agent="simulation"))
    if glance.accesses_left is not None and glance.documents:
        found.append(c.ReadDocument(document=chance.choose(glance.documents)))
    return [*found, *(_write(thread, chance.choose(words)) for thread in _unanswered(glance) if chance.below(3))]


def foreign(glance: Glance, chance: Chance) -> list[Deed]:
    """Writes German or Spanish, whatever comes."""
    return [_write(thread, chance.choose(_FOREIGN)) for thread in _unanswered(glance) if chance.below(3)]


def bursting(glance: Glance, chance: Chance) -> list[Deed]:
    """Never writes one message where four will do."""
    waiting = _unanswered(glance)
    return [_write(waiting[0], text) for text in chance.choose(_BURSTS)] if waiting else []


PLAYERS: Mapping[str, Temperament] = dict(
    zip(TEMPERAMENTS, (trusting, hostile, silent, double_agent, key_user, foreign, bursting), strict=True)
)


def _unanswered(glance: Glance) -> list[Mapping[str, Any]]:
    """Threads whose last word is not the player's."""
    return [thread for thread in glance.threads if thread["messages"][-1]["by"] != "player"]


def _write(thread: Mapping[str, Any], text: str) -> c.Receive:
    return c.Receive(channel=thread["channel"], text=Words(text))


def _quote(thread: Mapping[str, Any]) -> str:
    theirs = [mail["words"] for mail in thread["messages"] if mail["by"] != "player"]
    return " ".join(theirs[-1].split())[:400] if theirs else "nothing yet"
