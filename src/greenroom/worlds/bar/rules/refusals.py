"""The sentences the bar refuses with, and what each of them means to a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from greenroom.worlds.bar.rules.commands import MESSAGE
from greenroom.worlds.bar.rules.state import AGENTS, MUTABLE, SESSIONS_A_DAY

Reason: TypeAlias = Literal["unknown", "over", "too_many", "no_entry", "unfit"]

NO_SESSION: Final = "there is no such session; POST /bar/session/start begins one"
NOT_YOURS: Final = "only the guest gives commands here"
OVER: Final = "this session is over; knock again to begin a new one"
TOO_MANY: Final = f"that was the last of {SESSIONS_A_DAY} sessions for today; come back tomorrow"
NOTHING_TO_TAKE_BACK: Final = "there is nothing to take back; nobody is worried about you here"
NO_GUEST: Final = "an anonymous id is a UUID in lower case; leave it out to be given one"
WRONG_CODE: Final = "this invite code does not open the door; ask whoever sent it for another"
CODE_TAKEN: Final = "this invite code belongs to another guest; ask for one of your own"
CODE_DISABLED: Final = "this invite code has been disabled; ask whoever sent it for another"
CODE_NEEDED: Final = "this bar is by invitation; send invite_code with your first visit"
LENGTH: Final = f"a message has {MESSAGE.least} to {MESSAGE.most} characters that are not all blank"
CONTROL: Final = "a message is plain text; control characters do not belong in it"
AGENT: Final = f"there is nobody of that name here; selected_agent is one of {', '.join(AGENTS)}"
NOT_MUTABLE: Final = f"only {', '.join(MUTABLE)} can be muted; the others have a duty"

_REASONS: Final[Mapping[str, Reason]] = {
    NO_SESSION: "unknown",
    OVER: "over",
    TOO_MANY: "too_many",
    WRONG_CODE: "no_entry",
    CODE_TAKEN: "no_entry",
    CODE_DISABLED: "no_entry",
    CODE_NEEDED: "no_entry",
}


def reason(sentence: str) -> Reason:
    """What kind of refusal a sentence is; anything the bar does not know is unfit input."""
    return _REASONS.get(sentence, "unfit")
