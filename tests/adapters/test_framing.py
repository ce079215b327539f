"""Frames that say again what somebody told."""

from __future__ import annotations

from greenroom.adapters.understudy import FoundMemory
from greenroom.adapters.understudy.framing import answers, from_memory
from greenroom.kernel.facts import SELF, Noticed


def test_braces_in_what_was_told_are_only_braces() -> None:
    told = Noticed(subject="cat", relation="name", value="{Tom}", text="My cat is called {Tom} {0}.")
    lines = from_memory(["You said: {you}", "{value}, that was it."], FoundMemory(told, day="", score=1.0))
    assert lines == ["You said: your cat is called {Tom} {0}", "{Tom}, that was it."]


def test_of_two_things_that_may_be_meant_both_are_quoted() -> None:
    told = Noticed(subject=SELF, relation="told", value="", text="my sister has a goat.")
    found = FoundMemory(told, day="3 March 2031", score=1.0, other="I have two of them.")
    lines = {"either": ["“{quote}”, or “{other}”."], "told": ["{you}."], "earlier": ["{you}: {day}."]}
    assert answers(lines, found, own=())[0] == ["“My sister has a goat”, or “I have two of them”."]
