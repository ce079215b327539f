"""How players without a model talk: every claim in a manner of their own, from the lines of ``content/voices.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules.claims import Assertion, paper_words
from greenroom.worlds.secret_agi.rules.content import Voices


def manner(voices: Voices, salt: int, me: int) -> str:
    """How this seat talks in this game."""
    return Chance("voices", salt).shuffled(tuple(voices.manners))[me % len(voices.manners)]


def said(voices: Voices, claim: Assertion, *, voice: str, turn: int, heard: int, words: Mapping[str, str]) -> str:
    """The claim in one manner; ``turn`` counts what this seat said before and ``heard`` what all did, so that it
    repeats neither itself nor, in words that all share, the others.
    """
    lines = _lines(voices, claim, voice)
    why = reason(voices, claim, heard, words)
    own = lines in voices.manners[voice].values()
    given = {
        "who": _who(claim),
        "papers": paper_words(claim.papers),
        "passed": paper_words(claim.passed),
        "round": str(claim.round),
        "asker": claim.of or "all of you",
        "of": claim.of or "the others",
        "side": claim.side or "",
        "other": claim.other or "nobody",
        "why": why,
        **words,
    }
    given |= {name.capitalize(): capital(given[name]) for name in ("who", "why", "degree", "told")}
    return lines[(turn if own else heard) % len(lines)].format(**given).replace(" you is ", " you are ")


def capital(text: str) -> str:
    """A text as the beginning of a sentence; the name of a seat stays as it is."""
    return text if re.match(r"(?<![a-z])[a-z]+_?\d", text) else text[:1].upper() + text[1:]


def _lines(voices: Voices, claim: Assertion, voice: str) -> tuple[str, ...]:
    if (own := _own(voices, claim)) in voices.answers:
        return voices.answers[own]
    match claim.kind:
        case "question":
            return voices.questions.get(claim.about, voices.questions["opinion"])
        case "table":
            return voices.table
        case "rule" | "fact":
            return voices.told
        case _:
            return voices.manners[voice][_line(claim)]


#: Where an answer has lines of its own for each way it can go, by its kind and what was asked.
_BOTH_WAYS = {
    ("believe", "nominated"): "nominated", ("believe", "pair"): "pair", ("vote", "voted"): "voted",
    ("table", "mood"): "mood", ("believe", "vote"): "no team", ("drew", "choice"): "choice drew",
    ("received", "choice"): "choice received", ("believe", "elect"): "elect", ("role", "lied"): "lied",
}  # fmt: skip
_OF_ONESELF = ("drew", "received", "choice", "clash", "voted", "checked", "knows", "nominated", "mine", "own")
_TORN = ("opinion", "why", "story", "changed", "sure", "earn", "agree")


def _own(voices: Voices, claim: Assertion) -> str:
    """Which lines of their own an answer has, if any."""
    way = {"Safety": "good", "Acceleration": "bad", None: "open"}[claim.side]
    if claim.yes is not None and claim.kind != "believe":
        way = ("yes" if claim.yes else "no") if claim.kind == "vote" else ("good" if claim.yes else "bad")
    if claim.kind == "fact":
        return "own fact" if claim.about in _OF_ONESELF else ""
    to_asker = claim.target is not None and claim.target == claim.of
    if claim.kind == "card" and to_asker:
        return f"your card {way}"
    if to_asker and claim.about == "suspect":
        return "suspect you"
    named = _BOTH_WAYS.get((claim.kind, claim.about))
    if claim.kind == "believe" and to_asker and named is None and claim.about not in voices.answers:
        return f"you {way}"
    if claim.kind == "believe" and claim.side is None and claim.about in _TORN:
        return "torn"
    if named is not None:
        return f"{named} {way}" if f"{named} {way}" in voices.answers else named
    return claim.about if claim.kind in ("believe", "chat") else ""


def _line(claim: Assertion) -> str:
    match claim.kind:
        case "card":
            return "card_good" if claim.side == "Safety" else "card_bad"
        case "believe":
            return {"Safety": "trust", "Acceleration": "suspect", None: "doubt"}[claim.side]
        case "vote":
            return "for" if claim.yes else "against"
        case "role" if claim.because:
            return "defence"
        case "chat":
            return claim.about
        case kind:
            return kind


def reason(voices: Voices, claim: Assertion, turn: int, words: Mapping[str, str]) -> str:
    """What speaks for a belief or a vote, as half a sentence."""
    good = claim.side == "Safety" if claim.kind == "believe" else bool(claim.yes)
    reasons = voices.in_defence if claim.kind == "role" else voices.in_favour if good else voices.against
    found = reasons.get(claim.because) or reasons["feeling"]
    return found[turn % len(found)].format(who=_who(claim), **words).replace("the ballot of you", "your ballot")


def _who(claim: Assertion) -> str:
    """Whom it is about, as they are spoken of to whoever asked."""
    return "you" if claim.target is not None and claim.target == claim.of else claim.target or "nobody"
