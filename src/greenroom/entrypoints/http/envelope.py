"""What every request goes through: an id, limits on size and rate, headers for careful browsers, one log line."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import secrets
import time
from collections.abc import Iterable
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from greenroom.entrypoints.http.metrics import Metrics
from greenroom.kernel.errors import Forbidden, GreenroomError, NotAdmitted, TooLarge, TooMany
from greenroom.kit.http.access import Door, address
from greenroom.kit.http.live import Live
from greenroom.kit.http.problems import problem_of
from greenroom.kit.http.rates import counted_as
from greenroom.ports import Ticket
from greenroom.ports.asking import ASKING

log = logging.getLogger("greenroom.http")

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: Methods that change nothing: a page of another site may use them.
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
#: Assets of the console come by the dozen with every page.
ASSETS = ("/_nicegui/",)
#: The path that takes more than a request usually may have.
IMPORT = "/streams/import"

#: Headers as they are sent: name and value in bytes.
HeaderPair: TypeAlias = tuple[bytes, bytes]


def _header(name: str, value: str) -> HeaderPair:
    return name.lower().encode(), value.encode()


_ALWAYS = (
    _header("X-Content-Type-Options", "nosniff"),
    _header("X-Frame-Options", "DENY"),
    _header("Referrer-Policy", "no-referrer"),
    _header("Cross-Origin-Opener-Policy", "same-origin"),
    _header("Cross-Origin-Resource-Policy", "same-origin"),
    _header("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    _header("Cache-Control", "no-store"),
)
#: Data may not be run, framed or shown as a page.
_DATA_POLICY = _header(
    "Content-Security-Policy",
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
)
#: The console makes its pages in the browser from templates, hence the two words that begin with "unsafe".
_PAGE_POLICY = _header(
    "Content-Security-Policy",
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
)
_SECURE = _header("Strict-Transport-Security", "max-age=31536000")


class Envelope:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, *, door: Door, live: Live, metrics: Metrics) -> None:
        self.app = app
        self._door = door
        self._live = live
        self._metrics = metrics
        # Random for each process and counted from there: asking the system for randomness lets go of the interpreter.
        self._ids = map(f"{secrets.token_hex(6)}-{{}}".format, itertools.count(1))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            ASKING.set(counted_as(address(HTTPConnection(scope))))
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status = time.perf_counter(), 500
        given = Headers(scope=scope).get("x-request-id", "")
        id = given if _ID.fullmatch(given) else next(self._ids)
        scope.setdefault("state", {})["request_id"] = id

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._stamped(message["headers"], id)
            await send(message)

        try:
            self._check(scope)
            await self.app(scope, self._limited(scope, receive), answer)
        except GreenroomError as error:
            await problem_of(error, scope["state"])(scope, receive, answer)
        finally:
            self._tell(scope, id, status, time.perf_counter() - begun)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket is a live connection like any other, and counted with them."""
        connection = HTTPConnection(scope)
        try:
            if self._door.is_foreign(connection):
                raise Forbidden("a page of another site may not connect")
            self._door.rates.address(address(connection))
            caller = await self._door.caller(connection)
            following = self._door.rates.following(address(connection), caller.person)
            with following, self._metrics.live.track_inprogress():
                await self._while_good(caller.ticket, scope, receive, send)
        except GreenroomError as error:
            await send({"type": "websocket.close", "code": 1008, "reason": str(error)[:100]})

    async def _while_good(self, ticket: Ticket | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket for as long as the ticket is good that was shown for it.

        Raises:
            NotAdmitted: it was taken back.
        """
        if ticket is None:
            await self.app(scope, receive, send)
            return
        with self._live.shown(ticket.digest):
            serving = asyncio.ensure_future(self.app(scope, receive, send))
            ending = asyncio.ensure_future(self._live.taken_back(ticket.digest))
            try:
                await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                over = ending.done() and not serving.done()
                ending.cancel()
                if not serving.done():
                    serving.cancel()
                    await asyncio.wait({serving})
            if over:
                raise NotAdmitted("the ticket was taken back")
            serving.result()

    # before

    def _check(self, scope: Scope) -> None:
        connection = HTTPConnection(scope)
        if not scope["path"].startswith(ASSETS):
            self._door.rates.address(address(connection))
        length = connection.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._most(scope):
            raise self._too_large(scope)
        if scope["method"] not in SAFE and self._door.is_foreign(connection):
            raise Forbidden(
                "a page of another site may not change anything here; send the request from this server's own"
            )

    def _most(self, scope: Scope) -> int:
        settings = self._door.settings
        return settings.import_limit if scope["path"] == IMPORT else settings.body_limit

    def _too_large(self, scope: Scope) -> TooLarge:
        return TooLarge(f"the body has more than {self._most(scope)} bytes; send less at once")

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Count the bytes of a body that did not say how long it is."""
        taken, most, whole = 0, self._most(scope), False
        late = time.monotonic() + self._door.settings.budgets.body_seconds
        caller = address(HTTPConnection(scope))

        async def counted() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout(max(late - time.monotonic(), 0)):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "the body took too long; send it again, faster") from None
            whole = message["type"] != "http.request" or not message.get("more_body", False)
            taken += len(message.get("body", b""))
            self._weigh(len(message.get("body", b"")), caller, scope)
            if taken > most:
                # What reads the body turns any other exception into "cannot be read".
                raise HTTPException(TooLarge.status, str(self._too_large(scope)))
            return message

        return counted

    def _weigh(self, count: int, caller: str, scope: Scope) -> None:
        if count:
            known = scope["state"].get("caller")
            try:
                self._door.rates.weigh(count, caller, getattr(known, "person", None))
            except TooMany as refusal:
                raise HTTPException(TooMany.status, str(refusal)) from None

    # after

    def _stamped(self, headers: Iterable[HeaderPair], id: str) -> list[HeaderPair]:
        given = list(headers)
        there = dict(given)
        page = there.get(b"content-type", b"").startswith(b"text/html")
        wanted = [*_ALWAYS, _PAGE_POLICY if page else _DATA_POLICY]
        if (self._door.settings.public_url or "").startswith("https:"):
            wanted.append(_SECURE)
        return [*given, (b"x-request-id", id.encode()), *(header for header in wanted if header[0] not in there)]

    def _tell(self, scope: Scope, id: str, status: int, seconds: float) -> None:
        route, state = _route(scope), scope["state"]
        self._metrics.answered(scope["method"], route, status, seconds)
        if log.isEnabledFor(logging.INFO):
            caller = state.get("caller")
            told = {
                "request": id,
                "method": scope["method"],
                "route": route,
                "status": status,
                "milliseconds": round(seconds * 1000, 1),
                "caller": "stranger" if caller is None else caller.kind,
            }
            log.info("request", extra=told)


def _route(scope: Scope) -> str:
    """The pattern of the route, never the path: paths hold names, and anybody can make up as many as he likes."""
    route = scope.get("route")
    return str(getattr(route, "path", None) or ("/_nicegui" if scope["path"].startswith(ASSETS) else "elsewhere"))
