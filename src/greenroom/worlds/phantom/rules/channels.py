"""Who owns which channel, and where a letter on it goes."""

from __future__ import annotations

from greenroom.worlds.phantom.rules.content import Agent, Medium
from greenroom.worlds.phantom.rules.state import Phantom

SYSTEM = "system"


def channel_of(agent: str, definition: Agent) -> str:
    """The channel an agent enters with: the medium itself, or an address of its own if it was spawned."""
    return definition.channel if definition.spawn is None else f"{definition.channel}:{agent}"


def medium(channel: str) -> Medium:
    return "sms" if channel.partition(":")[0] == "sms" else "email"


def voice_of(state: Phantom, agent: str) -> str:
    """The channel an agent writes on: the one it inherited last, else its own, else the one that was its own."""
    owned = [name for name, channel in state.channels.items() if channel.owner == agent]
    lost = [name for name, channel in state.channels.items() if agent in channel.previous]
    return next((name for name in owned if state.channels[name].inherited_at is not None), (*owned, *lost)[0])


def reachable(state: Phantom) -> tuple[str, ...]:
    """Where the player can write: by mail and by SMS, and to agents with an address of their own who have written."""
    return tuple(
        name for name, channel in state.channels.items() if ":" not in name or state.cast[channel.owner].contacted
    )


def route(state: Phantom, channel: str, answers: str = "") -> tuple[str, str]:
    """What carries a letter on a channel, and to whom: the house's channel and the address.

    With page delivery, and where there is no verified number, letters stay on the page.
    """
    kind = medium(channel)
    contact = state.email if kind == "email" else state.phone
    if contact is None or state.delivery == "page" or not contact.verified:
        return ("inbox" if kind == "email" else "phone"), state.player
    if kind == "email" and answers:
        return channel, f"mailto:{_escaped(contact.address)}?In-Reply-To={_escaped(answers)}"
    return channel, contact.address


def _escaped(text: str) -> str:
    """As it may stand in a mailto address."""
    plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~@"
    return "".join(char if char in plain else "".join(f"%{byte:02X}" for byte in char.encode()) for char in text)
