"""What somebody does by saying something: they tell news, joke, complain, offer, ask for something, agree, threaten.

The form of a sentence decides where it leaves no doubt; the rest by likeness to examples. Of several sentences the one
counts that most wants an answer. ``reacting`` has the lines for each act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple, get_args

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.facts.sentences import asks, is_greeting, is_own, orders, sentences
from greenroom.adapters.understudy.anchoring import name_in
from greenroom.adapters.understudy.feeling import FELT, Feeling, feeling_of
from greenroom.adapters.understudy.kinds import is_insult, is_leaving
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.adapters.understudy.shaping import Shape, shape_of
from greenroom.adapters.understudy.situations import OPENINGS, SITUATIONS, Situation, situations_of, told_parts

Act = Literal[
    "news", "other", "story", "plan", "worry", "torn", "joke", "secret", "opinion", "complaint", "grumble", "remark",
    "request", "offer", "agreement", "disagreement", "answer", "small", "thanks", "sorry", "compliment", "of_you",
    "boast", "insult", "threat", "goodbye", "greeting", "doubt", "guess", "reproach", "ban", "drop", "laugh",
    "unsure", "refusal",
]  # fmt: skip
Tone = Feeling | Literal["wry"]
TONES: Final = (*get_args(Feeling), "wry")

#: What most wants an answer comes first; of equals the later sentence counts.
_ORDER: Final[tuple[Act, ...]] = (
    "threat", "insult", "goodbye", "torn", "worry", "secret", "offer", "request", "complaint", "grumble", "compliment", "boast", "reproach", "doubt", "ban",
    "news", "thanks", "plan", "story", "other", "joke", "sorry", "guess", "of_you", "opinion", "drop", "disagreement", "answer", "remark",
    "agreement", "refusal", "unsure", "small", "laugh", "greeting",
)  # fmt: skip

#: Examples of what no form tells for certain, in the words of anybody; the first four are there to be told apart from.
ACTS: Final[Mapping[Act, tuple[str, ...]]] = {
    "news": (
        "I started a new job on Monday", "my boat is in the harbour", "I have two children", "I sold my car", "we moved house",
        "I broke my arm", "I painted the kitchen", "my phone is broken", "I got a letter from my son", "I am a plumber",
    ),
    "other": (
        "my brother drives a lorry", "she teaches at the school", "he never says much", "my sister got divorced", "he builds bridges",
        "my mother lives with us", "they have a farm", "her name is Anna",
    ),
    "story": (
        "when I was a boy we lived by a canal", "I used to sing in a choir", "years ago I crossed the desert", "my father once hit a policeman",
        "we had a cow when I was little", "I grew up over a bakery",
    ),
    "plan": (
        "I am going to walk across Spain", "we will move in the spring", "I want to learn the piano", "I have decided to sell the house",
        "next year I shall retire", "I'm thinking of getting a dog", "I'm going after all", "I'll ring them this afternoon",
    ),
    "remark": (
        "the moon is out", "it smells of paraffin in here", "your stove is warm", "there is a ship out there", "the tide is turning",
        "you have a lot of books", "this chair creaks", "it is quiet here", "the gulls are loud today", "your clock is slow", "so this is where you live",
    ),
    "worry": (
        "I am worried about my son", "I am afraid they will find out", "what if it does not heal", "I am dreading Monday",
        "I do not know how I shall pay for it", "I keep thinking that something will go wrong", "I am nervous about tomorrow",
    ),
    "torn": (
        "I do not know what to do", "I cannot decide whether to go", "should I tell her", "I do not know what to answer him",
        "part of me wants to stay", "maybe I should go, maybe not", "I am not sure it is the right thing", "I need your advice",
    ),
    "joke": (
        "I could burn water", "I have two left feet", "my cooking has been reported to the police", "it's the story of my life",
        "my cat runs the house and I pay the rent", "I've knitted him a terrible scarf", "I sing so badly that dogs leave", "nobody in Europe rows worse than I do",
        "he is cleverer than me, and he is a hamster", "I married for the car", "I am only joking",
    ),
    "opinion": (
        "people do not listen any more", "I think dogs are better than cats", "children should be left alone", "work is overrated",
        "everybody lies a little", "money spoils people", "the old songs were better", "I can't stand cities", "winter is the best season",
        "if you ask me, they should have kept the trams", "tea is better than coffee", "honestly, weddings are a waste of money",
    ),
    "complaint": (
        "these stairs are killing me", "it stinks in here", "your soup is cold", "nobody told me how steep it was", "this chair is hard",
        "what awful weather", "it is far too windy", "there is nothing to do here", "it's freezing in here",
    ),
    "grumble": (
        "the train was late again", "they have put it off for the third time", "I have been waiting for months", "nobody at the office answers the telephone",
        "everything has got so dear", "they promised it for Monday and nothing came", "my computer has broken down again", "the council is useless",
    ),
    "request": (
        "I need a towel", "I would like a cup of tea", "could you show me the lamp", "please sing something", "give me a minute",
        "I want to see the top", "can you help me with this", "let me ring the bell", "I could do with a drink",
    ),
    "offer": (
        "I brought you a cake", "let me carry that for you", "I could mend that door", "have one of my biscuits", "would you like some chocolate",
        "shall I help you with the dishes", "I can bring you newspapers next time", "here, take my gloves", "you can keep the book",
    ),
    "agreement": ("you're right", "I agree with you", "that is true", "I feel the same", "that makes sense", "I know what you mean", "it's the same with me", "fair enough"),
    "disagreement": ("I don't think so", "that isn't true", "I disagree", "you are wrong about that", "I wouldn't say that", "no, not at all", "that's not how it is"),
    "compliment": ("you have a good memory", "that is a beautiful answer", "I like how you talk", "you know a lot", "I wish I were like you", "that's very good soup", "you're alright", "that is oddly comforting"),
    "boast": ("I am the best climber in my town", "I earn ten times what you do", "ours is twice as high as yours", "I could do your job in my sleep", "nobody beats me at cards", "I have been everywhere"),
    "of_you": ("you would not last a week in town", "you don't get out much", "you are not what I expected", "she would have liked you", "it is as if I had known you for years", "you are just like my aunt", "you talk a lot for a hermit"),
    "threat": ("I'll have you thrown out", "you'll be sorry for this", "I will report you", "I could break your windows", "I know where you live", "watch your back", "I'll burn this place down", "you had better be careful"),
}  # fmt: skip
#: How like an example a sentence must be to be such an act, against what its form says.
NEAR, NEAR_BY_WORDS = 0.66, 0.75
#: What the form of a sentence leaves open.
_OPEN: Final = ("news", "other", "remark", "story")
#: Words of a sentence that may be no more than a yes or a no.
MOST_SMALL = 6
#: Words of a sentence that may be no more than the answer to a question.
MOST_ANSWER = 5
#: How near something told must be to matter more than what else was done, and than what was done by telling it.
SURE, CERTAIN = 0.72, 0.75
#: Acts that are answered whatever is told beside them, and those that are unless it is plain what is told.
_DONE: Final = ("threat", "insult", "offer", "goodbye", "greeting")
_ADDRESSED: Final = ("torn", "request", "compliment", "sorry", "thanks", "agreement", "disagreement", "of_you", "small")


def _of(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)


#: Acts that a sentence shows by its form, the surest first.
_FORMS: Final[tuple[tuple[Act, re.Pattern[str]], ...]] = (
    ("threat", _of(
        r"\bi(?:'ll| will| am going to|'m going to) (?:report|sue|hurt|hit|kill|burn|smash|break|find|get|have) (?:you|your|this place|it all)\b",
        r"\byou(?:'ll| will) (?:regret|be sorry|pay for|hear from)\b", r"\bwatch your (?:back|step)\b|\bor else\b")),
    ("sorry", _of(
        r"^(?:look,? |oh,? |no,? )*(?:i'?m |i am )?(?:so |very |really )?sorry(?! to hear)\b", r"\b(?:i apologi[sz]e|my apologies|an apology|forgive me|pardon me)\b",
        r"^i (?:shouldn't|should not) have (?:said|shouted|come|asked)|^i didn't mean (?:to|it|that)")),
    ("thanks", _of(r"^(?:oh |well |and |ok(?:ay)? )*(?:many |a thousand )?(?:thanks?|thank you|cheers|ta|much obliged)\b|\bi(?:'m| am) (?:so |very )?grateful\b|\bthank you\b")),
    ("torn", _of(
        r"\bi (?:don't|do not|really don't) know (?:what|whether|if|how|who|which|where) (?:to|i should|i)\b", r"\bshould i\b|\bi (?:can't|cannot) (?:decide|make up my mind)",
        r"\bi (?:may|might|could|shall|will|think i'll|don't think i'll) go\b.*\bi (?:may|might) (?:not|go)", r"^(?:well,? |so,? )*(?:maybe|perhaps) (?:i|we) (?:should|could|ought)\b|^(?:i |we )?(?:might|may) (?!be\b)\w+", r"\bin two minds\b|\btorn\b|\bpart of me\b|\bnot sure (?:what|whether|if) (?:to|i)\b")),
    ("offer", _of(
        r"\bi(?:'ve| have|'ll)? (?:also )?(?:brought|bring|baked|made|knitted|got) (?:you|this for you|some for you|one for you)\b", r"\bi(?:'ve| have)? brought (?!(?:my|our|the|him|her|them|it|up|back|in|home|along|one|us|me|this|that)\b)\w",
        r"^(?:and |so |but )?you (?:must|should|have to|could|can) (?:\w+ )?(?:come|visit|stay|eat|dine)\b|\b(?:this|that|these|it)(?:'s| is| are) for you\b|^here(?:'s| is| are|,? (?:take|have))\b|^(?:please )?(?:have|take) (?:one|some|a|an|my|this|these)\b|^help yourself",
        r"\bi (?:can|could|will) (?:make|cook|bring|fix|mend|do|sew|build) (?:\w+ )?for you\b|\b(?:let me|i can|i could|i'll|shall i|can i) (?:help|mend|fix|carry|wash|hold|lend|give you|bring you|make you|show you|do (?:the|that|it|your))\b",
        r"\bwould you like (?:an?|some|one|my|to (?:have|try|see|hear))\b|\b(?:do you )?want (?:one|some|a (?:biscuit|sweet|bite))\b")),
    ("request", _of(
        r"\b(?:can|could|would|will) you (?:please |just )?(?!remember|imagine|believe)\w+ (?:me|us|it|that|the|my|a|an|this)\b", r"^please\b|^(?:give|pass|show|let|lend|take|make|leave|wake|hide|marry|call) (?:me|us)\b(?! (?:change|drop|leave|not)\b)",
        r"\bi(?:'d| would) (?:really |very much |so )?(?:like|love) (?:you to|an?|some|the|to (?:see|hear|sit|stay|try|look|have))\b", r"\bi need (?:an?|some|the|your|you|to borrow|help)\b|\bi could do with\b|\b(?:can|may|could) i (?:please )?(?:have|get|see|sit|stay|try|borrow|use|press)\b|\bplea+se\W*$")),
    ("complaint", _of(
        r"\b(?:stinks?|reeks|it smells (?:bad|awful|terrible|funny|in here)|smells? of (?:paraffin|fish|oil|damp|drains|mould)|tastes? (?:like|of|awful))\b", r"\bnobody told me\b|\bno bloody\b|\bbloody (?:steps|stairs|weather|boat|cold|wind)\b",
        r"\b(?:this|your|that|the|these|those) (?:\w+ )?(?:soup|tea|chair|stairs|steps|place|rock|weather|wind|bread|coffee|room|boat|crossing|bed|rain)\b.{0,20}\b(?:is|are|was|were|tastes?)\b.{0,20}\b(?:awful|cold|terrible|horrible|hard|foul|vile|dreadful|disgusting|killing me|too|rubbish|useless|a joke)\b",
        r"^what (?:awful|terrible|horrible|foul|a (?:horrible|terrible|miserable|ghastly|dreadful))\b|\b(?:are|is|it's) killing me\b|\bso bloody\b|\bi'm (?:so )?bored\b|\bthis is (?:so )?(?:boring|dull)\b")),
    ("grumble", _of(
        r"\btypical\W*$|\bas usual\b|\b(?:they|it|he|she|that|the \w+)(?:'re| are| is|'s) (?:all |so |just )?(?:useless|hopeless|a nightmare|a disgrace|ridiculous)\b|\bput back (?:till|until|to)\b|"
        r"\bcancelled\b|\bi'm (?:so )?(?:fed up|sick (?:and tired )?of)\b|\bdrives? me (?:mad|crazy|up the wall)\b|\bfor the (?:third|fourth|hundredth) time\b|\b(?:late|broken|broke down|gone wrong) again\b")),
    ("worry", _of(
        r"\bi(?:'m| am| was|'ve been|'m so| am so)? (?:so |really |very |a bit |quite )?(?:worried|afraid (?:that|he|she|they|it|of what)|nervous|anxious|dreading|scared (?:that|he|she|they|it|of what|about))\b|^(?:so |very |a bit |bit |pretty )?(?:nervous|worried|anxious)\b",
        r"\bwhat if\b|\bi (?:fear|worry)\b|\bkeeps me (?:up|awake)\b")),
    ("drop", _of(
        r"^(?:oh,? |ok(?:ay)?,? |well,? |no,? |just |please )*(?:forget (?:it|that)\b|never ?mind\b|whatever\b|(?:i )?(?:really )?don't care\b(?! (?:for|about|what|how|if))|(?:it )?doesn't matter\b|drop it|leave it\b(?! (?:in|on|at|to|with))|"
        r"let's (?:not|leave|drop|change)\b|let us (?:leave|drop|change)\b|you (?:don't|do not|needn't|need not)(?: (?:have|need) to)? (?:answer|say|reply|comment)\b|change the subject|i(?:'d| would) rather not\b|(?:i )?don't (?:really )?(?:want|feel like|like) (?:to )?talk(?:ing)? about\b)")),
    ("doubt", _of(
        r"\bi (?:don't|do not|can't|hardly|still don't) believe (?:you|this|that|it|a word|any of)\b(?! (?:when|how|happened))|\byou(?:'re| are)? (?:\w+ )?(?:make|made|making) (?:\w+ ){0,3}up\b|"
        r"^(?:yeah,? right|as if|prove it|pull the other|(?:that |it )?(?:sounds|seems) (?:made up|fake|unlikely|fishy|like a story|too))\b|\bi doubt (?:it|that|you)\b")),
    ("reproach", _of(
        r"^(?:but |and |well,? |no,? |so )*you (?:never|didn't|haven't|won't|don't|still haven't|always|just|only) (?:even |really |actually )?(?:answer\w*|listen\w*|said|say|told|tell|asked?|help\w*|explain\w*|heard|hear|nod|repeat)\b|\byou think you(?:'re| are)\b|"
        r"\byou(?:'re| are) (?:not|n't) (?:listening|answering|helping|making sense)\b|\b(?:that's|that is|which is) (?:no answer|not an answer|not what i (?:asked|said|meant))|\byou(?:'re| are) (?:ignoring|avoiding|dodging|interrupting)\b|\byou keep (?:saying|asking|changing|talking|repeating)\b")),
    ("ban", _of(
        r"^(?:please,? |just |oh,? |and |so )*(?:don't|do not|stop|quit)\b(?! (?:like|know|want|think|care|mind|get|sleep|feel|understand|believe|remember|really|even|have|need|drink|eat|talk|go out|worry|ask|tell|quote|repeat)\b)|^(?:please,? |just |and )*(?:don't|do not) (?:get|be) (?:weird|mad|angry|cross|sad|upset|offended|silly|too|all|so|me started)\b|^(?:please,? |just |and )*(?:don't|do not|stop) (?:ask\w*|tell\w* me|talk\w*) (?!(?:me )?why\W*$)\w")),
    ("disagreement", _of(
        r"^(?:well,? |but )?(?:i (?:don't|do not|really don't) (?:think so|agree|believe (?:that|you|it))|i disagree|i wouldn't say (?:so|that)|i doubt (?:it|that)|that(?:'s| is) (?:not (?:true|right|so|it)|wrong|rubbish|nonsense)|"
        r"you(?:'re| are) (?:wrong|mistaken)|(?:nope|nah|no)(?:,? (?:it'?s|that'?s|not|you|i)\b.*)?[.!]*$|not (?:really|at all|quite|exactly)|rubbish|nonsense|wrong\b|hardly\b|never\W*$)")),
    ("agreement", _of(
        r"^(?:well,? |oh,? |and |yes[,.]? |hm+[,.]? |i suppose )*(?:you(?:'ve| have)(?: got)? a point|(?:maybe |perhaps )?you (?:may|might|could|have) (?:be )?right|maybe you(?:'re| are) right|good point|point taken|love that|splendid|you(?:'re| are) (?:quite |so |absolutely )?right|(?:quite|exactly|precisely|absolutely|true|indeed|agreed|same here|me too|so do i|i agree|that(?:'s| is) (?:true|right|so|fair)|fair enough|i know(?: what you mean)?|quite right|right you are|too true)(?=[\s.,!]|$))")),
    ("compliment", _of(
        r"^(?:and |well |oh |but )*you(?:'re| are| really are) (?:\w+ )?(?:kind|nice|sweet|lovely|wise|clever|funny|alright|all right|good|great|brilliant|amazing|easy|remarkable|very|a (?:good|kind|wise|remarkable|lovely|treasure|star|marvel|wonder|hero))\b(?!.*\b(?:not|never)\b)",
        r"^you(?:'ve| have) been (?:\w+ )?(?:kind|generous|patient|good|lovely|sweet|great)\b|^(?:nice|lovely|beautiful|pretty) (?!to\b)\w+|^(?:ha|oh|ah)?[,.! ]*(?:good|nice|fair|great|fine) (?:answer|line|reply)\b",
        r"^you (?:have|'ve got|know|make) (?:an? |such an? |the )?(?:\w+ )?(?:good|lovely|beautiful|wonderful|kind|nice|best|lot)\b|\bi (?:really |do )?(?:like|love|admire) (?:you|your|how you|the way you|this place|it here)\b",
        r"^(?:wow[,!. ]*|oh[,!. ]*)*(?:that|this|it)(?:'s| is| was| will be) (?:\w+ ){0,2}(?:beautiful|lovely|comforting|wonderful|wise|amazing|delicious|brilliant)\b")),
    ("guess", _of(r"^(?:but |well,? |so |and |oh,? )*(?:(?:i )?(?:bet|suppose|guess|imagine|expect|take it)(?: that)? you|you must (?:be|have|get|feel|love|hate|like|miss|know)|you(?:'ve)? (?:probably|surely)|surely you)\b")),
    ("secret", _of(
        r"\b(?:don't|do not|dont) (?:you )?(?:tell|quote|repeat)(?! me (?:that|to|how|what|you))\b(?! (?:lies|stories|jokes)\b)|\bdon't say (?:anything|a word)\b", r"\bbetween (?:you and me|us|ourselves)\b|\bkeep (?:it|this|that) to yourself\b",
        r"\b(?:never|not) told (?:anyone|anybody|a soul)\b|\bnobody (?:else )?knows\b|\bit's a secret\b|\bthe (?:first|second|only) (?:person|one) i've told\b")),
    ("joke", _of(
        r"^(?:(?:it|that|this)(?:'s| is| was) (?:only |just )?(?:an? )?(?:\w+ )?joke\b|you can laugh\b|not so good joke)",
        r"\b(?:story of my life|(?:only|just) (?:joking|kidding)|i'?m (?:joking|kidding)|which is more than \w+)\b", r"\bdon't ask(?: me)?(?: why)?\W*$", r"[😂🤣😅😜😉]|;-?\)")),
    ("boast", _of(
        r"\bi(?:'ve| have) (?:seen|had|been to|met|tasted) (?:\w+ )?(?:better|bigger|worse|taller|finer|prettier)\b|\bi (?:make|earn|know|have|own|can do) more\b.*\bthan\b", r"\b(?:than|as) yours\b|\bi could do (?:that|this|your job)\b|\bi'm (?:the best|rather good|quite good|brilliant|a genius)\b|\byou wouldn't last\b|\bi never (?:lose|get lost|fall)\b")),
    ("opinion", _of(
        r"^(?:well,? |but |so |honestly,? )*(?:i (?:think|believe|reckon|suppose|find|prefer|hate|love|like|can't stand|don't (?:like|care for|believe in|trust))\b(?! i\b| i'| you\b| it was my| nobody| about)|if you ask me|in my (?:opinion|view|experience)|"
        r".*\bi (?:think|reckon|guess|suppose)\W*$|(?:people|everyone|everybody|nobody|men|women|children|kids|young people|they) (?:should|shouldn't|never|always|don't|just|only|ought|are)\b|there (?:should|ought)|\w+s? (?:is|are) overrated)")),
    ("plan", _of(
        r"^(?:going to|off to)\b|\b(?:i|we)(?:'m| am|'re| are) (?:\w+ )?(?:going to|off to|planning|thinking of|about to|moving|flying|sailing|leaving|getting married|meeting|going|starting)\b", r"\b(?:i|we)(?:'ll| will| shall) (?!be (?:honest|fair|right)|tell you|say|never|admit)\w+",
        r"\bi (?:want|hope|mean|intend|plan|decided|have decided|'ve decided|promised) to\b|\bi(?:'ve| have) (?:decided|changed my mind)\b|\b(?:i'd|i would) (?:like|love) to\b|\b(?:i've|we've|i have|we have) got to (?:be|fly|go|leave|meet|get to|catch)\b")),
    ("story", _of(
        r"\bused to\b|\bwhen (?:i|we|he|she|my \w+) (?:was|were|had|got|first)\b|\b(?:years|decades|ages|a long time) ago\b|\bonce (?:had|was|met|saw|went)\b|\bback (?:in|then)\b|\bin (?:the )?(?:19|20)?\d0s\b|\bin (?:19|20)\d\d\b|\bas a (?:child|boy|girl|kid|young)\b|\bgrew up\b|\braised me\b|\bin (?:my|those) (?:day|days|youth)\b|\bfor (?:\w+ ){1,3}years\b|\bi was (?:born|in|a)\b"
    )),
)  # fmt: skip
#: What no laugh makes light.
_GRAVE = re.compile(r"\b(?:die[ds]?|dead|death|killed|funeral|cancer|hospital|lost my|left me)\b", re.IGNORECASE)
#: Two minds in two sentences.
_TORN = re.compile(
    r"\b(?:i|we) (?:don't think (?:i|we)'ll|may not|might not|won't) (?P<do>\w+)\b.{1,40}\b(?:might|may|will) (?P=do)\b|\bmaybe i should\b.{1,60}\bmaybe (?:i|not)\b",
    re.IGNORECASE,
)
#: A worry that is over.
_WAS = re.compile(r"\bi was\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"^(?:hm+|well|oh|i|honestly|maybe|perhaps|possibly|could be|we'll see|who knows|(?:i )?(?:really )?(?:don't|do not) know(?: yet| really)?|(?:i'm )?not (?:so )?sure(?: yet)?|no idea|i suppose(?: so)?|i guess(?: so)?|"
    r"depends|sort of|kind of|hard to say|[,. ])+$",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"^(?:oh,? |well,? |but )?(?:no(?:pe)?[,.! ]+)?(?:not happening|no way|no chance|not a chance|fat chance|absolutely not|certainly not|over my dead body|not for me|no thank you|no thanks|not (?:today|yet|now|tonight)|i (?:won't|refuse)|never)\W*$",
    re.IGNORECASE,
)
_LAUGHS = re.compile(r"\b(?:lo+l|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|xd)\b", re.IGNORECASE)
#: A sentence about somebody else.
_OTHERS = re.compile(
    rf"^(?:and |but |so |well,? |oh,? )*(?:(?:(?:my|the|his|her|our|their) (?:\w+ )?)?(?:{WHO}|nan|supervisor|doctor)\b|(?:he|she|they)(?:'s|'re|'d|'ll)?\b)(?! \w+ (?:me|us)\b)",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:my|our|his|her|their) ", re.IGNORECASE)
_TO_SOMEBODY = re.compile(r"\b(?:me|us|please|you|your|here)\b", re.IGNORECASE)
#: Somebody else and whoever speaks.
_AND_I = re.compile(r"^(?:[\w']+ ){1,3}and i\b", re.IGNORECASE)
_OTHER = re.compile(
    rf"\b(?:my|our) (?:\w+ )?(?:{WHO})\b|^(?:and |but |so )*(?:he|she|they)(?:'s|'re|'d|'ll)?\b", re.IGNORECASE
)
#: Something said of the hearer, or of the two.
_OF_YOU = re.compile(
    r"^(?:and |but |so |well,? )*(?:you(?:'re|'ve|'d|'ll)?|your)\b|\b(?:known|liked?|remind(?:s|ed) me of|than|for|with|about|to|of) you\W*$|\byou keep \w+ing\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"^(?:(?:ha|heh|aha|oh|ah)[, ]+)?(?:yes|yeah|yep|yup|aye|no|ok(?:ay)?|k|right|sure|fine|cool|i see|hm+|mm+|well|maybe|perhaps|oh|ah|really|wow|damn|great|good|nice|never mind|"
    r"of course|i suppose(?: so)?|i guess(?: so)?|if you say so|whatever|lovely|brilliant|interesting|huh|so|alright|all right|got it|understood|go on)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:left|went|came|fell|rang|told|said|broke|gave|took|met|saw|made|found|wrote|drove|bought|sold|caught|"
    r"stood|ran|flew|ate|drank|slept|woke|threw|spent|lent|sent|(?<!'ve )(?<!'s )(?<!has )(?<!have )got|\w{3,}(?<!e)ed)\b",
    re.IGNORECASE,
)
_NEWS: Final = ("news", "other", "story", "plan")


class Told(NamedTuple):
    """What somebody did by saying something, in which tone, with which of their sentences, and all that they said.

    ``situations`` is what of that which people commonly tell they told, the nearest first.
    """

    act: Act
    tone: Tone
    text: str
    said: str
    situations: tuple[Situation, ...] = ()
    #: How the clause tells it that says most, where that is plain.
    shape: Shape | None = None

    @property
    def tells(self) -> bool:
        """Whether what they told matters more than what they did by it."""
        if not self.situations or self.act in _DONE:
            return False
        first = self.situations[0]
        return self.act not in _ADDRESSED or first.score >= (SURE if first.text not in self.text else CERTAIN)


def examples() -> Iterator[str]:
    """All that :func:`act_of` compares with, for whoever has to make vectors of it first."""
    for groups in (ACTS, FELT, SITUATIONS):
        for given in groups.values():
            yield from given


def parts_told(said: str) -> list[str]:
    """All of a message that :func:`act_of` compares, beside the whole."""
    apart = sentences(said)
    return [*apart, *told_parts(apart)]


def act_of(said: str, meaning: Meaning, typed: str = "", *, asked: bool = False) -> Told:
    """What a message does, its questions apart; ``typed`` are the words as they were typed, where a laugh was taken from them.

    After a question (``asked``) what would be a mere remark answers it. With an encoder its vectors are needed for the
    message's sentences (``parts_told``) and all examples.
    """
    every = sentences(said) or [said]
    apart = [one for one in every if not asks(one)] or every
    acts = [_act_of(one, meaning) for one in apart]
    if "news" in acts:
        acts = ["remark" if act == "request" and _is_told(one) else act for act, one in zip(acts, apart, strict=True)]
    if _TORN.search(said):
        acts[-1] = "torn"
    found, shape = situations_of(apart, meaning), shape_of(apart)
    if asked:
        if not (found or shape):
            acts = [
                "answer" if act in ("remark", "other") and len(one.split()) <= MOST_ANSWER else act
                for act, one in zip(acts, apart, strict=True)
            ]
        named = next((one for one in apart if name_in(one)), "")
        if named:
            return Told("answer", "plain", named, said)
    first = min(range(len(apart)), key=lambda i: (_ORDER.index(acts[i]), -i))
    act, text = acts[first], apart[first]
    told = tuple(one for one in found if one.name not in OPENINGS or one.text in text or act not in _NEWS)
    return Told(act, _tone_of(said, text, act, meaning, typed), text, said, told, shape)


def _act_of(sentence: str, meaning: Meaning) -> Act:
    by_form = _by_form(sentence)
    if by_form not in _OPEN:
        return by_form
    least = NEAR if meaning.is_encoder else NEAR_BY_WORDS
    likes = {act: max(meaning.likes(sentence, given)) for act, given in ACTS.items()}
    best = max(likes, key=lambda act: likes[act])
    return best if likes[best] >= least and best not in _OPEN else by_form


def has_happened(sentence: str) -> bool:
    """Whether a sentence tells what happened, and not how things are."""
    return bool(_HAPPENED.search(sentence))


def is_of_another(sentence: str) -> bool:
    """Whether a sentence tells of somebody else."""
    return bool(_OTHERS.match(sentence)) and not _AND_I.match(sentence)


def _by_form(sentence: str) -> Act:
    act: Act = next((act for act, shows in _SHOWN if shows(sentence)), "remark")
    return "grumble" if act == "complaint" and _OWNED.match(sentence) else act


def is_small(sentence: str) -> bool:
    """Whether a sentence is no more than a yes, a no or a nod."""
    return bool(_SMALL.match(sentence)) and len(sentence.split()) <= MOST_SMALL


def _is_told(sentence: str) -> bool:
    """Whether it tells, though it has the form of an order: *wait for the bus* after *I get up at four*."""
    return orders(sentence) and not _TO_SOMEBODY.search(sentence)


def _is_laugh(sentence: str) -> bool:
    return not _LAUGHS.sub("", sentence).strip(" .,!")


def _is_news(sentence: str) -> bool:
    return is_own(in_full(sentence)) or bool(_OTHER.search(sentence))


#: What shows each act, the surest first.
_SHOWN: Final[tuple[tuple[Act, Callable[[str], object]], ...]] = (
    ("greeting", is_greeting),
    ("goodbye", is_leaving),
    ("insult", is_insult),
    ("unsure", _UNSURE.search),
    ("refusal", _REFUSAL.search),
    *((act, form.search) for act, form in _FORMS),
    ("laugh", _is_laugh),
    ("small", is_small),
    ("of_you", _OF_YOU.search),
    ("request", orders),
    ("other", is_of_another),
    ("news", _is_news),
)


def _tone_of(said: str, sentence: str, act: Act, meaning: Meaning, typed: str) -> Tone:
    """How the sentence sounds; where it alone is plain, how the others do that tell something, if they agree."""
    felt = feeling_of(sentence, meaning)
    if felt == "plain" and act in (*_NEWS, "secret"):
        others = {feeling_of(one, meaning) for one in sentences(said) if one != sentence and _by_form(one) in _NEWS}
        felt = next(iter(others - {"plain"})) if len(others - {"plain"}) == 1 else felt
    if act == "worry" and _WAS.search(sentence):
        return "good"
    if (act == "joke" or _LAUGHS.search(f"{typed} {said}")) and not _GRAVE.search(sentence):
        return "wry"
    return felt


__all__ = [
    "ACTS",
    "TONES",
    "Act",
    "Told",
    "Tone",
    "act_of",
    "examples",
    "has_happened",
    "is_of_another",
    "is_small",
    "parts_told",
]
