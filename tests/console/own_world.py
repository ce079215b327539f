"""A program that serves a house with a world of its own, as anybody may write one: the world of ``greenroom new``."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from pathlib import Path

import greenroom
from greenroom.entrypoints.http import create, serving
from greenroom.entrypoints.scaffold.template import a_new_world
from greenroom.settings import read_settings


async def main(home: Path, port: int) -> None:
    settings, stop = read_settings(home=home, port=port), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    content = a_new_world.shipped()
    worlds, parts = [a_new_world.world(content)], {a_new_world.NAME: a_new_world.part(content)}
    async with (
        serving.listening(settings) as opened,
        greenroom.open(settings.place, worlds=worlds, parts=parts) as house,
    ):
        app = create(house, settings)
        serving.with_console(app, house)
        ready = json.dumps({"address": serving.address_of(opened, settings)})
        await serving.serve(app, settings, opened, stop, ready=lambda: print(ready, flush=True))


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--home", type=Path, required=True)
    given.add_argument("--port", type=int, required=True)
    asyncio.run(main(**vars(given.parse_args())))
