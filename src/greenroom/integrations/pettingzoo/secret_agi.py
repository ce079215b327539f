"""Secret AGI as a PettingZoo environment: seats act one after another, without words.

Discussions are off. Where an emergency may be called everybody but the Director is asked in turn and may pass; the
Director passes by nominating. Ballots are given in seat order, and nobody sees one before all are in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from greenroom.integrations.pettingzoo.seeing import HAND, Vector, seen_by
from greenroom.kernel.asks import Failed, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.script import Script
from greenroom.kernel.worlds import HOUSE, CommandContext, EventContext, Seat, Turn
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import secret_agi
from greenroom.worlds.secret_agi.rules.content import SILENT
from greenroom.worlds.secret_agi.rules.papers import FEWEST, MOST, side_of
from greenroom.worlds.secret_agi.rules.rules import waited_for
from greenroom.worlds.secret_agi.rules.state import Game
from greenroom.worlds.secret_agi.rules.views import View
from greenroom.worlds.secret_agi.rules.waiting import undecided

#: Actions by number. From 10 on: the player at that place, to nominate or to use a power on.
PASS, YES, NO, CALL, VETO, AGREE, REFUSE, PAPER, TARGET = 0, 1, 2, 3, 4, 5, 6, 7, 7 + HAND

Mask = npt.NDArray[np.int8]
Observation = dict[str, Any]

_NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
_WORLD = secret_agi(SILENT)


class SecretAgiEnv(AECEnv):  # type: ignore[misc]
    """One game after another, for 5 to 10 players.

    An observation is a dictionary of what the seat sees (``observation``, numbers from 0 to 1) and which actions it may
    take (``action_mask``). Who wins gets 1 and who loses -1, at the end; the eliminated wait for it like all others. A
    game that is longer than ``max_turns`` is truncated, and nobody gets anything.
    """

    metadata = {"name": "secret_agi_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, players: int = FEWEST, *, max_turns: int = 2000, render_mode: str | None = None, **settings: Any
    ) -> None:
        """Lay a table.

        Args:
            settings: further ones of the game, such as ``self_nomination``.

        Raises:
            Refused: there is no such game for so many players.
        """
        super().__init__()
        if not FEWEST <= players <= MOST:
            raise Refused(f"Secret AGI has {FEWEST} to {MOST} players, not {players}")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{place + 1}" for place in range(players)]
        self._config = c.GameConfig(
            player_count=players,
            seats=tuple(c.SeatConfig(player_id=name, agent_type="HumanPlayer") for name in self.possible_agents),
            discussion=c.Discussion(on=False),
            decision_seconds=0,
            max_turns=max_turns,
            **settings,
        )
        self._chance = np.random.default_rng()
        self._begin(0)
        size = len(seen_by(self._view(self.possible_agents[0])))
        seen = spaces.Box(0.0, 1.0, (size,), np.float32)
        mask = spaces.Box(0, 1, (TARGET + players,), np.int8)
        self.observation_spaces = {
            name: spaces.Dict({"observation": seen, "action_mask": mask}) for name in self.possible_agents
        }
        self.action_spaces = {name: spaces.Discrete(TARGET + players) for name in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What a seat's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What a seat's actions look like."""
        return self.action_spaces[agent]

    # playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game; the same seed deals the same one, and without a seed one follows from the last."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self._begin(int(self._chance.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._next()

    def step(self, action: int | None) -> None:
        """Do what the selected agent chose; an agent whose game is over takes its leave with None.

        Raises:
            Refused: the action is not among those that the mask allows; nothing was changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        command = self._commands(agent).get(-1 if action is None else int(action))
        if command is None:
            able = ", ".join(map(str, sorted(self._commands(agent))))
            raise Refused(f"{agent} cannot take action {action} now; it may take one of: {able}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._act(agent, command)
        if self._game.outcome is None:
            self.agent_selection = self._next()
        else:
            self._end()
        self._accumulate_rewards()
        self._deads_step_first()

    def _end(self) -> None:
        outcome = self._game.outcome
        won = None if outcome is None else outcome.winners
        over = self.truncations if won is None else self.terminations
        for player in self._game.players:
            over[player.id] = True
            self.rewards[player.id] = 0.0 if won is None else 1.0 if side_of(player.role) == won else -1.0

    # looking

    def observe(self, agent: str) -> Observation:
        """What a seat sees and may do; whoever is not to act may only pass."""
        mask: Mask = np.zeros(self.action_space(agent).n, np.int8)
        mask[sorted(self._commands(agent) if agent == self.agent_selection else {PASS})] = 1
        seen: Vector = seen_by(self._view(agent))
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        """The table in a line, as everybody sees it; nothing unless the render mode is ``ansi``."""
        if self.render_mode != "ansi":
            return None
        seen = self._view("")
        return (
            f"round {seen.round}, {seen.phase}: Capability {seen.capability}, Safety {seen.safety}, "
            f"Director {seen.director}, {seen.deck_count} papers left, {self.agent_selection} to act"
        )

    def close(self) -> None:
        """Nothing is held open."""

    # the game

    def _begin(self, seed: int) -> None:
        self._seed, self._version, self._game = seed, 0, Game()
        self._settle(_WORLD.open(self._given(HOUSE, self._config)))

    def _given(self, seat: Seat, command: Any) -> CommandContext[Any]:
        n = version = self._version + 1
        return CommandContext(stream="table", n=n, version=version, at=_NOON, seat=seat, owner=HOUSE, command=command)

    def _act(self, agent: str, command: Any) -> None:
        self._settle(_WORLD.handle(self._game, self._given(agent, command)))

    def _settle(self, turn: Turn[Any]) -> None:
        """Run a turn of the rules to its end; nobody but the dice is there to be asked."""
        script = Script(turn)
        while (ended := script.run()) is None:
            for i, ask in list(script.pending.items()):
                script.answer(i, self._rolled(i, ask) if isinstance(ask, Roll) else Failed("nobody is there"))
        for step in ended.steps:
            self._version += 1
            for ordinal, event in enumerate(step):
                told = EventContext(stream="table", version=self._version, ordinal=ordinal, at=_NOON, event=event)
                self._game = _WORLD.evolve(self._game, told)

    def _rolled(self, i: int, ask: Roll) -> tuple[int, ...]:
        return roll(self._seed, self._version, i, ask.sides)

    def _view(self, seat: Seat) -> View:
        seen: View = _WORLD.view(self._game, seat, _NOON)
        return seen

    def _next(self) -> str:
        """Who has to act: first those who may call an emergency, then whoever the game waits for."""
        places: Sequence[int] = undecided(self._game) or waited_for(self._game)
        return self.possible_agents[places[0]]

    def _commands(self, agent: str) -> dict[int, Any]:
        """What a seat may do, by number of the action."""
        hand = [paper.id for paper in self._view(agent).hand]
        found = {self._number(option, hand): option for option in _WORLD.legal(self._game, agent)}
        passes = self.possible_agents.index(agent) in undecided(self._game)
        return {n: option for n, option in found.items() if n is not None and (n != PASS or passes)}

    def _number(self, option: Any, hand: Sequence[str]) -> int | None:
        """The number of an action; None for one that needs words."""
        match option:
            case c.Observe():
                return PASS
            case c.VoteTeam(vote=yes) | c.VoteEmergency(vote=yes):
                return YES if yes else NO
            case c.RespondVeto(agree=yes):
                return AGREE if yes else REFUSE
            case c.DiscardPaper(paper_id=paper) | c.PublishPaper(paper_id=paper):
                return PAPER + hand.index(paper)
            case c.Nominate(target_id=target) | c.UsePower(target_id=target):
                return TARGET + self.possible_agents.index(target)
            case _:
                return {c.CallEmergencySafety: CALL, c.DeclareVeto: VETO}.get(type(option))


def raw_env(players: int = FEWEST, **more: Any) -> SecretAgiEnv:
    """The environment itself; raises what :class:`SecretAgiEnv` does."""
    return SecretAgiEnv(players, **more)


def env(players: int = FEWEST, **more: Any) -> AECEnv:
    """The environment in PettingZoo's own wrapper, which complains about calls in the wrong order."""
    return wrappers.OrderEnforcingWrapper(SecretAgiEnv(players, **more))
