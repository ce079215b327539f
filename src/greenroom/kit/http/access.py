"""Who asks, and what they may have: the operator, a player with a ticket, or a stranger."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from fastapi import Depends, Path, Query
from starlette.requests import HTTPConnection, Request

from greenroom.journal.records import Stream
from greenroom.kernel.errors import Forbidden, Forgotten, NotAdmitted, Unknown
from greenroom.kernel.worlds import OPERATOR, Seat
from greenroom.kit.http.rates import Rates
from greenroom.ports import Ticket
from greenroom.ports.asking import ASKING
from greenroom.services.access import admits
from greenroom.services.house import House
from greenroom.settings import Settings

#: The cookie that carries a ticket for browsers.
COOKIE = "greenroom"
#: Whoever sends one of these is not who he seems: somebody passed the request on.
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
_NO_TICKET = "show a ticket: Authorization: Bearer greenroom-…; 'greenroom up' prints the operator's at its first start"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks."""

    kind: Literal["operator", "player", "stranger"]
    ticket: Ticket | None = None

    @property
    def person(self) -> str | None:
        """The person behind a player's ticket."""
        return None if self.ticket is None else self.ticket.owner


STRANGER = Caller("stranger")


@dataclass(frozen=True, slots=True)
class Door:
    """Decides who comes in; one for each server."""

    house: House
    settings: Settings
    rates: Rates

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Who asks; worked out once for each request.

        Raises:
            NotAdmitted: a ticket was shown that this house does not know.
            TooMany: too many of these, or too much was asked with this ticket.
        """
        known = getattr(connection.state, "caller", None)
        if known is None:
            known = connection.state.caller = await self._caller(connection)
            if known.kind == "operator":
                ASKING.set("")  # what the operator does is nobody's share
        found: Caller = known
        return found

    async def _caller(self, connection: HTTPConnection) -> Caller:
        bearer = _bearer(connection)
        text = connection.cookies.get(COOKIE) if bearer is None else bearer
        ticket = None if text is None else await self.house.access.shown(text)
        if ticket is not None:
            self.rates.ticket(ticket.digest)
            if ticket.kind == "player" and _changes(connection):
                self.rates.turn(ticket.digest.hex())
            return Caller(ticket.kind, ticket)
        if text is not None:
            self.rates.stranger(address(connection))
        if bearer is not None:
            raise NotAdmitted("this house does not know that ticket; it may have ended or been taken back")
        if self.is_local(connection):
            return Caller("operator")
        if _changes(connection):
            self.rates.turn(address(connection))
        return STRANGER

    def begins(self, connection: HTTPConnection, caller: Caller, owner: str | None = None) -> None:
        """Count that somebody begins something; the operator may begin as much as he likes.

        Args:
            owner: whose it will be, where that is not the person behind the ticket.

        Raises:
            TooMany: there were too many in this minute, or today: from there, or by this person.
        """
        if caller.kind != "operator":
            self.rates.stranger(address(connection), owner or caller.person)

    def is_local(self, connection: HTTPConnection) -> bool:
        """Whether only somebody at this machine can be asking, from a page of this server or none at all.

        Behind a proxy nobody is: what it passes on may look just like a request from here. One that nobody told us of
        is known by the version it speaks, as far as that goes.
        """
        return (
            nobody_between(self.settings)
            and connection.scope.get("http_version") != "1.0"
            and is_loopback(self.settings.host)
            and is_loopback(address(connection))
            and is_loopback(_host_name(connection.headers.get("host", "")))
            and not any(name in connection.headers for name in FORWARDED)
            and not self.is_foreign(connection)
        )

    def is_foreign(self, connection: HTTPConnection) -> bool:
        """Whether a page of another site asks."""
        origin = connection.headers.get("origin")
        if origin is None:
            elsewhere = connection.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
            # Following a link shows nothing to the page it stood on.
            return elsewhere and connection.headers.get("sec-fetch-mode") != "navigate"
        ours = {connection.headers.get("host", ""), urlsplit(self.settings.public_url or "").netloc} - {""}
        try:
            asks = urlsplit(origin)
        except ValueError:  # no address of any page
            return True
        return asks.netloc not in ours or asks.scheme not in ("http", "https")


def _changes(connection: HTTPConnection) -> bool:
    return connection.scope.get("method") not in (None, "GET", "HEAD", "OPTIONS")


def address(connection: HTTPConnection) -> str:
    """Where the other end is."""
    return "" if connection.client is None else connection.client.host


def nobody_between(settings: Settings) -> bool:
    """Whether people reach the server itself, without a proxy."""
    return settings.public_url is None and not settings.proxies


def is_loopback(name: str) -> bool:
    """Whether a name or address can only mean this machine."""
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def _host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _bearer(connection: HTTPConnection) -> str | None:
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


# what routes ask for


async def the_house(request: Request) -> House:
    house: House = request.app.state.house
    return house


async def the_settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def the_caller(request: Request) -> Caller:
    """Whoever asks, known or not. What a page of another site wants to change is refused before: see ``envelope``."""
    door: Door = request.app.state.door
    return await door.caller(request)


async def the_operator(request: Request) -> Caller:
    """The operator.

    Raises:
        NotAdmitted: nobody known asks.
        Forbidden: a player does.
    """
    caller = await the_caller(request)
    if caller.kind == "operator":
        return caller
    if caller.kind == "player":
        raise Forbidden("this is the operator's; a player's ticket opens that player's own streams only")
    raise NotAdmitted(_NO_TICKET)


async def the_guest(request: Request) -> Caller:
    """Anybody with a ticket, and the operator.

    Raises:
        NotAdmitted: nobody known asks.
    """
    caller = await the_caller(request)
    if caller.kind == "stranger":
        raise NotAdmitted(_NO_TICKET)
    return caller


TheHouse: TypeAlias = Annotated[House, Depends(the_house)]
TheSettings: TypeAlias = Annotated[Settings, Depends(the_settings)]
Anybody: TypeAlias = Annotated[Caller, Depends(the_caller)]
Guest: TypeAlias = Annotated[Caller, Depends(the_guest)]
Operator: TypeAlias = Annotated[Caller, Depends(the_operator)]

Name: TypeAlias = Annotated[str, Path(min_length=1, max_length=200, description="Name of the stream.")]
SeatQuery: TypeAlias = Annotated[
    str | None,
    Query(
        alias="seat",
        min_length=1,
        max_length=200,
        description="Seat to look from; a player's own is the only one a player may name.",
    ),
]


@dataclass(frozen=True, slots=True)
class EnteredStream:
    """A stream that the caller may enter, and where the caller sits in it."""

    stream: Stream
    seat: Seat
    caller: Caller

    @property
    def name(self) -> str:
        return self.stream.name


async def entered(
    house: House, caller: Caller, name: str, seat: Seat | None = None, *, acts: bool = False
) -> EnteredStream:
    """The stream of this name, if the caller may enter it.

    A player is told the same of a stream that is another's and of one that is not there. Whoever only acts needs no
    newer row than the house has at hand: name, world and owner of a stream never change.

    Raises:
        Unknown: there is none that the caller may enter.
        Forbidden: the caller sits elsewhere.
    """
    if caller.kind == "operator":
        return EnteredStream(await _stream(house, name, acts=acts), seat or OPERATOR, caller)
    ticket = caller.ticket
    if ticket is None:
        raise NotAdmitted(_NO_TICKET)
    try:
        stream = await _stream(house, name, acts=acts)
    except Forgotten:
        raise Unknown(f"there is no stream {name}") from None
    if not admits(ticket, stream):
        raise Unknown(f"there is no stream {name}")
    if ticket.seat is None or seat not in (None, ticket.seat):
        raise Forbidden(f"your ticket is for the seat {ticket.seat}; leave the seat out")
    return EnteredStream(stream, ticket.seat, caller)


async def _stream(house: House, name: str, *, acts: bool) -> Stream:
    head = house.cached(name) if acts else None
    return await house.stream(name) if head is None else head.stream


# One function each, not one built on the other: the framework takes its time for every step between them.


async def the_place(request: Request, name: Name, seat: SeatQuery = None) -> EnteredStream:
    return await entered(request.app.state.house, await the_guest(request), name, seat)


async def the_actors_place(request: Request, name: Name) -> EnteredStream:
    return await entered(request.app.state.house, await the_guest(request), name, acts=True)


async def the_operators_place(request: Request, name: Name) -> EnteredStream:
    return await entered(request.app.state.house, await the_operator(request), name)


#: For routes with ``{name}`` in their path: the stream, for whoever may enter it, to look or to give a command; or for
#: the operator alone.
Entered: TypeAlias = Annotated[EnteredStream, Depends(the_place)]
Acting: TypeAlias = Annotated[EnteredStream, Depends(the_actors_place)]
OperatorEntered: TypeAlias = Annotated[EnteredStream, Depends(the_operators_place)]
