"""How like each other two texts are: by vectors, or by the words they share."""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from greenroom.ports import Embedder
from greenroom.text.stems import telling, terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Vectors of texts that are not examples, kept for the next time.
MOST_KEPT = 4_000
#: Texts that are compared one by one; of more, only those that share a word.
FEW = 64
#: Texts that share none but small words are less like each other than this.
SMALL_TALK = 0.5


class Meaning(Protocol):
    """Compares texts; the same texts always compare the same."""

    @property
    def is_encoder(self) -> bool:
        """Whether it knows more than words."""

    def likes(self, text: str, others: Sequence[str], least: float = 0.0) -> list[float]:
        """How like a text each of the others is, from 0 to 1, with two digits; 0 will do for what is less like it."""


class _Terms(NamedTuple):
    """The words of a text: those that tell something, all of them, and what they weigh together."""

    telling: frozenset[str]
    all: frozenset[str]
    weight: float


@lru_cache(maxsize=8192)
def _terms(text: str) -> _Terms:
    own, all_own = frozenset(telling(text)), frozenset(terms(text))
    return _Terms(own, all_own, _weight(len(all_own), len(all_own & own)))


def _weight(words: int, full: int) -> float:
    return full + 0.2 * (words - full)


class ByWords:
    """Telling words count in full, the small ones a fifth: they tell one question from another."""

    is_encoder = False

    def likes(self, text: str, others: Sequence[str], least: float = 0.0) -> list[float]:
        own = _terms(text)
        if len(others) <= FEW:
            return [_shared(own, _terms(other)) for other in others]
        return _index(tuple(others)).likes(own, least)


class _Index:
    """Which of many texts have a word; they are examples, which come again with every message."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._terms = [_terms(text) for text in texts]
        self._all: dict[str, list[int]] = {}
        self._telling: dict[str, list[int]] = {}
        for i, found in enumerate(self._terms):
            for term in found.all:
                self._all.setdefault(term, []).append(i)
            for term in found.telling:
                self._telling.setdefault(term, []).append(i)

    def likes(self, own: _Terms, least: float) -> list[float]:
        """How like another one each is: counted word by word, not text by text."""
        shared, full, same = Counter[int](), Counter[int](), set[int]()
        for term in own.all:
            having, telling_ = self._all.get(term, ()), self._telling.get(term, ())
            shared.update(having)
            full.update(having if term in own.telling else telling_)
            same.update(telling_ if term in own.telling else ())
        likes = [0.0] * len(self._terms)
        for i in full if least >= SMALL_TALK else shared:  # without a telling word they are hardly like it
            likes[i] = _like(own, self._terms[i], shared[i], full.get(i, 0), same=i in same)
        return likes


@lru_cache(maxsize=64)
def _index(texts: tuple[str, ...]) -> _Index:
    return _Index(texts)


def _shared(one: _Terms, other: _Terms) -> float:
    both = one.all & other.all
    if not both:
        return 0.0
    full = len(both & (one.telling | other.telling))
    return _like(one, other, len(both), full, same=not one.telling.isdisjoint(other.telling))


def _like(one: _Terms, other: _Terms, shared: int, full: int, *, same: bool) -> float:
    """By how many words they share, how many of these tell something in either, and whether one does in both."""
    score = 2 * _weight(shared, full) / (one.weight + other.weight)
    # Two questions of the same form about different things are not alike.
    return round(score / 2 if not same and one.telling and other.telling else score, 2)


class ByVectors:
    """Vectors of length one, by text."""

    is_encoder = True

    def __init__(self, vectors: Mapping[str, NDArray[np.float32]], matrices: dict[tuple[str, ...], Any]) -> None:
        self._vectors = vectors
        self._matrices = matrices

    def likes(self, text: str, others: Sequence[str], least: float = 0.0) -> list[float]:
        import numpy as np  # noqa: PLC0415  only where the encoder is

        if not others:
            return []
        key = tuple(others)
        matrix = self._matrices.get(key)
        if matrix is None:
            matrix = np.stack([self._vectors[other] for other in others])
            if len(key) > 16:  # examples, which come again with every message
                self._matrices[key] = matrix
        likes = np.vecdot(matrix, self._vectors[text]).astype(np.float64)
        return [max(0.0, float(like)) for like in likes.round(2)]


class Encoder:
    """Makes vectors of what is wanted, those of examples once."""

    def __init__(self, embedder: Embedder, examples: Iterable[str]) -> None:
        self._embedder = embedder
        self._examples = tuple(dict.fromkeys(examples))
        self._kept: dict[str, Any] = {}
        self._said: dict[str, Any] = {}
        self._matrices: dict[tuple[str, ...], Any] = {}

    async def of(self, texts: Iterable[str], lasting: Iterable[str] = ()) -> ByVectors:
        """A meaning that knows the examples and these texts, and those of them for good that come again.

        Raises:
            BackendError: not now.
        """
        if not self._kept:
            self._kept = await self._vectors(self._examples)
        self._kept |= await self._vectors([text for text in dict.fromkeys(lasting) if text not in self._kept])
        lacking = [text for text in dict.fromkeys(texts) if text not in self._kept and text not in self._said]
        if len(self._said) + len(lacking) > MOST_KEPT:
            self._said = {}  # whoever compares just now keeps the old ones
            lacking = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._said |= await self._vectors(lacking)
        return ByVectors(ChainMap(self._said, self._kept), self._matrices)

    async def _vectors(self, texts: Sequence[str]) -> dict[str, Any]:
        import numpy as np  # noqa: PLC0415

        if not texts:
            return {}
        made = await self._embedder.embed(texts)
        return {text: np.asarray(vector, dtype=np.float32) for text, vector in zip(texts, made, strict=True)}
