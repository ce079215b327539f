"""What can be claimed at the table, as data: what one held, saw, believes or asks, and whether it is a lie.

A claim is what a message means. Bots make their messages from claims and people's messages are read for theirs, so
that what was said can be remembered, checked against what else was said, and answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.papers import Paper, Side

ClaimKind: TypeAlias = Literal[
    "drew", "received", "card", "role", "believe", "vote", "table", "fact", "rule", "chat", "unsure", "question"
]
#: What a question wants to know.
Topic: TypeAlias = Literal[
    "", "drew", "received", "card", "role", "suspect", "trust", "opinion", "why", "voted", "vote", "nominate", "table",
    "which", "sure", "accused", "ballots", "papers", "stories", "said", "next", "rules", "hello", "aside",
    "choice", "policy", "checked", "look", "mine", "nominated", "named", "clash", "story", "changed", "partner", "both",
    "quiet", "knows", "count", "mood", "thanks", "praise", "plan", "lost", "earn", "own", "pair", "sorry",
    "alike", "idle", "elect", "rank", "odds", "thinks", "about", "silent", "looks", "advice", "promise", "hypo", "lied",
    "agree", "invite", "offended", "tease", "remark", "dead", "bot",
]  # fmt: skip


class Assertion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One claim. Which fields count depends on its kind."""

    kind: ClaimKind
    #: drew, received: the round of the hand; vote: the round of the vote.
    round: int = 0
    #: card, believe: of whom; question: who is asked, nobody for whoever likes to answer.
    target: Seat | None = None
    #: card, role, believe: the side; a question after a role: Acceleration where it asks whether one is the AGI; one
    #: after two players: Acceleration where it asks for the worse.
    side: Side | None = None
    #: drew: all three papers; received: both.
    papers: tuple[Paper, ...] = ()
    #: drew: the two that were passed on.
    passed: tuple[Paper, ...] = ()
    #: vote: for or against.
    yes: bool | None = None
    #: question: what is wanted; a belief that calls for a defence: accused; any other claim: the question it answers.
    about: Topic = ""
    #: question: of whom; an answer: who had asked.
    of: Seat | None = None
    #: believe, vote, role: what speaks for it.
    because: str = ""
    #: question: the second of two players, or whom an answer leaves out.
    other: Seat | None = None
    #: question, rule: which rule.
    rule: str = ""


#: What may speak for a belief or a vote.
REASONS = frozenset(
    ("", "paper", "clean", "conflict", "votes", "card", "feeling", "partner", "late", "emergency", "answered", "told",
     "unseen")
)  # fmt: skip


def same(one: Sequence[Paper], other: Sequence[Paper]) -> bool:
    """Whether two hands hold the same papers, in whatever order."""
    return Counter(map(tuple, one)) == Counter(map(tuple, other))


def asks(claim: Assertion) -> bool:
    """Whether somebody is to answer it: a question, or an accusation to somebody's face."""
    return claim.kind == "question" or (claim.kind == "believe" and claim.about == "accused")


def is_direct(claim: Assertion) -> bool:
    """Whether it asks one player whether they are the AGI."""
    return claim.kind == "question" and claim.about == "role" and claim.side == "Acceleration" and bool(claim.target)


def paper_words(papers: Sequence[Paper]) -> str:
    """Papers as everybody writes them: Capability and Safety with a stroke."""
    told = [f"{capability}/{safety}" for capability, safety in papers]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else "nothing"


_ASKED: dict[str, str] = {
    "drew": "what they drew and passed on",
    "received": "what they received",
    "card": "what the card said",
    "role": "which side they are on",
    "suspect": "whom they suspect",
    "trust": "whom they trust",
    "opinion": "what they think of {of}",
    "why": "why they think so",
    "voted": "why they voted so",
    "vote": "how they will vote",
    "nominate": "whom they would nominate",
    "table": "how the game stands",
    "which": "to choose between {of} and {other}",
    "sure": "how sure they are",
    "accused": "to answer for themselves",
    "ballots": "who voted how",
    "papers": "what was published",
    "stories": "who claimed what of the hands",
    "said": "what was said",
    "next": "who is Director next",
    "rules": "about the rules",
    "hello": "how they are",
    "aside": "something beside the game",
    "choice": "why they passed on or published that",
    "policy": "what they would do with papers",
    "checked": "who has seen their card",
    "look": "at whose card they would look",
    "mine": "what they think of their votes",
    "nominated": "why they nominated {of}",
    "named": "whom {of} nominated",
    "clash": "about the two accounts of {of} and themself",
    "story": "whether they believe {of}",
    "changed": "what changed their mind",
    "partner": "who would be with {of}",
    "both": "whom they suspect and whom they trust",
    "peek": "what is on top of the deck",
    "quiet": "why they are so quiet",
    "knows": "what they know",
    "count": "how many papers are out",
    "mood": "how they see the chances",
    "plan": "what to do now",
    "pair": "what they think of a team",
    "alike": "how alike {of} and {other} vote",
    "idle": "who has not been in a team",
    "own": "what they said before",
    "earn": "what would make them trust somebody",
    "elect": "whether they would elect {of}",
    "rank": "what they think of everybody",
    "odds": "which papers are still to come",
    "thinks": "what {of} thinks of others",
    "about": "what is said of {of}",
    "silent": "who says little",
    "looks": "who looked at whose card",
    "dead": "who is out of the game",
    "advice": "how to find liars",
    "promise": "to promise something",
    "hypo": "what they would do as the AGI",
    "lied": "whether they lied",
    "agree": "whether they agree with {of}",
    "invite": "to be asked something",
    "offended": "whether they take something ill",
    "tease": "something in jest",
    "remark": "made a remark",
}


def told(claim: Assertion, speaker: Seat) -> str:
    """A claim in a plain sentence of the record, with who made it."""
    return f"{speaker} {_TOLD[claim.kind](claim)}"


def _question(claim: Assertion) -> str:
    wanted = _ASKED.get(claim.about, "something").format(of=claim.of or "somebody", other=claim.other or "another")
    return wanted if claim.about == "remark" else f"asked {claim.target or 'the table'} {wanted}"


def _drew(claim: Assertion) -> str:
    passed = f" and passed {paper_words(claim.passed)}" if claim.passed else ""
    return f"claimed to have drawn {paper_words(claim.papers)} in round {claim.round}{passed}"


def _believe(claim: Assertion) -> str:
    feels = {"Safety": "trusts", "Acceleration": "suspects", None: "has a faint doubt about"}
    return f"{feels[claim.side]} {claim.target}"


_TOLD = {
    "drew": _drew,
    "received": lambda claim: f"claimed to have received {paper_words(claim.papers)} in round {claim.round}",
    "card": lambda claim: f"claimed that the card of {claim.target} says {claim.side}",
    "role": lambda claim: f"claimed to be on the side of {claim.side}",
    "believe": _believe,
    "vote": lambda claim: (
        f"spoke {'for' if claim.yes else 'against'} the team{f' with {claim.target}' if claim.target else ''}"
    ),
    "table": lambda claim: "told how the game stands",
    "fact": lambda claim: "told what is in the record",
    "rule": lambda claim: "explained a rule",
    "chat": lambda claim: "made conversation",
    "unsure": lambda claim: "could not or would not say",
    "question": _question,
}
