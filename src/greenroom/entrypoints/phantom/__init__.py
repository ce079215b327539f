"""Phantom Protocol at the command line: simulated players, a terminal to play in, content under review."""
