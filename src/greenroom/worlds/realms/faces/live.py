"""The live line: a WebSocket over the same commands, tickets and rates as HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from greenroom.kernel.errors import Forbidden, GreenroomError, Malformed, NotAdmitted, Refused, TooLarge, TooMany
from greenroom.kernel.words import Words
from greenroom.kit.http.access import Caller, Door, EnteredStream, address, entered
from greenroom.kit.http.live import Live, LiveConnection, Position
from greenroom.kit.http.problems import sentence_for
from greenroom.kit.http.records import MOST, encode
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app, protocol
from greenroom.worlds.realms.faces import protocol as p
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER

#: Seconds between two looks when nothing was heard.
BEAT = 10.0
#: Seconds in which nothing more is read of whoever says too much.
REST = 1.0


class Line:
    """One connection: who is at the other end, and which realm it follows."""

    def __init__(self, socket: WebSocket, caller: Caller) -> None:
        self._socket = socket
        self._house: House = socket.app.state.house
        self._door: Door = socket.app.state.door
        self._live: Live = socket.app.state.live
        self._caller = caller
        self._place: EnteredStream | None = None
        self._following: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    # the line itself

    async def run(self) -> None:
        """Answer until the other end goes."""
        await self._tell(
            {"type": "server:info", "protocol": protocol.VERSION, "world": NAME, "caller": self._caller.kind}
        )
        if self._caller.kind == "player" and self._caller.ticket is not None and self._caller.ticket.stream:
            await self._go(self._caller.ticket.stream)
        try:
            while True:
                await self._heard(await self._next())
                # What is there already comes without waiting: others have their turn between two messages.
                await asyncio.sleep(0)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            await self._leave()

    async def _leave(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._following
            self._following = None

    async def _next(self) -> str | None:
        """What is said next; None for what is no text."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | None = message.get("text")
        return text

    async def _heard(self, text: str | None) -> None:
        id = None
        try:
            text = self._counted(text)
            message = protocol.read(text)
            id = message.id
            found = await self._obeyed(message)
            if found is not None:
                await self._tell({**found, **({} if id is None else {"re": id})})
        except (TooMany, TooLarge) as error:
            await self._sorry(error, id)
            await asyncio.sleep(REST)  # what is not read holds up whoever sends it, and nobody else
        except GreenroomError as error:
            await self._sorry(error, id or protocol.id_in(text or ""))

    async def _sorry(self, error: GreenroomError, id: str | int | None) -> None:
        message = sentence_for(error, self._caller.kind)
        await self._tell({"type": "error", "kind": type(error).__name__, "message": message, "re": id})

    def _counted(self, text: str | None) -> str:
        """A message that may be read, counted like a request."""
        rates, where = self._door.rates, address(self._socket)
        rates.address(where)
        if self._caller.ticket is not None:
            rates.ticket(self._caller.ticket.digest)
        if text is None:
            raise Malformed("messages are text; this one is not")
        rates.weigh(len(text), where, self._caller.person)
        if len(text) > protocol.MOST_MESSAGE:
            raise TooLarge(f"a message has at most {protocol.MOST_MESSAGE} characters")
        return text

    def _count_turn(self) -> None:
        if self._caller.ticket is not None and self._caller.kind == "player":
            self._door.rates.turn(self._caller.ticket.digest.hex())

    async def _tell(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(encode(message).decode())

    # what is said

    async def _obeyed(self, message: Any) -> dict[str, Any] | None:
        match message:
            case p.LinkRepo() | p.ListRealms() | p.ResumeRealm() | p.RemoveRealm() | p.AgentRegister():
                return await self._about_realms(message)
            case p.GetAgentDetails():
                return await self._details(message.agent)
            case p.AgentAction():
                return await self._act(message)
            case p.CommandFrame(command="export"):
                markdown = await app.exported(self._house, self._here().name)
                return {"type": "process:completed", "exported": markdown}
            case _:
                await self._send(_command(message))
                return {"type": "world:state", **await self._seen()}

    async def _about_realms(self, message: Any) -> dict[str, Any] | None:
        if self._caller.kind != "operator":
            raise Forbidden("only the operator links, lists and removes realms; a ticket opens the realm it is for")
        match message:
            case p.LinkRepo():
                linked = await app.link(self._house, message.path)
                return await self._ready(linked.stream, linked.version)
            case p.ResumeRealm():
                stream = await app.find(self._house, message.realm)
                reply = await self._house.send(stream, c.Explore(), seat=PLAYER)
                return await self._ready(stream, reply.version)
            case p.RemoveRealm():
                stream = await app.find(self._house, message.realm)
                await app.remove(self._house, stream)
                return {"type": "realm:removed", "stream": stream}
            case p.AgentRegister():
                return await self._register(message)
            case _:
                return {"type": "realm:list", "realms": await app.listed(self._house)}

    async def _register(self, message: p.AgentRegister) -> dict[str, Any]:
        stream = await app.find(self._house, message.realm)
        seated = c.SeatAgent(agent=message.agent, name=message.name, role=message.role, seconds=message.seconds)
        reply = await self._house.send(stream, seated, seat=PLAYER)
        await self._go(stream, seat=message.agent, since=reply.version)
        return {"type": "agent:joined", "body": {"agent": message.agent, "name": message.name, "role": message.role}}

    async def _ready(self, stream: str, since: int) -> dict[str, Any]:
        await self._go(stream, since=since)
        seen = await self._seen()
        return {"type": "repo:ready", **seen, "map": await app.words(self._house, stream, "map")}

    async def _details(self, agent: str) -> dict[str, Any]:
        view: Any = (await self._house.view(self._here().name, seat=PLAYER)).body
        if self._here().seat not in (PLAYER, "operator") and agent != self._here().seat:
            raise Forbidden("an agent sees its own vault only")
        if agent not in view["vaults"]:
            raise Refused("nobody of that name was ever here")
        return {"type": "agent:activity", "kind": "details", "body": view["vaults"][agent]}

    async def _act(self, message: p.AgentAction) -> dict[str, Any]:
        self._count_turn()
        command = c.Act(action=Words(json.dumps(message.action, ensure_ascii=False)))
        reply = await self._house.send(self._here().name, command, seat=self._here().seat)
        return {"type": "action:result", "body": reply.body}

    async def _send(self, command: Any) -> None:
        self._count_turn()
        place = self._here()
        seat = PLAYER if place.seat == "operator" else place.seat
        await self._house.send(place.name, command, seat=seat, person=self._caller.person)

    def _here(self) -> EnteredStream:
        if self._place is None:
            raise Refused("link or resume a realm first")
        return self._place

    async def _seen(self) -> dict[str, Any]:
        place = self._here()
        look = await self._house.view(place.name, seat=place.seat)
        body = {name: value for name, value in dict(look.body).items() if name != "map"}
        return {"stream": place.name, "version": look.version, "state": body}

    # what happens

    async def _go(self, stream: str, seat: str | None = None, since: int | None = None) -> None:
        """Follow a realm from a version on: what happened while the line was still coming in is told as well."""
        await self._leave()
        self._place = await entered(self._house, self._caller, stream, seat)
        if self._place.stream.world != NAME:
            self._place = None
            raise Malformed("this ticket is for another world")
        if since is None:
            since = (await self._house.stream(stream)).version
        self._following = asyncio.create_task(self._follow(self._place, since))

    async def _follow(self, place: EnteredStream, version: int) -> None:
        connection = LiveConnection(self._house, place, self._live, Position(version, MOST))
        with self._live.watching(place.name) as watched, contextlib.suppress(GreenroomError, RuntimeError):
            await self._ask_turn(place)
            while not self._live.closed:
                moved = watched.moved
                news = await connection.news()
                for event in news:
                    message = protocol.told(event)
                    if message is not None:
                        await self._tell(message)
                if any(event.kind not in protocol.NAMES for event in news):
                    await self._tell({"type": "world:state", **await self._seen()})
                if news:
                    await self._ask_turn(place)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(moved.wait(), BEAT)

    async def _ask_turn(self, place: EnteredStream) -> None:
        """Tell an agent outside that it is its turn, and for how long."""
        if place.seat in (PLAYER, "operator"):
            return
        body: Any = (await self._house.view(place.name, seat=place.seat)).body
        if body.get("its_turn"):
            await self._tell({"type": "turn:start", "seconds": body["agent"]["seconds"], "body": body})


def _command(message: Any) -> Any:
    """The command of the rules that a message means.

    Raises:
        Malformed: something that it needs was left out.
    """
    match message:
        case p.StartProcessFrame():
            return c.StartProcess(template=message.template, problem=Words(message.problem), autonomy=message.autonomy)
        case p.UpdateSettingsFrame():
            given = message.model_dump(include={"max_agents", "budget_cents", "permission", "autonomy"})
            return c.UpdateSettings(**given)
        case p.DismissAgent():
            return c.Dismiss(agent=message.agent)
        case p.NavigateEnter():
            return c.Enter(room=message.room)
        case p.NavigateBack():
            return c.Back()
        case _:
            return _order(message)


def _order(message: p.CommandFrame) -> Any:
    def needed(name: str) -> str:
        value = getattr(message, name)
        if value is None:
            raise Malformed(f"the command {message.command} needs {name}")
        return str(value)

    orders = {
        "approve": c.Approve,
        "skip": c.Skip,
        "restart": c.Restart,
        "explore": c.Explore,
        "inject": lambda: c.Inject(text=Words(needed("text"))),
        "redirect": lambda: c.Redirect(goal=Words(needed("text"))),
        "direct": lambda: c.Direct(agent=needed("agent"), text=Words(needed("text"))),
        "summon": lambda: c.Summon(role=needed("text")),
        "assign-quest": lambda: c.AssignQuest(quest=needed("quest"), agent=needed("agent")),
        "release-quest": lambda: c.ReleaseQuest(quest=needed("quest")),
        "apply-edit": lambda: c.ApplyEdit(edit=needed("edit")),
        "reject-edit": lambda: c.RejectEdit(edit=needed("edit")),
        "allow": lambda: c.Allow(request=needed("request")),
        "deny": lambda: c.Deny(request=needed("request")),
    }
    order: Any = orders[message.command]
    return order()


async def serve(socket: WebSocket) -> None:
    """Take a connection, if whoever is at the other end may come in."""
    door: Door = socket.app.state.door
    try:
        caller = await door.caller(socket)
        if caller.kind == "stranger":
            raise NotAdmitted("show a ticket")
    except GreenroomError as no:
        await socket.close(1008, str(no)[:100])
        return
    await socket.accept()
    await Line(socket, caller).run()


__all__ = ["serve"]
