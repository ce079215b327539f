"""The form of this world's content file; the texts themselves are in ``a_new_world/content/``."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
Lines = Annotated[tuple[Prose, ...], Field(min_length=1)]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Host(Part):
    name: Prose
    persona: Prose


class Riddle(Part):
    question: Prose
    answer: Prose
    hints: Lines

    @model_validator(mode="after")
    def _nothing_gives_it_away(self) -> Riddle:
        if any(map(self.given_away_by, (self.question, *self.hints))):
            raise ValueError("the question or a hint contains the answer")
        return self

    def given_away_by(self, text: str) -> bool:
        return self.answer.casefold() in " ".join(text.casefold().split())


class Content(Part):
    host: Host
    #: Hours of silence after which the host closes.
    quiet: Annotated[int, Field(ge=1, le=24)]
    #: Running evenings hold these keys: add some, never rename one.
    riddles: Annotated[dict[str, Riddle], Field(min_length=1)]
    #: What the host says when no model does.
    lines: Lines

    @model_validator(mode="after")
    def _lines_keep_the_riddles(self) -> Content:
        said = (self.host.persona, *self.lines)
        if any(riddle.given_away_by(text) for riddle in self.riddles.values() for text in said):
            raise ValueError("the persona or a line contains the answer of a riddle")
        return self
