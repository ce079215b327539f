"""The contract of ``Tickets``: who may come in, and when that ends."""

from __future__ import annotations

from typing import Any

import pytest

from greenroom.kernel.errors import Conflict, Forgotten, Unknown
from greenroom.ports import Backend, Ticket
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, NOW, Scribe


def ticket(digest: bytes, **more: Any) -> Ticket:
    fields: dict[str, Any] = {"kind": "player", "owner": "ada", "seat": "guest", "made_at": NOW} | more
    return Ticket(digest=digest, **fields)


class TicketsContract(Contract):
    """All of ``Tickets``."""

    async def test_a_ticket_is_found_by_its_digest_as_it_was_issued(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        one = ticket(b"1", world="proof", stream="s", label="a visit", ends_at=NOW + HOUR)
        two = ticket(b"2", kind="operator", owner=None, seat=None)
        for issued in (one, two):
            await backend.tickets.issue(issued)
        assert await backend.tickets.find(b"1") == one
        assert await backend.tickets.find(b"2") == two
        assert await backend.tickets.find(b"3") is None

    async def test_a_ticket_outlives_a_restart(self, backend: Backend, reopen: Reopen) -> None:
        await backend.tickets.issue(ticket(b"1"))
        assert await (await reopen()).tickets.find(b"1") == ticket(b"1")

    async def test_a_digest_is_issued_once(self, backend: Backend) -> None:
        await backend.tickets.issue(ticket(b"1"))
        with pytest.raises(Conflict):
            await backend.tickets.issue(ticket(b"1", owner="bob"))
        assert await backend.tickets.find(b"1") == ticket(b"1")

    async def test_a_ticket_to_no_stream_is_refused(self, backend: Backend, scribe: Scribe) -> None:
        with pytest.raises(Unknown):
            await backend.tickets.issue(ticket(b"1", stream="nowhere"))
        await scribe.born("s", owner="bob")
        await backend.upkeep.forget("bob", now=NOW)
        with pytest.raises(Forgotten):
            await backend.tickets.issue(ticket(b"1", stream="s"))
        assert list(await backend.tickets.list()) == []

    async def test_tickets_are_listed_oldest_first_by_kind_and_owner(self, backend: Backend) -> None:
        made = [
            ticket(b"c", made_at=NOW),
            ticket(b"a", made_at=NOW + 1),
            ticket(b"b", made_at=NOW + 2, owner="bob"),
            ticket(b"d", made_at=NOW + 3, kind="operator", owner=None, seat=None),
        ]
        for issued in reversed(made):
            await backend.tickets.issue(issued)
        assert list(await backend.tickets.list()) == made
        assert list(await backend.tickets.list(owner="ada")) == made[:2]
        assert list(await backend.tickets.list(kind="operator")) == made[3:]

    async def test_a_ticket_is_taken_back_once(self, backend: Backend) -> None:
        await backend.tickets.issue(ticket(b"1"))
        assert await backend.tickets.revoke(b"1")
        assert not await backend.tickets.revoke(b"1")
        assert await backend.tickets.find(b"1") is None

    async def test_issuing_removes_what_has_ended(self, backend: Backend) -> None:
        await backend.tickets.issue(ticket(b"1", ends_at=NOW + 5))
        await backend.tickets.issue(ticket(b"2", ends_at=NOW + 6))
        await backend.tickets.issue(ticket(b"3", made_at=NOW + 5))
        assert [found.digest for found in await backend.tickets.list()] == [b"2", b"3"]

    async def test_forgetting_a_person_removes_their_tickets_and_no_others(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", owner="ada")
        await scribe.born("t", owner="bob")
        await backend.tickets.issue(ticket(b"1", owner="ada"))
        await backend.tickets.issue(ticket(b"2", owner="ada", stream="t"))
        await backend.tickets.issue(ticket(b"3", owner="bob", stream="s"))
        await backend.tickets.issue(ticket(b"4", owner="bob"))
        await backend.tickets.issue(ticket(b"5", kind="operator", owner=None, seat=None))
        assert (await backend.upkeep.belongings("ada")).counts["tickets"] == 3
        removed = await backend.upkeep.forget("ada", now=NOW)
        assert removed.counts["tickets"] == 3
        assert sorted(found.digest for found in await backend.tickets.list()) == [b"4", b"5"]

    async def test_a_removed_stream_takes_the_tickets_to_it_along(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", owner="ada", outcome=b"1")
        await backend.tickets.issue(ticket(b"1", owner="bob", stream="s"))
        await backend.tickets.issue(ticket(b"2", owner="ada"))
        await backend.upkeep.remove(["s"], now=NOW, dry=False)
        assert [found.digest for found in await backend.tickets.list()] == [b"2"]
