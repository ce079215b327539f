"""How people and programs meet A New World."""
