"""Whether the nightly backup of the server has room. It is refused before anything is written."""
from __future__ import annotations

from collections.abc import Sequence

from .. import places
from ..sites.room import free_bytes
from ..system import Failed, run
from .store import archives

_BLOCK = 512


def require_room(parts: Sequence[str], data: str | None) -> None:
    """The archive needs the size of the largest kept one plus a quarter; the first needs the size of what is in it. Databases need space twice: for their
    dumps, and in the server that loads them. data: the folder of the live database server. Raises Failed."""
    store = places.server_backups()
    largest = max((entry.stat(follow_symlinks=False).st_size for entry in archives()), default=0)
    needed = largest * 5 // 4 if largest else disk_usage([places.under(f"/{part}") for part in parts])
    if data is not None:
        needed += 2 * disk_usage([data])
    free = free_bytes(store)
    if free <= needed:
        raise Failed({"code": "no-room-for-server", "path": store, "needed": needed, "free": free})


def disk_usage(folders: Sequence[str]) -> int:
    """In bytes, without other file systems that are mounted below. Not by du: on an overlay, files have another device number than their folder, so it
    would count only folders. Files may go meanwhile."""
    said = run(["find", *folders, "-xdev", "-printf", "%b\\n"], seconds=3600, check=False).output
    return sum(int(blocks) for blocks in said.split()) * _BLOCK
