"""Streams from the command line: begun, played, looked at, branched, checked."""

from __future__ import annotations

from pathlib import Path

from tests.entrypoints.cli.conftest import Run, contents, run_at


def test_a_stream_is_begun_and_the_same_name_gives_it_again(tmp_path: Path) -> None:
    first = run_at(tmp_path, "start", "lighthouse", "{}", "--name", "a", "--seed", 3, "--json").object
    assert (first["stream"], first["version"], first["new"]) == ("a", 1, True)
    again = run_at(tmp_path, "start", "lighthouse", "{}", "--name", "a", "--seed", 3, "--json").object
    assert again == {**first, "new": False}


def test_streams_lists_by_name_with_filters_and_pages(run: Run) -> None:
    assert run("branch", "evening", "--name", "other").code == 0
    assert [row["stream"] for row in run("streams", "--json").object["streams"]] == ["evening", "other"]
    assert [row["stream"] for row in run("streams", "--branches-of", "evening", "--json").object["streams"]] == [
        "other"
    ]
    assert run("streams", "--owner", "nobody", "--json").object == {"streams": [], "after": None}
    page = run("streams", "--limit", 1, "--json").object
    assert page["after"] == "evening"
    rest = run("streams", "--after", page["after"], "--json").object
    assert [row["stream"] for row in rest["streams"]] == ["other"]


def test_streams_tells_people_how_each_one_stands(run: Run) -> None:
    run("branch", "evening", "--at", 2, "--name", "other")
    listed = run("streams").out
    assert "branch of evening at 2" in listed
    assert "wakes " in listed
    assert run("streams", "--world", "nowhere").out == "no streams\n"


def test_a_command_is_sent_once_per_key(run: Run) -> None:
    first = run("send", "evening", "climb", "--key", "k", "--json").object
    assert (first["version"], first["new"]) == (5, True)
    again = run("send", "evening", "climb", "--key", "k", "--json").object
    assert again == {**first, "new": False}
    assert "as it was answered before" in run("send", "evening", "climb", "--key", "k").out


def test_the_fields_of_a_command_may_come_from_standard_input(run: Run) -> None:
    assert run("send", "evening", "say", "-", "--json", typed='{"text": "Hello."}').object["reply"]["said"] == "Hello."


def test_a_seat_sees_what_its_view_gives_it(run: Run) -> None:
    visitor = run("show", "evening", "--seat", "visitor", "--json").object
    operator = run("show", "evening", "--json").object
    assert visitor["view"]["secret"] is None
    assert operator["view"]["secret"]
    assert operator["view"]["secret"] not in run("show", "evening", "--seat", "visitor").out
    assert operator["view"]["secret"] not in run("replay", "evening", "--seat", "visitor").out


def test_show_goes_back_to_any_version(run: Run) -> None:
    shown = run("show", "evening", "--version", 1, "--json").object
    assert (shown["version"], shown["newest"], shown["view"]["recent"]) == (1, 4, [])


def test_replay_tells_each_step_with_its_time_and_who_caused_it(run: Run) -> None:
    steps = run("replay", "evening", "--json").object["steps"]
    assert [step["version"] for step in steps] == [1, 2, 3, 4]
    assert [step["by"] for step in steps] == ["house", "visitor", "visitor", "visitor"]
    assert [event["kind"] for event in steps[1]["events"]] == ["said", "answered"]
    assert steps == sorted(steps, key=lambda step: str(step["at"]))
    told = run("replay", "evening", "--from", 2, "--to", 2).out
    assert "said: Good evening." in told
    assert told.split()[0] == "2"


def test_replay_of_a_branch_begins_with_the_past_it_shares(run: Run) -> None:
    run("branch", "evening", "--at", 2, "--name", "other")
    run("send", "other", "leave")
    steps = run("replay", "other", "--json").object["steps"]
    assert [(step["version"], step["by"]) for step in steps] == [(1, "house"), (2, "visitor"), (3, "visitor")]
    assert steps[:2] == run("replay", "evening", "--to", 2, "--json").object["steps"]


def test_a_branch_leaves_its_parent_as_it_is(run: Run) -> None:
    before = run("show", "evening", "--version", 4, "--json").object
    made = run("branch", "evening", "--at", 1, "--name", "other", "--json").object
    assert (made["parent"], made["forked_at"], made["awake"]) == ("evening", 1, False)
    run("send", "other", "leave")
    assert run("show", "evening", "--version", 4, "--json").object == before
    assert run("branch", "evening", "--awake", "--json").object["awake"] is True


def test_verify_finds_nothing_in_a_sound_stream_and_changes_nothing(run: Run, home: Path) -> None:
    before = contents(home)
    sound = {"stream": "evening", "versions": 4, "problems": [], "missing": None}
    assert run("verify", "evening", "--json").object == sound
    assert run("verify", "evening").out == "stream evening: 4 versions, all as they were written\n"
    assert contents(home) == before


def test_every_command_that_looks_changes_nothing(run: Run, home: Path) -> None:
    before = contents(home)
    for args in (("streams",), ("show", "evening"), ("replay", "evening"), ("db", "check")):
        assert run(*args).code == 0
    assert contents(home) == before
