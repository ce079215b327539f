"""What went wrong with a model, in a sentence that says what to do; for whoever runs the house, never for a player."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from greenroom.adapters.models.providers import ADDRESSES, ModelLine

#: Where the key of a provider is looked for, when the role has none of its own.
KEYS: Final[Mapping[str, str]] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "openai": "OPENAI_API_KEY",
}
INSTALL: Final = "the library for models is not installed: pip install 'greenroom[models]'"


def in_words(kind: str, line: ModelLine, *, says: str = "", seconds: float | None = None) -> str:
    """One sentence for one failure: its kind as the ledger has it, and what the provider said, if anything."""
    told = _told(kind, line, says, seconds)
    return f"{told}; it says: {says}" if says and _worth_quoting(kind) else told


def _worth_quoting(kind: str) -> bool:
    return kind.isdigit()


def _told(kind: str, line: ModelLine, says: str, seconds: float | None) -> str:
    """The sentence without what the provider said."""
    if kind == "404":
        return _not_found(line, says)
    if kind.isdigit() and int(kind) >= 500:
        return f"{_where(line)} fails by itself ({kind}): try again later"
    return _SENTENCES.get(kind, "{where} refused the request ({kind})").format(
        where=_where(line),
        kind=kind,
        key=KEYS.get(line.provider, "its key"),
        model=line.model,
        provider=line.provider,
        within="in time" if seconds is None else f"within {seconds:g} seconds",
    )


_KEY_REFUSED: Final = "{where} refused the key ({kind}): {key}, or api_key of the role, is wrong or may not use {model}"
_SENTENCES: Final[Mapping[str, str]] = {
    "not installed": INSTALL,
    "no key": "no key is set: give {key}, or api_key in the role's settings",
    "401": _KEY_REFUSED,
    "403": _KEY_REFUSED,
    "400": "{where} does not take the request for {model} (400)",
    "422": "{where} does not take the request for {model} (422)",
    "402": "{where} wants to be paid first (402)",
    "429": "{where} was asked too often, or its credit is used up (429)",
    "timeout": "{where} did not answer {within}: raise timeout, or choose a faster model",
    "limit": "the time for this ask was over before {where} answered: raise limit, or choose a faster model",
    "connection": "nobody answers at {where}: is it running, and is base_url right?",
    "junk": "what answers at {where} does not speak the protocol of {provider}: base_url leads to something else",
    "invalid": "{model} answers, but not in the form it was asked for: choose a larger model",
    "cut": "{model} thinks until there is no room for the answer: set reasoning to low and reasoning_tokens to 2000",
    "filtered": "{where} held the answer back by its own filter",
    "unusable": "the library refuses these settings for {model}: check model and base_url",
    "breaker": "{where} failed several times in a row and is left alone for half a minute",
}


def _not_found(line: ModelLine, says: str) -> str:
    """Two things are told by the same number: a model that is not there, and a path that is none."""
    if line.model.casefold() in says.casefold() or re.search(r"\bmodels?\b", says, re.IGNORECASE):
        return f"{_where(line)} has no model {line.model!r} (404): check the name behind '{line.provider}:'"
    hint = "it usually ends with /v1" if line.provider == "openai" else "give it without the path of the API"
    return f"nothing is found at {_where(line)} (404): base_url is wrong, {hint}"


def _where(line: ModelLine) -> str:
    return line.base_url or ADDRESSES.get(line.provider, line.provider)


def message_in(body: Any) -> str:
    """What a provider said, in one line and not too long; nothing where it is a page for people."""
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        body = inner.get("message") or inner.get("detail") if isinstance(inner, Mapping) else inner
    if isinstance(body, list) and body:
        return message_in(body[0])
    text = " ".join(str(body or "").split())
    return "" if text.startswith("<") else text[:300].rstrip(".")
