"""Secret AGI: a table of people, rules and models, some of whom are not what they say."""

from greenroom.plugins import WorldPlugin

PLUGIN = WorldPlugin(
    name="secret_agi",
    worlds="greenroom.worlds.secret_agi.outside:worlds",
    settings="greenroom.worlds.secret_agi.settings:SecretAgiSettings",
    http="greenroom.worlds.secret_agi.faces.http:routes",
    console="greenroom.worlds.secret_agi.faces.console:PAGE",
    cli="greenroom.worlds.secret_agi.faces.cli:commands",
    roles={"quality": "plays the seats that a model was given", "*": "seats may name roles of their own: model:ROLE"},
    rank=20,
)
