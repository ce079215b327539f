"""Short answers to what was told and not asked: to what people commonly tell, to what it is about, to what was done with it.

A world writes its banks by situation (``{"retiring": {"plain": [...], "other": [...]}}``, the latter where it is somebody
else's), and by act or subject and in each by tone: ``{"news": {"bad": [...]}, "animal": {"good": [...]}}``. Each line answers
any message of its cell. It may hold on to what was told (``anchoring``): ``{who}`` is a name, or *your sister*.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, get_args

from greenroom.adapters.understudy.acting import SURE, TELLING, TONES, Act, Told, is_of_another
from greenroom.adapters.understudy.anchoring import anchors_of
from greenroom.adapters.understudy.framing import capital
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.situations import SITUATIONS, Situation
from greenroom.adapters.understudy.subjects import SUBJECTS
from greenroom.text.frames import put

Banks = Mapping[str, Mapping[str, Sequence[str]]]

#: Words of a sentence that is understood at least as a remark.
LEAST_REMARK = 3
#: The lines of a situation: for whoever is in it, and for whoever tells of somebody else that is.
OWN, OTHER = "plain", "other"
#: Situations that one tells by saying what somebody else does.
_NEVER_OWN: Final = frozenset(
    name for name, given in SITUATIONS.items() if 2 * sum(map(is_of_another, given)) >= len(given)
)
#: Lines that fit whatever was told.
ANYTHING = "anything"
_FIELD = re.compile(r"\{\w+\}")
#: Acts that somebody with no lines for them answers like others.
_LIKE: Final[Mapping[Act, Act]] = {
    "doubt": "disagreement", "guess": "of_you", "reproach": "of_you", "ban": "of_you", "drop": "small", "laugh": "small", "unsure": "small",
    "refusal": "disagreement", "gift": "offer", "invitation": "offer", "promise": "plan",
}  # fmt: skip


def reactions(banks: Banks, told: Told, said: Sequence[str] = ()) -> Iterator[list[str]]:
    """Groups of lines, the most fitting first: to what was told, to what it is about, to the act, then any.

    Of a cell those come first that hold on to something that was told. None of them is said again in other words:
    ``said`` are the lines of whoever answers.
    """
    spoken = " ".join(map(even, said))
    for lines in dict.fromkeys(map(tuple, _cells(banks, told))):
        yield from filter(None, _filled(lines, told, spoken))


def _cells(banks: Banks, told: Told) -> Iterator[Sequence[str]]:
    for one in told.situations if told.tells else ():
        if one.score >= SURE:
            yield _situated(banks, one)
    act = banks.get(told.act) or banks.get(_LIKE.get(told.act, told.act), {})
    tells = told.act in TELLING or told.act in ("worry", "torn")
    if not tells:
        yield act.get(told.tone, ())
        yield act.get("plain", ())
        return
    yield banks.get(told.subject, {}).get(told.tone, ()) if told.tone != "wry" else ()
    yield act.get(told.tone, ())
    if told.tone != "plain":
        yield banks.get(ANYTHING, {}).get(told.tone, ())
    if told.act not in ("worry", "torn"):
        yield banks.get(told.subject, {}).get("plain", ())
    if told.act == "remark" and len(told.text.split()) < LEAST_REMARK:
        return
    yield act.get("plain", ())
    yield banks.get(ANYTHING, {}).get("plain", ())


def _situated(banks: Banks, found: Situation) -> Sequence[str]:
    """Lines for what people commonly tell, of themselves or of somebody else."""
    of_other = is_of_another(found.text) and found.name not in _NEVER_OWN
    return banks.get(found.name, {}).get(OTHER if of_other else OWN, ())


def _filled(lines: Sequence[str], told: Told, spoken: str) -> tuple[list[str], list[str]]:
    """The lines that hold on to something that was told, with what they hold on to; and those that do not."""
    anchors = anchors_of(told.text, told.said)
    held: list[str] = []
    free: list[str] = []
    for line in lines:
        places = _FIELD.findall(line)
        if all(place[1:-1] in anchors for place in places) and not _was_said(line, spoken):
            (held if places else free).append(capital(put(line, **anchors)))
    return held, free


def _was_said(frame: str, spoken: str) -> bool:
    """Whether a line was said, with whatever in its places."""
    return even(max(_FIELD.split(frame), key=len)) in spoken


def checked(banks: Banks, besides: Container[str] = ()) -> Banks:
    """The same banks, if every act has a plain line and every name is known; ``besides`` are acts answered elsewhere.

    Raises:
        ValueError: a bank is missing, or none would ever get to it.
    """
    for name, cell in banks.items():
        if name not in (*get_args(Act), *SUBJECTS, *SITUATIONS, ANYTHING):
            raise ValueError(f"reactions to {name!r}: it is no act, no subject and nothing that people commonly tell")
        if wrong := next((tone for tone in cell if tone not in ((OWN, OTHER) if name in SITUATIONS else TONES)), None):
            raise ValueError(f"reactions to {name!r} have {wrong!r}, which is no tone")
        if name in _NEVER_OWN and OTHER in cell:
            raise ValueError(f"reactions to {name!r} have lines for the affairs of others, which all of them are")
    if missing := [act for act in get_args(Act) if act not in besides and not banks.get(act)]:
        raise ValueError(f"there are no reactions to {missing[0]!r}")
    return banks


__all__ = ["ANYTHING", "Banks", "checked", "reactions"]
