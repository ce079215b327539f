"""How many tokens a text has: an estimate that needs nothing, and an exact count where a vocabulary is at hand.

No provider ships its vocabulary with its library: tiktoken downloads OpenAI's, Anthropic and Google count by a call.
So everything is estimated, on the high side, unless a role names a vocabulary file of OpenAI's on this machine.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from operator import mul
from pathlib import Path
from typing import Final

from greenroom.kernel.errors import Malformed
from greenroom.text.fitting import Count

#: What the estimate may be short of the truth, by provider: caps set so much more aside.
#: Measured where a tokenizer is published (tests/context prints it). Anthropic and Google publish none any more:
#: Anthropic's newest is said to make up to 1.35 times the tokens of those before it.
#: As a share of the truth.
MEASURED_SHORT: Final = 0.10
SHORT: Final[Mapping[str, float]] = {"openai": 0.12, "google": 0.20, "anthropic": 0.45}

_VOWELS = b"aeiouyAEIOUY"
_LOWER = b"bcdfghjklmnpqrstvwxz"
_UPPER = b"BCDFGHJKLMNPQRSTVWXZ"
_DIGITS = b"0123456789"

#: Classes of bytes, each with its sign and what one of it weighs, in thousandths of a token. Of a character beyond
#: ASCII only the first byte weighs.
_CLASSES: Final = (
    (b"v", 205, _VOWELS),
    (b"c", 205, _LOWER),
    (b"C", 205, _UPPER),
    (b"s", 300, b" "),
    (b"n", 600, b"\n\t\r"),
    (b"d", 880, _DIGITS),
    (b"p", 650, bytes(sign for sign in range(33, 127) if sign not in _VOWELS + _LOWER + _UPPER + _DIGITS)),
    (b"2", 3_000, bytes(range(0xC2, 0xD0))),  # accented Latin, Greek
    (b"3", 570, bytes(range(0xD0, 0xE0))),  # Cyrillic, Hebrew, Arabic
    (b"4", 1_270, bytes(range(0xE0, 0xF0))),  # Chinese, Japanese, Korean, typographic signs
    (b"5", 3_700, bytes(range(0xF0, 0xF8))),  # emoji
)
_SIGNS: Final = tuple(sign for sign, _, _ in _CLASSES)
_WEIGHTS: Final = tuple(weight for _, weight, _ in _CLASSES)
#: So many of them are within ASCII; they come first.
_ASCII: Final = sum(members.isascii() for _, _, members in _CLASSES)
#: Four consonants in a row: letters that make no word.
_MUMBLE: Final = (b"cccc", 2_800)
#: Ids, hashes, addresses: what no vocabulary knows.
_RUN: Final = (b"w" * 20, 4_000)


def _table(*kinds: tuple[bytes, bytes]) -> bytes:
    """Maps every byte to the sign of its kind."""
    table = bytearray(256)
    for sign, members in kinds:
        for member in members:
            table[member] = sign[0]
    return bytes(table)


_BY_CLASS: Final = _table(*((sign, members) for sign, _, members in _CLASSES))
_BY_RUN: Final = _table((b"w", _VOWELS + _LOWER + _UPPER + _DIGITS + b"+/_=-"))


def estimate(text: str) -> int:
    """Tokens of a text, guessed from its bytes; meant to be too many rather than too few."""
    data = text.encode("utf-8", "replace")
    classes = data.translate(_BY_CLASS)
    signs = _SIGNS[:_ASCII] if text.isascii() else _SIGNS
    thousandths: int = sum(map(mul, _WEIGHTS, map(classes.count, signs)))
    thousandths += _MUMBLE[1] * classes.count(_MUMBLE[0])
    if len(data) >= len(_RUN[0]):
        thousandths += _RUN[1] * data.translate(_BY_RUN).count(_RUN[0])
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
