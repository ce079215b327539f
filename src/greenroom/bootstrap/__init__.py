"""The composition root: the only package that names concrete classes."""

from greenroom.bootstrap.backends import backend, copy_house
from greenroom.bootstrap.channels import default_channels, stop_link
from greenroom.bootstrap.house import assemble, open_house, worker_of
from greenroom.bootstrap.models import default_models
from greenroom.bootstrap.worlds import gathered, installed_worlds, tables_of

__all__ = [
    "assemble",
    "backend",
    "copy_house",
    "default_channels",
    "default_models",
    "gathered",
    "installed_worlds",
    "open_house",
    "stop_link",
    "tables_of",
    "worker_of",
]
