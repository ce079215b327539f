"""The pure heart: worlds, turns, events, sums, branches. No I/O, no clock, no dice."""
