"""A secret in disguise is a secret still."""

from __future__ import annotations

import pytest

from greenroom.testing.worlds.checks import refuse_leaks
from greenroom.text.echo import echoes, holds

SECRET = "the key lies under the third stair"
SAID = (
    "THE KEY lies under the third stair",
    "t h e k e y l i e s u n d e r t h e t h i r d s t a i r",
    "the\u200bkey\u200dlies\u2060under the thi\ufeffrd stair",
    "riats driht eht rednu seil yek eht",
    "r.i.a.t.s d-r-i-h-t eht rednu seil yek eht",
    "\uff54\uff48\uff45 \uff4b\uff45\uff59 lies under the third stair",
)


@pytest.mark.parametrize("said", SAID)
def test_a_secret_is_seen_through_blanks_mirrors_and_letters_nobody_sees(said: str) -> None:
    assert holds(f"Well: {said}!", SECRET)
    assert echoes(f"Well: {said}!", f"You know this. {SECRET}. Tell nobody.", run=20)
    with pytest.raises(AssertionError):
        refuse_leaks({"line": [said]}, [SECRET], "here")


def test_what_only_shares_words_is_no_echo() -> None:
    assert not holds("the stair under the third key", SECRET)
    assert not echoes("I am on the safe side, and so is the third of us.", SECRET)
