"""The pure heart: worlds, turns, asks, events, words. No I/O, no clock, no dice."""
