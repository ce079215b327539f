"""The decisions every back-end makes about a stream."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Lease, Settlement, Stream
from greenroom.kernel.errors import Conflict, KeyReused, LeaseLost, Malformed, Refused
from greenroom.testing.records import lease, opening, recording, steps_after


def stream(**more: Any) -> Stream:
    fields: dict[str, Any] = {"name": "s", "world": "w", "owner": "ada", "seed": 1, "born_at": 0} | more
    return Stream(**fields)


def attempt(n: int = 2, **more: Any) -> Attempt:
    fields: dict[str, Any] = {"key": "k", "at": 10, "seat": "guest", "command": b"", "digest": b""} | more
    return Attempt(stream="s", n=n, **fields)


WORK: list[tuple[str, dict[str, Any], str | None]] = [
    ("nothing to do", {}, None),
    ("a command waits", {"head_at": 10}, "attempt"),
    ("a command waits that was recorded later than now", {"head_at": 90}, "attempt"),
    ("a timer is due", {"wake_at": 50}, "wake"),
    ("a timer is not due", {"wake_at": 51}, None),
    ("a timer at the command's own moment", {"head_at": 10, "wake_at": 10}, "wake"),
    ("a timer after the command", {"head_at": 10, "wake_at": 11}, "attempt"),
    ("an agent must act, a command waits", {"head_at": 10, "wake_at": 5, "last_at": 5}, "wake"),
    ("an agent has just acted, a command waits", {"head_at": 10, "wake_at": 5, "last_at": 5, "woken": True}, "attempt"),
    ("a timer fires after a timer", {"head_at": 10, "wake_at": 8, "last_at": 5, "woken": True}, "wake"),
    ("an agent acts on while nobody waits", {"wake_at": 5, "last_at": 5, "woken": True}, "wake"),
    ("parked, whatever else there is", {"waiting": True, "head_at": 10, "wake_at": 5}, None),
    ("asleep", {"awake": False, "wake_at": 5}, None),
    ("asleep, but told to do something", {"awake": False, "wake_at": 5, "head_at": 10}, "attempt"),
    ("a sandbox whose clock has not come so far", {"clock_at": 40, "wake_at": 41}, None),
    ("a sandbox whose clock has", {"clock_at": 41, "wake_at": 41}, "wake"),
    ("a sandbox beyond the house clock", {"clock_at": 99, "wake_at": 98}, "wake"),
]


@pytest.mark.parametrize(("fields", "expected"), [case[1:] for case in WORK], ids=[case[0] for case in WORK])
def test_what_is_to_be_done_first(fields: dict[str, Any], expected: str | None) -> None:
    row = stream(**fields)
    assert transitions.work(row, now=50) == expected


STREAMS = st.builds(
    stream,
    head_at=st.none() | st.integers(0, 60),
    wake_at=st.none() | st.integers(0, 60),
    last_at=st.integers(0, 60),
    clock_at=st.none() | st.integers(0, 60),
    awake=st.booleans(),
    waiting=st.booleans(),
    woken=st.booleans(),
)


@given(STREAMS, st.integers(0, 100))
def test_a_stream_is_ready_exactly_when_there_is_something_to_do(row: Stream, now: int) -> None:
    transitions.schedule(row)
    if row.ready_at is None or row.ready_at > now:
        assert row.head_at is not None or transitions.work(row, now) is None
    else:
        assert transitions.work(row, now) is not None


@given(STREAMS, st.integers(0, 100))
def test_whatever_is_done_first_time_never_runs_backwards(row: Stream, now: int) -> None:
    if transitions.work(row, now) == "wake":
        due = row.wake_at
        booked = transitions.book_wake(row)
        assert due is not None
        assert booked.at == max(due, row.last_at)
        assert row.head_at == booked.at
        assert row.wake_at is None


def test_a_booked_command_gets_the_next_number_and_a_moment_that_does_not_go_back() -> None:
    row = stream(recorded=4, recorded_at=100, last_at=120)
    first = transitions.book(row, recording(now=50))
    assert (first.n, first.at) == (5, 120)
    second = transitions.book(row, recording(key="k2", now=130))
    assert (second.n, second.at) == (6, 130)
    assert (row.recorded, row.recorded_at, row.open, row.head_at, row.ready_at) == (6, 130, 2, 120, 120)


def test_no_command_may_have_the_key_of_a_wake() -> None:
    row = stream(wake_at=5)
    for book in (transitions.drafted, transitions.book):
        with pytest.raises(Malformed, match="the house's own"):
            book(row, recording(key="wake/3"))
    assert transitions.book_wake(row).key == "wake/0"


def test_a_key_stands_for_one_request() -> None:
    prior = attempt(digest=recording().digest)
    assert transitions.same_request(prior, recording()) is prior
    with pytest.raises(KeyReused):
        transitions.same_request(prior, recording(body="other"))


@pytest.mark.parametrize("more", [{"owner": "bob"}, {"world": "x"}, {"player": "p"}, {"parent": "q"}])
def test_a_stream_is_born_one_way(more: dict[str, Any]) -> None:
    wish = opening(owner="ada", world="w")
    transitions.same_birth(stream(), wish)
    transitions.same_birth(stream(**more), recording())
    with pytest.raises(KeyReused):
        transitions.same_birth(stream(**more), wish)


def test_a_lease_is_fenced_by_its_token() -> None:
    row = stream()
    claim = Claim(stream=row, attempt=attempt(), token=transitions.hold(row, lease()))
    transitions.fence(row, claim)
    assert not transitions.free(row, 0)
    transitions.let_go(row)
    with pytest.raises(LeaseLost):
        transitions.fence(row, claim)
    transitions.hold(row, Lease(worker="bob", wall=0, until=5))
    with pytest.raises(LeaseLost):
        transitions.fence(row, claim)
    assert transitions.free(row, 5)


def claimed(row: Stream, n: int = 2, **more: Any) -> Claim:
    return Claim(stream=row, attempt=attempt(n, **more), token=1)


@pytest.mark.parametrize("versions", [(), (2,), (2, 3), (2, 3, 4)])
def test_steps_continue_the_stream(versions: tuple[int, ...]) -> None:
    row = stream(version=1, open=1, head_at=10)
    claim = claimed(row)
    settlement = Settlement(claim=claim, status="settled", steps=steps_after(claim, len(versions)), wake_at=40)
    settled = transitions.close(row, settlement, next_head=12)
    assert (settled.base, settled.version, row.version) == (1, 1 + len(versions), 1 + len(versions))
    assert (row.open, row.head_at, row.ready_at, row.holder, row.woken) == (0, 12, 12, None, False)


@pytest.mark.parametrize("chosen", [(1,), (2,), (0, 2), (1, 2), (0, 0), (1, 0)])
def test_steps_that_leave_a_version_out_are_a_conflict(chosen: tuple[int, ...]) -> None:
    row = stream(version=1, open=1)
    claim = claimed(row)
    made = steps_after(claim, 3)
    with pytest.raises(Conflict):
        transitions.close(row, Settlement(claim=claim, status="settled", steps=tuple(made[i] for i in chosen)), None)


def test_a_step_before_the_last_one_is_a_conflict() -> None:
    row = stream(version=1, last_at=11)
    claim = claimed(row, at=10)
    with pytest.raises(Conflict):
        transitions.close(row, Settlement(claim=claim, status="settled", steps=steps_after(claim, 1)), None)


def test_a_refusal_keeps_what_it_cost_and_the_streams_wake() -> None:
    row = stream(wake_at=40, outcome=b"1")
    claim = claimed(row)
    settlement = Settlement(claim=claim, status="settled", steps=steps_after(claim, 1), kept=b"{}", wake_at=90)
    refusal = transitions.as_refusal(settlement, row, "no")
    assert (refusal.status, refusal.error, refusal.steps, refusal.kept) == ("refused", "no", (), b"{}")
    assert (refusal.wake_at, refusal.outcome) == (40, b"1")


@pytest.mark.parametrize(
    ("cancelled", "other", "fenced"),
    [
        (attempt(2), None, True),
        (attempt(2), attempt(3), True),
        (attempt(3), attempt(2), False),
        (attempt(3, rank=0), attempt(2), True),
        (attempt(2), attempt(3, rank=0), False),
    ],
)
def test_only_a_cancelled_attempts_driver_is_fenced(cancelled: Attempt, other: Attempt | None, fenced: bool) -> None:
    row = stream(open=2 if other else 1, token=4, holder="ada", busy_until=9)
    transitions.withdraw(row, cancelled, other)
    assert (row.token, row.holder) == ((5, None) if fenced else (4, "ada"))
    assert row.head_at == (other.at if other else None)


def test_only_a_sandbox_can_be_moved_and_only_forward() -> None:
    with pytest.raises(Refused):
        transitions.advance(stream(), 50)
    row = stream(clock_at=40, awake=False, wake_at=45)
    transitions.advance(row, 30)
    assert (row.clock_at, row.awake, row.ready_at) == (40, True, None)
    transitions.advance(row, 45)
    assert row.ready_at == 0
