"""A turn as far as its stored answers reach."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from greenroom.kernel.asks import Ask, AskModel, Failed, Play, Read, Recall, Recalled, Roll, UseTool
from greenroom.kernel.codec import fingerprint
from greenroom.kernel.errors import Malformed, Refused
from greenroom.kernel.script import Answer, Script, answer_bytes, answer_value
from greenroom.kernel.words import Scope
from greenroom.kernel.worlds import Done, done

Turn = Generator[Any, Any, Any]

MODEL = AskModel(role="fast", sections=(), max_tokens=9)
RECALL = Recall(query="boat", scope=Scope(world="w", owner="ada"))


def stored(n: int, ask: Ask, value: Any) -> Answer:
    return Answer(n, fingerprint(ask), answer_bytes(value))


def run(script: Script[Any], *answers: Any) -> Done[Any] | None:
    """Run to the end, answering asks as they come."""
    waiting = list(answers)
    while (finished := script.run()) is None:
        for n in list(script.pending):
            script.answer(n, waiting.pop(0))
    return finished


def three_asks() -> Turn:
    first = yield Roll((6,))
    both = yield (MODEL, UseTool(name="look"))
    return done((first, both))


def test_a_turn_without_asks_ends_at_once() -> None:
    def turn() -> Turn:
        yield from ()
        return done("event")

    assert Script(turn()).run() == done("event")


def test_asks_are_numbered_flat_and_a_tuple_is_asked_at_once() -> None:
    script: Script[Any] = Script(three_asks())
    assert script.run() is None
    assert script.pending == {0: Roll((6,))}
    script.answer(0, (3,))
    assert script.run() is None
    assert script.pending == {1: MODEL, 2: UseTool(name="look")}
    script.answer(2, "seen")
    assert script.run() is None
    assert list(script.pending) == [1]
    script.answer(1, "said")
    assert script.run() == done(((3,), ("said", "seen")))


def test_an_ask_alone_gets_its_answer_and_a_tuple_of_one_gets_a_tuple() -> None:
    def turn() -> Turn:
        alone = yield MODEL
        group = yield (MODEL,)
        nobody = yield ()
        return done((alone, group, nobody))

    assert run(Script(turn()), "a", "b") == done(("a", ("b",), ()))


def test_stored_answers_are_not_asked_again() -> None:
    answers = [stored(0, Roll((6,)), (3,)), stored(2, UseTool(name="look"), "seen")]
    script: Script[Any] = Script(three_asks(), answers)
    assert script.run() is None
    assert script.pending == {1: MODEL}
    assert script.stale_from is None
    script.answer(1, "said")
    assert script.run() == done(((3,), ("said", "seen")))


def test_from_the_first_answer_that_does_not_fit_all_later_ones_are_void() -> None:
    answers = [
        stored(0, Roll((6,)), (3,)),
        stored(1, AskModel(role="quality", sections=(), max_tokens=9), "old"),
        stored(2, UseTool(name="look"), "seen"),
    ]
    script: Script[Any] = Script(three_asks(), answers)
    assert script.run() is None
    assert script.stale_from == 1
    assert script.pending == {1: MODEL, 2: UseTool(name="look")}


def test_an_answer_is_sent_in_the_same_form_whether_fresh_or_stored() -> None:
    found = [Recalled(id="m", text="a boat", speaker="ada", kind="message", score=0.5)]
    for ask, value in (
        (Roll((6, 6)), (1, 2)),
        (Read(("m",)), {"m": "text"}),
        (RECALL, found),
        (MODEL, {"line": "Sit.", "list": [1, 2]}),
        (MODEL, "text"),
        (UseTool(name="t"), None),
        (Play(world="w"), {"won": True}),
        (MODEL, Failed("time-out")),
    ):

        def turn(ask: Ask = ask) -> Turn:
            return done((yield ask))

        fresh = run(Script(turn()), value)
        again = Script(turn(), [stored(0, ask, value)]).run()
        assert fresh == again == done(value)


def test_a_tuple_in_a_models_answer_comes_back_as_a_list_both_times() -> None:
    assert answer_value(MODEL, answer_bytes({"a": (1, 2)})) == {"a": [1, 2]}


def test_an_answer_comes_back_as_it_is_to_be_stored() -> None:
    script: Script[Any] = Script(three_asks())
    script.run()
    assert script.answer(0, (3,)).stored() == Answer(0, fingerprint(Roll((6,))), b'{"ok":[3]}')


def test_only_a_pending_ask_can_be_answered() -> None:
    script: Script[Any] = Script(three_asks())
    script.run()
    with pytest.raises(KeyError):
        script.answer(5, "x")


@pytest.mark.parametrize("wrong", ["a string", None, 7, (MODEL, "a string"), [MODEL]])
def test_a_turn_may_yield_asks_only(wrong: Any) -> None:
    def turn() -> Turn:
        yield wrong
        return done()

    with pytest.raises(Malformed, match="a turn may yield asks, not"):
        Script(turn()).run()


@pytest.mark.parametrize("wrong", [None, (), ["event"], "event"])
def test_a_turn_must_return_done(wrong: Any) -> None:
    def turn() -> Turn:
        yield from ()
        return wrong

    with pytest.raises(Malformed, match="a turn must return Done, not"):
        Script(turn()).run()


def test_what_a_turn_raises_comes_out() -> None:
    def turn() -> Turn:
        yield MODEL
        raise Refused("not today")

    with pytest.raises(Refused, match="not today"):
        run(Script(turn()), "x")


def test_a_dropped_turn_is_closed_and_can_be_driven_again() -> None:
    closed = []

    def turn() -> Turn:
        try:
            first = yield MODEL
            second = yield MODEL
        finally:
            closed.append(True)
        return done((first, second))

    script: Script[Any] = Script(turn())
    script.run()
    kept = script.answer(0, "one").stored()
    script.run()
    script.close()
    assert closed == [True]
    assert run(Script(turn(), [kept]), "two") == done(("one", "two"))
