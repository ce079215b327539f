"""The arena: negotiators that improve from generation to generation, and the proof that they did."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="arena",
    worlds="greenroom.worlds.arena.outside:worlds",
    settings="greenroom.worlds.arena.settings:ArenaSettings",
    understudy="greenroom.worlds.arena.outside:voices",
    tools="greenroom.worlds.arena.outside.yardstick:tools",
    followers="greenroom.worlds.arena.outside:followers",
    http="greenroom.worlds.arena.faces.http:routes",
    console="greenroom.worlds.arena.faces.console:PAGE",
    cli="greenroom.worlds.arena.faces.cli:commands",
    roles={
        "arena_actor": "speaks for one side of a negotiation",
        "arena_judge": "scores both sides of a negotiation that has ended",
        "arena_guest": "speaks for an agent that the provisioner designed",
        "arena_mutator": "rewrites the strategy of the side that is to improve",
        "arena_provisioner": "designs an agent when no change of strategy helps",
    },
    rank=60,
)
