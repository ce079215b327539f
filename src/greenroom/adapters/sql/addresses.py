"""Addresses of databases: told apart from paths, and shown to people without their passwords."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from greenroom.kernel.errors import Malformed

SCHEMES = ("postgresql", "postgres")


def is_url(place: object) -> bool:
    """Whether a place is the address of a server and not a path."""
    return isinstance(place, str) and place.partition("://")[0] in SCHEMES


def shown(url: str) -> str:
    """An address without its user, password and options.

    Raises:
        Malformed: it is no address of a database.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        where = f"{host}:{parts.port}" if parts.port else host
    except ValueError:
        raise Malformed("the address of the database cannot be read; write postgresql://user@host:port/name") from None
    if parts.scheme not in SCHEMES:
        raise Malformed("the address of a database begins with postgresql://")
    return urlunsplit((parts.scheme, where, parts.path, "", ""))
