"""kill -9 while a line is being said: it is asked anew, replaces the fragment, and is settled once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import textwrap
from pathlib import Path

import pytest

import greenroom
from greenroom.worlds.lighthouse.rules.state import VISITOR
from tests.models.test_aloud import LINE, served

PROGRAM = """
    import asyncio, sys
    import greenroom
    from greenroom.kernel.words import Words
    from greenroom.worlds.lighthouse.rules.commands import Say

    async def main():
        async with greenroom.open(sys.argv[1]) as house:
            stream = (await house.start("lighthouse", {}, owner="ann", name="visit", seat="visitor")).stream
            def heard():
                if so_far := house.saying(stream, "visitor"):
                    print(so_far, flush=True)
            house.listen(stream, heard)
            await house.send(stream, Say(text=Words("Good evening.")), seat="visitor", key="k1")

    asyncio.run(main())
"""


@pytest.mark.usefixtures("library")
async def test_a_line_cut_off_by_kill_9_is_asked_anew_and_settled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []
    with served(LINE, ends) as url:
        role = {"model": "openai:m", "base_url": url, "timeout": 20, "tries": 1}
        monkeypatch.setenv("GREENROOM_MODELS", json.dumps({"quality": role}))
        file = tmp_path / "house.db"
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            textwrap.dedent(PROGRAM),
            str(file),
            stdout=asyncio.subprocess.PIPE,
            env=dict(os.environ),
        )
        assert child.stdout is not None
        fragment = (await asyncio.wait_for(child.stdout.readline(), 60)).decode().strip()
        child.send_signal(signal.SIGKILL)
        await child.wait()
        assert fragment == "Sit down."
        async with greenroom.open(file, work=False) as house:
            house.listen("visit", lambda: None)  # whoever takes over is listened to as well: it is said aloud again
            async with asyncio.timeout(60):
                await house.quiet()
            events = [event async for event in house.events("visit", seat=VISITOR)]
            verdict = await house.verify("visit")
    assert [event.kind for event in events if event.kind in ("said", "answered")] == ["said", "answered"]
    assert events[-1].body["line"] == LINE
    assert not verdict.problems
