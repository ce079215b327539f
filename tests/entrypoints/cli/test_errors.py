"""Bad input: one sentence, the right exit code, nothing changed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.worlds.lighthouse.rules.commands import Climb
from tests.entrypoints.cli.conftest import Run, contents, run_at
from tests.houses import HOUSES

USAGE: list[Any] = [
    (("show", "nobody"), "Unknown", "there is no stream nobody"),
    (("replay", "nobody"), "Unknown", "there is no stream nobody"),
    (("verify", "nobody"), "Unknown", "there is no stream nobody"),
    (("branch", "nobody"), "Unknown", "there is no stream nobody"),
    (("recall", "nobody", "soup"), "Unknown", "there is no stream nobody"),
    (("why", "nobody", 1), "Unknown", "there is no stream nobody"),
    (("why", "evening", 99), "OutOfRange", "99"),
    (("recall", "evening", "soup", "--limit", 0), "UsageError", "limit"),
    (("recall", "evening", "soup", "--agent", " "), "Malformed", "agent"),
    (("export", "nobody", "-o", "/tmp/never"), "Unknown", "there is no stream nobody"),
    (("send", "nobody", "climb"), "Unknown", "there is no stream nobody"),
    (("streams", "--branches-of", "nobody"), "Unknown", "there is no stream nobody"),
    (("start", "nowhere"), "Unknown", "there is no world 'nowhere'; there is "),
    (("import", "/nowhere/x.jsonl"), "Unknown", "/nowhere/x.jsonl"),
    pytest.param(("db", "restore", "/nowhere/x.db"), "Unknown", "/nowhere/x.db", marks=pytest.mark.sqlite),
    (("show", "evening", "--version", 99), "OutOfRange", "99"),
    (("show", "evening", "--version", -1), "OutOfRange", "-1"),
    (("branch", "evening", "--at", 99), "OutOfRange", "99"),
    (("replay", "evening", "--from", 9), "OutOfRange", "versions 1 to 4"),
    (("replay", "evening", "--to", 9), "OutOfRange", "versions 1 to 4"),
    (("replay", "evening", "--from", 0), "OutOfRange", "versions 1 to 4"),
    (("replay", "evening", "--from", 3, "--to", 2), "Malformed", "--from 3 comes after --to 2"),
    (("send", "evening", "say", "{text"), "Malformed", "not JSON"),
    (("send", "evening", "say", "[]"), "Malformed", "say"),
    (("send", "evening", "say", "{}"), "Malformed", "text"),
    (("send", "evening", "say", '{"text": 5}'), "Malformed", "text"),
    (("send", "evening", "say", '{"text": "\\ud800"}'), "Malformed", "JSON"),
    (("send", "evening", "jump"), "Malformed", "climb, correct, leave, say, write"),
    (("send", "evening", "climb", "--key", "k" * 201), "Malformed", "200"),
    (("start", "lighthouse", "7"), "Malformed", "config"),
    (("start", "lighthouse", "--owner", " "), "Malformed", "owner"),
    (("branch", "evening", "--name", "a\nb"), "Malformed", "name"),
    (("start", "lighthouse", "--name", "evening", "--owner", "ada", "--seed", "x"), "UsageError", "seed"),
    (("import", "/tmp"), "Malformed", "directory"),
    (("show", "\udcff"), "Malformed", "UTF-8"),
    (("show",), "UsageError", "STREAM"),
    (("frobnicate",), "UsageError", "frobnicate"),
    (("db", "frobnicate"), "UsageError", "frobnicate"),
    (("show", "evening", "--sea"), "UsageError", "--sea"),
    (("streams", "--limit", 0), "UsageError", "limit"),
    (("worker", "--concurrency", 0), "UsageError", "concurrency"),
    (("db", "forget", "ada"), "UsageError", "nothing was removed"),
]


@pytest.mark.parametrize(("args", "kind", "fragment"), USAGE, ids=lambda value: str(value)[:40])
def test_a_callers_mistake_ends_with_2_and_changes_nothing(
    run: Run, home: Path, args: tuple[object, ...], kind: str, fragment: str
) -> None:
    before = contents(home)
    told = run(*args)
    assert told.code == 2
    assert fragment in (told.err if args[:2] == ("db", "forget") else told.sentence)
    as_json = run(*args, "--json")
    assert as_json.code == 2
    assert as_json.object["error"]["kind"] == kind
    assert fragment in as_json.object["error"]["message"]
    assert contents(home) == before


def test_what_the_rules_refuse_is_recorded_as_refused_and_makes_no_version(run: Run) -> None:
    told = run("send", "evening", "climb", "--seat", "keeper")
    assert (told.code, told.sentence) == (2, "only the seat 'visitor' gives commands here; the keeper acts by herself")
    assert run("show", "evening", "--json").object["newest"] == 4
    run("send", "evening", "leave")
    assert "the visit is over" in run("send", "evening", "climb").sentence


def test_a_key_with_another_body_is_refused(run: Run) -> None:
    run("send", "evening", "climb", "--key", "k")
    told = run("send", "evening", "leave", "--key", "k", "--json")
    assert (told.code, told.object["error"]["kind"]) == (2, "KeyReused")


def test_a_name_that_is_taken_ends_with_4(run: Run, home: Path) -> None:
    run("branch", "evening", "--at", 1, "--name", "other")
    before = contents(home)
    told = run("branch", "evening", "--at", 2, "--name", "other")
    assert (told.code, told.sentence) == (4, "there is another stream other; choose a name that is free")
    assert contents(home) == before


@pytest.mark.sqlite
def test_no_house_is_made_by_looking_for_one(tmp_path: Path) -> None:
    for args in (("streams",), ("show", "x"), ("send", "x", "y"), ("db", "check"), ("db", "backup"), ("db", "prune")):
        told = run_at(tmp_path / "none", *args)
        assert (told.code, told.sentence.startswith("there is no house in ")) == (2, True)
    assert not (tmp_path / "none").exists()


def test_a_house_of_a_newer_greenroom_ends_with_3_and_is_left_alone(run: Run, home: Path) -> None:
    HOUSES.execute(home, "INSERT INTO schema_versions (version, at, greenroom) VALUES ('9999', 0, '99.0')")
    before = contents(home)
    for args in (("streams",), ("send", "evening", "climb"), ("worker",), ("up",), ("db", "migrate"), ("db", "check")):
        told = run(*args, "--json")
        assert (told.code, told.object["error"]["kind"]) == (3, "NewerSchema")
    assert "upgrade Greenroom" in run("streams").sentence
    assert contents(home) == before


@pytest.mark.sqlite
@pytest.mark.parametrize("what", ["a poem, and no database at all " * 200, "another program's"], ids=["poem", "songs"])
def test_a_file_that_is_no_house_ends_with_3_and_is_left_alone(tmp_path: Path, what: str) -> None:
    file = tmp_path / "house.db"
    if what.startswith("another"):
        HOUSES.execute(tmp_path, "CREATE TABLE songs (name TEXT)")
    else:
        file.write_text(what)
    before = file.read_bytes()
    told = run_at(tmp_path, "streams")
    assert told.code == 3
    assert str(file) in told.sentence
    assert file.read_bytes() == before


def test_an_altered_event_ends_with_3(run: Run, home: Path) -> None:
    ((events,),) = HOUSES.execute(home, "SELECT events FROM steps WHERE version = 2")
    altered = events.replace(b"said", b"sang")
    HOUSES.execute(home, "UPDATE steps SET events = $1 WHERE version = 2", altered)
    told = run("verify", "evening", "--json")
    assert told.code == 3
    assert told.object["problems"]
    assert run("db", "check").code == 3
    assert "version 2" in run("verify", "evening").out


@pytest.mark.sqlite
def test_a_place_that_cannot_be_written_ends_with_5(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = run_at(tmp_path / "file" / "home", "start", "lighthouse")
    assert told.code == 5
    assert "cannot be made" in told.sentence
    assert run_at(tmp_path / "file" / "home", "up", "--json").object["error"]["kind"] == "ReadOnly"


async def test_a_turn_that_nobody_carries_out_in_time_ends_with_5_and_can_be_had_later(run: Run, home: Path) -> None:
    HOUSES.execute(home, "UPDATE streams SET holder = 'somebody else', busy_until = 9000000000000000")
    told = await asyncio.to_thread(run, "send", "evening", "climb", "--key", "k", "--wait", 0.2, "--json")
    assert (told.code, told.object["error"]["kind"]) == (5, "TryLater")
    assert "--key k" in told.object["error"]["message"]
    HOUSES.execute(home, "UPDATE streams SET holder = NULL, busy_until = 0")
    async with greenroom.open(home / "house.db") as house:
        assert (await house.send("evening", Climb(), seat="visitor", key="k")).version == 5


def test_a_file_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert run("export", "evening", "-o", tmp_path).code == 2
    assert str(tmp_path / "no" / "x") in run("export", "evening", "-o", tmp_path / "no" / "x").sentence
    assert run("export", "evening", "-o", tmp_path / "file" / "x").code == 2


@pytest.mark.parametrize("value", ["many", "0", "-3"])
def test_a_malformed_setting_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GREENROOM_CONCURRENCY", value)
    told = run("streams")
    assert told.code == 2
    assert told.sentence.startswith("GREENROOM_CONCURRENCY: ")


def test_a_bug_is_told_as_one_object_and_raised(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("greenroom.bootstrap.open_house", broken)
    with pytest.raises(ZeroDivisionError):
        run("streams", "--json")


def test_without_a_command_the_help_is_shown() -> None:
    for args in ((), ("db",)):
        told = run_at(Path(), *args)
        assert told.code == 2
        assert "Commands:" in told.err


def test_the_version_is_told() -> None:
    assert run_at(Path(), "--version").out == f"greenroom {greenroom.__version__}\n"
