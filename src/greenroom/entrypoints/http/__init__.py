"""The house over HTTP. ``create(house, settings)`` makes the application; ``serve`` runs it with worker and console.

The routes of worlds come with their plug-ins; ``greenroom.kit.http`` tells how they are written.
"""

from __future__ import annotations

from greenroom.entrypoints.http.app import create

__all__ = ["create"]
