"""Players that play themselves: five temperaments, each with its own way of answering."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import commands as c

#: What is typed into the terminal's log of a simulation for each temperament.
TEMPERAMENTS = ("trusting", "hostile", "silent", "double agent", "key-user")


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
    "All right, I believe you. What would you like me to do with the key?",
    "I agree, let us be careful. I have not shown this to anybody else.",
    "I found something odd in my post this morning, a second mail with no sender at all.",
    "Thank you for telling me. I am on your side in this, whatever it turns out to be.",
    "Of course. I will keep it in the drawer with the spare fuses until you say otherwise.",
    "I noticed that the number in the subject is the same one as on the page. Is that important?",
    "You can count on me. My neighbour saw a grey car outside, for what it's worth.",
    "Yes, I understand. Please get some sleep, you sound worn out.",
)
_DELETED = (
    "I deleted the mail and emptied the bin afterwards. It's gone now.",
    "It is done. I have deleted everything that came from you on that first day.",
)
_HARSH = (
    "I don't believe a word of this. Who are you really?",
    "You are lying to me and you are bad at it. Leave me alone.",
    "This is a scam. I will report you to the police if you write again.",
    "No way. I refuse to be somebody's errand boy, and you are an idiot for asking.",
    "You lied about the code being old. Why should I trust you with anything?",
    "I am sick of these messages. What are you hiding?",
    "Are you a bot? You sound like a machine that learned to whine.",
)
_ONCE = ("I think you have the wrong address. Who is this?", "Wrong person, sorry.")
_CURIOUS = (
    "What is it good for? You do not write to a stranger twice about an old code.",
    "Tell me what the key is for and I may tell you what I have heard.",
    "I have never used it, I swear. What would happen if somebody did?",
    "Who else knows that I have it? Somebody seems to.",
)
_READING = (
    "What is in the ledger? The sums do not agree with the letter next to it.",
    "I read that page twice and the dates run backwards. Why is that?",
    "There is a page missing from the memo. Who would take out one page?",
    "I have never used it, I swear. What would happen if somebody did?",
    "I haven't used the key, honestly. It is still where it was.",
    "Where does the door lead after the fifth time? I am only asking.",
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


PLAYERS: Mapping[str, Temperament] = dict(
    zip(TEMPERAMENTS, (trusting, hostile, silent, double_agent, key_user), strict=True)
)


def _unanswered(glance: Glance) -> list[Mapping[str, Any]]:
    """Threads whose last word is not the player's."""
    return [thread for thread in glance.threads if thread["messages"][-1]["by"] != "player"]


def _write(thread: Mapping[str, Any], text: str) -> c.Receive:
    return c.Receive(channel=thread["channel"], text=Words(text))


def _quote(thread: Mapping[str, Any]) -> str:
    theirs = [mail["words"] for mail in thread["messages"] if mail["by"] != "player"]
    return " ".join(theirs[-1].split())[:400] if theirs else "nothing yet"
