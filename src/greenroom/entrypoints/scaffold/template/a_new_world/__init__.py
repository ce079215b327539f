"""A New World: a host, a guest and a riddle."""

from greenroom.plugins import WorldPlugin

#: What the entry point in pyproject.toml names; the parts are imported when they are wanted.
PLUGIN = WorldPlugin(
    name="a_new_world",
    worlds=f"{__name__}.outside:worlds",
    understudy=f"{__name__}.outside:voices",
    http=f"{__name__}.faces.http:routes",
    console=f"{__name__}.faces.console:PAGE",
    cli=f"{__name__}.faces.cli:commands",
    roles={"quality": "speaks for the host"},
)
