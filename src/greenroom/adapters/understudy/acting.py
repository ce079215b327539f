"""What somebody does by saying something: they tell news, joke, complain, offer, ask for something, agree, threaten.

Phrases decide where they leave no doubt (``FORMS``); the rest goes by likeness to examples. Of several sentences the one
counts that weighs most: a death is answered before a gift, and a gift before what was cooked. ``reacting`` has the lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple, get_args

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.facts.sentences import asks, is_greeting, is_own, orders, sentences
from greenroom.adapters.understudy.anchoring import name_in
from greenroom.adapters.understudy.cues import Cues, evened
from greenroom.adapters.understudy.feeling import FELT, Feeling, feeling_of
from greenroom.adapters.understudy.kinds import is_insult, is_leaving
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.adapters.understudy.situations import OPENINGS, SITUATIONS, Situation, situations_of, told_parts
from greenroom.adapters.understudy.subjects import GRAVE, subject_of

Act = Literal[
    "news", "other", "story", "plan", "worry", "torn", "joke", "secret", "opinion", "complaint", "grumble", "remark",
    "request", "gift", "offer", "invitation", "promise", "agreement", "disagreement", "answer", "small", "thanks",
    "sorry", "compliment", "of_you", "boast", "insult", "threat", "goodbye", "greeting", "doubt", "guess", "reproach",
    "ban", "drop", "laugh", "unsure", "refusal",
]  # fmt: skip
Tone = Feeling | Literal["wry"]
TONES: Final = (*get_args(Feeling), "wry")

#: What most wants an answer comes first.
_ORDER: Final[tuple[Act | Literal["grave", "bad", "good"], ...]] = (
    "threat", "insult", "grave", "gift", "invitation", "promise", "goodbye", "offer", "torn", "worry", "secret",
    "request", "bad", "compliment", "thanks", "good", "reproach", "doubt", "ban", "boast", "complaint", "grumble",
    "plan", "sorry", "of_you", "joke", "news", "other", "story", "guess", "opinion", "drop", "disagreement",
    "agreement", "answer", "remark", "refusal", "unsure", "small", "laugh", "greeting",
)  # fmt: skip
#: Acts that only tell: what was told weighs more than that it was.
TELLING: Final = ("news", "other", "story", "plan", "joke", "complaint", "grumble", "remark", "answer", "opinion")

#: Examples of what no phrase shows for certain, in the words of anybody; the first four are there to be told apart from.
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
    "remark": (
        "the moon is out", "it smells of paraffin in here", "your stove is warm", "there is a ship out there", "the tide is turning",
        "you have a lot of books", "this chair creaks", "it is quiet here", "the gulls are loud today", "your clock is slow", "so this is where you live",
    ),
    "plan": (
        "I am going to walk across Spain", "we will move in the spring", "I want to learn the piano", "I have decided to sell the house",
        "next year I shall retire", "I'm thinking of getting a dog", "I'm going after all", "I'll ring them this afternoon",
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
    "gift": (
        "I brought you a cake", "here is a jar of honey for you", "I made you a scarf", "half of these apples are for you", "here, take my gloves",
        "you can keep the book", "I drew you a picture", "a small present from my mother", "I have something for you in my bag",
    ),
    "offer": (
        "let me carry that for you", "I could mend that door", "have one of my biscuits", "would you like some chocolate", "shall I help you with the dishes",
        "I will cook for you one evening", "I can paint the railing if you like",
    ),
    "invitation": (
        "you should come to dinner at our house", "we would love to have you at the wedding", "I'd send you an invitation", "come and visit us in town",
        "you must come to my party", "there is a bed for you at ours whenever you want", "come with me to the dance",
    ),
    "promise": (
        "I'll bring you some bread next time", "I will come back in the spring", "I'll tell you how it went", "I'll send you a postcard from there",
        "next time I bring my sister along", "I'll name the boat after you", "I shall wave to you from the ferry", "I'll show it to you when it is finished",
    ),
    "agreement": ("you're right", "I agree with you", "that is true", "I feel the same", "that makes sense", "I know what you mean", "it's the same with me", "fair enough"),
    "disagreement": ("I don't think so", "that isn't true", "I disagree", "you are wrong about that", "I wouldn't say that", "no, not at all", "that's not how it is"),
    "compliment": (
        "you have a good memory", "that is a beautiful answer", "I like how you talk", "you know a lot", "I wish I were like you", "that's very good soup", "you're alright",
        "that is oddly comforting", "you are a good listener", "you put it better than the priest did", "you would make a wonderful teacher",
    ),
    "boast": ("I am the best climber in my town", "I earn ten times what you do", "ours is twice as high as yours", "I could do your job in my sleep", "nobody beats me at cards", "I have been everywhere"),
    "of_you": (
        "you would not last a week in town", "you don't get out much", "you are not what I expected", "she would have liked you", "it is as if I had known you for years", "you are just like my aunt",
        "you talk a lot for a hermit", "you drink like a horse", "you look as if you had never smiled", "you grumpy old thing",
    ),
    "threat": ("I'll have you thrown out", "you'll be sorry for this", "I will report you", "I could break your windows", "I know where you live", "watch your back", "I'll burn this place down", "you had better be careful"),
}  # fmt: skip
#: How like an example a sentence must be to be such an act, against what its form says.
NEAR, NEAR_BY_WORDS = 0.62, 0.75
#: What the form of a sentence leaves open.
_OPEN: Final = ("news", "other", "remark", "story", "plan", "opinion", "of_you", "request")
#: Words of a sentence that may be no more than a yes or a no; and than the answer to a question.
MOST_SMALL, MOST_ANSWER = 6, 5
#: How near something told must be to matter more than what was done by telling it.
SURE, CERTAIN = 0.7, 0.75
#: Acts that are answered whatever is told beside them, and those that are unless it is plain what is told.
_DONE: Final = ("threat", "insult", "gift", "offer", "invitation", "promise", "goodbye", "greeting")
_ADDRESSED: Final = ("torn", "request", "compliment", "sorry", "thanks", "agreement", "disagreement", "of_you", "small")

#: Phrases that show an act, the surest first.
FORMS: Final = Cues("""
unsure: ^hm$ | ^hmm$ | ^maybe$ | ^perhaps$ | ^possibly$ | ^could be$ | ^we'll see$ | ^who knows$ | ^i don't know$ |
  ^don't know$ | ^i do not know$ | ^i don't know yet$ | ^not sure$ | ^i'm not sure$ | ^no idea$ | ^i suppose$ |
  ^i suppose so$ | ^i guess$ | ^i guess so$ | ^depends$ | ^it depends$ | ^sort of$ | ^kind of$ | ^hard to say$ |
  ^maybe i don't know$
refusal: ^no way$ | ^no chance$ | ^not a chance$ | ^absolutely not$ | ^certainly not$ | ^not for me$ |
  ^no thank you$ | ^no thanks$ | ^not today$ | ^not yet$ | ^not now$ | ^not tonight$ | ^never$ | ^i won't$ |
  ^i refuse$ | ^over my dead body$ | ^not happening$
threat: i'll report you | i will report you | i'll sue you | i will sue you | i'll hurt you | i'll kill you |
  i'll have you | i'll burn | i'll smash | i'll break | i'm going to report you | you'll regret | you will regret |
  you'll be sorry | you will be sorry | you'll pay for | watch your back | or else$
sorry: ^sorry | ^i'm sorry | ^i am sorry | ^i'm so sorry | ^i'm really sorry | ^i am so sorry | ^no sorry |
  i apologise | i apologize | my apologies | an apology | forgive me | ask pardon | ^pardon me | i didn't mean to |
  i shouldn't have said | i shouldn't have shouted | i shouldn't have asked | !sorry to hear | !sorry for him |
  !sorry for her | !sorry for them
gift: ^brought you | i brought | i've brought | i have brought | also brought | i bring | made you | baked you |
  knitted you | got you | drawing of you | is for you | are for you | it's for you | this one's for you |
  for you because | something for you | ^here take | ^here have | !brought my | !brought him | !brought her |
  !brought them | !brought it | !brought up | !brought back | !brought home | !brought me | !brought us | !next time
thanks: ^thank | ^thanks | thank you | thanks for | thanks proper | ^cheers | ^ta | ^much obliged | i'm grateful |
  i am grateful | so grateful
torn: know what to do | know what to say | know what i should | don't know whether | do not know whether |
  don't know if i | should i | can't decide | cannot decide | make up my mind | in two minds | part of me |
  not sure whether | not sure if | not sure what to | maybe i should | ^i might | ^we might | ^might | !might be | perhaps i should | maybe we should |
  perhaps we should | your advice | ^i do not know
invitation: ^you should come | ^you must come | ^you have to come | ^you could come | come and visit |
  come and see us | come to us | an invitation | you're invited | you are invited | ^come with me | you'd be welcome |
  you would be welcome | !i had an invitation | !got an invitation
promise: i'll bring | i will bring | i'll come back | i will come back | i'll come again | i'll come tell |
  i'll come and tell | i'll tell you how | i'll let you know | i'll send you | i'll send word | i send you |
  i'll write to you | i'll write you | i wave to you | i'll wave | next time i bring | next time i'll | after you |
  i put your name | i'll name | i'll show you | i will show you | hold me to it | i promise you | !if i bring |
  !look after you | !was named after you
offer: let me help | let me carry | let me mend | let me fix | let me do | i could mend | i can mend | i can fix |
  i could fix | i can carry | i can help | i could help you | cook for you | i could bring you | shall i |
  can i help | would you like | do you want one | do you want some | have some | help yourself | you can keep |
  you can have
joke: only joking | just joking | only kidding | just kidding | i'm joking | i'm kidding | story of my life |
  it was a joke | it was joke | you can laugh | which is more than | don't ask$ | don't ask me why$
secret: don't tell | do not tell | don't say anything | don't say a word | between you and me | between ourselves |
  between us | keep it to yourself | keep that to yourself | keep this to yourself | never told anyone |
  never told anybody | not told anyone | haven't told anyone | never told a soul | nobody knows | nobody else knows |
  it's a secret | the first person i've told | !don't tell me
goodbye: ^going$ | ^i'm going$ | ^i go$ | got to clock in | ^peace$ | ^peace out | ^i greet you | ciao$ |
  down to the boat$ | be rolling | catch the tide | catch my boat | catch the boat | catch the last bus | ^i must go |
  ^back to it$
request: could you | can you | would you | will you | ^give me | ^pass me | ^show me | ^lend me | ^let me see |
  ^let me have | i'd like a | i'd like some | i would like a | i need a | i need some | i could do with | ^please |
  please$ | wish me luck
complaint: stinks | reeks | it smells | tastes awful | tastes like | nobody told me | ^what awful | ^what terrible |
  ^what horrible | ^what a miserable | are killing me | i'm bored | this is boring | is too cold | is too hard |
  is cold$ | no bloody
grumble: typical$ | as usual | fed up | sick of | sick and tired | useless | hopeless | a nightmare | ridiculous |
  cancelled | put back to | put back till | drives me mad | drives me crazy | late again | broken again |
  for the third time | always friday | can you believe it
worry: what if | what i'll do with myself | what to do with myself | what i'll do after | keeps me awake |
  keeps me up | i worry | i fear | i'm worried | i am worried | i'm so worried | i was worried | worried about |
  i'm nervous | i was nervous | ^nervous | ^worried | so nervous | a bit nervous | i'm anxious | anxious about |
  i'm dreading | dreading | i'm scared | scared of what | scared as hell | i'm afraid that | i'm afraid of what |
  i'm frightened
drop: ^it's fine | ^it's ok$ | ^it's okay$ | ^i'm fine$ | ^forget it | ^forget that | ^never mind | ^nevermind |
  ^whatever$ | ^drop it | ^leave it$ | ^i don't care$ | doesn't matter | talk about it | change the subject |
  i'd rather not | i would rather not | ^let's not | ^let's leave | needn't answer | needn't say | i'll not pry |
  don't have to say | don't have to answer
doubt: believe you | believe a word | ^i don't believe it | ^i don't believe that | made that up | making that up |
  made it up | making it up | ^yeah right$ | ^as if$ | prove it | pull the other | sounds made up | i doubt it |
  i doubt that | !i believe you
reproach: ^you never | ^you didn't answer | ^you didn't say | ^you haven't answered | ^you only | ^you just |
  ^you don't listen | not listening | not answering | no answer$ | not an answer | not what i asked |
  not what i said | not what i meant | you keep saying | you keep asking | you keep repeating | ^you think you're |
  you're avoiding | you're dodging | you're ignoring
disagreement: ^i don't think so | ^i don't agree | ^i disagree | ^that's not true | ^that isn't true |
  ^that's wrong | ^that's rubbish | ^you're wrong | ^you are wrong | ^not really | ^not at all | ^not quite | ^nope |
  ^nah$ | ^nah it | ^rubbish | ^nonsense | ^hardly | ^i wouldn't say | ^no$ | ^no no | ^no it's not | ^no it isn't |
  ^didn't think so
agreement: you're right | you are right | you're quite right | you're so right | you're absolutely right |
  be right$ | ^quite$ | ^quite right | ^exactly | ^precisely | ^true | ^indeed | ^agreed | ^same here | ^me too |
  ^so do i | ^i agree | ^that's true | ^that is true | ^that's right | ^that's fair | ^fair enough | what you mean |
  ^good point | ^point taken | ^i thought so | ^too true | ^i get it | get it i think | ^sounds about right |
  ^you've got a point | ^aye
compliment: good listener | great listener | good memory | i like you | i like it here | i like your |
  i like how you | i like that$ | i love your | i love this place | i admire | good answer | nice answer |
  you're kind | you're very kind | you are kind | you are very kind | kind of you | you've been kind |
  you've been so kind | that's beautiful | that's lovely | how lovely | i like that one | love that | i love it$ |
  is remarkable | you are funny | you're funny | you're sweet | you're wise | you're alright | you're all right |
  you're straight about it | hired$ | !don't like
guess: ^bet you | ^i bet you | ^i suppose you | ^i guess you | ^i imagine you | ^you must be | ^you must get |
  ^you must feel | ^you must miss | ^you must know | ^you probably | ^surely you
ban: ^don't | ^do not | ^stop | ^quit | !don't tell | !don't know | !don't think | !don't like | !don't want |
  !don't care | !don't mind | !don't feel | !don't believe | !don't remember | !don't need | !don't have |
  !don't get | !don't worry | !don't ask | !quit my | !quit the | !quit smoking
boast: than yours | as yours | i'm the best | i am the best | you wouldn't last | i never lose | i'm brilliant |
  i'm a genius | seen better | seen bigger
opinion: ^i think | ^i believe | ^i reckon | ^if you ask me | ^in my opinion | ^in my view | ^people | ^everyone |
  ^everybody | ^nobody | ^i hate | ^i prefer | ^i can't stand | overrated | !i think i | !i think my | !i think we |
  !i think you | !nobody knows | !nobody told
plan: ^going to | i should just | i think i should | i could just | ^off to | i'm going | i am going | we're going |
  we are going | i'll | we'll | i will | we will | i shall | we shall | i want to | i wanna | i'd like to |
  i'd love to | i would like to | thinking of | planning | about to | i've decided | i have decided | i decided to |
  i hope to | we're moving | i'm moving | i'm getting | we're getting | i'm meeting | i'm starting | !i'll be honest |
  !i'll admit | !i'll say
story: used to | when i was | when we were | when i got | years ago | ages ago | as a child | as a boy | as a girl |
  as a kid | grew up | back then | in those days | in my day | once had | once met | once saw | once was | my old |
  raised me | i was born
""")
#: What somebody may do in the sentence that they leave with, and that counts for more.
_PARTING: Final = ("gift", "invitation", "promise")
_SMALL_WORDS = """
yes yeah yep yup aye no ok okay k right sure fine cool i see hm mm well maybe perhaps oh ah really wow damn great good
nice of course if you say so whatever lovely brilliant interesting huh alright all got it understood go on enough then
very well quite figures true ha just
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_LAUGHS = re.compile(r"\b(?:lo+l|lmao+|rofl|(?:ha){2,}h?|(?:he){2,}|xd)\b", re.IGNORECASE)
_GRINS = re.compile(r"[😂🤣😅😜😉]|;-?\)")
_IS_CALLED = re.compile(r"\bcalled\b", re.IGNORECASE)
#: A worry that is over.
_WAS = re.compile(r"\bi was\b", re.IGNORECASE)
#: A sentence about somebody else.
_OTHERS = re.compile(
    rf"^(?:and |but |so |well,? |oh,? )*(?:(?:(?:my|the|his|her|our|their) (?:\w+ )?)?(?:{WHO}|nan|supervisor|doctor)\b|"
    r"(?:he|she|they)(?:'s|'re|'d|'ll)?\b)(?! \w+ (?:me|us)\b)",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"\b(?:my|our) (?:\w+ )?(?:{WHO})\b", re.IGNORECASE)
_OWNED = re.compile(r"(?:my|our|his|her|their) ", re.IGNORECASE)
_TO_SOMEBODY = re.compile(r"\b(?:me|us|please|you|your|here)\b", re.IGNORECASE)
#: Somebody else and whoever speaks.
_AND_I = re.compile(r"^(?:[\w']+ ){1,3}and i\b", re.IGNORECASE)
#: Something said of the hearer, or of the two.
_OF_YOU = re.compile(
    r"^(?:and |but |so |well,? )*(?:you(?:'re|'ve|'d|'ll)?|your)\b|\b(?:known|liked?|reminds? me of|than|with|about|to|of) you\W*$",
    re.IGNORECASE,
)


class Told(NamedTuple):
    """What somebody did by saying something, in which tone, with which of their sentences, and all that they said.

    ``situations`` is what of that which people commonly tell they told, the nearest first; ``subject`` what it is about.
    """

    act: Act
    tone: Tone
    text: str
    said: str
    situations: tuple[Situation, ...] = ()
    subject: str = ""

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
    found = situations_of(apart, meaning)
    if named := next((one for one in apart if name_in(one) and (asked or _IS_CALLED.search(one))), ""):
        return Told("answer", "plain", named, said)
    done = [_done(one, meaning, f"{typed} {said}", asked=asked and not found) for one in apart]
    first = min(done, key=_weight)
    if first.tone == "bad" and first.subject not in GRAVE and (jokes := [one for one in done if one.act == "joke"]):
        first = jokes[0]
    told = tuple(one for one in found if one.name not in OPENINGS or one.text in first.text or first.act not in TELLING)
    subject = first.subject or (subject_of(said, bad=True) if first.tone == "bad" else "")
    return first._replace(said=said, situations=told, subject=subject)


def _weight(one: Told) -> tuple[int, bool, int]:
    """What most wants an answer is least: by what it does, or how grave or glad it is; then by what is known of it."""
    does: str = one.act
    if one.act in TELLING and one.tone in ("bad", "good"):
        does = "grave" if one.subject in GRAVE and one.tone == "bad" else one.tone
    elif one.act in TELLING and one.subject:
        does = "plan"
    elif one.act in ("plan", "opinion", "answer", "story"):
        does = "remark"  # there is nothing in it to take up
    return _ORDER.index(does), not one.subject, -len(one.text)


def _done(sentence: str, meaning: Meaning, typed: str, *, asked: bool) -> Told:
    act = _act_of(sentence, meaning)
    if act == "request" and orders(sentence) and not _TO_SOMEBODY.search(sentence):
        act = "remark"
    tone = _tone_of(sentence, act, meaning, typed)
    if asked and act in ("remark", "other") and tone != "bad" and len(sentence.split()) <= MOST_ANSWER:
        act = "answer"
    return Told(act, tone, sentence, sentence, (), subject_of(sentence, bad=tone == "bad"))


def _act_of(sentence: str, meaning: Meaning) -> Act:
    by_form = _by_form(sentence)
    if by_form not in _OPEN:
        return by_form
    least = NEAR if meaning.is_encoder else NEAR_BY_WORDS
    likes = {act: max(meaning.likes(sentence, given)) for act, given in ACTS.items()}
    best = max(likes, key=lambda act: likes[act])
    return best if likes[best] >= least and best not in _OPEN[:4] else by_form


def is_of_another(sentence: str) -> bool:
    """Whether a sentence tells of somebody else."""
    return bool(_OTHERS.match(sentence)) and not _AND_I.match(sentence)


def _by_form(sentence: str) -> Act:
    act: Act = next((act for act, shows in _SHOWN if shows(sentence)), "remark")
    shown = "" if act in ("greeting", "insult") else FORMS.of(sentence)
    if shown and (act != "goodbye" or shown in _PARTING):
        act = shown  # type: ignore[assignment]
    return "grumble" if act == "complaint" and _OWNED.match(sentence) else act


def is_small(sentence: str) -> bool:
    """Whether a sentence is no more than a yes, a no or a nod."""
    words = evened(sentence).split()[1:-1]
    return len(words) <= MOST_SMALL and _SMALL.issuperset(words)


def _is_laugh(sentence: str) -> bool:
    return not _LAUGHS.sub("", sentence).strip(" .,!")


def _is_news(sentence: str) -> bool:
    return is_own(in_full(sentence)) or bool(_OTHER.search(sentence))


#: What shows an act that no phrase does, the surest first.
_SHOWN: Final[tuple[tuple[Act, Callable[[str], object]], ...]] = (
    ("greeting", is_greeting),
    ("goodbye", is_leaving),
    ("insult", is_insult),
    ("laugh", _is_laugh),
    ("small", is_small),
    ("of_you", _OF_YOU.search),
    ("request", orders),
    ("other", is_of_another),
    ("news", _is_news),
)


def _tone_of(sentence: str, act: Act, meaning: Meaning, typed: str) -> Tone:
    """How a sentence sounds; a laugh makes it wry, and no loss a joke."""
    felt = "bad" if subject_of(sentence) == "death" else feeling_of(sentence, meaning)
    if act == "worry" and _WAS.search(sentence):
        return "good"
    if act == "joke" or _LAUGHS.search(typed) or _GRINS.search(typed):
        return felt if felt == "bad" and subject_of(sentence, bad=True) in GRAVE else "wry"
    return felt


__all__ = [
    "ACTS",
    "TELLING",
    "TONES",
    "Act",
    "Told",
    "Tone",
    "act_of",
    "examples",
    "is_of_another",
    "is_small",
    "parts_told",
]
