"""A house on a virtual clock with its application, a player who signed up, and letters that go out for real."""

from __future__ import annotations

import hmac
import re
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.settings import Settings, read_settings

MONDAY = datetime(2031, 3, 3, 8, 0, tzinfo=UTC)
KEY = re.compile(r"[0-9A-F]{4}(?:-[0-9A-F]{4}){3}")
SECRET = "webhook-secret"
TOKEN = "twilio-token"
EASY = dict.fromkeys(("rate_address", "rate_ticket", "rate_strangers", "rate_turns"), 1_000_000)


@dataclass(slots=True)
class Stage:
    house: House
    app: FastAPI
    settings: Settings

    def caller(self, ticket: str | None = None, *, address: str = "203.0.113.9", **headers: str) -> httpx.AsyncClient:
        """Somebody who calls from elsewhere, by the server's public name."""
        given = dict(headers) if ticket is None else {**headers, "Authorization": f"Bearer {ticket}"}
        transport = httpx.ASGITransport(self.app, client=(address, 4711))
        return httpx.AsyncClient(transport=transport, base_url="http://house.example", headers=given, timeout=30)

    async def pass_time(self, **span: float) -> None:
        """Let time pass, every letter and every wake at its own moment."""
        assert self.house.worker is not None
        await self.house.worker.quiet()
        await self.house.advance(moment(self.house.now()) + timedelta(**span))


@asynccontextmanager
async def stage(path: Path | str = ":memory:") -> AsyncIterator[Stage]:
    """What is to be set differently is in the environment."""
    settings = read_settings(**EASY)
    async with open_house(path, clock=MONDAY, work=False) as house:
        app = create(house, settings)
        async with app.router.lifespan_context(app):
            yield Stage(house, app, settings)


@dataclass(slots=True)
class Player:
    """Somebody who signed up, with the ticket to their story."""

    stage: Stage
    stream: str
    call: httpx.AsyncClient

    def at(self, what: str) -> str:
        return f"/phantom/players/{self.stream}/{what}"

    async def post(self, what: str, **body: Any) -> httpx.Response:
        return await self.call.post(self.at(what), json=body or None)

    async def write(self, channel: str, text: str, key: str | None = None) -> httpx.Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self.call.post(self.at("messages"), json={"channel": channel, "text": text}, headers=headers)

    async def conversations(self) -> Mapping[str, Any]:
        told = (await self.call.get(self.at("inbox"))).json()
        return {one["channel"]: one for one in told["conversations"]}

    async def key(self) -> str:
        """The key from the first mail."""
        found = KEY.search((await self.conversations())["email"]["messages"][0]["text"])
        assert found is not None
        return found[0]


async def signed_up(on: Stage, email: str = "ann@example.org", **more: Any) -> Player:
    body = {"email": email, "timezone": "Europe/Berlin", "web_only": True, **more}
    told = await on.caller().post("/phantom/players", json=body)
    assert told.status_code == 201, told.text
    return Player(on, told.json()["stream"], on.caller(told.json()["ticket"]))


async def code_of(on: Stage, player: Player, kind: str = "email") -> str:
    """The newest code that was sent to prove an address."""
    letters = await on.house.backend.outbox.list(stream=player.stream)
    mine = [one for one in letters if one.channel == ("system:email" if kind == "email" else "system:sms")]
    newest = max(mine, key=lambda letter: letter.due_at)
    found = re.search(r"\b\d{6}\b", (await on.house.backend.bank.get([newest.words]))[newest.words])
    assert found is not None
    return found[0]


async def proved(on: Stage, email: str = "ann@example.org", **more: Any) -> Player:
    """Somebody who signed up by post and proved every address."""
    player = await signed_up(on, email, web_only=False, **more)
    for kind in ("email", *(["phone"] if "phone" in more else [])):
        told = await player.post("verify", kind=kind, code=await code_of(on, player, kind))
        assert told.status_code == 200, told.text
    return player


async def started_by_post(on: Stage, email: str = "ann@example.org", **more: Any) -> Player:
    player = await proved(on, email, **more)
    assert (await player.post("start")).status_code == 200
    await on.pass_time(minutes=1)
    return player


async def started(on: Stage, email: str = "ann@example.org", **more: Any) -> Player:
    player = await signed_up(on, email, **more)
    assert (await player.post("start")).status_code == 200
    await on.pass_time(minutes=1)
    return player


# webhooks as providers send them


def signed_mail(body: bytes, *, secret: str = SECRET, kind: str = "message/rfc822", at: float | None = None) -> Any:
    moment_ = str(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), moment_.encode() + b"." + body, sha256).hexdigest()
    headers = {"X-Greenroom-Signature": f"sha256={digest}", "X-Greenroom-Timestamp": moment_, "Content-Type": kind}
    return {"content": body, "headers": headers}


def signed_sms(url: str, form: Mapping[str, str], *, token: str = TOKEN) -> Any:
    text = url + "".join(name + value for name, value in sorted(form.items()))
    digest = b64encode(hmac.new(token.encode(), text.encode(), sha1).digest()).decode()
    return {"data": dict(form), "headers": {"X-Twilio-Signature": digest}}
