"""For whoever plays for the first time: the rules of a table, and what to look out for."""

from __future__ import annotations

from greenroom.worlds.secret_agi.rules.telling import paragraphs_of

FIRST_GAME = (
    "Look at your role first. Safety players know nothing and have to find out; the others know each other and have to "
    "pass for Safety.",
    "Every round two people touch the papers. The Director sees three and passes two on; the Engineer sees two and "
    "publishes one. If a bad paper comes out, one of them may have wanted it, or there was nothing better.",
    "So ask. “player_3, what did you draw?” gets an answer, and so does “player_5, what did you get?”. When the two "
    "stories do not match, one of the two lies.",
    "Votes are public once they are all in. Watch who says yes to whom, and who will not help in an emergency.",
    "From Capability 8 on, an AGI that is elected Engineer wins on the spot. Vote for nobody you cannot vouch for.",
    "From Capability 10 on you may, once, ask somebody directly whether they are the AGI. That answer is always true.",
    "If you are not Safety: give up a little early on. Harm that can be put down to bad luck is worth more than harm "
    "that points at you.",
)


def rules_lines(players: int, rules: str) -> list[str]:
    """The rules of one table, a paragraph each."""
    return [paragraph.replace("\n", " ") for paragraph in paragraphs_of(players, rules)]


def guide_lines() -> list[str]:
    """What helps in a first game."""
    return list(FIRST_GAME)
