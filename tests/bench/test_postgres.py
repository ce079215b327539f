"""The bench on PostgreSQL works from end to end; what it measures is for machines that do nothing else."""

from __future__ import annotations

import json

import pytest

from benchmarks.postgres import GREENROOM, RAW, Report, run


@pytest.fixture(scope="module")
def report() -> Report:
    return run((1, 2), 0.1, peers=False, repeats=1)


def test_every_commit_is_on_the_disk(report: Report) -> None:
    assert (report.server["fsync"], report.server["synchronous_commit"]) == ("on", "on")


def test_every_size_and_mode_is_measured_and_no_turn_fails(report: Report) -> None:
    ours = {(rate.what, rate.streams) for rate in report.rates if rate.who == GREENROOM}
    assert ours == {("no ask", 1), ("no ask", 2), ("one ask", 1), ("one ask", 2)}
    assert all(rate.per_second and not rate.errors for rate in report.rates if rate.who in (GREENROOM, RAW))


def test_the_raw_rows_are_those_of_a_turn(report: Report) -> None:
    assert report.rows["no ask"]["steps"] == report.rows["no ask"]["attempts"] == 1
    assert report.rows["no ask"]["memories"] >= 1


def test_limits_against_absent_peers_are_not_judged(report: Report) -> None:
    plain = json.loads(json.dumps(report.as_json()))
    assert [limit["ok"] for limit in plain["limits"]] == [None, None, True, True]
    assert "google-adk" in report.table()
