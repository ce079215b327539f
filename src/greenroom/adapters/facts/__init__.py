"""Facts taken from what a person says: by the grammar of sentences, and by the encoder where one is installed."""

from greenroom.adapters.facts.noticing import PatternNoticing

__all__ = ["PatternNoticing"]
