"""What ``import greenroom`` gives, and what it costs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import greenroom
from greenroom.kernel import errors


def test_the_exported_names_are_these() -> None:
    named = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert set(greenroom.__all__) == {*named, "Words", "__version__", "open"}
    assert sorted(greenroom.__all__, key=str.lower) == sorted(set(greenroom.__all__), key=str.lower)
    for name in greenroom.__all__:
        assert getattr(greenroom, name) is not None


def test_the_version_is_that_of_the_package() -> None:
    assert greenroom.__version__ == version("greenroom")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(greenroom, "nothing")  # noqa: B009  mypy knows that it is not there


def test_importing_it_loads_nothing_slow() -> None:
    code = "import greenroom, sys; print({'asyncio', 'pydantic', 'sqlalchemy', 'typer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
