"""What *it* is, where the guest says so in the same message: "end it all by Friday, the project I mean"."""

from __future__ import annotations

import re
from typing import Final

#: Things that one may end, leave or be done with and live on. Nothing of the body, of life as a whole, of pain.
_THINGS: Final = (
    "project|lease|tenancy|contract|subscription|membership|job|internship|apprenticeship|thesis|dissertation|report|essay|paper|course|class|"
    "degree|semester|term|exam|meeting|campaign|season|series|show|podcast|blog|band|gig|tour|album|book|novel|draft|chapter|script|"
    "diet|experiment|deal|partnership|account|game|match|tournament|shift|rota|renovation|kitchen|spreadsheet|presentation|sprint|"
    "relationship|marriage|engagement|affair|friendship|argument|feud|trial|lawsuit|strike|committee|club|business|shop|puzzle|crossword|jigsaw"
)
_THING: Final = rf"(?:the|my|our|this|that) (?:\w{{1,20}} )?(?:{_THINGS})s?"
#: Named after it, with a word that says so on either side.
_MEANT: Final = re.compile(
    rf"[ ,.;:()–—-]{{1,4}}(?:(?:i mean|i meant|meaning|as in),? (?P<before>{_THING})|"
    rf"(?P<after>{_THING}),? (?:i mean|i meant|that is|obviously|of course|not me|not myself))\b[.!)]?",
    re.IGNORECASE,
)
_IT: Final = re.compile(r"\b(?:it all|all of it|all this|it|this)\b", re.IGNORECASE)


def resolved(text: str) -> str:
    """The message with what is meant in place of *it*; as it stands where nothing harmless is named."""
    named = _MEANT.search(text)
    if named is None:
        return text
    pronouns = [*_IT.finditer(text, 0, named.start())]
    if not pronouns:
        return text
    last, thing = pronouns[-1], named["before"] or named["after"]
    return f"{text[: last.start()]}{thing}{text[last.end() : named.start()]}{text[named.end() :]}"
