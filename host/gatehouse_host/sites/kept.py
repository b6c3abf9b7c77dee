"""The backups of sites: archives in one folder, each with its hash beside it. A backup belongs to the site with its domain, so one that is created again has
those from before. Name: DOMAIN-DATE-TIME-REASON.tar.zst, or .tar.gz where zstd is missing."""
from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Final

from .. import places
from ..durable import lock, write_whole
from .site import first_match

NIGHTLY_KEPT: Final = 7
_FORM: Final = re.compile(r"(.+)-([0-9]{8}-[0-9]{6})-(manual|nightly|restore|push|delete)\.tar\.(?:zst|gz)")
_PIECE: Final = 1 << 20
_WEEK: Final = 7 * 24 * 3600
_DOWNLOAD_SECONDS: Final = 15 * 60


def parts_of(name: str) -> tuple[str, str, str] | None:
    """The domain, the time and the reason that a name says."""
    found = _FORM.fullmatch(name)
    return (found[1], found[2], found[3]) if found else None


def _plain_files(folder: str) -> Iterator[os.DirEntry[str]]:
    if os.path.isdir(folder):
        yield from (entry for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))


def remove(name: str) -> None:
    """The hash goes first: what has none is not taken for verified."""
    for each in (f".{name}.proven", name):
        path = f"{places.backups()}/{each}"
        if os.path.lexists(path):
            os.unlink(path)


def hash_of(path: str) -> str:
    hashed = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            hashed.update(piece)
    return hashed.hexdigest()


def note_hash(note: str, archive: str, hashed: str, name: str) -> None:
    """That the archive, whose name is or will be `name`, is verified. Both have the same time: an archive that is changed later no longer counts as verified."""
    write_whole(note, f"{hashed}  {name}\n")
    info = os.stat(archive)
    os.utime(note, ns=(info.st_atime_ns, info.st_mtime_ns))


def noted_hash(folder: str, name: str) -> str:
    """What an archive had when it was verified; empty if it was not."""
    try:
        with open(f"{folder}/.{name}.proven", encoding="ascii", errors="replace") as file:
            return file.readline().split(" ")[0].strip()
    except FileNotFoundError:
        return ""


def rotate(domain: str) -> None:
    """Keeps the newest nightly ones of a site."""
    found = [(parts_of(entry.name), entry.name) for entry in _plain_files(places.backups())]
    nightly = sorted((name for parts, name in found if parts and parts[0] == domain and parts[2] == "nightly"), reverse=True)
    for name in nightly[NIGHTLY_KEPT:]:
        remove(name)


def expire() -> None:
    """Copies that were made before something else are kept for seven days, of all sites; so are nightly ones of sites that are gone. A download that the
    server has not deleted because it was off goes too."""
    before = time.time() - _WEEK
    here = _domains()
    for entry in list(_plain_files(places.backups())):
        parts = parts_of(entry.name)
        if entry.name.startswith(".") or not parts or entry.stat(follow_symlinks=False).st_mtime >= before:
            continue
        if parts[2] == "manual" or (parts[2] == "nightly" and parts[0] in here):
            continue
        remove(entry.name)
    for entry in list(_plain_files(places.downloads())):
        if entry.stat(follow_symlinks=False).st_mtime < time.time() - _DOWNLOAD_SECONDS:
            os.unlink(entry.path)


def _domains() -> frozenset[str]:
    if not os.path.isdir(places.settings()):
        return frozenset()
    records = (f"{entry.path}/site" for entry in os.scandir(places.settings()) if entry.is_dir())
    return frozenset(first_match(each, re.compile("domain (.*)")) for each in records)


def unless_changing(*work: Callable[[], None]) -> None:
    """Not while a site is changed, because a restore must not lose what it reads, or is about to keep another one. The next night does it."""
    with lock(places.sites_lock()) as held:
        if held:
            for each in work:
                each()
