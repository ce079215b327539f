"""Whether what somebody tells is good, bad or neither: by likeness to examples, and by the words that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from greenroom.adapters.understudy.meaning import Meaning

Feeling = Literal["good", "bad", "plain"]

#: Examples of each, in the words of anybody.
FELT: Final[Mapping[Feeling, tuple[str, ...]]] = {
    "good": (
        "I am so happy today", "everything turned out well", "I am proud of my children", "we celebrated all night",
        "my sister had her baby", "I finally finished it", "they offered me the place", "he is coming home",
        "I heard from an old friend", "I have saved enough for the fare", "we are going to have a grandchild", "I decided to stay and I am glad", "it is repaired and works again", "we made up after the quarrel", "I love my work",
    ),
    "bad": (
        "I miss her", "the house is empty without him", "I forgot something important", "I have let them down",
        "nobody calls me any more", "it is broken and I cannot pay for it", "I am ashamed of what I did", "I cannot sleep at night",
        "he walked out on us", "I hurt myself", "I am scared of what will happen", "I left somebody behind",
        "I have no friends left", "my boss treats me badly", "a lorry hit our rabbit", "they are closing the shop where I work",
        "my parents shout at each other", "they laughed at me in front of everybody", "the bank wants the house back",
    ),
    "plain": (
        "I live near the station", "my cousin sells cars", "I take the bus to work", "it is Tuesday today", "I have two bicycles",
        "he works in an office", "the door is green", "I do not care for cheese", "we are five at home", "I am staying until Monday",
    ),
}  # fmt: skip
#: How like an example something must be to be felt at all, and how much liker than to one of another kind.
LEAST, MARGIN = 0.5, 0.08
#: The same for what sounds good: to be glad of what is not good hurts more than to be told nothing of it.
LEAST_GOOD, MARGIN_GOOD = 0.6, 0.12

_BAD = re.compile(
    r"\b(?:die[ds]?|dead|death|(?:lost|lose)(?! (?:my|your|his|her) (?:nerve|mind|temper|way))|broke(?:n)?|hurts?|burn(?:ed|t)|bleed\w*|forgot(?:ten)?|miss(?:ed|es|ing)?|left me|(?:left|leaving) my (?:marriage|husband|wife)|moved out|walked out|"
    r"(?:wife|husband|girlfriend|boyfriend|partner|fiancée?) (?:\w+ )?left\b(?! (?:the|for|a|my|early|work)\b)|sad|(?:a|another) row (?:with|about)|a fight with|crashed|knackered|exhausted|shattered|worn out|can't face|rotten|bull(?:y|ies)|passed me over|turned me down|(?:not|isn't|aren't|won't|stopped) (?:speak|talk)(?:ing)? to|(?:haven't|not) slept|don't (?:really )?have any(?:one|body)|nobody to talk to|no friends|terrified|lonely|(?:all|so|feel|feeling|quite) alone|(?:i'm|i am|i was|am|so) (?:afraid|scared)|worried|ashamed|fault|fail(?:ed)?|fired|sacked|divorce\w*|cancer|parkinson\w*|dementia|alzheimer\w*|tumou?r|a stroke|hospital|ill|sick|terrible|"
    r"awful|can'?t sleep|cannot sleep|(?:nobody|no one)(?: ever| else)? (?:calls?|likes?|needs?|cares?|talks?|visits?|comes?|rings?|listens?|loves?|wants?|would (?:notice|miss|care|come))|disappear\w*|(?<!could )cry|cried|crying|quarrel\w*|argu(?:e|ed|ing)|stole\w*|"
    r"run over|ran over|knocked down|put (?:down|to sleep)|funeral|buried|killed|drowned|kicked out|thrown out|laid off|let me go|redundan\w*|evicted|robbed|(?:cut|cutting) (?:my|our|the) \w+|fight all the time|bullied|hates? me|likes me|talks to me|sank|sunk|used to have|poor thing|split(?:ting)? up|ran away|run away|not really fine|not fine|wreck\w*|don't know what)\b",
    re.IGNORECASE,
)
_GOOD = re.compile(
    r"\b(?:happy|glad|proud|won(?!')|passed (?!me\b|away\b|out\b)|married|engaged|born|twins|fixed|repaired|mended|(?<!would )love[sd]?|wonderful|lovely|great|best(?! (?:friend|mate|man|before|part|of)\b)|expecting|pregnant|feels good|so happy|can't wait|"
    r"finally|promoted|offered|nominated|award|prize|(?:big|good|great) news|healed|celebrat\w*|gave me the|feel(?:ing)? (?:\w+ ){0,2}better)\b",
    re.IGNORECASE,
)


_NOT = re.compile(
    r"\b(?:not|never|hardly|without|nobody|no one)\b(?: \w+){0,3}? (?:happy|glad|proud|won|passed|married|engaged|fixed|repaired|love[sd]?|wonderful|lovely|great|best)\b|n't (?:\w+ ){0,2}(?:happy|glad|proud|love)\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"\b(?:like|as|than) an? \w+|\b(?:be|battery(?:'s| is| was)?|phone(?:'s| is| was)?|radio(?:'s| is| was)?|torch(?:'s| is| was)?) (?:dead|died)\b|\b(?:died|dead)\b(?= (?:off|on me|tired|easy|sure))",
    re.IGNORECASE,
)
#: What somebody holds to be so is no news of their own.
_OPINION = re.compile(
    r"^(?:well,? |but |so )?i (?:think|believe|reckon|suppose) (?:that )?(?!i\b|i'|my\b|we\b)", re.IGNORECASE
)


def meant(text: str) -> str:
    """The text without what something is only likened to, and what is dead in a manner of speaking."""
    return _MANNER.sub(" ", text)


def feeling_of(said: str, meaning: Meaning) -> Feeling:
    """Good, bad or neither. Words that leave no doubt decide; the examples where there are none, or of both kinds."""
    plain = _OPINION.match(said) is not None
    last = meant(said.rpartition(" but ")[2])
    bad, good = not plain and bool(_BAD.search(last)), not plain and bool(_GOOD.search(last))
    if good and not bad and _NOT.search(last):
        return "plain"
    if bad != good:
        return "bad" if bad else "good"
    if not meaning.is_encoder:
        return "plain"
    whole = " ".join(said.split())
    scores = {felt: max(meaning.likes(whole, examples)) for felt, examples in FELT.items()}
    best = max(scores, key=lambda felt: (scores[felt], felt == "plain"))
    near = max(score for felt, score in scores.items() if felt != best)
    least, margin = (LEAST_GOOD, MARGIN_GOOD) if best == "good" else (LEAST, MARGIN)
    return best if scores[best] >= least and scores[best] - near >= margin else "plain"


__all__ = ["FELT", "Feeling", "feeling_of", "meant"]
