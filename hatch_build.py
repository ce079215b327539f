"""What a package index shows: the README without what only a checkout has – pictures and the pages of ``docs``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: A picture on a line of its own, or a line in italics that explains one, with the empty line after it.
_PICTURE = re.compile(r"^(?:!\[[^\]]*\]\([^)]*\)|\*[^*\n][^\n]*\*)\n\n", re.MULTILINE)
#: A link to a file of the project: its words stay.
_LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)]*\)")


def indexed(text: str) -> str:
    """The text of the README as it stands by itself."""
    return _LINK.sub(r"\1", _PICTURE.sub("", text))


class CustomMetadataHook(MetadataHookInterface):
    """Found by hatchling in this file."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": indexed(text)}
