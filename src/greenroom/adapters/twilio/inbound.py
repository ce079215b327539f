"""An SMS that came in by webhook: who wrote, to which number, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from greenroom.adapters.twilio import MOST_TEXT
from greenroom.kernel.errors import Malformed

#: Characters of Twilio's ids, with room to grow.
MOST_ID = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Sms:
    """What is kept of an SMS."""

    sender: str
    recipient: str
    text: str
    #: Twilio's own id: the same message again has the same.
    provider_id: str


def read_sms(form: Mapping[str, str]) -> Sms:
    """Read the fields of a webhook.

    Raises:
        Malformed: it names no sender or id, or says nothing.
    """
    missing = [name for name in ("MessageSid", "From", "To") if not form.get(name)]
    if missing:
        raise Malformed(f"the SMS lacks {', '.join(missing)}; these are fields of a messaging webhook")
    text = form.get("Body", "").strip()
    if not text:
        raise Malformed("the SMS has no text; pictures alone are not taken")
    if len(text) > MOST_TEXT:
        raise Malformed(f"the SMS has {len(text)} characters; at most {MOST_TEXT} are taken")
    if len(form["MessageSid"]) > MOST_ID:
        raise Malformed(f"the MessageSid has {len(form['MessageSid'])} characters; Twilio's have {MOST_ID} at most")
    return Sms(sender=form["From"], recipient=form["To"], text=text, provider_id=form["MessageSid"])


__all__ = ["Sms", "read_sms"]
