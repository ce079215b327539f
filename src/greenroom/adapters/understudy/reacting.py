"""Short answers to what was told and not asked: to what people commonly tell, to what it is about, to what was done with it.

A world writes its banks by situation (``{"retiring": {"plain": [...], "other": [...]}}``, the latter where it is somebody
else's), and by act or subject and in each by tone: ``{"news": {"bad": [...]}, "animal": {"good": [...]}}``. Each line answers
any message of its cell. It may hold on to what was told (``anchoring``): ``{who}`` is a name, or *your sister*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, get_args

from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.facts.sentences import sentences
from greenroom.adapters.understudy.acting import SURE, TONES, Act, Told, has_happened, is_of_another
from greenroom.adapters.understudy.anchoring import anchors_of
from greenroom.adapters.understudy.feeling import meant
from greenroom.adapters.understudy.framing import capital
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.saying import MANNERS, WEAK, Said, said_of
from greenroom.adapters.understudy.shaping import NAMES as SHAPES
from greenroom.adapters.understudy.shaping import THING
from greenroom.adapters.understudy.situations import SITUATIONS, Situation
from greenroom.text.frames import put
from greenroom.text.stems import STOP, stem, words

Banks = Mapping[str, Mapping[str, Sequence[str]]]

_SUBJECTS = """
animal: dog cat cats dogs horse hen hens bees hive hives goat goats sheep cow rabbit hamster gecko tortoise lizard snake fox parrot bird birds puppy kitten pony fish pig whippet
death: died dead death drowned funeral buried grave widow widower
fault: forgot forgotten fault ashamed guilty regret lied cheated mistake
work: job boss office shift colleague work worked working factory trade promotion promoted retire retired fired sacked customer customers client meeting interview contract career company business
school: school exam exams university college thesis study studying homework degree lessons
boat: sloop engine mast rudder kayak yacht dinghy oars anchor sailing
money: money rent debt debts bank pay paid bill bills price cost costs lottery wages loan
journey: flight trip travel travelled passport suitcase walked hike airport flying
body: hip operation doctor hospital ill knee headache parkinson cancer surgery pain medicine
sleep: sleep slept insomnia awake dream dreamt nightmare nap
house: house flat roof kitchen landlord cottage garage boiler moved apartment cellar attic tank
food: bake baked baking bread cake cook cooked cooking dinner breakfast recipe pie cheese jam chips lunch
garden: garden tomatoes roses allotment apples seeds vegetables flowers potatoes tree trees
music: viola violin orchestra piano song songs sing sang singing choir band guitar concert gig bass audition quartet trombone drums trumpet music
craft: knit knitted knitting sew sewed sewing paint painted painting built carve carved repair mend clocks wood pottery photograph photos photographs camera drawing
book: book books novel poem poems write writing wrote read reading article library podcast
post: letter postcard email
sport: football team match goal goalie swim swimming marathon race chess cycling gym
drink: smoking smoke smoked cigarettes drinking drink drunk sober beer wine whisky pub
baby: baby babies twins pregnant expecting newborn grandchild
child: kid kids child children daughter son sons grandson granddaughter lad lads toddler boys girls nephew niece
kin: mother father mum mom dad mam gran nan granny grandma grandpa grandmother grandfather sister brother bro sis uncle aunt cousin parents family
love: wife husband boyfriend girlfriend marriage married divorce divorced ex wedding engaged dating kissed fiancé partner
friend: friend friends mate flatmate roommate
lost: stolen stole keys wallet missing
home: town city village country street island homesick abroad
"""
#: What people tell of, by words that leave little doubt.
SUBJECTS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(map(stem, words(listed)))
    for name, _, listed in (line.partition(": ") for line in _SUBJECTS.strip().split("\n"))
}
#: Words of a sentence that is understood at least as a remark.
LEAST_REMARK = 3
#: Subjects whose lines fit whoever it is about; the others are about whoever tells it.
_OF_OTHERS: Final = ("death", "baby", "child", "kin", "friend", "animal")
_LATE = re.compile(rf"\b(?:my|his|her|our) late (?:{WHO})\b", re.IGNORECASE)
#: The lines of a situation: for whoever is in it, and for whoever tells of somebody else that is.
OWN, OTHER = "plain", "other"
#: Situations that one tells by saying what somebody else does.
_NEVER_OWN: Final = frozenset(
    name for name, given in SITUATIONS.items() if 2 * sum(map(is_of_another, given)) >= len(given)
)
#: Lines for what happened, where neither its subject nor its tone says more.
HAPPENED = "happened"
#: Lines that say back what was told, by its tone; there are others by its manner (``saying``).
SAID = "said"
#: Acts of which it is said back.
_SAID_BACK: Final = (
    "news",
    "other",
    "story",
    "plan",
    "opinion",
    "grumble",
    "remark",
    "answer",
    "of_you",
    "guess",
    "boast",
    "disagreement",
)
#: Lines that fit whatever was told.
ANYTHING = "anything"
_FIELD = re.compile(r"\{\w+\}")
_OF_WHO: Final = {"{who}", "{Who}"}
#: Acts that a shape says more of than they do.
_SHAPED: Final = (
    "news",
    "other",
    "story",
    "plan",
    "worry",
    "torn",
    "joke",
    "opinion",
    "grumble",
    "complaint",
    "remark",
    "answer",
)
#: Acts that somebody with no lines for them answers like others.
_LIKE: Final[Mapping[Act, Act]] = {
    "doubt": "disagreement", "guess": "of_you", "reproach": "of_you", "ban": "of_you", "drop": "small", "laugh": "small", "unsure": "small",
    "refusal": "disagreement",
}  # fmt: skip


def reactions(banks: Banks, told: Told, said: Sequence[str] = ()) -> Iterator[list[str]]:
    """Groups of lines, the most fitting first: about the same thing in this tone, then for the act in this, then any.

    Of a cell those come first that hold on to something that was told. None of them is said again in other words:
    ``said`` are the lines of whoever answers.
    """
    spoken = " ".join(map(even, said))
    yield from _of_what(banks, told, spoken)
    if told.act not in _SAID_BACK:
        yield from _all_of_act(banks, told, spoken)
    if _LATE.search(told.said) or not _says_back(banks):
        yield from _of_subject(banks, told, spoken)
    yield from _of_said(banks, told, spoken)
    if told.act == "remark" and len(told.text.split()) < LEAST_REMARK:
        return
    yield from _all_of_act(banks, told, spoken)
    if not _says_back(banks):
        yield from _of_shape(banks, told, spoken)
    for tone in dict.fromkeys((told.tone, "plain")) if told.act in _SHAPED else ():
        yield from filter(None, _filled(banks.get(ANYTHING, {}).get(tone, ()), told.text, told, spoken))


def _all_of_act(banks: Banks, told: Told, spoken: str) -> Iterator[list[str]]:
    """Lines for what was done: first those that hold on to something."""
    groups = [_filled(lines, told.text, told, spoken) for lines in _of_act(banks, told)]
    yield from filter(None, (held for held, _ in groups))
    yield from filter(None, (free for _, free in groups))


def _says_back(banks: Banks) -> bool:
    return SAID in banks


def _of_said(banks: Banks, told: Told, spoken: str) -> Iterator[list[str]]:
    """Lines that say back what was told, and go on by how it was told, and in which tone."""
    if told.act not in _SAID_BACK or (back := _back(told)) is None:
        return
    fields = {"said": back.said} | ({"small": back.small} if back.small else {})
    for lines in (banks.get(SAID, {}).get(told.tone, ()), banks.get(back.manner, {}).get("plain", ())):
        held, free = _filled(lines, told.text, told, spoken, fields)
        yield from filter(None, ([*held, *free],))


def _back(told: Told) -> Said | None:
    """What can be said back: of the sentence that counts, or of the first that tells of somebody where that does not."""
    found = [*filter(None, map(said_of, (told.text, *sentences(told.said))))]
    return next((one for one in found if one.manner not in WEAK), found[0] if found else None)


def _of_what(banks: Banks, told: Told, spoken: str) -> Iterator[list[str]]:
    """Lines for what was told: a situation that is plain, then how the clause tells it that says most, then one that may be."""
    situations = told.situations if told.tells else ()
    for one in (one for one in situations if one.score >= SURE):
        yield from filter(None, _filled(_situated(banks, one), one.text, told, spoken))
    if told.shape is not None and told.shape.name != THING:
        if told.tone != "plain" and not _says_back(banks):
            yield from _of_subject(banks, told, spoken)
        yield from _of_shape(banks, told, spoken)
    for one in (one for one in situations if one.score < SURE and not _says_back(banks)):
        yield from filter(None, _filled(_situated(banks, one), one.text, told, spoken))


def _of_subject(banks: Banks, told: Told, spoken: str) -> Iterator[list[str]]:
    """Lines for what it is about, in its tone."""
    yield from filter(None, _filled(banks.get(_subject(told), {}).get(told.tone, ()), told.text, told, spoken))


def _of_shape(banks: Banks, told: Told, spoken: str) -> Iterator[list[str]]:
    """Lines for how it is told."""
    if told.shape is not None and told.act in _SHAPED:
        cell = banks.get(told.shape.name, {})
        held, free = _filled(cell.get("plain", ()), told.shape.text, told, spoken, told.shape.fields)
        is_of_it = _says_back(banks) and any(set(_FIELD.findall(line)) - _OF_WHO for line in cell.get("plain", ()))
        yield from filter(None, (held, [] if is_of_it else free))


def _of_act(banks: Banks, told: Told) -> Iterator[Sequence[str]]:
    """Lines for what was done, in its tone and in any; of news there are such as ask what came of it."""
    for tone in dict.fromkeys((told.tone, "plain")):
        if tone == "plain" and told.act in ("news", "other") and has_happened(told.text):
            yield banks.get(HAPPENED, {}).get(tone, ())
        yield (banks.get(told.act) or banks.get(_LIKE.get(told.act, told.act), {})).get(tone, ())


def _situated(banks: Banks, found: Situation) -> Sequence[str]:
    """Lines for what people commonly tell, of themselves or of somebody else."""
    of_other = is_of_another(found.text) and found.name not in _NEVER_OWN
    return banks.get(found.name, {}).get(OTHER if of_other else OWN, ())


def _subject(told: Told) -> str:
    """What it is about, where the lines for that fit; else nothing."""
    subject = "death" if _LATE.search(told.said) else subject_of(told.text)
    if not subject and told.tone == "bad":
        subject = subject_of(told.said)
    own, other = told.act == "news" and subject != "kin", told.act == "other" and subject in _OF_OTHERS
    return subject if own or other or (told.act == "story" and subject == "death") else ""


def subject_of(text: str) -> str:
    """What a sentence is about: what most of its words speak of; empty where none speaks of anything known."""
    found = {stem(word) for word in words(meant(text)) if word not in STOP}
    hits = Counter({name: len(found & listed) for name, listed in SUBJECTS.items()})
    name, most = hits.most_common(1)[0]
    return name if most else ""


def _filled(
    lines: Sequence[str], text: str, told: Told, spoken: str, fields: Mapping[str, str] | None = None
) -> tuple[list[str], list[str]]:
    """The lines that hold on to something that was told, with what they hold on to; and those that do not."""
    anchors = {**anchors_of(text, told.said), **(fields or {})}
    held: list[str] = []
    free: list[str] = []
    for line in lines:
        places = _FIELD.findall(line)
        if all(place[1:-1] in anchors for place in places) and not _was_said(line, spoken):
            (held if places else free).append(capital(put(line, **anchors)))
    return held, free


def _was_said(frame: str, spoken: str) -> bool:
    """Whether a line was said, with whatever in its places."""
    return even(max(_FIELD.split(frame), key=len)) in spoken


def checked(banks: Banks, besides: Container[str] = ()) -> Banks:
    """The same banks, if every act has a plain line and every name is known; ``besides`` are acts answered elsewhere.

    Raises:
        ValueError: a bank is missing, or none would ever get to it.
    """
    for name, cell in banks.items():
        if name not in (*get_args(Act), *SHAPES, *SUBJECTS, *SITUATIONS, *MANNERS, SAID, HAPPENED, ANYTHING):
            raise ValueError(f"reactions to {name!r}: it is no act, no subject and nothing that people commonly tell")
        if wrong := next((tone for tone in cell if tone not in ((OWN, OTHER) if name in SITUATIONS else TONES)), None):
            raise ValueError(f"reactions to {name!r} have {wrong!r}, which is no tone")
        if name in _NEVER_OWN and OTHER in cell:
            raise ValueError(f"reactions to {name!r} have lines for the affairs of others, which all of them are")
    if missing := [act for act in get_args(Act) if act not in besides and not banks.get(act)]:
        raise ValueError(f"there are no reactions to {missing[0]!r}")
    return banks


__all__ = ["SUBJECTS", "Banks", "checked", "reactions", "subject_of"]
