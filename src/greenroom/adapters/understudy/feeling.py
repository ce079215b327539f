"""Whether what somebody tells is good, bad or neither: by likeness to examples, and by the words that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from greenroom.adapters.understudy.cues import Cues
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

#: Words that leave little doubt, and what else some of them may mean.
_SHOWN: Final = Cues("""
bad: died | dies | dying | die | dead | death | lost | lose | broke | broken | hurt | hurts | burnt | burned |
  bleeding | forgot | forgotten | miss | misses | missed | missing | left me | walked out | moved out | i'm sad |
  so sad | feel sad | sad news | a row | another row | fight | fought | crashed | knackered | exhausted | shattered |
  worn out | can't face | bullied | bully | passed me over | turned me down | wife left | husband left |
  girlfriend left | boyfriend left | not speaking | haven't spoken | stopped speaking | stopped talking |
  stopped greeting | won't speak | haven't slept | not slept | nobody sleeps | nobody to talk to | no friends |
  terrified | lonely | all alone | so alone | feel alone | i'm afraid | i am afraid | i'm scared | scared | worried |
  ashamed | my fault | fail | failed | fired | sacked | divorce | divorced | cancer | parkinson's | dementia |
  alzheimer's | tumour | stroke | hospital | ill | sick | fever | terrible | awful | can't sleep | cannot sleep |
  nobody calls | nobody cares | nobody needs me | disappear | quarrel | quarrelled | argue | argued | arguing |
  stole | stolen | run over | put down | put him down | put her down | put to sleep | funeral | buried | killed |
  drowned | kicked out | thrown out | laid off | let me go | redundant | evicted | robbed | hates me | sank |
  split up | splitting up | ran away | not fine | wreck | wrecked | pain | hopeless | rotten | blames me | debt |
  eyes are going | cutting shifts | used to have | can't afford | did not survive | didn't survive | didn't make it |
  i should be happy | flooded | !in the fight | !dead easy | !dead sure | !died off | !battery | !phone | !i thought |
  !lost it | !lost count | !die of | !miss brack | !radio | !torch | !lost my nerve | !feet are dead
good: happy | glad | feel lighter | feels lighter | proud | won | passed | married | engaged | proposed | born | twins | fixed | repaired |
  mended | love | loved | wonderful | lovely | great | best | expecting | pregnant | finally | promoted | offered |
  nominated | award | prize | good news | healed | celebrated | celebrating | met someone | asked me out |
  met somebody | feel better | feels better | getting better | much better | better week | got in | got into |
  got the job | said yes | can't wait | paid me back | handed it in | finished it | recovered | home again | made up |
  !passed away | !passed out | !passed me | !would love | !i'd love | !he'd love | !she'd love | !they'd love |
  !you'd love | !best friend | !best man | !great aunt | !great uncle | !not | !never | !don't | !didn't | !isn't |
  !wasn't | !can't stand | !nobody | !without | !should be happy | !hardly
""")
#: Whoever went away from somebody, by name or not.
_LEFT = re.compile(
    r"\b(?:wife|husband|girlfriend|boyfriend|partner|fiancée?) (?:[A-Z]\w+ )?(?:left|walked out|moved out)\b(?! (?:for|the|a|my|early)\b)"
)
_LIKENED = re.compile(r"\b(?:like|as|than) an? \w+", re.IGNORECASE)
#: What somebody holds to be so, or what would be if, is no news of their own.
_OPINION = re.compile(
    r"^(?:well,? |but |so )?(?:if\b|i (?:think|believe|reckon|suppose) (?:that )?(?!i\b|i'|my\b|we\b))", re.IGNORECASE
)


def meant(text: str) -> str:
    """The text without what something is only likened to."""
    return _LIKENED.sub(" ", text)


def feeling_of(said: str, meaning: Meaning) -> Feeling:
    """Good, bad or neither. Words that leave no doubt decide; the examples where there are none, or of both kinds."""
    shown = [] if _OPINION.match(said) else [*_SHOWN.all_in(meant(said.rpartition(" but ")[2]))]
    if len(shown) == 1 or _LEFT.search(said):
        return "good" if shown == ["good"] else "bad"
    if not meaning.is_encoder:
        return "plain"
    whole = " ".join(said.split())
    scores = {felt: max(meaning.likes(whole, examples)) for felt, examples in FELT.items()}
    best = max(scores, key=lambda felt: (scores[felt], felt == "plain"))
    near = max(score for felt, score in scores.items() if felt != best)
    least, margin = (LEAST_GOOD, MARGIN_GOOD) if best == "good" else (LEAST, MARGIN)
    return best if scores[best] >= least and scores[best] - near >= margin else "plain"


__all__ = ["FELT", "Feeling", "feeling_of", "meant"]
