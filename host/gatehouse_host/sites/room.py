"""Whether a backup has room: it is refused before anything is written."""
from __future__ import annotations

import os
import resource
import signal
from typing import Final

from .. import database, places
from ..protocol import Value
from ..system import Failed, run
from .site import Site

# What stays free beside what is needed.
SPARE: Final = 256 << 20
_LEFT: Final = 128 << 20
_LEAST: Final = 1 << 20


def free_bytes(path: str) -> int:
    room = os.statvfs(path)
    return room.f_bavail * room.f_frsize


def _disk_usage(path: str, *options: str) -> int:
    # What the site's programs delete meanwhile is none of it.
    said = run(["du", "-sB1", *options, "--", path], seconds=3600, check=False).output
    return int(said.split(b"\t")[0] or 0)


def file_bytes(site: Site) -> int:
    ours = [f"--exclude={site.home}/{each}" for each in (".restoring", ".staging", ".replac*")]
    return _disk_usage(site.home, *ours) if os.path.isdir(site.home) else 0


def data_bytes(name: str, data: str) -> int:
    """By its files: to ask for the sizes of tables would have views prepared, and so functions of the site run."""
    return _disk_usage(f"{data}/{name}/.") if os.path.isdir(f"{data}/{name}") else 0


def require_room(site: Site, reason: str) -> int:
    """For a backup, whose dump is then loaded, or a download. The bytes that files and database have. Raises Failed, a refusal."""
    data_folder = database.folder() if database.is_here() else ""
    data = data_bytes(site.name, data_folder) if data_folder else 0
    used = file_bytes(site) + data
    needed = used * 5 // 4 + SPARE
    if data and reason != "download":
        if os.stat(data_folder).st_dev == os.stat(places.backups()).st_dev:
            needed += data
        elif data + SPARE >= free_bytes(data_folder):
            raise no_room("verify", reason, data + SPARE, data_folder)
    if needed >= free_bytes(places.backups()):
        raise no_room("archive" if reason == "download" else "backup", reason, needed, places.backups())
    return used


def no_room(work: str, reason: str, needed: int, path: str) -> Failed:
    values: dict[str, Value] = {"code": "no-room", "work": work, "reason": reason, "needed": needed, "free": free_bytes(path), "path": path}
    return Failed(values, 3)


def limit_files() -> None:
    """What a file may grow to, here and in programs that are run: sizes that are not there, as of files with holes and of compressed tables, must not fill
    the disk."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(free_bytes(places.backups()) - _LEFT, _LEAST), hard))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
