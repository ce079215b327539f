"""Who owns which channel, where a letter on it goes, and who inherits it."""

from __future__ import annotations

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Agent, Medium
from greenroom.worlds.phantom.rules.scene import Scene
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


def inherit(scene: Scene) -> bool:
    """Hand on the channels of agents that are gone to those who succeed them; whether any was."""
    inherited = False
    for name, channel in tuple(scene.state.channels.items()):
        heir = _heir(scene, channel.owner)
        if scene.character(channel.owner).level == "gone" and heir is not None:
            kind = scene.agent(heir).inheritance
            scene.tell(e.ChannelInherited(channel=name, agent=heir, was=channel.owner, inheritance=kind))
            inherited = True
    return inherited


def _heir(scene: Scene, owner: str) -> str | None:
    return next(
        (
            name
            for name, character in scene.state.cast.items()
            if character.level != "gone" and scene.agent(name).succeeds == owner
        ),
        None,
    )
