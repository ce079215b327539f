"""The understudy: deterministic, honest about what it is, and able to fill any schema without giving secrets away."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greenroom.adapters.models.schema import faults, read
from greenroom.adapters.models.understudy import Understudy
from greenroom.kernel.asks import AskModel, Failed, Section
from greenroom.kernel.errors import Malformed
from tests.counts import count as times
from tests.models.conftest import SCHEMA, asked, keeper


async def test_the_ledger_says_who_played() -> None:
    value, (entry,) = await Understudy(digest=lambda world: world[:5]).ask(keeper(), asked(4))
    assert not faults(value, SCHEMA)
    assert (entry.model, entry.status, entry.cost, entry.n) == ("understudy", "ok", 0, 4)
    account = json.loads(entry.account)
    assert account["digest"] == "light"
    assert [section["tokens"] > 0 for section in account["sections"]] == [True] * 3
    assert b"soup" not in entry.account


async def test_the_same_ask_gets_the_same_answer() -> None:
    assert (await Understudy().ask(keeper(), asked()))[0] == (await Understudy().ask(keeper(), asked(7)))[0]


async def test_a_world_brings_its_own_parts() -> None:
    parts = {
        "lighthouse": lambda ask, where: {"line": "World.", "mood": "wry"},
        "lighthouse/fast": lambda ask, where: {"line": "Role.", "mood": "curt"},
        "bar": lambda ask, where: {"line": "Bar.", "mood": "warm"},
    }
    understudy = Understudy(parts)
    assert (await understudy.ask(keeper(), asked()))[0] == {"line": "World.", "mood": "wry"}
    assert (await understudy.ask(keeper(role="fast"), asked()))[0] == {"line": "Role.", "mood": "curt"}


async def test_a_part_that_does_not_fit_the_schema_is_not_used() -> None:
    value, _ = await Understudy({"lighthouse": lambda ask, where: "soup"}).ask(keeper(), asked())
    assert not faults(value, SCHEMA)


def _ask(schema: Any, said: str, **more: str) -> AskModel:
    others = tuple(Section(name=name, texts=(text,), stable=True) for name, text in more.items())
    return keeper(schema=schema, sections=(*others, Section(name="said", texts=(said,))))


def _answer(schema: Any, said: str, lexicon: Any = None, **more: str) -> Any:
    value = Understudy(lexicons={"lighthouse": lexicon or {}}).speak(_ask(schema, said, **more), asked())
    assert not isinstance(value, Failed)
    assert not faults(value, schema)
    return value


def test_a_choice_is_made_by_the_words_it_shares_with_what_was_said() -> None:
    routes = {"enum": ["order_food", "small_talk", "complaint", "leave"]}
    assert _answer(routes, "Could I order something to eat? Any food left?") == "order_food"
    assert _answer(routes, "I have a complaint about my neighbour.") == "complaint"
    assert _answer(routes, "Good night, off I go.", {"leave": ("good night", "goodbye", "off")}) == "leave"


def test_claims_are_sentences_that_were_said() -> None:
    schema = {"type": "array", "items": {"type": "string"}, "maxItems": 2}
    said = "East: I was in the archive. West has the key! Who else saw it?"
    assert _answer(schema, said) == ["West has the key!", "Who else saw it?"]


def test_numbers_and_yes_or_no_are_taken_from_what_was_said() -> None:
    bid = {"type": "object", "properties": {"bid": {"type": "integer", "minimum": 1, "maximum": 9}}}
    assert _answer(bid, "I bid 7, not 70.") == {"bid": 7}
    assert _answer(bid, "Whatever you like.") == {"bid": 5}
    holds = {"type": "object", "properties": {"wants_coffee": {"type": "boolean"}}, "required": ["wants_coffee"]}
    assert _answer(holds, "A coffee, please.") == {"wants_coffee": True}
    assert _answer(holds, "No coffee for me.") == {"wants_coffee": False}


def test_a_secret_is_never_given_out() -> None:
    schema = {"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]}
    for said in ("", "Tell me.", "What is the secret line of the boat?"):
        value = _answer(schema, said, secret="The boat lies under the north stair.", hand="queen, seven")
        assert "stair" not in value["line"]
        assert "queen" not in value["line"]


def test_text_alone_is_text() -> None:
    assert Understudy().speak(keeper(schema=None), asked()) == "Is there soup?"


_leaves = st.one_of(
    st.builds(lambda a, b: {"type": "integer", "minimum": a, "maximum": a + b}, st.integers(-9, 9), st.integers(0, 9)),
    st.just({"type": "number"}),
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.builds(
        lambda a, b: {"type": "string", "minLength": a, "maxLength": a + b}, st.integers(0, 30), st.integers(0, 30)
    ),
    st.lists(st.sampled_from(["red", "blue", "go on", "soup", 3, None]), min_size=1, unique=True).map(
        lambda options: {"enum": options}
    ),
    st.just({"const": "x"}),
    st.just({"type": ["string", "null"]}),
)
_schemas: st.SearchStrategy[dict[str, Any]] = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds(
            lambda items, least, more: {"type": "array", "items": items, "minItems": least, "maxItems": least + more},
            inner,
            st.integers(0, 3),
            st.integers(0, 3),
        ),
        st.builds(
            lambda props: {
                "type": "object",
                "properties": props,
                "required": list(props)[:2],
                "additionalProperties": False,
            },
            st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda forms: {"anyOf": forms}),
    ),
    max_leaves=8,
)


@settings(max_examples=times(150, soak=3_000), deadline=None)
@given(_schemas, st.text(max_size=80))
def test_any_schema_is_filled(schema: dict[str, Any], said: str) -> None:
    ask = _ask(schema, said)
    value = Understudy().speak(ask, asked())
    assert not isinstance(value, Failed)
    assert not faults(value, schema)
    assert Understudy().speak(ask, asked()) == value


def test_references_are_followed() -> None:
    schema = {
        "type": "object",
        "properties": {"votes": {"type": "array", "items": {"$ref": "#/$defs/vote"}, "minItems": 1}},
        "required": ["votes"],
        "$defs": {"vote": {"type": "object", "properties": {"for": {"enum": ["east"]}}, "required": ["for"]}},
    }
    assert _answer(schema, "east") == {"votes": [{"for": "east"}]}
    with pytest.raises(Malformed, match="leads nowhere"):
        faults(1, {"$ref": "#/$defs/none"})


# reading answers


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("x", "answer must be of type object"),
        ({"mood": "wry"}, "answer.line is missing"),
        ({"line": "", "mood": "wry"}, "answer.line has 0 characters; it must have at least 1"),
        ({"line": "x" * 601, "mood": "wry"}, "answer.line has 601 characters; it may have at most 600"),
        ({"line": "x", "mood": "sad"}, "answer.mood is not one of curt, plain, wry, warm"),
        ({"line": 4, "mood": "wry"}, "answer.line must be of type string"),
        ({"line": "x", "mood": "wry", "z": 1}, "answer has a field that is not known; it knows line, mood"),
    ],
)
def test_faults_name_the_place_and_never_the_words(value: Any, fault: str) -> None:
    assert faults(value, SCHEMA) == (fault,)


def test_numbers_have_their_types_and_limits() -> None:
    assert not faults(3.0, {"type": "integer"})
    assert faults(3.5, {"type": "integer"})
    assert faults(True, {"type": "integer"})
    assert faults(True, {"enum": [1]})
    assert faults(4, {"maximum": 3})
    assert faults(4, {"exclusiveMinimum": 4})
    assert faults([1, "x"], {"items": {"type": "integer"}}) == ("answer[1] must be of type integer",)
    assert faults({"a": 1}, {"additionalProperties": {"type": "string"}}) == ("answer.* must be of type string",)
    assert faults("b", {"pattern": "^a"})
    assert faults(1, {"anyOf": [{"type": "string"}, {"type": "null"}]}) == ("answer fits none of its 2 forms",)


def test_an_answer_in_a_fence_is_read() -> None:
    assert read('```json\n{"line": "x", "mood": "wry"}\n```', SCHEMA) == ({"line": "x", "mood": "wry"}, ())
    assert read("  ", None)[1] == ("the answer is empty",)
