"""The den's house file and the runtime's log, as in the tests of hardening."""

from __future__ import annotations

from tests.hardening.conftest import heard, path

__all__ = ["heard", "path"]
