"""What every command shares: the house it opens, how it answers, and how it fails."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from errno import ENOSPC
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from greenroom.kernel.errors import BackendError, DiskFull, GreenroomError, Malformed, Unknown, UsageError
from greenroom.kit.cli.extras import advice
from greenroom.kit.cli.progress import waiting

if TYPE_CHECKING:
    from pydantic import BaseModel

    from greenroom.services.house import House
    from greenroom.settings import Settings

M = TypeVar("M", bound="BaseModel")

Home = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="The data directory, instead of GREENROOM_HOME.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.", show_default=False)]


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command has to say: data for programs, text (or anything rich can print) for people."""

    data: Any
    text: Any = ""
    code: int = 0


@dataclass
class Session:
    """One run of one command."""

    home: Path | None = None
    as_json: bool = False
    _told: bool = field(default=False, init=False)

    @cached_property
    def settings(self) -> Settings:
        from greenroom.settings import read_settings

        return read_settings(home=self.home)

    def part(self, model: type[M], plugin: str) -> M:
        """The settings of a plug-in."""
        from greenroom.settings import read_part

        return read_part(model, plugin)

    @asynccontextmanager
    async def house(self, *, makes: bool = False, works: bool = False) -> AsyncIterator[House]:
        """The open house; a command that only looks does not make one by mistake.

        Raises:
            Unknown: there is none, and the command does not make one.
        """
        if not makes:
            await self._find()
        from greenroom.bootstrap import open_house

        _listen_to_warnings()
        async with AsyncExitStack() as open_until:
            # An old one is backed up and brought to the form of today first.
            with waiting("opening the house"):
                house = await open_until.enter_async_context(open_house(self.settings.place, work=works))
            yield house

    async def _find(self) -> None:
        """Refuse to go on without a house.

        Raises:
            Unknown: there is none.
        """
        place = self.settings.place
        if isinstance(place, Path):
            self.existing()
            return
        from greenroom.adapters.postgres.opening import found_version
        from greenroom.adapters.sql.addresses import shown

        if await found_version(place) is None:
            raise Unknown(f"there is no house in {shown(place)} yet; 'greenroom up' makes one")

    def existing(self) -> Path:
        """The database file of the house.

        Raises:
            Unknown: there is none.
            UsageError: the house is on a server.
        """
        if self.settings.database_url is not None:
            raise UsageError(
                "this house is in PostgreSQL: back it up with the server's own tools (pg_dump), or copy it into a file "
                "with 'greenroom db copy'"
            )
        database = self.settings.database
        with given_file(database):
            if not database.exists():
                raise Unknown(
                    f"there is no house in {database.parent}; 'greenroom up' makes one, --home or GREENROOM_HOME "
                    "names another place"
                )
        return database

    def say(self, text: Any = "", *, style: str = "") -> None:
        """Tell a person something at once; programs that asked for JSON are not disturbed."""
        if not self.as_json:
            show(text, style=style)

    def finish(self, shown: Printed) -> None:
        self.answer(shown.data, shown.text)
        if shown.code:
            raise typer.Exit(shown.code)

    def answer(self, data: Any, text: Any = "") -> None:
        """Print the one object, or the text; whatever is printed is on its way when this returns."""
        if self.as_json and not self._told:
            self._told = True
            print(to_json(data))
        elif not self.as_json and text != "":
            show(text)
        sys.stdout.flush()


def show(text: Any, *, style: str = "") -> None:
    if isinstance(text, str) and not style:
        print(text, flush=True)
        return
    from rich.console import Console

    # A pipe has no width: tables keep their cells whole.
    wide = None if sys.stdout.isatty() else 200
    Console(highlight=False, markup=False, emoji=False, width=wide).print(text, style=style or None, soft_wrap=False)


def to_json(data: Any) -> str:
    import msgspec

    return msgspec.json.encode(data, enc_hook=str).decode()


def from_json(text: str) -> Any:
    """Plain data from an argument, or from standard input for ``-``.

    Raises:
        Malformed: it is not JSON.
    """
    from greenroom.kernel.codec import parse

    return parse(sys.stdin.read() if text == "-" else text)


@contextmanager
def given_file(path: Path) -> Iterator[None]:
    """Turn what the system says about a file that a person named into an error of ours."""
    try:
        yield
    except FileNotFoundError as error:
        raise Unknown(f"{path}: there is no such file or folder") from error
    except (IsADirectoryError, NotADirectoryError) as error:
        raise Malformed(f"{path}: {error.strerror}".rstrip(".")) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        kind = DiskFull if error.errno == ENOSPC else BackendError
        raise kind(f"{path}: {error.strerror or error}") from error


def _listen_to_warnings() -> None:
    """Warnings of the runtime go to stderr; its errors are told by the command itself."""
    import logging

    log = logging.getLogger("greenroom")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("greenroom: %(message)s"))
        handler.addFilter(lambda record: record.levelno < logging.ERROR)
        log.addHandler(handler)
        log.propagate = False


# ------------------------------------------------------------------------------------------ commands

Body = Callable[..., Awaitable[Printed | None] | Printed]


def command(app: typer.Typer, name: str) -> Callable[[Body], Body]:
    """Make a function that takes a :class:`Session` a command; ``--home`` and ``--json`` come by themselves."""

    def register(body: Body) -> Body:
        app.command(name, help=inspect.getdoc(body))(_runner(body, _parameters(body)))
        return body

    return register


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The commands of a world: a group of its own in the program, and how it is played in a terminal."""

    name: str
    help: str
    #: By name; each takes a :class:`Session`.
    bodies: Mapping[str, Body]
    #: What ``greenroom play WORLD`` does, given whether to begin anew; without one, the plain way.
    play: Callable[[Session, bool], Awaitable[Printed]] | None = None

    def add_to(self, app: typer.Typer) -> None:
        if self.bodies:
            group = typer.Typer(help=self.help, no_args_is_help=True, rich_markup_mode=None)
            for name, body in self.bodies.items():
                command(group, name)(body)
            app.add_typer(group, name=self.name)


def default(app: typer.Typer) -> Callable[[Body], Body]:
    """Make a function what a group does when none of its commands is named."""

    def register(body: Body) -> Body:
        run, parameters = _runner(body, _parameters(body)), _parameters(body)

        def alone(context: typer.Context, **given: Any) -> None:
            if context.invoked_subcommand is None:
                return run(**given)
            return _refuse_options(context)

        _shape(alone, body, [_option("context", typer.Context, inspect.Parameter.empty), *parameters])
        app.callback(invoke_without_command=True, help=inspect.getdoc(body))(alone)
        return body

    return register


def _refuse_options(context: typer.Context) -> None:
    """Options before the name of a command would be lost silently.

    Raises:
        UsageError: there are some.
    """
    sources = {name: context.get_parameter_source(name) for name in context.params}
    early = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if early:
        raise UsageError(f"write the options behind '{context.invoked_subcommand}', not before it")


def _parameters(body: Body) -> list[inspect.Parameter]:
    own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
    return [*own, _option("home", Home, None), _option("as_json", AsJson, False)]


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _runner(body: Body, parameters: list[inspect.Parameter]) -> Callable[..., None]:
    def run(**given: Any) -> None:
        session = Session(given.pop("home"), given.pop("as_json"))
        shown = body(session, **given)
        if inspect.iscoroutine(shown):
            import asyncio

            shown = asyncio.run(shown)
        if isinstance(shown, Printed):
            session.finish(shown)

    _shape(run, body, parameters)
    return run


def _shape(run: Callable[..., None], body: Body, parameters: list[inspect.Parameter]) -> None:
    """Let typer read the parameters of a body from the function that runs it."""
    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    run.__signature__ = inspect.Signature(keyword)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword}
    run.__module__ = body.__module__


class Root(TyperGroup):
    """The program itself: every error becomes one sentence, or one object, and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        code = self._code_of(list(sys.argv[1:] if args is None else args), prog_name, **extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _code_of(self, args: list[str], prog_name: str | None, **extra: Any) -> int:
        try:
            _check_text(args)
            return int(super().main(_home_last(args), prog_name, standalone_mode=False, **extra) or 0)
        except GreenroomError as error:
            kind, message, code = type(error).__name__, str(error), error.exit_code
        except TyperException as error:
            kind, message, code = UsageError.__name__, error.format_message(), UsageError.exit_code
        except OSError as error:  # a broken pipe ends quietly before it comes here
            _give_up_output()
            kind, message, code = BackendError.__name__, str(error), BackendError.exit_code
        except ImportError as missing:
            kind, message, code = Unknown.__name__, _not_installed(missing), Unknown.exit_code
        except Exception as bug:
            if "--json" in args:
                _tell("Bug", f"{type(bug).__name__} in Greenroom; the traceback is on standard error", as_json=True)
            raise
        _tell(kind, message, as_json="--json" in args)
        return code


def _not_installed(missing: ImportError) -> str:
    """What to install.

    Raises:
        ImportError: it is no package that can be installed beside Greenroom, so this is a bug.
    """
    told = advice(missing)
    if told is None:
        raise missing
    return told


def _home_last(args: list[str]) -> list[str]:
    """``--home DIR`` may stand anywhere; the command that understands it is the last one named."""
    upto = args.index("--") if "--" in args else len(args)
    kept, homes, i = [], [], 0
    while i < upto:
        if args[i] == "--home" and i + 1 < upto:
            homes = args[i : i + 2]
            i += 1
        elif args[i].startswith("--home="):
            homes = [args[i]]
        else:
            kept.append(args[i])
        i += 1
    return [*kept, *homes, *args[upto:]] if kept else args


def _check_text(args: list[str]) -> None:
    """Arguments that are not text would fail somewhere deep inside a database."""
    for arg in args:
        try:
            arg.encode()
        except UnicodeEncodeError:
            raise Malformed(f"the argument {os.fsencode(arg)!r} is not text in UTF-8") from None


def _give_up_output() -> None:
    """What could not be printed would be tried again, and fail again, when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(kind: str, message: str, *, as_json: bool) -> None:
    if as_json:
        print(to_json({"error": {"kind": kind, "message": message}}), flush=True)
    elif message.startswith("Usage:"):  # no command was named: the help itself
        print(message, file=sys.stderr)
    else:
        print(f"greenroom: {' '.join(message.split()).rstrip('.')}", file=sys.stderr)
