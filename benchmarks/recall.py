"""Measures recall on conversations with questions: which share of the turns that hold the answer is among the top k.

Every conversation is one owner's memory in a house of its own kind: a stream, a memory per turn, said when its session
was. Nothing of the file is kept.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from greenroom.adapters.embeddings import embedded_default, in_words
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.journal.records import Stored, Stream
from greenroom.kernel.asks import Recall
from greenroom.kernel.errors import Malformed, Unknown
from greenroom.kernel.times import micros
from greenroom.kernel.words import Memory, Scope
from greenroom.ports import Backend, Embedder

KS = (5, 10, 20, 50)
#: Adversarial questions have no answer to find.
SCORED = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
WORLD, AGENT = "bench", "listener"

Progress = Callable[[int, int | None, str], None]


class Turn(msgspec.Struct):
    id: str
    at: str
    speaker: str
    text: str
    session: str = ""


class Question(msgspec.Struct):
    question: str
    category: int
    evidence: list[str]


class Conversation(msgspec.Struct):
    conversation: str
    turns: list[Turn]
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Scores:
    """Mean share of the evidence found, for each k and, at 10, for each category."""

    at: Mapping[int, float]
    by_category: Mapping[int, float]

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {f"recall@{k}": round(self.at[k], 4) for k in KS}
        return found | {"by_category": {str(c): round(share, 4) for c, share in sorted(self.by_category.items())}}


@dataclass(slots=True)
class Tally:
    """Shares of each question, gathered."""

    shares: dict[int, list[float]] = field(default_factory=lambda: {k: [] for k in KS})
    categories: dict[int, list[float]] = field(default_factory=dict)

    def count(self, category: int, evidence: set[str], found: Sequence[str]) -> None:
        for k in KS:
            self.shares[k].append(len(evidence.intersection(found[:k])) / len(evidence))
        self.categories.setdefault(category, []).append(self.shares[10][-1])

    def scores(self) -> Scores:
        return Scores(
            {k: _mean(shares) for k, shares in self.shares.items()},
            {category: _mean(shares) for category, shares in self.categories.items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReport:
    #: What recall gives here: with vectors where they can be had and were asked for.
    found: Scores
    #: By words alone; the same as ``found`` without vectors.
    by_words: Scores
    #: Plain FTS5 with stemming, speaker and date, for comparison.
    plain: Scores
    #: One sentence about what recall went by.
    went_by: str
    questions: int
    memories: int
    #: Milliseconds of one recall without its question's vector, and of that vector alone.
    recall_ms: float
    vector_ms: float | None

    def as_json(self) -> dict[str, Any]:
        return self.found.as_json()

    def as_text(self) -> str:
        rows = [("plain FTS5, speaker, date", self.plain), ("greenroom, words alone", self.by_words)]
        if self.vector_ms is not None:
            rows.append(("greenroom, with vectors", self.found))
        head = f"{'':28}" + "".join(f"{f'recall@{k}':>11}" for k in KS) + "".join(f"{n:>13}" for n in SCORED.values())
        lines = [head, *(_line(name, scores) for name, scores in rows), "", *self._differences(), self.went_by]
        timed = f"one recall {self.recall_ms:.1f} ms"
        vector = "" if self.vector_ms is None else f", its question's vector {self.vector_ms:.1f} ms more"
        lines.append(f"{self.questions} questions, {self.memories} memories; {timed}{vector} (medians)")
        return "\n".join(lines)

    def _differences(self) -> list[str]:
        words = self.by_words.at[10] - self.plain.at[10]
        found = [f"words alone: {words * 100:+.1f} points of recall@10 over plain FTS5"]
        if self.vector_ms is not None:
            found.append(f"vectors add: {(self.found.at[10] - self.by_words.at[10]) * 100:+.1f} points")
        return found


def run(path: Path, text_only: bool, progress: Progress | None = None) -> RecallReport:  # noqa: FBT001  as agreed
    """Measure a file of conversations.

    Raises:
        Unknown: there is no such file.
        Malformed: it is not in the format of the recall set.
    """
    return asyncio.run(measure(read(path), None if text_only else embedded_default(), progress or _silent))


def read(path: Path) -> list[Conversation]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Conversation])
    except FileNotFoundError:
        raise Unknown(f"there is no file {path}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise Malformed(f"{path}: not a file of conversations with turns and questions: {error}") from error


async def measure(conversations: Sequence[Conversation], embedder: Embedder | None, progress: Progress) -> RecallReport:
    asked = [q for c in conversations for q in c.questions if q.category in SCORED]
    if not asked:
        raise Malformed("the file has no question of categories 1 to 4")
    plain, by_words, found = Tally(), Tally(), Tally()
    times: list[float] = []
    for done, conversation in enumerate(conversations):
        progress(done, len(conversations), conversation.conversation)
        _count(conversation, plain, _plain(conversation))
        for tally, chosen in ((by_words, None), (found, embedder)):
            if tally is by_words or embedder is not None:
                _count(conversation, tally, await _recalled(conversation, chosen, times))
    progress(len(conversations), len(conversations), "done")
    return RecallReport(
        found=(by_words if embedder is None else found).scores(),
        by_words=by_words.scores(),
        plain=plain.scores(),
        went_by=in_words(embedder),
        questions=len(by_words.shares[10]),
        memories=sum(len(c.turns) for c in conversations),
        recall_ms=median(times) * 1000,
        vector_ms=None if embedder is None else await _vector_ms(embedder, [q.question for q in asked[:20]]),
    )


def _count(conversation: Conversation, tally: Tally, found: Mapping[str, Sequence[str]]) -> None:
    there = {turn.id for turn in conversation.turns}
    for question in conversation.questions:
        evidence = {id for line in question.evidence for id in re.split(r"[;,\s]+", line)} & there
        if question.category in SCORED and evidence:
            tally.count(question.category, evidence, found[question.question])


# the house


async def _recalled(
    conversation: Conversation, embedder: Embedder | None, times: list[float]
) -> dict[str, Sequence[str]]:
    with tempfile.TemporaryDirectory(prefix="greenroom-recall-") as folder:
        backend = sqlite_backend(Path(folder) / "house.db", (), embedder=embedder, patient=True)
        try:
            return await _ask_all(backend, conversation, times if embedder is None else [])
        finally:
            await backend.close()


async def _ask_all(backend: Backend, conversation: Conversation, times: list[float]) -> dict[str, Sequence[str]]:
    owner, last = conversation.conversation, await _remember(backend, conversation)
    scope = Scope(world=WORLD, owner=owner, agent=AGENT)
    found: dict[str, Sequence[str]] = {}
    for question in conversation.questions:
        begun = time.perf_counter()
        hits = await backend.bank.search(
            Recall(query=question.question, scope=scope, limit=max(KS)),
            stream="told",
            version=len(conversation.turns),
            at=last,
        )
        times.append(time.perf_counter() - begun)
        found[question.question] = [conversation.turns[int(hit.id.split("/")[1].split(".")[0]) - 1].id for hit in hits]
    return found


async def _remember(backend: Backend, conversation: Conversation) -> int:
    """Every turn as a memory of one stream; returns the moment of the last."""
    owner = conversation.conversation
    memories = [
        Stored(
            memory=Memory(
                id=f"told/{n}.0", owner=owner, agent=AGENT, text=turn.text, speaker=turn.speaker, at=_moment(turn.at)
            ),
            stream="told",
            version=n,
        )
        for n, turn in enumerate(conversation.turns, 1)
    ]
    stream = Stream(name="told", world=WORLD, owner=owner, seed=0, born_at=0, version=len(memories))
    await backend.upkeep.adopt(stream, attempts=(), steps=(), snapshots=(), memories=memories, letters=(), changes=())
    return max((micros(stored.memory.at) for stored in memories if stored.memory.at), default=0)


def _moment(said: str) -> datetime:
    for form in ("%I:%M %p on %d %B, %Y", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"):
        try:
            return datetime.strptime(said, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise Malformed(f"{said!r} is not a moment; write it as '1:56 pm on 8 May, 2023' or 2023-05-08")


async def _vector_ms(embedder: Embedder, questions: Sequence[str]) -> float:
    times = []
    for question in questions:
        begun = time.perf_counter()
        await embedder.embed([question])
        times.append(time.perf_counter() - begun)
    return median(times) * 1000


# what it is compared with


def _plain(conversation: Conversation) -> dict[str, Sequence[str]]:
    """One FTS5 table with porter stemming over speaker, date and text; any word of the question, by BM25."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE told USING fts5 (text, tokenize = 'porter unicode61')")
        connection.executemany(
            "INSERT INTO told (rowid, text) VALUES (?, ?)",
            [(n, f"{turn.speaker} {turn.at} {turn.text}") for n, turn in enumerate(conversation.turns)],
        )
        return {
            question.question: [conversation.turns[n].id for n in _matching(connection, question.question)]
            for question in conversation.questions
        }


def _matching(connection: sqlite3.Connection, question: str) -> list[int]:
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question)) or '""'
    statement = f"SELECT rowid FROM told WHERE told MATCH ? ORDER BY rank LIMIT {max(KS)}"
    return [n for (n,) in connection.execute(statement, (words,))]


def _line(name: str, scores: Scores) -> str:
    shares = "".join(f"{scores.at[k] * 100:11.1f}" for k in KS)
    return f"{name:28}{shares}" + "".join(f"{scores.by_category.get(c, 0) * 100:13.1f}" for c in SCORED)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0


def _silent(done: int, total: int | None, what: str) -> None:
    """Nobody watches."""
