"""The link in every mail that ends all letters: a page with one button, and one click for mail programs."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Path, Response

from greenroom.kernel import errors
from greenroom.kernel.errors import Forbidden, Refused
from greenroom.kit.http.access import Name, TheHouse
from greenroom.kit.http.problems import ALWAYS, documented
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.http.pages import PAGE, shown
from greenroom.worlds.phantom.rules.commands import OptOut
from greenroom.worlds.phantom.rules.state import PLAYER

routes = APIRouter(prefix="/phantom")

Signature = Annotated[str, Path(min_length=1, max_length=64, description="As it stands in the letter.")]
_RESPONSES = {**ALWAYS, **documented(errors.Forbidden, errors.Unknown, errors.Forgotten), **PAGE}
_ASK = (
    "<h1>Stop everything?</h1><p>Nobody in the story will write to you again, by mail or by message.</p>"
    '<form method="post"><button class="main">Stop</button></form>'
)
_DONE = (
    "<h1>It has stopped.</h1><p>You will hear nothing more. If you change your mind some day, answer any of the "
    "letters with the one word START.</p>"
)


@routes.get("/stop/{name}/{signature}", responses=_RESPONSES, response_class=Response)
async def ask(house: TheHouse, name: Name, signature: Signature) -> Response:
    """A page with a button. Following the link alone changes nothing: mail programs look at links by themselves."""
    _check(house, name, signature)
    return shown("stop", stop=_ASK)


@routes.post("/stop/{name}/{signature}", responses=_RESPONSES, response_class=Response)
async def stop(house: TheHouse, name: Name, signature: Signature) -> Response:
    """Stop everything; asking twice does it once."""
    _check(house, name, signature)
    with suppress(Refused):  # nothing is being sent, which is what was asked for
        await house.send(name, OptOut(), seat=PLAYER)
    return shown("stop", stop=_DONE)


def _check(house: House, name: str, signature: str) -> None:
    if not house.is_signed("stop", name, signature):
        raise Forbidden("this link is not whole; copy all of it, or answer a letter with the word STOP")
