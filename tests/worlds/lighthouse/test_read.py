"""Two hundred random replies of the understudy, marked twice by one reader: is it to the point of what was said?"""

from __future__ import annotations

import json
from pathlib import Path

from greenroom.kit.judging.scoring import agreement

READ = Path(__file__).parent / "read.json"


def test_few_replies_are_beside_the_point() -> None:
    """One reader made both marks in one sitting, who had also written much of what was said; where they differ the
    reply counts as off. Two independent readers have yet to mark a sheet, so the agreement says little."""
    rows = json.loads(READ.read_text(encoding="utf-8"))
    first, second = ([{"off": row["off"][i]} for row in rows] for i in (0, 1))
    found = agreement((first, second), lambda row: bool(row["off"]))
    print(f"{found['off']} of {found['read']} off ({found['share']:.1%}); the two marks agree on {found['agree']:.1%}")
    assert found["read"] == 200
    assert found["share"] <= 0.15
