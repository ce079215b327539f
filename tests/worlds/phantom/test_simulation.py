"""Many players on a virtual clock: every invariant after every event, and what is left in the file."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.prompt import prepare
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import assemble, backend
from greenroom.kernel.asks import AskModel, Section
from greenroom.kernel.codec import codecs
from greenroom.kernel.worlds import EventContext
from greenroom.ports import Asked
from greenroom.services.tables import rebuild_stale
from greenroom.services.verify import check_house
from greenroom.testing.records import changed
from greenroom.worlds.phantom.faces.app import temperaments
from greenroom.worlds.phantom.faces.app.simulation import Result, SimulationPlan, simulate
from greenroom.worlds.phantom.faces.app.temperaments import TEMPERAMENTS
from greenroom.worlds.phantom.faces.app.watching import Watch, WatchedModels, broken
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import phantom, readings, unaided
from greenroom.worlds.phantom.rules.sentences import RUN, split, tokens
from greenroom.worlds.phantom.rules.state import Character, Phantom
from greenroom.worlds.phantom.rules.state import Plan as Planned
from greenroom.worlds.phantom.rules.tables import TABLES
from tests.conftest import NewFile
from tests.counts import count, report
from tests.worlds.phantom.canon import DOOR, Canon
from tests.worlds.phantom.searching import bodies, found_outside
from tests.worlds.phantom.stage import START
from tests.worlds.phantom.trial import CONTENT

PLAN = SimulationPlan(players=count(7, soak=100), days=count(9, soak=14), seed=3)


@dataclass(frozen=True, slots=True)
class Played:
    result: Result
    file: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    file = tmp_path_factory.mktemp("simulation") / "house.db"
    result = asyncio.run(simulate(PLAN, file, content=CONTENT))
    watch = result.watch
    report(
        f"phantom: {PLAN.players} players x {PLAN.days} days in {result.seconds:.0f} s: {result.turns} turns, "
        f"{watch.events} events checked, {watch.prompts} prompts, the largest {watch.largest_prompt} tokens"
    )
    return Played(result, file)


def test_every_invariant_holds_after_every_event(played: Played) -> None:
    assert played.result.watch.troubles == []
    assert played.result.failed == []
    assert played.result.watch.events > 50 * PLAN.players


def test_every_prompt_keeps_to_its_budget(played: Played) -> None:
    assert 0 < played.result.watch.largest_prompt <= 6000


def test_every_temperament_was_played_and_nothing_of_it_was_refused(played: Played) -> None:
    assert {sample.temperament for sample in played.result.samples} == set(TEMPERAMENTS)
    assert played.result.refusals == {}


def _letters(file: Path) -> list[tuple[str, str, str]]:
    """Letters of agents: whose story, on which occasion, and what they say."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(
            "SELECT s.owner, w.situation, m.text FROM letters l JOIN streams s ON s.sid = l.sid "
            "JOIN memories m ON m.id = l.words JOIN phantom_scheduled_messages w "
            "ON w.sid = l.sid AND w.provider_key = l.key WHERE w.agent_id IS NOT NULL"
        ).fetchall()


@pytest.mark.sqlite
def test_no_letter_says_what_canon_does_not_hold(played: Played) -> None:
    """Numbers, dates, names and addresses; what the player said may be said back."""
    letters, canon = _letters(played.file), Canon(CONTENT)
    assert len(letters) >= count(100, soak=500)
    said = " ".join(played.result.bodies)
    assert {text: found for _, _, text in letters if (found := canon.wrong(text, said))} == {}
    revealing = [text for _, situation, text in letters if situation == "reveal_dashboard"]
    assert revealing
    assert [text for text in revealing if DOOR not in text] == []


@pytest.mark.parametrize(
    "slip",
    [
        "It is ninety-five stairs, I count them.",
        "I was born in seventeen hundred, in a salt mine.",
        "It was on the 6th of February.",
        "I asked a Mr Halloran about it.",
        "You will find me in Mallow Street.",
        "Put it after /phantom/door/ and wait.",
    ],
)
def test_a_slip_in_a_letter_is_found(slip: str) -> None:
    assert Canon(CONTENT).wrong(slip) != []


@pytest.mark.sqlite
def test_no_body_and_no_five_words_of_one_stand_outside_the_bank(played: Played) -> None:
    said = bodies(played.file)
    assert set(played.result.bodies) <= set(said)
    assert len(said) > len(played.result.bodies), "letters of agents are there too"
    assert found_outside(played.file, said) == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "leak",
    [
        "and then the heron stood in the canal",
        '{"said":["…the heron\\nstood\\nin the\\ncanal…"]}',
        '{"quoted":"Quite so."}',
        "quite so",
    ],
)
@pytest.mark.sqlite
def test_a_leak_in_any_column_of_any_table_but_the_banks_is_found(leak: str, new_file: NewFile) -> None:
    file = new_file(TABLES)
    columns = _planted(file, leak)
    found = found_outside(file, ["The heron stood in the canal all afternoon.", "Quite so."])
    assert {one.partition(":")[0] for one in found} == columns
    tables = {column.partition(".")[0] for column in columns}
    assert {"attempts", "answers", "steps", "snapshots", "letters", "ledger", "streams"} < tables
    assert {table.name for table in TABLES} < tables


@pytest.mark.sqlite
def test_a_house_is_searched_whatever_its_folder_is_called(new_file: NewFile, tmp_path: Path) -> None:
    file = tmp_path / "what? #1 at 20%" / "house.db"
    file.parent.mkdir()
    shutil.copy(new_file(TABLES), file)
    columns = _planted(file, "quite so")
    assert {one.partition(":")[0] for one in found_outside(file, ["Quite so."])} == columns


def _planted(file: Path, leak: str) -> set[str]:
    """Put a text into every column of every table that is not the bank's, in rows of their own; returns the columns."""
    columns: set[str] = set()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table in ("memories", "vectors", "sqlite_sequence"):
                continue
            row = {}
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})"):
                holds = kind == "BLOB" or kind.startswith(("TEXT", "VARCHAR"))
                columns |= {f"{table}.{name}"} if holds else set()
                row[name] = (leak.encode() if kind == "BLOB" else leak) if holds else 987_654_321
            _insert(connection, table, row)
    return columns


@pytest.mark.sqlite
def test_a_message_that_the_rules_quote_in_a_reason_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What keeps a quotation out of the tables is taken away here; the search is what is left."""
    monkeypatch.setattr(unaided, "_put", lambda content, agent, sentence: " ".join(temperaments.spoken().kind))
    monkeypatch.setattr(readings, "storable", lambda sentence, bodies, otherwise: sentence)
    file = tmp_path / "house.db"
    asyncio.run(simulate(SimulationPlan(players=3, days=4, seed=8), file, content=CONTENT))
    found = found_outside(file, bodies(file))
    assert {"phantom_messages.classification", "steps.events"} <= {one.partition(":")[0] for one in found}


@pytest.mark.sqlite
def test_every_table_of_the_seed_was_written_and_all_of_them_verify(played: Played) -> None:
    assert played.result.problems == []
    empty = []
    with closing(sqlite3.connect(f"file:{played.file}?mode=ro", uri=True)) as connection:
        for table in TABLES:
            ((rows,),) = connection.execute(f"SELECT count(*) FROM {table.name}")
            empty += [] if rows else [table.name]
    assert len(TABLES) == 19
    assert empty == []


@pytest.mark.sqlite
async def test_the_house_check_finds_nothing_wrong_and_finds_an_altered_row(played: Played, tmp_path: Path) -> None:
    file = Path(shutil.copy(played.file, tmp_path / "copy.db"))
    assert await _problems(file) == []
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE phantom_player_trust SET trust_score = trust_score - 1 WHERE trust_score > 0")
    assert any("phantom_player_trust" in problem for problem in await _problems(file))


@pytest.mark.sqlite
async def test_tables_that_are_thrown_away_come_back_from_the_journal_row_by_row(
    played: Played, tmp_path: Path
) -> None:
    file = Path(shutil.copy(played.file, tmp_path / "copy.db"))
    before = _rows(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM projections")  # as after a change of every declaration
    worlds = (phantom(CONTENT),)
    back = backend(file, worlds)
    try:
        assert len(back.tables.stale) == len(TABLES)
        assert await rebuild_stale(back, codecs(worlds)) == PLAN.players
    finally:
        await back.close()
    assert _rows(file) == before
    assert await _problems(file) == []


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" for _ in row)
    connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))


def _rows(file: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return {
            table.name: sorted(connection.execute(f"SELECT * FROM {table.name}").fetchall(), key=repr)
            for table in TABLES
        }


async def _problems(file: Path) -> list[str]:
    """What ``greenroom db check`` finds."""
    worlds = (phantom(CONTENT),)
    back = backend(file, worlds)
    try:
        return list((await check_house(back, codecs(worlds))).problems)
    finally:
        await back.close()


@pytest.mark.sqlite
async def test_forgetting_a_player_leaves_nothing_of_them_in_the_raw_file(played: Played, tmp_path: Path) -> None:
    file = Path(shutil.copy(played.file, tmp_path / "copy.db"))
    worlds = (phantom(CONTENT),)
    back = backend(file, worlds)
    house, last = assemble(back, worlds), PLAN.players - 1
    try:
        mine = [stored.memory.text or "" for stored in await back.bank.of_stream(PLAN.name(last))]
        rest = [stored for i in range(last) for stored in await back.bank.of_stream(PLAN.name(i))]
        others = "\n".join(stored.memory.text or "" for stored in rest)
        state: Phantom = (await house.states.now(PLAN.name(last))).state
        assert state.key is not None
        assert state.email is not None
        known = [PLAN.name(last), PLAN.owner(last), state.player, state.key.value, state.email.address]
        said = {
            part for text in mine for part in (text, *split(text)) if len(tokens(part)) >= RUN and part not in others
        }
        assert said
        before = _raw(tmp_path)
        assert [text for text in (*known, *said) if text.encode() not in before] == [], "it was there to be found"
        await house.forget(PLAN.owner(last))
    finally:
        await back.close()
    raw = _raw(tmp_path)
    assert [text for text in (*known, *sorted(said)) if text.encode() in raw] == []
    assert others.split("\n")[0].encode() in raw, "nobody else was forgotten"


def _raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.name.startswith("copy.db"))


@pytest.mark.sqlite
def test_a_simulation_is_the_same_again(tmp_path: Path) -> None:
    plan = SimulationPlan(players=2, days=2, seed=8)
    runs = []
    for name in ("one.db", "two.db"):
        asyncio.run(simulate(plan, tmp_path / name, content=CONTENT))
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            runs.append(
                connection.execute("SELECT sid, version, at, events FROM steps ORDER BY sid, version").fetchall()
            )
    assert runs[0] == runs[1]


# the watch itself


LATE = Planned(n=1, agent="miro", situation="deadline", due_at=START - timedelta(days=1))


def told(event: Any) -> EventContext[Any]:
    return EventContext(stream="s", version=1, ordinal=0, at=START, event=event)


@pytest.mark.parametrize(
    ("before", "after", "event", "sentence"),
    [
        ({}, {"exposure": 101}, e.TimePassed(), "exposure is 101"),
        ({}, {"visits_exposure": 20}, e.TimePassed(), "visits added 20"),
        ({}, {"days": {"2031-03-03": 7}}, e.TimePassed(), "7 letters of agents"),
        ({"thursday_passed": True}, {}, e.DeadlinePassed(), "a second time"),
        ({}, {"unread": tuple(map(str, range(13)))}, e.TimePassed(), "13 letters count as unread"),
        ({"plans": (LATE,)}, {}, e.PlanDone(n=1, letter="miro.1"), "miro wrote deadline 1 day, 0:00:00 late"),
    ],
)
def test_the_invariants_see_what_is_wrong(
    before: dict[str, Any], after: dict[str, Any], event: Any, sentence: str
) -> None:
    found = broken(Phantom(**before), told(event), Phantom(**after))
    assert any(sentence in one for one in found)


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ({"level": "silent"}, {"level": "cooling"}, "went back"),
        ({}, {"trust": 101}, "trust of ember is 101"),
        ({}, {"ignored": 3}, "3 letters as ignored"),
    ],
)
def test_the_invariants_see_what_is_wrong_with_an_agent(was: Any, now: Any, sentence: str) -> None:
    states = [Phantom(cast={"ember": Character(entered_at=START, **changed)}) for changed in (was, now)]
    assert any(sentence in one for one in broken(states[0], told(e.TimePassed()), states[1]))


async def test_the_watch_sees_an_oversized_prompt_and_another_agents_words() -> None:
    watch = Watch()
    models = WatchedModels(Understudy({"phantom": lambda ask, _: "All right."}), watch)
    asked = Asked(stream="s", world="phantom", owner="ada", n=1, i=0, at=0)
    watch.heard("s", "ember", "the heron stood in the canal all afternoon")
    ask = AskModel(
        role="quality",
        seat="miro",
        max_tokens=10,
        budget=9000,
        sections=(Section(name="conversation", texts=("Player: the heron stood in the canal",)),),
    )
    await models.ask(ask, asked)
    assert watch.troubles == ["s, attempt 1: the prompt of miro holds what only ember was told"]
    long = changed(ask, seat="ember", sections=(Section(name="all", texts=("word " * 9000,), floor=1),))
    await models.ask(changed(long, budget=90_000), asked)
    assert watch.largest_prompt == prepare(changed(long, budget=90_000)).input_tokens > 6000
    assert watch.troubles[-1].endswith(f"{watch.largest_prompt} tokens")
    await models.ask(long, asked)
    assert "did not fit into its budget" in watch.troubles[-1]
