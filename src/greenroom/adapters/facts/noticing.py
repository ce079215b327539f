"""Takes facts from what is said: the grammar first, the encoder for what no pattern knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from greenroom.adapters.facts.patterns import SINGLE, ToldFact, bare_name, found
from greenroom.adapters.facts.sentences import is_greeting, is_own, sentences, telling_sentences, words
from greenroom.kernel.errors import BackendError
from greenroom.kernel.facts import SELF, Fact, Noticed
from greenroom.ports import Embedder
from greenroom.text.stems import telling

#: Facts of one message that are kept.
MOST = 6
#: A sentence with fewer words is kept together with the message around it, so that one can tell what it was about.
FEW_WORDS = 4
MOST_AROUND = 160
#: How like an older fact a correction must be to replace it, by the encoder, and by the share of telling words.
ALIKE, SHARED = 0.55, 0.34
#: How like another sentence of the same person something told must be to say the same again.
SAME = 0.9

_CORRECTS = re.compile(
    r"\b(?:no,? wait|wait,|actually|correction|change of plan|i meant|i mean|not any ?more|no longer|instead|sorry,|"
    r"i was wrong|that was wrong|make that|rather)\b|\bnow[.!]?$",
    re.IGNORECASE,
)
#: A message that begins with one of these words tells of the last one spoken of.
_HE = re.compile(r"^(?:and |but |so )*(?:he|she|it|they|he's|she's|shes|hes|it's|they're|his|her)\b", re.IGNORECASE)


class PatternNoticing:
    """Finds facts at no call. With an encoder, a correction in other words finds what it corrects.

    Texts are compared by the encoder, or by the telling words that they share.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    async def notice(self, text: str, known: Sequence[Fact]) -> Sequence[Noticed]:
        news = [one for one in told(text, known) if not _is_known(one, known)]
        corrects = bool(_CORRECTS.search(text))
        return [await self._placed(one, known, corrects=corrects) for one in news[:MOST]]

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
                first, *rest = await self._embedder.embed([text, *others])
            except BackendError:
                pass
            else:
                return [round(sum(a * b for a, b in zip(first, one, strict=True)), 2) for one in rest], ALIKE
        own = set(telling(text))
        return [round(len(own.intersection(telling(one))) / max(1, len(own)), 2) for one in others], SHARED


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


def _is_known(one: Noticed, known: Sequence[Fact]) -> bool:
    """Whether the same was told before in the same words."""
    told = (one.subject, one.relation, one.value.casefold())
    return any((fact.subject, fact.relation, fact.value.casefold()) == told for fact in known)


def told(text: str, known: Sequence[Fact] = ()) -> list[Noticed]:
    """What the grammar finds, sentence by sentence; a first-person sentence that no pattern knows is kept as told."""
    noticed: list[Noticed] = []
    greeted = False
    for sentence in telling_sentences(text):
        quote = _quote(sentence, text)
        facts = list(found(sentence))
        named = any(fact.subject == SELF and fact.relation == "name" for fact in _names(known, noticed))
        facts = [fact for fact in facts if not (fact.relation == "name" and _guessed(fact, sentence) and named)]
        if not facts and greeted and not named and (name := bare_name(sentence)):
            facts = [ToldFact(SELF, "name", name, 3)]
        greeted = is_greeting(sentence)
        if not facts and _tells(sentence, noticed):
            facts = [ToldFact(_subject(sentence, noticed), "told", sentence.strip(" .!"), 2)]
        noticed += [
            Noticed(subject=one.subject, relation=one.relation, value=one.value, text=quote, salience=one.salience)
            for one in facts
        ]
    return noticed


def _tells(sentence: str, noticed: Sequence[Noticed]) -> bool:
    """Whether a sentence that no pattern knows tells of whoever speaks, or of whom they just spoke of."""
    if len(words(sentence)) < 3 or "<" in sentence or sentence.casefold().startswith(("you ", "you're", "your ")):
        return False
    return is_own(sentence) or bool(noticed and _HE.match(sentence))


def _names(known: Sequence[Fact], noticed: Sequence[Noticed]) -> Sequence[Fact | Noticed]:
    return (*known, *noticed)


def _guessed(fact: ToldFact, sentence: str) -> bool:
    """Whether a name was only guessed, because the sentence begins with one."""
    return fact.subject == SELF and sentence.startswith(fact.value)


def _subject(sentence: str, noticed: Sequence[Noticed]) -> str:
    if _HE.match(sentence) and noticed:
        return noticed[-1].subject
    return SELF


def _quote(sentence: str, text: str) -> str:
    """The sentence, or the whole message where the sentence alone says too little."""
    whole = " ".join(text.split())
    if (
        (len(words(sentence)) < FEW_WORDS or _HE.match(sentence))
        and len(sentences(text)) > 1
        and len(whole) <= MOST_AROUND
    ):
        return whole
    return " ".join(sentence.split())


__all__ = ["PatternNoticing", "told"]
