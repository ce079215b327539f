"""Pieces of commands: the house a command opens, how it answers and fails, what it reads and shows."""
