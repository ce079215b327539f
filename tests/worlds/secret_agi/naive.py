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

    def __init__(
        self, roles: str, deck: list[tuple[Any, int, int]], director: int, talks: int = 0, long: bool = False
    ) -> None:
        self.talks = talks  # messages each may send in a discussion
        self.long = long  # whether discards come back
        self.pile: list[tuple[int, int]] = []  # discards, where they do
        self.dealt = len(deck)  # papers that have had a name so far
        self.round = 0
        self.used_question: set[int] = set()
        self.hands: dict[int, tuple[int, int, list[Any], list[Any]]] = {}  # round: director, engineer, drawn, passed
        self.seen: set[tuple[int, int]] = set()  # cards: viewer, target
        self.out: int | None = None  # an AGI that had to say so
        self.lied = False  # whether the last claim was a lie
        self.shuffled: list[tuple[int, int]] | None = None  # the next order of discards, given from outside
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
        self.round += 1
        self.nominee: int | None = None
        self.engineer: int | None = None
        self.emergency_tried = False
        self.votes: dict[int, bool] = {}
        self.hand: list[tuple[Any, int, int]] = []
        self.veto_refused = False
        self.discuss("propose")

    def discuss(self, then: str) -> None:
        """Everybody speaks in turn, from the Director, then the game goes on."""
        self.step = then
        if self.talks:
            self.step, self.then = "talk", then
            order = self.alive_players()
            while order[0] != self.director:
                order.append(order.pop(0))
            self.speakers = order * self.talks

    def alive_players(self) -> list[int]:
        return [p for p in range(self.n) if self.alive[p]]

    def can_call(self) -> bool:
        return (
            self.step == "propose" and self.C - self.S in (4, 5) and not self.emergency_on and not self.emergency_tried
        )

    def legal(self, p: int) -> list[Move]:  # noqa: C901, PLR0912  one table, read from top to bottom
        if self.winner is not None or not self.alive[p]:
            return []
        if self.step == "talk":
            if p != self.speakers[0]:
                return []
            can_ask = self.C >= 10 and p not in self.used_question
            return [("say",)] + [("ask", q) for q in self.alive_players() if q != p and can_ask]
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

    def do(self, p: int, move: Move) -> None:  # noqa: C901, PLR0915  the same
        assert move == ("silence",) or move[:2] in self.legal(p) or move[:1] in self.legal(p), (self.step, p, move)
        kind = move[0]
        if kind in ("say", "silence", "ask"):
            self.speak(p, move)
        elif kind == "call":
            self.emergency_tried = True
            self.step = "emergency vote"
            self.votes = {}
        elif kind == "nominate":
            self.nominee = move[1]
            self.votes = {}
            self.discuss("team vote")
        elif kind == "vote":
            self.votes[p] = move[1]
            if len(self.votes) == len(self.alive_players()):
                self.count()
        elif kind == "discard":
            self.pile += [card[1:] for card in self.hand if card[0] == move[1]]
            self.hand = [card for card in self.hand if card[0] != move[1]]
            self.hands[self.round] = (*self.hands[self.round][:3], list(self.hand))
            self.step = "engineer publishes"
        elif kind == "publish":
            card = next(card for card in self.hand if card[0] == move[1])
            self.pile += [other[1:] for other in self.hand if other[0] != move[1]]
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
        if len(self.deck) + self.to_return() < 3:
            self.ran_out()
            return
        self.fill_up(3)
        self.hand = [self.deck.pop(0), self.deck.pop(0), self.deck.pop(0)]
        self.hands[self.round] = (self.director, self.engineer, list(self.hand), [])
        self.step = "director discards"

    def to_return(self) -> int:
        return len(self.pile) if self.long else 0

    def fill_up(self, wanted: int) -> None:
        """Too few papers: the discards come back under new names, in an order that chance decides."""
        if len(self.deck) < wanted and self.to_return():
            assert self.shuffled is not None
            assert sorted(self.shuffled) == sorted(self.pile)
            for card in self.shuffled:
                self.dealt += 1
                self.deck.append((f"paper_{self.dealt:02}", *card))
            self.pile, self.shuffled = [], None

    def after_failure(self) -> None:
        if self.fails < 3:
            self.next_director()
            return
        if len(self.deck) + self.to_return() == 0:
            self.ran_out()
            return
        self.fill_up(1)
        card = self.deck.pop(0)
        self.last_engineer = None
        self.publish(card)

    def answer(self, agree: bool) -> None:
        if not agree:
            self.veto_refused = True
            self.step = "engineer publishes"
            return
        self.pile += [card[1:] for card in self.hand]
        self.hand = []
        self.fails += 1
        if len(self.deck) + self.to_return() == 0:
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
        if len(self.deck) + self.to_return() == 0:
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
        if threshold in (3, 6):
            self.seen.add((self.director, target))
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

    # ------------------------------------------------------------------ talk

    def speak(self, p: int, move: Move) -> None:
        if move[0] == "ask":
            self.ask(p, move[1])
        if move[0] == "say" and move[1] is not None:
            claim = move[1]
            self.lied = self.is_lie(p, claim)
            if claim["kind"] == "question" and claim["agi"] and claim["target"] not in (None, p):
                self.ask(p, claim["target"])
        self.speakers.pop(0)
        if self.speakers == []:
            self.step = self.then

    def ask(self, p: int, q: int) -> None:
        """The one question that is answered truthfully."""
        if self.C >= 10 and p not in self.used_question and self.alive[q]:
            self.used_question.add(p)
            if self.roles[q] == "G":
                self.out = q

    def is_lie(self, p: int, claim: dict[str, Any]) -> bool:
        kind, target = claim["kind"], claim["target"]
        side = {"Safety": True, "Acceleration": False}.get(claim["side"])
        if kind in ("drew", "received"):
            if claim["round"] not in self.hands:
                return True
            director, engineer, drawn, passed = self.hands[claim["round"]]
            if p != (director if kind == "drew" else engineer):
                return True
            true = drawn if kind == "drew" else passed
            if sorted(claim["papers"]) != sorted(card[1:] for card in true):
                return True
            return bool(claim["passed"]) and sorted(claim["passed"]) != sorted(card[1:] for card in passed)
        if kind == "card":
            return (p, target) not in self.seen or side != (self.roles[target] == "S")
        if kind == "role":
            return side is not None and side != (self.roles[p] == "S")
        if kind == "believe" and target is not None and side is not None:
            knows = self.roles[p] != "S" or (p, target) in self.seen or target == p or not self.alive[target]
            return (knows or target == self.out) and side != (self.roles[target] == "S")
        return False

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
