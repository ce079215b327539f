"""The tutorial's world: a keeper on a rock, a visitor, a lamp, a mail boat and something untold."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="lighthouse",
    worlds="greenroom.worlds.lighthouse.outside:worlds",
    understudy="greenroom.worlds.lighthouse.outside:voices",
    http="greenroom.worlds.lighthouse.faces.http:routes",
    console="greenroom.worlds.lighthouse.faces.console:PAGE",
    cli="greenroom.worlds.lighthouse.faces.cli:commands",
    roles={"quality": "speaks for the keeper"},
    rank=10,
)
