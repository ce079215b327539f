"""Plug-ins that are found, and those that are named and left out: the house opens all the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import greenroom
from greenroom import bootstrap, plugins
from greenroom.bootstrap.worlds import HOUSE_TABLES
from greenroom.entrypoints.cli import own_commands
from greenroom.entrypoints.cli.worlds import add_groups
from greenroom.entrypoints.console.worlds import pages_of
from greenroom.entrypoints.http.app import own_routes
from greenroom.entrypoints.http.worlds import brought, taken
from greenroom.kit.console import addresses
from greenroom.plugins import Found, WorldPlugin, found
from tests.entrypoints.cli.conftest import run_at
from tests.plugins.installing import install
from tools.schema import metadata

SHIPPED = ["lighthouse", "secret_agi", "bar", "phantom", "realms", "arena"]
PACKAGES = Path(__file__).parent / "packages"

Bring = Callable[..., Found]


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Puts a folder on the path of this process until the test is over."""
    before = set(sys.modules)

    def put(folder: Path) -> None:
        monkeypatch.syspath_prepend(folder)
        found.cache_clear()

    yield put
    monkeypatch.undo()
    found.cache_clear()
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) is None or name in ("ferry", "mill"):
            del sys.modules[name]


@pytest.fixture
def bring(path: Callable[[Path], None], tmp_path: Path) -> Bring:
    """Installs the package ``mill`` with this plug-in, beside the ferry whose rules it borrows; gives what is found."""

    def brought(source: str, points: Mapping[str, str] | None = None) -> Found:
        head = "from dataclasses import replace\nfrom ferry import FERRY\nfrom greenroom.plugins import WorldPlugin\n"
        install(tmp_path / "site", "mill", points or {"mill": "mill:PLUGIN"}, {"mill.py": head + source})
        path(PACKAGES)
        path(tmp_path / "site")
        return next(one for one in found() if one.package == "mill")

    return brought


async def opened() -> tuple[list[str], dict[str, str]]:
    """The plug-ins that a house uses, and why others are left out."""
    async with greenroom.open(":memory:") as house:
        installed = house.installed
        return [one.name for one in installed.used], {one.name: str(one.error) for one in installed.left_out}


def test_the_shipped_worlds_are_plug_ins_like_any_other() -> None:
    assert [one.name for one in found() if one.shipped] == SHIPPED
    assert all(one.error is None for one in found())


async def test_a_plug_in_is_found_by_its_entry_point(path: Callable[[Path], None]) -> None:
    path(PACKAGES)
    (ferry,) = [one for one in found() if not one.shipped]
    assert (ferry.name, ferry.package, ferry.version, ferry.error) == ("ferry", "ferry", "1.0", None)
    assert (await opened()) == ([*SHIPPED, "ferry"], {})


MILL = 'MILL = replace(FERRY, name="mill")\n'
LEFT_OUT = {
    "it raises at import": ("raise RuntimeError('the wheel\\nis stuck')", "RuntimeError: the wheel is stuck"),
    "it ends the program": ("raise SystemExit('not on a Tuesday')", "SystemExit: not on a Tuesday"),
    "its rank is no number": (
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (), rank='first')",
        "TypeError: its rank is a str; it should be a number",
    ),
    "its roles say nothing": (
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (), roles=('quality',))",
        "TypeError: its roles should be a mapping from names to what each is asked to do",
    ),
    "its world has a name that is no part of an address": (
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (replace(FERRY, name='Mill & Co/1'),))",
        "ValueError: a world cannot be called 'Mill & Co/1': small letters, digits, single underscores",
    ),
    "what it imports is not there": (
        "import no_such_package",
        "ModuleNotFoundError: No module named 'no_such_package'",
    ),
    "it has no such name": ("", "module 'mill' has no attribute 'PLUGIN'"),
    "it is no plug-in": ("PLUGIN = 42", "it refers to a int; it should refer to a WorldPlugin"),
    "it calls itself otherwise": (
        "PLUGIN = WorldPlugin(name='windmill', worlds=lambda _: ())",
        "its plug-in calls itself windmill; both names should be the same",
    ),
    "its worlds cannot be made": ("PLUGIN = WorldPlugin(name='mill', worlds=lambda _: 1 / 0)", "ZeroDivisionError"),
    "its worlds are elsewhere": ("PLUGIN = WorldPlugin(name='mill', worlds='mill:nothing')", "no attribute 'nothing'"),
    "its worlds are something else": ("PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (42,))", "AttributeError"),
    "a world is there already": (
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (replace(FERRY, name='lighthouse'),))",
        "NameTaken: the world lighthouse is there already",
    ),
    "it brings a world twice": (
        MILL + "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (MILL, MILL))",
        "NameTaken: the world mill is there already",
    ),
    "it speaks for another's world": (
        MILL + "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (MILL,), understudy=lambda _: {'ferry/quality': 1})",
        "NameTaken: it speaks for ferry/quality, which is no world or role of its own",
    ),
    "a tool is there already": (
        MILL + "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (MILL,), tools=lambda _: {'weather': 1})",
        "NameTaken: the tool weather is there already",
    ),
    "its commands are no commands": (
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda _: (replace(FERRY, name='mill', commands=None),))",
        "TypeError: 'NoneType' object is not a mapping",
    ),
}


@pytest.mark.parametrize(("source", "reason"), LEFT_OUT.values(), ids=LEFT_OUT)
async def test_a_plug_in_that_cannot_be_used_is_named_and_left_out(
    bring: Bring, source: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    bring(source)
    used, left_out = await opened()
    assert used == [*SHIPPED, "ferry"]
    assert reason in left_out["mill"]
    assert "\n" not in left_out["mill"]
    assert f"the world plug-in mill of mill 1.0 is left out: {left_out['mill']}" in caplog.text


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("streams", "the table streams is there already"),
        ("lighthouse_visits", "the table lighthouse_visits is there already"),
        ("lighthouse_visits_view", "the table lighthouse_visits_view is there already"),
        ("mill; drop", "a table cannot be called 'mill; drop'"),
    ],
)
async def test_a_table_of_the_house_or_of_another_world_is_not_taken(bring: Bring, table: str, reason: str) -> None:
    bring(f"""
from greenroom.kernel.tables import Column, Table
TABLE = Table(name={table!r}, key=(), columns=(Column(name="rye"),))
PLUGIN = WorldPlugin(name="mill", worlds=lambda _: (replace(FERRY, name="mill", tables=(TABLE,)),))
""")
    assert reason in (await opened())[1]["mill"]


def test_the_tables_of_the_house_are_all_known() -> None:
    assert {*metadata.tables, "alembic_version"} == HOUSE_TABLES


async def test_the_name_of_another_plug_in_is_not_taken(bring: Bring) -> None:
    bring("PLUGIN = WorldPlugin(name='bar', worlds=lambda _: ())", {"bar": "mill:PLUGIN"})
    used, left_out = await opened()
    assert used == [*SHIPPED, "ferry"]
    assert left_out == {"bar": "the name bar is taken by greenroom"}


async def test_only_the_plug_ins_that_are_given_are_used(path: Callable[[Path], None]) -> None:
    path(PACKAGES)
    async with greenroom.open(":memory:", plugins=[one for one in found() if not one.shipped]) as house:
        assert list(house.worlds) == ["ferry"]


def test_a_wrong_setting_is_told_to_whoever_can_mend_it(bring: Bring, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(
        MILL + "from pydantic import BaseModel\n"
        "class Wheel(BaseModel):\n    turns: int = 3\n"
        "PLUGIN = WorldPlugin(name='mill', worlds=lambda given: (MILL,), settings=Wheel)"
    )
    monkeypatch.setenv("GREENROOM_MILL_TURNS", "7")
    assert bootstrap.gathered().installed.settings["mill"].turns == 7
    monkeypatch.setenv("GREENROOM_MILL_TURNS", "many")
    with pytest.raises(greenroom.Malformed, match=r"GREENROOM_MILL_TURNS: .*but it is 'many'"):
        bootstrap.gathered()


# faces


def routed(prefix: str, path: str = "/wheel") -> str:
    return f"""
from fastapi import APIRouter
routes = APIRouter(prefix={prefix!r})
@routes.get({path!r})
def wheel(): return 1
PLUGIN = WorldPlugin(name="mill", worlds=lambda _: (replace(FERRY, name="mill"),), http="mill:routes")
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (routed("/streams"), "addresses that begin with /streams are those of the server"),
        (routed("/play"), "addresses that begin with /play are those of the server"),
        (routed("/lighthouse"), "addresses that begin with /lighthouse are those of lighthouse"),
        (routed("/{anything}"), "its addresses begin with /{anything}; a word is right"),
        (routed("", "/"), "its addresses begin with /; a word is right"),
        (routed("/mill") + "routes.add_api_route('/x', wheel, methods=['PUT'])\nroutes.routes[-1].path = '/grain/x'",
         "its addresses begin with /grain, /mill; one prefix is right"),
        (routed("/mill").replace("mill:routes", "mill:wheel"), "it should refer to an APIRouter"),
    ],
    ids=["the server's", "the console's", "another world's", "any", "none", "several", "no router"],
)  # fmt: skip
def test_routes_that_would_stand_in_others_way_are_left_out(
    bring: Bring, source: str, reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one = bring(source)
    others = [other for other in found() if other.shipped]
    assert len([*brought([*others, one], own_routes())]) == len(
        [other for other in others if other.plugin is not None and other.plugin.http is not None]
    )
    assert f"the routes of mill (mill 1.0) are left out: {reason}" in caplog.text.replace("ValueError: ", "").replace(
        "TypeError: http refers to a function; ", ""
    )
    assert any(reason in fault for fault in listed(tmp_path)["faults"])


def test_no_address_of_the_console_can_be_taken() -> None:
    pages = {str(value).split("/")[1] for name, value in vars(addresses).items() if name.isupper()}
    assert pages - {""} <= taken((), ())


def test_routes_under_a_prefix_of_their_own_are_served(bring: Bring) -> None:
    one = bring(routed("/mill"))
    (router,) = brought([one], own_routes())
    assert [getattr(route, "path", "") for route in router.routes] == ["/mill/wheel"]


def paged(world: str, more: str = "") -> str:
    return f"""
async def nothing(_): pass
from greenroom.kit.console.stage import WorldPage
from pathlib import Path
PAGE = WorldPage(world={world!r}, title="The Mill", sentence="", picture="", seat="", find=nothing, play=nothing{more})
PLUGIN = WorldPlugin(name="mill", worlds=lambda _: (replace(FERRY, name="mill"),), console="mill:PAGE")
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (paged("lighthouse"), "console: ValueError: its page is for lighthouse, which is no world of its own"),
        (paged("mill", ", static=Path('/no/such/folder')"), "and there is no such folder"),
        (paged("mill").replace("mill:PAGE", "mill:Path"), "it should refer to a WorldPage"),
        (paged("mill").replace("mill:PAGE", "mill:LOST"), "has no attribute 'LOST'"),
    ],
    ids=["another world's", "no folder", "no page", "not there"],
)
async def test_a_page_that_cannot_be_shown_is_replaced_by_the_plain_one(
    bring: Bring, source: str, reason: str, tmp_path: Path
) -> None:
    bring(source)
    async with greenroom.open(":memory:") as house:
        pages = pages_of(house)
    assert (pages["mill"].title, pages["lighthouse"].title) == ("Mill", "Sallow Rock Light")
    assert reason in listed(tmp_path)["faults"][0]


def spoken(name: str, body: str = "def grind(session): return Printed({'flour': 1})") -> str:
    return f"""
from greenroom.kit.cli.session import Commands, Printed
{body}
commands = Commands(name={name!r}, help="", bodies={{"grind": grind}})
PLUGIN = WorldPlugin(name="mill", worlds=lambda _: (replace(FERRY, name="mill"),), cli="mill:commands")
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (spoken("up"), "cli: ValueError: the command up is that of the program"),
        (spoken("db"), "cli: ValueError: the command db is that of the program"),
        (spoken("agi"), "cli: ValueError: the command agi is that of secret_agi"),
        (spoken("mill", "def grind(session, wheel: 'Lost'): ..."), "cli: NameError: name 'Lost' is not defined"),
        (spoken("mill", "import fastapi_that_is_not_there"), "No module named 'fastapi_that_is_not_there'"),
        (spoken("mill").replace("mill:commands", "mill:grind"), "it should refer to a Commands"),
    ],
    ids=["a command", "a group", "another world's", "a wrong type", "not there", "no commands"],
)
def test_commands_that_cannot_be_added_are_left_out_and_the_program_runs(
    bring: Bring, source: str, reason: str, tmp_path: Path
) -> None:
    bring(source)
    program = own_commands()
    add_groups(program)
    assert run(program, "mill", "grind", "--json")[0] != 0
    assert run(program, "--version")[0] == 0
    told = listed(tmp_path)
    assert any(reason in fault for fault in told["faults"])
    assert told["loads"] is False


def test_commands_of_a_plug_in_are_part_of_the_program(bring: Bring, tmp_path: Path) -> None:
    bring(spoken("mill"))
    program = own_commands()
    assert add_groups(program) == {}
    assert run(program, "mill", "grind", "--json") == (0, '{"flour":1}\n')
    assert listed(tmp_path)["faults"] == []


def run(program: Any, *args: str) -> tuple[int, str]:
    ended = CliRunner().invoke(program, args)
    return ended.exit_code, ended.stdout


def listed(home: Path) -> Any:
    """What ``greenroom worlds`` tells of the mill."""
    return next(row for row in run_at(home, "worlds", "--json").object["worlds"] if row["package"] == "mill")


def test_greenroom_worlds_lists_what_is_left_out_too(bring: Bring, tmp_path: Path) -> None:
    bring("raise RuntimeError('stuck')")
    told = listed(tmp_path)
    assert (told["name"], told["version"], told["worlds"], told["loads"]) == ("mill", "1.0", [], False)
    assert told["faults"] == ["RuntimeError: stuck"]
    assert "RuntimeError: stuck" in run_at(tmp_path, "worlds").out


def test_a_reference_is_a_name_or_the_thing_itself() -> None:
    assert plugins.resolved("greenroom.plugins:WorldPlugin") is WorldPlugin
    assert plugins.resolved(WorldPlugin) is WorldPlugin
    assert plugins.resolved(None) is None
