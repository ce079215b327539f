"""The use cases of realms, for every face: link, resume, list, remove, report, export."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greenroom.kernel.errors import Forgotten, Refused, Unknown
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.realms.outside import exports, git
from greenroom.worlds.realms.outside.exports import ids_in, with_words
from greenroom.worlds.realms.outside.jail import Outside
from greenroom.worlds.realms.outside.survey import realm_id
from greenroom.worlds.realms.outside.tools import fetched
from greenroom.worlds.realms.rules import NAME, Realm
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.commands import Link
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.state import PLAYER, Settings
from greenroom.worlds.realms.rules.views import finding_seen, process_seen
from greenroom.worlds.realms.settings import RealmsSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A realm that was linked or visited again."""

    stream: str
    is_new: bool
    #: The version from which on whoever came in has seen nothing.
    version: int
    #: Other realms that go back to the same first commit: copies of the same repository.
    kin: tuple[str, ...] = ()


def stream_name(id: str) -> str:
    return f"realm-{id}"


async def link(house: House, address: str, *, settings: Settings | None = None) -> Entered:
    """Link a repository by its folder or its address; one that is known is visited again.

    Raises:
        Refused: it may not be linked, or cannot be.
    """
    own = house.settings(NAME, RealmsSettings)
    try:
        place = await asyncio.to_thread(fetched, address, own)
    except Outside as no:
        raise Refused(str(no)) from None
    id = realm_id(place)
    stream = stream_name(id)
    if await is_known(house, stream):
        reply = await house.send(stream, c.Explore(), seat=PLAYER)
        return Entered(stream=stream, is_new=False, version=reply.version)
    config = Link(path=str(place), name=_name(address), settings=settings or Settings())
    reply = await house.start(NAME, config, owner=f"realm:{id}", name=stream, seat=PLAYER)
    return Entered(stream=stream, is_new=True, version=reply.version, kin=await kin(house, stream))


def _name(address: str) -> str:
    """What a clone is called: as the address ends. A folder is called by its own name."""
    last = address.rstrip("/").rpartition("/")[2].removesuffix(".git") if "://" in address else ""
    return last if last.isprintable() else ""


async def is_known(house: House, stream: str) -> bool:
    """Whether a realm of this name was linked here, and not forgotten."""
    try:
        head = await house.head(stream)
    except Unknown:
        return False
    except Forgotten:
        raise Refused("this realm was forgotten for good; its folder cannot be linked here again") from None
    return head.stream.version > 0


async def state_of(house: House, stream: str) -> Realm:
    """A realm as it stands.

    Raises:
        Unknown: there is none of that name.
    """
    head = await house.head(stream)
    if head.stream.world != NAME or not isinstance(head.state, Realm):
        raise Unknown(f"there is no realm {stream}")
    return head.state


async def kin(house: House, stream: str) -> tuple[str, ...]:
    """Other realms of the same repository, whose memory was not taken over yet."""
    mine = await state_of(house, stream)
    found = [(name, realm) async for name, realm in every(house) if name not in (stream, *mine.inherited)]
    return tuple(name for name, realm in found if realm.root and realm.root == mine.root)


async def inherit(house: House, stream: str, origin: str) -> tuple[int, int]:
    """Take over what another realm of the same repository knows; how many vaults and findings it has.

    Raises:
        Refused: it is another repository, or was taken over already.
    """
    mine, other = await state_of(house, stream), await state_of(house, origin)
    if stream == origin or not mine.root or mine.root != other.root:
        raise Refused("memory is taken over from another realm of the same repository, and these two are not")
    left = {
        "vaults": [exports.knowledge(other, vault) for vault in other.vaults.values()],
        "board": exports.board(other),
        "places": {one.id: [one.path, one.line] for one in other.board if one.path},
    }
    text = json.dumps(await _spoken(house, left), ensure_ascii=False)
    await house.send(stream, c.TakeOver(origin=origin, memory=Words(text)), seat=PLAYER)
    return len(other.vaults), len(other.board)


async def every(house: House) -> AsyncIterator[tuple[str, Realm]]:
    """All realms with their streams; branches are left out, and so is what was taken off the list."""
    async for row in house.every_stream(NAME):
        if row.parent is None and row.version:
            realm = await state_of(house, row.name)
            if not realm.is_removed:
                yield row.name, realm


async def find(house: House, named: str) -> str:
    """The stream of a realm, by its stream, id, name or folder.

    Raises:
        Unknown: there is none, or several have this name.
    """
    folder = await asyncio.to_thread(_folder, named)
    realms = [(stream, realm) async for stream, realm in every(house)]
    found = [stream for stream, realm in realms if named in (stream, realm.id, realm.name) or realm.path == folder]
    if len(found) == 1:
        return found[0]
    if found:
        raise Unknown(f"{len(found)} realms are called {named}; name one by its id: {', '.join(found)}")
    raise Unknown(f"there is no realm {named}; 'greenroom realms list' shows which there are")


def _folder(named: str) -> str:
    return str(Path(named).expanduser().resolve()) if "/" in named or named in (".", "..") else ""


async def listed(house: House) -> list[dict[str, Any]]:
    """All realms: dates, commits since the last visit, and how much is in them."""
    found = []
    async for stream, realm in every(house):
        since = await asyncio.to_thread(git.commits_since, Path(realm.path), realm.head) if realm.head else None
        found.append(
            {
                "id": realm.id,
                "stream": stream,
                "name": realm.name,
                "path": realm.path,
                "linked_at": realm.linked_at,
                "last_explored": realm.visited_at,
                "commits_since": since,
                "visits": realm.visits,
                "files": realm.files,
                "findings": realm.posted,
                "quests": len(realm.quests),
                "agents": [agent.id for agent in realm.agents],
                "is_there": await asyncio.to_thread(Path(realm.path).is_dir),
            }
        )
    return found


async def remove(house: House, stream: str) -> None:
    """Take a realm off the list."""
    await state_of(house, stream)
    await house.send(stream, c.Remove(), seat=PLAYER)


async def words(house: House, stream: str, name: str) -> dict[str, Any]:
    """What was kept of the last visit under one of these names: map, survey, news."""
    kept = getattr(await state_of(house, stream), name)
    if kept is None:
        return {}
    text = (await house.texts([kept.id])).get(kept.id, "{}")
    found = json.loads(text)
    return found if isinstance(found, dict) else {}


async def report(house: House, stream: str) -> dict[str, Any]:
    """The ranked report of the last visit, with what changed since the one before."""
    realm = await state_of(house, stream)
    survey = await words(house, stream, "survey")
    news = await words(house, stream, "news")
    return {
        "realm": realm.id,
        "stream": stream,
        "name": realm.name,
        "path": realm.path,
        "visit": realm.visits,
        "digest": realm.digest,
        "counts": survey.get("counts", {}),
        "rules": survey.get("rules", {}),
        "findings": survey.get("findings", []),
        "entries": survey.get("entries", []),
        "notes": survey.get("notes", []),
        "since_last_visit": news or None,
    }


async def board(house: House, stream: str, *, limit: int = 1_000) -> list[dict[str, Any]]:
    """The findings on the board, the newest last."""
    realm = await state_of(house, stream)
    return list(await _spoken(house, [finding_seen(finding) for finding in realm.board[-limit:]]))


async def _spoken(house: House, value: Any) -> Any:
    texts = await house.texts(ids_in([value]))
    return with_words(value, texts)


async def exported(house: House, stream: str) -> str:
    """What came of a realm, to be read by people: its process with all artifacts, its board, what is to be done."""
    realm = await state_of(house, stream)
    content = house.content(NAME, Content)
    lines = [f"# {realm.name}", "", f"{realm.files} files, visit {realm.visits}, {realm.posted} findings.", ""]
    if realm.process is not None:
        process = await _spoken(house, process_seen(content, realm.process))
        lines += [f"## {process['title']}: {process['problem']}", ""]
        for artifact in process["artifacts"]:
            lines += [f"### {artifact['stage']}: {artifact['name']}", "", artifact["words"], ""]
    found = await board(house, stream)
    lines += ["## Board", "", *(f"- **{one['severity']}** {one['finding']} ({one['agent_name']})" for one in found), ""]
    quests = [(("x" if quest.status == "done" else " "), quest) for quest in realm.quests]
    lines += ["## Quests", "", *(f"- [{mark}] {quest.title} ({quest.status})" for mark, quest in quests)]
    return "\n".join(lines) + "\n"


async def room(house: House, stream: str, path: str) -> Mapping[str, Any]:
    """What stands in a room, read from the folder itself."""
    from greenroom.kernel.asks import Failed, UseTool

    realm = await state_of(house, stream)
    found = await house.use_tool(UseTool(name="realms_list", args={"root": realm.path, "path": path}), "look")
    if isinstance(found, Failed):
        raise Refused(found.reason)
    return {"room": path, **found}


__all__ = [
    "Entered", "board", "exported", "find", "inherit", "kin", "link", "listed", "remove", "report", "room", "state_of",
    "words",
]  # fmt: skip
