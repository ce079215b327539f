"""An alternate-reality game over e-mail and SMS: a key sent to the wrong address, and those who want it back."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="phantom",
    worlds="greenroom.worlds.phantom.outside:worlds",
    settings="greenroom.worlds.phantom.settings:PhantomSettings",
    understudy="greenroom.worlds.phantom.outside:voices",
    http="greenroom.worlds.phantom.faces.http:routes",
    console="greenroom.worlds.phantom.faces.console:PAGE",
    warm="greenroom.worlds.phantom.rules.classify:prepare",
    judge="greenroom.worlds.phantom.faces.judge:JUDGE",
    cli="greenroom.worlds.phantom.faces.cli:commands",
    roles={
        "fast": "reads what a player wrote, and checks what agents write",
        "quality": "writes the agents' letters",
    },
    rank=40,
)
