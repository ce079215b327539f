"""The error tree as drawn at the top of its file."""

from __future__ import annotations

import inspect
import re

import pytest

from greenroom.kernel import errors
from greenroom.kernel.errors import GreenroomError, TryLater

#: name, depth, the rest of the line
DRAWN = re.findall(r"^([│ ]*)[├└]── (\w+) +(.*)$", errors.__doc__ or "", re.MULTILINE)
CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and issubclass(kind, GreenroomError) and kind is not GreenroomError
}


def test_every_class_is_drawn_and_everything_drawn_is_a_class() -> None:
    assert sorted(name for _, name, _ in DRAWN) == sorted(CLASSES)


def test_every_class_hangs_where_it_is_drawn() -> None:
    branch = GreenroomError
    for indent, name, _ in DRAWN:
        if indent:
            assert CLASSES[name].__bases__ == (branch,), name
        else:
            branch = CLASSES[name]
            assert branch.__bases__ == (GreenroomError,), name


@pytest.mark.parametrize(("name", "policy"), [(name, rest) for _, name, rest in DRAWN])
def test_status_and_exit_code_are_those_drawn(name: str, policy: str) -> None:
    kind = CLASSES[name]
    arrow = policy.partition("→")[2]
    if status := re.search(r"\b(\d{3})\b", arrow):
        assert kind.status == int(status[1])
    if code := re.search(r"exit (\d)", arrow):
        assert kind.exit_code == int(code[1])
    assert 400 <= kind.status < 600
    assert kind.exit_code in (2, 3, 4, 5)


def test_every_error_says_what_it_means() -> None:
    assert all(kind.__doc__ and kind.__doc__[0].isupper() for kind in CLASSES.values())


def test_trying_later_says_when() -> None:
    assert TryLater("busy").seconds == 1.0
    assert TryLater("busy", seconds=7).seconds == 7
