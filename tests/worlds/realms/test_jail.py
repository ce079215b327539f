"""Nothing outside a repository is read or written through a realm, and nothing in a repository is run."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from greenroom.worlds.realms.outside import git as safe_git
from greenroom.worlds.realms.outside.jail import READ_BYTES, READ_LINES, Jail, Outside
from greenroom.worlds.realms.outside.survey import survey
from greenroom.worlds.realms.outside.tools import fetched, linkable
from greenroom.worlds.realms.settings import RealmsSettings
from tests.worlds.realms.repositories import commit, git, harbour, made


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("the private key")
    return harbour(tmp_path / "harbour")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "harbour/../../secret.txt", "/etc/passwd", "~/x", "C:\\x", "harbour\\..\\x", ".git/config",
        "harbour/.env", ".", "", "harbour", "link.txt", "folder/secret.txt", "pipe", "two\nlines", "id_rsa", "a/b.pem",
        "inner/x.py", "nowhere", "harbour/quay.py/x",
    ],
)  # fmt: skip
def test_a_path_that_leads_out_or_is_no_file_is_refused_in_a_sentence(place: Path, path: str) -> None:
    (place / "link.txt").symlink_to("../secret.txt")
    (place / "folder").symlink_to("..")
    (place / "id_rsa").write_text("key")
    (place / "two\nlines").write_text("x")
    (place / "harbour" / ".env").write_text("PASSWORD=1")
    (place / "inner").mkdir()
    (place / "inner" / ".git").mkdir()
    (place / "inner" / "x.py").write_text("x")
    os.mkfifo(place / "pipe")
    with pytest.raises(Outside) as refused:
        Jail(place).text(path)
    assert "private key" not in str(refused.value)
    assert str(place) not in str(refused.value)


def test_a_device_is_not_read() -> None:
    with pytest.raises(Outside, match="only ordinary files"):
        Jail("/dev").text("null")


def test_a_large_file_is_cut_and_says_so(place: Path) -> None:
    (place / "large.txt").write_text("line\n" * 50_000)
    reading = Jail(place).text("large.txt")
    assert reading.cut
    assert len(reading.text.splitlines()) == READ_LINES
    (place / "wide.txt").write_text("x" * 200_000)
    assert len(Jail(place).text("wide.txt").text) == READ_BYTES


def test_what_is_not_utf_8_is_read_and_what_is_not_text_is_not(place: Path) -> None:
    (place / "latin.txt").write_bytes(b"Gr\xf6\xdfe")
    assert Jail(place).text("latin.txt").text == "Gr��e"
    (place / "data.bin").write_bytes(b"\0\1")
    with pytest.raises(Outside, match="it is not text"):
        Jail(place).text("data.bin")


def test_a_file_that_changes_while_it_is_read_harms_nothing(place: Path) -> None:
    stop = threading.Event()

    def change() -> None:
        n = 0
        while not stop.is_set():
            (place / "busy.txt").write_text("x" * (n % 5_000))
            (place / "swap").unlink(missing_ok=True)
            (place / "swap").symlink_to("../secret.txt" if n % 2 else "README.md")
            n += 1

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(200):
            for name in ("busy.txt", "swap"):
                with suppress(Outside):
                    assert "private" not in Jail(place).text(name).text
        survey(place)
    finally:
        stop.set()
        thread.join()


def test_names_and_folders_of_a_room_leave_out_what_is_hidden(place: Path) -> None:
    (place / "id_ed25519").write_text("key")
    names, left_out = Jail(place).names("")
    assert names == ["README.md", "docs/", "harbour/", "main.py", "tests/"]
    assert left_out == 0


def test_a_repository_inside_a_repository_is_passed_over(place: Path) -> None:
    harbour(place / "inner")
    seen = survey(place)
    assert not any(file.path.startswith("inner/") for file in seen.tree.files)
    assert "1 repositories inside the repository passed over" in seen.notes


# who runs what


def test_nothing_of_a_repository_is_run_when_it_is_surveyed_or_cloned(tmp_path: Path) -> None:
    place, marker = harbour(tmp_path / "harbour"), tmp_path / "ran"
    script = tmp_path / "run.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {marker}\ncat\n')
    script.chmod(0o755)
    (place / ".gitattributes").write_text("* filter=evil diff=evil\n")
    commit(place, at="2025-01-01T00:00:00+00:00")
    for name, value in {
        "core.fsmonitor": str(script), "core.pager": str(script), "core.sshCommand": str(script),
        "filter.evil.clean": str(script), "filter.evil.smudge": str(script), "filter.evil.required": "true",
        "diff.evil.textconv": str(script), "diff.external": str(script), "gpg.program": str(script),
        "log.showSignature": "true", "credential.helper": str(script), "core.alternateRefsCommand": str(script),
    }.items():  # fmt: skip
        git(place, "config", name, value)
    for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (place / ".git" / "hooks" / hook).parent.mkdir(exist_ok=True)
        (place / ".git" / "hooks" / hook).symlink_to(script)
    seen = survey(place)
    assert any("FIXME" in one.text for one in seen.findings)
    settings = RealmsSettings(registry=tmp_path / "global")
    cloned = fetched(f"file://{place}", settings)
    assert (cloned / "main.py").is_file()
    assert safe_git.commit(cloned) is not None
    assert not marker.exists(), marker.read_text()


@pytest.mark.parametrize(
    "address", ["ext::sh -c 'touch ran'", "git://host/x", "http://host/x", "file::/x", "https://h/x\n--upload-pack=sh"]
)
def test_other_kinds_of_address_are_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(Outside, match="only https"):
        fetched(address, RealmsSettings(registry=tmp_path))


def test_a_folder_outside_the_roots_is_refused_also_by_way_of_a_link(tmp_path: Path) -> None:
    inside, outside = made(tmp_path / "roots" / "a", {"a.py": ""}), made(tmp_path / "b", {"b.py": ""})
    settings = RealmsSettings(roots=str(tmp_path / "roots"), registry=tmp_path / "global")
    (tmp_path / "roots" / "link").symlink_to(outside)
    assert linkable(str(inside), settings) == inside
    for path in (outside, tmp_path / "roots" / "link", tmp_path / "roots" / ".." / "b"):
        with pytest.raises(Outside, match="outside the roots"):
            linkable(str(path), settings)


@pytest.mark.parametrize("path", ["/", "~", "/etc/passwd", "/no/such/place", "", "a\0b", ".", "tests"])
def test_what_is_no_folder_of_a_repository_is_not_linked(path: str) -> None:
    with pytest.raises(Outside):
        linkable(path, RealmsSettings())
