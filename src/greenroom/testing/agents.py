"""The contract of ``AgentSessions``, ``AgentMemories`` and ``AgentFiles``: what agents of other frameworks keep."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from greenroom.kernel.errors import Conflict, Unknown
from greenroom.ports import (
    AgentEvent,
    AgentFile,
    AgentMemory,
    AgentSession,
    Backend,
    FileKey,
    SeenSession,
    SessionKey,
    StateDelta,
)
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import NOW, Scribe

KEY = SessionKey("inn", "ada", "s1")
#: No double is a whole number of microseconds; these have to come back as they went.
EXACT = (1_700_000_000.1234567, 1_700_000_000.1234569)


def event(id: str, at: float = 1.0, body: str = "{}") -> AgentEvent:
    return AgentEvent(id=id, at=at, body=body)


def seen(session: AgentSession, **more: Any) -> SeenSession:
    known: dict[str, Any] = {"marker": session.marker, "updated_at": session.updated_at, "last": None}
    return SeenSession(**(known | more))


async def a_session(backend: Backend, key: SessionKey = KEY, **delta: Any) -> AgentSession:
    return await backend.agents.sessions.create(key, StateDelta(**delta), at=1.0)


async def appended(backend: Backend, to: AgentSession, one: AgentEvent, **delta: Any) -> AgentSession:
    after = await backend.agents.sessions.append(to.key, one, StateDelta(**delta), seen=seen(to))
    assert after is not None
    return after


async def found(backend: Backend, key: SessionKey = KEY, **config: Any) -> AgentSession:
    session = await backend.agents.sessions.find(key, **config)
    assert session is not None
    return session


class AgentSessionsContract(Contract):
    """All of ``AgentSessions``."""

    async def test_a_session_is_found_as_it_was_made_and_after_a_restart(
        self, backend: Backend, reopen: Reopen
    ) -> None:
        state: dict[str, Any] = {
            "n": 1 << 70,
            "f": 0.1 + 0.2,
            "b": True,
            "none": None,
            "text": "\0 \U0001f600",
            "list": [{"a": {}}],
        }
        made = await a_session(backend, session=state, app={"a": 1}, user={"u": [2]})
        assert (made.state, made.app_state, made.user_state) == (state, {"a": 1}, {"u": [2]})
        assert await found(backend) == made
        assert await found(await reopen()) == made

    async def test_a_key_is_taken_once_until_its_session_is_removed(self, backend: Backend) -> None:
        first = await a_session(backend, user={"kept": 1})
        with pytest.raises(Conflict):
            await a_session(backend, user={"kept": 2})
        assert (await found(backend)).user_state == {"kept": 1}
        await appended(backend, first, event("e"))
        assert await backend.agents.sessions.remove(KEY)
        assert not await backend.agents.sessions.remove(KEY)
        assert await backend.agents.sessions.find(KEY) is None
        again = await backend.agents.sessions.create(KEY, StateDelta(), at=2.0)
        assert (await found(backend)).events == ()
        assert again.user_state == {"kept": 1}
        with pytest.raises(Conflict):
            await appended(backend, first, event("of the first"))

    async def test_app_and_user_share_their_state_and_sessions_do_not(self, backend: Backend) -> None:
        one = await a_session(backend, app={"a": 1}, user={"u": 1}, session={"s": 1})
        await appended(backend, one, event("e"), app={"a": {"b": 2}}, user={"u": None}, session={"s": {"x": 1}})
        other = await a_session(backend, SessionKey("inn", "ada", "s2"))
        assert (other.app_state, other.user_state, other.state) == ({"a": {"b": 2}}, {"u": None}, {})
        stranger = await a_session(backend, SessionKey("inn", "bob", "s1"))
        assert (stranger.app_state, stranger.user_state) == ({"a": {"b": 2}}, {})
        elsewhere = await a_session(backend, SessionKey("mill", "ada", "s1"))
        assert (elsewhere.app_state, elsewhere.user_state) == ({}, {})
        assert (await found(backend)).state == {"s": {"x": 1}}
        assert await backend.agents.sessions.user_state("inn", "ada") == {"u": None}
        assert await backend.agents.sessions.user_state("inn", "nobody") == {}

    async def test_events_come_in_order_of_their_moments_and_of_appending_within_one(self, backend: Backend) -> None:
        session = await a_session(backend)
        for id, at in (("z", 5.0), ("b", 5.0), ("a", 5.0), ("early", 2.0), ("late", 9.0)):
            session = await appended(backend, session, event(id, at))
        assert [one.id for one in (await found(backend)).events] == ["early", "z", "b", "a", "late"]
        assert [one.id for one in (await found(backend, most=2)).events] == ["a", "late"]
        assert [one.id for one in (await found(backend, since=5.0)).events] == ["z", "b", "a", "late"]
        assert [one.id for one in (await found(backend, since=5.0, most=2)).events] == ["a", "late"]
        assert (await found(backend, most=0)).events == ()
        assert (await found(backend, since=10.0)).events == ()
        assert (await found(backend)).updated_at == 9.0

    async def test_moments_are_kept_to_the_last_bit(self, backend: Backend) -> None:
        session = await a_session(backend)
        for at in EXACT:
            session = await appended(backend, session, event(str(at), at))
        assert [one.at for one in (await found(backend)).events] == list(EXACT)
        assert (await found(backend, since=EXACT[1])).events[0].at == EXACT[1]
        assert (await found(backend)).updated_at == EXACT[1]

    async def test_a_stale_appender_is_refused_and_writes_nothing(self, backend: Backend) -> None:
        session = await a_session(backend)
        await appended(backend, session, event("first", 1.0), session={"a": 1})
        with pytest.raises(Conflict):
            await appended(backend, session, event("second", 1.0), session={"a": 2}, app={"a": 2}, user={"a": 2})
        after = await found(backend)
        assert [one.id for one in after.events] == ["first"]
        assert (after.state, after.app_state, after.user_state) == ({"a": 1}, {}, {})

    async def test_without_a_marker_times_decide_and_then_the_last_event(self, backend: Backend) -> None:
        sessions = backend.agents.sessions
        session = await appended(backend, await a_session(backend), event("first", 7.0))
        rounded = seen(session, marker=None, updated_at=6.9, last="first")
        after = await sessions.append(KEY, event("second", 8.0), StateDelta(), seen=rounded)
        assert after is not None
        with pytest.raises(Conflict):
            await sessions.append(KEY, event("third", 9.0), StateDelta(), seen=rounded)
        newer = seen(after, marker=None, updated_at=8.0, last="unknown")
        assert await sessions.append(KEY, event("third", 9.0), StateDelta(), seen=newer) is not None

    async def test_of_many_appenders_with_one_knowledge_one_succeeds(self, backend: Backend) -> None:
        session = await a_session(backend)
        for turn in range(4):
            tried = [appended(backend, session, event(f"{turn}.{n}"), app={f"{turn}.{n}": n}) for n in range(5)]
            done = await asyncio.gather(*tried, return_exceptions=True)
            (session,) = [one for one in done if isinstance(one, AgentSession)]
            assert sum(isinstance(one, Conflict) for one in done) == 4
        after = await found(backend)
        assert len(after.events) == len(after.app_state) == 4

    async def test_many_sessions_write_the_state_they_share_and_lose_nothing(self, backend: Backend) -> None:
        made = [await a_session(backend, SessionKey("inn", f"u{n % 2}", f"s{n}")) for n in range(6)]
        await asyncio.gather(*(appended(backend, s, event("e"), app={s.key.id: 1}, user={s.key.id: 1}) for s in made))
        after = await found(backend, made[0].key)
        assert set(after.app_state) == {f"s{n}" for n in range(6)}
        assert set(after.user_state) == {"s0", "s2", "s4"}

    async def test_the_very_same_event_is_stored_once_and_another_of_its_id_beside_it(self, backend: Backend) -> None:
        session = await a_session(backend)
        after = await appended(backend, session, event("e", body='{"a":1}'), session={"n": 1})
        repeated = await backend.agents.sessions.append(
            KEY, event("e", body='{"a":1}'), StateDelta(session={"n": 2}), seen=seen(session)
        )
        assert repeated is None
        await appended(backend, after, event("e", body='{"a":2}'))
        again = await found(backend)
        assert [one.body for one in again.events] == ['{"a":1}', '{"a":2}']
        assert again.state == {"n": 1}

    async def test_nothing_is_appended_to_a_session_that_is_not_there(self, backend: Backend) -> None:
        session = await a_session(backend)
        await backend.agents.sessions.remove(KEY)
        with pytest.raises(Unknown):
            await appended(backend, session, event("e"), app={"a": 1})
        assert (await a_session(backend)).app_state == {}

    async def test_sessions_are_listed_the_longest_untouched_first_without_events(self, backend: Backend) -> None:
        for user, id, at in (("ada", "b", 3.0), ("ada", "a", 3.0), ("bob", "a", 3.0), ("ada", "old", 1.0)):
            session = await backend.agents.sessions.create(SessionKey("inn", user, id), StateDelta(), at=0.5)
            await appended(backend, session, event("e", at))
        await a_session(backend, SessionKey("mill", "ada", "elsewhere"))
        listed = await backend.agents.sessions.list("inn")
        assert [one.key[1:] for one in listed] == [("ada", "old"), ("ada", "a"), ("ada", "b"), ("bob", "a")]
        assert {one.events for one in listed} == {()}
        assert [one.key.id for one in await backend.agents.sessions.list("inn", "ada")] == ["old", "a", "b"]
        assert list(await backend.agents.sessions.list("inn", "")) == []

    async def test_a_session_says_which_seat_its_agent_holds(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", owner="bob", outcome=b"1")
        await a_session(backend)
        await backend.agents.sessions.hold(KEY, "s", "player_1", active=True)
        held = await found(backend)
        assert (held.stream, held.seat, held.active) == ("s", "player_1", True)
        await backend.upkeep.remove(["s"], now=NOW, dry=False)
        left = await found(backend)
        assert (left.stream, left.seat, left.active) == (None, None, False)

    async def test_a_check_finds_nothing_wrong_with_what_was_written_and_removed(self, backend: Backend) -> None:
        for id in ("kept", "gone"):
            session = await a_session(backend, SessionKey("inn", "ada", id))
            await appended(backend, session, event("e"))
        await backend.agents.sessions.remove(SessionKey("inn", "ada", "gone"))
        assert list(await backend.upkeep.check()) == []

    async def test_forgetting_a_person_removes_what_agents_keep_of_them_and_of_nobody_else(
        self, backend: Backend
    ) -> None:
        for user in ("ada", "bob"):
            session = await a_session(backend, SessionKey("inn", user, "s"), user={"u": user}, app={"a": 1})
            await appended(backend, session, event("e"))
            await backend.agents.memories.put("inn", user, [memory("s", "e"), memory("s", "f")])
            await backend.agents.files.save(FileKey("inn", user, "s", "a.txt"), file(b"1"))
        counts = {"sessions": 1, "session_events": 1, "session_states": 1, "session_memories": 2, "artifacts": 1}
        assert counts.items() <= (await backend.upkeep.belongings("ada")).counts.items()
        told = await backend.upkeep.kept_by_agents("ada")
        assert sorted(table for table, _ in told) == [
            "adk_artifacts", "adk_events", "adk_memories", "adk_memories", "adk_sessions", "adk_user_states",
        ]  # fmt: skip
        assert {row["user_id"] for _, row in told} == {"ada"}
        assert counts.items() <= (await backend.upkeep.forget("ada", now=NOW)).counts.items()
        assert list(await backend.upkeep.kept_by_agents("ada")) == []
        assert len(await backend.upkeep.kept_by_agents("bob")) == 6
        assert (await found(backend, SessionKey("inn", "bob", "s"))).app_state == {"a": 1}


def memory(session: str, id: str, at: float = 1.0, words: str = "a lamp") -> AgentMemory:
    return AgentMemory(session=session, event=id, author="user", at=at, content='{"parts":[]}', words=words)


def file(data: bytes | None, **more: Any) -> AgentFile:
    fields: dict[str, Any] = {"at": 1.5, "mime": "text/plain", "meta": {"a": [1]}, "part": "{}", "data": data}
    return AgentFile(**(fields | more))


class AgentMemoriesContract(Contract):
    """All of ``AgentMemories``."""

    async def test_memories_are_one_users_in_one_app_oldest_first(self, backend: Backend, reopen: Reopen) -> None:
        memories = backend.agents.memories
        kept = [memory("s", "b", 1.0), memory("s", "a", 2.0), memory("t", "a", 3.0)]
        await memories.put("inn", "ada", kept[::-1])
        assert list(await memories.all("inn", "ada")) == kept
        assert list(await memories.all("inn", "bob")) == list(await memories.all("mill", "ada")) == []
        assert list(await (await reopen()).agents.memories.all("inn", "ada")) == kept

    async def test_a_memory_that_is_put_again_is_the_newer_one(self, backend: Backend) -> None:
        await backend.agents.memories.put("inn", "ada", [memory("s", "a"), memory("s", "b")])
        await backend.agents.memories.put("inn", "ada", [memory("s", "a", words="another lamp")])
        assert [m.words for m in await backend.agents.memories.all("inn", "ada")] == ["another lamp", "a lamp"]

    async def test_a_removed_memory_does_not_come_back(self, backend: Backend) -> None:
        memories = backend.agents.memories
        await memories.put("inn", "ada", [memory("s", "a"), memory("s", "b")])
        await memories.put("inn", "bob", [memory("s", "a")])
        await memories.remove("inn", "ada", "a")
        await memories.remove("inn", "ada", "unknown")
        await memories.put("inn", "ada", [memory("s", "a"), memory("t", "a")])
        assert [m.event for m in await memories.all("inn", "ada")] == ["b"]
        assert len(await memories.all("inn", "bob")) == 1


class AgentFilesContract(Contract):
    """All of ``AgentFiles``."""

    async def test_versions_are_counted_from_zero_and_found_by_number(self, backend: Backend, reopen: Reopen) -> None:
        files, key = backend.agents.files, FileKey("inn", "ada", "s", "a.txt")
        assert await files.load(key) is None
        saved = [file(b"\x00one"), file(None, mime=None, meta={}), file(b"")]
        assert [await files.save(key, one) for one in saved] == [0, 1, 2]
        files = (await reopen()).agents.files
        for version, one in enumerate(saved):
            expected = file(one.data, version=version, mime=one.mime, meta=one.meta)
            assert await files.load(key, version) == expected
        assert await files.load(key) == file(b"", version=2)
        assert await files.load(key, 3) is None
        assert await files.load(key, -1) is None
        described = await files.versions(key)
        assert [(one.version, one.mime, one.data) for one in described] == [
            (0, "text/plain", None), (1, None, None), (2, "text/plain", None),
        ]  # fmt: skip

    async def test_a_file_belongs_to_one_place(self, backend: Backend) -> None:
        files = backend.agents.files
        keys = [FileKey("inn", "ada", "s", "b"), FileKey("inn", "ada", "", "user:a"), FileKey("inn", "bob", "s", "c")]
        for key in (*keys, FileKey("inn", "ada", "s", "a")):
            await files.save(key, file(b"1"))
        assert list(await files.names("inn", "ada", "s")) == ["a", "b"]
        assert list(await files.names("inn", "ada", "")) == ["user:a"]
        assert list(await files.names("mill", "ada", "s")) == []

    async def test_a_removed_file_begins_anew(self, backend: Backend) -> None:
        files, key = backend.agents.files, FileKey("inn", "ada", "s", "a")
        for _ in range(2):
            await files.save(key, file(b"1"))
        await files.remove(key)
        await files.remove(key)
        assert not await files.versions(key)
        assert not await files.names("inn", "ada", "s")
        assert await files.save(key, file(b"2")) == 0

    async def test_of_many_who_save_at_once_each_has_a_version(self, backend: Backend) -> None:
        key = FileKey("inn", "ada", "s", "a")
        saved = await asyncio.gather(*(backend.agents.files.save(key, file(bytes([n]))) for n in range(8)))
        assert sorted(saved) == list(range(8))
        for n, version in enumerate(saved):
            one = await backend.agents.files.load(key, version)
            assert one is not None
            assert one.data == bytes([n])
