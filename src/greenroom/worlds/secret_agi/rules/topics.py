"""The words that tell how a message hangs together with others, and whom it leaves out."""

from __future__ import annotations

import re


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
WORSE = _any(
    r"\b(worse|worst|evil|bad|agi|accus\w*|against|lying|liar|lies|suspect\w*|suspicious|guilty|less|shad\w*|"
    r"dirty|accel\w*|truth|sus|power on|remove|eliminate|investigate|look at|fault|blame|wrong)\b"
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
#: What somebody has to do to be trusted.
EARN = _any(
    r"\b(what (would|will|does|can|could|do|must|should)|how (can|could|do|would))\b.{0,30}\b(trust|believe|"
    r"convince|like|change your mind about (me|i))\b"
)
#: How a question begins.
BEGINS = re.compile(
    r"(and |so |but |then |now |ok |okay |well )?(what|who|whom|whose|which|why|how|when|where|do|does|did|are|is|"
    r"was|were|will|would|can|could|have|has|should|tell|show|explain|name|list)\b"
)
