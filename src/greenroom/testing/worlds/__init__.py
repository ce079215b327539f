"""One suite that every world goes through: random legal play, checked after every step.

>>> transcript = await play(Trial(world=…, configs=[…]), backend, seed=1, commands=30)

A fault is an ``AssertionError`` that says which promise was broken, where.
"""

from greenroom.testing.worlds.late import play_late, told
from greenroom.testing.worlds.play import play
from greenroom.testing.worlds.transcript import Transcript
from greenroom.testing.worlds.trial import Secret, Trial

__all__ = ["Secret", "Transcript", "Trial", "play", "play_late", "told"]
