"""What somebody asked, said back in one clause: so that a reply is about it even where nothing answers it."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from greenroom.adapters.understudy.expecting import past_of
from greenroom.adapters.understudy.hearing import WHEN_ASKED
from greenroom.adapters.understudy.persons import to_you
from greenroom.text.typed import written_out

#: Whom a question is about: whoever is asked, whoever asks, neither; or it asks for leave, or for something to be done.
About = Literal["keeper", "visitor", "other", "leave", "favour"]

_AUX = r"do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may|might|must|have|has|had"
_WH = r"who|whom|whose|what|which|where|when|why|how"
_PRONOUN = r"you|i|we|he|she|it|they|there|that|this|anyone|anybody|someone|somebody|people|everyone|everybody|nobody|men|keepers|ships"
_PREP = r"in|on|at|for|of|to|from|about|with|like"
_INVERTED = re.compile(
    rf"^(?P<wh>(?:{_WH})\b(?: (?!(?:{_AUX})\b)[\w'-]+){{0,5}}? )?(?P<aux>{_AUX}|ca(?=n't)|wo(?=n't))(?P<no>n't)? "
    rf"(?P<subject>(?:the|my|your|our|his|her|their|this|that|these|those|any) (?!(?:{_PREP})\b)[\w-]+(?:'s [\w-]+)?|"
    rf"(?-i:[A-Z]\w+)(?:'s [\w-]+)?|{_PRONOUN})\b ?(?P<rest>.*)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(rf"^(?:{_WH})\b .+$", re.IGNORECASE)
#: A question in the form of something told: only its mark asks.
_DECLARED = re.compile(r"^(?:you|he|she|they|there|it's|that's|this is)\b \w+ \w", re.IGNORECASE)
#: *Is that mad* asks whether that is mad: no noun follows.
_JUDGED = re.compile(r"^(?P<it>that|this) (?P<how>\w+)$", re.IGNORECASE)
_SHORTENED = re.compile(rf"^(?P<wh>{_WH})(?:'s|s(?= (?:my|the|your|that|this)\b))(?= )", re.IGNORECASE)
_LEADS = (
    "so|and|but|then|actually|by the way|before anything else|first of all|anyway|change of plan|ok|okay|well|now|fine|oh|wow|ah|ugh|huh|lol|haha|yeah|yes|yep|"
    "nah|sorry|excuse me|please|madam|sir|mate|man|guys|hey|hi|hello|yo|sup|helo|whatever|ngl|tbh|gtg|quick test|tell me|in english then|go on then"
)
_LEADING = re.compile(rf"^(?:(?:hm+|{_LEADS}|no(?! (?:one|body|more|matter|longer)\b))\b[,.:!?]?\s+)+", re.IGNORECASE)
_FRAME = re.compile(
    rf"^(?:(?:do|can|could|did|will) (?:you|i) (?:still |even |ever )?(?:remember|recall|know|catch|tell me|say|mention|tell you)|"
    rf"have i (?:ever |already )?(?:told you|said|mentioned)|may i (?:know|ask|hear))(?: to (?:me|you))? (?=(?:{_WH}|my|our)\b)",
    re.IGNORECASE,
)
#: *Do you think it will rain* asks whether it will.
_THOUGHT = re.compile(
    r"^do you (?:really )?(?:think|reckon|suppose)(?: that)? (?=(?:it|it'll|he|he'll|she|she'll|they|they'll|there|the|my|i|i'll|we|we'll)\b)",
    re.IGNORECASE,
)
_TAGS = (
    "do you think|do you recall|do you know|you know|can you imagine|can you believe it|can you believe that|will you|would you|could you|can you|and why|or what|anyway|"
    "actually|then|again|please|tbh|btw|lol|mate|man|though|by the way"
)
_KEPT = r"(?:do |did |can )?(?:you|u) (?:still )?(?:even )?(?:remember|recall|get|catch|know)(?: it| that| them)?"
_TAG = re.compile(rf",? (?:{_KEPT}|{_TAGS})$", re.IGNORECASE)
#: "What your trade is" is "your trade".
_NOUN = re.compile(r"^(?:what|who) (your (?!.*\b(?:is|are|was|were)\b.* )[\w' -]+) (?:is|are|was|were)$")
_PICKS = re.compile(r"^(?:which|what) \w+ ")
_FULL: Final = {"ca": "can", "wo": "will"}
#: What stands after *is* in a question and is no part of who or what it asks for.
_PREDICATE = re.compile(
    rf"^(?:(?:(?!thing)\w+(?:ing|ed)|called|due|put|built|made|kept|dug|born|bought|sold|found|lost|held|written|taken|done|like|so|too|"
    rf"not|here|there|with|about|behind)\b|(?:{_PREP})$)",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    r"^(?:ever|even|really|actually|still|just|already|always|never|also|usually|often)$", re.IGNORECASE
)
_YOU = re.compile(r"\b(?:you|your|yours|yourself|u|ur)\b", re.IGNORECASE)
_I = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b", re.IGNORECASE)
#: The hearer, where only who does something may be turned round: "called you funny" is not "called I funny".
_HEARER = re.compile(r"\b(?:you|u)\b", re.IGNORECASE)
_I_WERE: Final = (
    (re.compile(r"\b(one|some|all|any|none|which|two|each) of me\b"), r"\1 of us"),
    (re.compile(r"\bI were\b"), "I was"),
    (re.compile(r"\byou am\b"), "you are"),
)
_AS_TOLD = re.compile(r"(?: it (?:was|is))? that you (?:told|mentioned to|said to) me$")
#: Words that a whole sentence begins with, rather than a piece of one.
_WHOLE = re.compile(
    r"^(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'll|my|our|he|she|it|they|he's|she's|it's|they're|there|there's|this|that|the|"
    r"these|those|his|her|their|its|somebody|someone|nobody|everybody|everyone|people|sometimes|today|yesterday|tomorrow|"
    r"last|next|one|a|an|both|all|some|most)\b",
    re.IGNORECASE,
)
#: What cannot be said back as one clause: two sentences, a choice of two, what was merely said, and half a judgement.
_NO_CLAUSE = re.compile(
    rf"[.!?…] |,? or (?:{_AUX})\b|\b(?:did|have|had) (?:i|we)(?: ever| even| already)? (?:say|said|tell|told|mention\w*)\b|^isn't (?:that|this|it) \w+$",
    re.IGNORECASE,
)
#: Words that one says back.
MOST_WORDS, LEAST_WORDS = 10, 3
#: Words after which a verb no longer goes to the end: "what is the first thing that you ever bought".
MOST_TURNED = 3
_ONE_WORD = re.compile(r"^[^\W\d_]{2,}(?:['’-][^\W\d_]+)?[.!?]*$")


class AskedFor(NamedTuple):
    """What a question is about: a clause or a noun, as the one who was asked would say it."""

    about: About
    text: str


def asked_for(question: str) -> AskedFor | None:
    """What a question asks, as a clause of its own: "Do the gulls have names?" is "whether the gulls have names"."""
    text = WHEN_ASKED.sub("", _bare(question))
    if _NO_CLAUSE.search(text):
        return None
    head = text.split(",", 1)[0]
    text = head if len(head.split()) >= LEAST_WORDS else text
    if not text or len(text.split()) > MOST_WORDS:
        return None
    if thought := _THOUGHT.match(text):
        return AskedFor("other", _turned(f"whether {text[thought.end() :]}"))
    if framed := _FRAME.match(text):
        rest = text[framed.end() :]
        return AskedFor("visitor", _turned(rest))
    if (inverted := _INVERTED.match(text)) and not _HEARER.search(f"{inverted['wh'] or ''} {inverted['rest']}"):
        return AskedFor(_about(inverted), _turned(_clause(inverted)))
    if _DECLARED.match(text) and question.rstrip().endswith("?"):
        return AskedFor(_whose(text), _turned(f"whether {text[:1].lower()}{text[1:]}"))
    if _PLAIN.match(text) and not _HEARER.search(text):
        return AskedFor(_whose(text), _turned(text))
    return None


def one_word(said: str) -> str:
    """The word that is all of a message; empty if there is more to it, or less."""
    return said.strip(" .!?").capitalize() if _ONE_WORD.match(said.strip()) else ""


def _bare(sentence: str) -> str:
    """A sentence without its end mark, and without what people put before and after what they mean."""
    text = _LEADING.sub("", " ".join(sentence.replace("’", "'").split())).strip(" .!?;,-")
    while (cut := _TAG.sub("", text).strip(" ,")) != text:
        text = cut
    text = written_out(text)
    return _SHORTENED.sub(lambda found: f"{found['wh']} is", text)


#: What tells which of them is meant, before what is asked of it: "in the subject important".
_ATTACHED = re.compile(
    r"(?P<which>(?:in|of|on|from|with|behind|under) (?:(?:the|my|your|our|his|her|their|this|that) )?(?!(?:the|my|your|our|his|her|their|this|that)\b)[\w-]+) "
    r"(?P<how>(?!(?:tonight|today|now|tomorrow|yesterday|here|there|again|too|or)$)[a-z]+)$"
)


_BE: Final = ("is", "are", "was", "were")


def _clause(found: re.Match[str]) -> str:
    """Subject before verb; *do* goes, and leaves its time to the verb."""
    wh, aux = (found["wh"] or "whether ").lower(), found["aux"].lower()
    subject, rest = _parted(aux, found["subject"], found["rest"])
    if found["no"]:
        return f"{wh}{subject} {_FULL.get(aux, aux)} not {rest}".strip()
    judged = _JUDGED.match(subject)
    if judged and not rest and not found["wh"] and aux in ("is", "was"):
        return f"whether {judged['it']} {aux} {judged['how']}"
    if _PICKS.match(wh) and " " in subject and rest and not _PREDICATE.match(rest):
        return found.group()
    if found["wh"] and aux in _BE and rest and rest == found["rest"] and not _PREDICATE.match(rest):
        return _stated(wh, aux, subject, rest)
    if aux in ("do", "does", "did") and rest.startswith("not "):
        return f"{wh}{subject} {aux} {rest}"
    if aux == "do":
        return f"{wh}{subject} {rest}".strip()
    if aux in ("does", "did"):
        return f"{wh}{subject} {_inflected(rest, past=aux == 'did')}".strip()
    return f"{wh}{subject} {aux} {rest}".strip()


def _stated(wh: str, aux: str, subject: str, rest: str) -> str:
    """What *is*: the verb goes to the end of a short clause, and stays where a long one follows."""
    if len(rest.split()) > MOST_TURNED:
        return f"{wh}{aux} {subject} {rest}"
    return f"{wh}{subject} {rest} {aux}" if " " in subject else f"{wh}{subject} {aux} {rest}"


def _parted(aux: str, subject: str, rest: str) -> tuple[str, str]:
    """Of whom something is asked, and what: what tells which of them is meant goes with the former."""
    more = _ATTACHED.match(rest) if aux in ("is", "are", "was", "were") and " " in subject else None
    return (subject, rest) if more is None else (f"{subject} {more['which']}", more["how"])


def _inflected(rest: str, *, past: bool) -> str:
    words = rest.split()
    at = next((i for i, word in enumerate(words) if not _MIDDLE.match(word)), None)
    if at is None:
        return rest
    words[at] = past_of(words[at]) if past else _third(words[at])
    return " ".join(words)


def _third(verb: str) -> str:
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"


def _about(found: re.Match[str]) -> About:
    aux, subject = found["aux"].lower(), found["subject"].lower()
    if not found["wh"] and subject in ("i", "we") and aux in ("can", "could", "may", "might", "should", "shall"):
        return "leave"
    if not found["wh"] and subject == "you" and aux in ("can", "could", "will", "would") and _I.search(found["rest"]):
        return "favour"
    return _whose(found.group())


def _whose(text: str) -> About:
    if _I.search(text) and not re.search(r"\byou\b", text, re.IGNORECASE):
        return "visitor"
    return "keeper" if _YOU.search(text) else "other"


def _turned(text: str) -> str:
    turned = _NOUN.sub(r"\1", to_you(text[:1].lower() + text[1:] if _lowers(text) else text))
    turned = _AS_TOLD.sub("", turned)
    for form, right in _I_WERE:
        turned = form.sub(right, turned)
    return turned


def _lowers(text: str) -> bool:
    first = text.split(" ", 1)[0]
    return bool(_WHOLE.match(first) or re.match(rf"(?:{_WH}|whether)$", first, re.IGNORECASE)) and first.lower() != "i"


__all__ = ["About", "AskedFor", "asked_for", "one_word"]
