"""A table laid by hand: people in every seat, cards as wanted, every event through the codec."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import Alike, Ask, AskModel, Read, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.codec import Codec, filled
from greenroom.kernel.script import Script
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import HOUSE, OPERATOR, CommandContext, Done, EventContext, Seat, Turn, Wake
from greenroom.worlds.secret_agi.outside import shipped
from greenroom.worlds.secret_agi.rules import alone, secret_agi
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import DECK, Paper, Role, paper_id, roles_of
from greenroom.worlds.secret_agi.rules.rules import options, waited_for
from greenroom.worlds.secret_agi.rules.state import NOBODY, Game, Player, candidates, living, power

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
CONTENT = shipped()
WORLD = secret_agi(CONTENT)
#: Games by themselves, in the shipped words.
game_of, end_of = partial(alone.game_of, CONTENT), partial(alone.end_of, CONTENT)
CODEC = Codec(WORLD)


def named(i: int) -> str:
    return f"player_{i + 1}"


def seats(*agents: str, **config: Any) -> tuple[c.SeatConfig, ...]:
    return tuple(
        c.SeatConfig(player_id=named(i), agent_type=agent, agent_config=config) for i, agent in enumerate(agents)
    )


class Table:
    """One game. Seats are numbers here; player_1 is Director, and the last seat is the AGI unless told otherwise."""

    def __init__(
        self,
        players: int = 5,
        *,
        capability: int = 0,
        safety: int = 0,
        top: Sequence[Paper] = (),
        left: int | None = None,
        roles: Sequence[Role] | None = None,
        agents: Sequence[str] | None = None,
        **more: Any,
    ) -> None:
        rest = list(DECK)
        for paper in top:
            rest.remove(paper)
        taken = 0 if left is None else len(DECK) - left
        deck = (*rest[:taken], *top, *rest[taken:])
        kinds: Any = agents or ["HumanPlayer"] * players
        sat = tuple(
            Player(named(i), kind, role)
            for i, (kind, role) in enumerate(zip(kinds, roles or roles_of(players), strict=True))
        )
        self.game = replace(
            Game(),
            status="active",
            players=sat,
            deck=deck,
            taken=taken,
            round=1,
            capability=capability,
            safety=safety,
            notes=(None,) * players,
            since=NOON,
            **more,
        )
        self.at, self.version, self.n, self.seed = NOON, 1, 1, 1
        self.told: list[EventContext[e.Event]] = []
        self.steps: list[tuple[e.Event, ...]] = []
        self.asked: list[Ask] = []
        self.says: list[Any] = []
        self.texts: dict[str, str] = {}
        self.memories: list[Memory] = []

    @classmethod
    def opened(cls, config: c.GameConfig, *, seed: int = 1) -> Table:
        table = cls(5)
        table.game, table.version, table.n, table.seed = WORLD.blank, 0, 0, seed
        table._run(WORLD.open, config, HOUSE)
        return table

    # doing

    def do(self, i: int, action: Any) -> list[e.Event]:
        """An action of the player in this seat; refused as the rules say."""
        return self.send(named(i), action)

    def send(self, seat: Seat, command: Any) -> list[e.Event]:
        if isinstance(command, c.SendChatMessage):
            words = Words(command.text.text, id=f"game/a{self.n + 1}.0")
            self.texts[words.id] = words.text or ""
            command = c.SendChatMessage(text=words, claim=command.claim, also=command.also)
        return self._run(lambda given: WORLD.handle(self.game, given), command, seat)

    def operate(self, command: Any) -> list[e.Event]:
        return self.send(OPERATOR, command)

    def wake(self) -> list[e.Event]:
        due = WORLD.wake_at(self.game)
        assert due is not None
        self.at = max(self.at, due)
        return self.send(HOUSE, Wake())

    def play_out(self) -> Table:
        while (due := WORLD.wake_at(self.game)) is not None and due <= self.at:
            self.wake()
        return self

    def wait(self, seconds: int) -> None:
        self.at += timedelta(seconds=seconds)

    def elect(self, engineer: int, *, against: Sequence[int] = ()) -> list[e.Event]:
        """Nominate and vote."""
        self.do(self.game.director, c.Nominate(target_id=named(engineer)))
        return self.vote({i: i not in against for i in living(self.game)})

    def reject(self, engineer: int | None = None) -> list[e.Event]:
        """Everybody votes against whoever is nominated."""
        return self.elect(candidates(self.game)[0] if engineer is None else engineer, against=living(self.game))

    def vote(self, ballots: dict[int, bool]) -> list[e.Event]:
        kind = c.VoteTeam if self.game.vote == "team" else c.VoteEmergency
        return [event for i, yes in ballots.items() for event in self.do(i, kind(vote=yes))]

    def publish(self, which: int, *, discard: int | None = None) -> list[e.Event]:
        """The Director and the Engineer work until the paper at this place of the hand is out."""
        kept = self.game.hand[which]
        away = self.game.hand[discard if discard is not None else (which + 1) % 3]
        self.do(self.game.director, c.DiscardPaper(paper_id=paper_id(away)))
        return self.do(self.game.engineer, c.PublishPaper(paper_id=paper_id(kept)))

    def research(self, engineer: int = 1, which: int = 0) -> list[e.Event]:
        """Elect and publish."""
        self.elect(engineer)
        return self.publish(which)

    def use(self, target: int) -> list[e.Event]:
        kind: Any = power(self.game)
        return self.do(self.game.director, c.UsePower(target_id=named(target), power_type=kind))

    # looking

    @property
    def winners(self) -> str | None:
        return self.game.outcome.winners if self.game.outcome else None

    @property
    def reason(self) -> str:
        assert self.game.outcome is not None
        return self.game.outcome.reason

    def waits_for(self) -> tuple[int, ...]:
        return waited_for(self.game)

    def game_options(self, i: int) -> tuple[Any, ...]:
        return options(self.game, i)

    def kinds(self) -> list[str]:
        return [e.KINDS[type(told.event)] for told in self.told]

    def view(self, i: int) -> Any:
        return WORLD.view(self.game, named(i), self.at)

    def shown(self, i: int) -> list[Any]:
        return [body for told in self.told if (body := WORLD.shows(self.game, told, named(i))) is not None]

    def plain(self, value: Any) -> Any:
        return filled(value, self.texts.__getitem__)

    def prompts(self) -> list[AskModel]:
        return [ask for ask in self.asked if isinstance(ask, AskModel)]

    # driving

    def _run(self, make: Any, command: Any, seat: Seat) -> list[e.Event]:
        given = CommandContext(
            stream="game", n=self.n + 1, version=self.version + 1, at=self.at, seat=seat, owner="ada", command=command
        )
        done = self._driven(make(given))
        self.n += 1
        return self._settle(done)

    def _driven(self, turn: Turn[e.Event]) -> Done[e.Event]:
        script = Script(turn)
        while (done := script.run()) is None:
            for i, ask in list(script.pending.items()):
                self.asked.append(ask)
                script.answer(i, self._answer(ask, i))
        return done

    def _answer(self, ask: Ask, i: int) -> Any:
        if isinstance(ask, Roll):
            return roll(self.seed, self.version, i, ask.sides)
        if isinstance(ask, Alike):
            return [0.0] * len(ask.others)
        if isinstance(ask, Read):
            return {id: self.texts[id] for id in ask.ids}
        said = self.says.pop(0)
        return said(ask) if callable(said) else said

    def _settle(self, done: Done[e.Event]) -> list[e.Event]:
        self.memories += done.memories
        self.texts |= {memory.id: memory.text for memory in done.memories if memory.text is not None}
        found: list[e.Event] = []
        for step in done.steps:
            self.version += 1
            self.steps.append(CODEC.read_events(CODEC.events(step)))
            for k, event in enumerate(self.steps[-1]):
                told = EventContext(stream="game", version=self.version, ordinal=k, at=self.at, event=event)
                self.game = WORLD.evolve(self.game, told)
                self.told.append(told)
                found.append(event)
        return found


__all__ = ["CODEC", "NOBODY", "NOON", "WORLD", "Table", "named", "seats"]
