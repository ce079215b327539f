"""Sums, snapshots, times, words, tables and letters: a few lines each."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from hashlib import sha256
from random import Random
from uuid import UUID, uuid5

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greenroom.journal.snapshots import LEAST_STEPS, MOST_STEPS, snapshot_due
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.kernel.errors import Malformed
from greenroom.kernel.tables import plain, plain_row, row_id
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Memory, Scope, Words
from greenroom.kernel.worlds import CommandContext, EventContext, done

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)

# sums


def test_a_history_sum_depends_on_everything_before_and_every_field() -> None:
    base = {"version": 1, "at": 2, "n": 3, "events": b"[]"}
    first = history_sum(GENESIS, **base)  # type: ignore[arg-type]
    others = [history_sum(GENESIS, **(base | {name: value})) for name, value in (  # type: ignore[arg-type]
        ("version", 9), ("at", 9), ("n", 9), ("events", b"[1]"))]  # fmt: skip
    others.append(history_sum(first, **base))  # type: ignore[arg-type]
    assert len({first, *others}) == 6


def test_sums_stay_as_they_are() -> None:
    """Stored histories depend on these bytes: they never change."""
    header = (1).to_bytes(8, "big") + (2).to_bytes(8, "big") + (3).to_bytes(8, "big")
    assert history_sum(GENESIS, version=1, at=2, n=3, events=b"[]") == sha256(bytes(32) + header + b"[]").digest()
    assert fold_sum(7, b"{}") == sha256(b"7:{}").digest()


def test_a_fold_sum_is_of_one_shape() -> None:
    assert fold_sum(1, b"{}") != fold_sum(2, b"{}")
    assert fold_sum(1, b"1:{}") != fold_sum(11, b":{}")


# snapshots


@pytest.mark.parametrize(
    ("steps", "tail", "last", "due"),
    [
        (LEAST_STEPS - 1, 10**9, 0, False),
        (LEAST_STEPS, 1, 0, True),
        (LEAST_STEPS, 100, 100, False),
        (LEAST_STEPS, 101, 100, True),
        (MOST_STEPS - 1, 1, 10**9, False),
        (MOST_STEPS, 1, 10**9, True),
    ],
)
def test_a_snapshot_is_due_when_the_steps_since_outweigh_the_last(steps: int, tail: int, last: int, due: bool) -> None:
    assert snapshot_due(steps=steps, tail_bytes=tail, snapshot_bytes=last) is due


@settings(deadline=None)  # a busy machine is no failure
@given(st.integers(), st.integers(200, 400), st.integers(1, 20_000))
def test_load_and_storage_are_both_bounded(seed: int, many: int, state: int) -> None:
    chance = Random(seed)
    weights = [chance.randint(1, 5000) for _ in range(many)]
    steps = tail = last = stored = longest = 0
    for weight in weights:
        steps, tail = steps + 1, tail + weight
        longest = max(longest, steps)
        if snapshot_due(steps=steps, tail_bytes=tail, snapshot_bytes=last):
            steps, tail, last, stored = 0, 0, state, stored + state
    assert longest <= MOST_STEPS
    assert stored <= sum(weights) + state * (2 + len(weights) // MOST_STEPS)


# times


@given(st.datetimes(timezones=st.timezones()))
def test_a_moment_comes_back_in_utc(when: datetime) -> None:
    back = moment(micros(when))
    assert back == when.astimezone(UTC)
    assert back.tzinfo is UTC


def test_a_moment_needs_a_time_zone() -> None:
    with pytest.raises(Malformed, match="time zone"):
        micros(datetime(2031, 1, 1))  # noqa: DTZ001


@given(st.integers(-(10**16), 10**17))
def test_microseconds_come_back_exactly(value: int) -> None:
    assert micros(moment(value)) == value


# words


def test_the_repr_of_words_never_shows_the_text() -> None:
    assert repr(Words("a confession", id="s/1.0")) == "Words(id='s/1.0')"
    assert str(Words("a confession")) == "Words(id='')"


def test_words_are_equal_by_id_and_text() -> None:
    assert Words("a", id="x") == Words("a", id="x")
    assert len({Words("a"), Words("a"), Words("b"), Words("a", id="x")}) == 3
    assert Words("a") != "a"


@pytest.mark.parametrize("empty", ["", "  ", "\n", None, 7])
def test_a_scope_needs_a_world_and_an_owner(empty: str) -> None:
    with pytest.raises(Malformed, match="needs a world"):
        Scope(world=empty, owner="ada")
    with pytest.raises(Malformed, match=r"needs an? owner"):
        Scope(world="w", owner=empty)


def test_a_scopes_agent_is_a_name_or_everyone() -> None:
    assert Scope(world="w", owner="ada").agent is None
    with pytest.raises(Malformed, match="agent"):
        Scope(world="w", owner="ada", agent=" ")


# places


def given_(command: object = None) -> CommandContext[object]:
    return CommandContext(stream="s", n=4, version=8, at=NOON, seat="guest", owner="ada", command=command)


def test_a_memory_is_named_after_its_place() -> None:
    spoken = given_().memory(2, agent="keeper", text="Sit.", step=1, kind="claim")
    assert (spoken.id, spoken.owner, spoken.agent, spoken.at, spoken.kind) == ("s/9.2", "ada", "keeper", NOON, "claim")
    assert given_().memory(0, agent="k", text="x", owner="bob").owner == "bob"


def test_hearing_keeps_the_id_of_the_words_and_not_the_text() -> None:
    heard = given_().hear(Words("secret", id="s/a4.0"), agent="keeper")
    assert heard == Memory(id="s/a4.0", owner="ada", agent="keeper", text=None, speaker="guest", at=NOON)


def test_a_turn_of_no_events_has_no_step() -> None:
    assert done().steps == ()
    assert done("a", "b").steps == (("a", "b"),)


# tables


def test_a_row_is_named_the_same_again_and_no_two_alike() -> None:
    told = [EventContext(stream="s", version=v, ordinal=o, at=NOON, event=None) for v in (1, 2) for o in (0, 1)]
    ids = [one.row_id(row) for one in told for row in ("", "x")]
    assert ids == [one.row_id(row) for one in told for row in ("", "x")]
    assert len(set(ids)) == len(ids)
    assert row_id("s", 1, "0/") == told[0].row_id()


@given(st.text(), st.integers(), st.text())
def test_a_row_s_name_is_the_uuid5_of_its_place(stream: str, version: int, row: str) -> None:
    space = UUID("6f1d6f0e-5a55-4c0b-9a53-6a1d3c7a9b10")
    assert row_id(stream, version, row) == str(uuid5(space, f"{stream}/{version}/{row}"))


def test_json_that_was_made_already_is_kept_as_the_data_it_says() -> None:
    assert plain_row({"facts": msgspec.Raw(b'{"a":[1,null]}')}) == {"facts": {"a": [1, None]}}


def test_values_are_kept_plain() -> None:
    east = timezone(timedelta(hours=2))
    assert plain_row(
        {
            "at": NOON.astimezone(east),
            "day": date(2031, 3, 1),
            "words": Words("hidden", id="m"),
            "list": (1, Words(id="n"), {"a": NOON}),
            "none": None,
        }
    ) == {
        "at": "2031-03-01T12:00:00.000000+00:00",
        "day": "2031-03-01",
        "words": "m",
        "list": [1, "n", {"a": "2031-03-01T12:00:00.000000+00:00"}],
        "none": None,
    }
    assert plain({1: "a"}) == {"1": "a"}


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_is_kept_to_the_microsecond(moment: datetime) -> None:
    assert plain(moment) == moment.isoformat(timespec="microseconds")
