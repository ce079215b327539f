"""What every test may use: rewritten assertions in the shipped suites, counts, and SQLite files that are made fast."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("greenroom.testing")
# As the program does: with Python's own 700 a tenth of the time goes into looking for cycles.
gc.set_threshold(20_000, 10, 10)
# Recall by words in every test but those that ask for vectors: the embedded model takes seconds to load.
os.environ.setdefault("GREENROOM_RECALL", "words")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs tests in the background has them ignore the keyboard; the programs they start must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)

from tests import forking  # noqa: E402  before anything is started
from tests.counts import SOAK  # noqa: E402

if not SOAK:
    forking.install()

from greenroom.adapters.sqlite import sqlite_backend  # noqa: E402  after the lines above, which must come first
from greenroom.kernel.tables import Table  # noqa: E402
from tests.hours import wait_out  # noqa: E402
from tests.houses import HOUSES, shipped_tables  # noqa: E402
from tests.models.tripwire import no_outside  # noqa: E402
from tests.postgres.databases import Databases  # noqa: E402

#: Makes a new house file with these tables and gives its path.
NewFile = Callable[[Sequence[Table]], Path]
#: Names of tests that are about files, where houses are not in files.
LEFT_OUT = pytest.StashKey[list[str]]()
#: The path of a house file with these tables and nothing in it, to be copied.
Template = Callable[[Sequence[Table]], Path]
#: Puts a house with nothing in it into a folder, which it makes, and gives that folder.
NewHome = Callable[[Path], Path]
#: Makes a new PostgreSQL database with these tables and gives its address.
NewDatabase = Callable[[Sequence[Table]], str]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--backend", choices=["postgres"], help="where the houses of tests are, instead of where they say")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sqlite: about the file itself; left out on --backend postgres")
    if config.getoption("backend") == "postgres":
        HOUSES.move_to_postgres()  # before any test is imported, and with it what opens a house


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    about_files = [item for item in items if HOUSES.on_postgres and item.get_closest_marker("sqlite")]
    if about_files:
        config.hook.pytest_deselected(items=about_files)
        items[:] = [item for item in items if item not in about_files]
    config.stash[LEFT_OUT] = sorted({item.nodeid.partition("[")[0] for item in about_files})


def pytest_collection_finish() -> None:
    gc.freeze()  # what was imported and collected stays to the end


def pytest_runtest_setup() -> None:
    wait_out()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A process of this run has ended; each left out the same tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left_out := config.stash.get(LEFT_OUT, []):
        terminalreporter.section(f"left out on PostgreSQL: {len(left_out)} tests about SQLite's files")
        terminalreporter.write_line("\n".join(left_out))


@pytest.fixture(autouse=True)
def _houses(request: pytest.FixtureRequest) -> Iterator[None]:
    """On PostgreSQL: no test keeps a house in a file after all, and none leaves one behind."""
    if not HOUSES.on_postgres:
        yield
        return
    folder: Path = request.getfixturevalue("tmp_path")
    yield
    HOUSES.strike(folder)
    assert not [*folder.rglob("house*.db")], "a house was kept in a file; mark the test sqlite if it is about that"


@pytest.fixture(scope="session", autouse=True)
def _server() -> Iterator[None]:
    yield
    HOUSES.close()


@pytest.fixture(autouse=True)
def _tripwire(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches a real provider."""
    no_outside(monkeypatch)


def scaled(small: int, soak: int) -> int:
    """How often to do something: as told by ``GREENROOM_COUNTS``, small unless told otherwise."""
    counts = os.environ.get("GREENROOM_COUNTS", "small")
    if counts not in ("small", "soak"):
        raise pytest.UsageError(f"GREENROOM_COUNTS is small or soak, not {counts!r}")
    return soak if counts == "soak" else small


@pytest.fixture
def counts() -> Callable[[int, int], int]:
    return scaled


@pytest.fixture(scope="session")
def _templates(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Files that were migrated and have their tables, one for each set of tables."""
    made: dict[str, Path] = {}

    def template(tables: Sequence[Table]) -> Path:
        key = repr(tables)
        if key not in made:
            made[key] = tmp_path_factory.mktemp("template") / "house.db"
            with ThreadPoolExecutor(1) as elsewhere:  # a loop may be running here
                elsewhere.submit(lambda: asyncio.run(_make(made[key], tables))).result()
        return made[key]

    return template


async def _make(path: Path, tables: Sequence[Table]) -> None:
    backend = sqlite_backend(path, tables)
    for name in tuple(backend.tables.stale):
        await backend.tables.rebuilt(name)
    await backend.close()


@pytest.fixture(scope="session", autouse=True)
def _copies(_templates: Template) -> None:
    if not (SOAK or HOUSES.on_postgres):
        HOUSES.begin_as_copies(lambda tables, path: copied(_templates(tables), path))


def copied(template: Path, path: Path) -> None:
    """A house of its own, made from a template: no two share a secret."""
    shutil.copy(template, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE house SET value = randomblob(32) WHERE key = 'secret'")


@pytest.fixture
def new_file(_templates: Template, tmp_path: Path) -> NewFile:
    """Each call gives another file, copied from one that was made once per session."""
    made: list[Path] = []

    def make(tables: Sequence[Table]) -> Path:
        path = tmp_path / f"house{len(made)}" / "house.db"
        path.parent.mkdir()
        if not HOUSES.on_postgres:
            shutil.copy(_templates(tables), path)
        made.append(path)
        return path

    return make


@pytest.fixture(scope="session")
def new_home(_templates: Template) -> NewHome:
    """For a program that is not about making a house: it would import more for that than for all the rest."""

    def make(home: Path) -> Path:
        home.mkdir(parents=True, exist_ok=True)
        if not HOUSES.on_postgres:
            copied(_templates(shipped_tables()), home / "house.db")
        return home

    return make


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """PostgreSQL, started when a test first asks for it."""
    made = Databases()
    yield made
    made.close()


@pytest.fixture
def new_database(databases: Databases) -> Iterator[NewDatabase]:
    """Each call gives another database, copied from one that was made once per session."""
    yield databases.new
    databases.strike()
