"""How people and programs meet Secret AGI."""
