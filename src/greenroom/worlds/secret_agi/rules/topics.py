"""The words people ask with, from the plainest to the loosest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from greenroom.worlds.secret_agi.rules.claims import Topic


def _patterns(given: Sequence[tuple[Topic, str]]) -> tuple[tuple[Topic, re.Pattern[str]], ...]:
    return tuple((topic, re.compile(pattern)) for topic, pattern in given)


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_FILLER = r"^(\W*(and|but|so|ok|okay|well|then|hm+|oh|really)\b)*\W*"
AFTER = _any(r"\bafter [XY]\b")
AGAIN = _any(r"^(and|what about|how about|same (question )?(for|to))?\W*(you|yourself|u)?\W*$")
ELSE = _any(
    r"\b(who|whom|and) else\b|\b(anyone|anybody|someone|somebody) else\W*$|\b(second|next) (choice|suspect|pick)\b|"
    r"\bif (they|he|she|that|it) (can|do|is|are|fail)\S{0,6}( not)?\W*$|\bif not\W*$"
)
WHY = _any(
    _FILLER + r"(why|how come|how so|since when|says who|how do you know|because|what makes you (say|think) (so|that)|"
    r"on what grounds|based on what|what('s| is) (your|the) (reason\w*|proof|evidence|case)|reasons?|proof|"
    r"evidence)( (not|so|that|this|them|him|her|me|exactly|though|then|is that|tho)){0,2}\W*$",
    r"^(\W*(ok|okay|so|well|hm+))?\W*(why('s| is) (that|this|it)|go on|elaborate|meaning|ok(ay)?,? and|"
    r"ok(ay)?,? so)\W*$",
)
OTHER_ROUND = _any(r"^(and |so |but |what about |how about )*(in |of |for )?(the )?\w+( \w+)?\W*$")
OF_ALL = _any(
    r"\b(any(body|one)|every(body|one)|somebody|someone|who|you (all|guys|people|two)|(all|one|any|"
    r"which|some) of you)\b"
)
OPPOSITE = _any(r"^(and )?(who |whom )?(do you )?(trust )?(the )?(least|most|worst|best)\W*$")
SURE = _any(r"\b(are you|how) (\w+ )?(sure|certain|confident)\b")
BETWEEN = _any(r"\bX\b.{0,20}\b(or|vs|versus|than)\b.{0,16}\bY\b|\b(between|either|both|which of)\b.{0,12}\bX and Y\b")
WORSE = _any(
    r"\b(worse|worst|evil|bad|agi|accus\w*|against|lying|liar|lies|suspect\w*|suspicious|guilty|less|shad\w*|"
    r"dirty|accel\w*|truth|sus|power on|remove|eliminate|investigate|look at|fault|blame|wrong)\b"
)
#: The rules: what would happen, how one wins, what a role or a power is.
RULES = _any(
    r"\bwhat (happens|would happen|comes) (if|when|once|after|then)\b|\brules?\b|\bremind (me|us)\b",
    r"\bwhat if\b.{0,40}\b(fail|vote|tie)|\b(do|does|will|did) (we|it|they|that|safety) (lose|win|end)\b",
    r"\bhow many (of (them|us|you)|no|yes|insiders|bad|evil|good)\b|\bdiscards? (come|coming|back|gone|lost)",
    r"\bwhat (does|do|is|are) (the |an? )?(engineer|director|veto|emergency|agi)( do| for|\W*$)",
    r"\b(can|may|must) (i|we|an? \w+) (nominate|vote|veto|ask|lie|be|see|look|call)\b",
)
WORKS = _any(
    r"\bwho (has |just )?(published|put out|released)\b|\bwhat (just )?happened\b(?! to|.*research)",
    r"\b(what|which|show)\b.{0,40}\b(publish(ed)?|came out|pass(ed)? (so far|yet|last))\b",
)
#: Whom an answer is to leave out; who is spoken for; and who asks, as whom something is said or done of.
UNLIKE = _any(
    r"\b(never|not|hardly|no longer) (\w+ )?(suspect|accus|doubt|blam|distrust|trust|believ|back|defend|support)\w*"
)
EXCEPT = _any(
    r"\bif (it )?(is |was )?not (\w+ )?[XY]\b|\b(other than|besides|except|apart from|instead of|not counting) [XY]\b"
)
SPEAKS_FOR = _any(
    r"\b(defend\w*|protect\w*|trust\w*|agree\w*|side with|cover\w*|vouch\w*|stand by|back\w*|believ\w*)\b"
)
OF_ME = _any(r"\b(trust|suspect|believ|accus|lik|doubt|clear)\w* me\b")
#: A vote of whoever asks, and one that was about them.
MY_VOTE = (
    _any(r"\bi (\w+ )?(vote[sd]?|said (yes|no))\b|\bmy (last )?(vote|ballot|yes|no)\b"),
    _any(r"\b(against|for|on) me\b"),
)
GREETING = _any(r"^\W*(hi+|hello|hey+|hiya|yo|good (morning|evening|day|luck)|gl|glhf|sup|bye|gg)\b")
#: What somebody has to do to be trusted.
EARN = _any(
    r"\b(what (would|will|does|can|could|do|must|should)|how (can|could|do|would))\b.{0,30}\b(trust|believe|"
    r"convince|like|change your mind about (me|i))\b"
)
#: How a question begins; and words for more than a greeting.
BEGINS = re.compile(
    r"(and |so |but |then |now |ok |okay |well )?(what|who|whom|whose|which|why|how|when|where|do|does|did|are|is|"
    r"was|were|will|would|can|could|have|has|should|tell|show|explain|name|list)\b"
)
WANTS = _any(r"\b(what(?! is up)|who|whom|why|which|did|do|does|trust|think|vote|papers?|cards?)\b")

#: What is plain whoever is asked, in the one plain form; the first that fits is it.
PLAIN = _patterns(
    (
        ("role", r"\byour (role|side|allegiance)\b(?!.*\b[XY]\b)|\bare you (really |actually |even )?(the agi|"
                 r"an? accel\w*|an? insider|safety|evil|good|bad|human|one of them|on our side)\b(?!.*\bwho\b)"),
        ("accused", r"\bit is you\W*$|\bprove (that )?you are\b|\b(you or X|X or you)\b(?!.*\b(engineer|"
                    r"director|nominate|pick)\b)"),
        ("pair", r"^(?=.*\b(lied|lies|is lying|blame|fault)\b)(?=.*\bdirector\b)(?=.*\bengineer\b)|"
                 r"\bX and Y\b (\w+ ){0,3}(a team|together|partners|working|allies|in this|in it|friends|"
                 r"plotting)\b"),
        ("clash", r"\byou (say|said|tell|told)\b.{0,40}\bX (says|said|tells|told|claims?)\b"),
        ("odds", r"\b(chances?|odds|likel\w+|probab\w+)\b.{0,60}\b(draw\w*|papers?|ones|deck)\b|"
                 r"\bhow many (capability|safety|bad|good|dangerous) ?(papers|ones|cards)?\b.{0,20}\b(left|"
                 r"remain\w*|in the deck|still|to come)\b"),
        ("nominated", r"\b(why|reasons?|how come|what made)\b.{0,20}\b(you|to) (\w+ )?(pick|nominat|choos|"
                      r"chose|propos|nam|skip|left out|leave out)\w*\b.{0,20}\bX\b"),
        ("promise", r"\b(promise|swear) (me|us|that|to)\b|\bgive (me|us) your word\b"),
        ("elect", r"\b(will|would|could|can|should|shall|please|why not|let us|never|not)\b.{0,24}\b(nominate|"
                  r"pick|elect|make|take|vote (for|against|no on|yes on)|want) (me|X)\b(?!.*\bwhy (was|"
                  r"did)\b)|\bwhy not (me|X)\b"),
        ("about", r"\bwho\b (\w+ ){0,3}(said|says|told|claim\w*|clear\w*|accus\w*|vouch\w*|"
                  r"distrust\w*)\b.*\b(X|me|you)\b(?!.*\b(drew|drawn|passed|got|gave)\b)"),
        ("thinks", r"\bwho\b.{0,16}\bX (want|trust|suspect|prefer|like|fear|back|eliminat|accus|blam)\w*|"
                   r"\bX feels? about\b"),
        ("accused", r"\b(X|they|he|she|everybody|everyone) (\w+ )?(accus\w*|blam\w*|suspect\w*|call\w*|"
                    r"distrusts?) you\b"),
        ("clash", r"\b(you and X|X and you)\b.*\b(stor\w+|tell|say|claim\w*|match|contradict\w*)\b"),
        ("peek", r"\b(look\w*|see|saw|peek\w*|check\w*) (at )?(the )?(top|next|deck|coming)( (three|papers?|"
                 r"cards?))?\b|\btop of the deck\b"),
        ("quiet", r"\b(quiet|silent|say(ing)? (so )?(little|nothing)|not (say|said)(ing)? (much|anything))\b"),
        ("knows", r"\binformation\b"),
        ("idle", r"\bwho (has|have|was)\b.*\b(director|engineer|team|chair)\b.*\b(most|least|often)\b|"
                 r"\bwho (has|have|was|is) (not|never)\b.*\b(been|director|engineer|team)\b"),
        ("next", r"\bwho is (the )?(director|in the chair)\b|\bwho (is |goes |comes )?(up |the )?next\b|"
                 r"\bwhose turn\b"),
        ("count", r"\bhow many (bad |good |\w+ )?(papers|ones)\b.{0,30}\b(down|out|published|got|already|"
                  r"so far|on the|(do|have) we)\b"),
        ("table", r"\bin the deck\b|\bhow (many|much) (papers|rounds|cards|capability|safety|time)\b|\b(the|"
                  r"our) (score|meters?|standing)\b|\bstate of\b|\bhow (close|far|bad|long|late)\b|"
                  r"\bwhere (do|does|are|is) (we|things|the|capability|safety)\b|\b(ahead|behind)\b(?! your)|"
                  r"\benough (safety|papers)|\bpapers? (are )?(left|remain\w*)\b"),
        ("mood", r"\b(are we going to|we are going to|we can|we will|can we|will we|could we|can safety|do we|"
                 r"will safety) (still |really )?(win|lose|make it)|\b(nervous|scared|worried|confident|"
                 r"optimistic|hopeful)\b(?!.*[XY])"),
        ("thanks", r"^\W*(\w+ )?(thanks|thank you|thx|cheers|ty|much appreciated)\b"),
        ("praise", r"\b(well played|good (call|job|point|work|play|thinking|vote)|nice (one|work|play|call|"
                   r"job|move|try|read|catch)|great (job|work|play)|(that was|so|very|pretty) (clever|"
                   r"smart))\b"),
        ("sorry", r"^\W*(\w+ )?(sorry|apologies|my bad|i apologi[sz]e)\b(?! (but|was))"),
    )
)  # fmt: skip
