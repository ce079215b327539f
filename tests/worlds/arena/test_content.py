"""Scenarios of a user's own: read beside the shipped ones, and refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from greenroom.adapters.content import packaged
from greenroom.kernel.errors import Malformed, Unknown
from greenroom.worlds.arena.outside import content, shipped
from greenroom.worlds.arena.rules.content import Casting
from greenroom.worlds.arena.settings import ArenaSettings

HARBOUR = packaged("greenroom.worlds.arena", "content/scenarios/harbour.yaml").read_text(encoding="utf-8")


def settings(folder: Path) -> ArenaSettings:
    return ArenaSettings.model_validate({"greenroom_arena_scenarios": folder})


def test_a_folder_of_ones_own_stands_beside_the_shipped_scenarios(tmp_path: Path) -> None:
    (tmp_path / "orchard.yaml").write_text(HARBOUR.replace("The harbour at Ness", "The orchard"))
    found = content(settings(tmp_path))
    assert set(found.scenarios) == {"border", "contract", "harbour", "orchard"}
    assert found.scenario("orchard").title == "The orchard"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unknown, match="no such folder"):
        content(settings(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("global_tension_level: 3", "global_tension_level: 30", "global_tension_level"),
        ("rises_for: a, a: [3, 6]", "rises_for: c, a: [3, 6]", "rises_for"),
        ("path: split.quay,", "path: split.crane,", "split.crane"),
        ('may_change: ["split.*", "remarks.upper"]', 'may_change: ["remarks.upper"]', "may_change"),
        ("timeout: -3", "timeout: -7", "timeout"),
        ("[0.0, -3], [0.3, 0]", "[0.3, -3], [0.0, 0]", "rise"),
        ("turns: 20", "turns: 21", "turns"),
        ("reservation: [0.22, 0.42]", "reservation: [0.62, 0.42]", "reservation"),
        ("season: spring", "season: spring\n  season: winter", "season"),
        ("title: The harbour at Ness", "titel: The harbour at Ness", "titel"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said_with_its_file_and_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in HARBOUR
    (tmp_path / "mine.yaml").write_text(HARBOUR.replace(old, new, 1))
    with pytest.raises(Malformed) as refused:
        content(settings(tmp_path))
    assert said in str(refused.value)
    assert "mine.yaml:" in str(refused.value)
    assert all(line.partition("mine.yaml:")[2].partition(":")[0].isdigit() for line in str(refused.value).splitlines())


def test_the_three_pools_never_share_an_opponent() -> None:
    cast = shipped().cast
    pools = (set(cast.training), set(cast.validation), set(cast.held_out))
    assert sum(map(len, pools)) == len(set.union(*pools))
    data = yaml.safe_load(packaged("greenroom.worlds.arena", "content/cast.yaml").read_text(encoding="utf-8"))
    data["held_out"]["baker"] = {}
    with pytest.raises(ValueError, match="two pools"):
        Casting.model_validate(data)
