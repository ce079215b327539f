"""The board on a Redis or Valkey server: a list for each realm, written by ordinal, repaired from the journal."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from greenroom.kernel.errors import BackendError
from greenroom.ports import Followed, Texts
from greenroom.worlds.realms.outside import exports
from greenroom.worlds.realms.outside.followers import latest
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules.state import Realm
from greenroom.worlds.realms.settings import RealmsSettings

if TYPE_CHECKING:
    from redis.asyncio import Redis

#: Push only if the list is as long as we saw it: a push that was never acknowledged may have landed all the same.
_PUSH = """
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
for i = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
"""
#: Put another list in the place of this one, at once.
_REPLACE = """
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""
#: Seconds until a server that does not answer counts as away.
SECONDS = 2.0


def key_of(path: str) -> str:
    """The key of a realm's board. Different paths never have the same."""
    return f"session:{quote(path, safe='')}:findings"


class SharedBoard:
    """Keeps the lists on the server equal to the boards of the realms."""

    name = "realms-board"
    worlds = frozenset((NAME,))

    def __init__(self, settings: RealmsSettings) -> None:
        self._settings = settings
        self._seconds = settings.board_days * 86_400
        self._keys: dict[str, str] = {}

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        """Bring the lists up to these steps.

        Raises:
            BackendError: the server is away; the same steps come again.
        """
        for stream, last in latest(batch).items():
            realm: Realm = last.state
            if realm.linked_at is not None and realm.board:
                self._keys[stream] = key_of(realm.path)
                found = exports.board(realm)
                known = await texts(exports.ids_in(found))
                wanted = [json.dumps(exports.with_words(one, known), ensure_ascii=False) for one in found]
                await self._bring(key_of(realm.path), wanted)

    async def _bring(self, key: str, wanted: list[str]) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415  only where a server is configured

        try:
            async with connected(self._settings) as redis:
                there = [str(one) for one in await redis.lrange(key, 0, -1)]
                if there == wanted:
                    await redis.expire(key, self._seconds)
                elif there != wanted[: len(there)] or not await self._pushed(redis, key, there, wanted):
                    await redis.eval(_REPLACE, 1, key, self._seconds, *wanted)
        except (RedisError, OSError, TimeoutError) as error:
            raise BackendError(f"the server of the boards is away: {error}") from error

    async def _pushed(self, redis: Redis, key: str, there: list[str], wanted: list[str]) -> bool:
        rest = wanted[len(there) :]
        return bool(int(await redis.eval(_PUSH, 1, key, len(there), self._seconds, *rest)))

    async def reset(self) -> None:
        """Nothing to forget: every list is compared with the board whenever a step comes."""

    async def forgotten(self, stream: str) -> None:
        """Remove the list of a realm that was forgotten."""
        key = self._keys.pop(stream, None)
        if key is not None:
            async with connected(self._settings) as redis:
                await redis.delete(key)


@asynccontextmanager
async def connected(settings: RealmsSettings) -> AsyncIterator[Redis]:
    """A client of the server, or of whichever the sentinels call the primary; for one piece of work."""
    from redis.asyncio import Redis, Sentinel  # noqa: PLC0415

    secret = settings.redis_password
    options: dict[str, Any] = {
        "password": None if secret is None else secret.get_secret_value(),
        "socket_timeout": SECONDS,
        "socket_connect_timeout": SECONDS,
        "decode_responses": True,
    }
    async with AsyncExitStack() as stack:
        if not settings.sentinels:
            client = Redis(host=settings.redis_host or "localhost", port=settings.redis_port, **options)
        else:
            name, _, listed = settings.sentinels.partition("@")
            pairs = [one.rpartition(":") for one in listed.split(",")]
            hosts = [(host, int(port)) for host, _, port in pairs]
            sentinel = Sentinel(hosts, socket_timeout=SECONDS)  # type: ignore[no-untyped-call]
            for one in sentinel.sentinels:
                stack.push_async_callback(one.aclose)
            client = sentinel.master_for(name, **options)
        stack.push_async_callback(client.aclose)
        yield client


__all__ = ["SharedBoard", "connected", "key_of"]
