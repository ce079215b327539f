"""Words are cut as SQLite cuts them, and the bench measures what it says."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from benchmarks.recall import run
from greenroom.adapters import embeddings
from greenroom.kernel.errors import Malformed, Unknown
from greenroom.recall import Doc, Index
from greenroom.text import stems

ROOT = Path(__file__).resolve().parents[2]


def test_endings_go_as_in_sqlites_porter() -> None:
    text = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    # Endings that stand alone are no words, and SQLite cuts some of them to nothing.
    words = sorted(set(re.findall(r"[a-z]{2,30}", text.lower())) - {"eed", "ies", "sses"})
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE cut USING fts5 (word, tokenize = 'porter unicode61')")
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (cut, instance)")
    connection.executemany("INSERT INTO cut (rowid, word) VALUES (?, ?)", enumerate(words))
    theirs = dict(connection.execute("SELECT doc, term FROM terms"))
    connection.close()
    assert len(words) > 2000
    assert {word: stems.stem(word) for word in words} == {word: theirs[i] for i, word in enumerate(words)}


def test_unspaced_scripts_are_cut_into_pairs() -> None:
    assert stems.words("灯台は3階") == ["灯台", "台は", "3", "階"]


def test_a_question_of_small_words_alone_keeps_them() -> None:
    assert stems.telling("what is it?") == ["what", "is", "it"]
    assert stems.telling("What lamps, and WHICH lamp?") == ["lamp"]


def test_the_names_of_speakers_are_no_part_of_what_is_asked() -> None:
    index = Index()
    index.add(Doc(key=0, id="a", stream="s", version=1, at=0, text="soup", kind="message", speaker="Ann Lee"))
    assert index.bare("What is Ann's soup, Lee?") == "What is  soup, ?"
    assert index.bare("Ann") == "Ann"
    assert index.bare("what soup") == "what soup"


def test_without_its_packages_recall_says_that_it_goes_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda name: None if name == "onnxruntime" else object())
    assert embeddings.embedded_default() is None
    assert "words only" in embeddings.in_words(None)
    assert "missing: onnxruntime" in embeddings.in_words(None)


async def test_the_embedded_model_puts_like_by_like_and_takes_any_text() -> None:
    model = embeddings.embedded_default()
    if model is None:
        pytest.skip(f"not installed: {', '.join(embeddings.missing())}")
    texts = ["the cat sleeps", "a kitten naps", "interest rates rose", "", "\x00", "\udcff", "🦜" * 2000]
    cat, kitten, rates, *_ = vectors = await model.embed(texts)
    assert [len(vector) for vector in vectors] == [model.dimensions] * len(texts)
    assert _product(cat, kitten) > _product(cat, rates) + 0.2
    assert _product(cat, cat) == pytest.approx(1, abs=1e-4)


def _product(one: object, other: object) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))  # type: ignore[call-overload]


def _conversation() -> dict[str, object]:
    texts = ("Where do you keep the lamp?", "Behind the stove.", "I saw a gull.", "It rained on Sunday.", "Soup again!")
    turns = [
        {"id": f"T{i}", "session": "1", "at": "1:56 pm on 8 May, 2023", "speaker": "AB"[i % 2], "text": text}
        for i, text in enumerate(texts)
    ]
    questions = [
        {"question": "Where is the lamp?", "evidence": ["T0; T1"], "category": 4},
        {"question": "Which bird?", "evidence": ["T2"], "category": 1},
        {"question": "Not scored?", "evidence": ["T3"], "category": 5},
    ]
    return {"conversation": "c", "turns": turns, "questions": questions}


def test_the_bench_gives_the_share_of_evidence_among_the_first(tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    path.write_text(json.dumps([_conversation()]))
    seen: list[int] = []
    report = run(path, True, lambda done, total, what: seen.append(done))
    assert report.as_json() == {
        "recall@5": 0.5,
        "recall@10": 0.5,
        "recall@20": 0.5,
        "recall@50": 0.5,
        "by_category": {"1": 0.0, "4": 1.0},
    }
    assert report.questions == 2
    assert seen == [0, 1]
    assert "plain FTS5" in report.as_text()


def test_the_bench_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(Unknown):
        run(tmp_path / "nothing.json", True)
    (tmp_path / "bad.json").write_text('[{"conversation": 3}]')
    with pytest.raises(Malformed):
        run(tmp_path / "bad.json", True)
    (tmp_path / "empty.json").write_text("[]")
    with pytest.raises(Malformed):
        run(tmp_path / "empty.json", True)
