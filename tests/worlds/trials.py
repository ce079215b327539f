"""A trial for every shipped world, and the back-ends to play it on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.understudy import ByWords
from greenroom.bootstrap import backend, installed_worlds, tables_of
from greenroom.kernel.asks import Ask, AskModel, Failed, Json
from greenroom.ports import Backend
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.lighthouse.rules import Content
from greenroom.worlds.lighthouse.rules.commands import Leave
from greenroom.worlds.lighthouse.rules.state import KEEPER, VISITOR, Lighthouse
from tests.conftest import NewFile
from tests.worlds.arena.trial import measured as arena_yardstick
from tests.worlds.arena.trial import one_episode as arena_episode
from tests.worlds.arena.trial import run as arena
from tests.worlds.bar.trial import bar
from tests.worlds.bar.trial import door as bar_door
from tests.worlds.bar.trial import referrals as bar_referrals
from tests.worlds.lighthouse.stage import keeper, shipped
from tests.worlds.phantom.trial import trial as phantom
from tests.worlds.realms.trial import trial as realms
from tests.worlds.secret_agi.trial import trial as secret_agi

WORLDS = {world.name: world for world in installed_worlds()}


def lighthouse() -> Trial:
    content = shipped()

    def spoken(ask: Ask) -> Json | Failed:
        assert isinstance(ask, AskModel)
        return keeper().answer(ask, ByWords())

    return Trial(
        world=WORLDS["lighthouse"],
        answer=spoken,
        secrets=lambda state: lighthouse_secrets(content, state),
        weight=lambda command: 1 if isinstance(command, Leave) else 12,
    )


def lighthouse_secrets(content: Content, state: Lighthouse) -> Iterable[Secret]:
    if state.secret:
        truth: Any = content.secrets[state.secret]
        yield Secret(text=truth.phrase, known_to=(KEEPER, VISITOR) if state.told else (KEEPER,))


TRIALS = {
    "arena": arena,
    "arena_episode": arena_episode,
    "arena_yardstick": arena_yardstick,
    "bar": bar,
    "bar_door": bar_door,
    "bar_referrals": bar_referrals,
    "lighthouse": lighthouse,
    "phantom": phantom,
    "realms": realms,
    "secret_agi": secret_agi,
}


@asynccontextmanager
async def in_memory(trial: Trial) -> AsyncIterator[tuple[Backend, Shelf]]:
    shelf = Shelf(tables={table.name: table for world in trial.worlds for table in world.tables})
    yield inmem_backend(shelf), shelf


@asynccontextmanager
async def in_file(trial: Trial, new_file: NewFile) -> AsyncIterator[Backend]:
    made = backend(new_file(tables_of(trial.worlds)), trial.worlds)
    try:
        yield made
    finally:
        await made.close()
