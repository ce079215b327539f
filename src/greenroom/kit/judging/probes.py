"""The form of a file of probes: who visits, what they say, and what must stand in the reply."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from greenroom.kernel.chance import Chance

#: What a reply is scored as: a fact of this visit or of an earlier one, the character's own canon, something that
#: nobody told, staying in character, who answers where somebody is wanted, or nothing but what holds of every reply.
ProbeKind: TypeAlias = Literal["fact", "later", "canon", "unknown", "character", "wanted", "talk"]
KINDS: tuple[ProbeKind, ...] = ("fact", "later", "canon", "unknown", "character", "wanted", "talk")


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Probe(_Form):
    """One thing said."""

    say: Annotated[str, Field(min_length=1)]
    kind: Annotated[ProbeKind, Field(alias="as")] = "talk"
    #: One of these must stand in the reply, as words.
    wants: tuple[str, ...] = ()
    #: None of these may.
    never: Annotated[tuple[str, ...], Field(alias="not")] = ()
    #: The same was asked before: the same reply is no repetition.
    again: bool = False


def _probe(given: Any) -> Any:
    return {"say": given} if isinstance(given, str) else given


class Visitor(_Form):
    voice: str
    #: Each visit is a day of its own.
    visits: tuple[tuple[Annotated[Probe, BeforeValidator(_probe)], ...], ...]


class Probes(_Form):
    visitors: dict[str, Visitor]

    @property
    def turns(self) -> int:
        return sum(len(visit) for visitor in self.visitors.values() for visit in visitor.visits)


def shuffled(probes: Probes, *, visitors: int, turns: int, seed: int) -> Probes:
    """Visitors who say at random what those of the script say, out of any order; only what holds of all is scored."""
    said = tuple(
        dict.fromkeys(probe.say for one in probes.visitors.values() for visit in one.visits for probe in visit)
    )
    drawn = {}
    for i in range(visitors):
        order = Chance("random visitor", seed, i).shuffled(said)[:turns]
        drawn[f"random-{i + 1}"] = Visitor(voice="random", visits=(tuple(Probe(say=one) for one in order),))
    return Probes(visitors=drawn)
