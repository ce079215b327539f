"""The crisis check: one half here, deterministic and always run; the other is a model's. Either decides."""

from greenroom.worlds.bar.crisis.check import Finding, examine, in_crisis

__all__ = ["Finding", "examine", "in_crisis"]
