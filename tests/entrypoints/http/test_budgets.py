"""Budgets: what one stranger can take of a day, of the connections, and of the patience of people who never asked."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import LOADED, Line, house_command, running
from greenroom.kernel.errors import TooMany
from greenroom.kit.http.rates import Rates, counted_as
from greenroom.services.budgets import DAY_SECONDS, MOST_NOTED, NOTE_SECONDS, Budgets, SharedBudgets
from greenroom.services.house import House
from greenroom.settings import BudgetSettings, read_settings
from tests.adapters.twilio.test_twilio import exchange
from tests.conftest import NewHome
from tests.counts import count, report
from tests.entrypoints.http.stage import Stage
from tests.entrypoints.phantom import stage as phantom
from tests.houses import HOUSES


def test_a_budget_is_taken_whole_or_not_at_all_and_is_there_again_after_a_day() -> None:
    now = 0.0
    budgets = Budgets({("sms", "address"): 2, ("sms", "house"): 3}, clock=lambda: now)
    for _ in range(2):
        budgets.take("sms", address="+1", owner="ann")
    with pytest.raises(TooMany, match="2 SMS a day are the budget for this address") as refused:
        budgets.take("sms", address="+1", owner="ann")
    assert refused.value.seconds == DAY_SECONDS
    budgets.take("sms", address="+2")
    with pytest.raises(TooMany, match="for the whole house"):
        budgets.take("sms", address="+3")
    stands = {(one.kind, one.of): (one.taken, one.refused) for one in budgets.standing()}
    assert stands == {("sms", "address"): (2, 1), ("sms", "house"): (3, 1)}
    now = DAY_SECONDS
    budgets.take("sms", address="+1")


def test_every_budget_has_a_size_from_the_start() -> None:
    found = BudgetSettings().of_a_day()
    assert set(found) == {
        (kind, of) for kind in ("sms", "mail", "bytes", "streams") for of in ("address", "owner", "house")
    }
    assert all(found.values())
    assert read_settings(budgets={"sms_address": 3}).budgets.of_a_day()["sms", "address"] == 3


# the day's budgets are the house's, not a process's


def sharing(house: House, most: int = 3) -> tuple[Budgets, SharedBudgets]:
    """Another process of the same house, as far as budgets go."""
    budgets = Budgets({("sms", "address"): most, ("sms", "house"): 1_000}, secret=house.backend.secret)
    return budgets, SharedBudgets(budgets, house.backend.upkeep)


async def test_what_a_process_took_counts_after_its_end_and_in_the_others(house: Stage) -> None:
    first, noting = sharing(house.house)
    second, reading = sharing(house.house)
    first.take("sms", 2, address="+49151")
    await noting.sync()
    await reading.sync()
    second.take("sms", address="+49151")
    for budgets in (second, first):
        await asyncio.gather(noting.sync(), reading.sync())
        await asyncio.gather(noting.sync(), reading.sync())
        with pytest.raises(TooMany, match="for this address"):
            budgets.take("sms", address="+49151")
    stands = {(one.kind, one.of): one.taken for one in second.standing()}
    assert stands == {("sms", "address"): 3, ("sms", "house"): 3}
    third, started = sharing(house.house)  # both are gone, another begins
    await started.sync()
    with pytest.raises(TooMany):
        third.take("sms", address="+49151")
    third.take("sms", address="+49152")
    noted = await house.house.backend.upkeep.notes("budgets/")
    assert all("49151" not in text for text in noted.values()), "nobody is named"


async def test_processes_that_choose_the_same_place_lose_nothing_and_a_days_places_are_used_again(house: Stage) -> None:
    moment = 0.0
    most = {("sms", "address"): 3}
    made = [Budgets(most, clock=lambda: moment, secret=b"k") for _ in range(12)]
    notes = [SharedBudgets(one, house.house.backend.upkeep, wall=lambda: 1e9 + moment) for one in made]
    for one in made:
        one.take("sms", address="+1") if one is made[0] else one.take("sms", address="+2")
    for _ in range(8):
        await asyncio.gather(*(note.sync() for note in notes))
    assert {budgets.elsewhere[key][0] for budgets in made[1:] for key in budgets.taken} == {10}
    kept = set(await house.house.backend.upkeep.notes("budgets/"))
    moment = DAY_SECONDS + 60
    late = [Budgets(most, clock=lambda: moment, secret=b"k") for _ in range(3)]
    for one in late:
        note = SharedBudgets(one, house.house.backend.upkeep, wall=lambda: 1e9 + moment)
        await note.sync()
        assert len(one.elsewhere) == (one is not late[0]), "yesterday is over"
        one.take("sms", address="+2")
        await note.sync()
    assert len(set(await house.house.backend.upkeep.notes("budgets/")) | kept) <= len(kept) + 8


async def test_only_so_many_callers_are_noted_and_those_nearest_to_their_end_are(house: Stage) -> None:
    budgets, noting = sharing(house.house, most=10)
    budgets.most = {("sms", "address"): 10, ("sms", "house"): 100_000}
    for i in range(MOST_NOTED + 500):
        budgets.take("sms", address=f"b{i}")
    budgets.take("sms", 8, address="heavy")
    await noting.sync()
    other, reading = sharing(house.house, most=10)
    other.most = budgets.most
    await reading.sync()
    assert len(other.elsewhere) == MOST_NOTED
    with pytest.raises(TooMany):
        other.take("sms", 3, address="heavy")
    (text,) = [text for text in (await house.house.backend.upkeep.notes("budgets/")).values() if "sms" in text]
    assert len(text) < 150_000


async def test_a_killed_server_forgets_no_more_than_a_few_seconds_of_what_it_gave(
    tmp_path: Path, new_home: NewHome
) -> None:
    home = new_home(tmp_path / "home")
    told = {"GREENROOM_BUDGETS": '{"streams_address": 6}', "GREENROOM_PROXIES": "192.0.2.1"}  # so nobody is local
    environment = {**LOADED, **HOUSES.environment(home), **told}
    async with running(house_command(home), environment) as server:
        line = await Line.open(server.port)
        for _ in range(4):
            assert (await line.ask("POST", "/lighthouse/visits")).status == 201
        await asyncio.sleep(NOTE_SECONDS + 0.5)
        await server.kill()
        await line.close()
    async with running(house_command(home), environment) as server:
        line = await Line.open(server.port)
        statuses = [(await line.ask("POST", "/lighthouse/visits")).status for _ in range(4)]
        await line.close()
    assert statuses == [201, 201, 429, 429]


async def test_one_person_begins_only_so_many_streams_from_whatever_address(opened: Any) -> None:
    house: Stage = await opened(budgets=BudgetSettings(streams_owner=3))
    _, ticket = await house.visit("ada")
    told = [
        await house.caller(ticket, address=f"203.0.113.{i}", host="h.example").post("/lighthouse/visits")
        for i in range(5)
    ]
    assert [one.status_code for one in told] == [201] * 3 + [429] * 2
    assert "3 streams begun or tickets tried a day are the budget for this person" in told[-1].text
    other = house.caller(address="203.0.113.1", host="h.example")
    assert (await other.post("/lighthouse/visits")).status_code == 201
    begun = [await house.caller(address="203.0.113.9", host="h.example").post("/bar/session/start", json={})]
    guest = {"anonymous_id": begun[0].json()["anonymous_id"]}
    for i in range(3):
        call = house.caller(address=f"203.0.114.{i}", host="h.example")
        begun.append(await call.post("/bar/session/start", json=guest))
    assert [one.status_code == 429 for one in begun] == [False] * 3 + [True]


def test_whoever_has_one_address_of_an_ipv6_network_has_them_all() -> None:
    rates = Rates(read_settings(rate_strangers=2))
    for i in (1, 2):
        rates.stranger(f"2001:db8:1:2::{i}")
    with pytest.raises(TooMany):
        rates.stranger("2001:db8:1:2:ffff::9")
    rates.stranger("2001:db8:1:3::1")
    assert counted_as("::ffff:203.0.113.7") == "203.0.113.7"
    assert counted_as("no address") == "no address"


def test_a_clock_that_is_turned_back_changes_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = Rates(read_settings(rate_strangers=1))
    rates.stranger("1.2.3.4")
    for moment in (0.0, 4e9):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        with pytest.raises(TooMany) as refused:
            rates.stranger("1.2.3.4")
        assert 0 < refused.value.seconds <= 61


async def test_one_player_gives_only_so_many_commands_a_minute(opened: Any) -> None:
    house: Stage = await opened(rate_turns=5)
    stream, ticket = await house.visit("ada")
    other, others = await house.visit("bob")
    told = [
        (await house.caller(ticket).post(f"/lighthouse/visits/{stream}/say", json={"text": "Hm."})).status_code
        for _ in range(8)
    ]
    assert told == [200] * 5 + [429] * 3
    assert (await house.caller(others).post(f"/lighthouse/visits/{other}/say", json={"text": "Hm."})).status_code == 200
    operator = house.caller()
    shown = (await operator.get("/house/budgets")).json()["budgets"]
    assert {"kind": "requests", "of": "caller", "most": 0, "taken": 0, "refused": 3} in shown


async def test_bytes_of_one_address_end_and_those_of_another_do_not(house: Stage) -> None:
    house.house.budgets.most = {("bytes", "address"): 1_000}
    near, far = (
        house.caller(address="203.0.113.7", host="h.example"),
        house.caller(address="203.0.113.8", host="h.example"),
    )
    told = [(await near.post("/enter", json={"ticket": "x" * 150})).status_code for _ in range(8)]
    assert set(told[:5]) == {401}
    assert told[-1] == 429
    assert (await far.post("/enter", json={"ticket": "x"})).status_code == 401


async def test_one_ticket_follows_only_so_often_at_once(opened: Any) -> None:
    house: Stage = await opened(budgets=BudgetSettings(live_owner=3, live_address=5))
    stream, ticket = await house.visit("ada")
    rates: Rates = house.app.state.door.rates
    with rates.following("9.9.9.9", "ada"), rates.following("9.9.9.9", "ada"), rates.following("9.9.9.9", "ada"):
        answer = await house.caller(ticket, address="203.0.113.7").get(f"/streams/{stream}/live")
        assert (answer.status_code, "3 live connections are open for this owner" in answer.text) == (429, True)
        with rates.following("9.9.9.9", "bob"), rates.following("9.9.9.9", None), pytest.raises(TooMany):
            rates.following("9.9.9.9", "cy").__enter__()
    with rates.following("9.9.9.9", "ada"):
        pass


async def test_nobody_is_sent_more_sms_than_a_day_allows_however_many_sign_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with exchange() as api:
        twilio = {"sid": "AC1", "token": "t", "number": "+15005550006", "base_url": api.url}
        monkeypatch.setenv("GREENROOM_TWILIO", json.dumps(twilio))
        async with phantom.stage() as on:
            for i in range(14):
                await phantom.signed_up(on, f"p{i}@example.org", web_only=False, phone="+4915112345678")
            await on.pass_time(minutes=1)
            failed = list(await on.house.backend.outbox.list(status="failed"))
            shown = {(one.kind, one.of): one.refused for one in on.house.budgets.standing()}
    assert len(api.asked) == BudgetSettings().sms_address == 10
    assert {one.error for one in failed} == {
        "10 SMS a day are the budget for this address, and it is used up; wait for tomorrow"
    }
    assert shown["sms", "address"] == len(failed) == 4


# connections


async def test_sockets_are_counted_while_they_are_open_and_no_longer(tmp_path: Path, new_home: NewHome) -> None:
    home = new_home(tmp_path / "home")
    told = '{"connections_address": 6, "live_address": 4}'
    environment = {**LOADED, **HOUSES.environment(home), "GREENROOM_BUDGETS": told}
    async with running(house_command(home), environment) as server:
        head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.ready['ticket']}\r\n"
        key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
        ask = f"GET /realms/live HTTP/1.1\r\n{head}{key}AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        for _ in range(5):  # were they not given back, the second round would find the door shut
            made = [await connected(server.port, "127.0.0.9", ask) for _ in range(6)]
            came = [await asyncio.get_running_loop().sock_recv(one, 12) for one in made if one is not None]
            assert sorted(came) == [b"HTTP/1.1 101"] * 4 + [b"HTTP/1.1 403"] * 2
            _shut(made)
            await asyncio.sleep(0.3)


HALF = b"GET / HTTP/1.1\r\nHost: h\r\nX-Slow: "


async def connected(port: int, source: str, said: bytes) -> socket.socket | None:
    """A connection from an address that says something and then waits; None if it was not taken."""
    made = socket.socket()
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        made.bind((source, 0))
        async with asyncio.timeout(5):
            await loop.sock_connect(made, ("127.0.0.1", port))
            await loop.sock_sendall(made, said)
    except (OSError, TimeoutError):
        made.close()
        return None
    return made


async def plays(port: int, seconds: float) -> list[float]:
    """A player at another address says one thing after another; how long each answer took."""
    line = await Line.open(port)
    visit = (await line.ask("POST", "/lighthouse/visits")).data
    found, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        path = f"/lighthouse/visits/{visit['stream']}/say"
        said = await line.ask("POST", path, {"text": "Good evening."}, ticket=visit["ticket"])
        assert said.status == 200, said
        found.append(time.monotonic() - began)
        await asyncio.sleep(0.05)
    await line.close()
    return sorted(found)


async def ended(made: socket.socket) -> bytes | None:
    """What came before the server closed a connection; None if it did not."""
    came = b""
    with made:
        try:
            async with asyncio.timeout(1):
                while more := await asyncio.get_running_loop().sock_recv(made, 65536):
                    came += more
        except TimeoutError:
            return None
        except OSError:
            pass
    return came


def _shut(made: Iterable[socket.socket | None]) -> None:
    for one in made:
        if one is not None:
            one.close()


@pytest.mark.alone
async def test_half_open_connections_and_live_streams_of_one_address_keep_nobody_from_playing(
    tmp_path: Path, new_home: NewHome
) -> None:
    home, attacker = new_home(tmp_path / "home"), "127.0.0.9"
    wanted, followers = count(250, soak=2_000), count(120, soak=1_000)
    patience = count(2, soak=4)
    environment = {**LOADED, **HOUSES.environment(home), "GREENROOM_BUDGETS": f'{{"head_seconds": {patience}}}'}
    async with running(house_command(home), environment) as server:
        line = await Line.open(server.port)
        visit = (await line.ask("POST", "/lighthouse/visits")).data
        await line.close()
        shown = f"Host: h\r\nAuthorization: Bearer {visit['ticket']}\r\n\r\n"
        live = f"GET /streams/{visit['stream']}/live HTTP/1.1\r\n{shown}"
        playing = asyncio.create_task(plays(server.port, count(2, soak=15)))
        both = [live.encode(), HALF] * followers + [HALF] * (wanted - followers)
        made = [(said, await connected(server.port, attacker, said)) for said in both]
        lives, halves = [one for said, one in made if said != HALF], [one for said, one in made if said == HALF]
        took = await playing
        await asyncio.sleep(patience + 0.5)
        shut = [await ended(one) for one in halves if one is not None]
        line = await Line.open(server.port)
        budgets = (await line.ask("GET", "/house/budgets", ticket=server.ready["ticket"])).data["budgets"]
        await line.close()
        _shut(lives)
    p99 = took[max(int(len(took) * 0.99) - 1, 0)]
    refused = {(one["kind"], one["of"]): one["refused"] for one in budgets}
    told = f"player's p99 {p99 * 1000:.0f} ms of {len(took)} messages; refused {refused}"
    report(f"http: {wanted} half-open connections and {followers} live streams from one address: {told}")
    assert p99 <= 1.0
    assert None not in shut, "whoever sends half a request is shown out"
    assert refused["connections", "address"] > 0
    assert refused["head", "address"] > 0
    assert refused["live", "owner"] > 0


async def test_a_head_without_end_and_a_body_that_never_comes_are_shown_out(tmp_path: Path, new_home: NewHome) -> None:
    home = new_home(tmp_path / "home")
    budgets = '{"head_seconds": 60, "body_seconds": 1}'
    async with running(
        house_command(home), {**LOADED, **HOUSES.environment(home), "GREENROOM_BUDGETS": budgets}
    ) as server:
        endless = await connected(server.port, "127.0.0.1", HALF)
        assert endless is not None
        with suppress(OSError):
            for _ in range(40):
                await asyncio.get_running_loop().sock_sendall(endless, b"x" * 8_000)
                await asyncio.sleep(0.01)
        assert await ended(endless) == b""
        waiting = await connected(
            server.port, "127.0.0.1", b"POST /enter HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"
        )
        assert waiting is not None
        await asyncio.sleep(1.2)
        assert (await asyncio.get_running_loop().sock_recv(waiting, 65536)).startswith(b"HTTP/1.1 408")
        waiting.close()
