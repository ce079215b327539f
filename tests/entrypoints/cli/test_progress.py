"""The bar is for people who wait."""

from __future__ import annotations

import io
import sys
import time

import pytest

from greenroom.kit.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, *, patience: float) -> str:
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", patience)
    with progress.Bar("verify evening") as bar:
        bar(1, 2)
        bar(2, 2)
    return stderr.getvalue()


def test_work_that_takes_a_while_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "verify evening" in shown(monkeypatch, Terminal(), patience=0)


def test_short_work_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, Terminal(), patience=60) == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), patience=0) == ""


@pytest.mark.parametrize(("patience", "takes", "seen"), [(0.01, 0.5, True), (60, 0, False)])
def test_work_that_cannot_say_how_far_it_is_is_shown_too(
    monkeypatch: pytest.MonkeyPatch, patience: float, takes: float, seen: bool
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", patience)
    with progress.waiting("opening the house"):
        time.sleep(takes)
    assert ("opening the house" in terminal.getvalue()) is seen
