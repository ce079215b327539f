"""A measure that nobody here wrote: a profile is evolved and then meets the public agents of NegMAS or of Axelrod.

One stream, one turn a generation. The games themselves are played by a tool, in an environment of their own. Opponents
are in three pools by a sum of their names; the names of the held-out ones are not read before the lineage is closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from statistics import fmean
from typing import Any, Literal, TypeAlias

from greenroom.kernel.asks import Failed, Json, UseTool
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR, CommandContext, EventContext, Seat, Turn, Wake, World, done
from greenroom.worlds.arena.rules import acceptance, mutating
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.statistics import standard_error, wilcoxon_greater
from greenroom.worlds.arena.rules.strategy import read, written

NAME = "arena_yardstick"

Game: TypeAlias = Literal["negmas", "axelrod"]
GAMES: tuple[Game, ...] = ("negmas", "axelrod")
#: Contexts of a player of the dilemma: two first moves of the other, two last of one's own, two last of theirs.
BITS = 64
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class YardstickConfig:
    game: Game
    generations: int = 20
    seed: int = 0
    variants: int = 4
    #: Generations without progress on the validation pool after which it stops.
    patience: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class YardstickTried:
    genome: str
    made_by: str
    training: float
    validation: float | None
    p: float
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    config: YardstickConfig | None = None
    number: int = 0
    champion: str = ""
    baseline: str = ""
    #: Scores of the champion against each opponent, as last measured.
    training: float = 0.0
    validation: float = 0.0
    #: Former champions, the newest last.
    archive: tuple[str, ...] = ()
    #: Places of the champion's table that came up in training; none where nobody says.
    met: tuple[int, ...] = ()
    history: tuple[tuple[int, float, float], ...] = ()
    stale: int = 0
    failure: str = ""
    lineage: str = ""
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class YardstickBegun:
    config: YardstickConfig
    baseline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YardstickGeneration:
    number: int
    training: float
    validation: float
    tried: tuple[YardstickTried, ...]
    met: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplayable:
    """The tool cannot play: nothing was measured, and nothing is claimed."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    #: Means and intervals of training and held-out pools, for the baseline, the champion and named public agents.
    result: dict[str, Any]


YardstickEvent: TypeAlias = YardstickBegun | YardstickGeneration | Unplayable | Closed
EVENTS = {"begun": YardstickBegun, "generation": YardstickGeneration, "unplayable": Unplayable, "closed": Closed}


def begun(content: Content, given: CommandContext[YardstickConfig]) -> Turn[YardstickEvent]:
    """Begin with the baseline.

    Raises:
        Refused: a number is out of bounds.
    """
    config = given.command
    if not (1 <= config.generations <= 2000 and 1 <= config.variants <= acceptance.FAMILY + 1):
        raise Refused(f"a yardstick has 1 to 2000 generations and 1 to {acceptance.FAMILY + 1} variants each")
    first = written(content.cast.first, "As found.") if config.game == "negmas" else tit_for_tat()
    yield from ()
    return done(YardstickBegun(config=config, baseline=first))


def tit_for_tat() -> str:
    """What the other did last, in every context: the last bit."""
    return "".join("D" if context & 1 else "C" for context in range(BITS))


def handle(content: Content, state: Yardstick, given: CommandContext[Any]) -> Turn[YardstickEvent]:
    """One generation, or the end."""
    if not isinstance(given.command, Wake) or state.config is None:
        raise Refused("a yardstick plays by itself")
    config = state.config
    if state.number >= config.generations or state.stale >= config.patience:
        return (yield from _closed(state, config))
    return (yield from _generation(content, state, config))


def _generation(content: Content, state: Yardstick, config: YardstickConfig) -> Turn[YardstickEvent]:
    """Variants against the training pool; the best is tried further, and then on the validation pool."""
    number = state.number + 1
    made = [variant(content, state, config, number, i) for i in range(config.variants)]
    found = yield _ask(config, [state.champion, *(genome for genome, _ in made)], "training", 2 * number)
    if isinstance(found, Failed):
        return done(Unplayable(why=found.reason))
    ours, theirs = found["scores"][0], found["scores"][1:]
    best = max(range(len(theirs)), key=lambda i: (fmean(theirs[i]), -i))
    rivals = [state.champion, made[best][0]]
    differences = _differences(found["scores"][0], theirs[best])
    if _is_sampled(config) and fmean(differences) > 0:
        more = yield _ask(config, rivals, "training", 2 * number + 1)
        differences += [] if isinstance(more, Failed) else _differences(*more["scores"])
    validation: Sequence[Sequence[float]] | None = None
    if _gains(config, differences):
        checked = yield _ask(config, rivals, "validation", number)
        validation = None if isinstance(checked, Failed) else checked["scores"]
    taken = validation is not None and _is_no_worse(_differences(*validation))
    p = wilcoxon_greater(differences)
    tried = tuple(
        YardstickTried(
            genome=genome,
            made_by=maker,
            training=round(fmean(theirs[i]), 6),
            validation=round(fmean(validation[1]), 6) if validation is not None and i == best else None,
            p=round(p, 6) if i == best else 1.0,
            accepted=taken and i == best,
        )
        for i, (genome, maker) in enumerate(made)
    )
    held = fmean(validation[1 if taken else 0]) if validation is not None else state.validation
    mean = fmean(theirs[best]) if taken else fmean(ours)
    met = tuple(found["met"][1 + best if taken else 0]) if "met" in found else ()
    return done(
        YardstickGeneration(number=number, training=round(mean, 6), validation=round(held, 6), tried=tried, met=met)
    )


def _differences(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [x - y for x, y in zip(theirs, ours, strict=True)]


def _is_sampled(config: YardstickConfig) -> bool:
    """Deterministic strategies make no noise; negotiations do, and are drawn anew each time."""
    return config.game == "negmas"


#: Of a sampled game so many standard errors make a gain; of any game so many are allowed for on the validation pool.
_ERRORS = 0.5


def _gains(config: YardstickConfig, differences: Sequence[float]) -> bool:
    return fmean(differences) > (_ERRORS * standard_error(differences) if _is_sampled(config) else 0)


def _is_no_worse(differences: Sequence[float]) -> bool:
    return fmean(differences) >= -_ERRORS * standard_error(differences)


def _ask(config: YardstickConfig, genomes: Sequence[str], pool: str, number: int) -> UseTool:
    # Deterministic games need no new dice; sampled ones get other scenarios each time, the same for all.
    dice = number if _is_sampled(config) else 0
    args = {"genomes": list(genomes), "pool": pool, "seed": config.seed, "series": dice}
    return UseTool(name=f"arena_{config.game}", args=args)


def variant(content: Content, state: Yardstick, config: YardstickConfig, number: int, i: int) -> tuple[str, str]:
    """A child of the champion, and how it was made."""
    chance = Chance("yardstick", config.seed, number, i)
    other = chance.choose(state.archive) if state.archive and chance.below(4) == 0 else None
    if config.game == "axelrod":
        return _bits(state, other, chance)
    stance = mutating.STANCES[(number + i) % len(mutating.STANCES)]
    ours = read(state.champion)
    if i == len(mutating.STANCES) and state.archive:
        return written(mutating.further(read(state.archive[-1]), ours), content.lines.stances[stance]), "extrapolated"
    if other is not None:
        return written(mutating.mixed(ours, read(other), (), chance), content.lines.stances[stance]), "recombined"
    return written(mutating.turned(ours, stance, (), chance), content.lines.stances[stance]), "parametric"


def _bits(state: Yardstick, other: str | None, chance: Chance) -> tuple[str, str]:
    """Some places turned that came up: what never did is without effect."""
    genome = list(state.champion)
    if other is not None:
        genome = [theirs if chance.below(2) else mine for mine, theirs in zip(state.champion, other, strict=True)]
    for place in chance.shuffled(state.met or tuple(range(BITS)))[: 1 + chance.below(3)]:
        genome[place] = "C" if genome[place] == "D" else "D"
    return "".join(genome), "parametric" if other is None else "recombined"


def _closed(state: Yardstick, config: YardstickConfig) -> Turn[YardstickEvent]:
    """Now, and not before, the held-out pool."""
    asked = [state.baseline, state.champion]
    found = yield tuple(
        replace_args(_ask(config, asked, pool, 0), references=True) for pool in ("training", "held_out")
    )
    if isinstance(found[0], Failed) or isinstance(found[1], Failed):
        return done(Unplayable(why=next(one.reason for one in found if isinstance(one, Failed))))
    result: dict[str, Any] = {}
    for pool, told in zip(("training", "held_out"), found, strict=True):
        rows = dict(zip(("baseline", "evolved"), told["scores"], strict=True)) | told["references"]
        result[pool] = {
            name: {"mean": round(fmean(scores), 4), "error": round(standard_error(scores), 4), "games": len(scores)}
            for name, scores in rows.items()
        }
    return done(Closed(result=result))


def replace_args(ask: UseTool, **more: Json) -> UseTool:
    return UseTool(name=ask.name, args={**ask.args, **more})


def evolve(state: Yardstick, told: EventContext[YardstickEvent]) -> Yardstick:
    event = told.event
    match event:
        case YardstickBegun():
            return replace(state, config=event.config, champion=event.baseline, baseline=event.baseline)
        case YardstickGeneration():
            taken = next((one for one in event.tried if one.accepted), None)
            sum_ = sha256(state.lineage.encode() + canonical(event)).hexdigest()
            archive = (*state.archive, *((state.champion,) if taken else ()))[-16:]
            return replace(
                state,
                number=event.number,
                training=event.training,
                validation=event.validation,
                champion=taken.genome if taken else state.champion,
                archive=archive,
                met=event.met,
                history=(*state.history, (event.number, event.training, event.validation)),
                stale=0 if taken else state.stale + 1,
                lineage=sum_,
            )
        case Unplayable(why=why):
            return replace(state, failure=why)
        case Closed(result=result):
            return replace(state, result=result)


def yardstick(content: Content) -> World[Yardstick, Any, YardstickEvent]:
    """The world of measuring."""
    return World(
        name=NAME,
        shape=1,
        state=Yardstick,
        config=YardstickConfig,
        commands={},
        events=EVENTS,
        blank=Yardstick(),
        open=partial(begun, content),
        handle=partial(handle, content),
        evolve=evolve,
        legal=lambda state, seat: (),
        wake_at=lambda state: _AT_ONCE if state.config and not state.failure and state.result is None else None,
        outcome=_outcome,
        seats=lambda state: (),
        view=_view,
        shows=_shows,
        reply=lambda state, events, seat: {"generation": state.number},
        content=content,
    )


def _outcome(state: Yardstick) -> Json | None:
    if state.failure:
        return {"failed": state.failure}
    return None if state.result is None else {"lineage": state.lineage, "generations": state.number, **state.result}


def _view(state: Yardstick, seat: Seat, now: datetime) -> Any:
    seen = {"generation": state.number, "training": state.training, "validation": state.validation}
    return {**seen, "champion": state.champion, "result": state.result} if seat == OPERATOR else seen


def _shows(state: Yardstick, told: EventContext[YardstickEvent], seat: Seat) -> Any | None:
    event = told.event
    if isinstance(event, YardstickGeneration):
        return {"generation": event.number, "training": event.training, "validation": event.validation}
    if isinstance(event, Closed):
        return {"result": event.result}
    return {"failed": event.why} if isinstance(event, Unplayable) else None


__all__ = ["GAMES", "NAME", "YardstickConfig", "yardstick"]
