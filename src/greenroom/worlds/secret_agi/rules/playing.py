"""The wake in which agents play: local ones many actions a turn, models all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import CommandContext, Done, Turn, Wake
from greenroom.worlds.secret_agi.rules import agents, bots
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.content import Content
from greenroom.worlds.secret_agi.rules.minds import Mind
from greenroom.worlds.secret_agi.rules.models import Consultation, Decision
from greenroom.worlds.secret_agi.rules.rules import CALL, Scene, act, choices, stop_if_long
from greenroom.worlds.secret_agi.rules.sight import sight
from greenroom.worlds.secret_agi.rules.state import Game
from greenroom.worlds.secret_agi.rules.talking import aloud
from greenroom.worlds.secret_agi.rules.views import view
from greenroom.worlds.secret_agi.rules.waiting import due, is_person, undecided

#: Actions of local agents in one turn: enough to share a commit, few enough to leave the loop to others.
MOST_STEPS = 64


class WakeInTheMaking:
    """One wake in the making: its steps, its memories, and the game as it goes on."""

    def __init__(self, content: Content, game: Game, given: CommandContext[Any]) -> None:
        self.content = content
        self.game = game
        self.given = given
        self.steps: list[tuple[e.Event, ...]] = []
        self.memories: list[Memory] = []

    @property
    def turn(self) -> int:
        return self.given.version - 1 + len(self.steps)

    def chance(self, i: int) -> Chance:
        return Chance(self.game.seed, self.game.moves, i)

    def step(self, i: int, action: c.Action, *, note: str = "", **how: Any) -> None:
        """One action is one step."""
        scene = Scene(self.game, self.given.at, self.turn)
        if isinstance(action, c.SendChatMessage):
            words = self._remember(0, i, action.text.text or "", agent="table")
            action = c.SendChatMessage(text=words, claim=action.claim, also=action.also)
        act(scene, i, action, **how)
        if note and scene.game.outcome is None:
            words = self._remember(1, i, note, agent=scene.name(i), kind="note")
            scene.tell(e.NoteTaken(seat=scene.name(i), words=Words(id=words.id)))
        stop_if_long(scene)
        self._keep(scene)

    def _remember(self, k: int, i: int, text: str, *, agent: str, **more: Any) -> Words:
        speaker = self.game.players[i].id
        memory = self.given.memory(k, agent=agent, text=text, speaker=speaker, step=len(self.steps), **more)
        self.memories.append(memory)
        return memory.words

    def unusable(self, i: int, wanted: str, error: str) -> None:
        """An answer that is no action: it takes a turn number and changes nothing."""
        scene = Scene(self.game, self.given.at, self.turn)
        scene.tell(e.Attempted(seat=scene.name(i), action=wanted, error=error))
        self._keep(scene)

    def let_pass(self, places: Sequence[int]) -> None:
        scene = Scene(self.game, self.given.at, self.turn)
        scene.tell(e.EmergencyLetPass(seats=tuple(map(scene.name, places))))
        self._keep(scene)

    def _keep(self, scene: Scene) -> None:
        self.game = scene.game
        self.steps.append(tuple(scene.events))


def played(content: Content, game: Game, given: CommandContext[Wake]) -> Turn[e.Event]:
    """Let agents act: local ones up to the next model or person, models all at once at the start of a turn."""
    sitting = WakeInTheMaking(content, game, given)
    while len(sitting.steps) < MOST_STEPS and (places := due(sitting.game, given.at)):
        models = tuple(i for i in places if sitting.game.players[i].agent == "LLMPlayer")
        if models and sitting.steps:
            break  # asked by the next wake, when all before is stored
        answers: dict[int, Decision] = {}
        if models:
            asked = Consultation(content.senses, sitting.game, models, sitting.chance, sitting.unusable)
            answers = yield from asked.decisions()
        if undecided(sitting.game):
            _poll(sitting, places, answers)
        else:
            _play(sitting, places, answers)
    return Done(steps=tuple(sitting.steps), memories=tuple(sitting.memories))


def _poll(sitting: WakeInTheMaking, places: Sequence[int], answers: dict[int, Decision]) -> None:
    """Ask each whether they call an emergency; the first who does is heard."""
    for i in places:
        if _calls(sitting, i, answers):
            sitting.step(i, CALL, **answers[i][1] if i in answers else {})
            return
    sitting.let_pass(places)


def _calls(sitting: WakeInTheMaking, i: int, answers: dict[int, Decision]) -> bool:
    match sitting.game.players[i].agent:
        case "RandomPlayer":
            return agents.random_call(sitting.chance(i))
        case "HeuristicPlayer":
            return agents.heuristic_call(view(sitting.game, sitting.game.players[i].id), sitting.chance(i))
        case "WeakPlayer" | "MiddlePlayer" | "StrongPlayer":
            return bots.calls(_mind(sitting, i))
        case "LLMPlayer":
            return i in answers and isinstance(answers[i][0], c.CallEmergencySafety)
        case _:
            return False


def _play(sitting: WakeInTheMaking, places: Sequence[int], answers: dict[int, Decision]) -> None:
    for i in places:
        if i in answers:
            action, how = answers[i]
            sitting.step(i, action, **how)
        elif is_person(sitting.game, i):
            able = choices(sitting.game, i)
            sitting.step(i, agents.fallback_action(able, sitting.chance(i)), fallback=True)
        else:
            sitting.step(i, _local(sitting, i))


def _local(sitting: WakeInTheMaking, i: int) -> c.Action:
    able, chance = choices(sitting.game, i), sitting.chance(i)
    agent, voices = sitting.game.players[i].agent, sitting.content.voices
    if agent == "RandomPlayer":
        return agents.random_action(voices, able, chance)
    if bots.thinks(agent):
        mind = _mind(sitting, i)
        action = bots.decide(mind, able)
        return aloud(voices, mind, action) if isinstance(action, c.SendChatMessage) else action
    return agents.heuristic_action(voices, view(sitting.game, sitting.game.players[i].id), able, chance)


def _mind(sitting: WakeInTheMaking, i: int) -> Mind:
    game = sitting.game
    return bots.mind_of(sight(game, i), game.players[i].agent, sitting.chance(i), game.seed)
