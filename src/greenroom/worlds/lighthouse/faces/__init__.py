"""How people and programs meet the lighthouse."""
