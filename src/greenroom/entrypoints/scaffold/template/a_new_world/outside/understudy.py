"""The host with no model behind them: a line of the content that was not said a moment ago."""

from __future__ import annotations

from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint

from ..rules.content import Content


def answer(content: Content, ask: AskModel) -> dict[str, str]:
    """The same ask always gets the same line."""
    recent = "\n".join(text for section in ask.sections if section.name == "recent" for text in section.texts)
    fresh = [line for line in content.lines if line not in recent]
    return {"line": Chance(fingerprint(ask).hex()).choose(fresh or content.lines)}
