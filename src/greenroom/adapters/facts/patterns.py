"""Grammar of what people tell of themselves, in four languages: names, places, work, people, plans, losses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from greenroom.adapters.facts.asserting import is_denied, is_of_others
from greenroom.kernel.facts import SELF
from greenroom.text.listing import any_of, barred


class FactPattern(NamedTuple):
    """What a sentence of one form says. ``subject`` and ``value`` name groups of it, or are said as they are."""

    relation: str
    form: re.Pattern[str]
    salience: int = 2
    subject: str = SELF


class ToldFact(NamedTuple):
    """A fact as a pattern finds it."""

    subject: str
    relation: str
    value: str
    salience: int


_CAP = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*"
_TITLE = r"(?:(?-i:Mrs?|Ms|Dr)\.? (?=\w))?"
_NAME = rf"(?P<value>{_TITLE}{_CAP}(?: {_CAP}){{0,2}})"
_ANY_NAME = rf"(?P<value>{_TITLE}[^\W\d_]+(?:['’-][^\W\d_]+)*(?-i:(?: [^\W\d_a-zß-öø-ÿ][^\W\d_]+)*))"
_PLACE = rf"(?P<value>(?:the |den |der )?{_CAP}(?:[ -](?:(?:of|upon|on|sur|de|am|an der) )?{_CAP}){{0,2}})"
#: A time from which something is, and no place.
_MONTHS = "January, February, March, April, May, June, July, August, September, October, November, December"
WHEN = any_of(f"{_MONTHS}, Christmas, Easter, (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
_REST = r"(?P<value>[^.!?,;]+)"
_IM = r"(?:i am|i'm|im)"
_ONES = any_of("one, two, three, four, five, six, seven, eight, nine")
_TENS = any_of("twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety")
_TEENS = any_of("ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen")
_A_NUMBER = rf"(?:\d{{1,3}}|{_TENS}(?:[ -]{_ONES})?|{_ONES}|{_TEENS})"
_NUMBER = rf"(?P<value>{_A_NUMBER})"
#: Whoever belongs to somebody, and what of theirs is spoken of like one of them.
_PEOPLE = """
    wife, husband, old man, partner, girlfriend, boyfriend, fiancée?, sister, brother, mother, father, mum, mom, dad, da, mama,
    papa, parents, daughter, son, child, kid, kids, children, baby, twins, grandson, granddaughter, grandmother, grandfather,
    gran, granny, grandma, grandpa, aunt, uncle, cousin, niece, nephew, friend, best friend, mate, flatmate, roommate, boss,
    editor, teacher, neighbour, neighbor, landlord, captain, colleague, partner, ex, twin
"""
_ANIMALS = "dog, cat, horse, parrot, bird, goat, pig, hamster, rabbit, puppy, kitten"
_THINGS = "boat, ship, yacht, car, band, village, town, street, house, shop, school, company"
WHO = barred(f"{_PEOPLE}, {_ANIMALS}, {_THINGS}")
#: Nouns that are one's own in grammar only.
_NO_SUBJECT = rf"""(?!{
    any_of(
        "full, first, last, name, names, own, favou?rite, foot, word, god, goodness, lord, dear, mistake, fault, turn, way, mind,"
        "apologies, question, trade, job, work, plan, birthday, age, next, new, old, whole, best, only, nom, nombre, beruf,"
        "m[ée]tier, two, three, four, five, six, late, older, younger, elder, eldest, youngest, little, big, dear, poor"
    )
}\b)"""
#: What may stand between *my* and whoever it is.
_WHICH = r"(?:(?:two|three|four|five|six|late|older|younger|elder|eldest|youngest|little|big|dear|poor|old|new) ){0,2}"
_DOES = any_of(r"""
    is, was, has, had, isn't, wasn't, are, were, can, can't, cannot, will, won't, would, could, used, never, always, \w\w+s,
    \w+ed, left, went, came, ran, fell, got, made, lost, said, died, taught, thinks, kept, built, wrote, told, gave, took
""")
_VERB = rf"(?=(?:'s|s)? {_DOES}\b)"
_OWN = r"(?:my|our|mein|meine|meinen|meiner|meinem|mon|ma|mes|mi|mis)"
#: Of whom one has more than one, and names them together.
_SEVERAL = "kids|children|twins|cats|dogs|sons|daughters|girls|boys|sisters|brothers|parents|friends|goats|horses"
#: The same in other languages, in the word that a question would use.
ALIKE = {
    "hund": "dog", "katze": "cat", "katzen": "cats", "frau": "wife", "mann": "husband", "schwester": "sister",
    "bruder": "brother", "mutter": "mother", "vater": "father", "tochter": "daughter", "sohn": "son", "chien": "dog",
    "chat": "cat", "femme": "wife", "mari": "husband", "sœur": "sister", "soeur": "sister", "frère": "brother",
    "mère": "mother", "père": "father", "fille": "daughter", "fils": "son", "perro": "dog", "gato": "cat",
    "mujer": "wife", "marido": "husband", "hermana": "sister", "hermano": "brother", "madre": "mother",
    "padre": "father", "hija": "daughter", "hijo": "son", "mum": "mother", "mom": "mother", "dad": "father", "da": "father",
    "kid": "child", "kids": "child", "children": "child", "baby": "baby", "granny": "grandmother", "gran": "grandmother",
    "grandma": "grandmother", "grandpa": "grandfather", "sis": "sister", "bro": "brother", "missus": "wife", "hubby": "husband",
    "bf": "boyfriend", "gf": "girlfriend", "sons": "son", "daughters": "daughter", "sisters": "sister", "brothers": "brother",
    "grandsons": "grandson", "granddaughters": "granddaughter", "dogs": "dog", "cats": "cat",
    "nan": "grandmother", "old man": "father", "nana": "grandmother", "nanna": "grandmother", "grandad": "grandfather", "mam": "mother", "lads": "son",
    "fella": "partner", "lass": "girlfriend", "staffy": "dog", "terrier": "dog", "spaniel": "dog", "labrador": "dog", "collie": "dog", "greyhound": "dog", "whippet": "dog",
    "poodle": "dog", "dachshund": "dog", "alsatian": "dog", "mongrel": "dog", "tabby": "cat", "tomcat": "cat", "pony": "horse", "our lass": "girlfriend", "misses": "wife", "eldest": "child", "oldest": "child", "youngest": "child",
    "little one": "child", "small one": "child", "wee one": "child", "middle one": "child", "man": "husband", "daddy": "father", "mummy": "mother",
    "boy": "son", "lad": "son", "girl": "daughter", "girls": "daughter", "boys": "son", "abuela": "grandmother", "abuelo": "grandfather", "oma": "grandmother", "opa": "grandfather",
}  # fmt: skip
_FOREIGN_WHO = "|".join(word for word in ALIKE if word not in WHO.split("|"))
_WHO = rf"(?P<subject>{WHO}|{_FOREIGN_WHO})"
#: Somebody or something of one's own: a known word after *my*, any noun before a verb, or a relative with no *my* at all.
_MY = (
    rf"(?:\b{_OWN} (?:{_NO_SUBJECT}(?P<thing>[^\W\d_]{{3,}}){_VERB}|{_WHICH}{_WHO})|"
    r"^(?:the )?(?P<kin>mum|mom|dad|mama|papa|wife|husband|hubby|gran|grandma|grandpa|sis|bro|missus|boyfriend|girlfriend))"
)
_NO_NAMES = """
a an the not so very just only also back here there fine okay ok good well sorry sure tired cold wet hungry
lost late happy sad new alone done afraid glad from in on at off out going leaving coming looking writing
travelling traveling trying thinking working staying visiting hoping still always never really quite too
english german french spanish swedish norwegian danish dutch irish scottish welsh american italian polish
russian indian chinese japanese yes no hello hi hey thanks evening morning afternoon god christ dan system
of monday tuesday wednesday thursday friday saturday sunday hola hm hmm ahoy hallo bonjour bonsoir salut guten
danke merci gracias keine kein keinen gute guter vielen buenas buenos tschüss adios welcome please liar nonsense rubbish what right oh ah wow
cheers brilliant great nice lovely permission married single pregnant retired seasick sick ill freezing soaked
starving bored curious scared kidding joking between all dying reading pleased allergic nobody someone
somebody im i'm i'd i'll i've y'all you're ive its hes shes youre theyre thats whats theres he she it they you we he'd she'd it's he's she's they'd they're you're
we're that's there's was were is are has had got get
beer wine whisky whiskey gin rum vodka tea coffee water soda cider boys girls twins kids
says said wants loves hates likes lives works goes went comes came gets makes made thinks keeps takes took needs knows
"""
#: Words that follow "I am" and are no name, however they are written.
NOT_NAMES = frozenset(_NO_NAMES.split())
_HOW_ONE_IS = """
able about above against all alive almost angry anxious ashore asleep awake aware away awful better big blind blue broke
busy by certain chilly clean clever close clumsy curious daft dead deaf different dirty dizzy done drunk dry due early
easy empty even fat fed feeling fond for free full funny furious game gay getting giving gone grand grateful grumpy
half happier happy hard having home homeless honest human hungover ill inside jealous keen kind knackered late lazy
less like living lonely long lovely low lucky mad mean merry more most mostly muddy my near nearly nervous nice no nosy
none nothing numb older only open outside over overdue pale peckish poor posh pretty proud quiet ready really rich right
rough rude sad safe scared seventeen shattered short shy sick silly skint sleepy slow small sober sore sorry sound
starving straight strange strong stuck stupid sweet sweaty tall terrible thick thin thirsty tidy tipsy tiny tired to
together told tough twelve under unhappy unsure unwell up upset useless usually very warm weak weary weird well with
without wonderful worse worth wrong yer young yours
five six seven eight nine ten eleven thirteen fourteen fifteen sixteen eighteen nineteen twenty thirty forty fifty
"""
#: What one says of oneself in the same place; who writes no capitals may mean it by any word.
HOW_ONE_IS = frozenset(_HOW_ONE_IS.split())
_ENDS_AS_NO_NAME = re.compile(r"(?:...ed|ing|ish|ful|less|ous|able|ible|ive)$")


def _p(relation: str, form: str, salience: int = 2, subject: str = SELF) -> FactPattern:
    return FactPattern(relation, re.compile(form, re.IGNORECASE), salience, subject)


def _cased(relation: str, form: str, salience: int = 2, subject: str = SELF) -> FactPattern:
    """A pattern in which a capital letter says something."""
    return FactPattern(relation, re.compile(form), salience, subject)


_I_AM = r"(?:[Ii] am|[Ii]'m|[Ii]m|[Ii]t's|[Ii]t is|[Tt]his is|[Mm]oi,? c'est|[Jj]e suis|[Ss]oy|[Ii]ch bin)"
_ASIDES = any_of("by the way, btw, so+, well, ok(?:ay)?, right")
_HELLO = any_of(r"hello, hi, hey, evening, morning, good \w+, hola, bonjour, bonsoir, salut, hallo, guten \w+, moin")
#: What one does for a living, and what after such a word says that it is something else: "I make it up".
_TRADES = any_of("""
    mend, make, build, fix, sell, bind, sew, cook, deliver, teach, paint, repair, bake, drive, fish, farm, breed, translate,
    design, grow, nurse, carve, tune, restore, print, weave, edit, brew, coach, run, tend, photograph, illustrate, programme?,
    weld, dispatch, inspect, audit, manage, install, groom, shear, plough, pilot
""")
_NO_TRADE = any_of("it, that, this, up, out, away, late, like, as, home, past, at night")
#: What follows *I do* where it is no work: "I do hope so".
_DO_ELSE = any_of(r"""
    not, it, that, this, so, too, \w+ (?:that|you|it), have, know, think, believe, like, love, want, hope, wish, see, feel, need,
    mean, remember, understand, agree, trust, care, mind, my, what, sometimes, still, hate, get, wonder, miss, worry,
    appreciate, nothing, everything, anything
""")
#: What follows *I have* where one has nothing by it: "I have been", "I have a question".
_HAS_DONE_THAT = any_of("""
    to, been, read, heard, seen, come, gone, done, made, found, told, thought, met, brought, taken, given, known, never, always,
    just, no, half, it, that, you
""")
_NO_HAVING = any_of("""
    question, idea, mind, feeling, point, favour, favor, request, suggestion, word, look, go, try, minute, moment, thing,
    chance, doubt
""")
PATTERNS: tuple[FactPattern, ...] = (
    # names
    _p("name", rf"(?:^|(?<![\w'])my |the |the full )(?:full |first )?name(?: is|'s|s)\s+{_ANY_NAME}", 3),
    _p("name", rf"\b(?:{_IM} called|call me|they c(?:all|ry) me|"
       rf"(?:people|friends|everyone|everybody) call(?:s)? me|i go by|mein name ist|ich hei(?:ß|ss)e|"
       rf"je m'appelle|mon nom est|me llamo|mi nombre es|moi,? c'est)\s+{_ANY_NAME}", 3),
    _cased("name", rf"^{_NAME}(?:'s| is) (?:the|my) name\b", 3),
    _p("name", rf"^(?:hello|helo|hi|hey|yo|sup|hiya|evening|morning)[,.!]? (?:i am|i'm|im|it's|its|it is) {_ANY_NAME}(?=[.,!;]|$| (?:again|and|from|sorry|here)\b)", 3),
    _cased("name", rf"^(?:[A-Za-z, ]{{1,20}} )?{_NAME} is my (?i:{_WHO})\b", 3, "subject"),
    _p("name", rf"^(?:(?:[^\W\d_]{{1,8}},? ){{0,2}}(?:sorry|ok|okay|fine|well|right|so|and|evening|hello|hi|hiya|heya|yo|hey)[,.!]? )?{_IM} (?P<value>[^\W\d_]{{2,14}})"
       rf"(?=,? (?:btw|by the way|from (?!now)|here|and i|im|i'm)\b|,? \d\d?\b(?! ?%)|, (?:i|and i|(?:first|second|third|final|last) year)\b|[.!]?(?: ?[:;]\S{{1,2}})?$)", 3),
    _p("name", r"^(?:(?:hey|hi|hello|only|guess who)[,.!]? )?(?:it's|its|it is) (?:only )?me[,.!]? (?!(?:again|too|back|here|sorry|once|only|and|the|your|from)\b)(?P<value>[^\W\d_]{2,14})(?=[.,!]|$)", 3),
    _p("name", r"^(?:(?:hey|hi|hello),? )?(?P<value>[^\W\d_]{2,14}), \d\d(?=[,.]|$)", 3),
    _cased("name", rf"[,;] (?:and |so )?(?:[Ii] am|[Ii]'m|[Ii]m) {_NAME}(?=[.,!;]|$)", 3),
    _cased("name", rf"\bintroduce myself[:,–-]* {_NAME}", 3),
    _p("name", r"^(?:(?:hello|hi|hey|yo|evening|morning),? )?(?P<value>[^\W\d_]{2,}) here(?:[.,!]|$)", 3),
    _cased("name", rf"^(?:[a-z' ]+[,!] )?(?i:{_ASIDES},? )?(?i:{_HELLO}[,.!]? )?{_I_AM} {_NAME}"
           rf"(?=[.,!;]|$| (?:and|und|et|y|from|by|with|de|aus)\b)", 3),
    _cased("name", rf"^(?P<value>{_CAP}(?: {_CAP}){{1,2}})(?:,|[.!]?$)", 3),
    _cased("name", rf"^{_NAME}(?:, (?:an? )?[a-z]+(?:,|\.|$)| here\b)", 3),
    # places
    _cased("from", rf"\b(?:from|aus|viens de|vengo de|venimos de) (?!{WHEN}\b){_PLACE}"),
    _cased("lives", rf"\b(?:[Ii] live|[Ww]e live|[Ii]'m living|[Ii]ch wohne|[Ii]ch lebe|[Jj]'habite|[Vv]ivo)"
           rf"(?: now)? (?:in|at|near|on|à|en|a) {_PLACE}"),
    _cased("lives", rf"\b(?:[Ii]|[Ww]e)(?:'ve)? (?:just )?(?:moved|settled) (?:to|in|down in) {_PLACE}"),
    _cased("lives", rf"\b(?:living|based|(?:[Ii]'m|[Ii] am|[Ii]m|out|over|down|up)? ?here) in {_PLACE}"),
    _cased("lives", rf"\b[Hh]ome(?: is|'s) (?:[a-z ]+ )?(?:in|on|at|near )?{_PLACE}"),
    _cased("grew up", rf"\b(?:grew up|raised) (?:in|near|on) {_PLACE}"),
    _cased("born", rf"\b(?:[Bb]orn|geboren|née?|nacíd?o?a?)(?: and raised| and bred)? (?:in|on|à|en) {_PLACE}"),
    # age and days
    _p("age", rf"\b{_IM} (?:turning )?{_NUMBER}(?: years? old| now| tomorrow| today| next \w+| on \w+)?(?=[.,!;]|$| (?:and|but|so|though|going)\b)", 2),
    _p("age", rf"^(?:{_IM} )?[^\W\d_]+(?: here)?, (?P<value>\d{{1,2}})(?=[,.]|$)"),
    _p("age", rf"^[^\W\d_]+(?: [^\W\d_]+)?(?:'s| is) (?:the|my) name,? (?:and )?(?:{_IM} )?{_NUMBER}\b"),
    _p("age", rf"\b(?:ich bin|j'ai|tengo) {_NUMBER}(?: jahre| ans| años)", 2),
    # work and study
    _p("work", r"\b(?:i work|ich arbeite|je travaille|trabajo) (?P<value>(?:as|at|for|in|with|on|als|bei|comme|como|en|chez)"
       r" [^.!?,;]+)"),
    _p("work", r"\b(?:i|we) (?P<value>[^.!?,;]+? for a living)"),
    _p("work", rf"\bi (?P<value>{_TRADES} (?!{_NO_TRADE}\b)[^.!?,;]+)"),
    _p("work", rf"\b{_A_NUMBER}[ -](?:odd )?years i (?P<value>(?!lived|was|had|have|been|knew|loved|waited|spent)\w+ed\b [^.!?,;]+)"),
    _p("work", rf"\bi (?P<value>(?:drove|taught|ran|built|made|sold|cut|flew|kept|(?!lived|loved|stayed|waited|moved|smoked|shared)\w{{3,}}ed) [^.!?,;]+ for {_A_NUMBER} years)"),
    _p("work", r"\bi (?P<value>(?:ran|owned|managed) (?:an?|the|my|our) (?:\w+ )?(?:school|shop|farm|hotel|inn|pub|caf[eé]|restaurant|bakery|office|garage|company|business|yard|ward|library|bar)\b[^.!?,;]*)"),
    _p("work", rf"\bi do (?P<value>(?:the |people's )?(?!apolog|{_DO_ELSE}\b)[^\W\d_]{{3,}}(?: \w+){{0,6}})(?=[.!?,;]|$)"),
    _p("work", rf"\b{_IM} (?P<value>an? (?!bit\b|little\b|lot\b|while\b|(?:\w+ )?fan\b|long way\b)[^.!?,;]+?)"
       r"(?=[.!?,;]|$| and | or | so | but | in | from | at | by trade)"),
    _cased("work", r"\b[Ii]ch bin (?:nur |eine? |noch )?(?P<value>[A-ZÄÖÜ][a-zäöüß]+(?:er|in|rat|ist|ant|ent|or|eur|mann|frau))\b"),
    _cased("work", r"\b(?:[Jj]e suis|[Ss]oy) (?:une? |una? )?(?P<value>[a-zà-ÿ]{2,}(?:eur|euse|teur|trice|ier|ière|ger|gère|iste|cien|cienne|"
           r"ateur|logue|decin|rin|fesseur|tante?|diante?|or|ora|ero|era|ista|ico|ica|ogo|oga|tor|triz|dero|dera))\b"),
    _p("work", rf"^(?:{_IM} )?[^\W\d_]+(?:(?: here| btw)?, \d{{1,2}},|(?: here| btw),) (?:an? )?(?P<value>[^\W\d_]{{4,}}(?: [^\W\d_]+)?)(?=,|\.|$)"),
    _cased("work", rf"^(?!I\b)(?P<first>{_CAP})(?: {_CAP})*, (?:an? )?(?!(?i:(?P=first))\b)(?!(?:btw|by|here|hi|hello|then|now|please|though|thanks|again|anyway|yes|no|maybe|right|too|mate|all|everyone|everybody|both|folks|lads|gents|ladies|friends|you|there)\b)(?P<value>[a-z]+)(?=,|\.|$)"),
    _p("study", rf"\b(?:i study|{_IM} studying|i'm reading|ich studiere|j'étudie|estudio) {_REST}"),
    _p("used to", rf"\bi used to {_REST}"),
    _p("used to", rf"\bformerly {_REST}"),
    _p("plays", rf"\bi play {_REST}"),
    # people and animals
    _cased("name", rf"\b(?i:{_OWN}) (?:[a-z]+ ){{0,2}}(?P<subject>{_SEVERAL})(?: are called| are named| called| named|,| are)? (?P<value>{_CAP}(?:, {_CAP})* and (?!I\b){_CAP})", 3, "subject"),
    _p("name", rf"{_MY}(?:'s name is|s name is| is called| is named| was called| was named| is|,| named| called| hei(?:ß|ss)t| s'appelle| se llama)?"
       rf" (?-i:{_NAME})(?=[.,!;]|$| )", 3, "subject"),
    _cased("name", rf"\b(?i:the|our|my) (?P<subject>(?:little|small|wee|middle) one|youngest|eldest|oldest),? {_NAME}(?=[.,!;]|$| )", 3, "subject"),
    _p("name", rf"\b(?:an?|the|two|one|eine?n?|une?|una?) {_WHO}s?(?: who is)? (?:called|named|namens|nommée?|llamad[oa]) "
       rf"{_ANY_NAME}", 3, "subject"),
    _p("name", rf"\b(?:got|have|has) an? {_WHO}[.,:]? {_ANY_NAME}(?=[.,!]|$)", 3, "subject"),
    _cased("name", rf"\b(?i:got|have|has) (?:an? |this |one )?(?:[a-z]+ )?(?i:{_WHO})(?: now)?[.,:] {_NAME}(?=[.,!]|$)", 3, "subject"),
    _p("does", rf"{_MY}(?:'s)? (?P<value>(?!(?:is|was) (?:called|named)|name\b|named|called|and\b|, (?:not|and|who|which)\b|,? too\b)[^.!?;]+)", 2, "subject"),
    _p("has", rf"\b(?:i have|i've got|i got|we have|we've got|i keep|we keep) (?P<value>(?!{_HAS_DONE_THAT}\b|"
       rf"(?:an? |the |one |some |another )?(?:\w+ )?{_NO_HAVING}s?\b)[^.!?;]+)", 2),
    _p("has", r"\b(?:ich habe|wir haben|j'ai|nous avons|tengo|tenemos) (?P<value>(?:eine?n?|zwei|drei|vier|fünf|une?|des|deux|trois|"
       r"quatre|una?|unos|unas|dos|tres|cuatro|mein\w*|mon|ma|mi|\d+) [^.!?;]+)", 2),
    _p("has", r"^(?:got|have) (?P<value>an? [^.!?;]+)", 2),
    # what hurts, what is liked, what is feared
    _p("allergic to", rf"\ballergic to {_REST}", 3),
    _p("cannot", r"\bi (?:can't|cannot|can not) (?P<value>(?:eat|drink|stand|bear|swim|sleep|read|see|hear)[^.!?;]*)", 2),
    _p("lost", rf"\b(?:i|i've|we|we've) (?:just )?(?:have )?lost {_REST}", 3),
    _p("lost", rf"^lost {_REST}", 2),
    _p("afraid of", rf"\b(?:{_IM}|i was|i used to be|i get|i've always been) (?:\w+ )?(?:afraid|scared|frightened|terrified) of {_REST}"),
    _p("afraid of", rf"\b(?:tengo miedo (?:del|de la|de|a)|ich habe angst vor|j'ai peur (?:du|de la|des|de)) {_REST}"),
    _p("hates", rf"\bi (?:really )?(?:hate|detest|dislike|loathe|can't stand|cannot stand) (?!you\b){_REST}"),
    _p("loves", rf"\bi (?:really )?(?:love|adore|like|enjoy) (?!you\b|it\b|that\b|this\b){_REST}", 1),
    _p("favourite", r"\bmy favou?rite (?P<value>[^.!?;]+)"),
    # plans and promises
    _p("going", rf"\b(?:{_IM}|we're|we are|i'll be) (?:going|off|heading|headed|bound|travelling|traveling|flying|sailing|moving) "
       r"(?P<value>(?:to|for|back to|home to|over to|in|on|next|away)\b[^.!?;]+)", 3),
    _p("leaving", rf"\b(?:{_IM}|we're|we are) leaving\b(?P<value>[^.!?;]*)", 2),
    _p("leaving", r"\bi (?:fly|sail|leave|travel|depart) (?P<value>(?:on|in|at|tomorrow|tonight|next|this)\b[^.!?;]*)", 2),
    _p("expecting", rf"\b{_OWN} (?P<subject>wife|partner|girlfriend|sister|daughter)(?:,? \w+,?)? is (?:expecting|pregnant)"
       r"(?P<value>[^.!?;]*)", 3, "subject"),
    _p("promised", rf"\bi(?:'ve)? promised {_REST}", 3),
    _p("wants", r"\bi (?:want|hope to|hope for|plan|intend|would like|'d like) (?P<value>(?!to (?:ask|know|see if|say)\b)[^.!?;]+)", 2),
    _p("marries", r"\b(?:i|i'm|i am|we|we're|we are) (?:getting|being|got|going to be) (?P<value>married[^.!?;]*)", 3),
)  # fmt: skip
#: Relations of which a person, or one subject, has one at a time: a newer one replaces the older.
SINGLE = frozenset({"name", "lives", "age", "leaving", "favourite", "expecting"})


def found(sentence: str) -> Iterator[ToldFact]:
    """What the patterns find in one sentence, in their order; each subject and relation once."""
    taken: set[tuple[str, str]] = set()
    every = [*_all(sentence)]
    work = {told.value for told in every if told.relation == "work"}
    for told in every:
        if (told.subject, told.relation) not in taken and not (told.relation == "name" and told.value in work):
            taken.add((told.subject, told.relation))
            yield told


def _all(sentence: str) -> Iterator[ToldFact]:
    for pattern in PATTERNS:
        for match in pattern.form.finditer(sentence):
            told = _told(pattern, match)
            if told is not None and _holds(pattern, match, sentence):
                yield told


def _holds(pattern: FactPattern, match: re.Match[str], sentence: str) -> bool:
    """Whether the form is said as so, and of whom the pattern takes it to be said."""
    if pattern.relation == "does" and _NO_SUBJECT_BEFORE.search(sentence[: match.start()]):
        return False
    if pattern.relation != "does" and is_denied(sentence, match.start(), match.start("value")):
        return False
    return pattern.subject != SELF or not is_of_others(sentence, match.start())


#: Words before somebody of whom nothing is told then: "with my brother Kit", "we told my mother".
_NO_SUBJECT_BEFORE = re.compile(
    r"\b(?:i|we|you|he|she|it|they|[ih]'?ve|i'm|im)\b|\b(?:with|on|off|of|from|to|for|by|at|in|about|and|than|like|her|him) $",
    re.IGNORECASE,
)
_DOES_MORE = re.compile(r" (?:is|was|has|are|were|'s)\b|'s ", re.IGNORECASE)
_HAS_DONE = re.compile(r"(?:got|been|gone|had|just|already|\w{3,}ed)\b", re.IGNORECASE)
#: Where something else begins in the same breath.
_ASIDE = re.compile(r" (?:by the way|btw|you know|so (?=i\b|i'm\b|we\b)|but (?=i\b|i'm\b))\b", re.IGNORECASE)


def _told(pattern: FactPattern, match: re.Match[str]) -> ToldFact | None:
    value = " ".join(_ASIDE.split(match["value"], maxsplit=1)[0].split()).strip(" ,'\"")
    subject = SELF if pattern.subject == SELF else _whose(match).casefold()
    subject = ALIKE.get(subject, subject)
    if pattern.relation == "does" and re.search(r"(?:'|(?<!s))s $", match.string[match.start() : match.start("value")]):
        if _DOES_MORE.search(value):
            return None  # whose something is, rather than who
        value = f"{'has' if _HAS_DONE.match(value) else 'is'} {value}"
    if not value and pattern.relation not in ("leaving", "expecting"):
        return None
    if pattern.relation == "name":
        value = value if " and " in value else _name(value)
        if not value:
            return None
    return ToldFact(subject, pattern.relation, value, pattern.salience)


def _whose(match: re.Match[str]) -> str:
    named = match.groupdict()
    return str(named["subject"] or named.get("thing") or named.get("kin"))


def _name(value: str) -> str:
    """A name as one writes it, without what follows it; empty if it is none."""
    parts = value.split()
    if not parts or parts[0].casefold() in NOT_NAMES or not parts[0][0].isalpha() or _is_how_one_is(parts[0]):
        return ""
    parts = [part.removesuffix("'s") for part in parts]
    kept = [parts[0]]
    for part in parts[1:]:
        if not part[0].isupper() or part.casefold() in NOT_NAMES:
            break
        kept.append(part)
    return " ".join(part if part[0].isupper() else part.capitalize() for part in kept)


def _is_how_one_is(word: str) -> bool:
    """Whether a word without a capital says how somebody is, rather than what they are called."""
    return word.islower() and (word in HOW_ONE_IS or bool(_ENDS_AS_NO_NAME.search(word)))


_BARE = re.compile(rf"^{_NAME}[.!]?$")
_BARE_SMALL = re.compile(r"^(?P<value>[a-z]{3,12})[.!]$")


def bare_name(sentence: str, *, small: bool = False) -> str:
    """The name that is all of a sentence; empty if it is none. ``small``: also one without its capital."""
    match = _BARE.match(sentence) or (_BARE_SMALL.match(sentence) if small else None)
    return _name(match["value"]) if match else ""


__all__ = ["ALIKE", "PATTERNS", "SINGLE", "ToldFact", "bare_name", "found"]
