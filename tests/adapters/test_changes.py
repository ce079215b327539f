"""Changes of many turns, brought down to one a row: the same rows as making them one after the other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.adapters.sql.changes import Placed, gathered
from greenroom.adapters.sql.projections import Projection
from greenroom.kernel.tables import Change, Column, Drop, Patch, Put, Table

GUESTS = Table(
    name="guests",
    key=("seat",),
    columns=(
        Column(name="seat", kind="integer"),
        Column(name="floor", kind="integer", optional=True),
        Column(name="room", kind="integer", optional=True),
    ),
)
PROJECTIONS = {"guests": Projection(GUESTS)}

Rows = dict[tuple[int, int], list[Any]]

seats = st.integers(0, 2)
numbers = st.integers(0, 9)
columns = st.sampled_from(("floor", "room"))
changes = st.one_of(
    st.builds(lambda seat, floor: Put("guests", {"seat": seat, "floor": floor}), seats, numbers),
    st.builds(lambda seat, name, n: Patch("guests", {"seat": seat}, {name: n}), seats, columns, numbers),
    st.builds(lambda seat: Drop("guests", {"seat": seat}), seats),
)


def made(rows: Rows, placed: Placed) -> None:
    """One change, as a table makes it."""
    sid, root, version, change = placed
    if isinstance(change, Put):
        seat = change.values["seat"]
        rows[sid, seat] = [sid, version, root, seat, change.values.get("floor"), change.values.get("room")]
        return
    place = (sid, change.key["seat"])
    if isinstance(change, Drop):
        rows.pop(place, None)
    elif place in rows:
        row = rows[place]
        row[1] = version
        for name, value in change.values.items():
            row[4 if name == "floor" else 5] = value


@given(st.lists(st.tuples(seats, changes)), st.lists(st.tuples(seats, seats)))
def test_gathered_changes_lead_to_the_same_rows(given: list[tuple[int, Change]], there: list[tuple[int, int]]) -> None:
    before: Rows = {(sid, seat): [sid, 0, True, seat, 1, 1] for sid, seat in there}
    placed: list[Placed] = [(sid, True, version, change) for version, (sid, change) in enumerate(given, 1)]
    expected = {place: list(row) for place, row in before.items()}
    for one in placed:
        made(expected, one)
    found = {place: list(row) for place, row in before.items()}
    whole, others = gathered(PROJECTIONS, placed)
    for one in others:
        made(found, one)
    for line in whole.get("guests", ()):
        found[line[0], line[3]] = list(line)
    assert found == expected


def test_a_row_with_a_column_that_its_table_has_not_is_refused() -> None:
    for values in ({"seat": 1, "hat": 2}, {"seat": 1, "floor": 2, "hat": 3}):
        with pytest.raises((ValueError, LookupError)):
            gathered(PROJECTIONS, [(1, True, 1, Put("guests", values))])
