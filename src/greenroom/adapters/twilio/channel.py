"""Numbers that letters are sent from, through Twilio's HTTP interface or whatever speaks it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from greenroom.adapters.twilio import MOST_TEXT
from greenroom.kernel.errors import BackendError, Refused
from greenroom.ports import Outgoing

_NUMBER = re.compile(r"\+[1-9]\d{6,14}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TwilioAccount:
    """A Twilio account."""

    sid: str
    token: str
    base_url: str = "https://api.twilio.com"
    timeout: float = 30.0

    @property
    def messages_url(self) -> str:
        return f"{self.base_url.rstrip('/')}/2010-04-01/Accounts/{self.sid}/Messages.json"


class TwilioChannel:
    """One number that letters are sent from.

    The interface keeps no keys: a crash between sending and settling sends an SMS again.
    """

    costs = True

    def __init__(self, account: TwilioAccount, *, number: str) -> None:
        self._account = account
        self._number = number

    async def send(self, letter: Outgoing) -> None:
        """Hand one letter to Twilio.

        Raises:
            Refused: the number is none, the text too long, or Twilio will never take this letter.
            BackendError: Twilio is away, or asks to be tried again.
        """
        form = {"From": self._number, "To": _number(letter.to), "Body": _fitting(letter.text)}
        answer = await self._posted(form)
        if answer.is_success:
            return
        said = f"code {_code(answer)}, HTTP status {answer.status_code}"
        if 400 <= answer.status_code < 500 and answer.status_code not in (401, 403, 408, 429):
            raise Refused(f"Twilio refuses this letter for good ({said})")
        raise BackendError(f"Twilio does not take the letter now ({said})")

    async def _posted(self, form: Mapping[str, str]) -> httpx.Response:
        account = self._account
        try:
            async with httpx.AsyncClient(timeout=account.timeout, trust_env=False) as client:
                return await client.post(account.messages_url, data=form, auth=(account.sid, account.token))
        except httpx.HTTPError as error:
            raise BackendError(f"Twilio cannot be reached ({type(error).__name__})") from error


def _number(to: str) -> str:
    if not _NUMBER.fullmatch(to):
        raise Refused("the letter is addressed to something that is no phone number; write it as +491701234567")
    return to


def _fitting(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise Refused(f"the letter has {len(text)} characters; an SMS has at most {MOST_TEXT}")
    return text


def _code(answer: httpx.Response) -> str:
    """Twilio's own number for what went wrong; its text may quote the letter."""
    try:
        return str(int(answer.json()["code"]))
    except (ValueError, KeyError, TypeError):
        return "none"


__all__ = ["TwilioAccount", "TwilioChannel"]
