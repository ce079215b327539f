"""Mail and SMS as providers post them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, ValidationError

from greenroom.adapters.smtp.inbound import Mail, mail_of, read_mail, text_of_html
from greenroom.adapters.twilio.inbound import Sms, read_sms
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


def mail_from(kind: str, body: bytes) -> Mail:
    """A mail as it came over the wire, or in parts as JSON.

    Raises:
        Malformed: it cannot be read.
    """
    if kind.partition(";")[0].strip().lower() != "application/json":
        return read_mail(body)
    try:
        given = GivenMail.model_validate_json(body)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) or "the body" for one in error.errors()[:3])
        raise Malformed(f"the mail cannot be read: look at {wrong}") from None
    return mail_of(
        sender=given.sender,
        recipient=given.recipient,
        subject=given.subject,
        text=given.text or text_of_html(given.html),
        provider_id=given.message_id,
    )


def sms_from(form: Mapping[str, str]) -> Sms:
    """An SMS as Twilio posts it.

    Raises:
        Malformed: it cannot be read.
    """
    return read_sms(form)
