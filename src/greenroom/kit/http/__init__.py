"""Pieces of routes: who asks, what is given and told, how errors are answered, how turns are waited for."""
