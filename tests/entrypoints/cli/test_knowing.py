"""What a cast knows, from the command line: recall, why, and the measure of recall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.cli.conftest import Run, contents, run_at
from tests.hours import Shared
from tests.houses import HOUSES

SAID = ("My sister Edith mends nets in Innisbeg.", "Is there soup?", "What about the lamp?", "Do the waves ever stop?")
MORE = ("It is cold tonight.", "How many stairs are there?", "Hello again.", "Where does Edith live?")


@pytest.fixture(scope="module")
def talkative(furnished: Shared, tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The house after some talk, made once."""

    def talk(home: Path) -> None:
        HOUSES.copied(furnished.home, home)
        for text in (*SAID, *MORE):
            assert run_at(home, "send", "evening", "say", json.dumps({"text": text})).code == 0

    return Shared(tmp_path_factory, talk)


@pytest.fixture
def home(furnished: Shared, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A house of a test's own; with the talk, if the test is about that."""
    source: Shared = request.getfixturevalue("talkative") if "talked" in request.fixturenames else furnished
    return HOUSES.copied(source.home, tmp_path / "home")


@pytest.fixture
def talked(run: Run) -> Run:
    return run


# recall


def test_recall_finds_what_was_said_with_scores_best_first(talked: Run) -> None:
    found = talked("recall", "evening", "who mends nets", "--json").object
    assert (found["world"], found["owner"], found["agent"]) == ("lighthouse", "ada", None)
    # The keeper may say it back in her own words, and which ones depends on the dice.
    texts = [hit["text"] for hit in found["found"]]
    assert "mends nets" in texts[0]
    assert SAID[0] in texts[:2]
    scores = [hit["score"] for hit in found["found"]]
    assert scores == sorted(scores, reverse=True)
    assert len(talked("recall", "evening", "Edith", "--limit", 1, "--json").object["found"]) == 1


def test_recall_says_what_it_went_by(talked: Run) -> None:
    found = talked("recall", "evening", "Edith", "--json").object
    assert found["memories"] == 22, "twenty lines, and two facts"
    assert found["text_only"] is (found["lacking"] is None)
    told = talked("recall", "evening", "Edith").out
    assert "22 memories of ada in lighthouse; " in told
    assert "recall goes by words only" in told or "vector" in told


def test_recall_gives_lacking_vectors_a_moment(talked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    at_once = talked("recall", "evening", "fishing gear", "--wait", 0, "--json").object
    if at_once["text_only"]:
        pytest.skip("greenroom[embeddings] is not installed")
    assert at_once["lacking"] == 20
    # All of them: which ten are nearest depends on what the keeper said, and that on the dice.
    waited = talked("recall", "evening", "fishing gear", "--wait", 60, "--limit", 20, "--json").object
    assert waited["lacking"] == 0
    assert SAID[0] in [hit["text"] for hit in waited["found"]]


def test_recall_stays_with_the_owner_and_with_the_agent_named(talked: Run, home: Path) -> None:
    run_at(home, "start", "lighthouse", "--name", "other", "--owner", "eve")
    run_at(home, "send", "other", "say", '{"text": "Edith is my cat."}')
    texts = [hit["text"] for hit in talked("recall", "evening", "Edith", "--json").object["found"]]
    assert SAID[0] in texts
    assert "Edith is my cat." not in texts
    assert talked("recall", "other", "mends nets", "--agent", "nobody", "--json").object["found"] == []
    assert talked("recall", "other", "mends nets", "--agent", "nobody").out.startswith("nothing found\n0 memories")


def test_a_letter_is_recalled_by_its_writer_and_not_by_the_keeper(run: Run) -> None:
    run("send", "evening", "write", '{"to": "Edith", "text": "The turnips are late."}')
    assert "turnips" in run("recall", "evening", "turnips", "--agent", "visitor").out
    assert "turnips" not in run("recall", "evening", "turnips", "--agent", "keeper").out


@pytest.mark.parametrize("query", ["", "   ", '"', "%", "a OR b NEAR/2 c*", "' --", "水", "x" * 5000])
def test_any_question_is_only_words(run: Run, query: str) -> None:
    assert run("recall", "evening", query, "--json").code == 0


def test_recall_on_a_branch_knows_the_past_it_shares_and_no_more(talked: Run) -> None:
    talked("branch", "evening", "--at", 4, "--name", "before")
    assert "mends nets" not in talked("recall", "before", "Edith mends nets").out
    talked("branch", "evening", "--at", 5, "--name", "after")
    assert "mends nets" in talked("recall", "after", "Edith mends nets").out


# why


def test_why_tells_sections_memories_and_who_played(talked: Run) -> None:
    told = talked("why", "evening", 12, "--json").object
    assert (told["attempt"], told["by"], told["events"][:2]) == (12, "visitor", ["said", "answered"])
    (ask,) = told["asks"]
    assert (ask["role"], ask["model"], ask["status"], ask["cost"]) == ("quality", "understudy", "ok", 0)
    parts = {part["name"]: part for part in ask["sections"]}
    assert list(parts)[-2:] == ["remembered", "said_before"]
    assert sum(part["tokens"] for part in parts.values()) == ask["noted"]["used"]
    assert [memory["id"] for memory in parts["talk"]["memories"]][:2] == ["evening/a2.0", "evening/2.0"]
    assert parts["person"]["memories"], "what the visitor told of themself is named by id"


def test_why_shows_people_the_words_and_programs_the_ids_alone(talked: Run) -> None:
    told = talked("why", "evening", 12)
    assert "ask 4: quality, played by understudy: ok" in told.out
    assert f"evening/a5.0: {SAID[0]}" in told.out
    assert "budget 8000 tokens: " in told.out
    assert "Edith" not in talked("why", "evening", 12, "--json").out


def test_forgotten_words_are_gone_from_why(talked: Run, home: Path) -> None:
    HOUSES.execute(home, "DELETE FROM memories WHERE id = 'evening/a5.0'")
    assert "evening/a5.0: [removed]" in talked("why", "evening", 12).out


def test_a_turn_that_asked_no_model_says_so(run: Run) -> None:
    assert "the ledger has no ask of a model for this turn" in run("why", "evening", 1).out
    assert run("why", "evening", 3, "--json").object["asks"] == []


def test_why_on_a_branch_reads_the_turn_of_the_stream_that_made_it(run: Run) -> None:
    run("branch", "evening", "--at", 2, "--name", "other")
    run("send", "other", "say", '{"text": "And now?"}')
    shared, own = run("why", "other", 2, "--json").object, run("why", "other", 3, "--json").object
    assert (shared["of"], own["of"]) == ("evening", "other")
    assert shared["asks"] == run("why", "evening", 2, "--json").object["asks"]
    assert len(own["asks"]) == 1
    assert "shared with evening" in run("why", "other", 2).out


@pytest.mark.parametrize("version", [0, -1, 5, 99])
def test_a_version_that_is_not_there_is_refused(run: Run, version: int) -> None:
    told = run("why", "evening", "--", version)
    assert (told.code, "holds versions 1 to 4" in told.sentence) == (2, True)


def test_looking_changes_nothing(run: Run, home: Path) -> None:
    before = contents(home)
    for args in (("recall", "evening", "stove"), ("why", "evening", 2)):
        assert run(*args).code == 0
    assert {**contents(home), "vectors": []} == {**before, "vectors": []}, "recall makes what it lacks, where it can"


# the measure of recall

CONVERSATION: list[dict[str, Any]] = [
    {
        "conversation": "one",
        "turns": [
            {"id": f"D1:{n}", "at": "1:56 pm on 8 May, 2023", "speaker": speaker, "text": text, "session": "1"}
            for n, (speaker, text) in enumerate(
                (("Ann", "I adopted a greyhound."), ("Bob", "What is it called?"), ("Ann", "He is called Turnip.")), 1
            )
        ],
        "questions": [
            {"question": "What did Ann adopt?", "category": 4, "evidence": ["D1:1"]},
            {"question": "What is the greyhound called?", "category": 1, "evidence": ["D1:1", "D1:3"]},
        ],
    }
]


@pytest.fixture
def conversations(tmp_path: Path) -> Path:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(CONVERSATION))
    return file


def test_the_measure_of_recall_is_one_object_of_this_form(tmp_path: Path, conversations: Path) -> None:
    told = run_at(tmp_path, "bench", "recall", conversations, "--text-only", "--json").object
    assert told == {
        "recall@5": 1.0,
        "recall@10": 1.0,
        "recall@20": 1.0,
        "recall@50": 1.0,
        "by_category": {"1": 1.0, "4": 1.0},
    }


def test_the_measure_of_recall_tells_people_what_words_alone_give(tmp_path: Path, conversations: Path) -> None:
    told = run_at(tmp_path, "bench", "recall", conversations, "--text-only").out
    assert "recall@10" in told
    assert "words alone" in told
    assert "2 questions, 3 memories" in told


def test_a_file_that_holds_no_conversations_is_refused(tmp_path: Path) -> None:
    assert "there is no" in run_at(tmp_path, "bench", "recall", tmp_path / "none.json").sentence
    (tmp_path / "junk.json").write_text("{}")
    told = run_at(tmp_path, "bench", "recall", tmp_path / "junk.json", "--json")
    assert (told.code, told.object["error"]["kind"]) == (2, "Malformed")


def test_an_option_before_the_command_of_a_group_is_not_lost_silently(tmp_path: Path) -> None:
    told = run_at(tmp_path, "bench", "--seconds", 1, "recall", "x.json")
    assert (told.code, told.sentence) == (2, "write the options behind 'recall', not before it")
