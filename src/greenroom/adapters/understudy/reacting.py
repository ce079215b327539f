"""Short answers to what was told and not asked, chosen by what was done with it, how it was felt, and what it is about.

A world writes its banks by act or subject, and in each by tone: ``{"news": {"bad": [...]}, "animal": {"good": [...]}}``.
Each line answers any message of its cell. ``{who}`` stands for whoever was told of: a name, or *your sister*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, get_args

from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.understudy.acting import TONES, Act, Told
from greenroom.adapters.understudy.feeling import meant
from greenroom.adapters.understudy.framing import capital
from greenroom.text.frames import put
from greenroom.text.stems import STOP, stem, words

Banks = Mapping[str, Mapping[str, Sequence[str]]]

_SUBJECTS = """
animal: dog cat cats dogs horse hen hens bees hive hives goat goats sheep cow rabbit hamster gecko tortoise lizard snake fox parrot bird birds puppy kitten pony fish pig whippet
death: died dead death drowned funeral buried grave widow widower
fault: forgot forgotten fault ashamed guilty regret lied cheated mistake
birthday: birthday turning
work: job boss office shift colleague work worked working factory trade promotion promoted retire retired fired sacked customer customers client meeting interview contract career company business
school: school exam exams university college thesis study studying homework degree lessons
boat: boat sloop engine sail sails mast rudder kayak ferry yacht dinghy oars anchor sailing
money: money rent debt debts bank pay paid bill bills price cost costs lottery wages loan
journey: flight train plane ticket trip travel travelled bus car drive drove bike road passport suitcase walked hike airport flying
body: hip operation doctor hospital ill knee teeth tooth headache parkinson cancer surgery pain medicine nurse leg legs
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
lost: lost stolen stole keys wallet missing
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
_OF_OTHERS: Final = ("death", "baby", "child", "kin", "friend", "animal", "birthday")
_LATE = re.compile(rf"\b(?:my|his|her|our) late (?:{WHO})\b", re.IGNORECASE)
_GONE = re.compile(r"\b(?:late|died|dead|death|passed away|buried|funeral|killed|lost|was|left|ex)\b", re.IGNORECASE)
_NAMED = re.compile(rf"\b[Mm]y (?:\w+ ){{0,2}}?(?:{WHO}),? (?:called |named )?(?P<name>(?!Mr|Ms|Dr|Miss)[A-Z][a-z]+)\b")
_TWO = re.compile(rf"\bmy (?:\w+ )?(?:{WHO}) and\b", re.IGNORECASE)
_KIN = re.compile(
    r"\bmy (?P<who>(?:little |big |best |old(?:er|est)? |young(?:er|est)? )?(?:wife|husband|partner|girlfriend|boyfriend|sister|brother|mother|father|mum|dad|nan|gran|"
    r"daughter|son|grandson|granddaughter|grandmother|grandfather|aunt|uncle|cousin|niece|nephew|friend|boss|neighbour|dog|cat|horse))\b(?!'s)",
    re.IGNORECASE,
)


def reactions(banks: Banks, told: Told) -> Iterator[list[str]]:
    """Groups of lines, the most fitting first: about the same thing in this tone, then for the act in this, then any."""
    for name in _cells(told):
        cell = banks.get(name, {})
        tones = (told.tone,) if name in SUBJECTS else dict.fromkeys((told.tone, "plain", *cell))
        for tone in tones:
            if lines := _filled(cell.get(tone, ()), told.text):
                yield lines


def _cells(told: Told) -> Iterator[str]:
    if told.act == "remark" and len(told.text.split()) < LEAST_REMARK:
        return
    subject = "death" if _LATE.search(told.said) else subject_of(told.text)
    if not subject and told.tone == "bad":
        subject = subject_of(told.said)
    own, other = told.act == "news" and subject != "kin", told.act == "other" and subject in _OF_OTHERS
    if subject and (own or other or (told.act == "story" and subject == "death")):
        yield subject
    yield told.act


def subject_of(text: str) -> str:
    """What a sentence is about: what most of its words speak of; empty where none speaks of anything known."""
    found = {stem(word) for word in words(meant(text)) if word not in STOP}
    hits = Counter({name: len(found & listed) for name, listed in SUBJECTS.items()})
    name, most = hits.most_common(1)[0]
    return name if most else ""


def _filled(lines: Sequence[str], text: str) -> list[str]:
    """The lines with whoever was told of; without those that name somebody, where nobody can be named."""
    who = who_of(text)
    return [capital(put(line, who=who, Who=capital(who))) for line in lines if who or "{who}" not in line.casefold()]


def who_of(text: str) -> str:
    """Whoever a sentence tells of, by name or as *your sister*; nobody who is gone, and empty where it is doubtful."""
    if _GONE.search(text) or _TWO.search(text):
        return ""
    if named := _NAMED.search(text):
        return named["name"]
    kin = {found["who"].lower() for found in _KIN.finditer(text)}
    return f"your {kin.pop()}" if len(kin) == 1 else ""


def checked(banks: Banks, besides: Container[str] = ()) -> Banks:
    """The same banks, if every act has a plain line and every name is known; ``besides`` are acts answered elsewhere.

    Raises:
        ValueError: a bank is missing, or none would ever get to it.
    """
    for name, cell in banks.items():
        if name not in (*get_args(Act), *SUBJECTS):
            raise ValueError(f"reactions to {name!r}: it is neither an act nor a subject")
        if wrong := next((tone for tone in cell if tone not in TONES), None):
            raise ValueError(f"reactions to {name!r} have {wrong!r}, which is no tone")
    if missing := [act for act in get_args(Act) if act not in besides and not banks.get(act)]:
        raise ValueError(f"there are no reactions to {missing[0]!r}")
    return banks


__all__ = ["SUBJECTS", "Banks", "checked", "reactions", "subject_of", "who_of"]
