"""The files beside a repository, written from what was settled: at least once, in order, repaired from nothing.

The journal is the truth. What somebody changed by hand in one of these files is set aside, never overwritten.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greenroom.kernel.errors import BackendError
from greenroom.ports import Followed, Texts
from greenroom.worlds.realms.outside import exports, files
from greenroom.worlds.realms.outside.files import FOLDER
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules.memory import Damaged, board_from, knowledge_from
from greenroom.worlds.realms.rules.state import Realm
from greenroom.worlds.realms.settings import RealmsSettings

log = logging.getLogger("greenroom.realms")

_AGENT = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True, slots=True)
class FollowerWork:
    """What is to be written of one realm: files by name, and lines of transcripts with version, agent and day."""

    realm: Realm
    version: int
    whole: Mapping[str, Any]
    lines: tuple[tuple[int, str, str, Mapping[str, Any]], ...]


def latest(batch: Sequence[Followed]) -> Mapping[str, Followed]:
    """The last step of each stream."""
    return {step.stream: step for step in batch}


class Files:
    """Keeps ``.agent-rpg`` of every linked repository, and the registry of all."""

    name = "realms-files"
    worlds = frozenset((NAME,))

    def __init__(self, settings: RealmsSettings) -> None:
        self._registry = settings.registry_file
        self._writes = settings.files
        #: Sentences about what was set aside; whoever shows them empties it.
        self.said: list[str] = []

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        """Write what these steps changed.

        Raises:
            BackendError: a disk is full or away; the same steps come again.
        """
        for stream, last in latest(batch).items():
            realm: Realm = last.state
            if realm.linked_at is None:
                continue
            steps = [step for step in batch if step.stream == stream]
            work = FollowerWork(realm, last.version, _whole(realm, last.version), tuple(_lines(steps)))
            known = await texts(exports.ids_in([*work.whole.values(), *(line for _, _, _, line in work.lines)]))
            try:
                await asyncio.to_thread(self._write, stream, work, known)
            except OSError as error:
                raise BackendError(f"the files of {realm.name} cannot be written: {error.strerror or error}") from error

    async def reset(self) -> None:
        """Forget what was written: transcripts are written anew from the first step."""
        await asyncio.to_thread(self._reset)

    async def forgotten(self, stream: str) -> None:
        """Remove the files of a realm that was forgotten, and its line in the registry."""
        await asyncio.to_thread(self._forget, stream)

    # in a thread

    def _write(self, stream: str, work: FollowerWork, known: Mapping[str, str]) -> None:
        realm = work.realm
        base = Path(realm.path) / FOLDER
        if self._writes and Path(realm.path).is_dir():
            place = Place(base, self.said)
            for name, value in work.whole.items():
                filled = exports.with_words(value, known)
                if name == "world-state.json" and filled["map"]:
                    filled["map"] = json.loads(filled["map"])
                place.put(name, filled)
            place.close()
            Transcripts(base).append(work.lines, known, work.version)
        self._register(stream, realm)

    def _register(self, stream: str, realm: Realm) -> None:
        with self._registered() as listed:
            listed.pop(realm.id, None)
            if not realm.is_removed:
                listed[realm.id] = exports.registered(realm, stream)

    @contextmanager
    def _registered(self) -> Iterator[dict[str, Any]]:
        """The registry by id, written back afterwards; one process at a time."""
        self._registry.parent.mkdir(parents=True, exist_ok=True)
        with (self._registry.parent / ".realms.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            listed = self._read_registry()
            yield listed
            realms = sorted(listed.values(), key=lambda one: one["id"])
            files.write(self._registry, {"format": exports.FORMAT, "realms": realms})

    def _read_registry(self) -> dict[str, Any]:
        try:
            data = files.load(self._registry)
            return {str(one["id"]): one for one in data["realms"]}
        except FileNotFoundError:
            return {}
        except (Damaged, TypeError, KeyError):
            name = files.set_aside(self._registry)
            self.said.append(f"{self._registry} was damaged; it was set aside as {name} and is made anew.")
            log.warning("%s", self.said[-1])
            return {}

    def _reset(self) -> None:
        for one in self._read_registry().values():
            Transcripts(Path(str(one["path"])) / FOLDER).rewind()

    def _forget(self, stream: str) -> None:
        with self._registered() as listed:
            gone = [one for one in listed.values() if one.get("stream") == stream]
            for one in gone:
                del listed[one["id"]]
                _empty(Path(str(one["path"])) / FOLDER)


def _empty(base: Path) -> None:
    """Remove what we wrote; what others put beside it stays."""
    if base.is_symlink() or not base.is_dir():
        return
    for path in (*base.glob("knowledge/*.json*"), *base.glob("findings/board.json*"), *base.glob("logs/*/*.jsonl")):
        path.unlink(missing_ok=True)
    for name in ("world-state.json", ".written.json", "logs/.written.json", ".gitignore"):
        (base / name).unlink(missing_ok=True)
    for folder in sorted((path for path in base.rglob("*") if path.is_dir()), reverse=True):
        with suppress(OSError):
            folder.rmdir()
    with suppress(OSError):
        base.rmdir()


def _whole(realm: Realm, version: int) -> dict[str, Any]:
    """The files that are written whole, by their names."""
    vaults = {id: vault for id, vault in realm.vaults.items() if _AGENT.fullmatch(id)}
    return {
        **{f"knowledge/{id}.json": exports.knowledge(realm, vault) for id, vault in vaults.items()},
        "findings/board.json": exports.board(realm),
        "world-state.json": exports.world_state(realm, version),
    }


def _lines(steps: Sequence[Followed]) -> Iterator[tuple[int, str, str, Mapping[str, Any]]]:
    """Version, agent, day and line of everything that a transcript holds; each line is of its own day."""
    for step in steps:
        for event in step.events:
            found = exports.transcript(event, step.at)
            if found is not None and _AGENT.fullmatch(found[0]):
                yield step.version, found[0], f"{step.at:%Y-%m-%d}", found[1]


class Place:
    """The folder of one realm: what we wrote there last, so that what somebody else wrote is seen."""

    def __init__(self, base: Path, said: list[str]) -> None:
        self._base = base
        self._said = said
        self._list = base / ".written.json"
        try:
            found = files.load(self._list)
        except (FileNotFoundError, Damaged):
            found = {}
        self._written: dict[str, str] = found if isinstance(found, dict) else {}

    def put(self, name: str, value: Any) -> None:
        path = self._base / name
        data = (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
        digest = hashlib.sha256(data).hexdigest()
        if self._written.get(name) != digest or not path.is_file():
            self._save(name, path)
            files.write_bytes(path, data)
            self._written[name] = digest

    def _save(self, name: str, path: Path) -> None:
        """Set aside what we did not write; what was taken in at the first link need not be."""
        if path.is_symlink():
            path.unlink()
            return
        try:
            found = path.read_bytes()
        except OSError:
            return
        known = self._written.get(name)
        if hashlib.sha256(found).hexdigest() == known or (known is None and _taken_in(name, found)):
            return
        aside = files.set_aside(path)
        self._said.append(f"{FOLDER}/{name} was changed by somebody else; that was set aside as {aside}.")
        log.warning("%s", self._said[-1])

    def close(self) -> None:
        files.write(self._list, self._written)


def _taken_in(name: str, data: bytes) -> bool:
    try:
        value = json.loads(data)
        if name.startswith("knowledge/"):
            knowledge_from(value)
        elif name.startswith("findings/"):
            board_from(value)
        else:
            return False
    except (ValueError, Damaged):
        return False
    return True


class Transcripts:
    """Logs by agent and day. They only grow; how far they were written is kept beside them, so that twice is once."""

    def __init__(self, base: Path) -> None:
        self._base = base / "logs"
        self._list = self._base / ".written.json"

    def append(
        self, lines: Sequence[tuple[int, str, str, Mapping[str, Any]]], known: Mapping[str, str], upto: int
    ) -> None:
        found = self._read()
        new: dict[str, bytearray] = {}
        for version, agent, day, line in lines:
            if version > found["version"]:
                new.setdefault(f"{agent}/{day}.jsonl", bytearray()).extend(exports.line_bytes(line, known))
        for name, data in new.items():
            path = self._base / name
            size = path.stat().st_size if path.is_file() and not path.is_symlink() else 0
            begin = found["sizes"].setdefault(name, size)
            found["bases"].setdefault(name, size)
            self._add(path, begin, bytes(data))
            found["sizes"][name] = begin + len(data)
        if new:
            found["version"] = max(found["version"], upto)
            files.write(self._list, found)

    def _add(self, path: Path, begin: int, data: bytes) -> None:
        """What stands behind the place where we stopped was written by somebody who did not live to say so."""
        files.make_folder(path.parent)
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        with os.fdopen(fd, "r+b") as file:
            file.truncate(min(begin, os.fstat(fd).st_size))
            file.seek(0, os.SEEK_END)
            file.write(data)
            file.flush()
            os.fsync(fd)

    def rewind(self) -> None:
        """Write them again from the first step; what stood there before us stays."""
        found = self._read()
        if found["version"]:
            files.write(self._list, {"version": 0, "sizes": dict(found["bases"]), "bases": found["bases"]})

    def _read(self) -> dict[str, Any]:
        try:
            found = files.load(self._list)
            return {"version": int(found["version"]), "sizes": dict(found["sizes"]), "bases": dict(found["bases"])}
        except (FileNotFoundError, Damaged, TypeError, KeyError, ValueError):
            return {"version": 0, "sizes": {}, "bases": {}}


__all__ = ["Files", "latest"]
