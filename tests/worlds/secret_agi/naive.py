"""Secret AGI once more, as plainly as it can be written: one mutable object, straight from the page of rulings.

It shares nothing with the world. Where the two disagree, one of them misread the page.
"""

from __future__ import annotations

import random
from typing import Any

ROLES = {
    5: "SSSAG",
    6: "SSSSAG",
    7: "SSSSAAG",
    8: "SSSSSAAG",
    9: "SSSSSAAAG",
    10: "SSSSSSAAAG",
}
CARDS = [(0, 2)] * 3 + [(1, 2), (1, 3), (1, 1), (2, 2), (3, 0), (2, 1), (3, 1)] * 2

Move = tuple[Any, ...]


class NaiveGame:
    """Players are numbers; papers are (name, C, S)."""

    def __init__(self, roles: str, deck: list[tuple[Any, int, int]], director: int) -> None:
        self.roles = roles
        self.n = len(roles)
        self.deck = list(deck)  # the top is deck[0]
        self.alive = [True] * self.n
        self.C = 0
        self.S = 0
        self.director = director
        self.regular = director  # the seat that rotation counts from
        self.chosen: int | None = None
        self.fails = 0
        self.emergency_on = False
        self.last_engineer: int | None = None
        self.winner: str | None = None
        self.to_come: list[int] = []
        self.fresh_proposal()

    # ------------------------------------------------------------------ who may do what

    def fresh_proposal(self) -> None:
        self.step = "propose"
        self.nominee: int | None = None
        self.engineer: int | None = None
        self.emergency_tried = False
        self.votes: dict[int, bool] = {}
        self.hand: list[tuple[Any, int, int]] = []
        self.veto_refused = False

    def alive_players(self) -> list[int]:
        return [p for p in range(self.n) if self.alive[p]]

    def can_call(self) -> bool:
        return (
            self.step == "propose" and self.C - self.S in (4, 5) and not self.emergency_on and not self.emergency_tried
        )

    def legal(self, p: int) -> list[Move]:  # noqa: C901  one table, read from top to bottom
        if self.winner is not None or not self.alive[p]:
            return []
        if self.step == "propose":
            moves: list[Move] = [("call",)] if self.can_call() else []
            if p == self.director:
                may = [q for q in self.alive_players() if q != self.last_engineer]
                if may == []:
                    may = self.alive_players()
                moves += [("nominate", q) for q in may]
            return moves
        if self.step in ("team vote", "emergency vote"):
            return [] if p in self.votes else [("vote", True), ("vote", False)]
        if self.step == "director discards":
            return [("discard", card[0]) for card in self.hand] if p == self.director else []
        if self.step == "engineer publishes":
            if p != self.engineer:
                return []
            moves = [("publish", card[0]) for card in self.hand]
            if self.C >= 12 and not self.veto_refused:
                moves.append(("veto",))
            return moves
        if self.step == "veto answer":
            return [("answer", True), ("answer", False)] if p == self.director else []
        assert self.step == "power"
        if p != self.director:
            return []
        if self.to_come[0] == 9:
            return [("power", q) for q in self.alive_players()]
        return [("power", q) for q in self.alive_players() if q != p]

    # ------------------------------------------------------------------ what happens

    def do(self, p: int, move: Move) -> None:  # noqa: C901  the same
        assert move in self.legal(p), (self.step, p, move)
        kind = move[0]
        if kind == "call":
            self.emergency_tried = True
            self.step = "emergency vote"
            self.votes = {}
        elif kind == "nominate":
            self.nominee = move[1]
            self.step = "team vote"
            self.votes = {}
        elif kind == "vote":
            self.votes[p] = move[1]
            if len(self.votes) == len(self.alive_players()):
                self.count()
        elif kind == "discard":
            self.hand = [card for card in self.hand if card[0] != move[1]]
            self.step = "engineer publishes"
        elif kind == "publish":
            card = next(card for card in self.hand if card[0] == move[1])
            self.hand = []
            self.publish(card)
        elif kind == "veto":
            self.step = "veto answer"
        elif kind == "answer":
            self.answer(move[1])
        elif kind == "power":
            self.power(move[1])

    def count(self) -> None:
        yes = len([v for v in self.votes.values() if v])
        passed = yes > len(self.alive_players()) / 2
        if self.step == "emergency vote":
            self.emergency_on = passed
            self.step = "propose"
            return
        if not passed:
            self.fails += 1
            self.nominee = None
            self.after_failure()
            return
        self.engineer = self.nominee
        self.last_engineer = self.nominee
        assert self.engineer is not None
        if self.roles[self.engineer] == "G" and self.C >= 8:
            self.winner = "Acceleration"
            return
        if len(self.deck) < 3:
            self.ran_out()
            return
        self.hand = [self.deck.pop(0), self.deck.pop(0), self.deck.pop(0)]
        self.step = "director discards"

    def after_failure(self) -> None:
        if self.fails < 3:
            self.next_director()
            return
        if self.deck == []:
            self.ran_out()
            return
        card = self.deck.pop(0)
        self.last_engineer = None
        self.publish(card)

    def answer(self, agree: bool) -> None:
        if not agree:
            self.veto_refused = True
            self.step = "engineer publishes"
            return
        self.hand = []
        self.fails += 1
        if self.deck == []:
            self.ran_out()
            return
        self.after_failure()

    def publish(self, card: tuple[Any, int, int]) -> None:
        before = self.C
        c = card[1]
        if self.emergency_on and c > 0:
            c = c - 1
        self.emergency_on = False
        self.C += c
        self.S += card[2]
        self.fails = 0
        acceleration = (self.C >= 15 and self.S < 10) or self.C - self.S >= 6
        safety = (self.C == 10 and self.S >= self.C) or self.S >= 15
        if self.deck == []:
            if self.S >= self.C:
                safety = True
            else:
                acceleration = True
        if acceleration:
            self.winner = "Acceleration"
            return
        if safety:
            self.winner = "Safety"
            return
        large = self.n >= 9
        thresholds = [3, 6, 9, 11] if large else [6, 9]
        self.to_come = [t for t in thresholds if before < t <= self.C]
        self.go_on()

    def power(self, target: int) -> None:
        threshold = self.to_come.pop(0)
        if threshold == 9:
            self.chosen = target
        if threshold == 11:
            self.alive[target] = False
            if self.roles[target] == "G":
                self.winner = "Safety"
                return
        self.go_on()

    def go_on(self) -> None:
        if self.to_come != []:
            self.step = "power"
            return
        self.next_director()

    def next_director(self) -> None:
        if self.chosen is not None and self.alive[self.chosen]:
            self.director = self.chosen
        else:
            self.regular = (self.regular + 1) % self.n
            while not self.alive[self.regular]:
                self.regular = (self.regular + 1) % self.n
            self.director = self.regular
        self.chosen = None
        self.fresh_proposal()

    def ran_out(self) -> None:
        self.winner = "Safety" if self.S >= self.C else "Acceleration"


def play(players: int, dice: random.Random) -> NaiveGame:
    """A random game: uniform among legal moves; while it may be called, one in four others calls an emergency."""
    roles = list(ROLES[players])
    dice.shuffle(roles)
    cards = list(CARDS)
    dice.shuffle(cards)
    deck = [(i, c, s) for i, (c, s) in enumerate(cards)]
    game = NaiveGame("".join(roles), deck, dice.randrange(players))
    moves = 0
    while game.winner is None:
        moves += 1
        assert moves < 2000, "it never ends"
        one_move(game, dice)
    return game


def one_move(game: NaiveGame, dice: random.Random) -> None:
    if game.can_call():
        for p in game.alive_players():
            if p != game.director and dice.random() < 0.25:
                game.do(p, ("call",))
                return
        game.do(game.director, dice.choice(game.legal(game.director)))
        return
    for p in game.alive_players():
        moves = game.legal(p)
        if moves:
            game.do(p, dice.choice(moves))
            return
    raise AssertionError("nobody can move")
