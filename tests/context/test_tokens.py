"""How far the estimate of tokens is from three real tokenizers, on texts written for this test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from greenroom.adapters.models.tokens import MEASURED_SHORT, estimate, exact
from greenroom.kernel.errors import Malformed
from tests.counts import report

DATA = json.loads((Path(__file__).parent / "samples.json").read_text(encoding="utf-8"))
TOKENIZERS: list[str] = DATA["tokenizers"]


def _errors(which: str) -> dict[tuple[str, str], float]:
    """Estimate against truth, as a share of the truth, by kind of text and tokenizer."""
    return {
        (sample["kind"], tokenizer): estimate(sample[which]["text"]) / tokens - 1
        for sample in DATA["samples"]
        for tokenizer, tokens in zip(TOKENIZERS, sample[which]["tokens"], strict=True)
    }


def test_the_estimate_is_hardly_ever_short_and_the_bound_holds_on_texts_outside_the_fit() -> None:
    for which in ("fitted", "measured"):
        errors = _errors(which)
        for tokenizer in TOKENIZERS:
            own = {kind: error for (kind, name), error in errors.items() if name == tokenizer}
            low, high = min(own, key=lambda kind: own[kind]), max(own, key=lambda kind: own[kind])
            line = (
                f"tokens, {which} texts, {tokenizer}: estimate {own[low]:+.0%} ({low}) to {own[high]:+.0%} ({high}), "
                f"mean {sum(own.values()) / len(own):+.0%}"
            )
            print(line)
            report(line)
        assert min(errors.values()) >= -MEASURED_SHORT
    english = [error for (kind, _), error in _errors("measured").items() if kind in ("talk", "prose", "instructions")]
    assert max(english) < 0.25


def test_every_text_has_an_estimate() -> None:
    assert estimate("") == 0
    assert estimate("a") == 1
    assert estimate("\ud800") >= 1  # not even valid text
    assert estimate("word " * 1000) > estimate("word " * 999)


def test_a_vocabulary_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="there is no such file"):
        exact(tmp_path / "o200k_base.tiktoken")


def test_a_vocabulary_on_this_machine_counts_exactly(tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    import base64  # noqa: PLC0415

    tokens = [bytes([byte]) for byte in range(256)] + [b"he", b"hel", b"hell", b"hello"]
    file = tmp_path / "tiny.tiktoken"
    file.write_bytes(b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens)))
    count = exact(file)
    assert count("hello") == 1
    assert count("hello hello") == 3  # a space of its own in this vocabulary
    file.write_bytes(b"not a vocabulary at all\n")
    with pytest.raises(Malformed, match="not a file of tokens"):
        exact(file)
