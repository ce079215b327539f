"""Git, asked only for what it has stored: no hook, filter, monitor, pager, prompt or helper of a repository is run.

Nothing here looks at the working tree through git: that is where filters would be run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

#: Seconds for one question, and for a clone.
SECONDS = 20.0
CLONE_SECONDS = 600.0

#: What a URL that can be cloned begins with.
SCHEMES = ("https://", "ssh://", "file://")

_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=ssh -o BatchMode=yes",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "submodule.recurse=false",
)
_OPTIONS = tuple(part for one in _SAFE for part in ("-c", one))
_BLAMED = re.compile(rb"^([0-9a-f]{40,64}) \d+ (\d+)")


class GitFailed(Exception):
    """Git could not answer, in one sentence."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The newest commit of a repository, and the oldest one it goes back to."""

    head: str
    #: Seconds since 1970.
    at: int
    root: str
    count: int


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SSH_AUTH_SOCK", "LANG") if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    }


def git(*args: str, cwd: Path | None = None, seconds: float = SECONDS) -> bytes:
    """What git prints.

    Raises:
        GitFailed: it is not installed, took too long, or said no.
    """
    program = shutil.which("git")
    if program is None:
        raise GitFailed("git is not installed here")
    asked = [program, "--no-pager", "--literal-pathspecs", *_OPTIONS, *args]
    try:
        done = subprocess.run(
            asked,
            cwd=cwd,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git did not answer within {seconds:.0f} seconds") from None
    except OSError as error:
        raise GitFailed(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitFailed(" ".join(told[-1].split()) if told else f"git ended with {done.returncode}")
    return done.stdout


def commit(root: Path) -> Commit | None:
    """The newest commit of the repository whose own folder this is; None where there is none, or git says no."""
    if not (root / ".git").exists():
        return None
    try:
        head, at = git("rev-list", "-1", "--no-commit-header", "--format=%H %ct", "HEAD", cwd=root).split()
        count = int(git("rev-list", "--count", "HEAD", cwd=root))
        roots = git("rev-list", "--max-parents=0", "HEAD", cwd=root).decode().split()
    except (GitFailed, ValueError):
        return None
    return Commit(head.decode(), int(at), min(roots, default=""), count)


def commits_since(root: Path, head: str) -> int | None:
    """How many commits came since one; None where that cannot be said."""
    if not re.fullmatch(r"[0-9a-f]{40,64}", head):
        return None
    try:
        return int(git("rev-list", "--count", f"{head}..HEAD", cwd=root))
    except (GitFailed, ValueError):
        return None


def line_times(root: Path, path: str) -> dict[int, int]:
    """When each line of a file, as it stands in the newest commit, was written: seconds since 1970 by line."""
    try:
        told = git("blame", "--line-porcelain", "--no-textconv", "HEAD", "--", path, cwd=root)
    except GitFailed:
        return {}
    found: dict[int, int] = {}
    line = 0
    for one in told.split(b"\n"):
        if match := _BLAMED.match(one):
            line = int(match[2])
        elif one.startswith(b"committer-time "):
            found[line] = int(one.split()[1])
    return found


def clone(url: str, place: Path) -> None:
    """Clone a repository into a folder that is not there yet.

    Raises:
        GitFailed: the address is of another kind, or git said no.
    """
    if not url.startswith(SCHEMES) or "::" in url or any(sign in url for sign in "\n\r\0 "):
        raise GitFailed("only https://, ssh:// and file:// addresses are cloned")
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        git("clone", "--quiet", "--no-recurse-submodules", "--template=", "--", url, str(place), seconds=CLONE_SECONDS)
    except GitFailed:
        shutil.rmtree(place, ignore_errors=True)
        raise


__all__ = ["SCHEMES", "Commit", "GitFailed", "clone", "commit", "commits_since", "git", "line_times"]
