"""The log: one JSON object a line, from this server and everything it runs. It names routes, never what was in them."""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

import msgspec
import structlog
from structlog.types import EventDict, WrappedLogger

from greenroom.kit.http.problems import places

#: Loggers that speak for the server, and from which level on; whatever else logs is none of its business. Uvicorn's
#: tells of every live connection with its whole address, so it is heard only when something is wrong.
LOGGERS = {"greenroom": logging.DEBUG, "uvicorn.error": logging.WARNING}
#: Fields a record may bring along.
FIELDS = ("request", "method", "route", "status", "milliseconds", "caller", "where")

_encode = msgspec.json.Encoder(enc_hook=str).encode


def _as_line(_: WrappedLogger, __: str, event: EventDict) -> str:
    return _encode(event).decode()


def _brought(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    record: logging.LogRecord = event["_record"]
    event.update({name: value for name in FIELDS if (value := getattr(record, name, None)) is not None})
    return event


def _without_words(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Of an exception its kind and the places that it passed: its text might quote somebody."""
    error = event.pop("exc_info", None)
    error = error[1] if isinstance(error, tuple) else error
    if isinstance(error, BaseException):
        event.update({"event": f"{str(event['event']).strip()}: {type(error).__name__}", "where": places(error)})
    return event


def _in_order(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    first: dict[str, Any] = {"at": event.pop("timestamp"), "level": event.pop("level"), "event": event.pop("event")}
    return {**first, **event}


def formatter() -> logging.Formatter:
    """Makes one line of JSON from a record."""
    processors: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _brought,
        _without_words,
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        _in_order,
        _as_line,
    ]
    return structlog.stdlib.ProcessorFormatter(processors=processors)


def write_to(stream: TextIO | None = None, level: str = "info") -> None:
    """Send what the server logs to a stream, standard error by default; the handlers before it go."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter())
    for name, least in LOGGERS.items():
        log = logging.getLogger(name)
        log.handlers[:] = [handler]
        log.setLevel(level.upper())
        log.setLevel(max(log.level, least))
        log.propagate = False
    # Ours tells the same with less: a path may hold a name.
    logging.getLogger("uvicorn.access").disabled = True
