"""One word per thing: no public type name stands for two things."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import greenroom

SOURCE = Path(greenroom.__file__).parent
#: What whoever writes a world imports. A world that used one of these names for something of its own would be misread.
LANGUAGE = ("kernel/", "journal/", "ports/", "plugins.py", "services/house.py")
#: Worlds, each a language of its own, the one that new ones are made from among them.
TEMPLATE = "entrypoints/scaffold/template/a_new_world"


def room_of(path: Path) -> str:
    """The world that a file belongs to; nothing for the engine."""
    name = path.relative_to(SOURCE).as_posix()
    if name.startswith(TEMPLATE):
        return TEMPLATE
    return "/".join(path.relative_to(SOURCE).parts[:2]) if name.startswith("worlds/") else ""


def types_in(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")) if name[0] != "_":
                yield name


def places() -> dict[str, dict[str, list[str]]]:
    """By world, or nothing for the engine, and by name: where it is a type."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(SOURCE.rglob("*.py")):
        for name in types_in(path):
            found[room_of(path)][name].append(path.relative_to(SOURCE).as_posix())
    return found


def test_no_type_name_stands_for_two_things() -> None:
    twice = {name: where for room in places().values() for name, where in room.items() if len(where) > 1}
    assert twice == {}


def test_no_world_uses_a_word_of_the_engine_for_something_else() -> None:
    found = places()
    language = {name for name, where in found.pop("").items() if where[0].startswith(LANGUAGE)}
    taken = {name: where for room in found.values() for name, where in room.items() if name in language}
    assert taken == {}
