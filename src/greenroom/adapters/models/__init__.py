"""Whoever answers for a role."""
