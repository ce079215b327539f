"""Mail and SMS as providers post them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from greenroom.adapters.smtp.inbound import MailHead, head_of, new_in, read_head, read_mail, text_of_html
from greenroom.adapters.twilio.inbound import read_sms
from greenroom.kernel.errors import Malformed


class GivenMail(BaseModel):
    """A mail as providers post it; ``text`` is preferred to ``html``."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    sender: str
    recipient: str = ""
    subject: str = ""
    text: str = ""
    html: str = ""
    message_id: str


def head_from(kind: str, body: bytes) -> MailHead:
    """Who wrote a mail that came over the wire, or in parts as JSON; its text is not looked at.

    Raises:
        Malformed: it cannot be read.
    """
    if not _is_json(kind):
        return read_head(body)
    given = _given(body)
    return head_of(sender=given.sender, recipient=given.recipient, subject=given.subject, provider_id=given.message_id)


def text_from(kind: str, body: bytes) -> str:
    """What its writer added.

    Raises:
        Malformed: it cannot be read.
    """
    if not _is_json(kind):
        return read_mail(body).text
    given = _given(body)
    return new_in(given.text or text_of_html(given.html))


def _is_json(kind: str) -> bool:
    return kind.partition(";")[0].strip().lower() == "application/json"


def _given(body: bytes) -> GivenMail:
    try:
        return GivenMail.model_validate_json(body)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) or "the body" for one in error.errors()[:3])
        raise Malformed(f"the mail cannot be read: look at {wrong}") from None


__all__ = ["GivenMail", "head_from", "read_sms", "text_from"]
