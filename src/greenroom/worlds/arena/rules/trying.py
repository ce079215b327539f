"""Shadow trials: the champion and its variants against the same frozen opponents with the same dice."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from greenroom.kernel.worlds import CommandContext
from greenroom.worlds.arena.rules import acceptance, bouts, mutating
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.statistics import mann_whitney_greater
from greenroom.worlds.arena.rules.strategy import read

Asking = Generator[Any, Any, Any]


@dataclass(slots=True)
class Trial:
    """One trial in progress."""

    content: Content
    state: r.Run
    given: CommandContext[Any]
    champion: r.Profile
    variants: dict[int, r.Profile]
    #: Scores of the champion and of each variant, pair by pair.
    ours: list[int] = field(default_factory=list)
    theirs: dict[int, list[int]] = field(default_factory=dict)
    played: list[r.Played] = field(default_factory=list)
    #: p-values as last looked at.
    p: dict[int, float] = field(default_factory=dict)
    corrected: dict[int, float] = field(default_factory=dict)

    @property
    def config(self) -> r.RunConfig:
        assert self.state.config is not None
        return self.state.config

    def differences(self, variants: Sequence[int]) -> dict[int, list[int]]:
        return {one: [x - y for x, y in zip(self.theirs[one], self.ours, strict=False)] for one in variants}

    def pairs(self, left: Sequence[int], upto: int) -> Asking:
        """Play on until there are so many pairs."""
        numbers = range(len(self.ours), upto)
        pool = tuple(self.content.cast.training)
        series = [self.champion, *(self.variants[one] for one in left)]
        wanted = [
            bout
            for profile in series
            for bout in bouts.drawn(self.config, pool, profile, "trial", numbers=numbers, key=str(self.state.number))
        ]
        found = yield from bouts.played(self.content, self.state, self.given, self.state.number, wanted)
        self.played.extend(found)
        size = len(numbers)
        self.ours.extend(one.score for one in found[:size])
        for i, variant in enumerate(left, 1):
            self.theirs[variant].extend(one.score for one in found[i * size : (i + 1) * size])

    def last_word(self, variant: int) -> Asking:
        """Pairs on the pool that the mutator never sees: differences, one a pair."""
        numbers = range(self.config.rule.last_word)
        pool = tuple(self.content.cast.validation)
        both = [
            bouts.drawn(self.config, pool, profile, "last_word", numbers=numbers, key=str(self.state.number))
            for profile in (self.champion, self.variants[variant])
        ]
        found = yield from bouts.played(self.content, self.state, self.given, self.state.number, [*both[0], *both[1]])
        self.played.extend(found)
        half = len(numbers)
        return tuple(x.score - y.score for x, y in zip(found[half:], found[:half], strict=True))


def tried(content: Content, state: r.Run, given: CommandContext[Any], profiles: Sequence[r.Profile]) -> Asking:
    """Try these variants, and say which is better, if one is."""
    champion = state.profiles[state.generations[-1].champion]
    trial = Trial(content, state, given, champion, {one.number: one for one in profiles})
    trial.theirs = {number: [] for number in trial.variants}
    rule = trial.config.rule
    if rule.kind == "seed":
        return (yield from _by_the_seed(trial, rule))
    yield from trial.pairs(tuple(trial.variants), rule.short)
    left = acceptance.culled(trial.differences(tuple(trial.variants)))
    culled = set(trial.variants) - set(left)
    for number, pairs in enumerate(rule.looks, 1):
        if not left:
            break
        yield from trial.pairs(left, pairs)
        seen = acceptance.look(rule, number, trial.differences(left))
        trial.p.update(seen.p)
        trial.corrected.update(seen.corrected)
        if seen.taken is not None:
            return (yield from _confirmed(trial, rule, seen.taken, culled))
        left = seen.left
    return _told(trial, None, culled)


def _confirmed(trial: Trial, rule: acceptance.Rule, taken: int, culled: set[int]) -> Asking:
    last = yield from trial.last_word(taken)
    accepted = acceptance.confirmed(rule, last)
    return _told(
        trial, taken if accepted else None, culled, unconfirmed=None if accepted else taken, last=(taken, last)
    )


def _by_the_seed(trial: Trial, rule: acceptance.Rule) -> Asking:
    """Ten episodes each, compared as the seed says."""
    yield from trial.pairs(tuple(trial.variants), rule.episodes)
    for variant, scores in trial.theirs.items():
        trial.p[variant] = mann_whitney_greater(scores, trial.ours)
    passing = [one for one, scores in trial.theirs.items() if acceptance.seed_rule(rule, scores, trial.ours)]
    best = max(passing, key=lambda one: (fmean(trial.theirs[one]), -one), default=None)
    return _told(trial, best, set())


def _told(
    trial: Trial,
    accepted: int | None,
    culled: set[int],
    unconfirmed: int | None = None,
    last: tuple[int, tuple[int, ...]] | None = None,
) -> r.TrialPlayed:
    found = []
    before = read(trial.champion.layer_2)
    for number, profile in trial.variants.items():
        differences = tuple(trial.differences((number,))[number])
        verdict: Literal["accepted", "rejected", "culled", "unconfirmed"] = "rejected"
        if number == accepted:
            verdict = "accepted"
        elif number == unconfirmed:
            verdict = "unconfirmed"
        elif number in culled:
            verdict = "culled"
        found.append(
            r.Tried(
                profile=number,
                tactic=mutating.tactic(before, read(profile.layer_2)),
                differences=differences,
                mean=round(fmean(differences), 4),
                p=round(trial.p.get(number, 1.0), 6),
                corrected=round(trial.corrected.get(number, 1.0), 6),
                verdict=verdict,
                last_word=last[1] if last and last[0] == number else (),
            )
        )
    scored = {trial.champion.number: trial.ours, **trial.theirs}
    means = tuple((number, round(fmean(scores), 4)) for number, scores in scored.items())
    return r.TrialPlayed(played=tuple(trial.played), tried=tuple(found), accepted=accepted, means=means)
