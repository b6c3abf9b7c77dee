"""The archives of the server in their folder, each with its hash and the note of what it lacks beside it."""
from __future__ import annotations

import os
import re
import time
from typing import Final

from .. import places
from ..durable import sync, write_whole
from ..sites.kept import note_hash
from .lacks import Lacks

KEPT: Final = 7
_FORM: Final = re.compile(r"backup-.*\.tar\.gz", re.DOTALL)
_BESIDE: Final = re.compile(r"\.(backup-.*)\.(?:proven|lacks)", re.DOTALL)


def archives() -> list[os.DirEntry[str]]:
    """The newest first."""
    found = [entry for entry in os.scandir(places.server_backups()) if _FORM.fullmatch(entry.name)]
    return sorted(found, key=lambda entry: entry.name, reverse=True)


def keep(archive: str, hashed: str, lacks: Lacks) -> str:
    """Moves a verified archive into the store, the archive itself last. Its name."""
    store, work = places.server_backups(), places.server_work()
    name = f"backup-{time.strftime('%Y-%m-%d-%H%M%S', time.gmtime())}.tar.gz"
    note_hash(f"{work}/proven", archive, hashed, name)
    write_whole(f"{work}/lacks", lacks.text())
    sync(archive)
    os.replace(f"{work}/lacks", f"{store}/.{name}.lacks")
    os.replace(f"{work}/proven", f"{store}/.{name}.proven")
    os.replace(archive, f"{store}/{name}")
    sync(store)
    return name


def rotate() -> None:
    """Keeps the seven newest archives, and the newest whole one however old it is."""
    whole = None
    for count, entry in enumerate(archives(), 1):
        if whole is None and _is_whole(entry):
            whole = entry.name
        elif count > KEPT:
            os.unlink(entry.path)
    for entry in list(os.scandir(places.server_backups())):
        beside = _BESIDE.fullmatch(entry.name)
        if beside and not os.path.lexists(f"{places.server_backups()}/{beside[1]}"):
            os.unlink(entry.path)


def _is_whole(archive: os.DirEntry[str]) -> bool:
    """Verified, unchanged since, and with nothing missing."""
    beside = f"{places.server_backups()}/.{archive.name}"
    try:
        proven = os.stat(f"{beside}.proven").st_mtime_ns
    except FileNotFoundError:
        return False
    if proven // 10**9 != archive.stat(follow_symlinks=False).st_mtime_ns // 10**9:
        return False
    try:
        with open(f"{beside}.lacks", "rb") as file:
            return not any(line.startswith(b"missing") for line in file)
    except FileNotFoundError:
        return True
