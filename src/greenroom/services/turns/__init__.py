"""The turn engine: takes attempts through their phases, from a draft or a claim to their end."""

from greenroom.services.turns.asking import Outside
from greenroom.services.turns.engine import TurnEngine
from greenroom.services.turns.passage import Outcome, Turned
from greenroom.services.turns.phases import FLOW, Phase, diagram

__all__ = ["FLOW", "Outcome", "Outside", "Phase", "TurnEngine", "Turned", "diagram"]
