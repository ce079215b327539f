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
    return tuple((topic, re.compile(pattern, re.IGNORECASE)) for topic, pattern in given)


# what comes before the words


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_FILLER = r"^(\W*(and|but|so|ok|okay|well|then|hm+|oh|really)\b)*\W*"
#: Half sentences that lean on what was asked just before.
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
#: The other end of a list: whom one trusts least, or most.
OPPOSITE = _any(r"^(and )?(who |whom )?(do you )?(trust )?(the )?(least|most|worst|best)\W*$")
#: What went on so far, and what somebody said.
RECAP = _any(
    r"\b(sum (it|things|this|everything) up|summar\w*|recap|catch me up|fill me in|bring me up|what did i miss|afk)\b"
)
SAID = _any(
    r"\bwhat (did|has|had|was)\b.{0,20}\b(say|said|saying|claim\w*|promis\w*|tell|told)\b|\bwhat\b.{0,20}\bsaid\b|"
    r"\b(did|didn'?t) .{0,20}\b(say|claim|promise)\b"
)
SURE = _any(
    r"\bhow (sure|certain|confident)\b|\b(are|r) (you|u) (really |quite |so |that )?(sure|certain)\b|"
    r"\bsure about (that|this|it|them|him|her)\b"
)
BETWEEN = _any(r"\b(or|vs|versus|than|between|rather|either|both|which of)\b")
WORSE = _any(
    r"\b(worse|worst|evil|bad|agi|lying|liar|lies|suspect\w*|suspicious|guilty|less|shad\w*|dirty|accel\w*|truth)\b"
)
#: A question that has the asker for its object.
OF_ME = _any(
    r"\b(trust|believe|suspect|like|doubt|accuse|clear|about|with|of|against|nominate|pick|elect|for|think|"
    r"blame|fear|not|rate|judge|read) me\b|"
    r"\b(am|do|would) i\b.{0,20}\b(look|seem|sound|suspicious|trust|safe|evil|sus|clean|bad|good)"
)
#: What somebody is: a question to *you* with one of these is after their side.
SIDES = _any(r"\b(good|bad|evil|safe|clean|honest|innocent|guilty|dirty)\b")
CARDS = _any(r"\bcards?\b")
PAPER = _any(r"\bpapers?\b")
ENGINEER = _any(r"\bengineer\b")
CHOICE = _any(r"\b(choice|pick)\b")
WOULD_HAVE = _any(r"\b(would|should|could) (you|u) have\b|\bif you (were|had)\b|\bin (his|her|their) place\b")
ALL_OF_YOU = _any(r"\b(any(body|one)|every(body|one)|somebody|someone|all of you|you all|which of)\b")

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
#: What everybody saw: ballots, published papers, whose turn comes.
BALLOTS = _any(
    r"\bwho('s| has| had| all)? ?(just )?(voted|said (yes|no)|was (for|against)|were (for|against)|approved|rejected|"
    r"refused|"
    r"blocked|sank|tanked|shot)\b",
    r"\bwhy (did|didn'?t|has|hasn'?t|was|wasn'?t) (that|it|this|the (last )?(team|vote|proposal|one)|"
    r"we)\b.{0,30}\b(fail|pass|"
    r"go|get|elect|approved|accepted|rejected|through)",
    r"\bhow did\b.{0,20}\bvote\b|\b(what was|what were|show me) the (votes?|ballots?|count|result)\b|\bvote count\b",
    r"\b(which way|what) did\b.{0,20}\bvote\b",
)
OFFICES = _any(
    r"\bwho (was|were|has been|had been)( the| our)?( last)? (director|engineer)",
    r"\b(been|was|were)( the| an?)?( last)? (director|engineer)\b",
)
WORKS = _any(
    r"\bwho (has |had |just )?(published|put out|released)\b|"
    r"\b(what|which|how many|show)\b.{0,40}\b(publish(ed)?|publishing|put out|released?|came out|come out|"
    r"pass(ed)? (so far|yet|last)|"
    r"track record|(played|done) so far)\b|\btrack record\b|\bpapers? (has|have|did|are out|so far)\b|"
    r"\bwhat('s| was| were| is)? (the |our )?last (paper|round|hand|result)\b|\bwhat (just )?happened\b",
)
#: What was claimed of the hands that were played, and whether it fits.
STORIES = _any(
    r"\bwho (drew|had|got|claimed|claims|said|says|held|passed) what\b|"
    r"\b(stories|accounts|claims) (all )?(fit|match|add|agree|differ|contradict)|\bcontradict\w*\b",
    r"\b(any(one|body)|some(one|body)|who)( has| have)? (lied?|lying)\b.{0,20}\b(so far|yet|already)\b",
)
TURN = _any(
    r"\b(director|chair|leads?)\b.{0,20}\b(next|after|now|right now)\b|\bwho('s| is) (the )?(director|in the chair)\b|"
    r"\bnext (director|chair)\b|\bwho('s| is| goes| comes)? (up |the )?next\b|"
    r"\bwhose turn\b|\bwho (directs|leads) next\b"
)
#: Somebody is put on the spot, and has to stand up for themself.
CHALLENGE = _any(
    r"\b(prove|convince (me|us)|one (good )?reason|defend yourself|explain yourself|liar|(?<!are you )lying|lied|"
    r"you lie|shady|sus|nervous|on purpose|admit|"
    r"fishy|hiding|bullshit|nonsense|busted|got you|caught you|gotcha|whatever you say|yeah right|sure you)\b",
    r"\b(it'?s|it is|it was|think|bet|say|blame|suspect|accuse|got|against) you\b",
    r"\bwhy (should|would|do) (i|we|any(one|body)|they|people) (ever |still )?(trust|believe|vote for|listen|pick|"
    r"elect|nominate) ",
    r"\b(count|rely|depend) on you\b|\b(trust|believe) you\b",
    r"\b(don'?t|do not|can'?t|cannot|won'?t|never) (trust|believe|buy|like) (you|it|that|a word|any of)\b",
)
#: Somebody is put on the spot together with another.
WITH_YOU = _any(r"\b(you|u) and\b|\band (you|u)\b")
WAS = _any(r"\b(why|how come|what made|did|explain)\b")
#: Somebody asks what to do with a vote that is open.
ADVICE = _any(
    r"\b(should|shall|do|would) (i|we|you)\b.{0,20}\b(vote|say|approve|back)\b|\bvote (yes|no|for)\b|\bin my place\b|"
    r"\bif (you|u) were me\b"
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
#: Words for a vote, where a team is proposed.
SHORT_VOTE = _any(
    r"\bwho('s| is|s)? (for|against|in)\W*$|\bwho(s|'s| is| are)? voting\b|\bthis (team|one|pair)\b",
    r"\b(yes or no|yea or nay|yay or nay|in or out|for or against|thumbs up|what'?s it (gonna|going to) be|"
    r"(gonna|going to) (vote|pass|be)|(are|r) (you|we) (in|voting|ok with (this|it))|do we (do|take|want) (this|it))\b",
)

#: From the plainest to the loosest; the first that fits is it.
TOPICS = _patterns(
    (
        ("table", r"\bin the deck\b|\bdeck\b.{0,20}\b(empty|low|run)|"
                  r"\bhow (many|much) (papers|rounds|cards|capability|safety|time)|\bpapers? (are |is |"
                  r"do we have )?(left|"
                  r"remain)|\bremain(s|ing)?\b|\b(the|our) (score|meters?|standing)\b|\bstate of\b|"
                  r"\bhow (close|far|bad|"
                  r"long|late)\b|\bwhere (do|does|are|is) (we|things|it|the|capability|safety)\b|"
                  r"\bhow (do|does|are) (we|"
                  r"things|it)\b|"
                  r"\b(ahead|behind|winning|losing)\b(?! your)|\benough (safety|papers)|\bwhat (happens|comes) next"),
        ("vote", r"\b(will|would|going to|gonna|are we|do we|shall we|should we|are you)\b.{0,40}\b(vote|voting|"
                 r"ballot|approv\w+|"
                 r"back|support|accept|reject|say (yes|no))\b|\bhow (do|will|would|"
                 r"are) you .{0,40}vot|\byour vote\b.{0,40}\b(be|"
                 r"this)\b|\bdo you (support|back|approve)|\b(get|have) your (vote|support)|\bfor or "
                 r"against\b"),
        ("voted", r"\b(why|regret|explain|how come|reasons?|behind|what)\b.{0,40}\b(vot\w*|ballot|your (yes|"
                  r"no)|say (yes|no))\b|"
                  r"\b(vot\w*|ballot|said (yes|no)|(were|was) (against|for) (it|that|them|the team))\b.{0,40}"
                  r"\b(why|how come|about|reasons?)\b|\bwhy('d| did)? you (vote|say (yes|no)|approve|reject|"
                  r"back|support)"),
        ("nominate", r"\bnominat|\bengineer\b(?!.{0,40}\b(sees?|get|got|hold|have|choose|publish|else|"
                     r"papers)\b)|send to research|"
                     r"\b(go|do|does) (to |the )?research|\bwho (should|shall|could|can|would) (work|do|go|publish)|"
                     r"\bfor the job\b"),
        ("role", r"\b(your|you) (own )?(role|side|team|allegiance|colou?rs)\b|"
                 r"\byou (work|play|fight|stand|are) (for|with) |"
                 r"\b(your|you) (loyal|loyalty|loyalties)\b"),
        ("card", r"\b(cards?\b(?!.{0,40}\b(draw|have|had|hand|left)\b)|allegiance|peek\w*|checked|"
                 r"your (check|look|power)|"
                 r"investigat\w*|looked at|inspect\w*|know something|find out|found out|learn(t|ed)?)\b|"
                 r"\b(did|have) (you|u) (see|seen)\b"),
        ("received", r"\b(get|got|gave|give you|given|hand(ed)? you|were you (handed|given|passed|dealt)|receiv\w*|"
                     r"reach(ed)? you|(your|which|the|both|of) two|two (papers|options|cards)|better|worse|"
                     r"the (other|second|first)( one| paper)?|what else|"
                     r"alternative|publish\w*|(any|a|no|the) (choice|option)s?|leave you|left you|pick(ed)? from|came "
                     r"(over|to you)|turn(ed)? down|choose between|engineer .{0,40}(hold|have|choose))\b"),
        ("drew", r"\b(dr[ae]wn?|draw|discard\w*|dealt|deck|bin|binned|threw|throw(n)? away|thrown|three( papers)?|"
                 r"pass(ed)?|hand over|full hand|hold back|held back|held|hold|kept|keep|to choose from|bury|"
                 r"buried)\b|\b("
                 r"your|the|whole|my) (hand|papers|cards)\b|\b(cards|papers?) (did|were|was|are)\b"),
        ("why", r"\bwhy\b.{0,24}\b(should|would|be|suspect|trust|believe|accus\w*|think|doubt|like|hard on|blame|"
                r"against|is it|say)\b|what "
                r"makes you|\bgrounds\b|\bevidence\b|\b(have|got) (against|on)\b|\bbase (that|this|it)\b|done to you|"
                r"\bproof\b|\bhow do you know\b"),
        ("role", r"\bare you\b.{0,40}\b(agi|safety|evil|bad|good|safe|accel\w*|machine|one of|with us|"
                 r"human|lying|our side|"
                 r"traitor|insider|honest|liar)\b|\b(your|you) (own )?(role|side|team|allegiance)\b|\b(which|"
                 r"what|whose) "
                 r"side|\bswear\b|\b(aren'?t|are|not|isn'?t it) you\W*$|\byou('re| are) (not )?(on|one|the|"
                 r"an?)\b|\b(what|who) "
                 r"are you\b|\bwhere do you stand|\bwith us or\b"),
    )
)  # fmt: skip
OF_ANYBODY = _patterns(
    (
        ("suspect", r"\b(suspect\w*|suspicious|lying|liar|lies|traitors?|accuse|agi|evil|bad|guilty|accel\w*|machine|"
                    r"(don'?t|not|never) (you )?(trust|believe|like)|distrust|insiders?|fishy|dirty|throw out|kick out|"
                    r"least|eliminate|get rid|vote out|worries|worry|enemy|against us|dangerous|wants? |watch)\b"),
        ("trust", r"\b(trust\w*|faith|count on|depend on|sure of|swear by|stand by|side with|confident|safe|"
                  r"safety|believe|rely|reliable|honest|clean|innocent|word|with us|on our side|good|"
                  r"vouch|clear(ed)?|friends?|ally|allies)\b"),
        ("suspect", r"\bwho\b"),
    )
)  # fmt: skip

#: A question after a person has a person for an answer, whatever else it mentions.
WHO = re.compile(
    r"^\W*(and |so |but |then |well |now )?(which of|anybody|anyone|is there (any|some)(body|one))\b|"
    r"(?<!one )(?<!body )(?<!those )\bwho(m|se)?\b",
    re.IGNORECASE,
)
WHOM = _patterns(
    (
        ("role", r"\bwhose side are you\b|\bwho are you\b"),
        ("suspect", r"(\bnot|\bnever|n't)\b( \w+){0,2} (elect|pick|send|nominate|choose|take|approve|vote)\b"),
        ("nominate", r"\bwho('d| would| should| do| shall)?( you| we| i)?( all| guys)? (take|want|go with)\b"),
        ("nominate", r"\b(nominat\w*|engineer|research|send|choose|chose|pick|propose|put forward|appoint|elect|next|"
                     r"job|turn)\b|\bwho (should|shall|could|can|would) (work|do|go|publish)"),
    )
)  # fmt: skip

#: Words for a person who is not named; for a vote to come; for one that was.
PERSON = re.compile(
    r"\b(who\w*|anybody|anyone|somebody|someone|everybody|everyone|(one|which|any|some) of)\b", re.IGNORECASE
)
COMING = re.compile(r"\b((will|would) you|you ('ll |will |would )?let|going to|gonna)\b", re.IGNORECASE)
STOOD = re.compile(r"\b(were|was|are|been) you (for|against)\b|\byou('ve| have)? (were|was|voted|said|went) "
                    r"(for|against|yes|no)\b|\bwhy (yes|no)\b",
                    re.IGNORECASE)  # fmt: skip
