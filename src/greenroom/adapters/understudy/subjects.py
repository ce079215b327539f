"""What somebody speaks of, by words that leave little doubt: an animal, a job, a death."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from greenroom.adapters.facts.patterns import WHO
from greenroom.adapters.understudy.feeling import meant
from greenroom.text.stems import STOP, stem, words

_LISTED = """
death: died death drowned funeral buried widow widower
body: hip operation doctor hospital ill knee headache parkinson cancer surgery pain medicine wrist ankle leg arm arms bone fever flu cough kidney heart
  lungs burn bleeding stitches plaster bruise fractured sprained migraine dizzy seasick nausea allergic allergy clinic diagnosis vomited tooth
  teeth eyes stammer
baby: baby babies twins pregnant expecting newborn grandchild born
animal: dog cat cats dogs horse hen hens bees hive hives goat goats sheep cow rabbit hamster gecko tortoise lizard snake fox parrot bird birds puppy
  kitten pony pig whippet collie terrier spaniel iguana seal seals gull gulls ferret budgie
lost: stolen stole robbed burgled keys wallet missing
child: kid kids child children daughter son sons grandson granddaughter lad lads toddler boys girls nephew niece
kin: mother father mum mom dad mam gran nan granny grandma grandpa grandmother grandfather sister brother bro sis uncle aunt cousin parents family
love: wife husband boyfriend girlfriend marriage married divorce divorced ex wedding engaged dating kissed fiancé partner
friend: friend friends mate flatmate roommate
work: job boss shift shifts colleague work worked working factory trade promotion promoted retire retired fired sacked customer customers client
  meeting interview contract welder weld plumber nurse driver chef teacher workshop dentist
school: school exam exams university uni college thesis study studying homework degree lessons supervisor professor chapter
boat: sloop engine mast rudder kayak yacht dinghy oars anchor sailing boat ferry
money: money rent debt debts bank pay paid bill bills price cost costs lottery wages loan bucks quid
journey: flight trip travel travelled passport suitcase hike airport flying causeway train
sleep: sleep slept insomnia awake nap
dreams: dream dreamt dreamed nightmare
house: roof landlord cottage garage boiler apartment cellar attic sofa fence couch
food: bake baked baking bread cake cook cooked cooking dinner breakfast recipe pie cheese jam chips lunch soup fish sandwich pierogi plums
garden: garden tomatoes roses allotment apples seeds vegetables flowers potatoes tree trees fern plant
music: viola violin orchestra piano song songs sing sang singing choir band guitar concert gig bass audition quartet trombone drums trumpet music cello
  ukulele tune tunes organ singer drummer
craft: knit knitted knitting sew sewed sewing paint painted painting built carve carved repair mend clocks wood pottery photograph photos camera drawing dress
book: book books novel poem poems write writing wrote read reading article library podcast pages
post: letter postcard email emails
sport: football team match goal goalie swim swims swimming marathon race chess cycling gym running bike
drink: tea coffee beer wine whisky pub cider gin rum drinking drunk drinks cup
smoke: smoking smoke smoked cigarette cigarettes
sea: sea tide waves wave ocean
weather: rain rains raining snow wind windy storm fog sunny frost
machine: computer phone machine robot television battery telescope car van truck
home: town city move moving village street island homesick abroad country
rock: rock rocks geology dolerite granite stone fossil fossils
"""
#: What people tell of; of several spoken of equally the first.
SUBJECTS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(map(stem, words(listed)))
    for name, _, listed in (line.partition(": ") for line in _LISTED.replace("\n  ", " ").strip().split("\n"))
}
#: What weighs more than anything else that is spoken of, where it is bad.
GRAVE: Final = ("death", "body")


#: Somebody who is gone, in words that say it of other things as well.
_GONE: Final = re.compile(
    r"\b(?:passed away|(?:he|she)(?:'s| is| was) dead|put (?:\w+ )?(?:down|to sleep)|(?:been )?gone (?:\w+ ){1,2}(?:years|months|weeks)|(?:my|our) late|lost my "
    rf"(?:{WHO}))\b(?! (?:again|for))",
    re.IGNORECASE,
)


#: A thing that has stopped is nobody's death.
_STOPPED: Final = re.compile(
    r"\b(engine|motor|battery|phone|mobile|laptop|computer|radio|torch|car|van|bike|boat|signal|wifi|kettle|boiler) (?:has |have |just |had )*died\b",
    re.IGNORECASE,
)
#: What is the hearer's, or only says where, is no matter of whoever speaks; and what is booked is no book.
_HEARERS: Final = re.compile(r"\b(?:your|this|by the|the boat) \w+|\bbook(?:ed|ing)\b", re.IGNORECASE)


def subject_of(text: str, *, bad: bool = False) -> str:
    """What a sentence is about: what most of its words speak of; empty where none speaks of anything known."""
    text = _STOPPED.sub(r"\1 machine", text)
    if _GONE.search(text):
        return "death"
    found = {stem(word) for word in words(_HEARERS.sub(" ", meant(text))) if word not in STOP}
    hits = Counter({name: len(found & listed) for name, listed in SUBJECTS.items()})
    if not bad:
        del hits["body"]  # a doctor, or a bone, is spoken of in many ways
    name, most = hits.most_common(1)[0]
    return next((one for one in GRAVE if bad and hits[one]), name) if most else ""


__all__ = ["GRAVE", "SUBJECTS", "subject_of"]
