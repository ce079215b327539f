"""What players without a model say at the table. Made of what everybody has seen and of whom the speaker would name."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules.views import Published, View

#: What a random player says.
SMALL_TALK = (
    "I have nothing to add.",
    "Let us see the papers first.",
    "I will vote as I feel.",
    "Somebody here is not telling the truth.",
    "The coffee is the only thing in this room I trust.",
    "I had a theory. It has left the building.",
    "Ask me again when there is less Capability about.",
    "I vote with my stomach, and it is rumbling.",
    "Has anybody actually read these papers?",
    "I slept badly and I suspect all of you equally.",
    "Whatever the Director wants. Or the opposite.",
    "I was told there would be benchmarks.",
)
#: Before anything was published.
_EARLY = (
    "No paper, no evidence. I would start with {trusted} and see.",
    "We know nothing yet, so let us at least learn something: {trusted} as Engineer.",
    "{suspect} is very calm for somebody who knows nothing.",
    "First rounds are cheap. I would spend this one on {trusted}.",
    "Whoever is in a hurry today, I will remember it tomorrow. Yes, {suspect}, I mean you.",
    "I have no reason to doubt {suspect}. I am looking for one.",
)
#: After a paper that raised Capability more than Safety.
_BAD = (
    "{engineer} published that. I would like to hear what else was in the hand, {director}.",
    "Either {director} passed two bad papers or {engineer} chose the worse one. I lean towards {suspect}.",
    "That paper did not publish itself. {engineer}, your turn to explain.",
    "Bad luck happens once. I am counting, {suspect}.",
    "Somebody in that lab wanted Capability. My money is on {suspect}.",
    "If {director} had nothing better, say so now; silence I shall read as an answer.",
)
#: After one that did not.
_GOOD = (
    "A clean paper. I would let {trusted} work again.",
    "That is how it is done. {trusted} next, if you ask me.",
    "Good work from {engineer}, unless it is the sort that buys trust for later.",
    "One honest paper does not make an honest table. Still: {trusted}.",
    "I liked that one. I still do not like {suspect}.",
)
#: After a paper that published itself.
_ITSELF = (
    "Three failures and the deck decided for us. Can we agree on {trusted} before it does so again?",
    "Nobody chose that paper, which is exactly the problem. {trusted}, please.",
    "Whoever keeps voting no should say whom they would vote for. I say {trusted}.",
)
#: When Capability is far ahead, or an AGI could win by being elected.
_LATE = (
    "Capability {capability} against Safety {safety}. I vote for nobody I cannot vouch for, and that leaves {trusted}.",
    "One wrong Engineer and we all go home. Not {suspect}.",
    "From here on a name is a bet. I would bet on {trusted} and against {suspect}.",
    "Please, no heroes. {trusted}, a boring paper, and we live another round.",
    "If {suspect} is elected now and we lose, remember who said no.",
)


def opinion(seen: View, trusted: str, suspect: str, chance: Chance) -> str:
    """A line about the last paper, or about how late it is, naming whom the speaker would."""
    last = seen.published[-1] if seen.published else None
    lines = _fitting(seen, last)
    return chance.choose(lines).format(
        trusted=trusted,
        suspect=suspect,
        engineer=(last.engineer if last is not None else None) or trusted,
        director=last.director if last is not None else suspect,
        capability=seen.capability,
        safety=seen.safety,
    )


def _fitting(seen: View, last: Published | None) -> Sequence[str]:
    if last is None:
        return _EARLY
    if seen.capability >= 8 or seen.capability - seen.safety >= 4:
        return _LATE
    if last.engineer is None:
        return _ITSELF
    return _BAD if last.capability_gained > last.safety_gained else _GOOD
