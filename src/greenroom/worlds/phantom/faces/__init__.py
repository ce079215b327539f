"""How people and programs meet Phantom Protocol."""
