# ruff: noqa: E501, RUF001, SIM905  a form of a sentence, or a list of words, is one line, and other languages have other letters
"""What a message does, where its form alone tells: it asks for counsel, a verdict, a drink, or where one stopped."""

from __future__ import annotations

import re
from typing import Final

from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.facts.sentences import asks
from greenroom.adapters.facts.sentences import orders as commands
from greenroom.adapters.understudy import is_foreign
from greenroom.adapters.understudy.asking import is_of_keeper, question_in, says_told
from greenroom.adapters.understudy.echoing import asked_for

_LEAD = r"^(?:so |and |but |ok |okay |well |then |right |no,? |yeah,? |honestly,? )*"
#: By the topic that answers it: whether to do something, what to choose for something, and what to think of it.
_DEEDS: Final = tuple(
    (topic, re.compile(form, re.IGNORECASE))
    for topic, form in (
        ("say_how", rf"{_LEAD}(?:what|how)\b(?=.{{0,40}}\b(?:should|shall|would|do|can) (?:i|we|you)\b|.{{0,40}}\b(?:i|we) (?:should|ought)\b).{{0,40}}"
                    r"\b(?:tell|say to|break (?:it|this) to|explain (?:it|this) to) (?:him|her|them|my|the|our)\b"),
        ("opinion", rf"{_LEAD}(?:what do you (?:think|make|reckon)|what(?:'s| is) your (?:opinion|view|take)|do you (?:dis)?agree|don't you (?:think|agree))\b"),
        ("counsel", rf"{_LEAD}what (?:would you|should i|shall i|can i|am i (?:going|supposed) to|would (?:the )?\w+) do\b(?! for\b)|{_LEAD}what (?:happens )?if (?:i|we)\b|{_LEAD}how does one\b|{_LEAD}how (?:do|should|would) (?:i|you|we) (?:deal|cope|handle)\b"),
        ("which", rf"{_LEAD}(?:who|whom|what|which|how|where)\b.{{0,40}}\b(?:(?:should|shall) (?:i|we)|(?:i|we) (?:should|ought))\b|{_LEAD}what(?:'s| is) a good\b"),
        ("deed", rf"{_LEAD}(?:should|shall) (?:i|we)\b|{_LEAD}(?:do|must) (?:i|we) \w+.{{0,60}}\bor (?:what|not|just|let|leave)\b|"
                 r"\bwould you (?!like|mind|tell|say|please|be so|rather|call|describe)\w+|\bif you were me\b|\bin my (?:place|shoes)\b"),
        ("verdict", rf"{_LEAD}(?:am|was) i (?:making|being|wrong|right|mad|crazy|stupid|silly|an idiot|a fool|a bad|overreacting)\b|"
                    rf"{_LEAD}(?:is|was) (?:that|it|this) (?:\w+ )?(?:mad|crazy|stupid|silly|wrong|normal|weird|strange|a mistake|bad|odd|sad|unfair)\b"),
    )
)  # fmt: skip
#: Leave that is asked for, which nobody can have told.
_LEAVE: Final = re.compile(
    rf"{_LEAD}(?:(?:is|would) (?:it|that) (?:be )?(?:ok|okay|all ?right|fine) (?:if (?:i|we)|to)|(?:can|could|may|might) (?:i|we)|(?:do|must) (?:i|we) have to)\b|"
    r"\b(?:is|are) (?:there|here) (?:still |a |any |an? )*(?:place|seat|chair|stool|room)s? (?:still )?(?:free|left|for)\b|"
    r"\bmay (?:an?|one) (?:\w+ ){0,2}sit\b",
    re.IGNORECASE,
)
_RECAP: Final = re.compile(
    rf"{_LEAD}(?:what (?:was|were) (?:i|we) (?:just )?(?:saying|talking|moaning|complaining|whining|going on|on|rambling)(?: about)?|"
    r"where (?:were|did) we(?: stop| leave off| get to)?|what did (?:i|we) (?:talk|tell you) about(?: last time| before| yesterday)?)\W*$",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    rf"{_LEAD}(?:what (?:do|did|can) you (?:\w+ )?(?:know|remember|recall|have)|tell me what you (?:know|remember)) (?:about|of|on) me\b",
    re.IGNORECASE,
)
#: What people ask for that this bar does not pour.
_UNSERVED: Final = re.compile(
    r"\b(?P<drink>sherry|gin|rum|vodka|tequila|brandy|cognac|champagne|prosecco|cider|mojito|margarita|martini|negroni|cocktails?|"
    r"cappuccino|latte|espresso|lemonade|cola|coke|milkshake|smoothie)\b",
    re.IGNORECASE,
)
_DRINK: Final = re.compile(
    r"\b(?P<named>(?:ginger |pale |red |white |black |iced |apple )?(?:coffees?|teas?|water|beers?|lagers?|ales?|stouts?|pints?|juices?|wines?|whisk(?:e)?ys?|schnapps|aquavits?|akevitt))\b|"
    r"\b(?:(?:small|large|big|cold|half a) one|glass of (?:red|white)|(?:something|whatever(?:'s| is)) (?:cold|hot|warm|strong|wet|to drink)|"
    r"the usual|(?:the )?same (?:again|as (?:last time|before))|(?:one|another) (?:more|one))\b|[🍺🍻🍷🥃☕🍵]",
    re.IGNORECASE,
)
_WANTS: Final = re.compile(
    r"\b(?:whatever(?:'s| is)|i want|i'd (?:like|love|have)|i would like|i'(?:ll|m) (?:have|having|take)|(?:i could |could )(?:do with|use|murder|kill for)|dying for|(?:give|get|bring|fetch|do|pour) (?:me|us)|gimme|lemme have|hit me|"
    r"make (?:it|mine)|pour|stick|slide|pass|may i have|please|pls|bitte|another|one for me|do you (?:have|do|serve)|you have|got any|is there any)\b",
    re.IGNORECASE,
)
#: Words that may stand with a drink where nothing else is said: how many, how large, how it is wanted.
_MEASURES: Final = frozenset(
    "a an the one two three four another some more just only so then now and or no not maybe right fair well ok okay please pls ta thanks cheers "
    "small large big medium double single half pint glass cup shot bottle of your my best cheapest house strong weak cold hot warm neat straight "
    "black white milk sugar ice with without on rocks side for me us bart mate love again tonight today first also too it's".split()
)
#: What somebody asks whether they are talking to.
_MACHINE: Final = re.compile(
    r"\b(?:ais?|a\.i\.|(?:chat)?bots?|robots?|machines?|computers?|program(?:me)?s?|software|automat(?:ed|ic)|scripted|generated|fictional|"
    r"simulat(?:ed|ion)|fake|made up|puppets?|llm|(?:chat)?gpt|language model)\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(
    r"\b(?:persons?|people|humans?|real|alive|living|any(?:body|one)|some(?:body|one)|man|woman|typing|flesh)\b",
    re.IGNORECASE,
)
#: The same in other languages, in one word of each kind.
_ABROAD: Final = re.compile(
    r"\b(?:robots?|roboter|bots?|chatbots?|k\.?i\.?|ia|echt|computer|ekte|äkta|vraie?|ver[oa]|personn?e|persona|mensch(?:en)?|maschine|humain|humaine|humanos?|humana|umano|umana|menneske|människa|mens|"
    r"ihminen|robotti|człowiek\w*|insan|manusia|robota)\b|[Чч]еловек|[Рр]обот|[Бб]от\b|ロボット|人間|機械|机器人|真人|人类|로봇|사람|إنسان|روبوت|इंसान|रोबोट",
    re.IGNORECASE,
)
_YOU_ABROAD: Final = re.compile(
    r"\b(?:du|sie|tu|vous|eres|usted|es|est|est-ce|[eê]tes|bist|ihr|er|är|sen|misin|m[ıi]s[ıi]n|sei|olet\w*|jesteś|você|és)\b"
    r"|[\u0400-\u1fff\u3040-\uffef]",
    re.IGNORECASE,
)
_WHAT = (
    r"(?:ai|a\.i\.|(?:chat)?bots?|robots?|programs?|programmes?|software|automated|llm|(?:chat)?gpt|language model|artificial intelligence|"
    r"fake|puppets?|humans?|(?:actually |really )?alive|living soul|(?:real|actual) (?:person|people|human|man|woman|bartender))"
)
#: Somebody here is spoken to, or of, as being one.
_HERE: Final = re.compile(
    rf"\b(?:are|were|you're|you are|you r|is(?:n't)? (?:this|that|there|it|any\w*|some\w*)|there isn't|am i)\b.{{0,30}}\b{_WHAT}\b"
    r"|\b(?:are|r) (?:you|u|ya|yous?)(?: (?:lot|guys|all|people|folks|ones|two))?(?: (?:even|actually|really|all|like))* real\b"
    r"|\b(?:talking|speaking|chatting|writing) (?:to|with) (?:an? )?(?:ai|bot|robot|human|machine|computer|(?:real |actual )?person)\b",
    re.IGNORECASE,
)
#: A question that orders: *could I get a coffee?*
_MAY: Final = re.compile(
    r"\b(?:(?:can|could|may|might) (?:i|we) (?:\w+ )?(?:get|have|grab|order|trouble you for)|any chance of|(?:can|could|would|will) you (?:\w+ )?(?:get|bring|pour|do|make|give|fetch) (?:me|us))\b",
    re.IGNORECASE,
)
#: Words of a message that names a drink and does little else.
_FEW: Final = 4
_WORD: Final = re.compile(r"[^\W\d_']+")


def deed_in(said: str) -> str:
    """The topic of a question that asks for counsel rather than for something known; empty if it asks for none."""
    return next((topic for topic, form in _DEEDS if form.search(said)), "")


def straight(said: str) -> str:
    """*Yes* or *no*, with a point and a space, to whether a machine or a person is here; empty where it was not asked so."""
    machine, person = _MACHINE.search(said) is not None, _PERSON.search(said) is not None
    return "" if machine == person else "Yes. " if machine else "No. "


def names_a_machine(said: str) -> bool:
    """Whether a word stands in it for what somebody may be talking to."""
    return _MACHINE.search(said) is not None


def is_real(said: str) -> bool:
    """Whether somebody asks, or says, whether this is a person, in whatever language."""
    abroad = len(said.split()) <= 8 and _ABROAD.search(said) is not None and _YOU_ABROAD.search(said) is not None
    return abroad or (len(said.split()) <= 20 and _HERE.search(said) is not None)


def asks_leave(said: str) -> bool:
    """Whether somebody asks whether they may."""
    return _LEAVE.search(said) is not None


def is_recap(said: str) -> bool:
    """Whether somebody asks what they were talking about."""
    return _RECAP.search(said) is not None


def is_all(said: str) -> bool:
    """Whether somebody asks for whatever they told."""
    return _ALL.search(said) is not None


def unserved_in(said: str) -> str:
    """A drink that is asked for and not to be had; empty if there is none."""
    found = _UNSERVED.search(said)
    return found["drink"].casefold() if found and _is_wish(said) else ""


def is_order(said: str) -> bool:
    """Whether a drink that is to be had is ordered, in however few words."""
    if _DRINK.search(said) is None:
        return False
    if asks(said):
        return _MAY.search(said) is not None
    return _wants(said) or any(_is_drink_alone(part) for part in re.split(r"[.!;:–—]\s|\n", said))


def ordered_in(said: str) -> str:
    """The drink that an order names; empty if it names none."""
    found = _DRINK.search(said)
    return (found["named"] or "").casefold() if found else ""


def _is_drink_alone(sentence: str) -> bool:
    """Whether a sentence says no more than a drink and how it is wanted, up to a comma or from one on."""
    parts = sentence.split(", ")
    named = [number for number, part in enumerate(parts) if _DRINK.search(part)]
    if len(named) != 1:
        return False
    first = named[0]
    alone = [", ".join(parts[first:]), *([] if first else parts[:1])]
    return any(_MEASURES.issuperset(_WORD.findall(_DRINK.sub("", one).casefold())) for one in alone)


def _is_wish(said: str) -> bool:
    return len(said.split()) <= _FEW or _wants(said)


def _wants(said: str) -> bool:
    return _WANTS.search(said) is not None and len(said.split()) <= 6 * _FEW


_MINE: Final = re.compile(rf"\b(?:my|our) (?:{WHO})\b", re.IGNORECASE)


def is_of_guest(said: str) -> bool:
    """Whether what is asked for is the guest's own, and not only named beside something of theirs."""
    asked = asked_for(question_in(said))
    return says_told(said) or asked is None or asked.about != "other" or _MINE.search(said) is not None


def is_asked(said: str) -> bool:
    """Whether something is said to whoever answers, or asked of them, and not told of somebody else."""
    return is_of_keeper(said) or asks(said) or commands(said) or is_foreign(said)
