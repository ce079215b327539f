"""How people and programs meet realms."""
