"""Judged play: visitors of a script talk to a character, and every reply is scored by program."""

from greenroom.kit.judging.playing import Judge, JudgedReply, play
from greenroom.kit.judging.probes import Probes, Visitor, shuffled
from greenroom.kit.judging.scoring import Report, scored

__all__ = ["Judge", "JudgedReply", "Probes", "Report", "Visitor", "play", "scored", "shuffled"]
