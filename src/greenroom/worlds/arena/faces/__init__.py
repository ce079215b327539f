"""How people meet the arena: the terminal and the console."""
