"""One table from the tree of errors to answers: problem+json with one clear sentence."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from greenroom.kernel import errors
from greenroom.kernel.errors import GreenroomError, NotAdmitted, TooMany, TryLater

log = logging.getLogger("greenroom.http")

MEDIA = "application/problem+json"

#: The schema of every problem, for OpenAPI.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "What was wrong, in one sentence.",
    "required": ["type", "title", "status", "detail", "request"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "description": "Which kind of problem: a name of the table of errors."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong and what would be right."},
        "request": {"type": "string", "description": "The id of the request, as in the log and in X-Request-ID."},
    },
}


def problem(
    status: int, kind: str, detail: str, *, request: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """An answer that says what was wrong."""
    body = {
        "type": f"urn:greenroom:{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "request": request,
    }
    return Response(msgspec.json.encode(body), status, headers=dict(headers or {}), media_type=MEDIA)


def problem_of(error: GreenroomError, state: Mapping[str, Any]) -> Response:
    """The answer that an error of ours becomes, for the caller in the state of a request.

    What went wrong behind the house names files and hosts; that is for the operator, others are told what kind it was.
    """
    headers: dict[str, str] = {}
    if isinstance(error, NotAdmitted):
        headers["WWW-Authenticate"] = 'Bearer realm="greenroom"'
    elif isinstance(error, (TooMany, TryLater)):
        headers["Retry-After"] = str(max(1, round(error.seconds)))
    detail = sentence_for(error, getattr(state.get("caller"), "kind", "stranger"))
    told = str(state.get("request_id", ""))
    return problem(error.status, type(error).__name__, detail, request=told, headers=headers)


def sentence_for(error: GreenroomError, caller: str) -> str:
    """What a kind of caller is told of an error."""
    if error.status < 500 or isinstance(error, TryLater) or caller == "operator":
        return str(error)
    kind = (type(error).__doc__ or "").partition(".")[0].partition(";")[0]
    return f"{kind[:1].lower()}{kind[1:]}; the log knows more under the id of this request"


def documented(*kinds: type[GreenroomError]) -> dict[int | str, dict[str, Any]]:
    """What a route may answer besides its own, for ``responses=``."""
    table: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        sentence = (kind.__doc__ or "").splitlines()[0]
        told = table.setdefault(kind.status, {"description": sentence, "content": _CONTENT})
        if sentence not in told["description"]:
            told["description"] += f" Or: {sentence[0].lower()}{sentence[1:]}"
    return table


_CONTENT = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}

#: What any route may answer: malformed input, too much of it, and a house that cannot be reached.
ALWAYS = documented(errors.Malformed, errors.TooLarge, errors.TooMany, errors.BackendError, errors.UsageError)
#: What a route may answer that wants a ticket.
ADMITTED = {**ALWAYS, **documented(errors.NotAdmitted, errors.Forbidden)}
#: What a route about one stream may answer.
STREAM = {**ADMITTED, **documented(errors.Unknown, errors.OutOfRange, errors.Forgotten)}
#: What a route that changes a stream may answer.
CHANGE = {**STREAM, **documented(errors.Conflict, errors.KeyReused, errors.Refused, errors.Malformed)}


def request_id(request: Request) -> str:
    return str(_state(request).get("request_id", ""))


def _state(request: HTTPConnection) -> Mapping[str, Any]:
    found: Mapping[str, Any] = request.scope.get("state", {})
    return found


def add_to(app: FastAPI) -> None:
    """Let every error that leaves a route become a problem."""

    @app.exception_handler(GreenroomError)
    async def ours(request: Request | WebSocket, error: GreenroomError) -> Response | None:
        if error.status >= 500:
            log.error("%s: %s", type(error).__name__, error)
        if isinstance(request, WebSocket):  # there is no answer any more: it is told as the reason of the end
            caller = getattr(_state(request).get("caller"), "kind", "stranger")
            await request.close(1008, sentence_for(error, caller)[:100])
            return None
        return problem_of(error, _state(request))

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        kind = HTTPStatus(error.status_code).name.title().replace("_", "")
        detail = _PLAIN.get(error.status_code) or str(error.detail)
        return problem(error.status_code, kind, detail, request=request_id(request), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return problem(422, "Malformed", in_words(error.errors()), request=request_id(request))

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        log.error("%s in a request", type(error).__name__, extra={"where": places(error)})
        detail = "the server has a bug here; the log knows more under the id of this request"
        return problem(500, "Bug", detail, request=request_id(request))


_PLAIN = {
    404: "there is nothing at this address; /docs lists what there is",
    405: "this address does not take that method; /docs lists those it takes",
    400: "the body cannot be read; send JSON in UTF-8",
}


#: What is meant where the library that checks a form speaks of itself.
_SAID = {"model_attributes_type": "a JSON object is wanted, sent with Content-Type: application/json"}


def in_words(found: Iterable[Mapping[str, Any]]) -> str:
    """What was wrong with a request, without a word of what was sent."""
    parts = [f"{'.'.join(map(str, error['loc']))}: {_SAID.get(error['type'], error['msg'])}" for error in found]
    more = f" (and {len(parts) - 3} more)" if len(parts) > 3 else ""
    return "; ".join(parts[:3]) + more


def places(error: BaseException) -> list[str]:
    """The places an error passed; its text might quote words."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
