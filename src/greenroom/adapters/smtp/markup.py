"""The readable text of a mail that came as HTML alone, in one walk from its first character to its last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

_BREAKS = frozenset({"br", "div", "p", "li", "tr", "h1", "h2", "h3"})
_ENDS = frozenset({"p", "li", "tr"})
_SILENT = frozenset({"script", "style", "head", "title", "blockquote"})
#: Elements that have no end.
_VOID = frozenset({"br", "img", "hr", "meta", "link", "input", "wbr"})
#: What is in these is no markup, up to their own end.
_RAW = frozenset({"script", "style"})
_TAG = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
#: A class that mail programs give to what they quote, in the first characters of a tag.
_QUOTED = re.compile(r"class\s?=\s?[\"']?[^\"'>]{0,100}quote", re.IGNORECASE)
_MOST_TAG = 1_000


def text_of_html(page: str) -> str:
    """The text of a page, without what is quoted in it."""
    lines = "".join(_pieces(page)).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(" ".join(line.split()) for line in lines)).strip()


def _pieces(page: str) -> Iterator[str]:
    silent: list[str] = []
    for is_tag, piece in _tokens(page):
        if not is_tag:
            if not silent:
                yield _plain(piece)
            continue
        found = _TAG.match(piece)
        if found is None:
            continue
        tag, ends = found[1].lower(), piece.startswith("/")
        if ends and silent and silent[-1] == tag:
            silent.pop()
        elif not ends and tag not in _VOID and (silent[:1] == [tag] or _hushes(tag, piece)):
            silent.append(tag)
        if not silent and tag in (_ENDS if ends else _BREAKS):
            yield "\n"


def _hushes(tag: str, piece: str) -> bool:
    return tag in _SILENT or _QUOTED.search(piece[:_MOST_TAG]) is not None


def _plain(piece: str) -> str:
    flat = " ".join(piece.split("\n"))
    try:
        return unescape(flat)
    except ValueError:  # a number with thousands of digits stands for no character
        return flat


def _tokens(page: str) -> Iterator[tuple[bool, str]]:
    """Tags without their brackets, and what stands between them. What is opened and never closed ends the page."""
    at, end = 0, len(page)
    while at < end:
        opened = page.find("<", at)
        if opened < 0:
            yield False, page[at:]
            return
        if opened > at:
            yield False, page[at:opened]
        if page.startswith("<!--", opened):
            closed = page.find("-->", opened + 4)
            at = end if closed < 0 else closed + 3
            continue
        if not page[opened + 1 : opened + 2].isalpha() and page[opened + 1 : opened + 2] not in ("/", "!", "?"):
            yield False, "<"
            at = opened + 1
            continue
        closed = page.find(">", opened)
        if closed < 0:
            return
        tag = page[opened + 1 : closed]
        yield True, tag
        at = closed + 1
        raw = _TAG.match(tag)
        if raw is not None and raw[1].lower() in _RAW and not tag.startswith("/"):
            closing = re.compile(f"</{raw[1]}", re.IGNORECASE).search(page, at)
            at = end if closing is None else closing.start()


__all__ = ["text_of_html"]
