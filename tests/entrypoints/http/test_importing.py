"""Files that come in over HTTP: whatever is in them, nobody waits for it and a refusal leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import json
import random

from greenroom.kit.http.watchdog import MOST_SECONDS
from tests.counts import at_usual_pace, count, report
from tests.entrypoints.http.stage import Stage
from tests.upkeep.test_forged import spoilt

IMPORT = "/streams/import"


async def test_no_file_breaks_anything_or_holds_the_loop_and_refusals_leave_no_trace(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    call, watchdog = house.caller(), house.app.state.watchdog
    exported = (await call.get(f"/streams/{stream}/export")).content
    records = [json.loads(line) for line in exported.splitlines()]
    await house.house.forget("ada")
    gc.collect()
    gc.freeze()  # as a server does once it listens: no file pays for going through all that was loaded before it
    chance, files, taken, longest = random.Random(35), count(150, soak=10_000), 0, 0.0
    for i in range(files):
        owner = f"guest-{i}"
        records[0] = {**records[0], "name": f"visit-{i}", "owner": owner}
        made = [{**one, "owner": owner} if "owner" in one else one for one in records]
        content = b"".join(spoilt(made, chance))
        await asyncio.sleep(0)
        watchdog.longest = 0.0
        told = await asyncio.create_task(call.post(IMPORT, content=content))
        longest = max(longest, at_usual_pace(watchdog.longest))
        assert told.status_code == 201 or 400 <= told.status_code < 500, told.text
        found = await house.house.streams(limit=10)
        if told.status_code == 201:
            taken += 1
            assert [one.name for one in found] == [told.json()["stream"]]
            await house.house.forget(found[0].owner)
        else:
            assert found == [], content
    report(
        f"import: {files} random files over HTTP, {taken} taken, no 5xx; longest step {longest * 1000:.1f} ms of "
        "processor time"
    )
    assert taken < files
    assert longest < MOST_SECONDS


async def test_a_long_file_keeps_nobody_waiting(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    call, watchdog = house.caller(), house.app.state.watchdog
    exported = (await call.get(f"/streams/{stream}/export")).content.splitlines(keepends=True)
    line = next(one for one in exported if b'"memory"' in one)
    await asyncio.sleep(0)
    watchdog.longest = 0.0
    told = await asyncio.create_task(call.post(IMPORT, content=b"".join([exported[0], *[line] * 20_000])))
    assert told.status_code == 422
    assert watchdog.longest < MOST_SECONDS
