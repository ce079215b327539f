"""``greenroom play``: a worker in this process, and a visit to the lighthouse in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from greenroom.kernel.errors import Malformed, UsageError
from greenroom.kit.cli.session import Commands, Printed, Session

if TYPE_CHECKING:
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.services.house import House, ShownEvent

WORLD = "lighthouse"
VISITOR = "visitor"
HINT = "say ..., climb, write <to> <text>, look, leave, help, quit"
HELP = """\
say Good evening.            talk to the keeper
climb                        try the stairs to the lamp room
write "the harbour" I am dry.  give the keeper a letter for the mail boat (a name of one word needs no quotes)
look                         see where you are
leave                        go home; the visit is over
quit                         stop here; the visit goes on, and 'greenroom play' comes back to it"""
UNDERSTUDY = "understudy"
SCRIPTED = "The understudy plays: the keeper's lines are scripted, chosen by what you say and not written for you."


async def play(session: Session, new: bool) -> Printed:
    """Visit the lighthouse in this terminal.

    The worker runs in the same process. Starting again goes on with the same visit.
    """
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.kit.numbered import go_on_or_begin, newest

    async with session.house(makes=True, works=True) as house:
        last = await newest(house, WORLD)
        stream = await go_on_or_begin(house, WORLD, seat=VISITOR, new=new)
        begun = last is None or last.name != stream
        visit = TerminalVisit(session, house, stream, Keyboard())
        await visit.play(begun=begun)
        data = {
            "stream": stream,
            "version": visit.version,
            "ended": visit.ended,
            "model": visit.model,
            "events": visit.events,
        }
    return Printed(data)


class TerminalVisit:
    """One sitting at the terminal."""

    def __init__(self, session: Session, house: House, stream: str, keyboard: Keyboard) -> None:
        from greenroom.worlds.lighthouse.rules.prompts import ROLE

        #: Who speaks for the keeper, as far as the house knows before anybody is asked.
        self.model = house.plays(ROLE)
        self._session = session
        self._house = house
        self._stream = stream
        self._keyboard = keyboard
        self._keeper = "The keeper"
        self.version = 0
        #: What was heard of a line while it was being said.
        self._heard = ""
        self.ended = False
        self.events: list[dict[str, Any]] = []

    async def play(self, *, begun: bool) -> None:
        self._say(f"SALLOW ROCK LIGHT   (stream {self._stream}, {'begun' if begun else 'continued'})", style="bold")
        self.version = await self._scene()
        self._say(_credit(self.model), style="dim")
        self._say(f"You may: {HINT}")
        while not self.ended and (line := await self._next_line()) is not None:
            if line == "quit":
                break
            await self._obey(line)
        if not self.ended:
            self._say("The visit goes on without you; 'greenroom play' comes back to it.")

    # hearing

    async def _next_line(self) -> str | None:
        """What is typed next; what happens meanwhile is told as it happens."""
        import asyncio

        self._prompt()
        line = asyncio.create_task(self._keyboard.line())
        try:
            while not (await asyncio.wait({line}, timeout=1.0))[0]:
                if await self._tell_news(interrupting=True) and not line.done():
                    self._prompt()
        finally:
            line.cancel()
        typed = line.result()
        if typed is not None and not self._keyboard.is_terminal:
            self._say(f"> {typed}")
        return None if typed is None else typed.strip()

    def _prompt(self) -> None:
        if self._keyboard.is_terminal and not self._session.as_json:
            print("> ", end="", flush=True)

    async def _obey(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        match verb.lower():
            case "":
                return
            case "look":
                await self._scene()
            case "help" | "?":
                self._session.say(HELP)
            case "exit" | "q":
                self._say("To stop here, type quit.")
            case "say" | "climb" | "leave" | "write":
                await self._act(verb.lower(), rest.strip())
            case _ if rest.strip():  # a sentence without a verb of ours in front is said
                await self._act("say", line.strip())
            case _:
                self._say(f"(nobody here knows how to do that; you may {HINT})")

    async def _act(self, verb: str, rest: str) -> None:
        try:
            given = self._house.codec(WORLD).command_from(verb, _fields(verb, rest))
            stop = self._house.listen(self._stream, self._hear)
            try:
                await self._house.send(self._stream, given, seat=VISITOR)
            finally:
                stop()
        except UsageError as refusal:
            self._say(f"({refusal})", style="dim")
        await self._tell_news()
        self._heard = ""

    def _hear(self) -> None:
        """Print a line sentence by sentence while it is being said."""
        so_far = self._house.saying(self._stream, VISITOR) or ""
        if len(so_far) > len(self._heard) and so_far.startswith(self._heard):
            self._say(so_far[len(self._heard) :].strip() if self._heard else f"{self._keeper}: {so_far}")
            self._heard = so_far

    # telling

    async def _scene(self) -> int:
        """Tell where the visitor is; the version that this was."""
        seen = await self._house.view(self._stream, seat=VISITOR)
        body = seen.body
        self._keeper = body["keeper"] or self._keeper
        self.ended = body["ended_at"] is not None
        doing = "is in bed" if body["abed"] else "is at the kitchen table"
        self._say(f"{body['weather']} The lamp is {body['lamp']}. {self._keeper} {doing}.")
        for line in body["recent"][-4:]:
            self._speak(line["speaker"], line["words"])
        return seen.version

    async def _tell_news(self, *, interrupting: bool = False) -> bool:
        """Tell what happened since the last time, in order; whether there was anything.

        How far it reads is settled first: what is written while it tells is told the next time.
        """
        told, newest = False, (await self._house.stream(self._stream)).version
        if newest == self.version:
            return told
        async for event in self._house.events(self._stream, seat=VISITOR, after=self.version, upto=newest):
            if interrupting and not told:
                self._session.say("")
            told = True
            self._tell(event)
            if event.kind == "answered":
                await self._own_up(event)
        self.version = newest
        return told

    def _tell(self, event: ShownEvent) -> None:
        self.events.append({"version": event.version, "kind": event.kind, "shown": event.body})
        body: Any = event.body
        match event.kind:
            case "answered":
                self._answered(body["line"])
            case "climbed" | "held_up":
                self._say(body.get("sight") or body["held_up"])
            case "letter_taken":
                self._say(f"{self._keeper} takes your letter. The mail boat comes on {body['due_at'][:16]} UTC.")
            case "secret_told" if "secret" in body:
                self._say(f"She tells you what she has told nobody: {body['secret']}", style="italic")
            case "lamp_lit" | "lamp_out":
                self._say(f"The lamp is {body['lamp']} now.")
            case "went_to_bed":
                self._speak("keeper", body["line"])
                self._say(f"{self._keeper} goes to bed.")
            case "left":
                self.ended = True
                self._say("You row home. The visit is over; 'greenroom play' begins another.")
            case _:  # the visitor knows what the visitor said
                pass

    def _answered(self, line: str) -> None:
        """Say her line, or what is left of it where it was heard while she said it."""
        if self._heard and line.startswith(self._heard):
            if rest := line[len(self._heard) :].strip():
                self._say(rest)
        else:
            self._speak("keeper", line)

    async def _own_up(self, event: ShownEvent) -> None:
        """Say so when somebody else spoke than was announced; the ledger knows."""
        if self.model in (None, UNDERSTUDY):
            return
        asks = (await self._house.why(self._stream, event.version)).asks
        if asks and asks[-1].model == UNDERSTUDY:
            reason = asks[-1].noted.get("why", asks[-1].status)
            self._say(f"(The understudy spoke; {self.model} did not: {reason}.)", style="dim")
        elif asks and asks[-1].status.startswith(("refused", "failed")):
            self._say(f"(Nobody was asked, and the line is a stock one: {asks[-1].status}.)", style="dim")

    def _speak(self, speaker: str, words: str) -> None:
        self._say(f"{self._keeper if speaker == 'keeper' else 'You'}: {words}")

    def _say(self, said: str, *, style: str = "") -> None:
        from shutil import get_terminal_size
        from textwrap import fill

        width = max(40, min(96, get_terminal_size((96, 24)).columns))
        self._session.say(fill(said, width), style=style)


def _credit(model: str | None) -> str:
    if model is None:
        return "Whoever speaks for the keeper here does not say who it is."
    if model == UNDERSTUDY:
        return SCRIPTED
    return f"{model} speaks for the keeper. Where it fails the understudy steps in, and you are told."


def _fields(verb: str, rest: str) -> dict[str, str]:
    """The fields of a command from what was typed behind its verb.

    Raises:
        Malformed: something is missing behind it.
    """
    match verb:
        case "say":
            return {"text": rest}
        case "climb" | "leave":
            return {}
        case _:
            quoted = rest.startswith('"')
            to, _, words = rest.removeprefix('"').partition('"' if quoted else " ")
            if not words.strip():
                raise Malformed('write needs a name and some words: write "the harbour" I am dry.')
            return {"to": to, "text": words.strip()}


commands = Commands(name=WORLD, help="Sallow Rock Light, an evening with its keeper.", bodies={}, play=play)
