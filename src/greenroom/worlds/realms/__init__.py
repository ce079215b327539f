"""Realms: a repository becomes a place that agents explore and remember."""
