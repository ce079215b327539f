"""Seats that a model plays: asked all at once, each from its own view, and again if the answer is no action."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeAlias

from greenroom.kernel.asks import Ask, AskModel, Failed, Objection, Read
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical
from greenroom.kernel.words import Words
from greenroom.text.echo import echoes
from greenroom.worlds.secret_agi.rules import bots, prompts
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.content import Senses
from greenroom.worlds.secret_agi.rules.reading import understood
from greenroom.worlds.secret_agi.rules.rules import OBSERVE, choices
from greenroom.worlds.secret_agi.rules.sight import sight
from greenroom.worlds.secret_agi.rules.state import Game
from greenroom.worlds.secret_agi.rules.views import View, view
from greenroom.worlds.secret_agi.rules.waiting import undecided

#: Answers a model may give until somebody decides for it, and who that is.
TRIES, STAND_IN = 3, "MiddlePlayer"

#: An action, and how it came about: a note, unusable answers before it, whether chance decided.
Decision: TypeAlias = tuple[c.Action, dict[str, Any]]


class Consultation:
    """One round of questions to all the models that have to act."""

    def __init__(
        self,
        senses: Senses,
        game: Game,
        places: Sequence[int],
        chance: Callable[[int], Chance],
        unusable: Callable[[int, str, str], None],
    ) -> None:
        self._senses = senses
        self._game = game
        self._places = places
        self._chance = chance
        #: Records an answer that is no action: whose, what was wanted, why not.
        self._unusable = unusable
        self._able = {i: offered(game, i) for i in places}
        self._seen: dict[int, View] = {i: view(game, game.players[i].id) for i in places}
        self._tries = dict.fromkeys(places, 0)
        self._rejected: dict[int, tuple[Objection, ...]] = dict.fromkeys(places, ())

    def decisions(self) -> Generator[Ask | tuple[Ask, ...], Any, dict[int, Decision]]:
        """Ask until every seat has decided."""
        ids = self._ids()
        texts = (yield Read(ids)) if ids else {}
        found: dict[int, Decision] = {}
        while waiting := [i for i in self._places if i not in found]:
            answers = yield tuple(self._ask(i, texts) for i in waiting)
            for i, answer in zip(waiting, answers, strict=True):
                note = self._game.notes[i]
                decided = self._decided(i, answer, "" if note is None else texts.get(note.id, ""))
                if decided is not None:
                    found[i] = (yield from self._meant(i, decided[0])), decided[1]
        return found

    def _meant(self, i: int, action: c.Action) -> Generator[Ask | tuple[Ask, ...], Any, c.Action]:
        """A message with what it means, as others will understand it."""
        if not isinstance(action, c.SendChatMessage):
            return action
        claim, also = yield from understood(self._senses, self._game, i, action.text.text or "")
        return c.SendChatMessage(text=action.text, claim=claim, also=also)

    def _ids(self) -> tuple[str, ...]:
        """The words that these seats may read: what was said aloud, and their own notes."""
        said = {line.words.id for i in self._places for line in self._seen[i].chat}
        return tuple(sorted(said | {note.id for i in self._places if (note := self._game.notes[i]) is not None}))

    def _ask(self, i: int, texts: Mapping[str, str]) -> AskModel:
        role = str(self._game.players[i].config.get("role", prompts.ROLE))
        note = self._game.notes[i]
        return prompts.ask(
            self._seen[i],
            self._able[i],
            texts,
            note=note,
            role=role,
            rejected=self._rejected[i],
            seconds=self._seconds(i),
        )

    def _seconds(self, i: int) -> int:
        """How long this seat may think: what its own config says, else what the table says."""
        own = self._game.players[i].config.get("seconds")
        return own if isinstance(own, int) and not isinstance(own, bool) and own >= 0 else self._game.seconds

    def _decided(self, i: int, answer: Any, note: str) -> Decision | None:
        """What the answer comes to; None to ask again."""
        if isinstance(answer, Failed):
            return self._stand_in(i)
        chosen, error = read(self._able[i], answer)
        private = prompts.private(self._seen[i], note)
        if isinstance(chosen, c.SendChatMessage) and echoes(chosen.text.text or "", private):
            chosen, error = None, "a message is in your own words; it repeats what only you were told"
        if chosen is not None:
            return chosen, {"tries": self._tries[i], "note": _note(answer)}
        self._tries[i] += 1
        self._rejected[i] = (*self._rejected[i], Objection(answer=canonical(answer).decode(), reason=error))
        self._unusable(i, c.NAMES[type(self._able[i][0])], error)
        most = self._game.players[i].config.get("tries", TRIES)
        return self._stand_in(i) if self._tries[i] >= (most if isinstance(most, int) else TRIES) else None

    def _stand_in(self, i: int) -> Decision:
        """What a player of middle strength does here; it burns neither the emergency call nor a veto, and is silent."""
        game, chance = self._game, self._chance(i)
        able = [a for a in choices(game, i) if not isinstance(a, c.CallEmergencySafety | c.DeclareVeto)]
        if not able or game.talk or i in undecided(game):
            action: c.Action = OBSERVE
        else:
            action = bots.decide(bots.mind_of(sight(game, i), STAND_IN, chance, game.seed), able)
        return action, {"tries": self._tries[i], "fallback": True}


def offered(game: Game, i: int) -> Sequence[c.Action]:
    """What a model chooses from; where it may stay silent, that too."""
    able = choices(game, i)
    return [*able, OBSERVE] if game.talk or i in undecided(game) else able


def read(able: Sequence[c.Action], answer: Any) -> tuple[c.Action | None, str]:
    """The action an answer names, or why it names none; the reason never quotes the answer."""
    if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
        return None, "the answer names no action"
    for action in able:
        if c.label(action) == answer["action"].strip():
            return _with_words(action, answer.get("text"))
    return None, "the action is not one of those offered"


def _with_words(action: c.Action, text: Any) -> tuple[c.Action | None, str]:
    if not isinstance(action, c.SendChatMessage):
        return action, ""
    if not isinstance(text, str) or not c.MESSAGE.least <= len(text.strip()) <= c.MESSAGE.most:
        return None, f"a message has {c.MESSAGE.least} to {c.MESSAGE.most} characters"
    return c.SendChatMessage(text=Words(text.strip())), ""


def _note(answer: Mapping[str, Any]) -> str:
    note = answer.get("notes", "")
    return note.strip()[: prompts.NOTES] if isinstance(note, str) else ""
