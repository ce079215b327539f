"""How many tokens a text has: an estimate that needs nothing, and an exact count where a vocabulary is at hand.

No provider ships its vocabulary with its library: tiktoken downloads OpenAI's, Anthropic and Google count by a call.
So everything is estimated, on the high side, unless a role names a vocabulary file of OpenAI's on this machine.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Final

from greenroom.kernel.context import Count
from greenroom.kernel.errors import Malformed

#: What the estimate may be short of the truth, as a share of it; tests/context prints what was measured.
SHORT: Final = 0.10

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_SIGNS = bytes(sign for sign in range(33, 127) if sign not in _LETTERS + _DIGITS)

#: Thousandths of a token for every byte of a class. Of characters beyond ASCII only the first byte counts.
_WEIGHTS: Final = (
    (_LETTERS, 205),
    (b" ", 300),
    (b"\n\t\r", 600),
    (_DIGITS, 880),
    (_SIGNS, 650),
    (bytes(range(0xC2, 0xD0)), 3_000),  # accented Latin, Greek
    (bytes(range(0xD0, 0xE0)), 570),  # Cyrillic, Hebrew, Arabic
    (bytes(range(0xE0, 0xF0)), 1_270),  # Chinese, Japanese, Korean, typographic signs
    (bytes(range(0xF0, 0xF8)), 3_700),  # emoji
)
#: Ids, hashes, addresses: what no vocabulary knows.
_RUNS = re.compile(rb"[A-Za-z0-9+/_=-]{20,}")
_RUN = 200
#: Letters that make no word.
_MUMBLE = re.compile(rb"[b-df-hj-np-tv-z]{4,}")
_MUMBLED = 700


def estimate(text: str) -> int:
    """Tokens of a text, guessed from its bytes; meant to be too many rather than too few."""
    data = text.encode("utf-8", "replace")
    size = len(data)
    thousandths = sum(weight * (size - len(data.translate(None, kind))) for kind, weight in _WEIGHTS)
    thousandths += _RUN * sum(map(len, _RUNS.findall(data)))
    thousandths += _MUMBLED * sum(map(len, _MUMBLE.findall(data)))
    return -(-thousandths // 1000)


#: The way ``o200k_base`` cuts a text before its vocabulary is used.
_O200K = "|".join(
    (
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    )
)


def exact(vocabulary: Path) -> Count:
    """A counter on OpenAI's ``o200k_base`` file (``o200k_base.tiktoken``), which is read and never fetched.

    Raises:
        Malformed: the file is not there or not such a file, or tiktoken is not installed.
    """
    if not vocabulary.is_file():
        raise Malformed(f"vocabulary {vocabulary}: there is no such file; leave it out to have tokens estimated")
    try:
        import tiktoken  # noqa: PLC0415  comes with the extra `models`
    except ImportError:
        raise Malformed("a vocabulary needs tiktoken; install greenroom[models]") from None
    try:
        lines = (line.split() for line in vocabulary.read_bytes().splitlines() if line)
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        encoding = tiktoken.Encoding("o200k_base", pat_str=_O200K, mergeable_ranks=ranks, special_tokens={})
    except (ValueError, KeyError):
        raise Malformed(f"vocabulary {vocabulary}: not a file of tokens and ranks") from None
    return lambda text: len(encoding.encode_ordinary(text))
