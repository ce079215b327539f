"""The phases of an attempt: the diagram on the page is the code's, and no attempt leaves its ways."""

import re
from pathlib import Path
from typing import Any

import pytest

from greenroom.services.turns import FLOW, Phase, diagram
from greenroom.services.turns.passage import Passage

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_page_draws_the_phases_as_they_are() -> None:
    (drawn,) = re.findall(r"```mermaid\n(stateDiagram-v2\n.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert drawn == diagram()


@pytest.mark.parametrize("phase", FLOW)
@pytest.mark.parametrize("after", FLOW)
def test_an_attempt_goes_only_where_its_phase_leads(phase: Phase, after: Phase) -> None:
    nothing: Any = None
    passage = Passage(phase=phase, claim=nothing, base=nothing, command=nothing, script=nothing)
    if after in FLOW[phase]:
        passage.enter(after)
        assert passage.phase == after
    else:
        with pytest.raises(AssertionError, match=f"cannot go from {phase} to {after}"):
            passage.enter(after)
