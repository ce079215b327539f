"""What an ask for the keeper's next line holds, read for what she needs of it who answers without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from greenroom.adapters.facts.sentences import asks, asks_anywhere
from greenroom.adapters.understudy import asks_of_self
from greenroom.adapters.understudy.asking import follows
from greenroom.adapters.understudy.hearing import named, outright
from greenroom.adapters.understudy.reading import facts_of, texts_of_section, told_lines, turns_of, with_around
from greenroom.adapters.understudy.remembering import KnownLine
from greenroom.adapters.understudy.wondering import guessed
from greenroom.kernel.asks import AskModel
from greenroom.kernel.facts import Noticed
from greenroom.text.typed import written_out
from greenroom.worlds.lighthouse.rules.content import Content
from greenroom.worlds.lighthouse.rules.prompts import NOT_BACK

_TIME = re.compile(r"^\[[^\]]*\] ")
_LINE = re.compile(r"^(?:(?P<day>\d+ \w+ \d+), )?the visitor said: (?P<text>.*)$", re.DOTALL)
#: Exchanges that a question may point back over.
MOST_BACK = 3


@dataclass(frozen=True)
class Scene:
    """What the ask holds, read for what the understudy needs of it."""

    content: Content
    ask: AskModel

    @cached_property
    def typed(self) -> str:
        """The visitor's words as they typed them."""
        return _TIME.sub("", " ".join(self._texts("said")))

    @cached_property
    def said(self) -> str:
        """The same written out, and whom a question points to by their names."""
        said = self._outright
        return said if self.goes_on else named(said, self._means)

    @cached_property
    def guess(self) -> str:
        """What the visitor guesses of her, as a question; empty if nothing."""
        return guessed(self.said)

    @cached_property
    def _outright(self) -> str:
        return outright(written_out(self.typed))

    @cached_property
    def _means(self) -> Mapping[str, str]:
        """Whom they may point to: of whom she spoke, if the visitor has only asked since."""
        means: dict[str, str] = {}
        mine = (text for own, text in reversed(self._turns) if own)
        for asked, answered in islice(zip(self.theirs, mine, strict=False), MOST_BACK):
            if not asks_anywhere(written_out(asked)):
                break
            means = {**self.content.spoken_of.get(answered, {}), **means}
        return means

    @cached_property
    def of_guest(self) -> bool:
        """Whether the words are a guest's in somebody else's story: they are not said back."""
        return any(NOT_BACK in text for text in self._texts("moment"))

    @cached_property
    def mine(self) -> tuple[str, ...]:
        """The keeper's lines of this visit and of the days before."""
        remembered = (text.partition("you said: ")[2] for text in self._texts("remembered"))
        before = (text.removeprefix("- ") for text in self._texts("said_before"))
        return (*(text for own, text in self._turns if own), *filter(None, remembered), *before)

    @cached_property
    def theirs(self) -> tuple[str, ...]:
        """The visitor's lines of this visit, newest first."""
        return tuple(_TIME.sub("", text) for own, text in reversed(self._turns) if not own)

    @cached_property
    def before(self) -> tuple[str, ...]:
        """The exchange before, the visitor's line first: what a question may point back to."""
        return (*self.theirs[:1], *filter(None, (self.mine_last,)))

    @property
    def mine_last(self) -> str:
        """Her last line of this visit; empty before she has said anything."""
        return next((text for own, text in reversed(self._turns) if own), "")

    @cached_property
    def goes_on(self) -> bool:
        """Whether a short question goes on where the visitor last asked for something of their own."""
        return bool(self.theirs) and asks(self._outright) and follows(self._outright) and asks_of_self(self.theirs[0])

    @cached_property
    def known(self) -> tuple[KnownLine, ...]:
        """What the visitor told, newest facts first, then their lines as they stand."""
        found = (_LINE.match(text) for text in reversed(self._texts("remembered")))
        old = (line for one in found if one for line in told_lines([one["text"]], one["day"] or ""))
        return with_around(self._facts, (*told_lines(self.theirs), *old))

    def knew(self, fact: Noticed) -> bool:
        """Whether the visitor told the same on an earlier day."""
        told = (fact.subject, fact.relation, fact.value.casefold())
        return any(
            one.day and (one.fact.subject, one.fact.relation, one.fact.value.casefold()) == told for one in self._facts
        )

    @cached_property
    def weather(self) -> str:
        """What the weather is, in the words of the content."""
        now = self.holds("now")
        return next((text for text in self.content.weather.values() if text in now), "")

    @cached_property
    def _facts(self) -> tuple[KnownLine, ...]:
        return facts_of(self.ask, now="now")

    @cached_property
    def _turns(self) -> tuple[tuple[bool, str], ...]:
        return turns_of(self.ask, "talk")

    def _texts(self, name: str) -> tuple[str, ...]:
        return texts_of_section(self.ask, name)

    def holds(self, name: str) -> str:
        return "\n".join(self._texts(name))
