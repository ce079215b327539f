"""Finds a Chromium for the tests of the console; as root on Debian it installs one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: The same browser without its windows comes first: it does the same with two thirds of the work.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WANTED = (
    "browser: none here, so the tests of the console are skipped; install Debian's package chromium, or Google Chrome"
)
#: Seconds that the package manager may take.
PATIENCE = 600


def find() -> str | None:
    """The first browser on the path, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def can_install() -> bool:
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def install(package: str) -> None:
    """Ask Debian for its Chromium; whatever goes wrong, the caller looks whether it is there."""
    for arguments in (("update", "-q"), ("install", "-q", "-y", "--no-install-recommends", package)):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        try:
            subprocess.run(("apt-get", *arguments), check=False, env=environment, timeout=PATIENCE, stdout=sys.stderr)
        except subprocess.TimeoutExpired:
            return


def main() -> int:
    if shutil.which(SHELL) is None and can_install():
        print(f"browser: installing Debian's {SHELL}")
        install(SHELL)
    if find() is None and can_install():  # an older Debian has the whole one only
        print("browser: installing Debian's chromium")
        install("chromium")
    found = find()
    print(WANTED if found is None else f"browser: {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
