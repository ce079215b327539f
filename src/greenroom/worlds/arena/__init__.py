"""The arena: negotiators that improve from generation to generation, and the proof that they did."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="arena",
    worlds="greenroom.worlds.arena.outside:worlds",
    settings="greenroom.worlds.arena.settings:ArenaSettings",
    understudy="greenroom.worlds.arena.outside:voices",
    console="greenroom.worlds.arena.faces.console:PAGE",
    cli="greenroom.worlds.arena.faces.cli:commands",
    rank=60,
)
