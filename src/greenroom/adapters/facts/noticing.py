"""Takes facts from what is said: the grammar first, the encoder for what no pattern knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from greenroom.adapters.facts.asserting import is_addressed, is_asserted, own_words, takes_back
from greenroom.adapters.facts.clauses import TellingClause, telling_clauses
from greenroom.adapters.facts.correcting import MOST_BACK, correction, mended
from greenroom.adapters.facts.patterns import ALIKE as KIN
from greenroom.adapters.facts.patterns import NOT_NAMES, SINGLE, WHEN, WHO, ToldFact, bare_name, found
from greenroom.adapters.facts.sentences import asks, is_greeting, is_own, may_tell, sentences, to_keep, words
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import PINNED, SELF, TOLD, Fact, Noticed
from greenroom.ports import Embedder
from greenroom.text.listing import any_of
from greenroom.text.stems import STOP, telling

#: Facts of one message that are kept, and how much of it is read at once; a model reads the rest at the visit's end.
MOST, MOST_READ = 8, 1_500
#: How like an older fact a correction must be to replace it, by the encoder, and by the share of telling words.
ALIKE, SHARED = 0.55, 0.34
#: So many texts in a row are examples, which come again with every message: their vectors are kept, of so many rows.
ROW, MOST_ROWS = 64, 8

_CORRECTS = re.compile(
    r"\b(?:no,? wait|wait,|actually|correction|change of plan|i meant|i mean|not any ?more|no longer|instead|sorry,|"
    r"i was wrong|that was wrong|make that|rather)\b|\bnow[.!]?$",
    re.IGNORECASE,
)
#: A message that begins with one of these words tells of the last one spoken of.
_HE = re.compile(r"^(?:and |but |so )*(?:he|she|it|they|he's|she's|shes|hes|it's|they're|his|her)\b", re.IGNORECASE)
#: Somebody who is spoken of is named.
_NAMED = re.compile(
    r"^(?:and |but |so )*(?:(?:he|she|it|they)(?:'s|'re)?(?=(?: is| are| was| were)? (?:called|named) (?-i:[A-Z]))|"
    r"(?:his|her|its|their) name(?:'?s| is| was)(?= (?-i:[A-Z])))",
    re.IGNORECASE,
)
_BY_NAME = re.compile(r"^(?:and |but |so )*(?:his|her|its|their) name", re.IGNORECASE)
_WHO = re.compile(rf"\b(?:{WHO})\b", re.IGNORECASE)
_MARRIES = re.compile(
    r"\b(?:married|marry(?:ing)?|engaged|propos(?:e|ed|ing)|wedding|fallen for|in love)\b", re.IGNORECASE
)
#: A sentence that ends with whom the next one may name.
_WHO_LAST = re.compile(rf"\ban? ({WHO})(?: now)?\W*$|^(?:well,? |and |but |so )*my ({WHO})\b", re.IGNORECASE)
#: What is to be remembered is told, and no order.
_TO_KEEP = re.compile(
    r"^(?:please )?(?:remember|note|don't forget|write down|keep in mind)(?: this| that)?\s*[:,]?\s+(?=(?:my|our|i|i'm|we)\b)",
    re.IGNORECASE,
)


class PatternNoticing:
    """Finds facts at no call. With an encoder, a correction in other words finds what it corrects.

    Texts are compared by the encoder, or by the telling words that they share.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._rows: dict[tuple[str, ...], Sequence[Sequence[float]]] = {}

    async def notice(self, text: str, known: Sequence[Fact]) -> Sequence[Noticed]:
        text = text[:MOST_READ]
        right, text = _corrected(text, known)
        news = [one for one in told(text, known) if not _is_known(one, known)]
        corrects = bool(_CORRECTS.search(text))
        return [*right, *[await self._placed(one, known, corrects=corrects) for one in news[:MOST]]]

    async def alike(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """How like a text each of the others is, from 0 to 1, with two digits."""
        likes, _ = await self._likes(text, others)
        return likes

    async def _placed(self, one: Noticed, known: Sequence[Fact], *, corrects: bool) -> Noticed:
        """The same with what it replaces."""
        same = [fact for fact in known if fact.subject == one.subject and fact.relation == one.relation]
        if one.relation in SINGLE and same:
            return _replacing(one, same[0])
        if not corrects:
            return one
        older = await self._closest(one, same or [fact for fact in known if fact.subject == one.subject])
        return one if older is None else _replacing(one, older)

    async def _closest(self, one: Noticed, among: Sequence[Fact]) -> Fact | None:
        """The fact that a correction is about: the one most like it, if any is."""
        if not among:
            return None
        likes, least = await self._likes(one.text, [fact.text for fact in among])
        best = max(range(len(among)), key=lambda i: (likes[i], -i))
        return among[best] if likes[best] >= least else None

    async def _likes(self, text: str, others: Sequence[str]) -> tuple[list[float], float]:
        if self._embedder is not None:
            try:
                first, rest = await self._vectors(self._embedder, text, others)
            except BackendError:
                pass
            else:
                return [round(sum(a * b for a, b in zip(first, one, strict=True)), 2) for one in rest], ALIKE
        own = set(telling(text))
        return [round(len(own.intersection(telling(one))) / max(1, len(own)), 2) for one in others], SHARED

    async def _vectors(
        self, embedder: Embedder, text: str, others: Sequence[str]
    ) -> tuple[Sequence[float], Sequence[Sequence[float]]]:
        """The vector of a text, and those of the others."""
        key = tuple(others)
        if len(key) < ROW:
            first, *rest = await embedder.embed([text, *others])
            return first, rest
        if key not in self._rows:
            kept = [*self._rows.items(), (key, await embedder.embed(others))]
            self._rows = dict(kept[-MOST_ROWS:])
        (first,) = await embedder.embed([text])
        return first, self._rows[key]


def _replacing(one: Noticed, older: Fact) -> Noticed:
    return Noticed(
        subject=one.subject,
        relation=one.relation,
        value=one.value,
        text=one.text,
        salience=max(one.salience, older.salience),
        quotable=one.quotable,
        replaces=older.id,
    )


def _corrected(text: str, known: Sequence[Fact]) -> tuple[list[Noticed], str]:
    """The newest fact of which a message takes a word back, with the right one; and what else the message says."""
    first, *others = sentences(text) or [text]
    said = correction(first)
    for fact in sorted(known, key=lambda one: one.at, reverse=True)[:MOST_BACK] if said else ():
        if said is not None and (right := said.of(fact.text)) is not None:
            value = said.of(fact.value) or fact.value
            one = Noticed(subject=fact.subject, relation=fact.relation, value=value, text=right)
            return [_replacing(one, fact)], " ".join((said.rest, *others))
    return [], text


def _is_known(one: Noticed, known: Sequence[Fact]) -> bool:
    """Whether the same was told before in the same words, or in more of them."""
    own = frozenset(telling(one.value))
    same = (fact for fact in known if (fact.subject, fact.relation) == (one.subject, one.relation))
    return any(
        fact.value.casefold() == one.value.casefold()
        or (one.relation not in SINGLE and own.issubset(telling(fact.value)))
        for fact in same
    )


def told(text: str, known: Sequence[Fact] = ()) -> list[Noticed]:
    """What the grammar finds, sentence by sentence; a first-person sentence that no pattern knows is kept as told."""
    if kept := to_keep(text):
        as_said = Noticed(subject=SELF, relation=TOLD, value=kept.strip(" .!"), text=kept, salience=PINNED)
        return told(kept, known) or [as_said]
    noticed: list[Noticed] = []
    apart = [sentence for one in mended(sentences(text)) if (sentence := _TO_KEEP.sub("", one))]
    for i, sentence in enumerate(apart):
        if takes_back(sentence):
            noticed.clear()
        elif may_tell(sentence) and is_asserted(sentence):
            meets = any(is_greeting(one) for one in (*apart[max(0, i - 1) : i], *apart[i + 1 : i + 2]))
            for clause in telling_clauses(apart[max(0, i - 1) : i + 2]):
                if clause.sentence is sentence:
                    before = (*apart[:i], sentence[: clause.start]) if clause.start else apart[:i]
                    about = _About(tuple(before), tuple(noticed), known, _is_of_self(own_words(sentence)))
                    noticed += _of_clause(clause, about, meets=meets)
    return noticed


def _is_of_self(sentence: str) -> bool:
    return is_own(sentence) and not is_addressed(sentence)


def _of_clause(clause: TellingClause, about: _About, *, meets: bool) -> Iterator[Noticed]:
    for one in _told_in(own_words(clause.text), about, meets=meets):
        yield Noticed(
            subject=one.subject, relation=one.relation, value=one.value, text=clause.quote, salience=one.salience
        )


class _About(NamedTuple):
    """What a sentence stands in: the sentences before it, what they told, and what was told before."""

    before: tuple[str, ...]
    noticed: tuple[Noticed, ...]
    known: Sequence[Fact]
    #: Whether whoever speaks tells of themself in the sentence around.
    is_own: bool = False

    @property
    def told(self) -> Iterator[tuple[str, str, str]]:
        yield from ((fact.subject, fact.relation, fact.value) for fact in reversed(self.noticed))
        yield from ((fact.subject, fact.relation, fact.value) for fact in self.known)

    def named(self, text: str) -> str:
        """Who of those that were told by name is named in a text; empty if nobody is."""
        mentioned = set(words(text))
        names = (one for one in self.told if one[1] == "name" and one[0] != SELF)
        return next((subject for subject, _, name in names if name in mentioned), "")

    def spoken_of(self, sentence: str) -> str:
        """Whom *he*, *she* or *it* means: whoever was named, told of or mentioned before, this far back and no farther."""
        here = " ".join(self.before)
        if named := self.named(here):
            return named
        if self.noticed and self.noticed[-1].subject != SELF:
            return self.noticed[-1].subject
        if _NAMED.match(sentence):  # nothing else is as certain to be said of the last one mentioned
            return _last_in(here) or _last_of(self.known)
        return SELF if self.noticed else ""


def _last_of(known: Sequence[Fact]) -> str:
    """Whom the newest fact tells of."""
    newest = max(known, key=lambda fact: fact.at, default=None)
    if newest is None or newest.subject != SELF:
        return "" if newest is None else newest.subject
    return _last_in(newest.text)


def _last_in(text: str) -> str:
    """Whom a text mentions last; somebody who marries has a partner."""
    mentioned = _WHO.findall(text)
    return str(mentioned[-1]).casefold() if mentioned else "partner" if _MARRIES.search(text) else ""


def _told_in(sentence: str, about: _About, *, meets: bool) -> Sequence[ToldFact]:
    """What one sentence tells. A name alone is one where people greet each other and none is known."""
    who = _WHO_LAST.search(about.before[-1]) if about.before else None
    name = bare_name(sentence, small=meets or who is not None)
    if name and who is not None:
        subject = (who[1] or who[2]).casefold()
        return [ToldFact(KIN.get(subject, subject), "age" if _AGE.fullmatch(name) else "name", name, 3)]
    has_name = any(one[:2] == (SELF, "name") for one in about.told)
    facts = [
        one
        for one in found(in_full(_in_their_name(sentence, about)))
        if not (
            one.relation == "name"
            and one.subject == SELF
            and ((_guessed(one, sentence) and has_name) or about.named(sentence))
        )
    ]
    if not facts and name and meets and not has_name:
        return [ToldFact(SELF, "name", name, 3)]
    tells = _tells(sentence, about) or (about.is_own and len(words(sentence)) > 2 and not asks(sentence))
    if not facts and tells and not _LIGHT.issuperset(telling(sentence)):
        return [ToldFact(_subject(sentence, about), "told", sentence.strip(" .!"), 2)]
    return facts


#: A sentence of none but such words tells nothing worth keeping: "I thought so", "I brought it along".
_LIGHT_WORDS = """
think thought know knew guess suppose say said says mean meant see saw sleep bring brought along maybe perhaps good night try
"""
_LIGHT = frozenset(telling(_LIGHT_WORDS))
#: A number alone after somebody is how old they are.
_AGE = re.compile(
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\w{3,5}teen|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve",
    re.IGNORECASE,
)


def _in_their_name(sentence: str, about: _About) -> str:
    """*He was called Salt*, said of a dog, as *my dog was called Salt*."""
    who = about.spoken_of(sentence) if _NAMED.match(sentence) else ""
    named = f"my {who} is called" if _BY_NAME.match(sentence) else f"my {who}"
    return sentence if who in ("", SELF) else _NAMED.sub(named, sentence)


def _first_named(sentence: str, about: _About) -> str:
    """Whom a sentence tells of that begins with a name told before: told of, and not spoken to."""
    first = sentence.split(" ", 1)[0]
    return about.named(first) if first.isalpha() else ""


_WHEN = rf"(?:now|then|when|tomorrow|{WHEN})"
_I_DO = any_of("""
    hate, love, live, work, play, study, lost, grew, moved, used to, promised, can'?t, teach, drive, sell, bake, fish, got, had,
    made, found, left, went, saw, met, bought, sold, slept, dropped, passed, failed, won, quit, told, broke, fixed, finished,
    started, owned
""")
_SHORT = (
    (re.compile(rf"^{_I_DO}\b(?! (?:nothing|it|that|them|this|me|us|him|her|you)\b)", re.I), "I "),
    (re.compile(rf"^(?:from(?! {_WHEN}\b)|born|married|allergic|afraid|scared|terrified)\b", re.I), "I'm "),
    (re.compile(r"^(?:\d+|two|three|four|five) [^\W\d_]+(?=,| and\b|$)", re.I), "I have "),
)
_NO_PLACE = any_of(f"""
    the, an?, my, his, her, your, our, their, here, there, work, home, school, bed, outside, inside, behind, under, above, where,
    what, it, him, me, you, us, them, this, that, these, those, {_WHEN}
""")
#: What follows *from* or *in* and is no place, however it is written.
_SMALL_PLACE = re.compile(rf"\b(?:from|live in|living in|born in|moved to|grew up in) (?!{_NO_PLACE}\b|\w+ing\b)\w")


#: What is one's own and called by name only where that is said.
_THINGS = r"(?:boat|ship|yacht|car|band|village|town|street|house|shop|school|company)\b"
_ONE_OF_THEIRS = rf"(?:{WHO}|{'|'.join(KIN)})"
_LETTERS = r"[^\W\d_]{3,}"
_NAME_DOES = any_of(r"""
    is, was, has, had, says, said, thinks, got, came, went, died, left, and, who, he'?s, she'?s, \w\w\w+s, \w\w\w+ed
""")
_OF_MINE = (
    rf"(?:my|our) (?:(?:best|big|little|older|younger) )?(?!{_THINGS}){_ONE_OF_THEIRS}(?<![^s]s) "
    rf"(?P<name>{_LETTERS})(?= {_NAME_DOES}\b|[.,!]|$)"
)
_SET_APART = rf"(?:an?|this|my|our) (?:[^\W\d_]+ )?{_ONE_OF_THEIRS}, (?P<apart>{_LETTERS})(?=[.,!]|$)"
_CALLED = (
    r"(?:cousin|uncle|auntie?|called|named|name'?s|name is) "
    rf"(?P<called>{_LETTERS}(?: {_LETTERS}(?=[.,!]|$))?)"
)
#: A name in small letters, by its place: "my mate dave says", "a cat, duke", "called duke".
_SMALL_NAME = re.compile(rf"\b(?:{_OF_MINE}|{_SET_APART}|{_CALLED})\b")
_SMALL_DAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december|"
    r"christmas|easter)\b"
)
#: Who writes no other capital writes none for names; *I* was put in for them.
_I_ALONE = re.compile(r"\bI\b")
_BESIDE = """
always never usually now after before again says who yet today tonight tomorrow yesterday soon though anyway back home alone once
twice last lately either already instead dead first late
"""
_NO_SMALL_NAME = NOT_NAMES | STOP | set(_BESIDE.split())


@lru_cache(4096)
def in_full(sentence: str) -> str:
    """A sentence as it would be in full: people leave out *I*, and some write no capitals."""
    if (small := _I_ALONE.sub("i", sentence)) == small.lower():
        sentence = _SMALL_PLACE.sub(lambda place: place.group()[:-1] + place.group()[-1].upper(), sentence)
        sentence = _SMALL_NAME.sub(_capital, _SMALL_DAY.sub(lambda day: day.group().capitalize(), sentence))
    missing = next((word for form, word in _SHORT if form.match(sentence)), "")
    return f"{missing}{sentence[:1].lower()}{sentence[1:]}" if missing else sentence


def _capital(found: re.Match[str]) -> str:
    name = found["name"] or found["apart"] or found["called"]
    nowhere = STOP if " " in name else _NO_SMALL_NAME
    is_one = nowhere.isdisjoint(name.split()) and not _WHO.fullmatch(name)
    return found.group()[: -len(name)] + name.title() if is_one else found.group()


def _tells(sentence: str, about: _About) -> bool:
    """Whether a sentence that no pattern knows tells of whoever speaks, or of somebody they spoke of."""
    sentence = in_full(sentence)
    if len(words(sentence)) < 3 or "<" in sentence or sentence.casefold().startswith(("you ", "you're", "your ")):
        return False
    if is_own(sentence):
        return not is_addressed(sentence) and (len(telling(sentence)) > 1 or bool(_WHO.search(sentence)))
    return bool(_first_named(sentence, about) or (_HE.match(sentence) and about.spoken_of(sentence)))


def _guessed(fact: ToldFact, sentence: str) -> bool:
    """Whether a name was only guessed, because the sentence begins with one."""
    return fact.subject == SELF and sentence.startswith(fact.value)


def _subject(sentence: str, about: _About) -> str:
    if _HE.match(sentence):
        return about.spoken_of(sentence) or SELF
    return SELF if is_own(in_full(sentence)) else _first_named(sentence, about) or SELF


__all__ = ["PatternNoticing", "in_full", "told"]
