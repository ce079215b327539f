"""Links of Markdown documents to files of the same repository, and which of them lead nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

_LINK = re.compile(
    r"(?<![\\\w\])])\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)"
    r"|^ {0,3}\[(?!\^)[^\]\n]+\]:\s*<?([^\s>]+)>?\s*(?:[\"'(].*)?$"
)
_IMAGE = re.compile(r"!\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)")
_ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//|#|/|\{|<|\$|@)", re.IGNORECASE)
_CODE = re.compile(r"(`+)[^`\n]*\1")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_FORMS = ("{}", "{}.md", "{}.mdx", "{}.rst", "{}.html", "{}/index.md", "{}/README.md")


def dead_links(path: str, text: str, exists: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Every link to a file that is not there, with its line."""
    for line, target in links(text):
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if not there.startswith("..") and not _is_there(there, exists):
            yield line, target


def _is_there(target: str, exists: Callable[[str], bool]) -> bool:
    bare = re.sub(r"\.html?$", "", target)
    return any(exists(form.format(name)) for name in dict.fromkeys((target, bare)) for form in _FORMS)


def links(text: str) -> Iterator[tuple[int, str]]:
    """Links of a Markdown text to files beside it, with their lines; code and comments are passed over."""
    for number, line in _prose(text):
        bare = _CODE.sub("", line)
        pictures = [found[1] for found in _IMAGE.finditer(bare)]
        bare = _IMAGE.sub("picture", bare)  # one may stand inside a link
        for found in (*pictures, *(one[1] or one[2] for one in _LINK.finditer(bare))):
            target = found.partition("#")[0].partition("?")[0]
            if target and not _ELSEWHERE.match(found) and "%" not in target:
                yield number, target


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither in a block of code nor in a comment."""
    fence, hidden, listed, before = "", False, False, ""
    for number, line in enumerate(text.split("\n"), 1):
        begins = line.lstrip()[:3]
        listed = bool(_ITEM.match(line)) or (listed and (not line.strip() or line[0] in " \t"))
        indented = line.startswith(("    ", "\t")) and not listed and not before.strip()
        if fence or begins in ("```", "~~~"):
            fence = "" if begins == fence else fence or begins
        elif hidden or "<!--" in line:
            hidden = "-->" not in line.rpartition("<!--")[2]
        elif not indented:
            yield number, line
        before = "" if indented else line


__all__ = ["dead_links", "links"]
