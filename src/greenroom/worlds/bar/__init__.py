"""The bar, Le Pale Blue Dot: a cast that remembers its guests, with care and within budget."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="bar",
    worlds="greenroom.worlds.bar.outside:worlds",
    settings="greenroom.worlds.bar.settings:BarSettings",
    understudy="greenroom.worlds.bar.outside:voices",
    tools="greenroom.worlds.bar.outside:tools",
    http="greenroom.worlds.bar.faces.http:routes",
    console="greenroom.worlds.bar.faces.console:PAGE",
    cli="greenroom.worlds.bar.faces.cli:commands",
    roles={
        "fast": "decides who answers, and watches for guests in danger",
        "quality": "speaks for the bartender and the house",
    },
    judge="greenroom.worlds.bar.faces.judge:JUDGE",
    warm="greenroom.worlds.bar.outside:prepare",
    lacks="greenroom.worlds.bar.outside:lacks",
    rank=30,
)
