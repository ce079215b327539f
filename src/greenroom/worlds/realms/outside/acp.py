"""A program that speaks the Agent Client Protocol (version 1): JSON-RPC in lines over its standard input and output.

The program is the operator's: it runs with the operator's rights, and nothing here keeps it from the disk or the
network. What it asks of us through the protocol is answered by whoever holds the connection: files behind the root,
permissions by a person, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from greenroom.adapters.models import schema
from greenroom.adapters.models.prompt import prepare
from greenroom.kernel.asks import AskModel
from greenroom.kernel.errors import GreenroomError

VERSION = 1
#: Bytes of one line, lines that are no message, and characters of one answer that are put up with.
LINE = 4 * 1024 * 1024
JUNK = 100
SAID = 100_000
#: Seconds for everything but a prompt, and for a program to go when it is told to.
SECONDS = 30.0
GRACE = 3.0
#: Variables that a program is not given: they are the house's own.
_OURS = ("GREENROOM_", "REDIS_PASSWORD")

_REFUSED, _NO_METHOD = -32000, -32601


class ProgramEnded(Exception):
    """The program is gone, or says what nobody understands; in one sentence."""


class NotGiven(Exception):
    """What a program asked for and is not given, in a sentence that it is told."""


class Holder(Protocol):
    """Whoever answers what a program asks for."""

    async def read(self, path: str, line: int, limit: int | None) -> str:
        """The text of a file.

        Raises:
            NotGiven: it is not to be read.
        """

    async def permit(self, title: str, kind: str) -> bool:
        """Whether the program may do something with its own hands."""


class AgentProgram:
    """One running program with one session."""

    def __init__(self, process: asyncio.subprocess.Process, holder: Holder) -> None:
        self._process = process
        self._holder = holder
        self._ids = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._session = ""
        self._said: dict[str, list[str]] = {"agent_message_chunk": [], "agent_thought_chunk": []}
        self._ended = ""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], folder: Path, holder: Holder) -> AgentProgram:
        """Run a program and open a session in a folder.

        Raises:
            ProgramEnded: it cannot be run, ends, or speaks another version.
        """
        given = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=folder, env=given, stdin=pipe, stdout=pipe, stderr=none, limit=LINE,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ProgramEnded(f"{command[0]} cannot be run: {error.strerror or error}") from None
        program = cls(process, holder)
        try:
            await program._open(folder)
        except BaseException:
            await program.close()
            raise
        return program

    async def _open(self, folder: Path) -> None:
        files = {"readTextFile": True, "writeTextFile": False}
        told = await self._ask(
            "initialize",
            {"protocolVersion": VERSION, "clientCapabilities": {"fs": files, "terminal": False},
             "clientInfo": {"name": "greenroom", "title": "Greenroom", "version": "1"}},
        )  # fmt: skip
        if told.get("protocolVersion") != VERSION:
            raise ProgramEnded(f"it speaks version {told.get('protocolVersion')} of the protocol, and not {VERSION}")
        made = await self._ask("session/new", {"cwd": str(folder), "mcpServers": []})
        self._session = str(made.get("sessionId", ""))

    # what we ask

    async def prompt(self, text: str) -> tuple[str, str]:
        """Give the program a task and wait until it is through with it: what it said, and what it thought.

        Raises:
            ProgramEnded: it is gone.
        """
        for said in self._said.values():
            said.clear()
        prompt = [{"type": "text", "text": text}]
        await self._ask("session/prompt", {"sessionId": self._session, "prompt": prompt}, seconds=None)
        words, thoughts = ("".join(said)[:SAID].strip() for said in self._said.values())
        return words, thoughts

    async def cancel(self) -> None:
        """Tell the program that nobody waits for its answer any more."""
        await self._send({"method": "session/cancel", "params": {"sessionId": self._session}})

    async def _ask(self, method: str, params: Mapping[str, Any], seconds: float | None = SECONDS) -> Mapping[str, Any]:
        id = next(self._ids)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        try:
            await self._send({"id": id, "method": method, "params": params})
            found = await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            raise ProgramEnded(f"it did not answer {method} within {seconds:.0f} seconds") from None
        finally:
            self._waiting.pop(id, None)
        return found if isinstance(found, dict) else {}

    async def _send(self, message: Mapping[str, Any]) -> None:
        if self._ended:
            raise ProgramEnded(self._ended)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            await self._process.stdin.drain()
        except OSError:
            raise ProgramEnded("it has ended") from None

    # what it says

    async def _read(self) -> None:
        """Hear every line until the program ends; whoever waits then is told."""
        junk = 0
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                junk += not self._heard(line)
                if junk > JUNK:
                    self._ended = f"more than {JUNK} lines of what it said are no messages"
                    break
        except ValueError:
            self._ended = f"it said more than {LINE} bytes in one line"
        self._ended = self._ended or "it has ended"
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ProgramEnded(self._ended))

    def _heard(self, line: bytes) -> bool:
        """Take one line; whether it was a message."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        if "method" not in message:
            return self._answered(message)
        params = message.get("params")
        given: dict[str, Any] = params if isinstance(params, dict) else {}
        if "id" in message:
            task = asyncio.create_task(self._answer(message["id"], str(message["method"]), given))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif message["method"] == "session/update":
            self._updated(given)
        return True

    def _answered(self, message: Mapping[str, Any]) -> bool:
        id = message.get("id")
        answer = self._waiting.get(id) if isinstance(id, int) else None
        if answer is None or answer.done():
            return False
        if "error" in message:
            error = message["error"]
            told = error.get("message", "") if isinstance(error, dict) else ""
            answer.set_exception(ProgramEnded(f"it says: {' '.join(str(told).split())[:200]}"))
        else:
            answer.set_result(message.get("result"))
        return True

    def _updated(self, params: Mapping[str, Any]) -> None:
        update = params.get("update")
        if not isinstance(update, dict):
            return
        content, kept = update.get("content"), self._said.get(str(update.get("sessionUpdate")))
        text = content.get("text") if isinstance(content, dict) else None
        if kept is not None and isinstance(text, str) and sum(map(len, kept)) < SAID:
            kept.append(text)

    # what it asks

    async def _answer(self, id: Any, method: str, params: Mapping[str, Any]) -> None:
        try:
            told: dict[str, Any] = {"result": await self._asked(method, params)}
        except NotGiven as no:
            told = {"error": {"code": _REFUSED, "message": str(no)}}
        except GreenroomError as error:
            told = {"error": {"code": _REFUSED, "message": f"nobody can answer that now: {error}"}}
        except LookupError:
            told = {"error": {"code": _NO_METHOD, "message": f"this client has no {method[:60]}"}}
        with suppress(ProgramEnded):
            await self._send({"id": id, **told})

    async def _asked(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        match method:
            case "fs/read_text_file":
                line, limit = params.get("line"), params.get("limit")
                first = line if isinstance(line, int) and line > 0 else 1
                most = limit if isinstance(limit, int) and limit >= 0 else None
                return {"content": await self._holder.read(str(params.get("path", "")), first, most)}
            case "session/request_permission":
                call = params.get("toolCall")
                wanted: dict[str, Any] = call if isinstance(call, dict) else {}
                title = str(wanted.get("title") or "something that it does not name")
                allowed = await self._holder.permit(title, str(wanted.get("kind") or "other"))
                return {"outcome": _chosen(params.get("options"), allowed=allowed)}
            case "fs/write_text_file":
                raise NotGiven("nothing is written through this line; answer with the action propose_edit")
            case _:
                raise LookupError(method)

    async def close(self) -> None:
        """End the program and whatever it started."""
        for task in (*self._answering, self._reading):
            task.cancel()
        for sign, seconds in ((signal.SIGTERM, GRACE), (signal.SIGKILL, None)):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, sign)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), seconds)
                break
        await asyncio.gather(*self._answering, self._reading, return_exceptions=True)


def _chosen(options: Any, *, allowed: bool) -> Mapping[str, Any]:
    """The option that says yes or no to this one thing; where none does, nothing is done."""
    wanted = "allow_once" if allowed else "reject_once"
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict) and option.get("kind") == wanted:
            return {"outcome": "selected", "optionId": option.get("optionId")}
    return {"outcome": "cancelled"}


# what it is told, and what it means


def written(ask: AskModel) -> str:
    """A prompt as one text, with the form that its answer has."""
    prompt = prepare(ask)
    turns = "\n\n".join(f"{'You' if own else 'What came of it'}: {text}" for own, text in prompt.turns)
    form = json.dumps(ask.schema, ensure_ascii=False)
    last = (
        "Say at the end one JSON object of this form, and nothing after it. Read the files of the repository through "
        f"fs/read_text_file.\n{form}"
    )
    return "\n\n".join(part for part in (prompt.system, prompt.stable, turns, prompt.rest, last) if part)


def actions_in(text: str, thought: str) -> list[dict[str, Any]]:
    """The action that an answer holds; words without one go onto the board, and end the turn."""
    thinking = {"thought": thought[:2_000]} if thought else {}
    value, faults = schema.read(text, {"type": "object", "required": ["action"]}) if text else (None, ())
    if isinstance(value, dict) and not faults:
        return [{**thinking, **value}]
    posted = {"action": "post_findings", "findings": [{"finding": text[:2_000], "severity": "medium"}]}
    return [*([posted] if text else []), {**thinking, "action": "done"}]


__all__ = ["AgentProgram", "Holder", "NotGiven", "ProgramEnded", "actions_in", "written"]
