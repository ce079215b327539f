"""Whether the server lives, whether it can serve, and what it counts."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from greenroom.entrypoints.http.metrics import Metrics
from greenroom.kernel.errors import BackendError
from greenroom.kit.http.access import Operator, TheHouse
from greenroom.kit.http.problems import ADMITTED, ALWAYS
from greenroom.kit.http.records import ResponseBody, answer

routes = APIRouter(tags=["the server"])

#: A database that takes longer than this for one look is not ready.
READY_SECONDS = 2.0


class Alive(ResponseBody):
    status: Literal["ok"]


class Ready(ResponseBody):
    status: Literal["ready"]
    works: bool


@routes.get("/health", responses={**ALWAYS, 200: {"model": Alive}})
async def health() -> Response:
    """Whether the process answers."""
    return answer({"status": "ok"})


@routes.get("/ready", responses={**ALWAYS, 200: {"model": Ready}})
async def ready(house: TheHouse) -> Response:
    """Whether the database answers and takes what is written; `works` says whether this process drives what is due."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            await house.streams(limit=1)
            await house.writable()
    except TimeoutError:
        raise BackendError("the database did not answer within two seconds") from None
    works = any(task.get_name() == "worker" and not task.done() for task in house.keeping)
    return answer({"status": "ready", "works": works})


_METRICS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Prometheus text.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@routes.get("/metrics", responses=ADMITTED | _METRICS, response_class=Response)
async def metrics(request: Request, house: TheHouse, caller: Operator) -> Response:
    """What the server and the house count, for Prometheus."""
    counted: Metrics = request.app.state.metrics
    return Response(await counted.text(house), media_type="text/plain; version=0.0.4; charset=utf-8")
