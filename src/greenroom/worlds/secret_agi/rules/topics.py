"""The words people ask with, from the plainest to the loosest, and examples of what they ask.

A question that fits none of the patterns is compared with the examples: by meaning where the house has an encoder,
and by the words they share where it has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from greenroom.worlds.secret_agi.rules.claims import Topic

#: What people ask, for questions that no pattern knows.
EXAMPLES: dict[Topic, tuple[str, ...]] = {
    "drew": ("What papers did you draw?", "What did you pass on and what did you discard?", "Show us your hand."),
    "received": (
        "What did you receive from the Director?",
        "Why did you publish that paper?",
        "Did you have a better choice?",
    ),
    "card": ("What did the card say?", "What did you learn when you looked at the card?"),
    "role": ("Which side are you on?", "Are you the AGI?", "What is your role?", "Are you good or evil?"),
    "suspect": (
        "Who do you suspect?",
        "Who is the AGI?",
        "Who is lying?",
        "Who is the traitor?",
        "You have been very quiet.",
        "What do you think?",
        "Say something.",
        "Tell us what you know.",
    ),
    "trust": ("Who do you trust?", "Who is on our side?", "Who can be relied on?"),
    "opinion": ("What do you think of them?", "Do you believe them?", "Are they lying?", "Your opinion of them?"),
    "why": ("Why do you suspect them?", "What makes you think that?", "What is your evidence?"),
    "voted": ("Why did you vote like that?", "Explain your vote."),
    "vote": ("How will you vote on this team?", "Do you support this team?", "Are you for this team or against it?"),
    "nominate": (
        "Whom would you nominate?",
        "Who should be the Engineer?",
        "What is your plan?",
        "What should we do now?",
        "Now what?",
        "What is your strategy?",
    ),
    "table": ("What is the score?", "How many papers are left?", "How do we stand?", "What is left in the deck?"),
    "sure": ("How sure are you?", "Are you certain of that?"),
    "accused": (
        "You are lying.",
        "Why should we trust you?",
        "Prove that you are Safety.",
        "Stop dodging and answer me.",
        "I do not believe you.",
        "You look guilty.",
    ),
    "ballots": ("Who voted against it?", "Why did the vote fail?", "How did everybody vote?"),
    "papers": ("What was published so far?", "Which papers have come out?", "What happened last round?"),
    "stories": ("Who claimed to have drawn what?", "Do their stories fit together?", "Has anybody lied so far?"),
    "said": ("What did they say exactly?", "What has happened so far?", "Sum it up for me."),
    "next": ("Who is Director next?", "Whose turn is it?", "Who is Director now?"),
    "hello": ("Hello everybody.", "How are you today?", "Good morning."),
    "aside": (
        "Nice weather today.",
        "What do you do for a living?",
        "Do you like this game?",
        "Have you played this before?",
        "Tell us a joke.",
        "What did you have for lunch?",
        "Where are you from?",
        "Are you having fun?",
        "Shall we take a break?",
        "Are you a bot?",
        "A good game so far.",
        "Your face was funny.",
        "If you were the AGI, what would you do now?",
        "What is your favourite food?",
    ),
}


def _patterns(given: Sequence[tuple[Topic, str]]) -> tuple[tuple[Topic, re.Pattern[str]], ...]:
    return tuple((topic, re.compile(pattern)) for topic, pattern in given)


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_FILLER = r"^(\W*(and|but|so|ok|okay|well|then|hm+|oh|really)\b)*\W*"
AGAIN = _any(r"^(and|what about|how about|same (question )?(for|to))?\W*(you|yourself|u)?\W*$")
ELSE = _any(
    r"\b(who|whom|anyone|anybody|someone|somebody|and) else\b|\b(second|next) (choice|suspect|pick)\b|"
    r"\bif (they|he|she|that|it) (can|do|is|are|fail)\S{0,6}( not)?\W*$|"
    r"\bif not\W*$"
)
WHY = _any(
    _FILLER + r"(why|how come|how so|since when|says who|how do you know|because|what makes you (say|think) (so|that)|"
    r"on what grounds|based on what|what('s| is) (your|the) (reason\w*|proof|evidence|case)|reasons?|proof|"
    r"evidence)( (not|so|that|this|them|him|her|me|exactly|though|then|"
    r"is that|tho))"
    r"{0,2}\W*$"
)
OPPOSITE = _any(r"^(and )?(who |whom )?(do you )?(trust )?(the )?(least|most|worst|best)\W*$")
SURE = _any(
    r"\bhow (sure|certain|confident)\b|\b(are|r) (you|u) (really |quite |so |that )?(sure|certain)\b|"
    r"\bwrong about\b|\bif you are wrong\b|\bcould you be wrong\b|\bsure about (that|this|it|them|him|her)\b"
)
BETWEEN = _any(r"\bX\b.{0,20}\b(or|vs|versus|than)\b.{0,16}\bY\b|\b(between|either|both|which of)\b.{0,12}\bX and Y\b")
WORSE = _any(
    r"\b(worse|worst|evil|bad|agi|lying|liar|lies|suspect\w*|suspicious|guilty|less|shad\w*|dirty|accel\w*|truth|"
    r"fault|blame|wrong)\b"
)
CHOICE = _any(r"\b(choice|pick)\b")
#: The rules: what would happen, how one wins, what a role or a power is.
RULES = _any(
    r"\bwhat (happens|would happen|comes) (if|when|after|once|then)\b|\brules?\b|\bremind (me|us)\b",
    r"\bwhat if\b.{0,40}\b(fail|vote|nobody|no ?one|tie|elect)",
    r"\bhow (do|does|can|could|would|will|did)\b.{0,30}\b(win|lose|works?|ends?)\b|\bwin condition|"
    r"\b(till|until|before) (we|they|it|safety)\b.{0,20}\b(win|lose|lost|end|over)\b",
    r"\b(do|does|will|would|did) (we|it|they|that|safety|you guys) (just |all )?(lose|win|end)\b",
    r"\bhow many (of (them|us|you)|votes|no|yes|(\w+ ){0,4}fail\w*|safety (players|people)|accel\w*|agis?|insiders|"
    r"bad|evil|good|traitors|enemies|players|(good|safe|bad|dangerous|clean) (papers?|ones))\b",
    r"\bwhat (does|do|can|is|are|'s|was) (the |an? )?(engineer|director|emergency|veto|agi|accel\w*|capability|"
    r"powers?|insiders?|"
    r"long rules|classic)( again| do| for| mean| even| here|\W*$)",
    r"\b(can|may|must) (i|we|the (director|engineer|agi)|an? \w+) (nominate|vote|veto|ask|lie|refuse|be|see|look|"
    r"call)\b",
    r"\ballowed\b|\bour (goal|aim|objective)\b|\bthe (goal|aim|objective|point) (of|for|here|again)\b|\bhow (does|"
    r"do) (the |an? )?(vote|voting|veto|emergency|powers?)\b|\bin a row\b",
    r"\bwhen (do|does|can|is|will) (the |we |it |an? )|\bmajority\b",
    r"\b(what|which) (are|were|is) the (roles|teams|sides)\b",
    r"\b(danger\w*|risky)( is (it|this))?( now| yet| already)?\W*$",
    r"\bdiscard(s|ed papers) (come|coming|back|return|gone|lost)",
)
OFFICES = _any(
    r"\bwho (was|were|has been|had been)( the| our)?( last)? (director|engineer)",
    r"(?<!when you )(?<!if you )(?<!\bi )\b(been|was|were)( you| the| an?)?( last)? (director|engineer)\b",
)
WORKS = _any(
    r"\bwho (has |had |just )?(published|put out|released)\b|"
    r"\b(what|which|how many|show)\b.{0,40}\b(publish(ed)?|publishing|put out|released?|came out|come out|"
    r"pass(ed)? (so far|yet|last)|"
    r"track record|(played|done) so far)\b|\btrack record\b|\bpapers? (has|have|did|are out|so far)\b|"
    r"\bwhat('s| was| were| is)? (the |our )?last (paper|round|hand|result)\b|\bwhat (just )?happened\b(?!.*research)",
)
#: Somebody is put on the spot, and has to stand up for themself.
CHALLENGE = _any(
    r"\b(prove|explanation|(so|awfully|too|very|pretty|suspiciously|weirdly) (calm|nervous|nice|eager|quick|loud|"
    r"happy|defensive)|convince (me|us)|one (good )?reason|defend yourself|explain yourself|liar|"
    r"(?<!are you )lying|lied|"
    r"you lie|shady|sus|nervous|on purpose|admit|"
    r"fishy|hiding|bullshit|nonsense|busted|got you|caught you|gotcha|whatever you say|yeah right|sure you)\b",
    r"\b(it'?s|it is|it was|think|bet|say|blame|suspect|accuse|got|against) you\b",
    r"\bwhy (should|would|do) (i|we|any(one|body)|they|people) (ever |still )?(trust|believe|vote for|listen|pick|"
    r"elect|nominate) ",
    r"\b(count|rely|depend) on you\b|\b(trust|believe) you\b",
    r"\b(don'?t|do not|can'?t|cannot|won'?t|never) (trust|believe|believing|buy|buying|like) (you|it|that|a word|"
    r"any of)\b",
)
#: Somebody wants the others to vote so.
CALL_TO_VOTE = _any(
    r"^\W*((please|guys|everybody|everyone|all|come on|ok|so|now|people|folks)\W+)*(let'?s|let us|please|just|"
    r"everybody|everyone|we (should|must|have to|need to))\b.{0,20}\bvote\b"
)
GREETING = _any(
    r"^\W*(hi+|hello|hey+|hiya|howdy|yo|greetings|good (morning|evening|afternoon|day|luck)|morning|evening|sup|"
    r"what'?s up|"
    r"how('s| is) (it going|everyone|everybody)|nice to (meet|see)|thanks|thank you|bye|cheers|gg|well played)\b",
    r"^\W*(\w+\W+){0,2}how (are|r) (you|u|ya)( all| doing| guys| today| feeling|\W*$)|^\W*(feeling|you) (ok|okay|"
    r"alright|well)\W*$",
)
#: A paper by its numbers, and something about it wanted.
PAPER = _any(r"\b(explain|who|whose|why|what about|where)\b.{0,40}\b[0-3]/[0-3]\b")
#: What somebody has to do to be trusted.
EARN = _any(
    r"\b(what (would|will|does|can|could|do|must|should)|how (can|could|do|would))\b.{0,30}\b(trust|believe|"
    r"convince|like)\b"
)
#: Words for a person who is not named.
PERSON = _any(r"\b(who\w*|anybody|anyone|somebody|someone|everybody|everyone|(one|which|any|some) of)\b")
#: How a question begins; and words for more than a greeting.
BEGINS = re.compile(
    r"(and |so |but |then |now |ok |okay |well )?(what|who|whom|whose|which|why|how|when|where|do|does|did|are|is|"
    r"was|were|"
    r"will|would|can|could|have|has|should|tell|show|explain|name|list)\b"
)
WANTS = _any(r"\b(what(?! is up)|who|whom|why|which|did|do|does|trust|think|vote|papers?|cards?)\b")

#: What is plain whoever is asked, in the one plain form; the first that fits is it.
PLAIN = _patterns(
    (
        ("accused", r"\b(X|they|he|she|everybody|everyone) (\w+ )?(accus\w*|blam\w*|suspect\w*|call\w*|"
                    r"distrusts?) you\b"),
        ("clash", r"\b(you and X|X and you)\b.*\b(stor\w+|tell|say|claim\w*|match|contradict\w*)\b|"
                  r"\byour.{0,20}\b(match|fit|contradict\w*|agree)\b.{0,20}\bX\b|\bX.{0,40}\b(match|fit|"
                  r"contradict)\w* yours?\b"),
        ("story", r"\b(believe|buy|trust|fall for)\b (what X|X's (story|claim|account|word))\b"),
        ("said", r"\b(sum (it|things|this|everything) up|summar\w*|recap|catch me up|fill me in|bring me up|"
                 r"what did i miss|afk)\b"),
        ("peek", r"\b(look\w*|see|saw|peek\w*|check\w*) (at )?(the )?(top|next|deck|coming)( (three|papers?|"
                 r"cards?))?\b"),
        ("quiet", r"\b(quiet|silent|say(ing)? (so )?(little|nothing)|not (say|said)(ing)? (much|anything))\b"),
        ("knows", r"\b(anything|something|what) (do |that )?you (know|can tell|have seen|"
                  r"learn\w*)\b(?!.{0,6} [XY])(?! about)|"
                  r"\binformation\b"),
        ("idle", r"\bwho (has|have|was|is) (not|never)\b.*\b(been|director|engineer|team)\b"),
        ("next", r"\b(director|leads?)\b.{0,20}\b(next|after|now|right now)\W*$|\bwho is (the )?(director|"
                 r"in the chair)\b|"
                 r"\bnext director\b(?! .*\b(have|pick|nominate|choose|send|take)\b)|\bwho (is |goes |"
                 r"comes )?(up |the )?next\b|\bwhose turn\b|"
                 r"\bwho (directs|leads) next\b"),
        ("count", r"\bhow many (bad |good |\w+ )?(papers|ones)\b.{0,30}\b(down|out|published|got|already|so far|"
                  r"have we)\b"),
        ("table", r"\bin the deck\b|\b(still|left) in (there|it)\b|\bdeck\b.{0,20}\b(empty|low|run)|\bhow (many|"
                  r"much) (papers|rounds|cards|capability|"
                  r"safety|time)\b|\bpapers? (are |is |do we have )?(left|remain)|\bremain(s|ing)?\b|"
                  r"\b(the|our) (score|meters?|standing)\b|\bstate of\b|\bhow (close|far|bad|long|late)\b|"
                  r"\bwhere (do|does|are|is) (we|things|the|capability|safety)\b|\b(ahead|behind)\b(?! your)|"
                  r"\benough (safety|papers)|\bwhat (is|round is) (the |it)?round\b|\bwhat round\b"),
        ("mood", r"\bhow (do|does|are|is) (we|things|it) (do|doing|look\w*|going|feel)\b|\b(who is|are we|"
                 r"is safety) (win|los)\w+|"
                 r"\b(are we going to|we are going to|we can|we will|can we|will we|could we|can safety|do we|"
                 r"will safety) (still |really )?(win|"
                 r"lose|make it)|\b(nervous|scared|worried|confident|optimistic|"
                 r"hopeful)\b(?!.*[XY])|\bour chances\b|\bhow do you feel (about (this|the|our|it)|right now|so far)"),
        ("thanks", r"^\W*(\w+ )?(thanks|thank you|thx|cheers|ty|much appreciated)\b"),
        ("praise", r"\b(well played|good (call|job|point|work|play|thinking|vote)|nice (one|work|play|call|job|"
                   r"move|try|read|catch)|great (job|work|play)|"
                   r"(that was|so|very|pretty) (clever|smart))\b"),
        ("sorry", r"^\W*(\w+ )?(sorry|apologies|my bad|i apologi[sz]e)\b"),
        ("pair", r"\bthink (about|of) (the|that|this) (last )?(team|pair)\b"),
        ("earn", r"\b(lets|let's|let us|we should|shall we|want to) (\w+ )?(work|team up|cooperate|stick|join|ally)\b|"
                 r"\bteam up\b"),
        ("plan", r"\b((best|safest|right) team|plan|strategy|what (should|do|shall|can|could) (we|i) do|"
                 r"what would you do (if you were me|"
                 r"in my place)|what now|now what|"
                 r"next step|how (do|can|could) (we|i) (stop|beat|prevent|find))\b"),
    )
)  # fmt: skip
