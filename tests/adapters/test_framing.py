"""Frames that say again what somebody told."""

from __future__ import annotations

from greenroom.adapters.understudy import FoundMemory
from greenroom.adapters.understudy.framing import from_memory
from greenroom.kernel.facts import Noticed


def test_braces_in_what_was_told_are_only_braces() -> None:
    told = Noticed(subject="cat", relation="name", value="{Tom}", text="My cat is called {Tom} {0}.")
    lines = from_memory(["You said: {you}", "{value}, that was it."], FoundMemory(told, day="", score=1.0))
    assert lines == ["You said: your cat is called {Tom} {0}", "{Tom}, that was it."]
