"""What the survey says of repositories: each finding checked by hand, the same twice, in good time."""

from __future__ import annotations

import json
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from greenroom.worlds.realms.outside.survey import Survey, survey, told
from greenroom.worlds.realms.outside.survey.quests import priority
from tests.counts import SOAK, count, report
from tests.worlds.realms.repositories import HARBOUR, commit, harbour, made

ROOT = Path(__file__).parents[3]


def found(seen: Survey, rule: str) -> list[tuple[str, int, str, str]]:
    return [(one.path, one.line, one.severity, one.text) for one in seen.findings if one.rule == rule]


@pytest.fixture
def seen(tmp_path: Path) -> Survey:
    return survey(harbour(tmp_path / "harbour"))


def test_a_circle_of_imports_is_found_where_it_begins(seen: Survey) -> None:
    assert found(seen, "cycle") == [
        ("harbour/quay.py", 3, "medium", "imports go round in a circle of 2 files: with harbour/tide.py")
    ]


def test_a_module_that_nobody_needs_is_dead_and_no_other_is(seen: Survey) -> None:
    assert [path for path, *_ in found(seen, "dead")] == ["harbour/ghost.py"]


def test_a_module_that_is_named_in_a_text_is_not_dead(tmp_path: Path) -> None:
    seen = survey(made(tmp_path / "r", {**HARBOUR, "setup.cfg": "entry = harbour.ghost:haunt\n"}))
    assert found(seen, "dead") == []


def test_what_no_test_reaches_is_untested_and_what_a_helper_reaches_is_not(seen: Survey) -> None:
    assert [path for path, *_ in found(seen, "untested")] == ["harbour/ghost.py", "harbour/long.py"]


def test_a_test_without_an_assertion_is_found_and_one_whose_helper_asserts_is_not(seen: Survey) -> None:
    assert found(seen, "no_assertion") == [("tests/test_quay.py", 9, "medium", "test_nothing_at_all asserts nothing")]


def test_public_names_without_documentation_are_told_once_for_a_file(seen: Survey) -> None:
    assert found(seen, "undocumented") == [
        ("harbour/quay.py", 6, "low", "1 of 2 public names have no documentation: moor")
    ]


def test_a_dead_link_is_found_and_code_and_addresses_are_not(seen: Survey) -> None:
    assert found(seen, "dead_link") == [("README.md", 3, "high", "this links to docs/map.md, which is not there")]


def test_a_long_function_is_measured(seen: Survey) -> None:
    assert found(seen, "long_function") == [
        ("harbour/long.py", 4, "low", "reel is 72 lines long beside 1 of documentation")
    ]


def test_a_note_gets_its_age_from_git_and_one_inside_a_string_is_none(tmp_path: Path) -> None:
    place = harbour(tmp_path / "harbour")
    assert [(path, line, severity) for path, line, severity, _ in found(survey(place), "mark")] == [
        ("harbour/tide.py", 8, "medium")
    ]
    (place / "new.txt").write_text("later")
    commit(place, at="2026-03-02T12:00:00+00:00")
    ((_, _, severity, text),) = found(survey(place), "mark")
    assert (severity, text) == ("high", "FIXME: measure it (2 years old)")


def test_a_program_of_its_own_is_an_entry_point(seen: Survey) -> None:
    assert seen.entries == {"main.py": "runs by itself, line 3"}


def test_a_file_that_python_cannot_read_is_told_with_its_line(tmp_path: Path) -> None:
    seen = survey(made(tmp_path / "r", {"bad.py": "x = 1\ndef f(:\n"}))
    assert [(path, line) for path, line, *_ in found(seen, "unreadable")] == [("bad.py", 2)]


def test_the_same_files_give_the_same_map_and_report_wherever_they_are(tmp_path: Path) -> None:
    first, second = (told(survey(harbour(tmp_path / name))) for name in ("one", "two"))
    assert json.dumps(first) == json.dumps(second)


def test_doors_lead_where_folders_nest_and_where_imports_go(seen: Survey) -> None:
    doors = {(door["from"], door["to"], door["kind"]): door["count"] for door in seen.doors}
    assert doors["", "harbour", "nesting"] == 1
    assert doors["tests", "harbour", "imports"] == 2
    assert ("harbour", "docs", "imports") not in doors


def test_javascript_is_read_coarsely(tmp_path: Path) -> None:
    seen = survey(
        made(
            tmp_path / "r",
            {
                "package.json": '{"main": "./src/index.js"}',
                "src/index.js": "import {tide} from './tide.js'\nexport function moor() {\n  return tide()\n}\n",
                "src/tide.js": "import {moor} from './index.js'\n/** High. */\nexport function tide() { moor() }\n",
                "src/ghost.js": "// FIXME: gone\nexport function boo() {\n  return 1\n}\n",
                "test/tide.test.js": "import {tide} from '../src/tide.js'\nit('is', () => { tide() })\n",
            },
        )
    )
    assert [path for path, *_ in found(seen, "cycle")] == ["src/index.js"]
    assert [path for path, *_ in found(seen, "dead")] == ["src/ghost.js"]
    assert [path for path, *_ in found(seen, "untested")] == ["src/ghost.js"]
    assert found(seen, "no_assertion") == [("test/tide.test.js", 2, "medium", "no test in this file asserts anything")]
    assert {path for path, *_ in found(seen, "undocumented")} == {"src/index.js"}
    assert seen.entries == {"src/index.js": "package.json begins with it"}


def test_go_and_rust_are_read_coarsely(tmp_path: Path) -> None:
    seen = survey(
        made(
            tmp_path / "r",
            {
                "go.mod": "module example.org/harbour\n",
                "main.go": 'package main\n\nimport "example.org/harbour/tide"\n\nfunc main() {\n\ttide.Level()\n}\n',
                "tide/tide.go": "package tide\n\nfunc Level() int {\n\treturn 3\n}\n",
                "tide/tide_test.go": 'package tide\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n\tLevel()\n}\n',
                "crate/src/lib.rs": "mod lamp;\npub fn light() -> i32 {\n    1\n}\n#[test]\nfn it_is() {\n}\n",
                "crate/src/lamp.rs": "/// Burns.\npub fn burn() {\n}\n",
                "crate/src/ghost.rs": "pub fn boo() {\n}\n",
            },
        )
    )
    assert [path for path, *_ in found(seen, "dead")] == ["crate/src/ghost.rs"]
    assert [path for path, *_ in found(seen, "no_assertion")] == ["tide/tide_test.go"]
    assert {path for path, *_ in found(seen, "undocumented")} == {
        "tide/tide.go", "crate/src/lib.rs", "crate/src/ghost.rs",
    }  # fmt: skip
    assert set(seen.entries) == {"main.go", "crate/src/lib.rs"}
    assert found(seen, "cycle") == []


def test_this_repository_is_explored_truly() -> None:
    place, began = ROOT if SOAK else ROOT / "src", time.perf_counter()
    seen = survey(place)
    report(f"survey of this repository: {len(seen.tree.files)} files in {time.perf_counter() - began:.1f} s")
    assert found(seen, "cycle") == []  # the layers are checked
    assert found(seen, "unreadable") == []
    assert found(seen, "dead_link") == []
    for path, line, _, text in found(seen, "long_function"):
        lines = (place / path).read_text().split("\n")
        assert text.partition(" ")[0] in lines[line - 1]
    for path, line, _, text in found(seen, "undocumented"):
        name = text.partition(": ")[2].partition(",")[0].partition(" and ")[0]
        assert name in (place / path).read_text().split("\n")[line - 1]
    assert any(path.endswith("greenroom/entrypoints/cli/__main__.py") for path in seen.entries)
    again = place if SOAK else place / "greenroom" / "kernel"
    first = seen if SOAK else survey(again)
    assert json.dumps(told(survey(again))) == json.dumps(told(first))  # map and report, twice


def package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def test_a_python_package_of_the_registry_is_explored_truly() -> None:
    place = package("typer")
    seen = survey(place)
    assert "__main__.py" in seen.entries
    assert [path for path, *_ in found(seen, "no_tests")] == [max_lines(seen)]
    for path, line, _, text in found(seen, "mark"):
        assert text.partition(":")[0] in (place / path).read_text().split("\n")[line - 1]
    for path, line, _, text in found(seen, "long_function"):
        assert f"def {text.partition(' ')[0]}(" in (place / path).read_text().split("\n")[line - 1]


def max_lines(seen: Survey) -> str:
    return max((source for source in seen.sources if source.functions), key=lambda one: (one.lines, one.path)).path


def test_a_javascript_package_of_the_registry_is_explored_truly() -> None:
    place = package("playwright") / "driver" / "package"
    seen = survey(place)
    assert "index.js" in seen.entries
    for path, *_ in found(seen, "dead"):
        name = Path(path).name
        imports = [source.path for source in seen.sources if f"/{name}'" in (text := (place / source.path).read_text())
                   or f'/{name}"' in text]  # fmt: skip
        assert imports == [], f"{path} is imported"
    for path, line, _, text in found(seen, "long_function"):
        assert f"function {text.partition(' ')[0]}" in (place / path).read_text().split("\n")[line - 1]


#: What looks like a finding at first sight, by its rule, and is none.
INNOCENT: dict[str, tuple[str, dict[str, str]]] = {
    "a function inside a test": (
        "no_assertion",
        {"test_a.py": "def test_a():\n    def test_inner():\n        return 1\n    assert test_inner()\n"},
    ),
    "a test that raises by itself": (
        "no_assertion",
        {"test_a.py": "def test_a():\n    if 1 > 2:\n        raise ValueError\n"},
    ),
    "a check of types": (
        "no_assertion",
        {"a.test.ts": "import { expectTypeOf, test } from 'vitest'\ntest('a', () => { expectTypeOf(1) })\n"},
    ),
    "documentation put on below": ("undocumented", {"a.py": "def f(): ...\n\n\nf.__doc__ = 'F.'\n"}),
    "a class whose maker is documented": (
        "undocumented",
        {"a.py": "class A:\n    def __init__(self):\n        'Make one.'\n"},
    ),
    "a private module": ("undocumented", {"pkg/__init__.py": "", "pkg/_a.py": "def f(): ...\n"}),
    "another form of a documented function": (
        "undocumented",
        {"a.ts": "/** F. */\nexport function f(a: string): void;\nexport function f(a: number): void;\n"},
    ),
    "a footnote": ("dead_link", {"a.md": "Said[^1].\n\n[^1]: elsewhere\n"}),
    "a comment and a block of code": ("dead_link", {"a.md": "<!-- [a](b.md)\n[c](d.md) -->\n\n    [e](f.md)\n"}),
    "a comment that speaks of notes": ("mark", {"a.py": "x = 1  # this goes onto the TODO list\n"}),
    "types alone": (
        "cycle",
        {
            "a.ts": "import { B } from './b'\nexport class A { b?: B }\n",
            "b.ts": "import { A } from './a'\nexport class B { go() { return new A() } }\n",
        },
    ),
    "a folder that is gone through": (
        "dead",
        {
            "pkg/__init__.py": "import pkgutil\nfor m in pkgutil.iter_modules(__path__): print(m)\n",
            "pkg/a.py": "x = 1\n",
        },
    ),
    "a name made of two": (
        "dead",
        {"main.py": "from importlib import import_module as load\nload('parts.' + 'a')\n", "parts/a.py": "x = 1\n"},
    ),
    "files of a locale": (
        "dead",
        {"index.js": "const of = name => require('./locale/' + name)\n", "locale/en.js": "module.exports = 1\n"},
    ),
    "a declaration of types": ("dead", {"index.js": "export const a = 1\n", "b.d.cts": "export type B = 1\n"}),
    "what is compiled from a source beside it": (
        "untested",
        {
            "package.json": '{"name": "quay"}',
            "src/a.ts": "export function f() {\n  return 1\n}\n",
            "a.js": "export function f() {\n  return 1\n}\n",
            "test/a.test.js": "import {f} from '../src/a'\nit('is', () => { expect(f()) })\n",
        },
    ),
    "what a test knows by the package's name": (
        "untested",
        {
            "package.json": '{"name": "quay", "exports": {"./tide": "./lib/t.js"}}',
            "index.js": "require('./lib/a')\n",
            "lib/a.js": "function f() {\n  return 1\n}\n",
            "lib/t.js": "function g() {\n  return 1\n}\n",
            "test/a.js": "require('..')\nrequire('quay/tide')\nit('is', () => { expect(1) })\n",
        },
    ),
    "what the package around a module names": (
        "untested",
        {
            "pkg/__init__.py": "PLUGIN = 'pkg.late:run'\n",
            "pkg/late.py": "def run(): ...\n",
            "pkg/a.py": "def f(): ...\n",
            "test_a.py": "from pkg.a import f\n\n\ndef test_a():\n    assert f() is None\n",
        },
    ),
    "examples that are run": (
        "untested",
        {
            "tox.ini": "[pytest]\naddopts = --doctest-modules\n",
            "a.py": "def f():\n    'One.\\\n    >>> f()\n    1'\n    return 1\n",
            "test_b.py": "def test_b():\n    assert True\n",
        },
    ),
}


@pytest.mark.parametrize("what", INNOCENT)
def test_what_only_looks_like_a_finding_is_none(tmp_path: Path, what: str) -> None:
    rule, files = INNOCENT[what]
    assert found(survey(made(tmp_path / "r", files)), rule) == []


def test_a_public_module_of_a_package_for_others_is_less_surely_dead(tmp_path: Path) -> None:
    files = {"pyproject.toml": "[build-system]\n", "pkg/__init__.py": "", "pkg/a.py": "x = 1\n", "pkg/_b.py": "x = 1\n"}
    grades = {path: severity for path, _, severity, _ in found(survey(made(tmp_path / "r", files)), "dead")}
    assert grades == {"pkg/a.py": "low", "pkg/_b.py": "medium"}


def test_huge_binary_and_strangely_encoded_files_are_survived(tmp_path: Path) -> None:
    place = made(tmp_path / "r", {"a.py": "x = 1\n"})
    (place / "huge.py").write_bytes(b"x = 1\n" * 400_000)
    (place / "binary.py").write_bytes(b"\0\1\2" * 1000)
    (place / "latin.py").write_bytes("# Größe\n".encode("latin-1"))
    (place / "deep.py").write_text("(" * 5_000)
    notes = survey(place).notes
    assert "1 files are too large to be looked into" in notes
    assert "1 files are called text and are not" in notes


@pytest.mark.parametrize(
    ("labels", "expected"), [(["bug"], "high"), (["P3"], "low"), (["priority: high", "minor"], "high"), ([], "medium")]
)
def test_the_priority_of_a_quest_comes_from_its_labels(labels: list[str], expected: str) -> None:
    assert priority(labels) == expected


def test_quests_come_from_a_file_of_issues_and_name_at_most_five_files(tmp_path: Path) -> None:
    issues = [
        {"number": 7, "title": "Mend main.py", "labels": [{"name": "bug"}], "body": " ".join(HARBOUR)},
        {"number": 8, "title": "Closed", "state": "closed"},
        "nonsense",
    ]
    seen = survey(made(tmp_path / "r", {**HARBOUR, "issues.json": json.dumps(issues)}))
    (quest,) = seen.quests
    assert (quest["title"], quest["priority"], len(quest["files"])) == ("#7 Mend main.py", "high", 5)


@pytest.mark.alone
def test_many_files_are_surveyed_in_good_time(tmp_path: Path) -> None:
    files = count(1_000, soak=100_000)
    for folder in range(files // 100):
        place = tmp_path / "many" / f"pkg{folder // 50}" / f"part{folder % 50}"
        place.mkdir(parents=True)
        for n in range(100):
            other = f"from pkg{folder // 50}.part{folder % 50} import m{(n + 1) % 100}"
            text = f'"""M."""\n{other}\n\n\ndef f(x):\n    return x\n'
            (place / f"m{n}.py").write_text(text)
    began = time.perf_counter()
    seen = told(survey(tmp_path / "many"))
    seconds = time.perf_counter() - began
    report(f"survey of {files} files: {seconds:.1f} s")
    assert seen["counts"]["files"] == files
    assert len(seen["rooms"]) <= 161
    assert seconds < (60 if files <= 1_000 else 120)
