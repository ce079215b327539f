"""Addresses that people type: checked offline and written in one form, with the extra ``letters``."""

from __future__ import annotations

from zoneinfo import available_timezones

from greenroom.kernel.errors import Malformed


def email(given: str) -> str:
    """An e-mail address in its normal form, the domain in small letters.

    Raises:
        Malformed: it is none.
    """
    from email_validator import EmailNotValidError, validate_email

    try:
        return validate_email(given, check_deliverability=False).normalized
    except EmailNotValidError as error:
        raise Malformed(f"that is no e-mail address: {_sentence(str(error))}") from None


def phone(given: str) -> str:
    """A phone number as E.164: ``+491701234567``.

    Raises:
        Malformed: it is none, or lacks the country.
    """
    import phonenumbers

    try:
        number = phonenumbers.parse(given, None)
    except phonenumbers.NumberParseException:
        raise Malformed("that is no phone number; write it with its country: +49 170 1234567") from None
    if not phonenumbers.is_valid_number(number):
        raise Malformed("there is no such phone number in that country; write it with its country: +49 170 1234567")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def timezone(given: str) -> str:
    """A time zone by its IANA name.

    Raises:
        Malformed: there is none of that name.
    """
    if given not in available_timezones():
        raise Malformed("there is no such time zone; write it like Europe/Berlin, America/New_York or UTC")
    return given


def _sentence(said: str) -> str:
    return (said[:1].lower() + said[1:]).rstrip(".")
