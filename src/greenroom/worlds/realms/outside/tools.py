"""What turns of a realm may use: look at a repository, read, list and search in it, and change a piece of a file.

A tool is told the root by the rules, never by an agent; an agent names what lies below it.
"""

from __future__ import annotations

import asyncio
import difflib
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from greenroom.adapters.tools import Tool
from greenroom.kernel.asks import Failed, Json, UseTool
from greenroom.worlds.realms.outside import git
from greenroom.worlds.realms.outside.files import exclude, left_here
from greenroom.worlds.realms.outside.jail import READ_BYTES, Jail, Outside, steps
from greenroom.worlds.realms.outside.survey import realm_id, survey, told
from greenroom.worlds.realms.outside.survey.tree import Kind, walk
from greenroom.worlds.realms.settings import RealmsSettings

#: Places that a search gives, and seconds that it takes at most.
HITS = 40
SECONDS = 4.0
#: Kinds of files in the order in which they are searched: a word says most where the program is.
_KINDS: tuple[Kind, ...] = ("code", "config", "test", "doc", "other")
#: Bytes of a file that may be changed.
EDITED = 512 * 1024


def linkable(path: str, settings: RealmsSettings) -> Path:
    """The folder that a path means, if it may be linked.

    Raises:
        Outside: it is not there, not a folder, or not below one of the roots.
    """
    if "\0" in path or not path.strip():
        raise Outside("name a folder")
    if not path.startswith(("/", "~")):
        raise Outside("name the folder by its whole path, from the root of this machine")
    try:
        place = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise Outside("there is no such folder on this machine") from None
    if not place.is_dir():
        raise Outside("this is no folder; a realm is linked by its folder")
    if place == Path(place.anchor) or place == Path.home():
        raise Outside("a whole disk or home is no realm; name the folder of one repository")
    allowed = settings.allowed
    cloned = settings.clone_folder.resolve()
    if allowed and not any(place.is_relative_to(root) for root in (*allowed, cloned)):
        raise Outside("this folder is outside the roots that realms may be linked from (GREENROOM_REALMS_ROOTS)")
    return place


def fetched(address: str, settings: RealmsSettings) -> Path:
    """The folder of a path, or of a clone of an address; a clone that is there is used again.

    Raises:
        Outside: it may not be linked, or git said no.
    """
    if "://" not in address and "::" not in address:
        return linkable(address, settings)
    place = settings.clone_folder / realm_id(address)
    if not place.is_dir():
        try:
            git.clone(address, place)
        except git.GitFailed as failed:
            raise Outside(f"it cannot be cloned: {failed}") from None
    return place.resolve()


def surveyed(settings: RealmsSettings, args: Mapping[str, Any]) -> Json:
    """Look at a repository; the first time, take in what was left there."""
    place = fetched(str(args["path"]), settings)
    found = told(survey(place))
    left, said = left_here(place) if args.get("first") and settings.files else (None, [])
    if settings.files:
        exclude(place)
    return {**found, "id": realm_id(place), "path": str(place), "name": place.name, "left_here": left, "said": said}


def read(jail: Jail, args: Mapping[str, Any]) -> Json:
    path = _clean(str(args["path"]))
    found = jail.text(path, int(args.get("line", 1)))
    return {"path": path, "text": found.text, "cut": found.cut, "size": found.size}


def listed(jail: Jail, args: Mapping[str, Any]) -> Json:
    names, left_out = jail.names(str(args["path"]))
    return {"names": names, "left_out": left_out}


def searched(jail: Jail, args: Mapping[str, Any]) -> Json:
    """Where words stand in the text files of a repository, as they are: no character has a meaning."""
    pattern = re.compile(re.escape(str(args["pattern"])), re.IGNORECASE)
    hits: list[dict[str, Any]] = []
    count = files = 0
    until = time.monotonic() + SECONDS
    for file in sorted(walk(jail.root).files, key=lambda file: _KINDS.index(file.kind)):
        if time.monotonic() > until:
            return {"hits": hits, "count": count, "files": files, "cut": True}
        if file.kind == "other":
            continue
        files += 1
        for line, text in _lines(jail, file.path):
            if pattern.search(text):
                count += 1
                if len(hits) < HITS:
                    hits.append({"path": file.path, "line": line, "text": text.strip()[:200]})
    return {"hits": hits, "count": count, "files": files, "cut": count > len(hits)}


def _lines(jail: Jail, path: str) -> list[tuple[int, str]]:
    try:
        data = jail.read(path, limit=READ_BYTES * 4)
    except Outside:
        return []
    return [] if b"\0" in data else list(enumerate(data.decode(errors="replace").splitlines(), 1))


def proposed(jail: Jail, args: Mapping[str, Any]) -> Json:
    """What a change of one piece of a file would look like; nothing is written."""
    path = _clean(str(args["path"]))
    old, new = _edited(jail, path, str(args["before"]), str(args["after"]))
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}")
    return {"path": path, "diff": "".join(lines)[:READ_BYTES]}


def applied(jail: Jail, args: Mapping[str, Any]) -> Json:
    """Change one piece of a file; when that was done already, it is done."""
    path, before, after = _clean(str(args["path"])), str(args["before"]), str(args["after"])
    text = _whole(jail, path)
    if before not in text and text.count(after) == 1:
        return {"path": path}
    old, new = _edited(jail, path, before, after)
    jail.replace(path, old.encode(), new.encode())
    return {"path": path}


def _whole(jail: Jail, path: str) -> str:
    data = jail.read(path, limit=EDITED)
    if len(data) > EDITED:
        raise Outside(f"only files of at most {EDITED} bytes are changed")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Outside("only text in UTF-8 is changed") from None


def _edited(jail: Jail, path: str, before: str, after: str) -> tuple[str, str]:
    text = _whole(jail, path)
    if text.count(before) != 1:
        raise Outside(f"the piece to be replaced stands {text.count(before)} times in the file; it must stand once")
    return text, text.replace(before, after)


def _clean(path: str) -> str:
    return "/".join(steps(path))


def tools(settings: RealmsSettings) -> Mapping[str, Tool]:
    """The tools by name. Each works in a thread of its own, and says no in a sentence."""

    def inside(do: Callable[[Jail, Mapping[str, Any]], Json]) -> Tool:
        return _tool(lambda args: do(Jail(linkable(str(args["root"]), settings)), args))

    return {
        "realms_survey": _tool(lambda args: surveyed(settings, args)),
        "realms_read": inside(read),
        "realms_list": inside(listed),
        "realms_search": inside(searched),
        "realms_propose": inside(proposed),
        "realms_apply": inside(applied),
    }


def _tool(do: Callable[[Mapping[str, Any]], Json]) -> Tool:
    async def use(ask: UseTool, _: str) -> Json | Failed:
        try:
            return await asyncio.to_thread(do, ask.args)
        except Outside as no:
            return Failed(str(no))
        except OSError as error:
            return Failed(f"the files cannot be reached: {error.strerror or error}")

    return use


__all__ = ["fetched", "linkable", "tools"]
