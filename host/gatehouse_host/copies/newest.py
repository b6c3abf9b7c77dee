"""Which backup is copied: the newest that was verified and has not changed since, of a site or of the server itself."""
from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from .. import places
from ..protocol import Compression
from ..sites import kept
from ..sites.wanted import Wanted
from ..system import Failed

Refusal = Literal["none", "unverified", "changed", "server-none", "server-unverified"]

# As server/store.py names them. An admin may have put other archives beside them.
_OF_SERVER: Final = re.compile(r"backup-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}\.tar\.gz")


@dataclass(frozen=True)
class Newest:
    """hashed: what the file had when it was verified, in hexadecimal."""

    name: str
    path: str
    compression: Compression
    hashed: str


def newest_of_site(domain: str) -> Newest:
    """Raises Failed, a refusal."""
    made = {name: parts[1] for name in _names(places.backups()) if (parts := kept.parts_of(name)) and parts[0] == domain}
    wanted = Wanted(_pick(places.backups(), sorted(made, key=lambda name: made[name]), "none", "unverified"))
    return Newest(wanted.name, wanted.path, wanted.compression, wanted.noted_hash())


def newest_of_server() -> Newest:
    """Also a partial one, because what it has is newer than in any other. Raises Failed, a refusal."""
    folder = places.server_backups()
    name = _pick(folder, sorted(filter(_OF_SERVER.fullmatch, _names(folder))), "server-none", "server-unverified")
    return Newest(name, f"{folder}/{name}", "gz", kept.noted_hash(folder, name))


def refused(why: Refusal) -> Failed:
    return Failed({"code": "copy-refused", "why": why}, 3)


def _pick(folder: str, names: Sequence[str], none: Refusal, unverified: Refusal) -> str:
    """The last of them that is verified."""
    if not names:
        raise refused(none)
    for name in reversed(names):
        if _is_proven(folder, name):
            return name
    raise refused(unverified)


def _names(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return [entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False)]


def _is_proven(folder: str, name: str) -> bool:
    try:
        note, archive = os.lstat(f"{folder}/.{name}.proven"), os.lstat(f"{folder}/{name}")
    except FileNotFoundError:
        return False
    # Earlier versions kept whole seconds, as the lists of backups compare. The hash is compared while the archive is read.
    return stat.S_ISREG(note.st_mode) and note.st_mtime_ns // 10**9 == archive.st_mtime_ns // 10**9
