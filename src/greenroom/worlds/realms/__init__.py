"""Realms: a repository becomes a place that agents explore and remember."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="realms",
    worlds="greenroom.worlds.realms.outside:worlds",
    settings="greenroom.worlds.realms.settings:RealmsSettings",
    understudy="greenroom.worlds.realms.outside:voices",
    tools="greenroom.worlds.realms.outside:tools",
    followers="greenroom.worlds.realms.outside:followers",
    http="greenroom.worlds.realms.faces.http:routes",
    console="greenroom.worlds.realms.faces.console:PAGE",
    cli="greenroom.worlds.realms.faces.cli:commands",
    roles={"realms_agent": "plays the agents: looks, finds, and writes down"},
    rank=50,
)
