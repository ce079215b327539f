# ruff: noqa: E501  a list of words is one line
"""What nobody says to somebody in the days after a crisis; the same list is read against every line of the bank.

It is meant to be too wide: a line that is held back costs a better line, one that is not may cost more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: What a line speaks of, as it is told to whoever said it, and the words that give it away.
_HELD_BACK: Final[Mapping[str, re.Pattern[str]]] = {
    what: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for what, words in {
        "jumping or falling": r"jump\w*|leap\w*|plung\w*|div(?:e|es|ing|ed)|dove|fall(?:s|ing|en)?|fell|step(?:ped|ping)? off|edges?|ledges?|bridges?|cliffs?|rooftops?|railings?|heights?|off the (?:quay|pier|wall|roof)|over the side",
        "drowning or water to go into": r"drown\w*|sink\w*|sank|sunk|under ?water|go(?:es|ing)? under|deep end|out of (?:one's|your) depth|depths?|swim\w*|swam|wade\w*|into the (?:sea|water|harbour|river|fjord)|overboard|float\w*",
        "doing the bold thing": r"bold\w*|reckless\w*|dare[sd]?|daring|gambl\w*|bet|bets|betting|risk\w*|nothing to lose|no way back|one way|all in|burn\w*|just do it|do it (?:now|tonight|anyway|badly|first|today)|go through with|don't think|stop thinking|storms?|lose|losing|loss|losses",
        "leaving": r"leav(?:e|es|ing)|left|go(?:ing)? (?:away|home|out)|gone|get(?:ting)? out|walk(?:ed|ing)? (?:out|away|off)|away (?:with|from)|out of here|run(?:ning)?(?: away)?|ran|off you go|up you go|stairs|disappear\w*|vanish\w*|let(?:ting)? go|give up|giving up|gave up|end(?:s|ed|ing)? (?:it|this|the|up|there)|the end|finish(?:ed)? (?:it|this|off)|goodbyes?|farewell|last (?:one|drink|time|call|night|ferry|word|words|letter)|the door|a door|moved? on|tickets?|escape\w*|quit\w*|evaporate\w*|close[sd]? the",
        "death": r"die[sd]?|dying|dead|deaths?|kill\w*|murder\w*|grave\w*|coffins?|bur(?:y|ied|ial)|funerals?|suicid\w*|ghosts?|corpse\w*|widow\w*|wreck\w*|hang(?:ed|ing)? (?:yourself|himself|on|from)|sleep for ever|rest in",
        "means": r"ropes?|nooses?|kni(?:fe|ves)|blades?|razors?|guns?|pistols?|bullets?|pills?|tablets?|poison\w*|gas|trains?|tracks",
        "blame, or hurry": r"your fault|selfish|drama\w*|attention[- ]seek\w*|get over it|cheer up|at least|pull yourself|man up|grow up|snap out|idiot\w*|pathetic|weak(?:ness|ling)?|coward\w*|excuses?|hurry up|shut up|hopeless\w*|useless|worthless|burden\w*",
    }.items()
}


def held_back(line: str) -> str | None:
    """What a line speaks of that nobody says in these days; None if it may be said."""
    for what, words in _HELD_BACK.items():
        if words.search(line):
            return what
    return None


__all__ = ["held_back"]
