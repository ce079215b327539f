"""The yearly report: what is counted, that it stays when a guest is forgotten, and that it holds nobody."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.configured import ConfiguredModels
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import gathered, open_house
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.errors import Refused
from greenroom.kernel.times import micros
from greenroom.ports import Asked
from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import referrals as counting
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.outside import understudies
from greenroom.worlds.bar.rules import prompts
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.referrals import CLERK, Count, referrals_stream
from tests.commands import call
from tests.houses import HOUSES
from tests.worlds.bar.stage import ADA, EVENING, shipped

CRISIS = "I want to kill myself tonight, with grandmother's silver spoon."
DOUBTFUL = "It will be quieter for everyone soon."
YEAR = shipped().house.today(EVENING).year


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "house", clock=VirtualClock(micros(EVENING)), work=False) as opened:
        yield opened


async def in_crisis(house: House, *, key: str = "crisis") -> str:
    session: str = (await visits.enter(house, ADA, None, key=f"enter/{key}")).body["session_id"]
    await visits.say(house, session, CRISIS, None, key=key)
    return session


async def test_what_was_counted_stays_when_the_guest_is_forgotten_and_holds_nobody(house: House) -> None:
    session = await in_crisis(house)
    await visits.take_back(house, session, key="back")
    before = await counting.report(house)
    assert (before["referred"], before["taken_back"], before["cleared"]) == (1, 1, 0)
    forgot = await house.forget(ADA)
    assert stream_of(ADA) in forgot.streams
    assert await counting.report(house) == before
    kept = b"".join([line async for line in house.export(referrals_stream(YEAR))]).decode()
    keys = "".join(attempt.key for attempt in await house.attempts(referrals_stream(YEAR)))
    for told in ("spoon", ADA, ADA[:18], session, stream_of(ADA)):
        assert told not in kept + keys


async def test_a_message_that_is_sent_twice_is_counted_once_and_a_month_apart_in_its_month(house: House) -> None:
    session = await in_crisis(house)
    await visits.say(house, session, CRISIS, None, key="crisis")
    await visits.say(house, session, CRISIS, None, key="again")
    found = await counting.report(house)
    this = shipped().house.today(EVENING).month
    assert [one["referred"] for one in found["months"]] == [2 * (month == this) for month in range(1, 13)]
    assert (await counting.report(house, YEAR - 1))["referred"] == 0


async def test_a_referral_that_nobody_counted_in_its_time_is_counted_by_the_report(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def died(house: House, reply: Any) -> None:
        pass

    with monkeypatch.context() as patched:
        patched.setattr(counting, "count_said", died)
        await in_crisis(house)
    assert [(await counting.report(house))["referred"] for _ in range(2)] == [1, 1]


async def test_an_alarm_that_a_model_cleared_is_counted_as_that() -> None:
    def fast(ask: AskModel, asked: Asked) -> Json:
        if ask.seat == prompts.SECOND_LOOK:
            return {"reason": "They speak of the roadworks.", "danger": False}
        return {"crisis": False, "reason": "talk"} if ask.seat == prompts.WATCH else understudies().answer(ask)

    clock = VirtualClock(micros(EVENING))
    made = ConfiguredModels({}, understudy=Understudy({**gathered().parts, "bar/fast": fast}), clock=clock)
    async with open_house(":memory:", clock=clock, models=made, work=False) as house:
        session = (await visits.enter(house, ADA, None, key="e")).body["session_id"]
        await visits.say(house, session, DOUBTFUL, None, key="s")
        found = await counting.report(house)
    assert (found["referred"], found["cleared"]) == (0, 1)


async def test_only_the_clerk_counts_and_only_what_there_is(house: House) -> None:
    await in_crisis(house)
    name = referrals_stream(YEAR)
    for command, seat in ((Count(kind="referred", month=13), CLERK), (Count(kind="referred", month=1), ADA)):
        with pytest.raises(Refused, match=r"month|clerk"):
            await house.send(name, command, seat=seat)
    assert (await counting.report(house))["referred"] == 1


def test_the_report_is_printed_by_month_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with HOUSES.at(tmp_path):
        assert call(["bar", "invite", "--count", "1", "--home", str(tmp_path)]) == 0
        assert call(["bar", "report", "--year", "2025", "--home", str(tmp_path)]) == 0
        assert "2025-12" in capsys.readouterr().out
        assert call(["bar", "report", "--year", "2025", "--home", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["referred"], len(found["months"])) == (0, 12)
