"""The world in a real house: many at once, twice is once, restart is no restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import assemble, backend, worker_of
from greenroom.kernel.errors import KeyReused, Refused
from greenroom.kernel.times import micros
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House
from greenroom.services.worker import Worker
from greenroom.worlds.phantom.outside import answer
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import opening, phantom
from greenroom.worlds.phantom.rules.rules import DOOR
from greenroom.worlds.phantom.rules.state import PLAYER, Phantom
from greenroom.worlds.phantom.rules.tables import ACCESS, KEYS, MESSAGES
from tests.worlds.phantom.stage import START
from tests.worlds.phantom.trial import CONTENT

WORLDS = (phantom(CONTENT),)


@asynccontextmanager
async def opened(where: Path | Shelf, at: Any = START) -> AsyncIterator[House]:
    models = Understudy({"phantom": lambda ask, _: answer(CONTENT, ask)})
    house = assemble(backend(where, WORLDS), WORLDS, models=models, clock=VirtualClock(micros(at)))
    house.worker = worker_of(house)
    try:
        yield house
    finally:
        await house.close()


async def begun(house: House, name: str = "one", email: str = "ada@example.org", phone: str | None = None) -> None:
    config = c.Register(email=email, phone=phone, timezone="UTC", delivery="page")
    await house.start("phantom", config, owner=f"owner of {name}", name=name, seed=sum(map(ord, name)))
    await house.send(name, c.Start(), seat=PLAYER)


async def state_of(house: House, name: str = "one") -> Phantom:
    state: Phantom = (await house.states.now(name)).state
    return state


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_fifty_uses_at_once_of_a_key_for_five_let_five_in_and_log_forty_five(kind: str, tmp_path: Path) -> None:
    """Ruling 12."""
    async with opened(Shelf() if kind == "memory" else tmp_path / "house.db") as house:
        await begun(house)
        key = (await state_of(house)).key
        assert key is not None
        uses = (house.send("one", c.UseKey(key=key.value, ip_address=f"192.0.2.{i}"), seat=PLAYER) for i in range(50))
        replies = await asyncio.gather(*uses)
        assert sorted(reply.body["granted"] for reply in replies) == [False] * 45 + [True] * 5
        log = await house.backend.tables.rows("one", ACCESS)
        assert sorted(row["success"] for row in log) == [False] * 45 + [True] * 5
        assert len({row["ip_address"] for row in log}) == 50
        ((row),) = await house.backend.tables.rows("one", KEYS)
        assert row["access_count"] == 5
        refused = next(reply for reply in replies if not reply.body["granted"])
        assert refused.body["said"] == CONTENT.story.exhausted_key


async def test_the_same_provider_id_counts_once_and_another_body_under_it_is_refused() -> None:
    """Ruling 6."""
    async with opened(Shelf()) as house:
        await begun(house)
        message = c.Receive(channel="email", text=Words("Who is this?"), provider_id="<1@example.org>")
        first = await house.send("one", message, seat=PLAYER, key="in/<1@example.org>")
        again = await house.send("one", message, seat=PLAYER, key="in/<1@example.org>")
        assert (first.body, again.new) == (again.body, False)
        other = c.Receive(channel="email", text=Words("Something else."), provider_id="<1@example.org>")
        with pytest.raises(KeyReused):
            await house.send("one", other, seat=PLAYER, key="in/<1@example.org>")
        rows = [row for row in await house.backend.tables.rows("one", MESSAGES) if row["direction"] == "inbound"]
        assert len(rows) == 1


async def test_messages_that_come_at_once_are_answered_in_the_order_they_were_recorded() -> None:
    """Ruling 6."""
    async with opened(Shelf()) as house:
        await begun(house)
        texts = [f"Message number {i}." for i in range(6)]
        sends = (
            house.send("one", c.Receive(channel="email", text=Words(text)), seat=PLAYER, key=f"in/{i}")
            for i, text in enumerate(texts)
        )
        replies = await asyncio.gather(*sends)
        ordered = sorted(replies, key=lambda reply: reply.n)
        assert [reply.body["received"] for reply in ordered] == [f"in.{i}" for i in range(1, 7)]


async def test_an_address_and_a_number_belong_to_one_player(tmp_path: Path) -> None:
    """Ruling 13; to the one who proved them."""
    async with opened(tmp_path / "house.db") as house:
        await proved(house, "one", "ada@example.org", "+4915112345678")
        with pytest.raises(Refused, match="this e-mail has a story already"):
            await proved(house, "three", "ADA@example.org")
        with pytest.raises(Refused, match="this phone number has a story already"):
            await proved(house, "seventh", "bob@example.org", "+4915112345678")
        await proved(house, "five", "cy@example.org")


async def proved(house: House, name: str, email: str, phone: str | None = None) -> None:
    """Sign up by post, and type in the codes that were sent."""
    config = c.Register(email=email, phone=phone, timezone="UTC")
    await house.start("phantom", config, owner=f"owner of {name}", name=name)
    for kind in opening.unproven(await state_of(house, name)):
        contact = (await state_of(house, name)).contact(kind)
        assert contact is not None
        await house.send(name, c.Verify(kind=kind, code=contact.code), seat=PLAYER)


async def test_a_restart_changes_nothing_of_the_working_state(tmp_path: Path) -> None:
    """Ruling 11."""
    async with opened(tmp_path / "house.db") as house:
        await begun(house)
        await house.advance(START + timedelta(hours=8))
        await house.send("one", c.Receive(channel="email", text=Words("Ember, who is Miro?")), seat=PLAYER)
        await house.send("one", c.Receive(channel="sms", text=Words("I trust you, about the key.")), seat=PLAYER)
        at = START + timedelta(hours=30)
        await house.advance(at)
        before = (await house.view("one", seat=OPERATOR)).body
    async with opened(tmp_path / "house.db", at) as house:
        after = (await house.view("one", seat=OPERATOR)).body
    assert after["working"] == before["working"]
    assert after == before


async def test_the_door_logs_unknown_keys_in_a_stream_of_its_own() -> None:
    """Ruling 22."""
    async with opened(Shelf()) as house:
        await house.start("phantom", c.Register(door=True), owner="phantom:door", name="phantom-door")
        knocks = (house.send("phantom-door", c.Knock(ip_address=f"192.0.2.{i}"), seat=DOOR) for i in range(5))
        await asyncio.gather(*knocks)
        rows = await house.backend.tables.rows("phantom-door", ACCESS)
        assert {(row["player_id"], row["key_id"], row["success"]) for row in rows} == {(None, None, False)}
        assert len(rows) == 5
        assert (await house.verify("phantom-door")).problems == ()


async def test_a_branch_can_be_moved_ahead_and_reaches_nobody() -> None:
    """The operator's fast-forward."""
    async with opened(Shelf()) as house:
        await begun(house)
        await house.advance(START + timedelta(hours=8))
        before = (await house.view("one", seat=OPERATOR)).body
        branch = await house.branch("one", name="ahead", awake=True)
        await house.advance(START + timedelta(days=6), stream=branch.name)
        ahead = (await house.view("ahead", seat=OPERATOR)).body
        assert ahead["phase"] == "post_thursday"
        letters = await house.backend.outbox.list(stream="ahead")
        assert len(letters) >= 6, "agents go on writing although nothing is sent"
        assert (await house.view("one", seat=OPERATOR)).body == before
        letters = await house.backend.outbox.list(stream="ahead")
        assert {letter.status for letter in letters} <= {"held", "cancelled"}


async def test_an_agents_seat_sees_its_own_mind_and_a_stranger_sees_nothing() -> None:
    """Secrecy in views and events."""
    async with opened(Shelf()) as house:
        await begun(house)
        await house.advance(START + timedelta(hours=8))
        await house.send("one", c.Receive(channel="email", text=Words("A heron in the canal.")), seat=PLAYER)
        ember = (await house.view("one", seat="ember")).body
        miro = (await house.view("one", seat="miro")).body
        assert "heron" in str(ember)
        assert "heron" not in str(miro)
        assert (miro["key"], ember["key"]["accessed"]) == (None, False)
        assert (await house.view("one", seat="nobody")).body == {}
        shown = [event.body async for event in house.events("one", seat="miro")]
        assert "heron" not in str(shown)
        assert [event async for event in house.events("one", seat="nobody")] == []


async def test_why_shows_every_section_of_a_prompt_with_what_it_used() -> None:
    """Ruling 10."""
    async with opened(Shelf()) as house:
        await begun(house)
        await house.advance(START + timedelta(hours=8))
        await house.send("one", c.Receive(channel="email", text=Words("Who is this?")), seat=PLAYER)
        await house.advance(START + timedelta(hours=9))
        last = (await house.stream("one")).version
        told = [await house.why("one", version) for version in range(last, 1, -1)]
        asks = [ask for one in told for ask in one.asks if ask.role == "quality"]
        names = [section.name for section in asks[0].sections or ()]
        assert names[:3] == ["character", "canon", "sharing"]
        assert {"trust", "knowledge", "immersion", "conversation", "memories", "consistency"} <= set(names)


async def test_a_letter_that_is_due_waits_for_a_recorded_stop_and_is_dropped_by_it(tmp_path: Path) -> None:
    """Nothing is sent between the word and its effect; START lets the story go on, without what was dropped."""
    async with opened(tmp_path / "house.db") as house:
        await begun(house)
        await house.advance(START + timedelta(hours=6))
        await house.send("one", c.Receive(channel="email", text=Words("Who is this?")), seat=PLAYER)
        (plan,) = [one for one in (await state_of(house)).plans if one.owed is not None]
        await house.advance(plan.due_at - timedelta(minutes=1))
        (letter,) = (await state_of(house)).waiting
        await house.record("one", c.Receive(channel="email", text=Words("STOP")), seat=PLAYER, key="in/stop")
        house.outside.clock.move(micros(letter.due_at))  # type: ignore[attr-defined]
        assert isinstance(house.worker, Worker)
        await house.worker.round()  # letters go out before what was recorded is seen to
        await house.advance(letter.due_at + timedelta(days=1))
        statuses = {one.key: one.status for one in await house.backend.outbox.list(stream="one")}
        assert statuses[letter.key] == "cancelled"
        await house.send("one", c.Receive(channel="email", text=Words("START")), seat=PLAYER)
        await house.send("one", c.Receive(channel="email", text=Words("Are you there?")), seat=PLAYER)
        await house.advance(letter.due_at + timedelta(days=3))
        sent = {one.key for one in await house.backend.outbox.list(stream="one") if one.status == "sent"}
        assert letter.key not in sent
        assert any(key.startswith("ember.") and statuses.get(key) is None for key in sent)
