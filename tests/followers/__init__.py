"""Copies outside the transaction."""
