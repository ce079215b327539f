"""``greenroom bench start`` measures real starts; how fast they are is for machines that do nothing else."""

from __future__ import annotations

from benchmarks.start import MOST_MEGABYTES, Report, Start, run
from tests.counts import count


def test_a_start_is_measured_and_rests_in_little_memory() -> None:
    report = run(repeats=count(0, soak=2), idle=0.5)
    assert [start.house for start in report.starts] == ["new", *["found"] * count(0, soak=2)]
    for start in report.starts:
        assert 0 < start.printed_seconds < start.ready_seconds
        assert start.cpu_seconds > 0
        assert 30 < start.idle_megabytes < MOST_MEGABYTES


def test_a_slow_or_large_start_breaks_a_limit() -> None:
    good = Start("new", 0.1, 2.0, 1.5, 0.1, 150.0)
    assert Report((good,)).ok
    assert not Report((Start("new", 0.1, 3.5, 1.5, 0.1, 150.0),)).ok
    assert not Report((good, Start("found", 0.1, 2.0, 1.5, 0.1, 500.0))).ok
