"""The composition root: the only package that names concrete classes."""

from greenroom.bootstrap.backends import backend, copy_house
from greenroom.bootstrap.channels import default_channels, stop_link
from greenroom.bootstrap.house import assemble, open_house, worker_of
from greenroom.bootstrap.models import default_models, understudy
from greenroom.bootstrap.worlds import bar_understudies, read_bar, read_phantom, shipped_worlds, tables_of

__all__ = [
    "assemble",
    "backend",
    "bar_understudies",
    "copy_house",
    "default_channels",
    "default_models",
    "open_house",
    "read_bar",
    "read_phantom",
    "shipped_worlds",
    "stop_link",
    "tables_of",
    "understudy",
    "worker_of",
]
