"""What a question is about: a field of the game by its words, and what is asked of it by who does what, and when.

A field is found by its words. Within it the first row that fits is what is asked: by who does it (*you*, another, the
speaker, anybody), by whether another is named, and by what else is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from greenroom.worlds.secret_agi.rules.claims import Topic
from greenroom.worlds.secret_agi.rules.forms import Form

Phrases: TypeAlias = re.Pattern[str]


_APART = re.compile(r"  +|\n *")


def _words(text: str) -> Phrases:
    """Words and turns of phrase, which stand apart by two spaces or a line."""
    return re.compile(rf"\b({'|'.join(_APART.split(text.strip()))})\b")


# the fields

VOTE = _words(r"""
    vot(e|es|ed|ing|ers?)  ballots?  approv\w+  reject\w*  refused  blocked  sank  support(ed|ing)?  yes or no
    yea or nay
    (?<!hold )(?<!held )(?<!keep )(?<!come )(?<!coming )back(ed|ing)?  thumbs up  (say|said|saying) (yes|no)
    for or against
    in or out  in favou?r  (was|were|are|been) (for|against)  your (yes|no)  (wave|let) .{0,12}through
    are (you|we) in
    (do we (do|take|want)|take|ok with|okay with) (this|it|that)( team)?  why (yes|no)  this (team|pair|one)
    is .{0,12}going to be  did (that|it|the team|this team|the last team|we) (not )?(fail|pass|get|go)
""")
CARD = _words(r"""
    cards?(?! (did you (have|draw|hold)|were|in your hand))  allegiance  peek\w*  check(ed|ing)?
    your (look|power|check)
    investigat\w*  inspect\w*  look(ed|ing)? at(?! (me|us|the|this|that|it)\b)  used? (your|the) power  looked
    know something
    (did|have) you (see|seen|learn\w*|find out|found out)  you (saw|learnt|learned|found out)
""")
PUBLISH = _words(r"""
    publish\w*  releas\w*  play (a |the |that )?(capability|safety|bad|good)
    (put|played|play|push) .{0,30}(down|out|through)  played  that paper  turn(ed)? down
    choices?  only option  what .{0,12}g[eo]t rid of
    the (other|second|safer|better) (one|paper)  forced  alternative  better  worse  refused? to
""")
DREW = _words(r"""
    th(row|rew|rown) (out|away)( (the|a|that|your))?( \w+)? (paper|one|card)s?  dr[ae]wn?  draw(ing)?  discard\w*
    dealt  bin(ned)?  threw  throw(n)? away  three( papers| cards| came)?  hand over
    pass(ed)?( on| along| over)?  h[eo]ld( back)?  ke[ep]pt?( back)?  (to choose|choosing) from  bury|buried  the deck
    (your|full|whole) (hand|papers|cards)  (papers?|three|cards|hand) (did|were|was|you had)  what papers  up there
    in front of you  (cards|papers) (do|did|have) you
""")
GOT = _words(r"""
    receiv\w*  get(?! (rid|why|it|that|how|the director|the engineer|to be|nominated|elected|it wrong)\b)
    got(?! (a|any|on|against|some)\b)
    given  gave  give(?! (me|us))  hand(ed)? (you|me|over)  handed  (?<!last )hand  what (else )?happened in research
    which two  your two
    two (papers|options|cards)  reach(ed)? you  pick from  choose (from|between)  came over  both of them
    le(ave|ft) you
""")
NAME = _words(r"""
    nominat\w*  engineer  director  pick(ed|ing)?(?! (from|a side))  choose(?! (from|between))  chose(n)?
    put forward  propos\w*
    elect(ed)?  send  whose idea  put X in  (new|next|the|in a) team  for the job  research  team with  go with  skip
    appoint
    (?<!word )(would|do|should|shall) (you|we|i) (all |guys )?(take|want)  work (next|now)  who publishes
""")
SAY = _words(r"""
    (?<!would you )say  says  said  saying  claim\w*  told  tells?(?! (me|us|the))  stor(y|ies)  accounts?  promis\w*
    contradict\w*  changed? your mind  version  (do|does|did)( not)? .{0,12}add up  keep changing
""")
WHY = _words(r"""
    have against  got (on|against)  done to you  proof  evidence  grounds  base (that|this|it)  defend\w*  makes you
    so (hard|harsh|soft|easy|sure|nice) (on|about|to|with)  (is|was) it X  how do you know  reasons?
""")
SIDE = _words(r"""
    side  role  team are you  with us or  allegiance  loyal\w*  where do you stand  who are you( really)?
    what are you(?! \w)
    swear  together  partners?  in on it  one of (them|us)  work for  playing for  with (us|them|me)  colou?rs
""")
LIE = _words(r"lying  lie[ds]?  liars?  truth  bluff\w*  honest(ly)? about  made (it|that) up  false")
BAD = _words(r"""
    suspect\w*  suspicious  sus  agi  evil  bad  guilty  accel\w*  machine  traitors?  insiders?  fishy  dirty
    villain
    shad(y|ier|iest)  distrust\w*  enem(y|ies)  against us  dangerous  eliminat\w*  (throw|kick|vote) out  get rid of
    remove  kill  least  worr(y|ies|ied)  fear  afraid  watch  wants? the  smells?  weak(est)?  bet against
    capability
    wrong  one of (them|the bad)  problem  attack(ing|ed)?  accus\w*  blam(e|ed|ing)  fault  doubt
""")
GOOD = _words(r"""
    trust\w*  believ\w*  faith  (count|depend) on  sure of  stand by  side with  safe  safety  rely  reliable  honest
    clean  innocent  word  our side  good  vouch\w*  clear(ed)?  friends?  ally|allies  bet  most  human  ok(ay)?
    like
    confiden(t|ce)
""")
THINK = _words(r"""
    think\w*  opinion  thoughts?  views?  reads?  feel(ing)? about  make of  take on  reckon  rate  judge  up to  gut
    hunch  instinct  theory  deal with  going on with  about X  vibe  impression  (what|how) about  pair(ing)?
""")

_OVER = r"regret|did|was|were|voted|said|been|had|last|ballot|behind|earlier|looked|wrong|your (yes|no)|that"
_ANYBODY = r"who|whom|whose|which( one)? of|any(body|one)|some(body|one)|person"
_NOT = r"not|never|no longer|least"


class Row(NamedTuple):
    """What is asked where all of this holds."""

    topic: Topic
    has: str = ""
    lacks: str = ""
    #: Who does it; several apart by a stroke, *none* for nobody.
    doer: str = ""
    #: How many others must be named at least.
    named: int = 0
    #: Whether somebody is spoken to.
    you: bool | None = None

    def fits(self, form: Form, doer: str, named: int) -> bool:
        if named < self.named or (self.doer and doer not in self.doer.split("|")):
            return False
        if self.you is not None and self.you != form.of_you:
            return False
        return _found(self.has, form.text) and not (self.lacks and _found(self.lacks, form.text))


def _found(words: str, text: str) -> bool:
    return not words or _pattern(words).search(text) is not None


@cache  # as many as there are rows
def _pattern(words: str) -> Phrases:
    return re.compile(rf"\b(?:{words})\b")


#: Votes that were and votes to come.
VOTES = (
    Row("alike", "same|together|alike|differently|X and Y", doer="X|none|who", named=2),
    Row("voted", _OVER + "|why|how come|reasons?|explain|what made", you=True),
    Row(
        "ballots",
        "(fail|pass|count|result|how did|show).*(" + _OVER + ")|voted|count|result|(why|how) did|did (that|it|we)",
    ),
    Row("vote"),
)
#: Cards that were seen, may be, or are one's own.
CARDS = (
    Row("checked", r"(been|being|were you|are you|was|get) (\w+ )?(checked|investigated|looked|inspected)"),
    Row("checked", "(look(ed)? at|check(ed)?|investigated?) (you|your)", doer="X|who|none|we|i"),
    Row(
        "look",
        "(would|should|will|going to|want|next|could|can) .{0,30}(?<!your )(look|check|investigate|inspect|peek)",
    ),
    Row("card"),
)
#: Papers: what somebody drew, was given, put out, or would.
HANDS = (
    Row("policy", "suppose|imagine|would you have|would you (pass|publish|discard|do|keep)|(will|do|"
                  "are going to) you (pass|"
                  "publish|discard|"
                  "keep)|if you (get|got|draw|drew|had)(?! (the |to be )?(director|engineer|nominated|elected|"
                  "a chance))"),
    Row("nominate", "should|would|shall|will|could", "published|did|was", doer="who"),
    Row("choice", r"discard\w*|throw|threw|thrown?( away)?|bin|binned|bury|buried|drop(ped)?|g[eo]t rid"),
    Row("choice", "why|choice|forced|better|worse|explain|alternative|safer|push|how could|have to|on purpose"),
    Row("drew", DREW.pattern, "(hand(ed)?|pass(ed)?|give|gave|given|dealt) (to )?you|get|got|received?"),
    Row("received"),
)  # fmt: skip
_NAMED_ONCE = "did|was|were|had|nominated|whose idea|picked|chose|picking|nominating|been|last"
_MAY_NAME = "would|should|if|going to|will|next"
#: Who was, or who should be, in a team.
NAMES = (
    Row("named", "whose idea|(why|who) .*(" + _NAMED_ONCE + ")", "would|should", named=1),
    Row("papers", _NAMED_ONCE, _MAY_NAME),
    Row("opinion", named=1),
    Row("suspect", _NOT + r"|keep\b.*\b(out|away)"),
    Row("nominate"),
)
_YOU_SAID = (
    r"you (\w+ )?(said|say|told|tell|claim\w*|promised)|did you (not )?(say|claim|tell|promise)|"
    r"your (story|claim|account|version)"
)
#: What was told, by whom, and what one makes of it.
SAYINGS = (
    Row("changed", rf"({_YOU_SAID})\b.*\b(suspect|trust|now|changed?|mind|still|stand by)\w*|(suspect|trust|now|"
                   rf"still|stand by)"
                   rf"\w*\b.*\b({_YOU_SAID})", named=1),
    Row("own", _YOU_SAID),
    Row("story", r"believe|buy|true|fall for|trust|plausible|convinc\w+|lying|lie|think|honest|right|swallow",
        "what (did|has|does)", named=1),
    Row("stories", r"match\w*|fits?|agree|contradict\w*|add up|same|different|hands?|papers?|drew|drawn|passed|got",
        named=1),
    Row("stories"),
)  # fmt: skip
_AM_YOU = (
    r"(are|were|be|not) (you|you really|you actually|you a|you an|you the)\b.{0,30}\b(agi|safety|evil|bad|good|"
    r"safe|accel\w*|"
    r"machine|one of|with (us|them|me)|human|our side|traitor|insider|honest|capability|clean|innocent)|not you\W*$|"
    r"you are (not )?(the|an?|on|one|safety|with|evil|good|bad)|you, (good|safe)"
)
#: Sides, trust and suspicion: of whom, in whom, and why.
SIDES = (
    Row("accused", r"why (should|would|do) (i|we|any\w+|they|people) (ever |still |even )?(trust|believe|listen|"
                   r"pick|elect)",
        you=True),
    Row("partner", r"(if|suppose|say|assume|assuming) X\b.{0,40}\b(who|partner|other|else)|X's (side|team|partner|"
               r"friends?)|who\b.{0,40}\b(with|beside|behind) X", named=1),
    Row("accused", "you and X|X and you", named=1),
    Row("both", r"(most|best)\b.*\b(least|worst)|least\b.*\bmost"),
    Row("why", rf"why|how come|explain|what made|{WHY.pattern}", named=1),
    Row("opinion", "me|am i|do i|i (look|seem|sound|am)", "(tell|show|give|remind|answer|let|convince|with) me"),
    Row("role", _AM_YOU, r"who\b"),
    Row("role", SIDE.pattern, "(?<!about )(" + _ANYBODY + r")\b(?! (side )?are you)", you=True),
    Row("stories", rf"({_ANYBODY})\b.*\b{LIE.pattern}.*\b(so far|yet|already)|has ({_ANYBODY}) lied"),
    Row("suspect", f"{BAD.pattern}|{LIE.pattern}"),
    Row("suspect", rf"({_NOT})\b.*{GOOD.pattern}|{GOOD.pattern}.*\b({_NOT})"),
    Row("trust", GOOD.pattern),
    Row("suspect"),
)  # fmt: skip
BUYS = _words(r"(buy|believe|swallow|fall for) (that|it|this)")
#: The fields in the order in which they are looked for. Where two are named, what is done goes before what is thought.
FIELDS: tuple[tuple[Phrases, Sequence[Row]], ...] = (
    (BUYS, SAYINGS), (VOTE, VOTES), (CARD, CARDS), (PUBLISH, HANDS), (DREW, HANDS),
    (GOT, HANDS), (SAY, SAYINGS), (NAME, NAMES), (LIE, SIDES), (BAD, SIDES), (GOOD, SIDES),
    (THINK, SIDES),
)  # fmt: skip


class FieldTopic(NamedTuple):
    """What it may be after, and whether more than the field says so."""

    topic: Topic
    closely: bool


def topics(form: Form, named: int) -> Iterator[FieldTopic]:
    """What it may be after, the likeliest first; a reason that is asked of somebody who is named goes before all."""
    if named and form.has(WHY) and not form.has(VOTE):
        yield FieldTopic("why", closely=True)
    for words, rows in FIELDS:
        if (at := words.search(form.text)) is not None:
            doer = form.doer(at) or "none"
            row = next(row for row in rows if row.fits(form, doer, named))
            yield FieldTopic(row.topic, closely=bool(row.has or row.lacks))


__all__ = ["FIELDS", "FieldTopic", "topics"]
