"""The framework alone: the same server with one handler that does nothing, to measure against."""

from __future__ import annotations

import asyncio
import json
import socket
import sys


async def main() -> None:
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    app = FastAPI(openapi_url=None)

    class Speech(BaseModel):
        text: str

    @app.post("/say")
    async def say(body: Speech) -> dict[str, str]:
        return {"line": "nothing"}

    opened = socket.create_server(("127.0.0.1", 0), backlog=2048)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    print(json.dumps({"address": f"http://127.0.0.1:{opened.getsockname()[1]}"}), flush=True)
    await server.serve(sockets=[opened])


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
