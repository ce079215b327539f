"""Suites that ship: one per port for back-ends, one for worlds. They need pytest and pytest-asyncio (auto mode)."""
