"""``greenroom realms``: link a repository, explore it, come back to it, think about it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import Refused
from greenroom.kit.cli.session import Commands, Printed, Session, given_file

if TYPE_CHECKING:
    from greenroom.services.house import House, ShownEvent

Address = Annotated[
    str, typer.Argument(metavar="PATH", help="Folder of a repository, or an https, ssh or file address.")
]
Named = Annotated[str, typer.Argument(metavar="REALM", help="Id, name or folder of a realm.", show_default=False)]
Origin = Annotated[str, typer.Argument(metavar="FROM", help="The realm whose agents know it.", show_default=False)]
AgentNamed = Annotated[str, typer.Argument(metavar="AGENT", help="Id of the agent.", show_default=False)]
Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What to think about.", show_default=False)]
Template = Annotated[
    str, typer.Option("--template", help="brainstorm, deep_brainstorm, six_hats, scamper or code_review.")
]
Approving = Annotated[
    bool, typer.Option("--approve", help="Stop after each stage until 'brainstorm' is given again with --go-on.")
]
GoOn = Annotated[bool, typer.Option("--go-on", help="Approve the stage that waits, and go on.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write; standard output by default.")
]
Seconds = Annotated[float, typer.Option("--seconds", min=0, help="How long; 0 until it is stopped.")]
Last = Annotated[int, typer.Option("--last", min=1, max=1000, help="How many findings.")]


async def link(session: Session, path: Address) -> Printed:
    """Link a repository: read it, draw its map, and call the Oracle. Agents begin when somebody works in the house."""
    from greenroom.kit.cli.progress import waiting
    from greenroom.worlds.realms.faces import app

    async with session.house(makes=True) as house:
        with waiting("looking at the repository"):
            entered = await app.link(house, _whole(path))
        realm = await app.state_of(house, entered.stream)
        data = {"stream": entered.stream, "realm": realm.id, "new": entered.is_new, "files": realm.files}
        kin = "".join(
            f"\n{one} is another copy of this repository; 'greenroom realms inherit {entered.stream} {one}' takes over "
            "what its agents know."
            for one in entered.kin
        )
        told = f"{realm.name} is {'linked' if entered.is_new else 'known'}: realm {realm.id}, {realm.files} files{kin}"
        return Printed({**data, "kin": list(entered.kin), "quests": len(realm.quests)}, told)


def _whole(path: str) -> str:
    """What was typed, as seen from where it was typed."""
    return path if ":" in path or path.startswith("~") else str(Path.cwd() / path)


async def explore(session: Session, path: Address) -> Printed:
    """Send the agents round a repository, and report.

    What they found comes ranked; the second time, with what changed.
    """
    from greenroom.kit.cli.progress import waiting
    from greenroom.worlds.realms.faces import app, telling

    async with session.house(makes=True, works=True) as house:
        with waiting("looking at the repository"):
            entered = await app.link(house, _whole(path))
        with waiting("the agents go round"):
            await _settle(house, entered.stream)
        told = await app.report(house, entered.stream)
    return Printed(told, telling.report(told))


async def resume(session: Session, realm: Named) -> Printed:
    """Come back to a realm and let its agents go on.

    The repository is looked at anew.
    """
    from greenroom.worlds.realms.faces import app

    async with session.house() as house:
        path = (await app.state_of(house, await app.find(house, realm))).path
    return await explore(session, path)


async def list_(session: Session) -> Printed:
    """List all realms.

    When they were visited, how many commits came since, and what is in them.
    """
    from greenroom.worlds.realms.faces import app, telling

    async with session.house(makes=True) as house:
        found = await app.listed(house)
    return Printed({"realms": found}, telling.realms(found))


async def remove(session: Session, realm: Named) -> Printed:
    """Take a realm off the list. Its memory stays; 'greenroom db forget realm:ID' removes that too."""
    from greenroom.worlds.realms.faces import app

    async with session.house() as house:
        stream = await app.find(house, realm)
        id = (await app.state_of(house, stream)).id
        await app.remove(house, stream)
    return Printed({"removed": id, "stream": stream}, f"Realm {id} is off the list.")


async def inherit(session: Session, realm: Named, origin: Origin) -> Printed:
    """Take over what another copy's agents know.

    The vaults and the board of another copy of the same repository.
    """
    from greenroom.worlds.realms.faces import app

    async with session.house() as house:
        stream, other = await app.find(house, realm), await app.find(house, origin)
        vaults, findings = await app.inherit(house, stream, other)
        await house.following.catch_up()
    told = f"Taken over from {other}: what {vaults} agents know, and {findings} findings."
    return Printed({"stream": stream, "origin": other, "vaults": vaults, "findings": findings}, told)


async def quests(session: Session, realm: Named) -> Printed:
    """List the quests of a realm."""
    from greenroom.worlds.realms.faces import app, telling

    async with session.house() as house:
        stream = await app.find(house, realm)
        view: Any = (await house.view(stream, seat="player")).body
    return Printed({"quests": view["quests"]}, telling.quests(view["quests"]))


async def board(session: Session, realm: Named, *, last: Last = 30) -> Printed:
    """Show the board of a realm, the newest finding last."""
    from greenroom.worlds.realms.faces import app, telling

    async with session.house() as house:
        found = await app.board(house, await app.find(house, realm), limit=last)
    return Printed({"findings": found}, telling.board(found))


async def brainstorm(
    session: Session,
    realm: Named,
    question: Question = "",
    *,
    template: Template = "brainstorm",
    approve: Approving = False,
    go_on: GoOn = False,
) -> Printed:
    """Let agents think about a question, in stages. What was interrupted goes on at the same turn when given again."""
    from greenroom.worlds.realms.faces import app, telling

    async with session.house(works=True) as house:
        stream = await app.find(house, realm)
        await _begin(house, stream, question, template, approve=approve, go_on=go_on)
        await _settle(house, stream)
        view: Any = (await house.view(stream, seat="player")).body
    return Printed({"stream": stream, "process": view["process"]}, telling.process(view["process"]))


async def _begin(house: House, stream: str, question: str, template: str, *, approve: bool, go_on: bool) -> None:
    from greenroom.kernel.words import Words
    from greenroom.worlds.realms.faces import app
    from greenroom.worlds.realms.rules import commands as c
    from greenroom.worlds.realms.rules.state import PLAYER

    process = (await app.state_of(house, stream)).process
    if go_on:
        await house.send(stream, c.Approve(), seat=PLAYER)
    elif process is None or process.status == "completed":
        if not question:
            raise Refused("say what to think about: greenroom realms brainstorm REALM QUESTION")
        start = c.StartProcess(
            template=template, problem=Words(question), autonomy="supervised" if approve else "autonomous"
        )
        await house.send(stream, start, seat=PLAYER)


async def _settle(house: House, stream: str) -> None:
    """Work until nothing of this realm is to be done at once."""
    import asyncio

    from greenroom.worlds.realms.faces import app
    from greenroom.worlds.realms.rules.times import wake_at

    while True:
        realm = await app.state_of(house, stream)
        outside = realm.acting is not None and realm.acting.asked_at is not None
        if wake_at(realm) is None and not (await house.stream(stream)).open:
            await house.following.catch_up()  # the files beside the repository say so too
            return
        if not outside:
            await house.quiet()
        else:
            await asyncio.sleep(0.1)


async def seat(session: Session, realm: Named, agent: AgentNamed, *, seconds: Seconds = 0) -> Printed:
    """Let a program hold an agent's seat.

    Over the Agent Client Protocol, until it is stopped with control-c. Which program that is stands in
    GREENROOM_REALMS_AGENTS. It runs with your rights: only what it asks for through the protocol is kept behind the
    root of the repository.
    """
    import asyncio

    from greenroom.worlds.realms.faces import app
    from greenroom.worlds.realms.faces.supervisor import Supervisor
    from greenroom.worlds.realms.settings import RealmsSettings

    async with session.house(works=True) as house:
        known = house.settings("realms", RealmsSettings).agents
        if agent not in known:
            listed = ", ".join(known) or "none"
            raise Refused(f"no program is set for {agent}; GREENROOM_REALMS_AGENTS names {listed}")
        stream = await app.find(house, realm)
        holding = Supervisor(house, stream, agent, known[agent], say=session.say).hold()
        session.say(f"{agent} is held by {known[agent].command[0]}; control-c gives the seat back.")
        with suppress(TimeoutError, KeyboardInterrupt, asyncio.CancelledError):
            await asyncio.wait_for(holding, seconds or None)
        posted = [one for one in await app.board(house, stream) if one["agent_id"] == agent]
    return Printed({"stream": stream, "agent": agent, "findings": len(posted)}, f"{agent} left the realm.")


async def export(session: Session, realm: Named, *, output: Output = None) -> Printed:
    """Write what came of a realm as Markdown.

    Its process, its board, its quests.
    """
    from greenroom.worlds.realms.faces import app

    async with session.house() as house:
        stream = await app.find(house, realm)
        text = await app.exported(house, stream)
    if output is None:
        return Printed({"stream": stream, "markdown": text}, text.rstrip("\n"))
    with given_file(output):
        output.write_text(text)
    return Printed({"stream": stream, "file": str(output)}, f"Written to {output}.")


async def watch(session: Session, realm: Named, *, seconds: Seconds = 0) -> Printed:
    """Watch a realm as it happens.

    Control-c stops it.
    """
    import asyncio
    import time

    from greenroom.worlds.realms.faces import app

    count, heard, began = 0, -1, time.monotonic()
    async with session.house() as house:
        stream = await app.find(house, realm)
        version = (await house.stream(stream)).version
        session.say(f"Watching {stream} from version {version}.")
        try:
            while not seconds or time.monotonic() - began < seconds:
                async for event in house.events(stream, seat="player", after=version):
                    version, count = event.version, count + 1
                    session.say(_line(event))
                heard = await house.changed(0.5, heard)
        except (KeyboardInterrupt, asyncio.CancelledError):
            pass
    return Printed({"stream": stream, "version": version, "events": count})


def _line(event: ShownEvent) -> str:
    body: Any = event.body
    said = body.get("finding") or body.get("words") or body.get("task") or body.get("name") or body.get("tool") or ""
    who = body.get("agent_name") or body.get("agent") or ""
    return f"{event.at:%H:%M:%S}  {event.kind.replace('_', ' '):16} {who}  {' '.join(str(said).split())[:160]}".rstrip()


commands = Commands(
    name="realms",
    help="Repositories as places that agents explore and remember.",
    bodies={
        "link": link,
        "explore": explore,
        "resume": resume,
        "list": list_,
        "inherit": inherit,
        "remove": remove,
        "quests": quests,
        "board": board,
        "brainstorm": brainstorm,
        "seat": seat,
        "export": export,
        "watch": watch,
    },
)
