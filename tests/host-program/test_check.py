"""Archives of GNU tar and of this program are read entry by entry; what is no backup of the site is refused."""
from __future__ import annotations

import os
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from conftest import Site
from gatehouse_host.sites import check
from gatehouse_host.sites.check import Checker
from gatehouse_host.sites.untar import Broken, Entry, TarReader
from gatehouse_host.system import Failed

BUILD = """mkdir -p files/public/folder && cd files/public && echo page >page && ln -s page inside && ln -s /etc outside && ln -s ../../.. up
ln -s . dot && mkfifo pipe && echo run >setuid && chmod 4755 setuid && echo '-- x' >../../database.sql && echo x >../../other
truncate -s 8T holes && ln page hard && mkdir ../notes && echo x >../notes/a && echo x >../.forward && ln -s /home/site/public/page own
mkdir -p $(printf 'long%.0s' {1..50})/folder && echo x >$(printf 'long%.0s' {1..50})/folder/file && ln -s $(printf './%.0s' {1..100})page far"""
LONG = b"files/public/" + b"long" * 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subprocess.run(["bash", "-euc", BUILD], cwd=tmp_path, check=True)
    return tmp_path


def tar(folder: Path, options: str) -> bytes:
    command = f"tar --numeric-owner --owner=1000 --group=33 -P -cf - {options} || true"
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=True).stdout


def take(archive: bytes, checker: Checker | None = None) -> list[Entry]:
    checker = checker or Checker(b"/home/site", 1000, 1000, 33)
    entries = []
    for entry in TarReader(BytesIO(archive)).entries():
        checker.take(entry)
        entries.append(entry)
    return entries


def test_plain_files_folders_and_links_within_the_site_are_taken(folder: Path) -> None:
    checker = Checker(b"/home/site", 1000, 1000, 33)
    names = "page folder inside hard own far"
    take(tar(folder, f"--sparse database.sql {' '.join(f'files/public/{each}' for each in names.split())} files/public/holes files/public/longlong*"), checker)
    assert checker.parts == {b"database.sql": 5}
    assert checker.files == len(names.split()) + 4


def test_names_links_and_contents_are_what_they_were(folder: Path) -> None:
    archive = tar(folder, "files/public/longlong* files/public/far files/public/page --sparse files/public/holes")
    reader = TarReader(BytesIO(archive))
    seen = {entry.name: (entry.link, b"".join(reader.content())) for entry in reader.entries()}
    assert seen[LONG + b"/folder/file"] == (b"", b"x\n")
    assert seen[b"files/public/far"] == (b"./" * 100 + b"page", b"")
    assert seen[b"files/public/page"] == (b"", b"page\n")
    assert seen[b"files/public/holes"] == (b"", b"")


REFUSED = {
    "a path upwards": ("--transform='s,files/public/page,files/../../x,' files/public/page", "path"),
    "an absolute path": ("--transform='s,^files,/etc,' files/public/page", "path"),
    "a link to an absolute path": ("files/public/outside", "leads-out"),
    "a link upwards": ("files/public/up", "leads-out"),
    "a link to another site": ("--transform='flags=s;s,^/etc$,/home/site2/x,' files/public/outside", "leads-out"),
    "a file below a link": ("files/public/dot --transform='s,public/page,public/dot/page,' files/public/page", "below-link"),
    "a hard link to elsewhere": ("--transform='flags=h;s,.*,/etc/shadow,' files/public/page files/public/hard", "hard-link"),
    "a device": ("--transform=s,dev/null,files/public/null, /dev/null", "kind"),
    "a pipe": ("files/public/pipe", "kind"),
    "a file that runs as its owner": ("files/public/setuid", "runs-as-owner"),
    "a file of another user": ("--owner=1234 files/public/page", "owner"),
    "a file of another group": ("--group=1234 files/public/page", "owner"),
    "a name like an option": ("--transform='s,files/public/page,-rf,' files/public/page", "no-part"),
    "a file beside those of a backup": ("other", "no-part"),
    "an entry for the folder of both": ("--no-recursion files", "no-part"),
    "commands for the mail server": ("files/.forward", "no-part"),
    "a folder beside the two": ("files/notes", "no-part"),
    "a link instead of a folder": ("--transform='flags=r;s,public/inside,private,' files/public/inside", "no-folder"),
    "a file twice": ("--hard-dereference files/public/page files/public/page", "twice"),
}


@pytest.mark.parametrize(("options", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_security_56_what_is_no_part_of_a_backup_is_refused(folder: Path, options: str, why: str) -> None:
    with pytest.raises(Failed) as failed:
        take(tar(folder, options))
    assert failed.value.event["why"] == why


def test_security_56_an_archive_with_too_many_entries_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST_ENTRIES", 2)
    with pytest.raises(Failed) as failed:
        take(tar(folder, "database.sql files/public/page files/public/folder"))
    assert failed.value.event["why"] == "too-many"


def test_an_archive_that_is_cut_or_changed_anywhere_is_broken(folder: Path) -> None:
    archive = tar(folder, "database.sql files/public/page files/public/longlong*")
    for end in range(0, len(archive.rstrip(b"\0")), 256):
        with pytest.raises(Broken):
            take(archive[:end])
    with pytest.raises(Broken):
        take(archive + b"x")
    for at in (0, 100, 140, 148, 156, 300):
        changed = bytearray(archive)
        changed[at] ^= 1
        with pytest.raises(Broken):
            take(bytes(changed))


def test_what_this_program_writes_is_taken_with_all_that_it_has(site: Site) -> None:
    public = site.home / "public"
    (public / ("x" * 200)).write_text("long")
    (public / "page").write_text("page")
    os.link(public / "page", public / "hard")
    (public / "link").symlink_to("page")
    with (public / "holes").open("wb") as file:
        for at in range(0, 100 << 20, 1 << 20):
            file.seek(at)
            file.write(b"data")
    archive, events = site.read()
    checker = Checker(str(site.home).encode(), 1234, 2345, 33)
    take(archive, checker)
    assert (checker.files, checker.parts) == (events[-1]["files"], {b"manifest": 9})
