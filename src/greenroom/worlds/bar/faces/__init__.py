"""How people and programs meet the bar."""
