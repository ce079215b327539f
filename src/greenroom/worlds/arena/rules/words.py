"""What was said or thought: a line of the content, which is a fact, or the words of a model, which stand apart."""

from __future__ import annotations

import msgspec

from greenroom.kernel.words import Words


class Line(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One of the two is there."""

    text: str | None = None
    words: Words | None = None

    @property
    def shown(self) -> str | Words | None:
        """For a view, which has words filled in."""
        return self.text if self.words is None else self.words
