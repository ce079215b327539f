"""Values to canonical bytes and back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.kernel.asks import Roll
from greenroom.kernel.codec import Codec, canonical, codecs, filled, fingerprint, parse
from greenroom.kernel.errors import CorruptHistory, Malformed
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Wake
from tests.kernel.toys import Config, Counted, Said, Say, State, Vote, toy

CODEC: Codec[State, Any, Any] = Codec(toy())

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
EVENTS = st.one_of(
    st.builds(Said, words=st.builds(lambda id: Words(id=id), TEXT), loud=st.booleans()),
    st.builds(
        Counted,
        share=st.floats(allow_nan=False, allow_infinity=False),
        tally=st.dictionaries(TEXT, st.integers(-(1 << 62), 1 << 62), max_size=4),
        names=st.frozensets(TEXT, max_size=4),
        at=st.none() | st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-3))])),
        day=st.none() | st.dates(),
    ),
)


@given(st.lists(EVENTS, max_size=4))
def test_what_is_read_back_gives_the_same_bytes_again(events: list[Any]) -> None:
    data = CODEC.events(events)
    assert CODEC.events(CODEC.read_events(data)) == data


@given(st.dictionaries(TEXT, st.integers(), max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(tally: dict[str, int], random: Any) -> None:
    shuffled = list(tally.items())
    random.shuffle(shuffled)
    assert canonical(dict(shuffled)) == canonical(tally)


def test_stored_bytes_are_sorted_json_with_stable_kind_names() -> None:
    event = Counted(0.5, {"b": 1, "a": 2}, frozenset({"z", "y"}), datetime(2031, 1, 1, tzinfo=UTC), date(2031, 1, 2))
    assert CODEC.events([event]) == (
        b'[["counted",{"at":"2031-01-01T00:00:00Z","day":"2031-01-02","names":["y","z"],'
        b'"share":0.5,"tally":{"a":2,"b":1}}]]'
    )


def test_stored_bytes_hold_the_id_of_words_and_never_the_text() -> None:
    words = Words("a confession", id="s/1.0")
    assert CODEC.events([Said(words)]) == b'[["said",{"loud":false,"words":"s/1.0"}]]'
    assert b"confession" not in CODEC.command(Say(words, aside=words)) + CODEC.state(State(last=words))
    (read,) = CODEC.read_events(CODEC.events([Said(words)]))
    assert (read.words.id, read.words.text) == ("s/1.0", None)


def test_commands_configs_and_the_runtimes_own_commands_come_back() -> None:
    for command in (Vote("yes"), Say(Words(id="@0")), Wake(), LetterSettled(key="l", status="sent")):
        data = CODEC.command(command)
        assert CODEC.read_command(data) == command
        assert CODEC.command(CODEC.read_command(data)) == data
    assert CODEC.read_command(CODEC.config(Config(players=3))) == Config(players=3)


def test_words_of_a_command_come_in_the_order_of_its_fields() -> None:
    one, two = Words("one"), Words("two")
    assert CODEC.words_of(Say(one, aside=two)) == (one, two)
    assert CODEC.words_of(Say(one)) == (one,)
    assert CODEC.words_of(Vote("yes")) == ()
    assert CODEC.words_of(Config(motto=one)) == (one,)
    assert CODEC.with_words(Say(one, "bob"), [two]) == Say(two, "bob")
    assert CODEC.with_words(Vote("no"), []) == Vote("no")


def test_a_kind_must_be_known() -> None:
    with pytest.raises(Malformed, match="neither a command nor an event of toy; it knows counted"):
        CODEC.kind(State())
    with pytest.raises(Malformed, match="toy has no command 'shout'; it knows say, vote"):
        CODEC.command_from("shout", {})


def test_a_stored_kind_that_is_unknown_is_corrupt_history_and_says_where() -> None:
    with pytest.raises(CorruptHistory, match=r"stream s, version 3: kind 'sung' is unknown .* an upcast is missing"):
        CODEC.read_events(b'[["sung",{}]]', "stream s, version 3")


@pytest.mark.parametrize("data", [b"", b"no json", b"{}", b'[["said"]]', b'[["said",{}]]', b'[["said",{"words":7}]]'])
def test_stored_events_that_cannot_be_read_are_corrupt_history(data: bytes) -> None:
    with pytest.raises(CorruptHistory):
        CODEC.read_events(data, "here")


@pytest.mark.parametrize("data", [b"", b"no json", b"{}", b'["vote"]', b'["vote",{}]', b'["sung",{}]'])
def test_stored_commands_that_cannot_be_read_are_corrupt_history(data: bytes) -> None:
    with pytest.raises(CorruptHistory):
        CODEC.read_command(data)


@pytest.mark.parametrize("data", [b"", b"no json", b"[]", b'{"lines":"x"}'])
def test_stored_states_that_cannot_be_read_are_corrupt_history(data: bytes) -> None:
    with pytest.raises(CorruptHistory, match="here"):
        CODEC.read_state(data, 1, "here")


def test_old_kinds_are_brought_up_to_date_step_by_step() -> None:
    codec: Codec[State, Any, Any] = Codec(
        toy(
            upcasts={
                "spoke": lambda body: ("uttered", {"id": body["w"]}),
                "uttered": lambda body: ("said", {"words": body["id"], "loud": True}),
                "choose": lambda body: ("vote", {"choice": "yes" if body["in"] else "no"}),
            }
        )
    )
    assert codec.read_events(b'[["spoke",{"w":"s/1.0"}]]') == (Said(Words(id="s/1.0"), loud=True),)
    assert codec.read_command(b'["choose",{"in":false}]') == Vote("no")


def test_a_field_added_with_a_default_is_read_from_old_bytes() -> None:
    assert CODEC.read_events(b'[["said",{"words":"s/1.0"}]]') == (Said(Words(id="s/1.0"), loud=False),)


def test_a_state_of_an_older_shape_is_brought_up_to_date() -> None:
    codec: Codec[State, Any, Any] = Codec(
        toy(shape=3, upcast_state=lambda shape, data: {"lines": data["count"] * shape})
    )
    assert codec.read_state(b'{"count":5}', 2, "") == State(lines=10)
    assert codec.read_state(b'{"lines":5}', 3, "") == State(lines=5)


def test_a_kind_names_a_command_or_an_event_but_not_both() -> None:
    with pytest.raises(Malformed, match="a kind names both"):
        Codec(toy(events={"say": Said}))
    with pytest.raises(Malformed, match="a kind names both"):
        Codec(toy(commands={"greenroom.wake": Vote}))


def test_data_from_outside_must_fit() -> None:
    assert CODEC.command_from("say", {"text": "hi"}) == Say(Words("hi"))
    assert CODEC.config_from(None) == Config()
    for body in ({}, {"text": 7}, {"text": "hi", "to": 3}, "text", None):
        with pytest.raises(Malformed, match="toy command 'say'"):
            CODEC.command_from("say", body)
    with pytest.raises(Malformed, match="toy config"):
        CODEC.config_from({"players": "many"})


def test_what_cannot_be_stored_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be stored"):
        canonical({"a": object()})


def test_words_in_a_view_are_filled_in_wherever_they_stand() -> None:
    @dataclass
    class View:
        lines: tuple[Words, ...]
        by: dict[str, Words]

    view = View((Words(id="a"), Words(id="b")), {"x": Words(id="a")})
    assert filled(view, {"a": "one", "b": "two"}.__getitem__) == {"lines": ("one", "two"), "by": {"x": "one"}}


def test_fingerprints_tell_asks_apart_and_are_the_same_again() -> None:
    assert fingerprint(Roll((6,))) == fingerprint(Roll((6,)))
    assert len(fingerprint(Roll((6,)))) == 8
    assert fingerprint(Roll((6,))) != fingerprint(Roll((6, 6)))


def test_parsing_what_is_not_json_is_refused() -> None:
    assert parse('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    with pytest.raises(Malformed):
        parse("{")


def test_worlds_are_found_by_name() -> None:
    assert sorted(codecs([toy(), toy(name="other")])) == ["other", "toy"]
