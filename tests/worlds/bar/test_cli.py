"""``greenroom bar`` from the outside."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters import mpnet
from tests.commands import call
from tests.houses import HOUSES


def run(home: Path, *args: str, code: int = 0) -> Any:
    with HOUSES.at(home), redirect_stdout(io.StringIO()) as out:
        ended = call(["bar", *args, "--home", str(home), "--json"])
    assert ended == code, out.getvalue()
    return json.loads(out.getvalue())


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))


def test_a_guest_chats_leaves_comes_back_and_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "I keep bees on a roof.", "mute jb", "/help", "/leave")
    first = run(tmp_path, "chat")
    assert (first["session_status"], first["model"]) == ("ended", "understudy")
    assert [line["kind"] for line in first["messages"]] == ["greeting", "reply", "notice", "farewell"]
    typed(monkeypatch, "Good evening.", "/quit")
    again = run(tmp_path, "chat")
    assert again["session_status"] == "active"
    (guest,) = run(tmp_path, "guests")["guests"]
    assert (guest["sessions"], guest["message_count"]) == (2, 1)
    spent = run(tmp_path, "cost")
    assert spent["messages"] == 3
    assert spent["ledger"]["dollars"] == 0
    assert 0 < spent["list"]["with_cache"]["dollars_per_1000_messages"] <= 30


def test_codes_are_made_listed_and_disabled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ruling 10."""
    made = run(tmp_path, "invite", "--count", "10")["made"]
    assert len(set(made)) == 10
    listed = run(tmp_path, "invite", "--disable", made[0])["codes"]
    assert [one["code"] for one in listed if one["disabled"]] == [made[0]]
    assert run(tmp_path, "invite", "--disable", "nope", code=2)["error"]["kind"] == "Unknown"
    typed(monkeypatch, "/quit")
    assert "invitation" in run(tmp_path, "chat", code=2)["error"]["message"]
    typed(monkeypatch, "/quit")
    assert "disabled" in run(tmp_path, "chat", "--code", made[0], code=2)["error"]["message"]
    typed(monkeypatch, "/quit")
    assert run(tmp_path, "chat", "--code", made[1])["messages"]


def test_an_evening_is_the_same_with_the_same_seed(tmp_path: Path) -> None:
    first, again = (run(tmp_path, "evening", "--seed", "4", "--guests", "2") for _ in range(2))
    assert first == again
    assert first["guests"] == 2
    assert first["repeated_lines"] == 0


def test_a_bar_that_watches_by_words_alone_says_so_when_it_opens_to_the_doctor_and_among_the_worlds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    monkeypatch.setattr(mpnet, "NEEDED", ("no-such-part",))
    run(tmp_path, "invite")
    assert "by words alone" in capsys.readouterr().err + caplog.text
    for command in ("doctor", "worlds"):
        assert call([command, "--home", str(tmp_path)]) == 0
        assert "guests in danger are looked for by words alone" in capsys.readouterr().out


def test_a_file_of_cases_is_measured_and_the_understudy_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text('text,label\n"I want to kill myself tonight.",crisis\nGood evening.,ok\n"The zebra hums.",crisis\n')
    local = run(tmp_path, "evaluate", str(file), "--check", "local")
    assert (local["recall"], local["false_positive_rate"], local["misses"]) == (0.5, 0.0, ["The zebra hums."])
    assert local["model"] is None
    assert run(tmp_path, "evaluate", str(file), "--check", "model")["model"] == "understudy"
    assert run(tmp_path, "evaluate", str(file))["recall"] == 0.5


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n", "columns text and label"),
        ("text,label\nhello,perhaps\n", ":2: a case has"),
        ("text,label\n", "no case"),
    ],
)
def test_a_file_of_another_form_is_refused_with_the_line(tmp_path: Path, content: str, sentence: str) -> None:
    file = tmp_path / "cases.csv"
    file.write_text(content)
    assert sentence in run(tmp_path, "evaluate", str(file), code=2)["error"]["message"]
    assert run(tmp_path, "evaluate", str(tmp_path / "none.csv"), code=2)["error"]["kind"] == "Unknown"
