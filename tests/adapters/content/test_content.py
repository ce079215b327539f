"""Content files: every error says in which file and line it is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from greenroom.adapters import content
from greenroom.adapters.content import load, packaged
from greenroom.kernel.errors import BackendError, Malformed, Unknown


class Person(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    age: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _not_nobody(self) -> Person:
        if self.name == "nobody":
            raise ValueError("nobody is not a name")
        return self


class Play(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str
    cast: dict[str, Person] = {}
    scenes: list[str | Person] = []
    opens_at: int = 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "play.yaml"


def complaint(file: Path, text: str | bytes) -> str:
    """What the loader says of this text, with the folder taken off."""
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Malformed) as caught:
        load(file, Play)
    return str(caught.value).replace(f"{file.parent}/", "")


def test_a_good_file_becomes_the_model(file: Path) -> None:
    file.write_text("title: Sea\ncast:\n  ada: {name: Ada, age: 36}\n", encoding="utf-8")
    assert load(file, Play) == Play(title="Sea", cast={"ada": Person(name="Ada", age=36)})
    assert load(str(file), Play).title == "Sea"


def test_a_byte_order_mark_does_no_harm(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbftitle: Sea\n")
    assert load(file, Play).title == "Sea"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: Sea\nopens_at: soon\n", "play.yaml:2: opens_at: input should be a valid integer"),
        (
            "title: Sea\ncast:\n  ada:\n    name: Ada\n    age: -1\n",
            "play.yaml:5: cast.ada.age: input should be",
        ),
        ("# a comment\ncast: {}\n", "play.yaml:2: title is missing"),
        ("title: Sea\ncast:\n  ada:\n    age: 3\n", "play.yaml:3: cast.ada.name is missing"),
        (
            "title: Sea\n\ntitel: Sea\n",
            "play.yaml:3: titel is not known here; remove it or check its spelling",
        ),
        ("title: Sea\nscenes:\n- one\n- 2\n", "play.yaml:4: scenes.1"),
        ("title: Sea\nscenes:\n- one\n- name: Ada\n  age: x\n", "play.yaml:5: scenes.1.age: input should be"),
        ("title: Sea\ncast:\n  ada:\n    name: nobody\n", "play.yaml:3: cast.ada: nobody is not a name"),
        ("title: Sea\ncast:\n  1: {name: Ada}\n", "play.yaml:3: cast.1: input should be a valid string"),
        ("- title\n", "play.yaml:1: Input should be a valid dictionary"),
    ],
)
def test_what_does_not_fit_the_model_is_named_with_its_line(file: Path, text: str, said: str) -> None:
    assert said in complaint(file, text)


def test_every_mistake_is_told_at_once_each_on_its_own_line(file: Path) -> None:
    said = complaint(file, "cast:\n  ada: {name: 1}\nopens_at: soon\n").splitlines()
    assert [line.split(" ")[0] for line in said] == ["play.yaml:1:", "play.yaml:2:", "play.yaml:3:"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: Sea\ncast: [\n", "play.yaml:3: "),
        ("title: 'Sea\n", "play.yaml:2: found unexpected end of stream"),
        ("title: Sea\n\tcast: {}\n", "play.yaml:2: found a tab character"),
        ("title: Sea\n---\ntitle: Land\n", "play.yaml:2: but found another document"),
        ("title: *sea\n", "play.yaml:1: found undefined alias"),
        ("", "play.yaml:1: the file is empty"),
        ("# nothing\n", "play.yaml:1: the file is empty"),
        ("title: Sea\nopens_at: 2031-13-45\n", "play.yaml:2: this is no timestamp; quote it if it is text"),
        ("title: Sea\nopens_at: !!int soon\n", "play.yaml:2: this is no int; quote it if it is text"),
        ("title: Sea\n? [a, b]\n: c\n", "play.yaml:2: "),
        ("title: Sea\ncast:\n  bell: \x07\n", "play.yaml:3: character U+0007 does not belong in a text"),
    ],
)
def test_broken_yaml_is_told_with_its_line(file: Path, text: str, said: str) -> None:
    assert said in complaint(file, text)


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.getcwd []", "!!python/name:os.getcwd", "!shout x"])
def test_a_file_cannot_run_anything(file: Path, tag: str) -> None:
    assert "play.yaml:1: could not determine a constructor" in complaint(file, f"title: {tag}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "title: Sea\ntitle: Land\n",
            "play.yaml:2: key 'title' stands in line 1 already; remove one of them",
        ),
        (
            "title: Sea\ncast:\n  ada: {name: A}\n  bo: {name: B}\n  ada: {name: C}\n",
            "play.yaml:5: key 'ada'",
        ),
        ("title: Sea\ncast: {ada: {name: A, name: B}}\n", "play.yaml:2: key 'name' stands in line 2 already"),
        ("title: Sea\nscenes:\n- name: A\n  name: B\n", "play.yaml:4: key 'name' stands in line 3 already"),
    ],
)
def test_a_key_given_twice_is_refused(file: Path, text: str, said: str) -> None:
    assert said in complaint(file, text)


def test_a_merged_key_may_be_overridden_and_an_error_in_it_is_found_where_it_stands(file: Path) -> None:
    base = "title: Sea\ncast:\n  ada: &ada\n    name: Ada\n    age: 3\n  bo:\n    <<: *ada\n    name: "
    file.write_text(f"{base}Bo\n", encoding="utf-8")
    assert load(file, Play).cast["bo"] == Person(name="Bo", age=3)
    assert "play.yaml:8: cast.bo.name" in complaint(file, f"{base}[]\n")


def test_a_file_that_contains_itself_is_refused(file: Path) -> None:
    assert "play.yaml:2: this holds itself by an alias" in complaint(file, "title: Sea\nscenes: &s [*s]\n")


def test_a_file_nested_too_deeply_is_refused(file: Path) -> None:
    said = complaint(file, "title: Sea\nscenes:\n  " + "[" * 200_000 + "]" * 200_000)
    assert said == "play.yaml:3: the file is nested more than 64 levels deep"


def test_a_file_that_is_not_utf_8_is_refused_where_it_is_not(file: Path) -> None:
    assert "play.yaml:2: the file is not UTF-8" in complaint(file, b"title: Sea\ncast: \xff\n")


def test_a_missing_file_is_unknown(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, tmp_path / "none" / "play.yaml"):
        with pytest.raises(Unknown, match="there is no such file"):
            load(path, Play)


def test_a_file_that_cannot_be_read_is_the_outsides_fault(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    with pytest.raises(BackendError, match="cannot be read"):
        load(loop, Play)


def test_without_the_c_parser_lines_are_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(yaml.SafeLoader):
        pass

    monkeypatch.setattr(content, "_Loader", Slow)
    assert "play.yaml:3: cast.ada.name is missing" in complaint(file, "title: Sea\ncast:\n  ada:\n    age: 3\n")
    assert "play.yaml:2: key 'title'" in complaint(file, "title: Sea\ntitle: Land\n")


def test_content_in_a_package_is_found_and_what_is_not_there_is_unknown() -> None:
    assert packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml").is_file()
    with pytest.raises(Unknown, match=r"holds no file content/none\.yaml"):
        packaged("greenroom.worlds.lighthouse", "content/none.yaml")
    with pytest.raises(Unknown, match=r"no package greenroom\.nowhere"):
        packaged("greenroom.nowhere", "content/none.yaml")


def _laughs(levels: int) -> str:
    lines = ["title: Sea", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, levels)]
    return "\n".join(lines) + "\n"


def _merges(levels: int) -> str:
    lines = ["title: Sea", "a0: &a0 {x: 1}"]
    lines += [f"a{i}: &a{i}\n  <<: [{', '.join([f'*a{i - 1}'] * 8)}]" for i in range(1, levels)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("text", [_laughs(9), _merges(12), _laughs(200), _merges(200)])
def test_a_few_aliases_or_merges_cannot_stand_for_a_flood(file: Path, text: str) -> None:
    began = time.process_time()
    assert "with its aliases written out this has more than" in complaint(file, text)
    assert time.process_time() - began < 1


def test_a_file_has_only_so_many_bytes(file: Path) -> None:
    assert "at most 2000000 are read" in complaint(file, f"title: Sea # {'x' * 2_000_000}\n")


def test_a_merge_and_an_alias_are_welcome_otherwise(file: Path) -> None:
    file.write_text("title: Sea\ncast:\n  ada: &a {name: Ada}\n  bo:\n    <<: *a\n    name: Bo\n  cy: *a\n")
    assert load(file, Play).title == "Sea"
